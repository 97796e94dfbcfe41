/** What a scan means while picking, and what a phone shows before the server has answered. */
import { describe, expect, it } from 'vitest'
import { pickLine } from '#test/pick-line.ts'
import {
  applyAnswer,
  changesOf,
  decide,
  type Hand,
  isBin,
  type Line,
  nextLine,
  notEmptyTote,
  piecesOf,
  predict,
  progress,
  remaining,
  totesInUse,
  wrongTote,
} from './picking.rules.ts'
import type { PickEvent, Wagon } from './picking.schemas.ts'

const wagonOf = (lines: Line[], slots: Partial<Wagon['slots'][number]>[] = []): Wagon =>
  ({
    pick_list_id: 1,
    wagon_no: 1,
    state: 'picking',
    scan_bin: false,
    pick_lines: lines,
    slots: lines.map((one, i) => ({
      slot_no: one.slot_no,
      order_id: one.order_id,
      order_no: `O${one.order_id}`,
      held: false,
      cancelled: false,
      live: true,
      state: 'open',
      codes: [{ digits: `${one.slot_no}`, state: 'reserved', full: false }],
      ...slots[i],
    })),
    pickers: [],
    seen: [],
    expected: [],
  }) as unknown as Wagon
const hand = (more: Partial<Hand> = {}): Hand => ({ line: 1, step: 'product', taken: 0, ...more })
const eventOf = (more: Partial<PickEvent>): PickEvent => ({
  id: 'e',
  kind: 'pick',
  line: 1,
  quantity: 0,
  code: '',
  reason: null,
  note: '',
  by: 'scan',
  of: null,
  at: '',
  ...more,
})
const textOf = (wagon: Wagon, in_hand: Hand, raw: string) => {
  const meaning = decide(wagon, in_hand, raw)
  return meaning.kind === 'wrong' ? meaning.say.text : meaning.kind
}

describe('a scan', () => {
  const wagon = wagonOf([
    pickLine(1, {
      barcodes: [
        { barcode: 'BAR-1', quantity: 1 },
        { barcode: 'BOX-1', quantity: 2 },
      ],
    }),
    pickLine(2),
    pickLine(3, { bin: 'A-01' }),
  ])

  it('of the bin is right whatever its case and blanks', () => {
    expect(isBin('A-01 B', 'a-01b')).toBe(true)
    expect(textOf(wagon, hand({ step: 'bin' }), 'a-01')).toBe('bin')
    expect(textOf(wagon, hand({ step: 'bin' }), 'A-02')).toBe('Wrong bin. Go to {{bin}}.')
  })

  it('of the product counts as many pieces as its code stands for', () => {
    expect(decide(wagon, hand(), 'BAR-1')).toMatchObject({ kind: 'product', pieces: 1 })
    expect(decide(wagon, hand(), 'BOX-1')).toMatchObject({ kind: 'product', pieces: 2 })
    expect(decide(wagon, hand(), 'sku-1')).toMatchObject({ kind: 'product', pieces: 1 })
    expect(decide(wagon, hand({ step: 'bin' }), 'BAR-1')).toMatchObject({ kind: 'product' })
    expect(piecesOf(wagon.pick_lines[0]!, 'BAR-2')).toBe(0)
  })

  it('is too much once the hand is full, or the pack holds more than is asked', () => {
    expect(textOf(wagon, hand({ taken: 1 }), 'BOX-1')).toBe('Unable to pick more than {{n}} of {{name}}')
    expect(textOf(wagon, hand({ taken: 2, step: 'slot' }), 'BAR-1')).toBe('Unable to pick more than {{n}} of {{name}}')
  })

  it('of another line at the same place goes on with that line', () => {
    expect(decide(wagon, hand(), 'BAR-3')).toMatchObject({ kind: 'product', line: 3 })
    expect(textOf(wagon, hand(), 'BAR-2')).toBe('Wrong item: this is {{other}}. Scan {{name}}.')
    expect(textOf(wagon, hand(), 'UNKNOWN')).toBe('Wrong item. Scan {{name}}.')
  })

  it('of the place, where several products lie, asks for the product', () => {
    expect(textOf(wagon, hand(), 'A-01')).toBe('Several products lie here. Scan the product.')
  })

  it('of a tote puts away what is in the hand, though it is less than was asked', () => {
    expect(decide(wagon, hand({ taken: 1 }), 'PP1')).toMatchObject({ kind: 'slot', digits: '1' })
    expect(decide(wagon, hand({ taken: 2, step: 'slot' }), 'PP99')).toMatchObject({ kind: 'slot', digits: '99' })
    expect(textOf(wagon, hand({ taken: 2, step: 'slot' }), 'A-01')).toBe('This is no tote. Scan the tote of number {{slot}}.')
  })

  it('never throws, whatever was scanned', () => {
    for (const raw of ['', ' ', '\u0000', 'CMD:UNDO', 'PP', '1:1', 'x'.repeat(2_000), ']C1', '(01)'])
      expect(decide(wagon, hand(), raw).kind).toBe('wrong')
  })
})

