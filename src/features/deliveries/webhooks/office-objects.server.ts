/** What outgoing webhooks send of the office: customers, serial numbers, claims, prints, pickups and the webhooks themselves. */
import { sql } from 'kysely'
import * as z from 'zod'
import { first, instant, objectOf, ours, type WebhookObject, whole } from './webhook-objects.server.ts'

const Customer = z.object({
  customer_id: whole,
  name: z.string(),
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  /** The shop's own numbers of the customer. */
  shop_customers: z.array(z.string()),
  locale: z.string().nullable(),
  orders: whole,
  first_order_at: instant.nullable(),
  last_order_at: instant.nullable(),
  created_at: instant,
})

const exampleCustomer: z.output<typeof Customer> = {
  customer_id: 3_021,
  name: 'Lene Holm',
  emails: ['lene@example.com'],
  phones: ['+4520123456'],
  shop_customers: ['8812'],
  locale: 'da_DK',
  orders: 4,
  first_order_at: '2025-03-02T08:00:00.000Z',
  last_order_at: '2026-11-19T18:20:00.000Z',
  created_at: '2025-03-02T08:00:00.000Z',
}

/** What the webhook's company knows of the customer; merged ones are read at the one that they are merged into. */
const customer: WebhookObject = {
  name: 'WebhookCustomer',
  schema: Customer,
  example: { id: exampleCustomer.customer_id, data: exampleCustomer },
  async read(db, _services, _company, id) {
    const found = (type: string) => sql`array(select l.check_value from customer_lookups l
      where l.operator_id = r.operator_id and l.customer_id in (select m.id from customers m where m.operator_id = r.operator_id and m.root_id = r.id)
        and l.check_type = ${type} and l.removed_at is null and l.seen_by && current_company_ids() order by l.id limit 100)`
    const row = await first(
      sql<z.output<typeof Customer> & { erased: boolean; known: boolean }>`
        select r.id as customer_id, coalesce(k.name, '') as name, r.locale, r.created_at, r.erased_at is not null as erased, k.name is not null as known,
          coalesce(k.orders, 0)::integer as orders, k.first_order_at, k.last_order_at,
          ${found('email')} as emails, ${found('phone')} as phones, ${found('shop_customer')} as shop_customers
        from customers c join customers r on r.operator_id = c.operator_id and r.id = c.root_id
          left join lateral (
            select (array_agg(cc.name order by cc.customer_id <> r.id, cc.customer_id))[1] as name, sum(cc.order_count) as orders,
              min(cc.first_order_at) as first_order_at, max(cc.last_order_at) as last_order_at
            from customer_companies cc join customers m on m.operator_id = cc.operator_id and m.id = cc.customer_id and m.root_id = r.id
            where ${ours('cc')}) k on true
        where c.operator_id = current_operator_id() and c.id = ${id}`.execute(db),
    )
    if (!row) return undefined
    const { erased, known, ...data } = row
    // An erasure of one company leaves the customer to the others.
    return { order_id: null, customer_id: id, erased: erased || !known, data }
  },
}

const Serial = z.object({
  serial_id: whole,
  serial: z.string(),
  sku: z.string(),
  name: z.string(),
  order_id: whole,
  order_no: z.string(),
  parcel_no: whole.nullable(),
  added_at: instant,
  removed_at: instant.nullable(),
  returned_at: instant.nullable(),
})

const serial = objectOf(
  'WebhookSerial',
  Serial,
  {
    serial_id: 9_114,
    serial: 'SN-48213377',
    sku: 'SOCKS-1',
    name: 'Wool socks',
    order_id: 4_711,
    order_no: '1001',
    parcel_no: 1,
    added_at: '2026-11-20T10:00:00.000Z',
    removed_at: null,
    returned_at: null,
  },
  (db, id) =>
    first(
      sql<z.output<typeof Serial> & { about_order: number }>`
        select n.id as serial_id, n.serial, coalesce(l.sku, '') as sku, l.name, n.order_id, o.order_no, n.parcel_no, n.created_at as added_at, n.removed_at,
          n.returned_at, n.order_id as about_order
        from order_serials n join orders o on o.operator_id = n.operator_id and o.id = n.order_id
          join order_lines l on l.operator_id = n.operator_id and l.id = n.order_line_id
        where ${ours('n')} and n.id = ${id}`.execute(db),
    ),
)

const SerialUnit = z.object({
  serial_unit_id: whole,
  serial: z.string(),
  sku: z.string(),
  /** `in_stock`, `sent`, `returned`, `recalled` or `removed`. */
  state: z.string(),
  lot: z.string().nullable(),
  expiry: z.string().nullable(),
  pack_code: z.string().nullable(),
})

const serialUnit = objectOf(
  'WebhookSerialUnit',
  SerialUnit,
  {
    ...{ serial_unit_id: 52_007, serial: 'SN-48213377', sku: 'SOCKS-1', state: 'recalled', lot: 'L-7', expiry: '2028-06-30' },
    pack_code: null,
  },
  (db, id) =>
    first(
      sql<z.output<typeof SerialUnit>>`
        select u.id as serial_unit_id, u.serial, u.sku_key as sku, u.state, u.lot, u.expiry::text, u.pack_code
        from serial_units u where ${ours('u')} and u.id = ${id}`.execute(db),
    ),
)

