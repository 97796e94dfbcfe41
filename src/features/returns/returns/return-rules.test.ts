/** The rules of returns: states, periods and amounts, with the worked examples of their plan. */
import { describe, expect, it } from 'vitest'
import { calendarDays } from '#features/company/holidays/public-holidays.server.ts'
import { deliveryPaid, lineTotals, pieceAmount, proposalSums } from './return-amounts.rules.ts'
import { firstDecision, type HeaderFacts, mayMove, mayMoveMoney, type PieceState, statusOf } from './return-states.rules.ts'
import { arrivalDay, refundDueAt, shopWindow, withdrawalWindow } from './return-window.rules.ts'
import { custodies, moneyStates } from './returns.codes.ts'

const zone = 'Europe/Copenhagen'
const holidays = new Set(calendarDays('DK', 2026))
const none: ReadonlySet<string> = new Set()

describe('the time in which a customer may send back', () => {
  it.each([
    ['counts from the day after the delivery', '2026-11-09', '2026-11-23', '2026-11-23T23:00:00Z'],
    ['ends with the next working day after a Saturday', '2026-11-07', '2026-11-23', '2026-11-23T23:00:00Z'],
    ['ends after Christmas and its weekend', '2026-12-11', '2026-12-28', '2026-12-28T23:00:00Z'],
    ['crosses the autumn change of the clock', '2026-10-12', '2026-10-26', '2026-10-26T23:00:00Z'],
  ])('%s', (_, arrived_on, last_day, ends_at) => {
    expect(withdrawalWindow(arrived_on, 14, zone, holidays)).toEqual({ last_day, ends_at })
  })

  it('takes the day of the delivery on the clock of the shop', () => {
    const arrived = arrivalDay({ delivered_at: '2026-11-09T23:30:00Z', handed_over_at: '2026-11-07T10:00:00Z' }, zone)
    expect(withdrawalWindow(arrived ?? '', 14, zone, none).last_day).toBe('2026-11-24')
  })

  it('takes five days for the way where no one saw the parcel arrive', () => {
    expect(arrivalDay({ delivered_at: null, handed_over_at: '2026-11-09T10:00:00Z' }, zone)).toBe('2026-11-14')
    expect(arrivalDay({ delivered_at: null, handed_over_at: null }, zone)).toBeNull()
  })

  it('is never shorter than the law, and moves no shop’s own window', () => {
    expect(withdrawalWindow('2026-11-09', 7, zone, none).last_day).toBe('2026-11-23')
    expect(shopWindow('2026-11-07', 14, zone).last_day).toBe('2026-11-21')
  })

  it('gives the shop 14 days for the money of a withdrawal', () => {
    expect(refundDueAt('2026-11-19T12:00:00Z', zone)).toBe('2026-12-03T23:00:00Z')
  })
})

describe('what was paid for a piece', () => {
  const line = (id: number, qty: number, unit: number | null, more: object = {}) => ({
    id,
    type: 'item',
    qty,
    unit_price_excl_vat: null,
    unit_price_incl_vat: unit,
    discount_excl_vat: 0,
    vat_percent: '25',
    ...more,
  })

  it('adds up to its line', () => {
    expect([1, 2, 3].map(no => pieceAmount(29_999, no, 3))).toEqual([9_999, 10_000, 10_000])
    for (let total = 0; total < 400; total += 7)
      for (let qty = 1; qty < 9; qty++) {
        const sum = Array.from({ length: qty }, (_, place) => pieceAmount(total, place + 1, qty)).reduce((a, b) => a + b, 0)
        expect(sum).toBe(total)
      }
  })

  it('takes off the discount of the line, and that of the order by value', () => {
    const totals = lineTotals([
      line(1, 2, 10_000, { discount_excl_vat: 4_000 }),
      line(2, 1, 5_000),
      line(3, 1, -3_001, { type: 'discount' }),
      line(4, 1, 4_900, { type: 'shipping' }),
    ])
    expect([...totals]).toEqual([
      [1, 15_000 - 2_250],
      [2, 5_000 - 751],
    ])
  })

  it('is worked out from the price without VAT where the shop gave no other, and is nothing without a price', () => {
    expect(lineTotals([line(1, 2, null, { unit_price_excl_vat: 8_000 }), line(2, 1, null)])).toEqual(
      new Map([
        [1, 20_000],
        [2, 0],
      ]),
    )
  })

  it('has the delivery apart', () => {
    expect(deliveryPaid([line(1, 1, 4_900, { type: 'shipping' }), line(2, 1, 9_900)])).toBe(4_900)
  })
})

