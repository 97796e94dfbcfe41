/** Shortens the walks of a list in the background: unclaimed wagons exchange orders, within ten seconds. */
import { sql } from 'kysely'
import { listCode } from '#domain/codes.ts'
import { elementAt, valueAt } from '#domain/objects.ts'
import { doJob, newJob } from '#features/company/jobs/jobs.queries.ts'
import { resultMap } from '#features/warehouse/map-results/measured-maps.queries.ts'
import { reserveCodes } from '#features/warehouse/paperless/bind-codes.commands.ts'
import { freeKept } from '#features/warehouse/paperless/release-codes.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { secondsOf } from './pick-lists.rules.ts'
import { WagonShape, Wave } from './pick-lists.schemas.ts'
import { improve } from './plan.server.ts'
import {
  betweenOf,
  type Placing,
  type Plan,
  type PlanInput,
  placing,
  type RoutedWagon,
  slotsFor,
  stopOf,
  urgencyOf,
  walked,
} from './planning.rules.ts'
import { codesOf } from './wagon-views.queries.ts'

const task = 'pick_lists.improve'
/** Milliseconds for all of it, and for each wagon: what is not found by then is not worth waiting for, least of all by who prints the list. */
const most_ms = 9_000
const wagon_ms = 60

/** Queues the improvement of a list; answers its job. */
export async function queueImprovement(
  { db, principal, enqueue }: Pick<Context, 'db' | 'principal' | 'enqueue'>,
  pick_list_id: number,
): Promise<number> {
  const job_id = await newJob(db, { kind: task, title: listCode('PL', pick_list_id), total: 100, created_by: principal.id })
  await db.updateTable('pick_lists').set({ job_id }).where('id', '=', pick_list_id).execute()
  await enqueue(task, { job_id, pick_list_id }, { key: `${task}:${pick_list_id}` })
  return job_id
}

interface MovableLine {
  id: number
  wagon_no: number
  slot_no: number
  order_id: number
  sku: string | null
  bin: string | null
  cell: number | null
  walk_no: number
  asked: number
}
interface MovableSlot {
  wagon_no: number
  slot_no: number
  order_id: number
  company_id: number
  weight_g: number
  volume_ml: number
}
interface Movable {
  wagons: { wagon_no: number; version: number }[]
  slots: MovableSlot[]
  lines: MovableLine[]
  place: Placing
  input: PlanInput
  plan: Plan
}

const improving: Tasks[typeof task] = async ({ job_id, pick_list_id }, context) =>
  doJob(context, job_id, async progress => {
    const began = Date.now()
    const movable = await context.transaction(inside => movableOf(inside, pick_list_id))
    if (!movable) return { saved_metres: 0 }
    const better = await improve(movable.input, movable.plan, {
      signal: context.signal,
      limit_ms: Math.max(300, Math.min(most_ms, wagon_ms * movable.wagons.length) - (Date.now() - began)),
      onProgress: share => progress(Math.round(share * 95), 100),
    })
    const saved_dm = isBetter(movable, better) ? await context.transaction(inside => applyBetter(inside, pick_list_id, movable, better)) : 0
    await progress(100, 100)
    return { saved_metres: movable.input.ways.table ? Math.round(saved_dm / 10) : null }
  })

export const pickListTasks: Pick<Tasks, typeof task> = { [task]: improving }

