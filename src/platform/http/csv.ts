/** Tables as CSV files that spreadsheets open: UTF-8 with its mark, and no cell that they would take for a formula. */
import { stringify } from 'csv-stringify/sync'

type Cell = string | number | null | undefined

/** Comma and point, as machines read them; the columns' names stand in the first line. */
export function csv(columns: readonly string[], rows: readonly (readonly Cell[])[], delimiter = ','): Uint8Array {
  const table = [columns, ...rows].map(row => row.map(cell => cell ?? ''))
  return Buffer.from(stringify(table, { bom: true, delimiter, escape_formulas: true, record_delimiter: 'windows' }))
}
