/** Keeps the parcel shops that couriers name, so that their postcodes can be offered without asking again. */
import { sql } from 'kysely'
import type { ParcelShop } from '#integrations/couriers/courier.ts'
import type { Db } from '#platform/database/database.ts'

/** Shops of one answer that are kept. */
const mostShops = 100
/** Lines of opening hours. */
const mostHours = 14

export async function keepParcelShops(db: Db, agent_code: string, shops: readonly ParcelShop[], at: string): Promise<void> {
  // One answer may name a shop twice, and a statement may write a row only once.
  const known = new Map(
    shops.slice(0, mostShops).flatMap(({ id, name, address1, postcode, city, country, opening_hours }): [string, typeof row][] => {
      const row = {
        agent_code,
        country: country.toUpperCase(),
        shop_id: id.slice(0, 60),
        name: name.slice(0, 200),
        address1: address1.slice(0, 200),
        postcode: postcode.slice(0, 20),
        city: city.slice(0, 100),
        opening_hours: opening_hours.slice(0, mostHours).map(one => one.slice(0, 100)),
        seen_at: at,
      }
      return /^[A-Z]{2}$/.test(row.country) && row.shop_id && row.postcode ? [[`${row.country} ${row.shop_id}`, row]] : []
    }),
  )
  if (known.size === 0) return
  const rows = [...known.values()].toSorted((a, b) => (a.country + a.shop_id < b.country + b.shop_id ? -1 : 1))
  await db
    .insertInto('parcel_shops')
    .values(rows)
    .onConflict(same =>
      same.columns(['operator_id', 'agent_code', 'country', 'shop_id']).doUpdateSet(eb => ({
        name: eb.ref('excluded.name'),
        address1: eb.ref('excluded.address1'),
        postcode: eb.ref('excluded.postcode'),
        city: eb.ref('excluded.city'),
        opening_hours: eb.ref('excluded.opening_hours'),
        seen_at: eb.ref('excluded.seen_at'),
      })),
    )
    .execute()
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
    .groupBy('postcode')
    .orderBy('postcode')
    .limit(20_000)
    .execute()
}