/** Wagons of a list that may change orders: open, whole, and without a tote that carries an order already. */
async function movableOf({ db, services }: Pick<Context, 'db' | 'services'>, pick_list_id: number): Promise<Movable | null> {
  const list = await db
    .selectFrom('pick_lists')
    .select(['type', 'state', 'wave', 'wagon_type', 'map_result_id'])
    .where('id', '=', pick_list_id)
    .executeTakeFirst()
  if (!list || list.type === 'order' || (list.state !== 'open' && list.state !== 'picking')) return null
  const wagons = await openWagons(db, pick_list_id)
  if (wagons.length === 0) return null
  const numbers = wagons.map(wagon => wagon.wagon_no)
  const slots = await movableSlots(db, pick_list_id, numbers)
  const lines = await db
    .selectFrom('pick_lines')
    .select(['id', 'wagon_no', 'slot_no', 'order_id', 'sku', 'bin', 'cell', 'walk_no', 'asked'])
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', sql<number>`any(${numbers}::integer[])`)
    .orderBy('wagon_no')
    .orderBy('walk_no')
    .execute()
  const map = list.map_result_id === null ? null : await resultMap(db, services, list.map_result_id)
  const place = placing(lines, map && { between: (from, to) => map.distances.between(from, to), start: map.start, end: map.end })
  const ofOrder = Map.groupBy(lines, line => line.order_id)
  const wave = Wave.partial().catch({}).parse(list.wave)
  const input: PlanInput = {
    orders: slots.map(slot => ({
      id: slot.order_id,
      stops: [...new Set((ofOrder.get(slot.order_id) ?? []).flatMap(line => place.placeOf(line) ?? []))],
      weight_g: slot.weight_g,
      volume_ml: slot.volume_ml,
      heaviest_g: slot.heaviest_g,
      pinned: slot.pinned,
      deadline: urgencyOf(slot.ship_by),
    })),
    wagon: slotsFor(list.type, WagonShape.parse(list.wagon_type), wave.singles_per_wagon ?? 50),
    ways: place.ways,
    seed: pick_list_id,
    most_wagons: null,
  }
  const between = betweenOf(place.ways)
  const plan: Plan = {
    left: [],
    wagons: numbers.map(wagon_no => {
      const tour = [...new Set(lines.filter(line => line.wagon_no === wagon_no).flatMap(line => place.placeOf(line) ?? []))]
      return {
        orders: slots.filter(slot => slot.wagon_no === wagon_no).map(slot => ({ id: slot.order_id, slot: slot.slot_no - 1 })),
        tour,
        length: lengthOf(tour, between, place.ways),
      }
    }),
  }
  return { wagons, slots, lines, place, input, plan }
}

const lengthOf = (tour: readonly number[], between: (from: number, to: number) => number, { start, end }: Placing['ways']): number => {
  const way = [start, ...tour, end]
  return way.slice(1).reduce((sum, to, i) => sum + between(elementAt(way, i), to), 0)
}

/** Measured again, not believed: the same orders on no more wagons, and together a shorter walk. */
function isBetter({ plan, input }: Movable, better: Plan): boolean {
  const ids = (one: Plan) =>
    one.wagons
      .flatMap(wagon => wagon.orders.map(order => order.id))
      .sort((a, b) => a - b)
      .join()
  const between = betweenOf(input.ways)
  const walk = (one: Plan) => one.wagons.reduce((sum, wagon) => sum + lengthOf(wagon.tour, between, input.ways), 0)
  return better.wagons.length <= plan.wagons.length && ids(plan) === ids(better) && walk(better) < walk(plan)
}

async function openWagons(db: Db, pick_list_id: number): Promise<{ wagon_no: number; version: number }[]> {
  return db
    .selectFrom('pick_wagons as w')
    .select(['w.wagon_no', 'w.version'])
    .where('w.pick_list_id', '=', pick_list_id)
    .where('w.state', '=', 'open')
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('pick_slots as s')
            .select('s.slot_no')
            .whereRef('s.pick_list_id', '=', 'w.pick_list_id')
            .whereRef('s.wagon_no', '=', 'w.wagon_no')
            .where(of => of.or([of('s.live', '=', false), of('s.state', '<>', 'open')])),
        ),
      ),
    )
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('paperless_codes as c')
            .select('c.id')
            .whereRef('c.pick_list_id', '=', 'w.pick_list_id')
            .whereRef('c.wagon_no', '=', 'w.wagon_no')
            .where('c.order_id', 'is not', null),
        ),
      ),
    )
    .orderBy('w.wagon_no')
    .execute()
}

