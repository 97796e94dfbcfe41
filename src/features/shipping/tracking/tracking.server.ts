/** Tracking: the order behind a signed link, or behind its number and postcode. */
import { notFound, orNotFound } from '#contract/errors.ts'
import type { Locale } from '#contract/limits.ts'
import { campaignOfOrder } from '#features/shipping/campaigns/campaigns.queries.ts'
import { campaignStage } from '#features/shipping/campaigns/campaigns.rules.ts'
import type { OrderCampaign } from '#features/shipping/campaigns/campaigns.schemas.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { tracking } from './tracking.contract.ts'
import { type FoundTracking, faceFor, orderByNumber, shopFace, trackedOrder, trackedShipment } from './tracking.queries.ts'
import { localeOfHeader, refusals } from './tracking.rules.ts'
import { trackingSchemas } from './tracking.schemas.ts'
import { isShipmentLink, isTrackingLink, isTrackingTicket, trackingTicket } from './tracking-link.server.ts'

/** Milliseconds after which every failed search is answered, whatever was wrong: the time must reveal no more than the text. */
const failureAfter = 300

export const trackingServer = implement(tracking, trackingSchemas, {
  async shop(_, { db, principal, headers }) {
    const shop = await shopFace(db, principal.company.id)
    const locale = localeOfHeader(headers['accept-language']) ?? shop.locale
    return { company: faceFor(shop, locale), locale }
  },

  async order({ o, p, s, lang }, context) {
    const { db, services, principal, headers } = context
    const company_id = principal.company.id
    const reader = localeOfHeader(headers['accept-language'])
    if (o === undefined) {
      if (p === undefined || !isShipmentLink(services, company_id, p, s)) throw notFound('tracking_link_not_found', refusals.noLink)
      const shipment = await trackedShipment(db, company_id, p, reader)
      return { ...orNotFound(shipment, 'tracking_link_not_found', refusals.noLink), campaign: null, ticket: null }
    }
    const isLink = isTrackingLink(services, company_id, o, s)
    if (!isLink && !isTrackingTicket(services, company_id, o, s)) throw notFound('tracking_link_not_found', refusals.noLink)
    const order = orNotFound(await trackedOrder(db, company_id, o, reader), 'tracking_link_not_found', refusals.noLink)
    return { ...order, campaign: await campaignBeside(context, o, order, lang), ticket: isLink ? null : { o, s } }
  },

  async find({ body: { order_no, postcode, lang } }, { transaction, services, principal, headers }) {
    const began = performance.now()
    const company_id = principal.company.id
    const answer = await transaction(async context => {
      const { db } = context
      const order_id = await orderByNumber(db, company_id, order_no, postcode)
      if (order_id === undefined) return undefined
      const order = await trackedOrder(db, company_id, order_id, localeOfHeader(headers['accept-language']))
      return (
        order && {
          ...order,
          campaign: await campaignBeside(context, order_id, order, lang),
          ticket: { o: order_id, s: trackingTicket(services, company_id, order_id) },
        }
      )
    })
    if (answer) return answer
    await new Promise(resolve => setTimeout(resolve, Math.max(0, failureAfter - (performance.now() - began))))
    throw notFound('tracking_order_not_found', refusals.noOrder)
  },
})

/** The campaign that fits the order where it stands, in the language in which it is read. */
async function campaignBeside(
  { db, services, principal, now }: Context,
  order_id: number,
  tracking: FoundTracking,
  lang: Locale | undefined,
): Promise<OrderCampaign | null> {
  const parcels = tracking.parcels.map(parcel => parcel.state)
  const stage = campaignStage({ stage: tracking.stage, trouble: tracking.trouble, parcels })
  if (stage === null) return null
  const asked = { company_id: principal.company.id, order_id, locale: lang ?? tracking.locale, stage, now: now() }
  return campaignOfOrder(db, services.vault, asked)
}
