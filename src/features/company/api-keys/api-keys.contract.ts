/** Keys of external services that the company uses: written, never shown again. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { apiKeysSchemas } from './api-keys.schemas.ts'

export const apiKeys = contract<typeof apiKeysSchemas>({ name: 'apiKeys', area: 'company', access: access.settings }).calls({
  get: call('GET company/api_keys'),
  set: call('POST company/api_keys'),
  test: call('POST company/api_keys/test', { external: true, internal: true, rateLimit: { max: 10, seconds: 60 } }),
})
