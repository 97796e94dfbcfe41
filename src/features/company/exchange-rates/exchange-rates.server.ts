/** Handlers of exchange rates. */
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { implement } from '#platform/http/feature-module.ts'
import { removeManualRate, setManualRate } from './exchange-rates.commands.ts'
import { exchangeRates } from './exchange-rates.contract.ts'
import { manualRates, publishedRates } from './exchange-rates.queries.ts'
import { exchangeRatesSchemas } from './exchange-rates.schemas.ts'
import { manualRateList } from './exchange-rates-history.server.ts'

export const exchangeRatesServer = implement(exchangeRates, exchangeRatesSchemas, {
  published: async ({ on }, { db, principal, now }) =>
    publishedRates(db, on ?? localDay(now(), (await companySettings(db, principal.company.id)).time_zone)),
  manual: (_, { db, principal }) => manualRates(db, principal.company.id),
  async setManual({ body }, context) {
    const { from_currency, to_currency, valid_from } = body
    const known = (await manualRates(context.db, context.principal.company.id)).find(
      one => one.from_currency === from_currency && one.to_currency === to_currency && one.valid_from === valid_from,
    )
    const set = () => setManualRate(context, body)
    return known ? changeEntry(manualRateList, context, known.id, set) : addEntry(manualRateList, context, set, rate => rate.id)
  },
  removeManual: ({ id }, context) => changeEntry(manualRateList, context, id, () => removeManualRate(context, id)),
})
