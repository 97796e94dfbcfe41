/** From a shop's orders to three wagons, three phones at once, packing and the driver; at the end all quantities match. */
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { collectLists, collectListsOwn } from '#features/warehouse/collect-lists/collect-lists.contract.ts'
import { paperless } from '#features/warehouse/paperless/paperless.contract.ts'
import { pickLists } from '#features/warehouse/pick-lists/pick-lists.contract.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import type { Db } from '#platform/database/database.ts'
import { buildMap, scopeOfCompany } from '../../src/app/demo/builders.ts'
import { demoFloor } from '../../src/app/demo/floor.ts'
import { sender } from '../sender.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { scan } from './scan.ts'
import { idle } from './station.ts'

const orderCount = 36
const products = Array.from({ length: 18 }, (_, i) => ({
  sku: `P${i + 1}`,
  name: `Product ${i + 1}`,
  barcode: `57000000${String(10_000 + i)}`,
  bin: `${'ABCDE'[i % 5]}-0${1 + (i % 4)}-${1 + (i % 2)}`,
}))
const barcodeOf = new Map(products.map(({ name, barcode }) => [name, barcode]))

let services: JourneyApp
let operator: TestOperator
let lead: TestUser
let pickers: TestUser[]
let labelPrinter: number

const within = <T>(step: (db: Db) => Promise<T>): Promise<T> => services.services.database.transaction(scopeOfCompany(operator), step)

beforeAll(async () => {
  services = await openJourneyApp({}, { serviceWorker: true })
  operator = await services.operator({ settings: { sender, pack_without_pick_list: false } })
  lead = await operator.hire(['admin'], operator.main, 'Jonas Krogh')
  pickers = await Promise.all(['Sofie', 'Emil', 'Noor'].map(name => operator.hire(['pick'], operator.main, name)))
  labelPrinter = await services.filePrinter(lead)
  await within(async db => {
    for (const { barcode, ...product } of products) {
      const { id } = await db
        .insertInto('products')
        .values({ ...product, weight_g: 200, length_mm: 80, width_mm: 60, height_mm: 40 })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('product_barcodes').values({ product_id: id, barcode }).execute()
    }
    await db
      .insertInto('shipping_methods')
      .values({ agent_code: 'own', shipping_method: 'van', name: 'Own delivery', shop_codes: ['*'], documents: ['label'] })
      .execute()
  })
  await buildMap(services.services, scopeOfCompany(operator), { title: 'Hall', drawing: demoFloor() })
  await lead.send(paperless.download, { body: { count: 40 } })
})
afterAll(() => services?.close())

/** As a shop's server sends them. */
async function sendOrders(): Promise<number[]> {
  const { key } = await lead.send(cmsKeys.create, { body: { name: 'Shop' } })
  const list = Array.from({ length: orderCount }, (_, i) => ({
    external_id: `${1_000 + i}`,
    order_no: `${1_000 + i}`,
    currency: 'DKK',
    payment_status: 'paid',
    ship_to: {
      name: `Customer ${i}`,
      address1: 'Prøvevej 5',
      postcode: '5000',
      city: 'Odense C',
      country: 'DK',
      phone: '+4520123456',
      email: 'c@example.test',
    },
    lines: [0, 7].map((step, line) => {
      const { sku, name } = products[(i * 5 + step) % products.length]!
      return {
        external_id: `${line}`,
        sku,
        name,
        qty: `${1 + ((i + line) % 2)}`,
        unit_price_excl_vat: '80.00',
        vat_percent: '25',
        weight_g: 200,
      }
    }),
  }))
  const answer = await services.app.inject({
    method: 'POST',
    url: `/api/${operator.main.code}/cms/orders`,
    headers: { host: `${operator.main.code}.localhost`, authorization: key },
    payload: { orders: list },
  })
  expect(answer.statusCode).toBe(200)
  const { rows } = await lead.send(orders.search, { limit: 100, sort: 'oldest' })
  expect(rows.map(row => row.phase)).toEqual(Array(orderCount).fill('ready'))
  return rows.map(row => row.id)
}

