/** Products: handlers that find and edit them, set their pictures and start the import of a file. */
import { conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { keysOf } from '#domain/objects.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { uploadedTable } from '#platform/csv/uploaded-table.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { allowOneMore, allowUpload } from '#platform/limits/company-limits.ts'
import { mustBeBundle } from './product-components.commands.ts'
import { exportColumns, exportedRow } from './product-csv.rules.ts'
import { changeProduct, createProduct, setProductImage } from './products.commands.ts'
import { products } from './products.contract.ts'
import { findProducts, productById, sharingBarcodes } from './products.queries.ts'
import { type Product, type ProductFields, productsSchemas } from './products.schemas.ts'

/** Rows of one file. */
const mostExported = 20_000

export const productsServer = implement(products, productsSchemas, {
  search: (query, { db }) => findProducts(db, query),

  async export(asked, { db, now }) {
    const { rows } = await findProducts(db, { ...asked, page: 1, limit: mostExported + 1 })
    if (rows.length > mostExported)
      throw conflict('export_too_large', 'More than {{rows}} rows. Choose fewer, such as one month.', { rows: mostExported })
    return {
      bytes: csv(exportColumns, rows.map(exportedRow)),
      media_type: 'text/csv; charset=utf-8',
      name: `products-${now().toISOString().slice(0, 10)}.csv`,
    }
  },

  get: ({ id }, { db }) => productOr404(db, id),

  async picture({ id }, { db }) {
    const row = await db
      .selectFrom('products as p')
      .innerJoin('files as f', j => j.onRef('f.operator_id', '=', 'p.operator_id').onRef('f.id', '=', 'p.image_file_id'))
      .select(['f.sha256', 'f.bytes', 'f.media_type', 'f.name'])
      .where('p.id', '=', id)
      .executeTakeFirst()
    if (!row) throw notFound('product_has_no_picture', 'This product has no picture')
    return { bytes: row, media_type: row.media_type, name: row.name, inline: true }
  },

  async create({ body }, context) {
    const { db, recordEvent, notify } = context
    const taken = await db
      .selectFrom('products')
      .select('id')
      .where('sku_key', '=', eb => eb.fn<string>('upper', [eb.val(body.sku)]))
      .where('company_id', '=', context.scope.company_id)
      .executeTakeFirst()
    if (taken)
      throw conflict(
        'sku_taken',
        'There is a product with the SKU {{sku}} already',
        { sku: body.sku },
        { fields: { sku: 'This SKU is taken' } },
      )
    await mustBeBundle(db, body)
    const id = await createProduct(db, body)
    await mustBeClear(context, id, body)
    await recordEvent({ kind: 'product.created', subject: 'product', subject_id: id, data: { sku: body.sku } })
    notify('product', id)
    return productOr404(db, id)
  },

  async update({ id, body: { version, ...fields } }, context) {
    const { db, recordEvent, notify, now } = context
    const before = await productOr404(db, id)
    await mustBeBundle(db, { sku: before.sku, components: fields.components })
    if (!(await changeProduct(db, { id, sku: before.sku }, version, fields, now())))
      throw conflict('product_changed', 'Someone else changed this product', {}, { current: await productOr404(db, id) })
    await mustBeClear(context, id, fields)
    const after = await productOr404(db, id)
    const changed = keysOf(after).filter(
      name => Object.hasOwn(fields, name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    )
    if (changed.length > 0)
      await recordEvent({
        kind: 'product.changed',
        subject: 'product',
        subject_id: id,
        data: {
          sku: after.sku,
          changed: changed.map(field => ({ field, from: before[field], to: after[field] })),
          changed_fields: Object.fromEntries(
            changed.map(field => [field, [before[field], after[field]].some(isWritten) ? true : [before[field], after[field]]]),
          ),
        },
      })
    notify('product', id)
    return after
  },

  async setPicture({ id, upload }, { services, transaction, scope }) {
    await transaction(({ db }) => allowUpload(db, scope.company_id))
    const { bytes, media_type } = await sanitizeImage(upload.content, { longest: 800, as: 'webp' })
    const stored = await services.files.put(scope.operator_id, bytes)
    return transaction(async context => {
      await productOr404(context.db, id)
      const file = await recordFile(context.db, stored, { media_type, name: `product-${id}.webp` })
      return putPicture(context, id, file)
    })
  },

  removePicture: ({ id }, context) => putPicture(context, id, null),

  async importCsv({ upload }, { services, transaction, scope, signal }) {
    await transaction(({ db }) => allowUpload(db, scope.company_id))
    const { content } = await uploadedTable(upload.content, signal)
    const stored = await services.files.put(scope.operator_id, content)
    return transaction(async ({ db, enqueue, principal }) => {
      await allowOneMore(db, scope.company_id, 'imports')
      const file_id = await recordFile(db, stored, { media_type: 'text/csv', name: upload.name })
      const job_id = await newJob(db, { kind: 'products.import', title: upload.name, created_by: principal.id })
      await enqueue(
        'products.import',
        { job_id, file_id },
        { key: `products.import/${job_id}`, queue: `imports/${scope.operator_id}/${scope.company_id}` },
      )
      return { job_id }
    })
  },
})

const productOr404 = async (db: Context['db'], id: number): Promise<Product> =>
  orNotFound(await productById(db, id), 'product_not_found', 'Product not found')

/** Two products with one barcode make every scan of it ambiguous. */
async function mustBeClear({ db }: Context, id: number, { barcodes, no_barcode }: ProductFields): Promise<void> {
  if (no_barcode && barcodes.length > 0)
    throw unprocessable(
      'product_without_barcode_has_barcode',
      'A product without a barcode cannot have one',
      {},
      { fields: { no_barcode: 'A product without a barcode cannot have one' } },
    )
  const shared = await sharingBarcodes(
    db,
    id,
    barcodes.map(one => one.barcode),
  )
  if (shared)
    throw conflict('barcode_taken', 'The barcode {{barcode}} belongs to {{sku}} already', shared, {
      fields: { barcodes: 'This barcode belongs to another product' },
    })
}

/** What a person may have written: only that it changed leaves the product. */
const isWritten = (value: unknown): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null)

async function putPicture({ db, recordEvent, notify, now }: Context, id: number, image_file_id: number | null): Promise<Product> {
  await setProductImage(db, id, image_file_id, now())
  await recordEvent({
    kind: image_file_id === null ? 'product.picture_removed' : 'product.picture_set',
    subject: 'product',
    subject_id: id,
  })
  notify('product', id)
  return productOr404(db, id)
}
