/** Reads offers of shifts. */
import { orNotFound } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'
import { entriesByIds } from './schedule.queries.ts'
import type { ShiftOffer } from './schedule.schemas.ts'

const offers = (db: Db) =>
  db
    .selectFrom('shift_offers as o')
    .innerJoin('users as f', 'f.id', 'o.from_user_id')
    .leftJoin('users as g', 'g.id', 'o.to_user_id')
    .select([
      'o.id',
      'o.kind',
      'o.state',
      'o.entry_id',
      'o.with_entry_id',
      'o.from_user_id',
      'f.name as from_name',
      'o.to_user_id',
      'g.name as to_name',
    ])
    .select(['o.reason', 'o.created_at'])

type Row = Awaited<ReturnType<ReturnType<typeof offers>['executeTakeFirstOrThrow']>>

async function withEntries(db: Db, rows: readonly Row[]): Promise<ShiftOffer[]> {
  const ids = rows.flatMap(row => [row.entry_id, row.with_entry_id].filter(id => id !== null))
  const entries = new Map((await entriesByIds(db, ids)).map(entry => [entry.id, entry]))
  return rows.flatMap(({ entry_id, with_entry_id, ...offer }) => {
    const entry = entries.get(entry_id)
    return entry ? [{ ...offer, entry, with_entry: with_entry_id === null ? null : (entries.get(with_entry_id) ?? null) }] : []
  })
}

export async function offerById(db: Db, id: number): Promise<ShiftOffer> {
  const rows = await offers(db).where('o.id', '=', id).execute()
  const [offer] = await withEntries(db, rows)
  return orNotFound(offer, 'offer_not_found', 'There is no such offer.')
}

/** Offers that a lead decides about, the oldest first. */
export const offersToDecide = async (db: Db): Promise<ShiftOffer[]> =>
  withEntries(db, await offers(db).where('o.state', '=', 'requested').orderBy('o.id').limit(200).execute())

/** What concerns one person: own offers that wait, and those of colleagues that they can take. */
export const offersFor = async (db: Db, user_id: number, from: string): Promise<ShiftOffer[]> =>
  (
    await withEntries(
      db,
      await offers(db)
        .where('o.state', 'in', ['open', 'requested'])
        .where(eb =>
          eb.or([
            eb('o.from_user_id', '=', user_id),
            eb('o.to_user_id', '=', user_id),
            eb.and([eb('o.kind', '=', 'give'), eb('o.state', '=', 'open')]),
          ]),
        )
        .orderBy('o.id', 'desc')
        .limit(100)
        .execute(),
    )
  ).filter(offer => offer.entry.work_date >= from)
