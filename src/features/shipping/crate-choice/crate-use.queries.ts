/** Reads of the crates that parcels go out in. */
import { sql } from 'kysely'
import { type Page, pageOffset } from '#contract/page.ts'
import { boundsOfDay } from '#domain/local-days.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import type { CrateReportQuestion, CrateUse, ParcelCrate } from './crate-choice.schemas.ts'

/** The crate whose barcode or printed code (CR and its code) was scanned; undefined where no crate of this company has it. */
export const crateOfCode = (
  db: Db,
  company_id: number,
  codes: readonly string[],
): Promise<(ParcelCrate & { active: boolean; cost: number; currency: string }) | undefined> => {
  const wanted = codes.map(code => code.toUpperCase())
  const printed = wanted.flatMap(code => /^CR(.+)$/.exec(code)?.[1] ?? [])
  return db
    .selectFrom('crate_types')
    .select(['id', 'name', 'code', 'active', 'cost', 'currency'])
    .where('removed_at', 'is', null)
    .where(sql<boolean>`(company_ids is null or ${company_id}::bigint = any(company_ids))`)
    .where(eb =>
      eb.or([eb(sql`upper(barcode)`, '=', sql<string>`any(${wanted})`), eb(sql`upper(code)`, '=', sql<string>`any(${printed})`)]),
    )
    .orderBy('active', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** The crate of a parcel that is being packed or was closed; null where none is known. */
export const crateOfParcel = async (db: Db, order_id: number, parcel_no: number): Promise<ParcelCrate | null> =>
  (await db
    .selectFrom('crate_choices as k')
    .innerJoin('crate_types as c', j => j.onRef('c.operator_id', '=', 'k.operator_id').onRef('c.id', '=', 'k.used_id'))
    .select(['c.id', 'c.name', 'c.code'])
    .where('k.order_id', '=', order_id)
    .where('k.parcel_no', '=', parcel_no)
    .executeTakeFirst()) ?? null

/** What a label says of the parcel's crate: its code, weight in g and outer sides in mm. */
export async function crateForLabel(
  db: Db,
  order_id: number,
  parcel_no: number,
): Promise<{ code: string; tare_g: number; outer_mm: [number, number, number] } | null> {
  const row = await db
    .selectFrom('crate_choices as k')
    .innerJoin('crate_types as c', j => j.onRef('c.operator_id', '=', 'k.operator_id').onRef('c.id', '=', 'k.used_id'))
    .select(['c.code', 'c.tare_g', 'c.outer_mm'])
    .where('k.order_id', '=', order_id)
    .where('k.parcel_no', '=', parcel_no)
    .executeTakeFirst()
  if (!row) return null
  const [length = 0, width = 0, height = 0] = row.outer_mm
  return { code: row.code, tare_g: row.tare_g, outer_mm: [length, width, height] }
}

function closed(db: Db, { company, from, to, deviating }: CrateReportQuestion, time_zone: string) {
  let rows = db.selectFrom('crate_choices as k').where('k.closed_at', 'is not', null)
  if (company !== undefined) rows = rows.where('k.company_id', '=', company)
  if (from) rows = rows.where('k.closed_at', '>=', boundsOfDay(from, time_zone).from)
  if (to) rows = rows.where('k.closed_at', '<', boundsOfDay(to, time_zone).to)
  if (deviating) rows = rows.where('k.suggested_id', 'is not', null).whereRef('k.suggested_id', '<>', 'k.used_id')
  return rows
}

/** Parcels by the crate that was suggested and the one that was used, the most frequent first. */
export async function crateUses(
  db: Db,
  asked: CrateReportQuestion,
  { page, limit, time_zone }: { page: number; limit: number; time_zone: string },
): Promise<Page<CrateUse>> {
  const grouped = closed(db, asked, time_zone)
    .innerJoin('crate_types as u', j => j.onRef('u.operator_id', '=', 'k.operator_id').onRef('u.id', '=', 'k.used_id'))
    .leftJoin('crate_types as s', j => j.onRef('s.operator_id', '=', 'k.operator_id').onRef('s.id', '=', 'k.suggested_id'))
    .groupBy(['k.suggested_id', 'k.used_id', 's.name', 's.code', 'u.name', 'u.code', 'k.currency'])
  const rows = await grouped
    .select(['k.suggested_id', 's.name as suggested_name', 's.code as suggested_code', 'k.used_id'])
    .select(['u.name as used_name', 'u.code as used_code', 'k.currency'])
    .select(eb => [
      eb.fn.countAll<number>().as('times'),
      sql<number>`sum(k.used_cost)::bigint`.as('cost'),
      sql<number>`coalesce(sum(k.used_cost - k.suggested_cost), 0)::bigint`.as('difference'),
      sql<string>`max(k.closed_at)`.as('last_at'),
    ])
    .orderBy('times', 'desc')
    .orderBy('k.used_id')
    .orderBy('k.suggested_id')
    .limit(limit)
    .offset(pageOffset({ page, limit }))
    .execute()
  return {
    rows: rows.map(({ suggested_id, suggested_name, suggested_code, used_id, used_name, used_code, ...row }) => ({
      ...row,
      suggested: suggested_id === null ? null : { id: suggested_id, name: suggested_name ?? '', code: suggested_code ?? '' },
      used: { id: used_id, name: used_name, code: used_code },
    })),
    ...(await cappedCount(db, grouped)),
    offset: pageOffset({ page, limit }),
    limit,
  }
}

/** Of all parcels in question: how many had a suggestion, and how many went out in it. */
export async function crateTotals(db: Db, asked: CrateReportQuestion, time_zone: string) {
  const row = await closed(db, { ...asked, deviating: undefined }, time_zone)
    .select(eb => [
      eb.fn.countAll<number>().as('parcels'),
      eb.fn.count<number>('k.suggested_id').as('suggested'),
      sql<number>`count(*) filter (where k.suggested_id = k.used_id)`.as('followed'),
    ])
    .executeTakeFirstOrThrow()
  return { parcels: Number(row.parcels), suggested: Number(row.suggested), followed: Number(row.followed) }
}
