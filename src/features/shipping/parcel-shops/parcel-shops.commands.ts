/** Keeps the parcel shops that couriers name, so that they can be offered without asking again. */
import { sql } from 'kysely'
import type { ParcelShop } from '#integrations/couriers/courier.ts'
import type { Db } from '#platform/database/database.ts'
import type { ReplacementMode } from './parcel-shops.schemas.ts'

/** Shops of one statement, of one answer near a postcode, and of one list. */
const batch = 1_000
const mostNear = 100
const mostOfList = 60_000
/** Hours that lie between two answers that leave a shop out, before it counts as gone. */
const goneHours = 12
/** A list with fewer of the known shops than this share is taken as incomplete, and marks no shop as missing. */
const completeShare = 0.5

const mostHours = 14

function rowOf(agent_code: string, shop: ParcelShop) {
  const { lat = null, lng = null } = shop
  return {
    agent_code,
    country: shop.country.toUpperCase(),
    shop_id: shop.id.slice(0, 60),
    name: shop.name.slice(0, 200),
    address1: shop.address1.slice(0, 200),
    postcode: shop.postcode.slice(0, 20),
    city: shop.city.slice(0, 100),
    lat: lng === null ? null : lat,
    lng: lat === null ? null : lng,
    locker: shop.locker ?? false,
    opening_hours: shop.opening_hours.slice(0, mostHours).map(line => line.slice(0, 80)),
  }
}

/** Rows that can be stored, each once and in one order, so that two writers cannot deadlock. */
function rowsOf(agent_code: string, shops: readonly ParcelShop[]) {
  const rows = shops.map(shop => rowOf(agent_code, shop)).filter(row => /^[A-Z]{2}$/.test(row.country) && row.shop_id && row.postcode)
  return [...new Map(rows.map(row => [`${row.country} ${row.shop_id}`, row])).values()].toSorted((a, b) =>
    a.country + a.shop_id < b.country + b.shop_id ? -1 : 1,
  )
}

async function storeShops(db: Db, rows: ReturnType<typeof rowsOf>, at: string): Promise<void> {
  for (let from = 0; from < rows.length; from += batch)
    await db
      .insertInto('parcel_shops')
      .values(rows.slice(from, from + batch).map(row => ({ ...row, seen_at: at, checked_at: at })))
      .onConflict(same =>
        same.columns(['operator_id', 'agent_code', 'country', 'shop_id']).doUpdateSet(eb => ({
          name: eb.ref('excluded.name'),
          address1: eb.ref('excluded.address1'),
          postcode: eb.ref('excluded.postcode'),
          city: eb.ref('excluded.city'),
          lat: eb.fn.coalesce('excluded.lat', 'parcel_shops.lat'),
          lng: eb.fn.coalesce('excluded.lng', 'parcel_shops.lng'),
          locker: eb.ref('excluded.locker'),
          // A search near a postcode may say less than the list.
          opening_hours: sql`case when excluded.opening_hours = '{}' then parcel_shops.opening_hours else excluded.opening_hours end`,
          seen_at: eb.ref('excluded.seen_at'),
          checked_at: eb.ref('excluded.checked_at'),
          missed_at: null,
          gone_at: null,
        })),
      )
      .execute()
}

/** What a search near a postcode named. `postcode` is what was asked for: its other shops were left out. */
export async function keepParcelShops(
  db: Db,
  agent_code: string,
  shops: readonly ParcelShop[],
  at: string,
  asked?: { country: string; postcode: string },
): Promise<void> {
  const rows = rowsOf(agent_code, shops.slice(0, mostNear))
  for (const country of new Set(rows.map(row => row.country)))
    await db
      .insertInto('parcel_shop_lists')
      .values({ agent_code, country })
      .onConflict(known => known.doNothing())
      .execute()
  await storeShops(db, rows, at)
  if (!asked) return
  await db
    .updateTable('parcel_shops')
    .set({ checked_at: at })
    .where('agent_code', '=', agent_code)
    .where('country', '=', asked.country)
    .where('postcode', '=', asked.postcode)
    .execute()
  // An answer without any shop may be a fault; and one that was cut may have left some out.
  if (rows.length > 0 && rows.some(row => row.postcode !== asked.postcode))
    await markMissing(db, { agent_code, country: asked.country, postcode: asked.postcode }, at)
}

