/** Wagons as screens and phones see them: lines in walking order, slots with colours and codes. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { additionsToPick } from '#features/orders/additional-products/additional-products.queries.ts'
import { suggestedCrates } from '#features/shipping/crate-choice/crate-use.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { metresOf, minutesOf, placeOf } from './pick-lists.rules.ts'
import { type SeenWagon, ShortRule, WagonShape, type WagonState, Wave } from './pick-lists.schemas.ts'

/** Everything that is on one wagon: its lines in walking order, its slots with colours and codes; undefined when it does not exist. */
export async function wagonSeen(db: Db, pick_list_id: number, wagon_no: number): Promise<SeenWagon | undefined> {
  const wagon = await db
    .selectFrom('pick_wagons as w')
    .innerJoin('pick_lists as p', 'p.id', 'w.pick_list_id')
    .selectAll('w')
    .select(['p.type', 'p.state as list_state', 'p.wagon_type', 'p.map_result_id', 'p.wave'])
    .where('w.pick_list_id', '=', pick_list_id)
    .where('w.wagon_no', '=', wagon_no)
    .executeTakeFirst()
  if (!wagon) return undefined
  const slots = await slotsOf(db, pick_list_id, wagon_no)
  const codes = await codesOf(db, pick_list_id, wagon_no)
  const lines = await linesOnWagon(db, pick_list_id, wagon_no)
  const shape = WagonShape.parse(wagon.wagon_type)
  const wave = Wave.partial().catch({}).parse(wagon.wave)
  const pick_lines = lines.map(({ barcode, barcodes, image_file_id, no_barcode, serial_required, ...line }) => ({
    ...line,
    state: line.state,
    has_picture: image_file_id !== null,
    picture_version: image_file_id,
    no_barcode: no_barcode ?? false,
    serial_required: serial_required ?? false,
    barcodes: barcode && !barcodes.some(one => one.barcode === barcode) ? [...barcodes, { barcode, quantity: 1 }] : barcodes,
  }))
  return {
    ...wagonOf(wagon, shape, slots, codes),
    pick_list_id,
    type: wagon.type,
    list_state: wagon.list_state,
    wagon_type: shape,
    map_result_id: wagon.map_result_id,
    on_short: ShortRule.catch('ask').parse(wave.on_short),
    scan_bin: wave.scan_bin ?? false,
    stops: new Set(pick_lines.map(line => line.cell ?? line.bin ?? '')).size,
    pick_lines,
  }
}

const linesOnWagon = (db: Db, pick_list_id: number, wagon_no: number) =>
  db
    .selectFrom('pick_lines as l')
    .innerJoin('order_lines as ol', 'ol.id', 'l.order_line_id')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select([
      'l.id',
      'l.walk_no',
      'l.slot_no',
      'l.order_id',
      'l.company_id',
      'l.order_line_id',
      'l.product_id',
      'l.sku',
      'l.name',
      'l.variant',
      'l.bin',
      'l.cell',
      'l.asked',
      'l.picked',
      'l.state',
      'l.skips',
      'l.taken_by',
      'l.taken_by_name',
      'l.decided_at',
      'ol.barcode',
      'p.image_file_id',
      'p.no_barcode',
    ])
    .select(eb => [
      eb
        .or([eb('ol.serial_required', '=', true), eb('p.serial_required', '=', true)])
        .$castTo<boolean | null>()
        .as('serial_required'),
      sql<
        { barcode: string; quantity: number }[]
      >`coalesce((select jsonb_agg(jsonb_build_object('barcode', b.barcode, 'quantity', b.quantity) order by b.barcode)
          from product_barcodes b where b.operator_id = current_operator_id() and b.company_id = l.company_id and b.product_id = l.product_id), '[]')`.as(
        'barcodes',
      ),
    ])
    .where('l.pick_list_id', '=', pick_list_id)
    .where('l.wagon_no', '=', wagon_no)
    .orderBy('l.walk_no')
    .orderBy('l.id')
    .execute()

type SlotRow = Awaited<ReturnType<typeof slotsOf>>[number]

type CodeRow = Awaited<ReturnType<typeof codesOf>>[number]

