/** Orders are found by whatever is known of them, moved only where they may go, and never shown to strangers. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { savedViews } from '#features/company/saved-views/saved-views.contract.ts'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import { orderLines } from '#features/orders/orders/lines/order-lines.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { releaseDue } from '#features/orders/orders/locks/order-locks.server.ts'
import { paperlessOrders } from '#features/warehouse/paperless/paperless.contract.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { type OrderPlan, type PlacedOrder, placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { closeFinal } from './close-final-orders.task.ts'
import { stopOf } from './holds.queries.ts'
import { restoreStatus } from './order-state.commands.ts'
import { orders } from './orders.contract.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let office: TestUser
let scope: TenantScope
let shopScope: TenantScope

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 2 })
  admin = await operator.hire(['admin'])
  office = await operator.hire(['parcels'])
  scope = scopeOfCompany(operator)
  shopScope = { ...scope, company_id: operator.shops[0]!.id }
})
afterAll(() => testApp.close())

const place = (plan: OrderPlan = {}, of: TenantScope = scope): Promise<PlacedOrder> => placeOrder(testApp.services.database, of, plan)
const search = async (query: string, by: TestUser = admin) => (await by.send(orders.search, { query })).rows.map(row => row.id)
const set = <T extends object>(table: 'orders' | 'order_lines', id: number, change: T) =>
  testApp.services.database.transaction(scope, db => db.updateTable(table).set(change).where('id', '=', id).execute())
const insert = (table: 'shipments' | 'order_serials' | 'paperless_codes' | 'packing_sessions' | 'packing_scans', row: object) =>
  testApp.services.database.transaction(scope, db =>
    db
      .insertInto(table)
      .values(row as never)
      .returning('id' as never)
      .executeTakeFirstOrThrow(),
  ) as Promise<{ id: number }>
const shipment = (order: PlacedOrder, row: object = {}) =>
  insert('shipments', {
    order_id: order.id,
    company_id: order.company_id,
    agent_code: 'own',
    shipping_method: 'parcel',
    state: 'booked',
    idempotency_key: `key ${order.id} ${Math.random()}`,
    reference: order.order_no,
    ...row,
  })

describe('a search finds an order by', () => {
  let order: PlacedOrder
  beforeAll(async () => {
    order = await place({
      order_no: '#W-77001',
      external_id: 'ext-9911',
      tags: ['gift wrap'],
      customer: { name: 'Åse Bjørnsdóttir', email: 'ase@butik.example' },
      ship_to: { name: 'Søren Ærø-Holm', phone: '+4522334455', email: 'soren.holm@firma.example', company: "O'Neill & Sønner" },
      lines: [{ sku: 'LAMP-X9', name: 'Lamp', qty: 1 }],
    })
    await place({ order_no: '77002', ship_to: { name: 'Somebody Else', phone: '+4599887766' } })
    const { id } = await insert('packing_sessions', {
      order_id: order.id,
      user_id: 1,
      user_name: 'x',
      station: 'S1',
      ended_at: new Date().toISOString(),
    })
    await shipment(order, { tracking_no: '00370730254000000017', barcode: '370730254000000017', session_id: id })
    await insert('order_serials', {
      order_id: order.id,
      order_line_id: order.lines[0],
      sku_key: 'LAMP-X9',
      serial: 'a1234567890',
      serial_key: 'a1234567890',
    })
    await insert('paperless_codes', { digits: '4711', order_id: order.id, order_company_id: order.company_id })
  })

  it.each([
    ['its number', '#W-77001'],
    ['its number without the sign', 'w-77001'],
    ['the beginning of its number', 'W-770'],
    ['the id of the shop', 'ext-9911'],
    ['a name with its own letters', 'Søren Ærø'],
    ['a name written long', 'soeren aeroe'],
    ['a name without its marks', 'Soren Aero'],
    ['the customer who is not the recipient', 'åse'],
    ['the same, written aase', 'Aase Bjornsdottir'],
    ['the beginning of the last word', 'søren ærø hol'],
    ['words in any order', 'holm søren'],
    ['a name with an apostrophe', "o'neill"],
    ['a phone number with its country', '+45 22 33 44 55'],
    ['a phone number as a neighbour dials it', '22334455'],
    ['a phone number with two zeros', '004522334455'],
    ['an e-mail address', 'Soren.Holm@firma.example'],
    ['a SKU in any case', 'lamp-x9'],
    ['a tag', 'gift'],
    ['a tracking number', '00370730254000000017'],
    ['the barcode of a parcel', '370730254000000017'],
    ['a scanned label with its identifier', ']C100370730254000000017'],
    ['a serial number', 'a1234567890'],
    ['a paperless code', 'PP4711'],
  ])('%s', async (_what, query) => {
    expect(await search(query)).toEqual([order.id])
  })

  it.each([
    ['its number', '#W-77001'],
    ['its words', 'søren butik'],
    ['its place in the list', ''],
  ])('%s, in one statement', async (_what, query) => {
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    expect(await search(query, office)).toContain(order.id)
    const texts = asked.mock.calls.map(([statement]) => String((statement as unknown as { text?: string }).text))
    asked.mockRestore()
    expect(texts.filter(text => /find_orders|"orders" as "o"|home_country/.test(text))).toHaveLength(1)
  })

  it('its order code', async () => {
    expect(await search(`${order.company_id}:${order.id}`)).toEqual([order.id])
    expect(await search(`${operator.shops[0]!.id}:${order.id}`)).toEqual([])
  })

  it.each(["'", '\\', "a' | 'b", '!!!', '&', ':*', '%', '5:', '"', '()', ' ', 'no one-knows-this'])(
    'nothing by %j, and does not fail',
    async query => {
      const found = await admin.send(orders.search, { query })
      if (query.trim() !== '') expect(found.rows).toEqual([])
    },
  )

  it('none of these when the order belongs to another company or operator', async () => {
    const other = await testApp.operator()
    const stranger = await other.hire(['admin'])
    const shop = await operator.hire(['admin'], operator.shops[0])
    for (const query of [
      '#W-77001',
      'søren',
      '22334455',
      'lamp-x9',
      '00370730254000000017',
      'a1234567890',
      'PP4711',
      `${order.company_id}:${order.id}`,
    ]) {
      expect(await search(query, stranger)).toEqual([])
      expect(await search(query, shop)).toEqual([])
    }
    for (const worker of [stranger, shop]) {
      await expect(worker.send(orders.get, { id: order.id })).rejects.toMatchObject({ status: 404 })
      await expect(worker.send(orders.timeline, { id: order.id })).rejects.toMatchObject({ status: 404 })
      await expect(worker.send(orders.setState, { id: order.id, state: 'cancelled' })).rejects.toMatchObject({ status: 404 })
      await expect(worker.send(orderComments.add, { id: order.id, type: 'info', body: { comment: 'x' } })).rejects.toMatchObject({
        status: 404,
      })
      await expect(worker.send(orderLocks.lock, { id: order.id, body: { note: 'x' } })).rejects.toMatchObject({ status: 404 })
      await expect(worker.send(orders.setAddress, { order_id: order.id, body: { city: 'x' } })).rejects.toMatchObject({ status: 404 })
      expect(await worker.send(orderComments.list, { ids: String(order.id) })).toEqual([])
    }
  })
})

describe('the list', () => {
  it("shows the warehouse every company's orders, newest first, and a shop its own", async () => {
    const mine = await place({}, scope)
    const theirs = await place({}, shopScope)
    const latest = await place({}, scope)
    const shop = await operator.hire(['parcels'], operator.shops[0])
    const all = await search('')
    expect(all.slice(0, 3)).toEqual([latest.id, theirs.id, mine.id])
    expect(await search('', shop)).toEqual([theirs.id])
    const { rows } = await admin.send(orders.search, { company_id: operator.shops[0]!.id })
    expect(rows.map(row => row.id)).toEqual([theirs.id])
  })

  it('pages without losing or repeating an order, over companies, and pinned ones keep their place', async () => {
    const pinned = await place()
    for (let i = 0; i < 7; i++) await place({}, i % 2 ? scope : shopScope)
    const before = (await admin.send(orders.search, { limit: 500 })).rows.map(row => row.id)
    await admin.send(orders.pin, { id: pinned.id })
    const whole = (await admin.send(orders.search, { limit: 500 })).rows.map(row => row.id)
    expect(whole).toEqual(before)
    expect(new Set(whole).size).toBe(whole.length)
    const paged: number[] = []
    for (let page = 1; paged.length < whole.length; page++)
      paged.push(...(await admin.send(orders.search, { page, limit: 4 })).rows.map(row => row.id))
    expect(paged).toEqual(whole)
    expect((await admin.send(orders.search, { pinned: true })).rows.map(row => row.id)).toEqual([pinned.id])
    await admin.send(orders.unpin, { id: pinned.id })
    expect((await admin.send(orders.search, { pinned: true })).rows).toEqual([])
  })

  it('of several phases is the whole list without the other orders, in each order and page by page', async () => {
    const warehouse = await testApp.operator({ shops: 1 })
    const lead = await warehouse.hire(['admin'])
    const inAll = scopeOfCompany(warehouse)
    const stand = ['ready', 'held', 'packed', 'new', 'packed', 'handed_over', 'held', 'ready', 'packed'] as const
    for (const [i, phase] of stand.entries()) {
      const { id } = await place({}, i % 2 ? inAll : { ...inAll, company_id: warehouse.shops[0]!.id })
      const ship_by = new Date(Date.UTC(2026, 10, 1 + (i % 4))).toISOString()
      await testApp.services.database.transaction(inAll, db =>
        db.updateTable('orders').set({ phase, ship_by }).where('id', '=', id).execute(),
      )
    }
    const received_from = '2000-01-01T00:00:00Z'
    for (const sort of ['newest', 'oldest', 'order_no', '-order_no', 'ship_by', '-ship_by'] as const) {
      const { rows: all } = await lead.send(orders.search, { sort, limit: 500 })
      for (const phase of [
        ['ready', 'held'],
        ['packed', 'ready', 'packed'],
        ['handed_over', 'new', 'packed', 'held'],
      ] as const) {
        const meant = all.filter(row => phase.some(one => one === row.phase)).map(row => row.id)
        const paged: number[] = []
        for (let page = 1; page === 1 || paged.length < meant.length; page++) {
          const { rows, total } = await lead.send(orders.search, { sort, phase: [...phase], received_from, page, limit: 3 })
          expect(total).toBe(meant.length)
          paged.push(...rows.map(row => row.id))
        }
        expect([sort, phase, paged]).toEqual([sort, phase, meant])
      }
    }
  })

  it('narrows by phase, country, method, tag, badge, deadline and what is mine', async () => {
    const now = new Date()
    const abroad = await place({
      ship_to: { country: 'NO', postcode: '0155', city: 'Oslo' },
      tags: ['rare'],
      agent_code: 'own',
      shipping_method: 'van',
    })
    const late = await place({ ship_by: new Date(now.getTime() - 3_600_000).toISOString() })
    const bad = await place({ ship_to: { city: '' } })
    const has = async (filters: object) => (await admin.send(orders.search, { limit: 500, ...filters } as never)).rows.map(row => row.id)
    expect(await has({ abroad: true })).toEqual([abroad.id])
    expect(await has({ view: 'abroad' })).toEqual([abroad.id])
    expect(await has({ country: ['NO'] })).toEqual([abroad.id])
    expect(await has({ tag: 'rare' })).toEqual([abroad.id])
    expect(await has({ agent_code: 'own', shipping_method: 'van' })).toEqual([abroad.id])
    expect(await has({ due: 'late' })).toEqual([late.id])
    expect(await has({ view: 'overdue' })).toEqual([late.id])
    // What has no date stands behind, whichever way the dates are sorted.
    expect((await has({ sort: 'ship_by' }))[0]).toBe(late.id)
    expect(await has({ sort: '-ship_by' })).toEqual(await has({ sort: 'ship_by' }))
    expect(await has({ sort: 'ship_by' })).toHaveLength((await has({})).length)
    expect(await has({ badge: 'error' })).toContain(bad.id)
    await admin.send(orderLocks.lock, { id: late.id, body: { note: 'mine now' } })
    expect(await has({ view: 'mine' })).toEqual([late.id])
    expect(await has({ phase: ['held'] })).toEqual([late.id])
    expect(await has({ phase: ['held', 'new'] })).toEqual([late.id])
    expect(await has({ query: 'lene', phase: ['held'] })).toEqual([late.id])
    expect(await has({ phase: ['closed'], open: true })).toEqual([])
    const row = (await admin.send(orders.search, { phase: ['held'] })).rows[0]
    expect(row?.stops).toMatchObject([{ kind: 'manual', note: 'mine now', actor: 'admin' }])
  })

  it('sorts by number and by age', async () => {
    const shop = await operator.hire(['parcels'], operator.shops[1])
    const of = { ...scope, company_id: operator.shops[1]!.id }
    const b = await place({ order_no: 'B2' }, of)
    const a = await place({ order_no: 'A1' }, of)
    const ids = async (sort: 'oldest' | 'order_no' | '-order_no' | 'newest') =>
      (await shop.send(orders.search, { sort })).rows.map(row => row.id)
    expect(await ids('oldest')).toEqual([b.id, a.id])
    expect(await ids('order_no')).toEqual([a.id, b.id])
    expect(await ids('-order_no')).toEqual([b.id, a.id])
    expect(await ids('newest')).toEqual([a.id, b.id])
    expect(await shop.send(orders.count, {})).toMatchObject({
      open: { count: 2, is_more: false },
      views: { to_pick: { count: 2 }, held: { count: 0 } },
    })
    expect(await shop.send(orders.countState, { x: 'ready' })).toEqual({ count: 2, is_more: false })
    await expect(shop.send(orders.countState, { x: 'lost' })).rejects.toMatchObject({ status: 400 })
    await place({ locale: 'da_DK' }, of)
    expect(await shop.send(orders.countLanguages, {})).toEqual([
      { locale: null, count: 2 },
      { locale: 'da_DK', count: 1 },
    ])
    expect(await shop.send(orders.countLanguage, { x: 'da_DK' })).toEqual({ count: 1, is_more: false })
  })
})

describe('an opened order', () => {
  it('shows everything a caller asks about', async () => {
    const order = await place()
    await admin.send(orderComments.add, { id: order.id, type: 'info', body: { comment: 'Rings at the back door' } })
    await admin.send(orderComments.add, { id: order.id, type: 'warning', body: { comment: '<b>Fragile</b>' } })
    await shipment(order, { tracking_no: 'T1' })
    const shown = await office.send(orders.get, { id: order.id })
    expect(shown).toMatchObject({
      order_code: `${order.company_id}:${order.id}`,
      phase: 'ready',
      version: 1,
      ship_to: { city: 'Odense C' },
    })
    expect(shown.comments.map(comment => comment.type)).toEqual(['warning', 'info'])
    expect(shown.lines).toMatchObject([{ sku: 'TS001-WH', qty: 2, packed_qty: 0, has_picture: false }, { sku: 'CAP-01' }])
    expect(shown.parcels).toMatchObject([{ tracking_no: 'T1', state: 'booked', has_label: false }])
    const reason = (action: string) => shown.supported_actions.find(one => one.action === action)
    expect(reason('hold')).toMatchObject({ allowed: true, reason: null })
    expect(reason('cancel')).toMatchObject({ allowed: false, reason: 'You do not have permission to cancel orders. Ask a lead.' })
    expect(reason('edit_address')).toMatchObject({ allowed: false, reason: 'A label is printed for this order: cancel the label first' })
  })

  it('is found by the paperless code that carries it', async () => {
    const order = await place()
    await insert('paperless_codes', { digits: '8801', order_id: order.id, order_company_id: order.company_id })
    await insert('paperless_codes', { digits: '8802' })
    const bench = await operator.hire(['scan'])
    expect(await bench.send(paperlessOrders.orderOf, { id: '8801' })).toMatchObject({ id: order.id, digits: '8801' })
    expect(await bench.send(paperlessOrders.orderOf, { id: 'PP8801' })).toMatchObject({ id: order.id })
    await expect(bench.send(paperlessOrders.orderOf, { id: '8802' })).rejects.toMatchObject({
      status: 409,
      key: 'The code PP{{digits}} carries no order',
    })
    await expect(bench.send(paperlessOrders.orderOf, { id: '8803' })).rejects.toMatchObject({ status: 404 })
  })

  it('shows a shop "Warehouse" in its timeline instead of the names of staff, or first names where the main company allows it', async () => {
    const shop = operator.shops[0]!
    const clerk = await operator.hire(['parcels'], shop, 'Ida Storm')
    const jonas = await operator.hire(['admin'], operator.main, 'Jonas Friis')
    const order = await place({}, shopScope)
    await jonas.send(orderLocks.lock, { id: order.id, body: { note: 'Wait' } })
    const { id: session_id } = await testApp.services.database.transaction(shopScope, db =>
      db
        .insertInto('packing_sessions')
        .values({ order_id: order.id, user_id: jonas.user_id, user_name: 'Jonas Friis', station: 'S1', ended_at: new Date().toISOString() })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    await testApp.services.database.transaction(shopScope, db =>
      db
        .insertInto('packing_scans')
        .values({
          id: crypto.randomUUID(),
          session_id,
          order_id: order.id,
          raw: 'x',
          result: 'ok',
          quantity: 1,
          user_id: jonas.user_id,
          user_name: 'Jonas Friis',
          station: 'S1',
        })
        .execute(),
    )
    await clerk.send(orderComments.add, { id: order.id, type: 'info', body: { comment: 'Mine' } })
    const actors = async (by: TestUser) => new Set((await by.send(orders.timeline, { id: order.id })).rows.map(row => row.actor))
    expect(await actors(jonas)).toEqual(new Set(['Jonas Friis', 'Ida Storm', 'test']))
    expect(await actors(clerk)).toEqual(new Set(['Warehouse', 'Ida Storm', 'test']))
    const { version } = await jonas.send(company.config, {})
    await jonas.send(company.setConfig, { body: { version, first_names_for_shops: true } })
    expect(await actors(clerk)).toEqual(new Set(['Jonas', 'Ida Storm', 'test']))
  })

  it('has one timeline of all that happened, in pages and by kind', async () => {
    const order = await place()
    await admin.send(orderComments.add, { id: order.id, type: 'praise', body: { comment: 'Nice' } })
    await admin.send(orderLocks.lock, { id: order.id, body: { note: 'Wait for stock' } })
    const { id } = await insert('packing_sessions', {
      order_id: order.id,
      user_id: 1,
      user_name: 'x',
      station: 'S1',
      ended_at: new Date().toISOString(),
    })
    await insert('packing_scans', {
      id: crypto.randomUUID(),
      session_id: id,
      order_id: order.id,
      raw: '5701234567890',
      result: 'ok',
      quantity: 1,
      order_line_id: order.lines[0],
      user_id: admin.user_id,
      user_name: 'Kim Lund',
      station: 'S1',
    })
    const all = await admin.send(orders.timeline, { id: order.id })
    expect(all.total).toBe(4)
    expect(all.rows.map(row => row.text)).toEqual([
      'Scanned {{quantity}} × {{name}}',
      'Locked: {{note}}',
      'Comment: {{comment}}',
      'The order came in',
    ])
    expect(all.rows[0]?.values).toEqual({ quantity: 1, name: 'T-shirt' })
    // The name of that time: the account is called otherwise now.
    expect(all.rows[0]?.actor).toBe('Kim Lund')
    const stops = await admin.send(orders.timeline, { id: order.id, kind: ['stop'] })
    expect(stops.rows.map(row => row.values)).toEqual([{ note: 'Wait for stock' }])
    expect((await admin.send(orders.timeline, { id: order.id, page: 2, limit: 3 })).rows).toHaveLength(1)
  })
})

describe('set_state', () => {
  const moved = async (from: OrderPlan['work_state'], state: string, by: TestUser = admin, change: object = {}) => {
    const order = await place({ work_state: from })
    if (Object.keys(change).length > 0) await set('orders', order.id, change)
    return { order, answer: await by.send(orders.setState, { id: order.id, state }) }
  }

  it('releases a new order', async () => {
    const { order, answer } = await moved('new', 'ready')
    expect(answer).toMatchObject({ id: order.id, phase: 'ready', version: 2 })
    const { rows } = await admin.send(orders.timeline, { id: order.id })
    expect(rows[0]).toMatchObject({ text: 'Released: it may be picked and packed', actor: 'admin' })
  })

  it('answers the same call twice alike, and writes it down once', async () => {
    const { order } = await moved('new', 'ready')
    await expect(admin.send(orders.setState, { id: order.id, state: 'ready' })).resolves.toMatchObject({ phase: 'ready', version: 2 })
    expect((await admin.send(orders.timeline, { id: order.id })).total).toBe(2)
  })

  it.each(['new', 'ready'] as const)('cancels a %s order at once', async from => {
    expect((await moved(from, 'cancelled')).answer).toMatchObject({ phase: 'cancelled' })
  })
  it.each(['in_pick', 'picked', 'in_pack'] as const)('cancels an order that is %s, whose goods then wait to be put back', async from => {
    expect((await moved(from, 'cancelled')).answer).toMatchObject({ phase: 'cancelled_return_to_stock' })
  })

  it('reopens a packed order: its label is blocked and everything is packed anew', async () => {
    const order = await place({ work_state: 'packed' })
    const { id } = await shipment(order, { tracking_no: 'T9' })
    await set('order_lines', order.lines[0]!, { packed_qty: 2 })
    expect(await admin.send(orders.setState, { id: order.id, state: 'picked' })).toMatchObject({ phase: 'picked' })
    const shown = await admin.send(orders.get, { id: order.id })
    expect(shown.lines.map(line => line.packed_qty)).toEqual([0, 0])
    expect(shown.parcels).toMatchObject([{ shipment_id: id, state: 'blocked' }])
    expect(shown.goods_at).toBeNull()
  })

  it('is linked to the shop’s own system where the company has set the address', async () => {
    const order = await place()
    expect((await admin.send(orders.get, { id: order.id })).shop_link).toBeNull()
    await admin.send(company.setCmsLink, { body: { cms_link: 'https://shop.example/orders/{order_no}' } })
    expect((await admin.send(orders.get, { id: order.id })).shop_link).toBe(`https://shop.example/orders/${order.order_no}`)
    await admin.send(company.setCmsLink, { body: { cms_link: '' } })
  })

  it('says at which station the items of a reopened order lie', async () => {
    const order = await place({ work_state: 'packed' })
    const session = { company_id: order.company_id, order_id: order.id, user_id: admin.user_id, user_name: 'Pia', parcel_no: 1 }
    const at = new Date().toISOString()
    for (const station of ['Bench 1', 'Bench 4'])
      await insert('packing_sessions', { ...session, station, state: 'done', opened_at: at, last_scan_at: at, ended_at: at })
    await admin.send(orders.setState, { id: order.id, state: 'picked' })
    expect(await admin.send(orders.get, { id: order.id })).toMatchObject({ work_state: 'picked', goods_at: 'Bench 4' })
  })

  it('closes orders by themselves when all parcels are final for as many days as the company says', async () => {
    const day = 86_400_000
    const ago = (days: number) => new Date(testApp.services.now().getTime() - days * day).toISOString()
    const sent = async (parcels: readonly object[], delivered_at: string | null = null) => {
      const order = await place({ work_state: 'handed_over' })
      if (delivered_at) await set('orders', order.id, { delivered_at })
      for (const [place, parcel] of parcels.entries()) await shipment(order, { parcel_no: place + 1, tracking_no: null, ...parcel })
      await testApp.services.database.transaction(scope, db => restoreStatus(db, [order.id]))
      return order.id
    }
    const old = await sent([{ state: 'delivered', delivered_at: ago(15) }], ago(15))
    const fresh = await sent([{ state: 'delivered', delivered_at: ago(13) }], ago(13))
    const lost = await sent([
      { state: 'lost', handed_over_at: ago(30) },
      { state: 'delivered', delivered_at: ago(20) },
    ])
    const moving = await sent([{ state: 'delivered', delivered_at: ago(40) }, { state: 'in_transit' }])
    const before = await admin.send(orders.countState, { x: 'closed' })
    await closeFinal(testApp.services)
    const phaseOf = async (id: number) => (await admin.send(orders.get, { id })).phase
    expect([await phaseOf(old), await phaseOf(fresh), await phaseOf(lost), await phaseOf(moving)]).toEqual([
      'closed',
      'delivered',
      'closed',
      'handed_over',
    ])
    expect((await admin.send(orders.countState, { x: 'closed' })).count).toBe(before.count + 2)
  })

  it('closes an order whose parcels have all ended', async () => {
    const order = await place({ work_state: 'handed_over' })
    const { id } = await shipment(order, { state: 'in_transit' })
    await expect(admin.send(orders.setState, { id: order.id, state: 'closed' })).rejects.toMatchObject({
      status: 409,
      message: 'A parcel of this order has neither arrived nor come back yet',
    })
    await testApp.services.database.transaction(scope, db =>
      db.updateTable('shipments').set({ state: 'delivered' }).where('id', '=', id).execute(),
    )
    expect(await admin.send(orders.setState, { id: order.id, state: 'closed' })).toMatchObject({ phase: 'closed' })
  })

  it.each([
    ['picked', 'ready', {}, 'The order is released already'],
    ['packed', 'ready', {}, 'The order is released already'],
    ['new', 'ready', { held: true }, 'The order is on hold. Release the hold first.'],
    ['ready', 'ready', { cancelled_at: new Date().toISOString() }, 'The order is cancelled'],
    ['packed', 'cancelled', {}, 'The order is packed: reopen it first, then cancel it'],
    ['handed_over', 'cancelled', {}, 'The parcel has left the warehouse: register a return instead'],
    ['closed', 'cancelled', {}, 'The parcel has left the warehouse: register a return instead'],
    ['ready', 'picked', {}, 'Only a packed order can be reopened'],
    ['in_pack', 'picked', {}, 'Only a packed order can be reopened'],
    ['handed_over', 'picked', {}, 'The parcel has left the warehouse: register a return instead'],
    ['packed', 'closed', {}, 'Only an order that was handed over to the courier can be closed'],
    ['ready', 'closed', {}, 'Only an order that was handed over to the courier can be closed'],
    ['packed', 'picked', { cancelled_at: new Date().toISOString() }, 'The order is cancelled'],
  ] as const)('refuses from %s to %s %j', async (from, state, change, message) => {
    const order = await place({ work_state: from })
    if (Object.keys(change).length > 0) await set('orders', order.id, change)
    await expect(admin.send(orders.setState, { id: order.id, state })).rejects.toMatchObject({ status: 409, message })
    expect((await admin.send(orders.timeline, { id: order.id })).total).toBe(1)
  })

  it.each(['new', 'in_pick', 'in_pack', 'packed', 'handed_over', 'held', 'nonsense'])('refuses to set %s by hand', async state => {
    const order = await place()
    await expect(admin.send(orders.setState, { id: order.id, state })).rejects.toMatchObject({ status: 400 })
  })

  it('refuses to cancel or reopen while a label is being booked', async () => {
    const order = await place({ work_state: 'in_pack' })
    await shipment(order, { state: 'booking' })
    await expect(admin.send(orders.setState, { id: order.id, state: 'cancelled' })).rejects.toMatchObject({
      message: 'A label is being booked at this moment: wait until it is there',
    })
  })

  it('needs the right that goes with each event', async () => {
    const ready = await place()
    await expect(office.send(orders.setState, { id: ready.id, state: 'cancelled' })).rejects.toMatchObject({
      message: 'You do not have permission to cancel orders. Ask a lead.',
    })
    const packed = await place({ work_state: 'packed' })
    await expect(office.send(orders.setState, { id: packed.id, state: 'picked' })).rejects.toMatchObject({
      message: 'You do not have permission to reopen orders. Ask a lead.',
    })
    const lead = await operator.hire(['scan_admin'])
    await expect(lead.send(orders.setState, { id: packed.id, state: 'picked' })).resolves.toMatchObject({ phase: 'picked' })
    const clerk = await operator.hire(['customer'])
    await expect(clerk.send(orders.setState, { id: ready.id, state: 'cancelled' })).rejects.toMatchObject({ status: 403 })
  })

  it('refuses a stale version and shows the order as it is now', async () => {
    const order = await place({ work_state: 'new' })
    await admin.send(orders.pin, { id: order.id })
    await expect(admin.send(orders.setState, { id: order.id, state: 'ready', version: 1 })).rejects.toMatchObject({
      status: 409,
      current: { id: order.id, version: 2 },
    })
  })

  it('moves many orders, each alone, and reports what happened to every one', async () => {
    const fine = await place({ work_state: 'new' })
    const packed = await place({ work_state: 'packed' })
    const theirs = await place({ work_state: 'new' }, shopScope)
    const { results } = await admin.send(orders.setStateBulk, {
      state: 'ready',
      body: { orders: [fine.id, packed.id, 99_999_999, theirs.id, fine.id] },
    })
    expect(results).toMatchObject([
      { id: fine.id, done: true, phase: 'ready', message: null },
      { id: packed.id, done: false, order_no: packed.order_no, phase: 'packed', message: 'The order is released already' },
      { id: 99_999_999, done: false, order_no: null, message: 'Order not found' },
      { id: theirs.id, done: true },
    ])
    await expect(admin.send(orders.setStateBulk, { state: 'lost', body: { orders: [fine.id] } })).rejects.toMatchObject({ status: 400 })
    await expect(admin.send(orders.setStateBulk, { state: 'ready', body: { orders: [] } })).rejects.toMatchObject({ status: 400 })
  })
})

describe('locks and holds', () => {
  it('hold an order, each with who and why, and let go one by one', async () => {
    const order = await place()
    await office.send(orderLocks.lock, { id: order.id, body: { note: 'Call the customer' } })
    await expect(office.send(orderLocks.lock, { id: order.id, body: { note: 'again' } })).rejects.toMatchObject({
      status: 409,
      message: 'parcels has locked this order already: Call the customer',
    })
    const hold = await office.send(orderLocks.hold, { id: order.id, body: { reason: 'address', note: 'No house number' } })
    expect(await admin.send(orders.get, { id: order.id })).toMatchObject({ phase: 'held', locks: [{ kind: 'hold' }, { kind: 'manual' }] })
    await office.send(orderLocks.unlock, { id: order.id })
    expect(await admin.send(orders.get, { id: order.id })).toMatchObject({ phase: 'held' })
    await office.send(orderLocks.releaseHold, { id: order.id, lock_id: hold.lock_id })
    expect(await admin.send(orders.get, { id: order.id })).toMatchObject({ phase: 'ready', locks: [] })
    await expect(office.send(orderLocks.releaseHold, { id: order.id, lock_id: hold.lock_id })).rejects.toMatchObject({ status: 409 })
    await expect(office.send(orderLocks.unlock, { id: order.id })).rejects.toMatchObject({ message: 'The order is not locked' })
  })

  it('release a new order at once when the last of them goes', async () => {
    const order = await place({ work_state: 'new' })
    await admin.send(orderLocks.lock, { id: order.id, body: { note: '' } })
    await admin.send(orderLocks.unlock, { id: order.id })
    expect(await admin.send(orders.get, { id: order.id })).toMatchObject({ phase: 'ready' })
  })

  it('for money are released by those who answer for it', async () => {
    const order = await place()
    const hold = await office.send(orderLocks.hold, { id: order.id, body: { reason: 'fraud' } })
    expect(hold.may_release).toBe(false)
    await expect(office.send(orderLocks.releaseHold, { id: order.id, lock_id: hold.lock_id })).rejects.toMatchObject({ status: 403 })
    await admin.send(orderLocks.releaseHold, { id: order.id, lock_id: hold.lock_id })
  })

  it('that wait for a time let go by the clock, and refuse a time that has passed', async () => {
    const order = await place()
    const until = new Date(Date.now() + 60_000).toISOString()
    await admin.send(orderLocks.lockAuto, { id: order.id, body: { condition: 'Stock arrives', until } })
    await expect(
      admin.send(orderLocks.hold, { id: order.id, body: { reason: 'stock', until: '2020-01-01T00:00:00Z' } }),
    ).rejects.toMatchObject({ status: 422 })
    await releaseDue(testApp.services)
    expect(await admin.send(orderLocks.getAuto, { id: order.id })).toMatchObject({ lock: { note: 'Stock arrives' } })
    testApp.setNow(new Date(Date.now() + 61_000))
    await releaseDue(testApp.services)
    testApp.setNow(undefined)
    expect(await admin.send(orderLocks.getAuto, { id: order.id })).toEqual({ lock: null })
    expect(await admin.send(orders.get, { id: order.id })).toMatchObject({ phase: 'ready' })
  })

  it('come too late for an order that has left or was cancelled', async () => {
    const gone = await place({ work_state: 'handed_over' })
    await expect(admin.send(orderLocks.lock, { id: gone.id, body: { note: '' } })).rejects.toMatchObject({
      message: 'The parcel has left the warehouse',
    })
    const cancelled = await place()
    await admin.send(orders.setState, { id: cancelled.id, state: 'cancelled' })
    await expect(admin.send(orderLocks.hold, { id: cancelled.id, body: { reason: 'other' } })).rejects.toMatchObject({
      message: 'The order is cancelled',
    })
  })
})

describe('what stops an order', () => {
  const stop = (id: number) => testApp.services.database.transaction(scope, db => stopOf(db, id))

  it('is reported with who, when and why', async () => {
    const order = await place()
    expect(await stop(order.id)).toBeNull()
    await admin.send(orderLocks.lock, { id: order.id, body: { note: 'Wrong size' } })
    expect(await stop(order.id)).toMatchObject({
      kind: 'manual',
      actor: 'admin',
      text: 'Locked by {{name}}: {{note}}',
      values: { name: 'admin', note: 'Wrong size' },
    })
    await admin.send(orders.setState, { id: order.id, state: 'cancelled' })
    expect(await stop(order.id)).toMatchObject({ kind: 'cancelled', actor: 'admin' })
  })

  it('waits for a person who is sending the order at that moment, or is seen by them', async () => {
    const order = await place({ work_state: 'in_pack' })
    let goOn = () => {}
    const paused = new Promise<void>(resolve => {
      goOn = resolve
    })
    let asked = () => {}
    const hasAsked = new Promise<void>(resolve => {
      asked = resolve
    })
    const order_of_things: string[] = []
    const sending = testApp.services.database.transaction(scope, async db => {
      expect(await stopOf(db, order.id)).toBeNull()
      asked()
      await paused
      await db.updateTable('orders').set({ work_state: 'packed' }).where('id', '=', order.id).execute()
      order_of_things.push('packed')
    })
    await hasAsked
    const holding = admin.send(orderLocks.hold, { id: order.id, body: { reason: 'customer' } }).then(() => order_of_things.push('held'))
    await new Promise(resolve => setTimeout(resolve, 150))
    expect(order_of_things).toEqual([])
    goOn()
    await Promise.all([sending, holding])
    expect(order_of_things).toEqual(['packed', 'held'])

    const second = await place({ work_state: 'in_pack' })
    const seen = testApp.services.database.transaction(scope, async db => {
      // Begun before the hold commits, asked after: the younger answer counts.
      await db.selectFrom('orders').select('id').limit(1).execute()
      await admin.send(orderLocks.hold, { id: second.id, body: { reason: 'customer', note: 'Stop' } })
      return stopOf(db, second.id)
    })
    expect(await seen).toMatchObject({ kind: 'hold', note: 'Stop' })
  })

  it('stands as long as one of several locks does, also when two are released at the same moment', async () => {
    for (let run = 0; run < 5; run++) {
      const order = await place()
      const hold = await admin.send(orderLocks.hold, { id: order.id, body: { reason: 'stock' } })
      await admin.send(orderLocks.lock, { id: order.id, body: { note: '' } })
      await Promise.all([
        admin.send(orderLocks.releaseHold, { id: order.id, lock_id: hold.lock_id }),
        admin.send(orderLocks.unlock, { id: order.id }),
      ])
      expect(await admin.send(orders.get, { id: order.id })).toMatchObject({ held: false, phase: 'ready' })
    }
  })
})

describe('the shipping address', () => {
  it('is changed, checked anew and found by its new words', async () => {
    const order = await place({ customer: { name: 'En Kunde' }, ship_to: { name: 'Gamle Navn', postcode: 'x1', city: '' } })
    const before = await admin.send(orders.get, { id: order.id })
    expect(before.badges.find(badge => badge.kind === 'address')?.severity).toBe('error')
    const after = await office.send(orders.setAddress, {
      order_id: order.id,
      body: { name: 'Nyt Navnesen', city: ' Århus  C ', postcode: 'dk-8000', phone: '87 65 43 21', version: 1 },
    })
    expect(after).toMatchObject({ version: 2, phase: 'ready' })
    const shown = await admin.send(orders.get, { id: order.id })
    expect(shown.ship_to).toMatchObject({
      name: 'Nyt Navnesen',
      city: 'Århus C',
      postcode: '8000',
      phone: '+4587654321',
      country: 'DK',
      address1: 'Skibhusvej 52',
    })
    expect(shown.badges.every(badge => badge.severity === 'ok')).toBe(true)
    expect(await search('navnesen aarhus')).toEqual([order.id])
    expect(await search('gamle navn')).toEqual([])
    const { rows } = await admin.send(orders.timeline, { id: order.id, kind: ['order'] })
    expect(rows[0]).toMatchObject({
      text: 'The shipping address was changed to {{address}}',
      values: { address: 'Nyt Navnesen, Skibhusvej 52, 8000 Århus C, +4587654321, lene@example.test' },
    })
  })

  it('refuses fields that it does not know, such as the country', async () => {
    const order = await place({ ship_to: { city: 'Odense C' } })
    const answer = await admin.ask(orders.setAddress, { order_id: order.id, body: { city: 'Oslo', country: 'NO' } })
    expect(answer.statusCode).toBe(400)
    expect((await admin.send(orders.get, { id: order.id })).ship_to).toMatchObject({ country: 'DK' })
  })

  it('is refused with a stale version, which is answered with the order as it is', async () => {
    const order = await place()
    await office.send(orders.setAddress, { order_id: order.id, body: { city: 'Vejle', version: 1 } })
    await expect(admin.send(orders.setAddress, { order_id: order.id, body: { city: 'Kolding', version: 1 } })).rejects.toMatchObject({
      status: 409,
      current: { version: 2, ship_to: { city: 'Vejle' } },
    })
  })

  it.each([
    ['packed', 'The order is packed: reopen it to change the address'],
    ['handed_over', 'The parcel has left the warehouse'],
  ] as const)('is refused once the order is %s', async (work_state, message) => {
    const order = await place({ work_state })
    await expect(admin.send(orders.setAddress, { order_id: order.id, body: { city: 'Vejle' } })).rejects.toMatchObject({
      status: 409,
      message,
    })
  })

  it('keeps two editors of the same version apart', async () => {
    const order = await place()
    const both = await Promise.allSettled(
      ['A', 'B'].map(city => admin.send(orders.setAddress, { order_id: order.id, body: { city, version: 1 } })),
    )
    expect(both.map(one => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('comments', () => {
  it('are at most a thousand of one order, also when two are added at once', async () => {
    const { id, company_id } = await place()
    await testApp.services.database.transaction(scope, db =>
      db
        .insertInto('order_comments')
        .values(Array.from({ length: 999 }, (_, n) => ({ company_id, order_id: id, type: 'info', comment: `${n}`, actor: 'test' })))
        .execute(),
    )
    const add = (comment: string) => admin.send(orderComments.add, { id, type: 'info', body: { comment } })
    const added = await Promise.allSettled(['a', 'b', 'c', 'd'].map(add))
    expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
    expect(await admin.send(orderComments.list, { ids: String(id) })).toHaveLength(1_000)
    await expect(add('e')).rejects.toMatchObject({ status: 409, code: 'too_many_comments' })
  })

  it('are answered whole for many orders, or refused, never cut', async () => {
    const some = await Promise.all([place(), place(), place(), place(), place(), place()])
    await testApp.services.database.transaction(scope, async db => {
      for (const { id, company_id } of some)
        await db
          .insertInto('order_comments')
          .values(Array.from({ length: 900 }, (_, n) => ({ company_id, order_id: id, type: 'info', comment: `${n}`, actor: 'test' })))
          .execute()
    })
    const ids = some.map(({ id }) => id)
    expect(await admin.send(orderComments.list, { ids: ids.slice(1).join() })).toHaveLength(4_500)
    await expect(admin.send(orderComments.list, { ids: ids.join() })).rejects.toMatchObject({
      status: 400,
      code: 'too_many_comments_asked',
    })
  })

  it('are plain text of four types, read for many orders in three spellings', async () => {
    const [one, two] = [await place(), await place({}, shopScope)]
    await admin.send(orderComments.add, { id: one.id, type: 'advice', body: { comment: '  two\nlines  ' } })
    await admin.send(orderComments.add, { id: two.id, type: 'warning', body: { comment: 'x' } })
    for (const joined of [',', '/', 's']) {
      const comments = await admin.send(orderComments.list, { ids: `${one.id}${joined}${two.id}` })
      expect(comments.map(comment => [comment.order_id, comment.comment])).toEqual([
        [two.id, 'x'],
        [one.id, 'two\nlines'],
      ])
    }
    const shop = await operator.hire(['parcels'], operator.shops[0])
    expect(await shop.send(orderComments.list, { ids: `${one.id},${two.id}` })).toHaveLength(1)
  })

  it.each([
    ['rant', 'x', 'A comment is one of info, praise, advice and warning; {{type}} is none of them'],
    ['info', '   ', '{{field}}: {{problem}}'],
    ['info', 'too long '.repeat(300), '{{field}}: {{problem}}'],
    ['info', 'bell\u0007', '{{field}}: {{problem}}'],
  ])('of type %s saying %.20j are refused', async (type, comment, key) => {
    const order = await place()
    await expect(admin.send(orderComments.add, { id: order.id, type, body: { comment } })).rejects.toMatchObject({ status: 400, key })
  })

  it.each(['', 'abc', '0', '1,x', '-4'])('asked for by %j are refused', async ids => {
    const answer = await admin.ask(orderComments.list, { ids })
    expect([400, 404]).toContain(answer.statusCode)
  })
})

describe('shipping methods, weights and customs data', () => {
  it('are chosen from what the company offers', async () => {
    const order = await place({}, shopScope)
    await testApp.services.database.transaction(shopScope, db =>
      db.insertInto('shipping_methods').values({ agent_code: 'own', shipping_method: 'van', name: 'Our van' }).execute(),
    )
    const options = await admin.send(orders.shippingOptions, { company: operator.shops[0]!.code })
    expect(options).toMatchObject([{ method: 'own:van', name: 'Our van' }])
    expect(await admin.send(orders.setShipping, { method: 'own:van', id: order.id })).toMatchObject({ version: 2 })
    expect(await admin.send(orders.get, { id: order.id })).toMatchObject({ agent_code: 'own', shipping_method: 'van' })
    await expect(admin.send(orders.setShipping, { method: 'own:rocket', id: order.id })).rejects.toMatchObject({ status: 409 })
    await expect(admin.send(orders.shippingOptions, { company: 'unknown' })).rejects.toMatchObject({ status: 400 })
  })

  it('are not set over a change that the person has not seen', async () => {
    const order = await place({}, shopScope)
    await testApp.services.database.transaction(shopScope, db =>
      db.insertInto('shipping_methods').values({ agent_code: 'own', shipping_method: 'bike', name: 'Our bike' }).execute(),
    )
    const { version } = await admin.send(orders.get, { id: order.id })
    await admin.send(orders.pin, { id: order.id })
    await expect(admin.send(orders.setShipping, { method: 'own:bike', id: order.id, version })).rejects.toThrow(
      'Someone else changed this order',
    )
    await admin.send(orders.setShipping, { method: 'own:bike', id: order.id, version: version + 1 })
    const { rows } = await admin.send(orders.timeline, { id: order.id, limit: 1 })
    expect(rows[0]?.changes).toEqual([{ field: 'method', before: null, after: 'Our bike' }])
  })

  it('correct the order and its badges', async () => {
    const order = await place({
      ship_to: { country: 'NO', postcode: '0155', city: 'Oslo' },
      lines: [{ sku: 'Z1', name: 'Vase', qty: 3, unit_price_excl_vat: '10.00' }],
    })
    const item_id = order.lines[0]!
    const badge = async (kind: string) => (await admin.send(orders.get, { id: order.id })).badges.find(one => one.kind === kind)?.severity
    expect([await badge('customs'), await badge('weight')]).toEqual(['error', 'warning'])
    await admin.send(orderLines.setTariff, { item_id, tariff: '6911.10' })
    await admin.send(orderLines.setOrigin, { item_id, country_id: 411 })
    await admin.send(orderLines.setWeight, { kg: '1.25', type: 'item', id: item_id })
    expect([await badge('customs'), await badge('weight')]).toEqual(['ok', 'ok'])
    expect(await admin.send(orders.get, { id: order.id })).toMatchObject({
      weight_g: 3_750,
      lines: [{ hs_code: '691110', origin: 'DK', weight_g: 1_250 }],
    })
    await admin.send(orderLines.setWeight, { kg: '4,5', type: 'order', id: order.id })
    expect(await admin.send(orders.get, { id: order.id })).toMatchObject({ weight_g: 4_500 })
    await expect(admin.send(orderLines.setTariff, { item_id, tariff: '12' })).rejects.toMatchObject({ status: 400 })
    await expect(admin.send(orderLines.setOrigin, { item_id, country_id: 1 })).rejects.toMatchObject({ status: 400 })
    await expect(admin.send(orderLines.setWeight, { kg: '-1', type: 'item', id: item_id })).rejects.toMatchObject({ status: 400 })
    await expect(admin.send(orderLines.setWeight, { kg: '1', type: 'pallet', id: item_id })).rejects.toMatchObject({ status: 400 })
  })
})

describe('packing with a check let pass', () => {
  it('is reported with who, where and why, and lists its orders', async () => {
    const order = await place({ work_state: 'packed' })
    const { id } = await insert('packing_sessions', {
      order_id: order.id,
      user_id: admin.user_id,
      user_name: 'admin',
      station: 'S2',
      ended_at: new Date().toISOString(),
    })
    await insert('packing_scans', {
      id: crypto.randomUUID(),
      session_id: id,
      order_id: order.id,
      raw: 'Barcode is torn',
      result: 'ok',
      method: 'bypass',
      quantity: 2,
      order_line_id: order.lines[0],
      user_id: admin.user_id,
      user_name: 'Kim Lund',
      station: 'S2',
    })
    // The name of that time: the account is called otherwise now.
    expect(await office.send(orders.bypassUsed, { body: [order.id, 1] })).toMatchObject([
      { order_id: order.id, bypasses: [{ by: 'Kim Lund', station: 'S2', sku: 'TS001-WH', quantity: 2, reason: 'Barcode is torn' }] },
    ])
    expect((await admin.send(orders.search, { bypass: true })).rows.map(row => row.id)).toEqual([order.id])
  })
})

describe('an export', () => {
  it('holds the filtered list, and no formula', async () => {
    const order = await place({ tags: ['exported'], customer: { name: '=cmd|calc' }, ship_to: { address2: '-2+3', phone: '+4511223344' } })
    await place({ tags: ['exported'], customer: { name: 'Bo "B" Ål; Ltd' } })
    const file = (await office.send(orders.export, { tag: 'exported', locale: 'de_DE' })) as unknown as {
      bytes: Buffer
      media_type: string
    }
    expect(file.media_type).toContain('text/csv')
    const text = file.bytes.toString('utf8')
    expect(text.startsWith('\uFEFForder_no;company;')).toBe(true)
    const [, first, second, end] = text.split('\r\n')
    expect(first).toContain('"Bo ""B"" Ål; Ltd"')
    expect(second).toContain(`${order.order_no};`)
    expect(second).toContain(";'=cmd|calc;")
    expect(second).toContain(";'-2+3;")
    expect(second).toContain('325,00')
    expect(end).toBe('')
    const english = (await office.send(orders.export, { query: order.order_no, locale: 'en_GB' })) as unknown as { bytes: Buffer }
    expect(english.bytes.toString('utf8').trim().split('\r\n')).toHaveLength(2)
  })
})

describe('saved views', () => {
  it('are kept, replaced by name, shared and removed by their owner', async () => {
    const view = await office.send(savedViews.save, { screen: 'orders', body: { name: 'Norway', query: { country: 'NO' } } })
    const again = await office.send(savedViews.save, {
      screen: 'orders',
      body: { name: 'norway', query: { country: ['NO', 'SE'] }, shared: true },
    })
    expect(again.view_id).toBe(view.view_id)
    expect(await admin.send(savedViews.list, { screen: 'orders' })).toMatchObject([
      { name: 'norway', shared: true, own: false, query: { country: ['NO', 'SE'] } },
    ])
    const colleague = await operator.hire(['parcels'])
    await expect(colleague.send(savedViews.remove, { screen: 'orders', id: view.view_id })).rejects.toMatchObject({ status: 403 })
    await office.send(savedViews.save, { screen: 'orders', body: { name: 'Mine', query: {} } })
    expect(await colleague.send(savedViews.list, { screen: 'orders' })).toHaveLength(1)
    await office.send(savedViews.remove, { screen: 'orders', id: view.view_id })
    expect(await colleague.send(savedViews.list, { screen: 'orders' })).toEqual([])
  })
})
