/** Copies are marked and stay readable for scanners. */

import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, it } from 'vitest'
import { readLabel, readText } from '#test/label-reader.ts'
import { hostileTexts, sampleLabel } from '#test/label-samples.ts'
import { markCopy } from './copy-mark.ts'
import { layoutA4, layoutLabel } from './label-layout.ts'
import { labelPdf } from './label-pdf.ts'
import { labelZpl } from './label-zpl.ts'

const label = sampleLabel()
const layout = layoutLabel(label)
const expected = [label.barcode.data, label.tracking_url].sort()
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const zplOf = async (zpl: string, text = 'COPY 2 · Kim') => Buffer.from(await markCopy(Buffer.from(zpl), text)).toString()

describe('a copy mark', () => {
  it.each([
    ['label', labelPdf(layout)],
    ['A4', labelPdf(layoutA4(label, layout))],
  ])('stands on a %s PDF and leaves its codes readable', async (_size, pdf) => {
    const copy = await markCopy(pdf, 'COPY 2 · Kim')
    expect(await readText(copy)).toContain('COPY 2 · Kim')
    expect((await readLabel(copy)).map(code => code.text).sort()).toEqual(expected)
  })

  it('is on every page', async () => {
    const document = await PDFDocument.create()
    document.addPage([283, 425])
    document.addPage([283, 425])
    const words = await readText(await markCopy(await document.save(), 'COPY 3 · Åse'))
    expect(words).toEqual(['COPY 3 · Åse', 'COPY 3 · Åse'])
  })

  it('is a field of its own at the end of a ZPL label', async () => {
    const copy = Buffer.from(await markCopy(labelZpl(layout), 'COPY 2 · Åse ^XZ')).toString()
    expect(copy).toMatch(/\^FO32,11\^A0N,28,28\^FH_\^FDCOPY 2 · Åse _5EXZ\^FS\n\^XZ\n$/)
    expect(copy.match(/\^XZ/g)).toHaveLength(1)
  })

  it('is on every label of a ZPL file, and not on formats that only configure the printer', async () => {
    const copy = await zplOf('^XA^MMT^XZ\n^XA^CI28^FO1,1^FDone^FS^XZ^xa^CI28^FO1,1^FDtwo^FS^xz')
    expect(copy.match(/COPY 2 · Kim/g)).toHaveLength(2)
    expect(copy).toMatch(/^\^XA\^MMT\^XZ\n/)
  })

  it('is plain ASCII on a label that is not in UTF-8, whose own bytes stay unchanged', async () => {
    const foreign = Buffer.from('^XA^FO1,1^FD\xd8st^FS^XZ', 'latin1')
    expect(latin1(await markCopy(foreign, 'COPY 2 · Åse'))).toBe('^XA^FO1,1^FD\xd8st^FS^FO32,11^A0N,28,28^FH_^FDCOPY 2 - Ase^FS\n^XZ')
  })

  it.each(hostileTexts)('breaks nothing when it says %j', async text => {
    expect((await readLabel(await markCopy(labelPdf(layout), text))).map(code => code.text)).toContain(label.barcode.data)
    expect((await zplOf('^XA^CI28^FO1,1^FDone^FS^XZ', text)).match(/\^X[AZ]/g)).toEqual(['^XA', '^XZ'])
  })
})
