/** Reads serial numbers: their rules, and those that went out. */

import { sql } from 'kysely'
import * as z from 'zod'
import type { Page } from '#contract/page.ts'
import { boundsOfDay } from '#domain/local-days.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { SerialScope, type SerialSettings } from '#features/company/companies/companies.schemas.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginsWith } from '#platform/database/like-pattern.ts'
import { compileSafeRegExp } from '#platform/http/tenant-host.ts'
import { extracted } from './serial-extraction.rules.ts'
import { mostRecalled, type SerialState } from './serial-numbers.codes.ts'
import { serialKey } from './serial-numbers.rules.ts'
import {
  type ExtractStep,
  ExtractSteps,
  type Serial,
  type SerialCheck,
  type SerialQuestion,
  type SerialRange,
} from './serial-numbers.schemas.ts'

/** Of any company in reach. */
export async function serialCheckById(db: Db, id: number): Promise<(SerialCheck & { company_id: number }) | undefined> {
  const row = await db.selectFrom('serial_rule_products').select('company_id').where('id', '=', id).executeTakeFirst()
  const check = row && (await serialChecks(db, row.company_id)).find(one => one.id === id)
  return row && check && { ...check, company_id: row.company_id }
}

export async function serialChecks(db: Db, company_id: number): Promise<SerialCheck[]> {
  const rows = await db
    .selectFrom('serial_rule_products as c')
    .innerJoin('serial_rules as r', j => j.onRef('r.operator_id', '=', 'c.operator_id').onRef('r.id', '=', 'c.rule_id'))
    .select(['c.id', 'r.regex', 'r.scope', 'r.extract', 'c.barcode', 'c.created_at'])
    .select(eb =>
      eb
        .selectFrom('products as p')
        .leftJoin('product_barcodes as b', j => j.onRef('b.operator_id', '=', 'p.operator_id').onRef('b.product_id', '=', 'p.id'))
        .select('p.name')
        .where('p.company_id', '=', company_id)
        .where(or => or.or([or('b.barcode', '=', or.ref('c.barcode')), or('p.sku_key', '=', or.fn<string>('upper', ['c.barcode']))]))
        .limit(1)
        .as('product'),
    )
    .where('c.company_id', '=', company_id)
    .orderBy('c.barcode')
    .limit(1_000)
    .execute()
  return rows.map(row => ({ ...row, extract: stepsOf(row.extract) }))
}

/** How serials of an order's products are judged. */
export interface SerialPolicy {
  settings: SerialSettings
  /** By product; a product without a rule takes any serial. */
  rules: ReadonlyMap<number, SerialRule>
}
export interface SerialRule {
  scope: SerialSettings['default_scope']
  /** The serial number in a scanned code; an empty text where it holds none. */
  serialIn(code: string): string
  /** Whether the serial number in a scanned code is one of the rule. */
  matches(code: string): boolean
}

/** The policy of the order's company for these products. */
export async function serialPolicy(db: Db, company_id: number, product_ids: readonly number[]): Promise<SerialPolicy> {
  const { serials: settings } = await companySettings(db, company_id)
  return policyOf(settings, await readRules(db, company_id, product_ids))
}

export const policyOf = (settings: SerialSettings, { rules }: KeptRules): SerialPolicy => ({
  settings,
  rules: new Map(rules.map(({ product_id, scope, ...rule }) => [product_id, { scope, ...serialReader(rule, settings) }])),
})

/** Rules as a packing session keeps them, with the products for which they were read: those without a rule stand there too. */
const KeptRules = z.object({
  products: z.array(z.number()),
  rules: z.array(z.object({ product_id: z.number(), regex: z.string(), scope: SerialScope, extract: z.unknown() })),
})
export type KeptRules = z.infer<typeof KeptRules>
const Plan = z.object({ serials: KeptRules.nullable().catch(null) })

/** The rules that were read when a session was opened; null where none were. */
export const keptRules = (plan: unknown): KeptRules | null => Plan.parse(plan).serials

