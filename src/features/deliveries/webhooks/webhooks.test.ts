/** Outgoing webhooks over HTTP: what a receiver gets, in which order, and what is refused. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildUser, scopeOfCompany } from '#app/demo/builders.ts'
import { webhookObjects } from '#app/webhook-objects.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { mail } from '#features/deliveries/mail/mail.contract.ts'
import { sendMail } from '#features/deliveries/mail/mail-sender.server.ts'
import { startMailServer } from '#features/deliveries/mail/mail-server.fake.ts'
import { publicTypes } from '#features/deliveries/outbox/public-events.rules.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { shopApi } from '#features/deliveries/shop-api/shop-api.contract.ts'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { warehouseObjects } from './warehouse-objects.server.ts'
import { WebhookBody } from './webhook-body.rules.ts'
import { writeWebhookMail } from './webhook-mail.server.ts'
import { startWebhookReceiver } from './webhook-receiver.fake.ts'
import { judge, sendWebhooks, signatureOf } from './webhook-sender.server.ts'
import { allOf, eventGroups, mostWebhooks } from './webhooks.codes.ts'
import { webhooks } from './webhooks.contract.ts'
import { endOldWebhookData, mailPauses } from './webhooks.task.ts'

let testApp: TestApp
let operator: TestOperator
let office: TestUser
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>

beforeAll(async () => {
  testApp = await openTestApp()
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(new Date('2026-11-20T10:00:00Z'))
  operator = await testApp.operator({ shops: 1 })
  office = await operator.hire(['settings_admin', 'parcels_admin'])
  receiver = await startWebhookReceiver(() => testApp.services.now())
  return () => receiver.close()
})

const add = async (events: readonly string[] = ['order.commented'], url = receiver.url) => {
  const { row, secret } = await office.send(webhooks.save, { body: { name: 'Shop', url, events: events as ['order.commented'] } })
  receiver.setSecret(secret ?? '')
  return row
}
const place = (more: { shop?: string } = {}) => placeOrder(testApp.services.database, scopeOfCompany(operator), more)
const comment = (id: number, text = 'Thank you') => office.send(orderComments.add, { id, type: 'praise', body: { comment: text } })
const send = () => sendDeliveries(testApp.services, { webhook: sendWebhooks(webhookObjects) })
const later = (seconds: number) => testApp.setNow(new Date(testApp.services.now().getTime() + seconds * 1_000))
/** The people stay signed in meanwhile. */
const daysLater = async (days: number) => {
  later(days * 86_400)
  const at = testApp.services.now()
  await testApp.services.database.systemTransaction('the test keeps people signed in', db =>
    db
      .updateTable('sessions')
      .set({ last_used_at: at.toISOString(), expires_at: new Date(at.getTime() + 86_400_000).toISOString() })
      .where('operator_id', '=', operator.operator_id)
      .execute(),
  )
}
const exampleOrder = {
  external_id: 'A1',
  order_no: '#1001',
  currency: 'DKK',
  ship_to: { name: 'Lene Prøve', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK' },
  lines: [{ external_id: '1', sku: 'TS-1', name: 'T-shirt', qty: 1 }],
}
const list = async () => (await office.send(webhooks.list, {})).rows
const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )

