/**
 * Customs papers of one parcel: CN22, CN23, commercial and pro forma invoice, packing list, list of goods in transit. In English, the forms of the Universal
 * Postal Union in English and French, as customs everywhere read them.
 */
import { decimalsOf, fromMinor } from '#domain/money.ts'
import { drawCode128, finished, hairline, ink, mm, paleInk, type Sheet, sheet, writeLine } from './paper.ts'

export type PaperKind = 'cn22' | 'cn23' | 'invoice' | 'proforma' | 'packing_list' | 'transit'

interface PaperLine {
  sku: string | null
  description: string
  quantity: number
  hs_code: string | null
  origin: string | null
  /** Minor units of the whole line. */
  value: number
  net_g: number
}

export interface PaperContent {
  number: string
  /** YYYY-MM-DD. */
  date: string
  order_no: string | null
  tracking_no: string
  courier: string
  sender: readonly string[]
  recipient: readonly string[]
  importer: readonly string[] | null
  /** Kind and value, such as EORI and its number. */
  numbers: readonly (readonly [string, string])[]
  reason: 'sale' | 'gift' | 'sample' | 'documents' | 'returned' | 'other'
  terms: string | null
  currency: string
  lines: readonly PaperLine[]
  /** Of each line the numbers of seller and maker and the GTIN, where customs want them. */
  product_ids: readonly (readonly [seller: string, maker: string, gtin: string])[] | null
  /** Of the parcel, with packaging. */
  gross_g: number
  size_mm: readonly [number, number, number] | null
  parcel_no: number
  statements: readonly string[]
  /** Who signs. */
  signed_by: string
  place: string
  at: Date
}

const kilograms = (grams: number): string => (grams / 1_000).toFixed(3)
const netOf = (lines: readonly PaperLine[]): number => lines.reduce((sum, line) => sum + line.net_g, 0)
const totalOf = (lines: readonly PaperLine[]): number => lines.reduce((sum, line) => sum + line.value, 0)

/** What one piece is worth, with two more decimals than the currency has. */
function unitPrice({ value, quantity }: PaperLine, currency: string): string {
  const decimals = decimalsOf(currency)
  return (value / Math.max(1, quantity) / 10 ** decimals).toFixed(decimals + 2)
}

const reasonWords: Record<PaperContent['reason'], string> = {
  sale: 'Sale of goods',
  gift: 'Gift',
  sample: 'Commercial sample',
  documents: 'Documents',
  returned: 'Returned goods',
  other: 'Other',
}
const certificate =
  'I, the undersigned, whose name and address are given on the item, certify that the particulars given in this declaration are correct and that this item does not contain any dangerous article or articles prohibited by legislation or by postal or customs regulations.'

export function customsPaper(kind: PaperKind, content: PaperContent): Promise<Uint8Array> {
  if (kind === 'cn22') return cn22(content)
  if (kind === 'cn23') return cn23(content)
  if (kind === 'transit') return transitList(content)
  return kind === 'packing_list' ? packingList(content) : invoice(kind, content)
}

const open = (title: string, size: readonly [number, number], { at }: PaperContent): Sheet => sheet({ size, title, at, language: 'en-GB' })

function rule(page: Sheet, y: number, [from, to]: readonly [number, number], thick = 0.1): void {
  page
    .moveTo(mm(from), mm(y))
    .lineTo(mm(to), mm(y))
    .lineWidth(mm(thick))
    .strokeColor(thick > 0.2 ? ink : hairline)
    .stroke()
}

function box(page: Sheet, [x, y, width, height]: readonly [number, number, number, number]): void {
  page.rect(mm(x), mm(y), mm(width), mm(height)).lineWidth(mm(0.2)).strokeColor(ink).stroke()
}

/** Text on several lines in a width; answers where it ends. */
function paragraph(page: Sheet, text: string, { x, y, width, size }: { x: number; y: number; width: number; size: number }): number {
  page.font('regular').fontSize(size).fillColor(ink)
  page.text(text, mm(x), mm(y), { width: mm(width), lineGap: 1 })
  return (page.y * 25.4) / 72
}

interface Column {
  title: string
  x: number
  width: number
  align?: 'right'
}

function heads(page: Sheet, columns: readonly Column[], y: number, size: number, ends: readonly [number, number]): number {
  for (const { title, ...place } of columns) writeLine(page, title, { ...place, y, size, bold: true, colour: paleInk })
  rule(page, y + size * 0.55, ends, 0.3)
  return y + size * 0.55
}

