/** The station's reducer: what each event changes, and which effects follow. */
import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/access.ts'
import { readCode } from '#domain/codes.ts'
import type { Closing, PackingOrder, ScanAnswer } from '#features/packing/packing/packing.schemas.ts'
import { lineOf, orderOf } from '#test/packing-order.ts'
import { choicesOf } from './choices.rules.ts'
import { isGreen, lacksLabel } from './label-state.rules.ts'
import { type Effect, type Failure, initialState, type PackingState, type Situation, type StationEvent } from './packing-model.rules.ts'
import { reduce } from './packing-state.rules.ts'
import type { QueuedScan } from './scan-format.rules.ts'

const waitingScan = (order_id: number, nth: number): QueuedScan => ({
  ...{ kind: 'scan', scan_id: `scan-${nth}`, order_id, user_id: 5, at: nth, code: 'CODE-1', method: 'scan' },
})

const situation: Situation = {
  now: 1_000_000,
  user: { user_id: 5, permissions: ['scan'] },
  station: 'Bench 1',
  hasLabelPrinter: true,
}
const lead: Situation = { ...situation, user: { user_id: 5, permissions: ['scan', 'scan_admin'] satisfies Permission[] } }

/** The state after these events, and the effects of the last one. */
function afterEvents(state: PackingState, ...events: StationEvent[]): { state: PackingState; effects: readonly Effect[] } {
  return events.reduce<{ state: PackingState; effects: readonly Effect[] }>((step, event) => reduce(step.state, event, situation), {
    state,
    effects: [],
  })
}

const scan = (text: string): StationEvent => ({ type: 'scan', code: readCode(text), method: 'scan' })
const calls = (effects: readonly Effect[]) =>
  effects.flatMap(effect => (effect.type === 'call' ? [[effect.name, effect.input] as const] : []))
const tones = (effects: readonly Effect[]) => effects.flatMap(effect => (effect.type === 'play' ? [effect.tone] : []))
const enqueued = (effects: readonly Effect[]) => effects.flatMap(effect => (effect.type === 'enqueue' ? [effect.action] : []))

/** The answer to the call that was asked last. */
function answerTo(effects: readonly Effect[], answer: unknown): StationEvent {
  const effect = effects.findLast(one => one.type === 'call')
  if (effect?.type !== 'call') throw new Error('There is no call to answer')
  return { type: 'answered', name: effect.name, input: effect.input, turn: effect.turn, answer } as StationEvent
}
function failureTo(effects: readonly Effect[], failure: Partial<Failure> = {}): StationEvent {
  const { type: _, answer: __, ...event } = answerTo(effects, undefined) as Extract<StationEvent, { type: 'answered' }>
  return { ...event, type: 'call_failed', failure: { status: 409, text: 'Rejected', fields: [], ...failure } } as StationEvent
}

/** The station with this order open. */
function opened(order: PackingOrder, state = initialState): PackingState {
  const asked = afterEvents(state, { type: 'open', order_id: order.order_id })
  return afterEvents(asked.state, answerTo(asked.effects, order)).state
}
const packing = opened(orderOf(7))
const begun = opened(orderOf(7, { packed: 1, lines: [lineOf(1, 2, { packed_qty: 1 }), lineOf(2, 1)] }))

const answerOf = (result: ScanAnswer['result'], more: Partial<ScanAnswer> = {}): StationEvent => ({
  type: 'scan_answered',
  scan: { kind: 'scan', code: '5701234567890', method: 'scan', scan_id: 'a', order_id: 7, user_id: 5, at: 1 },
  answer: {
    scan_id: 'a',
    crate: null,
    result,
    counted: result === 'ok' ? 1 : 0,
    text: result,
    values: {},
    line: { order_line_id: 1, qty: 2, packed_qty: 1, missing_serials: 0 },
    product: null,
    choices: [],
    approval: null,
    addition: null,
    pack: null,
    packed: 1,
    to_pack: 3,
    ...more,
  },
})

const parcel = (state: string): PackingOrder['parcels'][number] => ({
  shipment_id: 1,
  parcel_no: 1,
  state,
  agent_code: 'own',
  shipping_method: 'van',
  tracking_no: null,
  weight_g: 300,
  error: null,
  error_field: null,
})
const closing = (outcome: Closing['outcome'], print?: string): Closing => ({
  outcome,
  session_id: 70,
  parcels: outcome === 'labelled' ? [parcel('booked')] : [],
  print_jobs: print === undefined ? [] : [{ id: 1, document: 'label', state: print, error: null }],
  text: '',
  values: {},
})
/** The station after the close call of order 7 was answered. */
function closed(answer: Closing) {
  const asked = afterEvents(packing, { type: 'close' })
  return afterEvents(asked.state, answerTo(asked.effects, answer))
}

