/** Messages over HTTP, with gateways and a mail server that follow their documents. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, scopeOfCompany } from '#app/demo/builders.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { customers } from '#features/customers/customers/customers.contract.ts'
import { mail } from '#features/deliveries/mail/mail.contract.ts'
import { sendMail } from '#features/deliveries/mail/mail-sender.server.ts'
import { startMailServer } from '#features/deliveries/mail/mail-server.fake.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { sms } from '#features/deliveries/sms/sms.contract.ts'
import { templates } from '#features/messages/templates/templates.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { writeReturnMail } from '#features/returns/portal/portal-mail.server.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { startSmsGateways, twilioCallback } from '#integrations/messaging/sms-gateways.fake.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { type OrderPlan, placeOrder } from '#test/orders.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { eraseMessages } from './erase-messages.commands.ts'
import { pollGateways } from './gateway-news.server.ts'
import { messages } from './messages.contract.ts'
import type { Message } from './messages.schemas.ts'
import { queueOccasion } from './occasion-messages.server.ts'
import { forgetMessages, sendMessages } from './send-messages.task.ts'

const noon = new Date('2026-11-10T11:00:00Z')
const night = new Date('2026-11-10T21:30:00Z')
let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let fake: Awaited<ReturnType<typeof startSmsGateways>>

beforeAll(async () => {
  testApp = await openTestApp({ PUBLIC_URL: 'https://{company}.pakhus.example' })
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(noon)
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'])
  fake = await startSmsGateways()
  testApp.services.config.sms_url = fake.url
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
  return () => fake.close()
})

const place = (plan: OrderPlan = {}, company = operator.main) =>
  placeOrder(testApp.services.database, scopeOfCompany(operator, company), { ...plan, ship_to: { phone: '+4520123456', ...plan.ship_to } })
const account = (more: Partial<RequestInput<typeof sms.save>['body']> = {}) =>
  admin.send(sms.save, {
    body: {
      provider: 'twilio',
      user_name: fake.account_sid,
      sender: 'Pakhus',
      price_micro: 307_000,
      currency: 'DKK',
      secret: fake.token,
      version: 0,
      ...more,
    },
  })
const sendDue = () => sendMessages.run(testApp.services)
const occasionsCome = async () => {
  await sendDeliveries(testApp.services, { message: queueOccasion })
  await sendDue()
}
type Body = RequestInput<typeof messages.send>['body']
const write = async (order_ids: number[], more: Partial<Body> = {}, by = admin) => {
  const body = { orders: order_ids, channel: 'sms' as const, body: 'Hi {{ first_name }}, about order {{ order_no }}', ...more }
  const { count, price_micro } = await by.send(messages.quote, { body })
  return by.send(messages.send, { body: { ...body, confirm: { count, price_micro }, client_id: randomUUID() } })
}
const thread = async (id: number): Promise<Message[]> => (await admin.send(messages.thread, { id })).rows
const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )
const callbackPath = async () => {
  const url = new URL((await admin.send(sms.account, {})).callback_url ?? '')
  const [account_id, key] = url.pathname.split('/').slice(-2)
  return { url: url.href, account_id: Number(account_id), key: key ?? '' }
}
const callBack = async (fields: Record<string, string>, secret = fake.token) => {
  const { url, ...path } = await callbackPath()
  const { raw, headers } = twilioCallback(fields, secret, url)
  return testApp.visitor(operator.main).ask(messages.callback, { ...path, upload: raw }, { headers })
}
const template = (more: Partial<RequestInput<typeof templates.create>['body']> = {}) =>
  admin.send(templates.create, {
    body: { channel: 'sms', locale: 'en_GB', trigger: 'manual', name: 'Short', body: 'About {{ order_no }}', ...more },
  })

describe('a message to an order', () => {
  it('is quoted, confirmed, sent once and shown in the thread of the order', async () => {
    await account()
    const order = await place({ order_no: '24127' })
    expect(await admin.send(messages.quote, { body: { orders: [order.id], channel: 'sms', body: 'Hi {{ first_name }}' } })).toMatchObject({
      count: 1,
      parts: 1,
      price_micro: 307_000,
      currency: 'DKK',
      sample: { order_no: '24127', to: '+4520123456', text: 'Hi Lene' },
    })
    await write([order.id])
    await sendDue()
    await sendDue()
    expect(fake.sent).toMatchObject([{ to: '+4520123456', text: 'Hi Lene, about order 24127', sender: 'Pakhus' }])
    expect(await thread(order.id)).toMatchObject([
      { state: 'sent', text: 'Hi Lene, about order 24127', actor: 'admin', price_micro: 307_000, parts: 1 },
    ])
  })

  it('is not sent when number or price differ from what was confirmed', async () => {
    await account()
    const order = await place()
    const body = { orders: [order.id], channel: 'sms' as const, body: 'Hello', client_id: randomUUID() }
    expect(await refused(admin.send(messages.send, { body: { ...body, confirm: { count: 1, price_micro: 1 } } }))).toMatchObject({
      status: 409,
      code: 'confirm_changed',
      current: { count: 1, price_micro: 307_000 },
    })
    expect(await thread(order.id)).toEqual([])
  })

  it('is queued once however often the same sending arrives', async () => {
    const order = await place()
    const body: Body = { orders: [order.id], channel: 'sms', body: 'Hello', confirm: { count: 1, price_micro: 0 }, client_id: randomUUID() }
    const first = await admin.send(messages.send, { body })
    expect(first.queued).toBe(1)
    expect(await admin.send(messages.send, { body })).toMatchObject({ group_id: first.group_id, queued: 0 })
    expect(await thread(order.id)).toHaveLength(1)
  })

  it('leaves out who has no number, a bad one, or wants none, and says so', async () => {
    const [none, bad, stopped, good] = [
      await place({ ship_to: { phone: null } }),
      await place({ ship_to: { phone: '12' } }),
      await place({ ship_to: { phone: '+4520999999' } }),
      await place(),
    ]
    await admin.send(messages.addOptOut, { body: { channel: 'sms', address: '20 99 99 99' } })
    const ids = [none.id, bad.id, stopped.id, good.id]
    const sent = await write(ids)
    expect(sent).toMatchObject({ queued: 1, skipped_count: 3 })
    expect(sent.skipped.map(one => [one.order_id, one.reason])).toEqual([
      [none.id, 'no_address'],
      [bad.id, 'bad_number'],
      [stopped.id, 'opt_out'],
    ])
    const { rows } = await admin.send(messages.ordersByIds, { ids: ids.join('s') })
    expect(rows.map(row => row.phone)).toEqual(['none', 'bad', 'opt_out', 'ok'])
  })

  it('waits for the end of quiet hours, unless it is urgent', async () => {
    testApp.setNow(night)
    const order = await place()
    await write([order.id])
    await write([order.id], { urgent: true })
    await sendDue()
    expect((await thread(order.id)).map(one => [one.state, one.send_after])).toEqual([
      ['queued', '2026-11-11T07:00:00Z'],
      ['delivered', '2026-11-10T21:30:00Z'],
    ])
    const settings = await admin.send(messages.settings, {})
    await admin.send(messages.saveSettings, { body: { ...settings, quiet_from: '00:00', quiet_to: '00:00' } })
    expect(await refused(admin.send(messages.saveSettings, { body: settings }))).toMatchObject({ code: 'settings_changed' })
    const free = await place()
    await write([free.id])
    expect(await thread(free.id)).toMatchObject([{ send_after: '2026-11-10T21:30:00Z' }])
  })

  it('speaks the language of each recipient where the template has it', async () => {
    const { index } = await template()
    await template({ locale: 'da_DK', body: 'Om {{ order_no }}' })
    const [danish, german] = [await place({ order_no: '1', locale: 'da' }), await place({ order_no: '2', locale: 'de' })]
    await write([danish.id, german.id], { index, body: undefined })
    expect([await thread(danish.id), await thread(german.id)].flat().map(one => one.text)).toEqual(['Om 1', 'About 2'])
  })

  it('of a filter reaches the orders that it finds, of every company that the sender sees', async () => {
    const shop = operator.shops[0]
    const [own, theirs] = [await place({ tags: ['late'] }), await place({ tags: ['late'] }, shop)]
    await place()
    const sent = await write([], { orders: undefined, filters: { tag: 'late' } })
    expect(sent.queued).toBe(2)
    expect((await thread(own.id)).concat(await thread(theirs.id)).map(one => one.company_id)).toEqual([operator.main.id, shop?.id])
    const { rows } = await admin.send(messages.groups, {})
    expect(rows).toMatchObject([{ id: sent.group_id, asked: 2, counts: { queued: 2 } }])
    expect(await admin.send(messages.cancelGroup, { id: sent.group_id })).toEqual({ cancelled: 2 })
    expect((await admin.send(messages.group, { id: sent.group_id })).rows.map(row => row.state)).toEqual(['cancelled', 'cancelled'])
  })

  it('of another company is neither seen nor written', async () => {
    const order = await place()
    await write([order.id])
    const stranger = await operator.hire(['admin'], operator.shops[0])
    expect(await refused(stranger.send(messages.thread, { id: order.id }))).toMatchObject({ status: 404 })
    expect(await refused(write([order.id], {}, stranger))).toMatchObject({ status: 404 })
    expect((await stranger.send(messages.list, {})).rows).toEqual([])
  })

  it('is only logged without a gateway', async () => {
    const order = await place()
    await write([order.id])
    await sendDue()
    expect(await thread(order.id)).toMatchObject([{ state: 'delivered', provider: 'log' }])
    expect(await admin.send(sms.balance, {})).toMatchObject({ provider: 'log', balance_micro: null, warn: false })
  })

  it('is refused where the balance does not cover it', async () => {
    fake.setBalance(0.5)
    await account({ warn_below_micro: 100_000_000 })
    expect(await admin.send(sms.balance, {})).toMatchObject({ balance_micro: 500_000, warn: true, error: null })
    const both = [(await place()).id, (await place()).id]
    expect(await refused(write(both))).toMatchObject({ code: 'balance_low', message: 'The balance covers 1 of 2 messages.' })
  })
})

describe('the end of a message', () => {
  it('follows the reports of the gateway, which come late, twice and in any order', async () => {
    await account()
    const order = await place()
    await write([order.id])
    await sendDue()
    const MessageSid = fake.sent[0]?.provider_id ?? ''
    const states = ['delivered', 'sent', 'delivered'] as const
    for (const MessageStatus of states)
      expect((await callBack({ MessageSid, MessageStatus, To: '+4520123456', From: 'Pakhus' })).statusCode).toBe(204)
    expect(await thread(order.id)).toMatchObject([{ state: 'delivered', reason: null }])
    // It is said once.
    const said = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('events').select(['kind', 'data']).where('order_id', '=', order.id).where('kind', '=', 'message.delivered').execute(),
    )
    expect(said).toEqual([{ kind: 'message.delivered', data: { channel: 'sms' } }])
    expect((await callBack({ MessageSid, MessageStatus: 'failed' }, 'forged')).statusCode).toBe(404)
  })

  it('is known also when the report is faster than the answer', async () => {
    await account()
    const order = await place()
    await write([order.id])
    await callBack({ MessageSid: 'SM421332671', MessageStatus: 'undelivered', ErrorCode: '30003' })
    await sendDue()
    expect(await thread(order.id)).toMatchObject([{ state: 'failed', reason: 'undeliverable' }])
  })

  it('is not known when the answer is lost, and a person decides', async () => {
    await account()
    const order = await place()
    await write([order.id])
    fake.behave({ lostAnswer: true })
    await sendDue()
    await sendDue()
    const [message] = await thread(order.id)
    expect(message).toMatchObject({ state: 'unknown', reason: 'no_answer' })
    expect(fake.sent).toHaveLength(1)
    const id = message?.id ?? 0
    expect(await admin.send(messages.settle, { id, body: { sent: false } })).toMatchObject({ state: 'queued' })
    await sendDue()
    expect(await thread(order.id)).toMatchObject([{ state: 'sent' }])
    expect(await refused(admin.send(messages.cancel, { id }))).toMatchObject({ status: 409, code: 'message_sent' })
  })

  it('waits where the gateway refuses the account, which the settings then say', async () => {
    await account({ secret: 'a wrong token of Twilio' })
    const order = await place()
    await write([order.id])
    await sendDue()
    expect(await thread(order.id)).toMatchObject([{ state: 'queued', reason: 'credentials', send_after: '2026-11-10T11:01:00Z' }])
    expect(await admin.send(sms.account, {})).toMatchObject({ problem: { problem: 'credentials' } })
    await account({ version: 1 })
    testApp.setNow(new Date(noon.getTime() + 61_000))
    await sendDue()
    expect(await thread(order.id)).toMatchObject([{ state: 'sent', reason: null }])
  })

  it('is read from a gateway that gives each report once', async () => {
    await account({ provider: 'inmobile', user_name: '' })
    const order = await place()
    await write([order.id])
    await sendDue()
    fake.reports.push({
      messageId: fake.sent[0]?.provider_id,
      deliveryInfo: { stateDescription: 'Delivered' },
      chargeInfo: { smsCount: 1 },
    })
    fake.incoming.push({ from: '4520123456', to: '451204', text: 'Tak', messageId: 'a1' })
    await pollGateways.run(testApp.services)
    expect((await thread(order.id)).map(one => [one.direction, one.state, one.text])).toEqual([
      ['out', 'delivered', expect.any(String)],
      ['in', 'received', 'Tak'],
    ])
  })
})

describe('an answer', () => {
  const asked = async () => {
    await account()
    const order = await place()
    await write([order.id])
    await sendDue()
    return order
  }

  it('comes back to the order, waits for someone, and is answered on the same way', async () => {
    const order = await asked()
    await callBack({ MessageSid: 'SM9', From: '+4520123456', To: '+4512040000', Body: 'Please wait until Friday' })
    expect(await admin.send(messages.count, {})).toMatchObject({ unanswered: 1 })
    const { rows } = await admin.send(messages.list, { view: 'unanswered' })
    expect(rows).toMatchObject([{ direction: 'in', order_id: order.id, text: 'Please wait until Friday', order_no: order.order_no }])
    const body = { message_id: rows[0]?.id ?? 0, text: 'We do.', client_id: randomUUID() }
    expect(await admin.send(messages.reply, { body })).toMatchObject({ state: 'queued', text: 'We do.' })
    await admin.send(messages.reply, { body })
    await sendDue()
    expect(fake.sent.map(one => one.text)).toEqual([expect.any(String), 'We do.'])
    expect(await admin.send(messages.count, {})).toMatchObject({ unanswered: 0 })
  })

  it('of STOP ends all text messages of the company, and START begins them again', async () => {
    const order = await asked()
    await callBack({ MessageSid: 'SM9', From: '+4520123456', To: '+4512040000', Body: ' stop ' })
    expect(await admin.send(messages.quote, { body: { orders: [order.id], channel: 'sms', body: 'x' } })).toMatchObject({
      count: 0,
      skipped: [{ reason: 'opt_out' }],
    })
    expect((await admin.send(messages.optOuts, { query: '20123456' })).rows).toMatchObject([{ source: 'stop', address: '+4520123456' }])
    await callBack({ MessageSid: 'SM10', From: '+4520123456', To: '+4512040000', Body: 'START' })
    expect(await admin.send(messages.quote, { body: { orders: [order.id], channel: 'sms', body: 'x' } })).toMatchObject({ count: 1 })
    expect(await admin.send(messages.count, {})).toMatchObject({ unanswered: 0 })
  })

  it('is found by the number of the order and by the telephone number', async () => {
    const order = await asked()
    for (const query of [order.order_no, '20 12 34 56'])
      expect((await admin.send(messages.list, { query })).rows.map(row => row.order_id)).toEqual([order.id])
    expect((await admin.send(messages.list, { query: '20 00 00 01' })).rows).toEqual([])
    const { bytes } = await admin.send(messages.export, {})
    expect(String(bytes)).toContain(order.order_no)
  })

  it('needs the secret address of the account', async () => {
    await asked()
    const { account_id } = await callbackPath()
    const answer = await testApp.visitor(operator.main).ask(messages.callback, { account_id, key: 'guessed', upload: Buffer.from('x') })
    expect(answer.statusCode).toBe(404)
  })
})

describe('the list', () => {
  it('is narrowed by channel, status, occasion, company and view together, and counts what it narrows', async () => {
    const [one, other] = [await place({ order_no: 'L1' }), await place({ order_no: 'L2', ship_to: { phone: null } })]
    const [shop] = operator.shops
    if (!shop) throw new Error('The operator has no shop')
    const shops = await place({ order_no: 'L3' }, shop)
    await write([one.id, other.id, shops.id])
    await sendDue()
    testApp.setNow(night)
    await write([one.id])
    const found = async (asked: RequestInput<typeof messages.list>) => {
      const { rows, total, total_is_more } = await admin.send(messages.list, asked)
      expect({ total, total_is_more }).toEqual({ total: rows.length, total_is_more: false })
      return rows.map(row => `${row.order_no} ${row.state}`)
    }
    expect(await found({ sort: 'oldest' })).toEqual(['L1 delivered', 'L2 skipped', 'L3 delivered', 'L1 queued'])
    expect(await found({ state: ['delivered', 'queued'] })).toEqual(['L1 queued', 'L3 delivered', 'L1 delivered'])
    expect(await found({ state: ['delivered'], company: shop.id })).toEqual(['L3 delivered'])
    expect(await found({ view: 'scheduled', channel: 'sms', trigger: ['manual'], query: 'L1' })).toEqual(['L1 queued'])
    expect(await found({ channel: 'email' })).toEqual([])
    expect(await found({ trigger: ['shipped'] })).toEqual([])
    expect(await found({ view: 'failed' })).toEqual([])
    expect(await admin.send(messages.count, {})).toEqual({ unanswered: 0, failed: 0, scheduled: 1 })
    const { bytes } = await admin.send(messages.export, { state: ['queued'] })
    expect(
      new TextDecoder()
        .decode(bytes as Uint8Array)
        .trim()
        .split('\n'),
    ).toHaveLength(2)
  })

  it('gives each message on one page', async () => {
    const order = await place()
    for (let no = 0; no < 5; no++) await write([order.id])
    const pages = await Promise.all([1, 2, 3, 4].map(number => admin.send(messages.list, { page: number, limit: 2 })))
    expect(pages.map(({ rows, total, offset }) => [rows.length, total, offset])).toEqual([
      [2, 5, 0],
      [2, 5, 2],
      [1, 5, 4],
      [0, 5, 6],
    ])
    expect(new Set(pages.flatMap(({ rows }) => rows.map(row => row.id))).size).toBe(5)
    const { rows: sendings } = await admin.send(messages.groups, {})
    const sent = await admin.send(messages.group, { id: sendings[0]?.id ?? 0, state: ['queued', 'sent'] })
    expect(sent).toMatchObject({ total: 1, group: { counts: { queued: 1 } } })
    expect(await admin.send(messages.group, { id: sendings[0]?.id ?? 0, state: ['failed'] })).toMatchObject({ total: 0, rows: [] })
  })
})

describe('an occasion', () => {
  it('makes one message with the template of the order’s language', async () => {
    await template({ trigger: 'on_hold_question', name: 'Hold', body: 'Question about {{ order_no }}' })
    await template({ trigger: 'on_hold_question', name: 'Hold', locale: 'da_DK', body: 'Spørgsmål om {{ order_no }}' })
    const order = await place({ order_no: '77', locale: 'da' })
    await admin.send(orderLocks.hold, { id: order.id, body: { reason: 'address' } })
    await occasionsCome()
    await occasionsCome()
    expect(await thread(order.id)).toMatchObject([{ trigger: 'on_hold_question', state: 'delivered', text: 'Spørgsmål om 77', actor: '' }])
  })

  it('sends no text message to a customer whom the main company flags so, also not for a shop', async () => {
    const [shop] = operator.shops
    if (!shop) throw new Error('This operator has a shop')
    const clerk = await operator.hire(['admin'], shop)
    await clerk.send(templates.create, {
      body: { channel: 'sms', locale: 'en_GB', trigger: 'order_received', name: 'Received', body: 'Thank you', delay_minutes: 0 },
    })
    const place = (name: string) =>
      buildOrder(
        testApp.services,
        { ...scopeOfCompany(operator, shop), companies: [shop.id] },
        {
          ship_to: { name, address1: 'Vej 1', postcode: '5000', city: 'Odense', country: 'DK', phone: '+4520123456' },
          customer: { name, email: 'flagged@example.test', phone: '+4520123456' },
        },
      )
    const first = await place('Flagged One')
    const { customer } = await admin.send(customers.ofOrder, { id: first.id })
    const { version, customer_id } = await admin.send(customers.get, { id: customer?.customer_id ?? 0 })
    await admin.send(customers.update, { id: customer_id, body: { version, flags: ['no_sms'] } })
    const second = await place('Flagged One')
    await occasionsCome()
    const { rows } = await clerk.send(messages.thread, { id: second.id })
    expect(rows).toMatchObject([{ state: 'skipped', reason: 'no_sms_flag' }])
    expect(fake.sent).toEqual([])
  })

  it('that is over when the message is due sends nothing', async () => {
    await template({ trigger: 'on_hold_question', name: 'Hold', delay_minutes: 60 })
    const order = await place()
    const { lock_id } = await admin.send(orderLocks.hold, { id: order.id, body: { reason: 'customer' } })
    await occasionsCome()
    expect(await thread(order.id)).toMatchObject([{ state: 'queued', send_after: '2026-11-10T12:00:00Z' }])
    await admin.send(orderLocks.releaseHold, { id: order.id, lock_id })
    testApp.setNow(new Date(noon.getTime() + 3_700_000))
    await sendDue()
    expect(await thread(order.id)).toMatchObject([{ state: 'skipped', reason: 'outdated' }])
  })

  it('without an active template makes none', async () => {
    const { id, version, index: _, updated_at: __, ...fields } = await template({ trigger: 'on_hold_question', name: 'Hold' })
    await admin.send(templates.update, { id, body: { ...fields, version, active: false } })
    const order = await place()
    await admin.send(orderLocks.hold, { id: order.id, body: { reason: 'address' } })
    await occasionsCome()
    expect(await thread(order.id)).toEqual([])
  })
})

describe('an e-mail', () => {
  it('is made of blocks, escapes what customers wrote, and goes through the company’s mail server', async () => {
    const server = await startMailServer()
    await admin.send(mail.save, {
      body: {
        host: '127.0.0.1',
        port: server.port,
        security: 'none',
        user_name: server.signIn.user,
        password: server.signIn.password,
        from_name: 'Demo',
        from_address: 'warehouse@example.com',
        reply_to: null,
        version: null,
      },
    })
    const order = await place({ order_no: '55', ship_to: { name: '<script>alert(1)</script> Hansen' } })
    await write([order.id], {
      channel: 'email',
      body: undefined,
      subject: 'Order {{ order_no }}',
      blocks: [
        { kind: 'heading', text: 'Hi {{ first_name }}' },
        { kind: 'items' },
        { kind: 'button', text: 'Follow it', target: 'tracking' },
      ],
    })
    await sendDue()
    await server.close()
    expect(server.received).toMatchObject([{ from: 'warehouse@example.com', to: ['lene@example.test'] }])
    const source = (server.received[0]?.source ?? '').replaceAll('=\r\n', '')
    expect(source).toContain('Subject: Order 55')
    expect(source).toContain('2 =C3=97 T-shirt')
    expect(source).toContain('&lt;script&gt;')
    expect(source.slice(source.indexOf('text/html'))).not.toContain('<script>')
    expect(await thread(order.id)).toMatchObject([{ channel: 'email', state: 'sent', subject: 'Order 55' }])
  })

  describe('about an approved return', () => {
    /** An order that was delivered last week. */
    const delivered = async () => {
      const order = await place({ work_state: 'handed_over' })
      const at = new Date(noon.getTime() - 6 * 86_400_000).toISOString()
      await testApp.services.database.transaction(scopeOfCompany(operator, operator.main), async db => {
        await db
          .updateTable('order_lines')
          .set(eb => ({ picked_qty: eb.ref('qty'), packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
          .where('order_id', '=', order.id)
          .execute()
        const sent = { booked_at: at, handed_over_at: at, delivered_at: at, state: 'delivered', request: '{}' } as const
        await db
          .insertInto('shipments')
          .values({
            ...{ order_id: order.id, agent_code: 'own', shipping_method: 'van', ...sent },
            ...{ idempotency_key: `k${order.id}`, reference: `r${order.id}` },
          })
          .execute()
      })
      return order
    }
    it.each([
      ['no template', null, 'Your return'],
      ['a template that does not lead to its page', { kind: 'text', text: 'Return {{ rma_no }} is fine' }, 'Your return'],
      ['a template with its address', { kind: 'text', text: 'Return {{ rma_no }}: {{ return_url }}' }, 'From the shop'],
      ['a template with its button', { kind: 'button', text: 'Follow it', target: 'return' }, 'From the shop'],
    ] as const)('is one mail that leads to the page of the return, with %s', async (_, block, subject) => {
      const server = await startMailServer()
      try {
        const { user: user_name, password } = server.signIn
        await admin.send(mail.save, {
          body: {
            ...{ host: '127.0.0.1', port: server.port, security: 'none', user_name, password },
            ...{ from_name: 'Demo', from_address: 'warehouse@example.com', reply_to: null, version: null },
          },
        })
        if (block)
          await template({
            ...{ channel: 'email', trigger: 'return_approved', subject: 'From the shop', body: undefined, blocks: [{ ...block }] },
          })
        const { id: order_id, lines } = await delivered()
        const items = [{ order_line_id: lines[0] ?? 0, qty: 1, reason: 'changed_mind' }]
        const { id } = await admin.send(returns.create, { body: { client_id: randomUUID(), order_id, items } })
        if ((await admin.send(returns.get, { id })).status === 'requested') await admin.send(returns.approve, { id, body: {} })
        for (let time = 0; time < 3; time++) {
          await sendDeliveries(testApp.services, { mail: sendMail({ 'return.mail': writeReturnMail }), message: queueOccasion })
          await sendDue()
        }
        expect(server.received.map(({ to }) => to)).toEqual([['lene@example.test']])
        const source = (server.received[0]?.source ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
        expect(source).toContain(`Subject: ${subject}`)
        expect(source).toMatch(/rma-landing-page\?lang=\w+#return=[\w-]{40,}/)
      } finally {
        await server.close()
      }
    })
  })

  it('is left out where the company has no mail server', async () => {
    const order = await place()
    await write([order.id], { channel: 'email', body: undefined, subject: 'x', blocks: [{ kind: 'text', text: 'Hello' }] })
    await sendDue()
    expect(await thread(order.id)).toMatchObject([{ state: 'skipped', reason: 'no_mail_account' }])
  })
})

describe('personal data', () => {
  it('of an erased recipient is gone, and what waits stays unsent', async () => {
    const order = await place({ ship_to: { phone: '+4520776655' } })
    testApp.setNow(night)
    await write([order.id])
    const subjects = { order_ids: [order.id], customer_ids: [], words: [] }
    const context = createSystemContext(testApp.services, { ...scopeOfCompany(operator), companies: [operator.main.id] })
    await context.transaction(async ({ db }) => {
      expect(await eraseMessages.read(db, subjects)).toMatchObject({
        message_bodies: [{ address: '+4520776655' }],
        message_groups: [{ title: 'Hi {{ first_name }}, about order {{ order_no }}' }],
      })
      expect(await eraseMessages.erase(db, subjects, night)).toMatchObject({ messages: 1, message_bodies: 1, message_groups: 1 })
      expect(await eraseMessages.erase(db, subjects, night)).toMatchObject({ messages: 0, message_bodies: 0, message_groups: 0 })
    })
    testApp.setNow(new Date('2026-11-11T09:00:00Z'))
    await sendDue()
    expect(await thread(order.id)).toMatchObject([{ state: 'skipped', reason: 'erased', address: '', text: '' }])
  })

  it('is deleted after the company’s time', async () => {
    const order = await place()
    await write([order.id])
    await sendDue()
    testApp.setNow(new Date('2027-06-10T11:00:00Z'))
    await forgetMessages.run(testApp.services)
    testApp.setNow(noon)
    expect(await thread(order.id)).toMatchObject([{ state: 'delivered', address: '', text: '' }])
  })
})
