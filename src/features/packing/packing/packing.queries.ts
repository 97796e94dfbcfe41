/** Packing in the database: what the station shows, what a code means, and the counters that only one statement changes. */
import { sql } from 'kysely'
import * as z from 'zod'
import { CompanySettings, SerialSettings } from '#features/company/companies/companies.schemas.ts'
import { stationNotes } from '#features/customers/customers/customers.queries.ts'
import { additionsOfOrder } from '#features/orders/additional-products/additional-products.queries.ts'
import { stopSeen } from '#features/orders/orders/holds.queries.ts'
import { addPacked } from '#features/orders/orders/lines/order-lines.commands.ts'
import type { GivenApproval } from '#features/packing/approval/approval.schemas.ts'
import { givenOfSession, orderApprovals } from '#features/packing/approval/approval-requests.queries.ts'
import { countPhotos } from '#features/packing/packing-photos/packing-photos.queries.ts'
import { lineNeedsSerial } from '#features/packing/serial-numbers/serial-numbers.queries.ts'
import { parcelOnScale, weightOfParcel } from '#features/packing/weighings/weighings.queries.ts'
import { toleranceOf } from '#features/packing/weighings/weight.rules.ts'
import { crateOfParcel } from '#features/shipping/crate-choice/crate-use.queries.ts'
import { executeWithGenericPlan } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import { missingSerials, type OpenPack, packOf } from './packing.rules.ts'
import type { PackingLine, PackingOrder } from './packing.schemas.ts'
import { linesSentLater } from './rest.queries.ts'
import { laterBy } from './rest.rules.ts'
import { restDays } from './rest-days.server.ts'

/** A session that no one touched for so long belongs to no one. */
export const idleMinutes = 15

export const isAvailable = (session: { state: string; last_scan_at: string }, now: Date): boolean =>
  session.state === 'parked' || now.getTime() - Date.parse(session.last_scan_at) > idleMinutes * 60_000

const openSessions = (db: Db, order_id: number) =>
  db.selectFrom('packing_sessions').selectAll().where('order_id', '=', order_id).where('ended_at', 'is', null)

export const openSession = (db: Db, order_id: number) => openSessions(db, order_id).executeTakeFirst()

/**
 * The same, its row taken until the end of the transaction: a change of a session waits for scans that are still being written,
 * and for other changes of it. Everybody takes the order first, then its session, then its lines; who needs less begins further on.
 */
export const lockSession = (db: Db, order_id: number) => openSessions(db, order_id).forNoKeyUpdate().executeTakeFirst()

export type OpenSession = NonNullable<Awaited<ReturnType<typeof openSession>>>

const Party = z.object({
  name: z.string().catch(''),
  company: z.string().nullable().catch(null),
  address1: z.string().catch(''),
  postcode: z.string().catch(''),
  city: z.string().catch(''),
  country: z.string().catch(''),
})

/** The lines that go into parcels, with what is known of their products. */
export async function packingLines(db: Db, order_id: number): Promise<Omit<PackingLine, 'missing_serials'>[]> {
  const rows = await db
    .selectFrom('order_lines as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select([
      'l.id as order_line_id',
      'l.line_no',
      'l.sku',
      'l.name',
      'l.variant',
      'l.product_id',
      'l.image_url',
      'l.packed_qty',
      'l.custom',
    ])
    .select(eb => [
      eb.fn.coalesce('p.bin', 'l.bin').as('bin'),
      eb('l.qty', '-', eb.ref('l.cancelled_qty')).as('qty'),
      eb('p.image_file_id', 'is not', null).as('has_picture'),
      eb.fn.coalesce('p.no_barcode', sql<boolean>`false`).as('no_barcode'),
      lineNeedsSerial.as('needs_serial'),
    ])
    .select([serialsOfLine.as('serials'), codesOfLine.as('codes'), bundleOfLine.as('bundle')])
    .where('l.order_id', '=', order_id)
    .where('l.type', '=', 'item')
    .where('l.requires_shipping', '=', true)
    .whereRef('l.qty', '>', 'l.cancelled_qty')
    .orderBy('l.line_no')
    .execute()
  return rows.map(row => ({
    ...row,
    has_picture: row.has_picture === true,
    no_barcode: row.no_barcode === true,
    serials: row.serials ?? [],
    codes: row.codes ?? [],
    custom: z.record(z.string(), z.unknown()).catch({}).parse(row.custom),
  }))
}

