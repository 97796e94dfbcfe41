/** Shipments and the courier log in the database. */

import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import * as z from 'zod'
import { type Page, pageOffset } from '#contract/page.ts'
import { scannedNumber } from '#domain/gs1.ts'
import { keysOf } from '#domain/objects.ts'
import { bookingStates } from '#domain/order/shipment-states.ts'
import { crateCost } from '#features/shipping/crate-choice/crate-use.queries.ts'
import { priceOfShipment } from '#features/shipping/prices/prices.queries.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import { compiledQuery } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { canSettle } from './booking.queries.ts'
import type { boards } from './labels.codes.ts'
import type { Shipment, ShipmentState, ShipmentStory } from './labels.schemas.ts'

const Receiver = z
  .object({ name: z.string().catch(''), city: z.string().catch(''), country: z.string().catch('') })
  .catch({ name: '', city: '', country: '' })

const shipmentRows = (db: Db) =>
  db
    .selectFrom('shipments as s')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .innerJoin('companies as c', 'c.id', 's.company_id')
    // Who is far away: the recipient, or the sender of what comes back.
    .leftJoin('shipment_parties as p', join =>
      join.onRef('p.shipment_id', '=', 's.id').on(sql<boolean>`p.role = case when s.kind = 'return' then 'sender' else 'recipient' end`),
    )
    .select([
      's.id as shipment_id',
      's.company_id',
      'c.code as company',
      's.kind',
      's.order_id',
      's.reference',
      's.parcel_no',
      's.consignment_id',
      's.agent_code',
      's.shipping_method',
      's.operation_code',
    ])
    .select(eb =>
      eb
        .selectFrom('shipments as t')
        .select(sql<number>`count(*)::int`.as('n'))
        .whereRef('t.consignment_id', '=', 's.consignment_id')
        .$asScalar()
        .$notNull()
        .as('consignment_parcels'),
    )
    .select([
      's.state',
      's.tracking_no',
      's.barcode',
      's.weight_g',
      's.error',
      's.error_field',
      's.error_kind',
      's.created_at',
      's.booked_at',
      's.handed_over_at',
      's.delivered_at',
    ])
    .select(sql<string | null>`coalesce(o.order_no, s.request->>'order_no')`.as('order_no'))
    .select(['p.party', 's.label_pdf_file_id', 's.label_a4_file_id', 's.label_zpl_file_id'])
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('shipment_documents as d')
          .innerJoin('files as f', 'f.id', 'd.file_id')
          .select(['d.document_no', 'd.kind', 'd.format', 'd.paper'])
          .whereRef('d.shipment_id', '=', 's.id')
          .where('f.erased_at', 'is', null)
          .orderBy('d.document_no'),
      ).as('documents'),
    )

type Row = Awaited<ReturnType<ReturnType<typeof shipmentRows>['execute']>>[number]

function toShipment(services: Services, { party, label_pdf_file_id, label_a4_file_id, label_zpl_file_id, ...row }: Row): Shipment {
  const { name, city, country } = Receiver.parse(party)
  const formats = { pdf: label_pdf_file_id, a4: label_a4_file_id, zpl: label_zpl_file_id }
  return {
    ...row,
    receiver: name,
    city,
    country,
    tracking_url: row.tracking_no === null ? null : trackingUrl(services, { id: row.company_id, code: row.company }, row),
    label_formats: keysOf(formats).filter(format => formats[format] !== null),
  }
}

/** The file of a paper beside the labels; none where the person has been erased. */
export const documentOfShipment = (
  db: Db,
  shipment_id: number,
  document_no: number,
): Promise<{ file_id: number; format: 'pdf' | 'zpl' } | undefined> =>
  db
    .selectFrom('shipment_documents as d')
    .innerJoin('files as f', 'f.id', 'd.file_id')
    .select(['d.file_id', 'd.format'])
    .where('d.shipment_id', '=', shipment_id)
    .where('d.document_no', '=', document_no)
    .where('f.erased_at', 'is', null)
    .executeTakeFirst()

const rowsById = compiledQuery((db, { ids }: { ids: readonly number[] }) =>
  shipmentRows(db).where('s.id', '=', sql<number>`any(${ids}::bigint[])`).orderBy('s.id'),
)

export async function shipmentsById(db: Db, services: Services, ids: readonly number[]): Promise<Shipment[]> {
  const rows = await rowsById(db, { ids })
  return rows.map(row => toShipment(services, row))
}

