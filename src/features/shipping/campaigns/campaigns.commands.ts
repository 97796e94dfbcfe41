/** Writing campaigns, their words and pictures, and counting what was shown and clicked. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { StoredContent } from '#contract/endpoint.ts'
import { conflict, unprocessable } from '#contract/errors.ts'
import { type Locale, locales } from '#contract/limits.ts'
import { dayAt } from '#domain/local-time.ts'
import { readRule } from '#domain/rules/rule-refusals.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { inLine } from '#features/company/users/users.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { recordFiles } from '#platform/files/file-store.ts'
import type { CroppedImage } from '#platform/files/images.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type CampaignVariant, campaignVariants, campaignWords, mostCampaigns, viewDays } from './campaigns.codes.ts'
import { campaignById, contentsOf, countOpenCampaigns } from './campaigns.queries.ts'
import { isWebAddress, languageNames, missingContents } from './campaigns.rules.ts'
import type { Campaign, CampaignContent, CampaignFields } from './campaigns.schemas.ts'

const byId = ({ db, principal, now }: Context, id: number): Promise<Campaign> => campaignById(db, principal.company.id, id, now())

async function changed(context: Context, id: number, change: string): Promise<Campaign> {
  const campaign = await byId(context, id)
  await context.recordEvent({ kind: 'campaign.changed', subject: 'campaign', subject_id: id, data: { title: campaign.title, change } })
  context.notify('campaign', id)
  return campaign
}

/** The fields as the table holds them. */
function checked({ contents: _contents, ...fields }: CampaignFields) {
  if (fields.to_at !== null && Date.parse(fields.to_at) <= Date.parse(fields.from_at))
    throw unprocessable('campaign_dates', campaignWords.dates, {}, { fields: { to_at: campaignWords.dates } })
  if (fields.link !== '' && !isWebAddress(fields.link))
    throw unprocessable('link_scheme', campaignWords.link, {}, { fields: { link: campaignWords.link } })
  const conditions = readRule(fields.conditions, 'campaign', 'conditions')
  return { ...fields, conditions: JSON.stringify(conditions) }
}

/** Refuses to show what has no picture, or no words for those who cannot see it. */
function mustBeComplete(campaign: { locales: readonly Locale[]; ab_share: number | null }, contents: readonly CampaignContent[]): void {
  const missing = missingContents(campaign, contents)
  const [first] = missing
  if (!first) return
  const fields = missing.flatMap(({ locale, variant, picture, alt }) => [
    ...(picture ? [[`contents.${locale}.${variant}.picture`, 'Add an image.']] : []),
    ...(alt ? [[`contents.${locale}.${variant}.alt`, 'Say what the image shows.']] : []),
  ])
  throw unprocessable(
    'campaign_incomplete',
    campaignWords.incomplete,
    { language: languageNames[first.locale] },
    { fields: Object.fromEntries(fields) },
  )
}

async function writeContents({ db }: Context, campaign_id: number, contents: CampaignFields['contents']): Promise<void> {
  const rows = locales.flatMap(locale =>
    campaignVariants.flatMap(variant => {
      const words = contents[locale]?.[variant]
      return words ? [{ campaign_id, locale, variant, ...words }] : []
    }),
  )
  if (rows.length === 0) return
  await db
    .insertInto('campaign_images')
    .values(rows)
    .onConflict(conflicting =>
      conflicting.columns(['operator_id', 'campaign_id', 'locale', 'variant']).doUpdateSet(eb => ({
        headline: eb.ref('excluded.headline'),
        text: eb.ref('excluded.text'),
        button: eb.ref('excluded.button'),
        alt: eb.ref('excluded.alt'),
      })),
    )
    .execute()
}

