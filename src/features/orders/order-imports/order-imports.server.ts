/** Order imports: a file is taken, looked at, started as a job, and may be taken back. */
import { setImmediate as breathe } from 'node:timers/promises'
import { AppError, conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { mostRows, type Row } from '#domain/csv-text.ts'
import { elementAt } from '#domain/objects.ts'
import { type CanonicalOrder, formatIssue } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { sourceName } from '#domain/order/order-warnings.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { duplicatesOf } from '#features/orders/orders/upsert/existing-orders.queries.ts'
import { readRows, surveyText, type TextSurvey, textOf, underHeader } from '#platform/csv/csv-rows.ts'
import { uploadedTable } from '#platform/csv/uploaded-table.ts'
import { type ContentStream, recordFile } from '#platform/files/file-store.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import type { CsvField } from './columns.rules.ts'
import { examine } from './file-rows.server.ts'
import { type Mapping, mappingProblems, namesShop } from './mapping.rules.ts'
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
import { type FileForm, type ImportPreview, orderImportsSchemas } from './order-imports.schemas.ts'
import { type RowReader, rowReader } from './order-rows.rules.ts'
import { csvSentences, type RowProblem } from './rejected-rows.rules.ts'
import { type CompanyDefaults, columnDoubts, refreshMapping, type Suggestion } from './suggested-mapping.rules.ts'
import { unusedColumns } from './unused-columns.rules.ts'

const shownRows = 20

export const orderImportsServer = implement(orderImports, orderImportsSchemas, {
  async uploadFile({ upload }, { services, scope, transaction, signal }) {
    const { content, sheet } = await uploadedTable(upload.content, signal)
    const stored = await services.files.put(scope.operator_id, content)
    // People see from which sheet their orders are.
    const name = sheet === null ? upload.name : `${upload.name} (${sheet})`
    const file_id = await transaction(({ db }) => recordFile(db, stored, { media_type: 'text/csv', name }))
    return { file_id, name, bytes: stored.bytes }
  },

  async preview({ body }, context) {
    const { file, open, defaults } = await fileOf(context, body.file_id)
    const kept = body.detect ? null : await context.transaction(({ db }) => keptMapping(db, body.shop))
    // How a file is written is a fact of the file; what its columns mean is kept.
    const survey = await surveyText(await open())
    const seen = await look(survey, body.form, defaults)
    const sample = seen.sample.map(row => row.cells)
    const fits = kept !== null && mappingProblems(kept.mapping, seen.headers).length === 0
    const suggestion = fits && !body.mapping ? refreshMapping(kept.mapping, seen.headers, sample) : seen
    const used = body.mapping ?? suggestion.mapping
    const doubts = body.mapping ? doubtsOf(body.mapping, seen, sample) : suggestion.doubts
    const { encoding } = seen.form
    const { orders, ...shown } = read(seen.headers, seen.rows, used)
    const duplicates = await duplicatesIn(context, orders, namesShop(used) ? null : body.shop)
    const missing = mappingProblems(used, seen.headers)
    const unreadable = missing.length === 0 ? await whyNothingReads(open, seen.form, used) : null
    return {
      file_id: file.id,
      file_name: file.name,
      bytes: file.bytes,
      form: seen.form,
      headers: seen.headers,
      cells: seen.preview,
      mapping: used,
      saved: fits && !body.mapping,
      doubts: [
        // Some bytes of the file are no characters of UTF-8: reading it so would lose them.
        ...(encoding === 'utf-8' && !survey.isUtf8
          ? [{ field: '', text: csvSentences.letters, values: { encoding: encoding.toUpperCase() } }]
          : []),
        ...(seen.form.header_row > 1 && seen.headed
          ? [{ field: '', text: csvSentences.header_row, values: { row: seen.form.header_row } }]
          : []),
        ...duplicates,
        ...doubts.filter(doubt => !missing.some(problem => problem.text === doubt.text && problem.field === doubt.field)),
      ].map(formatIssue),
      unused: unusedColumns(used, seen.headers, sample),
      missing: (unreadable ? [unreadable] : missing).map(formatIssue),
      ...shown,
    }
  },

  async start({ body }, context) {
    const { file, open, defaults } = await fileOf(context, body.file_id)
    const { headers } = await look(await surveyText(await open()), body.form, defaults)
    const [problem] = mappingProblems(body.mapping, headers)
    if (problem) throw unprocessable('csv_column_unmapped', problem.text, problem.values, { fields: { [problem.field]: problem.text } })
    const unreadable = await whyNothingReads(open, body.form, body.mapping)
    if (unreadable) throw unprocessable('csv_unreadable', unreadable.text, unreadable.values)
    return context.transaction(async ({ db, enqueue, principal, recordEvent, now, scope }) => {
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
    if (one.undone_at) throw conflict('import_undone', 'This import was taken back already')
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
    if (!row) throw notFound('import_has_no_rejected_rows', 'No row of this import was refused')
    return { bytes: row, media_type: 'text/csv', name: row.name }
  },

  shops: async (_, { db }) => ({ shops: await shopsOf(db) }),
})

const absent = 'This import does not exist'

async function fileOf({ services, transaction, scope }: ExternalContext, file_id: number) {
  const { file, settings } = await transaction(async ({ db }) => ({
    file: await fileById(db, file_id),
    settings: await companySettings(db, scope.company_id),
  }))
  const known = orNotFound(file, 'file_not_found', 'This file does not exist')
  return { file: known, open: () => services.files.open(scope.operator_id, known), defaults: defaultsOf(settings) }
}

const defaultsOf = ({ time_zone, currency, sender }: CompanySettings): CompanyDefaults => ({
  timeZone: time_zone,
  currency,
  country: sender.country,
})

/** What a mapping that a person corrected leaves open. Dates and numbers are settled by the choice of a form. */
function doubtsOf(
  mapping: Mapping,
  { headers, doubts }: Pick<Suggestion, 'doubts'> & { headers: readonly string[] },
  sample: readonly string[][],
): Problem[] {
  const columns = columnDoubts(mapping, headers, sample)
  const remaining = doubts.filter(
    ({ field, text, values }) =>
      text !== csvSentences.left_out_column &&
      text !== csvSentences.no_column &&
      text !== csvSentences.unmapped &&
      // A field that has another column now, or another constant, is in doubt no more.
      (values.column === undefined || mapping.columns[String(values.column)] === field) &&
      (values.value === undefined || mapping.constants[field as CsvField] === values.value),
  )
  return [...remaining, ...columns]
}

async function look({ start, whole, ...survey }: TextSurvey, form: Partial<FileForm>, defaults: CompanyDefaults) {
  const encoding = form.encoding ?? survey.encoding
  const seen = await examine(start, { form: { ...form, encoding }, whole, ...defaults })
  const text = new TextDecoder(seen.form.encoding).decode(start.subarray(0, 131_072))
  const end = whole && start.length <= 131_072 ? text.length : text.lastIndexOf('\n') + 1 || text.length
  const rows: Row[] = []
  try {
    for await (const some of readRows([text.slice(0, end)], { separator: seen.form.separator })) rows.push(...some)
  } catch {
    // A quoted cell may be cut at the end of the part; what came before it is shown.
  }
  const under = rows.filter(row => row.row > seen.form.header_row)
  const first = rows[0]?.row ?? 1
  const headed = seen.form.header_row > first
  return { ...seen, rows: (headed ? under : rows.slice(1)).slice(0, 500), headed }
}

/** These rows, those of one order together. */
function orderGroups(reader: RowReader, rows: readonly Row[]): Row[][] {
  const groups = Map.groupBy(rows, row => reader.keyOf(row.cells) || `\n${row.row}`)
  return [...groups.values()]
}

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
      for (const group of orderGroups(reader, some)) if (reader.toCanonical(group).outcome !== 'refused') return null
      // Other requests get their turn between two batches.
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

/** The first rows by this mapping, and what is wrong with the first hundreds. */
function read(
  headers: readonly string[],
  rows: readonly Row[],
  mapping: Mapping,
): Pick<ImportPreview, 'lines' | 'problems' | 'looked_at'> & { orders: CanonicalOrder[] } {
  const reader = rowReader(headers, mapping)
  const lines: ImportPreview['lines'] = []
  const orders: CanonicalOrder[] = []
  const problems: RowProblem[] = []
  for (const group of orderGroups(reader, rows)) {
    const { order, problems: found } = reader.toCanonical(group)
    problems.push(...found)
    if (order) orders.push(order)
    for (const line of order?.lines ?? []) {
      if (lines.length >= shownRows || !order) break
      lines.push({
        row: elementAt(group, 0).row,
        order_no: order.order_no,
        ordered_at: order.ordered_at,
        recipient: [order.ship_to.name, order.ship_to.company].filter(Boolean).join(', '),
        place: [order.ship_to.address1, [order.ship_to.postcode, order.ship_to.city].filter(Boolean).join(' ')].filter(Boolean).join(', '),
        country: order.ship_to.country,
        type: line.type,
        sku: line.sku,
        name: line.name,
        qty: Number(line.qty),
        price: line.unit_price_incl_vat ?? line.unit_price_excl_vat,
        currency: order.currency,
      })
    }
  }
  const weight = { refused: 0, left_out: 1, skipped: 2, noted: 3 }
  return {
    orders,
    lines,
    problems: problems
      .sort((one, other) => weight[one.severity] - weight[other.severity] || one.row - other.row)
      .slice(0, 50)
      .map(problem => ({
        ...formatIssue(problem),
        row: problem.row,
        code: problem.code,
        column: problem.column,
        severity: problem.severity,
      })),
    looked_at: rows.length,
  }
}
