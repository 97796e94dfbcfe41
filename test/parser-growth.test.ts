/** Parsers of what comes from outside: four times the input costs about four times the work, also where the input is made to hurt. */
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { AppError } from '#contract/errors.ts'
import { detectSeparator, detectText, headersOf } from '#domain/csv-text.ts'
import { emailKey, namePostcodeKey, phoneKey, shopCustomerKey } from '#features/customers/customers/customers.rules.ts'
import { postcodeAndCity, wholeAddress } from '#features/orders/order-imports/column-values.rules.ts'
import { meaningsOf } from '#features/orders/order-imports/header-words.rules.ts'
import { itemsOf } from '#features/orders/order-imports/item-cells.rules.ts'
import { suggestMapping } from '#features/orders/order-imports/suggested-mapping.rules.ts'
import { readLocations, readMap } from '#features/warehouse/warehouse-maps/drawing-import-export.server.ts'
import { markCopy } from '#integrations/labels/copy-mark.ts'
import { readRows, surveyText } from '#platform/csv/csv-rows.ts'
import { WorkbookProblem, workbookTable } from '#platform/csv/workbook.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { parseJson } from '#platform/http/json-body.ts'
import { compileSafeRegExp } from '#platform/http/tenant-host.ts'
import { acceptUploads, openUpload } from '#platform/http/uploads.ts'

const text = (n: number, piece: string): string => piece.repeat(Math.ceil(n / piece.length)).slice(0, n)

async function rowsOf(csv: string): Promise<void> {
  await surveyText(Readable.from([Buffer.from(csv)]))
  detectText(Buffer.from(csv))
  for await (const _ of readRows([csv], { separator: detectSeparator(csv) }));
}

const form = Fastify()
form.register(async server => {
  acceptUploads(server)
  server.post('/', async request => (await (await openUpload(request, 50_000_000)).bytes()).length)
})
/** In pieces, as a connection brings them. */
const send = (text: string) => {
  const pieces = Array.from({ length: Math.ceil(text.length / 65_536) }, (_, i) => Buffer.from(text.slice(i * 65_536, (i + 1) * 65_536)))
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  return form.inject({ method: 'POST', url: '/', headers, payload: Readable.from(pieces) })
}
const part = (content: string, head = '') =>
  `--x\r\nContent-Disposition: form-data; name="f"; filename="a"${head}\r\n\r\n${content}\r\n--x--\r\n`

const xml = (content: string) => new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>${content}`)
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const archives = new Map<string, Uint8Array>()
/** A workbook of one sheet; made before its reading is measured. */
function workbook(rows: string): Uint8Array {
  const known =
    archives.get(rows) ??
    zipSync({
      '[Content_Types].xml': xml('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
      'xl/workbook.xml': xml(
        `<workbook xmlns="${spreadsheet}" xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': xml(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ),
      'xl/worksheets/sheet1.xml': xml(`<worksheet xmlns="${spreadsheet}"><sheetData>${rows}</sheetData></worksheet>`),
    })
  archives.set(rows, known)
  return known
}
const rowsOfSheet = (n: number) =>
  Array.from({ length: n }, (_, i) => `<row r="${i + 1}"><c r="A${i + 1}" t="inlineStr"><is><t>a${i}</t></is></c></row>`).join('')

const reduced = compileSafeRegExp('(x+x+)+y|^(\\d+|\\d+\\d)+:$')

