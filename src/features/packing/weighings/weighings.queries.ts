/** Reads what parcels should weigh, and what they weighed. */
import { sql } from 'kysely'
import type { Page } from '#contract/page.ts'
import { boundsOfDay } from '#domain/local-days.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { parcelWeight } from '#features/shipping/labels/booking.queries.ts'
import { methodOffered } from '#features/shipping/parcel-shops/courier-methods.queries.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning } from '#platform/database/like-pattern.ts'
import type { Weighing, WeighingQuestion } from './weighings.schemas.ts'

/** `contents` changes with every piece that comes into the parcel or goes out of it, and is null while it is empty. */
const contentsOf = (db: Db, order_id: number, parcel_no: number): Promise<{ contents: string | null; pieces: number }> =>
  db
    .selectFrom('parcel_lines')
    .select([
      sql<string | null>`md5(string_agg(order_line_id || ':' || qty, ',' order by order_line_id))`.as('contents'),
      sql<number>`coalesce(sum(qty), 0)::integer`.as('pieces'),
    ])
    .where('order_id', '=', order_id)
    .where('parcel_no', '=', parcel_no)
    .where('qty', '>', 0)
    .executeTakeFirstOrThrow()

export interface ParcelOnScale {
  /** Null while the parcel is empty. */
  contents: string | null
  pieces: number
  expected_g: number
  unknown_g: number
  unweighed: { product_id: number; pieces: number } | null
}

export async function parcelOnScale(
  db: Db,
  order_id: number,
  parcel_no: number,
  settings: Pick<CompanySettings, 'packaging_weight_g' | 'default_weight_g'>,
): Promise<ParcelOnScale> {
  const [inside, expected] = await Promise.all([contentsOf(db, order_id, parcel_no), parcelWeight(db, order_id, parcel_no, settings)])
  return { ...inside, ...expected }
}

/** The weight that was taken of the parcel as it is now; null where it was not weighed since its last change. */
export async function weightOfParcel(db: Db, order_id: number, parcel_no: number): Promise<number | null> {
  const { contents } = await contentsOf(db, order_id, parcel_no)
  if (contents === null) return null
  const row = await db
    .selectFrom('parcel_weights')
    .select('weight_g')
    .where('order_id', '=', order_id)
    .where('parcel_no', '=', parcel_no)
    .where('contents', '=', contents)
    .where('outcome', 'in', ['ok', 'unchecked', 'overridden'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.weight_g ?? null
}

/** Grams that the order's shipping method takes at most; null where that is not known. */
export async function heaviestParcel(db: Db, order_id: number): Promise<number | null> {
  const order = await db
    .selectFrom('orders')
    .select(['company_id', 'agent_code', 'shipping_method'])
    .where('id', '=', order_id)
    .executeTakeFirst()
  const known = courier(order?.agent_code ?? '')
  if (!order?.shipping_method || !known) return null
  return (await methodOffered(db, order.company_id, known, order.shipping_method))?.max_weight_g ?? null
}

function asked(db: Db, { query, outcome, from, to }: WeighingQuestion, time_zone: string) {
  let rows = db.selectFrom('parcel_weights as w').innerJoin('orders as o', 'o.id', 'w.order_id')
  if (outcome) rows = rows.where('w.outcome', '=', outcome)
  if (query) {
    const begins = beginning(query)
    rows = rows.where(eb =>
      eb.or([eb('w.weighed_by', 'ilike', begins), eb('w.station', 'ilike', begins), eb('o.order_no', 'ilike', begins)]),
    )
  }
  if (from) rows = rows.where('w.weighed_at', '>=', boundsOfDay(from, time_zone).from)
  if (to) rows = rows.where('w.weighed_at', '<', boundsOfDay(to, time_zone).to)
  return rows
}

/** Weighings, the newest first. */
export async function listWeighings(
  db: Db,
  question: WeighingQuestion,
  { offset, limit, time_zone }: { offset: number; limit: number; time_zone: string },
): Promise<Page<Weighing>> {
  const from = asked(db, question, time_zone)
  const rows = await from
    .innerJoin('companies as c', 'c.id', 'w.company_id')
    .leftJoin('products as p', 'p.id', 'w.unweighed_product_id')
    .select(['w.id', 'w.order_id', 'o.order_no', 'c.code as company', 'w.parcel_no', 'w.weight_g', 'w.source', 'w.expected_g'])
    .select(['w.tolerance_g', 'w.outcome', 'w.overridden_by', 'w.weighed_by', 'w.station', 'w.weighed_at'])
    .select(['p.sku as learned_sku', 'w.unweighed_each_g as learned_g', 'p.weight_g as known_g'])
    .orderBy('w.weighed_at', 'desc')
    .orderBy('w.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return {
    rows: rows.map(({ learned_sku, learned_g, known_g, ...row }) => ({
      ...row,
      // What the product is known to weigh by now needs no proposal.
      learned: learned_sku === null || learned_g === null || known_g !== null ? null : { sku: learned_sku, weight_g: learned_g },
    })),
    ...(await cappedCount(db, from)),
    offset,
    limit,
  }
}