const rowsOfOrders = compiledQuery((db, { order_ids }: { order_ids: readonly number[] }) =>
  shipmentRows(db)
    .where('s.order_id', '=', sql<number>`any(${order_ids}::bigint[])`)
    .orderBy('s.order_id')
    .orderBy('s.parcel_no')
    .orderBy('s.id'),
)

/** Oldest first; those of one order together. */
export async function shipmentsOfOrders(db: Db, services: Services, order_ids: readonly number[]): Promise<Shipment[]> {
  const rows = await rowsOfOrders(db, { order_ids })
  return rows.map(row => toShipment(services, row))
}

/** Whether a shipment, as `s`, carries this barcode or number, however a scanner writes it. */
export function hasLabel(code: string): RawBuilder<boolean> {
  const number = scannedNumber(code)
  return sql<boolean>`(s.barcode = any (${[code, number, `00${number}`]}) or s.tracking_no = any (${[code, number]}))`
}

/** The newest shipment that carries this barcode or number. */
export async function shipmentByBarcode(db: Db, services: Services, code: string): Promise<Shipment | undefined> {
  const row = await shipmentRows(db).where(hasLabel(code)).orderBy('s.id', 'desc').limit(1).executeTakeFirst()
  return row && toShipment(services, row)
}

const Answers = z.object({ cancelled: z.boolean(), cancelled_at_carrier: z.boolean(), refunded: z.boolean() }).nullable().catch(null)

/** The collect list that a parcel is on or left with; the newest of several. */
const collectListOf = (db: Db, shipment_id: number) =>
  db
    .selectFrom('collect_parcels as p')
    .innerJoin('collect_lists as l', 'l.id', 'p.collect_list_id')
    .select(['l.id', 'l.cage_name as cage', 'l.state', 'l.handed_to', 'p.state as parcel_state'])
    .where('p.shipment_id', '=', shipment_id)
    .orderBy('l.id', 'desc')
    .limit(1)
    .executeTakeFirst()

const siblingsOf = (db: Db, consignment_id: number): Promise<ShipmentStory['siblings']> =>
  db
    .selectFrom('shipments as s')
    .select(['s.id as shipment_id', 's.parcel_no', 's.tracking_no', 's.weight_g', 's.state'])
    .select(sql<boolean>`exists (select from collect_parcels p where p.shipment_id = s.id)`.as('on_collect_list'))
    .where('s.consignment_id', '=', consignment_id)
    .orderBy('s.parcel_no')
    .execute()

