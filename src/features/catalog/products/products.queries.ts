/** Products in the database: search, edits by users, and batches from shops. */
import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type * as z from 'zod'
import { type Page, pageOffset } from '#contract/page.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import { problemsOf } from '#domain/order/validation-issues.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import type { DB } from '#platform/database/schema.ts'
import type { TransactionContext } from '#platform/http/feature-module.ts'
import { type Product, type ProductFields, productWords, WrittenProduct } from './products.contract.ts'

const columns = [
  'p.id as product_id',
  'p.company_id',
  'p.sku',
  'p.name',
  'p.variant',
  'p.weight_g',
  'p.length_mm',
  'p.width_mm',
  'p.height_mm',
  'p.bin',
  'p.hs_code',
  'p.origin',
  'p.customs_text',
  'p.serial_required',
  'p.no_barcode',
  'p.image_url',
  'p.version',
  'p.updated_at',
] as const

const barcodesOf = (eb: ExpressionBuilder<DB & { p: DB['products'] }, 'p'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('product_barcodes as b')
      .select(['b.barcode', 'b.quantity'])
      .whereRef('b.product_id', '=', 'p.id')
      .orderBy('b.quantity')
      .orderBy('b.barcode'),
  ).as('barcodes')

export const productById = (db: Db, id: number): Promise<Product | undefined> =>
  db
    .selectFrom('products as p')
    .select(columns)
    .select(eb => [eb('p.image_file_id', 'is not', null).$castTo<boolean>().as('has_image'), barcodesOf(eb)])
    .where('p.id', '=', id)
    .executeTakeFirst()

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Search by the start of the SKU, any part of the name, or a whole barcode. */
export async function findProducts(db: Db, { query, ...paging }: { query: string; page: number; limit: number }): Promise<Page<Product>> {
  let from = db.selectFrom('products as p')
  if (query !== '')
    from = from.where(eb =>
      eb.or([
        eb('p.sku_key', 'like', `${escaped(query.toUpperCase())}%`),
        eb('p.name', 'ilike', `%${escaped(query)}%`),
        eb.exists(
          eb.selectFrom('product_barcodes as b').select('b.barcode').whereRef('b.product_id', '=', 'p.id').where('b.barcode', '=', query),
        ),
      ]),
    )
  const rows = await from
    .select(columns)
    .select(eb => [eb('p.image_file_id', 'is not', null).$castTo<boolean>().as('has_image'), barcodesOf(eb)])
    .orderBy('p.sku_key')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return { rows, ...(await cappedCount(db, from)), offset: pageOffset(paging), limit: paging.limit }
}

export async function createProduct(db: Db, { sku, barcodes, ...fields }: ProductFields & { sku: string }): Promise<number> {
  const { id } = await db
    .insertInto('products')
    .values({ sku, ...fields })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setBarcodes(db, id, barcodes)
  return id
}

/** Returns false, and changes nothing, when the product has another version by now. */
export async function changeProduct(
  db: Db,
  id: number,
  version: number,
  { barcodes, ...fields }: ProductFields,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('products')
    .set({ ...fields, updated_at: now.toISOString() })
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await setBarcodes(db, id, barcodes)
  return true
}

async function setBarcodes(db: Db, product_id: number, barcodes: readonly { barcode: string; quantity: number }[]): Promise<void> {
  await db.deleteFrom('product_barcodes').where('product_id', '=', product_id).execute()
  const once = new Map(barcodes.map(one => [one.barcode, one.quantity]))
  if (once.size > 0)
    await db
      .insertInto('product_barcodes')
      .values([...once].map(([barcode, quantity]) => ({ product_id, barcode, quantity })))
      .execute()
}

/** Other products with one of these codes: a scan of it is ambiguous. */
export const sharingBarcodes = (db: Db, product_id: number, barcodes: readonly string[]) =>
  db
    .selectFrom('product_barcodes as b')
    .innerJoin('products as p', j => j.onRef('p.operator_id', '=', 'b.operator_id').onRef('p.id', '=', 'b.product_id'))
    .select(['b.barcode', 'p.sku'])
    .where('b.barcode', '=', sql<string>`any(${barcodes})`)
    .where('b.product_id', '<>', product_id)
    .limit(1)
    .executeTakeFirst()

