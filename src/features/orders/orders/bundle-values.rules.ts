/** What the parts of a bundle are worth, where the price stands on the bundle alone. */
import { shared } from '#domain/customs/conversion.ts'

export interface ValuedLine {
  id: number
  external_id: string | null
  bundle_of: string | null
  /** Whose line it is, where orders go in one parcel. */
  combined_order_id: number | null
  qty: number
  /** What the shop ordered, where it was changed here; 0 where it ordered none. */
  shop_qty: number | null
  cost_price: number | null
  requires_shipping: boolean
  /** Of all its pieces, in minor units. */
  amount: number | null
}

/** The amount of a bundle shared among the parts that are sent: by their cost prices, or by pieces where one has none. */
export function valuesOfParts(lines: readonly ValuedLine[]): Map<number, number> {
  const values = new Map<number, number>()
  const parts = Map.groupBy(
    lines.filter(line => line.bundle_of !== null),
    line => `${line.combined_order_id} ${line.bundle_of}`,
  )
  const partsIn = (bundle: ValuedLine) =>
    (parts.get(`${bundle.combined_order_id} ${bundle.external_id}`) ?? []).filter(part => part !== bundle)
  const sentIn = (bundle: ValuedLine): ValuedLine[] =>
    partsIn(bundle).flatMap(part => (part.requires_shipping ? [part] : partsIn(part).filter(one => one.requires_shipping)))
  for (const bundle of lines) {
    if (bundle.requires_shipping || !bundle.amount || bundle.amount < 0) continue
    const sent = sentIn(bundle)
    // Prices that the shop gives the parts are theirs.
    if (sent.length === 0 || sent.some(part => (part.amount ?? 0) > 0)) continue
    const pieces = sent.map(piecesOf)
    const costs = sent.map((part, at) => (part.cost_price ?? 0) * (pieces[at] ?? 0))
    const shares = shared(bundle.amount, costs.every(cost => cost > 0) ? costs : pieces)
    for (const [at, part] of sent.entries()) values.set(part.id, (values.get(part.id) ?? 0) + (shares[at] ?? 0))
  }
  return values
}

/** Of a line that is divided among orders, all its pieces. */
export const piecesOf = ({ qty, shop_qty }: Pick<ValuedLine, 'qty' | 'shop_qty'>): number => shop_qty || qty

/** An amount of a whole line as a price of each piece, and what is too much of it as a discount. */
export function pricedPieces(amount: number, pieces: number): { unit_price_excl_vat: number; discount_excl_vat: number } {
  const unit = pieces > 0 ? Math.ceil(amount / pieces) : 0
  return { unit_price_excl_vat: unit, discount_excl_vat: unit * pieces - amount }
}
