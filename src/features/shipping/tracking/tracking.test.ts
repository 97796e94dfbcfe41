/** Tracking over HTTP: what the link shows, what number and postcode show, and what no one is shown. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { tracking } from './tracking.contract.ts'
import { trackingUrl } from './tracking-link.server.ts'

let testApp: TestApp
let operator: TestOperator
let visitor: TestUser
let next = 1

beforeAll(async () => {
  testApp = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
  operator = await testApp.operator({
    shops: 1,
    settings: {
      color: '#ffee00',
      homepage: 'https://shop.example',
      homepages: { no_NO: 'https://shop.example/no' },
      support_email: 'help@shop.example',
      locale: 'sv_SE',
    },
  })
  visitor = testApp.visitor(operator.main)
})
afterAll(() => testApp.close())

interface Plan {
  company?: BuiltCompany
  order_no?: string
  postcode?: string
  locale?: string | null
  work_state?: 'ready' | 'packed' | 'handed_over'
  cancelled?: boolean
  parcels?: { state: string; qty: number; agent_code?: string; collect_by?: string }[]
}

async function order(plan: Plan = {}): Promise<{ id: number; order_no: string; link: { o: number; s: string } }> {
  const company = plan.company ?? operator.main
  const order_no = plan.order_no ?? `W${next++}`
  const id = await testApp.services.database.transaction({ ...scopeOfCompany(operator, company), companies: [company.id] }, async db => {
    const { id: order_id } = await db
      .insertInto('orders')
      .values({
        external_id: randomUUID(),
        order_no,
        work_state: plan.work_state ?? 'ready',
        phase: plan.cancelled ? 'cancelled' : (plan.work_state ?? 'ready'),
        cancelled_at: plan.cancelled ? new Date().toISOString() : null,
        locale: plan.locale === undefined ? 'da_DK' : plan.locale,
        currency: 'DKK',
        ordered_at: '2026-01-05T10:00:00Z',
        customer_name: 'Lene Hansen',
        customer_email: 'lene@home.example',
        ship_country: 'DK',
        ship_to: JSON.stringify({
          name: 'Lene Hansen',
          address1: 'Skibhusvej 52',
          postcode: plan.postcode ?? '5000',
          city: 'Odense C',
          country: 'DK',
          phone: '+4512345678',
        }),
        delivery: JSON.stringify({ wished_date: '2026-01-09' }),
        agent_code: 'own',
        shipping_method: 'van',
        fingerprint: Buffer.from('x'),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: line } = await db
      .insertInto('order_lines')
      .values({ order_id, line_no: 1, sku: 'MUG', name: 'Mug', variant: 'blue', qty: 3, unit_price_incl_vat: 9_900, packed_qty: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [i, parcel] of (plan.parcels ?? []).entries()) {
      const { id: shipment_id } = await db
        .insertInto('shipments')
        .values({
          order_id,
          parcel_no: i + 1,
          agent_code: parcel.agent_code ?? 'own',
          shipping_method: 'van',
          state: parcel.state as 'booked',
          idempotency_key: randomUUID(),
          reference: randomUUID(),
          tracking_no: `OWN${order_id}${i}`,
          collect_by: parcel.collect_by ?? null,
          error: 'Something internal',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('parcel_lines')
        .values({ order_id, parcel_no: i + 1, order_line_id: line, qty: parcel.qty })
        .execute()
      for (const [minute, state] of ['booked', parcel.state].entries())
        await db
          .insertInto('shipment_events')
          .values({
            shipment_id,
            order_id,
            state,
            at: `2026-01-06T10:0${minute}:00Z`,
            place: minute ? 'Odense' : null,
            text: 'Kim forgot it under the table',
            source: 'own',
          })
          .execute()
    }
    return order_id
  })
  return { id, order_no, link: linkOf(company, id) }
}

const linkOf = (company: BuiltCompany, id: number) => {
  const url = new URL(trackingUrl(testApp.services, company, { order_id: id }))
  return { o: Number(url.searchParams.get('o')), s: url.searchParams.get('s') ?? '' }
}
/** Each test is an address of its own, so that it has tries of its own. */
let address = 1
const from = () => ({ headers: { 'x-forwarded-for': `198.51.100.${address++}` } })
const find = (body: { order_no: string; postcode: string }, at = from()) => visitor.send(tracking.find, { body }, at)

