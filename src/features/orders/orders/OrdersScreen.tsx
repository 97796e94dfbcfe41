/** Orders: the list for whoever has a customer on the line, and each order with everything about it. */

import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import * as z from 'zod'
import { useLastOpened } from '#ui/kit/list-state.ts'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useUrlState } from '#ui/kit/url-state.ts'
import { OrderList } from './OrderList.tsx'
import { sorts } from './orders.contract.ts'
import { phases } from './orders.rules.ts'

const fetchOrderPage = () => import('#features/desk/order-page/OrderScreen.tsx')
const OrderPage = lazy(async () => ({ default: (await fetchOrderPage()).OrderPage }))

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

export function OrdersScreen() {
  const [url, setUrl, urlWith] = useUrlState(OrdersUrl)
  const cameFrom = useLastOpened(url.id)
  const path = useRouterState({ select: state => state.location.pathname })
  // The alias shows the orders that were packed with a check let pass.
  const bypass = path.startsWith('/parcels/bypass')
  const asked = JSON.stringify([url, bypass])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is compared by what it says
  const filters = useMemo(() => searchOf(url, bypass), [asked])
  // Whoever begins to work with the list opens one of its orders next. The outside systems are the hand and the network.
  useEffect(() => {
    const begin = () => void fetchOrderPage().catch(() => undefined)
    const once = { once: true, passive: true }
    for (const sign of ['pointermove', 'keydown', 'touchstart']) window.addEventListener(sign, begin, once)
    return () => {
      for (const sign of ['pointermove', 'keydown', 'touchstart']) window.removeEventListener(sign, begin)
    }
  }, [])
  return url.id > 0 ? (
    <Suspense fallback={<Skeleton />}>
      <OrderPage
        key={url.id}
        id={url.id}
        url={url}
        setUrl={setUrl}
        urlWith={urlWith}
        filters={filters}
        path={bypass ? '/parcels/bypass' : '/parcels/orders'}
      />
    </Suspense>
  ) : (
    <OrderList url={url} setUrl={setUrl} urlWith={urlWith} filters={filters} bypass={bypass} cameFrom={cameFrom} />
  )
}
