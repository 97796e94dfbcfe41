/** Writes which crate each parcel goes out in. */
import { sql } from 'kysely'
import { orNotFound, unprocessable } from '#contract/errors.ts'
import { takeCrates } from '#features/catalog/crates/crate-types.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { BasketState } from './crate-choice.codes.ts'
import { crateInput, suggestionOf } from './crate-choice.queries.ts'

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
        .doUpdateSet({ ...used, suggested_id: null, suggested_cost: null, basket_key: null, closed_at: null }),
    )
    .execute()
}

/** The scan of a crate is taken back: the one before it counts again, or none. */
export async function returnToCrate(
  db: Db,
  { order_id, company_id, parcel_no }: { order_id: number; company_id: number; parcel_no: number },
  crate_id: number | null,
): Promise<void> {
  const crate =
    crate_id === null
      ? undefined
      : await db.selectFrom('crate_types').select(['id', 'cost', 'currency']).where('id', '=', crate_id).executeTakeFirst()
  if (crate) return scanCrate(db, { order_id, company_id, parcel_no }, crate)
  await db
    .deleteFrom('crate_choices')
    .where('order_id', '=', order_id)
    .where('parcel_no', '=', parcel_no)
    .where('closed_at', 'is', null)
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
  const input = await crateInput(db, { order_id: order.order_id }, now())
  const { currency, basket_key } = input
  const suggested = suggestionOf(input).crates
  const [crate] = suggested.length === 1 ? suggested : []
  if (!crate || currency === null) {
    // What packers use is learned also where nothing was suggested.
    await db
      .updateTable('crate_choices')
      .set({ basket_key })
      .where('order_id', '=', order.order_id)
      .where('parcel_no', '=', parcel_no)
      .where('closed_at', 'is', null)
      .execute()
    return
  }
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
      basket_key,
      source: 'suggested',
    })
    .onConflict(one =>
      one
        .columns(['operator_id', 'order_id', 'parcel_no'])
        .doUpdateSet({ suggested_id: id, suggested_cost: cost, basket_key })
        // Costs in two currencies do not compare.
        .where('crate_choices.currency', '=', sql<string>`${sql.lit(currency)}`)
        .where('crate_choices.closed_at', 'is', null),
    )
    .execute()
}

/** A person says which crate a basket goes into, or that its deviations are in order. */
export async function decideBasket(
  { db, principal, recordEvent, notify, now }: Context,
  { company_id, key, state, crate_id }: { company_id: number; key: string; state: BasketState; crate_id: number | null },
): Promise<void> {
  const known = await db
    .selectFrom('crate_choices')
    .select('id')
    .where('company_id', '=', company_id)
    .where('basket_key', '=', key)
    .limit(1)
    .executeTakeFirst()
  orNotFound(known, 'basket_not_found', 'No parcel has this basket')
  let name: string | null = null
  if (state === 'adopted') {
    if (crate_id === null) throw unprocessable('crate_missing', 'Select the box')
    const crate = await db
      .selectFrom('crate_types')
      .select('name')
      .where('id', '=', crate_id)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    name = orNotFound(crate, 'crate_not_found', 'Box not found').name
  }
  if (state === 'open') await db.deleteFrom('crate_baskets').where('company_id', '=', company_id).where('basket_key', '=', key).execute()
  else {
    const values = {
      state,
      crate_type_id: state === 'adopted' ? crate_id : null,
      decided_by: principal.name,
      decided_at: now().toISOString(),
    }
    await db
      .insertInto('crate_baskets')
      .values({ company_id, basket_key: key, ...values })
      .onConflict(one => one.columns(['operator_id', 'company_id', 'basket_key']).doUpdateSet(values))
      .execute()
  }
  await recordEvent({
    kind: 'crate_basket.decided',
    subject: 'crate_type',
    ...(crate_id !== null && { subject_id: crate_id }),
    company_id,
    data: { state, name },
  })
  notify('crate')
}
