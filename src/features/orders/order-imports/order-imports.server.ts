/** Order imports: a file is taken, looked at, started as a job, and may be taken back. */
import { setImmediate as breathe } from 'node:timers/promises'
import { AppError, conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { mostRows } from '#domain/csv-text.ts'
import { type CanonicalOrder, formatIssue } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { sourceName } from '#domain/order/order-warnings.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { duplicatesOf } from '#features/orders/orders/upsert/existing-orders.queries.ts'
import { readRows, surveyText, textOf, underHeader } from '#platform/csv/csv-rows.ts'
import { uploadedTable } from '#platform/csv/uploaded-table.ts'
import { type ContentStream, recordFile } from '#platform/files/file-store.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { allowOneMore, allowUpload } from '#platform/limits/company-limits.ts'
import { orderGroups } from './file-look.server.ts'
import { lookInThread } from './file-look-thread.server.ts'
import { type Mapping, namesShop } from './mapping.rules.ts'
import { orderImports } from './order-imports.contract.ts'
import {
  fileById,
  importById,
  keepMapping,
  keptMapping,
  newestImports,
  removeImported,
  shopsOf,
  standingInTheWay,
} from './order-imports.queries.ts'
import { type FileForm, orderImportsSchemas } from './order-imports.schemas.ts'
import { rowReader } from './order-rows.rules.ts'
import { csvSentences } from './rejected-rows.rules.ts'
import type { CompanyDefaults } from './suggested-mapping.rules.ts'

export const orderImportsServer = implement(orderImports, orderImportsSchemas, {
  async uploadFile({ upload }, { services, scope, transaction, signal }) {
    await transaction(({ db }) => allowUpload(db, scope.company_id))
    const { content, sheet } = await uploadedTable(upload.content, signal)
    const stored = await services.files.put(scope.operator_id, content)
    // People see from which sheet their orders are.
    const name = sheet === null ? upload.name : `${upload.name} (${sheet})`
    const file_id = await transaction(({ db }) => recordFile(db, stored, { media_type: 'text/csv', name }))
    return { file_id, name, bytes: stored.bytes }
  },

  async preview({ body }, context) {
    const { signal } = context
    const { file, open, defaults } = await fileOf(context, body.file_id)
    const kept = body.detect ? null : await context.transaction(({ db }) => keptMapping(db, body.shop))
    const survey = await surveyText(await open())
    const seen = await lookInThread(
      { survey, form: body.form, defaults, mapping: body.mapping ?? null, kept: kept?.mapping ?? null },
      signal,
    )
    const { encoding } = seen.form
    const { mapping: used, missing } = seen
    const duplicates = await duplicatesIn(context, seen.orders, namesShop(used) ? null : body.shop)
    const unreadable = missing.length === 0 ? await whyNothingReads(open, seen.form, used) : null
    return {
      file_id: file.id,
      file_name: file.name,
      bytes: file.bytes,
      form: seen.form,
      headers: seen.headers,
      cells: seen.cells,
      mapping: used,
      saved: seen.saved,
      doubts: [
        // Some bytes of the file are no characters of UTF-8: reading it so would lose them.
        ...(encoding === 'utf-8' && !survey.isUtf8
          ? [{ field: '', text: csvSentences.letters, values: { encoding: encoding.toUpperCase() } }]
          : []),
        ...(seen.form.header_row > 1 && seen.headed
          ? [{ field: '', text: csvSentences.header_row, values: { row: seen.form.header_row } }]
          : []),
        ...duplicates,
        ...seen.doubts.filter(doubt => !missing.some(problem => problem.text === doubt.text && problem.field === doubt.field)),
      ].map(formatIssue),
      unused: seen.unused,
      missing: (unreadable ? [unreadable] : missing).map(formatIssue),
      lines: seen.lines,
      problems: seen.problems,
      reasons: seen.reasons,
      orders_read: seen.orders_read,
      rows_refused: seen.rows_refused,
      looked_at: seen.looked_at,
    }
  },

  async start({ body }, context) {
    const { file, open, defaults } = await fileOf(context, body.file_id)
    const survey = await surveyText(await open())
    const { missing } = await lookInThread({ survey, form: body.form, defaults, mapping: body.mapping, kept: null }, context.signal)
    const [problem] = missing
    if (problem) throw unprocessable('csv_column_unmapped', problem.text, problem.values, { fields: { [problem.field]: problem.text } })
    const unreadable = await whyNothingReads(open, body.form, body.mapping)
    if (unreadable) throw unprocessable('csv_unreadable', unreadable.text, unreadable.values)
    return context.transaction(async ({ db, enqueue, principal, recordEvent, now, scope }) => {
      await allowOneMore(db, scope.company_id, 'imports')
      if (body.keep) await keepMapping(db, body.shop, { form: body.form, mapping: body.mapping }, now())
      const job_id = await newJob(db, { kind: 'orders.import', title: file.name, created_by: principal.id })
      const { id: import_id } = await db
        .insertInto('order_imports')
        .values({
          shop: body.shop,
          file_id: file.id,
          file_name: file.name,
          mapping: JSON.stringify({ form: body.form, mapping: body.mapping, locale: body.locale }),
          job_id,
          created_by: principal.id,
          created_at: now().toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await recordEvent({ kind: 'import.started', subject: 'import', subject_id: import_id, data: { file: file.name, shop: body.shop } })
      // One import of a company at a time. Those of several companies take turns at each of their batches.
      await enqueue(
        'orders.import',
        { import_id, job_id },
        { key: `orders.import/${import_id}`, queue: `imports/${scope.operator_id}/${scope.company_id}` },
      )
      return orNotFound(await importById(db, import_id), 'import_not_found', absent)
    })
  },

  list: (query, { db }) => newestImports(db, query),

  get: async ({ id }, { db }) => orNotFound(await importById(db, id), 'import_not_found', absent),

  async undo({ id }, { db, now, recordEvent, notify }) {
    const one = orNotFound(await importById(db, id), 'import_not_found', absent)
    if (one.undone_at) throw conflict('import_undone', 'This import is already undone')
    if (one.state === 'queued' || one.state === 'running') throw conflict('import_running', 'This import is still running: cancel it first')
    const blocking = await standingInTheWay(db, id)
    if (blocking.length > 0)
      throw conflict(
        'import_in_use',
        '{{count}} of its orders are being worked on already, so the import stays: {{orders}}',
        {
          count: blocking.length,
          orders: blocking
            .slice(0, 10)
            .map(order => order.order_no)
            .join(', '),
        },
        { current: { orders: blocking.slice(0, 100) } },
      )
    const removed = await removeImported(db, id, now())
    await recordEvent({ kind: 'import.undone', subject: 'import', subject_id: id, data: { removed } })
    notify('import', id)
    notify('order')
    return { removed }
  },

  async errors({ id }, { db }) {
    const row = await db
      .selectFrom('order_imports as i')
      .innerJoin('files as f', join => join.onRef('f.operator_id', '=', 'i.operator_id').onRef('f.id', '=', 'i.error_file_id'))
      .select(['f.sha256', 'f.bytes', 'f.name'])
      .where('i.id', '=', id)
      .executeTakeFirst()
    if (!row) throw notFound('import_has_no_rejected_rows', 'No row of this import was rejected')
    return { bytes: row, media_type: 'text/csv', name: row.name }
  },

  shops: async (_, { db }) => ({ shops: await shopsOf(db) }),
})

const absent = 'Import not found'

async function fileOf({ services, transaction, scope }: ExternalContext, file_id: number) {
  const { file, settings } = await transaction(async ({ db }) => ({
    file: await fileById(db, file_id),
    settings: await companySettings(db, scope.company_id),
  }))
  const known = orNotFound(file, 'file_not_found', 'File not found')
  return { file: known, open: () => services.files.open(scope.operator_id, known), defaults: defaultsOf(settings) }
}

const defaultsOf = ({ time_zone, currency, sender }: CompanySettings): CompanyDefaults => ({
  timeZone: time_zone,
  currency,
  country: sender.country,
})

/** Why no order of the file can be read by this mapping; null where one can. It reads up to the first order, mostly one batch of rows. */
async function whyNothingReads(open: () => Promise<ContentStream>, form: FileForm, mapping: Mapping): Promise<Problem | null> {
  try {
    using content = await open()
    const { headers, rows } = await underHeader(readRows(textOf(content, form.encoding), { separator: form.separator }), form.header_row)
    const reader = rowReader(headers, mapping)
    let count = 0
    for await (const some of rows) {
      count += some.length
      if (count > mostRows) return { field: '', text: csvSentences.too_many_rows, values: { max: mostRows } }
      for (const [at, group] of orderGroups(reader, some).entries()) {
        if (reader.toCanonical(group).outcome !== 'refused') return null
        // Other requests get their turn.
        if (at % 50 === 49) await breathe()
      }
      await breathe()
    }
    return { field: '', text: csvSentences.no_row_reads, values: {} }
  } catch (error) {
    if (error instanceof AppError) return { field: '', text: error.key, values: error.values as Problem['values'] }
    throw error
  }
}

/** Orders of the part that was looked at that came by the API, a webhook or a key of the shop before. */
async function duplicatesIn({ transaction }: ExternalContext, orders: readonly CanonicalOrder[], shop: string | null): Promise<Problem[]> {
  const keys = orders.map(order => toOrder(shop === null ? order : { ...order, shop }))
  const found = keys.length === 0 ? new Map() : await transaction(({ db }) => duplicatesOf(db, keys))
  const [first] = found.values()
  return first
    ? [
        {
          field: 'order_no',
          text: csvSentences.duplicates,
          values: { count: found.size, order_no: first.order_no, source: sourceName(first.source) },
        },
      ]
    : []
}
