/** The task that makes the file of an export; it is read, written and stored a thousand orders at a time. */
import { doJob } from '#features/company/jobs/jobs.queries.ts'
import { asCsv, type ExportCell, exportedRows } from '#features/orders/orders/export.server.ts'
import { narrow } from '#features/orders/orders/orders.server.ts'
import { workbookStream } from '#platform/csv/workbook-stream.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { mostExportedOrders } from './order-exports.codes.ts'
import { askedExport, forgetExport } from './order-exports.commands.ts'

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** Written as numbers into a workbook. */
const money = 'total_incl_vat'

export const exportOrders: Tasks['orders.export'] = ({ job_id }, context) =>
  doJob(context, job_id, async progress => {
    const { transaction, services, scope } = context
    const asked = await transaction(({ db }) => askedExport(db, job_id))
    if (!asked) return null
    const { format, columns, sort, locale, filters } = asked
    const by = await transaction(inside => narrow(inside, { query: '', ...filters }))
    let orders = 0
    async function* counted(): AsyncGenerator<ExportCell[][]> {
      for await (const rows of exportedRows(context, by, { columns, sort, most: mostExportedOrders[format] })) {
        yield rows
        orders += rows.length
        await progress(orders)
      }
    }
    async function* cells(): AsyncGenerator<ExportCell[][]> {
      const at = columns.indexOf(money)
      for await (const rows of counted())
        yield at === -1 ? rows : rows.map(row => row.map((value, place) => (place === at && value !== null ? Number(value) : value)))
    }
    async function* bytes(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
      for await (const piece of text) yield Buffer.from(piece)
    }
    const content = await services.files.put(
      scope.operator_id,
      format === 'csv' ? bytes(asCsv(counted(), columns, locale)) : workbookStream('Orders', columns, cells()),
    )
    const name = `orders-${context.now().toISOString().slice(0, 10)}.${format}`
    return transaction(async ({ db, recordEvent }) => {
      const file_id = await recordFile(db, content, { media_type: mediaTypes[format], name })
      await forgetExport(db, job_id)
      await recordEvent({ kind: 'export.finished', subject: 'job', subject_id: job_id, data: { format, orders } })
      return { file_id, orders }
    })
  })
