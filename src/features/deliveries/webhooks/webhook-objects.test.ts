/** What each kind of object says in an outgoing webhook: its row as it is now, and nothing that a person wrote. */
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { erasureParts } from '#app/erasure-parts.ts'
import { webhookObjects } from '#app/webhook-objects.ts'
import type { NewEvent } from '#contract/events.ts'
import { publicEvents } from '#features/deliveries/outbox/public-events.rules.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { startWebhookReceiver } from './webhook-receiver.fake.ts'
import { sendWebhooks } from './webhook-sender.server.ts'
import { allOf } from './webhooks.codes.ts'
import { webhooks } from './webhooks.contract.ts'

let testApp: TestApp
let operator: TestOperator
let office: TestUser
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let order: Awaited<ReturnType<typeof placeOrder>>
let ids: Awaited<ReturnType<typeof insertRows>>
let webhook_id: number

const scope = () => scopeOfCompany(operator)
const at = '2026-11-20T10:00:00.000Z'

/** One row of each table that no caller of this test fills by a call. */
const insertRows = () =>
  testApp.services.database.transaction(scope(), async db => {
    const one = async (row: RawBuilder<unknown>) => (await sql<{ id: number }>`${row} returning id`.execute(db)).rows[0]?.id ?? 0
    const shipment =
      await one(sql`insert into shipments (order_id, agent_code, shipping_method, state, idempotency_key, reference, cancel_answers, tracking_no)
      values (${order.id}, 'gls', 'private', 'in_transit', 'k1', 'r1', '[]', 'GLS1')`)
    const file = await one(sql`insert into files (sha256, media_type, name, bytes) values (repeat('a', 64), 'text/csv', 'Canary.csv', 10)`)
    const printer = await one(sql`insert into printers (kind, remote_id, name) values ('file', 'p1', 'Zebra 2')`)
    const session = await one(sql`insert into packing_sessions (order_id, user_id, user_name, station, state)
      values (${order.id}, (select min(id) from users), 'Canary', 'station-2', 'done')`)
    const customer = await one(sql`insert into customers (root_id, locale) values (0, 'da_DK')`)
    await sql`update customers set root_id = id where id = ${customer}`.execute(db)
    await sql`insert into customer_companies (customer_id, name, order_count) values (${customer}, 'Lene Hansen', 2)`.execute(db)
    await sql`insert into customer_lookups (customer_id, seen_by, check_type, check_value)
      values (${customer}, array[current_company_id()], 'email', 'lene@example.test')`.execute(db)
    return {
      shipment,
      customer,
      session,
      shipment_exception: await one(sql`insert into shipment_exceptions (shipment_id, order_id, kind, opened_at, note)
        values (${shipment}, ${order.id}, 'no_movement', ${at}, 'Canary')`),
      video:
        await one(sql`insert into packing_videos (order_id, session_id, station, part_no, source, state, starts_at, delete_after, created_at, held_reason, held_until)
        values (${order.id}, ${session}, 'station-2', 1, 'station', 'available', ${at}, ${at}, ${at}, 'Canary', ${at})`),
      import: await one(
        sql`insert into order_imports (shop, file_id, file_name, mapping, created) values ('de', ${file}, 'Canary.csv', '{}', 3)`,
      ),
      invoice: await one(sql`insert into trade_invoices (id, agent_code, country, state, issued_on, currency, reason, total)
        values (default, 'bring', 'NO', 'draft', '2026-11-20', 'NOK', 'Canary', 1200)`),
      message:
        await one(sql`insert into messages (channel, state, order_id, trigger, dedupe_key, send_after, valid_until, created_at, actor)
        values ('sms', 'sent', ${order.id}, 'handed_over', 'd1', ${at}, ${at}, ${at}, 'Canary')`),
      answer:
        await one(sql`insert into messages (direction, channel, state, order_id, dedupe_key, send_after, valid_until, created_at, actor)
        values ('in', 'sms', 'received', ${order.id}, 'd2', ${at}, ${at}, ${at}, 'Canary')`),
      deadline: await one(sql`insert into deadlines (client_id, name, weekdays, cut_off, pickup_time, target, time_zone)
        values (gen_random_uuid(), 'GLS', '{1,2}', '14:00', '16:00', 'packed', 'Europe/Copenhagen')`),
      print_job:
        await one(sql`insert into print_jobs (printer_id, printer_company_id, title, document, file_id, format, idempotency_key, expires_at, order_id,
          state, error, printer_name)
        values (${printer}, current_company_id(), 'Canary', 'label', ${file}, 'zpl', 'k1', ${at}, ${order.id}, 'failed', 'Canary', 'Zebra 2')`),
      serial: await one(sql`insert into order_serials (order_id, order_line_id, sku_key, serial, serial_key)
        values (${order.id}, ${order.lines[0]}, 'TS001-WH', 'SN-1', 'SN-1')`),
      serial_unit: await one(sql`insert into serial_units (sku_key, serial, serial_key, lot) values ('TS001-WH', 'SN-2', 'SN-2', 'L-7')`),
      claim: await one(sql`insert into claims (shipment_id, order_id, kind, amount, currency, noticed_on, note, created_by)
        values (${shipment}, ${order.id}, 'damage', 2500, 'DKK', '2026-11-20', 'Canary', 'Canary')`),
    }
  })