it('changes nothing in the state that it is given', () => {
  const before = structuredClone(packing)
  afterEvents(packing, scan('5701234567890'), answerOf('wrong'), { type: 'back' })
  expect(packing).toEqual(before)
})

describe('scanning', () => {
  it.each<[string, PackingState, string, Partial<PackingState>, readonly string[]]>([
    ['an order code opens the order', initialState, '1:7', { view: 'opening', opening: '1:7' }, ['find']],
    ['a product code without an order is looked up as an order', initialState, '5701234567890', { view: 'opening' }, ['find']],
    ['an order code during opening is ignored', { ...initialState, view: 'opening' }, '1:8', { view: 'opening', early: [] }, []],
    [
      'an order code during a lost connection opens that one',
      { ...initialState, view: 'opening', unreached: true },
      '1:8',
      { opening: '1:8' },
      ['find'],
    ],
    ['an order code while one is open asks which order it is', packing, '1:8', { view: 'packing' }, ['find']],
    [
      'an order code during closing waits',
      { ...packing, view: 'closing' },
      '1:8',
      { view: 'closing', next: { code: readCode('1:8'), method: 'scan' } },
      [],
    ],
    ['a product code while an order is read only is refused', { ...packing, view: 'looking' }, '5701234567890', { view: 'looking' }, []],
    [
      'a code while the label is checked is the label',
      { ...packing, view: 'label_check' },
      'OWN1',
      { view: 'label_check', busy: true },
      ['check_label'],
    ],
    [
      'an order code while the scanned label is being checked waits',
      { ...packing, view: 'label_check', busy: true },
      '1:8',
      { view: 'label_check', next: { code: readCode('1:8'), method: 'scan' } },
      [],
    ],
  ])('%s', (_, state, text, change, names) => {
    const step = afterEvents(state, scan(text))
    expect(step.state).toMatchObject(change)
    expect(calls(step.effects).map(([name]) => name)).toEqual(names)
  })

  it('puts a product code of the open order into the queue', () => {
    expect(enqueued(afterEvents(packing, scan('5701234567890')).effects)).toEqual([{ kind: 'scan', code: '5701234567890', method: 'scan' }])
  })

  it('counts nothing before the warning is read, and remembers that it was read', () => {
    const comment = { id: 1, type: 'warning' as const, comment: 'Pack it twice', actor: 'Shop', created_at: '2026-11-21T08:00:00Z' }
    const warned = opened(orderOf(7, { comments: [comment] }))
    const refused = afterEvents(warned, scan('5701234567890'))
    expect([enqueued(refused.effects), tones(refused.effects)]).toEqual([[], ['attention']])
    const read = afterEvents(warned, { type: 'primary' })
    expect(read.state.warned).toBe(true)
    expect(read.effects).toContainEqual({ type: 'store_acknowledged', session_ids: [orderOf(7).session?.id] })
    expect(opened(orderOf(7, { comments: [comment] }), read.state).warned).toBe(true)
  })

  it('keeps at most twenty scans while an order opens', () => {
    const { state, effects } = afterEvents({ ...initialState, view: 'opening' }, ...Array.from({ length: 21 }, () => scan('5701234567890')))
    expect([state.early.length, tones(effects)]).toEqual([20, ['ignored']])
  })

  it('does nothing on a device without a station', () => {
    const step = reduce(initialState, scan('1:7'), { ...situation, station: '' })
    expect([step.state, step.effects]).toEqual([initialState, [{ type: 'play', tone: 'attention' }]])
  })
})

