/**
 * 500 texts that browsers have taken for script, put through the API into every text of orders, products, customers, addresses, tags, groups, boxes,
 * announcements and comments of a demo, and then into the other texts for people in its database. A Chromium opens every screen: nothing runs,
 * nothing becomes markup, nothing is asked for outside, the content policy has nothing to forbid, and each text is shown as it was written.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { screens } from '#app/screens.ts'
import { session } from '#contract/session.ts'
import { crateTypes } from '#features/catalog/crates/crate-types.contract.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { announcements } from '#features/company/announcements/announcements.contract.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { groups } from '#features/company/groups/groups.contract.ts'
import { savedViews } from '#features/company/saved-views/saved-views.contract.ts'
import { tags } from '#features/company/tags/tags.contract.ts'
import { customers } from '#features/customers/customers/customers.contract.ts'
import { shopApi } from '#features/deliveries/shop-api/shop-api.contract.ts'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import { addressBook } from '#features/shipping/address-book/address-book.contract.ts'
import { buildWebIfChanged } from '../../scripts/build-web.ts'
import type { BuiltCompany } from '../../src/app/demo/builders.ts'
import { demoPassword, seedDemo } from '../../src/app/demo/demo.ts'
import { each } from '../api-client.ts'
import { type JourneyApp, openJourneyApp } from '../journeys/journey-app.ts'
import { markOf, xssTexts } from '../xss-texts.ts'

const amount = Number(process.env.PROOF_AMOUNT ?? 500)
const texts = xssTexts(amount)
let services: JourneyApp
let demo: BuiltCompany
let root: pg.Client
let token = ''
let user = ''
const by = () => ({ headers: { authorization: token } })

beforeAll(async () => {
  await buildWebIfChanged()
  services = await openJourneyApp({ API_KEY_CALLS_PER_MINUTE: '1000000' })
  root = new pg.Client({ connectionString: services.url })
  await root.connect()
  await seedDemo(services.services, { weeks: 2 })
  const { rows } = await root.query<BuiltCompany & { operator_id: number }>(
    "select id::int, code, name, operator_id::int from companies where code = 'demo'",
  )
  demo = rows[0]!
  const answer = await services.visitor(demo).send(session.login, { body: { login: 'admin', password: demoPassword('admin') } })
  token = answer.token
  user = JSON.stringify(answer.user)
}, 600_000)
afterAll(async () => {
  await root.end()
  await services.close()
})

/** The text, no longer than the field. Cut texts may be harmless: their number stays. */
const within = (text: string, most: number): string => text.slice(0, most).trim()
/** Fields beside each other get other texts. */
const textAt = (place: number, most = 2_000): string => within(texts[place % texts.length] ?? '', most)

const orderId = async (): Promise<number> =>
  (await root.query<{ id: number }>("select id::int from orders where order_no = 'T-0'")).rows[0]?.id ?? 0