const record = (events: readonly NewEvent[]) =>
  createSystemContext(testApp.services, scope()).transaction(({ recordEvents }) => recordEvents(events))
const send = () => sendDeliveries(testApp.services, { webhook: sendWebhooks(webhookObjects) })

const objects = [
  'order',
  'shipment',
  'shipment_exception',
  'video',
  'import',
  'invoice',
  'customer',
  'message',
  'deadline',
  'print_job',
  'serial',
  'serial_unit',
  'claim',
  'outgoing_webhook',
] as const

beforeAll(async () => {
  testApp = await openTestApp()
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
  testApp.setNow(new Date(at))
  operator = await testApp.operator()
  office = await operator.hire(['settings_admin', 'parcels_admin'])
  receiver = await startWebhookReceiver(() => testApp.services.now())
  order = await placeOrder(testApp.services.database, scope())
  ids = await insertRows()
  const events = objects.map(allOf) as unknown as ['shipment.*']
  const { row, secret } = await office.send(webhooks.save, { body: { name: 'Shop', url: receiver.url, events } })
  receiver.setSecret(secret ?? '')
  webhook_id = row.id
})
afterAll(async () => {
  await receiver.close()
  await testApp.close()
})

const exceptionData = { exception: 'no_movement' }
/** An event of each kind that such a row has, with what stays inside. */
const cases = (): readonly { event: NewEvent; object_id?: number; facts: object; changed?: object; data: object }[] => {
  const about = <K extends keyof typeof ids>(subject: K) => ({ subject, subject_id: ids[subject] })
  const ofOrder = {
    object_id: order.id,
    data: { order_id: order.id, order_no: order.order_no, lines: [{ sku: 'TS001-WH' }, { sku: 'CAP-01' }] },
  }
  const rma = { facts: {}, changed: {} }
  return [
    {
      event: { kind: 'shipment_exception.opened', order_id: order.id, ...about('shipment_exception'), data: exceptionData },
      facts: exceptionData,
      data: { kind: 'no_movement', tracking_no: 'GLS1', order_no: order.order_no },
    },
    {
      event: {
        kind: 'shipment_exception.resolved',
        ...about('shipment_exception'),
        data: { ...exceptionData, resolution: 'found', note: 'Canary' },
      },
      facts: { ...exceptionData, resolution: 'found' },
      data: { order_id: order.id },
    },
    {
      event: { kind: 'video.available', order_id: order.id, ...about('video'), data: { station: 'station-2', part_no: 1, seconds: 9 } },
      facts: { station: 'station-2', part_no: 1, seconds: 9 },
      data: { station: 'station-2', state: 'available', order_no: order.order_no },
    },
    { event: { kind: 'import.finished', ...about('import') }, ...rma, data: { shop: 'de', created: 3 } },
    { event: { kind: 'import.undone', ...about('import'), data: { removed: 3 } }, facts: { removed: 3 }, data: { shop: 'de' } },
    {
      event: { kind: 'invoice.frozen', ...about('invoice'), data: { invoice_no: 'NO-1', parcels: 2 } },
      facts: { invoice_no: 'NO-1', parcels: 2 },
      data: { country: 'NO', total: 1_200, lines: [] },
    },
    {
      event: { kind: 'order.tagged', order_id: order.id, data: { tags: '+ Canary' } },
      facts: {},
      ...ofOrder,
    },
    {
      event: {
        ...{ kind: 'packing.started', order_id: order.id, subject: 'packing_session', subject_id: ids.session },
        data: { station: 'Canary' },
      },
      facts: {},
      ...ofOrder,
    },
    {
      event: { kind: 'packing.next_parcel', order_id: order.id, data: { parcel_no: 2, closed_no: 1 } },
      facts: { closed_no: 1 },
      ...ofOrder,
    },
    {
      event: { kind: 'invoice.handed_over', ...about('invoice'), data: { invoice_no: 'NO-1' } },
      facts: { invoice_no: 'NO-1' },
      data: { country: 'NO', total: 1_200 },
    },
    {
      event: { kind: 'invoice.blocked', ...about('invoice'), data: { invoice_no: 'NO-1', tracking_no: 'Canary' } },
      facts: { invoice_no: 'NO-1' },
      data: { state: 'draft' },
    },
    {
      event: { kind: 'invoice.credited', ...about('invoice'), data: { invoice_no: 'NO-1', credit_no: 'NO-2', by: 'Canary' } },
      facts: { invoice_no: 'NO-1', credit_no: 'NO-2' },
      data: { state: 'draft' },
    },
    {
      event: { kind: 'customer.created', ...about('customer'), data: { fields: ['name'] } },
      facts: {},
      data: { name: 'Lene Hansen', emails: ['lene@example.test'] },
    },
    {
      event: { kind: 'customer.changed', ...about('customer'), data: { fields: ['name', 'lookups'] } },
      facts: {},
      changed: { name: true, lookups: true },
      data: { name: 'Lene Hansen', emails: ['lene@example.test'], orders: 2 },
    },
    {
      event: { kind: 'customer.merged', ...about('customer'), data: { merge_id: 1, member_id: 9 } },
      facts: { member_id: 9 },
      data: { locale: 'da_DK' },
    },
    {
      event: { kind: 'message.queued', order_id: order.id, ...about('message'), data: { channel: 'sms', trigger: 'handed_over' } },
      facts: { channel: 'sms', trigger: 'handed_over' },
      data: { trigger: 'handed_over', order_no: order.order_no },
    },
    {
      event: {
        kind: 'message.received',
        order_id: order.id,
        subject: 'message',
        subject_id: ids.answer,
        data: { channel: 'sms', stops: true },
      },
      facts: { channel: 'sms', stops: true },
      data: { direction: 'in', state: 'received', order_no: order.order_no },
    },
    {
      event: { kind: 'message.sent', order_id: order.id, ...about('message'), data: { channel: 'sms' } },
      facts: { channel: 'sms' },
      data: { trigger: 'handed_over', order_no: order.order_no },
    },
    {
      event: { kind: 'message.failed', order_id: order.id, ...about('message'), data: { channel: 'sms', reason: 'bad_number' } },
      facts: { channel: 'sms', reason: 'bad_number' },
      data: { state: 'sent' },
    },
    {
      event: { kind: 'deadline.alarm', ...about('deadline'), data: { stage: 'soon', due_at: at, missed: 4 } },
      facts: { stage: 'soon', due_at: at, missed: 4 },
      data: { name: 'GLS', pickup_time: '16:00', weekdays: [1, 2] },
    },
    {
      event: {
        kind: 'print.failed',
        order_id: order.id,
        ...about('print_job'),
        data: { title: 'Canary', document: 'label', printer: 'Zebra 2', error: 'Canary' },
      },
      facts: { document: 'label', printer: 'Zebra 2' },
      data: { state: 'failed', printer: 'Zebra 2', order_no: order.order_no },
    },
    {
      event: { kind: 'serial.added', order_id: order.id, ...about('serial'), data: { serial: 'SN-1', name: 'T-shirt' } },
      facts: {},
      data: { serial: 'SN-1', sku: 'TS001-WH', order_no: order.order_no },
    },
    {
      event: { kind: 'serial.removed', order_id: order.id, ...about('serial'), data: { serial: 'SN-1', name: 'T-shirt' } },
      facts: {},
      data: { serial: 'SN-1', sku: 'TS001-WH', removed_at: null },
    },
    {
      event: { kind: 'serial.returned', order_id: order.id, ...about('serial'), data: { serial: 'SN-1', name: 'T-shirt', returned: true } },
      facts: { returned: true },
      data: { serial: 'SN-1', order_no: order.order_no },
    },
    {
      event: { kind: 'serial_unit.marked', ...about('serial_unit'), data: { as: 'removed' } },
      facts: { as: 'removed' },
      data: { serial: 'SN-2', sku: 'TS001-WH', state: 'in_stock', lot: 'L-7' },
    },
    {
      event: { kind: 'serial_unit.recalled', ...about('serial_unit'), data: { sku: 'TS001-WH' } },
      facts: { sku: 'TS001-WH' },
      data: { serial: 'SN-2', pack_code: null },
    },
    {
      event: { kind: 'message.delivered', order_id: order.id, ...about('message'), data: { channel: 'sms' } },
      facts: { channel: 'sms' },
      data: { state: 'sent' },
    },
    {
      event: { kind: 'order.late', order_id: order.id, subject: 'order', subject_id: order.id, data: { due_at: at } },
      facts: { due_at: at },
      data: { order_no: order.order_no },
    },
    {
      event: { kind: 'claim.opened', order_id: order.id, ...about('claim'), data: { claim: 'damage' } },
      facts: { claim: 'damage' },
      data: { amount: 2_500, tracking_no: 'GLS1' },
    },
    {
      event: { kind: 'claim.state_set', order_id: order.id, ...about('claim'), data: { claim: 'damage', state: 'sent' } },
      facts: { claim: 'damage', state: 'sent' },
      data: { amount: 2_500, tracking_no: 'GLS1', granted: null },
    },
    {
      event: { kind: 'outgoing_webhook.paused', subject: 'outgoing_webhook', subject_id: webhook_id, data: { gone: false } },
      facts: { gone: false },
      data: { name: 'Shop', state: 'active' },
    },
    {
      event: {
        kind: 'shipment.hand_over_undone',
        order_id: order.id,
        ...about('shipment'),
        data: { list: 'C1', note: 'Canary', tracking_no: 'GLS1' },
      },
      facts: {},
      data: { shipment_id: ids.shipment, tracking_no: 'GLS1' },
    },
    {
      event: { kind: 'parcel.unpacked', order_id: order.id, ...about('shipment'), data: { parcel_no: 1, pieces: 2 } },
      facts: { parcel_no: 1, pieces: 2 },
      data: { shipment_id: ids.shipment },
    },
  ]
}

