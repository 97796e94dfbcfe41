/** Reading orders: rows of a list, one order with everything a caller asks about, and how many there are. */
import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import * as z from 'zod'
import type { Permission } from '#contract/access.ts'
import { MethodWhy } from '#domain/rules/rule-schemas.ts'
import { shopLink } from '#features/company/companies/companies.rules.ts'
import { orderTagNames } from '#features/company/tags/tags.queries.ts'
import { commentsQuery } from '#features/orders/orders/comments/order-comments.queries.ts'
import { asLock, locksQuery } from '#features/orders/orders/locks/order-locks.commands.ts'
import { compiledQuery } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import { combinableAmong } from './combinations/combinations.queries.ts'
import { combinedFacts, labelFacts } from './order-facts.queries.ts'
import { actions, type Facts, openPhases, whyNot } from './orders.rules.ts'
import { Badge, type Order, type OrderLine, type OrderParcel, type OrderRow, ShipTo } from './orders.schemas.ts'

const Badges = z.array(Badge).catch([])
const Record = z.record(z.string(), z.unknown())
const worst = { error: 0, warning: 1, ok: 2 } as const

/** What a list shows of the orders in an array of ids. */
export const rowsOfOrders = (db: Db, ids: RawBuilder<unknown>) =>
  [
    jsonArrayFrom(
      db
        .selectFrom('orders as o')
        .select(['o.id', 'o.company_id', 'o.order_no', 'o.shop', 'o.phase', 'o.work_state', 'o.version', 'o.customer_name'])
        .select(['o.ship_country', 'o.item_count', 'o.weight_g', 'o.ship_by', 'o.ordered_at', 'o.created_at', 'o.pinned_at'])
        .select(['o.agent_code', 'o.shipping_method', 'o.shipping_title', 'o.badges'])
        .select([sql<string>`coalesce(o.ship_to->>'city', '')`.as('city'), orderTagNames('o').as('tags')])
        .where('o.id', '=', sql<number>`any(${ids})`),
    ).as('rows'),
    jsonArrayFrom(
      db
        .selectFrom('order_locks')
        .select(['order_id', 'kind', 'reason', 'note', 'actor'])
        .where('released_at', 'is', null)
        .where('order_id', '=', sql<number>`any(${ids})`)
        .orderBy('id', 'desc'),
    ).as('locks'),
    jsonArrayFrom(
      db
        .selectFrom('order_alert_hits')
        .select(['order_id', 'mode', 'note'])
        .where('state', '=', 'open')
        .where('order_id', '=', sql<number>`any(${ids})`)
        .orderBy('id', 'desc'),
    ).as('alerts'),
    jsonArrayFrom(
      db
        .selectFrom('packing_sessions')
        .select(['order_id', 'station', 'user_name', 'state'])
        .where('ended_at', 'is', null)
        .where('order_id', '=', sql<number>`any(${ids})`),
    ).as('sessions'),
    combinableAmong(ids).as('combinable'),
  ] as const

const rowsOfIds = compiledQuery((db, { ids }: { ids: readonly number[] }) => db.selectNoFrom(() => rowsOfOrders(db, sql`${ids}::bigint[]`)))
type FoundRows = Awaited<ReturnType<typeof rowsOfIds>>[number]

/** Rows of a list, in the order of `ids`. */
export async function orderRows(db: Db, ids: readonly number[]): Promise<OrderRow[]> {
  if (ids.length === 0) return []
  const [found] = await rowsOfIds(db, { ids })
  return found ? asOrderRows(found, ids) : []
}

export function asOrderRows({ rows, locks, alerts, sessions, combinable }: FoundRows, ids: readonly number[]): OrderRow[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => {
    const row = byId.get(id)
    if (!row) return []
    const { pinned_at, badges, phase, ...rest } = row
    const packing = sessions.find(session => session.order_id === id)
    return {
      ...rest,
      phase: phase,
      pinned: pinned_at !== null,
      badges: Badges.parse(badges)
        .filter(badge => badge.severity !== 'ok')
        .sort((a, b) => worst[a.severity] - worst[b.severity]),
      stops: locks.filter(lock => lock.order_id === id).map(({ order_id: _order_id, ...lock }) => lock),
      alerts: alerts.filter(alert => alert.order_id === id).map(({ mode, note }) => ({ mode, note })),
      packing: packing ? { station: packing.station, user_name: packing.user_name, state: packing.state } : null,
      combinable: combinable.includes(id),
    }
  })
}

