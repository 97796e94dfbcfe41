/** The picker's reducer: what each event changes, and which effects follow. */
import { describe, expect, it } from 'vitest'
import type { ChangeTopic } from '#contract/topics.ts'
import { pickLine } from '#test/pick-line.ts'
import { type Effect, initialState, newsShown, type PickerEvent, type PickerState, type Situation } from './picker-model.rules.ts'
import { pickerSentences, reduce } from './picker-state.rules.ts'
import { type Line, sentences } from './picking.rules.ts'
import type { EventAnswer, Wagon } from './picking.schemas.ts'

const wagonOf = (lines: Line[], more: object = {}): Wagon =>
  ({
    pick_list_id: 1,
    wagon_no: 1,
    state: 'picking',
    list_state: 'picking',
    scan_bin: false,
    started_at: '2026-11-22T08:00:00Z',
    now: '2026-11-22T08:00:10.000Z',
    pick_lines: lines,
    slots: lines.map(one => ({
      slot_no: one.slot_no,
      order_id: one.order_id,
      order_no: `O${one.order_id}`,
      held: false,
      cancelled: false,
      live: true,
      state: 'open',
      codes: [{ digits: `${one.slot_no}`, state: 'reserved', full: false }],
    })),
    pickers: [{ user_id: 5, user_name: 'Kim' }],
    seen: [],
    expected: [],
    ...more,
  }) as unknown as Wagon

const now = Date.parse('2026-11-22T08:00:00.000Z')
let ids = 0

/** The state after these events, and the effects of the last one. */
function afterEvents(state: PickerState, ...events: PickerEvent[]): { state: PickerState; effects: readonly Effect[] } {
  return events.reduce<{ state: PickerState; effects: readonly Effect[] }>(
    (step, event) => {
      const situation: Situation = { now, user_id: 5, ids: [1, 2, 3, 4].map(() => `id-${++ids}`) }
      return reduce(step.state, event, situation)
    },
    { state, effects: [] },
  )
}
const walking = (wagon: Wagon): PickerState => afterEvents(initialState, { type: 'claimed', wagon }).state
const scan = (raw: string): PickerEvent => ({ type: 'scan', raw, by: 'scan' })
const sent = (effects: readonly Effect[]) => effects.flatMap(effect => (effect.type === 'enqueue' ? [effect.queued.event] : []))
const tones = (effects: readonly Effect[]) => effects.flatMap(effect => (effect.type === 'play' ? [effect.tone] : []))
const types = (effects: readonly Effect[]) => effects.map(effect => effect.type)
const two = walking(wagonOf([pickLine(1), pickLine(2)]))

/** The server's answer to the oldest event that waits. */
function answerTo(state: PickerState, more: Partial<EventAnswer> = {}): PickerEvent {
  const [queued] = state.waiting
  if (!queued) throw new Error('No event waits')
  const answer: EventAnswer = {
    id: queued.event.id,
    ok: true,
    result: 'ok',
    text: '',
    values: {},
    line: null,
    walk: null,
    short_id: null,
    wagon_state: 'picking',
    reload: false,
    ...more,
  }
  return { type: 'answered', queued, answer }
}

it('changes nothing in the state that it is given', () => {
  const before = structuredClone(two)
  afterEvents(two, scan('BAR-1'), scan('BAR-1'), scan('PP1'), { type: 'undo' })
  expect(two).toEqual(before)
})

