/** The printers of stations in the database, and the printer of a document. */
import { type ChosenPrinter, choosePrinter, type DevicePrinters, type PrinterRole, type RolePrinter } from '#domain/printer-choice.ts'
import type { Db } from '#platform/database/database.ts'
import type { StationPrinters } from './station-printers.schemas.ts'

/** A company's stations by name with its printers there; with `id` only this station. */
export async function stationsWithPrinters(db: Db, company_id: number, id?: number): Promise<StationPrinters[]> {
  let known = db.selectFrom('stations').select(['id', 'name'])
  let printers = db
    .selectFrom('station_printers as s')
    .innerJoin('printers as p', 'p.id', 's.printer_id')
    .leftJoin('printers as f', 'f.id', 's.fallback_printer_id')
    .select(['s.station_id', 's.role', 's.printer_id', 'p.name as printer', 's.fallback_printer_id', 'f.name as fallback', 's.copies'])
    .where('s.company_id', '=', company_id)
  if (id !== undefined) {
    known = known.where('id', '=', id)
    printers = printers.where('s.station_id', '=', id)
  }
  const [stations, rows] = await Promise.all([
    known
      .orderBy(eb => eb.fn<string>('lower', ['name']))
      .limit(500)
      .execute(),
    printers.orderBy('s.role').limit(5_000).execute(),
  ])
  const byStation = Map.groupBy(rows, row => row.station_id)
  return stations.map(station => ({
    station_id: station.id,
    station: station.name,
    printers: (byStation.get(station.id) ?? []).map(({ station_id: _, ...row }) => row),
  }))
}

/** What the station's table says; a printer that was removed is passed over. */
export async function rolesOfStation(db: Db, company_id: number, station: string): Promise<RolePrinter[]> {
  if (station === '') return []
  const rows = await db
    .selectFrom('station_printers as r')
    .innerJoin('stations as s', 's.id', 'r.station_id')
    .innerJoin('printers as p', 'p.id', 'r.printer_id')
    .select(['r.role', 'r.printer_id', 'r.fallback_printer_id', 'r.copies'])
    .where('r.company_id', '=', company_id)
    .where(eb => eb(eb.fn<string>('lower', ['s.name']), '=', station.toLowerCase()))
    .where('p.state', '<>', 'gone')
    .execute()
  return rows
}

/** The one choice of a document's printer: named in the call, else the station's, else the device's own, else none. */
export const printerOfDocument = async (
  db: Db,
  role: PrinterRole,
  at: { company_id: number; station: string; named?: number | null; device?: DevicePrinters },
): Promise<ChosenPrinter | null> => choosePrinter(role, { ...at, roles: await rolesOfStation(db, at.company_id, at.station) })