function cells(page: Sheet, columns: readonly Column[], texts: readonly string[], y: number, size: number): void {
  columns.forEach(({ title: _, ...place }, i) => {
    writeLine(page, texts[i] ?? '', { ...place, y, size })
  })
}

function categories(
  page: Sheet,
  reason: PaperContent['reason'],
  { x, y, width, size }: { x: number; y: number; width: number; size: number },
): number {
  const all: readonly (readonly [PaperContent['reason'], string])[] = [
    ['gift', 'Gift / Cadeau'],
    ['documents', 'Documents'],
    ['sale', 'Sale of goods / Vente de marchandises'],
    ['sample', 'Commercial sample / Échantillon commercial'],
    ['returned', 'Returned goods / Retour de marchandise'],
    ['other', 'Other / Autre'],
  ]
  const step = size * 0.52
  all.forEach(([one, words], i) => {
    const [left, top] = [x + (i % 2) * (width / 2), y + Math.floor(i / 2) * step]
    box(page, [left, top, size * 0.3, size * 0.3])
    if (one === reason)
      writeLine(page, 'X', { x: left + size * 0.06, y: top - size * 0.02, width: size * 0.3, size: size * 0.85, bold: true })
    writeLine(page, words, { x: left + size * 0.42, y: top, width: width / 2 - size * 0.5, size })
  })
  return y + step * 3
}

async function cn22(content: PaperContent): Promise<Uint8Array> {
  const { lines, currency } = content
  const [width, height] = [74, 105]
  const page = open('CN 22', [width, height], content)
  const [left, right] = [3, width - 3]
  const ends = [left, right] as const
  writeLine(page, 'CUSTOMS DECLARATION', { x: left, y: 3, width: 50, size: 8, bold: true })
  writeLine(page, 'DÉCLARATION EN DOUANE', { x: left, y: 6.5, width: 50, size: 7 })
  writeLine(page, 'CN 22', { x: right - 20, y: 3, width: 20, size: 11, bold: true, align: 'right' })
  writeLine(page, 'May be opened officially / Peut être ouvert d’office', { x: left, y: 10, width: width - 6, size: 6 })
  let y = categories(page, content.reason, { x: left, y: 14, width: width - 6, size: 5.6 }) + 1.5
  const columns: Column[] = [
    { title: 'Quantity and detailed description', x: left, width: 40 },
    { title: 'Weight (kg)', x: left + 40.5, width: 11, align: 'right' },
    { title: 'Value', x: left + 52, width: 16, align: 'right' },
  ]
  y = heads(page, columns, y, 5.6, ends)
  for (const line of lines) {
    cells(page, columns, [`${line.quantity} × ${line.description}`, kilograms(line.net_g), fromMinor(line.value, currency)], y + 0.8, 6.2)
    writeLine(page, `HS ${line.hs_code ?? ''} · ${line.origin ?? ''}`, { x: left, y: y + 3.6, width: 40, size: 5.6, colour: paleInk })
    y += 6.8
    rule(page, y, ends)
  }
  writeLine(page, 'Total weight (kg) / Poids total', { x: left, y: y + 1.4, width: 34, size: 6.2 })
  writeLine(page, kilograms(content.gross_g), { x: left + 30, y: y + 1.4, width: 21.5, size: 6.6, bold: true, align: 'right' })
  writeLine(page, `${fromMinor(totalOf(lines), currency)} ${currency}`, {
    x: left + 48,
    y: y + 5,
    width: 20,
    size: 6.6,
    bold: true,
    align: 'right',
  })
  writeLine(page, 'Total value / Valeur totale', { x: left, y: y + 5, width: 34, size: 6.2 })
  paragraph(page, certificate, { x: left, y: y + 9, width: width - 6, size: 4.6 })
  writeLine(page, `Date and signature: ${content.date} · ${content.signed_by}`, {
    x: left,
    y: height - 6.5,
    width: width - 6,
    size: 6.4,
    bold: true,
  })
  return finished(page)
}

const cn23Rows = 13

