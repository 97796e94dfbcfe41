/** Excel workbooks become CSV text; those that would take the server's memory or time are refused before they are read. */
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import writeWorkbook from 'write-excel-file/node'
import { uploadedTable } from './uploaded-table.ts'
import { workbookLimits, workbookTable } from './workbook.ts'

const workbook = (...sheets: { sheet: string; data: unknown[][] }[]): Promise<Buffer> => writeWorkbook(sheets as never).toBuffer()
const text = (csv: Uint8Array) => Buffer.from(csv).toString().replace('\ufeff', '')
const xml = (content: string) => new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>${content}`)

/** The least that a workbook needs, with a sheet as it is written here. */
const files = (sheet: Uint8Array, others: Record<string, Uint8Array> = {}): Record<string, Uint8Array> => ({
  '[Content_Types].xml': xml('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
  'xl/workbook.xml': xml(
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
  ),
  'xl/_rels/workbook.xml.rels': xml(
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
  ),
  'xl/worksheets/sheet1.xml': sheet,
  ...others,
})
const sheetOf = (cells: string) =>
  xml(`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells}</sheetData></worksheet>`)
const small = sheetOf('<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1"><v>2</v></c></row>')
const refused = (archive: Uint8Array, limits = workbookLimits) =>
  workbookTable(archive, limits).then(
    () => null,
    error => error.reason,
  )

describe('a workbook', () => {
  it('becomes text: dates year first, numbers without noise, text as it is', async () => {
    const { csv, sheet } = await workbookTable(
      await workbook({
        sheet: 'Orders',
        data: [
          ['No', 'Date', 'Postcode', 'Price', 'Note', 'Gift'],
          ['0017', { value: new Date('2026-11-10T00:00:00Z'), format: 'dd.mm.yyyy' }, '0500', 0.1 + 0.2, 'a;"b"\nc', true],
          [null, null, null, null, null, null],
          ['18', { value: new Date('2026-11-10T10:30:00Z'), format: 'dd.mm.yyyy hh:mm' }, 5000, 1_012.5, null, false],
        ],
      }),
    )
    expect(sheet).toBeNull()
    expect(text(csv).split('\r\n')).toEqual([
      'No;Date;Postcode;Price;Note;Gift',
      '0017;2026-11-10;0500;0.3;"a;""b""\nc";true',
      ';;;;;',
      '18;2026-11-10 10:30:00;5000;1012.5;;false',
      '',
    ])
  })

  it('of several sheets is read from the first with rows, which is named', async () => {
    const { csv, sheet } = await workbookTable(
      await workbook({ sheet: 'Empty', data: [] }, { sheet: 'Two', data: [['x']] }, { sheet: 'Three', data: [['y']] }),
    )
    expect([text(csv), sheet]).toEqual(['x\r\n', 'Two'])
  })

  it('that is small and whole is read as it is written here', async () => {
    expect(text((await workbookTable(zipSync(files(small)))).csv)).toBe('a;2\r\n')
  })

  it('is refused where its directory states more than may be unpacked', async () => {
    const bomb = zipSync(files(small, { 'xl/media.xml': new Uint8Array(50_000) }))
    expect(bomb.length).toBeLessThan(5_000)
    expect(await refused(bomb, { ...workbookLimits, unpacked: 40_000 })).toBe('too_large')
    expect(await refused(bomb, { ...workbookLimits, unpacked: 60_000 })).toBeNull()
  })

  it('is refused where it unpacks to more than its directory states', async () => {
    const archive = Buffer.from(zipSync(files(small, { 'xl/media.xml': new Uint8Array(50_000) })))
    // The size of 50,000 stands in the local header and in the directory, four bytes each.
    const size = Buffer.from([0x50, 0xc3, 0, 0])
    for (let at = archive.indexOf(size); at >= 0; at = archive.indexOf(size, at + 1)) archive.writeUInt32LE(10, at)
    expect(await refused(archive, { ...workbookLimits, unpacked: 40_000 })).toBe('too_large')
  })

  it.each<[string, Uint8Array, Partial<typeof workbookLimits>]>([
    [
      'too many files',
      zipSync(files(small, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}.png`, xml('')])))),
      { entries: 20 },
    ],
    ['too many sheets', zipSync(files(small, { 'xl/worksheets/sheet2.xml': small, 'xl/worksheets/sheet3.xml': small })), { sheets: 2 }],
    ['a cell in a row far down', zipSync(files(sheetOf('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'))), {}],
    ['a cell in a column far out', zipSync(files(sheetOf('<row r="1"><c r="XFD1"><v>1</v></c></row>'))), {}],
    ['a cell in a column that Excel does not have', zipSync(files(sheetOf('<row r="1"><c r="ZZZZZZZZ1"><v>1</v></c></row>'))), {}],
    [
      'too many cells',
      zipSync(files(sheetOf('<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>1</v></c><c r="C1"><v>1</v></c></row>'))),
      { cells: 2 },
    ],
    ['more bytes than a workbook may have', zipSync(files(small)), { packed: 100 }],
    ['more text than may come out', zipSync(files(small)), { text: 3 }],
  ])('is refused with %s', async (_, archive, limits) => {
    expect(await refused(archive, { ...workbookLimits, ...limits })).toBe('too_large')
  })

  it.each([
    ['cut off', zipSync(files(small)).subarray(0, 300)],
    ['another archive', zipSync({ 'a.txt': xml('hello') })],
    ['no XML inside', zipSync({ ...files(small), 'xl/workbook.xml': new Uint8Array([1, 2, 3]) })],
    ['nothing but its mark', new Uint8Array([0x50, 0x4b, 3, 4])],
  ])('is called damaged where it is %s', async (_, archive) => {
    expect(await refused(archive)).toBe('damaged')
  })

  it('without rows is called empty', async () => {
    expect(await refused(zipSync(files(sheetOf(''))))).toBe('empty')
  })
})

describe('an upload', () => {
  const upload = async (content: Uint8Array) => {
    async function* pieces() {
      for (let at = 0; at < content.length; at += 3_000) yield content.subarray(at, at + 3_000)
    }
    const table = await uploadedTable(pieces(), new AbortController().signal)
    return {
      ...table,
      content: table.content instanceof Uint8Array ? text(table.content) : text(Buffer.concat(await Array.fromAsync(table.content))),
    }
  }

  it('of a workbook is read in a thread, so that the server goes on', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [`No ${at}`, at, 'Mug', 12.5])
    let turns = 0
    const timer = setInterval(() => turns++, 5)
    const { content } = await upload(await workbook({ sheet: 'A', data: rows }))
    clearInterval(timer)
    expect(content.split('\r\n')).toHaveLength(20_001)
    expect(turns).toBeGreaterThan(10)
  })

  it('of a text is passed on whole', async () => {
    const long = `a;b\r\n${'1;2\r\n'.repeat(5_000)}`
    expect((await upload(Buffer.from(long))).content).toBe(long)
    await expect(upload(Buffer.alloc(0))).rejects.toMatchObject({ code: 'file_empty' })
  })

  it('that is refused says why in a sentence', async () => {
    await expect(upload(zipSync(files(sheetOf('<row r="1"><c r="XFD1"><v>1</v></c></row>'))))).rejects.toMatchObject({
      code: 'workbook_too_large',
      message: 'The workbook is too large: it may have 100000 rows, 500 columns and 20 MB',
    })
    await expect(upload(zipSync({ 'a.txt': xml('hello') }))).rejects.toMatchObject({ code: 'workbook_damaged' })
  })
})
