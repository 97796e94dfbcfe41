/** What of an order can be returned, and what the customer sees of a return. */
import { sql } from 'kysely'
import { isOneOf, isRecord } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { homeCountry } from '#features/company/companies/companies.rules.ts'
import { publicHolidays } from '#features/company/holidays/public-holidays.server.ts'
import { valuesOfParts } from '#features/orders/orders/bundle-values.rules.ts'
import type { Db } from '#platform/database/database.ts'
import { firstKnown } from '#platform/database/indexed-choice.ts'
import { lineTotals, pieceAmount } from './return-amounts.rules.ts'
import { knownReasons, type ReturnReason } from './return-reasons.rules.ts'
import { letGo } from './return-states.rules.ts'
import { arrivalDay, type ReturnWindow, shopWindow, withdrawalWindow } from './return-window.rules.ts'
import type { Custody, MoneyState, ProposalState, ReturnMethod, ReturnOutcome, ReturnStatus } from './returns.codes.ts'

const texts = (value: unknown): Record<string, string> =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).flatMap(([key, one]) => (typeof one === 'string' ? [[key, one]] : []))) : {}

/** The reasons of a company: those that the product knows with what the company changed of them, and its own. In their order. */
export async function returnReasons(db: Db, company_id: number): Promise<ReturnReason[]> {
  const rows = await db
    .selectFrom('return_reasons')
    .select(['code', 'words', 'evidence_text', 'evidence_photo', 'fault', 'position', 'active', 'version'])
    .where('company_id', '=', company_id)
    .limit(200)
    .execute()
  const own = new Map(rows.map(row => [row.code, { ...row, words: texts(row.words) }]))
  const changed = knownReasons.map(one => own.get(one.code) ?? one)
  const added = [...own.values()].filter(({ code }) => !knownReasons.some(one => one.code === code))
  return [...changed, ...added].toSorted((one, other) => one.position - other.position)
}

/** A line of an order with what is left to return of it. */
export interface ReturnableLine {
  order_line_id: number
  product_id: number | null
  sku: string | null
  name: string
  variant: string | null
  image_url: string | null
  /** Pieces ordered and not cancelled; those that were sent; those of them that are in no return yet. */
  qty: number
  shipped: number
  left: number
  /** Which pieces of the line are left, counted from 1. */
  free: number[]
  /** What was paid for the whole line, VAT included, in minor units. */
  paid: number
}

/** The lines of an order of which something was sent. What is left is sure only while the order's row is locked. */
export const leftToReturn = async (db: Db, order_id: number): Promise<ReturnableLine[]> =>
  (await leftOfOrders(db, [order_id])).get(order_id) ?? []

/** The same for many orders; one without lines is left out. */
export async function leftOfOrders(db: Db, order_ids: readonly number[]): Promise<Map<number, ReturnableLine[]>> {
  const rows = await db
    .selectFrom('order_lines as l')
    .select([
      'l.order_id',
      'l.id',
      'l.type',
      'l.qty',
      'l.cancelled_qty',
      'l.shipped_qty',
      'l.product_id',
      'l.sku',
      'l.name',
      'l.variant',
      'l.image_url',
    ])
    .select(['l.unit_price_excl_vat', 'l.unit_price_incl_vat', 'l.discount_excl_vat', 'l.vat_percent', 'l.requires_shipping'])
    .select(['l.external_id', 'l.bundle_of', 'l.combined_order_id', 'l.shop_qty', 'l.cost_price'])
    .select(
      sql<number[]>`array(select i.piece_no from return_items i where i.operator_id = l.operator_id and i.order_line_id = l.id
        and i.custody <> all (${letGo}::text[]))`.as('taken'),
    )
    .where('l.order_id', '=', sql<number>`any(${[...order_ids]}::bigint[])`)
    .orderBy('l.line_no')
    .execute()
  return new Map(
    [...Map.groupBy(rows, row => row.order_id)].map(([order_id, lines]) => {
      const paid = lineTotals(lines)
      // The price of a bundle goes back with its parts.
      for (const [id, share] of valuesOfParts(lines.map(line => ({ ...line, amount: paid.get(line.id) ?? null })))) paid.set(id, share)
      return [
        order_id,
        lines
          .filter(line => line.type === 'item' && line.requires_shipping && line.shipped_qty > 0)
          .map(line => {
            const taken = new Set(line.taken)
            const free = Array.from({ length: line.shipped_qty }, (_, place) => place + 1).filter(no => !taken.has(no))
            const left = Math.max(0, line.shipped_qty - taken.size)
            return {
              order_line_id: line.id,
              product_id: line.product_id,
              sku: line.sku,
              name: line.name,
              variant: line.variant,
              image_url: line.image_url,
              qty: line.qty - line.cancelled_qty,
              shipped: line.shipped_qty,
              left,
              free: free.slice(0, left),
              paid: paid.get(line.id) ?? 0,
            }
          }),
      ] as const
    }),
  )
}