/** Writes every text by calls; answers how many texts of fields were written. */
async function writeByCalls(): Promise<{ written: number; refused: string[] }> {
  const admin = services.visitor(demo)
  const { key } = await admin.send(cmsKeys.create, { body: { name: textAt(7, 100) } }, by())
  const refused: string[] = []
  let written = 0
  const tried = async (what: string, fields: number, work: () => Promise<unknown>) => {
    await work().then(
      () => {
        written += fields
      },
      (error: Error) => refused.push(`${what}: ${error.message}`),
    )
  }
  await each(
    texts.map((_, place) => place),
    async place => {
      const t = (offset: number, most?: number) => textAt(place + offset, most)
      const order = {
        ...{ order_no: `T-${place}`, external_id: t(0, 100), currency: 'DKK', attributes: { [t(1, 40)]: t(2, 200) } },
        customer: { name: t(3, 120), phone: t(4, 40), vat_no: t(5, 40) },
        ship_to: {
          ...{ name: t(0, 120), attention: t(6, 120), company: t(7, 120), address1: t(8, 200), address2: t(9, 200), city: t(10, 100) },
          ...{ postcode: t(11, 20), region: t(12, 100), country: 'DK', phone: t(13, 40), instruction: t(14, 500), door_code: t(15, 40) },
        },
        bill_to: { name: t(16, 120), company: t(17, 120), address1: t(18, 200), city: t(19, 100), region: t(20, 100) },
        shipping: { title: t(21, 200), code: t(22, 100) },
        lines: [
          {
            ...{ sku: t(23, 64), barcode: t(24, 256), name: t(25, 300), variant: t(26, 200), qty: '1', bin: t(27, 40) },
            ...{ customs_text: t(28, 300), custom: { [t(29, 40)]: t(30, 200) } },
          },
        ],
        ...{ notes: [{ text: t(31) }], tags: [t(32, 60)] },
      }
      await tried('order', 33, async () => {
        const answer = await admin.send(shopApi.sendOrders, { body: order }, { headers: { authorization: key } })
        const wrong = answer.orders.filter(one => one.result !== 'created')
        if (wrong.length > 0) throw new Error(JSON.stringify(wrong).slice(0, 300))
      })
      await tried('product', 6, () =>
        admin.send(
          products.create,
          {
            body: {
              ...{ sku: within(`P${place} ${t(0)}`, 64), name: t(0, 300), variant: t(1, 200), bin: t(2, 40), customs_text: t(3, 300) },
              ...{ weight_g: 100, length_mm: null, width_mm: null, height_mm: null, hs_code: null, origin: null },
              ...{ serial_required: false, no_barcode: false, barcodes: [{ barcode: within(`P${place} ${t(4)}`, 256), quantity: 1 }] },
            },
          },
          by(),
        ),
      )
      await tried('customer', 1, () =>
        admin.send(
          customers.create,
          { body: { name: t(0, 120), lookups: [{ check_type: 'email', check_value: `x${place}@example.test` }] } },
          by(),
        ),
      )
      if (place < 45) {
        await tried('address', 6, () =>
          admin.send(
            addressBook.create,
            {
              body: {
                ...{
                  kind: 'recipient',
                  title: t(0, 60),
                  name: t(1, 120),
                  company: t(2, 120),
                  address1: t(3, 200),
                  city: t(4, 100),
                  country: 'DK',
                  postcode: '2100',
                },
                ...{ instruction: t(5, 500), client_id: randomUUID() },
              } as never,
            },
            by(),
          ),
        )
        await tried('tag', 1, () => admin.send(tags.create, { body: { name: t(0, 40), color: 'c1' } }, by()))
        await tried('group', 1, () => admin.send(groups.create, { name: t(0, 60) }, by()))
        await tried('announcement', 2, () =>
          admin.send(
            announcements.create,
            {
              body: {
                ...{ mode: 'info', from_at: '2026-01-01T00:00:00Z', publish: place < 3 },
                texts: { en_GB: { title: t(0, 120), body: t(1) }, da_DK: { title: t(0, 120), body: t(1) } },
              } as never,
            },
            by(),
          ),
        )
        await tried('view', 1, () =>
          admin.send(savedViews.save, { screen: 'orders', body: { name: t(0, 60), query: {}, shared: true } }, by()),
        )
      }
      if (place < 20)
        await tried('box', 2, () =>
          admin.send(
            crateTypes.create,
            {
              body: {
                ...{ name: t(0, 60), code: `XSS-${place}`, barcode: t(1, 60), inner_mm: [390, 290, 190], outer_mm: [400, 300, 200] },
                ...{ tare_g: 210, max_g: 20_000, cost: 340, currency: 'DKK' },
              },
            },
            by(),
          ),
        )
    },
  )
  // One order with every text as a comment, and where a text comes back it is the same.
  expect([...new Set(refused)].slice(0, 12)).toEqual([])
  const id = await orderId()
  for (const text of texts)
    await tried('comment', 1, () => admin.send(orderComments.add, { id, type: 'info', body: { comment: text } }, by()))
  const listed = await admin.send(orderComments.list, { ids: String(id) }, by())
  const back = new Set(listed.map(one => one.comment))
  expect(texts.filter(text => !back.has(text))).toEqual([])
  return { written, refused }
}

/** Names of columns that hold words of people; codes, keys and states keep their values. */
const forPeople =
  /^(name|title|note|notes|text|comment|description|decision|explanation|reason_text|label_text|company_name|person|actor|made_by|decided_by|changed_by|by_name|user_name|station|city|address1|address2|company|attention|region|instruction|subject|preheader|message|words|caption|variant|bin|customs_text|footer|greeting|rule_name|asked_by_name|product_name|customer_name|contact|phone)$/

/** Writes them into the texts for people that no call above reaches. What a table refuses stays. */
async function writeIntoTables(): Promise<number> {
  const { rows } = await root.query<{ table: string; column: string; longest: number | null }>(`
    select c.relname "table", a.attname "column",
      (select min((regexp_match(pg_get_constraintdef(k.oid), 'length\\([^)]*\\) <?= (\\d+)'))[1]::int) from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) longest
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and t.typname = 'text'
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'operator_id')`)
  let columns = 0
  for (const { table, column, longest } of rows) {
    if (!forPeople.test(column) || table === 'companies' || table === 'users') continue
    // What already holds one of the texts was written by a call, as long as the field allows.
    const text = `left(($1::text[])[1 + (abs(hashtext(t.ctid::text)) % ${texts.length})], ${longest ?? 120})`
    await root
      .query(
        `update ${table} t set "${column}" = ${text} where "${column}" is not null and "${column}" !~ '^X[0-9]{4}X' and ctid in (select ctid from ${table} limit 2000)`,
        [texts],
      )
      .then(
        ({ rowCount }) => {
          if ((rowCount ?? 0) > 0) columns++
        },
        () => undefined,
      )
  }
  return columns
}

