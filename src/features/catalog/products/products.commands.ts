/** Changes of products and their barcodes. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { TransactionContext } from '#platform/http/feature-module.ts'
import { setComponents } from './product-components.commands.ts'
import type { ProductFields, WrittenProduct } from './products.schemas.ts'

export async function createProduct(db: Db, { sku, barcodes, components, ...fields }: ProductFields & { sku: string }): Promise<number> {
  const { id } = await db
    .insertInto('products')
    .values({ sku, ...fields })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setBarcodes(db, id, barcodes)
  await setComponents(db, [{ sku, components }])
  return id
}

/** Answers false, and changes nothing, when the product has another version by now. */
export async function changeProduct(
  db: Db,
  { id, sku }: { id: number; sku: string },
  version: number,
  { barcodes, components, ...fields }: ProductFields,
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
  await setComponents(db, [{ sku, components }])
  return true
}

/** Sets a few fields, whichever version the product has. */
export async function correctProduct(
  db: Db,
  id: number,
  fields: Partial<Pick<ProductFields, 'hs_code' | 'origin' | 'weight_g'>>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('products')
    .set({ ...fields, updated_at: now.toISOString() })
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
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

/** One more barcode of a product; one that it has already changes nothing. */
export async function linkBarcode(db: Db, product: { company_id: number; product_id: number; barcode: string }): Promise<void> {
  await db
    .insertInto('product_barcodes')
    .values(product)
    .onConflict(c => c.doNothing())
    .execute()
}

/** Sets or removes the picture of a product. */
export async function setProductImage(db: Db, id: number, image_file_id: number | null, now: Date): Promise<void> {
  await db
    .updateTable('products')
    .set({ image_file_id, updated_at: now.toISOString() })
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

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
  'cost_price',
  'cost_currency',
  'net_weight_g',
  'manufacturer_no',
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
  cost_price: 'bigint',
  cost_currency: 'text',
  net_weight_g: 'int',
  manufacturer_no: 'text',
  serial_required: 'boolean',
  no_barcode: 'boolean',
}

type Row = Record<(typeof storedFields)[number], string | number | boolean | null>

/**
 * Stores products of a shop or a file in a few statements. A field that is absent keeps its value. Parts of bundles were checked before.
 * The last of several products with one SKU counts.
 */
export async function storeProducts(
  { db, notify, now }: Pick<TransactionContext, 'db' | 'notify'> & { now(): Date },
  products: readonly WrittenProduct[],
): Promise<Map<WrittenProduct, 'created' | 'updated' | 'unchanged'>> {
  const results = new Map<WrittenProduct, 'created' | 'updated' | 'unchanged'>()
  if (products.length === 0) return results
  const last = new Map(products.map(product => [product.sku.toUpperCase(), product]))
  const skus = [...last.values()].map(product => product.sku).sort()
  const { rows: known } = await sql<
    Row & { sent: string; id: number; customs_flags: string[]; barcodes: { barcode: string; quantity: number }[]; components: string[] }
  >`
    select s.sku as sent, p.id, p.customs_flags, ${sql.join(storedFields.map(name => sql.ref(`p.${name}`)))},
      (select coalesce(jsonb_agg(jsonb_build_object('barcode', b.barcode, 'quantity', b.quantity)), '[]')
        from product_barcodes b where b.operator_id = p.operator_id and b.product_id = p.id) as barcodes,
      array(select c.qty || ' ' || q.sku_key from product_components c join products q on q.operator_id = c.operator_id and q.id = c.component_id
        where c.operator_id = p.operator_id and c.product_id = p.id order by c.position) as components
    from unnest(${skus}::text[]) s(sku)
    join products p on p.operator_id = current_operator_id() and p.company_id = current_company_id() and p.sku_key = upper(s.sku)
    order by p.id for update of p`.execute(db)
  const bySku = new Map(known.map(row => [row.sent, row]))

  const fresh: (Row & { sku: string })[] = []
  const changed: (Row & { id: number })[] = []
  const coded: WrittenProduct[] = []
  const flagged: WrittenProduct[] = []
  const bundled: WrittenProduct[] = []
  for (const product of last.values()) {
    const before = bySku.get(product.sku)
    const row = Object.fromEntries(
      storedFields.map(name => [
        name,
        product[name] !== undefined ? (product[name] === '' ? null : product[name]) : (before?.[name] ?? otherwise(name, product.sku)),
      ]),
    ) as Row
    const flags = product.customs_flags !== undefined && product.customs_flags.join() !== (before?.customs_flags ?? []).join()
    if (flags) flagged.push(product)
    const codes = product.barcodes !== undefined && codesOf(product.barcodes) !== codesOf(before?.barcodes ?? [])
    if (codes) coded.push(product)
    const parts = product.components?.map(part => `${part.quantity} ${part.sku.toUpperCase()}`).join('\n') ?? null
    const bundle = parts !== null && parts !== (before?.components ?? []).join('\n')
    if (bundle) bundled.push(product)
    if (!before) fresh.push({ ...row, sku: product.sku })
    else if (storedFields.some(name => row[name] !== before[name])) changed.push({ ...row, id: before.id })
    results.set(product, !before ? 'created' : codes || flags || bundle || changed.at(-1)?.id === before.id ? 'updated' : 'unchanged')
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
  if (flagged.length > 0)
    await sql`update products p set customs_flags = coalesce(string_to_array(nullif(r.flags, ''), ','), '{}'), version = p.version + 1, updated_at = ${now().toISOString()}
      from unnest(${flagged.map(product => product.sku)}::text[], ${flagged.map(product => product.customs_flags?.join() ?? '')}::text[]) as r(sku, flags)
      where p.operator_id = current_operator_id() and p.company_id = current_company_id() and p.sku_key = upper(r.sku)`.execute(db)
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
  await setComponents(db, bundled)
  for (const product of products) if (!results.has(product)) results.set(product, 'unchanged')
  if (fresh.length + changed.length + coded.length + flagged.length + bundled.length > 0) notify('product')
  return results
}
const otherwise = (name: (typeof storedFields)[number], sku: string) =>
  name === 'name' ? sku : name === 'serial_required' || name === 'no_barcode' ? false : null
const codesOf = (codes: readonly { barcode: string; quantity: number }[]): string =>
  codes
    .map(({ barcode, quantity }) => `${quantity} ${barcode}`)
    .sort()
    .join('\n')
