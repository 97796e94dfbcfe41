/** What was walked and picked, for comparing maps, hot spots and the drawing of a wagon’s route. */

import { type NotNull, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { PastWalk, PastWalks } from './walks.rules.ts'

/** More lines than this of one question are not read. */
const mostLines = 200_000

/**
 * The wagons' walks of the lists made since then; where there are none, the orders of that time in tens, the most urgent
 * first, as somebody with a trolley would take them.
 */
export async function pastWalks(db: Db, since: Date, until: Date): Promise<PastWalks> {
  const between = { since: since.toISOString(), until: until.toISOString() }
  const picked = await db
    .selectFrom('pick_lines as l')
    .innerJoin('pick_lists as p', 'p.id', 'l.pick_list_id')
    .select(['l.pick_list_id', 'l.wagon_no', 'l.product_id', 'l.bin', 'p.created_at'])
    .where('p.created_at', '>=', between.since)
    .where('p.created_at', '<', between.until)
    .where('l.state', '<>', 'gone')
    .where('l.bin', 'is not', null)
    .$narrowType<{ bin: NotNull }>()
    .orderBy('l.pick_list_id', 'desc')
    .orderBy('l.wagon_no')
    .orderBy('l.id')
    .limit(mostLines)
    .execute()
  const walks: PastWalk[] = []
  let wagon = ''
  for (const { pick_list_id, wagon_no, product_id, bin, created_at } of picked) {
    const name = `${pick_list_id}/${wagon_no}`
    if (name !== wagon) walks.push({ day: created_at.slice(0, 10), lines: [] })
    wagon = name
    walks.at(-1)?.lines.push({ product_id, bin })
  }
  if (walks.length > 0) return { from: 'lists', ...between, walks }

  const ordered = await orderedLines(db, since, until)
    .select(['o.id', 'o.ordered_at', 'l.product_id'])
    .select(eb => eb.fn.coalesce('p.bin', 'l.bin').as('bin'))
    .where(eb => eb(eb.fn.coalesce('p.bin', 'l.bin'), 'is not', null))
    .$narrowType<{ bin: NotNull }>()
    .orderBy(sql`o.ordered_at::date`, 'desc')
    .orderBy(sql`o.ship_by asc nulls last`)
    .orderBy('o.ordered_at')
    .orderBy('o.id')
    .orderBy('l.line_no')
    .limit(mostLines)
    .execute()
  let order = 0
  let orders = 0
  for (const { id, ordered_at, product_id, bin } of ordered) {
    const day = ordered_at.slice(0, 10)
    const newDay = walks.at(-1)?.day !== day
    if (id !== order) orders = newDay ? 1 : orders + 1
    if (newDay || (id !== order && orders % 10 === 1)) walks.push({ day, lines: [] })
    order = id
    walks.at(-1)?.lines.push({ product_id, bin })
  }
  return { from: walks.length > 0 ? 'orders' : 'none', ...between, walks }
}

/** Lines that somebody had to fetch. */
export const orderedLines = (db: Db, since: Date, until: Date) =>
  db
    .selectFrom('orders as o')
    .innerJoin('order_lines as l', 'l.order_id', 'o.id')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .where('o.ordered_at', '>=', since.toISOString())
    .where('o.ordered_at', '<', until.toISOString())
    .where('o.cancelled_at', 'is', null)
    .where('l.type', '=', 'item')
    .where('l.requires_shipping', '=', true)
    .where(eb => eb('l.qty', '>', eb.ref('l.cancelled_qty')))
