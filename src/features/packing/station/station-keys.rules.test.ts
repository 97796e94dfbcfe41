/** The keys at the foot of the station: only those that do something now. */
import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/access.ts'
import { lineOf, orderOf } from '#test/packing-order.ts'
import { initialState, type PackingState, type Situation } from './packing-model.rules.ts'
import { acts, leadsBack, stationKeys } from './station-keys.rules.ts'

const packer: Situation = { now: 1, user: { user_id: 5, permissions: ['scan'] }, station: 'Bench 1', hasLabelPrinter: true }
const lead: Situation = { ...packer, user: { user_id: 6, permissions: ['scan', 'scan_admin'] satisfies Permission[] } }

const untouched: PackingState = { ...initialState, view: 'packing', warned: true, order: orderOf(7) }
const begun: PackingState = {
  ...untouched,
  order: orderOf(7, { packed: 1, lines: [lineOf(1, 2, { packed_qty: 1 }), lineOf(2, 1)] }),
}
const loose: PackingState = { ...begun, order: orderOf(7, { packed: 1, lines: [lineOf(1, 2, { no_barcode: true })] }) }

const shown = (state: PackingState, situation = packer) =>
  stationKeys.filter(({ command, views }) => views.includes(state.view) && acts(command, state, situation)).map(({ key }) => key)

describe('the keys of the station', () => {
  it.each<[string, PackingState, string[]]>([
    ['an order without a scan can be set aside or left', untouched, ['F9', 'F10']],
    ['an order that is begun can be undone, split, shipped in part', begun, ['F2', 'F4', 'F7', 'F9', 'F10']],
    ['items without a barcode are counted by everybody', loose, ['F2', 'F4', 'F6', 'F7', 'F9', 'F10']],
    ['an unread warning leaves only the ways out', { ...begun, warned: false }, ['F9', 'F10']],
    ['a question takes the keys', { ...begun, dialog: 'exception' }, []],
    ['another order takes the keys', { ...begun, other: { order_id: 8, order_no: '8', code: '1:8' } }, []],
    ['a serial number that is asked for leaves undo and the ways out', { ...begun, asking: 1 }, ['F2', 'F9', 'F10']],
    ['the idle station without an order has none', initialState, []],
  ])('%s', (_, state, keys) => {
    expect(shown(state)).toEqual(keys)
  })

  it('a lead counts items with a barcode too', () => {
    expect(shown(begun, lead)).toContain('F6')
  })

  it('Esc is there when something lies over the order', () => {
    expect([untouched, begun].map(leadsBack)).toEqual([false, false])
    expect(leadsBack({ ...begun, dialog: 'abort' })).toBe(true)
    expect(leadsBack({ ...begun, asking: 1 })).toBe(true)
  })
})
