/** What waits for somebody, in the rail: each count is what the list behind it says, and follows its changes. */
import { orders } from '#features/orders/orders/orders.contract.ts'
import { exceptions } from '#features/packing/exceptions/exceptions.contract.ts'
import { shipmentExceptions } from '#features/shipping/shipment-exceptions/shipment-exceptions.contract.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import { number } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { useCall } from '#ui/query/calls.ts'
import { RailCount } from '#ui/shell/RailCount.tsx'

/** Milliseconds: the rail may be a little behind the lists. */
const fresh = 15_000

function useOrderCounts() {
  const offered = useIsOffered('/parcels/orders')
  const { data } = useCall(orders.count, {}, { enabled: offered, live: ['order'], fresh })
  const of = (view: string) => data?.views[view]?.count ?? 0
  return of
}

export function LateCount() {
  const t = useT()
  const late = useOrderCounts()('overdue')
  return <RailCount count={late} words={t('{{number}} overdue', { number: number(late) })} />
}

/** On hold, or without a label. */
export function OrdersCount() {
  const t = useT()
  const of = useOrderCounts()
  const held = of('held')
  const failed = of('label_error')
  return (
    <RailCount
      count={held + failed}
      words={[
        held > 0 && t('{{number}} on hold', { number: number(held) }),
        failed > 0 && t('{{number}} with a label error', { number: number(failed) }),
      ]
        .filter(Boolean)
        .join(', ')}
    />
  )
}

export function ExceptionsCount() {
  const t = useT()
  const { data } = useCall(exceptions.count, {}, { live: ['exception'], fresh })
  return <RailCount count={data?.open} words={t('{{number}} open', { number: number(data?.open ?? 0) })} />
}

/** Parcels that need somebody after the hand-over. */
export function ShipmentExceptionsCount() {
  const t = useT()
  const offered = useIsOffered('/parcels/shipments/exceptions')
  const { data } = useCall(shipmentExceptions.count, {}, { enabled: offered, live: ['shipment_exception'], fresh })
  return <RailCount count={data?.open} words={t('{{number}} need attention', { number: number(data?.open ?? 0) })} />
}

export function PickTasksCount() {
  const t = useT()
  const offered = useIsOffered('/lists/pick/tasks')
  const { data } = useCall(pickTasks.count, {}, { enabled: offered, live: ['pick_task'], fresh })
  return <RailCount count={data?.shorts} words={t('{{number}} shortages to decide', { number: number(data?.shorts ?? 0) })} />
}
