/** When the station photographs the open box, and what follows where the camera gives no picture; every question by codes of a scanner. */
import { describe, expect, it } from 'vitest'
import { readCode } from '#domain/codes.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { lineOf, orderOf } from '#test/packing-order.ts'
import { choicesOf } from './choices.rules.ts'
import { initialState, type PackingState, type Situation, type StationEvent } from './packing-model.rules.ts'
import { reduce } from './packing-state.rules.ts'
import type { QueuedScan } from './scan-format.rules.ts'
import { acts } from './station-keys.rules.ts'

const kim: Situation = { now: 1_000_000, user: { user_id: 5, permissions: ['scan'] }, station: 'Bench 1', hasLabelPrinter: true }
const photo = (mode: 'off' | 'key' | 'required', more: Partial<PackingOrder['photo']> = {}): PackingOrder['photo'] => ({
  ...{ mode, pieces: 3, taken: 0, ...more },
})
const packed = (of: PackingOrder['photo'], more: Partial<PackingState> = {}): PackingState => ({
  ...initialState,
  ...{ view: 'packing', warned: true },
  order: orderOf(7, { packed: 3, lines: [lineOf(1, 2, { packed_qty: 2 }), lineOf(2, 1, { packed_qty: 1 })], photo: of }),
  ...more,
})
const picture = new Blob(['JPEG'])
const waiting: QueuedScan = { kind: 'photo', picture, scan_id: 'a', order_id: 7, user_id: 5, at: 1 }

function outcomeOf(state: PackingState, ...events: StationEvent[]) {
  let effects: ReturnType<typeof reduce>['effects'] = []
  for (const event of events) ({ state, effects } = reduce(state, event, kim))
  return {
    state,
    calls: effects.flatMap(effect => (effect.type === 'call' ? [{ name: effect.name, input: effect.input }] : [])),
    queued: effects.flatMap(effect => (effect.type === 'enqueue' ? [effect.action] : [])),
    takes: effects.some(effect => effect.type === 'take_photo'),
  }
}
const command = (name: string): StationEvent => ({ type: 'scan', code: readCode(`CMD:${name}`), method: 'scan' })
const made: StationEvent = { type: 'photo_made', order_id: 7, picture }
const failed: StationEvent = { type: 'photo_failed', order_id: 7, problem: 'missing' }

describe('before a parcel is closed its photo is asked for', () => {
  it.each<[string, PackingState, boolean]>([
    ['where each parcel needs one', packed(photo('required')), true],
    ['not where there is one', packed(photo('required', { taken: 1 })), false],
    ['not where one waits for the connection', packed(photo('required'), { waiting: [waiting] }), false],
    ['not where nothing is in the parcel', packed(photo('required', { pieces: 0 })), false],
    ['not where the packer decides', packed(photo('key')), false],
    ['not where none are taken', packed(photo('off')), false],
  ])('%s', (_, state, asked) => {
    const outcome = outcomeOf(state, { type: 'primary' })
    expect(outcome.state.photographing !== null).toBe(asked)
    expect(outcome.calls.map(call => call.name)).toEqual(asked ? [] : ['close'])
  })

  it('and the parcel is closed behind the photo, which goes the way of the scans', () => {
    const { state, takes } = outcomeOf(packed(photo('required')), { type: 'primary' }, command('PHOTO'))
    expect(takes).toBe(true)
    const { queued, calls } = outcomeOf(state, made)
    expect(queued).toEqual([{ kind: 'photo', picture }])
    expect(calls).toEqual([{ name: 'close', input: { order_id: 7 } }])
  })

  it('and the next parcel begins behind it', () => {
    const { state, queued } = outcomeOf(packed(photo('required')), command('NEXT'))
    expect(queued).toEqual([])
    expect(outcomeOf(state, command('OK'), made).queued).toEqual([{ kind: 'photo', picture }, { kind: 'next' }])
  })
})

describe('a camera that gives no picture', () => {
  const asked = outcomeOf(packed(photo('required')), { type: 'primary' }, { type: 'primary' }, failed).state

  it('leaves a way on: try again, go on without, or the exceptions', () => {
    expect(choicesOf(asked, kim).map(choice => choice.key)).toEqual(['again', 'without', 'exception'])
    expect(outcomeOf(asked, command('1')).takes).toBe(true)
    expect(outcomeOf(asked, command('2')).calls).toEqual([{ name: 'close', input: { order_id: 7, without_photo: 'missing' } }])
    expect(outcomeOf(asked, command('3')).state).toMatchObject({ dialog: 'exception', photographing: null })
    expect(outcomeOf(asked, command('ESC')).state.photographing).toBeNull()
  })

  it('lets the next parcel begin without a photo', () => {
    const state = outcomeOf(packed(photo('required')), command('NEXT'), command('PHOTO'), failed).state
    expect(outcomeOf(state, command('2')).queued).toEqual([{ kind: 'next', without_photo: 'missing' }])
  })

  it('where the packer pressed the key, only asks to try again', () => {
    const { state } = outcomeOf(packed(photo('key')), command('PHOTO'), failed)
    expect(choicesOf(state, kim).map(choice => choice.key)).toEqual(['again'])
  })
})