describe('an answer to a scan', () => {
  it.each<[string, StationEvent, Partial<PackingState>, readonly string[]]>([
    ['shows the count of the server', answerOf('ok'), { touched: 1, wrong: null }, ['ok']],
    [
      'fills the screen with a wrong product',
      answerOf('wrong', { line: null }),
      { wrong: expect.objectContaining({ code: '5701234567890' }) },
      ['error'],
    ],
    ['fills the screen with a surplus item', answerOf('over'), { wrong: expect.objectContaining({ result: 'over' }) }, ['error']],
    ['asks for a serial number', answerOf('serial_needed'), { asking: 1, serialLines: { 7: 1 } }, ['attention']],
    [
      'goes on asking for the serial numbers of a pack',
      answerOf('ok', { pack: { order_line_id: 1, pieces: 6, given: 1 } }),
      { asking: 1, serialLines: { 7: 1 }, order: expect.objectContaining({ pack: { order_line_id: 1, pieces: 6, given: 1 } }) },
      ['ok'],
    ],
    [
      'offers the lines of an ambiguous code',
      answerOf('ambiguous', { choices: [1, 2] }),
      { choosing: expect.objectContaining({ lines: [1, 2] }) },
      ['attention'],
    ],
  ])('%s', (_, event, change, played) => {
    const step = afterEvents(packing, event)
    expect(step.state).toMatchObject(change)
    expect(tones(step.effects)).toEqual(played)
  })

  it('goes on with a pack that an order was left with, until Esc', () => {
    const order = orderOf(7, {
      pack: { order_line_id: 1, pieces: 6, given: 2 },
      lines: [lineOf(1, 6, { needs_serial: true, packed_qty: 2 })],
    })
    const { state } = afterEvents(opened(order), { type: 'back' })
    expect(opened(order)).toMatchObject({ asking: 1, serialLines: { 7: 1 } })
    expect(state).toMatchObject({ asking: null, serialLines: {} })
    expect(enqueued(afterEvents(opened(order), { type: 'undo_pack' }).effects)).toEqual([{ kind: 'undo', pack: true }])
  })

  it('clears the wrong scan with the right item, or with Esc', () => {
    const wrong = afterEvents(packing, answerOf('wrong', { line: null })).state
    expect(afterEvents(wrong, answerOf('ok')).state.wrong).toBeNull()
    expect(afterEvents(wrong, { type: 'back' }).state).toMatchObject({ wrong: null, message: null })
  })

  it('changes nothing on the screen of another order', () => {
    const other = opened(orderOf(8))
    expect(afterEvents(other, answerOf('wrong')).state).toMatchObject({ wrong: null, message: null, order: { order_id: 8 } })
  })

  it('closes the order after its last item, once every scan is acknowledged', () => {
    const step = afterEvents(packing, answerOf('order_done', { packed: 3 }))
    expect(step.state.view).toBe('closing')
    expect(step.effects).toContainEqual(expect.objectContaining({ name: 'close', afterScansOf: 7, retry: 'busy' }))
  })

  it('looks whether an unknown code is another order', () => {
    const asked = afterEvents(packing, answerOf('unknown', { line: null }))
    const found = { order_id: 8, order_no: '1008', company_name: '', company_color: null, customer_name: '', phase: '' }
    expect(afterEvents(asked.state, answerTo(asked.effects, { orders: [found] })).state).toMatchObject({
      wrong: null,
      other: { order_id: 8 },
    })
  })
})

describe('undo', () => {
  it('goes into the queue behind the scans', () => {
    expect(enqueued(afterEvents(packing, { type: 'command', command: 'UNDO' }).effects)).toEqual([{ kind: 'undo' }])
  })

  it('is refused when no order is open', () => {
    const step = afterEvents(initialState, { type: 'command', command: 'UNDO' })
    expect([enqueued(step.effects), step.state.message?.text]).toEqual([[], 'No order is open'])
  })
})