describe('a webhook', () => {
  it('of all events of an object gets none that are mails to people', async () => {
    await add(['order.*', 'return.*', 'outgoing_webhook.*'].filter(one => eventGroups.some(({ object }) => allOf(object) === one)))
    const { id } = await place()
    const context = createSystemContext(testApp.services, scopeOfCompany(operator))
    await context.transaction(({ recordEvents }) =>
      recordEvents([
        { kind: 'return_portal.mail_due', order_id: id, subject: 'return', subject_id: 1, data: { mail: 'approved' } },
        { kind: 'order.short_ask_customer', order_id: id, data: {} as never },
        { kind: 'return.resolved', order_id: id, subject: 'return', subject_id: 1, data: { rma_no: 'R0000001' } },
      ]),
    )
    const rows = await testApp.services.database.systemRead('a test looks', db =>
      db
        .selectFrom('outbox_deliveries as d')
        .innerJoin('outbox as o', join => join.onRef('o.operator_id', '=', 'd.operator_id').onRef('o.id', '=', 'd.outbox_id'))
        .select('o.kind')
        .where('d.operator_id', '=', operator.operator_id)
        .where('d.destination_kind', '=', 'webhook')
        .execute(),
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['return.resolved'])
  })

  it('learns that a hand-over was taken back, and of the order of an exchange', async () => {
    await add(['order.hand_over_undone', 'return.exchange_created'])
    const { id, order_no } = await place()
    await createSystemContext(testApp.services, scopeOfCompany(operator)).transaction(({ recordEvents }) =>
      recordEvents([
        { kind: 'order.hand_over_undone', order_id: id, data: { from: 'handed_over', to: 'packed' } },
        {
          kind: 'return.exchange_made',
          subject: 'return',
          subject_id: 1,
          data: { rma_no: 'R0000001', order_no: `${order_no}-1`, items: 1 },
        },
      ]),
    )
    await send()
    // Of two objects, which arrive in any order.
    expect(receiver.received.map(({ body }) => [body.type, body.changed, body.facts]).toSorted()).toEqual([
      ['order.hand_over_undone', { phase: ['handed_over', 'packed'] }, {}],
      ['return.exchange_created', {}, { rma_no: 'R0000001', order_no: `${order_no}-1`, items: 1 }],
    ])
  })

  it('is sent products, lists, exceptions, videos and imports as they are now, without names and notes of people', async () => {
    const wanted = Object.keys(warehouseObjects)
    await add(wanted.map(object => `${object}.*`))
    const admin = await operator.hire(['admin'])
    const mug = {
      ...{ name: 'Mug', variant: null, weight_g: 300, length_mm: null, width_mm: null, height_mm: null, bin: null },
      ...{ hs_code: null, origin: null, customs_text: null, serial_required: false, no_barcode: false },
      barcodes: [{ barcode: '5701234567899', quantity: 1 }],
    }
    const made = await admin.send(products.create, { body: { sku: 'MUG', ...mug } })
    await admin.send(products.update, { id: made.product_id, body: { ...mug, version: made.version, name: 'Large mug', weight_g: 310 } })
    const { id: order_id } = await place()
    const ids = await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
      const one = async (rows: Promise<{ rows: { id: number }[] }>) => (await rows).rows[0]?.id ?? 0
      const list = await one(
        sql<{ id: number }>`insert into pick_lists (type, wagon_type, order_count, line_count, piece_count, stop_count, created_by_name)
          values ('cluster', '{}', 2, 3, 4, 2, 'Canary') returning id`.execute(db),
      )
      const collected = await one(
        sql<{
          id: number
        }>`insert into collect_lists (agent_code, created_by_name, handed_to) values ('gls', 'Canary', 'Canary') returning id`.execute(db),
      )
      const exception = await one(
        sql<{ id: number }>`insert into packing_exceptions (company_id, order_id, kind, note, reported_by, reported_at, due_at)
          values (${operator.main.id}, ${order_id}, 'damaged', 'Canary', 'Canary', now(), now()) returning id`.execute(db),
      )
      return { list, collected, exception }
    })
    await createSystemContext(testApp.services, scopeOfCompany(operator)).transaction(({ recordEvents }) =>
      recordEvents([
        { kind: 'pick_list.picked', subject: 'pick_list', subject_id: ids.list },
        {
          kind: 'collect_list.closed',
          subject: 'collect_list',
          subject_id: ids.collected,
          data: { cage: 'Canary', scanned: 0, missing: 0 },
        },
        {
          kind: 'exception.opened',
          order_id,
          subject: 'exception',
          subject_id: ids.exception,
          data: { exception: 'damaged', note: 'Canary', again: false },
        },
      ]),
    )
    await send()
    const bodies = receiver.received.map(({ body }) => body)
    expect(JSON.stringify(bodies)).not.toContain('Canary')
    expect(bodies.map(body => [body.type, body.object.id, body.changed, body.facts]).toSorted()).toEqual([
      ['collect_list.closed', ids.collected, {}, { scanned: 0, missing: 0 }],
      ['exception.opened', ids.exception, {}, { exception: 'damaged' }],
      ['pick_list.picked', ids.list, {}, {}],
      ['product.changed', made.product_id, { name: true, weight_g: [300, 310] }, { sku: 'MUG' }],
      ['product.created', made.product_id, {}, { sku: 'MUG' }],
    ])
    for (const body of bodies)
      expect(
        webhookObjects[body.object.type]?.schema.safeParse(body.data).error,
        `${body.type} ${JSON.stringify(body.data)}`,
      ).toBeUndefined()
    expect(bodies.find(body => body.type === 'product.created')?.data).toMatchObject({ name: 'Large mug', barcodes: ['5701234567899'] })
  })

  it('reads every object of the warehouse in one statement that the database knows', async () => {
    for (const [type, object] of Object.entries(warehouseObjects))
      expect(
        await testApp.services.database.readOnly(scopeOfCompany(operator), db =>
          object.read(db, testApp.services, { id: operator.main.id, code: operator.main.code }, 0),
        ),
        type,
      ).toBeUndefined()
  })

  it('of all events of an object gets each of them, and those of no other object', async () => {
    const row = await add(['order.*'])
    expect(row.events).toEqual(['order.*'])
    const other = await startWebhookReceiver(() => testApp.services.now())
    const { secret } = await office.send(webhooks.save, { body: { name: 'Parcels', url: other.url, events: ['shipment.*'] } })
    other.setSecret(secret ?? '')
    const { id } = await place()
    await comment(id)
    await comment(id, 'Late')
    await send()
    expect(receiver.received.map(one => one.body.type)).toEqual(['order.commented', 'order.commented'])
    expect(other.received).toEqual([])
    await other.close()
    expect((await refused(add(['cart.*']))).status).toBe(400)
    expect((await refused(add(['*']))).status).toBe(400)
  })

  it('gets what its company does, signed, with the id, the kind and the number of the object', async () => {
    const row = await add()
    const order = await place()
    await comment(order.id, 'Bo lives here')
    await send()
    expect(receiver.received).toMatchObject([
      {
        genuine: true,
        headers: { 'pakhus-event': 'order.commented', 'pakhus-attempt': '1', 'content-type': 'application/json' },
        body: {
          type: 'order.commented',
          company: operator.main.code,
          occurred_at: '2026-11-20T10:00:00.000Z',
          api_version: '2026-11',
          object: { type: 'order', id: order.id, seq: 1 },
          changed: {},
          facts: { type: 'praise' },
          data: { order_id: order.id, order_no: order.order_no },
          test: false,
        },
      },
    ])
    expect(receiver.received[0]?.headers['pakhus-delivery']).toBe(receiver.received[0]?.body.id)
    expect(JSON.stringify(receiver.received)).not.toContain('Bo lives here')
    expect(await list()).toMatchObject([{ id: row.id, state: 'active', waiting: 0, last_delivery_at: '2026-11-20T10:00:00Z' }])
  })

  it('of one shop gets the events of its orders alone', async () => {
    const { secret } = await office.send(webhooks.save, {
      body: { name: 'Shop', url: receiver.url, events: ['order.*', 'shipment.*', 'return.*'], shop: 'de' },
    })
    receiver.setSecret(secret ?? '')
    const [ours, other] = [await place({ shop: 'de' }), await place({ shop: 'dk' })]
    for (const { id } of [ours, other]) await comment(id)
    const key = (await office.send(cmsKeys.create, { body: { name: 'Program', shop: 'de' } })).key
    const otherKey = (await office.send(cmsKeys.create, { body: { name: 'Program', shop: 'dk' } })).key
    for (const authorization of [key, otherKey])
      await testApp.visitor(operator.main).send(shopApi.sendOrders, { body: { orders: [exampleOrder] } }, { headers: { authorization } })
    await send()
    expect(receiver.received.map(({ body }) => body.type).toSorted()).toEqual(['order.commented', 'order.created'])
    expect(receiver.received.find(({ body }) => body.type === 'order.commented')?.body.object.id).toBe(ours.id)
    const [row] = await list()
    await office.send(webhooks.save, { body: { id: row?.id, name: 'Shop', url: receiver.url, events: ['order.*'] } })
    await comment(other.id)
    await send()
    expect(receiver.received).toHaveLength(3)
  })

  it('sends the header of its receiver, whose value is sealed and never shown', async () => {
    const body = { name: 'Shop', url: receiver.url, events: ['order.commented' as const], header_name: 'X-Api-Key' }
    expect(await refused(office.send(webhooks.save, { body }))).toMatchObject({
      code: 'header_value_missing',
      fields: { header_value: expect.any(String) },
    })
    const { row, secret } = await office.send(webhooks.save, { body: { ...body, header_value: 'shop-secret-4711' } })
    receiver.setSecret(secret ?? '')
    expect(row).toMatchObject({ header_name: 'X-Api-Key', header_last4: '4711' })
    const order = await place()
    await comment(order.id)
    await send()
    await office.send(webhooks.test, { id: row.id, body: { event: 'order.packed' } })
    expect(receiver.received.map(({ headers }) => headers['x-api-key'])).toEqual(['shop-secret-4711', 'shop-secret-4711'])
    expect(receiver.received.every(({ genuine }) => genuine)).toBe(true)
    const stored = await testApp.services.database.systemRead('a test looks', db =>
      sql`select * from secrets s, webhooks w, events e`.execute(db),
    )
    expect(JSON.stringify([stored.rows, await list()])).not.toContain('shop-secret')
    // The value goes to no other receiver than the one it was given for.
    expect(
      await refused(office.send(webhooks.save, { body: { ...body, id: row.id, url: 'https://other.example.com/pakhus' } })),
    ).toMatchObject({ code: 'header_value_missing' })
    await office.send(webhooks.save, { body: { ...body, id: row.id, name: 'Renamed' } })
    await comment(order.id)
    await send()
    expect(receiver.received.at(-1)?.headers['x-api-key']).toBe('shop-secret-4711')
    await office.send(webhooks.save, { body: { ...body, id: row.id, header_name: null } })
    await comment(order.id)
    await send()
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('x-api-key')
    expect(await list()).toMatchObject([{ header_name: null, header_last4: null }])
  })

  it.each(['Host', 'content-length', 'Pakhus-Signature', 'X Api', 'X-Api:', 'Proxy-Authorization', 'X-Ä'])(
    'cannot send the header %s',
    async header_name => {
      const body = { name: 'Shop', url: receiver.url, events: ['order.commented' as const], header_name, header_value: 'secret' }
      expect((await refused(office.send(webhooks.save, { body }))).fields).toHaveProperty('header_name')
    },
  )

  it('refuses a header value that would end its line', async () => {
    const body = {
      name: 'Shop',
      url: receiver.url,
      events: ['order.commented' as const],
      header_name: 'X-Key',
      header_value: 'a\r\nHost: b',
    }
    expect((await refused(office.send(webhooks.save, { body }))).fields).toHaveProperty('header_value')
  })

  it('counts what arrived and what failed for good by day of the company', async () => {
    const row = await add()
    const order = await place()
    await comment(order.id)
    await send()
    testApp.setNow(new Date('2026-11-20T23:30:00Z'))
    await comment(order.id, 'Late')
    await testApp.services.database.systemTransaction('the test lets a delivery fail for good', db =>
      db
        .updateTable('outbox_deliveries')
        .set({ state: 'failed', finished_at: testApp.services.now().toISOString() })
        .where('destination_id', '=', row.id)
        .where('state', '=', 'waiting')
        .execute(),
    )
    expect((await office.send(webhooks.days, { id: row.id })).rows).toEqual([
      { day: '2026-11-20', delivered: 1, failed: 0 },
      { day: '2026-11-21', delivered: 0, failed: 1 },
    ])
  })

  it('gets everything once and in order per object after an outage of three hours', async () => {
    await add()
    const orders = [await place(), await place(), await place()]
    receiver.setAnswer(() => ({ status: 503 }))
    for (let hour = 0; hour < 3; hour++) {
      for (const order of orders) await comment(order.id)
      await send()
      later(3_600)
    }
    receiver.received.length = 0
    receiver.setAnswer(() => ({ status: 200 }))
    later(2 * 3_600)
    await send()
    for (const order of orders)
      expect(receiver.received.filter(({ body }) => body.object.id === order.id).map(({ body }) => body.object.seq)).toEqual([1, 2, 3])
    expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(9)
  })

  it('gets an event a second time under the same id where the server dies before it writes down the first, and then what follows', async () => {
    await add()
    const order = await place()
    await comment(order.id)
    await comment(order.id)
    const death = new AbortController()
    const dying = { ...testApp.services, closing: death.signal }
    await sendDeliveries(dying, {
      async webhook(...delivery) {
        await sendWebhooks(webhookObjects)(...delivery)
        death.abort()
        throw new Error('The server is killed')
      },
    })
    await send()
    expect(receiver.received.map(({ body }) => body.object.seq)).toEqual([1])
    later(31)
    await send()
    expect(receiver.received.map(({ body }) => body.object.seq)).toEqual([1, 1, 2])
    expect(receiver.received[1]?.body.id).toBe(receiver.received[0]?.body.id)
  })

  it('gets nothing while it is switched off, and nothing of that time later', async () => {
    const { id, name, url } = await add()
    const order = await place()
    await office.send(webhooks.save, { body: { id, name, url, events: ['order.commented'], active: false } })
    await comment(order.id)
    await office.send(webhooks.save, { body: { id, name, url, events: ['order.commented'] } })
    await send()
    expect(receiver.received).toEqual([])
  })

  it('is paused by the answer 410, keeps what comes and gets it when it is resumed', async () => {
    const { id } = await add()
    const order = await place()
    receiver.setAnswer(() => ({ status: 410 }))
    await comment(order.id)
    await send()
    await comment(order.id)
    expect(await list()).toMatchObject([{ state: 'paused', waiting: 2 }])
    receiver.setAnswer(() => ({ status: 200 }))
    later(120)
    await office.send(webhooks.resume, { id })
    await send()
    expect(receiver.received.map(({ body }) => body.object.seq)).toEqual([1, 1, 2])
  })

  it('is removed with what waits for it', async () => {
    const { id } = await add()
    const order = await place()
    await comment(order.id)
    await office.send(webhooks.remove, { id })
    await send()
    expect([receiver.received, await list()]).toEqual([[], []])
    expect(await refused(office.send(webhooks.remove, { id }))).toMatchObject({ status: 404 })
  })

  it('shows its secret once; later only its end is known', async () => {
    const answer = await office.send(webhooks.save, { body: { name: 'Shop', url: receiver.url, events: ['order.packed'] } })
    expect(answer.secret).toMatch(/^whsec_/)
    const change = { id: answer.row.id, name: 'Other', url: receiver.url, events: ['order.packed' as const] }
    expect(await office.send(webhooks.save, { body: change })).toMatchObject({
      secret: null,
      row: { name: 'Other', last4: answer.secret?.slice(-4) },
    })
  })

  it('gets a replay under the same ids, marked as one', async () => {
    const { id } = await add()
    const order = await place()
    await comment(order.id)
    await send()
    const span = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z', states: ['delivered' as const] }
    expect(await office.send(webhooks.replay, { id, body: span })).toEqual({ count: 1 })
    await send()
    expect(receiver.received.map(({ body, headers }) => [body.id, headers['pakhus-replay']])).toEqual([
      [receiver.received[0]?.body.id, undefined],
      [receiver.received[0]?.body.id, '1'],
    ])
  })

  it('is not written over by someone who has read it before another’s change', async () => {
    const row = await add()
    const change = (name: string, version?: number) =>
      office.ask(webhooks.save, { body: { id: row.id, name, url: receiver.url, events: ['order.commented'], ...(version && { version }) } })
    expect((await change('First', row.version)).json()).toMatchObject({ row: { name: 'First', version: row.version + 1 } })
    expect((await change('Second', row.version)).json()).toMatchObject({ code: 'settings_changed', current: { name: 'First' } })
    expect((await list()).map(({ name }) => name)).toEqual(['First'])
    // A program that names no version has the last word.
    expect((await change('Third')).statusCode).toBe(200)
  })

  it('of another company is neither seen nor changed', async () => {
    const { id } = await add()
    const stranger = await operator.hire(['settings_admin'], operator.shops[0])
    expect((await stranger.send(webhooks.list, {})).rows).toEqual([])
    expect(await refused(stranger.send(webhooks.remove, { id }))).toMatchObject({ status: 404 })
    const body = { id, name: 'Mine', url: receiver.url, events: ['order.packed' as const] }
    expect(await refused(stranger.send(webhooks.save, { body }))).toMatchObject({ status: 404 })
    expect(
      await refused(stranger.send(webhooks.replay, { id, body: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' } })),
    ).toMatchObject({
      status: 404,
    })
  })

  it('goes to a public address only', async () => {
    const save = (url: string) => refused(office.send(webhooks.save, { body: { name: 'x', url, events: ['order.packed'] } }))
    expect(await save('https://10.0.0.1/')).toMatchObject({ status: 422, fields: { url: 'This is not a public address' } })
    expect(await save('http://10.0.0.1/')).toMatchObject({ status: 422, fields: { url: 'The address begins with https://' } })
  })

  it('is one of at most twenty', async () => {
    for (let i = 0; i < mostWebhooks; i++) await add()
    expect(await refused(add())).toMatchObject({ status: 409 })
  })
})

describe('the body of a webhook', () => {
  it('holds the object as it is when it is sent, and no one who was erased meanwhile', async () => {
    await add()
    const order = await place()
    receiver.setAnswer(() => ({ status: 500 }))
    await comment(order.id)
    await send()
    expect(receiver.received.at(-1)?.body).toMatchObject({
      erased: false,
      data: {
        order_no: order.order_no,
        ship_to: { name: 'Lene Hansen' },
        lines: [{ sku: 'TS001-WH', qty: 2 }, { sku: 'CAP-01' }],
        parcels: [],
      },
    })
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('orders').set({ erased_at: testApp.services.now().toISOString() }).where('id', '=', order.id).execute(),
    )
    later(70)
    await send()
    expect(receiver.received).toHaveLength(2)
    expect(receiver.received.at(-1)?.body).toMatchObject({ erased: true, data: null })
  })

  it('says what the shop changed: values that name no one, and only the names of the others', async () => {
    await add(['order.updated'] as never)
    const { key } = await office.send(cmsKeys.create, { body: { name: 'Shop' } })
    const order = (over: object) => ({
      external_id: 'A1',
      order_no: '1001',
      currency: 'DKK',
      ship_to: { name: 'Lene Prøve', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK' },
      lines: [{ external_id: '1', sku: 'TS-1', name: 'For Bo', qty: '1' }],
      ...over,
    })
    const headers = { authorization: key }
    const visitor = testApp.visitor(operator.main)
    await visitor.send(shopApi.sendOrders, { body: order({}) as never }, { headers })
    await visitor.send(
      shopApi.sendOrders,
      {
        body: order({
          currency: 'EUR',
          ship_to: { name: 'Secret Person', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK' },
          lines: [{ external_id: '1', sku: 'TS-1', name: 'For Ib', qty: '2' }],
        }) as never,
      },
      { headers },
    )
    await send()
    const body = receiver.received.at(-1)?.body
    expect(body?.changed).toMatchObject({ currency: ['DKK', 'EUR'], 'ship_to.name': true, lines: true })
    expect(JSON.stringify([body?.changed, body?.facts])).not.toMatch(/Secret|For Ib|For Bo/)
    expect(body).toMatchObject({ type: 'order.updated', data: { ship_to: { name: 'Secret Person' }, lines: [{ qty: 2 }] } })
  })

  it('has the form that the documentation shows, for every event', async () => {
    const { rows } = await office.send(webhooks.events, {})
    expect(rows.map(row => row.type)).toEqual(publicTypes)
    for (const { example, summary, type } of rows) {
      expect(summary, type).toMatch(/\.$/)
      expect(WebhookBody.extend({ data: webhookObjects[example.object.type]!.schema }).safeParse(example).error, type).toBeUndefined()
      expect(JSON.stringify(example.facts), type).not.toContain('undefined')
    }
    const document = (await testApp.app.inject({ url: '/openapi.json', headers: { host: 'localhost' } })).json()
    expect(Object.keys(document.webhooks)).toEqual(publicTypes)
    expect(document.webhooks['order.packed'].post.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/ShopOrderEvent',
    })
  })
})

describe('a paused webhook', () => {
  it('is mailed once to the people of the settings, and goes on when it is resumed', async () => {
    const server = await startMailServer()
    await office.send(mail.save, {
      body: {
        ...{ host: '127.0.0.1', port: server.port, security: 'none', user_name: server.signIn.user, password: server.signIn.password },
        ...{ from_name: 'Demo', from_address: 'warehouse@example.com', reply_to: null, version: null },
      },
    })
    await buildUser(testApp.services.database, scopeOfCompany(operator), {
      ...{ name: 'Asta', user_name: 'asta', email: 'asta@example.com', password: 'six herons over a harbour' },
      permissions: ['settings_admin'],
    })
    const { id } = await add()
    const order = await place()
    receiver.setAnswer(() => ({ status: 500 }))
    await comment(order.id)
    await send()
    later(73 * 3_600)
    await send()
    await comment(order.id)
    expect(await list()).toMatchObject([{ state: 'paused', waiting: 2, paused_at: expect.any(String) }])
    await mailPauses(testApp.services)
    await mailPauses(testApp.services)
    await sendDeliveries(testApp.services, { mail: sendMail({ 'outgoing_webhook.mail': writeWebhookMail }) })
    const about = server.received.filter(({ source }) => source.includes(`settings/webhooks?id`) || source.includes('settings/webhooks'))
    expect(about.map(({ to }) => to)).toEqual([['asta@example.com']])
    receiver.setAnswer(() => ({ status: 200 }))
    receiver.received.length = 0
    expect(await office.send(webhooks.resume, { id })).toMatchObject({ state: 'active', paused_at: null })
    expect(await refused(office.send(webhooks.resume, { id }))).toMatchObject({ status: 409, code: 'webhook_not_paused' })
    later(86_400)
    await send()
    expect(receiver.received.map(({ body }) => body.object.seq)).toEqual([1, 2])
    await server.close()
  })

  it('stays paused with what waits when its settings are saved, until it is resumed', async () => {
    const { id } = await add()
    const order = await place()
    receiver.setAnswer(() => ({ status: 410 }))
    await comment(order.id)
    await send()
    await comment(order.id)
    receiver.setAnswer(() => ({ status: 200 }))
    receiver.received.length = 0
    const events = ['order.commented' as const, 'order.packed' as const]
    const { row } = await office.send(webhooks.save, { body: { id, name: 'Other name', url: receiver.url, events } })
    expect(row).toMatchObject({ state: 'paused', paused_at: expect.any(String), waiting: 2, name: 'Other name', events })
    later(86_400)
    await send()
    expect(receiver.received).toEqual([])
    await office.send(webhooks.resume, { id })
    await send()
    await send()
    expect(receiver.received.map(({ body }) => body.object.seq)).toEqual([1, 2])
    await office.send(webhooks.save, { body: { id, name: 'Other name', url: receiver.url, events, active: false } })
    expect(await list()).toMatchObject([{ state: 'disabled', paused_at: null }])
  })

  it('keeps what waits for 14 days, and counts what it lost', async () => {
    await add()
    const order = await place()
    receiver.setAnswer(() => ({ status: 410 }))
    await comment(order.id)
    await send()
    await daysLater(13)
    await comment(order.id)
    await endOldWebhookData(testApp.services)
    expect(await list()).toMatchObject([{ state: 'paused', waiting: 2, lost: 0 }])
    await daysLater(2)
    await endOldWebhookData(testApp.services)
    expect(await list()).toMatchObject([{ state: 'paused', waiting: 1, lost: 1 }])
  })
})

describe('the secret of a webhook', () => {
  it('is replaced while both sign, and the old one ends at its time', async () => {
    const { id } = await add()
    const order = await place()
    const answer = await office.send(webhooks.rotate, { id, body: { keep_hours: 24 } })
    expect(answer.row).toMatchObject({ last4: answer.secret.slice(-4), old_secret_until: '2026-11-21T10:00:00Z' })
    const genuine = async () => {
      await comment(order.id)
      await send()
      return receiver.received.at(-1)?.genuine
    }
    // The receiver still has the old one.
    expect(await genuine()).toBe(true)
    receiver.setSecret(answer.secret)
    expect(await genuine()).toBe(true)
    const third = await office.send(webhooks.rotate, { id, body: { keep_hours: 1 } })
    await comment(order.id)
    await send()
    expect(String(receiver.received.at(-1)?.headers['pakhus-signature']).match(/v1=/g)).toHaveLength(2)
    later(3_601)
    expect(await genuine()).toBe(false)
    receiver.setSecret(third.secret)
    expect(await genuine()).toBe(true)
    expect(await office.send(webhooks.rotate, { id, body: { keep_hours: 0 } })).toMatchObject({ row: { old_secret_until: null } })
  })
})

describe('the delivery log', () => {
  it('has what was sent and answered, is searched and filtered, and sends one again', async () => {
    const { id } = await add(['order.commented', 'order.created'])
    const [one, two] = [await place(), await place()]
    receiver.setAnswer(({ body }) =>
      body.object.id === one.id ? { status: 500, text: 'Database is asleep' } : { status: 200, text: 'thanks' },
    )
    for (const order of [one, two]) await comment(order.id)
    await send()
    const log = async (question: object = {}) => (await office.send(webhooks.deliveries, { id, ...question })).rows
    expect(await log()).toHaveLength(2)
    const [failing] = await log({ state: 'waiting' })
    expect(failing).toMatchObject({ event: 'order.commented', order_no: one.order_no, status: 500, attempts: 1, object: { seq: 1 } })
    expect(await log({ q: two.order_no })).toMatchObject([{ order_id: two.id, state: 'delivered', status: 200 }])
    expect(await log({ q: 'asleep' })).toHaveLength(1)
    expect(await log({ q: failing!.event_id })).toHaveLength(1)
    expect(await log({ event: 'order.created' })).toEqual([])
    expect(await log({ to: '2026-11-20T00:00:00Z' })).toEqual([])
    const detail = await office.send(webhooks.delivery, { id, delivery_id: failing!.id })
    expect(detail).toMatchObject({ answer: 'Database is asleep', sent_at: '2026-11-20T10:00:00Z' })
    expect(JSON.parse(detail.body ?? '')).toEqual(receiver.received.find(({ body }) => body.object.id === one.id)?.body)
    receiver.setAnswer(() => ({ status: 200 }))
    await office.send(webhooks.sendAgain, { id, delivery_id: failing!.id })
    const [sent] = await log({ q: two.order_no })
    await office.send(webhooks.sendAgain, { id, delivery_id: sent!.id })
    expect(await refused(office.send(webhooks.sendAgain, { id, delivery_id: sent!.id }))).toMatchObject({ code: 'delivery_sent_already' })
    await send()
    expect(receiver.received.map(({ headers }) => headers['pakhus-replay'])).toContain('1')
    expect((await log()).map(row => row.state)).toEqual(['delivered', 'delivered', 'delivered'])
    const file = await office.ask(webhooks.exportDeliveries, { id })
    expect(file.body.split('\r\n')).toHaveLength(5)
    const stranger = await operator.hire(['settings_admin'], operator.shops[0])
    expect(await refused(stranger.send(webhooks.deliveries, { id }))).toMatchObject({ status: 404 })
    expect(await refused(stranger.send(webhooks.delivery, { id, delivery_id: failing!.id }))).toMatchObject({ status: 404 })
  })

  it('sends one that waits now and keeps the place in its attempts', async () => {
    const { id } = await add()
    const order = await place()
    receiver.setAnswer(() => ({ status: 500 }))
    await comment(order.id)
    const row = async () => (await office.send(webhooks.deliveries, { id, state: ['waiting'] })).rows.at(-1)
    const minutesUntilNext = async () => (Date.parse((await row())?.next_at ?? '') - testApp.services.now().getTime()) / 60_000
    for (const seconds of [0, 70, 340]) {
      later(seconds)
      await send()
    }
    expect(await row()).toMatchObject({ attempts: 3 })
    // After the third attempt the next one is half an hour away.
    for (let press = 0; press < 12; press += 1) {
      await office.send(webhooks.sendAgain, { id, delivery_id: (await row())!.id })
      await send()
      expect(await row()).toMatchObject({ state: 'waiting', attempts: 3 })
      expect(await minutesUntilNext()).toBeGreaterThan(25)
    }
    expect(receiver.received).toHaveLength(15)
  })

  it('sends what waits before it for the same order, though the receiver is left alone after failures', async () => {
    const { id } = await add()
    const order = await place()
    receiver.setAnswer(() => ({ status: 500 }))
    await comment(order.id, 'one')
    await comment(order.id, 'two')
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await send()
      later(3 * 3_600)
    }
    await send()
    receiver.setAnswer(() => ({ status: 200 }))
    const before = receiver.received.length
    const last = (await office.send(webhooks.deliveries, { id })).rows[0]!
    await office.send(webhooks.sendAgain, { id, delivery_id: last.id })
    await send()
    await send()
    expect(receiver.received.slice(before).map(({ body }) => body.object.seq)).toEqual([1, 2])
  })

  it('forgets what was sent after 14 days', async () => {
    const { id } = await add()
    await comment((await place()).id)
    await send()
    const [row] = (await office.send(webhooks.deliveries, { id })).rows
    await daysLater(15)
    await endOldWebhookData(testApp.services)
    expect(await office.send(webhooks.delivery, { id, delivery_id: row!.id })).toMatchObject({ body: null, state: 'delivered' })
  })
})

