/** What the server remembers of the company's data, and emptying it. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { cachesSchemas } from './caches.schemas.ts'

export const caches = contract<typeof cachesSchemas>({
  name: 'caches',
  area: 'company',
  access: access.settingsRead,
  internal: true,
}).calls({
  list: call('GET caches'),
  empty: call('POST caches/empty', { access: access.settings, company: 'main', rateLimit: { max: 6, seconds: 60 } }),
})