describe('setting an order aside', () => {
  it('asks for a reason and parks the order with it', () => {
    const asked = afterEvents(begun, { type: 'command', command: 'EXCEPTION' })
    expect(asked.state.dialog).toBe('exception')
    const chosen = afterEvents(asked.state, { type: 'choose', number: 2 })
    expect(chosen.state).toMatchObject({ busy: true, dialog: null })
    expect(calls(chosen.effects)).toEqual([
      ['park', expect.objectContaining({ order_id: 7, kind: 'damaged', reason: 'An item is damaged', order_line_id: 1 })],
    ])
    expect(afterEvents(chosen.state, answerTo(chosen.effects, undefined)).state).toMatchObject({ view: 'idle', order: null, busy: false })
  })

  it('is asked in place of an open question to a lead', () => {
    const asking = { ...begun, approving: { act: 'bypass' as const, sending: false, failure: null } }
    expect(afterEvents(asking, { type: 'command', command: 'EXCEPTION' }).state).toMatchObject({ dialog: 'exception', approving: null })
  })

  it('keeps the order when the server refuses', () => {
    const asked = afterEvents(begun, { type: 'set_aside', kind: 'other', reason: '' })
    const refused = afterEvents(asked.state, failureTo(asked.effects))
    expect(refused.state).toMatchObject({ view: 'packing', busy: false, message: { text: 'Rejected', tone: 'error' } })
    expect(calls(refused.effects).map(([name]) => name)).toEqual(['look'])
  })

  it('gives an untouched order back without a question', () => {
    expect(calls(afterEvents(packing, { type: 'command', command: 'ABORT' }).effects)).toEqual([
      ['abort', expect.objectContaining({ empty: false })],
    ])
    expect(afterEvents(begun, { type: 'command', command: 'ABORT' }).state.dialog).toBe('abort')
  })

  it('opens the other order after this one is parked', () => {
    const other = { ...begun, other: { order_id: 8, order_no: '1008', code: '1:8' } }
    const parked = afterEvents(other, scan('1:8'))
    expect(calls(parked.effects)).toEqual([['park', expect.objectContaining({ next: 8 })]])
    expect(calls(afterEvents(parked.state, answerTo(parked.effects, undefined)).effects)).toEqual([
      ['start', { order_id: 8, take_over: false }],
    ])
  })
})

describe('an order in other hands', () => {
  const theirs = orderOf(7, { session: { ...orderOf(7).session!, user_id: 6, user_name: 'Jo', station: 'Bench 2' } })

  it('is shown with the refusal, and is taken over only by a lead', () => {
    const asked = afterEvents(initialState, { type: 'open', order_id: 7 })
    const refused = afterEvents(asked.state, failureTo(asked.effects, { text: 'Jo has it' }))
    const shown = afterEvents(refused.state, answerTo(refused.effects, theirs))
    expect(shown.state).toMatchObject({ view: 'looking', refusal: { text: 'Jo has it' } })
    expect(calls(reduce(shown.state, { type: 'primary' }, lead).effects)).toEqual([['start', { order_id: 7, take_over: true }]])
    expect(reduce(shown.state, { type: 'primary' }, situation).state.approving).toMatchObject({ act: 'take_over' })
  })

  it('takes the screen from the packer who had it open', () => {
    const looking = afterEvents(packing, { type: 'noticed', topic: 'order', id: 7 })
    expect(afterEvents(looking.state, answerTo(looking.effects, theirs)).state.view).toBe('looking')
  })
})

describe('a look at the open order', () => {
  it('stops packing with a sound when the order is on hold', () => {
    const stopped = { kind: 'hold' as const, text: 'On hold', values: {}, note: '', actor: 'Jo', at: '', until: null }
    const looking = afterEvents(packing, { type: 'noticed', topic: 'order', id: 7 })
    const step = afterEvents(looking.state, answerTo(looking.effects, orderOf(7, { stopped })))
    expect([step.state.view, tones(step.effects)]).toEqual(['looking', ['error']])
  })

  it('is repeated when a scan was counted meanwhile', () => {
    const looking = afterEvents(packing, { type: 'noticed', topic: 'order', id: 7 })
    const scanned = afterEvents(looking.state, answerOf('ok'))
    const step = afterEvents(scanned.state, answerTo(looking.effects, orderOf(7)))
    expect(step.state.order?.packed).toBe(1)
    expect(step.effects).toEqual([{ type: 'look_after', ms: 150 }])
  })

  it('waits for a pause after an own scan', () => {
    const scanned = afterEvents(packing, answerOf('ok'))
    expect(afterEvents(scanned.state, { type: 'noticed', topic: 'packing', id: 7 }).effects).toEqual([{ type: 'look_after', ms: 950 }])
  })

  it('leaves an order that is gone', () => {
    const looking = afterEvents(packing, { type: 'noticed', topic: 'order', id: 7 })
    expect(afterEvents(looking.state, failureTo(looking.effects, { status: 404 })).state).toMatchObject({ view: 'idle', order: null })
  })
})

