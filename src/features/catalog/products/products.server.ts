/** Products: search and edits by users, re-encoded pictures, and file import as a job. */
import { badRequest, conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { csvFileSentences, detectSeparator, detectText, noTable, type Row } from '#domain/csv-text.ts'
import { told } from '#domain/order/canonical-order.ts'
import { doJob, newJob } from '#features/company/jobs/jobs.queries.ts'
import { judgedFields } from '#features/orders/orders/recheck-orders.task.ts'
import { piecesOf, readRows, textOf, underHeader } from '#platform/csv/csv-rows.ts'
import { retryOnConflict } from '#platform/database/retry-on-conflict.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { productColumns, productOf } from './product-csv.rules.ts'
import { type Product, type ProductCsvResult, type ProductFields, products, type WrittenProduct } from './products.contract.ts'
import {
  changeProduct,
  createProduct,
  findProducts,
  productById,
  productSentences,
  readProducts,
  sharedBarcodes,
  sharingBarcodes,
  storeProducts,
} from './products.queries.ts'

export const productsServer = implement(products, {
  search: (query, { db }) => findProducts(db, query),

  get: ({ id }, { db }) => productOr404(db, id),

  async picture({ id }, { db, services, scope }) {
    const row = await db
      .selectFrom('products as p')
      .innerJoin('files as f', j => j.onRef('f.operator_id', '=', 'p.operator_id').onRef('f.id', '=', 'p.image_file_id'))
      .select(['f.sha256', 'f.media_type', 'f.name'])
      .where('p.id', '=', id)
      .executeTakeFirst()
    if (!row) throw notFound('product_has_no_picture', 'This product has no picture')
    return { bytes: await services.files.get(scope.operator_id, row.sha256), media_type: row.media_type, name: row.name, inline: true }
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
    const id = await createProduct(db, body)
    await mustBeClear(context, id, body)
    await recordEvent({ kind: 'product.created', subject: 'product', subject_id: id, data: { sku: body.sku } })
    notify('product', id)
    return productOr404(db, id)
  },

  async update({ id, body: { version, ...fields } }, context) {
    const { db, recordEvent, notify, enqueue, now } = context
    const before = await productOr404(db, id)
    if (!(await changeProduct(db, id, version, fields, now())))
      throw conflict('product_changed', 'Somebody has changed this product meanwhile', {}, { current: await productOr404(db, id) })
    await mustBeClear(context, id, fields)
    const after = await productOr404(db, id)
    const changed = Object.keys(fields).filter(
      name => JSON.stringify(before[name as keyof Product]) !== JSON.stringify(after[name as keyof Product]),
    )
    if (changed.length > 0)
      await recordEvent({
        kind: 'product.changed',
        subject: 'product',
        subject_id: id,
        data: {
          sku: after.sku,
          changed: changed.map(field => ({ field, from: before[field as keyof Product], to: after[field as keyof Product] })),
        },
      })
    if (changed.some(name => judgedFields.includes(name as never))) await enqueue('orders.judge', { sku_keys: [after.sku.toUpperCase()] })
    notify('product', id)
    return after
  },

  async setPicture({ id, upload }, { services, transaction, scope }) {
    const { bytes, media_type } = await sanitizeImage(upload.bytes, { longest: 800, as: 'webp' })
    const sha256 = await services.files.put(scope.operator_id, bytes)
    return transaction(async context => {
      await productOr404(context.db, id)
      const file = await recordFile(context.db, sha256, bytes, { media_type, name: `product-${id}.webp` })
      return putPicture(context, id, file)
    })
  },

  removePicture: ({ id }, context) => putPicture(context, id, null),

  async importCsv({ upload }, { services, transaction, scope }) {
    if (upload.bytes.length === 0) throw badRequest('file_missing', 'Choose a file first')
    const other = noTable(upload.bytes)
    if (other) throw unprocessable('file_not_table', other)
    const sha256 = await services.files.put(scope.operator_id, upload.bytes)
    return transaction(async ({ db, enqueue, principal }) => {
      const file_id = await recordFile(db, sha256, upload.bytes, { media_type: 'text/csv', name: upload.name })
      const job_id = await newJob(db, { kind: 'products.import', title: upload.name, created_by: principal.id })
      await enqueue('products.import', { job_id, file_id }, { key: `products.import/${job_id}` })
      return { job_id }
    })
  },
})

const productOr404 = async (db: Context['db'], id: number): Promise<Product> =>
  orNotFound(await productById(db, id), 'product_not_found', 'This product does not exist')

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

async function putPicture({ db, recordEvent, notify, now }: Context, id: number, image_file_id: number | null): Promise<Product> {
  await db
    .updateTable('products')
    .set({ image_file_id, updated_at: now().toISOString() })
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await recordEvent({
    kind: image_file_id === null ? 'product.picture_removed' : 'product.picture_set',
    subject: 'product',
    subject_id: id,
  })
  notify('product', id)
  return productOr404(db, id)
}

/** Reads a product file in batches; finished batches stay when it is cancelled. */
export const importProducts: Tasks['products.import'] = async ({ job_id, file_id }, context) =>
  doJob(context, job_id, async progress => {
    const { services, scope, transaction } = context
    const file = await transaction(({ db }) =>
      db.selectFrom('files').select(['sha256']).where('id', '=', file_id).executeTakeFirstOrThrow(),
    )
    const bytes = await services.files.get(scope.operator_id, file.sha256)
    const encoding = detectText(bytes)
    const separator = detectSeparator(new TextDecoder(encoding).decode(bytes.subarray(0, 100_000)))
    const { headers, rows } = await underHeader(readRows(textOf(piecesOf(bytes), encoding), { separator }))
    const begin = await rows.next()
    const first = begin.done ? [] : begin.value
    const places = productColumns(
      headers,
      first.map(row => row.cells),
    )
    if (!places) throw unprocessable('csv_column_unmapped', csvFileSentences.unmapped, { field: 'SKU' })
    const result: ProductCsvResult = { created: 0, updated: 0, unchanged: 0, refused: 0, problems: [], noted: [] }
    let done = 0
    for await (const some of withFirst(first, rows)) {
      const read = readProducts(some.map(row => productOf(row.cells, places)))
      const good: WrittenProduct[] = []
      const rowOf = new Map<string, number>()
      for (const [at, one] of read.entries()) {
        if (one.product) {
          good.push(one.product)
          if (one.product.barcodes) rowOf.set(one.product.sku.toUpperCase(), some[at]!.row)
        } else {
          result.refused++
          for (const problem of one.problems)
            if (result.problems.length < 100) result.problems.push({ ...told(problem), row: some[at]!.row })
        }
      }
      const { stored, shared } = await retryOnConflict(() =>
        transaction(async tools => {
          const stored = await storeProducts(tools, good)
          const sku_keys = [...stored].flatMap(([product, outcome]) => (outcome === 'updated' ? [product.sku.toUpperCase()] : []))
          if (sku_keys.length > 0) await tools.enqueue('orders.judge', { sku_keys })
          return { stored, shared: await sharedBarcodes(tools.db, [...rowOf.keys()]) }
        }),
      )
      for (const { sku_key, ...values } of shared)
        if (result.noted.length < 100)
          result.noted.push({ ...told({ field: 'barcodes', text: productSentences.shared, values }), row: rowOf.get(sku_key)! })
      for (const outcome of stored.values()) result[outcome]++
      done += some.length
      await progress(done)
    }
    return result
  })

async function* withFirst(first: Row[], rest: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  yield first
  yield* rest
}
