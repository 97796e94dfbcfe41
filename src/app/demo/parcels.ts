/** The demo's parcels: orders that were packed this morning and wait in their cages for the courier. */
import { sql } from 'kysely'
import { elementAt } from '#domain/objects.ts'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { restoreStatus } from '#features/orders/orders/order-state.commands.ts'
import { nextParcelNumber, storeContents } from '#features/shipping/labels/booking.commands.ts'
import { parcelWeight } from '#features/shipping/labels/booking.queries.ts'
import { packedLines } from '#features/shipping/labels/shipment-contents.queries.ts'
import { StoredParty, type StoredRequest } from '#features/shipping/labels/stored-request.server.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import type { BookingRequest, ParcelLine } from '#integrations/couriers/courier.ts'
import { own } from '#integrations/couriers/own/own.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { recordFiles } from '#platform/files/file-store.ts'
import type { Services } from '#platform/http/feature-module.ts'

/** Routes of each company's own van: name; postcodes; cage; time. */
const routes = {
  demo: 'Sjælland; 1000-4999; B1; 15:30\nFyn and Jylland; 5000-9999; B2; 17:00',
  'demo-north': 'Norway; 0001-9991; N1; 16:00',
  'demo-home': 'Sweden; 10000-98499; S1; 16:30',
} as const

/** Area that each company's van covers. */
const home = { demo: 'DK', 'demo-north': 'NO', 'demo-home': 'SE' } as const

const courierSettings = (company: string) => ({ routes: isDemo(company) ? routes[company] : '', label_language: 'en' })
const isDemo = (company: string): company is keyof typeof routes => Object.hasOwn(routes, company)

/** What the station asks the courier for a parcel of an order, its only one unless said otherwise. */
export function demoRequest(
  services: Services,
  {
    company,
    order,
    parcel_no = 1,
    parcel_count = 1,
    ...asked
  }: {
    company: { id: number; code: string; sender: unknown; locale: string }
    order: { id: number; order_no: string; ship_to: unknown; shipping_method: string | null }
    reserved_number: string
    weight_g: number
    lines: ParcelLine[]
    ship_date: string
    parcel_no?: number
    parcel_count?: number
  },
): BookingRequest {
  const key = `${company.id}-${order.id}-outbound-${parcel_no}-1`
  return {
    idempotency_key: key,
    reference: key,
    operation: 'outbound',
    method: order.shipping_method ?? 'van',
    services: [],
    order_no: order.order_no,
    ship_date: asked.ship_date,
    parties: {
      sender: StoredParty.parse(company.sender),
      recipient: StoredParty.parse(order.ship_to),
      return_to: null,
      importer: null,
      payer: null,
    },
    service_point: null,
    parcels: [
      {
        parcel_no,
        parcel_count,
        reserved_number: asked.reserved_number,
        weight_g: asked.weight_g,
        size_mm: null,
        crate: null,
        lines: asked.lines,
      },
    ],
    customs: null,
    label: { format: 'pdf' },
    locale: company.locale,
    pickup: null,
    tracking_url: trackingUrl(services, company, { order_id: order.id }),
    settings: courierSettings(company.code),
  }
}

/** A request of one parcel as it is stored: the request itself, its persons and its goods. */
export function partsOf({
  parcels,
  parties,
  idempotency_key,
  reference,
  operation: _operation,
  tracking_url: _link,
  settings: _settings,
  ...kept
}: BookingRequest): Pick<BookingRequest, 'parties' | 'idempotency_key' | 'reference'> & {
  reserved_number: string | null
  lines: ParcelLine[]
  stored: StoredRequest
} {
  const { reserved_number, lines, ...parcel } = elementAt(parcels, 0)
  return { parties, idempotency_key, reference, reserved_number, lines, stored: { version: 2, ...kept, parcel } }
}

/** Books a parcel with the own courier and keeps its papers; `kind` of the sheet is `a4`. */
export async function bookDemo(
  services: Services,
  { operator_id }: TenantScope,
  order: { id: number; company_id: number },
  request: BookingRequest,
) {
  const [parcel] = (await own.book(request, services.closing)).parcels
  if (!parcel?.ok) throw new Error(`The demo's parcel of order ${request.order_no} was refused`)
  const files = await Promise.all(
    parcel.documents.map(async ({ format, paper, bytes }) => ({
      kind: paper === 'a4' ? ('a4' as const) : format,
      content: await services.files.put(operator_id, bytes),
      about: {
        media_type: `application/${format}`,
        name: `${parcel.tracking_no}.${format}`,
        company_id: order.company_id,
        order_id: order.id,
      },
    })),
  )
  return { tracking_no: parcel.tracking_no, barcode: parcel.barcode, cage: parcel.cage, files }
}

