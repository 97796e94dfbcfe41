/** A user's own language and settings. Every list of the interface stores its columns and views here. */
import { call, contract } from './endpoint.ts'
import type { mySettingsSchemas } from './my-settings.schemas.ts'

export const mySettings = contract<typeof mySettingsSchemas>({ name: 'mySettings', area: 'company', access: 'user' }).calls({
  get: call('GET user/my_setting/data'),
  set: call('POST user/my_setting/data'),
})

/** The key of the page that a user begins with after signing in. */
export const startPageKey = 'start_page'
