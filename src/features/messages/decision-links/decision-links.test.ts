/** Links by which recipients answer, over HTTP: a choice changes the order once, and who only opens a link changes nothing. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { sms } from '#features/deliveries/sms/sms.contract.ts'
import { eraseMessages } from '#features/messages/messages/erase-messages.commands.ts'
import { messages } from '#features/messages/messages/messages.contract.ts'
import { queueOccasion } from '#features/messages/messages/occasion-messages.server.ts'
import { askAboutMissing } from '#features/messages/messages/question-messages.task.ts'
import { sendMessages } from '#features/messages/messages/send-messages.task.ts'
import { answerChoices, answerPlace } from '#features/messages/templates/templates.codes.ts'
import { templates } from '#features/messages/templates/templates.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import { reportShort } from '#features/warehouse/pick-tasks/shorts.commands.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { type FakeShipmondo, openFakeShipmondo, shipmondoAccount } from '#integrations/couriers/shipmondo/shipmondo.fake.ts'
import { shipmondoAt } from '#integrations/couriers/shipmondo/shipmondo.ts'
import { startSmsGateways } from '#integrations/messaging/sms-gateways.fake.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { type OrderPlan, placeOrder } from '#test/orders.ts'
import { buildPickList } from '#test/pick-list.ts'
import { placeShipment } from '#test/shipments.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { decisionLinks, orderQuestions } from './decision-links.contract.ts'
import { tidyLinks } from './decision-links.task.ts'

const noon = new Date('2026-11-10T11:00:00Z')
const later = (hours: number) => new Date(noon.getTime() + hours * 3_600_000)
let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
let visitor: TestUser
let gateways: Awaited<ReturnType<typeof startSmsGateways>>
let address = 1

beforeAll(async () => {
  testApp = await openTestApp({ PUBLIC_URL: 'https://{company}.pakhus.example', TRUSTED_PROXIES: '127.0.0.1' })
  gateways = await startSmsGateways()
  testApp.services.config.sms_url = gateways.url
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
})
afterAll(async () => {
  await gateways.close()
  await testApp.close()
})
beforeEach(async () => {
  testApp.setNow(noon)
  operator = await testApp.operator({ shops: 1, settings: { support_phone: '+45 70 10 20 30' } })
  clerk = await operator.hire(['admin'])
  visitor = testApp.visitor(operator.main)
  const account = { provider: 'twilio' as const, user_name: gateways.account_sid, sender: 'Pakhus', price_micro: 307_000, currency: 'DKK' }
  await clerk.send(sms.save, { body: { ...account, secret: gateways.token, version: 0 } })
})

/** An address of its own, so that a test does not count for the limits of another. */
const from = () => ({ headers: { 'x-forwarded-for': `198.51.100.${address++ % 250}` } })
const within = () => createSystemContext(testApp.services, scopeOfCompany(operator))
const place = (plan: OrderPlan = {}) =>
  placeOrder(testApp.services.database, scopeOfCompany(operator), { ...plan, ship_to: { phone: '+4520123456', ...plan.ship_to } })
const read = (id: number) => clerk.send(orders.get, { id })
const questions = async (id: number) => (await clerk.send(orderQuestions.list, { id })).rows
const thread = async (id: number) => (await clerk.send(messages.thread, { id })).rows

type Choice = (typeof answerChoices)[number]
const asks = (channel: 'sms' | 'email') =>
  channel === 'sms'
    ? { body: 'Answer about {{ order_no }}: {{ answer_url }}' }
    : { subject: 'A question', blocks: [{ kind: 'button' as const, text: 'Answer', target: 'answer' as const }] }
