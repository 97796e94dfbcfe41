/** The address of the order list: its filters, its page and the open order. */
import { spanOf } from '#ui/kit/span-filter.ts'
import { type UrlValues, urlChoice, urlChoices, urlNumber, urlText, urlTexts } from '#ui/kit/url-fields.ts'
import { sorts } from './orders.codes.ts'
import { phases } from './orders.rules.ts'

const Flag = urlChoice(['', '1'], '')
export const OrdersUrl = {
  query: urlText(),
  phase: urlChoices(phases),
  open: Flag,
  due: urlChoice(['', 'late', 'today'], ''),
  abroad: Flag,
  pinned: Flag,
  mine: Flag,
  combinable: Flag,
  company: urlText(),
  country: urlTexts(),
  agent: urlText(),
  shop: urlText(),
  tag: urlText(),
  badge: urlChoice(['', 'warning', 'error', 'alert'], ''),
  /** Of the order's deadline, and the pickups from and until. */
  deadline: urlText(),
  from: urlText(),
  until: urlText(),
  /** Spans in which they came in and were packed, whether that was in time, and why they are on hold. */
  received: urlText(),
  packed: urlText(),
  in_time: urlChoice(['', 'yes', 'no'], ''),
  hold: urlText(),
  sort: urlChoice(sorts, 'newest'),
  page: urlNumber(1),
  /** The open order. */
  id: urlNumber(0),
}
export type OrdersUrl = UrlValues<typeof OrdersUrl>

const ofSpans = (received: ReturnType<typeof spanOf>, packed: ReturnType<typeof spanOf>) => ({
  ...(received && { received_from: received.from, received_until: received.until }),
  ...(packed && { packed_from: packed.from, packed_until: packed.until }),
})

/** What the address asks of the search call. */
export const searchOf = (url: OrdersUrl, bypass: boolean) => ({
  ...ofSpans(spanOf(url.received), spanOf(url.packed)),
  query: url.query,
  ...(url.phase.length > 0 ? { phase: url.phase } : {}),
  ...(url.open ? { open: true } : {}),
  ...(url.due ? { due: url.due } : {}),
  ...(url.abroad ? { abroad: true } : {}),
  ...(url.pinned ? { pinned: true } : {}),
  ...(url.mine ? { mine: true } : {}),
  ...(url.combinable ? { combinable: true } : {}),
  ...(url.company ? { company_id: Number(url.company) } : {}),
  ...(url.country.length > 0 ? { country: url.country } : {}),
  ...(url.agent ? { agent_code: url.agent } : {}),
  ...(url.shop ? { shop: url.shop } : {}),
  ...(url.tag ? { tag: url.tag } : {}),
  ...(url.badge ? { badge: url.badge } : {}),
  ...(url.deadline ? { deadline_id: Number(url.deadline) } : {}),
  ...(url.from ? { pickup_from: url.from } : {}),
  ...(url.until ? { pickup_until: url.until } : {}),
  ...(url.in_time ? { packed_in_time: url.in_time } : {}),
  ...(url.hold ? { hold_reason: url.hold } : {}),
  ...(bypass ? { bypass: true } : {}),
})

/** The page of the list that the address names. */
export const pageOf = (url: OrdersUrl, filters: ReturnType<typeof searchOf>) => ({ ...filters, sort: url.sort, page: url.page, limit: 50 })
