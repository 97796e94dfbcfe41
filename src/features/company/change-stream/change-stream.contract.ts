/** Change stream: change notifications to the open screens. */
import { call, contract } from '#contract/endpoint.ts'
import type { liveSchemas } from './change-stream.schemas.ts'

export const live = contract<typeof liveSchemas>({
  name: 'changeStream',
  area: 'company',
  access: 'user',
  tenantScope: 'operator',
  internal: true,
}).calls({
  listen: call('GET live', { media: 'text/event-stream', external: true }),
})