/** Of stored products: the barcodes that other products have as well, with one of those products. */
export async function sharedBarcodes(db: Db, skus: readonly string[]): Promise<{ sku_key: string; barcode: string; sku: string }[]> {
  const { rows } = await sql<{ sku_key: string; barcode: string; sku: string }>`
    select p.sku_key, b.barcode, min(q.sku) as sku
    from products p
    join product_barcodes b on b.operator_id = p.operator_id and b.product_id = p.id
    join product_barcodes c on c.operator_id = b.operator_id and c.company_id = b.company_id and c.barcode = b.barcode and c.product_id <> b.product_id
    join products q on q.operator_id = c.operator_id and q.id = c.product_id
    where p.operator_id = current_operator_id() and p.company_id = current_company_id() and p.sku_key = any (select upper(s) from unnest(${skus}::text[]) s)
    group by p.sku_key, b.barcode order by p.sku_key, b.barcode`.execute(db)
  return rows
}

// ——— Batches of products from shops

export type ReadProduct = { product: WrittenProduct; sku: string } | { product?: never; sku: string | null; problems: Problem[] }

/** Each is validated alone. */
export function readProducts(sent: readonly unknown[]): ReadProduct[] {
  return sent.map((one): ReadProduct => {
    const read = WrittenProduct.safeParse(one)
    if (read.success) return { product: read.data, sku: read.data.sku }
    const { sku } = (typeof one === 'object' && one !== null ? one : {}) as { sku?: unknown }
    return {
      sku: typeof sku === 'string' ? sku.slice(0, 64) : null,
      problems: read.error.issues.flatMap(issue => problemsOfProduct(issue, one)).slice(0, 20),
    }
  })
}

const sentences: ReadonlySet<string> = new Set(Object.values(productWords))
function problemsOfProduct(issue: z.core.$ZodIssue, product: unknown): Problem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, 20)
      .map(key => ({ field: key.slice(0, 60), text: productSentences.unknown, values: { field: key.slice(0, 60) } }))
  if (issue.path.length === 0) return [{ field: '', text: productSentences.product, values: {} }]
  const [problem] = problemsOf([issue], product)
  // A missing field also has its own sentence.
  const own = sentences.has(issue.message) ? issue.message : undefined
  return problem ? [own === undefined ? problem : { field: problem.field, text: own, values: {} }] : []
}
export const productSentences = {
  unknown: '{{field}} is not a field of a product',
  product: 'A product must be an object',
  shared: '{{sku}} has the barcode {{barcode}} as well: a scan of it does not tell the two apart',
} as const

const storedFields = [
  'name',
  'variant',
  'weight_g',
  'length_mm',
  'width_mm',
  'height_mm',
  'bin',
  'image_url',
  'hs_code',
  'origin',
  'customs_text',
  'serial_required',
  'no_barcode',
] as const
const types: Record<(typeof storedFields)[number], string> = {
  name: 'text',
  variant: 'text',
  weight_g: 'int',
  length_mm: 'int',
  width_mm: 'int',
  height_mm: 'int',
  bin: 'text',
  image_url: 'text',
  hs_code: 'text',
  origin: 'text',
  customs_text: 'text',
  serial_required: 'boolean',
  no_barcode: 'boolean',
}

type Row = Record<(typeof storedFields)[number], string | number | boolean | null>

/**
 * Stores products that a shop sends: fields that it leaves out stay. Uses a few statements per batch.
 * A SKU that occurs twice is taken as its last occurrence.
 */
