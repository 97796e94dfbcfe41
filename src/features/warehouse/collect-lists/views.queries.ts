/** Reading collect lists: tiles, lists of lists, and one list with its parcels. */

import { sql } from 'kysely'
import * as z from 'zod'
import { type Page, pageOffset } from '#contract/page.ts'
import { listCode } from '#domain/codes.ts'
import { boundsOfDay } from '#domain/local-days.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { methodNames } from '#features/shipping/parcel-shops/courier-methods.queries.ts'
import { couriers } from '#integrations/couriers/couriers.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { cageColoursOf, cagesOf, cutOffOf } from './cages.queries.ts'
import { cageFor } from './collect-lists.rules.ts'
import type {
  Cage,
  CollectFilters,
  CollectList,
  CollectParcel,
  CollectRow,
  CollectState,
  OverScan,
  Overview,
  ScanResult,
  Tile,
} from './collect-lists.schemas.ts'
import { scanResults } from './collect-lists.schemas.ts'
import { cutOffs } from './cutoffs.server.ts'
import {
  nothingStands,
  parcelsOfList,
  type Standings,
  standingsOf,
  type WaitingParcel,
  waitingGroups,
  waitingParcels,
} from './parcels.queries.ts'

/** The clock by which couriers come. */
export interface Clockwork {
  time_zone: string
  /** For cages that have no time of their own: by then what was packed should have left. */
  cut_off: string
}

const columns = [
  'l.id',
  'l.agent_code',
  'l.cage_id',
  'l.cage_name',
  'l.state',
  'l.cut_off_at',
  'l.created_at',
  'l.created_by_name',
  'l.closed_at',
  'l.closed_by_name',
  'l.handed_to',
  'l.handed_over_at',
  'l.handed_over_by_name',
  'l.reopened_at',
  'l.reopen_note',
] as const

const shown = (db: Db) => db.selectFrom('collect_lists as l').select(columns)
export type ListFacts = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number]

export const isRunning = (state: CollectState): boolean => state === 'open' || state === 'scanning'

/** The list, its row taken: two who change one list do it one after the other. */
export const takeList = (db: Db, id: number): Promise<ListFacts | undefined> =>
  shown(db).where('l.id', '=', id).forNoKeyUpdate().executeTakeFirst()

const listFacts = (db: Db, id: number): Promise<ListFacts | undefined> => shown(db).where('l.id', '=', id).executeTakeFirst()

export const agentName = (agent_code: string): string => couriers.get(agent_code)?.capabilities.name ?? agent_code

function asRow(
  { cage_name, created_by_name, closed_by_name, handed_over_by_name, ...list }: ListFacts,
  { expected, scanned, missing, take_out, weight_g }: Standings,
  joining: number,
  colour: CollectRow['colour'],
): CollectRow {
  return {
    ...list,
    code: listCode('CL', list.id),
    agent: agentName(list.agent_code),
    cage: cage_name,
    colour,
    expected: expected + joining + scanned,
    scanned,
    missing,
    take_out,
    weight_g,
    created_by: created_by_name,
    closed_by: closed_by_name,
    handed_over_by: handed_over_by_name,
  }
}

/** Rows of lists with their counts: what waits in the cage of a running list counts as expected on it. */
async function rowsOf(db: Db, lists: readonly ListFacts[]): Promise<CollectRow[]> {
  const ids = lists.map(list => list.id)
  const standings = await standingsOf(db, ids)
  const colours = await cageColoursOf(
    db,
    lists.flatMap(list => list.cage_id ?? []),
  )
  const waiting = lists.some(list => isRunning(list.state)) ? await waitingByCage(db) : new Map<number, number>()
  return lists.map(list =>
    asRow(
      list,
      standings.get(list.id) ?? nothingStands(),
      isRunning(list.state) && list.cage_id !== null ? (waiting.get(list.cage_id) ?? 0) : 0,
      (list.cage_id === null ? null : colours.get(list.cage_id)) ?? null,
    ),
  )
}

