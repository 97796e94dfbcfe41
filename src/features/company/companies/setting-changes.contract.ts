/** The history of a company's settings, and setting a change back. */
import { call, contract } from '#contract/endpoint.ts'
import { settingReaders } from '#contract/settings-access.ts'
import type { settingChangesSchemas } from './setting-changes.schemas.ts'
import { settingWriters } from './setting-fields.rules.ts'

export const settingChanges = contract<typeof settingChangesSchemas>({
  name: 'settingChanges',
  area: 'company',
  access: settingReaders,
  internal: true,
}).calls({
  list: call('GET settings/changes'),
  exportAll: call('GET settings/changes/export', { media: 'text/csv' }),
  setBack: call('POST settings/changes/{id}/set_back', { access: settingWriters, external: true }),
})
