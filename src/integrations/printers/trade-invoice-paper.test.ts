import { describe, expect, it } from 'vitest'
import { readText } from '#test/label-reader.ts'
import { tradeInvoiceWords } from './trade-invoice.labels.ts'
import { type TradeInvoicePaper, tradeInvoicePaper } from './trade-invoice-paper.ts'

const cells = (n: number, ...more: string[]) => [String(n), ...more]

const paper = (of: { lines: number; parcels: number; notes?: number; mark?: string }): TradeInvoicePaper => ({
  title: 'Commercial invoice',
  number: 'NO/2026/7',
  mark: of.mark ?? null,
  facts: [
    ['Date', '2026-11-26'],
    ['Courier', 'Bring'],
    ['Destination', 'NO'],
    ['Terms', 'DAP Oslo'],
  ],
  parties: [
    { title: 'Exporter', lines: ['Nordlys ApS', 'Prøvevej 5', '5000 Odense C'] },
    { title: 'Importer', lines: ['Fjord AS', '0150 Oslo'] },
  ],
  lines: Array.from({ length: of.lines }, (_, i) => ({
    cells: cells(i + 1, `line-${i + 1}`, '61091000', 'PT', '2', '99.5000', '199.00', '0.300', '0.320'),
  })),
  total: [String(of.parcels), '1.000', '1.100', '199.00 NOK'],
  notes: Array.from({ length: of.notes ?? 0 }, (_, i) => `note-${i + 1}`),
  parcels: Array.from({ length: of.parcels }, (_, i) => cells(i + 1, `parcel-${i + 1}`, `${1_000 + i}`, '0155', '0.320', '199.00')),
  sha256: 'ab'.repeat(32),
  words: tradeInvoiceWords('en_GB'),
  language: 'en-GB',
  at: new Date('2026-11-26T10:00:00Z'),
})

const named = (words: string[], name: string) => words.filter(word => word.startsWith(`${name}-`))
const counted = (n: number, name: string) => Array.from({ length: n }, (_, i) => `${name}-${i + 1}`)
const places = (words: string[]) => words.filter(word => /^Page \d+ of \d+$/.test(word))

describe('the customs invoice on paper', () => {
  it.each([
    ['without lines', { lines: 0, parcels: 1 }, 2],
    ['of one page and its parcels', { lines: 3, parcels: 110, notes: 2 }, 2],
    ['with one parcel more than a page holds', { lines: 3, parcels: 111, notes: 2 }, 3],
    ['whose lines and note fill the first page', { lines: 32, parcels: 0, notes: 1 }, 1],
    ['whose lines leave no place for a note', { lines: 33, parcels: 0, notes: 1 }, 2],
    ['whose notes go over the page', { lines: 30, parcels: 5, notes: 60 }, 4],
    ['of many lines', { lines: 300, parcels: 5 }, 8],
  ])('%s holds each row once, in order, and numbers its pages', async (_, of, pages) => {
    const words = await readText(await tradeInvoicePaper(paper(of)))
    expect(named(words, 'line')).toEqual(counted(of.lines, 'line'))
    expect(named(words, 'parcel')).toEqual(counted(of.parcels, 'parcel'))
    expect(named(words, 'note')).toEqual(counted('notes' in of ? of.notes : 0, 'note'))
    expect(places(words)).toEqual(Array.from({ length: pages }, (__, i) => `Page ${i + 1} of ${pages}`))
  })

  it('says on each page what it is where it is no invoice', async () => {
    const words = await readText(await tradeInvoicePaper(paper({ lines: 3, parcels: 120, mark: 'DRAFT' })))
    expect(words.filter(word => word === 'DRAFT')).toHaveLength(3)
  })

  it('of 2,000 parcels gives others their turn between its pages', async () => {
    let turns = 0
    let drawn = false
    const count = () => {
      turns++
      if (!drawn) setImmediate(count)
    }
    setImmediate(count)
    const bytes = await tradeInvoicePaper(paper({ lines: 300, parcels: 2_000 }))
    drawn = true
    const pages = places(await readText(bytes)).length
    expect(pages).toBeGreaterThan(20)
    expect(turns).toBeGreaterThanOrEqual(pages - 1)
  })
})
