/** Stations: registering them, and telling before the first order of the day whether they can print. */
import { unprocessable } from '#contract/errors.ts'
import { choosePrinter, printerRoles } from '#domain/printer-choice.ts'
import { printJobsBy, printTrouble } from '#features/printing/print-jobs/print-jobs.queries.ts'
import { printersOf } from '#features/printing/printers/printers.queries.ts'
import { refreshPrinters } from '#features/printing/printers/providers.server.ts'
import { rolesOfStation } from '#features/printing/station-printers/station-printers.queries.ts'
import { implement } from '#platform/http/feature-module.ts'
import { saveScanner, touchStation } from './stations.commands.ts'
import { stations } from './stations.contract.ts'
import { allStations, isCode } from './stations.queries.ts'
import { stationsSchemas } from './stations.schemas.ts'

export const stationsServer = implement(stations, stationsSchemas, {
  list: (_, { db }) => allStations(db),

  async use({ name }, { db, now }) {
    if (await isCode(db, name))
      throw unprocessable('station_name_is_code', 'This is the code of an order, a parcel or a product. Type the name of the station.')
    return touchStation(db, name, now())
  },

  async saveScanner({ name, body }, { db, now, recordEvent }) {
    const station = await saveScanner(db, name, body.scanner, now())
    await recordEvent({ kind: 'station.scanner_set', subject: 'station', subject_id: station.id, data: { name: station.name } })
    return station
  },

  async health({ station = '', label_printer_id, a4_printer_id }, context) {
    const { company_id } = context.scope
    const { printnode, note } = await refreshPrinters(context, company_id)
    return context.transaction(async ({ db, now }) => {
      const rows = await rolesOfStation(db, company_id, station)
      const device = { label: label_printer_id, a4: a4_printer_id }
      const chosen = printerRoles.flatMap(role => {
        const choice = choosePrinter(role, { roles: rows, device })
        return choice ? [{ role, ...choice }] : []
      })
      const all = new Map((await printersOf(db, company_id)).map(printer => [printer.id, printer]))
      const isOnline = (id: number | null | undefined) => all.get(id ?? 0)?.state === 'online'
      const works = chosen.map(({ printer_id: id, fallback_printer_id }) => ({
        id,
        online: isOnline(id),
        replaced: isOnline(fallback_printer_id ?? all.get(id)?.fallback_printer_id),
      }))
      const known = [...new Set(chosen.map(one => one.printer_id))]
      const printers = known.flatMap(id => all.get(id) ?? [])
      const ids = printers.map(printer => printer.id)
      const { waiting, failed } = await printTrouble(db, ids, now())
      const lists = await Promise.all(ids.map(printer_id => printJobsBy(db, { printer_id, page: 1, limit: 8 })))
      const jobs = lists
        .flatMap(list => list.rows)
        .sort((a, b) => b.id - a.id)
        .slice(0, 8)
      const last_print_at =
        printers
          .map(printer => printer.last_print_at)
          .sort()
          .at(-1) ?? null
      const state =
        works.length === 0
          ? 'none'
          : works.every(one => one.online)
            ? 'ready'
            : works.every(one => one.online || one.replaced)
              ? 'fallback'
              : 'trouble'
      const roles = Object.fromEntries(chosen.map(one => [one.role, one.printer_id]))
      return { state, printers, roles, last_print_at, waiting, failed, jobs, printnode, note }
    })
  },
})
