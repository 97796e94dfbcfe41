/** Which orders lists mark and the filter *Can be combined* finds, whatever changed them. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { shopApi } from '#features/deliveries/shop-api/shop-api.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { copyOrder, type OrderPlan, placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { orderEdits } from '../edits/order-edits.contract.ts'
import { combinations } from './combinations.contract.ts'
import { comparedOrders } from './combinations.queries.ts'
import { folded, refusalOfPair } from './combinations.rules.ts'

let testApp: TestApp
let root: pg.Client
let operator: TestOperator
let office: TestUser
let lead: TestUser

beforeAll(async () => {
  testApp = await openTestApp()
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  office = await operator.hire(['parcels'])
  lead = await operator.hire(['scan', 'scan_admin', 'parcels_admin', 'settings_admin'])
})

const scope = () => scopeOfCompany(operator)
const place = (plan: OrderPlan = {}) =>
  placeOrder(testApp.services.database, scope(), { agent_code: 'own', shipping_method: 'van', ...plan })
/** Changes the row as a statement does that does not know the key. */
const set = (id: number, change: object) =>
  testApp.services.database.transaction(scope(), db => db.updateTable('orders').set(change).where('id', '=', id).execute())
const versionOf = async (id: number) => (await office.send(orders.get, { id })).version

/** The orders that a page marks, which are those that the filter finds and counts. */
async function combinable(): Promise<number[]> {
  const marked = (await office.send(orders.search, { limit: 200 })).rows.filter(row => row.combinable).map(row => row.id)
  const { rows, total } = await office.send(orders.search, { combinable: true, limit: 200 })
  expect({ ids: rows.map(row => row.id), total }).toEqual({ ids: marked, total: marked.length })
  return marked.toSorted((a, b) => a - b)
}

describe('two waiting orders to one recipient are marked', () => {
  let one: number
  let other: number
  beforeEach(async () => {
    one = (await place()).id
    other = (await place()).id
    expect(await combinable()).toEqual([one, other])
  })

  const noMore = async () => expect(await combinable()).toEqual([])
  const again = async () => expect(await combinable()).toEqual([one, other])

  it('until the address of one changes', async () => {
    await office.send(orders.setAddress, { order_id: one, body: { address1: 'Vestergade 1' } })
    await noMore()
    await office.send(orders.setAddress, { order_id: one, body: { address1: 'SKIBHUSVEJ 52.' } })
    await again()
    await office.send(orders.setAddress, { order_id: one, body: { instruction: 'Behind the shed' } })
    await noMore()
  })

  it('until one is held', async () => {
    await lead.send(orderLocks.hold, { id: one, body: { reason: 'customer', note: '' } })
    await noMore()
    const [lock] = (await office.send(orders.get, { id: one })).locks
    await lead.send(orderLocks.releaseHold, { id: one, lock_id: lock!.lock_id })
    await again()
  })

  it('until one gets another shipping method', async () => {
    await set(other, { shipping_method: 'bike' })
    await noMore()
    await set(one, { shipping_method: 'bike' })
    await again()
    await set(one, { agent_code: null })
    await noMore()
  })

  it('until one is cancelled', async () => {
    await lead.send(orders.setState, { id: other, state: 'cancelled' })
    await noMore()
  })

  it('until they are combined', async () => {
    const body = { orders: await Promise.all([one, other].map(async id => ({ id, version: await versionOf(id) }))) }
    await office.send(combinations.combine, { body })
    const third = (await place()).id
    await noMore()
    await office.send(combinations.undo, { id: one })
    expect(await combinable()).toEqual([one, other, third])
  })

  it('until one is split, and once its parts are one order again', async () => {
    const line = (await office.send(orders.get, { id: one })).lines[0]!
    const part = await office.send(orderEdits.split, {
      id: one,
      body: { version: await versionOf(one), client_id: randomUUID(), lines: [{ order_item_id: line.order_item_id, qty: 1 }] },
    })
    await noMore()
    await office.send(orderEdits.undoSplit, { id: part.id })
    await again()
  })

  it('until one is being packed, and while its work has begun', async () => {
    await lead.send(packing.start, { id: one, body: { station: 'Bench 1' } })
    await noMore()
    await lead.send(packing.abort, { id: one, body: { empty: true } })
    await set(one, { work_state: 'ready', phase: 'ready' })
    await again()
    await root.query('update order_lines set picked_qty = 1 where order_id = $1', [one])
    await noMore()
  })

  it('until one has a label', async () => {
    await root.query(
      `insert into shipments (operator_id, company_id, order_id, parcel_no, agent_code, shipping_method, state, idempotency_key, reference)
       select operator_id, company_id, id, 1, 'own', 'van', 'booked', gen_random_uuid()::text, order_no from orders where id = $1`,
      [one],
    )
    await noMore()
    await root.query("update shipments set state = 'cancelled' where order_id = $1", [one])
    await again()
  })
})

