/** The history of a company's settings, and setting a change back. */
import { call, contract } from '#contract/endpoint.ts'
import type { settingChangesSchemas } from './setting-changes.schemas.ts'
import { settingsByPage } from './setting-fields.rules.ts'

const union = (of: 'read' | 'change') => [...new Set(settingsByPage.flatMap(page => page[of]))]

export const settingChanges = contract<typeof settingChangesSchemas>({
  name: 'settingChanges',
  area: 'company',
  access: union('read'),
  internal: true,
}).calls({
  list: call('GET settings/changes'),
  setBack: call('POST settings/changes/{id}/set_back', { access: union('change'), external: true }),
})