describe('the test of a webhook', () => {
  it('sends a signed example and shows the answer', async () => {
    const { id } = await add()
    receiver.setAnswer(() => ({ status: 418, text: 'I am a teapot' }))
    expect(await office.send(webhooks.test, { id, body: { event: 'order.packed' } })).toMatchObject({
      ...{ delivered: false, status: 418, answer: 'I am a teapot' },
    })
    expect(receiver.received).toMatchObject([{ genuine: true, body: { id: 'evt_test', type: 'order.packed', test: true } }])
    expect((await office.send(webhooks.deliveries, { id })).rows).toEqual([])
  })

  it('follows no redirect, and reaches no private address', async () => {
    const { id } = await add()
    receiver.setAnswer(() => ({ status: 302, headers: { location: receiver.url } }))
    const body = { event: 'order.packed' as const }
    expect(await office.send(webhooks.test, { id, body })).toMatchObject({ delivered: false, status: 302 })
    expect(receiver.received).toHaveLength(1)
    testApp.services.config.allowed_networks = []
    const answer = await office.send(webhooks.test, { id, body })
    testApp.services.config.allowed_networks = ['127.0.0.0/8']
    expect(answer).toMatchObject({ delivered: false, status: null })
    expect(receiver.received).toHaveLength(1)
  })
})