describe('taking a wagon', () => {
  it('begins with the way to the first bin, and with the product where a line has none', () => {
    expect(two.hand).toEqual({ line: 1, step: 'bin', taken: 0 })
    expect(walking(wagonOf([pickLine(1, { bin: null })])).hand).toEqual({ line: 1, step: 'product', taken: 0 })
  })

  it('takes the time of events from the server', () => {
    expect(sent(afterEvents(two, { type: 'pause' }).effects)).toMatchObject([{ kind: 'pause', at: '2026-11-22T08:00:10.000Z' }])
  })

  it('goes on after a reload where the page was', () => {
    const stored = {
      user_id: 5,
      wagon: wagonOf([pickLine(1), pickLine(2)]),
      hand: { line: 2, step: 'slot' as const, taken: 1 },
      begun: true,
      done: [],
      journal: [],
    }
    expect(afterEvents(initialState, { type: 'restored', stored }, { type: 'ready' }).state).toMatchObject({
      ready: true,
      begun: true,
      hand: stored.hand,
    })
  })

  it('takes up no stored wagon of another person', () => {
    const stored = { user_id: 6, wagon: wagonOf([pickLine(1)]), hand: null, begun: true, done: [], journal: [] }
    expect(afterEvents(initialState, { type: 'restored', stored }, { type: 'ready' }).state).toMatchObject({ ready: true, wagon: null })
  })
})