async function waitingByCage(db: Db): Promise<Map<number, number>> {
  const groups = await waitingGroups(db)
  const cages = await cagesOf(
    db,
    groups.map(group => group.agent_code),
  )
  const known = new Map<number, number>()
  for (const group of groups) {
    const id = cageFor(group, cages)?.id ?? null
    if (id !== null) known.set(id, (known.get(id) ?? 0) + group.count)
  }
  return known
}

export async function listRow(db: Db, id: number): Promise<CollectRow | undefined> {
  const list = await listFacts(db, id)
  return list && (await rowsOf(db, [list]))[0]
}

/** Lists by their number, cage or driver. */
function filtered(db: Db, { query, state, courier, day }: CollectFilters, { time_zone }: Clockwork) {
  let asked = db.selectFrom('collect_lists as l')
  if (query) {
    const number = /^(?:CL)?(\d{1,15})$/i.exec(query)?.[1]
    const like = containing(query)
    asked = asked.where(eb =>
      eb.or([
        eb('l.cage_name', 'ilike', like),
        eb('l.handed_to', 'ilike', like),
        ...(number === undefined ? [] : [eb('l.id', '=', Number(number))]),
      ]),
    )
  }
  if (state) asked = asked.where('l.state', '=', state)
  if (courier) asked = asked.where('l.agent_code', '=', courier)
  if (day) {
    const { from, to } = boundsOfDay(day, time_zone)
    asked = asked.where('l.created_at', '>=', from).where('l.created_at', '<', to)
  }
  return asked
}

export async function searchLists(
  db: Db,
  filters: CollectFilters & { page: number; limit: number },
  clockwork: Clockwork,
): Promise<Page<CollectRow>> {
  const asked = filtered(db, filters, clockwork)
  const [key, direction] = filters.sort.startsWith('-') ? [filters.sort.slice(1), 'desc' as const] : [filters.sort, 'asc' as const]
  const lists = await asked
    .select(columns)
    .orderBy(`l.${key as 'id' | 'cut_off_at' | 'handed_over_at'}`, order =>
      direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast(),
    )
    .orderBy('l.id', 'desc')
    .limit(filters.limit)
    .offset(pageOffset(filters))
    .execute()
  return { rows: await rowsOf(db, lists), ...(await cappedCount(db, asked)), offset: pageOffset(filters), limit: filters.limit }
}

const agentsOf = (groups: readonly { agent_code: string }[]): string[] => groups.map(group => group.agent_code)

/** How many parcels wait for a courier in each of its cages, on the running list or on none. */
export async function countWaiting(db: Db, agent_code: string): Promise<{ cage_id: number | null; cage: string; count: number }[]> {
  const groups = await waitingGroups(db, agent_code)
  const running = await runningLists(db)
  const cages = (await cagesOf(db, [agent_code])).filter(cage => cage.agent_code === agent_code)
  const standings = await standingsOf(
    db,
    running.map(list => list.id),
  )
  const counts = new Map<Cage, number>()
  const add = (cage: Cage | undefined, n: number) => cage && counts.set(cage, (counts.get(cage) ?? 0) + n)
  for (const group of groups) add(cageFor(group, cages), group.count)
  for (const list of running)
    add(
      cages.find(cage => cage.id === list.cage_id),
      standings.get(list.id)?.expected ?? 0,
    )
  return cages
    .filter(cage => cage.id !== null || (counts.get(cage) ?? 0) > 0 || !cage.rest)
    .map(cage => ({ cage_id: cage.id, cage: cage.name, count: counts.get(cage) ?? 0 }))
}

const runningLists = (db: Db) => shown(db).where('l.state', 'in', ['open', 'scanning']).execute()