describe('a signed link', () => {
  it('says until when a parcel waits, while it does', async () => {
    const collect_by = '2026-12-03'
    const { link } = await order({
      work_state: 'handed_over',
      parcels: [
        { state: 'ready_for_pickup', qty: 1, collect_by },
        { state: 'delivered', qty: 1, collect_by },
      ],
    })
    const { parcels } = await visitor.send(tracking.order, link)
    expect(parcels.map(parcel => parcel.collect_by)).toEqual([collect_by, null])
  })

  it('shows the way of the order, its parcels and what lies in them', async () => {
    const { link, order_no } = await order({
      work_state: 'handed_over',
      parcels: [
        { state: 'handed_over', qty: 2 },
        { state: 'booked', qty: 1 },
      ],
    })
    const answer = await visitor.send(tracking.order, link)
    expect(answer).toMatchObject({
      order_no,
      locale: 'da_DK',
      stage: 'on_its_way',
      trouble: null,
      headline: { text: '{{moving}} of {{count}} parcels are on their way', values: { moving: 1, count: 2 } },
      promised_day: '2026-01-09',
      city: 'Odense C',
      country: 'DK',
      waiting: [],
      ticket: null,
      company: { name: operator.main.name, homepage: 'https://shop.example', support_email: 'help@shop.example' },
    })
    expect(answer.parcels).toMatchObject([
      {
        parcel_no: 1,
        state: 'on_its_way',
        courier: operator.main.name,
        items: [{ name: 'Mug, blue', qty: 2 }],
        events: [
          { text: 'The parcel is on its way', place: 'Odense' },
          { text: 'The parcel was packed and labelled', place: null },
        ],
      },
      { parcel_no: 2, state: 'packed', items: [{ name: 'Mug, blue', qty: 1 }] },
    ])
  })

  it('shows no name, street, phone, address, price or internal word', async () => {
    const { link } = await order({ parcels: [{ state: 'delivery_failed', qty: 1 }] })
    const text = JSON.stringify(await visitor.send(tracking.order, link))
    for (const secret of ['Lene', 'Hansen', 'Skibhusvej', '5000', '12345678', 'home.example', '9900', 'internal', 'Kim', 'under the table'])
      expect(text).not.toContain(secret)
  })

  it('shows what is not packed yet, and nothing that was cancelled or never booked', async () => {
    const { link } = await order({
      parcels: [
        { state: 'cancelled', qty: 1 },
        { state: 'error', qty: 1 },
        { state: 'blocked', qty: 1 },
      ],
    })
    expect(await visitor.send(tracking.order, link)).toMatchObject({
      stage: 'ordered',
      parcels: [],
      waiting: [{ name: 'Mug, blue', qty: 3 }],
    })
    const part = await order({ parcels: [{ state: 'delivered', qty: 1 }] })
    expect(await visitor.send(tracking.order, part.link)).toMatchObject({
      stage: 'on_its_way',
      headline: { text: 'Part of your order was delivered' },
      waiting: [{ qty: 2 }],
    })
  })

  it('says that an order was cancelled', async () => {
    const { link } = await order({ cancelled: true })
    expect(await visitor.send(tracking.order, link)).toMatchObject({
      trouble: 'cancelled',
      waiting: [],
      headline: { text: 'This order was cancelled' },
    })
  })

  it('speaks the order’s language, else the browser’s, else the shop’s', async () => {
    const known = await order({ locale: 'de_AT' })
    const header = (language: string) => ({ headers: { 'accept-language': language } })
    expect((await visitor.send(tracking.order, known.link, header('da'))).locale).toBe('de_DE')
    const unknown = await order({ locale: 'fr_FR' })
    expect(await visitor.send(tracking.order, unknown.link, header('fr, nb;q=0.8'))).toMatchObject({
      locale: 'no_NO',
      company: { homepage: 'https://shop.example/no' },
    })
    expect((await visitor.send(tracking.shop, {}, header('nb'))).company.homepage).toBe('https://shop.example/no')
    expect((await visitor.send(tracking.order, unknown.link)).locale).toBe('sv_SE')
    expect(await visitor.send(tracking.shop, {}, header('da-DK'))).toMatchObject({ locale: 'da_DK', company: { name: operator.main.name } })
    expect(await visitor.send(tracking.shop, {})).toMatchObject({ locale: 'sv_SE' })
  })

  it('opens nothing when it was forged, belongs to another order, or another shop of the same warehouse', async () => {
    const mine = await order()
    const other = await order()
    const foreign = await order({ company: operator.shops[0] })
    const refused = async (input: { o: number; s: string }, who = visitor) =>
      expect(await who.ask(tracking.order, input).then(answer => [answer.statusCode, answer.json().key])).toEqual([
        404,
        expect.stringContaining('leads nowhere'),
      ])
    await refused({ o: mine.id, s: other.link.s })
    await refused({ o: mine.id, s: 'x'.repeat(22) })
    await refused({ o: mine.id, s: `${mine.link.s.slice(0, -1)}${mine.link.s.endsWith('A') ? 'Q' : 'A'}` })
    await refused(foreign.link)
    await refused(mine.link, testApp.visitor(operator.shops[0]!))
    await refused({ o: 999_999_999, s: mine.link.s })
    const stranger = await testApp.operator()
    await refused(mine.link, testApp.visitor(stranger.main))
  })
})

