/** Handlers of registration numbers. */
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { implement } from '#platform/http/feature-module.ts'
import { removeNumber, setNumber } from './customs-numbers.commands.ts'
import { customsNumbers } from './customs-numbers.contract.ts'
import { numbersOf } from './customs-numbers.queries.ts'
import { customsNumbersSchemas } from './customs-numbers.schemas.ts'
import { customsNumberList } from './customs-numbers-history.server.ts'

export const customsNumbersServer = implement(customsNumbers, customsNumbersSchemas, {
  list: (_, { db, principal }) => numbersOf(db, principal.company.id),
  async set({ body }, context) {
    const { kind, country, value } = body
    const known = (await numbersOf(context.db, context.principal.company.id)).find(
      one => one.kind === kind && one.country === country && one.value === value,
    )
    const set = () => setNumber(context, body)
    return known ? changeEntry(customsNumberList, context, known.id, set) : addEntry(customsNumberList, context, set, number => number.id)
  },
  remove: ({ id }, context) => changeEntry(customsNumberList, context, id, () => removeNumber(context, id)),
})