/** The rules of all products of an order that need serials; null where none does. */
export async function rulesOfOrder(db: Db, { id, company_id }: { id: number; company_id: number }): Promise<KeptRules | null> {
  const rows = await db
    .selectFrom('order_lines as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select('l.product_id')
    .distinct()
    .where('l.order_id', '=', id)
    .where('l.product_id', 'is not', null)
    .where(lineNeedsSerial)
    .limit(mostKept)
    .execute()
  const product_ids = rows.flatMap(row => row.product_id ?? [])
  return product_ids.length === 0 ? null : readRules(db, company_id, product_ids)
}
const mostKept = 500

/** The rules of these products, by their barcodes and SKUs. */
export async function readRules(db: Db, company_id: number, product_ids: readonly number[]): Promise<KeptRules> {
  const products = [...product_ids]
  if (products.length === 0) return { products, rules: [] }
  const rows = await db
    .selectFrom('products as p')
    .leftJoin('product_barcodes as b', 'b.product_id', 'p.id')
    .innerJoin('serial_rule_products as c', j =>
      j
        .onRef('c.company_id', '=', 'p.company_id')
        .on(eb => eb.or([eb('c.barcode', '=', eb.ref('b.barcode')), eb('c.barcode', '=', eb.ref('p.sku'))])),
    )
    .innerJoin('serial_rules as r', j => j.onRef('r.operator_id', '=', 'c.operator_id').onRef('r.id', '=', 'c.rule_id'))
    .select(['p.id as product_id', 'r.regex', 'r.scope', 'r.extract'])
    .where('p.company_id', '=', company_id)
    .where('p.id', '=', sql<number>`any(${product_ids})`)
    .orderBy('p.id')
    .orderBy('c.id')
    .execute()
  // Of several rules of a product the first.
  return { products, rules: rows.filter((row, at) => row.product_id !== rows[at - 1]?.product_id) }
}

/** How a rule reads a code. What is cut out of a longer one has a length of its own, which must do. */
export function serialReader(
  { regex, extract }: { regex: string; extract: unknown },
  settings: SerialSettings,
): Pick<SerialRule, 'serialIn' | 'matches'> {
  const steps = stepsOf(extract)
  const fits = matcher(regex, settings)
  const serialIn = (code: string) => extracted(code, steps)
  return {
    serialIn,
    matches: code => fits(serialIn(code)) && (steps.length === 0 || serialIn(code).length >= settings.min_length),
  }
}

/** Steps that can no longer be read leave the code as it is. */
const stepsOf = (extract: unknown): ExtractStep[] => ExtractSteps.catch([]).parse(extract)

/** A pattern that can no longer be read lets nothing through: better a question than a wrong serial. */
function matcher(regex: string, { letters }: SerialSettings): (serial: string) => boolean {
  const pattern = compileSafeRegExp(regex)
  return serial => pattern?.matches(serialKey(serial, letters)) ?? false
}

/**
 * Whether a line `l` with its product `p` needs a serial for each piece: by the property of the line or of the product, unless the
 * company of the line records none.
 */
export const lineNeedsSerial = sql<boolean>`(l.serial_required or coalesce(p.serial_required, false)) and coalesce(
  (select (c.settings->'serials'->>'enabled')::boolean from companies c where c.operator_id = l.operator_id and c.id = l.company_id), true)`

/** The order with which a serial went out, while it has not come back: of the same line, of the same product, or of any of the company. */
export const serialUsed = (
  db: Db,
  company_id: number,
  scope: 'line' | 'product' | 'company',
  serial: { sku_key?: string; order_line_id?: number; serial_key: string },
) =>
  db
    .selectFrom('order_serials as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select(['s.order_id', 'o.order_no', 's.created_at'])
    .where('s.company_id', '=', company_id)
    .where('s.serial_key', '=', serial.serial_key)
    .$if(scope === 'product', query => query.where('s.sku_key', '=', serial.sku_key ?? ''))
    .$if(scope === 'line', query => query.where('s.order_line_id', '=', serial.order_line_id ?? 0))
    .where('s.removed_at', 'is', null)
    .where('s.returned_at', 'is', null)
    .limit(1)
    .executeTakeFirst()

/** One of these serial numbers with the order with which it went out, while it has not come back; of any product where `sku_key` is null. */
export const serialsUsed = (db: Db, company_id: number, sku_key: string | null, serial_keys: readonly string[]) =>
  db
    .selectFrom('order_serials as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select(['s.serial', 'o.order_no'])
    .where('s.company_id', '=', company_id)
    .where('s.serial_key', '=', sql<string>`any(${serial_keys}::text[])`)
    .$if(sku_key !== null, query => query.where('s.sku_key', '=', sku_key ?? ''))
    .where('s.removed_at', 'is', null)
    .where('s.returned_at', 'is', null)
    .limit(1)
    .executeTakeFirst()

/** Serials of the company that are out more than once, the first of them. */
export const duplicateSerials = (db: Db, company_id: number) =>
  db
    .selectFrom('order_serials')
    .select('serial_key as serial')
    .where('company_id', '=', company_id)
    .where('removed_at', 'is', null)
    .where('returned_at', 'is', null)
    .groupBy('serial_key')
    .having(eb => eb(eb.fn.countAll(), '>', 1))
    .orderBy('serial_key')
    .limit(shownDuplicates)
    .execute()
const shownDuplicates = 20

const serials = (db: Db) =>
  db
    .selectFrom('order_serials as s')
    .innerJoin('orders as o', j => j.onRef('o.operator_id', '=', 's.operator_id').onRef('o.id', '=', 's.order_id'))
    .innerJoin('order_lines as l', j => j.onRef('l.operator_id', '=', 's.operator_id').onRef('l.id', '=', 's.order_line_id'))
    .leftJoin('packing_sessions as p', j => j.onRef('p.operator_id', '=', 's.operator_id').onRef('p.id', '=', 's.session_id'))
    .where('s.removed_at', 'is', null)

const stateOfSerial = sql<SerialState>`case when s.returned_at is not null then 'returned'
  when o.packed_at is not null or p.state = 'done' then 'sent' else 'packing' end`

/** The label of the parcel that holds it. Older serials know no parcel: theirs is one that holds their line. */
const trackingOfSerial = sql<string | null>`(select h.tracking_no from shipments h
  where h.operator_id = s.operator_id and h.order_id = s.order_id and h.operation_code = 'outbound'
    and h.state not in ('cancelled', 'blocked', 'error', 'draft')
    and (h.parcel_no = s.parcel_no or s.parcel_no is null and exists (select from parcel_lines b
      where b.operator_id = h.operator_id and b.order_id = h.order_id and b.parcel_no = h.parcel_no and b.order_line_id = s.order_line_id and b.qty > 0))
  order by h.id desc limit 1)`

/** Numbers of one series are as long as each other but for their digits, so a shorter one comes first. */
const place = (serial: string) => sql`(length(${serial}), ${serial}::text collate "C")`

function serialsAskedFor(db: Db, query: string, asked: SerialQuestion, time_zone: string) {
  let from = serials(db)
  const text = query.normalize('NFC').trim()
  if (text !== '') from = from.where(eb => eb.or([beginsWith('s.serial', text), beginsWith('s.serial_key', text.toUpperCase())]))
  if (asked.company_id !== undefined) from = from.where('s.company_id', '=', asked.company_id)
  if (asked.sku) from = from.where('s.sku_key', '=', asked.sku.toUpperCase())
  if (asked.state) from = from.where(stateOfSerial, '=', asked.state)
  if (asked.from) from = from.where('s.created_at', '>=', boundsOfDay(asked.from, time_zone).from)
  if (asked.to) from = from.where('s.created_at', '<', boundsOfDay(asked.to, time_zone).to)
  if (asked.first) from = from.where(sql<boolean>`(length(s.serial), s.serial collate "C") >= ${place(asked.first)}`)
  if (asked.last) from = from.where(sql<boolean>`(length(s.serial), s.serial collate "C") <= ${place(asked.last)}`)
  return from
}

/** The newest first; with `query` those that begin with it, in any letters where letters make no difference. */
export async function findSerials(
  db: Db,
  query: string,
  asked: SerialQuestion,
  { offset, limit, time_zone }: { offset: number; limit: number; time_zone: string },
): Promise<Page<Serial>> {
  const from = serialsAskedFor(db, query, asked, time_zone)
  const rows = await from
    .innerJoin('companies as c', j => j.onRef('c.operator_id', '=', 's.operator_id').onRef('c.id', '=', 's.company_id'))
    .select(['s.id', 's.serial', 'l.sku', 'l.name as product', 's.order_id', 'o.order_no', 'o.customer_name', 's.company_id'])
    .select(['c.code as company', 's.session_id', 'p.user_name as packer', 'p.station', 's.parcel_no', 's.created_at', 's.returned_at'])
    .select([stateOfSerial.as('state'), trackingOfSerial.as('tracking_no')])
    .orderBy('s.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows: rows.map(row => ({ ...row, sku: row.sku ?? '' })), ...(await cappedCount(db, from)), offset, limit }
}

const recalled = (db: Db, { sku, ...range }: SerialRange) =>
  serialsAskedFor(db, '', { sku, ...range }, 'UTC').where('s.returned_at', 'is', null)

/** What a recall of these serial numbers would reach. */
export async function recallCounts(
  db: Db,
  range: SerialRange,
): Promise<{ serials: number; orders: number; order_ids: number[]; unreachable: number }> {
  const { ids, ...counts } = await recalled(db, range)
    .select(eb => [
      eb.fn.countAll<number>().as('serials'),
      sql<number>`count(distinct s.order_id)`.as('orders'),
      sql<number>`count(distinct s.order_id) filter (where coalesce(o.customer_email, '') = '' and coalesce(o.customer_phone, '') = '')`.as(
        'unreachable',
      ),
      sql<number[] | null>`(array_agg(distinct s.order_id))[1:${sql.lit(mostRecalled)}]`.as('ids'),
    ])
    .executeTakeFirstOrThrow()
  return { ...counts, order_ids: counts.orders > mostRecalled ? [] : (ids ?? []) }
}

/** Each serial number of a recall with the person who received it, by order. */
export const recallRows = (db: Db, range: SerialRange, limit: number) =>
  recalled(db, range)
    .select([
      's.serial',
      'l.sku',
      'l.name as product',
      'o.order_no',
      'o.customer_name',
      'o.customer_email',
      'o.customer_phone',
      'o.ship_to',
    ])
    .select(['s.created_at', trackingOfSerial.as('tracking_no')])
    .orderBy('s.order_id')
    .orderBy('s.id')
    .limit(limit)
    .execute()
