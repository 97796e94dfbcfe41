/** An Excel workbook (.xlsx) of one sheet as a stream: the library that the browser uses holds all rows in memory. */
import { Zip, ZipDeflate } from 'fflate'

export type SheetCell = string | number | null

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The least that Excel, LibreOffice and Google Sheets open (ECMA-376, part 1, annex L). */
const parts = (sheet: string): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
})

/** Characters that XML 1.0 cannot hold are left out, and a cell holds 32,767 characters. */
function escaped(text: string): string {
  return (
    text
      .slice(0, 32_767)
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are left out
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  )
}

/** A, B … Z, AA: Excel counts without it, other readers do not. */
const columnName = (at: number): string => (at < 26 ? '' : columnName(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))

function cell(value: SheetCell, address: string): string {
  if (value === null || value === '') return ''
  return typeof value === 'number'
    ? `<c r="${address}"><v>${value}</v></c>`
    : `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
}

/** Strings stay strings: no cell is ever read as a formula. */
export async function* workbookStream(
  sheet: string,
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly SheetCell[])[]>,
): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  for (const [name, text] of Object.entries(parts(sheet))) {
    const entry = new ZipDeflate(name)
    zip.add(entry)
    entry.push(Buffer.from(declaration + text), true)
  }
  const rows = new ZipDeflate('xl/worksheets/sheet1.xml')
  zip.add(rows)
  const names = header.map((_, at) => columnName(at))
  let row_no = 0
  const rowText = (row: readonly SheetCell[]): string => {
    row_no++
    return `<row r="${row_no}">${row.map((value, at) => cell(value, `${names[at]}${row_no}`)).join('')}</row>`
  }
  const write = (some: readonly (readonly SheetCell[])[]) => rows.push(Buffer.from(some.map(rowText).join('')))
  rows.push(Buffer.from(`${declaration}<worksheet xmlns="${main}"><sheetData>`))
  write([header])
  for await (const some of batches) {
    write(some)
    yield* pieces.splice(0)
  }
  rows.push(Buffer.from('</sheetData></worksheet>'), true)
  zip.end()
  yield* pieces.splice(0)
}