describe('closing', () => {
  it.each<[string, Closing, { green: boolean; amber: boolean; view: string; tone?: string }]>([
    [
      'is green with a label that the printer has',
      closing('labelled', 'accepted'),
      { green: true, amber: false, view: 'idle', tone: 'done' },
    ],
    [
      'is amber while the label waits for the printer',
      closing('labelled', 'queued'),
      { green: false, amber: true, view: 'idle', tone: 'attention' },
    ],
    [
      'is amber with an error when the print failed',
      closing('labelled', 'failed'),
      { green: false, amber: true, view: 'idle', tone: 'error' },
    ],
    ['is amber without any print of the label', closing('labelled'), { green: false, amber: true, view: 'idle', tone: 'attention' }],
    ['is green when nothing had to be sent', closing('no_parcel'), { green: true, amber: false, view: 'idle', tone: 'done' }],
    ['keeps the order while the courier has not answered', closing('waiting'), { green: false, amber: false, view: 'waiting' }],
    ['keeps the order whose label the courier refused', closing('label_error'), { green: false, amber: false, view: 'label_error' }],
    [
      'keeps the order whose label is to be scanned',
      closing('label_check', 'accepted'),
      { green: false, amber: false, view: 'label_check' },
    ],
  ])('%s', (_, answer, { green, amber, view, tone }) => {
    const { state, effects } = closed(answer)
    expect([isGreen(state), lacksLabel(state), state.view, tones(effects).at(-1)]).toEqual([green, amber, view, tone])
  })

  it.each([
    [
      'opens the order scanned meanwhile once the label is right',
      { ok: true, left: 0 },
      'opening',
      [['find', { code: '1:8', purpose: 'open' }]],
    ],
    ['forgets the order scanned meanwhile when it was the wrong label', { ok: false, left: 1 }, 'label_check', []],
  ])('%s', (_, answer, view, asked) => {
    const checked = afterEvents(closed(closing('label_check', 'accepted')).state, scan('OWN1'))
    const waits = afterEvents(checked.state, scan('1:8'))
    const step = afterEvents(waits.state, answerTo(checked.effects, { ...answer, text: 'A label', values: {} }))
    expect([step.state.view, step.state.next, calls(step.effects)]).toEqual([view, null, asked])
  })

  it('prints the label again at once, also before the closed order is read anew', () => {
    const answer: Closing = { ...closing('label_check', 'failed'), parcels: [parcel('booked')] }
    const asked = afterEvents(closed(answer).state, scan('CMD:REPRINT'))
    expect(calls(asked.effects)).toEqual([['print', { order_id: 7, order_no: '1007' }]])
  })

  it('turns green when a late label is printed', () => {
    const late = { ...situation, now: situation.now + 60_000 }
    const step = reduce(closed(closing('labelled', 'queued')).state, { type: 'print_changed', job_id: 1, state: 'done' }, late)
    expect([isGreen(step.state), tones(step.effects)]).toEqual([true, ['done']])
  })

  it('holds the next order back for one scan while a label is missing', () => {
    const amber = closed(closing('labelled', 'failed')).state
    const first = afterEvents(amber, scan('1:8'))
    expect([first.state.heldBy, calls(first.effects)]).toEqual([7, []])
    expect(calls(afterEvents(first.state, scan('1:8')).effects)).toEqual([['find', { code: '1:8', purpose: 'open' }]])
  })

  it('lists the parcel without a label once the packer goes on, until its label is printed or saved', () => {
    const amber = closed(closing('labelled', 'failed')).state
    const went = afterEvents(amber, scan('1:8'), scan('1:8'))
    expect(went.state.unlabelled).toEqual([{ order_id: 7, order_no: '1007' }])
    expect(went.effects).toContainEqual({ type: 'store_unlabelled', orders: [{ order_id: 7, order_no: '1007' }] })
    expect(afterEvents(went.state, { type: 'print_changed', job_id: 1, state: 'done' }).state.unlabelled).toEqual([])
    const saving = afterEvents(went.state, { type: 'save_label', order_id: 7 })
    expect(afterEvents(saving.state, answerTo(saving.effects, undefined)).state.unlabelled).toEqual([])
  })

  it.each<[string, string | undefined, boolean, readonly string[]]>([
    ['print again where the printer refused', 'failed', true, ['print', 'printer', 'file', 'later']],
    ['go on where the printer may have it already', 'sent', true, ['later', 'printer', 'file']],
    ['choose a printer where the station has none', undefined, false, ['printer', 'file', 'later']],
  ])('without a label offers first to %s', (_, print, hasLabelPrinter, keys) => {
    const { state } = closed(closing('labelled', print))
    expect(choicesOf(state, { ...situation, hasLabelPrinter }).map(choice => choice.key)).toEqual(keys)
  })

  it('is never green for an order that was left without a label', () => {
    const { state } = afterEvents(closed(closing('labelled', 'failed')).state, { type: 'back' })
    expect([isGreen(state), lacksLabel(state), state.unlabelled.length]).toEqual([false, false, 1])
  })

  it('asks for a printer on Enter before the first order of a station without one', () => {
    const step = reduce(initialState, { type: 'primary' }, { ...situation, hasLabelPrinter: false })
    expect(step.effects).toContainEqual({ type: 'choose_printer' })
  })

  it('opens the oldest order that waits with Enter on the idle station', () => {
    const asked = afterEvents(initialState, { type: 'primary' })
    expect(calls(asked.effects)).toEqual([['oldest', {}]])
    const step = afterEvents(asked.state, answerTo(asked.effects, { order: { order_id: 9, order_no: '1009' } }))
    expect(calls(step.effects)).toEqual([['start', { order_id: 9, take_over: false }]])
  })

  it('asks for a quantity by its command, where the packer may count', () => {
    const chalk = opened(orderOf(7, { lines: [lineOf(1, 12, { no_barcode: true })], to_pack: 12 }))
    const asked = afterEvents(chalk, scan('CMD:QUANTITY'))
    expect(asked.state.dialog).toBe('quantity')
    const counted = afterEvents(asked.state, { type: 'count', order_line_id: 1, quantity: 12 })
    expect([counted.state.dialog, enqueued(counted.effects)]).toEqual([null, [{ kind: 'count', order_line_id: 1, quantity: 12 }]])
    expect(afterEvents(packing, scan('CMD:QUANTITY')).state.dialog).toBe(null)
  })

  it('clears the last answer when somebody else takes the order', () => {
    const counted = afterEvents(packing, answerOf('ok'))
    expect(counted.state.message).not.toBe(null)
    const looked = afterEvents(counted.state, { type: 'look_due' })
    const other = orderOf(7)
    const taken = { ...other, session: other.session && { ...other.session, user_id: 6, user_name: 'Jonas' } }
    expect(afterEvents(looked.state, answerTo(looked.effects, taken)).state).toMatchObject({ view: 'looking', message: null })
  })

  it('shows why the order was not closed, after a look at it', () => {
    const asked = afterEvents(packing, { type: 'close' })
    const failed = afterEvents(asked.state, failureTo(asked.effects))
    const step = afterEvents(failed.state, answerTo(failed.effects, orderOf(7)))
    expect(step.state).toMatchObject({ view: 'packing', message: { text: 'Rejected', tone: 'error' } })
  })

  it('takes the code that was scanned meanwhile as the next order', () => {
    const asked = afterEvents(packing, { type: 'close' })
    const scanned = afterEvents(asked.state, scan('1:8'))
    expect(calls(afterEvents(scanned.state, answerTo(asked.effects, closing('labelled', 'accepted'))).effects)).toEqual([
      ['find', { code: '1:8', purpose: 'open' }],
    ])
  })
})

