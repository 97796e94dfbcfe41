/** Changes of the printers of stations. */
import type { RolePrinter } from '#domain/printer-choice.ts'
import type { Db } from '#platform/database/database.ts'

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