async function cn23(content: PaperContent): Promise<Uint8Array> {
  const { lines, currency } = content
  const pages = Math.max(1, Math.ceil(lines.length / cn23Rows))
  const page = open('CN 23', [210, 297], content)
  const [left, right] = [8, 202]
  const ends = [left, right] as const
  for (let sheetNo = 0; sheetNo < pages; sheetNo++) {
    if (sheetNo > 0) page.addPage()
    writeLine(page, 'CUSTOMS DECLARATION', { x: left, y: 6, width: 80, size: 12, bold: true })
    writeLine(page, 'DÉCLARATION EN DOUANE', { x: left, y: 11, width: 80, size: 9 })
    writeLine(page, pages > 1 ? `CN 23 · ${sheetNo + 1}/${pages}` : 'CN 23', {
      x: 150,
      y: 6,
      width: 52,
      size: 14,
      bold: true,
      align: 'right',
    })
    writeLine(page, content.tracking_no, { x: 100, y: 6, width: 50, size: 9, bold: true })
    drawCode128(page, content.tracking_no, { x: 98, y: 10, width: 66, height: 8 })
    address(page, 'From / De', [...content.sender, ...content.numbers.map(([name, value]) => `${name} ${value}`)], {
      x: left,
      y: 20,
      width: 94,
    })
    address(page, 'To / À', content.recipient, { x: 106, y: 20, width: 94 })
    if (content.importer) writeLine(page, `Importer / Importateur: ${content.importer.join(', ')}`, { x: 106, y: 48, width: 94, size: 7 })
    const columns: Column[] = [
      { title: 'Detailed description / Désignation', x: left, width: 76 },
      { title: 'Quantity', x: 86, width: 16, align: 'right' },
      { title: 'Net weight (kg)', x: 104, width: 24, align: 'right' },
      { title: `Value (${currency})`, x: 130, width: 24, align: 'right' },
      { title: 'HS tariff number', x: 158, width: 26 },
      { title: 'Origin', x: 186, width: 14 },
    ]
    let y = heads(page, columns, 53, 7, ends)
    for (const line of lines.slice(sheetNo * cn23Rows, (sheetNo + 1) * cn23Rows)) {
      const texts = [
        line.description,
        String(line.quantity),
        kilograms(line.net_g),
        fromMinor(line.value, currency),
        line.hs_code ?? '',
        line.origin ?? '',
      ]
      cells(page, columns, texts, y + 0.9, 8)
      y += 4.6
      rule(page, y, ends)
    }
    writeLine(page, `Total gross weight / Poids brut total: ${kilograms(content.gross_g)} kg`, {
      x: left,
      y: 119,
      width: 80,
      size: 9,
      bold: true,
    })
    writeLine(page, `Total value / Valeur totale: ${fromMinor(totalOf(lines), currency)} ${currency}`, {
      x: 106,
      y: 119,
      width: 94,
      size: 9,
      bold: true,
    })
    const below = categories(page, content.reason, { x: left, y: 125, width: 94, size: 7 })
    writeLine(page, `Comments / Observations: ${content.statements.join('; ') || '–'}`, { x: left, y: below + 1.5, width: 94, size: 7 })
    writeLine(page, `Invoice / Facture: ${content.number}`, { x: left, y: below + 5.5, width: 94, size: 7 })
    writeLine(page, `Office of origin and date of posting: ${content.place}, ${content.date}`, { x: 106, y: 125, width: 94, size: 7 })
    paragraph(page, certificate, { x: 106, y: 129, width: 94, size: 6 })
    writeLine(page, `Date and sender’s signature: ${content.date} · ${content.signed_by}`, {
      x: 106,
      y: 141,
      width: 94,
      size: 8,
      bold: true,
    })
    const from = sheetNo * cn23Rows
    if (content.product_ids) productNumbers(page, 'CN 23', content.product_ids.slice(from, from + cn23Rows), { y: 158, first: from + 1 })
  }
  return finished(page)
}

/** The numbers that name the products, line by line; answers where they end. */
function productNumbers(
  page: Sheet,
  title: string,
  ids: NonNullable<PaperContent['product_ids']>,
  { y, first }: { y: number; first: number },
): number {
  writeLine(page, 'Product identifiers', { x: left, y, width: 80, size: 8.5, bold: true })
  const columns: Column[] = [
    { title: 'No', x: left, width: 6 },
    { title: 'M-PID (seller)', x: 22, width: 72 },
    { title: 'NS-PID (manufacturer)', x: 96, width: 60 },
    { title: 'S-PID (GTIN)', x: 158, width: 38 },
  ]
  const rows = ids.map(([seller, maker, gtin], i) => [String(first + i), seller || '–', maker || '–', gtin || '–'])
  return table(page, title, columns, rows, y + 5)
}

