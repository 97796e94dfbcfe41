/** Preview of a rule: which orders of the last days it would have met, and which open ones it meets now. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { rulePreviewsSchemas } from './rule-preview.schemas.ts'

export const rulePreviews = contract<typeof rulePreviewsSchemas>({
  name: 'rules',
  area: 'orders',
  access: access.settings,
  tenantScope: 'operator',
  internal: true,
}).calls({
  preview: call('POST rules/preview', { workClass: 'bulk', external: true }),
})
