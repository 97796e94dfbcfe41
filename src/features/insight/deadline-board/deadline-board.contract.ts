/** The board of deadlines: for who is signed in, and for screens that have its link. */
import { call, contract } from '#contract/endpoint.ts'
import { deadlineReaders, deadlineWriters } from '#features/orders/deadlines/deadlines.contract.ts'
import type { deadlineBoardSchemas } from './deadline-board.schemas.ts'

const write = { access: deadlineWriters } as const

export const deadlineBoard = contract<typeof deadlineBoardSchemas>({
  name: 'deadlineBoard',
  area: 'insight',
  access: deadlineReaders,
}).calls({
  data: call('GET deadlines/dashboard_data/internal', { tenantScope: 'operator' }),
  tokens: call('GET deadlines/dashboard_token', write),
  makeToken: call('POST deadlines/dashboard_token', write),
  revokeTokens: call('DELETE deadlines/dashboard_token', write),
  seen: call('POST deadlines/alarm/{id}/seen', { internal: true, tenantScope: 'operator', company: 'main' }),
  alarms: call('GET deadlines/alarms', { ...write, internal: true, company: 'main' }),
  setAlarms: call('POST deadlines/alarms', { ...write, internal: true, company: 'main' }),
  shown: call('GET board/deadlines', { access: 'anyone', internal: true, rateLimit: { max: 60, seconds: 60 } }),
})