describe('the signature', () => {
  it('is the one of the documents, for each secret', () => {
    const body = '{"id":"evt_1","type":"webhook.test"}'
    expect(signatureOf(body, 1_793_520_000, ['whsec_dGVzdC1zZWNyZXQtb25l', 'whsec_dGVzdC1zZWNyZXQtdHdv'])).toBe(
      't=1793520000,v1=8b1f24ecaa65e4929ef5fb9c8c3fc2fdb6f20741734ff16ab6a0b8713f6185f3,v1=f0805ba53494a386d87236e0f4842e4b97df21da9ed7ce788d590268afdb04b6',
    )
  })
})

describe('an answer', () => {
  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [302, 'failed'],
    [404, 'failed'],
    [410, 'gone'],
    [500, 'failed'],
  ])('with status %i is %s', (status, outcome) => {
    expect(judge({ status, text: '', retry_after: undefined })).toEqual({ outcome, status, answer: '' })
  })

  it('may say when to come back', () => {
    expect(judge({ status: 429, text: '', retry_after: '600' })).toMatchObject({ outcome: 'failed', retry_after_s: 600 })
    expect(judge({ status: 503, text: '', retry_after: 'Fri, 31 Dec 2026 23:59:59 GMT' })).not.toHaveProperty('retry_after_s')
  })
})
