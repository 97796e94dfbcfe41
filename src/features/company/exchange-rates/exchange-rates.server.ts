/** Handlers of exchange rates. */
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { implement } from '#platform/http/feature-module.ts'
import { removeManualRate, setManualRate } from './exchange-rates.commands.ts'
import { exchangeRates } from './exchange-rates.contract.ts'
import { manualRates, publishedRates } from './exchange-rates.queries.ts'
import { exchangeRatesSchemas } from './exchange-rates.schemas.ts'

export const exchangeRatesServer = implement(exchangeRates, exchangeRatesSchemas, {
  published: async ({ on }, { db, principal, now }) =>
    publishedRates(db, on ?? localDay(now(), (await companySettings(db, principal.company.id)).time_zone)),
  manual: (_, { db, principal }) => manualRates(db, principal.company.id),
  setManual: ({ body }, context) => setManualRate(context, body),
  removeManual: ({ id }, context) => removeManualRate(context, id),
})
