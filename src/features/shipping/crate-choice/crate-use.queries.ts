/** Reads of the crates that parcels go out in. */
import { sql } from 'kysely'
import * as z from 'zod'
import { type Page, pageOffset } from '#contract/page.ts'
import { boundsOfDay } from '#domain/local-days.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import type { BasketDeviation, BasketQuestion, CrateReportQuestion, CrateUse, ParcelCrate } from './crate-choice.schemas.ts'

/** The crate whose barcode or printed code (CR and its code) was scanned; undefined where no crate of this company has it. */
export const crateOfCode = (
  db: Db,
  company_id: number,
  codes: readonly string[],
): Promise<(ParcelCrate & { active: boolean; cost: number; currency: string; inner_mm: number[] }) | undefined> => {
  const wanted = codes.map(code => code.toUpperCase())
  const printed = wanted.flatMap(code => /^CR(.+)$/.exec(code)?.[1] ?? [])
  return db
    .selectFrom('crate_types')
    .select(['id', 'name', 'code', 'active', 'cost', 'currency', 'inner_mm'])
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

/** What the crate of a closed parcel cost. */
export const crateCost = async (
  db: Db,
  order_id: number,
  parcel_no: number,
): Promise<{ name: string; cost: number; currency: string } | null> =>
  (await db
    .selectFrom('crate_choices as k')
    .innerJoin('crate_types as c', j => j.onRef('c.operator_id', '=', 'k.operator_id').onRef('c.id', '=', 'k.used_id'))
    .select(['c.name', 'k.used_cost as cost', 'k.currency'])
    .where('k.order_id', '=', order_id)
    .where('k.parcel_no', '=', parcel_no)
    .executeTakeFirst()) ?? null

/** Grams of a cubic centimetre of filler. */
const fillerDensity = 0.03

/** What a label says of the parcel's crate: its code, its weight with its filler in g, and its outer sides in mm. */
export async function crateForLabel(
  db: Db,
  order_id: number,
  parcel_no: number,
): Promise<{ code: string; tare_g: number; outer_mm: [number, number, number] } | null> {
  const row = await db
    .selectFrom('crate_choices as k')
    .innerJoin('crate_types as c', j => j.onRef('c.operator_id', '=', 'k.operator_id').onRef('c.id', '=', 'k.used_id'))
    .select(['c.code', 'c.tare_g', 'c.outer_mm', 'c.inner_mm', 'c.filler_percent'])
    .where('k.order_id', '=', order_id)
    .where('k.parcel_no', '=', parcel_no)
    .executeTakeFirst()
  if (!row) return null
  const [length = 0, width = 0, height = 0] = row.outer_mm
  const inner_cm3 = row.inner_mm.reduce((volume, side) => (volume * side) / 10, 1)
  const filler_g = Math.round((inner_cm3 * row.filler_percent * fillerDensity) / 100)
  return { code: row.code, tare_g: row.tare_g + filler_g, outer_mm: [length, width, height] }
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

const volumeOf = (sides: readonly number[]): number => sides.reduce((volume, side) => volume * side, 1)

/** Baskets whose parcels went out in another crate than the suggested one, the most frequent first. */
export async function basketDeviations(
  db: Db,
  { state, ...asked }: BasketQuestion,
  { page, limit, time_zone }: { page: number; limit: number; time_zone: string },
): Promise<Page<BasketDeviation>> {
  let grouped = closed(db, { ...asked, deviating: true }, time_zone)
    .innerJoin('crate_types as u', j => j.onRef('u.operator_id', '=', 'k.operator_id').onRef('u.id', '=', 'k.used_id'))
    .innerJoin('crate_types as s', j => j.onRef('s.operator_id', '=', 'k.operator_id').onRef('s.id', '=', 'k.suggested_id'))
    .leftJoin('crate_baskets as b', j =>
      j.onRef('b.operator_id', '=', 'k.operator_id').onRef('b.company_id', '=', 'k.company_id').onRef('b.basket_key', '=', 'k.basket_key'),
    )
    .where('k.basket_key', 'is not', null)
    .groupBy(['k.operator_id', 'k.company_id', 'k.basket_key', 'k.currency', 'b.state', 'b.decided_by'])
    .groupBy(['s.id', 's.name', 's.code', 's.inner_mm', 'u.id', 'u.name', 'u.code', 'u.inner_mm'])
  grouped = state === 'open' ? grouped.where('b.state', 'is', null) : grouped.where('b.state', '=', state)
  const rows = await grouped
    .select(['k.company_id', 'k.basket_key', 'k.currency', 'b.decided_by'])
    .select(['s.id as suggested_id', 's.name as suggested_name', 's.code as suggested_code', 's.inner_mm as suggested_mm'])
    .select(['u.id as used_id', 'u.name as used_name', 'u.code as used_code', 'u.inner_mm as used_mm'])
    .select(eb => [
      eb.fn.countAll<number>().as('times'),
      sql<number>`sum(k.used_cost - k.suggested_cost)::bigint`.as('difference'),
      sql<string>`max(k.closed_at)`.as('last_at'),
      sql<number>`max(k.order_id)`.as('order_id'),
      eb
        .selectFrom('crate_choices as a')
        .select(inner => inner.fn.countAll<number>().as('count'))
        .whereRef('a.operator_id', '=', 'k.operator_id')
        .whereRef('a.company_id', '=', 'k.company_id')
        .whereRef('a.basket_key', '=', 'k.basket_key')
        .where('a.closed_at', 'is not', null)
        .as('parcels'),
    ])
    .orderBy('times', 'desc')
    .orderBy('k.basket_key')
    .orderBy('s.id')
    .orderBy('u.id')
    .limit(limit)
    .offset(pageOffset({ page, limit }))
    .execute()
  const lines = await basketLines(
    db,
    rows.map(row => row.order_id),
  )
  return {
    rows: rows.map(row => ({
      key: row.basket_key ?? '',
      company_id: row.company_id,
      lines: lines.get(row.order_id) ?? [],
      suggested: { id: row.suggested_id, name: row.suggested_name, code: row.suggested_code },
      used: { id: row.used_id, name: row.used_name, code: row.used_code },
      larger: volumeOf(row.used_mm) > volumeOf(row.suggested_mm),
      times: row.times,
      parcels: Number(row.parcels ?? 0),
      difference: row.difference,
      currency: row.currency,
      last_at: row.last_at,
      state,
      decided_by: row.decided_by,
    })),
    ...(await cappedCount(db, grouped)),
    offset: pageOffset({ page, limit }),
    limit,
  }
}

/** What lay in the parcels of these orders. */
async function basketLines(db: Db, order_ids: readonly number[]): Promise<Map<number, BasketDeviation['lines']>> {
  const rows = await db
    .selectFrom('order_lines as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select(['l.order_id', 'l.sku', 'l.name', 'p.length_mm', 'p.width_mm', 'p.height_mm'])
    .select(sql<number>`l.qty - l.cancelled_qty`.as('qty'))
    .where('l.order_id', '=', sql<number>`any(${order_ids})`)
    .where('l.type', '=', 'item')
    .where('l.requires_shipping', '=', true)
    .where(sql<boolean>`l.qty - l.cancelled_qty > 0`)
    .orderBy('l.line_no')
    .execute()
  const shown = rows.map(({ order_id, sku, name, qty, length_mm, width_mm, height_mm }) => ({
    order_id,
    line: {
      sku,
      name,
      qty,
      size_mm: length_mm !== null && width_mm !== null && height_mm !== null ? [length_mm, width_mm, height_mm] : null,
    },
  }))
  return new Map([...Map.groupBy(shown, row => row.order_id)].map(([id, some]) => [id, some.map(row => row.line)]))
}

const Suggested = z.array(z.object({ name: z.string(), fill_percent: z.number().nullable() })).catch([])

/** The crates that were suggested with the pick list, in words such as `B4` or `S + S`; none where nothing was suggested. */
export async function suggestedCrates(db: Db, order_ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('crate_suggestions')
    .select(['order_id', 'crates'])
    .where('order_id', '=', sql<number>`any(${order_ids})`)
    .execute()
  return new Map(
    rows.flatMap(({ order_id, crates }) => {
      const names = Suggested.parse(crates).map(crate => crate.name)
      return names.length > 0 ? [[order_id, names.join(' + ')] as const] : []
    }),
  )
}