/** What a page notes: what ran, what became an element, what the policy forbade. */
const watch = `
  window.ranTexts = []; window.forbidden = [];
  window.ran = number => { window.ranTexts.push(number) };
  document.addEventListener('securitypolicyviolation', event => window.forbidden.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
`

it('shows every text as it was written, and runs none', async () => {
  const byCalls = await writeByCalls()
  expect(byCalls.refused.slice(0, 5)).toEqual([])
  const columns = await writeIntoTables()
  const id = await orderId()

  const remembers = { 'user-token': token, user }
  const page = await services.open({ company: demo }, '/settings/me', {
    remembers,
    lasting: true,
    station: textAt(3, 20),
    language: 'en_GB',
  })
  const wrong: string[] = []
  page.on('dialog', dialog => {
    wrong.push(`${page.url()}: a dialog says ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => {
    if (new URL(request.url()).hostname.endsWith('ran.example')) wrong.push(`${page.url()} asks for ${request.url()}`)
  })
  await page.context().addInitScript(watch)

  const seen = new Set<number>()
  const whole = new Set<number>()
  let opened = 0
  const look = async (path: string) => {
    opened++
    await services.revisit(page, path)
    await settled(page)
    const state = await page.evaluate(`({
      ran: window.ranTexts, forbidden: window.forbidden, made: document.querySelectorAll('[data-ran], script:not([src]), base').length,
      text: document.body.innerText + '\\n' + [...document.querySelectorAll('input, textarea')].map(one => one.value).join('\\n'),
    })`)
    const { ran, forbidden, made, text } = state as { ran: number[] | undefined; forbidden: string[]; made: number; text: string }
    if (!ran) return void wrong.push(`${path}: the page does not watch`)
    if (ran.length > 0) wrong.push(`${path}: ${ran.join(', ')} ran`)
    if (forbidden.length > 0) wrong.push(`${path}: the policy forbade ${forbidden.slice(0, 3).join('; ')}`)
    if (made > 0) wrong.push(`${path}: ${made} elements were made of texts`)
    const shown = text.replace(/\s+/g, ' ')
    for (const [, digits] of shown.matchAll(/X(\d{4})X/g)) seen.add(Number(digits))
    for (const number of seen)
      if (!whole.has(number) && shown.includes((texts[number] ?? markOf(number)).replace(/\s+/g, ' '))) whole.add(number)
  }

  for (const { path, access } of screens) if (!path.includes('{') && access !== 'anyone') await look(path)
  for (const path of ['/stats', `/parcels/orders?id=${id}`, `/lists/pick?id=1`]) await look(path)
  // Every text, page by page.
  for (let at = 1; at <= Math.ceil(amount / 50) + 1; at++) {
    await look(`/parcels/products?page=${at}`)
    await look(`/parcels/orders?page=${at}`)
    await look(`/parcels/customers?page=${at}`)
  }
  const complaints = services.faults()
  // The watch is awake: an element of that kind, made by hand, is noticed, and the policy forbids its script.
  const [made, forbidden] = (await page.evaluate(`(() => {
    const image = document.createElement('img'); image.setAttribute('data-ran', ''); image.src = '/no-such-picture'
    document.body.append(image)
    try { image.setAttribute('onerror', 'ran(0)') } catch {}
    return new Promise(done => setTimeout(() => done([document.querySelectorAll('[data-ran]').length, window.forbidden.length + window.ranTexts.length]), 1500))
  })()`)) as [number, number]
  expect([made, forbidden > 0]).toEqual([1, true])
  services.faults()
  console.log(
    `${texts.length} texts, ${byCalls.written.toLocaleString('en')} fields by calls, ${columns} columns beside them; ${opened} screens: ${seen.size} texts seen, ${whole.size} whole, ${wrong.length} wrong`,
  )
  expect(wrong).toEqual([])
  expect(complaints).toEqual([])
  expect(seen.size).toBe(texts.length)
  expect(whole.size).toBeGreaterThan(texts.length * 0.9)
}, 3_600_000)

/** The screen has its data: no bar moves, and the words stay the same for a moment. */
async function settled(page: Page): Promise<void> {
  let before = ''
  for (let i = 0; i < 20; i++) {
    await page.waitForTimeout(250)
    const now = String(
      await page.evaluate(
        'document.body.innerText.length + " " + document.querySelectorAll(".mantine-Loader-root, [aria-busy=true]").length',
      ),
    )
    if (now === before && now.endsWith(' 0')) return
    before = now
  }
}