/** Every cage with what waits there. Cages that follow from nothing but themselves are left out while they are empty. */
export async function overviewOf(db: Db, { time_zone, cut_off }: Clockwork, now: Date): Promise<Overview> {
  const groups = await waitingGroups(db)
  const lists = await shown(db).where('l.state', '!=', 'handed_over').orderBy('l.id').execute()
  const unscanned = await db
    .selectFrom('shipments')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('state', '=', 'needs_attention')
    .where('error_kind', '=', 'no_scan')
    .executeTakeFirstOrThrow()
  const cages = await cagesOf(db, [...agentsOf(groups), ...agentsOf(lists)])
  const standings = await standingsOf(
    db,
    lists.map(list => list.id),
  )
  const inCage = Map.groupBy(groups, group => cageFor(group, cages))
  const tiles = cages.flatMap((cage): Tile[] => {
    const waiting = inCage.get(cage) ?? []
    const own = cage.id === null ? [] : lists.filter(list => list.cage_id === cage.id)
    if (waiting.length === 0 && own.length === 0 && (!cage.active || (cage.rest && cage.id === null))) return []
    const list = own.find(one => isRunning(one.state))
    const stands = (list && standings.get(list.id)) ?? nothingStands()
    const joining = waiting.reduce((sum, group) => sum + group.count, 0)
    const closed = own
      .filter(one => one.state === 'closed')
      .map(one => ({ ...(standings.get(one.id) ?? nothingStands()), id: one.id, cut_off_at: one.cut_off_at }))
    const own_clock = cutOffs({ cut_off: cutOffOf(cage), days: cage.days }, now, time_zone)
    const { last } = cutOffOf(cage) === null ? cutOffs({ cut_off, days: cage.days }, now, time_zone) : own_clock
    const left_behind = [...waiting, ...stands.packed]
      .filter(({ packed_at }) => packed_at !== null && last !== null && Date.parse(packed_at) < Date.parse(last))
      .reduce((sum, { count }) => sum + count, 0)
    const missed = (at: string | null) => at !== null && Date.parse(at) <= now.getTime()
    const late =
      cutOffOf(cage) !== null &&
      (left_behind > 0 ||
        closed.some(one => missed(one.cut_off_at)) ||
        (list !== undefined && stands.scanned > 0 && missed(list.cut_off_at)))
    const cut_off_at = late ? own_clock.last : own_clock.next
    return [
      {
        key: cage.id === null ? `${cage.agent_code}/${cage.name}` : String(cage.id),
        cage,
        waiting: joining + stands.expected,
        scanned: stands.scanned,
        expected: joining + stands.expected + stands.scanned,
        weight_g: waiting.reduce((sum, group) => sum + group.weight_g, 0) + stands.expected_g + stands.weight_g,
        running: list ? { id: list.id, code: listCode('CL', list.id), state: list.state, take_out: stands.take_out } : null,
        closed: closed.map(one => ({ id: one.id, code: listCode('CL', one.id), scanned: one.scanned, take_out: one.take_out })),
        cut_off_at,
        minutes: cut_off_at === null ? null : Math.floor((Date.parse(cut_off_at) - now.getTime()) / 60_000),
        late,
        left_behind,
      },
    ]
  })
  return { at: now.toISOString(), tiles, unscanned: unscanned.n }
}

/** What waits in the cage of this list and is on none: it is expected on it as long as it runs. */
export async function joiningParcels(db: Db, list: Pick<ListFacts, 'agent_code' | 'cage_id' | 'state'>): Promise<WaitingParcel[]> {
  if (!isRunning(list.state) || list.cage_id === null) return []
  const parcels = await waitingParcels(db, list.agent_code)
  const cages = await cagesOf(db, [list.agent_code])
  return parcels.filter(parcel => cageFor(parcel, cages)?.id === list.cage_id)
}

/** How many of them there are. */
export async function joiningCount(db: Db, list: Pick<ListFacts, 'agent_code' | 'cage_id' | 'state'>): Promise<number> {
  if (!isRunning(list.state) || list.cage_id === null) return 0
  const groups = await waitingGroups(db, list.agent_code)
  const cages = await cagesOf(db, [list.agent_code])
  return groups.reduce((sum, group) => sum + (cageFor(group, cages)?.id === list.cage_id ? group.count : 0), 0)
}

/** As many as anybody looks through. */
const mostOver = 500

const Answer = z.object({ text: z.string(), values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).catch({}) })

