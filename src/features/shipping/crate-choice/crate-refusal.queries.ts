/** Boxes that a parcel must not go out in: its courier does not take them, or a rule of a product says so. */
import type { Db } from '#platform/database/database.ts'
import { crateInput } from './crate-choice.queries.ts'
import { mayGoInto } from './crate-choice.rules.ts'

export type CrateRefusal = { why: 'other_courier' } | { why: 'rule'; item: string }

/** What is in the parcel counts. While it is empty, a box is refused that takes no item of the order. */
export async function crateRefusal(
  db: Db,
  { order_id, parcel_no, crate_id }: { order_id: number; parcel_no: number; crate_id: number },
  now: Date,
): Promise<CrateRefusal | null> {
  const { left_out, items, lines } = await crateInput(db, { order_id }, now)
  if (left_out.some(({ crate, why }) => crate.id === crate_id && why === 'other_courier')) return { why: 'other_courier' }
  const barred = items.filter(({ rules }) => !mayGoInto(rules, crate_id))
  if (barred.length === 0) return null
  const inside = await db
    .selectFrom('parcel_lines')
    .select('order_line_id')
    .where('order_id', '=', order_id)
    .where('parcel_no', '=', parcel_no)
    .where('qty', '>', 0)
    .execute()
  const against =
    inside.length === 0
      ? barred.length === items.length && barred[0]
      : barred.find(item => inside.some(({ order_line_id }) => order_line_id === item.id))
  return against ? { why: 'rule', item: lines.find(({ id }) => id === against.id)?.name ?? '' } : null
}
