/** Stations: registering them, and telling before the first order of the day whether they can print. */
import { printJobsBy, printTrouble } from '#features/printing/print-jobs/print-jobs.queries.ts'
import { printerById } from '#features/printing/printers/printers.queries.ts'
import { refreshPrinters } from '#features/printing/printers/providers.server.ts'
import { implement } from '#platform/http/feature-module.ts'
import { saveScanner, touchStation } from './stations.commands.ts'
import { stations } from './stations.contract.ts'
import { allStations } from './stations.queries.ts'
import { stationsSchemas } from './stations.schemas.ts'

export const stationsServer = implement(stations, stationsSchemas, {
  list: (_, { db }) => allStations(db),

  use: ({ name }, { db, now }) => touchStation(db, name, now()),

  async saveScanner({ name, body }, { db, now, recordEvent }) {
    const station = await saveScanner(db, name, body.scanner, now())
    await recordEvent({ kind: 'station.scanner_set', subject: 'station', subject_id: station.id, data: { name: station.name } })
    return station
  },

  async health({ label_printer_id, a4_printer_id }, context) {
    const ids = [...new Set([label_printer_id, a4_printer_id].filter(id => id !== undefined))]
    const { printnode, note } = await refreshPrinters(context, context.scope.company_id)
    return context.transaction(async ({ db, now }) => {
      const chosen = await Promise.all(ids.map(id => printerById(db, id)))
      const own = chosen.map(printer => (printer?.company_id === context.scope.company_id ? printer : undefined))
      const printers = own.filter(printer => printer !== undefined)
      const ready = own.every(printer => printer?.state === 'online')
      const known = printers.map(printer => printer.id)
      const { waiting, failed } = await printTrouble(db, known, now())
      const lists = await Promise.all(known.map(printer_id => printJobsBy(db, { printer_id, page: 1, limit: 8 })))
      const jobs = lists
        .flatMap(list => list.rows)
        .sort((a, b) => b.id - a.id)
        .slice(0, 8)
      const last_print_at =
        printers
          .map(printer => printer.last_print_at)
          .sort()
          .at(-1) ?? null
      const state = ids.length === 0 ? 'none' : ready ? 'ready' : 'trouble'
      return { state, printers, last_print_at, waiting, failed, jobs, printnode, note }
    })
  },
})
