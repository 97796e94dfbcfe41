/** Writing additional products. */
import { sql } from 'kysely'
import type { StoredContent } from '#contract/endpoint.ts'
import { conflict, unprocessable } from '#contract/errors.ts'
import { needsCustoms } from '#domain/customs/places.ts'
import { isRecord } from '#domain/objects.ts'
import { readRule } from '#domain/rules/rule-refusals.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mostAdditionalProducts } from './additional-products.codes.ts'
import { additionalProductById } from './additional-products.queries.ts'
import type { AdditionalProduct, AdditionalProductChange, AdditionalProductFields } from './additional-products.schemas.ts'
import { releaseOfProduct } from './order-additions.commands.ts'

/** The main company writes, so it sees every product. */
const byId = ({ db }: Context, id: number) => additionalProductById(db, null, id)

type Written = Omit<AdditionalProductFields, 'stock_left'>

async function checked(context: Context, id: number, fields: Written) {
  const { db, principal } = context
  const rule = readRule(fields.conditions, 'additional_product', 'conditions')
  for (const company_id of fields.company_ids ?? []) await mustBeCompany(context, company_id)
  if (fields.barcode !== null) await mustBeFree(context, id, fields.barcode)
  if (fields.hs_code === null || fields.value === null) {
    const { sender } = await companySettings(db, principal.company.id)
    const country = countriesIn(rule).find(code => needsCustoms(sender, { country: code, postcode: '' }))
    if (country !== undefined) {
      const field = fields.hs_code === null ? 'hs_code' : 'value'
      throw unprocessable(
        'abroad_needs_customs',
        'Orders to {{country}} pass customs: enter the HS code and the value',
        { country },
        { fields: { [field]: 'Parcels that pass customs need it' } },
      )
    }
  }
  return { ...fields, conditions: JSON.stringify(rule), texts: JSON.stringify(withoutEmpty(fields.texts)) }
}

const withoutEmpty = (texts: Written['texts']) => Object.fromEntries(Object.entries(texts).filter(([, words]) => words !== ''))

/** Countries that the rule asks for by name; what it excludes does not count. */
function countriesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(countriesIn)
  if (!isRecord(node)) return []
  if (node.field === 'ship.country') {
    if (node.op !== 'eq' && node.op !== 'in') return []
    return [node.value].flat().filter(code => typeof code === 'string')
  }
  return [node.all, node.any].flatMap(countriesIn)
}

async function mustBeCompany({ db }: Context, id: number): Promise<void> {
  const known = await db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst()
  if (!known) throw unprocessable('company_unknown', 'There is no company {{company}} here', { company: id })
}

/** A code means one thing at the station: an additional product, a product or a box. */
async function mustBeFree({ db }: Context, id: number, barcode: string): Promise<void> {
  const code = barcode.toUpperCase()
  const owners = await Promise.all([
    db
      .selectFrom('additional_products')
      .select('name')
      .where(sql`upper(barcode)`, '=', code)
      .where('removed_at', 'is', null)
      .where('id', '<>', id)
      .executeTakeFirst(),
    db
      .selectFrom('product_barcodes as b')
      .innerJoin('products as p', 'p.id', 'b.product_id')
      .select('p.name')
      .where('b.barcode', 'in', [barcode, code])
      .limit(1)
      .executeTakeFirst(),
    db.selectFrom('crate_types').select('name').where(sql`upper(barcode)`, '=', code).executeTakeFirst(),
  ])
  const taken = owners.find(owner => owner !== undefined)
  if (taken)
    throw conflict(
      'barcode_known',
      '{{code}} is the barcode of {{name}}',
      { code: barcode, name: taken.name },
      { fields: { barcode: 'Something else has this barcode' } },
    )
}

/** Codes are compared before they are written, so two writers wait for each other. */
const lockProducts = ({ db, principal }: Context) =>
  db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()

async function changed(context: Context, id: number): Promise<AdditionalProduct> {
  const product = await byId(context, id)
  const { name, active } = product
  await context.recordEvent({
    kind: 'additional_product.set',
    subject: 'additional_product',
    subject_id: id,
    data: { name, active, stock_left: product.stock_left },
  })
  context.notify('additional_product', id)
  return product
}

export async function createAdditionalProduct(
  context: Context,
  { stock_left, ...fields }: AdditionalProductFields,
): Promise<AdditionalProduct> {
  const { db } = context
  await lockProducts(context)
  const { count } = await db
    .selectFrom('additional_products')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= mostAdditionalProducts)
    throw conflict('additional_products_full', 'There are {{count}} additional products already. Remove one first.', { count })
  const values = await checked(context, 0, fields)
  const { id } = await db
    .insertInto('additional_products')
    .values({ ...values, stock_left })
    .returning('id')
    .executeTakeFirstOrThrow()
  return changed(context, id)
}

export async function updateAdditionalProduct(
  context: Context,
  id: number,
  { version, stock_left, ...fields }: AdditionalProductChange,
): Promise<AdditionalProduct> {
  await lockProducts(context)
  const current = await byId(context, id)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  const values = await checked(context, id, fields)
  await context.db
    .updateTable('additional_products')
    .set(eb => ({
      ...values,
      ...(stock_left !== undefined && { stock_left }),
      version: eb('version', '+', 1),
      updated_at: sql<string>`now()`,
    }))
    .where('id', '=', id)
    .execute()
  return changed(context, id)
}

/** Orders in which it is packed keep its name; the others do not get it any more. */
export async function removeAdditionalProduct(context: Context, id: number): Promise<void> {
  const { db, recordEvent, notify, now } = context
  await lockProducts(context)
  const { name } = await byId(context, id)
  await releaseOfProduct(context, { id, name })
  await db
    .updateTable('additional_products')
    .set(eb => ({ removed_at: now().toISOString(), active: false, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await recordEvent({ kind: 'additional_product.removed', subject: 'additional_product', subject_id: id, data: { name } })
  notify('additional_product', id)
}

/** Takes a removal back, with what it was; its stock is as it was left. Orders get it again as they change. */
export async function restoreAdditionalProduct(context: Context, id: number, fields: Written): Promise<AdditionalProduct> {
  await lockProducts(context)
  const values = await checked(context, id, fields)
  await context.db
    .updateTable('additional_products')
    .set(eb => ({ ...values, removed_at: null, version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
    .where('id', '=', id)
    .execute()
  return changed(context, id)
}

/** `null` removes the picture. */
export async function putPicture(context: Context, id: number, content: StoredContent | null): Promise<AdditionalProduct> {
  const { db, recordEvent, notify } = context
  await byId(context, id)
  const image_file_id = content && (await recordFile(db, content, { media_type: 'image/webp', name: `additional-product-${id}.webp` }))
  await db
    .updateTable('additional_products')
    .set(eb => ({
      image_file_id,
      image_sha256: content?.sha256 ?? null,
      image_bytes: content?.bytes ?? null,
      version: eb('version', '+', 1),
      updated_at: sql<string>`now()`,
    }))
    .where('id', '=', id)
    .execute()
  await recordEvent({
    kind: content ? 'additional_product.picture_set' : 'additional_product.picture_removed',
    subject: 'additional_product',
    subject_id: id,
  })
  notify('additional_product', id)
  return byId(context, id)
}
