/** A table that is on the screen as a file: for lists that are there whole, from the very rows that are shown. */

export type FileCell = string | number | null

/** Both writers are loaded when somebody asks for a file. */
export async function tableFile(
  name: string,
  header: readonly string[],
  rows: readonly (readonly FileCell[])[],
  format: 'csv' | 'xlsx',
): Promise<File> {
  if (format === 'csv') {
    const { stringify } = await import('csv-stringify/browser/esm/sync')
    // A cell that begins like a formula is text, no matter who opens it.
    return new File([stringify([header, ...rows], { bom: true, escape_formulas: true })], `${name}.csv`, { type: 'text/csv' })
  }
  const { default: writeExcelFile } = await import('write-excel-file/browser')
  const bold = header.map(value => ({ value, fontWeight: 'bold' as const }))
  const cells = rows.map(row =>
    row.map(value => (value === null ? null : typeof value === 'number' ? { value, type: Number } : { value, type: String })),
  )
  const blob = await writeExcelFile([bold, ...cells]).toBlob()
  return new File([blob], `${name}.xlsx`, { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' })
}