const serialsOfLine = sql<string[] | null>`(select array_agg(s.serial order by s.id) from order_serials s
  where s.operator_id = l.operator_id and s.order_line_id = l.id and s.removed_at is null)`

/** The name under which a line is sold as part of a bundle; orders that go in one parcel may have lines of the same number. */
const bundleOfLine = sql<string | null>`(select b.name from order_lines b where b.operator_id = l.operator_id and b.order_id = l.order_id
  and b.external_id = l.bundle_of and b.combined_order_id is not distinct from l.combined_order_id order by b.id limit 1)`

/** The barcodes of its product, and that of the line itself where it is another one. */
const codesOfLine = sql<PackingLine['codes'] | null>`(with of_product as (
    select b.barcode code, b.quantity from product_barcodes b
    where b.operator_id = l.operator_id and b.company_id = l.company_id and b.product_id = l.product_id order by b.barcode limit 50)
  select json_agg(json_build_object('code', known.code, 'quantity', known.quantity)) from (
    select code, quantity from of_product
    union all select l.barcode, 1 where l.barcode is not null and not exists (select from of_product where code = l.barcode)) known)`

/** Of the company `c`. */
export const companyColor = sql<string | null>`c.settings->>'color'`

/** Everything the station shows; undefined when the order is not in reach. */
export async function packingOrder(db: Db, order_id: number, now: Date): Promise<PackingOrder | undefined> {
  const order = await db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .leftJoin('shipping_methods as m', j =>
      j
        .onRef('m.company_id', '=', 'o.company_id')
        .onRef('m.agent_code', '=', 'o.agent_code')
        .onRef('m.shipping_method', '=', 'o.shipping_method'),
    )
    .select([
      'o.id',
      'o.company_id',
      'o.order_no',
      'o.phase',
      'o.work_state',
      'o.version',
      'o.pinned_at',
      'o.customer_name',
      'o.ship_to',
      'o.ship_by',
    ])
    .select([
      'o.agent_code',
      'o.shipping_method',
      'o.shipping_title',
      'o.packed_at',
      'o.goods_at',
      'o.put_back_due',
      'c.code',
      'c.name as company_name',
    ])
    .select(companyColor.as('company_color'))
    .select(
      sql<string[]>`array(select m.order_no from orders m where m.operator_id = o.operator_id and m.combined_into = o.id order by m.id)`.as(
        'combines',
      ),
    )
    .select('c.settings')
    .select(['m.name as method_name', 'm.packing_text', 'm.image_file_id', 'm.check_tracking_and_trace'])
    .where('o.id', '=', order_id)
    .executeTakeFirst()
  if (!order) return undefined
  // One after the other on one connection: it answers them in one go.
  const [lines, comments, fromCustomer, session, stopped, parcels, additions, last, later] = await Promise.all([
    packingLines(db, order_id),
    db
      .selectFrom('order_comments')
      .select(['id', 'type', 'comment', 'actor', 'created_at'])
      // Of all orders in the parcel.
      .where(
        'order_id',
        'in',
        sql<number>`(select m.id from orders m where m.operator_id = current_operator_id() and (m.id = ${order_id} or m.combined_into = ${order_id}))`,
      )
      .orderBy('id')
      .limit(100)
      .execute(),
    stationNotes(db, order_id),
    openSession(db, order_id),
    stopSeen(db, order_id),
    packingParcels(db, order_id),
    additionsOfOrder(db, order_id),
    db
      .selectFrom('packing_sessions')
      .select(['user_name', 'station'])
      .where('order_id', '=', order_id)
      .where('state', '=', 'done')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    linesSentLater(db, order_id),
  ])
  const [reported_missing, wagon] = order.work_state === 'in_pick' || order.phase === 'short' ? await pickingOf(db, order_id) : [[], null]
  const approvals = session
    ? await orderApprovals(
        db,
        session,
        lines.map(line => line.order_line_id),
      )
    : []
  const crate = session && (await crateOfParcel(db, order_id, session.parcel_no))
  const settings = CompanySettings.parse(order.settings)
  const { ask_at, allow_typed } = settings.serials
  return {
    order_id: order.id,
    company_id: order.company_id,
    company: order.code,
    company_name: order.company_name,
    company_color: order.company_color,
    order_code: `${order.company_id}:${order.id}`,
    order_no: order.order_no,
    combines: order.combines,
    phase: order.phase,
    work_state: order.work_state,
    version: order.version,
    pinned: order.pinned_at !== null,
    customer_name: order.customer_name,
    ship_to: Party.parse(order.ship_to),
    ship_by: order.ship_by,
    shipping: {
      agent_code: order.agent_code,
      shipping_method: order.shipping_method,
      name: order.method_name ?? order.shipping_title ?? order.shipping_method ?? '',
      packing_text: order.packing_text,
      has_picture: order.image_file_id !== null,
      check_tracking_and_trace: order.check_tracking_and_trace === true,
    },
    lines: lines.map(line => ({ ...line, missing_serials: missingSerials({ ...line, serials: line.serials.length }, ask_at) })),
    ...totalsOf(lines),
    may_type_serials: allow_typed,
    ask_serials_at: ask_at,
    pack: session ? packShown(session.pack, lines) : null,
    approvals,
    crate: crate ?? null,
    additions,
    weighing: await weighingOf(db, order_id, session, settings),
    photo: await photoOf(db, order_id, session, settings),
    partial: {
      notice: settings.partial_notice,
      days: restDays(now, settings),
      later_by: laterBy(lines, later),
      later_lines: [...new Set(later.flatMap(({ order_line_id }) => order_line_id ?? []))],
    },
    // Their ids count downwards, so that none is an order comment's.
    comments: [...fromCustomer.map(({ id, note, ...one }) => ({ ...one, id: -id, comment: note })), ...comments],
    session: session
      ? {
          id: session.id,
          state: session.state,
          user_id: session.user_id,
          user_name: session.user_name,
          station: session.station,
          parcel_no: session.parcel_no,
          opened_at: session.opened_at,
          last_scan_at: session.last_scan_at,
          free: isAvailable(session, now),
          parked_reason: session.parked_reason,
        }
      : null,
    stopped,
    parcels,
    packed_at: order.packed_at,
    goods_at: order.goods_at,
    packed_by: last?.user_name ?? null,
    packed_station: last?.station ?? null,
    put_back: order.put_back_due,
    reported_missing,
    wagon,
  }
}

