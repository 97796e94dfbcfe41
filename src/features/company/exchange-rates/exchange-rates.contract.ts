/** Exchange rates: those of the European Central Bank by day, and those that a company enters itself. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { exchangeRatesSchemas } from './exchange-rates.schemas.ts'

/** Those who set them, and those who invoice by them. */
const readers = [...access.settingsRead, 'list_admin', 'list'] as const

export const exchangeRates = contract<typeof exchangeRatesSchemas>({
  name: 'exchangeRates',
  area: 'company',
  access: access.settings,
}).calls({
  published: call('GET exchange_rates', { access: readers, internal: true }),
  manual: call('GET exchange_rates/manual', { access: readers, internal: true }),
  setManual: call('POST exchange_rates/manual', { internal: true }),
  removeManual: call('DELETE exchange_rates/manual/{id}', { internal: true }),
})
