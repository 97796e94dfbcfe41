/** What outgoing webhooks send of the work in the warehouse: products, lists, exceptions and videos. No object names a person or holds a note. */
import { sql } from 'kysely'
import * as z from 'zod'
import { first, instant, objectOf, ours, whole } from './webhook-objects.server.ts'

/** Parcels of a collect list that one body names. */
const mostParcels = 1_000

const Product = z.object({
  product_id: whole,
  sku: z.string(),
  name: z.string(),
  variant: z.string().nullable(),
  barcodes: z.array(z.string()),
  weight_g: whole.nullable(),
  length_mm: whole.nullable(),
  width_mm: whole.nullable(),
  height_mm: whole.nullable(),
  hs_code: z.string().nullable(),
  origin: z.string().nullable(),
  serial_required: z.boolean(),
  updated_at: instant,
})

const product = objectOf(
  'WebhookProduct',
  Product,
  {
    product_id: 501,
    sku: 'MUG-BLUE',
    name: 'Enamel mug, blue',
    variant: null,
    barcodes: ['5701234567899'],
    weight_g: 310,
    length_mm: 120,
    width_mm: 90,
    height_mm: 90,
    hs_code: '7323940000',
    origin: 'PL',
    serial_required: false,
    updated_at: '2026-11-20T10:00:00.000Z',
  },
  (db, id) =>
    first(
      sql<z.output<typeof Product>>`
        select p.id as product_id, p.sku, p.name, p.variant, p.weight_g, p.length_mm, p.width_mm, p.height_mm, p.hs_code, p.origin, p.serial_required,
          p.updated_at, array(select b.barcode from product_barcodes b where b.operator_id = p.operator_id and b.product_id = p.id
            order by b.barcode) as barcodes
        from products p where ${ours('p')} and p.id = ${id}`.execute(db),
    ),
)

const PickList = z.object({
  pick_list_id: whole,
  type: z.string(),
  state: z.string(),
  orders: whole,
  lines: whole,
  pieces: whole,
  created_at: instant,
  completed_at: instant.nullable(),
  cancelled_at: instant.nullable(),
})

const pickList = objectOf(
  'WebhookPickList',
  PickList,
  {
    pick_list_id: 88,
    type: 'cluster',
    state: 'picked',
    orders: 24,
    lines: 61,
    pieces: 75,
    created_at: '2026-11-20T08:00:00.000Z',
    completed_at: null,
    cancelled_at: null,
  },
  (db, id) =>
    first(
      sql<z.output<typeof PickList>>`
        select l.id as pick_list_id, l.type, l.state, l.order_count as orders, l.line_count as lines, l.piece_count as pieces, l.created_at,
          l.completed_at, l.cancelled_at
        from pick_lists l where l.operator_id = current_operator_id() and l.id = ${id}`.execute(db),
    ),
)

const CollectList = z.object({
  collect_list_id: whole,
  agent_code: z.string(),
  cage: z.string(),
  state: z.string(),
  expected: whole,
  scanned: whole,
  missing: whole,
  weight_g: whole,
  /** Of the first thousand parcels. */
  tracking_nos: z.array(z.string()),
  created_at: instant,
  closed_at: instant.nullable(),
  handed_over_at: instant.nullable(),
})

const collectList = objectOf(
  'WebhookCollectList',
  CollectList,
  {
    collect_list_id: 31,
    agent_code: 'gls',
    cage: 'gls-2',
    state: 'handed_over',
    expected: 2,
    scanned: 2,
    missing: 0,
    weight_g: 3_400,
    tracking_nos: ['00370730254812345678', '00370730254812345685'],
    created_at: '2026-11-20T07:00:00.000Z',
    closed_at: '2026-11-20T15:30:00.000Z',
    handed_over_at: '2026-11-20T15:45:00.000Z',
  },
  (db, id) =>
    first(
      sql<z.output<typeof CollectList>>`
        select l.id as collect_list_id, l.agent_code, l.cage_name as cage, l.state, l.expected_count as expected, l.scanned_count as scanned,
          l.missing_count as missing, l.weight_g, l.created_at, l.closed_at, l.handed_over_at,
          array(select s.tracking_no from collect_parcels c join shipments s on s.operator_id = c.operator_id and s.id = c.shipment_id
            where c.operator_id = l.operator_id and c.company_id = any (current_company_ids()) and c.collect_list_id = l.id
              and s.tracking_no is not null order by s.id limit ${mostParcels}) as tracking_nos
        from collect_lists l where l.operator_id = current_operator_id() and l.id = ${id}`.execute(db),
    ),
)

