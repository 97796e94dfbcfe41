/** Courier labels in the return portal: one booking whatever is clicked twice or times out, their price, and another way where there is none. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { rmaLanguages } from '#features/returns/rma-languages/rma-languages.contract.ts'
import { bookShipment } from '#features/shipping/labels/booking.server.ts'
import { CourierUnavailable } from '#integrations/couriers/courier.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { type SlowCourier, slowCourier } from '#integrations/couriers/slow.fake.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { portal } from './portal.contract.ts'

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
let visitor: TestUser
let slow: SlowCourier
let remove: () => void
let address = 1

beforeAll(async () => {
  testApp = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
  operator = await testApp.operator({
    settings: { sender: { name: 'Shop', address1: 'Returvej 1', postcode: '5000', city: 'Odense', country: 'DK' } } as never,
  })
  clerk = await operator.hire(['rma_admin'])
  visitor = testApp.visitor(operator.main)
  const texts = { greeting: '', return_address: 'Returvej 1', confirmation: 'Tak', legal: '', support: '' }
  await clerk.send(rmaLanguages.setTexts, { language: 'da_DK', body: { texts, version: 0 } })
  await clerk.send(rmaLanguages.enable, { language: 'da_DK' })
  slow = slowCourier({ recovery: 'lookup', offers: { return_qr: true, parcel_shops: true } })
  slow.parcelShops = async ({ country, postcode }) => {
    if (postcode === '9999') throw new CourierUnavailable('Later')
    return Array.from({ length: 8 }, (_, n) => ({
      ...{ id: `S${n}`, name: `Kiosk ${n}`, address1: `Gade ${n}`, postcode, city: 'Odense', country, distance_m: 100 * (n + 1) },
      opening_hours: ['Mon 9-17'],
    }))
  }
  const plain = slowCourier({ agent_code: 'plain', recovery: 'lookup' })
  const removals = [withCourier(slow), withCourier(plain)]
  remove = () => {
    for (const one of removals) one()
  }
  const label = { agent_code: 'slow', shipping_method: 'parcel', price: 4_900, countries: [{ country: 'SE', price: 6_900 }] }
  const qr = { agent_code: 'slow', shipping_method: 'parcel', price: 2_900, countries: [{ country: 'DE', price: 5_900 }] }
  await expect(
    clerk.send(portal.setOffer, {
      body: { outcomes: ['refund'], methods: ['label'], label: { ...label, shipping_method: 'x' }, version: 0 },
    }),
  ).rejects.toMatchObject({ status: 422, fields: { label: 'Choose a courier and a method.' } })
  // A courier that documents no code makes none.
  await expect(
    clerk.send(portal.setOffer, {
      body: { outcomes: ['refund'], methods: ['qr'], qr: { ...qr, agent_code: 'plain' }, version: 0 },
    }),
  ).rejects.toMatchObject({ status: 422, fields: { qr: 'Choose a courier and a method.' } })
  const twice = { ...label, countries: [...label.countries, ...label.countries] }
  await expect(
    clerk.send(portal.setOffer, { body: { outcomes: ['refund'], methods: ['label'], label: twice, version: 0 } }),
  ).rejects.toMatchObject({ status: 400, fields: { 'label.countries': 'This country has a price already.' } })
  const couriers = await clerk.send(portal.labelMethods, {})
  expect(couriers.find(one => one.agent_code === 'slow')).toMatchObject({ qr: true })
  expect(couriers.find(one => one.agent_code === 'plain')).toMatchObject({ qr: false })
  const body = { outcomes: ['refund' as const], methods: ['label' as const, 'qr' as const, 'own_label' as const], label, qr, version: 0 }
  expect(await clerk.send(portal.setOffer, { body })).toMatchObject({ label, qr })
})
afterAll(async () => {
  remove()
  await testApp.close()
})
beforeEach(() => {
  testApp.setNow(undefined)
  slow.fault = () => 'none'
  slow.findFails = () => false
  slow.books.length = 0
})

const from = (link = '') => ({ headers: { 'x-forwarded-for': `198.51.100.${address++}`, 'x-return-link': link } })
const inDatabase = <T>(work: Parameters<typeof testApp.services.database.transaction<T>>[1]) =>
  testApp.services.database.transaction(scopeOfCompany(operator), work)

/** A return of a cap of 125.00 with a courier label. */
async function send(reason = 'changed_mind', method: 'label' | 'qr' = 'label', country = 'DK', shop_id: string | null = null) {
  const scope = scopeOfCompany(operator)
  const { id, order_no, lines } = await placeOrder(testApp.services.database, scope, { work_state: 'handed_over' })
  const at = new Date(Date.now() - 3 * 86_400_000).toISOString()
  await inDatabase(async db => {
    await db.updateTable('orders').set({ ship_country: country }).where('id', '=', id).execute()
    await db
      .updateTable('order_lines')
      .set(eb => ({ packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
      .where('order_id', '=', id)
      .execute()
    await db
      .insertInto('shipments')
      .values({
        ...{ order_id: id, agent_code: 'own', shipping_method: 'van', state: 'delivered', idempotency_key: `k${id}`, reference: `r${id}` },
        ...{ request: '{}', booked_at: at, handed_over_at: at, delivered_at: at },
      })
      .execute()
  })
  const { link } = await visitor.send(portal.find, { body: { order_no, key: '5000' } }, from())
  const note = reason === 'defective' ? 'Torn' : ''
  const body = {
    items: [{ line_id: elementAt(lines, 1), qty: 1, reason, outcome: 'refund' as const, note, photo_ids: [] }],
    ...{ method, shop_id },
    lang: 'da_DK' as const,
  }
  const quote = await visitor.send(portal.quote, { body }, from(link))
  const made = await visitor.send(portal.submit, { body: { ...body, client_id: randomUUID(), fee_seen: quote.fee } }, from(link))
  return { order_id: id, quote, ...made }
}
const ask = (link: string) => visitor.send(portal.label, { body: {} }, from(link))
const progress = (link: string) => visitor.send(portal.progress, {}, from(link))
const file = (link: string) => visitor.ask(portal.labelFile, {}, from(link))
const mailsOf = async (order_id: number) =>
  (
    await inDatabase(db =>
      db.selectFrom('events').select('data').where('order_id', '=', order_id).where('kind', '=', 'return_portal.mail_due').execute(),
    )
  ).map(({ data }) => (data as { mail: string }).mail)

it('is booked once, however often it is asked for, and costs what was shown', async () => {
  const { link, quote, order_id, rma_no } = await send()
  expect(quote).toMatchObject({ postage: 4_900, fee: 4_900, total: 7_600 })
  expect((await file(link)).statusCode).toBe(404)
  const both = await Promise.all([ask(link), ask(link)])
  expect(both.map(({ label }) => label.state)).toContain('ready')
  expect((await ask(link)).label).toMatchObject({ state: 'ready', tracking_no: slow.books[0]?.tracking_no })
  expect(slow.books).toHaveLength(1)
  const pdf = await file(link)
  expect([pdf.statusCode, pdf.headers['content-type'], pdf.body.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
  expect(await mailsOf(order_id)).toEqual(['approved', 'label'])
  const { returns: rows } = await clerk.send(returns.ofOrder, { order_id })
  const full = await clerk.send(returns.get, { id: rows.find(one => one.rma_no === rma_no)?.id ?? 0 })
  expect(full).toMatchObject({ fee: 4_900, parcels: [{ tracking_no: slow.books[0]?.tracking_no }] })
  await expect(visitor.send(portal.ownLabel, { body: {} }, from(link))).rejects.toMatchObject({ code: 'return_label_made' })
})

it('costs nothing where the shop is at fault', async () => {
  expect((await send('defective')).quote).toMatchObject({ postage: 0, fee: 0 })
})

it('is not booked a second time by a courier that booked and did not answer', async () => {
  const { link, order_id } = await send()
  slow.fault = () => 'mute'
  slow.findFails = () => true
  expect((await ask(link)).label.state).toBe('waiting')
  slow.fault = () => 'none'
  expect((await ask(link)).label.state).toBe('waiting')
  expect(slow.books).toHaveLength(1)
  // Later the courier is asked what it has.
  slow.findFails = () => false
  const { id } = await inDatabase(db =>
    db
      .selectFrom('shipments')
      .select('id')
      .where('order_id', '=', order_id)
      .where('operation_code', '=', 'return')
      .executeTakeFirstOrThrow(),
  )
  testApp.setNow(new Date(Date.now() + 10 * 60_000))
  const scope = { ...scopeOfCompany(operator), company_id: operator.main.id, companies: [operator.main.id] }
  expect(await bookShipment(createSystemContext(testApp.services, scope), id)).toBe('booked')
  expect((await progress(link)).label).toMatchObject({ state: 'ready', tracking_no: slow.books[0]?.tracking_no })
  expect(slow.books).toHaveLength(1)
  expect(await mailsOf(order_id)).toEqual(['approved', 'label'])
})

it('that the courier refuses leaves another try, or a label of one’s own without its price', async () => {
  const { link, order_id } = await send()
  slow.fault = () => 'refused'
  expect((await ask(link)).label.state).toBe('failed')
  slow.fault = () => 'none'
  const other = await send()
  slow.fault = () => 'refused'
  await ask(other.link)
  slow.fault = () => 'none'
  expect((await ask(other.link)).label.state).toBe('ready')
  expect(slow.books).toHaveLength(1)
  const own = await visitor.send(portal.ownLabel, { body: {} }, from(link))
  expect(own).toMatchObject({ method: 'own_label', return_address: 'Returvej 1' })
  const [row] = (await clerk.send(returns.ofOrder, { order_id })).returns
  expect(await clerk.send(returns.get, { id: row?.id ?? 0 })).toMatchObject({ fee: 0, method: 'own_label' })
  await expect(ask(link)).rejects.toMatchObject({ code: 'return_label_not_offered' })
})

it('costs what the customer’s country costs, where that has a price of its own', async () => {
  expect((await send('changed_mind', 'label', 'SE')).quote).toMatchObject({ postage: 6_900, qr_postage: 2_900, fee: 6_900 })
  expect((await send('changed_mind', 'qr', 'DE')).quote).toMatchObject({ postage: 4_900, qr_postage: 5_900, fee: 5_900 })
  expect((await send('defective', 'qr', 'DE')).quote).toMatchObject({ qr_postage: 0, fee: 0 })
})

it('may be a code to show at the courier that documents one, with the label beside it', async () => {
  const { link, quote, order_id } = await send('changed_mind', 'qr')
  expect(quote).toMatchObject({ fee: 2_900, methods: ['label', 'qr', 'own_label'] })
  const both = await Promise.all([ask(link), ask(link)])
  expect(both.map(({ label }) => label.state)).toContain('ready')
  const { tracking_no } = slow.books[0] ?? {}
  expect(await progress(link)).toMatchObject({
    method: 'qr',
    label: { state: 'ready', tracking_no, qr_link: `https://qr.slow.example/${tracking_no}` },
  })
  expect(slow.books).toHaveLength(1)
  expect((await file(link)).statusCode).toBe(200)
  expect(await mailsOf(order_id)).toEqual(['approved', 'label'])
  // A label alone has no code.
  const plain = await send()
  expect((await ask(plain.link)).label).toMatchObject({ state: 'ready', qr_link: null })
})

it('leaves the customer of a refused code a label of their own', async () => {
  const { link } = await send('changed_mind', 'qr')
  slow.fault = () => 'refused'
  expect((await ask(link)).label.state).toBe('failed')
  expect(await visitor.send(portal.ownLabel, { body: {} }, from(link))).toMatchObject({ method: 'own_label' })
})

it('is taken back when the return is cancelled', async () => {
  const { link } = await send()
  await ask(link)
  await visitor.send(portal.cancel, {}, from(link))
  await testApp.startWorkers()
  await expect.poll(() => slow.books[0]?.live, { timeout: 20_000 }).toBe(false)
})

const renew = (link: string, client_id = randomUUID()) => visitor.send(portal.renew, { body: { client_id } }, from(link))
const parcelOf = (order_id: number) =>
  inDatabase(db =>
    db
      .selectFrom('shipments')
      .select(['id', 'tracking_no', 'state'])
      .where('order_id', '=', order_id)
      .where('operation_code', '=', 'return')
      .orderBy('id')
      .execute(),
  )

it('is replaced by another one where it was lost, once however often that is asked for, and the old one is taken back', async () => {
  const { link, order_id } = await send()
  await expect(renew(link)).rejects.toMatchObject({ code: 'return_label_not_offered' })
  const first = (await ask(link)).label
  expect(first).toMatchObject({ state: 'ready', can_renew: true })
  const client_id = randomUUID()
  await Promise.all([renew(link, client_id), renew(link, client_id)])
  const { label } = await progress(link)
  expect(label.state).toBe('ready')
  expect(label.tracking_no).not.toBe(first.tracking_no)
  expect(slow.books).toHaveLength(2)
  await testApp.startWorkers()
  await expect.poll(() => slow.books.map(one => one.live), { timeout: 20_000 }).toEqual([false, true])
  // A late answer of the first try changes nothing.
  const third = await renew(link)
  expect((await renew(link, client_id)).label.tracking_no).toBe(third.label.tracking_no)
  expect(slow.books).toHaveLength(3)
  expect((await parcelOf(order_id)).filter(({ state }) => state === 'booked')).toHaveLength(1)
})

it('is replaced a few times only', async () => {
  const { link } = await send()
  await ask(link)
  for (let n = 0; n < 4; n++) await renew(link)
  expect((await progress(link)).label).toMatchObject({ state: 'ready', can_renew: false })
  await expect(renew(link)).rejects.toMatchObject({ code: 'return_label_limit' })
  await expect(renew('x'.repeat(43))).rejects.toMatchObject({ code: 'return_link_not_found' })
})

it('is not replaced once its parcel is on its way', async () => {
  const { link, order_id } = await send()
  await ask(link)
  const [row] = (await clerk.send(returns.ofOrder, { order_id })).returns
  await inDatabase(db =>
    db
      .updateTable('returns')
      .set({ in_transit_at: new Date().toISOString() })
      .where('id', '=', row?.id ?? 0)
      .execute(),
  )
  await expect(renew(link)).rejects.toMatchObject({ status: 409, code: 'already_sent' })
  expect(slow.books).toHaveLength(1)
})

const shopsNear = (postcode: string, agent_code = 'slow') => visitor.send(portal.shops, { agent_code, country: 'DK', postcode }, from())

it('is handed in at a parcel shop near the customer, which stays with the return until the person is erased', async () => {
  expect((await visitor.send(portal.page, {}, from())).drop_off).toEqual({ label: 'slow', qr: 'slow' })
  const near = await shopsNear('5000')
  expect(near.map(({ id }) => id)).toEqual(['S0', 'S1', 'S2', 'S3', 'S4'])
  expect(near[0]).toMatchObject({ name: 'Kiosk 0', distance_m: 100, opening_hours: ['Mon 9-17'] })
  const { link, order_id } = await send('changed_mind', 'label', 'DK', 'S2')
  const shop = { name: 'Kiosk 2', address1: 'Gade 2', postcode: '5000', city: 'Odense', country: 'DK' }
  expect((await progress(link)).drop_off).toEqual(shop)
  const [row] = (await clerk.send(returns.ofOrder, { order_id })).returns
  expect((await clerk.send(returns.get, { id: row?.id ?? 0 })).drop_off).toMatchObject({ agent_code: 'slow', id: 'S2', ...shop })
  await expect(send('changed_mind', 'label', 'DK', 'none')).rejects.toMatchObject({ status: 422, code: 'parcel_shop_unknown' })
  // A label of one's own is handed in anywhere.
  await visitor.send(portal.ownLabel, { body: {} }, from(link))
  expect((await progress(link)).drop_off).toBeNull()
})

it('shows no parcel shops of couriers that the portal does not offer, nor where the courier is silent', async () => {
  expect(await shopsNear('5000', 'gls')).toEqual([])
  expect(await shopsNear('5000', 'plain')).toEqual([])
  await inDatabase(db => db.deleteFrom('parcel_shops').execute())
  expect(await shopsNear('9999')).toEqual([])
  const busy = from()
  const codes = []
  for (let n = 0; n < 31; n++)
    codes.push((await visitor.ask(portal.shops, { agent_code: 'plain', country: 'DK', postcode: '5000' }, busy)).statusCode)
  expect(codes.filter(code => code === 429)).toHaveLength(1)
})