const packShown = (kept: unknown, lines: readonly Omit<PackingLine, 'missing_serials'>[]): PackingOrder['pack'] => {
  const of = (line: (typeof lines)[number]) => ({ ...line, sku_key: line.sku, barcode: null, serials: line.serials.length })
  const pack = packOf(keptPack(kept), lines.map(of))
  return pack && { order_line_id: pack.order_line_id, pieces: pack.pieces, given: pack.given }
}

const OpenPackSchema = z.object({ scan_id: z.string(), order_line_id: z.number(), pieces: z.number(), given: z.number() })

/** The pack that a session, or the answer to a scan, has kept. */
export const keptPack = (kept: unknown): OpenPack | null => OpenPackSchema.nullable().catch(null).parse(kept)

async function weighingOf(
  db: Db,
  order_id: number,
  session: { parcel_no: number } | undefined,
  settings: CompanySettings,
): Promise<PackingOrder['weighing']> {
  const { weigh_parcels: mode, typed_weight: typed } = settings
  const unknown = { mode, typed, pieces: 0, expected_g: null, tolerance_g: null, weight_g: null }
  if (mode === 'off' || !session) return unknown
  const [{ contents, pieces, expected_g }, weight_g] = await Promise.all([
    parcelOnScale(db, order_id, session.parcel_no, settings),
    weightOfParcel(db, order_id, session.parcel_no),
  ])
  return contents === null ? unknown : { mode, typed, pieces, expected_g, tolerance_g: toleranceOf(expected_g, settings), weight_g }
}

