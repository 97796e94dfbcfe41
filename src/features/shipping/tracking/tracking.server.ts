/** Tracking: the order behind a signed link, or behind its number and postcode. */
import { notFound, orNotFound } from '#contract/errors.ts'
import { implement } from '#platform/http/feature-module.ts'
import { tracking } from './tracking.contract.ts'
import { faceFor, orderByNumber, shopFace, trackedOrder, trackedShipment } from './tracking.queries.ts'
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

  async order({ o, p, s }, { db, services, principal, headers }) {
    const company_id = principal.company.id
    if (o === undefined) {
      if (p === undefined || !isShipmentLink(services, company_id, p, s)) throw notFound('tracking_link_not_found', refusals.noLink)
      const shipment = await trackedShipment(db, company_id, p, localeOfHeader(headers['accept-language']))
      return { ...orNotFound(shipment, 'tracking_link_not_found', refusals.noLink), ticket: null }
    }
    if (isTrackingLink(services, company_id, o, s))
      return {
        ...orNotFound(
          await trackedOrder(db, company_id, o, localeOfHeader(headers['accept-language'])),
          'tracking_link_not_found',
          refusals.noLink,
        ),
        ticket: null,
      }
    if (!isTrackingTicket(services, company_id, o, s)) throw notFound('tracking_link_not_found', refusals.noLink)
    return {
      ...orNotFound(
        await trackedOrder(db, company_id, o, localeOfHeader(headers['accept-language'])),
        'tracking_link_not_found',
        refusals.noLink,
      ),
      ticket: { o, s },
    }
  },

  async find({ body: { order_no, postcode } }, { transaction, services, principal, headers }) {
    const began = performance.now()
    const company_id = principal.company.id
    const answer = await transaction(async ({ db }) => {
      const order_id = await orderByNumber(db, company_id, order_no, postcode)
      if (order_id === undefined) return undefined
      const order = await trackedOrder(db, company_id, order_id, localeOfHeader(headers['accept-language']))
      return order && { ...order, ticket: { o: order_id, s: trackingTicket(services, company_id, order_id) } }
    })
    if (answer) return answer
    await new Promise(resolve => setTimeout(resolve, Math.max(0, failureAfter - (performance.now() - began))))
    throw notFound('tracking_order_not_found', refusals.noOrder)
  },
})
