/** Bulk jobs: handlers. */
import { stringify } from 'csv-stringify/sync'
import { interpolate, orNotFound } from '#contract/errors.ts'
import { safeCell } from '#features/orders/orders/export.server.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { previewBulk, startBulk, undoBulkJob } from './bulk-jobs.commands.ts'
import { bulkJobs } from './bulk-jobs.contract.ts'
import { bulkJob, bulkOfJob, bulkRows, rowsOfReport } from './bulk-jobs.queries.ts'
import { bulkJobsSchemas, ReasonValues } from './bulk-jobs.schemas.ts'

const missing = 'Bulk job not found'
const reportedAtOnce = 1_000

export const bulkJobsServer = implement(bulkJobs, bulkJobsSchemas, {
  preview: ({ action, body }, context) => previewBulk(context, action, body),
  start: ({ id }, context) => startBulk(context, id),

  get: async ({ id }, { db, principal }) => orNotFound(await bulkJob(db, principal.company.id, id), 'bulk_job_not_found', missing),

  async rows({ id, ...query }, { db, principal }) {
    const bulk = orNotFound(await bulkOfJob(db, principal.company.id, id), 'bulk_job_not_found', missing)
    return bulkRows(db, bulk.id, query)
  },

  async report({ id, locale }, outside) {
    const bulk = orNotFound(
      await outside.transaction(({ db, principal }) => bulkOfJob(db, principal.company.id, id)),
      'bulk_job_not_found',
      missing,
    )
    return { bytes: reportOf(outside, bulk.id, locale ?? 'en_GB'), media_type: 'text/csv; charset=utf-8', name: `report-${id}.csv` }
  },

  undo: ({ id }, context) => undoBulkJob(context, id),
})

async function* reportOf({ transaction, signal }: ExternalContext, bulk_id: number, locale: string): AsyncGenerator<string> {
  const write = (rows: string[][]) => stringify(rows, { delimiter: locale.startsWith('en') ? ',' : ';', record_delimiter: '\r\n' })
  yield `\uFEFF${write([['order_no', 'status', 'result', 'reason']])}`
  for (let after = 0; !signal.aborted; ) {
    const rows = await transaction(({ db }) => rowsOfReport(db, bulk_id, after, reportedAtOnce))
    if (rows.length > 0)
      yield write(
        rows.map(row =>
          [
            row.order_no,
            row.phase,
            row.state,
            row.reason
              ? interpolate(row.reason, ReasonValues.parse(row.reason_values ?? {}))
              : row.lead_no === null
                ? ''
                : interpolate('In the parcel of {{order_no}}', { order_no: row.lead_no }),
          ].map(safeCell),
        ),
      )
    if (rows.length < reportedAtOnce) return
    after = rows.at(-1)?.n ?? 0
  }
}
