/** Alerts about printers: handlers. */
import { implement } from '#platform/http/feature-module.ts'
import { setPrinterAlerts, testPrinterAlerts } from './printer-alerts.commands.ts'
import { printerAlerts } from './printer-alerts.contract.ts'
import { printerAlertsOf } from './printer-alerts.queries.ts'
import { printerAlertsSchemas } from './printer-alerts.schemas.ts'

export const printerAlertsServer = implement(printerAlerts, printerAlertsSchemas, {
  get: (_, { db, scope }) => printerAlertsOf(db, scope.company_id),
  set: ({ body }, context) => setPrinterAlerts(context, body),
  test: (_, context) => testPrinterAlerts(context),
})