describe('picking', () => {
  it.each<[string, PickerEvent[], { kinds: string[]; tone: string; hand: object }]>([
    [
      'a product is taken piece by piece',
      [scan('BAR-1')],
      { kinds: ['product'], tone: 'ok', hand: { line: 1, step: 'product', taken: 1 } },
    ],
    [
      'the last piece asks for the tote',
      [scan('BAR-1'), scan('BAR-1')],
      { kinds: ['product'], tone: 'line', hand: { line: 1, step: 'slot', taken: 2 } },
    ],
    [
      'the tote ends the line and the next begins',
      [scan('BAR-1'), scan('BAR-1'), scan('PP1')],
      { kinds: ['pick'], tone: 'line', hand: { line: 2, step: 'bin', taken: 0 } },
    ],
    ['the bin may be scanned', [scan('A-01')], { kinds: ['bin'], tone: 'ok', hand: { line: 1, step: 'product', taken: 0 } }],
    [
      'the button does the same as a scan',
      [{ type: 'confirm' }, { type: 'confirm' }, { type: 'confirm' }, { type: 'confirm' }],
      { kinds: ['pick'], tone: 'line', hand: { line: 2, step: 'bin', taken: 0 } },
    ],
    [
      'a part goes into the tote before the rest',
      [scan('BAR-1'), { type: 'put_now' }],
      { kinds: ['pick'], tone: 'ok', hand: { line: 1, step: 'product', taken: 0 } },
    ],
    [
      'a wrong product is refused and recorded',
      [scan('BAR-2')],
      { kinds: ['wrong'], tone: 'error', hand: { line: 1, step: 'bin', taken: 0 } },
    ],
    ['a skipped line comes last', [{ type: 'skip' }], { kinds: ['skip'], tone: 'attention', hand: { line: 2, step: 'bin', taken: 0 } }],
    [
      'a missing line is left',
      [{ type: 'short', reason: 'not_there' }],
      { kinds: ['short'], tone: 'attention', hand: { line: 2, step: 'bin', taken: 0 } },
    ],
    [
      'pieces that were taken are put before the rest is missing',
      [scan('BAR-1'), { type: 'short', reason: 'not_there' }],
      { kinds: ['pick', 'short'], tone: 'attention', hand: { line: 2 } },
    ],
    ['damaged pieces are reported', [{ type: 'damaged', pieces: 1 }], { kinds: ['damaged'], tone: 'attention', hand: { line: 1 } }],
    [
      'another line can come first',
      [{ type: 'go_to', line_id: 2 }, scan('BAR-2')],
      { kinds: ['product'], tone: 'ok', hand: { line: 2, taken: 1 } },
    ],
  ])('%s', (_, events, { kinds, tone, hand }) => {
    const step = afterEvents(two, ...events)
    expect([sent(step.effects).map(event => event.kind), tones(step.effects).at(-1)]).toEqual([kinds, tone])
    expect(step.state.hand).toMatchObject(hand)
  })

  it('asks for the number of many pieces, and takes no more than are missing', () => {
    const many = walking(wagonOf([pickLine(1, { asked: 20 })]))
    expect(afterEvents(many, scan('A-01'), { type: 'confirm' }).state.sheet).toBe('type')
    expect(afterEvents(many, { type: 'typed', quantity: 21 }).state.message).toMatchObject({ text: sentences.tooMany, tone: 'error' })
    expect(afterEvents(many, { type: 'typed', quantity: 20 }).state.hand).toEqual({ line: 1, step: 'slot', taken: 20 })
  })

  it('asks once whether a bin is empty that should be', () => {
    const wagon = wagonOf([pickLine(1), pickLine(2)], { expected: [{ line: 1, pieces: 2 }] })
    const put = afterEvents(walking(wagon), scan('BAR-1'), scan('BAR-1'), scan('PP1')).state
    expect([put.sheet, put.zeroOf?.id]).toEqual(['zero', 1])
    const step = afterEvents(put, { type: 'zero', pieces: 0 })
    expect(sent(step.effects)).toMatchObject([{ kind: 'zero_check', line: 1, quantity: 0 }])
    expect(step.state).toMatchObject({ sheet: null, zeroOf: null, base: { expected: [] } })
  })

  it('asks which tote is full and takes the empty one for its slot', () => {
    const open = afterEvents(two, { type: 'open_sheet', sheet: 'full' })
    const early = afterEvents(open.state, scan('PP9'))
    expect([sent(early.effects), early.state.sheet, early.state.message?.text]).toEqual([[], 'full', sentences.chooseSlot])
    const chosen = afterEvents(early.state, { type: 'full_slot', slot_no: 2 })
    expect(chosen.state).toMatchObject({ fullSlot: 2, message: null })
    const step = afterEvents(chosen.state, scan('PP9'))
    expect(sent(step.effects)).toMatchObject([{ kind: 'full', line: 2, code: 'PP9' }])
    expect(step.state.sheet).toBe(null)
  })

  it('names the slot of a full tote by a scan of it, and says on the sheet what is wrong with the next scan', () => {
    const open = afterEvents(two, { type: 'open_sheet', sheet: 'full' }, scan('PP2'))
    expect(open.state).toMatchObject({ fullSlot: 2, sheet: 'full' })
    const refused = afterEvents(open.state, scan('BAR-1'))
    expect([sent(refused.effects), refused.state.sheet, refused.state.message]).toMatchObject([
      [],
      'full',
      { text: sentences.notTote, values: { slot: 2 }, tone: 'error' },
    ])
  })

  it('takes a tote that is not the reserved one only after a second scan of it', () => {
    const taken = afterEvents(two, scan('BAR-1'), scan('BAR-1')).state
    const once = afterEvents(taken, scan('PP9'))
    expect([sent(once.effects), once.state.wrong]).toMatchObject([
      [],
      { result: 'other_tote', say: { values: { code: 'PP9', slot: 1, reserved: 'PP1' } } },
    ])
    expect(sent(afterEvents(once.state, scan('PP9')).effects)).toMatchObject([{ kind: 'pick', code: 'PP9' }])
    expect(sent(afterEvents(once.state, scan('PP8')).effects)).toEqual([])
    expect(sent(afterEvents(once.state, { type: 'read_wrong' }, scan('PP9')).effects)).toEqual([])
    expect(sent(afterEvents(once.state, scan('PP1')).effects)).toMatchObject([{ kind: 'pick', code: 'PP1' }])
  })

  it('shows a wrong scan until it is read or a right one follows', () => {
    const wrong = afterEvents(two, scan('BAR-2')).state
    expect(wrong.wrong).toMatchObject({ result: 'wrong_product', raw: 'BAR-2', line: 1 })
    expect(afterEvents(wrong, { type: 'read_wrong' }).state.wrong).toBe(null)
    expect(afterEvents(wrong, scan('BAR-1')).state.wrong).toBe(null)
  })

  it('resumes a paused wagon with the next scan', () => {
    const paused = afterEvents(two, { type: 'pause' }).state
    expect(paused.wagon?.state).toBe('paused')
    expect(sent(afterEvents(paused, scan('BAR-1')).effects).map(event => event.kind)).toEqual(['resume', 'product'])
  })

  it('offers a photo of what is missing', () => {
    const { state } = afterEvents(two, { type: 'short', reason: 'not_there' })
    expect(state.reported).toMatchObject({ event: state.waiting[0]?.event.id, line: { id: 1 }, others: [] })
    const blob = new Blob()
    const step = afterEvents(state, { type: 'photo', blob })
    expect([step.state.reported, step.effects]).toEqual([
      null,
      [{ type: 'store_photo', event: state.waiting[0]?.event.id, pick_list_id: 1, wagon_no: 1, user_id: 5, blob }],
    ])
  })

  it('asks once for all open lines of a missing product at its bin, and does not go back there', () => {
    const same = { product_id: 1, sku: 'SKU-1', bin: 'A-01' }
    const wagon = wagonOf([
      pickLine(1),
      pickLine(2),
      pickLine(3, same),
      pickLine(4, same),
      pickLine(5, { ...same, sku: 'OTHER', product_id: 6 }),
    ])
    const asked = afterEvents(walking(wagon), { type: 'short', reason: 'not_there' }).state
    expect(asked.reported?.others).toEqual([3, 4])
    const all = afterEvents(asked, { type: 'also_missing', yes: true })
    expect(sent(all.effects)).toMatchObject([
      { kind: 'short', line: 3, reason: 'not_there' },
      { kind: 'short', line: 4, reason: 'not_there' },
    ])
    // The photo is asked for next, and belongs to the line that was reported first.
    expect(all.state.reported).toMatchObject({ event: asked.reported?.event, line: { id: 1 }, others: [] })
    expect(all.state.wagon?.pick_lines.filter(line => line.state === 'open').map(line => line.id)).toEqual([2, 5])
    const some = afterEvents(asked, { type: 'also_missing', yes: false })
    expect([sent(some.effects), some.state.reported?.others]).toEqual([[], []])
  })

  it('puts the pieces that were found before the rest is missing', () => {
    const { state, effects } = afterEvents(two, { type: 'found', pieces: 1 }, { type: 'short', reason: 'not_there' })
    expect(sent(effects)).toMatchObject([
      { kind: 'pick', quantity: 1 },
      { kind: 'short', line: 1 },
    ])
    expect(state.message).toMatchObject({ text: sentences.shortPut, values: { found: 1, n: 1, slot: 1 } })
  })
})

