/** How a file writes its dates and numbers. */
import { sampleRows } from '#domain/csv-text.ts'
import { type DateOrder, detectDates } from '#domain/dates.ts'
import { type DecimalSign, detectDecimals } from '#domain/decimals.ts'
import { isOneOf } from '#domain/objects.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import { type CsvField, dateFields, numberFields } from './columns.rules.ts'
import { listOf } from './item-cells.rules.ts'
import type { Mapping } from './mapping.rules.ts'
import { csvSentences } from './rejected-rows.rules.ts'

/** How a file writes its dates and numbers: of this file, whatever the mapping is. */
export function detectForms(
  columns: Mapping['columns'],
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): { dates: DateOrder | null; decimals: DecimalSign | null; column_decimals: Mapping['column_decimals']; doubts: Problem[] } {
  const doubts: Problem[] = []
  const valuesOf = (column: string): string[] => {
    const index = headers.indexOf(column)
    if (index < 0) return []
    // Most values repeat: they are taken apart once.
    const written = new Set(rows.slice(0, sampleRows).map(cells => cells[index] ?? ''))
    return [...new Set([...written].flatMap(listOf))]
  }
  let dates: DateOrder | null = null
  const sure = new Map<string, DecimalSign>()
  const unsure = new Map<string, CsvField>()
  for (const [column, field] of Object.entries(columns)) {
    if (isOneOf(dateFields, field)) {
      const finding = detectDates(valuesOf(column))
      if (finding.fits.length === 0) continue
      if (field === 'ordered_at' || dates === null || dates === 'iso') dates = finding.order
      if (finding.doubtful) doubts.push({ field, text: csvSentences.dates, values: { column } })
    } else if (isOneOf(numberFields, field)) {
      const values = valuesOf(column)
      const finding = detectDecimals(values)
      if (!finding || !values.some(value => /[.,]/.test(value))) continue
      if (finding.doubtful) unsure.set(column, field)
      if (!finding.doubtful || finding.decimals === ',') sure.set(column, finding.decimals)
    }
  }
  const signs = [...sure.values()]
  const decimals = signs.length === 0 ? null : signs.filter(sign => sign === ',').length > signs.length / 2 ? ',' : '.'
  // Written as the other columns are, `1.000` can be read in one way only.
  for (const [column, field] of unsure)
    if (decimals === null || sure.has(column) || new Set(signs).size > 1)
      doubts.push({ field, text: csvSentences.decimals, values: { column } })
  return { dates, decimals, column_decimals: Object.fromEntries([...sure].filter(([, sign]) => sign !== decimals)), doubts }
}
