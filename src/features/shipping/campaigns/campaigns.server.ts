/** Campaigns: handlers. */

import { isAllowed } from '#contract/access.ts'
import { notFound, orNotFound } from '#contract/errors.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { cropImage } from '#platform/files/images.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { allowUpload } from '#platform/limits/company-limits.ts'
import { mostPictureBytes, pictureSizes, previewMinutes } from './campaigns.codes.ts'
import { countVisit, createCampaign, type Place, putPicture, removeCampaign, setActive, updateCampaign } from './campaigns.commands.ts'
import { campaigns } from './campaigns.contract.ts'
import { campaignById, campaignByKey, contentsOf, findCampaigns, pictureFile, readSigned, slotOf } from './campaigns.queries.ts'
import { pictureParts, stateOf } from './campaigns.rules.ts'
import { type Campaign, type CampaignContent, campaignsSchemas } from './campaigns.schemas.ts'
import { campaignList, pictureChanged } from './campaigns-history.server.ts'

const unknown = () => notFound('campaign_not_found', 'Campaign not found')
const mayChange = ({ principal }: Pick<Context, 'principal'>): boolean => isAllowed(principal.permissions, campaigns.create.access)

const previewText = (company_id: number, id: number, until: string): string => `${company_id}:${id}:${until}`

function isPreviewToken({ services, principal, now }: Context, id: number, token: unknown): boolean {
  const [until = '', signature = ''] = typeof token === 'string' ? token.slice(0, 64).split('.') : []
  return (
    services.vault.verify('campaign preview', previewText(principal.company.id, id, until), signature) &&
    Number.parseInt(until, 36) * 1_000 > now().getTime()
  )
}

const get = ({ id }: { id: number }, { db, principal, now }: Context) => campaignById(db, principal.company.id, id, now())

async function picture({ parts, v }: { parts: string; v?: string | undefined }, context: ExternalContext) {
  const asked = pictureParts(parts)
  if (!asked || (asked.id !== null && !mayChange(context))) throw unknown()
  const as = context.headers.accept?.includes('image/webp') ? 'webp' : 'jpeg'
  const file = await context.transaction(({ db, principal }) => pictureFile(db, principal.company.id, asked, as))
  const { media_type, ...bytes } = orNotFound(file, 'picture_not_found', 'There is no picture')
  context.setHeader('vary', 'accept')
  // A draft that is seen by number is nothing for a shared cache.
  const who = asked.id === null ? 'public' : 'private'
  context.setHeader('cache-control', v === undefined ? 'no-cache' : `${who}, max-age=31536000, immutable`)
  return { bytes, media_type, inline: true }
}

async function changePicture(context: Context, place: Place, images: Parameters<typeof putPicture>[2]): Promise<Campaign> {
  const isShown = ({ locale, variant, picture: shown }: CampaignContent) =>
    locale === place.locale && variant === place.variant && shown !== null
  const before = await contentsOf(context.db, place.id)
  const campaign = await putPicture(context, place, images)
  await pictureChanged(context, place, before.some(isShown), campaign.contents.some(isShown))
  return campaign
}

