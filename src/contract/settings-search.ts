/** Finds fields of the settings by their words in any language of the interface. */
import { call, contract } from './endpoint.ts'
import type { settingsSearchSchemas } from './settings-search.schemas.ts'

export const settingsSearch = contract<typeof settingsSearchSchemas>({
  name: 'settingsSearch',
  area: 'company',
  access: 'user',
  internal: true,
}).calls({
  find: call('GET settings/search', { workClass: 'read' }),
})

/** In the address of a settings page: the label, in English, of the field that was searched for. */
export const searchedField = 'field'
