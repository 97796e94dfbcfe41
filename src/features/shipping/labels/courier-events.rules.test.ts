/** What the events of a courier say, whatever their order. */
import { describe, expect, it } from 'vitest'
import { eventThatDecides, nextTrackAt, stateAfter, stateByEvents } from './courier-events.rules.ts'

const at = (time: string) => `2026-11-18T${time}:00.000Z`

const newestEvent = (events: readonly { state: string; at: string }[]) => eventThatDecides(events).newest

describe('the event that decides', () => {
  it('is the latest by its own time, in any order, and words alone are none', () => {
    const events = [
      { state: 'delivered', at: at('14:05') },
      { state: '', at: at('15:00') },
      { state: 'handed_over', at: at('08:00') },
      { state: 'in_transit', at: at('09:00') },
    ]
    expect(newestEvent(events)?.state).toBe('delivered')
    expect(newestEvent(events.toReversed())?.state).toBe('delivered')
    expect(newestEvent([{ state: '', at: at('15:00') }])).toBeUndefined()
  })

  it('of two at one moment is the one further on the way', () => {
    const both = [
      { state: 'delivered', at: at('14:05') },
      { state: 'out_for_delivery', at: at('14:05') },
    ]
    expect(newestEvent(both)?.state).toBe('delivered')
    expect(newestEvent(both.toReversed())?.state).toBe('delivered')
  })
})

describe('events in any order', () => {
  const story = [
    { state: 'handed_over', at: at('08:00') },
    { state: 'in_transit', at: at('09:00') },
    { state: 'delivered', at: at('10:00') },
    { state: 'in_transit', at: at('11:00') },
    { state: 'returning', at: at('12:00') },
    { state: 'returned_to_sender', at: at('13:00') },
    { state: 'delivered', at: at('14:00') },
  ]

  /** Every prefix of an order of arrival, as a shipment meets it. */
  function run(order: readonly { state: string; at: string }[]) {
    const shipment = { state: 'booked', delivered_at: null as string | null, left_at: null as string | null }
    for (let n = 1; n <= order.length; n++) {
      const { newest, delivered_at, left_at } = eventThatDecides(order.slice(0, n))
      shipment.state = stateByEvents(shipment, order.slice(0, n), newest) ?? shipment.state
      shipment.delivered_at = delivered_at
      shipment.left_at = left_at
    }
    return shipment
  }

  it('lead to one state', () => {
    const expected = { state: 'returned_to_sender', delivered_at: at('10:00'), left_at: at('08:00') }
    expect(run(story)).toEqual(expected)
    let seed = 11
    const roll = (sides: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * sides)
    }
    for (let trial = 0; trial < 500; trial++) {
      const order = [...story]
      for (let i = order.length - 1; i > 0; i--) {
        const j = roll(i + 1)
        const [a, b] = [order[i]!, order[j]!]
        order[i] = b
        order[j] = a
      }
      expect(run(order)).toEqual(expected)
    }
  })

  it('leave what a person set, until they go on', () => {
    const newest = { state: 'in_transit' as const, at: at('09:00') }
    expect(stateByEvents({ state: 'delivered', delivered_at: at('08:00') }, [newest], newest)).toBeUndefined()
    expect(stateByEvents({ state: 'lost', delivered_at: null }, [newest], newest)).toBeUndefined()
    expect(stateByEvents({ state: 'handed_over', delivered_at: null }, [newest], newest)).toBe('in_transit')
  })
})

describe('the state of a shipment', () => {
  it.each([
    ['booked', 'in_transit', 'in_transit'],
    ['in_transit', 'in_transit', undefined],
    ['handed_over', 'booked', undefined],
    ['needs_attention', 'in_transit', 'in_transit'],
    ['delivered', 'in_transit', undefined],
    ['delivered', 'returning', 'returning'],
    ['returned_to_sender', 'delivered', undefined],
    ['blocked', 'in_transit', undefined],
    ['booking', 'in_transit', undefined],
  ] as const)('that is %s, with %s as the newest event, becomes %s', (state, newest, after) => {
    expect(stateAfter({ state, delivered_at: at('10:00') }, { state: newest, at: at('12:00') })).toBe(after)
  })

  it('that was delivered over 30 days ago stays delivered', () => {
    expect(
      stateAfter({ state: 'delivered', delivered_at: '2026-10-01T10:00:00Z' }, { state: 'returning', at: at('12:00') }),
    ).toBeUndefined()
  })
})

describe('the next question', () => {
  const now = new Date(at('12:00'))
  it.each([
    ['handed_over', '2026-11-18T16:00:00.000Z'],
    ['out_for_delivery', '2026-11-18T12:30:00.000Z'],
    ['delivery_failed', '2026-11-18T14:00:00.000Z'],
    ['ready_for_pickup', '2026-11-18T18:00:00.000Z'],
    ['delivered', null],
    ['blocked', null],
  ])('after %s comes at %s', (state, next) => {
    expect(nextTrackAt(state, at('11:00'), now)).toBe(next)
  })

  it('never comes after 30 days of silence', () => {
    expect(nextTrackAt('in_transit', '2026-10-18T11:59:00Z', now)).toBeNull()
  })
})
