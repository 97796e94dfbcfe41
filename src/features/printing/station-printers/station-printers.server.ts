/** Printers of stations: handlers. */
import { orNotFound } from '#contract/errors.ts'
import { implement } from '#platform/http/feature-module.ts'
import { stationPrinters } from './station-printers.contract.ts'
import { stationsWithPrinters } from './station-printers.queries.ts'
import { stationPrintersSchemas } from './station-printers.schemas.ts'
import { changeStation } from './station-printers-history.server.ts'

export const stationPrintersServer = implement(stationPrinters, stationPrintersSchemas, {
  list: (_, { db, scope }) => stationsWithPrinters(db, scope.company_id),

  get: async ({ id }, { db, scope }) =>
    orNotFound((await stationsWithPrinters(db, scope.company_id, id))[0], 'station_not_found', 'Station not found'),

  set: ({ id, body: { printers } }, context) => changeStation(context, id, printers),
})