it('what a shop sends anew is compared anew', async () => {
  const { key } = await lead.send(cmsKeys.create, { body: { name: 'Shop' } })
  const order = (external_id: string, address1: string) => ({
    external_id,
    order_no: external_id,
    currency: 'DKK',
    payment_status: 'paid',
    ship_to: { name: 'Lene Prøve', address1, postcode: '5000', city: 'Odense C', country: 'DK', email: 'lene@example.test' },
    lines: [{ external_id: '1', sku: external_id, name: 'Thing', qty: '1' }],
  })
  const send = async (...sent: object[]) =>
    (await testApp.visitor(operator.main).send(shopApi.sendOrders, { body: { orders: sent } }, { headers: { authorization: key } })).orders
  const ids = (await send(order('S1', 'Prøvevej 5'), order('S2', 'Prøvevej 5'))).map(one => one.order_id!)
  for (const id of ids) await set(id, { agent_code: 'own', shipping_method: 'van', method_why: { source: 'person', reasons: [] } })
  expect(await combinable()).toEqual(ids)
  await send(order('S2', 'Prøvevej 7'))
  expect(await combinable()).toEqual([])
  await send(order('S1', 'prøvevej 7'))
  expect(await combinable()).toEqual(ids)
})

it('the mark says what the rules say, whatever differs', async () => {
  const { id } = await place({ work_state: 'new' })
  const { ship_to } = await office.send(orders.get, { id })
  const to = (change: object) => ({ ship_to: { ...ship_to, ...change } })
  const changes: object[] = [
    { pinned_at: null },
    to({ name: 'Ole Hansen' }),
    to({ name: 'LÉNE  Hansen' }),
    to({ company: 'Keramik ApS' }),
    to({ address1: 'skibhusvej', address2: '52' }),
    to({ address1: 'Skibhusvej 54' }),
    to({ postcode: '5240' }),
    to({ city: 'Odense N' }),
    to({ country: 'SE' }),
    to({ instruction: 'Behind the shed' }),
    to({ door_code: '1234' }),
    to({ attention: 'Reception' }),
    { agent_code: 'dao' },
    { shipping_method: 'business' },
    { service_point: { id: '96042' } },
    { service_point: { name: 'Kiosk' } },
    { delivery: { wished_date: '2026-12-01' } },
    { delivery: { not_before: '2026-12-01' } },
    { currency: 'SEK' },
    { payment_state: 'authorized' },
    { customs: { incoterm: 'DDP' } },
    { customs: { incoterm: null, reason: '' } },
    { customer_email: 'ole@example.test' },
    { customer_email: null },
    { customer_phone: '12 34 56 78' },
    { customer_phone: '+4587654321' },
  ]
  for (const change of changes) {
    const ids = [(await place()).id, (await place()).id]
    await set(ids[1]!, change)
    const [one, other] = await testApp.services.database.readOnly(scope(), db => comparedOrders(db, ids))
    expect(await combinable(), JSON.stringify(change)).toEqual(refusalOfPair(one!, other!) === null ? ids : [])
    for (const id of ids) await set(id, { work_state: 'closed', phase: 'closed' })
  }
})

