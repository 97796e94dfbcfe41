/** The PDF: every label decodes from its image, and no address breaks the file. */

import { PDFDocument } from '@cantoo/pdf-lib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gs1CheckDigit } from '#domain/gs1.ts'
import { readLabel, readText } from '#test/label-reader.ts'
import { hostileTexts, parties, sampleLabel, sampleParty } from '#test/label-samples.ts'
import { type Label, layoutA4, layoutLabel } from './label-layout.ts'
import { labelPdf } from './label-pdf.ts'

const numbers: fc.Arbitrary<Label['barcode']> = fc.oneof(
  fc.stringMatching(/^\d{17}$/).map(body => {
    const sscc = `${body}${gs1CheckDigit(body)}`
    return { data: `00${sscc}`, gs1: true, text: `(00) ${sscc}` }
  }),
  fc.stringMatching(/^OWN\d{10}$/).map(data => ({ data, gs1: false, text: data })),
)
const links = fc.option(
  fc.stringMatching(/^[A-Za-z0-9_-]{22,60}$/).map(key => `https://demo.pakhus.example/tracking?t=${key}`),
  { nil: null },
)

describe('a label PDF', () => {
  it('decodes exactly from its image at 203 dpi, for any address', async () => {
    await fc.assert(
      fc.asyncProperty(parties, numbers, links, async (receiver, barcode, tracking_url) => {
        const label = sampleLabel({ receiver, barcode, tracking_url })
        const codes = await readLabel(labelPdf(layoutLabel(label)))
        const bars = codes.filter(code => code.format === 'Code128')
        expect(bars).toEqual([{ text: barcode.data, format: 'Code128', symbology: barcode.gs1 ? ']C1' : ']C0' }])
        expect(codes.filter(code => code.format === 'QRCode').map(code => code.text)).toEqual(tracking_url ? [tracking_url] : [])
      }),
      { numRuns: 200 },
    )
  })

  it('decodes at 300 dpi and on A4 too', async () => {
    const label = sampleLabel()
    const layout = layoutLabel(label)
    const expected = [label.barcode.data, label.tracking_url].sort()
    expect((await readLabel(labelPdf(layout), 300)).map(code => code.text).sort()).toEqual(expected)
    expect((await readLabel(labelPdf(layoutA4(label, layout)), 203)).map(code => code.text).sort()).toEqual(expected)
  })

  it.each(hostileTexts)('stays whole when every text says %j', async text => {
    const fact = { caption: text, text }
    const hostile = sampleParty({
      name: text,
      company: text,
      attention: text,
      address1: text,
      address2: text,
      postcode: text,
      city: text,
      phone: text,
      instruction: text,
    })
    const label = sampleLabel({
      title: text,
      from: text,
      to: text,
      sender: hostile,
      receiver: hostile,
      country: text,
      headline: fact,
      mark: fact,
      order: fact,
      reference: fact,
      facts: [fact, fact, fact, fact],
    })
    const layout = layoutLabel(label)
    for (const pdf of [labelPdf(layout), labelPdf(layoutA4(label, layout))]) {
      const document = await PDFDocument.load(pdf, { updateMetadata: false, throwOnInvalidObject: true })
      expect(document.getPageCount()).toBe(1)
      expect(document.getTitle()).toBe(text.toWellFormed())
      expect((await readLabel(pdf)).map(code => code.text)).toContain(label.barcode.data)
    }
  })

  it('shows every word of the label as text', async () => {
    const words = (
      await readText(
        labelPdf(
          layoutLabel(sampleLabel({ receiver: sampleParty({ name: 'Łucja (Šárka) \\ Øst', company: 'Größe & Co' }), country: 'Tyskland' })),
        ),
      )
    ).join('\n')
    for (const word of [
      'Lucja (Šárka) \\ Øst',
      'Größe & Co',
      '2200',
      'København N',
      'Tyskland',
      'Nørrebro',
      'B7',
      '100023',
      '1 / 3',
      '2.4 kg',
      '(00) 095 287 654 321 012 346',
      'PKH-100023-1',
    ]) {
      expect(words).toContain(word)
    }
  })

  it('has its size in millimetres, a title, and asks to be printed unscaled', async () => {
    const label = sampleLabel({ title: 'Label Ø–1' })
    const layout = layoutLabel(label)
    const size = async (pdf: Uint8Array) => {
      const { width, height } = (await PDFDocument.load(pdf)).getPage(0).getSize()
      return [width, height].map(points => Math.round((points / 72) * 254) / 10)
    }
    expect(await size(labelPdf(layout))).toEqual([100, 150])
    expect(await size(labelPdf(layoutA4(label, layout)))).toEqual([210, 297])
    expect((await PDFDocument.load(labelPdf(layout))).getTitle()).toBe('Label Ø–1')
    expect(Buffer.from(labelPdf(layout)).toString('latin1')).toContain('/PrintScaling/None')
  })

  it('has the same bytes for the same label, and contains no image', () => {
    const pdf = Buffer.from(labelPdf(layoutLabel(sampleLabel())))
    expect(pdf.equals(labelPdf(layoutLabel(sampleLabel())))).toBe(true)
    expect(pdf.includes('/Image')).toBe(false)
    expect(pdf.includes('Date')).toBe(false)
  })

  it('has a cross-reference entry for every object', () => {
    const file = Buffer.from(labelPdf(layoutLabel(sampleLabel()))).toString('latin1')
    const start = Number(/startxref\n(\d+)/.exec(file)![1])
    expect(file.slice(start, start + 4)).toBe('xref')
    const offsets = [...file.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(entry => Number(entry[1]))
    expect(offsets.length).toBe(7)
    for (const [i, offset] of offsets.entries()) expect(file.slice(offset)).toMatch(new RegExp(`^${i + 1} 0 obj`))
    const [, length, content] = /<<\/Length (\d+)>>stream\n([\s\S]*?)\nendstream/.exec(file)!
    expect(content!.length).toBe(Number(length))
  })
})