const Exception = z.object({
  exception_id: whole,
  kind: z.string(),
  state: z.string(),
  order_id: whole,
  order_no: z.string(),
  external_id: z.string(),
  /** The SKU that it is about. */
  item: z.string().nullable(),
  reported_at: instant,
  due_at: instant,
  resolution: z.string().nullable(),
  resolved_at: instant.nullable(),
})

const exception = objectOf(
  'WebhookException',
  Exception,
  {
    exception_id: 12,
    kind: 'damaged',
    state: 'open',
    order_id: 4_711,
    order_no: '1001',
    external_id: '1001',
    item: 'MUG-BLUE',
    reported_at: '2026-11-20T10:00:00.000Z',
    due_at: '2026-11-20T14:00:00.000Z',
    resolution: null,
    resolved_at: null,
  },
  (db, id) =>
    first(
      sql<z.output<typeof Exception> & { about_order: number }>`
        select e.id as exception_id, e.kind, e.state, e.order_id, o.order_no, o.external_id, e.item, e.reported_at, e.due_at, e.resolution, e.resolved_at,
          e.order_id as about_order
        from packing_exceptions e join orders o on o.operator_id = e.operator_id and o.id = e.order_id
        where ${ours('e')} and e.id = ${id}`.execute(db),
    ),
)

const ShipmentException = z.object({
  exception_id: whole,
  kind: z.string(),
  shipment_id: whole,
  tracking_no: z.string().nullable(),
  order_id: whole.nullable(),
  order_no: z.string().nullable(),
  opened_at: instant,
  resolution: z.string().nullable(),
  resolved_at: instant.nullable(),
})

const shipmentException = objectOf(
  'WebhookShipmentException',
  ShipmentException,
  {
    exception_id: 19,
    kind: 'no_movement',
    shipment_id: 815,
    tracking_no: '00370730254812345678',
    order_id: 4_711,
    order_no: '1001',
    opened_at: '2026-11-20T10:00:00.000Z',
    resolution: null,
    resolved_at: null,
  },
  (db, id) =>
    first(
      sql<z.output<typeof ShipmentException> & { about_order: number | null }>`
        select e.id as exception_id, e.kind, e.shipment_id, s.tracking_no, e.order_id, o.order_no, e.opened_at, e.resolution, e.resolved_at,
          e.order_id as about_order
        from shipment_exceptions e join shipments s on s.operator_id = e.operator_id and s.id = e.shipment_id
          left join orders o on o.operator_id = e.operator_id and o.id = e.order_id
        where ${ours('e')} and e.id = ${id}`.execute(db),
    ),
)

const Video = z.object({
  video_id: whole,
  order_id: whole,
  order_no: z.string(),
  station: z.string(),
  part_no: whole,
  state: z.string(),
  starts_at: instant,
  ends_at: instant.nullable(),
  /** The video is deleted then, unless it is held. */
  delete_after: instant,
})

const video = objectOf(
  'WebhookVideo',
  Video,
  {
    video_id: 204,
    order_id: 4_711,
    order_no: '1001',
    station: 'station-2',
    part_no: 1,
    state: 'available',
    starts_at: '2026-11-20T09:58:00.000Z',
    ends_at: '2026-11-20T10:00:00.000Z',
    delete_after: '2027-01-19T09:58:00.000Z',
  },
  (db, id) =>
    first(
      sql<z.output<typeof Video> & { about_order: number }>`
        select v.id as video_id, v.order_id, o.order_no, v.station, v.part_no, v.state, v.starts_at, v.ends_at, v.delete_after, v.order_id as about_order
        from packing_videos v join orders o on o.operator_id = v.operator_id and o.id = v.order_id
        where ${ours('v')} and v.id = ${id}`.execute(db),
    ),
)

const OrderImport = z.object({
  import_id: whole,
  shop: z.string(),
  rows_read: whole,
  rows_refused: whole,
  created: whole,
  updated: whole,
  unchanged: whole,
  refused: whole,
  created_at: instant,
  undone_at: instant.nullable(),
})

const orderImport = objectOf(
  'WebhookImport',
  OrderImport,
  {
    import_id: 7,
    shop: 'north-shop',
    rows_read: 412,
    rows_refused: 2,
    created: 398,
    updated: 10,
    unchanged: 0,
    refused: 2,
    created_at: '2026-11-20T06:00:00.000Z',
    undone_at: null,
  },
  (db, id) =>
    first(
      sql<z.output<typeof OrderImport>>`
        select i.id as import_id, i.shop, i.rows_read, i.rows_refused, i.created, i.updated, i.unchanged, i.refused, i.created_at, i.undone_at
        from order_imports i where ${ours('i')} and i.id = ${id}`.execute(db),
    ),
)

export const warehouseObjects = {
  product,
  pick_list: pickList,
  collect_list: collectList,
  exception,
  shipment_exception: shipmentException,
  video,
  import: orderImport,
}
