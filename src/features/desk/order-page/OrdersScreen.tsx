/** Orders: the list for anyone who has a customer on the line, and each order with everything about it. */

import { Button } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { OrderList } from '#features/orders/orders/OrderList.tsx'
import { OrdersUrl, searchOf } from '#features/orders/orders/orders-url.client.ts'
import { exceptionReaders, exceptions } from '#features/packing/exceptions/exceptions.contract.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useLastOpened } from '#ui/kit/list-state.ts'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'

const fetchOrderPage = () => import('./OrderScreen.tsx')
const BulkActions = lazy(() => import('./OrderBulk.tsx'))
const ExportDialog = lazy(() => import('#features/orders/order-exports/ExportDialog.tsx'))
const OrderPage = lazy(fetchOrderPage)

// A link to one order needs its page at once, not only when the list's code has run.
if (new URLSearchParams(window.location.search).has('id')) void fetchOrderPage().catch(() => undefined)

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
    const gone = new AbortController()
    for (const sign of ['pointermove', 'keydown', 'touchstart'])
      window.addEventListener(sign, begin, { once: true, passive: true, signal: gone.signal })
    return () => gone.abort()
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
      ExportDialog={ExportDialog}
      actions={bypass ? null : <ExceptionsLink />}
    />
  )
}

/** Orders set aside at the stations, as long as there are any. */
function ExceptionsLink() {
  const t = useT()
  const allowed = useIsAllowed(exceptionReaders)
  const { data } = useCall(exceptions.count, {}, { enabled: allowed, live: ['exception'], fresh: 5_000 })
  if (!data?.open) return null
  return (
    <Button component={Link} to="/parcels/exceptions" variant="default">
      {t('Exceptions ({{count}})', { count: data.open })}
    </Button>
  )
}
