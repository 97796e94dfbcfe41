/** Parcel shops as they are kept: near a postcode, by postcode, and how old each list is. */
import { sql } from 'kysely'
import type { ParcelShop } from '#integrations/couriers/courier.ts'
import type { Db } from '#platform/database/database.ts'
import type { ReplacementMode } from './parcel-shops.schemas.ts'

const mostFound = 20
/** Shops on each side of a postcode that are looked at. */
const neighbours = 15
/** Hours for which a whole list is good enough not to ask the courier again. */
const listHours = 26

/** Postcodes of a country in which couriers have shops, as far as they were asked. */
export async function shopPostcodes(db: Db, country: string): Promise<{ zipcode: string; city: string; agent_codes: string[] }[]> {
  return db
    .selectFrom('parcel_shops')
    .select([
      'postcode as zipcode',
      sql<string>`min(city)`.as('city'),
      sql<string[]>`array_agg(distinct agent_code order by agent_code)`.as('agent_codes'),
    ])
    .where('country', '=', country)
    .where('gone_at', 'is', null)
    .groupBy('postcode')
    .orderBy('postcode')
    .limit(20_000)
    .execute()
}

export interface KeptShop extends ParcelShop {
  seen_at: string
}

interface Place {
  agent_code: string
  country: string
  postcode: string
}

/** In SQL: metres between a shop and a point, exact enough within a country. */
const metres = (lat: number, lng: number) =>
  sql<number>`6371000 * sqrt(power(radians(lat - ${lat}), 2) + power(radians(lng - ${lng}) * cos(radians(${lat})), 2))`

/** The nearest shops that the courier still has; around the middle of the postcode's own shops, else by the order of postcodes. */
export async function nearShops(db: Db, { agent_code, country, postcode }: Place, without: string | null = null): Promise<KeptShop[]> {
  const { rows: around } = await sql<{ shop_id: string; postcode: string; lat: number | null; lng: number | null }>`
    (select shop_id, postcode, lat, lng from parcel_shops
      where operator_id = current_operator_id() and agent_code = ${agent_code} and country = ${country} and postcode >= ${postcode}
        and gone_at is null order by postcode, shop_id limit ${neighbours})
    union all
    (select shop_id, postcode, lat, lng from parcel_shops
      where operator_id = current_operator_id() and agent_code = ${agent_code} and country = ${country} and postcode < ${postcode}
        and gone_at is null order by postcode desc, shop_id limit ${neighbours})`.execute(db)
  const placed = around.flatMap(({ lat, lng, ...one }) => (lat === null || lng === null ? [] : [{ ...one, lat, lng }]))
  const own = placed.filter(one => one.postcode === postcode)
  const middle = own.length > 0 ? own : placed.slice(0, 1)
  const ids = around.map(one => one.shop_id)
  if (middle.length === 0) return shopsById(db, { agent_code, country }, ids.filter(id => id !== without).slice(0, mostFound), null)
  const lat = middle.reduce((sum, one) => sum + one.lat, 0) / middle.length
  const lng = middle.reduce((sum, one) => sum + one.lng, 0) / middle.length
  return shopsAround(db, { agent_code, country, lat, lng, ids }, without)
}

/** The shops of the nine squares around a point and those with these numbers, the nearest first. */
async function shopsAround(
  db: Db,
  { agent_code, country, lat, lng, ids }: { agent_code: string; country: string; lat: number; lng: number; ids: readonly string[] },
  without: string | null,
): Promise<KeptShop[]> {
  const square = Math.floor((lat + 90) * 10) * 3_601 + Math.floor((lng + 180) * 10)
  const cells = [-1, 0, 1].flatMap(row => [-1, 0, 1].map(column => square + row * 3_601 + column))
  const { rows } = await sql<{ shop_id: string }>`
    select shop_id from parcel_shops
    where operator_id = current_operator_id() and agent_code = ${agent_code} and country = ${country}
      and (cell = any (${cells}::int[]) or shop_id = any (${ids}::text[])) and lat is not null and gone_at is null
    order by ${metres(lat, lng)}, shop_id limit ${mostFound + 1}`.execute(db)
  return shopsById(
    db,
    { agent_code, country },
    rows
      .map(row => row.shop_id)
      .filter(id => id !== without)
      .slice(0, mostFound),
    { lat, lng },
  )
}