describe('a tote', () => {
  const slots = [
    { slot_no: 1, codes: [{ digits: '1', state: 'reserved', full: false }] },
    { slot_no: 2, codes: [{ digits: '2', state: 'reserved', full: false }] },
    { slot_no: 3, codes: [{ digits: '3', state: 'bound', full: false }] },
  ]
  it('is right where it is kept, and free ones fit everywhere that has none in use', () => {
    expect(wrongTote(slots, 1, '1')).toBeUndefined()
    expect(wrongTote(slots, 1, '44')).toBeUndefined()
  })
  it('that is only kept for another slot may change places, one in use may not', () => {
    expect(wrongTote(slots, 1, '2')).toBeUndefined()
    expect(wrongTote(slots, 1, '3')).toMatchObject({ values: { other: 3, slot: 1 } })
    expect(wrongTote(slots, 3, '2')).toMatchObject({ values: { other: 2, slot: 3 } })
    expect(wrongTote(slots, 3, '44')?.text).toBe('Number {{slot}} has tote {{code}}. Scan that one, or say that it is full.')
  })
})

describe('a full tote', () => {
  const wagon = wagonOf([pickLine(1), pickLine(2)], [{ codes: [{ digits: '1', state: 'bound', full: false }] }])
  const after = predict(wagon, eventOf({ kind: 'full', line: 1, code: 'PP44' }))

  it('gives way to the one that is scanned beside it, at once', () => {
    expect(totesInUse(wagon.slots[0])).toEqual(['PP1'])
    expect(totesInUse(after.slots[0])).toEqual(['PP44'])
    expect(textOf(after, hand({ step: 'slot', taken: 1 }), 'PP44')).toBe('slot')
  })
  it('is refused before anything is sent, and the one to use is named', () => {
    expect(decide(after, hand({ step: 'slot', taken: 1 }), 'PP1')).toMatchObject({
      kind: 'wrong',
      result: 'wrong_slot',
      say: { text: 'Tote {{code}} is full. Put it into {{other}}.', values: { code: 'PP1', other: 'PP44' } },
    })
  })
  it('is not followed by itself, nor by one of another slot', () => {
    expect(notEmptyTote(after.slots, 1, '1')?.text).toBe('This is the tote that is full. Scan an empty one.')
    expect(notEmptyTote(after.slots, 1, '2')).toMatchObject({ values: { other: 2, slot: 1 } })
    expect(notEmptyTote(after.slots, 1, '45')).toBeUndefined()
  })
})

describe('the walk', () => {
  it('goes on with what is open, and comes back to what was set aside', () => {
    const wagon = wagonOf([pickLine(1), pickLine(2), pickLine(3)])
    const skipped = predict(wagon, eventOf({ kind: 'skip', line: 1 }))
    expect(remaining(skipped).map(one => one.id)).toEqual([2, 3, 1])
    expect(progress(skipped)).toEqual({ done: 0, of: 3 })
  })
  it('leaves stopped orders alone, and lines at which a colleague stands to the last', () => {
    const wagon = wagonOf([pickLine(1), pickLine(2, { taken_by: 9 }), pickLine(3)], [{ held: true }, {}, {}])
    expect(remaining(wagon).map(one => one.id)).toEqual([2, 3])
    expect(nextLine(wagon, 5)?.id).toBe(3)
    expect(nextLine(wagon, 9)?.id).toBe(2)
    expect(nextLine(wagonOf([pickLine(2, { taken_by: 9 })]), 5)?.id).toBe(2)
  })
})

describe('what a phone foresees', () => {
  it('splits a line that was picked in part, and decides it with the rest', () => {
    const wagon = wagonOf([pickLine(1)])
    const part = predict(wagon, eventOf({ quantity: 1, code: 'PP1' }))
    expect(part.pick_lines[0]).toMatchObject({ picked: 1, state: 'open' })
    expect(part.slots[0]?.codes).toEqual([{ digits: '1', state: 'bound', full: false }])
    expect(predict(part, eventOf({ quantity: 1 })).pick_lines[0]).toMatchObject({ picked: 2, state: 'picked' })
    expect(predict(part, eventOf({ quantity: 9 })).pick_lines[0]).toMatchObject({ picked: 2 })
  })
  it('takes back what it foresaw', () => {
    const pick = eventOf({ id: 'p', quantity: 2 })
    const picked = predict(wagonOf([pickLine(1)]), pick)
    expect(predict(picked, eventOf({ kind: 'undo', of: 'p', line: null }), [pick]).pick_lines[0]).toMatchObject({
      picked: 0,
      state: 'open',
    })
    expect(predict(picked, eventOf({ kind: 'undo', of: 'unknown', line: null }), [pick])).toBe(picked)
  })
  it('gives way to what the server says', () => {
    const wagon = predict(wagonOf([pickLine(1)]), eventOf({ quantity: 2 }))
    const now = applyAnswer(wagon, {
      id: 'e',
      ok: false,
      result: 'too_many',
      text: '',
      values: {},
      line: { id: 1, asked: 2, picked: 1, state: 'open', walk_no: 7, taken_by: null, taken_by_name: null },
      walk: null,
      short_id: null,
      wagon_state: 'paused',
      reload: false,
    })
    expect(now).toMatchObject({ state: 'paused', pick_lines: [{ picked: 1, state: 'open', walk_no: 7 }] })
  })
  it('names orders that were stopped meanwhile, and nothing else', () => {
    const before = wagonOf([pickLine(1), pickLine(2), pickLine(3)])
    const after = wagonOf([pickLine(1), pickLine(2), pickLine(3)], [{ cancelled: true, state: 'removed' }, { held: true }, {}])
    expect(changesOf(before, after).map(one => [one.text, one.values?.slot])).toEqual([
      ['Someone cancelled order {{order_no}}. Leave what is in number {{slot}}.', 1],
      ['Order {{order_no}} is stopped. Pick nothing more into number {{slot}}.', 2],
    ])
    expect(changesOf(after, after)).toEqual([])
  })
})