function address(page: Sheet, title: string, lines: readonly string[], { x, y, width }: { x: number; y: number; width: number }): number {
  writeLine(page, title, { x, y, width, size: 7.5, colour: paleInk })
  lines.slice(0, 8).forEach((line, i) => {
    writeLine(page, line, { x, y: y + 3.6 + i * 3.9, width, size: 8.5, bold: i === 0 })
  })
  return y + 4 + Math.min(8, lines.length) * 3.9
}

const [left, right] = [14, 196]
const foot = 279
const row = 5.2

/** The head of an A4 paper with its parties and facts; answers where it ends. */
function top(page: Sheet, title: string, content: PaperContent, facts: readonly (readonly [string, string])[]): number {
  writeLine(page, title, { x: left, y: 14, width: 120, size: 18, bold: true })
  writeLine(page, content.number, { x: 124, y: 14, width: right - 124, size: 18, bold: true, align: 'right' })
  const third = (right - left) / 3
  const parties: (readonly [string, readonly string[]])[] = [
    ['Seller', [...content.sender, ...content.numbers.map(([name, value]) => `${name} ${value}`)]],
    ['Buyer and ship-to', content.recipient],
    ...(content.importer ? [['Importer', content.importer] as const] : []),
  ]
  let y = 28
  parties.forEach(([name, lines], i) => {
    y = Math.max(y, address(page, name, lines, { x: left + i * third, y: 28, width: third - 4 }))
  })
  y += 3
  facts.forEach(([name, value], i) => {
    const [x, at] = [left + (i % 4) * ((right - left) / 4), y + Math.floor(i / 4) * 10]
    writeLine(page, name, { x, y: at, width: (right - left) / 4 - 3, size: 7.5, colour: paleInk })
    writeLine(page, value, { x, y: at + 3.4, width: (right - left) / 4 - 3, size: 9.5, bold: true })
  })
  return y + Math.ceil(facts.length / 4) * 10 + 3
}

/** Draws rows on as many pages as needed; answers where they end. */
function table(page: Sheet, title: string, columns: readonly Column[], rows: readonly (readonly string[])[], from: number): number {
  let y = heads(page, columns, from, 7.5, [left, right])
  for (const texts of rows) {
    if (y + row > foot) {
      page.addPage()
      writeLine(page, title, { x: left, y: 14, width: right - left, size: 9, colour: paleInk })
      y = heads(page, columns, 20, 7.5, [left, right])
    }
    cells(page, columns, texts, y + 1.2, 8.5)
    y += row
    rule(page, y, [left, right])
  }
  return y
}

async function invoice(kind: 'invoice' | 'proforma', content: PaperContent): Promise<Uint8Array> {
  const { lines, currency } = content
  const title = kind === 'invoice' ? 'COMMERCIAL INVOICE' : 'PRO FORMA INVOICE'
  const page = open(`${title} ${content.number}`, [210, 297], content)
  const start = top(page, title, content, [
    ['Date', content.date],
    ['Order', content.order_no ?? '–'],
    ['Tracking number', content.tracking_no],
    ['Carrier', content.courier],
    ['Terms of delivery', content.terms ?? '–'],
    ['Reason for export', reasonWords[content.reason]],
    ['Currency', currency],
    ['Packages', '1'],
  ])
  const columns: Column[] = [
    { title: 'No', x: left, width: 6 },
    { title: 'SKU', x: 20, width: 22 },
    { title: 'Description', x: 43, width: 52 },
    { title: 'HS code', x: 96, width: 20 },
    { title: 'Origin', x: 117, width: 11 },
    { title: 'Qty', x: 128, width: 9, align: 'right' },
    { title: 'Unit price', x: 138, width: 20, align: 'right' },
    { title: 'Amount', x: 159, width: 20, align: 'right' },
    { title: 'Net kg', x: 181, width: 15, align: 'right' },
  ]
  const rows = lines.map((line, i) => [
    ...[String(i + 1), line.sku ?? '', line.description, line.hs_code ?? '', line.origin ?? '', String(line.quantity)],
    ...[unitPrice(line, currency), fromMinor(line.value, currency), kilograms(line.net_g)],
  ])
  let y = table(page, `${title} ${content.number}`, columns, rows, start) + 3
  if (content.product_ids) {
    if (y + 20 > foot) {
      page.addPage()
      y = 20
    }
    y = productNumbers(page, `${title} ${content.number}`, content.product_ids, { y: y + 2, first: 1 }) + 3
  }
  if (y + 40 > foot) {
    page.addPage()
    y = 20
  }
  const sums: (readonly [string, string])[] = [
    ['Total', `${fromMinor(totalOf(lines), currency)} ${currency}`],
    ['Net weight', `${kilograms(netOf(lines))} kg`],
    ['Gross weight', `${kilograms(content.gross_g)} kg`],
  ]
  for (const [name, value] of sums) {
    writeLine(page, name, { x: 120, y, width: 35, size: 9, colour: paleInk })
    writeLine(page, value, { x: 150, y, width: right - 150, size: 10, bold: true, align: 'right' })
    y += 5
  }
  y += 3
  for (const statement of [
    'Discounts are included in the amounts.',
    ...content.statements,
    ...(kind === 'proforma' ? ['Value for customs purposes only'] : []),
  ]) {
    writeLine(page, statement, { x: left, y, width: right - left, size: 8.5 })
    y += 4.4
  }
  writeLine(page, `${content.place}, ${content.date} · ${content.signed_by}`, {
    x: left,
    y: y + 4,
    width: right - left,
    size: 9,
    bold: true,
  })
  return finished(page)
}