/** What is asked of an order's own row wherever one order is shown or worked on. */
export const orderRowById = (db: Db, id: number) => db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()

const linesQuery = (db: Db, order_id: number) =>
  db
    .selectFrom('order_lines as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select([
      'l.id as order_item_id',
      'l.line_no',
      'l.type',
      'l.sku',
      'l.product_id',
      'l.name',
      'l.variant',
      'l.barcode',
      'l.qty',
      'l.cancelled_qty',
      'l.shop_qty',
    ])
    .select(['l.picked_qty', 'l.packed_qty', 'l.shipped_qty', 'l.returned_qty', 'l.unit_price_excl_vat', 'l.unit_price_incl_vat'])
    .select(['l.discount_excl_vat', 'l.vat_percent', 'l.requires_shipping', 'l.bundle_of', 'l.custom'])
    .select(eb => [
      // Whose line it is, where it goes in the parcel of this one.
      eb
        .selectFrom('orders as w')
        .select('w.order_no')
        .whereRef('w.id', '=', 'l.combined_order_id')
        .where('w.id', '<>', order_id)
        .as('of_order'),
      eb
        .selectFrom('order_lines as b')
        .select('b.id')
        .whereRef('b.order_id', '=', 'l.order_id')
        .whereRef('b.external_id', '=', 'l.bundle_of')
        // Orders that go in one parcel may have lines of the same number.
        .where(sql<boolean>`b.combined_order_id is not distinct from l.combined_order_id`)
        .orderBy('b.id')
        .limit(1)
        .as('part_of'),
      eb('p.image_file_id', 'is not', null).as('has_picture'),
      eb.fn.coalesce('l.weight_g', 'p.weight_g').as('weight_g'),
      eb.fn.coalesce('p.bin', 'l.bin').as('bin'),
      eb.fn.coalesce('l.hs_code', 'p.hs_code').as('hs_code'),
      eb.fn.coalesce('l.origin', 'p.origin').as('origin'),
      eb.fn.coalesce('l.customs_text', 'p.customs_text').as('customs_text'),
      eb.or([eb('l.serial_required', '=', true), eb('p.serial_required', '=', true)]).as('serial_required'),
    ])
    // While its lines are with the order that carries its parcel, they are read there.
    .where(
      'l.order_id',
      'in',
      sql<number>`(select unnest(array[o.id, o.combined_into]) from orders o where o.operator_id = current_operator_id() and o.id = ${order_id})`,
    )
    .where(eb => eb.or([eb('l.order_id', '=', order_id), eb('l.combined_order_id', '=', order_id)]))
    .orderBy('l.line_no')

/** The order that carries the parcel: it has the parcels, serials, prints and the packing of all orders in it. */
const carrier = (order_id: number) =>
  sql<number>`(select coalesce(c.combined_into, c.id) from orders c where c.operator_id = current_operator_id() and c.id = ${order_id})`

const serialsQuery = (db: Db, order_id: number) =>
  db
    .selectFrom('order_serials')
    .select(['order_line_id', 'serial', 'parcel_no'])
    .where('order_id', '=', carrier(order_id))
    .where('removed_at', 'is', null)
    .orderBy('id')

export async function orderLines(db: Db, order_id: number): Promise<OrderLine[]> {
  const [rows, serials] = await Promise.all([linesQuery(db, order_id).execute(), serialsQuery(db, order_id).execute()])
  return asLines(rows, serials)
}

type Rows<Q extends (db: Db, id: number) => { execute(): Promise<unknown[]> }> = Awaited<ReturnType<ReturnType<Q>['execute']>>

