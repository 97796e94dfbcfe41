/** When the station is green, and when amber because the order that just left has no label yet. */
import { bookingStates, unlabelledStates } from '#domain/order/shipment-states.ts'
import type { Closing, PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import type { LastLabel, PackingState } from './packing-model.rules.ts'

/** The printer has it; before that it is unknown whether a label comes. */
export const atPrinter: readonly string[] = ['accepted', 'done']
const failedPrints: readonly string[] = ['failed', 'expired', 'cancelled', 'unknown']
export const isFailed = ({ state }: { state: string }): boolean => failedPrints.includes(state)

/** Whether the order that just left has no label yet: none was made, or none has reached a printer or a file. */
export const lacksLabel = ({ last, prints }: Pick<PackingState, 'last' | 'prints'>): boolean =>
  last !== null &&
  (last.label === 'missing' ||
    (last.label === 'printing' &&
      prints.some(print => print.document === 'label' && print.order_id === last.order.order_id && !atPrinter.includes(print.state))))

/** Whether the label of the order that just left was sent to a printer that has not answered yet: printed again, it would come out twice. */
export const waitsForPrinter = ({ last, prints }: Pick<PackingState, 'last' | 'prints'>): boolean =>
  prints.some(
    print => print.document === 'label' && print.order_id === last?.order.order_id && !isFailed(print) && !atPrinter.includes(print.state),
  )

/** Whether the station is green for the order that just left: it has its label and papers, and nothing newer was said. It stays so until the next step. */
export const isGreen = ({ last, message, prints }: Pick<PackingState, 'last' | 'message' | 'prints'>): boolean =>
  last !== null &&
  last.label !== 'later' &&
  message === null &&
  !lacksLabel({ last, prints }) &&
  !prints.some(print => print.document !== 'label' && print.order_id === last.order.order_id && isFailed(print))

/** What became of the label when the order was closed, as far as this device knows. */
export function labelAfter({ outcome, parcels, print_jobs }: Closing): LastLabel {
  if (outcome === 'no_parcel') return 'unneeded'
  return haveLabel(parcels) && print_jobs.some(job => job.document === 'label') ? 'printing' : 'missing'
}

const withoutLabel: readonly string[] = [...unlabelledStates, ...bookingStates]

/** Whether a parcel of these has a label that can be printed. */
export const haveLabel = (parcels: PackingOrder['parcels']): boolean => parcels.some(parcel => !withoutLabel.includes(parcel.state))

/** The order that a reprint is about: the one on the screen; the idle screen shows the last one. */
export const orderOnScreen = ({ view, order, last }: Pick<PackingState, 'view' | 'order' | 'last'>): PackingOrder | null =>
  order ?? (view === 'idle' ? (last?.order ?? null) : null)