/** The least amount of work is a few milliseconds, so that the clock and the garbage of others do not decide. */
const parsers: [name: string, n: number, parse: (n: number) => unknown][] = [
  ['CSV of one column, as many rows as are allowed', 50_000, n => rowsOf(text(n, 'a\n'))],
  ['CSV of separators only', 400_000, n => rowsOf(text(n, ';,|\t'))],
  ['CSV with quotation marks', 400_000, n => rowsOf(text(n, '"a""b",c\n'))],
  ['CSV with a quotation mark that never closes', 200_000, n => rowsOf(`"${text(n, 'a\n')}`)],
  ['CSV with equal names of columns', 20_000, n => headersOf(Array.from({ length: n }, () => 'Name'))],
  [
    'CSV with names of columns that take one another',
    20_000,
    n => headersOf(Array.from({ length: n }, (_, i) => (i % 2 ? 'Name' : `Name (${i})`))),
  ],
  ['a workbook of many rows', 3_000, n => workbookTable(workbook(rowsOfSheet(n)))],
  [
    'a workbook with a long cell',
    100_000,
    n => workbookTable(workbook(`<row r="1"><c r="A1" t="inlineStr"><is><t>${text(n, 'a&amp;')}</t></is></c></row>`)),
  ],
  ['names of columns', 20_000, n => meaningsOf(text(n, 'Lieferadresse (x) '))],
  [
    'the columns of an order file',
    100,
    n =>
      suggestMapping(
        Array.from({ length: n }, (_, i) => `Name ${i}`),
        [Array.from({ length: n }, (_, i) => `Lene ${i}`)],
      ),
  ],
  [
    'addresses in a cell',
    100_000,
    n => {
      for (const long of [text(n, 'a b, '), text(n, '5000 '), text(n, 'Odense C '), `${text(n, "a. '")}, 5000`]) {
        postcodeAndCity(long)
        wholeAddress(long)
      }
    },
  ],
  ['items in a cell', 2_000, n => itemsOf(text(n, '2 x SKU-1 a, '))],
  ['items in a cell of numbers', 2_000, n => itemsOf(text(n, '1 '))],
  [
    'keys of a customer',
    100_000,
    n => {
      for (const long of [text(n, 'a@'), text(n, '.'), `x@${text(n, '.a')}`, text(n, '1'), text(n, ' ')]) {
        emailKey(long)
        phoneKey(long, 'DK')
        shopCustomerKey(1, 'main', long)
        namePostcodeKey(long, long, 'DK')
      }
    },
  ],
  ['JSON in depth', 20_000, n => parseJson(Buffer.from(`${'['.repeat(n)}${']'.repeat(n)}`))],
  ['JSON with many keys', 400_000, n => parseJson(Buffer.from(`{${Array.from({ length: n / 20 }, (_, i) => `"key${i}":${i}`)}}`))],
  ['JSON with escapes', 400_000, n => parseJson(Buffer.from(`["${text(n, '\\u0061')}"]`.replace(/\\u?0?0?6?"/, '"')))],
  ['a form with a long file', 1_000_000, n => send(part(text(n, 'abc')))],
  ['a form full of beginnings of its boundary', 2_000_000, n => send(part(text(n, '\r\n--')))],
  ['a form full of boundaries', 200_000, n => send(text(n, '--x\r\n\r\n'))],
  ['a form with a long header', 8_000, n => send(part('a', text(n, '; a="b"')))],
  [
    'a list of locations',
    2_000,
    n =>
      readLocations(
        `location,x,y,side\n${Array.from({ length: n }, (_, i) => `A-${i},${i % 300},${Math.floor(i / 300)},n`).join('\n')}`,
        null,
      ),
  ],
  ['a list of equal locations', 5_000, n => readLocations(`location,x,y,side\n${text(n * 10, 'A-1,1,1,n\n')}`, null)],
  ['a map that is no map', 400_000, n => readMap(JSON.stringify({ pakhus_map: 1, title: 'x', drawing: { cells: text(n, '#.') } }))],
  ['a pattern', 1_000, n => reduced?.matches(text(n, 'x'))],
  ['a pattern of digits', 1_000, n => reduced?.matches(text(n, '1'))],
  ['ZPL of many labels', 200_000, n => markCopy(Buffer.from(text(n, '^XA^FO1,1^FDx^FS^XZ')), 'COPY 1')],
  ['ZPL that begins without an end', 60_000, n => markCopy(Buffer.from(text(n, '^XA')), 'COPY 1')],
  ['an image', 400, async n => sanitizeImage(await picture(n), { longest: 200, as: 'webp' })],
  [
    'an image as SVG',
    20_000,
    n =>
      sanitizeImage(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${text(n, '<g/>')}</svg>`), {
        longest: 9,
        as: 'png',
      }),
  ],
]

/** A refusal is an answer too, and must not take longer. */
async function tried(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AppError || error instanceof SyntaxError || error instanceof WorkbookProblem)) throw error
  }
}

const pictures = new Map<number, Buffer>()
/** As many times the pixels as `n` is larger. */
async function picture(n: number): Promise<Buffer> {
  const known =
    pictures.get(n) ??
    (await sharp({ create: { width: 500, height: n, channels: 3, background: '#358' } })
      .png()
      .toBuffer())
  pictures.set(n, known)
  return known
}

/** Milliseconds of all threads of this process, the best of five. */
async function effortOf(work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 5; turn++) {
    const before = process.cpuUsage()
    await tried(work)
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

it.each(parsers)(
  'reads %s in linear time',
  async (_, n, parse) => {
    await tried(() => parse(n))
    let growth = Number.POSITIVE_INFINITY
    // The collection of garbage and memory beyond the caches cost up to twice as much; a parser that is quadratic grows sixteenfold each time.
    for (let attempt = 0; attempt < 6 && growth > 8; attempt++) {
      const [small, large] = [await effortOf(() => parse(n)), await effortOf(() => parse(4 * n))]
      // Below two milliseconds the clock decides.
      growth = Math.min(growth, large / Math.max(small, 2))
    }
    expect(growth).toBeLessThanOrEqual(8)
  },
  60_000,
)