/** In the order of the numbers. */
async function shopsById(
  db: Db,
  { agent_code, country }: Omit<Place, 'postcode'>,
  ids: readonly string[],
  from: { lat: number; lng: number } | null,
): Promise<KeptShop[]> {
  if (ids.length === 0) return []
  const { lat, lng } = from ?? { lat: 0, lng: 0 }
  const rows = await db
    .selectFrom('parcel_shops')
    .select(['shop_id', 'name', 'address1', 'postcode', 'city', 'country', 'lat', 'lng', 'locker', 'opening_hours', 'seen_at'])
    .select(metres(lat, lng).as('metres'))
    .where('agent_code', '=', agent_code)
    .where('country', '=', country)
    .where('shop_id', 'in', ids)
    .execute()
  return ids.flatMap(id => {
    const row = rows.find(one => one.shop_id === id)
    if (!row) return []
    const { shop_id, metres: far, ...shop } = row
    return [{ ...shop, id: shop_id, distance_m: from && far !== null ? Math.round(far) : null }]
  })
}

/** Whether the courier's whole list of the country was read lately, so that the shops as they are kept are all there are. */
export async function hasFreshList(db: Db, { agent_code, country }: Omit<Place, 'postcode'>, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('parcel_shop_lists')
    .select('read_at')
    .where('agent_code', '=', agent_code)
    .where('country', '=', country)
    .where('read_at', '>', new Date(now.getTime() - listHours * 3_600_000).toISOString())
    .executeTakeFirst()
  return row !== undefined
}

export const shopLists = (db: Db, agent_code: string) =>
  db
    .selectFrom('parcel_shop_lists')
    .select(['country', 'asked_at', 'read_at', 'shops', 'failure'])
    .where('agent_code', '=', agent_code)
    .orderBy('country')
    .execute()

/** Postcodes that were not asked for since then, the longest unasked first. */
export async function duePostcodes(
  db: Db,
  { agent_code, country }: Omit<Place, 'postcode'>,
  before: string,
  limit: number,
): Promise<{ postcode: string }[]> {
  return db
    .selectFrom('parcel_shops')
    .select('postcode')
    .where('agent_code', '=', agent_code)
    .where('country', '=', country)
    .where('gone_at', 'is', null)
    .groupBy('postcode')
    .having(sql<boolean>`min(checked_at) < ${before}`)
    .orderBy(sql`min(checked_at)`)
    .orderBy('postcode')
    .limit(limit)
    .execute()
}

export async function replacementOf(db: Db, company_id: number): Promise<{ mode: ReplacementMode; version: number }> {
  const row = await db
    .selectFrom('parcel_shop_replacement')
    .select(['mode', 'version'])
    .where('company_id', '=', company_id)
    .executeTakeFirst()
  return { mode: row?.mode === 'nearest' ? 'nearest' : 'ask', version: row?.version ?? 0 }
}

/** A parcel shop by its number, where the courier still has it. */
export async function keptShop(db: Db, { agent_code, country, id }: { agent_code: string; country: string; id: string }) {
  return db
    .selectFrom('parcel_shops')
    .select(['shop_id as id', 'name', 'address1', 'postcode', 'city', 'country'])
    .where('agent_code', '=', agent_code)
    .where('country', '=', country)
    .where('shop_id', '=', id)
    .where('gone_at', 'is', null)
    .executeTakeFirst()
}

/** When a parcel shop is open, in the courier's words; empty where it is not known. */
export async function hoursOfShop(
  db: Db,
  { agent_code, country, id }: { agent_code: string; country: string; id: string },
): Promise<string[]> {
  const row = await db
    .selectFrom('parcel_shops')
    .select('opening_hours')
    .where('agent_code', '=', agent_code)
    .where('country', '=', country)
    .where('shop_id', '=', id)
    .executeTakeFirst()
  return row?.opening_hours ?? []
}