describe('number and postcode', () => {
  it('show the same, however they are written, and can be asked again for a day', async () => {
    const { order_no, link } = await order({ order_no: `#9-${next++}` })
    const { ticket, ...answer } = await find({ order_no: order_no.slice(1), postcode: ' dk-5000 ' })
    const { ticket: none, ...byLink } = await visitor.send(tracking.order, link)
    expect(none).toBeNull()
    expect(answer).toEqual(byLink)
    expect(ticket?.s).not.toBe(link.s)
    const again = await visitor.send(tracking.order, ticket!)
    expect(again).toEqual({ ...byLink, ticket })
    testApp.setNow(new Date(Date.now() + 25 * 3_600_000))
    try {
      await expect(visitor.send(tracking.order, ticket!)).rejects.toMatchObject({ status: 404 })
      await expect(visitor.send(tracking.order, link)).resolves.toMatchObject({ order_no })
    } finally {
      testApp.setNow(undefined)
    }
  })

  it('cannot stretch their day, nor be used for another order', async () => {
    const { order_no } = await order()
    const other = await order()
    const { ticket } = await find({ order_no, postcode: '5000' })
    const [until = '', signature = ''] = ticket!.s.split('.')
    const later = (Number.parseInt(until, 36) + 86_400).toString(36)
    for (const forged of [
      { o: ticket!.o, s: `${later}.${signature}` },
      { o: other.id, s: ticket!.s },
      { o: ticket!.o, s: `zzzzzz.${signature}` },
      { o: ticket!.o, s: `.${signature}` },
    ])
      await expect(visitor.send(tracking.order, forged)).rejects.toMatchObject({ status: 404 })
  })

  it('answer an unknown order and a wrong postcode with the same words after the same time', async () => {
    const { order_no } = await order()
    const words = new Set<string>()
    const timeOf = async (body: { order_no: string; postcode: string }) => {
      const began = performance.now()
      const answer = await visitor.ask(tracking.find, { body }, from())
      words.add(`${answer.statusCode} ${answer.body}`)
      return performance.now() - began
    }
    // In turns, and by the quickest of each: a busy machine only ever adds.
    let [wrong, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let i = 0; i < 12; i++) {
      wrong = Math.min(wrong, await timeOf({ order_no, postcode: '5001' }))
      unknown = Math.min(unknown, await timeOf({ order_no: 'NEVER-THERE', postcode: '5000' }))
    }
    expect(words.size).toBe(1)
    expect(Math.abs(wrong - unknown)).toBeLessThan(25)
  })

  it('find nothing of another shop, and nothing without a postcode', async () => {
    const foreign = await order({ company: operator.shops[0] })
    await expect(find({ order_no: foreign.order_no, postcode: '5000' })).rejects.toMatchObject({ status: 404 })
    const bare = await order({ postcode: '' })
    await expect(find({ order_no: bare.order_no, postcode: '-' })).rejects.toMatchObject({ status: 404 })
    await expect(find({ order_no: bare.order_no, postcode: '' })).rejects.toMatchObject({ status: 400 })
  })

  it('may be tried ten times an hour from one address', async () => {
    const { order_no } = await order()
    const at = from()
    for (let i = 0; i < 10; i++) await expect(find({ order_no, postcode: '9999' }, at)).rejects.toMatchObject({ status: 404 })
    await expect(find({ order_no, postcode: '5000' }, at)).rejects.toMatchObject({ status: 429 })
    await expect(find({ order_no, postcode: '5000' })).resolves.toMatchObject({ order_no })
  })
})