/** Packs some of the oldest orders of a company, with labels as the packing station makes them; the first that has two lines in two parcels. */
export async function buildParcels(services: Services, scope: TenantScope, company: keyof typeof routes, count: number): Promise<void> {
  const morning = new Date(services.now().getTime() - 2 * 3_600_000)
  const { sender, gs1_prefix, time_zone, locale, packaging_weight_g, default_weight_g } = await services.database.transaction(
    scope,
    async db => {
      await db
        .insertInto('courier_settings')
        .values({ agent_code: 'own', settings: JSON.stringify(courierSettings(company)) })
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
  const lineCounts = await services.database.transaction(scope, db =>
    db
      .selectFrom('order_lines')
      .select(eb => ['order_id', eb.fn.countAll<number>().as('lines')])
      .where('order_id', 'in', [0, ...orders.map(({ id }) => id)])
      .where('type', '=', 'item')
      .where('requires_shipping', '=', true)
      .groupBy('order_id')
      .execute(),
  )
  const inTwo = orders.find(({ id }) => lineCounts.some(row => row.order_id === id && row.lines > 1))
  for (const [i, order] of orders.entries()) {
    const at = new Date(morning.getTime() + i * 240_000).toISOString()
    const method = order.shipping_method ?? 'van'
    const parcel_count = order === inTwo ? 2 : 1
    await services.database.transaction(scope, async db => {
      await sql`
        insert into parcel_lines (company_id, order_id, parcel_no, order_line_id, qty)
        select company_id, order_id, 1 + (row_number() over (order by id) - 1) % ${parcel_count}::integer, id, qty from order_lines
        where operator_id = current_operator_id() and company_id = ${scope.company_id} and order_id = ${order.id} and type = 'item' and requires_shipping`.execute(
        db,
      )
      await db
        .updateTable('order_lines')
        .set(eb => ({ packed_qty: eb.ref('qty'), picked_qty: eb.ref('qty') }))
        .where('order_id', '=', order.id)
        .where('type', '=', 'item')
        .execute()
    })
    for (let parcel_no = 1; parcel_no <= parcel_count; parcel_no++) await bookParcel(order, { method, at, parcel_no, parcel_count })
    await services.database.transaction(scope, async db => {
      await db.updateTable('orders').set({ work_state: 'packed', packed_at: at }).where('id', '=', order.id).execute()
      await restoreStatus(db, [order.id])
      await db
        .insertInto('events')
        .values({ kind: 'order.packed', order_id: order.id, at, actor_name: 'Kim Lund', actor_kind: 'user', data: JSON.stringify({}) })
        .execute()
    })
  }

  async function bookParcel(
    order: (typeof orders)[number],
    { method, at, parcel_no, parcel_count }: { method: string; at: string; parcel_no: number; parcel_count: number },
  ): Promise<void> {
    const { request, weight_g } = await services.database.transaction(scope, async db => {
      const { expected_g: grams } = await parcelWeight(db, order.id, parcel_no, { packaging_weight_g, default_weight_g })
      const asked = demoRequest(services, {
        company: { id: scope.company_id, code: company, sender, locale },
        order,
        reserved_number: await nextParcelNumber(db, scope.company_id, gs1_prefix),
        weight_g: grams,
        lines: await packedLines(db, order.id, parcel_no),
        ship_date: localDay(morning, time_zone),
        parcel_no,
        parcel_count,
      })
      return { request: asked, weight_g: grams }
    })
    const parcel = await bookDemo(services, scope, { id: order.id, company_id: scope.company_id }, request)
    await services.database.transaction(scope, async db => {
      const ids = await recordFiles(db, parcel.files)
      const files = Object.fromEntries(parcel.files.map(({ kind }, i) => [kind, ids[i]]))
      const { parties, idempotency_key, reference, reserved_number, lines, stored: kept } = partsOf(request)
      const { id } = await db
        .insertInto('shipments')
        .values({
          order_id: order.id,
          agent_code: 'own',
          shipping_method: method,
          parcel_no,
          state: 'booked',
          idempotency_key,
          reference,
          reserved_number,
          request: JSON.stringify(kept),
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
      await db
        .insertInto('events')
        .values({
          kind: 'shipment.booked',
          order_id: order.id,
          subject: 'shipment',
          subject_id: id,
          at,
          actor_name: 'Kim Lund',
          actor_kind: 'user',
          data: JSON.stringify({ tracking_no: parcel.tracking_no, parcel_no }),
        })
        .execute()
    })
  }
}
