/** Numbers under which a company is registered: VAT, EORI, IOSS and VOEC. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { customsNumbersSchemas } from './customs-numbers.schemas.ts'

export const customsNumbers = contract<typeof customsNumbersSchemas>({
  name: 'customsNumbers',
  area: 'company',
  access: access.settings,
}).calls({
  list: call('GET customs_numbers', { access: access.settingsRead, internal: true }),
  set: call('POST customs_numbers', { internal: true }),
  remove: call('DELETE customs_numbers/{id}', { internal: true }),
})
