/** What a station without a connection makes of its scans: as the server will answer them. */
import { describe, expect, it } from 'vitest'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { lineOf, orderOf } from '#test/packing-order.ts'
import { forecastOf } from './forecast.rules.ts'
import type { QueuedScan } from './scan-format.rules.ts'
import { differs } from './station.rules.ts'

type Act = Partial<QueuedScan> & Pick<QueuedScan, 'kind'>
const queued = (acts: readonly (string | Act)[]): QueuedScan[] =>
  acts.map((act, nth) => ({
    ...{ scan_id: `${nth}`, order_id: 7, user_id: 5, at: nth },
    ...(typeof act === 'string' ? { kind: 'scan', code: act, method: 'scan' } : act),
  })) as QueuedScan[]
const results = (order: PackingOrder, acts: readonly (string | Act)[], asking: number | null = null) =>
  [...forecastOf(order, queued(acts), asking).expected.values()].map(({ result, counted }) => `${result} ${counted}`)

const two = orderOf(7)
const serial = orderOf(7, { lines: [lineOf(1, 2, { needs_serial: true }), lineOf(2, 1)] })
const pack = orderOf(7, { lines: [lineOf(1, 6, { codes: [{ code: 'PACK', quantity: 6 }] })], to_pack: 6 })
const packOfSerials = orderOf(7, {
  ...{ lines: [lineOf(1, 3, { needs_serial: true, codes: [{ code: 'PACK', quantity: 2 }] }), lineOf(2, 1)], to_pack: 4 },
})
const rule = (more: Partial<PackingOrder['approvals'][number]>): PackingOrder =>
  orderOf(7, {
    approvals: [
      {
        ...{ rule_id: 1, line_id: 1, name: 'Valuable', subject: 'line', methods: ['pin'], reason_required: false },
        ...{ state: 'needed', by: null, left_ms: null },
        ...more,
      },
    ],
  })

describe('a scan without a connection', () => {
  it.each<[string, PackingOrder, (string | Act)[], string[]]>([
    ['counts an item', two, ['CODE-1'], ['ok 1']],
    ['finds an item by its SKU in any letters', two, ['sku-2'], ['line_done 1']],
    ['ends the order with its last item', two, ['CODE-1', 'CODE-1', 'CODE-2'], ['ok 1', 'line_done 1', 'order_done 1']],
    ['stops one item too many', two, ['CODE-2', 'CODE-2'], ['line_done 1', 'over 0']],
    ['stops what is not in the order', two, ['5701234567890'], ['unknown 0']],
    ['counts a whole pack, and not one more', pack, ['PACK', 'PACK'], ['order_done 6', 'over 0']],
    [
      'takes the code behind an item with serial numbers for one',
      serial,
      ['CODE-1', 'a123', 'CODE-1'],
      ['serial_needed 0', 'ok 1', 'serial_needed 0'],
    ],
    ['takes no barcode of the order for a serial number', serial, ['CODE-1', 'CODE-2'], ['serial_needed 0', 'serial_refused 0']],
    [
      'asks for each serial number of a pack in turn',
      packOfSerials,
      ['PACK', 'a123', 'PACK', 'a124', 'CODE-2', 'PACK'],
      ['serial_of_pack 0', 'ok 1', 'serial_refused 0', 'ok 1', 'line_done 1', 'over 0'],
    ],
    [
      'takes back one piece of a pack, whose number is asked for again',
      packOfSerials,
      ['PACK', 'a123', 'a124', { kind: 'undo' }, 'a124'],
      ['serial_of_pack 0', 'ok 1', 'ok 1', 'undone -1', 'ok 1'],
    ],
    [
      'leaves a whole pack to be taken back to the server',
      packOfSerials,
      ['PACK', { kind: 'undo', pack: true }],
      ['serial_of_pack 0', 'ignored 0'],
    ],
    ['counts by hand', two, [{ kind: 'count', order_line_id: 1, quantity: 2 }], ['line_done 2']],
    ['counts by hand no more than is missing', two, [{ kind: 'count', order_line_id: 1, quantity: 3 }], ['ignored 0']],
    ['is taken back', two, ['CODE-1', { kind: 'undo' }, 'CODE-1'], ['ok 1', 'undone -1', 'ok 1']],
    ['of before the gap is taken back by the server alone', two, [{ kind: 'undo' }], ['ignored 0']],
    ['begins another parcel', two, ['CODE-1', { kind: 'next' }, 'CODE-1'], ['ok 1', 'parcel_next 0', 'line_done 1']],
    ['may be a box, which only the server knows', two, ['CRB4'], ['ignored 0']],
    ['waits where a rule asks for an approval', rule({}), ['CODE-1', 'CODE-2'], ['approval_needed 0', 'line_done 1']],
    ['counts once the approval is given', rule({ state: 'approved' }), ['CODE-1'], ['ok 1']],
    ['counts where only the label needs an approval', rule({ subject: 'label', line_id: null }), ['CODE-1'], ['ok 1']],
  ])('%s', (_, order, acts, expected) => {
    expect(results(order, acts)).toEqual(expected)
  })

  it('is the serial number that the server has asked for', () => {
    expect(results(serial, ['a123'], 1)).toEqual(['ok 1'])
  })

  it('leaves the order that the server described as it is', () => {
    const before = structuredClone(two)
    const { order, unconfirmed } = forecastOf(two, queued(['CODE-1', 'CODE-2']), null)
    expect(two).toEqual(before)
    expect(order).toMatchObject({ packed: 2, lines: [{ packed_qty: 1 }, { packed_qty: 1 }] })
    expect(unconfirmed).toEqual([1, 2])
  })
})

it.each([
  [{ result: 'ok', counted: 1 }, { result: 'line_done', counted: 1 }, false],
  [{ result: 'unknown', counted: 0 }, { result: 'wrong_shop', counted: 0 }, false],
  [{ result: 'ok', counted: 1 }, { result: 'over', counted: 0 }, true],
  [{ result: 'unknown', counted: 0 }, { result: 'crate_set', counted: 0 }, true],
  [{ result: 'ok', counted: 1 }, { result: 'stopped', counted: 0 }, true],
] as const)('an answer of %o to %o', (expected, answer, different) => {
  expect(differs(expected, answer)).toBe(different)
})
