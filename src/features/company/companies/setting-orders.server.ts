/** The order of a list’s entries: each change leaves its row in the history, and can be set back through the function that its page uses. */
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Context } from '#platform/http/feature-module.ts'
import { lockCompany } from './setting-lists.server.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from './setting-owners.server.ts'

const Entries = z.array(z.object({ place: z.string(), title: z.string() }))
type Entries = z.output<typeof Entries>

export interface SettingOrder {
  /** Its only setting is the order: `method_rule_order.entries`. */
  name: string
  /** The entries in their order. */
  read(context: Context): Promise<Entries>
  /** Puts all entries in this order, as the page does. */
  save(context: Context, places: readonly string[]): Promise<unknown>
}

/** Runs a change of the order, and writes it into the history. */
export async function changeOrder<T>(order: SettingOrder, context: Context, change: () => Promise<T>): Promise<T> {
  await lockCompany(context)
  const before = await order.read(context)
  const answer = await change()
  const after = await order.read(context)
  const places = (entries: Entries) => entries.map(one => one.place)
  if (!isDeepStrictEqual(places(before), places(after)))
    await recordOwnedChanges(context, order.name, { entries: before }, { entries: after })
  return answer
}

/** Those of `entries` that are among the others too. */
const shared = (entries: Entries, others: Entries): string[] =>
  entries.map(one => one.place).filter(place => others.some(one => one.place === place))

const readEntries = (value: unknown): Entries => {
  const read = Entries.safeParse(value)
  if (!read.success) throw notValid()
  return read.data
}

export const orderOwner = (order: SettingOrder): SettingOwner => ({
  name: order.name,
  async read(context) {
    await lockCompany(context)
    return { entries: await order.read(context) }
  },
  // Entries that were added, removed or renamed since leave the order of the others as it is.
  isSame(current, after) {
    const [now, then] = [readEntries(current), readEntries(after)]
    return isDeepStrictEqual(shared(now, then), shared(then, now))
  },
  async save(context, _place, { entries }) {
    const [now, then] = [await order.read(context), readEntries(entries)]
    const back = shared(then, now)
    const added = now.map(one => one.place).filter(place => !back.includes(place))
    return changeOrder(order, context, () => order.save(context, [...back, ...added]))
  },
})