it('orders of one recipient with many contacts are marked where two of them fit', async () => {
  const contacts = (n: number) => ({
    customer_email: [null, 'a@example.test', 'B@example.test', ''][n % 4],
    customer_phone: [null, '+4511111111', '22 22 22 22'][Math.floor(n / 4) % 3],
  })
  const groups = [
    [1, 2],
    [0, 5],
    [5, 6, 9],
    [5, 10],
    [4, 1],
    [4, 2, 8],
    [1, 1],
    [5, 5, 10],
    [3, 9],
    [7, 11],
    [8, 5],
    [6, 9, 5, 10],
  ]
  const ids: number[] = []
  for (const [at, group] of groups.entries())
    for (const n of group) {
      const { id } = await place({ ship_to: { address1: `Vestergade ${at}` } })
      await set(id, contacts(n))
      ids.push(id)
    }
  const compared = await testApp.services.database.readOnly(scope(), db => comparedOrders(db, ids))
  const fitting = compared.filter(one => compared.some(other => other !== one && refusalOfPair(one, other) === null))
  expect(await combinable()).toEqual(fitting.map(order => order.id))
})

it('texts in Latin, Greek and Cyrillic letters are the same to the database and the rules', async () => {
  // The one sign that only the database keeps.
  const points = [
    [0x01, 0x3f5],
    [0x3f7, 0x52f],
    [0x1e00, 0x206f],
    [0x3000, 0x30ff],
    [0xff00, 0xffef],
    [0x1f300, 0x1f64f],
  ].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n)))
  const texts = [...points.filter(point => !/\p{Cn}|[\u3037\u303d-\u303f]/u.test(point)), 'Ægir Øst-Å', 'ΟΔΟΣ 5', 'Straße 1½']
  const { rows } = await root.query<{ text: string; folded: string }>(
    'select text, combine_text(text) as folded from unnest($1::text[]) text',
    [texts],
  )
  expect(rows.filter(row => row.folded !== folded(row.text)).map(row => row.text)).toEqual([])
})

it('more than 2,000 are found, counted and paged', async () => {
  const { id } = await place()
  await testApp.services.database.transaction(scope(), db => copyOrder(db, id, 2_399))
  const alone = await place({ ship_to: { name: 'Ole Olsen' } })
  const last = await office.send(orders.search, { combinable: true, sort: 'oldest', page: 12, limit: 200 })
  expect(last).toMatchObject({ total: 2_400, total_is_more: false })
  expect(last.rows).toHaveLength(200)
  expect(last.rows.every(row => row.combinable)).toBe(true)
  const ids = async (filters: object) => {
    const { rows, total } = await office.send(orders.search, { limit: 200, page: 2, combinable: true, ...filters } as never)
    return { total, ids: rows.map(row => row.id) }
  }
  // Alone, the filter answers its own ids; with others, each order is looked up.
  for (const sort of ['newest', 'oldest'] as const) expect(await ids({ sort, country: ['DK'] })).toEqual(await ids({ sort }))
  expect(await ids({ sort: 'order_no' })).toMatchObject({ total: 2_400 })
  expect(await ids({ country: ['NO'] })).toEqual({ total: 0, ids: [] })
  // The copies have no words.
  expect(await ids({ query: 'lene', page: 1 })).toEqual({ total: 1, ids: [id] })
  expect(await ids({ query: 'olsen', page: 1 })).toEqual({ total: 0, ids: [] })
  expect(await ids({ company_id: operator.shops[0]?.id, page: 1 })).toEqual({ total: 0, ids: [] })
  const [newest, next] = (await office.send(orders.search, {})).rows
  expect(newest).toMatchObject({ id: alone.id, combinable: false })
  expect(next).toMatchObject({ combinable: true })
  // A page of the oldest looks at the newest that are alike, and at itself.
  expect((await office.send(orders.search, { sort: 'oldest' })).rows.every(row => row.combinable)).toBe(true)
})

it('an upgrade gives waiting orders their keys, in steps, and no others', async () => {
  const [one, other, held] = [await place(), await place(), await place()]
  await lead.send(orderLocks.hold, { id: held.id, body: { reason: 'customer', note: '' } })
  const keys = async () =>
    (
      await root.query<{ key: string | null }>("select encode(combine_key, 'hex') as key from orders where operator_id = $1 order by id", [
        operator.operator_id,
      ])
    ).rows
  const before = await keys()
  expect(before).toEqual([{ key: expect.any(String) }, { key: before[0]?.key }, { key: null }])
  await root.query('update orders set combine_key = null')
  expect(await combinable()).toEqual([])
  const step = await readFile(new URL('../../../../../migrations/0526_fill_combine_keys.sql', import.meta.url), 'utf8')
  while ((await root.query(step)).rows.length > 0);
  expect(await keys()).toEqual(before)
  expect(await combinable()).toEqual([one.id, other.id])
})