describe('the key', () => {
  it('takes a photo at once, and the order stays open', () => {
    const { state, takes } = outcomeOf(packed(photo('key')), command('PHOTO'))
    expect(takes).toBe(true)
    const after = outcomeOf(state, made)
    expect(after.queued).toEqual([{ kind: 'photo', picture }])
    expect(after.calls).toEqual([])
    expect(after.state).toMatchObject({ view: 'packing', photographing: null, order: { photo: { taken: 1 } } })
  })

  it('takes one photo, however often it is pressed meanwhile', () => {
    const { state } = outcomeOf(packed(photo('key')), command('PHOTO'))
    expect(outcomeOf(state, command('PHOTO')).takes).toBe(false)
  })

  it('is there only where photos are taken of what lies in the parcel', () => {
    expect(acts('PHOTO', packed(photo('key')), kim)).toBe(true)
    expect(acts('PHOTO', packed(photo('key', { pieces: 0 })), kim)).toBe(false)
    expect(acts('PHOTO', packed(photo('off')), kim)).toBe(false)
    expect(outcomeOf(packed(photo('off')), command('PHOTO')).state.message).toMatchObject({ text: 'No photos are taken here' })
  })
})

describe('an approval rule that takes a photo', () => {
  const rule = (methods: PackingOrder['approvals'][number]['methods'], reason_required: boolean): PackingOrder['approvals'][number] => ({
    ...{ rule_id: 4, line_id: null, name: 'Lamps', subject: 'order', methods, reason_required, state: 'needed', by: null, left_ms: null },
  })
  const asking = (methods: PackingOrder['approvals'][number]['methods'], reason_required = false) =>
    packed(photo('off'), {
      order: orderOf(7, { lines: [lineOf(1, 2)], approvals: [rule(methods, reason_required)] }),
      approving: { act: 'rule', asked: { rule_id: 4, line_id: null, scans: [], until: null }, sending: false, failure: null },
    })
  const stored: StationEvent = { type: 'photo_stored', order_id: 7, parcel_no: 1, taken: 0, photo_id: 31, kind: 'approval' }

  it.each<[string, StationEvent]>([
    ['its code', command('PHOTO')],
    ['Enter', { type: 'primary' }],
  ])('shows the camera first by %s, takes the photo, and sends it as the answer once it is stored', (_, first) => {
    const looking = outcomeOf(asking(['photo']), first)
    expect(looking).toMatchObject({ takes: false, state: { photographing: { approves: true, taking: false } } })
    const taking = outcomeOf(looking.state, first)
    expect(taking.takes).toBe(true)
    const after = outcomeOf(taking.state, made)
    expect(after).toMatchObject({ queued: [{ kind: 'photo', picture, approves: true }], calls: [] })
    expect(after.state).toMatchObject({ photographing: null, approving: { sending: true }, order: { photo: { taken: 0 } } })
    const sent = outcomeOf(after.state, stored)
    expect(sent.calls).toEqual([{ name: 'ask_approval', input: { order_id: 7, rule_id: 4, line_id: null, proof: { photo_id: 31 } } }])
  })

  it('goes back to the question by Esc, and from there to the order', () => {
    const { state } = outcomeOf(asking(['photo', 'pin']), command('PHOTO'), command('ESC'))
    expect(state).toMatchObject({ photographing: null, approving: { act: 'rule' } })
    expect(outcomeOf(state, command('ESC')).state.approving).toBeNull()
  })

  it('can be tried again where the camera gives nothing, and never goes on without', () => {
    const { state } = outcomeOf(asking(['photo']), command('PHOTO'), command('PHOTO'), failed)
    expect(choicesOf(state, kim).map(choice => choice.key)).toEqual(['again'])
    expect(outcomeOf(state, command('1')).takes).toBe(true)
  })

  it('is the only one whose question the key answers', () => {
    expect(outcomeOf(asking(['pin']), command('PHOTO')).state.photographing).toBeNull()
  })

  it('wants the reason first where the rule asks why, by its number, and sends it with the answer', () => {
    const asked = asking(['badge', 'photo', 'remote'], true)
    const texts = ['The items were checked', 'Agreed with the office', 'An exception, this once', 'Something else']
    expect(choicesOf(asked, kim).map(choice => choice.text)).toEqual(texts)
    expect(outcomeOf(asked, command('PHOTO')).state.photographing).toBeNull()
    const early = outcomeOf(asked, { type: 'approve', proof: { badge: 'U9-x' } })
    expect(early).toMatchObject({ calls: [], state: { approving: { sending: false, failure: null } } })
    // A lead elsewhere says it with the answer.
    expect(outcomeOf(asked, { type: 'ask_lead' }).calls).toMatchObject([{ name: 'ask_approval', input: { proof: null } }])
    const { state, calls } = outcomeOf(asked, command('2'), { type: 'approve', proof: { badge: 'U9-x' } })
    expect(calls).toMatchObject([{ name: 'ask_approval', input: { proof: { badge: 'U9-x' }, reason: 'Agreed with the office' } }])
    expect(choicesOf(state, kim)).toEqual([])
    expect(outcomeOf(asked, command('2'), command('PHOTO')).state.photographing).toMatchObject({ approves: true })
  })

  it('asks again where the photo was refused', () => {
    const { state } = outcomeOf(asking(['photo']), command('PHOTO'), command('PHOTO'), made)
    const refused: StationEvent = {
      type: 'scan_refused',
      order_id: 7,
      failure: { status: 400, text: 'No picture', fields: [] },
    }
    expect(outcomeOf(state, refused).state.approving).toMatchObject({ act: 'rule', sending: false })
  })
})