/** Goods that cross another country on their way inside their own, with VAT in their value. */
async function transitList(content: PaperContent): Promise<Uint8Array> {
  const { lines, currency } = content
  const title = 'GOODS IN TRANSIT'
  const page = open(`${title} ${content.number}`, [210, 297], content)
  const start = top(page, title, content, [
    ['Date', content.date],
    ['Order', content.order_no ?? '–'],
    ['Tracking number', content.tracking_no],
    ['Carrier', content.courier],
  ])
  const columns: Column[] = [
    { title: 'No', x: left, width: 6 },
    { title: 'Description', x: 20, width: 72 },
    { title: 'HS code', x: 94, width: 22 },
    { title: 'Qty', x: 117, width: 11, align: 'right' },
    { title: 'Net kg', x: 130, width: 18, align: 'right' },
    { title: `Value with VAT (${currency})`, x: 150, width: 46, align: 'right' },
  ]
  const rows = lines.map((line, i) => [
    ...[String(i + 1), line.description, line.hs_code ?? '', String(line.quantity)],
    ...[kilograms(line.net_g), fromMinor(line.value, currency)],
  ])
  const y = table(page, `${title} ${content.number}`, columns, rows, start) + 3
  const total = `${fromMinor(totalOf(lines), currency)} ${currency} · net ${kilograms(netOf(lines))} kg · gross ${kilograms(content.gross_g)} kg`
  writeLine(page, total, { x: 80, y, width: right - 80, size: 10, bold: true, align: 'right' })
  return finished(page)
}

async function packingList(content: PaperContent): Promise<Uint8Array> {
  const title = 'PACKING LIST'
  const page = open(`${title} ${content.number}`, [210, 297], content)
  const size = content.size_mm ? `${content.size_mm.map(side => Math.round(side / 10)).join(' × ')} cm` : '–'
  const start = top(page, title, content, [
    ['Date', content.date],
    ['Order', content.order_no ?? '–'],
    ['Parcel', `${content.parcel_no} · ${content.tracking_no}`],
    ['Gross weight', `${kilograms(content.gross_g)} kg`],
    ['Size', size],
  ])
  const columns: Column[] = [
    { title: 'No', x: left, width: 6 },
    { title: 'SKU', x: 20, width: 34 },
    { title: 'Description', x: 55, width: 90 },
    { title: 'Origin', x: 146, width: 14 },
    { title: 'Qty', x: 160, width: 14, align: 'right' },
    { title: 'Net kg', x: 176, width: 20, align: 'right' },
  ]
  table(
    page,
    `${title} ${content.number}`,
    columns,
    content.lines.map((line, i) => [
      String(i + 1),
      line.sku ?? '',
      line.description,
      line.origin ?? '',
      String(line.quantity),
      kilograms(line.net_g),
    ]),
    start,
  )
  return finished(page)
}
