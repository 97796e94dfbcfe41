/** Warehouse maps in the database, and the decoded distances of those that are walked by, kept at hand. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { conflict, found } from '#contract/errors.ts'
import { offsetOf, type Page } from '#contract/page.ts'
import { counted } from '#server/counted.ts'
import type { Database, Db } from '#server/database.ts'
import type { House } from '#server/serve.ts'
import { binKey } from './bins.rules.ts'
import { Drawing } from './drawing.contract.ts'
import { routingText } from './drawing.rules.ts'
import type { SlottedProduct } from './slotting.rules.ts'
import { type ActiveMap, type MeasuredMap, type PastWalk, walkable } from './walks.rules.ts'
import {
  type Finding,
  type HotSpot,
  listedFindings,
  type MapResult,
  type MapRow,
  Quality,
  type ResultRow,
  type WarehouseMap,
} from './warehouse-maps.contract.ts'

export type { ActiveMap } from './walks.rules.ts'

/** The map by which new lists are walked, or null where none is active. */
export async function activeMap(db: Db, house: Pick<House, 'files'>): Promise<ActiveMap | null> {
  const row = await db.selectFrom('warehouse_map_results').select('id').where('state', '=', 'active').executeTakeFirst()
  return row ? resultMap(db, house, row.id) : null
}

/** The map of one result, whatever became of it since: old lists keep theirs. Null where it does not exist or was never measured. */
export async function resultMap(db: Db, house: Pick<House, 'files'>, result_id: number): Promise<ActiveMap | null> {
  // Asked every time: the wall decides who may see it, memory only spares reading and decoding.
  const row = await measuredRow(db, result_id)
  if (!row) return null
  const known = kept.get(result_id)
  if (known) {
    kept.delete(result_id)
    kept.set(result_id, known)
    return known.map
  }
  const measured = await measuredMap(db, house, result_id)
  if (!measured) return null
  const map = walkable(measured)
  keep(result_id, map, measured.bytes.length)
  return map
}

const measuredRow = (db: Db, result_id: number) =>
  db
    .selectFrom('warehouse_map_results as r')
    .innerJoin('files as f', join => join.onRef('f.id', '=', 'r.file_id').onRef('f.operator_id', '=', 'r.operator_id'))
    .select(['r.operator_id', 'r.map_id', 'f.sha256'])
    .where('r.id', '=', result_id)
    .where('r.state', 'in', ['ready', 'active', 'superseded'])
    .executeTakeFirst()

/** The same as stored, for a thread that decodes it itself. */
export async function measuredMap(db: Db, house: Pick<House, 'files'>, result_id: number): Promise<MeasuredMap | null> {
  const row = await measuredRow(db, result_id)
  if (!row) return null
  const { drawing } = await db.selectFrom('warehouse_map_results').select('drawing').where('id', '=', result_id).executeTakeFirstOrThrow()
  return { result_id, map_id: row.map_id, drawing: Drawing.parse(drawing), bytes: await house.files.get(row.operator_id, row.sha256) }
}

/** Least recently used first. Ids are deployment-wide, so one memory serves all operators; every use asks the wall first. */
const kept = new Map<number, { map: ActiveMap; bytes: number }>()
const mostKept = 8
const mostBytes = 268_435_456

function keep(result_id: number, map: ActiveMap, bytes: number): void {
  kept.set(result_id, { map, bytes })
  let sum = [...kept.values()].reduce((all, one) => all + one.bytes, 0)
  for (const [id, one] of kept) {
    if (kept.size === 1 || (kept.size <= mostKept && sum <= mostBytes)) break
    kept.delete(id)
    sum -= one.bytes
  }
}

// ——— Maps

/** SHA-256 of what routes depend on, in hexadecimal. */
export const hashOf = (drawing: Drawing): string => createHash('sha256').update(routingText(drawing)).digest('hex')

const containing = (text: string): string => `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`