const asLines = (rows: Rows<typeof linesQuery>, serials: Rows<typeof serialsQuery>): OrderLine[] =>
  rows.map(row => ({
    ...row,
    has_picture: row.has_picture === true,
    serial_required: row.serial_required === true,
    custom: Record.catch({}).parse(row.custom),
    serials: serials.filter(one => one.order_line_id === row.order_item_id).map(one => one.serial),
  }))

/** Parcels as they are booked; the newest booking of each parcel last. */
const parcelsQuery = (db: Db, order_id: number) =>
  db
    .selectFrom('shipments')
    .select([
      'id as shipment_id',
      'parcel_no',
      'operation_code',
      'state',
      'agent_code',
      'shipping_method',
      'tracking_no',
      'barcode',
      'station',
    ])
    .select(['weight_g', 'error', 'created_at', 'booked_at', 'handed_over_at', 'delivered_at', 'cancelled_at'])
    .select(eb => eb.or([eb('label_pdf_file_id', 'is not', null), eb('label_zpl_file_id', 'is not', null)]).as('has_label'))
    .where('order_id', '=', carrier(order_id))
    .orderBy('id')

const contentsQuery = (db: Db, order_id: number) =>
  db.selectFrom('parcel_lines').select(['parcel_no', 'order_line_id', 'qty']).where('order_id', '=', carrier(order_id)).where('qty', '>', 0)

function asParcels(
  rows: Rows<typeof parcelsQuery>,
  contents: Rows<typeof contentsQuery>,
  serials: Rows<typeof serialsQuery>,
): OrderParcel[] {
  // Of a number that the office recorded the parcel is not known; one whose line lies in a single parcel is in that.
  const onlyParcelOf = (line: number) => {
    const [first, second] = contents.filter(one => one.order_line_id === line)
    return second === undefined ? first?.parcel_no : undefined
  }
  const inside = (line: number, parcel_no: number) =>
    serials.filter(one => one.order_line_id === line && (one.parcel_no ?? onlyParcelOf(line)) === parcel_no).map(one => one.serial)
  return rows.map(row => ({
    ...row,
    has_label: row.has_label === true,
    lines: contents
      .filter(one => one.parcel_no === row.parcel_no)
      .map(one => ({ order_item_id: one.order_line_id, qty: one.qty, serials: inside(one.order_line_id, row.parcel_no) })),
  }))
}

const printsQuery = (db: Db, order_id: number) =>
  db
    .selectFrom('print_jobs as j')
    .leftJoin('printers as p', 'p.id', 'j.printer_id')
    .select(['j.id as print_job_id', 'j.title', 'j.document', 'j.state', 'j.copy_no', 'j.requested_by_name', 'j.created_at', 'j.error'])
    .select(eb => eb.fn.coalesce('p.name', sql<string>`''`).as('printer'))
    .where('j.order_id', '=', carrier(order_id))
    .orderBy('j.id', 'desc')
    .limit(50)

const rowQuery = (db: Db, id: number) =>
  db
    .selectFrom('orders')
    .selectAll()
    .select(orderTagNames('orders').as('tag_names'))
    .select(eb =>
      eb
        .selectFrom('companies as c')
        .select(sql<string | null>`c.settings->>'cms_link'`.as('cms_link'))
        .whereRef('c.id', '=', 'orders.company_id')
        .as('cms_link'),
    )
    .select(combinedFacts('orders').as('combined'))
    .select(eb => eb.selectFrom('deadlines as d').select('d.name').whereRef('d.id', '=', 'orders.deadline_id').as('deadline_name'))
    .where('id', '=', id)
const sessionQuery = (db: Db, id: number) =>
  db
    .selectFrom('packing_sessions')
    .select(['id as order_overview_id', 'station', 'user_name', 'state', 'parcel_no', 'opened_at', 'last_scan_at'])
    .where('order_id', '=', carrier(id))
    .where('ended_at', 'is', null)