describe('a reprint', () => {
  it('prints the label of the last order while no order is open', () => {
    const { state } = closed(closing('labelled', 'accepted'))
    expect(calls(afterEvents(state, { type: 'command', command: 'REPRINT' }).effects)).toEqual([
      ['print', expect.objectContaining({ order_id: 7 })],
    ])
  })

  it('prints no other label while an order without one is open', () => {
    const next = opened(orderOf(8), closed(closing('labelled', 'accepted')).state)
    const step = afterEvents(next, { type: 'command', command: 'REPRINT' })
    expect([calls(step.effects), step.state.message?.text]).toEqual([[], 'Order {{order_no}} has no label yet'])
  })

  it('saves a file on a device without a label printer', () => {
    const { state } = closed(closing('labelled', 'accepted'))
    const step = reduce(state, { type: 'command', command: 'REPRINT' }, { ...situation, hasLabelPrinter: false })
    expect(calls(step.effects)).toEqual([['download', { order_id: 7, announce: expect.any(String) }]])
  })

  it('replaces the print that failed', () => {
    const asked = afterEvents(closed(closing('labelled', 'failed')).state, { type: 'command', command: 'REPRINT' })
    const step = afterEvents(asked.state, answerTo(asked.effects, { print_jobs: [{ id: 2, state: 'accepted', error: null }] }))
    expect([step.state.prints.map(print => print.job_id), lacksLabel(step.state)]).toEqual([[2], false])
  })
})

