/** The demo's parcels: orders that were packed this morning and wait in their cages for the courier. */
import { sql } from 'kysely'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { restoreStatus } from '#features/orders/orders/order-state.commands.ts'
import { nextParcelNumber, storeContents } from '#features/shipping/labels/booking.commands.ts'
import { parcelWeight } from '#features/shipping/labels/booking.queries.ts'
import { packedLines } from '#features/shipping/labels/shipment-contents.queries.ts'
import { StoredParty, type StoredRequest } from '#features/shipping/labels/stored-request.server.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import type { BookingRequest, LabelFormat } from '#integrations/couriers/courier.ts'
import { own } from '#integrations/couriers/own/own.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Services } from '#platform/http/feature-module.ts'

/** Routes of each company's own van: name; postcodes; cage; time. */
const routes = {
  demo: 'Sjælland; 1000-4999; B1; 15:30\nFyn and Jylland; 5000-9999; B2; 17:00',
  'demo-north': 'Norway; 0001-9991; N1; 16:00',
  'demo-home': 'Sweden; 10000-98499; S1; 16:30',
} as const

/** Area that each company's van covers. */
const home = { demo: 'DK', 'demo-north': 'NO', 'demo-home': 'SE' } as const

/** Packs some of the oldest orders of a company, with labels as the packing station makes them. */
export async function buildParcels(services: Services, scope: TenantScope, company: keyof typeof routes, count: number): Promise<void> {
  const settings = { routes: routes[company], label_language: 'en' }
  const morning = new Date(services.now().getTime() - 2 * 3_600_000)
  const { sender, gs1_prefix, time_zone, locale, packaging_weight_g, default_weight_g } = await services.database.transaction(
    scope,
    async db => {
      await db
        .insertInto('courier_settings')
        .values({ agent_code: 'own', settings: JSON.stringify(settings) })
        .execute()
      return (await companyById(db, scope.company_id)).settings
    },
  )
  const orders = await services.database.transaction(scope, db =>
    db
      .selectFrom('orders')
      .select(['id', 'order_no', 'ship_to', 'shipping_method'])
      .where('company_id', '=', scope.company_id)
      .where('phase', '=', 'ready')
      .where('pinned_at', 'is', null)
      .where('ship_country', '=', home[company])
      .orderBy('id')
      .limit(count)
      .execute(),
  )
  for (const [i, order] of orders.entries()) {
    const at = new Date(morning.getTime() + i * 240_000).toISOString()
    const method = order.shipping_method ?? 'van'
    const { request, weight_g } = await services.database.transaction(scope, async db => {
      await sql`
        insert into parcel_lines (company_id, order_id, parcel_no, order_line_id, qty)
        select company_id, order_id, 1, id, qty from order_lines
        where operator_id = current_operator_id() and company_id = ${scope.company_id} and order_id = ${order.id} and type = 'item' and requires_shipping`.execute(
        db,
      )
      await db
        .updateTable('order_lines')
        .set(eb => ({ packed_qty: eb.ref('qty'), picked_qty: eb.ref('qty') }))
        .where('order_id', '=', order.id)
        .where('type', '=', 'item')
        .execute()
      const grams = await parcelWeight(db, order.id, 1, { packaging_weight_g, default_weight_g })
      const key = `${scope.company_id}-${order.id}-outbound-1-1`
      const asked: BookingRequest = {
        idempotency_key: key,
        reference: key,
        operation: 'outbound',
        method,
        services: [],
        order_no: order.order_no,
        ship_date: localDay(morning, time_zone),
        parties: {
          sender: StoredParty.parse(sender),
          recipient: StoredParty.parse(order.ship_to),
          return_to: null,
          importer: null,
          payer: null,
        },
        service_point: null,
        parcels: [
          {
            parcel_no: 1,
            parcel_count: 1,
            reserved_number: await nextParcelNumber(db, scope.company_id, gs1_prefix),
            weight_g: grams,
            size_mm: null,
            crate: null,
            lines: await packedLines(db, order.id, 1),
          },
        ],
        customs: null,
        label: { format: 'pdf' },
        locale,
        pickup: null,
        tracking_url: trackingUrl(services, { id: scope.company_id, code: company }, { order_id: order.id }),
        settings,
      }
      return { request: asked, weight_g: grams }
    })
    const booking = await own.book(request, services.closing)
    const [parcel] = booking.parcels
    if (!parcel?.ok) throw new Error(`The demo's parcel of order ${order.order_no} was refused`)
    const stored = await Promise.all(
      parcel.documents.map(async document => ({ ...document, content: await services.files.put(scope.operator_id, document.bytes) })),
    )
    await services.database.transaction(scope, async db => {
      const files: Partial<Record<LabelFormat, number>> = {}
      for (const { format, paper, content } of stored)
        files[paper === 'a4' ? 'a4' : format] = await recordFile(db, content, {
          media_type: `application/${format}`,
          name: `${parcel.tracking_no}.${format}`,
          order_id: order.id,
        })
      const {
        parcels: [asked],
        parties,
        idempotency_key,
        reference,
        operation: _operation,
        tracking_url: _link,
        settings: _settings,
        ...kept
      } = request
      const { reserved_number, lines, ...rest } = asked!
      const { id } = await db
        .insertInto('shipments')
        .values({
          order_id: order.id,
          agent_code: 'own',
          shipping_method: method,
          state: 'booked',
          idempotency_key,
          reference,
          reserved_number,
          request: JSON.stringify({ version: 2, ...kept, parcel: rest } satisfies StoredRequest),
          tracking_no: parcel.tracking_no,
          barcode: parcel.barcode,
          cage: parcel.cage,
          label_pdf_file_id: files.pdf ?? null,
          label_a4_file_id: files.a4 ?? null,
          label_zpl_file_id: files.zpl ?? null,
          weight_g,
          booked_at: at,
          created_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await storeContents(db, { company_id: scope.company_id, shipment_id: id, parties, lines })
      await db
        .insertInto('shipment_events')
        .values({ shipment_id: id, order_id: order.id, state: 'booked', at, source: 'own', text: 'The label was made' })
        .execute()
      await db.updateTable('orders').set({ work_state: 'packed', packed_at: at }).where('id', '=', order.id).execute()
      await restoreStatus(db, [order.id])
      await db
        .insertInto('events')
        .values([
          {
            kind: 'shipment.booked',
            order_id: order.id,
            subject: 'shipment',
            subject_id: id,
            at,
            actor_name: 'Kim Lund',
            actor_kind: 'user',
            data: JSON.stringify({ tracking_no: parcel.tracking_no, parcel_no: 1 }),
          },
          { kind: 'order.packed', order_id: order.id, at, actor_name: 'Kim Lund', actor_kind: 'user', data: JSON.stringify({}) },
        ])
        .execute()
    })
  }
}