/** The whole of a part and its parts, what it replaces and what replaced it, what goes in the same parcel. */
const relationsQuery = (db: Db, id: number) =>
  db
    .selectFrom('orders as o')
    .innerJoin('orders as r', join => join.onTrue())
    .select(['r.id', 'r.order_no', 'r.phase'])
    .select(
      sql<
        Order['relations'][number]['relation']
      >`case when r.id = o.combined_into then 'combined_into' when r.combined_into = o.id then 'combines' when r.id = o.split_of then 'whole' when r.split_of = o.id then 'part'
      when r.id = o.replacement_of then 'replaces' else 'replaced_by' end`.as('relation'),
    )
    .where('o.id', '=', id)
    .where(eb =>
      eb.or([
        eb('r.id', '=', eb.ref('o.split_of')),
        eb('r.id', '=', eb.ref('o.replacement_of')),
        eb('r.id', '=', eb.ref('o.combined_into')),
        eb('r.combined_into', '=', id),
        eb('r.split_of', '=', id),
        eb('r.replacement_of', '=', id),
      ]),
    )
    .orderBy('r.id')
    .limit(50)
const paperlessQuery = (db: Db, id: number) => db.selectFrom('paperless_codes').select('digits').where('order_id', '=', carrier(id))

/** Eleven questions in one statement. */
const everything = compiledQuery((db, { id, ids }: { id: number; ids: readonly number[] }) =>
  db.selectNoFrom(() => [
    jsonArrayFrom(rowQuery(db, id)).as('row'),
    jsonArrayFrom(linesQuery(db, id)).as('lines'),
    jsonArrayFrom(serialsQuery(db, id)).as('serials'),
    jsonArrayFrom(parcelsQuery(db, id)).as('parcels'),
    jsonArrayFrom(contentsQuery(db, id)).as('contents'),
    jsonArrayFrom(printsQuery(db, id)).as('prints'),
    jsonArrayFrom(locksQuery(db, id)).as('locks'),
    jsonArrayFrom(commentsQuery(db, ids)).as('comments'),
    jsonArrayFrom(sessionQuery(db, id)).as('session'),
    jsonArrayFrom(paperlessQuery(db, id)).as('codes'),
    jsonArrayFrom(relationsQuery(db, id)).as('relations'),
  ]),
)

/** One order with everything that a caller asks about. */
export async function orderById(db: Db, id: number, permissions: readonly Permission[]): Promise<Order | undefined> {
  const [found] = await everything(db, { id, ids: [id] })
  const row = found?.row[0]
  if (!found || !row) return undefined
  const { prints, locks, comments, codes } = found
  const [session] = found.session
  const lines = asLines(found.lines, found.serials)
  const parcels = asParcels(found.parcels, found.contents, found.serials)
  const outbound = parcels.filter(parcel => parcel.operation_code === 'outbound').map(parcel => parcel.state)
  const facts: Facts = { ...row, ...labelFacts(outbound), locked: locks.some(lock => lock.kind === 'manual') }
  return {
    id: row.id,
    company_id: row.company_id,
    order_code: `${row.company_id}:${row.id}`,
    order_no: row.order_no,
    external_id: row.external_id,
    shop: row.shop,
    shop_link: shopLink({ cms_link: row.cms_link ?? '' }, row),
    source: row.source,
    phase: row.phase,
    work_state: row.work_state,
    version: row.version,
    held: row.held,
    label_error: row.label_error,
    short: row.short,
    backorder: row.backorder,
    cancelled_at: row.cancelled_at,
    delivered_at: row.delivered_at,
    packed_at: row.packed_at,
    goods_at: row.goods_at,
    pinned: row.pinned_at !== null,
    payment_state: row.payment_state,
    currency: row.currency,
    locale: row.locale,
    ordered_at: row.ordered_at,
    created_at: row.created_at,
    ship_by: row.ship_by,
    ship_by_source: row.ship_by_source,
    pickup: row.deadline_at === null ? null : { deadline: row.deadline_name, at: row.deadline_at },
    customer: { external_id: row.customer_external_id, name: row.customer_name, email: row.customer_email, phone: row.customer_phone },
    ship_to: ShipTo.parse(row.ship_to),
    bill_to: Record.nullable().catch(null).parse(row.bill_to),
    service_point: Record.nullable().catch(null).parse(row.service_point),
    shipping_title: row.shipping_title,
    shipping_code: row.shipping_code,
    agent_code: row.agent_code,
    shipping_method: row.shipping_method,
    method_why: MethodWhy.nullable().catch(null).parse(row.method_why),
    delivery: Record.catch({}).parse(row.delivery),
    customs: Record.catch({}).parse(row.customs),
    tags: row.tag_names,
    attributes: Record.catch({}).parse(row.attributes),
    total_excl_vat: row.total_excl_vat,
    total_vat: row.total_vat,
    total_incl_vat: row.total_incl_vat,
    item_count: row.item_count,
    weight_g: row.weight_g,
    badges: Badges.parse(row.badges),
    lines,
    parcels,
    prints,
    locks: locks.map(lock => asLock(lock, permissions)),
    comments,
    packing: session ?? null,
    paperless: codes.map(code => code.digits),
    relations: found.relations,
    combined: row.combined,
    supported_actions: supportedActions(facts, permissions),
  }
}

