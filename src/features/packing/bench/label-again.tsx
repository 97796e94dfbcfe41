/** A label once more: on the station's printer, or as a file where there is none. */
import { labels } from '../../shipping/labels/labels.contract.ts'
import type { BenchCore } from './bench-core.tsx'

export type LabelAgain = ReturnType<typeof createLabelAgain>

export function createLabelAgain(core: BenchCore) {
  async function reprint(order: { order_id: number; order_no: string }) {
    const { station, label_printer_id } = core.doors.device()
    try {
      if (label_printer_id === null) {
        core.doors.save(await core.doors.send(labels.download, { order_id: order.order_id, packing_station: station || '-' }))
        core.say('No label printer is chosen here: the label of {{order_no}} is saved as a PDF file', 'attention', {
          order_no: order.order_no,
        })
      } else {
        await core.doors.send(labels.print, { order_id: order.order_id, printer_id: label_printer_id, packing_station: station || '-' })
        core.say('The label of {{order_no}} prints again', 'ok', { order_no: order.order_no })
      }
    } catch (error) {
      core.sayError(error)
    }
  }

  async function pdf(order_id: number) {
    try {
      core.doors.save(await core.doors.send(labels.download, { order_id, packing_station: core.doors.device().station || '-' }))
    } catch (error) {
      core.sayError(error)
    }
  }

  return { reprint, pdf }
}
