/** CMS keys: credentials with which a shop's program or web hooks send orders. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { cmsKeysSchemas } from './cms-keys.schemas.ts'

export const cmsKeys = contract<typeof cmsKeysSchemas>({ name: 'cmsKeys', area: 'company', access: access.settings }).calls({
  list: call('GET cms/authorization'),
  create: call('POST cms/authorization'),
  remove: call('DELETE cms/authorization'),
  change: call('POST cms/authorization/{id}', { internal: true }),
  replace: call('POST cms/authorization/{id}/replace', { internal: true }),

  hooks: call('GET cms/webhooks', { internal: true }),
  setHook: call('POST cms/webhooks/{source}/{shop}', { internal: true }),
  removeRetired: call('DELETE cms/webhooks/{source}/{shop}/retired/{id}', { internal: true }),
  removeHook: call('DELETE cms/webhooks/{source}/{shop}', { internal: true }),
})
