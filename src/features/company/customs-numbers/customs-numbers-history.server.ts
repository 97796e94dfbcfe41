/** Registration numbers in the history of settings, and setting them back. */
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { removeNumber, setNumber } from './customs-numbers.commands.ts'
import { numbersOf } from './customs-numbers.queries.ts'
import { NumberFields } from './customs-numbers.schemas.ts'

export const customsNumberList: SettingList<NumberFields> = {
  name: 'customs_numbers',
  Fields: NumberFields,
  title: ({ kind, country, value }) => [kind.toUpperCase(), country, value].join(' '),
  async find({ db, principal }, place) {
    const number = (await numbersOf(db, principal.company.id)).find(one => one.id === Number(place))
    if (!number) return undefined
    const { id: _id, ...fields } = number
    return { fields }
  },
  add: (context, place, fields) => setNumber(context, fields, Number(place)),
  change: (context, _place, fields) => setNumber(context, fields),
  remove: (context, place) => removeNumber(context, Number(place)),
}