const mapsOf = (db: Db) =>
  db
    .selectFrom('warehouse_maps as m')
    .select(['m.id as map_id', 'm.title', 'm.version', 'm.hash', 'm.created_by', 'm.created_at', 'm.updated_at'])
    .select(eb => [
      sql<number>`coalesce((m.drawing->>'width')::int, 0)`.as('width'),
      sql<number>`coalesce((m.drawing->>'height')::int, 0)`.as('height'),
      sql<number>`coalesce((m.drawing->>'cell_mm')::int, 0)`.as('cell_mm'),
      sql<number>`coalesce(jsonb_array_length(m.drawing->'locations'), 0)`.as('location_count'),
      eb.fn
        .coalesce(
          eb
            .selectFrom('warehouse_map_results as r')
            .select(c => c.fn.countAll<number>().as('n'))
            .whereRef('r.map_id', '=', 'm.id'),
          eb.lit(0),
        )
        .as('result_count'),
      eb
        .selectFrom('warehouse_map_results as a')
        .select('a.id')
        .whereRef('a.map_id', '=', 'm.id')
        .where('a.state', '=', 'active')
        .as('active_result_id'),
    ])

export async function searchedMaps(db: Db, query: { query: string; page: number; limit: number }): Promise<Page<MapRow>> {
  const narrowed = query.query.trim() ? mapsOf(db).where('m.title', 'ilike', containing(query.query)) : mapsOf(db)
  const rows = await narrowed.orderBy('m.updated_at', 'desc').orderBy('m.id', 'desc').limit(query.limit).offset(offsetOf(query)).execute()
  return { rows, ...(await counted(db, narrowed.clearSelect())), offset: offsetOf(query), limit: query.limit }
}

export async function mapById(db: Db, id: number): Promise<WarehouseMap> {
  const row = found(await mapsOf(db).select('m.drawing').where('m.id', '=', id).executeTakeFirst(), 'This map does not exist')
  return { ...row, drawing: Drawing.parse(row.drawing) }
}

const titleTaken = async (db: Db, title: string, id = 0): Promise<boolean> =>
  (await db
    .selectFrom('warehouse_maps')
    .select('id')
    .where(sql<string>`lower(title)`, '=', title.toLowerCase())
    .where('id', '<>', id)
    .executeTakeFirst()) !== undefined

async function mustBeFree(db: Db, title: string, id?: number): Promise<void> {
  if (await titleTaken(db, title, id))
    throw conflict('There is a map with this title already', {}, { fields: { title: 'There is a map with this title already' } })
}

