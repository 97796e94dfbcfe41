/**
 * Importing a file: its orders in batches, each batch one transaction that also remembers how far the import is, so that a server
 * that was killed goes on after the last batch and counts nothing twice.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import { unprocessable } from '#contract/errors.ts'
import type { Row } from '#domain/csv-text.ts'
import { elementAt } from '#domain/objects.ts'
import { type ImportedOrder, toOrder } from '#domain/order/canonical-order-checks.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import { Cancelled, doJob } from '#features/company/jobs/jobs.queries.ts'
import { retryOrderConflict, storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { readRows, textOf, underHeader } from '#platform/csv/csv-rows.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { groupRows } from './file-rows.server.ts'
import { spokenValues } from './import.labels.ts'
import { namesShop } from './mapping.rules.ts'
import { fileById } from './order-imports.queries.ts'
import { type ImportReason, StartedMapping } from './order-imports.schemas.ts'
import { rowReader } from './order-rows.rules.ts'
import { csvSentences, errorHeader, errorRow, ReasonCounts, type RowProblem } from './rejected-rows.rules.ts'

/** Small enough that no one waits for a batch, large enough that its cost is shared. */
const batchOrders = 100
const batchLines = 500

interface Waiting {
  at: number
  order: ImportedOrder
  rows: Row[]
  problems: RowProblem[]
}
/** An order that could be read but not stored. */
interface StoredRefusal {
  at: number
  problem: Problem
}

/** The queue's task: `{ import_id, job_id }`. */
export const importOrders: Tasks['orders.import'] = async ({ import_id, job_id }, context) =>
  doJob(context, job_id, async progress => {
    const { services, scope, transaction } = context
    const { row, file } = await transaction(async ({ db }) => {
      const row = await db
        .selectFrom('order_imports')
        .select(['shop', 'file_id', 'mapping', 'orders_done', 'refusals', 'undone_at'])
        .where('id', '=', import_id)
        .executeTakeFirstOrThrow()
      return { row, file: await fileById(db, row.file_id) }
    })
    if (!file || row.undone_at) return
    const { form, mapping, locale } = StartedMapping.parse(row.mapping)
    using content = await services.files.open(scope.operator_id, file)
    const { headers, rows } = await underHeader(readRows(textOf(content, form.encoding), { separator: form.separator }), form.header_row)
    const reader = rowReader(headers, mapping)
    const named = namesShop(mapping)
    const report = new Report(headers, form.separator, await translatorFor(locale))
    let total = 0
    const counting = (async function* () {
      for await (const some of rows) {
        total += some.length
        yield some
      }
    })()

    let { orders_done } = row
    const refusals = new Map((row.refusals as StoredRefusal[]).map(one => [one.at, one.problem]))
    let done = 0
    let at = 0
    let waiting: Waiting[] = []
    let lines = 0
    /** One batch is stored while the next is read: the reading costs this process what the storing costs the database. */
    let storing = Promise.resolve()
    const store = async (upTo: number) => {
      const batch = waiting
      const rows_read = done
      waiting = []
      lines = 0
      await storing
      storing = storeOne(batch, upTo, rows_read)
      // Heard where it is waited for.
      storing.catch(() => undefined)
    }
    const storeOne = async (batch: Waiting[], upTo: number, rows_read: number) => {
      const kept = await storeBatch(context, { import_id, before: orders_done, upTo, rows_read, batch })
      for (const { at, problem } of kept) refusals.set(at, problem)
      for (const one of batch) {
        const problem = refusals.get(one.at)
        if (problem) report.refuse(one.rows, problem)
        report.take(one.rows, one.problems)
      }
      orders_done = upTo
      await progress(rows_read, total)
    }
    try {
      for await (const group of groupRows(counting, reader)) {
        const reading = reader.toCanonical(group)
        done += group.length
        const order = reading.order && toOrder(named ? reading.order : { ...reading.order, shop: mapping.constants.shop ?? row.shop })
        const known = at < orders_done
        if (order && !known) {
          waiting.push({ at, order, rows: group, problems: reading.problems })
          lines += order.lines.length
        } else {
          // Stored before the server stopped, or not to be stored at all: only reported.
          const problem = refusals.get(at)
          if (problem) report.refuse(group, problem)
          report.take(group, reading.problems)
        }
        at++
        if (waiting.length >= batchOrders || lines >= batchLines) await store(at)
        else if (at % 10 === 0) await breathe()
      }
      await storing
      if (at > orders_done) await store(at)
      await storing
      await finish(context, import_id, file.name, report)
    } catch (error) {
      await storing.catch(() => undefined)
      // What was read until here is reported as well.
      if (error instanceof Cancelled || context.last_try) await finish(context, import_id, file.name, report)
      throw error
    }
    if (await importedNothing(context, import_id)) throw unprocessable('import_empty', csvSentences.nothing_imported)
    return { rows: done }
  })

