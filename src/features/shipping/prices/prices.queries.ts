/** Reads of price tables. */
import { sql } from 'kysely'
import * as z from 'zod'
import { orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { readPostcodes } from '#domain/postcode-ranges.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import type { ParcelPrice, PriceTable } from './prices.rules.ts'
import type { CourierPrice, PriceQuestion, PriceZoneRow, SurchargeRow } from './prices.schemas.ts'

/** What holds on `day` (YYYY-MM-DD) for one method of a company. */
export async function priceTable(
  db: Db,
  company_id: number,
  { agent_code, shipping_method, day }: { agent_code: string; shipping_method: string; day: string },
): Promise<PriceTable> {
  const holds = sql<boolean>`valid_from <= ${day}::date and (valid_to is null or valid_to >= ${day}::date)`
  const steps = await db
    .selectFrom('courier_prices')
    .select(['zone_id', 'max_g', 'max_length_mm', 'max_side_sum_mm', 'volume_divisor', 'amount', 'per_kg_amount', 'currency'])
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .where('shipping_method', '=', shipping_method)
    .where(holds)
    .execute()
  if (steps.length === 0) return { zones: [], steps, surcharges: [] }
  const [zones, surcharges] = await Promise.all([
    db
      .selectFrom('price_zones')
      .select(['id', 'name', 'countries', 'postcodes'])
      .where('company_id', '=', company_id)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('price_surcharges')
      .select(['name', 'zone_id', 'amount', 'currency', 'percent_milli', 'over_g', 'over_length_mm'])
      .where('company_id', '=', company_id)
      .where('agent_code', '=', agent_code)
      .where(eb => eb.or([eb('shipping_method', 'is', null), eb('shipping_method', '=', shipping_method)]))
      .where(holds)
      .orderBy('id')
      .execute(),
  ])
  return { zones: zones.map(zone => ({ ...zone, postcodes: readPostcodes(zone.postcodes).ranges })), steps, surcharges }
}

const withZones = (db: Db) =>
  db
    .selectFrom('courier_prices as p')
    .leftJoin('price_zones as z', j => j.onRef('z.operator_id', '=', 'p.operator_id').onRef('z.id', '=', 'p.zone_id'))

const pricesOf = (db: Db, company_id: number) => withZones(db).where('p.company_id', '=', company_id)

/** Of any company in reach. */
export const findPrice = (db: Db, id: number): Promise<CourierPrice | undefined> =>
  withZones(db).select(priceFields).where('p.id', '=', id).executeTakeFirst()

const priceFields = [
  'p.id',
  'p.agent_code',
  'p.shipping_method',
  'p.zone_id',
  'p.max_g',
  'p.max_length_mm',
  'p.max_side_sum_mm',
  'p.volume_divisor',
  'p.amount',
  'p.per_kg_amount',
  'p.currency',
  'p.valid_from',
  'p.valid_to',
  'p.version',
  'z.name as zone',
] as const

export async function findPrices(
  db: Db,
  company_id: number,
  { agent_code, shipping_method, zone, on, ...paging }: PriceQuestion & { page: number; limit: number },
): Promise<Page<CourierPrice>> {
  let from = pricesOf(db, company_id)
  if (agent_code !== undefined) from = from.where('p.agent_code', '=', agent_code)
  if (shipping_method !== undefined) from = from.where('p.shipping_method', '=', shipping_method)
  if (zone !== undefined) from = zone === 0 ? from.where('p.zone_id', 'is', null) : from.where('p.zone_id', '=', zone)
  if (on !== undefined) from = from.where(sql<boolean>`p.valid_from <= ${on}::date and (p.valid_to is null or p.valid_to >= ${on}::date)`)
  const rows = await from
    .select(priceFields)
    .orderBy('p.agent_code')
    .orderBy('p.shipping_method')
    .orderBy('z.name', order => order.asc().nullsFirst())
    .orderBy('p.max_g')
    .orderBy('p.valid_from', 'desc')
    .orderBy('p.id')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return { rows, ...(await cappedCount(db, from)), offset: pageOffset(paging), limit: paging.limit }
}

/** Every price of a company. */
export const allPrices = (db: Db, company_id: number): Promise<CourierPrice[]> => pricesOf(db, company_id).select(priceFields).execute()

export async function countPrices(db: Db, company_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('courier_prices')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', company_id)
    .executeTakeFirstOrThrow()
  return count
}

export const priceById = async (db: Db, company_id: number, id: number): Promise<CourierPrice> =>
  orNotFound(
    await pricesOf(db, company_id).select(priceFields).where('p.id', '=', id).executeTakeFirst(),
    'price_not_found',
    'Price not found',
  )

/** Of any company in reach. */
export const findZone = (db: Db, id: number) =>
  db.selectFrom('price_zones').select(['name', 'countries', 'postcodes', 'version']).where('id', '=', id).executeTakeFirst()

export const zonesOf = (db: Db, company_id: number): Promise<PriceZoneRow[]> =>
  db
    .selectFrom('price_zones as z')
    .leftJoin('courier_prices as p', j => j.onRef('p.operator_id', '=', 'z.operator_id').onRef('p.zone_id', '=', 'z.id'))
    .select(['z.id', 'z.name', 'z.countries', 'z.postcodes', 'z.version'])
    .select(eb => eb.fn.count<number>('p.id').as('prices'))
    .where('z.company_id', '=', company_id)
    .groupBy(['z.operator_id', 'z.id'])
    .orderBy(sql`upper(z.name)`)
    .execute()

export async function zoneById(db: Db, company_id: number, id: number): Promise<PriceZoneRow> {
  const zones = await zonesOf(db, company_id)
  return orNotFound(
    zones.find(zone => zone.id === id),
    'price_zone_not_found',
    'Price zone not found',
  )
}

const surchargesWithZones = (db: Db) =>
  db
    .selectFrom('price_surcharges as s')
    .leftJoin('price_zones as z', j => j.onRef('z.operator_id', '=', 's.operator_id').onRef('z.id', '=', 's.zone_id'))
    .select(['s.id', 's.name', 's.agent_code', 's.shipping_method', 's.zone_id', 's.kind', 's.amount', 's.currency', 's.percent_milli'])
    .select(['s.over_g', 's.over_length_mm', 's.valid_from', 's.valid_to', 's.version', 'z.name as zone'])

/** Of any company in reach. */
export const findSurcharge = (db: Db, id: number): Promise<SurchargeRow | undefined> =>
  surchargesWithZones(db).where('s.id', '=', id).executeTakeFirst()

export const surchargesOf = (db: Db, company_id: number): Promise<SurchargeRow[]> =>
  surchargesWithZones(db)
    .where('s.company_id', '=', company_id)
    .orderBy('s.agent_code')
    .orderBy(sql`upper(s.name)`)
    .orderBy('s.valid_from', 'desc')
    .execute()

export async function surchargeById(db: Db, company_id: number, id: number): Promise<SurchargeRow> {
  const surcharges = await surchargesOf(db, company_id)
  return orNotFound(
    surcharges.find(surcharge => surcharge.id === id),
    'price_surcharge_not_found',
    'Surcharge not found',
  )
}

const Parts = z.array(z.object({ name: z.string(), amount: z.number() })).catch([])

/** What a shipment costs by the table of the day on which it was booked; null where the table had no price. */
export async function priceOfShipment(db: Db, shipment_id: number): Promise<ParcelPrice | null> {
  const row = await db
    .selectFrom('shipment_prices')
    .select(['amount', 'currency', 'charged_g', 'zone', 'parts'])
    .where('shipment_id', '=', shipment_id)
    .executeTakeFirst()
  return row ? { ...row, parts: Parts.parse(row.parts) } : null
}
