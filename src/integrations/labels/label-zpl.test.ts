/** The ZPL: the same label, and no text can become a command. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileTexts, parties, sampleLabel, sampleParty } from '#test/label-samples.ts'
import { layoutLabel } from './label-layout.ts'
import { labelZpl, zplField } from './label-zpl.ts'

const zplOf = (given: Parameters<typeof sampleLabel>[0] = {}) => Buffer.from(labelZpl(layoutLabel(sampleLabel(given)))).toString()

describe('a ZPL label', () => {
  it('is one format of 800 × 1200 dots in UTF-8', () => {
    const zpl = zplOf()
    expect(zpl).toMatch(/^\^XA\^CI28\^PW800\^LL1200\^LH0,0/)
    expect(zpl).toMatch(/\^PQ1\^XZ\n$/)
    expect(zpl.match(/\^XA/g)).toHaveLength(1)
    expect(zpl).toContain('^FDÅse Bjørn Sørensen^FS')
  })

  it('prints an SSCC as GS1-128 with its identifier in brackets, four dots per module, 32 mm high', () => {
    expect(zplOf()).toContain('^FO88,860^BY4,3,256^BCN,256,N,N,N,D^FH_^FD(00)095287654321012346^FS')
  })

  it('prints an own number as plain Code 128', () => {
    expect(zplOf({ barcode: { data: 'OWN0000000123', gs1: false, text: 'OWN0000000123' } })).toContain(
      '^BCN,256,N,N,N,A^FH_^FDOWN0000000123^FS',
    )
  })

  it('prints the tracking link as a QR code, or none', () => {
    expect(zplOf({ tracking_url: 'https://x.example/t?a=1_2' })).toMatch(/\^BQN,2,\d+\^FH_\^FDMA,https:\/\/x\.example\/t\?a=1_5F2\^FS/)
    expect(zplOf({ tracking_url: null })).not.toContain('^BQ')
  })

  it('prints white on black where the PDF does', () => {
    expect(zplOf()).toMatch(/\^GB496,144,144\^FS\n/)
    expect(zplOf()).toMatch(/\^FR\^FH_\^FDNørrebro\^FS/)
  })

  it.each([
    ['^XA', '_5EXA'],
    ['~JA', '_7EJA'],
    ['a_b', 'a_5Fb'],
    ['_5E', '_5F5E'],
    ['a\\&b (c)', 'a\\&b (c)'],
    ['a\u0000\r\nb', 'a   b'],
  ])('escapes %j', (text, escaped) => {
    expect(zplField(text)).toBe(`^FH_^FD${escaped}^FS`)
  })

  it('has the same commands for any address', () => {
    void fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' })), parties, (text, receiver) => {
        const fact = { caption: text, text }
        const zpl = zplOf({
          receiver: { ...receiver, name: text },
          sender: sampleParty({ name: text, city: text }),
          order: fact,
          headline: fact,
          mark: fact,
          reference: fact,
        })
        for (const line of zpl.trimEnd().split('\n').slice(1, -1)) {
          expect(line).toMatch(
            /^\^F[OT]\d+,\d+(\^GB\d+,\d+,\d+\^FS|(\^A0N,\d+,\d+(\^FR)?|\^BY4,3,256\^BCN,256,N,N,N,D|\^BQN,2,\d+)\^FH_\^FD[^^~\p{Cc}]*\^FS)$/u,
          )
        }
        expect(zpl.match(/\^X[AZ]/g)).toEqual(['^XA', '^XZ'])
        expect(zpl).not.toContain('~')
      }),
      { numRuns: 200 },
    )
  })
})