/** No order of the file is here now: neither a new one nor one that was here before. */
const importedNothing = ({ transaction }: ExternalContext, import_id: number): Promise<boolean> =>
  transaction(async ({ db }) => {
    const count = await db
      .selectFrom('order_imports')
      .select(['created', 'updated', 'unchanged'])
      .where('id', '=', import_id)
      .executeTakeFirstOrThrow()
    return count.created + count.updated + count.unchanged === 0
  })

const storeBatch = (
  context: ExternalContext,
  {
    import_id,
    before,
    upTo,
    rows_read,
    batch,
  }: { import_id: number; before: number; upTo: number; rows_read: number; batch: readonly Waiting[] },
): Promise<StoredRefusal[]> =>
  retryOrderConflict(() =>
    context.transaction(async tools => {
      const { db, notify } = tools
      const stored = await storeOrders(
        tools,
        batch.map(one => one.order),
        { import_id },
      )
      const count = { created: 0, updated: 0, unchanged: 0, refused: 0 }
      const refusals: StoredRefusal[] = []
      for (const [place, { result, problems }] of stored.entries()) {
        count[result]++
        if (result === 'refused' && problems[0]) refusals.push({ at: elementAt(batch, place).at, problem: problems[0] })
      }
      const { numUpdatedRows } = await db
        .updateTable('order_imports')
        .set(eb => ({
          orders_done: upTo,
          rows_read,
          created: eb('created', '+', count.created),
          updated: eb('updated', '+', count.updated),
          unchanged: eb('unchanged', '+', count.unchanged),
          refused: eb('refused', '+', count.refused),
          refusals: sql<string>`refusals || ${JSON.stringify(refusals)}::jsonb`,
        }))
        .where('id', '=', import_id)
        .where('orders_done', '=', before)
        .where('undone_at', 'is', null)
        .executeTakeFirstOrThrow()
      // Another server has the same job: its work counts.
      if (numUpdatedRows === 0n) throw new Error('This import is carried on elsewhere')
      notify('import', import_id)
      return refusals
    }),
  )

async function finish({ services, scope, transaction }: ExternalContext, import_id: number, name: string, report: Report): Promise<void> {
  const errors = await report.file()
  const stored = errors && (await services.files.put(scope.operator_id, errors))
  await transaction(async ({ db, notify, recordEvent }: Context) => {
    const error_file_id = stored
      ? await recordFile(db, stored, { media_type: 'text/csv', name: name.replace(/(\.[a-z]+)?$/i, '-refused.csv') })
      : null
    await db
      .updateTable('order_imports')
      .set({ error_file_id, rows_refused: report.rowsRefused, problems: JSON.stringify(report.reasons()) })
      .where('id', '=', import_id)
      .execute()
    await recordEvent({ kind: 'import.finished', subject: 'import', subject_id: import_id })
    notify('import', import_id)
  })
}

type Say = (text: string, values: RowProblem['values']) => string

/** What is reported about an import: reasons with their counts, and the refused rows as they came. */
class Report {
  readonly #headers: string[]
  readonly #delimiter: string
  readonly #say: Say
  readonly #reasons = new ReasonCounts()
  readonly #bad: { cells: string[]; problems: RowProblem[] }[] = []

  constructor(headers: string[], delimiter: string, say: Say) {
    this.#headers = headers
    this.#delimiter = delimiter
    this.#say = (text, values) =>
      say(
        text,
        spokenValues(values, sentence => say(sentence, {})),
      )
  }
  get rowsRefused(): number {
    return this.#bad.length
  }
  take(rows: readonly Row[], problems: readonly RowProblem[]): void {
    for (const problem of problems) this.#reasons.add(problem)
    const refused = problems.filter(problem => problem.severity === 'refused')
    if (refused.length === 0) return
    for (const { row, cells } of rows) {
      const own = refused.filter(problem => problem.row === row)
      if (own.length > 0) this.#bad.push({ cells, problems: own })
    }
  }
  /** The order could not be stored: all of its rows go back. */
  refuse(rows: readonly Row[], { field, text, values }: Problem): void {
    const problems = rows.map(
      ({ row }): RowProblem => ({ row, code: 'order_refused', field: '', column: field, severity: 'refused', text, values }),
    )
    if (problems[0]) this.#reasons.add(problems[0])
    for (const [place, { cells }] of rows.entries()) this.#bad.push({ cells, problems: [elementAt(problems, place)] })
  }
  reasons(): ImportReason[] {
    return this.#reasons.sorted()
  }
  /** Cut as the file was, in UTF-8 with a byte order mark, so that the same spreadsheet reads it right; null when nothing was refused. */
  async file(): Promise<Buffer | null> {
    if (this.#bad.length === 0) return null
    const written = (rows: string[][]) => stringify(rows, { delimiter: this.#delimiter })
    const pieces = ['\ufeff', written([errorHeader(this.#headers)])]
    for (let at = 0; at < this.#bad.length; at += 500) {
      pieces.push(
        written(this.#bad.slice(at, at + 500).map(({ cells, problems }) => errorRow(cells, this.#headers.length, problems, this.#say))),
      )
      await breathe()
    }
    return Buffer.from(pieces.join(''))
  }
}
