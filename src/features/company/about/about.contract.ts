/** About: version, health and the licences of the libraries in use. */
import { call, contract } from '#contract/endpoint.ts'
import { settingsPages } from '#contract/settings-access.ts'
import type { aboutSchemas } from './about.schemas.ts'

export const about = contract<typeof aboutSchemas>({ name: 'about', area: 'company', access: settingsPages.about, internal: true }).calls({
  get: call('GET about', { external: true }),
  libraries: call('GET about/libraries', { external: true }),
})