async function photoOf(
  db: Db,
  order_id: number,
  session: { id: number; parcel_no: number } | undefined,
  { parcel_photos: mode }: Pick<CompanySettings, 'parcel_photos'>,
): Promise<PackingOrder['photo']> {
  if (mode === 'off' || !session) return { mode, pieces: 0, taken: 0 }
  const [{ pieces }, taken] = await Promise.all([
    db
      .selectFrom('parcel_lines')
      .select(eb => eb.fn.coalesce(eb.fn.sum<number>('qty'), sql<number>`0`).as('pieces'))
      .where('order_id', '=', order_id)
      .where('parcel_no', '=', session.parcel_no)
      .executeTakeFirstOrThrow(),
    countPhotos(db, session.id, session.parcel_no),
  ])
  return { mode, pieces: Number(pieces), taken }
}

/** What pickers did not find, and the wagon that carries the order. */
function pickingOf(db: Db, order_id: number): Promise<[PackingOrder['reported_missing'], PackingOrder['wagon']]> {
  const lines = (decided: boolean) => sql<number>`(select count(*)::integer from pick_lines l
    where l.operator_id = s.operator_id and l.pick_list_id = s.pick_list_id and l.wagon_no = s.wagon_no
      and ${decided ? sql`l.state in ('picked', 'short')` : sql`l.state <> 'gone'`})`
  return Promise.all([
    db
      .selectFrom('pick_shorts')
      .select(['name', 'bin', 'quantity', 'reported_by', 'reported_at'])
      .where('order_id', '=', order_id)
      .where('decided_at', 'is', null)
      .orderBy('id')
      .limit(20)
      .execute(),
    db
      .selectFrom('pick_slots as s')
      .innerJoin('pick_wagons as w', on => on.onRef('w.pick_list_id', '=', 's.pick_list_id').onRef('w.wagon_no', '=', 's.wagon_no'))
      .select(['s.pick_list_id', 's.wagon_no', 's.slot_no', 'w.user_name as picker', 'w.claimed_at as since'])
      .select([lines(true).as('decided'), lines(false).as('lines')])
      .where('s.order_id', '=', order_id)
      .where('s.live', '=', true)
      .executeTakeFirst()
      .then(wagon => wagon ?? null),
  ])
}

export const packingParcels = (db: Db, order_id: number) =>
  db
    .selectFrom('shipments')
    .select(['id as shipment_id', 'parcel_no', 'state', 'agent_code', 'shipping_method', 'tracking_no', 'weight_g', 'error', 'error_field'])
    .where('order_id', '=', order_id)
    .where('operation_code', '=', 'outbound')
    .orderBy('parcel_no')
    .orderBy('id')
    .execute()

export const totalsOf = (lines: readonly { qty: number; packed_qty: number }[]): { packed: number; to_pack: number } => ({
  packed: lines.reduce((sum, line) => sum + line.packed_qty, 0),
  to_pack: lines.reduce((sum, line) => sum + line.qty, 0),
})

