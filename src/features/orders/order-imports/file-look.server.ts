/** The first part of an order file as the import screen shows it: columns, mapping, doubts, and the first rows by it. */

import type { Row } from '#domain/csv-text.ts'
import { elementAt } from '#domain/objects.ts'
import type { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { formatIssue } from '#domain/order/canonical-order.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import { readRows, type TextSurvey } from '#platform/csv/csv-rows.ts'
import { columnDoubts } from './column-doubts.rules.ts'
import type { CsvField } from './columns.rules.ts'
import { examine } from './file-rows.server.ts'
import { type Mapping, mappingProblems } from './mapping.rules.ts'
import type { FileForm, ImportPreview } from './order-imports.schemas.ts'
import { type RowReader, rowReader } from './order-rows.rules.ts'
import { csvSentences, ReasonCounts, type RowProblem } from './rejected-rows.rules.ts'
import { type CompanyDefaults, refreshMapping, type Suggestion } from './suggested-mapping.rules.ts'
import { unusedColumns } from './unused-columns.rules.ts'

const shownRows = 20

export interface FileLookTask {
  survey: TextSurvey
  form: Partial<FileForm>
  defaults: CompanyDefaults
  /** As a person corrected it. */
  mapping: Mapping | null
  /** As it was kept for the shop. */
  kept: Mapping | null
}

export interface FileLook
  extends Pick<
    ImportPreview,
    | 'form'
    | 'headers'
    | 'cells'
    | 'mapping'
    | 'saved'
    | 'unused'
    | 'lines'
    | 'problems'
    | 'reasons'
    | 'orders_read'
    | 'rows_refused'
    | 'looked_at'
  > {
  /** There is something above the header. */
  headed: boolean
  doubts: Problem[]
  /** What the mapping lacks for an import. */
  missing: Problem[]
  orders: CanonicalOrder[]
}

/** Throws a Refusal for a file that has no rows under its header or too many columns. */
export async function lookAtFile({ survey, form, defaults, mapping, kept }: FileLookTask): Promise<FileLook> {
  // How a file is written is a fact of the file; what its columns mean is kept.
  const seen = await look(survey, form, defaults)
  const sample = seen.sample.map(row => row.cells)
  const fits = kept !== null && mappingProblems(kept, seen.headers).length === 0
  const suggestion = fits && !mapping ? refreshMapping(kept, seen.headers, sample) : seen
  const used = mapping ?? suggestion.mapping
  return {
    form: seen.form,
    headers: seen.headers,
    cells: seen.preview,
    headed: seen.headed,
    mapping: used,
    saved: fits && !mapping,
    doubts: mapping ? doubtsOf(mapping, seen, sample) : suggestion.doubts,
    unused: unusedColumns(used, seen.headers, sample),
    missing: mappingProblems(used, seen.headers),
    ...read(seen.headers, seen.rows, used),
  }
}

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
export function orderGroups(reader: RowReader, rows: readonly Row[]): Row[][] {
  const groups = Map.groupBy(rows, row => reader.keyOf(row.cells) || `\n${row.row}`)
  return [...groups.values()]
}

/** The first rows by this mapping, and what is wrong with the first hundreds. */
function read(
  headers: readonly string[],
  rows: readonly Row[],
  mapping: Mapping,
): Pick<ImportPreview, 'lines' | 'problems' | 'reasons' | 'orders_read' | 'rows_refused' | 'looked_at'> & { orders: CanonicalOrder[] } {
  const reader = rowReader(headers, mapping)
  const lines: ImportPreview['lines'] = []
  const orders: CanonicalOrder[] = []
  const problems: RowProblem[] = []
  const reasons = new ReasonCounts()
  const refused = new Set<number>()
  for (const group of orderGroups(reader, rows)) {
    const { order, problems: found } = reader.toCanonical(group)
    problems.push(...found)
    for (const problem of found) {
      reasons.add(problem)
      if (problem.severity === 'refused') refused.add(problem.row)
    }
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
    reasons: reasons.sorted(),
    orders_read: orders.length,
    rows_refused: refused.size,
    looked_at: rows.length,
  }
}
