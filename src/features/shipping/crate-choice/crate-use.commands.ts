/** Writes which crate each parcel goes out in. */
import { sql } from 'kysely'
import { takeCrates } from '#features/catalog/crates/crate-types.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { crateInput } from './crate-choice.queries.ts'
import { suggestCrates } from './crate-choice.rules.ts'

interface PricedCrate {
  id: number
  cost: number
  currency: string
}

/** A person scanned the crate of the parcel that is being packed. The last one counts. */
export async function scanCrate(
  db: Db,
  parcel: { order_id: number; company_id: number; parcel_no: number },
  crate: PricedCrate,
): Promise<void> {
  const used = { used_id: crate.id, used_cost: crate.cost, currency: crate.currency, source: 'scanned' as const }
  await db
    .insertInto('crate_choices')
    .values({ order_id: parcel.order_id, company_id: parcel.company_id, parcel_no: parcel.parcel_no, ...used })
    .onConflict(one =>
      one
        .columns(['operator_id', 'order_id', 'parcel_no'])
        .doUpdateSet({ ...used, suggested_id: null, suggested_cost: null, closed_at: null }),
    )
    .execute()
}

/**
 * Notes the crates of parcels that are closed now, and takes them from the stock; closed again, a parcel takes the same crate once.
 * `whole`: one parcel holds the whole order. Then the suggestion is known, and no one who scans no crate has another one.
 */
export async function closeCrates(
  context: Context,
  order: { order_id: number; company_id: number },
  parcels: readonly number[],
  { whole }: { whole: boolean },
): Promise<void> {
  const { db, now, recordEvent } = context
  const { any } = await db
    .selectNoFrom(eb =>
      eb.exists(eb.selectFrom('crate_types').select('id').where('active', '=', true).where('removed_at', 'is', null)).as('any'),
    )
    .executeTakeFirstOrThrow()
  if (!any) return
  const [only] = parcels
  if (whole && only !== undefined) await noteSuggestion(context, order, only)
  const closed = await db
    .updateTable('crate_choices as k')
    .from('crate_choices as before')
    .set({ closed_at: now().toISOString(), taken_id: sql<number>`k.used_id` })
    .whereRef('before.operator_id', '=', 'k.operator_id')
    .whereRef('before.id', '=', 'k.id')
    .where('k.order_id', '=', order.order_id)
    .where('k.parcel_no', '=', sql<number>`any(${parcels})`)
    .where('k.closed_at', 'is', null)
    .returning(['k.parcel_no', 'k.used_id', 'k.suggested_id', 'before.taken_id'])
    .execute()
  if (closed.length === 0) return
  const names = new Map(
    (
      await db
        .selectFrom('crate_types')
        .select(['id', 'name'])
        .where('id', '=', sql<number>`any(${closed.flatMap(row => [row.used_id, row.suggested_id ?? row.used_id])})`)
        .execute()
    ).map(({ id, name }) => [id, name]),
  )
  for (const { parcel_no, used_id, suggested_id } of closed)
    await recordEvent({
      kind: 'crate.used',
      order_id: order.order_id,
      company_id: order.company_id,
      subject: 'crate_type',
      subject_id: used_id,
      data: {
        parcel_no,
        name: names.get(used_id) ?? '',
        suggested: suggested_id === null || suggested_id === used_id ? null : (names.get(suggested_id) ?? ''),
      },
    })
  await takeCrates(
    context,
    closed.filter(row => row.taken_id !== row.used_id).map(row => row.used_id),
  )
}

async function noteSuggestion({ db, now }: Context, order: { order_id: number; company_id: number }, parcel_no: number): Promise<void> {
  const { crates, items, currency } = await crateInput(db, { order_id: order.order_id }, now())
  const suggested = suggestCrates(crates, items).crates
  const [crate] = suggested.length === 1 ? suggested : []
  if (!crate || currency === null) return
  const { id, cost } = crate.crate
  await db
    .insertInto('crate_choices')
    .values({
      ...order,
      parcel_no,
      suggested_id: id,
      suggested_cost: cost,
      used_id: id,
      used_cost: cost,
      currency,
      source: 'suggested',
    })
    .onConflict(one =>
      one
        .columns(['operator_id', 'order_id', 'parcel_no'])
        .doUpdateSet({ suggested_id: id, suggested_cost: cost })
        // Costs in two currencies do not compare.
        .where('crate_choices.currency', '=', sql<string>`${sql.lit(currency)}`)
        .where('crate_choices.closed_at', 'is', null),
    )
    .execute()
}
