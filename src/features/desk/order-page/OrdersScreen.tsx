/** Orders: the list for anyone who has a customer on the line, and each order with everything about it. */

import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { OrderList } from '#features/orders/orders/OrderList.tsx'
import { OrdersUrl, searchOf } from '#features/orders/orders/orders-url.client.ts'
import { useLastOpened } from '#ui/kit/list-state.ts'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useUrlState } from '#ui/kit/url-state.ts'

const fetchOrderPage = () => import('./OrderScreen.tsx')
const BulkActions = lazy(async () => ({ default: (await import('./OrderBulk.tsx')).BulkActions }))
const OrderPage = lazy(async () => ({ default: (await fetchOrderPage()).OrderPage }))

export function OrdersScreen() {
  const [url, setUrl, urlWith] = useUrlState(OrdersUrl)
  const cameFrom = useLastOpened(url.id)
  const path = useRouterState({ select: state => state.location.pathname })
  // The alias shows the orders that were packed with a check let pass.
  const bypass = path.startsWith('/parcels/bypass')
  const asked = JSON.stringify([url, bypass])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is compared by what it says
  const filters = useMemo(() => searchOf(url, bypass), [asked])
  // A person who begins to work with the list opens one of its orders next. The outside systems are the hand and the network.
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
    <OrderList
      url={url}
      setUrl={setUrl}
      urlWith={urlWith}
      filters={filters}
      bypass={bypass}
      cameFrom={cameFrom}
      BulkActions={BulkActions}
    />
  )
}
