/** The claim as a PDF, in English as couriers of all countries read it: what is claimed, weights, contents, timeline. */
import { fromMinor } from '#domain/money.ts'
import { finished, hairline, mm, paleInk, type Sheet, sheet, writeLine } from '#integrations/printers/paper.ts'
import type { ClaimCase } from './claim-kits.queries.ts'

const [left, right, top, foot] = [20, 190, 20, 278]
const rowHeight = 5.2

const kinds = { damage: 'Damage', loss: 'Loss', missing_item: 'Missing item' } as const

interface Cell {
  text: string
  x: number
  width: number
  align?: 'right'
}

/** Writes rows from top to bottom and goes on on a new page. */
function writer(page: Sheet) {
  let y = top
  const row = (cells: readonly Cell[], { bold = false, size = 9 }: { bold?: boolean; size?: number } = {}) => {
    if (y + rowHeight > foot) {
      page.addPage()
      y = top
    }
    for (const { text, ...place } of cells) writeLine(page, text, { ...place, y, size, bold })
    y += rowHeight
  }
  const heading = (text: string) => {
    y += 4
    row([{ text, x: left, width: right - left }], { bold: true, size: 11 })
    page.moveTo(mm(left), mm(y)).lineTo(mm(right), mm(y)).lineWidth(0.5).stroke(hairline)
    y += 2
  }
  const facts = (pairs: readonly (readonly [string, string | null])[]) => {
    for (const [name, value] of pairs) {
      if (!value) continue
      if (y + rowHeight <= foot) writeLine(page, name, { x: left, y, width: 44, size: 9, colour: paleInk })
      row([{ text: value, x: left + 46, width: right - left - 46 }])
    }
  }
  return { row, heading, facts }
}

const minute = (at: string | null) => at && `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
const kilograms = (grams: number) => `${(grams / 1_000).toFixed(3)} kg`

export async function claimDocument({ claim, shipment, weighing, lines, events }: ClaimCase, at: Date): Promise<Uint8Array> {
  const title = `Claim ${claim.tracking_no ?? shipment.reference}`
  const page = sheet({ size: [210, 297], title, at, language: 'en-GB' })
  const { row, heading, facts } = writer(page)
  row([{ text: title, x: left, width: right - left }], { bold: true, size: 15 })
  heading('Claim')
  facts([
    ['Claimant', claim.company],
    ['Kind', kinds[claim.kind]],
    ['Amount', `${fromMinor(claim.amount, claim.currency)} ${claim.currency}`],
    ['Noticed', claim.noticed_on],
    ['Send by', claim.deadline_on],
    ["Courier's reference", claim.reference],
    ['Order', claim.order_no],
  ])
  const words = claim.note.split('\n').filter(line => line.trim() !== '')
  if (words.length > 0) {
    heading('Description')
    for (const line of words) for (const part of wrapped(line, 110)) row([{ text: part, x: left, width: right - left }])
  }
  heading('Parcel')
  facts([
    ['Tracking number', claim.tracking_no],
    ['Courier', `${claim.agent_code}, ${shipment.shipping_method}`],
    ['Parcel', String(shipment.parcel_no)],
    ['Weight on the label', kilograms(shipment.weight_g)],
    ['Weight measured', weighing && `${kilograms(weighing.weight_g)} at ${weighing.station}, ${minute(weighing.weighed_at)}`],
    ['Booked', minute(shipment.booked_at)],
    ['Handed over', minute(shipment.handed_over_at)],
    ['Delivered', minute(shipment.delivered_at)],
  ])
  if (lines.length > 0) {
    heading('Contents')
    for (const line of lines)
      row([
        { text: `${line.quantity} ×`, x: left, width: 14 },
        { text: line.sku ?? '', x: left + 16, width: 34 },
        { text: line.description, x: left + 52, width: 88 },
        {
          text: line.value === null || !line.currency ? '' : `${fromMinor(line.value, line.currency)} ${line.currency}`,
          x: left + 142,
          width: 28,
          align: 'right',
        },
      ])
  }
  heading('Timeline')
  for (const event of events)
    row([
      { text: minute(event.at) ?? '', x: left, width: 36 },
      { text: event.text || event.state, x: left + 38, width: 82 },
      { text: event.place ?? '', x: left + 122, width: 30 },
      { text: event.source, x: left + 154, width: 16 },
    ])
  return finished(page)
}

/** Pieces of a line of at most `most` letters, cut between words where there are any. */
function wrapped(line: string, most: number): string[] {
  const pieces: string[] = []
  let rest = line
  while (rest.length > most) {
    const space = rest.lastIndexOf(' ', most)
    const cut = space > most / 2 ? space : most
    pieces.push(rest.slice(0, cut))
    rest = rest.slice(cut).trimStart()
  }
  return [...pieces, rest]
}