export async function shipmentDetails(db: Db, services: Services, id: number): Promise<ShipmentStory | undefined> {
  const [shipment] = await shipmentsById(db, services, [id])
  if (!shipment) return undefined
  const { cancel_answers, cancelled_at } = await db
    .selectFrom('shipments')
    .select(['cancel_answers', 'cancelled_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const events = await db
    .selectFrom('shipment_events as e')
    .select(['e.id', 'e.state', 'e.at', 'e.text', 'e.place', 'e.source', 'e.user_name as user'])
    .where('e.shipment_id', '=', id)
    .orderBy('e.at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(200)
    .execute()
  return {
    ...shipment,
    events,
    siblings: shipment.consignment_id === null ? [] : await siblingsOf(db, shipment.consignment_id),
    cancels_together: courier(shipment.agent_code)?.capabilities.cancels_together ?? false,
    cancel_answers: Answers.parse(cancel_answers),
    cancelled_at,
    collect_list: (await collectListOf(db, id)) ?? null,
    can_settle: canSettle(shipment, services.now()),
    price: await priceOfShipment(db, id),
    crate:
      shipment.order_id === null || shipment.operation_code === 'return'
        ? null
        : await crateCost(db, shipment.order_id, shipment.parcel_no),
  }
}

const hours = (now: Date, n: number) => new Date(now.getTime() - n * 3_600_000).toISOString()

export async function searchShipments(
  db: Db,
  services: Services,
  query: {
    query: string
    state?: ShipmentState | undefined
    company_id?: number | undefined
    agent_code?: string | undefined
    board?: (typeof boards)[number] | undefined
    left_from?: string | undefined
    left_until?: string | undefined
    page: number
    limit: number
  },
): Promise<Page<Shipment>> {
  let asked = shipmentRows(db)
  if (query.query) {
    const number = scannedNumber(query.query)
    asked = asked.where(eb =>
      eb.or([
        eb('s.tracking_no', '=', sql<string>`any(${[query.query, number]})`),
        eb('s.barcode', '=', sql<string>`any(${[query.query, number, `00${number}`]})`),
        eb('o.order_no', '=', sql<string>`any(${[query.query, query.query.replace(/^#/, ''), `#${query.query}`]})`),
        // Equal to the reference on the label, and indexed.
        eb('s.idempotency_key', '=', query.query),
      ]),
    )
  }
  if (query.state) asked = asked.where('s.state', '=', query.state)
  if (query.company_id) asked = asked.where('s.company_id', '=', query.company_id)
  if (query.agent_code) asked = asked.where('s.agent_code', '=', query.agent_code)
  if (query.left_from || query.left_until) asked = asked.where('s.operation_code', '=', 'outbound')
  if (query.left_from) asked = asked.where('s.handed_over_at', '>=', query.left_from)
  if (query.left_until) asked = asked.where('s.handed_over_at', '<', query.left_until)
  const now = services.now()
  switch (query.board) {
    case 'no_scan':
      asked = asked.where(eb =>
        eb.or([
          eb.and([eb('s.state', '=', 'booked'), eb('s.booked_at', '<', hours(now, 24))]),
          eb.and([eb('s.state', '=', 'needs_attention'), eb('s.error_kind', '=', 'no_scan')]),
        ]),
      )
      break
    case 'error':
      asked = asked.where('s.state', '=', 'error').where(eb => eb.or([eb('o.label_error', '=', true), eb('s.order_id', 'is', null)]))
      break
    case 'unknown':
      asked = asked.where('s.state', 'in', bookingStates)
      break
    case 'failed':
      asked = asked.where('s.state', 'in', ['delivery_failed', 'needs_attention', 'lost'])
      break
    case 'waiting':
      asked = asked.where('s.state', '=', 'ready_for_pickup')
      break
    case 'returned':
      asked = asked.where('s.state', 'in', ['returning', 'returned_to_sender'])
      break
  }
  const rows = await asked.orderBy('s.id', 'desc').limit(query.limit).offset(pageOffset(query)).execute()
  return {
    rows: rows.map(row => toShipment(services, row)),
    ...(await cappedCount(db, asked.clearSelect())),
    offset: pageOffset(query),
    limit: query.limit,
  }
}

const logShown = (db: Db) =>
  db
    .selectFrom('label_log as g')
    .innerJoin('companies as c', 'c.id', 'g.company_id')
    .leftJoin('orders as o', 'o.id', 'g.order_id')
    .leftJoin('shipments as s', 's.id', 'g.shipment_id')
    .leftJoin('label_log_personal as p', join => join.onRef('p.label_log_id', '=', 'g.id').onRef('p.at', '=', 'g.created_at'))
    .select([
      'g.id',
      'g.shipment_id',
      'g.order_id',
      'o.order_no',
      'c.code as company',
      'g.agent_code',
      'g.action',
      'g.outcome',
      's.tracking_no',
      'g.took_ms',
      'g.created_at',
    ])
    // Entries from before the side rows hold their exchange themselves.
    .select(eb => eb.fn.coalesce('p.error', 'g.error').as('error'))

export async function searchLog(
  db: Db,
  query: { query: string; outcome?: string | undefined; agent_code?: string | undefined; page: number; limit: number },
) {
  let asked = logShown(db)
  if (query.query)
    asked = asked.where(eb =>
      eb.or([
        eb('o.order_no', '=', query.query),
        eb('s.tracking_no', '=', scannedNumber(query.query)),
        eb('s.reference', '=', query.query),
      ]),
    )
  if (query.outcome) asked = asked.where('g.outcome', '=', query.outcome as 'ok')
  if (query.agent_code) asked = asked.where('g.agent_code', '=', query.agent_code)
  const rows = await asked.orderBy('g.id', 'desc').limit(query.limit).offset(pageOffset(query)).execute()
  return { rows, ...(await cappedCount(db, asked.clearSelect())), offset: pageOffset(query), limit: query.limit }
}

export const logById = (db: Db, id: number) =>
  logShown(db)
    .select(eb => [eb.fn.coalesce('p.request', 'g.request').as('request'), eb.fn.coalesce('p.response', 'g.response').as('response')])
    .where('g.id', '=', id)
    .executeTakeFirst()
