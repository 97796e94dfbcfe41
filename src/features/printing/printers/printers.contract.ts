/** Printers: what a company can print on – PrintNode's printers and the built-in file printer. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { printersSchemas } from './printers.schemas.ts'

export const printers = contract<typeof printersSchemas>({ name: 'printers', area: 'printing', access: access.station }).calls({
  list: call('GET print_node/printers/list', { external: true }),
  change: call('PUT print_node/printers/{id}', { access: ['admin', 'settings_admin', 'scan_admin'], internal: true }),
})
