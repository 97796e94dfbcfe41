/** What was walked and picked, for comparing maps, hot spots and the drawing of a wagon’s route. */

import { sql } from 'kysely'
import type { Database, Db } from '#platform/database/database.ts'
import { binKey } from './bins.rules.ts'
import type { Drawing } from './drawing.contract.ts'
import type { PastWalk } from './routes.rules.ts'
import type { SlottedProduct } from './slotting.rules.ts'
import { type Finding, type HotSpot, listedFindings, type Quality } from './warehouse-maps.contract.ts'

// ——— What was picked, and what lies where

/** More lines than this of one question are not read. */
const mostLines = 200_000

/**
 * The wagons' walks of the lists made since then; where there are none, the orders of that time in tens, the most urgent
 * first, as somebody with a trolley would take them.
 */
export async function pastWalks(
  db: Db,
  since: Date,
  until: Date,
): Promise<{ from: Quality['from']; since: string; until: string; walks: PastWalk[] }> {
  const between = { since: since.toISOString(), until: until.toISOString() }
  const picked = await db
    .selectFrom('pick_lines as l')
    .innerJoin('pick_lists as p', 'p.id', 'l.pick_list_id')
    .select(['l.pick_list_id', 'l.wagon_no', 'l.product_id', 'l.bin', 'p.created_at'])
    .where('p.created_at', '>=', between.since)
    .where('p.created_at', '<', between.until)
    .where('l.state', '<>', 'gone')
    .where('l.bin', 'is not', null)
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
    walks.at(-1)?.lines.push({ product_id, bin: bin as string })
  }
  if (walks.length > 0) return { from: 'lists', ...between, walks }

  const ordered = await orderedLines(db, since, until)
    .select(['o.id', 'o.ordered_at', 'l.product_id'])
    .select(eb => eb.fn.coalesce('p.bin', 'l.bin').as('bin'))
    .where(eb => eb(eb.fn.coalesce('p.bin', 'l.bin'), 'is not', null))
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
    walks.at(-1)?.lines.push({ product_id, bin: bin as string })
  }
  return { from: walks.length > 0 ? 'orders' : 'none', ...between, walks }
}

/** Lines that somebody had to fetch. */
const orderedLines = (db: Db, since: Date, until: Date) =>
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

/** The products that were fetched most often since then, and where they lie now. */
export async function mostFetched(
  db: Db,
  since: Date,
  until: Date,
  most: number,
): Promise<(Omit<HotSpot['products'][number], 'picks'> & { bin: string; picks: number; pieces: number })[]> {
  return orderedLines(db, since, until)
    .innerJoin('companies as c', 'c.id', 'l.company_id')
    .select(eb => [
      'l.product_id',
      'c.name as company',
      sql<string>`coalesce(p.sku, l.sku, '')`.as('sku'),
      sql<string>`max(coalesce(p.name, l.name))`.as('name'),
      sql<string>`coalesce(p.bin, l.bin)`.as('bin'),
      eb.fn.countAll<number>().as('picks'),
      sql<number>`sum(l.qty - l.cancelled_qty)::int`.as('pieces'),
    ])
    .where(eb => eb(eb.fn.coalesce('p.bin', 'l.bin'), 'is not', null))
    .groupBy(['l.product_id', 'c.name', sql`coalesce(p.sku, l.sku, '')`, sql`coalesce(p.bin, l.bin)`])
    .orderBy('picks', 'desc')
    .orderBy('pieces', 'desc')
    .orderBy('sku')
    .limit(most)
    .execute()
}

/** Every product that lies somewhere, of all companies in reach, with how often it was fetched. */
export async function placedProducts(db: Db, walks: readonly PastWalk[]): Promise<SlottedProduct[]> {
  const rows = await db
    .selectFrom('products as p')
    .innerJoin('companies as c', 'c.id', 'p.company_id')
    .select(['p.id as product_id', 'c.name as company', 'p.sku', 'p.name', 'p.bin'])
    .where('p.bin', 'is not', null)
    .orderBy('p.id')
    .execute()
  const picks = new Map<number, number>()
  for (const { lines } of walks)
    for (const { product_id } of lines) if (product_id !== null) picks.set(product_id, (picks.get(product_id) ?? 0) + 1)
  return rows.map(row => ({ ...row, bin: row.bin as string, picks: picks.get(row.product_id) ?? 0 }))
}