/** What was scanned here and does not belong, newest first, each code once, as it was last answered. */
async function overScans(db: Db, id: number): Promise<OverScan[]> {
  const rows = await db
    .selectFrom('collect_scans as c')
    .select(['c.id', 'c.raw', 'c.result', 'c.at', 'c.answer', 'c.shipment_id', 'c.user_name'])
    .where('c.collect_list_id', '=', id)
    .where('c.result', '!=', 'undone')
    .orderBy('c.at', 'desc')
    .limit(20 * mostOver)
    .execute()
  const seen = new Set<string>()
  return rows
    .filter(row => {
      // The last scan shows whether a parcel was accepted later or has left.
      const key = row.shipment_id === null ? `code ${row.raw}` : `parcel ${row.shipment_id}`
      if (seen.has(key)) return false
      seen.add(key)
      return row.result !== 'ok' && row.result !== 'again'
    })
    .slice(0, mostOver)
    .map(row => ({
      scan_id: row.id,
      code: row.raw,
      result: z
        .enum(scanResults)
        .catch('unknown' satisfies ScanResult)
        .parse(row.result),
      at: row.at,
      by: row.user_name ?? '',
      ...Answer.catch({ text: '', values: {} }).parse(row.answer),
    }))
}

export async function listInFull(
  db: Db,
  id: number,
  { time_zone }: Clockwork,
  { now, may_reopen }: { now: Date; may_reopen: boolean },
): Promise<CollectList | undefined> {
  const list = await listFacts(db, id)
  if (!list) return undefined
  const row = await listRow(db, id)
  const names = await methodNames(db, list.agent_code)
  const parcels = await parcelsOfList(db, id)
  const joining = await joiningParcels(db, list)
  const over = await overScans(db, id)
  const signed = await db.selectFrom('collect_lists').select('driver_signature').where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const all: CollectParcel[] = [
    ...parcels.map(({ company_id: _, ...parcel }) => parcel),
    // What was taken out and may go again waits like any other: once on the screen is enough.
    ...joining
      .filter(one => !parcels.some(parcel => parcel.shipment_id === one.shipment_id))
      .map(({ company_id: _company, agent_code: _agent, cage: _cage, ...parcel }) => parcel),
  ]
  const again = new Set(joining.map(one => one.shipment_id))
  const shownAs = all
    .filter(parcel => parcel.standing !== 'dropped')
    .map(parcel => (again.has(parcel.shipment_id) ? { ...parcel, standing: 'expected' as const, reason: null } : parcel))
    .sort((a, b) => a.shipment_id - b.shipment_id)
  const methods = [
    ...Map.groupBy(
      shownAs.filter(parcel => parcel.standing === 'scanned'),
      parcel => parcel.shipping_method,
    ),
  ].map(([method, of]) => ({
    method,
    name: names.get(method) ?? method,
    count: of.length,
    weight_g: of.reduce((sum, parcel) => sum + parcel.weight_g, 0),
  }))
  return {
    ...row,
    parcels: shownAs,
    over,
    methods,
    driver_signature: signed?.driver_signature ?? null,
    can_reopen:
      may_reopen &&
      list.cage_id !== null &&
      !isRunning(list.state) &&
      list.closed_at !== null &&
      localDay(new Date(list.closed_at), time_zone) === localDay(now, time_zone),
  }
}

/** Ids of lists that match, newest first, for the export. */
export const exportRows = async (
  db: Db,
  filters: CollectFilters,
  clockwork: Clockwork,
  before: number,
  limit: number,
): Promise<CollectRow[]> =>
  rowsOf(
    db,
    await filtered(db, filters, clockwork).select(columns).where('l.id', '<', before).orderBy('l.id', 'desc').limit(limit).execute(),
  )

/** The list that runs in the same cage, if another does. */
export const freeToReopen = (db: Db, list: Pick<ListFacts, 'id' | 'agent_code' | 'cage_id'>) =>
  db
    .selectFrom('collect_lists')
    .select('id')
    .where('agent_code', '=', list.agent_code)
    .where(sql<boolean>`cage_id is not distinct from ${list.cage_id}::bigint`)
    .where('state', 'in', ['open', 'scanning'])
    .where('id', '!=', list.id)
    .limit(1)
    .executeTakeFirst()
