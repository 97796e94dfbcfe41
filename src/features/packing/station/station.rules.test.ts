/** How an order stands towards somebody at a station, and what comes next. */
import { describe, expect, it } from 'vitest'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { lineOf, orderOf } from '#test/packing-order.ts'
import { counted, nextLine, standingOf } from './station.rules.ts'

const order = orderOf(7, { lines: [lineOf(1, 2, { packed_qty: 1 }), lineOf(2, 1)], packed: 1 })
const session = order.session as NonNullable<PackingOrder['session']>
const stop = (kind: 'cancelled' | 'hold') => ({ kind, text: '', values: {}, note: '', actor: '', at: '', until: null })
const kim = { user_id: 5, station: 'Bench 1' }

describe('how an order stands', () => {
  it.each<[string, Partial<PackingOrder>, object]>([
    ['is mine where I opened it', {}, { kind: 'mine' }],
    ['is mine while its label is made', { session: { ...session, state: 'labelling' } }, { kind: 'mine' }],
    [
      'is claimed by myself at another station',
      { session: { ...session, station: 'Bench 2' } },
      { kind: 'claimed', own: true, free: false },
    ],
    ['is claimed by somebody else', { session: { ...session, user_id: 6 } }, { kind: 'claimed', own: false, free: false }],
    [
      'is free when it was not touched for long',
      { session: { ...session, user_id: 6, free: true } },
      { kind: 'claimed', own: false, free: true },
    ],
    [
      'waits to be taken up again when it was set aside, even by me',
      { session: { ...session, state: 'parked' } },
      { kind: 'claimed', own: true, free: true },
    ],
    ['is stopped in any hands', { stopped: stop('hold') }, { kind: 'stopped' }],
    ['is cancelled before anything else', { stopped: stop('cancelled'), session: { ...session, user_id: 6 } }, { kind: 'cancelled' }],
    ['is packed', { session: null, work_state: 'packed' }, { kind: 'packed' }],
    ['has left', { session: null, work_state: 'handed_over' }, { kind: 'gone' }],
    ['is being picked', { session: null, work_state: 'in_pick' }, { kind: 'in_pick' }],
    ['can be opened', { session: null, work_state: 'ready' }, { kind: 'ready' }],
  ])('%s', (_, change, standing) => {
    expect(standingOf({ ...order, ...change }, kim)).toEqual(standing)
  })
})

describe('what comes next', () => {
  it('is the line that was begun, before the others', () => {
    expect(nextLine([lineOf(1, 1), lineOf(2, 2, { packed_qty: 1 })], null)?.order_line_id).toBe(2)
  })
  it('is the line whose serial number is asked for, before the line that was begun', () => {
    expect(nextLine([lineOf(1, 1), lineOf(2, 2, { packed_qty: 1 })], 1)?.order_line_id).toBe(1)
  })
  it('is nothing when everything is packed', () => {
    expect(nextLine([lineOf(1, 1, { packed_qty: 1 })], null)).toBeUndefined()
  })
})

it('takes counters only from the answer to a scan', () => {
  const after = counted(order, { line: { order_line_id: 2, qty: 1, packed_qty: 1, missing_serials: 0 }, packed: 2, to_pack: 3 })
  expect(after).toMatchObject({ packed: 2, to_pack: 3 })
  expect(after.lines.map(line => line.packed_qty)).toEqual([1, 1])
})