const movableSlots = (db: Db, pick_list_id: number, wagons: readonly number[]) =>
  db
    .selectFrom('pick_slots as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select(['s.wagon_no', 's.slot_no', 's.order_id', 's.company_id', 's.weight_g', 's.volume_ml', 'o.ship_by'])
    .select(eb => [
      eb('o.pinned_at', 'is not', null).$castTo<boolean>().as('pinned'),
      sql<number>`coalesce((select max(coalesce(l.weight_g, 0)) from pick_lines p join order_lines l on l.operator_id = p.operator_id and l.id = p.order_line_id
        where p.operator_id = current_operator_id() and p.company_id = any(current_company_ids()) and p.pick_list_id = s.pick_list_id and p.order_id = s.order_id), 0)`.as(
        'heaviest_g',
      ),
    ])
    .where('s.pick_list_id', '=', pick_list_id)
    .where('s.wagon_no', '=', sql<number>`any(${wagons}::integer[])`)
    .orderBy('s.wagon_no')
    .orderBy('s.slot_no')
    .execute()

/** Stores the better plan unless one of its wagons has changed meanwhile. Answers the decimetres saved. */
async function applyBetter(
  context: Context,
  pick_list_id: number,
  { wagons, slots, lines, place }: Movable,
  better: Plan,
): Promise<number> {
  const { db, recordEvent, notify } = context
  const now = better.wagons.map((wagon, i) => rearranged(elementAt(wagons, i).wagon_no, wagon, slots, lines, place))
  const before = wagons.map(({ wagon_no }) => ({
    wagon_no,
    slots: slots.filter(slot => slot.wagon_no === wagon_no),
    lines: lines.filter(line => line.wagon_no === wagon_no),
  }))
  const touched = before.filter(was => said(was) !== said(now.find(one => one.wagon_no === was.wagon_no) ?? { slots: [], lines: [] }))
  if (touched.length === 0) return 0
  const numbers = touched.map(one => one.wagon_no)
  const moved = touched.flatMap(one => one.slots)
  // Lock orders before wagons, as all callers do: a concurrent cancellation finishes first and is then seen.
  await sql`select id from orders where operator_id = current_operator_id() and company_id = any(current_company_ids())
    and id = any(${moved.map(slot => slot.order_id)}::bigint[]) order by id for no key update`.execute(db)
  const taken = await db
    .selectFrom('pick_wagons')
    .select(['wagon_no', 'version', 'state', 'walk_dm'])
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', sql<number>`any(${numbers}::integer[])`)
    .orderBy('wagon_no')
    .forUpdate()
    .execute()
  const same =
    taken.length === numbers.length &&
    taken.every(one => one.state === 'open' && one.version === wagons.find(w => w.wagon_no === one.wagon_no)?.version)
  if (!same || !(await sameSlots(db, pick_list_id, numbers, moved))) return 0
  const placed = now.filter(one => numbers.includes(one.wagon_no))
  const coded = (await codesOf(db, pick_list_id)).some(code => code.wagon_no !== null && numbers.includes(code.wagon_no))
  if (coded) await freeKept(context, pick_list_id, numbers)
  await db
    .deleteFrom('pick_slots')
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', sql<number>`any(${numbers}::integer[])`)
    .execute()
  const stand = placed.flatMap(one => one.slots)
  await sql`
    insert into pick_slots (pick_list_id, company_id, wagon_no, slot_no, order_id, weight_g, volume_ml)
    select ${pick_list_id}, * from unnest(${stand.map(one => one.company_id)}::bigint[], ${stand.map(one => one.wagon_no)}::integer[], ${stand.map(one => one.slot_no)}::integer[],
      ${stand.map(one => one.order_id)}::bigint[], ${stand.map(one => one.weight_g)}::integer[], ${stand.map(one => one.volume_ml)}::integer[])`.execute(
    db,
  )
  const walk = placed.flatMap(one => one.lines)
  await sql`
    update pick_lines l set wagon_no = n.wagon_no, slot_no = n.slot_no, walk_no = n.walk_no
    from unnest(${walk.map(one => one.id)}::bigint[], ${walk.map(one => one.wagon_no)}::integer[], ${walk.map(one => one.slot_no)}::integer[], ${walk.map(one => one.walk_no)}::integer[])
      as n(id, wagon_no, slot_no, walk_no)
    where l.operator_id = current_operator_id() and l.company_id = any(current_company_ids()) and l.id = n.id`.execute(db)
  const map = place.ways.table !== null
  for (const one of placed) {
    const walk_dm = map ? Math.round(one.length) : null
    await db
      .updateTable('pick_wagons')
      .set(eb => ({ walk_dm, estimated_s: secondsOf({ walk_dm, stops: one.stops, pieces: one.pieces }), version: eb('version', '+', 1) }))
      .where('pick_list_id', '=', pick_list_id)
      .where('wagon_no', '=', one.wagon_no)
      .execute()
  }
  const emptied = numbers.filter(wagon_no => !placed.some(one => one.wagon_no === wagon_no))
  if (emptied.length > 0)
    await db
      .deleteFrom('pick_wagons')
      .where('pick_list_id', '=', pick_list_id)
      .where('wagon_no', '=', sql<number>`any(${emptied}::integer[])`)
      .execute()
  if (coded)
    await reserveCodes(context, {
      pick_list_id,
      slots: stand.map(({ wagon_no, slot_no, order_id, company_id }) => ({
        wagon_no,
        slot_no,
        order_id,
        company_id,
        bind: 'first_scan' as const,
      })),
    })
  const stopsBefore = touched.reduce((sum, one) => sum + new Set(one.lines.map(stopOf)).size, 0)
  const stopsNow = placed.reduce((sum, one) => sum + one.stops, 0)
  await sql`
    update pick_lists p set walk_dm = w.walk_dm, estimated_s = w.estimated_s, stop_count = p.stop_count + ${stopsNow - stopsBefore}, version = p.version + 1
    from (select sum(walk_dm) walk_dm, sum(estimated_s) estimated_s from pick_wagons where operator_id = current_operator_id() and pick_list_id = ${pick_list_id}) w
    where p.operator_id = current_operator_id() and p.id = ${pick_list_id}`.execute(db)
  const saved = map
    ? taken.reduce((sum, one) => sum + (one.walk_dm ?? 0), 0) - placed.reduce((sum, one) => sum + Math.round(one.length), 0)
    : 0
  await recordEvent({
    kind: 'pick_list.improved',
    subject: 'pick_list',
    subject_id: pick_list_id,
    data: { saved_dm: saved, wagons: numbers.length },
  })
  notify('pick_list', pick_list_id)
  return saved
}

interface Rearranged {
  wagon_no: number
  slots: MovableSlot[]
  lines: MovableLine[]
  length: number
  stops: number
  pieces: number
}

function rearranged(
  wagon_no: number,
  wagon: RoutedWagon,
  slots: readonly MovableSlot[],
  lines: readonly MovableLine[],
  place: Placing,
): Rearranged {
  const to = new Map(wagon.orders.map(({ id, slot }) => [id, slot + 1]))
  const on = slots.flatMap(slot => (to.has(slot.order_id) ? [{ ...slot, wagon_no, slot_no: valueAt(to, slot.order_id) }] : []))
  const its = lines.flatMap(line => (to.has(line.order_id) ? [{ ...line, wagon_no, slot_no: valueAt(to, line.order_id) }] : []))
  const inOrder = walked(its, wagon.tour, place)
  return {
    wagon_no,
    slots: on.sort((a, b) => a.slot_no - b.slot_no),
    lines: inOrder,
    length: wagon.length,
    stops: new Set(inOrder.map(stopOf)).size,
    pieces: inOrder.reduce((sum, line) => sum + line.asked, 0),
  }
}

const said = ({ slots, lines }: Pick<Rearranged, 'slots' | 'lines'>): string =>
  `${slots.map(slot => `${slot.slot_no}:${slot.order_id}`).join(' ')} | ${lines.map(line => line.id).join(' ')}`

async function sameSlots(db: Db, pick_list_id: number, wagons: readonly number[], slots: readonly MovableSlot[]): Promise<boolean> {
  const rows = await db
    .selectFrom('pick_slots')
    .select(['order_id', 'state', 'live'])
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', sql<number>`any(${wagons}::integer[])`)
    .execute()
  const ids = new Set(slots.map(slot => slot.order_id))
  return rows.length === ids.size && rows.every(row => row.live && row.state === 'open' && ids.has(row.order_id))
}

/** Paper must not show what is about to change: waits until the improvement of this list has ended, eleven seconds at most. */
export async function improvementEnded({ transaction, signal }: ExternalContext, pick_list_id: number): Promise<void> {
  for (let waited = 0; waited < 12_000 && !signal.aborted; waited += 250) {
    const running = await transaction(({ db }) =>
      db
        .selectFrom('pick_lists as p')
        .innerJoin('jobs as j', 'j.id', 'p.job_id')
        .select('j.id')
        .where('p.id', '=', pick_list_id)
        .where('j.state', 'in', ['queued', 'running'])
        .where('j.created_at', '>', sql<string>`now() - interval '15 seconds'`)
        .executeTakeFirst(),
    )
    if (!running) return
    await new Promise(resolve => setTimeout(resolve, 250))
  }
}
