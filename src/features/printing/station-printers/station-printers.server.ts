/** Printers of stations: handlers. */
import { orNotFound, unprocessable } from '#contract/errors.ts'
import { type KnownPrinter, printersOf } from '#features/printing/printers/printers.queries.ts'
import { implement } from '#platform/http/feature-module.ts'
import { setStationPrinters } from './station-printers.commands.ts'
import { stationPrinters } from './station-printers.contract.ts'
import { stationsWithPrinters } from './station-printers.queries.ts'
import { stationPrintersSchemas } from './station-printers.schemas.ts'

const unknown = 'Station not found'

export const stationPrintersServer = implement(stationPrinters, stationPrintersSchemas, {
  list: (_, { db, scope }) => stationsWithPrinters(db, scope.company_id),

  get: async ({ id }, { db, scope }) => orNotFound((await stationsWithPrinters(db, scope.company_id, id))[0], 'station_not_found', unknown),

  async set({ id, body: { printers: rows } }, { db, scope, recordEvent, notify }) {
    const { company_id } = scope
    const { station } = orNotFound((await stationsWithPrinters(db, company_id, id))[0], 'station_not_found', unknown)
    const known = new Map((await printersOf(db, company_id)).filter(one => one.state !== 'gone').map(one => [one.id, one]))
    rows.forEach((row, i) => {
      const path = `printers.${i}`
      if (row.printer_id === null) return
      const printer = printerAt(known, row.printer_id, `${path}.printer_id`)
      if (row.fallback_printer_id === null) return
      const field = `${path}.fallback_printer_id`
      const fallback = printerAt(known, row.fallback_printer_id, field)
      if (fallback.id === printer.id)
        throw unprocessable(
          'printer_replaces_itself',
          'A printer cannot be its own backup',
          {},
          { fields: { [field]: 'A printer cannot be its own backup' } },
        )
      if (fallback.paper !== printer.paper)
        throw unprocessable('fallback_paper_differs', otherPaper, {}, { fields: { [field]: otherPaper } })
    })
    await setStationPrinters(db, { company_id, station_id: id }, rows)
    await recordEvent({ kind: 'station.printers_set', subject: 'station', subject_id: id, data: { name: station, printers: rows } })
    notify('printer')
    return orNotFound((await stationsWithPrinters(db, company_id, id))[0], 'station_not_found', unknown)
  },
})

const otherPaper = 'The backup prints on other paper. Select a printer with the same paper.'

function printerAt(known: ReadonlyMap<number, KnownPrinter>, id: number, field: string): KnownPrinter {
  const printer = known.get(id)
  if (!printer) throw unprocessable('printer_not_found', 'Printer not found', {}, { fields: { [field]: 'Printer not found' } })
  return printer
}
