/** Rules of undoing a change of an order: never over what somebody else changed since. */
import { describe, expect, it } from 'vitest'
import { type ChangedFacts, canRestore, canSetAgain, isStill } from './order-undo.rules.ts'

const order: ChangedFacts = { locks: [], pinned: false, agent_code: 'gls', shipping_method: 'shop', lines: [] }
const hold = { lock_id: 7, kind: 'hold', reason: 'address', note: 'Ask first', until: null } as const

describe('a change can be undone', () => {
  it('of a hold while that hold stands', () => {
    expect(isStill({ did: 'held', lock_id: 7 }, { ...order, locks: [hold] })).toBe(true)
    expect(isStill({ did: 'held', lock_id: 7 }, { ...order, locks: [{ ...hold, lock_id: 8 }] })).toBe(false)
  })

  it('of a release until somebody holds the order for the same reason again', () => {
    expect(isStill({ did: 'released', lock: hold }, order)).toBe(true)
    expect(isStill({ did: 'released', lock: hold }, { ...order, locks: [{ ...hold, lock_id: 9, reason: 'fraud' }] })).toBe(true)
    expect(isStill({ did: 'released', lock: hold }, { ...order, locks: [{ ...hold, lock_id: 9 }] })).toBe(false)
  })

  it('of a pin while it is as it was set', () => {
    expect(isStill({ did: 'pinned' }, { ...order, pinned: true })).toBe(true)
    expect(isStill({ did: 'pinned' }, order)).toBe(false)
    expect(isStill({ did: 'unpinned' }, order)).toBe(true)
    expect(isStill({ did: 'unpinned' }, { ...order, pinned: true })).toBe(false)
  })

  it('of a method while the order goes by it', () => {
    const change = { did: 'method', now: { agent_code: 'gls', shipping_method: 'shop' }, before: 'own:van' } as const
    expect(isStill(change, order)).toBe(true)
    expect(isStill(change, { ...order, shipping_method: 'home' })).toBe(false)
  })

  it('of a line while it has the corrected values', () => {
    const change = { did: 'line', item_id: 3, now: { weight_g: 200 }, before: { weight_g: 100 } } as const
    const line = { order_item_id: 3, hs_code: null, origin: null, weight_g: 200 }
    expect(isStill(change, { ...order, lines: [line] })).toBe(true)
    expect(isStill(change, { ...order, lines: [{ ...line, weight_g: 300 }] })).toBe(false)
    expect(isStill(change, order)).toBe(false)
  })
})

it('sets no hold of a shop again, which only the shop can set', () => {
  expect(canSetAgain(hold)).toBe(true)
  expect(canSetAgain({ ...hold, reason: 'shop' })).toBe(false)
  expect(canSetAgain({ ...hold, kind: 'manual', reason: null })).toBe(true)
})

it('does not offer to undo a value where none stood before', () => {
  expect(canRestore({ did: 'line', item_id: 3, now: { origin: 'DK' }, before: { origin: 'SE' } })).toBe(true)
  expect(canRestore({ did: 'line', item_id: 3, now: { origin: 'DK' }, before: { origin: null } })).toBe(false)
})
