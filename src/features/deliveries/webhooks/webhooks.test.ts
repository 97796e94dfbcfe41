/** Outgoing webhooks over HTTP: what a receiver gets, in which order, and what is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { startWebhookReceiver } from './webhook-receiver.fake.ts'
import { judge, sendWebhook, signatureOf } from './webhook-sender.server.ts'
import { webhooks } from './webhooks.contract.ts'
import { mostWebhooks } from './webhooks.schemas.ts'

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
const place = () => placeOrder(testApp.services.database, scopeOfCompany(operator), {})
const comment = (id: number, text = 'Thank you') => office.send(orderComments.add, { id, type: 'praise', body: { comment: text } })
const send = () => sendDeliveries(testApp.services, { webhook: sendWebhook })
const later = (seconds: number) => testApp.setNow(new Date(testApp.services.now().getTime() + seconds * 1_000))
const list = async () => (await office.send(webhooks.list, {})).rows
const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )

describe('a webhook', () => {
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
          occurred_at: '2026-11-20T10:00:00Z',
          api_version: '2026-11',
          object: { type: 'order', id: order.id, seq: 1 },
          changed: { type: 'praise' },
        },
      },
    ])
    expect(receiver.received[0]?.headers['pakhus-delivery']).toBe(receiver.received[0]?.body.id)
    expect(JSON.stringify(receiver.received)).not.toContain('Bo lives here')
    expect(await list()).toMatchObject([{ id: row.id, state: 'active', waiting: 0, last_delivery_at: '2026-11-20T10:00:00Z' }])
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

  it('gets nothing while it is switched off, and nothing of that time later', async () => {
    const { id, name, url } = await add()
    const order = await place()
    await office.send(webhooks.save, { body: { id, name, url, events: ['order.commented'], active: false } })
    await comment(order.id)
    await office.send(webhooks.save, { body: { id, name, url, events: ['order.commented'] } })
    await send()
    expect(receiver.received).toEqual([])
  })

  it('is paused by the answer 410, keeps what comes and gets it when it is made active', async () => {
    const { id, name, url } = await add()
    const order = await place()
    receiver.setAnswer(() => ({ status: 410 }))
    await comment(order.id)
    await send()
    await comment(order.id)
    expect(await list()).toMatchObject([{ state: 'paused', waiting: 2 }])
    receiver.setAnswer(() => ({ status: 200 }))
    later(120)
    await office.send(webhooks.save, { body: { id, name, url, events: ['order.commented'] } })
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
