/** Imported serial numbers: handlers that find, import, recall and remove them. */
import { conflict, unprocessable } from '#contract/errors.ts'
import { csvFileSentences, hasTooManyCells } from '#domain/csv-text.ts'
import type { DateOrder } from '#domain/dates.ts'
import { companyNamed } from '#features/company/companies/companies.queries.ts'
import { doJob, newJob } from '#features/company/jobs/jobs.queries.ts'
import { openStoredTable } from '#platform/csv/stored-table.ts'
import { uploadedTable } from '#platform/csv/uploaded-table.ts'
import { retryOnConflict } from '#platform/database/retry-on-conflict.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { allowOneMore, allowUpload } from '#platform/limits/company-limits.ts'
import { mostUnitRows } from './serial-units.codes.ts'
import { markUnits, noUnits, recallUnits, storeUnits, sumOf } from './serial-units.commands.ts'
import { serialUnits } from './serial-units.contract.ts'
import { findUnits } from './serial-units.queries.ts'
import { datesOf, unitColumnsOf, unitOf } from './serial-units.rules.ts'
import { serialUnitsSchemas, type UnitImport } from './serial-units.schemas.ts'

const mostExported = 20_000
/** Small enough that a batch keeps no station waiting. */
const batchRows = 200
const eventsAtOnce = 1_000

export const serialUnitsServer = implement(serialUnits, serialUnitsSchemas, {
  list: (query, { db }) => findUnits(db, query),

  async write({ body }, context) {
    const { id } = await companyNamed(context, body.company)
    const result = await storeUnits(
      context.db,
      id,
      body.units.map((unit, at) => ({ row: at + 1, unit })),
    )
    await recordImport(context, id, result)
    return result
  },

  async import({ upload, company }, context) {
    const { services, scope, transaction, signal, principal } = context
    const { id } = await transaction(async ({ db }) => {
      await allowUpload(db, scope.company_id)
      return companyNamed({ db, principal }, company)
    })
    const { content } = await uploadedTable(upload.content, signal)
    const stored = await services.files.put(scope.operator_id, content)
    return transaction(async ({ db, enqueue }) => {
      await allowOneMore(db, scope.company_id, 'imports')
      const file_id = await recordFile(db, stored, { media_type: 'text/csv', name: upload.name })
      const job_id = await newJob(db, { kind: 'serials.import', title: upload.name, created_by: principal.id })
      await enqueue(
        'serials.import',
        { job_id, file_id, company_id: id },
        { key: `serials.import/${job_id}`, queue: `imports/${scope.operator_id}/${scope.company_id}` },
      )
      return { job_id }
    })
  },

  async export(asked, { db, now }) {
    const { rows } = await findUnits(db, { ...asked, page: 1, limit: mostExported + 1 })
    if (rows.length > mostExported)
      throw conflict('export_too_large', 'More than {{rows}} rows. Choose fewer, such as one month.', { rows: mostExported })
    const columns = ['sku', 'serial', 'pack_code', 'lot', 'expiry', 'state', 'product', 'company', 'order_no', 'imported_at'] as const
    return {
      bytes: csv(
        columns,
        rows.map(row => columns.map(column => row[column])),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `imported-serial-numbers-${now().toISOString().slice(0, 10)}.csv`,
    }
  },

  async mark({ body: { ids, as } }, { db, recordEvents, notify }) {
    const marked = await markUnits(db, ids, as)
    if (marked.length > 0) {
      await recordEvents(
        marked.map(({ id, company_id }) => ({
          kind: 'serial_unit.marked',
          subject: 'serial_unit',
          subject_id: id,
          company_id,
          data: { as },
        })),
      )
      notify('packing')
    }
    return { changed: marked.length, ids: marked.map(({ id }) => id) }
  },

  async recall({ sku, body }, { db, recordEvents, notify }) {
    const recalled = await recallUnits(db, { sku, ...body })
    for (let at = 0; at < recalled.length; at += eventsAtOnce)
      await recordEvents(
        recalled.slice(at, at + eventsAtOnce).map(({ id, company_id }) => ({
          kind: 'serial_unit.recalled',
          subject: 'serial_unit',
          subject_id: id,
          company_id,
          data: { sku },
        })),
      )
    notify('packing')
    return { recalled: recalled.length }
  },
})

/** Reads a file in batches; what is stored stays when the job is cancelled, and is found unchanged when the file is read again. */
export const importUnits: Tasks['serials.import'] = async ({ job_id, file_id, company_id }, context) =>
  doJob(context, job_id, async progress => {
    const { transaction } = context
    using table = await openStoredTable(context, file_id)
    const { headers, rows } = table
    const places = unitColumnsOf(headers)
    if (typeof places === 'string')
      throw unprocessable('csv_column_unmapped', csvFileSentences.unmapped, { field: places === 'sku' ? 'SKU' : 'serial' })
    let result = noUnits()
    let done = 0
    let dates: DateOrder | undefined
    for await (const some of rows) {
      dates ??= datesOf(some.map(row => row.cells[places.get('expiry') ?? -1] ?? ''))
      for (let at = 0; at < some.length; at += batchRows) {
        const batch = some.slice(at, at + batchRows)
        done += batch.length
        if (done > mostUnitRows) throw unprocessable('csv_too_many_rows', csvFileSentences.too_many_rows, { max: mostUnitRows })
        const order = dates ?? 'iso'
        const given = batch.map(({ row, cells }) => ({
          row,
          unit: hasTooManyCells(cells, headers.length) ? null : unitOf(cells, places, order),
        }))
        result = sumOf(
          result,
          await retryOnConflict(() =>
            transaction(async tools => {
              const stored = await storeUnits(tools.db, company_id, given)
              await recordImport(tools, company_id, stored)
              return stored
            }),
          ),
        )
        await progress(done)
      }
    }
    if (done === 0) throw unprocessable('csv_no_rows', csvFileSentences.no_rows)
    return result
  })

async function recordImport(
  { recordEvent, notify }: Pick<Context, 'recordEvent' | 'notify'>,
  company_id: number,
  { added, changed }: UnitImport,
): Promise<void> {
  if (added + changed === 0) return
  await recordEvent({ kind: 'serial_unit.imported', subject: 'company', subject_id: company_id, company_id, data: { added, changed } })
  notify('packing', undefined, company_id)
}
