/** What was paid for each piece of an order, and what a proposal pays back of it. Minor units. */
import { withVat } from '#domain/money.ts'

export interface PricedLine {
  id: number
  type: string
  qty: number
  unit_price_excl_vat: number | null
  unit_price_incl_vat: number | null
  /** Of the whole line. */
  discount_excl_vat: number
  vat_percent: string | null
}

function paidFor({ qty, unit_price_incl_vat, unit_price_excl_vat, discount_excl_vat, vat_percent }: PricedLine): number {
  const rate = vat_percent ?? '0'
  const unit = unit_price_incl_vat ?? (unit_price_excl_vat === null ? 0 : withVat(unit_price_excl_vat, rate))
  return unit * qty - withVat(discount_excl_vat, rate)
}

/** What was paid for each line of goods, VAT included: discounts of the order are spread over the goods by value, to the last minor unit. */
export function lineTotals(lines: readonly PricedLine[]): Map<number, number> {
  const goods = lines.filter(({ type }) => type === 'item').map(line => ({ id: line.id, paid: Math.max(0, paidFor(line)) }))
  const discount = lines.reduce((sum, line) => (line.type === 'discount' ? sum + Math.abs(paidFor(line)) : sum), 0)
  const value = goods.reduce((sum, { paid }) => sum + paid, 0)
  const spread = Math.min(discount, value)
  let before = 0
  return new Map(
    goods.map(({ id, paid }) => {
      const from = value === 0 ? 0 : Math.floor((spread * before) / value)
      before += paid
      const to = value === 0 ? 0 : Math.floor((spread * before) / value)
      return [id, paid - (to - from)]
    }),
  )
}

/** What the customer paid for delivery, VAT included. */
export const deliveryPaid = (lines: readonly PricedLine[]): number =>
  lines.reduce((sum, line) => (line.type === 'shipping' ? sum + Math.max(0, paidFor(line)) : sum), 0)

/** The share of piece `no` (from 1) of `qty`: all pieces add up to the line. */
export const pieceAmount = (total: number, no: number, qty: number): number =>
  Math.floor((total * no) / qty) - Math.floor((total * (no - 1)) / qty)

/** The sums of a proposal. The fee never takes more than there is, and neither does the deduction. */
export function proposalSums(asked: { goods: number; delivery: number; fee: number; deduction: number }) {
  const { goods, delivery } = asked
  const deduction = Math.min(asked.deduction, goods)
  const fee = Math.min(asked.fee, goods - deduction)
  return { goods, delivery, fee, deduction, total: goods + delivery - fee - deduction }
}
