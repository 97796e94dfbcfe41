/** A small table as a file that spreadsheets open: for lists that are read whole. */

import { csv } from '#platform/http/csv.ts'
import { type SheetCell, workbookStream } from './workbook-stream.ts'

/** `sheet` names the sheet of a workbook; the name of the file gets its ending here. */
export async function tableAnswer(
  { name, sheet, format }: { name: string; sheet: string; format: 'csv' | 'xlsx' },
  header: readonly string[],
  rows: readonly (readonly SheetCell[])[],
): Promise<{ bytes: Uint8Array; media_type: string; name: string }> {
  if (format === 'csv') return { bytes: csv(header, rows), media_type: 'text/csv; charset=utf-8', name: `${name}.csv` }
  async function* whole() {
    yield rows
  }
  return {
    bytes: Buffer.concat(await Array.fromAsync(workbookStream(sheet, header, whole()))),
    media_type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    name: `${name}.xlsx`,
  }
}
