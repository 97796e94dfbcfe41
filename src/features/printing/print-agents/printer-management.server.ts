/** Printer management: handlers. */
import { implement } from '#platform/http/feature-module.ts'
import { askDevice } from './printer-management.commands.ts'
import { printerManagement } from './printer-management.contract.ts'
import { devicesOf } from './printer-management.queries.ts'
import { printerManagementSchemas } from './printer-management.schemas.ts'

export const printerManagementServer = implement(printerManagement, printerManagementSchemas, {
  list: (_, { db, scope, now }) => devicesOf(db, scope.company_id, now()),
  command: ({ agent_id, body }, context) => askDevice(context, agent_id, body),
})
