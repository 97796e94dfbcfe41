/** What the station asks about the rest of an order, and what it sends. */
import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/access.ts'
import { lineOf, orderOf } from '#test/packing-order.ts'
import { choicesOf } from './choices.rules.ts'
import { initialState, type PackingState, type Situation, type StationEvent } from './packing-model.rules.ts'
import { reduce } from './packing-state.rules.ts'

const situation = (permissions: Permission[] = ['scan', 'scan_admin']): Situation => ({
  ...{ now: 1_000_000, user: { user_id: 5, permissions }, station: 'Bench 1', hasLabelPrinter: true },
})

/** One of two things is packed, of which each line misses something. */
const begun = (notice: 'ask' | 'always' | 'never' = 'ask'): PackingState => ({
  ...initialState,
  ...{ view: 'packing', warned: true },
  order: orderOf(7, {
    packed: 1,
    lines: [lineOf(1, 2, { packed_qty: 1 }), lineOf(2, 1), lineOf(3, 1, { packed_qty: 1 })],
    partial: { notice, days: ['2026-11-26', '2026-12-03'], later_by: null, later_lines: [] },
  }),
})
function afterAnswers(state: PackingState, person: Situation, ...events: StationEvent[]) {
  let effects: ReturnType<typeof reduce>['effects'] = []
  for (const event of events) ({ state, effects } = reduce(state, event, person))
  return { state, closed: effects.flatMap(effect => (effect.type === 'call' && effect.name === 'close' ? [effect.input] : [])) }
}
const choose = (...numbers: number[]): StationEvent[] => numbers.map(number => ({ type: 'choose', number }))
const finalize: StationEvent = { type: 'command', command: 'FINALIZE' }

describe('the rest of an order', () => {
  it.each<[string, number[], object]>([
    ['follows, without a day', [1, 1], { rest: 'backorder', notify_recipient: true }],
    ['follows on a day', [1, 3], { rest: 'backorder', notify_recipient: true, expected_on: '2026-12-03' }],
    ['follows, and nothing is said', [1, 4], { rest: 'backorder', notify_recipient: false }],
    ['is cancelled and said', [2, 1], { rest: 'cancel', notify_recipient: true }],
    ['is held and not said', [3, 2], { rest: 'hold', notify_recipient: false }],
    [
      'is decided line by line',
      [4, 1, 2, 2],
      {
        rest_lines: [
          { order_line_id: 1, rest: 'backorder' },
          { order_line_id: 2, rest: 'cancel' },
        ],
        ...{ notify_recipient: true, expected_on: '2026-11-26' },
      },
    ],
  ])('%s', (_, numbers, body) => {
    expect(afterAnswers(begun(), situation(), finalize, ...choose(...numbers)).closed).toEqual([{ order_id: 7, ...body }])
  })

  it('is asked about once where the company has it always the same', () => {
    expect(afterAnswers(begun('always'), situation(), finalize, ...choose(1)).closed).toMatchObject([
      { rest: 'backorder', notify_recipient: true },
    ])
    expect(afterAnswers(begun('never'), situation(), finalize, ...choose(2)).closed).toMatchObject([
      { rest: 'cancel', notify_recipient: false },
    ])
  })

  it('is not asked about where a lead has decided of each line that it follows: only what the recipient learns, or nothing', () => {
    const later = (notice: 'ask' | 'always' | 'never', later_lines: number[]) => {
      const state = begun(notice)
      return { ...state, order: { ...state.order!, partial: { ...state.order!.partial, later_by: 'Mia', later_lines } } }
    }
    expect(afterAnswers(later('always', [1, 2]), situation(), finalize).closed).toEqual([
      { order_id: 7, rest: 'backorder', notify_recipient: true },
    ])
    const asked = afterAnswers(later('ask', [1, 2]), situation(), finalize)
    expect(asked).toMatchObject({ closed: [], state: { dialog: 'finalize', partial: { by: 'order', rest: 'backorder' } } })
    expect(afterAnswers(asked.state, situation(), ...choose(1)).closed).toEqual([
      { order_id: 7, rest: 'backorder', notify_recipient: true },
    ])
    // Another answer is one Esc away, and a line without a decision is asked about.
    expect(afterAnswers(asked.state, situation(), { type: 'back' }).state).toMatchObject({ dialog: 'finalize', partial: null })
    expect(afterAnswers(later('always', [1]), situation(), finalize).closed).toEqual([])
  })

  it('goes back one answer with Esc', () => {
    const asked = afterAnswers(begun(), situation(), finalize, ...choose(4, 1, 1)).state
    const once = afterAnswers(asked, situation(), { type: 'back' })
    expect(once.state.partial).toEqual({ by: 'line', lines: [{ order_line_id: 1, rest: 'backorder' }] })
    const twice = afterAnswers(once.state, situation(), { type: 'back' }, { type: 'back' })
    expect(twice.state).toMatchObject({ dialog: 'finalize', partial: null })
    expect(afterAnswers(twice.state, situation(), { type: 'back' }).state.dialog).toBeNull()
  })

  it('is cancelled by a packer with the consent of a lead alone, once for all lines', () => {
    const asked = afterAnswers(begun(), situation(['scan']), finalize, ...choose(4, 2))
    expect(asked.state).toMatchObject({ approving: { act: 'cancel_rest' }, partial: { lines: [] } })
    const proof = { badge: 'U9-AAAAAAAAAA' }
    const approved: StationEvent = {
      ...{ type: 'answered', name: 'approve', turn: asked.state.turn },
      ...{ input: { order_id: 7, act: 'cancel_rest', proof }, answer: { approval: 'signed', approver: 'Jonas' } },
    }
    const { closed } = afterAnswers(asked.state, situation(['scan']), approved, ...choose(2, 1))
    expect(closed).toMatchObject([{ approval: 'signed', rest_lines: [{ rest: 'cancel' }, { rest: 'cancel' }] }])
  })

  it('is decided with the first answer of each question by Enter', () => {
    const { closed } = afterAnswers(begun(), situation(), finalize, { type: 'primary' }, { type: 'primary' })
    expect(closed).toEqual([{ order_id: 7, rest: 'backorder', notify_recipient: true }])
  })

  it('is asked for line by line only where several lines miss something', () => {
    const one = { ...begun(), dialog: 'finalize' as const, order: orderOf(7, { packed: 2, lines: [lineOf(1, 3, { packed_qty: 2 })] }) }
    expect(choicesOf(one, situation()).map(choice => choice.key)).toEqual(['backorder', 'cancel', 'hold'])
  })
})
