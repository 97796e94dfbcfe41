/** Words for what a printer of a station is for. */
import type { PrinterRole } from '#domain/printer-choice.ts'

export const roleWords: Record<PrinterRole, string> = {
  label: 'Label',
  return_label: 'Return label',
  slip: 'Packing slip',
  customs: 'Customs papers',
  invoice: 'Invoice',
  sheet: 'Code sheets',
  pick: 'Pick list',
  collect: 'Collect list',
  test: 'Self-test',
}
