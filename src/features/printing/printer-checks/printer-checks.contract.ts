/** Checks of a printer: its last jobs, and the test page. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { printerChecksSchemas } from './printer-checks.schemas.ts'

export const printerChecks = contract<typeof printerChecksSchemas>({
  name: 'printerChecks',
  area: 'printing',
  access: access.station,
}).calls({
  details: call('GET print_node/printers/{id}/details', { external: true, tenantScope: 'operator' }),
  testPrint: call('POST print_node/test_print', { external: true, timeout: 'long', ipLock: true }),
  proveTest: call('POST print_node/test_print/{number}/scanned_back', { internal: true, ipLock: true }),
})
