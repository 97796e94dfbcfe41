/** Printer management: what the CUPS of devices in the warehouse holds, and commands to it. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { printerManagementSchemas } from './printer-management.schemas.ts'

export const printerManagement = contract<typeof printerManagementSchemas>({
  name: 'printerManagement',
  area: 'printing',
  access: access.settings,
  internal: true,
}).calls({
  list: call('GET printer_management'),
  command: call('POST printer_management/{agent_id}/command', { ipLock: true }),
})
