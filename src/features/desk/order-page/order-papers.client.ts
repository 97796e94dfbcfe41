/** The papers of an order at a desk: printed on the A4 printer of this device, or saved as a file. */
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { orderPapers } from '#features/printing/order-papers/order-papers.contract.ts'
import { useDevicePrinter } from '#ui/device/device-storage.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useLocale, useT } from '#ui/kit/translate.ts'
import { saveFile, send, useSend } from '#ui/query/calls.ts'

export function useOrderPapers(order: Order) {
  const t = useT()
  const locale = useLocale()
  const printer = useDevicePrinter('sheet')
  const sheet = useSend(orderPapers.print, {
    refreshes: [orders.get, orders.timeline],
    said: t('The order sheet is sent to the printer'),
  })
  const save = async (document: 'sheet' | 'slip') => {
    try {
      saveFile(await send(orderPapers.download, { id: order.id, document, locale }))
    } catch (error) {
      toastError(error)
    }
  }
  return {
    printer,
    print: () => printer !== null && sheet.mutate({ id: order.id, printer, document: 'sheet', locale, client_id: crypto.randomUUID() }),
    save: (document: 'sheet' | 'slip') => void save(document),
  }
}
