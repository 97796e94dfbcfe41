/** The return portal over HTTP: what customers find, choose and send, what they are refused, and what strangers learn: nothing. */
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { mail } from '#features/deliveries/mail/mail.contract.ts'
import { sendMail } from '#features/deliveries/mail/mail-sender.server.ts'
import { startMailServer } from '#features/deliveries/mail/mail-server.fake.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { endUnusedReturns } from '#features/returns/returns/end-returns.task.ts'
import { rmaLanguages } from '#features/returns/rma-languages/rma-languages.contract.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { hashToken } from '#platform/crypto/vault.ts'
import { type OrderPlan, placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { portal } from './portal.contract.ts'
import { tidyPortal } from './portal.task.ts'
import { writeReturnMail } from './portal-mail.server.ts'

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
let visitor: TestUser
let picture: Buffer
let clerkOfProducts: TestUser
let address = 1
const blankProduct = {
  ...{ name: 'Cap', variant: null, weight_g: 100, length_mm: null, width_mm: null, height_mm: null, bin: null, hs_code: null },
  ...{ origin: null, customs_text: null, serial_required: false, no_barcode: false, barcodes: [] },
}

beforeAll(async () => {
  testApp = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
  operator = await testApp.operator({ shops: 1 })
  clerk = await operator.hire(['rma_admin'])
  clerkOfProducts = await operator.hire(['parcels_admin'])
  visitor = testApp.visitor(operator.main)
  picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#a42' } })
    .withExif({ IFD0: { Copyright: 'where it was taken' } })
    .jpeg()
    .toBuffer()
  for (const [user, language] of [
    [clerk, 'da_DK'],
    [clerk, 'de_DE'],
    [await operator.hire(['rma_admin'], operator.shops[0]), 'da_DK'],
  ] as const) {
    const texts = { greeting: 'Hej', return_address: 'Returvej 1', confirmation: 'Tak', legal: '', support: '' }
    await user.send(rmaLanguages.setTexts, { language, body: { texts, version: 0 } })
    await user.send(rmaLanguages.enable, { language })
  }
  await clerk.send(portal.setOffer, { body: { outcomes: ['refund', 'exchange'], methods: ['own_label', 'bring'], version: 0 } })
})
afterAll(() => testApp.close())
beforeEach(() => testApp.setNow(undefined))

/** An address of its own, so that a test does not count for the limits of another. */
const from = () => ({ headers: { 'x-forwarded-for': `198.51.100.${address++}` } })
const by = (link: string) => ({ headers: { ...from().headers, 'x-return-link': link } })

interface Sent {
  id: number
  order_no: string
  shirts: number
  cap: number
}

/** Two T-shirts of 100.00 and a cap of 125.00, delivered some days ago. */
async function deliver(daysAgo = 3, plan: OrderPlan = {}, company = operator.main): Promise<Sent> {
  const scope = scopeOfCompany(operator, company)
  const { id, order_no, lines } = await placeOrder(testApp.services.database, scope, {
    locale: 'da_DK',
    work_state: 'handed_over',
    ...plan,
  })
  const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  await testApp.services.database.transaction(scope, async db => {
    await db
      .updateTable('order_lines')
      .set(eb => ({ picked_qty: eb.ref('qty'), packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
      .where('order_id', '=', id)
      .execute()
    await db
      .insertInto('shipments')
      .values({
        order_id: id,
        agent_code: 'own',
        shipping_method: 'van',
        state: 'delivered',
        idempotency_key: `k${id}`,
        reference: `r${id}`,
        request: '{}',
        booked_at: at,
        handed_over_at: at,
        delivered_at: at,
      })
      .execute()
  })
  return { id, order_no, shirts: elementAt(lines, 0), cap: elementAt(lines, 1) }
}

const find = (order_no: string, key = '5000') => visitor.send(portal.find, { body: { order_no, key } }, from())
const item = (
  line_id: number,
  more: Partial<{ qty: number; reason: string; photo_ids: number[]; note: string; outcome: 'refund' | 'exchange' }> = {},
) => ({
  ...{ line_id, qty: 1, reason: 'changed_mind', outcome: 'refund' as const },
  ...more,
})
const addPhoto = async (link: string, given = picture) =>
  (await visitor.send(portal.photo, { upload: given as unknown as Blob }, by(link))).photo_id
const submit = (link: string, items: ReturnType<typeof item>[], more: { client_id?: string; fee_seen?: number } = {}) =>
  visitor.send(
    portal.submit,
    { body: { items, method: 'own_label', client_id: randomUUID(), fee_seen: 0, lang: 'da_DK', ...more } },
    by(link),
  )

/** The plain part of a mail, decoded. */
function plainText(source: string): string {
  const [head = '', ...rest] = (/Content-Type: text\/plain[\s\S]*?(?=\r\n--)/i.exec(source)?.[0] ?? '').split('\r\n\r\n')
  const body = rest.join('\n\n')
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  const joined = body.replace(/=\r\n/g, '')
  return Buffer.from(
    joined.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8')
}

const inDatabase = <T>(work: Parameters<typeof testApp.services.database.transaction<T>>[1]) =>
  testApp.services.database.transaction(scopeOfCompany(operator), work)

describe('the page', () => {
  it('is in the language that is asked for, where the portal is open in it', async () => {
    const asked = { lang: 'de_DE' as const }
    expect(await visitor.send(portal.page, asked)).toMatchObject({ locale: 'de_DE', languages: ['da_DK', 'de_DE'], is_open: true })
    expect(await visitor.send(portal.page, { lang: 'sv_SE' })).toMatchObject({ locale: 'da_DK' })
    await clerk.send(rmaLanguages.disable, { language: 'de_DE' })
    expect(await visitor.send(portal.page, asked)).toMatchObject({ locale: 'da_DK', languages: ['da_DK'] })
    await clerk.send(rmaLanguages.enable, { language: 'de_DE' })
  })

  it('shows a draft by its token alone', async () => {
    const of = { lang: 'sv_SE', preview: 'true' } as const
    const texts = { greeting: 'Ett utkast', return_address: '', confirmation: '', legal: '', support: '' }
    await clerk.send(rmaLanguages.setTexts, { language: 'sv_SE', body: { texts, version: 0 } })
    expect((await visitor.send(portal.page, of)).texts.greeting).not.toBe('Ett utkast')
    const { token } = await clerk.send(rmaLanguages.preview, { language: 'sv_SE' })
    const withToken = (given: string) => ({ headers: { 'x-preview-token': given } })
    expect(await visitor.send(portal.page, of, withToken(token))).toMatchObject({ is_preview: true, texts: { greeting: 'Ett utkast' } })
    for (const forged of [`${token}x`, token.replace(/^./, 'z'), 'x.y', ' '])
      await expect(visitor.send(portal.page, of, withToken(forged))).rejects.toMatchObject({ status: 404, code: 'return_link_not_found' })
    testApp.setNow(new Date(Date.now() + 31 * 60_000))
    await expect(visitor.send(portal.page, of, withToken(token))).rejects.toMatchObject({ status: 404 })
  })
})

describe('an order', () => {
  it('is found by its number with the postcode or the e-mail, and shows what is left to return', async () => {
    const { order_no, shirts, cap } = await deliver()
    for (const key of ['5000', 'DK-5000', 'lene@example.test', 'LENE@example.test']) {
      const { order, link } = await find(order_no, key)
      expect(order).toMatchObject({ order_no, is_over: false })
      expect(order.lines).toEqual([
        { line_id: shirts, name: 'T-shirt, White / L', shipped: 2, left: 2, amounts: [10_000, 10_000], has_picture: false },
        { line_id: cap, name: 'Cap', shipped: 1, left: 1, amounts: [12_500], has_picture: false },
      ])
      const hashes = await inDatabase(db => db.selectFrom('portal_links').select('token_hash').execute())
      expect(hashes.some(({ token_hash }) => token_hash.equals(hashToken(link)))).toBe(true)
    }
  })

  it('shows the picture of a product to who holds its link, and to no one else', async () => {
    const { order_no, shirts, cap, id } = await deliver()
    await clerkOfProducts.send(products.create, { body: { ...blankProduct, sku: `P-${id}` } })
    const [product] = (await clerkOfProducts.send(products.search, { query: `P-${id}` })).rows
    await clerkOfProducts.send(products.setPicture, { id: product?.product_id ?? 0, upload: picture as unknown as Blob })
    await inDatabase(db =>
      db
        .updateTable('order_lines')
        .set({ product_id: product?.product_id ?? 0 })
        .where('id', '=', cap)
        .execute(),
    )
    const { order, link } = await find(order_no)
    expect(order.lines.map(line => line.has_picture)).toEqual([false, true])
    const ask = (line_id: number, given: string) => visitor.ask(portal.linePicture, { line_id }, by(given))
    const shown = await ask(cap, link)
    expect([shown.statusCode, shown.headers['cache-control']]).toEqual([200, 'private, max-age=3600'])
    expect(shown.headers['content-type']).toMatch(/^image\//)
    expect((await ask(shirts, link)).statusCode).toBe(404)
    expect((await ask(cap, 'x'.repeat(43))).statusCode).toBe(404)
    const other = await find((await deliver()).order_no)
    expect((await ask(cap, other.link)).statusCode).toBe(404)
  })

  it('is answered the same after the same time where number, key, company or shop is another', async () => {
    const { order_no } = await deliver()
    const foreign = await deliver(3, {}, elementAt(operator.shops, 0))
    const answers = []
    for (const body of [
      { order_no: '999999', key: '5000' },
      { order_no, key: '5001' },
      { order_no, key: 'someone@example.test' },
      { order_no: foreign.order_no, key: '5000' },
      { order_no, key: '5000', shop: 'another' },
      { order_no: `${order_no}' or true --`, key: '%' },
    ]) {
      const began = performance.now()
      const { statusCode, json } = await visitor.ask(portal.find, { body }, from())
      expect(performance.now() - began).toBeGreaterThan(295)
      const { code, key } = json() as { code: string; key: string }
      answers.push(`${statusCode} ${code} ${key}`)
    }
    expect(new Set(answers)).toEqual(
      new Set(['404 return_portal_order_not_found We found no order with this number and this postcode or e-mail.']),
    )
  })

  it('is kept from guesses: from one address, and of one number from any', async () => {
    const { order_no } = await deliver()
    const one = from()
    const statuses = []
    for (let tries = 0; tries < 12; tries++)
      statuses.push((await visitor.ask(portal.find, { body: { order_no: `x${tries}`, key: '1' } }, one)).statusCode)
    expect(statuses.toSorted()).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429])
    for (let tries = 0; tries < 5; tries++) await expect(find(order_no, `${1000 + tries}`)).rejects.toMatchObject({ status: 404 })
    await expect(find(order_no)).rejects.toMatchObject({ status: 404, code: 'return_portal_order_not_found' })
    testApp.setNow(new Date(Date.now() + 3_600_000))
    expect((await find(order_no)).order.order_no).toBe(order_no)
  })

  it('opens by its own link for an hour, and by no other', async () => {
    const { link } = await find((await deliver()).order_no)
    expect(await visitor.send(portal.order, {}, by(link))).toMatchObject({ is_over: false })
    const elsewhere = testApp.visitor(elementAt(operator.shops, 0))
    await expect(elsewhere.send(portal.order, {}, by(link))).rejects.toMatchObject({ status: 404, code: 'return_link_not_found' })
    for (const forged of ['', 'x', `${link}x`, link.slice(1), hashToken(link).toString('hex'), "' or true --".repeat(4)])
      await expect(visitor.send(portal.order, {}, by(forged))).rejects.toMatchObject({ status: 404, code: 'return_link_not_found' })
    testApp.setNow(new Date(Date.now() + 61 * 60_000))
    await expect(visitor.send(portal.order, {}, by(link))).rejects.toMatchObject({ status: 404 })
    testApp.setNow(undefined)
    const erased = await deliver()
    const theirs = await find(erased.order_no)
    await inDatabase(db => db.updateTable('orders').set({ erased_at: new Date().toISOString() }).where('id', '=', erased.id).execute())
    await expect(visitor.send(portal.order, {}, by(theirs.link))).rejects.toMatchObject({ status: 404 })
  })
})

describe('a return', () => {
  it('is quoted, sent once for each client id, and followed by its link', async () => {
    const { order_no, shirts, cap } = await deliver()
    const { link } = await find(order_no)
    const photo = await addPhoto(link)
    const items = [item(shirts), item(cap, { reason: 'damaged_in_transit', photo_ids: [photo] })]
    expect(await visitor.send(portal.quote, { body: { items, method: 'bring' } }, by(link))).toMatchObject({
      goods: 22_500,
      fee: 0,
      needs: [],
    })
    const client_id = randomUUID()
    const made = await submit(link, items, { client_id })
    expect(await submit(link, items, { client_id })).toEqual(made)
    expect(made).toMatchObject({ rma_no: expect.stringMatching(/^R\d{7}$/), status: 'approved' })
    expect(await visitor.send(portal.progress, {}, by(made.link))).toMatchObject({
      ...{ rma_no: made.rma_no, order_no, step: 'requested', return_address: 'Returvej 1', can_cancel: true, locale: 'da_DK' },
      items: [
        { qty: 1, outcome: 'refund' },
        { qty: 1, outcome: 'refund' },
      ],
    })
    const files = await inDatabase(db =>
      db
        .selectFrom('return_files as r')
        .innerJoin('files as f', 'f.id', 'r.file_id')
        .select(['f.sha256', 'r.kind'])
        .where('r.created_by', '=', 'customer')
        .execute(),
    )
    const [file] = files
    const { exif, format } = await sharp(await testApp.services.files.get(operator.operator_id, file?.sha256 ?? '')).metadata()
    expect([files.length, file?.kind, format, exif]).toEqual([1, 'customer', 'webp', undefined])
    expect((await visitor.send(portal.order, {}, by(link))).lines.map(line => line.left)).toEqual([1, 0])
  })

  it('is refused without the photo or the words that its reason asks for, and beyond what is left', async () => {
    const { order_no, shirts, cap } = await deliver()
    const { link } = await find(order_no)
    await expect(submit(link, [item(cap, { reason: 'damaged_in_transit' })])).rejects.toMatchObject({
      status: 422,
      code: 'return_photo_needed',
    })
    await expect(submit(link, [item(cap, { reason: 'defective' })])).rejects.toMatchObject({ status: 422, code: 'note_needed' })
    await expect(submit(link, [item(cap, { reason: 'no such' })])).rejects.toMatchObject({ status: 422, code: 'return_reason_unknown' })
    await expect(submit(link, [item(cap, { qty: 2 })])).rejects.toMatchObject({ status: 409, code: 'not_returnable' })
    await expect(submit(link, [item(shirts), item(shirts, { qty: 2 })])).rejects.toMatchObject({ code: 'not_returnable' })
    const other = await deliver()
    await expect(submit(link, [item(other.cap)])).rejects.toMatchObject({ code: 'not_returnable' })
    const theirs = await addPhoto((await find(other.order_no)).link)
    await expect(submit(link, [item(cap, { reason: 'damaged_in_transit', photo_ids: [theirs] })])).rejects.toMatchObject({
      code: 'return_photo_needed',
    })
    await expect(submit(link, [item(cap)], { fee_seen: 5_000 })).rejects.toMatchObject({
      status: 409,
      code: 'price_changed',
      current: { fee: 0 },
    })
  })

  it('goes to one of two who send the last pieces at once', async () => {
    const { order_no, shirts } = await deliver()
    const [one, other] = [await find(order_no), await find(order_no)]
    const sent = await Promise.allSettled([one, other].map(({ link }) => submit(link, [item(shirts, { qty: 2 })])))
    expect(sent.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('is refused after the last day', async () => {
    const { order_no, cap } = await deliver(90)
    const { link, order } = await find(order_no)
    expect(order.is_over).toBe(true)
    await expect(submit(link, [item(cap)])).rejects.toMatchObject({ status: 409, code: 'return_period_over' })
  })

  it('is cancelled by its customer, and its pieces are free again', async () => {
    const { order_no, cap } = await deliver()
    const { link } = await find(order_no)
    const made = await submit(link, [item(cap)])
    expect(await visitor.send(portal.cancel, {}, by(made.link))).toMatchObject({
      status: 'cancelled',
      step: null,
      can_cancel: false,
    })
    expect((await visitor.send(portal.order, {}, by(link))).lines.map(line => line.left)).toEqual([2, 1])
    for (const forged of [`${made.link}x`, link, 'x'.repeat(44)])
      await expect(visitor.send(portal.progress, {}, by(forged))).rejects.toMatchObject({ status: 404 })
  })

  it('takes hostile texts as they are, and no picture that is none', async () => {
    const { order_no, cap } = await deliver()
    const { link } = await find(order_no)
    for (const bomb of ['not a picture', '<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"/>'])
      await expect(addPhoto(link, Buffer.from(bomb))).rejects.toMatchObject({ status: 422, code: 'not_an_image' })
    const note = `<script>alert(1)</script>"'=cmd|' /C calc'!A0 \u202e${'x'.repeat(400)}`
    const made = await submit(link, [item(cap, { note })])
    const rows = await inDatabase(db =>
      db
        .selectFrom('return_items as i')
        .innerJoin('returns as r', 'r.id', 'i.return_id')
        .select('i.reason_note')
        .where('r.rma_no', '=', made.rma_no)
        .execute(),
    )
    expect(rows).toEqual([{ reason_note: note }])
    await expect(submit(link, [item(cap, { note: 'x'.repeat(501) })])).rejects.toMatchObject({ status: 400 })
  })
})

describe('photos', () => {
  it('that no return names are dropped after a day, and links that have ended with them', async () => {
    const { order_no } = await deliver()
    const { link } = await find(order_no)
    const photo_id = await addPhoto(link)
    testApp.setNow(new Date(Date.now() + 25 * 3_600_000))
    await tidyPortal.run(testApp.services)
    const left = await inDatabase(async db => [
      ...(await db.selectFrom('portal_photos').select('id').where('id', '=', photo_id).execute()),
      ...(await db.selectFrom('portal_links').select('id').where('token_hash', '=', hashToken(link)).execute()),
    ])
    expect(left).toEqual([])
  })
})

describe('a withdrawal from the contract', () => {
  const withdraw = (order_no: string, more: object = {}, link = '') =>
    visitor.send(
      portal.withdraw,
      {
        body: {
          name: 'Lene Hansen',
          order_no,
          email: 'lene@example.test',
          lines: [],
          confirm: true,
          client_id: randomUUID(),
          lang: 'da_DK',
          ...more,
        },
      },
      { headers: { ...from().headers, 'x-return-link': link } },
    )
  const returnsOf = (order_no: string) =>
    inDatabase(db =>
      db
        .selectFrom('returns as r')
        .leftJoin('return_items as i', 'i.return_id', 'r.id')
        .select(['r.status', 'r.order_id', 'r.withdrawal', 'r.contact_email', eb => eb.fn.count<number>('i.id').as('pieces')])
        .where('r.claimed_order_no', '=', order_no)
        .groupBy('r.id')
        .groupBy('r.operator_id')
        .orderBy('r.id')
        .execute(),
    )

  it('is approved at once for a known order, and taken as a notice for any other, with one answer', async () => {
    const { order_no, id } = await deliver()
    const known = await withdraw(order_no)
    const unknown = await withdraw('no such order')
    expect(Object.keys(known)).toEqual(Object.keys(unknown))
    expect(await returnsOf(order_no)).toMatchObject([
      { status: 'approved', order_id: id, withdrawal: true, contact_email: 'lene@example.test' },
    ])
    expect((await returnsOf(order_no)).map(({ pieces }) => Number(pieces))).toEqual([3])
    expect(await returnsOf('no such order')).toMatchObject([{ order_id: null, withdrawal: true }])
    await withdraw(order_no, { email: 'stranger@example.test' })
    expect((await returnsOf(order_no)).map(({ order_id }) => order_id)).toEqual([id, null])
  })

  it('is of the chosen pieces where the order was found before, and needs no open portal', async () => {
    const { order_no, cap } = await deliver()
    const { link } = await find(order_no)
    await withdraw(order_no, { lines: [{ line_id: cap, qty: 9 }] }, link)
    expect((await returnsOf(order_no)).map(({ pieces }) => Number(pieces))).toEqual([1])
    // Pieces that are named by a link that has ended are not made the whole order.
    const ended = { lines: [{ line_id: cap, qty: 1 }] }
    await expect(withdraw(order_no, ended, 'x'.repeat(40))).rejects.toMatchObject({ code: 'return_link_not_found' })
    expect(await returnsOf(order_no)).toHaveLength(1)
    const client_id = randomUUID()
    for (let again = 0; again < 2; again++) await withdraw('twice', { client_id })
    expect(await returnsOf('twice')).toHaveLength(1)
    await expect(withdraw(order_no, { confirm: false })).rejects.toMatchObject({ status: 400 })
  })
})

describe('the tracking page', () => {
  it('leads to the portal where the order may be returned and the portal is open in its language', async () => {
    const path = async (id: number, lang?: 'de_DE' | 'no_NO', s?: string) => {
      const url = new URL(trackingUrl(testApp.services, operator.main, { order_id: id }))
      return visitor.send(portal.tracked, { o: id, s: s ?? url.searchParams.get('s') ?? '', ...(lang && { lang }) })
    }
    const { id, order_no } = await deliver()
    expect(await path(id)).toEqual({ path: `/rma-landing-page?lang=da_DK#order=${order_no}` })
    expect(await path(id, 'de_DE')).toEqual({ path: `/rma-landing-page?lang=de_DE#order=${order_no}` })
    expect(await path(id, 'no_NO')).toEqual({ path: null })
    expect(await path((await deliver(90)).id)).toEqual({ path: null })
    const { id: unsent } = await placeOrder(testApp.services.database, scopeOfCompany(operator))
    expect(await path(unsent, 'de_DE')).toEqual({ path: null })
    await expect(path(id, undefined, 'x'.repeat(22))).rejects.toMatchObject({ status: 404 })
  })
})

describe('the mails of a return', () => {
  it('confirm it with its page, acknowledge a withdrawal with its time, and say when money comes back', async () => {
    testApp.services.config.allowed_networks = ['127.0.0.0/8']
    const server = await startMailServer()
    const { user: user_name, password } = server.signIn
    const sendAll = async () => {
      for (let time = 0; time < 4; time++) await sendDeliveries(testApp.services, { mail: sendMail({ 'return.mail': writeReturnMail }) })
      return server.received.splice(0).map(({ to, source }) => ({ to, text: plainText(source) }))
    }
    try {
      const boss = await operator.hire(['admin'])
      await boss.send(mail.save, {
        body: {
          ...{ host: '127.0.0.1', port: server.port, security: 'none' as const, user_name, password },
          ...{ from_name: 'Shop', from_address: 'shop@example.com', reply_to: null, version: null },
        },
      })
      const { order_no, cap } = await deliver()
      const { link } = await find(order_no)
      const made = await submit(link, [item(cap)])
      const [confirmed, ...none] = await sendAll()
      expect([none, confirmed?.to]).toEqual([[], ['lene@example.test']])
      for (const words of ['Tak', 'Returvej 1', made.rma_no, 'Cap', `#return=${made.link}`]) expect(confirmed?.text).toContain(words)

      await testApp.services.database.transaction(scopeOfCompany(operator), db =>
        db
          .updateTable('returns')
          .set({
            approved_at: new Date(testApp.services.now().getTime() - 24 * 86_400_000).toISOString(),
            expires_at: new Date(testApp.services.now().getTime() + 4 * 86_400_000).toISOString(),
          })
          .where('rma_no', '=', made.rma_no)
          .execute(),
      )
      await endUnusedReturns(testApp.services)
      const [reminder, ...more] = await sendAll()
      expect([more, reminder?.to]).toEqual([[], ['lene@example.test']])
      for (const words of ['Send den senest', 'Cap', `#return=${made.link}`]) expect(reminder?.text).toContain(words)

      const withdrawal = { confirm: true, lang: 'da_DK' } as const
      await visitor.send(
        portal.withdraw,
        { body: { ...withdrawal, name: 'Lene Hansen', order_no, email: 'lene@example.test', client_id: randomUUID() } },
        from(),
      )
      const [acknowledged] = await sendAll()
      for (const words of ['Lene Hansen', order_no, '2 × T-shirt', String(new Date().getFullYear())])
        expect(acknowledged?.text).toContain(words)

      for (let times = 0; times < 8; times++)
        await visitor.send(
          portal.withdraw,
          {
            body: {
              ...withdrawal,
              name: 'Buy at http://evil.example/x now',
              order_no: 'evil.example',
              email: 'victim@example.test',
              client_id: randomUUID(),
            },
          },
          from(),
        )
      const strangers = await sendAll()
      expect(strangers).toHaveLength(5)
      expect(strangers.some(({ text }) => text.includes('evil.example'))).toBe(false)
    } finally {
      await server.close()
    }
  })
})

it('offers what the company has chosen, by its version', async () => {
  const offer = await clerk.send(portal.offer, {})
  await expect(clerk.send(portal.setOffer, { body: { ...offer, version: offer.version - 1 } })).rejects.toMatchObject({
    status: 409,
    code: 'settings_changed',
  })
  await expect(clerk.send(portal.setOffer, { body: { ...offer, outcomes: [] } })).rejects.toMatchObject({ status: 400 })
  const picker = await operator.hire(['pick'])
  await expect(picker.send(portal.setOffer, { body: offer })).rejects.toMatchObject({ status: 403 })
})
