/** Exchange rates that a company entered in the history of settings, and setting them back. */
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { removeManualRate, setManualRate } from './exchange-rates.commands.ts'
import { manualRates } from './exchange-rates.queries.ts'
import { RateFields } from './exchange-rates.schemas.ts'

export const manualRateList: SettingList<RateFields> = {
  name: 'exchange_rates',
  Fields: RateFields,
  title: ({ from_currency, to_currency, valid_from }) => `${from_currency} ${to_currency} ${valid_from}`,
  async find({ db, principal }, place) {
    const rate = (await manualRates(db, principal.company.id)).find(one => one.id === Number(place))
    if (!rate) return undefined
    const { id: _id, ...fields } = rate
    return { fields }
  },
  add: (context, place, fields) => setManualRate(context, fields, Number(place)),
  change: (context, _place, fields) => setManualRate(context, fields),
  remove: (context, place) => removeManualRate(context, Number(place)),
}
