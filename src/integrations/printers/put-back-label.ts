/** The label on a returned item until it lies in its bin again. */
import { drawCode128, finished, ink, mm, paleInk, readable, sheet } from './paper.ts'

export interface PutBackLabel {
  name: string
  sku: string | null
  bin: string | null
  rma_no: string
  condition: string | null
  /** What the put-back scans: the product's barcode, else its SKU. */
  code: string | null
  /** Words in the language of the warehouse. */
  words: { title: string; no_bin: string }
  at: Date
}

const [width, height] = [100, 150]
const edge = 6

/** A label of 100 × 150 mm: the bin large, then the item, the number of its return, and the barcode. */
export async function putBackLabel({ name, sku, bin, rma_no, condition, code, words, at }: PutBackLabel): Promise<Uint8Array> {
  const page = sheet({ size: [width, height], title: `${words.title} ${rma_no}`, at })
  const inner = width - edge * 2
  const line = (text: string, y: number, size: number, { bold = false, lines = 1, colour = ink } = {}) =>
    page
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(colour)
      .text(readable(text).slice(0, 200), mm(edge), mm(y), { width: mm(inner), height: size * 1.3 * lines, ellipsis: true })
  line(words.title, edge, 14, { colour: paleInk })
  const place = bin ?? words.no_bin
  line(place, 16, place.length > 12 ? 24 : 44, { bold: true, lines: 2 })
  page
    .lineWidth(mm(0.5))
    .strokeColor(ink)
    .moveTo(mm(edge), mm(44))
    .lineTo(mm(width - edge), mm(44))
    .stroke()
  line(name, 49, 18, { bold: true, lines: 3 })
  line([sku, condition].filter(Boolean).join(' · '), 77, 12)
  line(rma_no, 86, 18, { bold: true })
  if (code !== null && drawCode128(page, code, { x: edge + 4, y: 100, width: inner - 8, height: 26, align: 'centre' }))
    page
      .font('regular')
      .fontSize(11)
      .fillColor(ink)
      .text(readable(code), mm(edge), mm(128), { width: mm(inner), align: 'center' })
  return finished(page)
}