interface ShopsOf {
  agent_code: string
  country: string
  /** A pattern of numbers that the list says nothing of. */
  others?: string | undefined
}

/** Shops that were not seen now are missed, and gone when they were missed before. */
async function markMissing(db: Db, of: ShopsOf & { postcode?: string }, at: string): Promise<void> {
  const before = new Date(Date.parse(at) - goneHours * 3_600_000).toISOString()
  await db
    .updateTable('parcel_shops')
    .set({
      missed_at: sql`coalesce(missed_at, ${at}::timestamptz)`,
      gone_at: sql`case when missed_at <= ${before} then ${at}::timestamptz end`,
    })
    .where('agent_code', '=', of.agent_code)
    .where('country', '=', of.country)
    .where('seen_at', '<', at)
    .where('gone_at', 'is', null)
    .$if(of.postcode !== undefined, query => query.where('postcode', '=', of.postcode ?? ''))
    .$if(of.others !== undefined, query => query.where('shop_id', '!~', of.others ?? ''))
    .execute()
}

/** Puts a courier's list of a country in the place of the last one; answers how many shops it has. Readers see the old one or the new one. */
export async function replaceShopList(db: Db, of: ShopsOf, shops: readonly ParcelShop[], at: string): Promise<number> {
  const rows = rowsOf(
    of.agent_code,
    shops.slice(0, mostOfList).filter(shop => shop.country.toUpperCase() === of.country),
  )
  const { known } = await db
    .selectFrom('parcel_shops')
    .select(eb => eb.fn.countAll<number>().as('known'))
    .where('agent_code', '=', of.agent_code)
    .where('country', '=', of.country)
    .where('gone_at', 'is', null)
    .$if(of.others !== undefined, query => query.where('shop_id', '!~', of.others ?? ''))
    .executeTakeFirstOrThrow()
  await storeShops(db, rows, at)
  if (rows.length >= Number(known) * completeShare) await markMissing(db, of, at)
  return rows.length
}

/** Says when a list was begun to be read, so that it is left alone for a while also where that fails. */
export async function startReading(db: Db, of: { agent_code: string; country: string }, at: string): Promise<void> {
  await db
    .insertInto('parcel_shop_lists')
    .values({ ...of, asked_at: at })
    .onConflict(known => known.columns(['operator_id', 'agent_code', 'country']).doUpdateSet({ asked_at: at }))
    .execute()
}

export async function endReading(
  db: Db,
  of: { agent_code: string; country: string },
  result: { shops: number; read_at: string } | { failure: string },
): Promise<void> {
  await db
    .updateTable('parcel_shop_lists')
    .set('failure' in result ? { failure: result.failure.slice(0, 300) } : { ...result, failure: null })
    .where('agent_code', '=', of.agent_code)
    .where('country', '=', of.country)
    .execute()
}

/** False where `version` is not the saved one any more. */
export async function saveReplacement(
  db: Db,
  company_id: number,
  { mode, version }: { mode: ReplacementMode; version: number },
): Promise<boolean> {
  const saved =
    version === 0
      ? await db
          .insertInto('parcel_shop_replacement')
          .values({ company_id, mode })
          .onConflict(taken => taken.columns(['operator_id', 'company_id']).doNothing())
          .returning('version')
          .executeTakeFirst()
      : await db
          .updateTable('parcel_shop_replacement')
          .set(eb => ({ mode, version: eb('version', '+', 1) }))
          .where('company_id', '=', company_id)
          .where('version', '=', version)
          .returning('version')
          .executeTakeFirst()
  return saved !== undefined
}