describe('a proposed refund', () => {
  it.each([
    ['takes the fee', { goods: 4_900, delivery: 0, fee: 900, deduction: 0 }, { fee: 900, deduction: 0, total: 4_000 }],
    ['takes no more fee than there is', { goods: 4_900, delivery: 0, fee: 5_900, deduction: 0 }, { fee: 4_900, deduction: 0, total: 0 }],
    [
      'takes no more for wear than was paid',
      { goods: 4_900, delivery: 0, fee: 900, deduction: 9_000 },
      { fee: 0, deduction: 4_900, total: 0 },
    ],
    [
      'gives the delivery back whole',
      { goods: 4_900, delivery: 3_900, fee: 5_900, deduction: 0 },
      { fee: 4_900, deduction: 0, total: 3_900 },
    ],
  ])('%s', (_, asked, sums) => {
    expect(proposalSums(asked)).toEqual({ ...asked, ...sums })
  })
})

describe('the status of a return', () => {
  const header: HeaderFacts = { approved_at: 'x', in_transit_at: null, arrived_at: null, reopened_at: null, ended_as: null }
  const piece = (custody: PieceState['custody'], money: PieceState['money'] = 'pending', more: Partial<PieceState> = {}): PieceState => ({
    custody,
    money,
    unannounced: false,
    serial_check: null,
    ...more,
  })
  const here = { ...header, arrived_at: 'x' }

  it.each<[string, HeaderFacts, PieceState[], string]>([
    ['waits for its approval', { ...header, approved_at: null }, [piece('advised', 'none')], 'requested'],
    ['is approved', header, [piece('advised')], 'approved'],
    ['is on its way once one piece is', header, [piece('in_transit'), piece('advised')], 'in_transit'],
    ['has arrived', here, [piece('advised'), piece('inspected')], 'arrived'],
    [
      'is reviewed while a piece is missing and its money waits',
      here,
      [piece('missing'), piece('added', 'none', { unannounced: true })],
      'awaiting_review',
    ],
    ['is reviewed while a serial number is wrong', here, [piece('received', 'pending', { serial_check: 'wrong' })], 'awaiting_review'],
    ['is decided when each piece is', here, [piece('restocked'), piece('scrapped', 'confirmed')], 'decided'],
    ['is decided but not done while a piece is repaired', here, [piece('repaired', 'none')], 'decided'],
    ['is resolved when the last money is answered', here, [piece('restocked', 'confirmed'), piece('missing', 'denied')], 'resolved'],
    ['is not resolved while it is not known whether money was paid', here, [piece('restocked', 'in_doubt')], 'decided'],
    ['stays on its way when the shop pays before it arrives', header, [piece('in_transit', 'confirmed')], 'in_transit'],
    ['is cancelled when all of it is', header, [piece('cancelled', 'none')], 'cancelled'],
    ['is cancelled without a piece when somebody said so', { ...here, ended_as: 'cancelled' }, [], 'cancelled'],
    ['has arrived without a piece', here, [], 'arrived'],
    ['is reviewed when it was reopened', { ...here, reopened_at: 'x' }, [piece('restocked', 'confirmed')], 'awaiting_review'],
  ])('%s', (_, facts, pieces, status) => {
    expect(statusOf(facts, pieces)).toBe(status)
  })

  it('never lets a piece or its money leave an end', () => {
    for (const to of custodies) expect(mayMove('restocked', to) || mayMove('scrapped', to) || mayMove('cancelled', to)).toBe(false)
    for (const to of moneyStates) expect(mayMoveMoney('confirmed', to)).toBe(false)
    expect(mayMoveMoney('none', 'confirmed') || mayMoveMoney('pending', 'confirmed')).toBe(false)
  })
})

describe('what is offered first for a piece at the desk', () => {
  it.each([
    ['as new', 'A', 'refund', 'restock'],
    ['opened', 'B', 'exchange', 'restock'],
    ['used', 'C', 'refund', ''],
    ['used, for repair', 'C', 'repair', 'repair'],
    ['unusable', 'scrap', 'refund', 'scrap'],
    ['unusable, for repair', 'scrap', 'repair', 'scrap'],
  ] as const)('%s', (_, condition, outcome, decision) => {
    expect(firstDecision({ condition, outcome })).toBe(decision)
  })
})
