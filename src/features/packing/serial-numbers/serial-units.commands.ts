/** Writes imported serial numbers: adds them, lets their states follow the orders, holds them back. */
import { sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import { formatIssue } from '#domain/order/canonical-order.ts'
import type { SerialSettings } from '#features/company/companies/companies.schemas.ts'
import type { Db } from '#platform/database/database.ts'
import { serialPolicy } from './serial-numbers.queries.ts'
import { serialKey } from './serial-numbers.rules.ts'
import { type MarkedState, mostOfPack } from './serial-units.codes.ts'
import { existingUnits, sameKey } from './serial-units.queries.ts'
import { type UnitImport, WrittenUnit } from './serial-units.schemas.ts'

const sentences = {
  product: 'No product has the SKU {{sku}}',
  rule: '{{code}} is not a serial number of {{sku}}',
  short: '{{code}} is too short for a serial number',
  twice: 'Row {{row}} has the same serial number',
  pack: '{{code}} is the multipack of {{sku}}',
  barcode: '{{code}} is the barcode of a product',
  full: 'A multipack holds at most {{count}} items',
  form: 'The row is no serial number with its SKU',
} as const

interface GoodUnit {
  row: number
  sku_key: string
  serial: string
  serial_key: string
  pack_code: string | null | undefined
  lot: string | null | undefined
  expiry: string | null | undefined
}
const mostFindings = 100
export const noUnits = (): UnitImport => ({ added: 0, changed: 0, unchanged: 0, refused: 0, problems: [] })

export const sumOf = (one: UnitImport, more: UnitImport): UnitImport => ({
  added: one.added + more.added,
  changed: one.changed + more.changed,
  unchanged: one.unchanged + more.unchanged,
  refused: one.refused + more.refused,
  problems: [...one.problems, ...more.problems].slice(0, mostFindings),
})

/**
 * Judges each unit alone and stores the good ones. A field that is left out stays as it is; an empty one is cleared.
 * Two imports at once wait for each other, so that a pack code has one product.
 */
export async function storeUnits(db: Db, company_id: number, given: readonly { row: number; unit: unknown }[]): Promise<UnitImport> {
  await db.selectFrom('companies').select('id').where('id', '=', company_id).forNoKeyUpdate().execute()
  const result = noUnits()
  const refuse = (row: number, field: string, text: string, values: Record<string, string | number> = {}) => {
    result.refused++
    if (result.problems.length < mostFindings) result.problems.push({ ...formatIssue({ field, text, values }), row })
  }
  const read: { row: number; unit: WrittenUnit }[] = []
  for (const { row, unit } of given) {
    const { success, data, error } = WrittenUnit.safeParse(unit)
    if (success) read.push({ row, unit: data })
    else {
      const [issue] = error.issues
      const own = issue && issue.code !== 'unrecognized_keys' && issue.path.length > 0 ? issue : undefined
      refuse(row, String(own?.path[0] ?? ''), own && !/^(Invalid|Too)/.test(own.message) ? own.message : sentences.form)
    }
  }
  const products = await db
    .selectFrom('products')
    .select(['id', 'sku_key'])
    .where('company_id', '=', company_id)
    .where('sku_key', '=', sql<string>`any(${[...new Set(read.map(({ unit }) => unit.sku.toUpperCase()))]}::text[])`)
    .execute()
  const productOf = new Map(products.map(({ id, sku_key }) => [sku_key, id]))
  const { settings, rules } = await serialPolicy(
    db,
    company_id,
    products.map(({ id }) => id),
  )
  const packs = await knownPacks(db, company_id, [...new Set(read.flatMap(({ unit }) => unit.pack_code || []))])
  const good = new Map<string, GoodUnit>()
  for (const { row, unit } of read) {
    const sku_key = unit.sku.toUpperCase()
    const product_id = productOf.get(sku_key)
    const rule = product_id === undefined ? undefined : rules.get(product_id)
    const serial = rule?.serialIn(unit.serial) || unit.serial
    const key = { sku_key, serial_key: serialKey(serial, settings.letters) }
    const before = good.get(sameKey(key))
    const pack = unit.pack_code ? packs.get(unit.pack_code) : undefined
    if (product_id === undefined) refuse(row, 'sku', sentences.product, { sku: unit.sku })
    else if (rule?.matches(unit.serial) === false) refuse(row, 'serial', sentences.rule, { code: unit.serial, sku: unit.sku })
    else if (serial.length < settings.min_length) refuse(row, 'serial', sentences.short, { code: serial })
    else if (before) refuse(row, 'serial', sentences.twice, { row: before.row })
    else if (pack?.barcode) refuse(row, 'pack_code', sentences.barcode, { code: unit.pack_code ?? '' })
    else if (pack?.sku_key && pack.sku_key !== sku_key)
      refuse(row, 'pack_code', sentences.pack, { code: unit.pack_code ?? '', sku: pack.sku_key })
    else if (pack && !pack.keys.has(sameKey(key)) && pack.keys.size >= mostOfPack)
      refuse(row, 'pack_code', sentences.full, { count: mostOfPack })
    else {
      if (pack) {
        pack.sku_key = sku_key
        pack.keys.add(sameKey(key))
      }
      const { pack_code, lot, expiry } = unit
      good.set(sameKey(key), { row, ...key, serial, pack_code: pack_code === '' ? null : pack_code, lot: lot === '' ? null : lot, expiry })
    }
  }
  result.problems.sort((one, other) => one.row - other.row)
  const stored = new Map((await existingUnits(db, company_id, [...good.values()])).map(one => [sameKey(one), one]))
  const changed: object[] = []
  for (const [key, unit] of good) {
    const before = stored.get(key)
    const now = {
      pack_code: unit.pack_code === undefined ? (before?.pack_code ?? null) : unit.pack_code,
      lot: unit.lot === undefined ? (before?.lot ?? null) : unit.lot,
      expiry: unit.expiry === undefined ? (before?.expiry ?? null) : unit.expiry,
    }
    if (before && before.pack_code === now.pack_code && before.lot === now.lot && before.expiry === now.expiry) result.unchanged++
    else {
      result[before ? 'changed' : 'added']++
      changed.push({ sku_key: unit.sku_key, serial: unit.serial, serial_key: unit.serial_key, ...now })
    }
  }
  if (changed.length === 0) return result
  const { rows } = await sql<{ id: number }>`insert into serial_units (company_id, sku_key, serial, serial_key, pack_code, lot, expiry)
    select ${company_id}::bigint, r.sku_key, r.serial, r.serial_key, r.pack_code, r.lot, r.expiry
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as r(sku_key text, serial text, serial_key text, pack_code text, lot text, expiry date)
    on conflict (operator_id, company_id, sku_key, serial_key)
      do update set pack_code = excluded.pack_code, lot = excluded.lot, expiry = excluded.expiry
    returning id`.execute(db)
  // A serial number may have gone out before it was imported.
  await followUnits(
    db,
    rows.map(({ id }) => id),
  )
  return result
}

interface KnownPack {
  sku_key: string | null
  barcode: boolean
  keys: Set<string>
}

async function knownPacks(db: Db, company_id: number, codes: readonly string[]): Promise<Map<string, KnownPack>> {
  const packs = new Map<string, KnownPack>(codes.map(code => [code, { sku_key: null, barcode: false, keys: new Set() }]))
  if (codes.length === 0) return packs
  const [units, barcodes] = await Promise.all([
    db
      .selectFrom('serial_units')
      .select(['pack_code', 'sku_key', 'serial_key'])
      .where('company_id', '=', company_id)
      .where('pack_code', '=', sql<string>`any(${codes}::text[])`)
      .execute(),
    db
      .selectFrom('product_barcodes')
      .select('barcode')
      .where('company_id', '=', company_id)
      .where('barcode', '=', sql<string>`any(${codes}::text[])`)
      .execute(),
  ])
  for (const unit of units) {
    const pack = packs.get(unit.pack_code ?? '')
    if (pack) {
      pack.sku_key = unit.sku_key
      pack.keys.add(sameKey(unit))
    }
  }
  for (const { barcode } of barcodes) {
    const pack = packs.get(barcode)
    if (pack) pack.barcode = true
  }
  return packs
}

/** Out while an order has it, back when that order's piece came back, else in stock. What a person has set stays. */
const stateByOrders = sql<string>`case
  when exists (select from order_serials n where n.operator_id = u.operator_id and n.company_id = u.company_id and n.serial_key = u.serial_key
    and n.sku_key = u.sku_key and n.removed_at is null and n.returned_at is null) then 'sent'
  when exists (select from order_serials n where n.operator_id = u.operator_id and n.company_id = u.company_id and n.serial_key = u.serial_key
    and n.sku_key = u.sku_key and n.removed_at is null) then 'returned'
  else 'in_stock' end`

const ofOrders = sql`u.operator_id = current_operator_id() and u.company_id = any (current_company_ids())
  and u.state in ('in_stock', 'sent', 'returned')`

/** The states of these units, by what has become of their serial numbers. */
async function followUnits(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`update serial_units u set state = ${stateByOrders} where ${ofOrders} and u.id = any (${ids}::bigint[])`.execute(db)
}

/** These units have been packed. */
export async function sendUnits(db: Db, ids: readonly number[]): Promise<void> {
  await db
    .updateTable('serial_units')
    .set({ state: 'sent' })
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('state', 'in', ['in_stock', 'returned'])
    .execute()
}

/** The same for the serial numbers of orders, or of one line, whose packing, unpacking or return has changed them. */
export async function followSerials(db: Db, of: { order_ids: readonly number[] } | { order_line_id: number }): Promise<void> {
  const these = 'order_ids' in of ? sql`s.order_id = any (${of.order_ids}::bigint[])` : sql`s.order_line_id = ${of.order_line_id}`
  await sql`update serial_units u set state = ${stateByOrders}
    from (select distinct s.company_id, s.sku_key, s.serial_key from order_serials s where s.operator_id = current_operator_id() and ${these}) s
    where ${ofOrders} and u.company_id = s.company_id and u.sku_key = s.sku_key and u.serial_key = s.serial_key`.execute(db)
}

export interface ChangedUnit {
  id: number
  company_id: number
}

/** A sent unit is not taken out of the stock. Answers which were changed. */
export async function markUnits(db: Db, ids: readonly number[], as: MarkedState): Promise<ChangedUnit[]> {
  const from = {
    recalled: ['in_stock', 'sent', 'returned', 'removed'],
    removed: ['in_stock', 'returned', 'recalled'],
    in_stock: ['recalled', 'removed'],
  } as const
  const changed = await db
    .updateTable('serial_units')
    .set({ state: as })
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('state', 'in', from[as])
    .returning(['id', 'company_id'])
    .execute()
  if (as === 'in_stock')
    await followUnits(
      db,
      changed.map(({ id }) => id),
    )
  return changed
}

const place = (serial: string) => sql`(length(${serial}), ${serial}::text collate "C")`

/** Holds back a product's serial numbers: the imported ones, and those that went out, which may come back. */
export async function recallUnits(
  db: Db,
  { sku, first, last, company_id }: { sku: string; first?: string | undefined; last?: string | undefined; company_id?: number | undefined },
): Promise<ChangedUnit[]> {
  const asked = sql`operator_id = current_operator_id() and company_id = any (current_company_ids()) and sku_key = ${sku.toUpperCase()}
    ${company_id === undefined ? sql`` : sql`and company_id = ${company_id}`}
    ${first ? sql`and (length(serial), serial collate "C") >= ${place(first)}` : sql``}
    ${last ? sql`and (length(serial), serial collate "C") <= ${place(last)}` : sql``}`
  await sql`insert into serial_units (company_id, sku_key, serial, serial_key)
    select distinct on (company_id, serial_key) company_id, sku_key, serial, serial_key from order_serials
    where ${asked} and removed_at is null and sku_key <> '' order by company_id, serial_key, id
    on conflict (operator_id, company_id, sku_key, serial_key) do nothing`.execute(db)
  const { rows } = await sql<ChangedUnit>`update serial_units set state = 'recalled'
    where ${asked} and state not in ('recalled', 'removed') returning id, company_id`.execute(db)
  return rows
}

/** Compares the imported serial numbers of a company as its settings now say. */
export async function compareUnits(db: Db, company_id: number, letters: SerialSettings['letters']): Promise<void> {
  const key = letters === 'upper' ? sql<string>`upper(normalize(serial, nfc))` : sql<string>`normalize(serial, nfc)`
  const twice = await db
    .selectFrom('serial_units')
    .select(sql<string>`min(serial)`.as('serial'))
    .where('company_id', '=', company_id)
    .groupBy(['sku_key', key])
    .having(eb => eb(eb.fn.countAll(), '>', 1))
    .limit(20)
    .execute()
  const serials = twice.map(row => row.serial)
  if (serials.length > 0)
    throw conflict(
      'duplicate_units',
      'These serial numbers were imported in small and in capital letters: {{serials}}',
      { serials: serials.join(', ') },
      { current: { serials } },
    )
  await db
    .updateTable('serial_units')
    .set({ serial_key: key })
    .where('company_id', '=', company_id)
    .where('serial_key', '<>', key)
    .execute()
}
