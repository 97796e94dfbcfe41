/** Printers: what a company can print on – the built-in file printer, and printers of PrintNode, CUPS, the network and print agents. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { printersSchemas } from './printers.schemas.ts'

const changes = ['admin', 'settings_admin', 'scan_admin'] as const

export const printers = contract<typeof printersSchemas>({ name: 'printers', area: 'printing', access: access.station }).calls({
  list: call('GET print_node/printers/list', { external: true }),
  add: call('POST print_node/printers', { access: changes, internal: true }),
  remove: call('DELETE print_node/printers/{id}', { access: changes, internal: true }),
  change: call('PUT print_node/printers/{id}', { access: changes, internal: true }),
})