const phone = (picker: TestUser) =>
  services.open(picker, '/pick', { station: null, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
/** Where the phone stands: which step of which line, or that everything is picked. */
async function standing(page: Page): Promise<{ step: string; name: string; tote: string; news: string; done: boolean }> {
  return page.evaluate(() => ({
    step: document.querySelector('[data-step]')?.getAttribute('data-step') ?? '',
    name: document.querySelector('[data-step] h3 span')?.textContent ?? '',
    tote: document.querySelector('[data-step]')?.textContent?.match(/PP\d+/g)?.at(-1) ?? '',
    news: document.querySelector('[role=alertdialog]')?.getAttribute('aria-label') ?? '',
    done: document.body.textContent?.includes('Wagon picked') ?? false,
  }))
}

/** Walks with the wagon by scans alone until it is done or `most` lines are; reads what is new on the way. */
async function walk(page: Page, most = Number.POSITIVE_INFINITY): Promise<void> {
  let lines = 0
  const read: string[] = []
  for (const until = Date.now() + 240_000; Date.now() < until; ) {
    const now = await standing(page)
    if (now.news) {
      // A scan that was under way when its order was cancelled may be a wrong one.
      read.push(now.news)
      // It ends by itself when that line is gone.
      const answer = button(page, now.news === 'Read this first' ? 'Understood' : 'Got it')
      await answer.click({ timeout: 2_000 }).catch(() => undefined)
    } else if (now.done) return
    else if (now.step === 'bin' || now.step === 'product') {
      if (lines >= most) return
      await scan(page, barcodeOf.get(now.name) ?? `no barcode of ${now.name}`)
    } else if (now.step === 'slot') {
      await scan(page, now.tote)
      lines++
    }
    // What the scan did shows at once; a sheet or a page that is still coming takes a moment.
    await page.waitForTimeout(60)
  }
  throw new Error(`The wagon does not end: ${JSON.stringify(await standing(page))} ${[...new Set(read)].join(' / ')}`)
}

describe('thirty-six orders', () => {
  let ids: number[]
  let list: number

  it('become three wagons of twelve, by the shortest walks that were found', async () => {
    ids = await sendOrders()
    const preview = await lead.send(pickLists.preview, { body: { order_ids: ids } })
    expect(preview).toMatchObject({ orders: orderCount, lines: 2 * orderCount, left_out_count: 0 })
    expect(preview.metres).toBeGreaterThan(0)
    const page = await services.open(lead, '/lists/pick')
    await page.getByRole('heading', { name: 'Pick lists' }).first().waitFor()
    const made = await lead.send(pickLists.create, { body: { order_ids: ids } })
    list = made.id
    expect(made).toMatchObject({ wagon_count: 3, order_count: orderCount })
    await page.getByText(`${list}`).first().waitFor()
    // The walks are shortened before anybody goes.
    await expect.poll(async () => (await lead.send(pickLists.get, { id: list })).metres ?? 0).toBeLessThanOrEqual(preview.metres ?? 0)
    expect((await lead.send(paperless.mapping, { state: ['reserved'], limit: 100 })).rows).toHaveLength(orderCount)
  })

  it('are picked by three phones at once, with a short, a skip, a full tote, a dead spot and a cancelled order', async () => {
    services.expectOutages()
    const phones = await Promise.all(pickers.map(phone))
    const [first, second, third] = phones as [Page, Page, Page]
    // Each takes the first free one of the list, once the list shows what the one before took.
    for (const [taken, page] of phones.entries()) {
      await expect.poll(() => button(page, 'Start wagon').count()).toBe(phones.length - taken)
      await button(page, 'Start wagon').first().click()
      await button(page, /^Walk to/).click()
      await page.locator('[data-step]').waitFor()
    }
    const cancelled = async () => {
      const { wagons } = await lead.send(pickLists.get, { id: list })
      const slot = wagons.find(wagon => wagon.user_name === 'Noor')?.slots.find(one => one.lines_done === 0)
      if (!slot) throw new Error('Noor has begun every order')
      await lead.send(orders.setState, { id: slot.order_id, state: 'cancelled' })
      return slot.order_id
    }

    const short = async (page: Page) => {
      await walk(page, 2)
      await button(page, 'Problem').click()
      await button(page, 'Items are missing').click()
      await page.getByRole('dialog', { name: /find|missing/ }).waitFor()
      if (await page.getByRole('dialog', { name: 'How many did you find?' }).isVisible()) await button(page, '0').click()
      await button(page, 'Not there').click()
      await page.getByRole('alertdialog').waitFor()
      if (await button(page, 'No, I look there').isVisible()) await button(page, 'No, I look there').click()
      await button(page, 'No photo').click()
      await walk(page)
    }
    const skipAndFull = async (page: Page) => {
      const before = (await standing(page)).name
      await button(page, 'Problem').click()
      await button(page, /^Skip/).click()
      await page.locator('[role=dialog]').waitFor({ state: 'hidden' })
      expect((await page.locator('[data-step] h3 span').textContent()) !== before || before !== '').toBe(true)
      await walk(page, 3)
      await button(page, 'Problem').click()
      await button(page, 'The tote is full').click()
      await page.getByRole('button', { name: /^Slot/ }).first().click()
      await scan(page, 'PP40')
      await page.locator('[role=dialog]').waitFor({ state: 'hidden' })
      await walk(page)
    }
    const deadSpot = async (page: Page) => {
      await page.context().setOffline(true)
      await walk(page, 3)
      await page
        .getByText(/not sent/)
        .first()
        .waitFor()
      await cancelled()
      await page.context().setOffline(false)
      await page
        .getByText(/not sent/)
        .first()
        .waitFor({ state: 'hidden' })
      await walk(page)
    }
    await Promise.all([short(first), skipAndFull(second), deadSpot(third)])
    await expect
      .poll(async () => (await lead.send(pickLists.get, { id: list })).wagons.map(wagon => wagon.state))
      .toEqual(['picked', 'picked', 'picked'])
    expect(await lead.send(pickTasks.count, {})).toMatchObject({ shorts: 1, counts: 1 })
  })

  it('leave nothing open: the short is decided, and what was picked for the cancelled order is put back', async () => {
    const { rows: shorts } = await lead.send(pickTasks.shorts, {})
    expect(shorts).toHaveLength(1)
    await lead.send(pickTasks.decide, { id: shorts[0]!.id, body: { decision: 'cancel_line', note: '' } })
    const { rows: counts } = await lead.send(pickTasks.counts, {})
    for (const count of counts) await lead.send(pickTasks.counted, { id: count.id, body: { counted: 0, note: '' } })
    const { rows: backs } = await lead.send(pickTasks.putBacks, {})
    for (const back of backs) await lead.send(pickTasks.putBack, { id: back.id, body: { quantity: back.quantity - back.done } })
    expect(await lead.send(pickTasks.count, {})).toEqual({ shorts: 0, counts: 0, put_backs: 0 })
  })

  it('are packed by their totes, one of them by scanner at the packing station', async () => {
    const page = await services.open(lead, '/scan', { station: 'Bench 1', labelPrinter })
    await idle(page)
    const wagons = (await lead.send(pickLists.get, { id: list })).wagons
    const totes = wagons.flatMap(wagon =>
      wagon.slots.filter(slot => slot.live).map(slot => ({ order_id: slot.order_id, digits: slot.codes[0]?.digits ?? '' })),
    )
    expect(totes).toHaveLength(orderCount - 1)
    const [byHand, ...others] = totes
    const codes = async (order_id: number) => {
      const { lines } = await lead.send(packing.get, { id: order_id })
      return lines.flatMap(line => Array<string>(line.qty - line.packed_qty).fill(barcodeOf.get(line.name) ?? ''))
    }
    await scan(page, `PP${byHand!.digits}`)
    await page
      .getByText(/0 of \d+ packed/)
      .first()
      .waitFor()
    for (const code of await codes(byHand!.order_id)) await scan(page, code)
    await expect.poll(async () => (await lead.send(orders.get, { id: byHand!.order_id })).phase).toBe('packed')

    for (const { digits } of others) {
      const { order_id } = (await lead.send(packing.find, { code: `PP${digits}` })).orders[0]!
      await lead.send(packing.start, { id: order_id, body: { station: 'Bench 2' } })
      for (const code of await codes(order_id))
        await lead.send(packing.scan, { id: order_id, body: { scan_id: randomUUID(), code } }, { station: 'Bench 2' })
      const closed = await lead.send(packing.close, { id: order_id, body: { label_printer_id: labelPrinter } }, { station: 'Bench 2' })
      expect(closed.outcome).toBe('labelled')
    }
  })

  it('go to the driver by a collect list that is closed with every parcel scanned', async () => {
    const { cages } = await lead.send(collectLists.count, { x: 'own' })
    const cage = cages.find(one => one.count > 0)
    const made = await lead.send(collectLists.create, { body: { agent_code: 'own', cage: cage?.cage ?? null } })
    const { rows } = await within(async db => ({
      rows: await db.selectFrom('shipments').select(['id', 'barcode', 'tracking_no']).where('state', '=', 'booked').execute(),
    }))
    expect(rows).toHaveLength(orderCount - 1)
    for (const parcel of rows) {
      const answer = await lead.send(collectListsOwn.scan, {
        id: made.id,
        body: { scan_id: randomUUID(), code: parcel.barcode ?? parcel.tracking_no ?? '' },
      })
      expect(answer.result).toBe('ok')
    }
    await lead.send(collectListsOwn.close, { id: made.id, body: { reasons: [] } })
    expect(await lead.send(collectListsOwn.handOver, { id: made.id, body: { driver: 'Per' } })).toMatchObject({ state: 'handed_over' })
  })

  it('leave every tote free, the list completed and the books balanced', async () => {
    expect(await lead.send(pickLists.get, { id: list })).toMatchObject({ state: 'completed', put_backs_open: 0 })
    const codes = await lead.send(paperless.mapping, { limit: 100 })
    expect(new Set(codes.rows.map(code => code.state))).toEqual(new Set(['free']))
    const facts = await within(async db => ({
      phases: await db.selectFrom('orders').select('phase').execute(),
      lines: await db
        .selectFrom('order_lines')
        .select(['id', 'qty', 'cancelled_qty', 'picked_qty', 'packed_qty', 'shipped_qty', 'order_id'])
        .where('type', '=', 'item')
        .execute(),
      picked: await db.selectFrom('pick_lines').select(['order_line_id', 'picked', 'state']).execute(),
      backs: await db.selectFrom('put_backs').select(['order_line_id', 'quantity', 'done']).execute(),
      cancelled: await db.selectFrom('orders').select('id').where('cancelled_at', 'is not', null).execute(),
    }))
    expect(facts.phases.filter(one => one.phase === 'handed_over')).toHaveLength(orderCount - 1)
    expect(facts.phases.filter(one => one.phase === 'cancelled')).toHaveLength(1)
    const gone = new Set(facts.cancelled.map(order => order.id))
    for (const line of facts.lines) {
      const picked = facts.picked.filter(one => one.order_line_id === line.id).reduce((sum, one) => sum + one.picked, 0)
      const back = facts.backs.filter(one => one.order_line_id === line.id).reduce((sum, one) => sum + one.done, 0)
      const expected = gone.has(line.order_id) ? 0 : line.qty - line.cancelled_qty
      // Everything that was taken out of a bin has gone into a parcel or back into the bin.
      expect([picked - back, line.packed_qty], `line ${line.id}`).toEqual([expected, expected])
    }
    expect(facts.backs.every(back => back.done === back.quantity)).toBe(true)
  })
})