export interface PackingState {
  session_id: number
  /** What was read when the session was opened. */
  plan: unknown
  /** The outer pack whose serial numbers are asked for, as the session has kept it. */
  pack: unknown
  given: GivenApproval[]
  company_id: number
  state: string
  station: string
  user_id: number
  user_name: string
  parcel_no: number
  last_scan_at: string
  order_no: string
  stopped: boolean
  /** How the order's company records serial numbers. */
  serials: SerialSettings
  /** The box that was scanned for the parcel; null where none was. */
  crate_id: number | null
  /** Whether serial numbers of the order's company were imported: where none were, no scan looks for one. */
  has_units: boolean
  lines: PackingStateLine[]
  /** Products that the scanned code means, of the order's company. */
  meant: { product_id: number; sku: string; name: string; quantity: number; has_picture: boolean }[]
  /** The same scan, answered before. */
  answered: { order_id: number; answer: unknown } | null
}
interface PackingStateLine {
  order_line_id: number
  product_id: number | null
  sku_key: string | null
  name: string
  barcode: string | null
  qty: number
  packed_qty: number
  needs_serial: boolean
  /** Serial numbers that are recorded for it; 0 where it needs none. */
  serials: number
  no_barcode: boolean
}

/**
 * Everything one scan needs, in one statement: the open session, the order's lines, what the code means, and whether this
 * very scan was answered before. Undefined when no session is open. Each code is looked up alone: for `= any` of so many codes as
 * are not known yet, the one plan for all scans may read every product of the company.
 */
export async function packingState(db: Db, order_id: number, codes: readonly string[], scan_id: string): Promise<PackingState | undefined> {
  const [desk] = await executeWithGenericPlan(
    db,
    sql<PackingState>`
    select s.id session_id, s.plan, s.pack, ${givenOfSession} given, s.company_id, s.state, s.station, s.user_id, s.user_name, s.parcel_no, s.last_scan_at, o.order_no, o.held or o.cancelled_at is not null stopped,
      coalesce((select c.settings->'serials' from companies c where c.operator_id = s.operator_id and c.id = s.company_id), '{}') serials,
      (select k.used_id from crate_choices k where k.operator_id = s.operator_id and k.order_id = s.order_id and k.parcel_no = s.parcel_no
        and k.closed_at is null) crate_id,
      exists (select from serial_units u where u.operator_id = s.operator_id and u.company_id = s.company_id) has_units,
      (select coalesce(json_agg(json_build_object('order_line_id', l.id, 'product_id', l.product_id, 'sku_key', upper(l.sku), 'name', l.name, 'barcode', l.barcode,
          'qty', l.qty - l.cancelled_qty, 'packed_qty', l.packed_qty, 'needs_serial', ${lineNeedsSerial},
          'serials', case when ${lineNeedsSerial} then (select count(*) from order_serials n
            where n.operator_id = l.operator_id and n.order_line_id = l.id and n.removed_at is null) else 0 end,
          'no_barcode', coalesce(p.no_barcode, false)) order by l.line_no), '[]')
        from order_lines l left join products p on p.operator_id = l.operator_id and p.id = l.product_id
        where l.operator_id = s.operator_id and l.order_id = s.order_id and l.type = 'item' and l.requires_shipping and l.qty > l.cancelled_qty) lines,
      (select coalesce(json_agg(json_build_object('product_id', p.id, 'sku', p.sku, 'name', p.name, 'quantity', m.quantity, 'has_picture', p.image_file_id is not null)), '[]')
        from (select product_id, max(quantity) quantity from (
                select found.product_id, found.quantity from unnest(${codes}::text[]) c(code), lateral (select b.product_id, b.quantity from product_barcodes b
                  where b.operator_id = s.operator_id and b.company_id = s.company_id and b.barcode = c.code offset 0) found
                union all
                select found.id, 1 from unnest(${codes.map(code => code.toUpperCase())}::text[]) c(code), lateral (select q.id from products q
                  where q.operator_id = s.operator_id and q.company_id = s.company_id and q.sku_key = c.code offset 0) found) hits
              group by product_id) m,
          lateral (select * from products p where p.operator_id = s.operator_id and p.id = m.product_id offset 0) p) meant,
      (select json_build_object('order_id', x.order_id, 'answer', x.answer) from packing_scans x where x.operator_id = s.operator_id and x.id = ${scan_id}::uuid) answered
    from packing_sessions s join orders o on o.operator_id = s.operator_id and o.id = s.order_id
    where s.operator_id = current_operator_id() and s.company_id = any (current_company_ids()) and s.order_id = ${order_id} and s.ended_at is null`,
  )
  return desk && { ...desk, serials: SerialSettings.parse(desk.serials) }
}