describe('undo', () => {
  it('gives back what was taken and not put yet, without an event', () => {
    const step = afterEvents(two, scan('BAR-1'), { type: 'undo' })
    expect([sent(step.effects), step.state.hand]).toEqual([[], { line: 1, step: 'product', taken: 0 }])
  })

  it('opens the line of the last event again', () => {
    const put = afterEvents(two, scan('BAR-1'), scan('BAR-1'), scan('PP1')).state
    expect([put.canUndo, put.wagon?.pick_lines[0]?.state]).toEqual([true, 'picked'])
    const step = afterEvents(put, { type: 'undo' })
    expect(sent(step.effects)).toMatchObject([{ kind: 'undo', of: put.done[0]?.id }])
    expect(step.state).toMatchObject({ canUndo: false, hand: { line: 1 }, wagon: { pick_lines: [{ picked: 0, state: 'open' }, {}] } })
  })

  it('says when there is nothing to undo', () => {
    expect(afterEvents(two, { type: 'undo' }).state.message?.text).toBe(sentences.nothingToUndo)
  })
})

describe('an answer of the server', () => {
  const put = afterEvents(walking(wagonOf([pickLine(1), pickLine(2)])), { type: 'typed', quantity: 2 }, { type: 'put_now' }).state

  it('makes a picked line part of the wagon as the server describes it', () => {
    const [product, pick] = put.waiting
    const first = afterEvents(put, answerTo(put), { type: 'queue_changed', waiting: pick ? [pick] : [], offline: false })
    expect([product?.event.kind, first.state.unsent]).toEqual(['product', 1])
    const second = afterEvents(first.state, answerTo(first.state), { type: 'queue_changed', waiting: [], offline: false })
    expect(second.state).toMatchObject({ unsent: 0, acknowledged: 2, base: { pick_lines: [{ picked: 2, state: 'picked' }, {}] } })
  })

  it('shows a late refusal until it is read, and counts what was taken no more', () => {
    const taken = afterEvents(two, scan('BAR-1')).state
    const refused = afterEvents(taken, answerTo(taken, { ok: false, result: 'too_many', text: sentences.tooMany }))
    expect(refused.state).toMatchObject({ news: [{ text: sentences.tooMany }], hand: { taken: 0 }, message: { tone: 'error' } })
    expect(afterEvents(refused.state, { type: 'read_news' }).state.news).toEqual([])
  })

  it('of a tote returns to the line whose pieces are still in the hand', () => {
    const next = afterEvents(two, scan('BAR-1'), scan('BAR-1'), scan('PP1')).state
    const waiting = next.waiting.filter(one => one.event.kind === 'pick')
    const refusal = answerTo({ ...next, waiting }, { ok: false, result: 'tote_elsewhere', text: 'No code' })
    const { state } = afterEvents(next, refusal, { type: 'queue_changed', waiting: [], offline: false })
    expect(state).toMatchObject({
      hand: { line: 1, step: 'slot', taken: 2 },
      wrong: { result: 'wrong_slot', say: { text: 'No code' }, raw: 'PP1', line: 1 },
      news: [],
      message: { tone: 'error' },
    })
    expect(sent(afterEvents(state, scan('PP1')).effects)).toMatchObject([{ kind: 'pick', line: 1, quantity: 2, code: 'PP1' }])
  })

  it('of a tote that comes after another pick is news, and the walk goes on', () => {
    const next = afterEvents(two, scan('BAR-1'), scan('BAR-1'), scan('PP1'), scan('BAR-2'), scan('BAR-2'), scan('PP2')).state
    const waiting = next.waiting.filter(one => one.event.kind === 'pick')
    const { state } = afterEvents(next, answerTo({ ...next, waiting }, { ok: false, result: 'tote_elsewhere', text: 'No code' }))
    expect(state).toMatchObject({ wrong: null, news: [{ text: 'No code' }] })
  })

  it('cannot be undone once it was refused', () => {
    const { state } = afterEvents(two, { type: 'skip' })
    expect(afterEvents(state, answerTo(state, { ok: false, result: 'line_gone' })).state.done).toEqual([])
  })

  it('leaves the wagon after it was handed over', () => {
    const { state } = afterEvents(two, { type: 'hand_over' })
    expect(state.busy).toBe(true)
    expect(afterEvents(state, answerTo(state, { result: 'handed_over' }), { type: 'drained', after: 'hand_over' }).state).toMatchObject({
      wagon: null,
      busy: false,
    })
  })

  it('leaves a finished wagon once every event is acknowledged', () => {
    const finishing = afterEvents(two, { type: 'finish' })
    expect(types(finishing.effects)).toContain('await_drained')
    const done = afterEvents(finishing.state, answerTo(finishing.state, { wagon_state: 'picked' }), { type: 'drained', after: 'finish' })
    expect(done.state).toMatchObject({ wagon: null, base: null })
  })

  it('keeps a wagon that the server has not finished', () => {
    const { state } = afterEvents(two, { type: 'finish' })
    expect(
      afterEvents(state, answerTo(state, { ok: false, result: 'lines_open' }), { type: 'drained', after: 'finish' }).state.wagon,
    ).not.toBeNull()
  })
})