const supportedActions = (facts: Facts, permissions: readonly Permission[]): Order['supported_actions'] =>
  actions.map(action => {
    const why = whyNot(action, facts, permissions)
    return { action, allowed: why === null, reason: why?.text ?? null, values: why?.values ?? {} }
  })

/** Open orders by the language of their customers. */
export const languageCounts = (db: Db, locale?: string) => {
  const open = db.selectFrom('orders').where(
    'phase',
    'in',
    openPhases.map(phase => sql.lit(phase)),
  )
  return (locale === undefined ? open : open.where('locale', '=', locale))
    .select(['locale'])
    .select(eb => eb.fn.countAll<number>().as('count'))
    .groupBy('locale')
    .orderBy('count', 'desc')
    .limit(100)
    .execute()
}

/** Methods that orders of these companies can be sent by. */
export const shippingOptions = (db: Db, companies: readonly number[]) =>
  db
    .selectFrom('shipping_methods')
    .select(['company_id', 'agent_code', 'shipping_method', 'name', 'type'])
    .select(sql<string>`agent_code || ':' || shipping_method`.as('method'))
    .where('active', '=', true)
    .where('company_id', '=', sql<number>`any(${companies})`)
    .orderBy('company_id')
    .orderBy('agent_code')
    .orderBy('name')
    .limit(500)
    .execute()

/** Scans that were let pass, of these orders. */
export const bypassesOf = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('packing_scans as s')
    .leftJoin('order_lines as l', 'l.id', 's.order_line_id')
    .select(['s.order_id', 's.at', 's.station', 'l.sku', 's.quantity', 's.raw as reason'])
    .select(eb => eb.fn.coalesce('s.user_name', sql<string>`'system'`).as('by'))
    .where('s.method', '=', sql.lit('bypass' as const))
    .where('s.undone_by', 'is', null)
    .where('s.order_id', '=', sql<number>`any(${ids})`)
    .orderBy('s.at')
    .limit(5_000)
    .execute()

/** The order's words as it is found by, written anew. */
export async function writeWords(db: Db, order: { id: number; company_id: number }, words: readonly string[]): Promise<void> {
  const found = sql<string>`array_to_tsvector(${words.map(word => `${order.company_id}/${word}`)}::text[])`
  await db
    .insertInto('order_words')
    .values({ company_id: order.company_id, order_id: order.id, words: found })
    .onConflict(oc => oc.columns(['operator_id', 'order_id']).doUpdateSet({ words: found }))
    .execute()
}

/** The home country and the time zone of each company in reach. */
const homes = compiledQuery(db =>
  db
    .selectFrom('companies')
    .select(['id', 'code'])
    .select([
      sql<string>`coalesce(settings->>'home_country', settings->'sender'->>'country', 'DK')`.as('home'),
      sql<string>`coalesce(settings->>'time_zone', 'Europe/Copenhagen')`.as('time_zone'),
    ]),
)
export interface CompanyHome {
  id: number
  code: string
  home: string
  time_zone: string
}
export const companyHomes = (db: Db): Promise<CompanyHome[]> => homes(db, {})