export interface ScanRow {
  id: string
  raw: string
  result: string
  /** The line that is counted, or meant. */
  order_line_id: number | null
  product_id: number | null
  /** Pieces counted: below zero when taken out again. */
  quantity: number
  serial: string | null
  method: 'scan' | 'manual' | 'bypass' | 'camera' | 'typed'
  answer: object
  /** The outer pack whose serial numbers are asked for from now on; absent: as before. */
  pack?: OpenPack | null
}

/**
 * Writes a scan down and counts its pieces into the open parcel, in one statement. Nothing happens when the very same scan is
 * written already, when the session is no longer open in this person's hands, or when the line has too few open pieces.
 * Answers the line's new counter: undefined when nothing happened, null when there was nothing to count.
 */
export async function writeScan(
  db: Db,
  desk: Pick<PackingState, 'session_id' | 'parcel_no' | 'company_id'>,
  by: { user_id: number; user_name: string; station: string },
  order_id: number,
  scan: ScanRow,
): Promise<number | null | undefined> {
  const [written] = await executeWithGenericPlan(
    db,
    sql<{ packed_qty: number | null }>`
    with held as (
      update packing_sessions set last_scan_at = clock_timestamp(),
        pack = case when ${scan.pack !== undefined}::boolean then ${scan.pack ? JSON.stringify(scan.pack) : null}::jsonb else pack end
      where operator_id = current_operator_id() and company_id = any (current_company_ids()) and id = ${desk.session_id} and state = 'open' and user_id = ${by.user_id}
      returning operator_id),
    open_line as (
      select held.operator_id from held
      where ${scan.quantity} = 0 or exists (select from order_lines l where l.operator_id = held.operator_id and l.order_id = ${order_id}
        and l.id = ${scan.order_line_id}::bigint and l.packed_qty + ${scan.quantity} between 0 and l.qty - l.cancelled_qty)),
    written as (
      insert into packing_scans (company_id, id, session_id, order_id, raw, result, order_line_id, product_id, quantity, serial, method, parcel_no, user_id, user_name, station, answer)
      select ${desk.company_id}, ${scan.id}::uuid, ${desk.session_id}, ${order_id}, ${scan.raw}, ${scan.result}, ${scan.order_line_id}::bigint, ${scan.product_id}::bigint,
        ${scan.quantity}, ${scan.serial}::text, ${scan.method}, ${desk.parcel_no}, ${by.user_id}, ${by.user_name}, ${by.station}, ${JSON.stringify(scan.answer)}::jsonb
      from open_line
      on conflict do nothing
      returning operator_id),
    counted as (${addPacked('written', { order_id, order_line_id: scan.order_line_id, quantity: scan.quantity })}),
    boxed as (
      insert into parcel_lines (company_id, order_id, parcel_no, order_line_id, qty)
      select ${desk.company_id}, ${order_id}, ${desk.parcel_no}, ${scan.order_line_id}::bigint, ${scan.quantity} from counted where ${scan.quantity} > 0
      on conflict (operator_id, order_id, parcel_no, order_line_id) do update set qty = parcel_lines.qty + excluded.qty),
    unboxed as (
      update parcel_lines b set qty = greatest(0, b.qty + ${scan.quantity}) from counted
      where ${scan.quantity} < 0 and b.operator_id = current_operator_id() and b.company_id = any (current_company_ids())
        and b.order_id = ${order_id} and b.parcel_no = ${desk.parcel_no} and b.order_line_id = ${scan.order_line_id}::bigint)
    select (select packed_qty from counted) packed_qty from written`,
  )
  return written?.packed_qty
}