export const campaignsServer = implement(campaigns, campaignsSchemas, {
  search: (asked, { db, principal, now }) => findCampaigns(db, principal.company.id, asked, now()),
  get,
  getCampaign: get,
  async export(asked, { db, principal, now }) {
    const { rows } = await findCampaigns(db, principal.company.id, { ...asked, page: 1, limit: 10_000 }, now())
    return {
      bytes: csv(
        ['title', 'state', 'from_at', 'to_at', 'locales', 'stages', 'priority', 'ab_share', 'shown', 'clicked', 'rate'],
        rows.map(row => [
          ...[row.title, row.state, row.from_at, row.to_at, row.locales.join(' '), row.stages.join(' '), row.priority, row.ab_share],
          ...[row.shown, row.clicked, row.rate.toFixed(4)],
        ]),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `campaigns-${now().toISOString().slice(0, 10)}.csv`,
    }
  },
  picture,
  campaignPicture: picture,

  async frontend({ id, locale, variant }, context) {
    const { db, principal, headers, now } = context
    const number = /^\d{1,15}$/.test(id) ? Number(id) : null
    if (number !== null && !mayChange(context) && !isPreviewToken(context, number, headers['x-preview-token'])) throw unknown()
    const campaign =
      number === null ? await campaignByKey(db, principal.company.id, id) : await campaignById(db, principal.company.id, number, now())
    if (!campaign || (number === null && stateOf(campaign, now()) !== 'active')) throw unknown()
    const asked = locale ?? campaign.locales[0]
    const content = (await contentsOf(db, campaign.id)).find(one => one.locale === asked && one.variant === variant)
    if (!content || !campaign.locales.includes(content.locale) || (number === null && content.picture === null)) throw unknown()
    return slotOf(campaign, content)
  },

  create: ({ body }, context) =>
    addEntry(
      campaignList,
      context,
      () => createCampaign(context, body),
      added => added.id,
    ),
  update: ({ id, body }, context) => changeEntry(campaignList, context, id, () => updateCampaign(context, id, body)),
  remove: ({ id }, context) => changeEntry(campaignList, context, id, () => removeCampaign(context, id)),
  setActive: ({ id, active }, context) =>
    changeEntry(campaignList, context, id, () => setActive(context, id, active === 'true' || active === '1')),

  async setPicture({ id, locale, variant, upload }, { services, transaction, scope, principal, now }) {
    await transaction(async ({ db }) => {
      await campaignById(db, principal.company.id, id, now())
      await allowUpload(db, scope.company_id)
    })
    const images = await cropImage(upload.content, { sizes: pictureSizes, mostBytes: mostPictureBytes })
    const stored = await Promise.all(
      images.map(async ({ bytes, ...image }) => ({ ...image, content: await services.files.put(scope.operator_id, bytes) })),
    )
    return transaction(context => changePicture(context, { id, locale, variant }, stored))
  },
  removePicture: (place, context) => changePicture(context, place, null),

  async preview({ id }, { db, services, principal, now }) {
    await campaignById(db, principal.company.id, id, now())
    const until = Math.floor(now().getTime() / 1_000 + previewMinutes * 60)
    const text = until.toString(36)
    const signature = services.vault.sign('campaign preview', previewText(principal.company.id, id, text))
    return { token: `${text}.${signature}`, expires_at: new Date(until * 1_000).toISOString() }
  },

  async seen({ body: { campaign: public_key, signed } }, { db, services, principal, now }) {
    const company_id = principal.company.id
    const seen = readSigned(services.vault, company_id, public_key, signed)
    const campaign = seen && (await campaignByKey(db, company_id, public_key))
    if (!campaign) throw unknown()
    if (stateOf(campaign, now()) === 'active') await countVisit(db, { company_id, campaign_id: campaign.id, ...seen }, 'shown', now())
  },

  async click({ public_key, signed }, { transaction, services, principal, now, setHeader }) {
    const company_id = principal.company.id
    const clicked = readSigned(services.vault, company_id, public_key, signed)
    if (!clicked) throw unknown()
    const link = await transaction(async ({ db }) => {
      const campaign = await campaignByKey(db, company_id, public_key)
      if (!campaign || campaign.link === '' || campaign.state === 'draft') throw unknown()
      // Who clicks has seen it, also where that was not counted.
      if (stateOf(campaign, now()) === 'active')
        for (const what of ['shown', 'clicked'] as const)
          await countVisit(db, { company_id, campaign_id: campaign.id, ...clicked }, what, now())
      return campaign.link
    })
    const location = new URL(link).href
    setHeader('location', location)
    setHeader('referrer-policy', 'no-referrer')
    return { location }
  },
})
