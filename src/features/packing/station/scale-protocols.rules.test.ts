/** Bytes of two documented kinds of scales, and when a weight counts as stable. */
import { describe, expect, it } from 'vitest'
import { lineReader, readHidReport, readSics, type ScaleValue, settler } from './scale-protocols.rules.ts'

const report = (...bytes: number[]) => readHidReport(new DataView(new Uint8Array(bytes).buffer))
const bytes = (text: string) => new TextEncoder().encode(text)

describe('a USB scale', () => {
  it.each<[string, number[], Partial<ScaleValue> | undefined]>([
    ['1,234 g', [0x04, 0x02, 0x00, 0xd2, 0x04], { state: 'stable', weight_g: 1_234, division_g: 1 }],
    ['645.2 oz', [0x04, 0x0b, 0xff, 0x34, 0x19], { state: 'stable', weight_g: 18_291 }],
    ['1.2 kg, moving', [0x03, 0x03, 0xff, 0x0c, 0x00], { state: 'moving', weight_g: 1_200, division_g: 100 }],
    ['nothing on it', [0x02, 0x02, 0x00, 0x00, 0x00], { state: 'stable', weight_g: 0 }],
    ['below zero', [0x05, 0x02, 0x00, 0x05, 0x00], { state: 'under', weight_g: null }],
    ['too much on it', [0x06, 0x02, 0x00, 0xff, 0xff], { state: 'over', weight_g: null }],
    ['to be calibrated', [0x07, 0x02, 0x00, 0x01, 0x00], { state: 'fault', weight_g: null }],
    ['a unit that is not read', [0x04, 0x01, 0x00, 0x01, 0x00], undefined],
    ['an unknown status', [0x09, 0x02, 0x00, 0x01, 0x00], undefined],
    ['a short report', [0x04, 0x02], undefined],
  ])('%s', (_, sent, expected) => {
    if (expected) expect(report(...sent)).toMatchObject(expected)
    else expect(report(...sent)).toBeUndefined()
  })
})

describe('a scale at a serial port', () => {
  it.each<[string, Partial<ScaleValue> | undefined]>([
    ['S S     1.234 kg', { state: 'stable', weight_g: 1_234, division_g: 1 }],
    ['S D     0.870 kg', { state: 'moving', weight_g: 870 }],
    ['S S      1234 g', { state: 'stable', weight_g: 1_234 }],
    ['S S    -0.002 kg', { state: 'under', weight_g: null }],
    ['S +', { state: 'over' }],
    ['S -', { state: 'under' }],
    ['S I', { state: 'moving', weight_g: null }],
    ['ES', { state: 'fault' }],
    ['S S     1.234 ct', undefined],
    ['I4 A "0123456789"', undefined],
  ])('%s', (line, expected) => {
    if (expected) expect(readSics(line)).toMatchObject(expected)
    else expect(readSics(line)).toBeUndefined()
  })

  it('is read line by line however its bytes are cut', () => {
    const text = 'S S     1.234 kg\r\nS D     1.300 kg\r\n'
    for (let cut = 0; cut <= text.length; cut++) {
      const read = lineReader()
      expect([...read(bytes(text.slice(0, cut))), ...read(bytes(text.slice(cut)))]).toEqual(['S S     1.234 kg', 'S D     1.300 kg'])
    }
  })

  it('begins anew at the next line after noise', () => {
    const read = lineReader()
    expect(read(bytes('x'.repeat(200)))).toEqual([])
    expect(read(bytes('yyy\r\nS S     1.234 kg\r\n'))).toEqual(['S S     1.234 kg'])
  })
})

it('a weight is stable once three readings agree within one step', () => {
  const settle = settler()
  const read = (weight_g: number, at: number, state: ScaleValue['state'] = 'stable') =>
    settle({ state, weight_g, division_g: 2 }, at).stable
  expect([read(100, 0), read(102, 100), read(101, 200)]).toEqual([false, false, true])
  expect([read(180, 300), read(180, 400), read(181, 500)]).toEqual([false, false, true])
  expect([read(181, 600, 'moving'), read(181, 700), read(181, 800), read(181, 900)]).toEqual([false, false, false, true])
  expect([read(181, 5_000), read(181, 5_100), read(181, 5_200)]).toEqual([false, false, true])
})
