/** The label of an order at a desk: printed on the label printer of this device, or saved as a file. */
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { useDevice, useDevicePrinter } from '#ui/device/device-storage.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send, useSend } from '#ui/query/calls.ts'

/** Where a label goes that is fetched in the office. */
const office = 'office'

export function useOrderLabel(order: Order) {
  const t = useT()
  const packing_station = useDevice('packingStation') ?? office
  const printer_id = useDevicePrinter('label')
  const print = useSend(labels.print, {
    refreshes: [orders.get, orders.search, orders.timeline],
    said: t('The label is sent to the printer'),
  })
  const save = async (format: 'pdf' | 'a4' | 'zpl') => {
    try {
      saveFile(await send(labels.download, { order_id: order.id, packing_station, format }))
    } catch (error) {
      toastError(error)
    }
  }
  return {
    hasPrinter: printer_id !== null,
    print: () => printer_id !== null && print.mutate({ order_id: order.id, printer_id, packing_station }),
    printing: print.isPending,
    save: (format: 'pdf' | 'a4' | 'zpl') => void save(format),
  }
}
