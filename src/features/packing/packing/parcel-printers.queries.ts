/** The printers of a parcel's papers. */
import type { HandlerInput } from '#contract/endpoint.ts'
import { printerOfDocument } from '#features/printing/station-printers/station-printers.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { packing } from './packing.contract.ts'

type Printers = HandlerInput<typeof packing.nextParcel>['body']

/** The station's printers of a parcel's label and slip; the device sends its own choice. */
export async function printersOfParcel({ db, scope, station }: Context, { label_printer_id, a4_printer_id }: Printers): Promise<Printers> {
  const at = { company_id: scope.company_id, station, device: { label: label_printer_id, a4: a4_printer_id } }
  const [label, slip] = await Promise.all([printerOfDocument(db, 'label', at), printerOfDocument(db, 'slip', at)])
  return { label_printer_id: label?.printer_id ?? null, a4_printer_id: slip?.printer_id ?? null }
}
