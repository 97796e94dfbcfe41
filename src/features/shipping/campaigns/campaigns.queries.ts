/** Reads of campaigns: lists and one for the settings, and what the tracking page shows for an order. */
import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import * as z from 'zod'
import type { StoredContent } from '#contract/endpoint.ts'
import { orNotFound } from '#contract/errors.ts'
import type { Locale } from '#contract/limits.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { compileRule } from '#domain/rules/rule-evaluation.ts'
import type { RuleField } from '#domain/rules/rule-fields.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import type { TrackingStage } from '#domain/tracking-stages.ts'
import { ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { type CampaignState, type CampaignVariant, campaignVariants, mostCampaigns } from './campaigns.codes.ts'
import { byRank, rateOf, stateOf, variantOf } from './campaigns.rules.ts'
import {
  Campaign,
  CampaignContent,
  type CampaignQuestion,
  CampaignRow,
  type CampaignSlot,
  type OrderCampaign,
} from './campaigns.schemas.ts'

const figure = (name: 'shown' | 'clicked') =>
  sql<number>`(select coalesce(sum(d.${sql.ref(name)}), 0)::integer from campaign_days d where d.operator_id = c.operator_id
    and d.company_id = c.company_id and d.campaign_id = c.id)`

const ofCompany = (db: Db, company_id: number) => db.selectFrom('campaigns as c').where('c.company_id', '=', company_id)

/** Condition of a state; the rule for one row is `stateOf`. */
function inState(state: CampaignState, now: Date): RawBuilder<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`
  const over = sql`(c.to_at is not null and c.to_at <= ${at})`
  if (state === 'draft') return sql<boolean>`c.state = 'draft'`
  if (state === 'ended') return sql<boolean>`(c.state = 'ended' or (c.state <> 'draft' and ${over}))`
  if (state === 'paused') return sql<boolean>`(c.state = 'paused' and not ${over})`
  return state === 'scheduled'
    ? sql<boolean>`(c.state = 'published' and c.from_at > ${at})`
    : sql<boolean>`(c.state = 'published' and c.from_at <= ${at} and not ${over})`
}

const sortColumns: Record<string, RawBuilder<unknown>> = {
  title: sql`lower(c.title)`,
  from: sql`c.from_at`,
  priority: sql`c.priority`,
  shown: sql`shown`,
  clicked: sql`clicked`,
  changed: sql`c.changed_at`,
}

export async function findCampaigns(
  db: Db,
  company_id: number,
  { query, state, locale, sort, ...paging }: CampaignQuestion & { page: number; limit: number },
  now: Date,
): Promise<Page<CampaignRow>> {
  let matching = ofCompany(db, company_id)
  if (query !== '') matching = matching.where('c.title', 'ilike', containing(query))
  if (state !== undefined) matching = matching.where(inState(state, now))
  if (locale !== undefined) matching = matching.where(sql<boolean>`${locale} = any(c.locales)`)
  const rows = await matching
    .select(['c.id', 'c.title', 'c.state', 'c.from_at', 'c.to_at', 'c.locales', 'c.stages', 'c.priority', 'c.ab_share', 'c.changed_at'])
    .select([figure('shown').as('shown'), figure('clicked').as('clicked')])
    .orderBy(sortColumns[sort.replace('-', '')] ?? sql`c.changed_at`, sort.startsWith('-') ? 'desc' : 'asc')
    .orderBy('c.id', 'desc')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return {
    rows: rows.map(row => CampaignRow.parse({ ...row, state: stateOf(row, now), rate: rateOf(row) })),
    ...(await cappedCount(db, matching)),
    offset: pageOffset(paging),
    limit: paging.limit,
  }
}

const contentColumns = ['i.locale', 'i.variant', 'i.headline', 'i.text', 'i.button', 'i.alt', 'i.picture'] as const

export const contentsOf = async (db: Db, campaign_id: number): Promise<CampaignContent[]> =>
  (await db
    .selectFrom('campaign_images as i')
    .select(contentColumns)
    .where('i.campaign_id', '=', campaign_id)
    .orderBy('i.locale')
    .orderBy('i.variant')
    .execute()) as CampaignContent[]

const Stored = Campaign.extend({ conditions: RuleJson.catch({ v: 1, all: [] }) })

export async function campaignById(db: Db, company_id: number, id: number, now: Date): Promise<Campaign> {
  const [row, contents, days] = await Promise.all([
    ofCompany(db, company_id).selectAll('c').where('c.id', '=', id).executeTakeFirst(),
    contentsOf(db, id),
    db
      .selectFrom('campaign_days')
      .select(eb => ['variant', eb.fn.sum<number>('shown').as('shown'), eb.fn.sum<number>('clicked').as('clicked')])
      .where('company_id', '=', company_id)
      .where('campaign_id', '=', id)
      .groupBy('variant')
      .execute(),
  ])
  const campaign = orNotFound(row, 'campaign_not_found', 'Campaign not found')
  const figures = campaignVariants
    .map(variant => {
      const found = days.find(one => one.variant === variant)
      const counted = { shown: Number(found?.shown ?? 0), clicked: Number(found?.clicked ?? 0) }
      return { variant, ...counted, rate: rateOf(counted) }
    })
    .filter(one => one.variant === 'a' || campaign.ab_share !== null || one.shown + one.clicked > 0)
  const total = {
    shown: figures.reduce((sum, one) => sum + one.shown, 0),
    clicked: figures.reduce((sum, one) => sum + one.clicked, 0),
  }
  return Stored.parse({
    ...campaign,
    ...total,
    rate: rateOf(total),
    state: stateOf(campaign, now),
    is_final: campaign.state === 'ended',
    broken: parseRule(campaign.conditions, 'campaign').rule === undefined,
    contents,
    figures,
  })
}

/** What people have entered, as its history keeps it. */
export const writtenCampaign = (db: Db, company_id: number, id: number) =>
  ofCompany(db, company_id)
    .where('c.id', '=', id)
    .select(['c.title', 'c.from_at', 'c.to_at', 'c.stages', 'c.locales', 'c.countries', 'c.agent_codes', 'c.conditions'])
    .select(['c.priority', 'c.ab_share', 'c.link', 'c.state', 'c.version'])
    .executeTakeFirst()

/** How many have not ended. */
export async function countOpenCampaigns(db: Db, company_id: number, now: Date): Promise<number> {
  const { count } = await ofCompany(db, company_id)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where(sql<boolean>`not ${inState('ended', now)}`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The file of a picture; undefined without one. */
export const pictureFile = (
  db: Db,
  company_id: number,
  asked: { id: number | null; public_key: string | null; locale: string; variant: CampaignVariant; width: 700 | 1400 },
  as: 'webp' | 'jpeg',
): Promise<(StoredContent & { media_type: string }) | undefined> =>
  ofCompany(db, company_id)
    .innerJoin('campaign_images as i', 'i.campaign_id', 'c.id')
    .innerJoin('files as f', 'f.id', `i.${as}_${asked.width}_file_id` as const)
    .select(['f.sha256', 'f.bytes', 'f.media_type'])
    .where(asked.id === null ? sql<boolean>`c.public_key = ${asked.public_key}` : sql<boolean>`c.id = ${asked.id}`)
    .where('i.locale', '=', asked.locale)
    .where('i.variant', '=', asked.variant)
    .executeTakeFirst()

export const campaignByKey = (db: Db, company_id: number, public_key: string) =>
  ofCompany(db, company_id).selectAll('c').where('c.public_key', '=', public_key).executeTakeFirst()

export const slotOf = ({ public_key, link }: { public_key: string; link: string }, content: CampaignContent): CampaignSlot => ({
  public_key,
  ...content,
  has_link: link !== '',
})

const signedText = (company_id: number, public_key: string, order_id: number, variant: CampaignVariant): string =>
  `${company_id}:${public_key}:${order_id}:${variant}`

const signClick = (vault: Vault, company_id: number, public_key: string, order_id: number, variant: CampaignVariant): string =>
  `${variant}${order_id.toString(36)}.${vault.sign('campaign', signedText(company_id, public_key, order_id, variant))}`

/** The order and the variant that were signed; undefined for what was not signed here. */
export function readSigned(
  vault: Vault,
  company_id: number,
  public_key: string,
  signed: string,
): { order_id: number; variant: CampaignVariant } | undefined {
  const variant = signed.startsWith('b') ? 'b' : 'a'
  const [order = '', signature = ''] = signed.slice(1).split('.')
  const order_id = Number.parseInt(order, 36)
  if (!Number.isSafeInteger(order_id)) return undefined
  return vault.verify('campaign', signedText(company_id, public_key, order_id, variant), signature) ? { order_id, variant } : undefined
}

const variantFor = (vault: Vault, campaign: { id: number; ab_share: number | null }, order_id: number): CampaignVariant =>
  variantOf(campaign.ab_share, Buffer.from(vault.sign('campaign variant', `${campaign.id}:${order_id}`), 'base64url'))

const Shipments = z.array(z.object({ agent_code: z.string(), weight_g: z.number().nullable() }))

/** What the recipient of an order sees beside it, in this language and no other; null where nothing fits. */
export async function campaignOfOrder(
  db: Db,
  vault: Vault,
  { company_id, order_id, locale, stage, now }: { company_id: number; order_id: number; locale: Locale; stage: TrackingStage; now: Date },
): Promise<OrderCampaign | null> {
  const at = now.toISOString()
  const found = await ofCompany(db, company_id)
    .innerJoin('orders as o', join => join.onRef('o.company_id', '=', 'c.company_id').on('o.id', '=', order_id))
    .select(['c.id', 'c.public_key', 'c.priority', 'c.from_at', 'c.conditions', 'c.ab_share', 'c.link', 'c.agent_codes', 'o.agent_code'])
    .select(eb => [
      jsonArrayFrom(
        eb.selectFrom('campaign_images as i').select(contentColumns).whereRef('i.campaign_id', '=', 'c.id').where('i.locale', '=', locale),
      ).as('contents'),
      jsonArrayFrom(
        eb
          .selectFrom('shipments as s')
          .select(['s.agent_code', 's.weight_g'])
          .whereRef('s.order_id', '=', 'o.id')
          .where('s.operation_code', '=', 'outbound')
          .where('s.state', 'not in', ['cancelled', 'blocked', 'error']),
      ).as('shipments'),
    ])
    .where('c.state', '=', 'published')
    .where('c.from_at', '<=', at)
    .where(sql<boolean>`(c.to_at is null or c.to_at > ${at}::timestamptz)`)
    .where(sql<boolean>`${locale} = any(c.locales)`)
    .where(sql<boolean>`${stage} = any(c.stages)`)
    .where(sql<boolean>`(cardinality(c.countries) = 0 or o.ship_country = any(c.countries))`)
    .orderBy('c.priority', 'desc')
    .orderBy('c.from_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(mostCampaigns)
    .execute()
  const fitting = found
    .map(row => ({ ...row, shipments: Shipments.parse(row.shipments), contents: z.array(CampaignContent).parse(row.contents) }))
    .filter(
      ({ agent_codes, agent_code, shipments }) =>
        agent_codes.length === 0 ||
        [agent_code, ...shipments.map(one => one.agent_code)].some(code => code !== null && agent_codes.includes(code)),
    )
    .toSorted(byRank)
  const compiled = fitting.flatMap(campaign => {
    const { rule } = parseRule(campaign.conditions, 'campaign')
    return rule ? [{ campaign, rule: compileRule(rule) }] : []
  })
  const fields = new Set<RuleField>(compiled.flatMap(({ rule }) => [...rule.fields]))
  const [order] = fields.size > 0 ? await ordersWithFacts(db, [order_id], fields) : []
  for (const { campaign, rule } of compiled) {
    if (rule.fields.size > 0) {
      if (!order) continue
      const { shipments } = campaign
      const facts = {
        ...order.facts,
        'shipment.stage': stage,
        'shipment.agent': shipments[0]?.agent_code ?? campaign.agent_code,
        'shipment.weight': shipments.reduce((sum, one) => sum + (one.weight_g ?? 0), 0) || null,
        'shipment.parcels': shipments.length,
      }
      if (!rule.matches(facts, { now, zone: order.zone, not_compared: 0 })) continue
    }
    const variant = variantFor(vault, campaign, order_id)
    const content = campaign.contents.find(one => one.variant === variant)
    if (content && content.picture !== null)
      return { ...slotOf(campaign, content), signed: signClick(vault, company_id, campaign.public_key, order_id, variant) }
  }
  return null
}
