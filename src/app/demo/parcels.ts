/** The demo's parcels: orders that were packed this morning and wait in their cages for the courier. */
import { sql } from 'kysely'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { restoreStatus } from '#features/orders/orders/order-state.commands.ts'
import { nextParcelNumber, parcelWeight, StoredParty } from '#features/shipping/labels/booking.queries.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import type { BookingRequest, Labels } from '#integrations/couriers/courier.ts'
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
  const { sender, gs1_prefix, packaging_weight_g, default_weight_g } = await services.database.transaction(scope, async db => {
    await db
      .insertInto('courier_settings')
      .values({ agent_code: 'own', settings: JSON.stringify(settings) })
      .execute()
    return (await companyById(db, scope.company_id)).settings
  })
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
        reserved_number: await nextParcelNumber(db, scope.company_id, gs1_prefix),
        order_no: order.order_no,
        shipping_method: method,
        sender: StoredParty.parse(sender),
        receiver: StoredParty.parse(order.ship_to),
        service_point_id: null,
        weight_g: grams,
        parcel_no: 1,
        parcel_count: 1,
        tracking_url: trackingUrl(services, { id: scope.company_id, code: company }, order.id),
        settings,
      }
      return { request: asked, weight_g: grams }
    })
    const booking = await own.book(request, services.closing)
    const stored = await Promise.all(
      Object.entries(booking.labels).map(async ([format, bytes]) => ({
        format: format as keyof Labels,
        bytes,
        sha256: await services.files.put(scope.operator_id, bytes),
      })),
    )
    await services.database.transaction(scope, async db => {
      const files: Partial<Record<keyof Labels, number>> = {}
      for (const { format, bytes, sha256 } of stored)
        files[format] = await recordFile(db, sha256, bytes, {
          media_type: format === 'zpl' ? 'application/zpl' : 'application/pdf',
          name: `${booking.tracking_no}.${format === 'zpl' ? 'zpl' : 'pdf'}`,
        })
      const { settings: _settings, ...kept } = request
      const { id } = await db
        .insertInto('shipments')
        .values({
          order_id: order.id,
          agent_code: 'own',
          shipping_method: method,
          state: 'booked',
          idempotency_key: request.idempotency_key,
          reference: request.reference,
          reserved_number: request.reserved_number,
          request: JSON.stringify(kept),
          tracking_no: booking.tracking_no,
          barcode: booking.barcode,
          cage: booking.cage ?? null,
          label_pdf_file_id: files.pdf ?? null,
          label_a4_file_id: files.a4 ?? null,
          label_zpl_file_id: files.zpl ?? null,
          weight_g,
          booked_at: at,
          created_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
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
            data: JSON.stringify({ tracking_no: booking.tracking_no, parcel_no: 1 }),
          },
          { kind: 'order.packed', order_id: order.id, at, actor_name: 'Kim Lund', actor_kind: 'user', data: JSON.stringify({}) },
        ])
        .execute()
    })
  }
}