async function send(id: number, choices: readonly Choice[] = answerChoices, channel: 'sms' | 'email' = 'sms') {
  const body = { orders: [id], channel, choices: [...choices], ...asks(channel) }
  const { count, price_micro } = await clerk.send(messages.quote, { body })
  await clerk.send(messages.send, { body: { ...body, confirm: { count, price_micro }, client_id: randomUUID() } })
  await sendMessages.run(testApp.services)
}
/** Asks the recipient; answers the secret in the text message that arrives. The schedule may be the one that sends it. */
async function ask(id: number, choices: readonly Choice[] = answerChoices): Promise<string> {
  const before = gateways.sent.length
  const { order_no } = await read(id)
  await send(id, choices)
  const secret = () =>
    gateways.sent
      .slice(before)
      .flatMap(one => (one.text.includes(`${order_no}: `) ? (/\/answer#([\w-]{22})/.exec(one.text)?.[1] ?? []) : []))[0]
  await expect.poll(secret, { timeout: 20_000 }).toBeDefined()
  return secret() ?? ''
}
type Answer = RequestInput<typeof decisionLinks.answer>['body']
const answer = (token: string, choice: Choice, more: Partial<Answer> = {}) =>
  visitor.ask(decisionLinks.answer, { body: { token, choice, confirm: true, client_id: randomUUID(), ...more } }, from())
const open = (token: string) => visitor.ask(decisionLinks.open, { body: { token } }, from())
const elsewhere = { postcode: '5000', address: { address1: 'Ny Vej 7', address2: '', postcode: '2100', city: 'København Ø' } }

/** An order of which a Teapot was not found. */
async function shortOrder(): Promise<{ id: number; short_id: number; line_id: number }> {
  const built = await buildPickList(testApp.services.database, operator, [
    {
      company: operator.main,
      lines: [
        { bin: 'A-1', qty: 3, barcode: '5711111111111', sku: 'TEAPOT', name: 'Teapot' },
        { bin: 'A-2', qty: 2, barcode: '5722222222222', sku: 'CUP', name: 'Cup' },
      ],
    },
  ])
  const [order] = built.orders
  const line = order?.lines[0]
  if (!order || !line) throw new Error('nothing was built')
  const short_id = await within().transaction(async tools => {
    const { db } = tools
    await db
      .updateTable('orders')
      .set({ ship_to: JSON.stringify({ name: 'Lene', postcode: '5000', country: 'DK', phone: '+4520123456' }) })
      .where('id', '=', order.id)
      .execute()
    const { product_id, sku } = await db
      .updateTable('pick_lines')
      .set({ state: 'short', picked: 1, decided_at: noon.toISOString() })
      .where('id', '=', line.id)
      .returning(['product_id', 'sku'])
      .executeTakeFirstOrThrow()
    await db.updateTable('order_lines').set({ picked_qty: 1 }).where('id', '=', line.order_line_id).execute()
    const reported = await reportShort(tools, {
      ...{ order_id: order.id, company_id: order.company_id, order_line_id: line.order_line_id, pick_line_id: line.id },
      ...{ pick_list_id: built.id, wagon_no: 1, product_id, sku, name: 'Teapot', bin: 'A-1', quantity: 2, reason: 'not_there' as const },
      by: { id: 0, name: 'Kim' },
    })
    return reported.short_id
  })
  return { id: order.id, short_id, line_id: line.order_line_id }
}

describe('a link', () => {
  it('is a secret of 128 bits that is stored nowhere, not in the message either', async () => {
    const order = await place()
    const token = await ask(order.id)
    expect(Buffer.from(token, 'base64url')).toHaveLength(16)
    const { rows } = await clerk.send(messages.thread, { id: order.id })
    expect(rows[0]?.text).toContain(`/answer#${answerPlace}`)
    const stored = await within().transaction(({ db }) => db.selectFrom('decision_links').selectAll().execute())
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  it('shows number and items of the order, and no address', async () => {
    const order = await place({ order_no: '24127' })
    const page = await open(await ask(order.id))
    expect(page.json()).toMatchObject({
      order_no: '24127',
      items: [
        { name: 'T-shirt, White / L', qty: 2 },
        { name: 'Cap', qty: 1 },
      ],
      choices: ['wait', 'new_address'],
      expires_at: '2026-11-13T11:00:00Z',
    })
    expect(page.body).not.toMatch(/Lene|Hansen|Skibhusvej|Odense|5000|example\.test|20123456/)
  })

  it('that is opened by a scanner changes nothing, however often', async () => {
    const order = await place()
    const token = await ask(order.id)
    const before = await read(order.id)
    for (let i = 0; i < 20; i++) {
      expect((await open(token)).statusCode).toBe(200)
      expect(
        (await testApp.app.inject({ method: 'HEAD', url: '/answer', headers: { host: `${operator.main.code}.localhost` } })).statusCode,
      ).toBeLessThan(500)
    }
    const unconfirmed = { token, choice: 'wait', client_id: randomUUID(), until: '2026-11-12' } as never
    expect((await visitor.ask(decisionLinks.answer, { body: unconfirmed }, from())).statusCode).toBe(400)
    expect(await read(order.id)).toEqual(before)
    expect(await questions(order.id)).toMatchObject([{ state: 'waiting' }])
  })

  it('that is forged, unknown, expired, used, withdrawn or another company’s gets one answer', async () => {
    const [used, revoked, expired, foreign] = [await place(), await place(), await place(), await place()]
    const tokens = [await ask(used.id), await ask(revoked.id), await ask(foreign.id)] as const
    await answer(tokens[0], 'wait', { until: '2026-11-12' })
    const [question] = await questions(revoked.id)
    await clerk.send(orderQuestions.revoke, { id: question?.id ?? 0 })
    const other = testApp.visitor(operator.shops[0] ?? operator.main)
    const answers = [
      await open(tokens[0]),
      await open(tokens[1]),
      await other.ask(decisionLinks.open, { body: { token: tokens[2] } }, from()),
      await open(`${tokens[2].slice(0, -1)}${tokens[2].endsWith('A') ? 'Q' : 'A'}`),
      await open('x'),
    ]
    const old = await ask(expired.id)
    testApp.setNow(later(72))
    answers.push(await open(old), await answer(old, 'wait', { until: '2026-11-14' }))
    expect(answers.map(one => [one.statusCode, one.json().code, one.json().key])).toEqual(
      answers.map(() => [404, 'answer_link_not_found', expect.stringContaining('This link cannot be used any more.')]),
    )
    expect(await questions(expired.id)).toMatchObject([{ state: 'expired' }])
    expect(await questions(revoked.id)).toMatchObject([{ state: 'closed', closed_reason: 'revoked' }])
    await expect(clerk.send(orderQuestions.revoke, { id: question?.id ?? 0 })).rejects.toMatchObject({ code: 'question_settled' })
  })

  it('is used up by the first of two answers; the same answer sent again is no second one', async () => {
    const order = await place()
    const token = await ask(order.id)
    const client_id = randomUUID()
    const both = await Promise.all([answer(token, 'wait', { until: '2026-11-12', client_id }), answer(token, 'new_address', elsewhere)])
    expect(both.map(one => one.statusCode).toSorted()).toEqual([200, 404])
    const [question] = await questions(order.id)
    expect(question).toMatchObject({ state: 'answered', choice: both[0]?.statusCode === 200 ? 'wait' : 'new_address' })
    const again = await place()
    const second = await ask(again.id)
    expect((await answer(second, 'wait', { until: '2026-11-12', client_id })).json()).toEqual({ choice: 'wait', until: '2026-11-12' })
    expect((await answer(second, 'wait', { until: '2026-11-12', client_id })).json()).toEqual({ choice: 'wait', until: '2026-11-12' })
    expect((await read(again.id)).locks).toHaveLength(1)
  })

  it('gives way to a newer question on the same channel, and all end with the answer', async () => {
    const order = await place()
    const first = await ask(order.id, ['wait'])
    const second = await ask(order.id, ['wait'])
    await send(order.id, ['wait'], 'email')
    expect((await open(first)).statusCode).toBe(404)
    expect((await answer(second, 'wait', { until: '2026-11-12' })).statusCode).toBe(200)
    expect((await questions(order.id)).map(one => [one.channel, one.state, one.closed_reason])).toEqual([
      ['email', 'closed', 'answered'],
      ['sms', 'answered', null],
      ['sms', 'closed', 'newer'],
    ])
  })

  it('of an erased person or a cancelled order is closed, and is forgotten 90 days after its end', async () => {
    const [erased, cancelled] = [await place(), await place()]
    const tokens = [await ask(erased.id), await ask(cancelled.id)] as const
    await within().transaction(({ db }) => eraseMessages.erase(db, { order_ids: [erased.id], customer_ids: [], words: [] }, noon))
    const { version } = await read(cancelled.id)
    await clerk.send(orders.setState, { id: cancelled.id, state: 'cancelled', version })
    for (const token of tokens) expect((await open(token)).statusCode).toBe(404)
    expect(await questions(erased.id)).toMatchObject([{ closed_reason: 'erased' }])
    testApp.setNow(later(72 + 91 * 24))
    await tidyLinks.run(testApp.services)
    expect(await within().transaction(({ db }) => db.selectFrom('decision_links').select('id').execute())).toEqual([])
  })
})

describe('a question that is withdrawn before quiet hours end', () => {
  it('is not sent at all', async () => {
    testApp.setNow(new Date('2026-11-10T21:30:00Z'))
    const order = await place()
    await send(order.id)
    const [question] = await questions(order.id)
    await clerk.send(orderQuestions.revoke, { id: question?.id ?? 0 })
    testApp.setNow(new Date('2026-11-11T09:00:00Z'))
    await sendMessages.run(testApp.services)
    await expect.poll(async () => (await thread(order.id))[0], { timeout: 20_000 }).toMatchObject({ state: 'skipped', reason: 'outdated' })
  })
})

describe('a new address', () => {
  it('needs the postcode until now, keeps the country, and reaches every old contact', async () => {
    const order = await place({ order_no: '24128', locale: 'de_DE' })
    const token = await ask(order.id)
    await clerk.send(orderLocks.hold, { id: order.id, body: { reason: 'address', note: 'No house number' } })
    expect((await answer(token, 'new_address', elsewhere)).statusCode).toBe(200)
    const changed = await read(order.id)
    expect(changed.ship_to).toMatchObject({
      name: 'Lene Hansen',
      address1: 'Ny Vej 7',
      postcode: '2100',
      city: 'København Ø',
      country: 'DK',
    })
    expect(changed.locks).toEqual([])
    await sendMessages.run(testApp.services)
    const arrived = () => gateways.sent.find(one => one.text.includes('Die Adresse der Bestellung 24128 wurde geändert.'))
    await expect.poll(arrived, { timeout: 20_000 }).toMatchObject({ to: '+4520123456' })
    expect((await thread(order.id)).map(one => [one.direction, one.channel, one.address])).toEqual(
      expect.arrayContaining([
        ['in', 'sms', '+4520123456'],
        ['out', 'sms', '+4520123456'],
        ['out', 'email', 'lene@example.test'],
      ]),
    )
    const { rows } = await clerk.send(orders.timeline, { id: order.id })
    expect(rows.map(row => row.text)).toEqual(
      expect.arrayContaining(['The customer entered a new address', 'The shipping address was changed to {{address}}']),
    )
    expect(rows.find(row => row.text === 'The customer entered a new address')?.actor).toBe('Customer')
  })

  it('is confirmed once, also where a template is sent at each change of an address', async () => {
    await clerk.send(templates.create, {
      body: { channel: 'sms', locale: 'en_GB', trigger: 'address_changed', name: 'Changed', body: 'Changed: {{ order_no }}', active: true },
    })
    const order = await place({ order_no: '24131' })
    const token = await ask(order.id)
    expect((await answer(token, 'new_address', elsewhere)).statusCode).toBe(200)
    await sendDeliveries(testApp.services, { message: queueOccasion })
    const written = async () => (await thread(order.id)).filter(one => one.direction === 'out').map(one => one.channel)
    // The question by text message, and the confirmation on each channel.
    expect((await written()).toSorted()).toEqual(['email', 'sms', 'sms'])
  })

  it('is refused after five wrong postcodes that were sent at once', async () => {
    const order = await place()
    const token = await ask(order.id, ['new_address'])
    const guesses = await Promise.all(Array.from({ length: 8 }, () => answer(token, 'new_address', { ...elsewhere, postcode: '5001' })))
    expect(guesses.map(guess => guess.statusCode).toSorted()).toEqual([404, 404, 404, 422, 422, 422, 422, 422])
    expect((await answer(token, 'new_address', elsewhere)).statusCode).toBe(404)
  })

  it('is refused after five wrong postcodes, and for an address that is none of the country', async () => {
    const order = await place()
    const token = await ask(order.id)
    const wrong = () => answer(token, 'new_address', { ...elsewhere, postcode: '5001' })
    expect(
      (await answer(token, 'new_address', { ...elsewhere, address: { ...elsewhere.address, postcode: 'SE-111 22' } })).json(),
    ).toMatchObject({
      code: 'address_incomplete',
      fields: { 'address.postcode': expect.any(String) },
    })
    expect((await answer(token, 'new_address', { ...elsewhere, address: null })).statusCode).toBe(422)
    expect((await wrong()).json()).toMatchObject({ code: 'link_postcode', values: { left: 4 } })
    for (let i = 0; i < 4; i++) await wrong()
    expect((await answer(token, 'new_address', elsewhere)).statusCode).toBe(404)
    expect(await questions(order.id)).toMatchObject([{ closed_reason: 'postcode' }])
    expect((await read(order.id)).ship_to.address1).toBe('Skibhusvej 52')
  })

  it('takes no country at all', async () => {
    const order = await place()
    const body = { ...elsewhere, address: { ...elsewhere.address, country: 'SE' } } as never
    expect((await answer(await ask(order.id), 'new_address', body)).statusCode).toBe(400)
  })

  it('comes too late once there is a label', async () => {
    const { id } = await placeShipment(testApp.services.database, scopeOfCompany(operator), { state: 'booked' }).then(one => ({
      id: one.order_id,
    }))
    const token = await ask(id)
    expect((await open(token)).json().choices).not.toContain('new_address')
    expect((await answer(token, 'new_address', elsewhere)).json()).toMatchObject({ code: 'link_too_late' })
    expect(await questions(id)).toMatchObject([{ state: 'waiting' }])
  })
})

describe('waiting', () => {
  it('holds the order until the day, within two weeks', async () => {
    const order = await place()
    const token = await ask(order.id)
    for (const until of ['2026-11-10', '2026-11-25', null])
      expect((await answer(token, 'wait', { until })).json()).toMatchObject({ code: 'wait_day' })
    expect((await answer(token, 'wait', { until: '2026-11-12' })).statusCode).toBe(200)
    expect(await read(order.id)).toMatchObject({ phase: 'held', locks: [{ reason: 'customer', until: '2026-11-12T05:00:00Z' }] })
  })
})

describe('a question about what is missing', () => {
  it.each([
    ['ship_partially', { decision: 'ship_partial' }],
    ['wait', { decision: 'wait' }],
    ['cancel_line', { decision: 'cancel_line' }],
  ] as const)('answered with %s decides the short and ends its hold', async (choice, decided) => {
    const { id, short_id } = await shortOrder()
    await clerk.send(pickTasks.decide, { id: short_id, body: { decision: 'ask_customer' } })
    expect(await read(id)).toMatchObject({ phase: 'held' })
    const token = await ask(id)
    expect((await open(token)).json()).toMatchObject({ missing: [{ name: 'Teapot', qty: 2 }], wait: null })
    expect((await answer(token, choice, choice === 'cancel_line' ? { postcode: '5000' } : {})).statusCode).toBe(200)
    expect(await clerk.send(pickTasks.short, { id: short_id })).toMatchObject({ ...decided, decided_by: 'Customer' })
    expect((await read(id)).locks).toEqual([])
  })

  it('is asked in our own words where the company has written none, once for an order', async () => {
    const { id, short_id } = await shortOrder()
    await clerk.send(pickTasks.decide, { id: short_id, body: { decision: 'ask_customer' } })
    const task = { order_id: id, company_id: operator.main.id }
    for (let twice = 0; twice < 2; twice++) await askAboutMissing(task, within() as never)
    const [asked, ...more] = await thread(id)
    expect(more).toEqual([])
    expect(asked).toMatchObject({ channel: 'sms', trigger: 'item_missing_question' })
    expect(asked?.text).toMatch(/^2 × Teapot mangler i din ordre \S+ Send resten, vent eller annullér\? Svar her: https:\S+\/answer#/)
    expect((await questions(id))[0]?.choices).toEqual(['ship_partially', 'wait', 'cancel_line'])
  })

  it('is not asked where the company has a template, or no way to send one', async () => {
    const body = {
      channel: 'sms' as const,
      locale: 'en_GB' as const,
      trigger: 'item_missing_question' as const,
      name: 'Off',
      active: false,
    }
    await clerk.send(templates.create, { body: { ...body, body: '{{ items_missing }}: {{ answer_url }}', choices: ['wait'] } })
    const { id, short_id } = await shortOrder()
    await clerk.send(pickTasks.decide, { id: short_id, body: { decision: 'ask_customer' } })
    await askAboutMissing({ order_id: id, company_id: operator.main.id }, within() as never)
    expect(await thread(id)).toEqual([])
  })

  it('is what a template of its occasion asks by itself', async () => {
    const { rows } = await clerk.send(templates.list, {})
    expect(rows).toEqual([])
    const body = { channel: 'sms' as const, locale: 'en_GB' as const, trigger: 'item_missing_question' as const, name: 'Missing' }
    const written = { ...body, body: '{{ items_missing }} is missing: {{ answer_url }}' }
    await expect(clerk.send(templates.create, { body: written })).rejects.toMatchObject({ fields: { choices: expect.any(String) } })
    await expect(clerk.send(templates.create, { body: { ...body, body: 'Missing', choices: ['wait'] } })).rejects.toMatchObject({
      fields: { choices: expect.any(String) },
    })
    expect(await clerk.send(templates.create, { body: { ...written, choices: ['wait', 'ship_partially'] } })).toMatchObject({
      choices: ['ship_partially', 'wait'],
    })
  })
})

describe('another parcel shop', () => {
  let shipmondo: FakeShipmondo
  let back: () => void
  beforeEach(async () => {
    shipmondo = await openFakeShipmondo()
    back = withCourier(shipmondoAt({ live: { url: shipmondo.server.url }, sandbox: { url: shipmondo.server.url } }))
    await clerk.send(parcelShops.setConfig, { agent_code: 'shipmondo', body: { version: 0, settings: shipmondoAccount } })
    await clerk.send(parcelShops.readMethods, { agent_code: 'shipmondo' })
    return async () => {
      back()
      await shipmondo.close()
    }
  })
  const toShop = async () => {
    const order = await place({ agent_code: 'shipmondo', shipping_method: 'GLSDK_SD' })
    const shop = { id: '1', name: 'Old shop', address1: 'Gade 1', postcode: '5000', city: 'Odense', country: 'DK' }
    await within().transaction(({ db }) =>
      db
        .updateTable('orders')
        .set({ service_point: JSON.stringify(shop) })
        .where('id', '=', order.id)
        .execute(),
    )
    return order
  }

  it('is one of those near the place where the order goes, whose postcode the recipient must know', async () => {
    const order = await toShop()
    const token = await ask(order.id)
    expect((await open(token)).json().choices).toEqual(['wait', 'other_shop'])
    const near = (postcode: string) => visitor.ask(decisionLinks.shops, { body: { token, postcode } }, from())
    expect((await near('2100')).json()).toMatchObject({ code: 'link_postcode' })
    const { shops } = (await near('5000')).json()
    expect(shops).toMatchObject([{ id: '95558', opening_hours: ['Man: 08:00 - 20:00'] }])
    expect((await answer(token, 'other_shop', { postcode: '5000', shop_id: '4711' })).json()).toMatchObject({ code: 'parcel_shop_gone' })
    expect((await answer(token, 'other_shop', { postcode: '5000', shop_id: '95558' })).statusCode).toBe(200)
    expect((await read(order.id)).service_point).toMatchObject({ id: '95558', name: shops[0].name })
  })

  it('is not offered for a method that goes to the door', async () => {
    const order = await place({ agent_code: 'shipmondo', shipping_method: 'GLSDK_HD' })
    const token = await ask(order.id)
    expect((await open(token)).json().choices).toEqual(['wait', 'new_address'])
    expect((await answer(token, 'other_shop', { postcode: '5000', shop_id: '95558' })).json()).toMatchObject({ code: 'choice_not_offered' })
  })
})

describe('the clerk', () => {
  it('is proposed a text in the language of the recipient, and sees what cannot be asked now', async () => {
    const order = await place({ locale: 'de_DE' })
    const { proposal, choices } = await clerk.send(orderQuestions.list, { id: order.id })
    expect(proposal).toMatchObject({ locale: 'de_DE', text: expect.stringContaining('{{ answer_url }}') })
    expect(choices.filter(one => one.why_not === null).map(one => one.choice)).toEqual(['wait', 'new_address'])
  })

  it('sends no question without answers, and no answers without a link', async () => {
    const order = await place()
    const quote = (more: object) => clerk.send(messages.quote, { body: { orders: [order.id], channel: 'sms', body: 'Hello', ...more } })
    await expect(quote({ choices: ['wait'] })).rejects.toMatchObject({ code: 'answer_link_missing' })
    await expect(quote({ body: '{{ answer_url }}' })).rejects.toMatchObject({ code: 'answer_link_missing' })
  })

  it('who sees no orders sees no questions', async () => {
    const order = await place()
    const packer = await operator.hire(['scan'])
    expect((await packer.ask(orderQuestions.list, { id: order.id })).statusCode).toBe(403)
  })
})