describe('an object of a webhook', () => {
  it('is its whole row, with what the event changed and without words of people, in the order of its events', async () => {
    const all = cases()
    await record(all.map(({ event }) => event))
    for (let attempt = 0; attempt < 4; attempt += 1) await send()
    const bodies = receiver.received.map(({ body }) => body)
    expect(bodies).toHaveLength(all.length)
    for (const { event, object_id = event.subject_id, facts, changed = {}, data } of all) {
      const type = publicEvents[event.kind as keyof typeof publicEvents].type
      const body = bodies.find(one => one.type === type)
      expect(body, type).toMatchObject({ object: { id: object_id }, facts, changed, data, erased: false })
      expect(body?.facts, type).toEqual(facts)
      expect(webhookObjects[body?.object.type ?? '']?.schema.safeParse(body?.data).error, type).toBeUndefined()
    }
    expect(JSON.stringify(bodies)).not.toContain('Canary')
    const seqs = Map.groupBy(bodies, ({ object }) => `${object.type} ${object.id}`)
    for (const [type, some] of seqs)
      expect(
        some.map(({ object }) => object.seq),
        type,
      ).toEqual(some.map((_, index) => index + 1))
    expect(new Set(bodies.map(({ object }) => object.type))).toEqual(new Set(objects))
  })

  it('that is a customer is sent no more once the person is erased, and what was sent before is forgotten', async () => {
    const stored = () =>
      testApp.services.database.systemRead('a test looks', db =>
        sql<{ body: string }>`select body from webhook_bodies where body like '%lene@example.test%'`.execute(db),
      )
    expect((await stored()).rows).toHaveLength(7)
    await testApp.services.database.transaction(scope(), async db => {
      for (const part of erasureParts)
        await part.erase(db, { order_ids: [order.id], customer_ids: [ids.customer], words: [] }, new Date(at))
    })
    expect((await stored()).rows).toEqual([])
    await record([{ kind: 'customer.erased', subject: 'customer', subject_id: ids.customer, data: { erasure_id: 1, orders: 0, rows: 5 } }])
    await send()
    expect(receiver.received.at(-1)?.body).toMatchObject({ type: 'customer.erased', erased: true, data: null, facts: {} })
  })
})
