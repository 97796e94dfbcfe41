/** Reads imported serial numbers. */
import { sql } from 'kysely'
import { type Page, pageOffset } from '#contract/page.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginsWith } from '#platform/database/like-pattern.ts'
import { mostOfPack } from './serial-units.codes.ts'
import type { StoredUnit } from './serial-units.rules.ts'
import type { SerialUnit, UnitQuestion } from './serial-units.schemas.ts'

/** The newest first. */
export async function findUnits(
  db: Db,
  { query = '', state, sku, company_id, page, limit }: UnitQuestion & { page: number; limit: number },
): Promise<Page<SerialUnit>> {
  let from = db.selectFrom('serial_units as u')
  const text = query.normalize('NFC')
  if (text !== '')
    from = from.where(eb =>
      eb.or([beginsWith('u.serial_key', text), beginsWith('u.serial_key', text.toUpperCase()), eb('u.pack_code', '=', query)]),
    )
  if (state) from = from.where('u.state', '=', state)
  if (sku) from = from.where('u.sku_key', '=', sku.toUpperCase())
  if (company_id !== undefined) from = from.where('u.company_id', '=', company_id)
  const rows = await from
    .innerJoin('companies as c', 'c.id', 'u.company_id')
    .leftJoin('products as p', j => j.onRef('p.company_id', '=', 'u.company_id').onRef('p.sku_key', '=', 'u.sku_key'))
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('order_serials as s')
          .innerJoin('orders as o', 'o.id', 's.order_id')
          .select(['s.order_id', 'o.order_no', 'o.packed_at'])
          .whereRef('s.company_id', '=', 'u.company_id')
          .whereRef('s.serial_key', '=', 'u.serial_key')
          .whereRef('s.sku_key', '=', 'u.sku_key')
          .where('s.removed_at', 'is', null)
          .orderBy('s.id', 'desc')
          .limit(1)
          .as('last'),
      j => j.onTrue(),
    )
    .select(['u.id', 'u.serial', 'u.sku_key as sku', 'p.name as product', 'u.state', 'u.pack_code', 'u.lot', 'u.expiry', 'u.company_id'])
    .select(['c.code as company', 'u.imported_at', 'last.order_id', 'last.order_no'])
    .select(sql<boolean>`u.state = 'sent' and last.order_id is not null and last.packed_at is null`.as('in_packing'))
    .orderBy('u.id', 'desc')
    .limit(limit)
    .offset(pageOffset({ page, limit }))
    .execute()
  return { rows, ...(await cappedCount(db, from)), offset: pageOffset({ page, limit }), limit }
}

/** Units of these outer packs, or of any product with this serial number, held until this change ends. */
export const unitsOfCode = (db: Db, company_id: number, packs: readonly string[], serial_key: string | null): Promise<StoredUnit[]> =>
  db
    .selectFrom('serial_units')
    .select(['id', 'sku_key', 'serial', 'serial_key', 'state', 'pack_code'])
    .where('company_id', '=', company_id)
    .where(eb => eb.or([eb('pack_code', '=', sql<string>`any(${packs}::text[])`), eb('serial_key', '=', serial_key)]))
    .orderBy('id')
    .limit(mostOfPack + 20)
    .forUpdate()
    .execute()

export const sameKey = (one: { sku_key: string; serial_key: string }): string => `${one.sku_key}\n${one.serial_key}`

export const existingUnits = (db: Db, company_id: number, keys: readonly { sku_key: string; serial_key: string }[]) =>
  db
    .selectFrom('serial_units')
    .select(['id', 'sku_key', 'serial_key', 'pack_code', 'lot', 'expiry'])
    .where('company_id', '=', company_id)
    .where(
      sql<boolean>`(sku_key, serial_key) in (select * from unnest(${keys.map(one => one.sku_key)}::text[], ${keys.map(one => one.serial_key)}::text[]))`,
    )
    .execute()