const Claim = z.object({
  claim_id: whole,
  kind: z.string(),
  state: z.string(),
  shipment_id: whole,
  tracking_no: z.string().nullable(),
  order_id: whole.nullable(),
  order_no: z.string().nullable(),
  /** Minor units. */
  amount: whole,
  granted: whole.nullable(),
  currency: z.string(),
  noticed_on: z.string(),
  deadline_on: z.string().nullable(),
  sent_at: instant.nullable(),
  settled_at: instant.nullable(),
})

const claim = objectOf(
  'WebhookClaim',
  Claim,
  {
    claim_id: 40,
    kind: 'damage',
    state: 'sent',
    shipment_id: 815,
    tracking_no: '00370730254812345678',
    order_id: 4_711,
    order_no: '1001',
    amount: 24_900,
    granted: null,
    currency: 'DKK',
    noticed_on: '2026-11-20',
    deadline_on: '2026-11-27',
    sent_at: '2026-11-20T10:00:00.000Z',
    settled_at: null,
  },
  (db, id) =>
    first(
      sql<z.output<typeof Claim> & { about_order: number | null }>`
        select c.id as claim_id, c.kind, c.state, c.shipment_id, s.tracking_no, c.order_id, o.order_no, c.amount, c.granted, c.currency, c.noticed_on,
          c.deadline_on, c.sent_at, c.settled_at, c.order_id as about_order
        from claims c join shipments s on s.operator_id = c.operator_id and s.id = c.shipment_id
          left join orders o on o.operator_id = c.operator_id and o.id = c.order_id
        where ${ours('c')} and c.id = ${id}`.execute(db),
    ),
)

const PrintJob = z.object({
  print_job_id: whole,
  /** What is printed, as `label`. */
  document: z.string(),
  format: z.string(),
  printer: z.string(),
  station: z.string().nullable(),
  state: z.string(),
  copies: whole,
  attempts: whole,
  order_id: whole.nullable(),
  order_no: z.string().nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
})

const printJob = objectOf(
  'WebhookPrintJob',
  PrintJob,
  {
    print_job_id: 60_112,
    document: 'label',
    format: 'zpl',
    printer: 'Zebra 1',
    station: 'station-2',
    state: 'failed',
    copies: 1,
    attempts: 5,
    order_id: 4_711,
    order_no: '1001',
    created_at: '2026-11-20T10:00:00.000Z',
    finished_at: '2026-11-20T10:02:00.000Z',
  },
  (db, id) =>
    first(
      sql<z.output<typeof PrintJob> & { about_order: number | null }>`
        select p.id as print_job_id, p.document, p.format, p.printer_name as printer, p.station, p.state, p.copies, p.attempts, p.order_id, o.order_no,
          p.created_at, p.finished_at, p.order_id as about_order
        from print_jobs p left join orders o on o.operator_id = p.operator_id and o.id = p.order_id
        where ${ours('p')} and p.id = ${id}`.execute(db),
    ),
)

const Deadline = z.object({
  deadline_id: whole,
  name: z.string(),
  cut_off: z.string(),
  pickup_time: z.string(),
  time_zone: z.string(),
  weekdays: z.array(whole),
  agent_codes: z.array(z.string()),
  shipping_methods: z.array(z.string()),
  countries: z.array(z.string()),
  sla_days: whole,
  target: z.string(),
  active: z.boolean(),
})

const deadline = objectOf(
  'WebhookDeadline',
  Deadline,
  {
    deadline_id: 5,
    name: 'GLS',
    cut_off: '14:00',
    pickup_time: '16:00',
    time_zone: 'Europe/Copenhagen',
    weekdays: [1, 2, 3, 4, 5],
    agent_codes: ['gls'],
    shipping_methods: [],
    countries: [],
    sla_days: 0,
    target: 'packed',
    active: true,
  },
  (db, id) =>
    first(
      sql<z.output<typeof Deadline>>`
        select d.id as deadline_id, d.name, d.cut_off, d.pickup_time, d.time_zone, d.weekdays, d.agent_codes, d.shipping_methods, d.countries, d.sla_days,
          d.target, d.active
        from deadlines d where d.operator_id = current_operator_id() and d.id = ${id}`.execute(db),
    ),
)

const OwnWebhook = z.object({
  webhook_id: whole,
  name: z.string(),
  state: z.string(),
  events: z.array(z.string()),
  failing_since: instant.nullable(),
  paused_at: instant.nullable(),
})

const outgoingWebhook = objectOf(
  'WebhookState',
  OwnWebhook,
  {
    webhook_id: 3,
    name: 'Our shop',
    state: 'paused',
    events: ['order.*'],
    failing_since: '2026-11-17T10:00:00.000Z',
    paused_at: '2026-11-20T10:00:00.000Z',
  },
  (db, id) =>
    first(
      sql<z.output<typeof OwnWebhook>>`
        select w.id as webhook_id, w.name, d.state, d.events, d.failing_since, d.paused_at
        from webhooks w join outbox_destinations d on d.operator_id = w.operator_id and d.id = w.id
        where ${ours('w')} and w.id = ${id}`.execute(db),
    ),
)

export const officeObjects = {
  customer,
  serial,
  serial_unit: serialUnit,
  claim,
  print_job: printJob,
  deadline,
  outgoing_webhook: outgoingWebhook,
}
