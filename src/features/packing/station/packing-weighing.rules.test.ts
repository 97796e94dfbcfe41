/** When the station weighs a parcel, and what follows; every question by digits that a scanner sends. */
import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/access.ts'
import { readCode } from '#domain/codes.ts'
import type { PackingOrder, ScanAnswer } from '#features/packing/packing/packing.schemas.ts'
import { lineOf, orderOf } from '#test/packing-order.ts'
import { choicesOf } from './choices.rules.ts'
import { initialState, type PackingState, type ScaleReading, type Situation, type StationEvent } from './packing-model.rules.ts'
import { reduce } from './packing-state.rules.ts'

const at = (scale?: Partial<ScaleReading>, permissions: Permission[] = ['scan']): Situation => ({
  ...{ now: 1_000_000, user: { user_id: 5, permissions }, station: 'Bench 1', hasLabelPrinter: true },
  ...(scale && { scale: { state: 'ready', weight_g: null, stable: false, problem: null, ...scale } }),
})
const lead = at(undefined, ['scan', 'scan_admin', 'parcels_admin'])

const weighing = (mode: 'off' | 'scale' | 'always', more: Partial<PackingOrder['weighing']> = {}): PackingOrder['weighing'] => ({
  ...{ mode, typed: true, pieces: 3, expected_g: 800, tolerance_g: 200, weight_g: null, ...more },
})
const packed = (of: PackingOrder['weighing']): PackingState => ({
  ...initialState,
  ...{ view: 'packing', warned: true },
  order: orderOf(7, { packed: 3, lines: [lineOf(1, 2, { packed_qty: 2 }), lineOf(2, 1, { packed_qty: 1 })], weighing: of }),
})

function outcomeOf(state: PackingState, person: Situation, ...events: StationEvent[]) {
  let effects: ReturnType<typeof reduce>['effects'] = []
  for (const event of events) ({ state, effects } = reduce(state, event, person))
  return {
    state,
    calls: effects.flatMap(effect => (effect.type === 'call' ? [effect.name] : [])),
    queued: effects.flatMap(effect => (effect.type === 'enqueue' ? [effect.action] : [])),
  }
}
const command = (name: string): StationEvent => ({ type: 'scan', code: readCode(`CMD:${name}`), method: 'scan' })
const answer = (result: ScanAnswer['result'], weight_g: number, values: ScanAnswer['values'] = {}): StationEvent => ({
  type: 'scan_answered',
  scan: { kind: 'weight', weight_g, source: 'scale', scan_id: 'a', order_id: 7, user_id: 5, at: 1 },
  answer: {
    ...{ scan_id: 'a', result, counted: 0, text: '', values, line: null, product: null, choices: [] },
    ...{ approval: null, crate: null, addition: null, pack: null, packed: 3, to_pack: 3 },
  },
})

describe('a parcel is weighed before it is closed', () => {
  it.each<[string, PackingOrder['weighing'], Situation, boolean]>([
    ['always', weighing('always'), at(), true],
    ['not where it was weighed', weighing('always', { weight_g: 800 }), at(), false],
    ['where the station has a scale', weighing('scale'), at({ state: 'ready' }), true],
    ['not where it has none', weighing('scale'), at(), false],
    ['not where the scale is away', weighing('scale'), at({ state: 'away' }), false],
    ['never', weighing('off'), at({ state: 'ready' }), false],
    ['not where nothing is in it', weighing('always', { pieces: 0 }), at(), false],
  ])('%s', (_, of, person, asked) => {
    const { state, calls } = outcomeOf(packed(of), person, { type: 'primary' })
    expect(state.weighing !== null).toBe(asked)
    expect(calls).toEqual(asked ? ['look'] : ['close'])
  })

  it('and closed once its weight is taken', () => {
    const { calls } = outcomeOf(packed(weighing('always')), at(), { type: 'primary' }, answer('weight_set', 790))
    expect(calls).toEqual(['close'])
  })

  it('and the next one begins after it', () => {
    const asked = outcomeOf(packed(weighing('always')), at(), command('NEXT'))
    expect(asked.queued).toEqual([])
    expect(outcomeOf(asked.state, at(), answer('weight_set', 790)).queued).toEqual([{ kind: 'next' }])
  })
})

