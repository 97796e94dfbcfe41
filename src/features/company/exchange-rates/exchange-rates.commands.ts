/** Changes of rates. */
import { sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mostRates } from './exchange-rates.codes.ts'
import { manualRates } from './exchange-rates.queries.ts'
import { ManualRate, type RateFields } from './exchange-rates.schemas.ts'

/** The same currencies and first day again change the rate. `restored` is the number of one that comes back. */
export async function setManualRate(
  { db, principal, recordEvent, notify }: Context,
  fields: RateFields,
  restored?: number,
): Promise<ManualRate> {
  const company_id = principal.company.id
  // Writers of one company come one after the other.
  await db.selectFrom('companies').select('id').where('id', '=', company_id).forUpdate().execute()
  if ((await manualRates(db, company_id)).length >= mostRates)
    throw conflict('manual_rates_full', 'There are {{count}} rates already. Remove old ones first.', { count: mostRates })
  const row = await db
    .insertInto('manual_rates')
    .values({ ...fields, ...(restored !== undefined && { id: restored }) })
    .onConflict(of =>
      of
        .columns(['operator_id', 'company_id', 'from_currency', 'to_currency', 'valid_from'])
        .doUpdateSet({ rate: fields.rate, valid_to: fields.valid_to, note: fields.note }),
    )
    .returning(['id', 'from_currency', 'to_currency', 'rate', 'valid_from', 'valid_to', 'note'])
    .executeTakeFirstOrThrow()
  const { from_currency, to_currency, rate, valid_from } = fields
  await recordEvent({
    kind: 'manual_rate.set',
    subject: 'manual_rate',
    subject_id: row.id,
    data: { from_currency, to_currency, rate, valid_from },
  })
  notify('exchange_rate')
  return ManualRate.parse(row)
}

export async function removeManualRate({ db, recordEvent, notify }: Context, id: number): Promise<void> {
  const removed = await db.deleteFrom('manual_rates').where('id', '=', id).returning(['from_currency', 'to_currency']).executeTakeFirst()
  if (!removed) return
  await recordEvent({ kind: 'manual_rate.removed', subject: 'manual_rate', subject_id: id, data: removed })
  notify('exchange_rate')
}

/** Keeps published rates; a day that is known stays as it is. */
export async function keepPublishedRates(db: Db, rows: readonly { day: string; currency: string; rate: string }[]): Promise<void> {
  await sql`insert into exchange_rates (day, currency, rate)
    select * from unnest(${rows.map(row => row.day)}::date[], ${rows.map(row => row.currency)}::text[], ${rows.map(row => row.rate)}::text[])
    on conflict do nothing`.execute(db)
}