/** What was paid for one piece of a line. */
export const amountOfPiece = (line: Pick<ReturnableLine, 'paid' | 'qty'>, piece_no: number): number =>
  piece_no > line.qty ? 0 : pieceAmount(line.paid, piece_no, line.qty)

export interface ReturnWindows {
  /** Null while nothing of the order was sent. */
  shop: ReturnWindow | null
  withdrawal: ReturnWindow | null
  /** The day from which both count. */
  arrived_on: string | null
  time_zone: string
}

/** How long an order may be sent back: by the shop's own window, and by the law. */
export async function returnWindows(db: Db, order_id: number): Promise<ReturnWindows> {
  const { company_id } = await db.selectFrom('orders').select('company_id').where('id', '=', order_id).executeTakeFirstOrThrow()
  const settings = await companySettings(db, company_id)
  const { time_zone, returns, schedule } = settings
  const arrived_on = (await arrivalDays(db, [order_id], time_zone)).get(order_id) ?? null
  if (arrived_on === null) return { shop: null, withdrawal: null, arrived_on, time_zone }
  const from = Temporal.PlainDate.from(arrived_on)
  const holidays = await publicHolidays(db, {
    country: homeCountry(settings),
    region: schedule.region,
    locale: settings.locale,
    from: arrived_on,
    to: from.add({ days: returns.withdrawal_days + 30 }).toString(),
  })
  return {
    shop: shopWindow(arrived_on, returns.window_days, time_zone),
    withdrawal: withdrawalWindow(arrived_on, returns.withdrawal_days, time_zone, new Set(holidays.map(({ day }) => day))),
    arrived_on,
    time_zone,
  }
}

/** Whether the law gives the withdrawal: its notice came within the period, or no one knows its order yet, and its goods are not left out. */
export async function isOwed(
  db: Db,
  {
    withdrawal,
    exempt,
    order_id,
    noticed_at,
  }: { withdrawal: boolean; exempt: boolean; order_id: number | null; noticed_at: string | null },
): Promise<boolean> {
  if (!withdrawal || exempt) return false
  const period = order_id === null ? null : (await returnWindows(db, order_id)).withdrawal
  return period === null || noticed_at === null || Date.parse(noticed_at) < Date.parse(period.ends_at)
}

