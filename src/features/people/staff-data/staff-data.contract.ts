/** What is stored of one member of the staff: a copy for the person, and its erasure. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { staffDataSchemas } from './staff-data.schemas.ts'

export const staffData = contract<typeof staffDataSchemas>({
  name: 'staffData',
  area: 'people',
  access: access.personal,
  internal: true,
}).calls({
  copy: call('POST user/{id}/personal_copy', { external: true, rateLimit: 'handler', media: 'application/octet-stream', timeout: 'long' }),
  erase: call('POST user/{id}/erase', { external: true, rateLimit: 'handler' }),
})