describe('a lost connection', () => {
  it('is shown and sounds once, and ends with the answer', () => {
    const asked = afterEvents(initialState, { type: 'open', order_id: 7 })
    const retrying = { type: 'retrying', turn: asked.state.turn, reachable: false } as const
    const lost = afterEvents(asked.state, retrying)
    expect([lost.state.unreached, tones(lost.effects)]).toEqual([true, ['attention']])
    expect(tones(afterEvents(lost.state, retrying).effects)).toEqual([])
    expect(afterEvents(lost.state, answerTo(asked.effects, orderOf(7))).state).toMatchObject({ unreached: false, view: 'packing' })
  })

  it('lets a packer leave an order whose label waits for the server', () => {
    const asked = afterEvents(packing, { type: 'close' })
    const lost = afterEvents(asked.state, { type: 'retrying', turn: asked.state.turn, reachable: false })
    const left = afterEvents(lost.state, { type: 'back' })
    expect(left.state).toMatchObject({ view: 'idle', order: null })
    expect(afterEvents(left.state, answerTo(asked.effects, closing('labelled', 'accepted'))).state).toEqual(left.state)
  })

  it('counts the scans that wait, of this order and of others', () => {
    expect(afterEvents(packing, { type: 'queue_changed', waiting: [7, 7, 8].map(waitingScan), offline: true }).state).toMatchObject({
      unsent: 2,
      unsentElsewhere: 1,
      cutOff: true,
    })
  })
})

it('shows nothing of a person who has signed out', () => {
  const { state } = afterEvents(closed(closing('labelled', 'failed')).state, { type: 'signed_out' })
  expect(state).toMatchObject({ view: 'idle', order: null, last: null, prints: [] })
})

describe('serial numbers that are asked for before the parcel is closed', () => {
  const unnamed = lineOf(1, 2, { packed_qty: 2, needs_serial: true, missing_serials: 2 })
  const packed = (missing_serials = 2) =>
    opened(orderOf(7, { packed: 2, to_pack: 3, lines: [{ ...unnamed, missing_serials }, lineOf(2, 1)] }))
  const lastItem = answerOf('order_done', { line: { order_line_id: 2, qty: 1, packed_qty: 1, missing_serials: 0 }, packed: 3 })
  const recorded = (missing_serials: number, result: ScanAnswer['result'] = 'ok') =>
    answerOf(result, { counted: 0, line: { order_line_id: 1, qty: 2, packed_qty: 2, missing_serials }, packed: 3 })

  it('are asked for when everything is packed, and the order is not closed', () => {
    const step = afterEvents(packed(), lastItem)
    expect(step.state).toMatchObject({ view: 'packing', asking: 1, serialLines: { 7: 1 } })
    expect(calls(step.effects)).toEqual([])
    expect(tones(step.effects)).toEqual(['line', 'attention'])
  })

  it('are asked for one after the other, and the last one closes the order', () => {
    const asked = afterEvents(packed(), lastItem, recorded(1))
    expect(asked.state).toMatchObject({ view: 'packing', asking: 1, message: { text: 'Scan the serial number of {{name}}' } })
    const { state, effects } = afterEvents(asked.state, recorded(0, 'order_done'))
    expect(state).toMatchObject({ view: 'closing', serialLines: {} })
    expect(calls(effects).map(([name]) => name)).toEqual(['close'])
  })

  it('go on being asked for after a refused one', () => {
    const { state } = afterEvents(packed(), lastItem, recorded(2, 'serial_refused'))
    expect(state).toMatchObject({ asking: 1, serialLines: { 7: 1 } })
  })

  it('are asked for when part of the order is sent, before anything is booked', () => {
    const { state, effects } = afterEvents(packed(1), { type: 'ask', dialog: 'finalize' }, { type: 'close', rest: 'backorder' })
    expect(state).toMatchObject({ view: 'packing', dialog: null, asking: 1 })
    expect(calls(effects)).toEqual([])
  })

  it('are sent as typed where a person types them', () => {
    const { state } = afterEvents(packed(), lastItem)
    const { effects } = afterEvents(state, { type: 'scan', code: readCode('SN-1'), method: 'typed' })
    expect(enqueued(effects)).toEqual([{ kind: 'scan', code: 'SN-1', method: 'typed', serial_for: 1 }])
  })
})
