import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readLabel } from '#test/label-reader.ts'
import { type DispatchNote, dispatchNote, dispatchWords } from './documents.ts'
import { code128, readable } from './paper.ts'
import { testCode, testNumber, testPrintPdf, testPrintZpl } from './test-print.ts'

const at = new Date('2026-03-04T10:00:00Z')

/** Opens the PDF as a viewer does: its texts with their positions in millimetres. */
async function opened(pdf: Uint8Array) {
  const document = await getDocument({ data: pdf.slice(), verbosity: 0 }).promise
  const pages = []
  for (let n = 1; n <= document.numPages; n++) {
    const page = await document.getPage(n)
    const { width, height } = page.getViewport({ scale: 1 })
    const items = (await page.getTextContent()).items.flatMap(item => ('str' in item && item.str.trim() ? [item] : []))
    const texts = items.map(({ str, transform, width: wide }) => ({
      text: str,
      x: toMm(Number(transform[4])),
      right: toMm(Number(transform[4]) + wide),
      y: toMm(height - Number(transform[5])),
    }))
    pages.push({ size: [Math.round(toMm(width)), Math.round(toMm(height))], texts, said: texts.map(t => t.text).join(' ') })
  }
  return pages
}
const toMm = (points: number) => (points / 72) * 25.4

/** What a scanner reads from the paper. */
const scanned = async (pdf: Uint8Array) => (await readLabel(pdf)).map(code => code.text)

const note = (more: Partial<DispatchNote> = {}): DispatchNote => ({
  company: { name: 'Nordlys Design ApS', contact: ['Havnegade 12', '8000 Aarhus C'], logo: null },
  order_no: '100-1023',
  order_code: '1:1023',
  date: '4 March 2026',
  ship_to: ['Bożena Świętosławska-Łącka', 'Café Ærø & Sønner', 'ul. Kołłątaja 14/3', '61-413 Poznań', 'Poland'],
  lines: [
    { sku: '85123A', name: 'White hanging heart T-light holder', qty: 6, packed: 6 },
    { sku: '22423', name: 'Rødgrød, Straße, Łódź', qty: 3, packed: 1 },
  ],
  note: null,
  words: dispatchWords,
  at,
  ...more,
})

describe('the packing slip', () => {
  it('shows sender, address and content of the box, in readable letters', async () => {
    const [page, ...rest] = await opened(await dispatchNote(note()))
    expect(rest).toEqual([])
    expect(page!.size).toEqual([210, 297])
    for (const text of [
      'Nordlys Design ApS',
      'Bożena Świętosławska-Łącka',
      'Café Ærø & Sønner',
      'Rødgrød, Straße, Łódź',
      '100-1023',
      '2 to follow',
    ])
      expect(page!.said).toContain(text)
    expect(page!.said).toContain('Pieces in this parcel 7')
    expect(page!.said).toContain('Page 1 of 1')
  })

  it('has the order code in a form that a scanner reads', async () => {
    expect(await scanned(await dispatchNote(note()))).toEqual(['1:1023'])
  })

  it('has no bars for a code that Code 128 cannot encode', async () => {
    expect(await scanned(await dispatchNote(note({ order_code: 'ordre-Æ' })))).toEqual([])
  })

  it('keeps the address inside the window of an envelope', async () => {
    const [page] = await opened(await dispatchNote(note()))
    for (const line of note().ship_to) {
      const place = page!.texts.find(t => t.text === line)!
      expect(place.x).toBeGreaterThan(19.9)
      expect(place.right).toBeLessThan(105)
      expect(place.y).toBeGreaterThan(45)
      expect(place.y).toBeLessThan(90)
    }
  })

  it('breaks over pages between lines, each line once, never into the footer', async () => {
    const lines = Array.from({ length: 120 }, (_, i) => ({
      sku: `SKU-${i}`,
      name: i % 7 ? `Item ${i}` : 'A very long name '.repeat(i),
      qty: 2,
      packed: i % 5 ? 2 : 1,
    }))
    const pages = await opened(await dispatchNote(note({ lines, note: 'Two words.\nAnd two more.', thanks: 'Thank you' })))
    expect(pages.length).toBeGreaterThan(4)
    const words = pages
      .map(p => p.said)
      .join(' ')
      .split(' ')
    for (const { sku } of lines) expect(words.filter(word => word === sku)).toHaveLength(1)
    pages.forEach((page, i) => {
      expect(page.said).toContain(`Page ${i + 1} of ${pages.length}`)
      expect(page.said).toContain('100-1023')
      for (const { text, y, right } of page.texts) {
        if (y > 274) expect(text).toMatch(/^(Page \d|Nordlys)/)
        expect(right).toBeLessThan(193)
      }
    })
    expect(pages.at(-1)!.said).toContain('And two more. Thank you')
  })

  it('continues a long note on the next page without losing a word', async () => {
    const words = Array.from({ length: 700 }, (_, i) => `word${i}`)
    const pages = await opened(await dispatchNote(note({ note: words.join(' ') })))
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flatMap(p => p.said.split(' ')).filter(word => /^word\d+$/.test(word))).toEqual(words)
  })

  it.each([
    ['nothing in it', { lines: [], ship_to: [], facts: [], note: ' ' }],
    ['one endless word', { lines: [{ sku: 'x'.repeat(5000), name: 'y'.repeat(50_000), qty: 1e9, packed: 0 }], note: 'z'.repeat(20_000) }],
    [
      'control letters and pictures',
      { order_no: '\0\u202e1\r\n2', ship_to: ['\u200b', '👩‍👩‍👧 Åse\u0000', '张伟'], thanks: '🎉'.repeat(500) },
    ],
    [
      'an address of forty lines',
      { ship_to: Array.from({ length: 40 }, () => 'A line of an address that does not end where it should, but goes on and on') },
    ],
    ['a broken logo', { company: { name: 'Nordlys', contact: [], logo: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]) } }],
    ['a logo of another kind', { company: { name: 'Nordlys', contact: [], logo: new TextEncoder().encode('<svg/>') } }],
  ])('stays a page with %s', async (_, more) => {
    const pages = await opened(await dispatchNote(note(more)))
    expect(pages.length).toBeLessThan(7)
    for (const page of pages) for (const { right, y } of page.texts) expect([right < 195, y < 290]).toEqual([true, true])
  })

  it('has the logo in place of the name', async () => {
    const logo = new Uint8Array(
      await sharp({ create: { width: 400, height: 120, channels: 3, background: '#14597a' } })
        .png()
        .toBuffer(),
    )
    const [page] = await opened(await dispatchNote(note({ company: { ...note().company, logo } })))
    expect(page!.texts.filter(t => t.y < 40 && t.text.includes('Nordlys'))).toEqual([])
  })

  it('is the same file for the same parcel', async () => {
    const [one, two] = await Promise.all([dispatchNote(note()), dispatchNote(note())])
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true)
  })
})

