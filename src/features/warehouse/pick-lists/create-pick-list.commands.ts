/** Making pick lists, and making them better, in the database: many rows in few statements. */
import { sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import { valueAt } from '#domain/objects.ts'
import { startPicking } from '#features/orders/orders/order-state.commands.ts'
import { activeMap } from '#features/warehouse/map-results/measured-maps.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { blockedBins, candidatesOf, companiesOf, linesOf, takeOrders } from './order-selection.queries.ts'
import {
  type Candidate,
  type Eligible,
  type Excluded,
  exclude,
  leftOutOf,
  sift,
  type WaveLine,
  worthReading,
} from './order-selection.rules.ts'
import { metresOf, minutesOf } from './pick-lists.rules.ts'
import type { NewPickList, PickPreview, WagonShape, Wave } from './pick-lists.schemas.ts'
import { fill } from './plan.server.ts'
import { type Plan, type PlannedWagon, placing, plannedWagon, routed, shipByOf, slotsFor } from './planning.rules.ts'
import { shapeFor } from './wagon-types.queries.ts'

export interface PlannedList {
  wagons: PlannedWagon[]
  excluded: Excluded[]
  companies: Awaited<ReturnType<typeof companiesOf>>
  shape: WagonShape
  map_result_id: number | null
  seed: number
}

type Asking = Pick<Context, 'db' | 'scope' | 'services' | 'now' | 'signal'>

/** Everything that a wave is planned by, read once. */
interface Ground {
  candidates: Candidate[]
  lines: WaveLine[]
  blocked: Awaited<ReturnType<typeof blockedBins>>
  companies: PlannedList['companies']
  map: Awaited<ReturnType<typeof activeMap>>
  shape: WagonShape
}

async function groundOf({ db, scope, services, now }: Asking, wave: Wave): Promise<Ground> {
  const candidates = await candidatesOf(db, scope, wave)
  return {
    candidates,
    lines: await linesOf(db, scope, worthReading(wave, candidates, now())),
    blocked: await blockedBins(db),
    companies: await companiesOf(db),
    map: await activeMap(db, services),
    shape: await shapeFor(db, wave.wagon_type_id),
  }
}

async function planOf(
  { now, signal }: Pick<Asking, 'now' | 'signal'>,
  wave: Wave,
  ground: Ground,
  seed: number,
  busy: ReadonlySet<number>,
): Promise<PlannedList> {
  const { candidates, lines, blocked, companies, map, shape } = ground
  const { eligible, excluded } = sift(wave, candidates, lines, {
    now: now(),
    blocked,
    companies,
    busy,
    cellOfBin: map ? bin => map.cellOfBin(bin) : null,
  })
  const place = placing(
    eligible.flatMap(order => order.lines),
    map && { between: (from, to) => map.distances.between(from, to), start: map.start, end: map.end },
  )
  const plan = await fill(
    {
      orders: eligible.map(order => routed(order, place.placeOf)),
      wagon: slotsFor(wave.type, shape, wave.singles_per_wagon),
      ways: place.ways,
      seed,
      most_wagons: wave.type === 'order' ? 1 : wave.most_wagons,
    },
    signal,
  )
  const byId = new Map(eligible.map(order => [order.id, order]))
  for (const { id, reason } of plan.left) excluded.push(leftBehind(valueAt(byId, id), reason))
  const wagons = plan.wagons.map((wagon, i) => plannedWagon(i + 1, wagon, byId, place))
  return { wagons, excluded, companies, shape, map_result_id: map?.result_id ?? null, seed }
}

const leftBehind = (order: Eligible, reason: Plan['left'][number]['reason']): Excluded =>
  exclude(
    order,
    reason,
    reason === 'too_heavy'
      ? { kilograms: Math.round(order.weight_g / 100) / 10 }
      : reason === 'too_large'
        ? { litres: Math.round(order.volume_ml / 100) / 10 }
        : {},
  )

/** What a list of this wave would be. Takes nothing and changes nothing. */
export async function previewOf(asking: Asking, wave: Wave): Promise<PickPreview> {
  const plan = await planOf(asking, wave, await groundOf(asking, wave), 1, new Set())
  return asPreview(plan)
}

function asPreview({ wagons, excluded, companies, shape, map_result_id }: PlannedList): PickPreview {
  const sum = (of: (wagon: PlannedWagon) => number) => wagons.reduce((all, wagon) => all + of(wagon), 0)
  return {
    orders: sum(wagon => wagon.orders.length),
    lines: sum(wagon => wagon.lines.length),
    pieces: sum(wagon => wagon.pieces),
    stops: sum(wagon => wagon.stops),
    metres: map_result_id === null ? null : metresOf(sum(wagon => wagon.walk_dm ?? 0)),
    minutes: minutesOf(sum(wagon => wagon.estimated_s)),
    wagons: wagons.map(wagon => ({
      wagon_no: wagon.wagon_no,
      orders: wagon.orders.length,
      lines: wagon.lines.length,
      pieces: wagon.pieces,
      stops: wagon.stops,
      metres: metresOf(wagon.walk_dm),
      minutes: minutesOf(wagon.estimated_s),
      weight_g: wagon.weight_g,
      ship_by: shipByOf(wagon),
    })),
    ...leftOutOf(excluded, companies),
    wagon_type: shape,
    map_result_id,
  }
}

/** Somebody else may take the same orders at the same moment: then it is planned anew without those, so often. */
const tries = 30

/**
 * Plans a wave and takes its orders: rows are locked with skip locked, so no caller waits and no order is taken twice.
 * @throws {Refusal} 409 when nothing is left to put on a list
 */
export async function takeWave(asking: Asking, wave: NewPickList): Promise<PlannedList> {
  const seed = wave.seed ?? Math.trunc(Math.random() * 2_147_483_647)
  const ground = await groundOf(asking, wave)
  const busy = new Set<number>()
  for (let attempt = 1; ; attempt++) {
    const plan = await planOf(asking, wave, ground, seed, busy)
    const wanted = plan.wagons.flatMap(wagon => wagon.orders.map(({ order }) => order))
    if (wanted.length === 0) throw conflict('no_order_for_pick_list', 'No order can go on a list now', {}, { current: asPreview(plan) })
    const taken = await takeOrders(asking.db, wanted)
    const lost = wanted.filter(order => !taken.has(order.id))
    if (lost.length === 0) return plan
    if (attempt === tries) throw conflict('busy', 'Someone else is changing this right now. Try again.')
    for (const order of lost) busy.add(order.id)
  }
}

/** Writes the planned list down and takes its orders along. Answers its id. */
export async function writeList(context: Context, { wagons, shape, map_result_id }: PlannedList, wave: NewPickList): Promise<number> {
  const { db, principal, recordEvent, notify } = context
  const slots = wagons.flatMap(wagon => wagon.orders.map(({ order, slot_no }) => ({ wagon_no: wagon.wagon_no, slot_no, order })))
  const lines = wagons.flatMap(wagon => wagon.lines.map(line => ({ ...line, wagon_no: wagon.wagon_no })))
  const walk_dm = map_result_id === null ? null : wagons.reduce((sum, wagon) => sum + (wagon.walk_dm ?? 0), 0)
  const { id } = await db
    .insertInto('pick_lists')
    .values({
      type: wave.type,
      wave: JSON.stringify(wave),
      wagon_type: JSON.stringify(shape),
      map_result_id,
      order_count: slots.length,
      line_count: lines.length,
      piece_count: wagons.reduce((sum, wagon) => sum + wagon.pieces, 0),
      stop_count: wagons.reduce((sum, wagon) => sum + wagon.stops, 0),
      walk_dm,
      first_walk_dm: walk_dm,
      estimated_s: wagons.reduce((sum, wagon) => sum + wagon.estimated_s, 0),
      created_by: principal.id || null,
      created_by_name: principal.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into pick_wagons (pick_list_id, wagon_no, walk_dm, estimated_s)
    select ${id}, * from unnest(${wagons.map(one => one.wagon_no)}::integer[], ${wagons.map(one => one.walk_dm)}::integer[], ${wagons.map(one => one.estimated_s)}::integer[])`.execute(
    db,
  )
  await writeSlots(
    db,
    id,
    slots.map(({ order, ...slot }) => ({
      ...slot,
      order_id: order.id,
      company_id: order.company_id,
      weight_g: order.weight_g,
      volume_ml: Math.round(order.volume_ml),
    })),
  )
  await sql`
    insert into pick_lines (pick_list_id, company_id, wagon_no, slot_no, order_id, order_line_id, product_id, sku, name, variant, bin, walk_no, cell, asked)
    select ${id}, * from unnest(${lines.map(one => one.company_id)}::bigint[], ${lines.map(one => one.wagon_no)}::integer[], ${lines.map(one => one.slot_no)}::integer[],
      ${lines.map(one => one.order_id)}::bigint[], ${lines.map(one => one.id)}::bigint[], ${lines.map(one => one.product_id)}::bigint[], ${lines.map(one => one.sku)}::text[],
      ${lines.map(one => one.name)}::text[], ${lines.map(one => one.variant)}::text[], ${lines.map(one => one.bin)}::text[], ${lines.map(one => one.walk_no)}::integer[],
      ${lines.map(one => one.cell)}::integer[], ${lines.map(one => one.asked)}::integer[])`.execute(db)
  const moved = await startPicking(
    context,
    slots.map(({ order, wagon_no, slot_no }) => ({ order_id: order.id, list: id, wagon: wagon_no, slot: slot_no })),
  )
  if (moved.length !== slots.length) throw conflict('busy', 'Someone else is changing this right now. Try again.')
  await recordEvent({
    kind: 'pick_list.created',
    subject: 'pick_list',
    subject_id: id,
    data: { type: wave.type, orders: slots.length, wagons: wagons.length },
  })
  notify('pick_list', id)
  return id
}

interface NewSlot {
  wagon_no: number
  slot_no: number
  order_id: number
  company_id: number
  weight_g: number
  volume_ml: number
}

async function writeSlots(db: Db, id: number, slots: readonly NewSlot[]): Promise<void> {
  await sql`
    insert into pick_slots (pick_list_id, company_id, wagon_no, slot_no, order_id, weight_g, volume_ml)
    select ${id}, * from unnest(${slots.map(one => one.company_id)}::bigint[], ${slots.map(one => one.wagon_no)}::integer[], ${slots.map(one => one.slot_no)}::integer[],
      ${slots.map(one => one.order_id)}::bigint[], ${slots.map(one => one.weight_g)}::integer[], ${slots.map(one => one.volume_ml)}::integer[])`.execute(
    db,
  )
}