export async function insertMap(db: Db, map: { title: string; drawing: Drawing; created_by: string; at: Date }): Promise<number> {
  await mustBeFree(db, map.title)
  const { id } = await db
    .insertInto('warehouse_maps')
    .values({
      title: map.title,
      drawing: JSON.stringify(map.drawing),
      hash: hashOf(map.drawing),
      created_by: map.created_by,
      created_at: map.at.toISOString(),
      updated_at: map.at.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** False when it is no longer of that version. */
export async function changeMap(db: Db, id: number, map: { version: number; title: string; drawing: Drawing; at: Date }): Promise<boolean> {
  await mustBeFree(db, map.title, id)
  const changed = await db
    .updateTable('warehouse_maps')
    .set({ title: map.title, drawing: JSON.stringify(map.drawing), hash: hashOf(map.drawing), updated_at: map.at.toISOString() })
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', map.version)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Holds the map against everybody else who would measure or delete it. */
export async function lockMap(db: Db, id: number): Promise<void> {
  found(await db.selectFrom('warehouse_maps').select('id').where('id', '=', id).forUpdate().executeTakeFirst(), 'This map does not exist')
}

const livingStates = ['open', 'picking', 'picked', 'packing'] as const

/** Deletes results that nothing living needs, and lets lists of the past forget by which map they were walked. */
export async function deleteResults(db: Db, by: { map_id: number } | { result_id: number }): Promise<void> {
  const column = 'map_id' in by ? 'map_id' : 'id'
  const value = 'map_id' in by ? by.map_id : by.result_id
  const doomed = await db
    .selectFrom('warehouse_map_results')
    .select(['id', 'file_id', 'state'])
    .where(column, '=', value)
    .forUpdate()
    .execute()
  const ids = doomed.map(one => one.id)
  const whole = 'map_id' in by
  if (doomed.some(one => one.state === 'active'))
    throw conflict(
      whole
        ? 'Routes are computed by this map. Set a result of another map active first.'
        : 'Routes are computed by this result. Set another one active first.',
    )
  if (doomed.some(one => one.state === 'computing'))
    throw conflict(whole ? 'This map is being measured. Stop that first.' : 'This result is being computed. Stop that first.')
  const living = await db
    .selectFrom('pick_lists')
    .select('id')
    .where('map_result_id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('state', 'in', livingStates)
    .orderBy('id')
    .executeTakeFirst()
  if (living) throw conflict('Pick list {{list}} is still walked by it', { list: living.id })
  await db.updateTable('pick_lists').set({ map_result_id: null }).where('map_result_id', '=', sql<number>`any(${ids}::bigint[])`).execute()
  await db.deleteFrom('warehouse_map_results').where('id', '=', sql<number>`any(${ids}::bigint[])`).execute()
  await db
    .deleteFrom('files')
    .where('id', '=', sql<number>`any(${doomed.flatMap(one => one.file_id ?? [])}::bigint[])`)
    .execute()
}

export async function deleteMap(db: Db, id: number): Promise<void> {
  await db.deleteFrom('warehouse_maps').where('id', '=', id).execute()
}

// ——— Results

const resultsOf = (db: Db) =>
  db
    .selectFrom('warehouse_map_results as r')
    .innerJoin('warehouse_maps as m', 'm.id', 'r.map_id')
    .leftJoin('jobs as j', 'j.id', 'r.job_id')
    .leftJoin('files as f', 'f.id', 'r.file_id')
    .select([
      'r.id as result_id',
      'r.map_id',
      'm.title as map_title',
      'r.title',
      'r.state',
      'r.map_hash',
      'r.cells',
      'r.quality',
      'r.error',
      'r.job_id',
      'r.created_by',
      'r.created_at',
      'r.activated_at',
      'f.bytes',
      'j.done as job_done',
      'j.total as job_total',
    ])
    .select(eb => [
      eb('r.map_hash', '<>', eb.ref('m.hash')).as('outdated'),
      sql<number>`coalesce(jsonb_array_length(r.drawing->'locations'), 0)`.as('location_count'),
      eb.fn
        .coalesce(
          eb
            .selectFrom('pick_lists as p')
            .select(c => c.fn.countAll<number>().as('n'))
            .whereRef('p.map_result_id', '=', 'r.id')
            .where('p.state', 'in', livingStates),
          eb.lit(0),
        )
        .as('living_lists'),
    ])

const withQuality = <T extends { quality: unknown; outdated: unknown }>(row: T) => ({
  ...row,
  outdated: row.outdated === true,
  quality: Quality.safeParse(row.quality).data ?? null,
})

export async function searchedResults(
  db: Db,
  query: { query: string; map_id?: number | undefined; page: number; limit: number },
): Promise<Page<ResultRow>> {
  let narrowed = resultsOf(db)
  if (query.map_id !== undefined) narrowed = narrowed.where('r.map_id', '=', query.map_id)
  const text = query.query.trim() && containing(query.query)
  if (text) narrowed = narrowed.where(eb => eb.or([eb('r.title', 'ilike', text), eb('m.title', 'ilike', text)]))
  const rows = await narrowed.orderBy('r.id', 'desc').limit(query.limit).offset(offsetOf(query)).execute()
  return { rows: rows.map(withQuality), ...(await counted(db, narrowed.clearSelect())), offset: offsetOf(query), limit: query.limit }
}

const noResult = 'This result does not exist'

export const resultRow = async (db: Db, id: number): Promise<ResultRow> =>
  withQuality(found(await resultsOf(db).where('r.id', '=', id).executeTakeFirst(), noResult))

export async function resultById(db: Db, id: number): Promise<MapResult> {
  const row = found(await resultsOf(db).select('r.drawing').where('r.id', '=', id).executeTakeFirst(), noResult)
  return { ...withQuality(row), drawing: Drawing.parse(row.drawing) }
}

export async function activeResult(db: Db): Promise<MapResult | null> {
  const row = await db.selectFrom('warehouse_map_results').select('id').where('state', '=', 'active').executeTakeFirst()
  return row ? resultById(db, row.id) : null
}

/** The new result, computing, of a map that is locked. */
export async function insertResult(
  db: Db,
  { map, title, job_id, created_by, at }: { map: WarehouseMap; title: string; job_id: number | null; created_by: string; at: Date },
): Promise<number> {
  const computing = await db
    .selectFrom('warehouse_map_results')
    .select('id')
    .where('map_id', '=', map.map_id)
    .where('state', '=', 'computing')
    .executeTakeFirst()
  if (computing) throw conflict('This map is being measured already')
  const { id } = await db
    .insertInto('warehouse_map_results')
    .values({
      map_id: map.map_id,
      title,
      map_hash: map.hash,
      drawing: JSON.stringify(map.drawing),
      job_id,
      created_by,
      created_at: at.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** False where it was stopped or deleted meanwhile. */
export async function finishResult(db: Db, id: number, done: { file_id: number; cells: number; quality: Quality }): Promise<boolean> {
  const row = await db
    .updateTable('warehouse_map_results')
    .set({ state: 'ready', file_id: done.file_id, cells: done.cells, quality: JSON.stringify(done.quality), error: null })
    .where('id', '=', id)
    .where('state', '=', 'computing')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Leaves a result that will never be ready as failed, and says why. */
export async function failResult(db: Db, id: number, error: string): Promise<boolean> {
  const row = await db
    .updateTable('warehouse_map_results')
    .set({ state: 'failed', error: error.slice(0, 500) })
    .where('id', '=', id)
    .where('state', '=', 'computing')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Asks a result's job to stop; one that has not begun ends at once. */
export async function stopComputing(db: Db, id: number, at: Date): Promise<{ job_id: number | null }> {
  const result = found(
    await db.selectFrom('warehouse_map_results').select(['state', 'job_id']).where('id', '=', id).forUpdate().executeTakeFirst(),
    noResult,
  )
  if (result.state !== 'computing') throw conflict('This result is not being computed any more')
  const asked = { cancel_asked_at: at.toISOString() }
  const waiting = await db
    .updateTable('jobs')
    .set({ ...asked, state: 'cancelled', finished_at: at.toISOString() })
    .where('id', '=', result.job_id)
    .where('state', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  const running =
    waiting ??
    (await db
      .updateTable('jobs')
      .set(asked)
      .where('id', '=', result.job_id)
      .where('state', '=', 'running')
      .returning('id')
      .executeTakeFirst())
  if (waiting || !running) await failResult(db, id, 'It was stopped')
  return { job_id: result.job_id }
}

/** What is walked by now steps back and this one takes its place: both, or neither. */
export async function activate(db: Db, id: number, at: Date): Promise<{ before: number | null }> {
  // All that could be active, in one order: of two who activate at once the second waits, and then sees what the first did.
  const rows = await db
    .selectFrom('warehouse_map_results')
    .select(['id', 'state'])
    .where(eb => eb.or([eb('state', 'in', ['ready', 'active', 'superseded']), eb('id', '=', id)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  const wanted = found(
    rows.find(one => one.id === id),
    noResult,
  )
  if (wanted.state === 'active') return { before: id }
  if (wanted.state === 'computing') throw conflict('This result is still being computed')
  if (wanted.state === 'failed') throw conflict('This result was never computed to its end')
  const old = await db
    .updateTable('warehouse_map_results')
    .set({ state: 'superseded' })
    .where('state', '=', 'active')
    .returning('id')
    .executeTakeFirst()
  await db.updateTable('warehouse_map_results').set({ state: 'active', activated_at: at.toISOString() }).where('id', '=', id).execute()
  return { before: old?.id ?? null }
}

/** Results whose computing died with its server, in all tenants: their job has ended, or nothing was heard for hours. */
export const failForgotten = (database: Database, before: Date): Promise<void> =>
  database.asSystem('what was forgotten may be of any tenant', async db => {
    await sql`update warehouse_map_results r set state = 'failed', error = coalesce(j.message, 'It was not computed to its end')
      from jobs j where j.operator_id = r.operator_id and j.id = r.job_id and r.state = 'computing'
        and (j.state in ('failed', 'cancelled', 'done') or coalesce(j.started_at, j.created_at) < ${before.toISOString()})`.execute(db)
  })

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
  database.asSystem('a signed link has no person', async db =>
    (await db.selectFrom('companies').select('id').where('operator_id', '=', operator_id).execute()).map(one => one.id),
  )