describe('a lost connection', () => {
  it('keeps every event and shows the wagon as it will be', () => {
    const picked = afterEvents(two, scan('BAR-1'), scan('BAR-1'), scan('PP1')).state
    const { state } = afterEvents(picked, { type: 'queue_changed', waiting: picked.waiting, offline: true })
    expect(state).toMatchObject({
      cutOff: true,
      unsent: 3,
      wagon: { pick_lines: [{ picked: 2, state: 'picked' }, {}] },
      base: { pick_lines: [{ picked: 0 }, {}] },
    })
  })

  it('counts no event twice that the server has seen already', () => {
    const picked = afterEvents(two, scan('BAR-1'), { type: 'put_now' }).state
    const seen = picked.waiting.map(one => one.event.id)
    const { state } = afterEvents(picked, { type: 'claimed', wagon: wagonOf([pickLine(1, { picked: 1 }), pickLine(2)], { seen }) })
    expect(state.wagon?.pick_lines[0]?.picked).toBe(1)
  })
})

describe('a look at the wagon', () => {
  const looked = (wagon: Wagon, more: object = {}): PickerEvent => ({
    type: 'looked',
    pick_list_id: 1,
    wagon_no: 1,
    began: 0,
    sending: false,
    wagon,
    ...more,
  })

  it.each<[string, object, string]>([
    ['a colleague has taken it over', { pickers: [{ user_id: 6, user_name: 'Jo' }] }, sentences.tookOver],
    ['it has no picker', { pickers: [] }, pickerSentences.left],
    ['the list is cancelled', { list_state: 'cancelled' }, sentences.listCancelled],
  ])('leaves the wagon when %s', (_, more, text) => {
    const step = afterEvents(two, looked(wagonOf([pickLine(1)], more)))
    expect([step.state.wagon, step.state.news, tones(step.effects)]).toMatchObject([null, [{ text }], ['attention']])
  })

  it('shows an order that was stopped meanwhile', () => {
    const held = wagonOf([pickLine(1), pickLine(2)])
    held.slots[0]!.held = true
    const step = afterEvents(two, looked(held))
    expect(step.state).toMatchObject({ news: [{ text: sentences.held }], hand: { line: 2 } })
  })

  it('ends the page about a wrong scan when its order stops, and takes no scan until that is read', () => {
    const stopped = wagonOf([pickLine(1), pickLine(2)])
    stopped.slots[0]!.held = true
    const wrong = afterEvents(two, scan('UNKNOWN')).state
    const { state } = afterEvents(wrong, looked(stopped, { began: wrong.acknowledged }))
    expect([state.wrong, state.hand?.line, newsShown(state)]).toEqual([null, 2, true])
    const early = afterEvents(state, scan('BAR-2'))
    expect([early.state.hand, sent(early.effects), tones(early.effects)]).toEqual([state.hand, [], ['attention']])
    expect(sent(afterEvents(state, { type: 'read_news' }, scan('BAR-2')).effects)).toMatchObject([{ line: 2 }])
  })

  it('shows news of another order after the wrong scan, not above it', () => {
    const stopped = wagonOf([pickLine(1), pickLine(2)])
    stopped.slots[1]!.held = true
    const wrong = afterEvents(two, scan('UNKNOWN')).state
    const { state } = afterEvents(wrong, looked(stopped, { began: wrong.acknowledged }))
    expect([state.wrong?.line, newsShown(state)]).toEqual([1, false])
    expect(newsShown(afterEvents(state, scan('BAR-1')).state)).toBe(true)
  })

  it('is repeated when an event was acknowledged or is being sent meanwhile', () => {
    for (const more of [{ began: 3 }, { sending: true }])
      expect(afterEvents(two, looked(wagonOf([]), more)).effects).toEqual([{ type: 'look_after', ms: 300 }])
  })

  it('leaves a wagon that is gone', () => {
    expect(afterEvents(two, { type: 'look_failed', pick_list_id: 1, wagon_no: 1, status: 404 }).state.wagon).toBeNull()
    expect(afterEvents(two, { type: 'look_failed', pick_list_id: 1, wagon_no: 1, status: 444 }).state.wagon).not.toBeNull()
  })

  it.each<[string, ChangeTopic, number, boolean]>([
    ['this wagon', 'pick_wagon', 100_001, true],
    ['another wagon', 'pick_wagon', 100_002, false],
    ['an order on it', 'picking', 2, true],
    ['an order of another wagon', 'picking', 9, false],
  ])('follows a notice about %s: %s %i', (_, topic, id, follows) => {
    expect(types(afterEvents(two, { type: 'noticed', topic, id }).effects)).toEqual(follows ? ['look_after'] : [])
  })
})

it('shows nothing of a person who has signed out', () => {
  expect(afterEvents(two, { type: 'signed_out' }).state).toMatchObject({ ready: false, wagon: null, base: null, waiting: [], done: [] })
})