/** How products and a drawing fit: products whose bin is not drawn or that have none, and bins in which nothing lies. */
export async function productFindings(
  db: Db,
  drawing: Drawing,
): Promise<{
  products: number
  findings: { kind: 'product_off_map' | 'product_no_bin' | 'empty'; count: number; items: Finding['items'] }[]
}> {
  const rows = await db
    .selectFrom('products as p')
    .innerJoin('companies as c', 'c.id', 'p.company_id')
    .select(['p.id as product_id', 'c.name as company', 'p.sku', 'p.bin'])
    .orderBy('c.name')
    .orderBy('p.sku')
    .execute()
  const drawn = new Set(drawing.locations.map(one => binKey(one.code)))
  const used = new Set<string>()
  const lost: typeof rows = []
  const homeless: typeof rows = []
  for (const row of rows) {
    if (row.bin === null || row.bin.trim() === '') homeless.push(row)
    else if (!drawn.has(binKey(row.bin))) lost.push(row)
    else used.add(binKey(row.bin))
  }
  const empty = drawing.locations.filter(one => !used.has(binKey(one.code)))
  const told = (some: typeof rows) =>
    some
      .slice(0, listedFindings)
      .map(({ product_id, company, sku, bin }) => ({ text: bin ?? '', x: null, y: null, product_id, company, sku }))
  return {
    products: rows.length,
    findings: [
      { kind: 'product_off_map' as const, count: lost.length, items: told(lost) },
      { kind: 'product_no_bin' as const, count: homeless.length, items: told(homeless) },
      {
        kind: 'empty' as const,
        count: empty.length,
        items: empty.slice(0, listedFindings).map(({ code, x, y }) => ({ text: code, x, y })),
      },
    ].filter(one => one.count > 0),
  }
}

// ——— The walk of a wagon

export interface WagonLines {
  map_result_id: number | null
  lines: { bin: string | null; cell: number | null; asked: number }[]
}

/** What one wagon fetches, in the order of its walk; null where there is no such wagon. */
export async function wagonLines(db: Db, pick_list_id: number, wagon_no: number): Promise<WagonLines | null> {
  const wagon = await db
    .selectFrom('pick_wagons as w')
    .innerJoin('pick_lists as p', 'p.id', 'w.pick_list_id')
    .select('p.map_result_id')
    .where('w.pick_list_id', '=', pick_list_id)
    .where('w.wagon_no', '=', wagon_no)
    .executeTakeFirst()
  if (!wagon) return null
  const lines = await db
    .selectFrom('pick_lines')
    .select(['bin', 'cell', 'asked'])
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('state', '<>', 'gone')
    .orderBy('walk_no')
    .orderBy('id')
    .execute()
  return { map_result_id: wagon.map_result_id, lines }
}

/** The first wagon of the newest list. */
export const newestWagon = (db: Db): Promise<{ pick_list_id: number; wagon_no: number } | undefined> =>
  db
    .selectFrom('pick_wagons')
    .select(['pick_list_id', 'wagon_no'])
    .where('state', '<>', 'cancelled')
    .orderBy('pick_list_id', 'desc')
    .orderBy('wagon_no')
    .limit(1)
    .executeTakeFirst()

/** All companies of an operator: a signed link stands in for the person who was allowed to see them. */
export const companiesOf = (database: Database, operator_id: number): Promise<number[]> =>
  database.systemTransaction('a signed link has no person', async db =>
    (await db.selectFrom('companies').select('id').where('operator_id', '=', operator_id).execute()).map(one => one.id),
  )
