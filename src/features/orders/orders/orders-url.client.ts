/** The address of the order list: its filters, its page and the open order. */
import * as z from 'zod'
import { sorts } from './orders.codes.ts'
import { phases } from './orders.rules.ts'

const Flag = z.enum(['', '1']).default('')
export const OrdersUrl = z.object({
  query: z.string().default(''),
  phase: z.array(z.enum(phases)).default([]),
  open: Flag,
  due: z.enum(['', 'late', 'today']).default(''),
  abroad: Flag,
  pinned: Flag,
  mine: Flag,
  company: z.string().default(''),
  country: z.array(z.string()).default([]),
  agent: z.string().default(''),
  shop: z.string().default(''),
  tag: z.string().default(''),
  badge: z.enum(['', 'warning', 'error']).default(''),
  sort: z.enum(sorts).default('newest'),
  page: z.coerce.number<unknown>().int().min(1).default(1),
  /** The open order. */
  id: z.coerce.number<unknown>().int().min(0).default(0),
})
export type OrdersUrl = z.output<typeof OrdersUrl>

/** What the address asks of the search call. */
export const searchOf = (url: OrdersUrl, bypass: boolean) => ({
  query: url.query,
  ...(url.phase.length > 0 ? { phase: url.phase } : {}),
  ...(url.open ? { open: true } : {}),
  ...(url.due ? { due: url.due } : {}),
  ...(url.abroad ? { abroad: true } : {}),
  ...(url.pinned ? { pinned: true } : {}),
  ...(url.mine ? { mine: true } : {}),
  ...(url.company ? { company_id: Number(url.company) } : {}),
  ...(url.country.length > 0 ? { country: url.country } : {}),
  ...(url.agent ? { agent_code: url.agent } : {}),
  ...(url.shop ? { shop: url.shop } : {}),
  ...(url.tag ? { tag: url.tag } : {}),
  ...(url.badge ? { badge: url.badge } : {}),
  ...(bypass ? { bypass: true } : {}),
})

/** The page of the list that the address names. */
export const pageOf = (url: OrdersUrl, filters: ReturnType<typeof searchOf>) => ({ ...filters, sort: url.sort, page: url.page, limit: 50 })
