/** Handlers of registration numbers. */
import { implement } from '#platform/http/feature-module.ts'
import { removeNumber, setNumber } from './customs-numbers.commands.ts'
import { customsNumbers } from './customs-numbers.contract.ts'
import { numbersOf } from './customs-numbers.queries.ts'
import { customsNumbersSchemas } from './customs-numbers.schemas.ts'

export const customsNumbersServer = implement(customsNumbers, customsNumbersSchemas, {
  list: (_, { db, principal }) => numbersOf(db, principal.company.id),
  set: ({ body }, context) => setNumber(context, body),
  remove: ({ id }, context) => removeNumber(context, id),
})