describe('the test page', () => {
  const test = { number: 4711, printer: 'Zebra ZD420 – Pakkebord 3', time: '04.03.2026 10:00', at }

  it.each([
    ['label', [100, 150]],
    ['a4', [210, 297]],
  ] as const)('on %s has the size of the paper and a code that scans back', async (paper, size) => {
    const pdf = await testPrintPdf(paper, test)
    const [page, ...rest] = await opened(pdf)
    expect(rest).toEqual([])
    expect(page!.size).toEqual(size)
    expect(page!.said).toContain('Zebra ZD420 – Pakkebord 3')
    expect(await scanned(pdf)).toEqual(['TEST-4711'])
    expect(testNumber(testCode(4711))).toBe(4711)
  })

  it('has bars of at least 0.25 mm also for the longest number', async () => {
    expect(await scanned(await testPrintPdf('label', { ...test, number: 999_999_999 }))).toEqual(['TEST-999999999'])
    expect((code128('TEST-999999999')!.modules + 20) * 0.25).toBeLessThan(80)
  })

  it.each([203, 300, 600] as const)('in ZPL at %s dpi is one label that stays on the paper', dpi => {
    const zpl = new TextDecoder().decode(testPrintZpl({ ...test, number: 999_999_999 }, dpi))
    expect(zpl.match(/\^XA/g)).toHaveLength(1)
    expect(zpl.match(/\^XZ/g)).toHaveLength(1)
    expect(zpl).toContain('^FDTEST-999999999^FS')
    const [width, height] = [(100 * dpi) / 25.4, (150 * dpi) / 25.4]
    for (const [, x, y] of zpl.matchAll(/\^FO(\d+),(\d+)/g)) expect([Number(x) < width, Number(y) < height]).toEqual([true, true])
    const [, left, module] = /\^FO(\d+),\d+\^BY(\d+)/.exec(zpl)!
    const right = Number(left) + code128('TEST-999999999')!.modules * Number(module)
    expect(right).toBeLessThan(width - 10 * Number(module))
    expect(Number(module) / dpi).toBeGreaterThan(0.009)
  })

  it('does not execute commands in the name of a printer', () => {
    const zpl = new TextDecoder().decode(testPrintZpl({ ...test, printer: 'x^FS^XZ~JA^XA\n_5E\\&' }))
    expect(zpl.match(/\^XZ/g)).toHaveLength(1)
    expect(zpl).not.toContain('~')
    expect(zpl).toContain('x_5EFS_5EXZ_7EJA_5EXA _5F5E_5C&')
  })

  it('differs from every other code', () => {
    for (const code of ['1:1023', 'PP4', 'TEST-', 'TEST-12x', 'test-1']) expect(testNumber(code)).toBeNull()
  })
})

it('turns every text into one readable line', () => {
  expect(readable(' A\u0301\u0000b\r\n\tc\u2028d 👍🏽 ❤️ © 1\u20e3 \ud800')).toBe('Á b c d © 1\u20e3 \ufffd')
})
