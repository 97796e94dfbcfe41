/** Changes of registration numbers. */
import { conflict } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mostNumbers } from './customs-numbers.codes.ts'
import { numberColumns, numbersOf } from './customs-numbers.queries.ts'
import type { CustomsNumber, NumberFields } from './customs-numbers.schemas.ts'

/** The same number again changes its period. `restored` is the id of one that comes back. */
export async function setNumber(
  { db, principal, recordEvent, notify }: Context,
  fields: NumberFields,
  restored?: number,
): Promise<CustomsNumber> {
  const company_id = principal.company.id
  // Writers of one company come one after the other.
  await db.selectFrom('companies').select('id').where('id', '=', company_id).forUpdate().execute()
  if ((await numbersOf(db, company_id)).length >= mostNumbers)
    throw conflict('customs_numbers_full', 'There are {{count}} numbers already. Remove old ones first.', { count: mostNumbers })
  const row = await db
    .insertInto('customs_numbers')
    .values({ ...fields, ...(restored !== undefined && { id: restored }) })
    .onConflict(of =>
      of
        .columns(['operator_id', 'company_id', 'kind', 'country', 'value'])
        .doUpdateSet({ valid_from: fields.valid_from, valid_to: fields.valid_to }),
    )
    .returning(numberColumns)
    .executeTakeFirstOrThrow()
  const { kind, country } = fields
  await recordEvent({ kind: 'customs_number.set', subject: 'customs_number', subject_id: row.id, data: { kind, country } })
  notify('customs_number')
  return row
}

export async function removeNumber({ db, recordEvent, notify }: Context, id: number): Promise<void> {
  const removed = await db.deleteFrom('customs_numbers').where('id', '=', id).returning(['kind', 'country']).executeTakeFirst()
  if (!removed) return
  await recordEvent({ kind: 'customs_number.removed', subject: 'customs_number', subject_id: id, data: removed })
  notify('customs_number')
}
