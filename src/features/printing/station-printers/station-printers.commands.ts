/** Changes of the printers of stations. */
import { orNotFound, unprocessable } from '#contract/errors.ts'
import type { RolePrinter } from '#domain/printer-choice.ts'
import { type KnownPrinter, printersOf } from '#features/printing/printers/printers.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { stationsWithPrinters } from './station-printers.queries.ts'
import type { RoleChange } from './station-printers.schemas.ts'

export async function setStationPrinters(
  db: Db,
  of: { company_id: number; station_id: number },
  rows: readonly (Omit<RolePrinter, 'printer_id'> & { printer_id: number | null })[],
): Promise<void> {
  const without = rows.filter(row => row.printer_id === null).map(row => row.role)
  const set = rows.flatMap(({ printer_id, ...row }) => (printer_id === null ? [] : [{ ...of, ...row, printer_id }]))
  if (without.length > 0)
    await db
      .deleteFrom('station_printers')
      .where('company_id', '=', of.company_id)
      .where('station_id', '=', of.station_id)
      .where('role', 'in', without)
      .execute()
  if (set.length > 0)
    await db
      .insertInto('station_printers')
      .values(set)
      .onConflict(one =>
        one.columns(['operator_id', 'company_id', 'station_id', 'role']).doUpdateSet(eb => ({
          printer_id: eb.ref('excluded.printer_id'),
          fallback_printer_id: eb.ref('excluded.fallback_printer_id'),
          copies: eb.ref('excluded.copies'),
        })),
      )
      .execute()
}

/** Sets the printers of the named kinds of documents; the others stay as they are. */
export async function assignPrinters({ db, scope, recordEvent, notify }: Context, id: number, rows: readonly RoleChange[]): Promise<void> {
  const { company_id } = scope
  const { station } = orNotFound((await stationsWithPrinters(db, company_id, id))[0], 'station_not_found', 'Station not found')
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
    if (fallback.paper !== printer.paper) throw unprocessable('fallback_paper_differs', otherPaper, {}, { fields: { [field]: otherPaper } })
  })
  await setStationPrinters(db, { company_id, station_id: id }, rows)
  await recordEvent({ kind: 'station.printers_set', subject: 'station', subject_id: id, data: { name: station, printers: [...rows] } })
  notify('printer')
}

const otherPaper = 'The backup prints on other paper. Select a printer with the same paper.'

function printerAt(known: ReadonlyMap<number, KnownPrinter>, id: number, field: string): KnownPrinter {
  const printer = known.get(id)
  if (!printer) throw unprocessable('printer_not_found', 'Printer not found', {}, { fields: { [field]: 'Printer not found' } })
  return printer
}
