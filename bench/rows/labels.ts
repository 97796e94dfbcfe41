/** Labels: our writer beside a general PDF library with a barcode library, and beside the least a label can be. */
import bwipjs from 'bwip-js/node'
import PDFDocument from 'pdfkit'
import { own } from '#integrations/couriers/own/own.ts'
import { code128 } from '#integrations/labels/code128.ts'
import { readLabel } from '#test/label-reader.ts'
import { sampleBooking } from '#test/label-samples.ts'
import { inTurns, per, type Row, share } from '../measure.ts'

const seconds = 2
async function second(work: (n: number) => unknown): Promise<number> {
  const until = performance.now() + seconds * 1_000
  let n = 0
  while (performance.now() < until) await work(n++)
  return n / seconds
}

/** A page with vector bars and three lines of text, and nothing else that a label needs. */
function rawLabel(n: number): Buffer {
  const { widths } = code128(`0057900010000${String(n).padStart(6, '0')}`)
  let x = 20
  let bars = ''
  widths.forEach((width, i) => {
    if (i % 2 === 0) bars += `${x} 20 ${width} 90 re\n`
    x += width
  })
  const content = `BT /F1 18 Tf 20 380 Td (Lene Hansen) Tj 0 -22 Td (Skibhusvej 52) Tj 0 -22 Td (5000 Odense C) Tj ET\n${bars}f\n`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 283 425]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>',
    `<</Length ${content.length}>>stream\n${content}endstream`,
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const at = text.length
    text += `${i + 1} 0 obj${object}endobj\n`
    return at
  })
  const xref = text.length
  text += `xref\n0 5\n0000000000 65535 f \n${offsets.map(at => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}trailer<</Size 5/Root 1 0 R>>\nstartxref\n${xref}\n%%EOF`
  return Buffer.from(text, 'latin1')
}

function pdfkitLabel(n: number): Promise<Buffer> {
  const document = new PDFDocument({ size: [283, 425], margin: 0 })
  const parts: Buffer[] = []
  const finished = new Promise<Buffer>(resolve =>
    document.on('data', part => parts.push(part)).on('end', () => resolve(Buffer.concat(parts))),
  )
  document.font('Helvetica-Bold').fontSize(18).text('Lene Hansen', 20, 30).font('Helvetica').text('Skibhusvej 52').text('5000 Odense C')
  const svg = bwipjs.toSVG({
    bcid: 'gs1-128',
    text: `(00)${'05790001000000'}${String(n % 1000).padStart(3, '0')}`.slice(0, 21),
    parse: false,
    dontlint: true,
  } as never)
  for (const [, path] of svg.matchAll(/ d="([^"]+)"/g)) document.path(path as string).stroke()
  document.end()
  return finished
}

export async function labels(): Promise<Row[]> {
  const book = (n: number) =>
    own.book(sampleBooking({ parcel: { reserved_number: `OWN${String(n).padStart(9, '0')}` } }), AbortSignal.timeout(5_000))
  const beside = await inTurns(
    3,
    () => second(pdfkitLabel),
    () => second(book),
  )
  const raw = await inTurns(
    3,
    () => second(rawLabel),
    () => second(book),
  )
  let decoded = 0
  for (let n = 0; n < 20; n++) {
    const [parcel] = (await book(n)).parcels
    if (!parcel?.ok) continue
    const codes = await readLabel(parcel.documents[0]!.bytes)
    if (codes.some(code => code.text === parcel.barcode)) decoded++
  }
  return [
    {
      name: 'labels',
      what: 'labels booked (PDF, A4 and ZPL each)',
      ours: per(beside.ours),
      limit: `${per(beside.limit)} pdfkit and bwip-js, PDF only`,
      ratio: `${beside.ratio.toFixed(1)}×`,
      goal: '≥ 1×, 300/s',
      ok: beside.ratio >= 1 && beside.ours >= 300,
    },
    {
      name: 'labels',
      what: 'labels against the raw writer',
      ours: per(raw.ours),
      limit: `${per(raw.limit)} raw`,
      ratio: share(raw.ratio),
      goal: '≥ 3 %, aim 20 %',
      ok: raw.ratio >= 0.03,
    },
    {
      name: 'labels',
      what: 'labels decoded from their picture',
      ours: `${decoded} of 20`,
      limit: '',
      ratio: '',
      goal: 'all',
      ok: decoded === 20,
    },
  ]
}