/** Slots with the figures of their lines; of one wagon, or of the whole list. */
export async function slotsOf(db: Db, pick_list_id: number, wagon_no?: number) {
  let asked = db
    .selectFrom('pick_slots as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .innerJoin('companies as c', 'c.id', 's.company_id')
    .leftJoin(
      eb => {
        let lines = eb
          .selectFrom('pick_lines as l')
          .select(['l.wagon_no', 'l.slot_no'])
          .select(of => [
            of.fn.countAll<number>().as('lines'),
            of.fn.countAll<number>().filterWhere('l.state', 'not in', ['open', 'skipped']).as('lines_done'),
            of.fn.sum<number>('l.asked').as('pieces'),
          ])
          .where('l.pick_list_id', '=', pick_list_id)
        if (wagon_no !== undefined) lines = lines.where('l.wagon_no', '=', wagon_no)
        return lines.groupBy(['l.wagon_no', 'l.slot_no']).as('n')
      },
      j => j.onRef('n.wagon_no', '=', 's.wagon_no').onRef('n.slot_no', '=', 's.slot_no'),
    )
    .select(['s.wagon_no', 's.slot_no', 's.order_id', 's.company_id', 's.state', 's.live', 's.weight_g', 's.volume_ml'])
    .select(['o.phase', 'o.held', 'o.cancelled_at', 'o.ship_by', 'c.name as company', 'n.lines', 'n.lines_done', 'n.pieces'])
    // With those that go in its parcel.
    .select(
      sql<string>`o.order_no || coalesce((select string_agg(', ' || m.order_no, '' order by m.id) from orders m
        where m.operator_id = o.operator_id and m.combined_into = o.id), '')`.as('order_no'),
    )
    .where('s.pick_list_id', '=', pick_list_id)
  if (wagon_no !== undefined) asked = asked.where('s.wagon_no', '=', wagon_no)
  const slots = await asked.orderBy('s.wagon_no').orderBy('s.slot_no').execute()
  const orders = slots.filter(slot => slot.live).map(slot => slot.order_id)
  const [crates, additions] = await Promise.all([suggestedCrates(db, orders), additionsToPick(db, orders)])
  return slots.map(slot => ({ ...slot, crate: crates.get(slot.order_id) ?? null, additions: additions.get(slot.order_id) ?? [] }))
}

/** Codes that stand for slots of a list: their digits and where they are. A tote is full when a later one stands beside it. */
export function codesOf(db: Db, pick_list_id: number, wagon_no?: number) {
  let asked = db
    .selectFrom('paperless_codes')
    .select(['wagon_no', 'slot_no', 'digits', 'state'])
    .select(sql<boolean>`coalesce(bound_at < max(bound_at) over (partition by wagon_no, slot_no), false)`.as('full'))
    .where('pick_list_id', '=', pick_list_id)
  if (wagon_no !== undefined) asked = asked.where('wagon_no', '=', wagon_no)
  return asked.orderBy(sql`length(digits)`).orderBy('digits').execute()
}

interface WagonRow {
  wagon_no: number
  state: string
  user_id: number | null
  user_name: string | null
  walk_dm: number | null
  estimated_s: number | null
  claimed_at: string | null
  started_at: string | null
  last_at: string | null
  picked_at: string | null
  released_at: string | null
  version: number
}

/** A wagon as screens show it. */
export function wagonOf(wagon: WagonRow, shape: WagonShape, slots: readonly SlotRow[], codes: readonly CodeRow[]) {
  const mine = slots.filter(slot => slot.wagon_no === wagon.wagon_no)
  return {
    wagon_no: wagon.wagon_no,
    state: wagon.state as WagonState,
    user_id: wagon.user_id,
    user_name: wagon.user_name,
    metres: metresOf(wagon.walk_dm),
    minutes: minutesOf(wagon.estimated_s),
    claimed_at: wagon.claimed_at,
    started_at: wagon.started_at,
    last_at: wagon.last_at,
    picked_at: wagon.picked_at,
    released_at: wagon.released_at,
    version: wagon.version,
    lines: mine.reduce((sum, slot) => sum + Number(slot.lines ?? 0), 0),
    lines_done: mine.reduce((sum, slot) => sum + Number(slot.lines_done ?? 0), 0),
    pieces: mine.reduce((sum, slot) => sum + Number(slot.pieces ?? 0), 0),
    stops: 0,
    slots: mine.map(slot => ({
      ...placeOf(shape, slot.slot_no),
      slot_no: slot.slot_no,
      order_id: slot.order_id,
      company_id: slot.company_id,
      company: slot.company,
      order_no: slot.order_no,
      order_code: `${slot.company_id}:${slot.order_id}`,
      phase: slot.phase,
      held: slot.held,
      cancelled: slot.cancelled_at !== null,
      state: slot.state,
      live: slot.live,
      weight_g: slot.weight_g,
      volume_ml: slot.volume_ml,
      ship_by: slot.ship_by,
      lines: Number(slot.lines ?? 0),
      lines_done: Number(slot.lines_done ?? 0),
      crate: slot.crate,
      additions: slot.additions,
      codes: codes
        .filter(code => code.wagon_no === wagon.wagon_no && code.slot_no === slot.slot_no)
        .map(({ digits, state, full }) => ({ digits, state: state ?? 'free', full })),
    })),
  }
}

/** @throws {Refusal} 404 */
export const mustSeeWagon = async (db: Db, pick_list_id: number, wagon_no: number): Promise<SeenWagon> =>
  orNotFound(await wagonSeen(db, pick_list_id, wagon_no), 'wagon_not_found', 'Wagon not found')