export async function storeProducts(
  { db, notify, now }: Pick<TransactionContext, 'db' | 'notify'> & { now(): Date },
  products: readonly WrittenProduct[],
): Promise<Map<WrittenProduct, 'created' | 'updated' | 'unchanged'>> {
  const results = new Map<WrittenProduct, 'created' | 'updated' | 'unchanged'>()
  if (products.length === 0) return results
  const last = new Map(products.map(product => [product.sku.toUpperCase(), product]))
  const skus = [...last.values()].map(product => product.sku).sort()
  const { rows: known } = await sql<Row & { sent: string; id: number; barcodes: { barcode: string; quantity: number }[] }>`
    select s.sku as sent, p.id, ${sql.join(storedFields.map(name => sql.ref(`p.${name}`)))},
      (select coalesce(jsonb_agg(jsonb_build_object('barcode', b.barcode, 'quantity', b.quantity)), '[]')
        from product_barcodes b where b.operator_id = p.operator_id and b.product_id = p.id) as barcodes
    from unnest(${skus}::text[]) s(sku)
    join products p on p.operator_id = current_operator_id() and p.company_id = current_company_id() and p.sku_key = upper(s.sku)
    order by p.id for update of p`.execute(db)
  const bySku = new Map(known.map(row => [row.sent, row]))

  const fresh: (Row & { sku: string })[] = []
  const changed: (Row & { id: number })[] = []
  const coded: WrittenProduct[] = []
  for (const product of last.values()) {
    const before = bySku.get(product.sku)
    const row = Object.fromEntries(
      storedFields.map(name => [
        name,
        product[name] !== undefined ? (product[name] === '' ? null : product[name]) : (before?.[name] ?? otherwise(name, product.sku)),
      ]),
    ) as Row
    const codes = product.barcodes !== undefined && codesOf(product.barcodes) !== codesOf(before?.barcodes ?? [])
    if (codes) coded.push(product)
    if (!before) fresh.push({ ...row, sku: product.sku })
    else if (storedFields.some(name => row[name] !== before[name])) changed.push({ ...row, id: before.id })
    results.set(product, !before ? 'created' : codes || changed.at(-1)?.id === before.id ? 'updated' : 'unchanged')
  }
  const column = (rows: readonly Row[], name: (typeof storedFields)[number]) =>
    sql`${rows.map(row => row[name])}::${sql.raw(types[name])}[]`
  const names = sql.raw(storedFields.join(', '))
  if (fresh.length > 0)
    await sql`insert into products (sku, ${names}) select * from unnest(${fresh.map(row => row.sku)}::text[], ${sql.join(storedFields.map(name => column(fresh, name)))})
      on conflict (operator_id, company_id, sku_key) do nothing`.execute(db)
  if (changed.length > 0)
    await sql`update products p set ${sql.join(storedFields.map(name => sql`${sql.raw(name)} = r.${sql.raw(name)}`))}, version = p.version + 1, updated_at = ${now().toISOString()}
      from unnest(${changed.map(row => row.id)}::bigint[], ${sql.join(storedFields.map(name => column(changed, name)))}) as r(id, ${names})
      where p.operator_id = current_operator_id() and p.company_id = current_company_id() and p.id = r.id`.execute(db)
  if (coded.length > 0) {
    const codes = coded.flatMap(product => [...new Map(product.barcodes!.map(one => [one.barcode, { ...one, sku: product.sku }])).values()])
    await sql`delete from product_barcodes b using products p
      where b.operator_id = current_operator_id() and b.company_id = current_company_id() and p.operator_id = b.operator_id and p.id = b.product_id
        and p.company_id = current_company_id() and p.sku_key = any (select upper(s) from unnest(${coded.map(product => product.sku)}::text[]) s)`.execute(
      db,
    )
    await sql`insert into product_barcodes (product_id, barcode, quantity)
      select p.id, c.barcode, c.quantity from unnest(${codes.map(one => one.sku)}::text[], ${codes.map(one => one.barcode)}::text[], ${codes.map(one => one.quantity)}::int[])
        as c(sku, barcode, quantity)
      join products p on p.operator_id = current_operator_id() and p.company_id = current_company_id() and p.sku_key = upper(c.sku) on conflict do nothing`.execute(
      db,
    )
  }
  for (const product of products) if (!results.has(product)) results.set(product, 'unchanged')
  if (fresh.length + changed.length + coded.length > 0) notify('product')
  return results
}
const otherwise = (name: (typeof storedFields)[number], sku: string) =>
  name === 'name' ? sku : name === 'serial_required' || name === 'no_barcode' ? false : null
const codesOf = (codes: readonly { barcode: string; quantity: number }[]): string =>
  codes
    .map(({ barcode, quantity }) => `${quantity} ${barcode}`)
    .sort()
    .join('\n')