/** The day on which the last parcel of each order arrived; orders of which nothing was sent are left out. */
export async function arrivalDays(db: Db, order_ids: readonly number[], time_zone: string): Promise<Map<number, string>> {
  if (order_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('orders as o')
    // In the parcel of another order it left and arrived with that.
    .innerJoin('shipments as s', join => join.on(sql<boolean>`s.order_id = ${sql.raw(firstKnown('o.combined_into', 'o.id'))}`))
    .select('o.id as order_id')
    .select(eb => [
      eb.fn.max('s.delivered_at').as('delivered_at'),
      eb.fn.max('s.handed_over_at').as('handed_over_at'),
      sql<boolean>`bool_and(s.delivered_at is not null)`.as('all_delivered'),
    ])
    .where('o.id', '=', sql<number>`any(${[...order_ids]}::bigint[])`)
    .where('s.operation_code', '=', 'outbound')
    .where('s.handed_over_at', 'is not', null)
    .where('s.state', 'not in', ['cancelled', 'blocked', 'error', 'draft'])
    .groupBy('o.id')
    .execute()
  return new Map(
    rows.flatMap(({ order_id, delivered_at, handed_over_at, all_delivered }) => {
      const day = arrivalDay({ delivered_at: all_delivered ? delivered_at : null, handed_over_at }, time_zone)
      return day === null ? [] : [[order_id, day] as const]
    }),
  )
}

export interface ReturnProgress {
  id: number
  rma_no: string
  order_id: number | null
  order_no: string | null
  status: ReturnStatus
  method: ReturnMethod
  withdrawal: boolean
  language: string
  currency: string
  fee: number
  requested_at: string
  approved_at: string | null
  expires_at: string | null
  in_transit_at: string | null
  arrived_at: string | null
  decided_at: string | null
  resolved_at: string | null
  refund_due_at: string | null
  /** Why it was rejected, as the shop wrote it. */
  reject_reason: string | null
  can_cancel: boolean
  /** Where a rule has it sent, other than to the address of the portal. */
  address: string | null
  items: {
    id: number
    order_line_id: number | null
    sku: string | null
    name: string
    outcome: ReturnOutcome
    reason_code: string | null
    custody: Custody
    money: MoneyState
    amount: number
  }[]
  money: { no: number; state: ProposalState; total: number; paid: number | null; answered_at: string | null; reason: string | null }[]
  parcels: { id: number; shipment_id: number | null; tracking_key: string | null; arrived_at: string | null }[]
}

/** Whether a return may still be cancelled: nothing of it is on its way. */
export const mayCancel = (status: ReturnStatus): boolean => isOneOf<ReturnStatus>(['requested', 'approved'], status)

/** What the customer sees of a return; undefined where there is none in scope. */
export async function returnForProgress(db: Db, return_id: number): Promise<ReturnProgress | undefined> {
  const row = await db
    .selectFrom('returns as r')
    .leftJoin('orders as o', 'o.id', 'r.order_id')
    .select(['r.id', 'r.rma_no', 'r.order_id', 'o.order_no', 'r.status', 'r.method', 'r.withdrawal', 'r.language', 'r.currency', 'r.fee'])
    .select(['r.requested_at', 'r.approved_at', 'r.expires_at', 'r.in_transit_at', 'r.arrived_at', 'r.decided_at', 'r.resolved_at'])
    .select(['r.refund_due_at', 'r.reason', 'r.ended_as'])
    .where('r.id', '=', return_id)
    .executeTakeFirst()
  if (!row) return undefined
  const [items, money, parcels] = await Promise.all([
    db
      .selectFrom('return_items')
      .select(['id', 'order_line_id', 'sku', 'name', 'outcome', 'reason_code', 'custody', 'money', 'amount', 'destination_address'])
      .where('return_id', '=', return_id)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('refund_proposals')
      .select(['no', 'state', 'total', 'paid', 'answered_at', 'reason'])
      .where('return_id', '=', return_id)
      .orderBy('no')
      .execute(),
    db
      .selectFrom('return_parcels')
      .select(['id', 'shipment_id', 'tracking_key', 'arrived_at'])
      .where('return_id', '=', return_id)
      .orderBy('id')
      .execute(),
  ])
  const { reason, ended_as, ...rest } = row
  return {
    ...rest,
    reject_reason: ended_as === 'rejected' ? reason : null,
    can_cancel: mayCancel(row.status),
    address: items.find(item => item.destination_address !== null)?.destination_address ?? null,
    items: items.map(({ destination_address: _address, ...item }) => item),
    money,
    parcels,
  }
}