export async function createCampaign(
  context: Context,
  { client_id = null, id: own, ...fields }: CampaignFields & { client_id?: string | null | undefined; id?: number },
): Promise<Campaign> {
  const { db, principal, now } = context
  await inLine(db, principal.company.id)
  if (client_id !== null) {
    const known = await db
      .selectFrom('campaigns')
      .select('id')
      .where('company_id', '=', principal.company.id)
      .where('client_id', '=', client_id)
      .executeTakeFirst()
    if (known) return byId(context, known.id)
  }
  const values = checked(fields)
  if ((await countOpenCampaigns(db, principal.company.id, now())) >= mostCampaigns)
    throw conflict('campaigns_full', 'There are {{count}} campaigns already. End or remove one first.', { count: mostCampaigns })
  const at = now().toISOString()
  const { id } = await db
    .insertInto('campaigns')
    .values({
      ...values,
      ...(own !== undefined && { id: own }),
      client_id,
      public_key: randomBytes(16).toString('base64url'),
      created_at: at,
      changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeContents(context, id, fields.contents)
  return changed(context, id, 'saved')
}

/** Refuses changes of what was ended by hand; an end that has passed can be set later. */
function mustNotBeFinal({ is_final }: Campaign): void {
  if (is_final) throw conflict('campaign_ended', 'This campaign has ended. Create a new one.')
}

export async function updateCampaign(
  context: Context,
  id: number,
  { version, ...fields }: CampaignFields & { version: number },
): Promise<Campaign> {
  const { db, principal, now } = context
  await inLine(db, principal.company.id)
  const current = await byId(context, id)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  mustNotBeFinal(current)
  const values = checked(fields)
  await db
    .updateTable('campaigns')
    .set(eb => ({ ...values, changed_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await writeContents(context, id, fields.contents)
  if (current.state !== 'draft') mustBeComplete(fields, await contentsOf(db, id))
  return changed(context, id, 'saved')
}

export async function setActive(context: Context, id: number, active: boolean): Promise<Campaign> {
  const { db, principal, now } = context
  await inLine(db, principal.company.id)
  const current = await byId(context, id)
  mustNotBeFinal(current)
  if (active) {
    if (current.state === 'active' || current.state === 'scheduled') return current
    mustBeComplete(current, current.contents)
    if (current.to_at !== null && Date.parse(current.to_at) <= now().getTime())
      throw conflict('campaign_end_passed', 'The end has passed. Set a later end first.', {}, { fields: { to_at: 'The end has passed.' } })
  } else if (current.state !== 'active' && current.state !== 'scheduled') return current
  await db
    .updateTable('campaigns')
    .set(eb => ({ state: active ? 'published' : 'paused', changed_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  return changed(context, id, active ? 'published' : 'paused')
}

/** What no order saw goes; what was shown ends, and its figures stay. */
export async function removeCampaign(context: Context, id: number): Promise<void> {
  const { db, principal, recordEvent, notify, now } = context
  await inLine(db, principal.company.id)
  const known = await db
    .selectFrom('campaigns')
    .select(['title', 'state'])
    .where('company_id', '=', principal.company.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!known || known.state === 'ended') return
  const { state, shown, clicked } = await byId(context, id)
  if (state === 'draft' || (state !== 'active' && shown + clicked === 0)) {
    await db.deleteFrom('campaigns').where('id', '=', id).execute()
    await recordEvent({ kind: 'campaign.changed', subject: 'campaign', subject_id: id, data: { title: known.title, change: 'removed' } })
    notify('campaign', id)
    return
  }
  await db
    .updateTable('campaigns')
    .set(eb => ({ state: 'ended', changed_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await changed(context, id, 'ended')
}

export interface Place {
  id: number
  locale: Locale
  variant: CampaignVariant
}

/** `null` removes the picture. The version of the campaign stays: what is written beside it does not collide with it. */
export async function putPicture(
  context: Context,
  { id, locale, variant }: Place,
  images: readonly (Omit<CroppedImage, 'bytes'> & { content: StoredContent })[] | null,
): Promise<Campaign> {
  const { db, principal } = context
  await inLine(db, principal.company.id)
  const current = await byId(context, id)
  mustNotBeFinal(current)
  const ids = await recordFiles(
    db,
    (images ?? []).map(({ as, width, content }) => ({
      content,
      about: { media_type: `image/${as}`, name: `campaign-${id}-${locale}-${variant}-${width}.${as}` },
    })),
  )
  const fileOf = (as: CroppedImage['as'], width: number): number | null => {
    const place = images?.findIndex(one => one.as === as && one.width === width) ?? -1
    return ids[place] ?? null
  }
  const files = {
    webp_1400_file_id: fileOf('webp', 1400),
    webp_700_file_id: fileOf('webp', 700),
    jpeg_1400_file_id: fileOf('jpeg', 1400),
    jpeg_700_file_id: fileOf('jpeg', 700),
    picture: images?.[0]?.content.sha256.slice(0, 16) ?? null,
  }
  await db
    .insertInto('campaign_images')
    .values({ campaign_id: id, locale, variant, ...files })
    .onConflict(conflicting => conflicting.columns(['operator_id', 'campaign_id', 'locale', 'variant']).doUpdateSet(files))
    .execute()
  if (images === null && current.state !== 'draft') mustBeComplete(current, await contentsOf(db, id))
  return changed(context, id, images ? 'picture set' : 'picture removed')
}

interface Visit {
  company_id: number
  campaign_id: number
  variant: CampaignVariant
  order_id: number
}

/** Counts once for each order and day. An order that is gone meanwhile is not counted. */
export async function countVisit(
  db: Db,
  { company_id, campaign_id, variant, order_id }: Visit,
  what: 'shown' | 'clicked',
  now: Date,
): Promise<void> {
  const { time_zone } = await companySettings(db, company_id)
  const day = dayAt(now.getTime(), time_zone)
  const order = await db
    .selectFrom('orders')
    .select('id')
    .where('id', '=', order_id)
    .where('company_id', '=', company_id)
    .executeTakeFirst()
  if (!order) return
  const counted = await db
    .insertInto('campaign_views')
    .values({ company_id, campaign_id, variant, order_id, day, [what]: true })
    .onConflict(conflicting =>
      conflicting
        .columns(['operator_id', 'campaign_id', 'variant', 'order_id', 'day'])
        .doUpdateSet({ [what]: true })
        .where(`campaign_views.${what}`, '=', false),
    )
    .returning('order_id')
    .executeTakeFirst()
  if (!counted) return
  await db
    .insertInto('campaign_days')
    .values({ company_id, campaign_id, variant, day, [what]: 1 })
    .onConflict(conflicting =>
      conflicting
        .columns(['operator_id', 'campaign_id', 'variant', 'day'])
        .doUpdateSet(eb => ({ [what]: eb(`campaign_days.${what}`, '+', 1) })),
    )
    .execute()
}

/** Which order saw what is kept for some weeks; the totals of the days stay. */
export const forgetViews = (db: Db, now: Date) =>
  db
    .deleteFrom('campaign_views')
    .where('day', '<', sql<string>`(${now.toISOString()}::timestamptz - make_interval(days => ${viewDays}))::date`)
    .execute()
