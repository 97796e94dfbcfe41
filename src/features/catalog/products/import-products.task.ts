/** The job that reads a product file in batches. */
import { unprocessable } from '#contract/errors.ts'
import { csvFileSentences, hasTooManyCells, type Row } from '#domain/csv-text.ts'
import { elementAt, valueAt } from '#domain/objects.ts'
import { formatIssue } from '#domain/order/canonical-order.ts'
import { doJob } from '#features/company/jobs/jobs.queries.ts'
import { setProductTags } from '#features/company/tags/tags.commands.ts'
import { openStoredTable } from '#platform/csv/stored-table.ts'
import { retryOnConflict } from '#platform/database/retry-on-conflict.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { faultsOfBundles } from './product-components.commands.ts'
import { productColumns, productOf, tagsOfRow } from './product-csv.rules.ts'
import { productSentences, readProducts } from './product-rows.rules.ts'
import { storeProducts } from './products.commands.ts'
import { sharedBarcodes } from './products.queries.ts'
import type { ProductCsvResult, WrittenProduct } from './products.schemas.ts'

/** Reads a product file in batches; what is done stays done when it is cancelled. */
export const importProducts: Tasks['products.import'] = async ({ job_id, file_id }, context) =>
  doJob(context, job_id, async progress => {
    const { transaction } = context
    using table = await openStoredTable(context, file_id)
    const { headers, rows } = table
    const begin = await rows.next()
    const first = begin.done ? [] : begin.value
    const places = productColumns(
      headers,
      first.map(row => row.cells),
    )
    if (!places) throw unprocessable('csv_column_unmapped', csvFileSentences.unmapped, { field: 'SKU' })
    const result: ProductCsvResult = { created: 0, updated: 0, unchanged: 0, refused: 0, problems: [], noted: [] }
    let done = 0
    /** A bundle may stand before its parts: all other rows come first. */
    const bundles: ReadRow[] = []
    for await (const some of inBatches(first, rows)) {
      const whole: Row[] = []
      for (const row of some) {
        if (!hasTooManyCells(row.cells, headers.length)) whole.push(row)
        else {
          result.refused++
          const values = { count: row.cells.length, columns: headers.length }
          if (result.problems.length < 100)
            result.problems.push({ ...formatIssue({ field: '', text: csvFileSentences.too_many_cells, values }), row: row.row })
        }
      }
      const good: ReadRow[] = []
      for (const [at, one] of readProducts(whole.map(row => productOf(row.cells, places))).entries()) {
        if (one.product) {
          const { row, cells } = elementAt(whole, at)
          const read = { product: one.product, row, names: tagsOfRow(cells, places) }
          if ((one.product.components ?? []).length > 0) bundles.push(read)
          else good.push(read)
        } else {
          result.refused++
          for (const problem of one.problems)
            if (result.problems.length < 100) result.problems.push({ ...formatIssue(problem), row: elementAt(whole, at).row })
        }
      }
      await storeRows(good)
      done += some.length
      await progress(done)
    }
    for (let at = 0; at < bundles.length; at += batchRows) {
      await storeRows(bundles.slice(at, at + batchRows))
      await progress(done)
    }
    return result

    async function storeRows(read: readonly ReadRow[]): Promise<void> {
      const { stored, shared, tags, faults, tagged, rowOf } = await retryOnConflict(() =>
        transaction(async tools => {
          const faults = await faultsOfBundles(
            tools.db,
            read.map(({ product }) => product),
          )
          const good = read.filter(({ product }) => !faults.has(product))
          const rowOf = new Map(good.flatMap(({ product, row }) => (product.barcodes ? [[product.sku.toUpperCase(), row] as const] : [])))
          const tagged = new Map(
            good.flatMap(({ product, row, names }) => (names ? [[product.sku.toUpperCase(), { names, row }] as const] : [])),
          )
          const stored = await storeProducts(
            tools,
            good.map(({ product }) => product),
          )
          const updated = [...stored].flatMap(([product, outcome]) => (outcome === 'updated' ? [product.sku] : []))
          if (updated.length > 0) await tools.recordEvent({ kind: 'product.imported', subject: 'product', data: { updated } })
          const tags = await setProductTags(
            tools,
            [...tagged].map(([sku_key, { names }]) => ({ sku_key, names })),
          )
          return { stored, tags, faults, tagged, rowOf, shared: await sharedBarcodes(tools.db, [...rowOf.keys()]) }
        }),
      )
      for (const { product, row } of read) {
        const fault = faults.get(product)
        if (!fault) continue
        result.refused++
        if (result.problems.length < 100) result.problems.push({ ...formatIssue(fault), row })
      }
      for (const { sku_key, ...values } of shared)
        if (result.noted.length < 100)
          result.noted.push({ ...formatIssue({ field: 'barcodes', text: productSentences.shared, values }), row: valueAt(rowOf, sku_key) })
      for (const { sku_key, name } of tags.unknown)
        if (result.noted.length < 100)
          result.noted.push({
            ...formatIssue({ field: 'tags', text: productSentences.tag, values: { name: name.slice(0, 60) } }),
            row: tagged.get(sku_key)?.row ?? 0,
          })
      for (const [product, outcome] of stored)
        result[outcome === 'unchanged' && tags.changed.has(product.sku.toUpperCase()) ? 'updated' : outcome]++
    }
  })

interface ReadRow {
  product: WrittenProduct
  row: number
  names: string[] | undefined
}

/** Small enough that reading one does not keep other requests waiting. */
const batchRows = 100

async function* inBatches(first: Row[], rest: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  const cut = function* (rows: Row[]) {
    for (let at = 0; at < rows.length; at += batchRows) yield rows.slice(at, at + batchRows)
  }
  yield* cut(first)
  for await (const rows of rest) yield* cut(rows)
}
