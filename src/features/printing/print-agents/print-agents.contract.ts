/** Print agents: processes in a warehouse that print for this server; what people see of them, and the calls that agents make. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { printAgentCallsSchemas, printAgentsSchemas } from './print-agents.schemas.ts'

export const printAgents = contract<typeof printAgentsSchemas>({
  name: 'printAgents',
  area: 'printing',
  access: access.station,
  internal: true,
}).calls({
  list: call('GET print_agents'),
  remove: call('DELETE print_agents/{id}', { access: ['admin', 'settings_admin', 'scan_admin'] }),
})

export const printAgentCalls = contract<typeof printAgentCallsSchemas>({
  name: 'printAgent',
  area: 'printing',
  access: 'print_agent',
  // The warehouse's printers print every company's papers.
  tenantScope: 'operator',
  internal: true,
}).calls({
  poll: call('POST print_agent/poll', { external: true, longPoll: true }),
  document: call('GET print_agent/jobs/{id}/document', { media: 'application/octet-stream', external: true }),
  begin: call('POST print_agent/jobs/{id}/begin'),
  report: call('POST print_agent/jobs/{id}/report', { external: true }),
  reportCommand: call('POST print_agent/commands/{id}/report'),
})