describe('the weight', () => {
  const open = outcomeOf(packed(weighing('always')), at(), { type: 'primary' }).state

  it('is taken from the scale with Enter or CMD:OK, once it stands still', () => {
    expect(outcomeOf(open, at({ weight_g: 790, stable: false }), { type: 'primary' }).queued).toEqual([])
    expect(outcomeOf(open, at({ weight_g: 790, stable: true }), command('OK')).queued).toEqual([
      { kind: 'weight', weight_g: 790, source: 'scale' },
    ])
  })

  it('is read from a scale that sends it like a scanner', () => {
    const { queued } = outcomeOf(open, at(), { type: 'scan', code: readCode('0.790 kg'), method: 'scan' })
    expect(queued).toEqual([{ kind: 'weight', weight_g: 790, source: 'scanned' }])
  })

  it('that differs is weighed again, taken with the consent of a lead, or an exception', () => {
    const differs = outcomeOf(open, at(), answer('weight_asked', 1_200, { reckoned: 800 })).state
    expect(choicesOf(differs, at()).map(choice => choice.key)).toEqual(['again', 'take', 'exception'])
    expect(outcomeOf(differs, at(), command('1')).state.weighing).toEqual({ waits: { kind: 'close', how: {} }, asked: null })
    expect(outcomeOf(differs, at(), command('2')).state.approving).toMatchObject({ act: 'weight' })
    expect(outcomeOf(differs, lead, command('2')).queued).toEqual([{ kind: 'weight', weight_g: 1_200, source: 'scale', confirmed: true }])
    expect(outcomeOf(differs, at(), command('3')).state).toMatchObject({ dialog: 'exception', weighing: null })
    expect(outcomeOf(differs, at(), command('ESC'), command('ESC')).state.weighing).toBeNull()
  })

  it('gives way to an item that is scanned', () => {
    const { state, queued } = outcomeOf(open, at(), { type: 'scan', code: readCode('CODE-1'), method: 'scan' })
    expect(state.weighing).toBeNull()
    expect(queued).toMatchObject([{ kind: 'scan', code: 'CODE-1' }])
  })

  it('is asked for with CMD:WEIGH where parcels are weighed', () => {
    expect(outcomeOf(packed(weighing('scale')), at(), command('WEIGH')).state.weighing).toEqual({ waits: null, asked: null })
    expect(outcomeOf(packed(weighing('off')), at(), command('WEIGH')).state.message).toMatchObject({ text: 'Parcels are not weighed here' })
  })
})

describe('a packed order at the station', () => {
  const parcel = { shipment_id: 40, parcel_no: 1, state: 'booked', agent_code: 'own', shipping_method: 'van', tracking_no: 'T1' }
  const seen: PackingState = {
    ...{ ...initialState, view: 'looking' },
    order: orderOf(7, {
      ...{ work_state: 'packed', session: null, packed: 3 },
      parcels: [{ ...parcel, weight_g: 500, error: null, error_field: null }],
    }),
  }

  it('is unpacked by a lead with two scanned answers', () => {
    expect(choicesOf(seen, lead).map(choice => choice.key)).toEqual(['reprint', '40', 'reopen'])
    const asked = outcomeOf(seen, lead, command('2'))
    expect(asked.state.unpacking).toBe(40)
    expect(outcomeOf(asked.state, lead, command('2')).state).toMatchObject({ unpacking: null, view: 'looking' })
    expect(outcomeOf(asked.state, lead, command('1')).calls).toEqual(['unpack'])
    expect(outcomeOf(asked.state, lead, command('OK')).calls).toEqual(['unpack'])
  })

  it('is printed again by everyone, and unpacked by no packer', () => {
    expect(choicesOf(seen, at()).map(choice => choice.key)).toEqual(['reprint'])
  })

  it('answers a digit without a question with a soft sound alone', () => {
    const { state, calls, queued } = outcomeOf(packed(weighing('off')), at(), command('5'))
    expect({ calls, queued, message: state.message }).toEqual({ calls: [], queued: [], message: null })
  })
})
