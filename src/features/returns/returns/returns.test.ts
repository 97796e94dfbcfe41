/** Returns over HTTP: what is asked for, what the desk does with each piece, and what the shop answers. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { permissionId } from '#contract/access.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import { anonymous } from '#platform/auth/identity.ts'
import type { Db } from '#platform/database/database.ts'
import { createContext, createSystemContext } from '#platform/http/context.ts'
import { type OrderPlan, placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { endUnusedReturns } from './end-returns.task.ts'
import { cancelReturn, type RequestedItem, requestReturn } from './returns.commands.ts'
import { returns } from './returns.contract.ts'
import { returnForProgress } from './returns.queries.ts'
import type { Return } from './returns.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let desk: TestUser
let office: TestUser
let photo: Buffer
const noon = new Date('2026-11-17T11:00:00Z')

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  desk = await operator.hire(['rma_admin', 'pick', 'settings_admin', 'parcels'], operator.main, 'Mette')
  office = await operator.hire(['parcels'], operator.main, 'Astrid')
  for (const [sku, name, bin] of [
    ['TS001-WH', 'T-shirt', 'A-01-1'],
    ['CAP-01', 'Cap', 'A-02-1'],
    ['MUG-1', 'Mug', null],
  ] as const)
    await (await operator.hire(['admin'])).send(products.create, {
      body: {
        sku,
        name,
        variant: null,
        weight_g: 100,
        length_mm: null,
        width_mm: null,
        height_mm: null,
        bin,
        hs_code: null,
        origin: null,
        customs_text: null,
        serial_required: false,
        no_barcode: false,
        barcodes: sku === 'MUG-1' ? [{ barcode: '5790000000017', quantity: 1 }] : [],
      },
    })
  photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#888' } })
    .png()
    .toBuffer()
})
/** Moves an instant of a return, as if it had happened then. */
const backdate = (id: number, set: { expires_at?: string; arrived_at?: string; refund_due_at?: string; noticed_at?: string }) =>
  inDatabase(db => db.updateTable('returns').set(set).where('id', '=', id).execute())
beforeEach(() => testApp.setNow(noon))
afterAll(() => testApp.close())

const inDatabase = <T>(work: (db: Db) => Promise<T>, company = operator.main) =>
  testApp.services.database.transaction({ ...scopeOfCompany(operator, company), companies: [company.id] }, work)

/** An order that was delivered on a day, all of it. */
async function sent({ delivered = '2026-11-09T10:00:00Z', ...plan }: OrderPlan & { delivered?: string } = {}, company = operator.main) {
  const order = await placeOrder(testApp.services.database, scopeOfCompany(operator, company), { work_state: 'handed_over', ...plan })
  await inDatabase(async db => {
    await db
      .updateTable('order_lines')
      .set(eb => ({ packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
      .where('order_id', '=', order.id)
      .execute()
    await db
      .insertInto('shipments')
      .values({
        order_id: order.id,
        company_id: company.id,
        agent_code: 'own',
        shipping_method: 'van',
        state: 'delivered',
        idempotency_key: randomUUID(),
        reference: order.order_no,
        tracking_no: `OUT${order.id}`,
        handed_over_at: '2026-11-08T10:00:00Z',
        delivered_at: delivered,
      })
      .execute()
  }, company)
  return order
}

interface Asked {
  qty?: number
  reason?: string
  line?: number
  outcome?: 'refund' | 'credit' | 'exchange' | 'repair'
}
const bodyOf = (
  order: { id: number; lines: number[] },
  { qty = 1, reason = 'changed_mind', line = 0, outcome = 'refund' }: Asked = {},
) => ({
  client_id: randomUUID(),
  order_id: order.id,
  items: [{ order_line_id: order.lines[line]!, qty, reason, outcome }],
})
const announce = (order: { id: number; lines: number[] }, asked: Asked = {}) => desk.send(returns.create, { body: bodyOf(order, asked) })
const read = (id: number) => desk.send(returns.get, { id })
const inspect = (id: number, item_id: number, body: object = {}) =>
  desk.send(returns.inspect, { id, item_id, body: { condition: 'A', ...body } })
const decide = (id: number, item_id: number, decision: 'restock' | 'scrap' | 'send_back' | 'repair' = 'restock', more: object = {}) =>
  desk.send(returns.decide, { id, body: { items: [{ item_id, decision, ...more }] } })

/** The tools of a customer, who has no login. */
const asCustomer = <T>(work: (context: Parameters<typeof requestReturn>[0]) => Promise<T>, company = operator.main) =>
  createContext(
    testApp.services,
    anonymous({
      operator_id: operator.operator_id,
      id: company.id,
      code: company.code,
      name: company.name,
      is_main: false,
      packing_ip_pattern: '',
    }),
    { ...scopeOfCompany(operator, company), companies: [company.id] },
    { ip: '', station: '', headers: {}, signal: testApp.services.closing },
  ).transaction(work)

const fromPortal = (order: { id: number; lines: number[] }, more: object = {}) =>
  asCustomer(tools =>
    requestReturn(tools, {
      client_id: randomUUID(),
      company_id: operator.main.id,
      order_id: order.id,
      source: 'portal',
      items: [{ order_line_id: order.lines[0]!, qty: 1, reason: 'changed_mind', outcome: 'refund' } satisfies RequestedItem],
      method: 'own_label',
      language: 'de_DE',
      contact: { email: 'lene@example.test' },
      withdrawal: false,
      by: 'customer',
      ...more,
    }),
  )

describe('a request', () => {
  it('gets a number, one row for each piece, and is approved at once where no one has to look at it', async () => {
    const order = await sent()
    const made = await announce(order, { qty: 2 })
    expect(made).toMatchObject({
      rma_no: expect.stringMatching(/^R\d{7}$/),
      status: 'approved',
      source: 'desk',
      order_no: order.order_no,
      pieces: 2,
    })
    expect(made.items).toMatchObject([
      { custody: 'advised', money: 'pending', amount: 10_000, piece_no: 1 },
      { custody: 'advised', money: 'pending', amount: 10_000, piece_no: 2 },
    ])
    expect(made.expires_at).toBe('2026-12-15T11:00:00Z')
  })

  it('is made once for one client id', async () => {
    const order = await sent()
    const body = bodyOf(order)
    const [one, other] = [await desk.send(returns.create, { body }), await desk.send(returns.create, { body })]
    expect(other.id).toBe(one.id)
    expect((await desk.send(returns.ofOrder, { order_id: order.id })).lines[0]).toMatchObject({ shipped: 2, left: 1 })
  })

  it('takes no more than is left, also of two who ask at once', async () => {
    const order = await sent({ lines: [{ sku: 'CAP-01', name: 'Cap', qty: 3, unit_price_excl_vat: '10.00', vat_percent: '25' }] })
    const answers = await Promise.all([1, 2].map(() => desk.ask(returns.create, { body: bodyOf(order, { qty: 2 }) })))
    expect(answers.map(answer => answer.statusCode).toSorted()).toEqual([200, 409])
    expect(answers.find(answer => answer.statusCode === 409)?.json()).toMatchObject({
      code: 'not_returnable',
      message: 'Only 1 is left to return.',
    })
  })

  it('takes nothing that was not sent, and no reason that the company does not know', async () => {
    const order = await placeOrder(testApp.services.database, scopeOfCompany(operator))
    expect((await desk.ask(returns.create, { body: bodyOf(order) })).json()).toMatchObject({ code: 'not_returnable' })
    expect((await desk.ask(returns.create, { body: bodyOf(await sent(), { reason: 'bored' }) })).json()).toMatchObject({
      code: 'return_reason_unknown',
    })
  })

  it('costs the fee for a change of mind, and none where the shop or the courier is at fault', async () => {
    await desk.send(returns.setSettings, { body: { ...(await desk.send(returns.settings, {})), fee: 5_900 } })
    expect((await announce(await sent())).fee).toBe(5_900)
    expect((await announce(await sent(), { reason: 'wrong_item' })).fee).toBe(0)
    await desk.send(returns.setSettings, { body: { ...(await desk.send(returns.settings, {})), fee: 0 } })
  })

  it('waits for a person where the company looks at each, who approves or rejects it with a reason', async () => {
    await desk.send(returns.setSettings, { body: { ...(await desk.send(returns.settings, {})), review: 'always' } })
    const [one, other] = [await announce(await sent()), await announce(await sent())]
    expect(one).toMatchObject({ status: 'requested', supported_actions: ['approve', 'reject', 'cancel'], items: [{ money: 'none' }] })
    expect((await desk.ask(returns.inspect, { id: one.id, item_id: one.items[0]!.id, body: { condition: 'A' } })).json()).toMatchObject({
      code: 'return_not_approved',
    })
    expect(await desk.send(returns.approve, { id: one.id, body: {} })).toMatchObject({ status: 'approved', items: [{ money: 'pending' }] })
    expect(await desk.send(returns.reject, { id: other.id, body: { reason: 'Worn' } })).toMatchObject({
      status: 'rejected',
      reason: 'Worn',
      items: [{ custody: 'rejected', money: 'none' }],
    })
    await desk.send(returns.setSettings, { body: { ...(await desk.send(returns.settings, {})), review: 'never' } })
  })

  it('comes from a customer in time only, but for a withdrawal, which is approved in its period without a fee', async () => {
    const late = await sent({ delivered: '2026-09-01T10:00:00Z' })
    await expect(fromPortal(late)).rejects.toMatchObject({ code: 'return_period_over' })
    const withdrawn = await fromPortal(await sent(), { items: [], withdrawal: true, fee: 5_900 })
    expect(withdrawn.status).toBe('approved')
    expect(await read(withdrawn.id)).toMatchObject({ withdrawal: true, fee: 0, pieces: 3, refund_due_at: '2026-12-01T23:00:00Z' })
    const tooLate = await fromPortal(late, { items: [], withdrawal: true })
    expect(tooLate.status).toBe('requested')
    expect((await read(tooLate.id)).supported_actions).toContain('reject')
  })

  it('is rejected by the day of its notice: one in time stays a right of the customer, however late the desk reads it', async () => {
    const made = await fromPortal(await sent(), { order_id: null, items: [], withdrawal: true, claimed_order_no: 'X-78' })
    const order = await sent({ delivered: '2026-10-20T10:00:00Z' })
    await desk.send(returns.link, { id: made.id, order_id: order.id, body: {} })
    expect((await read(made.id)).supported_actions).toContain('reject')
    await backdate(made.id, { noticed_at: '2026-10-25T10:00:00Z' })
    expect((await read(made.id)).supported_actions).not.toContain('reject')
    expect((await desk.ask(returns.reject, { id: made.id, body: { reason: 'No' } })).json()).toMatchObject({ code: 'withdrawal_right' })
  })

  it('is kept as a notice where a withdrawal names an order that no one knows', async () => {
    const notice = await fromPortal(await sent(), { order_id: null, items: [], withdrawal: true, claimed_order_no: 'X-77' })
    expect(await read(notice.id)).toMatchObject({ order_id: null, claimed_order_no: 'X-77', status: 'requested', withdrawal: true })
    expect((await desk.send(returns.search, { view: 'orphans', query: 'X-77' })).rows.map(row => row.id)).toEqual([notice.id])
    expect((await desk.ask(returns.reject, { id: notice.id, body: { reason: 'No' } })).json()).toMatchObject({ code: 'withdrawal_right' })
    expect((await read(notice.id)).supported_actions).not.toContain('reject')
  })

  it('ends when it was not sent in time, and its pieces may be returned again', async () => {
    const order = await sent()
    const made = await announce(order, { qty: 2 })
    await backdate(made.id, { expires_at: '2026-11-17T10:59:00Z' })
    await endUnusedReturns(testApp.services)
    expect(await read(made.id)).toMatchObject({ status: 'expired', items: [{ custody: 'expired', money: 'none' }, { custody: 'expired' }] })
    expect((await announce(order, { qty: 2 })).status).toBe('approved')
  })

  it('reminds its customer once, five days before it ends, and not while it is fresh or on its way', async () => {
    const reminded = async (id: number) =>
      (
        await inDatabase(db =>
          db.selectFrom('events').select('kind').where('subject_id', '=', id).where('kind', '=', 'return.ends_soon').execute(),
        )
      ).length
    const made = await announce(await sent())
    const other = await announce(await sent())
    await endUnusedReturns(testApp.services)
    expect(await reminded(made.id)).toBe(0)
    testApp.setNow(new Date('2026-12-10T11:00:00Z'))
    await inDatabase(db => db.updateTable('returns').set({ status: 'in_transit', expires_at: null }).where('id', '=', other.id).execute())
    for (const _again of [1, 2]) await endUnusedReturns(testApp.services)
    expect([await reminded(made.id), await reminded(other.id)]).toEqual([1, 0])
    // A company that gives three days does not remind at once.
    testApp.setNow(noon)
    const short = await announce(await sent())
    await backdate(short.id, { expires_at: '2026-11-20T11:00:00Z' })
    await endUnusedReturns(testApp.services)
    expect(await reminded(short.id)).toBe(0)
  })

  it('is cancelled by its customer until something is on its way', async () => {
    const order = await sent()
    const one = await fromPortal(order)
    expect(await asCustomer(tools => cancelReturn(tools, one.id))).toBe('cancelled')
    const other = await fromPortal(order)
    await desk.send(returns.arrive, { id: other.id, body: {} })
    await expect(asCustomer(tools => cancelReturn(tools, other.id))).rejects.toMatchObject({ code: 'return_not_cancellable' })
  })

  it('shows its customer how far it is', async () => {
    const made = await announce(await sent())
    const progress = await inDatabase(db => returnForProgress(db, made.id))
    expect(progress).toMatchObject({
      rma_no: made.rma_no,
      status: 'approved',
      can_cancel: true,
      items: [{ custody: 'advised' }],
      money: [],
    })
  })
})

describe('the desk', () => {
  it('opens a return by its number, its order, a serial number or the parcel that was sent, and it has arrived', async () => {
    const order = await sent()
    const made = await announce(order)
    await inDatabase(db =>
      db
        .insertInto('order_serials')
        .values({
          order_id: order.id,
          order_line_id: order.lines[0]!,
          sku_key: 'TS001-WH',
          serial: `SN-${order.id}`,
          serial_key: `SN-${order.id}`,
        })
        .execute(),
    )
    for (const code of [made.rma_no, made.rma_no.toLowerCase(), order.order_no, `OUT${order.id}`, `SN-${order.id}`])
      expect(await desk.send(returns.scan, { body: { code } })).toMatchObject({ return_id: made.id, choices: [], blocked: false })
    expect(await read(made.id)).toMatchObject({ status: 'arrived', arrived_at: '2026-11-17T11:00:00Z', parcels: [{ arrived_by: 'Mette' }] })
  })

  it('rings at a cancelled label whose parcel went out all the same, and writes it down', async () => {
    const order = await sent()
    const scanned = () => desk.send(returns.scan, { body: { code: `OUT${order.id}` } })
    expect(await scanned()).toMatchObject({ order: { id: order.id }, alarm: null })
    await inDatabase(db => db.updateTable('shipments').set({ state: 'blocked' }).where('order_id', '=', order.id).execute())
    const alarm = { text: 'This label of order {{order_no}} was cancelled: do not use it', values: { order_no: order.order_no } }
    expect(await scanned()).toMatchObject({ alarm })
    expect(await desk.send(returns.scan, { body: { code: order.order_no } })).toMatchObject({ alarm: null })
    const events = await inDatabase(db =>
      db.selectFrom('events').select('kind').where('order_id', '=', order.id).where('kind', '=', 'shipment.blocked_scanned').execute(),
    )
    expect(events).toHaveLength(1)
  })

  it('asks which return is meant where a code has several, and the parcel of the chosen one has arrived', async () => {
    const order = await sent()
    const [first, second] = [await announce(order), await announce(order)]
    const asked = await desk.send(returns.scan, { body: { code: order.order_no } })
    expect(asked.return_id).toBeNull()
    expect(asked.choices.map(choice => choice.id).toSorted()).toEqual([first.id, second.id].toSorted())
    const chosen = await desk.send(returns.scan, { body: { code: order.order_no, return_id: first.id } })
    expect(chosen).toMatchObject({ return_id: first.id, choices: [], blocked: false })
    expect(await read(first.id)).toMatchObject({ status: 'arrived', parcels: [{ arrived_by: 'Mette' }] })
    expect((await read(second.id)).status).not.toBe('arrived')
    const other = await announce(await sent())
    expect((await desk.send(returns.scan, { body: { code: order.order_no, return_id: other.id } })).return_id).not.toBe(other.id)
    expect((await read(other.id)).status).not.toBe('arrived')
  })

  it('offers the order where it has no return, and says nothing of a code that no one knows', async () => {
    const order = await sent()
    expect(await desk.send(returns.scan, { body: { code: order.order_no } })).toMatchObject({
      return_id: null,
      order: { id: order.id, left: 3 },
    })
    expect(await desk.send(returns.scan, { body: { code: 'ZZ-999999' } })).toMatchObject({ return_id: null, order: null, choices: [] })
  })

  it('asks which order is meant where two shops have its number, and takes the return of neither for the other', async () => {
    const order_no = `SAME-${randomUUID().slice(0, 8)}`
    const shop = operator.shops[0]!
    const own = await sent({ order_no })
    const others = await sent({ order_no }, shop)
    const scan = () => desk.send(returns.scan, { body: { code: order_no } })
    const asked = await scan()
    expect(asked).toMatchObject({ return_id: null, order: null, choices: [] })
    expect(asked.orders).toMatchObject([
      { id: others.id, company: shop.name, left: 3, sent: true },
      { id: own.id, company: operator.main.name, left: 3, sent: true },
    ])
    const made = await announce(own)
    expect(await scan()).toMatchObject({ return_id: null, choices: [{ id: made.id }], orders: [{ id: others.id }] })
    expect((await read(made.id)).status).toBe('approved')
    // What was never sent cannot come back.
    const later = await placeOrder(testApp.services.database, scopeOfCompany(operator), { order_no: `${order_no}-9` })
    expect(await desk.send(returns.scan, { body: { code: `${order_no}-9` } })).toMatchObject({
      order: { id: later.id, left: 0, sent: false },
      orders: [],
    })
  })

  it('lists returns by the day on which the money is due, those without one last', async () => {
    const ids: number[] = []
    for (const refund_due_at of ['2026-11-25T00:00:00Z', undefined, '2026-11-20T00:00:00Z']) {
      const { id } = await announce(await sent())
      if (refund_due_at) await backdate(id, { refund_due_at })
      ids.push(id)
    }
    const [later, never, sooner] = ids
    const listed = async (sort: 'due' | '-due') =>
      (await desk.send(returns.search, { sort })).rows.map(row => row.id).filter(id => ids.includes(id))
    expect(await listed('due')).toEqual([sooner, later, never])
    expect(await listed('-due')).toEqual([later, sooner, never])
  })

  it('lets one of two who inspect the same piece do it', async () => {
    const made = await announce(await sent())
    const [item] = made.items
    const answers = await Promise.all(
      [1, 2].map(() => desk.ask(returns.inspect, { id: made.id, item_id: item!.id, body: { condition: 'A' } })),
    )
    expect(answers.map(answer => answer.statusCode).toSorted()).toEqual([200, 409])
    const [one, other] = await Promise.all(
      [1, 2].map(() => desk.ask(returns.decide, { id: made.id, body: { items: [{ item_id: item!.id, decision: 'restock' as const }] } })),
    )
    expect([one!.statusCode, other!.statusCode].toSorted()).toEqual([200, 409])
    expect((await desk.send(pickTasks.putBacks, { limit: 500 })).rows.filter(row => row.return_id === made.id)).toHaveLength(1)
  })

  it('stops at once for who loses the right while inspecting', async () => {
    const made = await announce(await sent(), { qty: 2 })
    const [first, second] = made.items
    const owner = await operator.hire(['admin'])
    const helper = await operator.hire(['rma_admin'])
    await helper.send(returns.inspect, { id: made.id, item_id: first!.id, body: { condition: 'A' } })
    const { version } = await owner.send(users.get, { id: helper.user_id })
    await owner.send(users.update, {
      id: helper.user_id,
      body: { version, user_name: `helper-${helper.user_id}`, permission: [permissionId('scan')] },
    })
    expect((await helper.ask(returns.inspect, { id: made.id, item_id: second!.id, body: { condition: 'A' } })).statusCode).toBe(403)
    expect((await desk.send(returns.get, { id: made.id })).items.map(({ custody }) => custody).toSorted()).toEqual(['advised', 'inspected'])
  })

  it('asks for a photo of every condition but A', async () => {
    const made = await announce(await sent())
    const [item] = made.items
    expect((await desk.ask(returns.inspect, { id: made.id, item_id: item!.id, body: { condition: 'B' } })).json()).toMatchObject({
      code: 'photo_needed',
    })
    await desk.ask(returns.addFile, { id: made.id, kind: 'condition', item_id: item!.id, upload: photo })
    const seen = await inspect(made.id, item!.id, { condition: 'B', note: 'Scratched' })
    expect(seen).toMatchObject({ status: 'arrived', items: [{ custody: 'inspected', condition: 'B', inspect_note: 'Scratched' }] })
    const [file] = seen.files
    expect((await desk.ask(returns.file, { id: made.id, file_id: file!.file_id })).headers['content-type']).toBe('image/webp')
  })

  it('compares serial numbers with those that went out, and takes another one with a reason only', async () => {
    const order = await sent()
    const [line] = order.lines
    await inDatabase(async db => {
      await db.updateTable('order_lines').set({ serial_required: true }).where('id', '=', line!).execute()
      for (const serial of ['S-1', 'S-2'])
        await db
          .insertInto('order_serials')
          .values({ order_id: order.id, order_line_id: line!, sku_key: 'TS001-WH', serial, serial_key: serial })
          .execute()
    })
    const made = await announce(order, { qty: 2 })
    const [one, other] = made.items.map(item => item.id)
    expect((await desk.ask(returns.inspect, { id: made.id, item_id: one!, body: { condition: 'A' } })).json()).toMatchObject({
      code: 'serial_needed',
    })
    expect(await inspect(made.id, one!, { serial: 'S-2' })).toMatchObject({ items: [{ custody: 'inspected', serial_check: 'right' }, {}] })
    expect((await orderSerials(order.id)).filter(row => row.returned_at !== null).map(row => row.serial)).toEqual(['S-2'])
    const said = await inDatabase(db =>
      db.selectFrom('events').select(['subject', 'data']).where('order_id', '=', order.id).where('kind', '=', 'serial.returned').execute(),
    )
    expect(said).toMatchObject([{ subject: 'serial', data: { serial: 'S-2', returned: true } }])
    const wrong = await inspect(made.id, other!, { serial: 'S-9' })
    expect(wrong).toMatchObject({ status: 'awaiting_review', items: [{}, { custody: 'received', serial_check: 'wrong' }] })
    expect(
      (await desk.ask(returns.decide, { id: made.id, body: { items: [{ item_id: other!, decision: 'restock' }] } })).json(),
    ).toMatchObject({
      code: 'serial_mismatch',
    })
    expect(await inspect(made.id, other!, { serial: 'S-9', serial_reason: 'Exchanged by the maker' })).toMatchObject({
      items: [{}, { custody: 'inspected', serial_check: 'accepted' }],
    })
    await desk.send(returns.undo, { id: made.id, item_id: one!, body: {} })
    expect((await orderSerials(order.id)).every(row => row.returned_at === null)).toBe(true)
  })

  it('writes down what is missing and what came without notice, and leaves the money of the missing one waiting', async () => {
    const made = await announce(await sent(), { qty: 2 })
    const [one, other] = made.items.map(item => item.id)
    await inspect(made.id, one!)
    await desk.send(returns.missing, { id: made.id, item_id: other!, body: {} })
    const added = await desk.send(returns.add, { id: made.id, body: { code: '5790000000017' } })
    expect(added).toMatchObject({
      status: 'awaiting_review',
      items: [
        { custody: 'inspected', money: 'pending' },
        { custody: 'missing', money: 'pending' },
        { custody: 'added', money: 'none', unannounced: true, name: 'Mug', order_line_id: null },
      ],
    })
    expect(await desk.send(returns.undo, { id: made.id, item_id: added.items[2]!.id, body: {} })).toMatchObject({
      items: [{}, {}, { custody: 'cancelled' }],
    })
    expect(await desk.send(returns.undo, { id: made.id, item_id: other!, body: {} })).toMatchObject({
      items: [{}, { custody: 'advised' }, {}],
    })
  })

  it('counts pieces as missing that did not come within 14 days of the first parcel', async () => {
    const made = await announce(await sent(), { qty: 2 })
    await inspect(made.id, made.items[0]!.id)
    await backdate(made.id, { arrived_at: '2026-11-04T11:00:00Z' })
    await endUnusedReturns(testApp.services)
    expect((await read(made.id)).items[1]!.custody).toBe('advised')
    await backdate(made.id, { arrived_at: '2026-11-03T11:00:00Z' })
    await endUnusedReturns(testApp.services)
    expect(await read(made.id)).toMatchObject({ status: 'awaiting_review', items: [{}, { custody: 'missing', money: 'pending' }] })
  })

  it('gives an unannounced piece of the order its place and its amount', async () => {
    const made = await announce(await sent())
    expect(await desk.send(returns.add, { id: made.id, body: { code: 'cap-01' } })).toMatchObject({
      items: [{}, { custody: 'added', money: 'pending', amount: 12_500, unannounced: true }],
    })
  })

  it('puts a restocked piece back into its bin by a task, and counts it in the order', async () => {
    const order = await sent()
    const made = await announce(order)
    const [item] = made.items
    expect(
      (await desk.ask(returns.decide, { id: made.id, body: { items: [{ item_id: item!.id, decision: 'restock' }] } })).json(),
    ).toMatchObject({
      code: 'not_inspected',
    })
    await inspect(made.id, item!.id)
    expect((await office.send(orders.get, { id: order.id })).lines[0]).toMatchObject({ returned_qty: 1 })
    const decided = await decide(made.id, item!.id)
    expect(decided).toMatchObject({ status: 'decided', items: [{ custody: 'restocked', put_back_done: false, decided_by: 'Mette' }] })
    const [task] = (await desk.send(pickTasks.putBacks, { query: order.order_no })).rows
    expect(task).toMatchObject({ reason: 'return', name: 'T-shirt', quantity: 1, return_id: made.id })
    await desk.send(pickTasks.putBack, { id: task!.id, body: { quantity: 1 } })
    expect((await read(made.id)).items[0]).toMatchObject({ put_back_done: true })
    expect((await desk.ask(returns.undo, { id: made.id, item_id: item!.id, body: {} })).json()).toMatchObject({ code: 'return_item_done' })
  })

  it('refuses an older version', async () => {
    const made = await announce(await sent())
    await inspect(made.id, made.items[0]!.id)
    expect((await desk.ask(returns.cancel, { id: made.id, body: { reason: 'x', version: made.version } })).json()).toMatchObject({
      code: 'return_changed',
    })
  })

  it('is for people with the right, of their own companies', async () => {
    const made = await announce(await sent())
    expect((await office.ask(returns.approve, { id: made.id, body: {} })).statusCode).toBe(403)
    expect((await office.send(returns.get, { id: made.id })).id).toBe(made.id)
    const shop = await operator.hire(['rma_admin'], operator.shops[0]!, 'Ingrid')
    expect((await shop.ask(returns.get, { id: made.id })).statusCode).toBe(404)
    expect((await shop.send(returns.search, {})).rows).toEqual([])
  })
})

const orderSerials = (order_id: number) =>
  inDatabase(db =>
    db.selectFrom('order_serials').select(['serial', 'returned_at']).where('order_id', '=', order_id).orderBy('id').execute(),
  )

describe('the reasons of a company', () => {
  const fields = { words: {}, evidence_text: 'optional', evidence_photo: 'off', fault: 'customer', active: true } as const
  const reasonsOf = (by = desk) => by.send(returns.reasons, {})
  const versionOf = async (code: string) => (await reasonsOf()).find(one => one.code === code)?.version ?? 0
  const save = async (code: string, body: object) =>
    desk.send(returns.saveReason, { code, body: { ...fields, ...body, version: await versionOf(code) } })
  const codes = async () => (await reasonsOf()).map(({ code }) => code)

  it('are changed one by one, added, switched off, ordered, and what they were again', async () => {
    const set = { ...fields, words: { da_DK: 'Passer ikke' }, evidence_photo: 'required', fault: 'shop' } as const
    await save('does_not_fit', set)
    await save('colour', { words: { en_GB: 'Another colour' } })
    expect(await reasonsOf()).toEqual(
      expect.arrayContaining([expect.objectContaining({ ...set, code: 'does_not_fit' }), expect.objectContaining({ code: 'colour' })]),
    )
    expect((await codes()).indexOf('colour')).toBeGreaterThan((await codes()).indexOf('does_not_fit'))
    const order = await sent()
    expect((await announce(order, { reason: 'colour' })).items).toMatchObject([{ reason_code: 'colour' }])
    expect(await announce(order, { reason: 'does_not_fit' })).toMatchObject({ fee: 0 })

    await save('late', { active: false })
    expect((await desk.ask(returns.create, { body: bodyOf(await sent(), { reason: 'late' }) })).json()).toMatchObject({
      code: 'return_reason_unknown',
    })
    const turned = (await codes()).filter(code => code !== 'withdrawal').toReversed()
    await desk.send(returns.orderReasons, { body: { codes: turned } })
    expect((await codes()).filter(code => code !== 'withdrawal')).toEqual(turned)
    expect((await desk.ask(returns.orderReasons, { body: { codes: turned.slice(1) } })).statusCode).toBe(409)

    await desk.send(returns.resetReason, { code: 'does_not_fit' })
    expect((await reasonsOf()).find(({ code }) => code === 'does_not_fit')).toMatchObject({ words: {}, fault: 'customer', version: 0 })
    expect((await desk.ask(returns.resetReason, { code: 'colour' })).json()).toMatchObject({ code: 'return_reason_used' })
    await save('unused', { words: { sv_SE: 'Annat' } })
    await desk.send(returns.resetReason, { code: 'unused' })
    expect(await codes()).not.toContain('unused')
    await save('late', { active: true })
  })

  it('need words of their own, leave the withdrawal alone, and are not written over another’s change', async () => {
    const refused = async (code: string, body: object, by = desk) =>
      (await by.ask(returns.saveReason, { code, body: { ...fields, version: 0, ...body } })).json()
    expect(await refused('own', { words: { da_DK: ' ' } })).toMatchObject({
      code: 'return_reason_words',
      fields: { words: expect.any(String) },
    })
    expect(await refused('withdrawal', { active: false })).toMatchObject({ code: 'return_reason_not_found' })
    await save('defective', {})
    expect(await refused('defective', {})).toMatchObject({ code: 'settings_changed', current: expect.any(Array) })
    expect((await office.ask(returns.saveReason, { code: 'defective', body: { ...fields, version: 0 } })).statusCode).toBe(403)
    const shop = await operator.hire(['rma_admin'], operator.shops[0]!, 'Liv')
    expect((await reasonsOf(shop)).find(({ code }) => code === 'defective')).toMatchObject({ version: 0 })
  })
})

describe('a parcel that no one announced', () => {
  /** Its lines name their products, as those that an import has written. */
  const known = async <O extends { id: number }>(order: O): Promise<O> => {
    await inDatabase(db =>
      sql`update order_lines l set product_id = p.id from products p where p.operator_id = l.operator_id and p.sku = l.sku and l.order_id = ${order.id}`.execute(
        db,
      ),
    )
    return order
  }
  const orphan = async (code: string): Promise<Return> =>
    (await desk.ask(returns.createOrphan, { client_id: randomUUID(), code, shelf: 'R1', upload: photo })).json()

  it('is kept with a photo and a shelf, found by its number, and blocks decisions and money until it is linked', async () => {
    const order = await known(await sent())
    const made = await orphan('JJD 0099 1')
    expect(made).toMatchObject({ source: 'orphan', status: 'arrived', shelf: 'R1', files: [{ kind: 'arrival' }] })
    expect(await desk.send(returns.scan, { body: { code: 'jjd00991' } })).toMatchObject({ return_id: made.id })
    const added = await desk.send(returns.add, { id: made.id, body: { code: 'CAP-01' } })
    await inspect(made.id, added.items[0]!.id)
    const item_id = added.items[0]!.id
    for (const call of [
      desk.ask(returns.decide, { id: made.id, body: { items: [{ item_id, decision: 'restock' }] } }),
      desk.ask(returns.propose, { id: made.id, body: { item_ids: [item_id] } }),
    ])
      expect((await call).json()).toMatchObject({ code: 'return_unlinked' })
    const likely = async () => (await desk.send(returns.likelyOrders, { id: made.id })).rows.map(({ id }) => id)
    expect(await likely()).toContain(order.id)
    // Of which nothing is left is not meant, nor what never went out.
    const taken = await known(await sent())
    await announce(taken, { line: 1 })
    const unsent = await known(await placeOrder(testApp.services.database, scopeOfCompany(operator)))
    expect(await likely()).not.toContain(taken.id)
    expect(await likely()).not.toContain(unsent.id)
    const linked = await desk.send(returns.link, { id: made.id, order_id: order.id, body: {} })
    expect(await likely()).toEqual([])
    expect(linked).toMatchObject({ id: made.id, order_no: order.order_no, items: [{ money: 'pending', amount: 12_500 }] })
    expect((await desk.ask(returns.link, { id: made.id, order_id: (await sent()).id, body: {} })).json()).toMatchObject({
      code: 'already_linked',
    })
    const foreign = await sent({}, operator.shops[0]!)
    const other = await orphan('JJD2')
    expect((await desk.ask(returns.link, { id: other.id, order_id: foreign.id, body: {} })).json()).toMatchObject({
      code: 'order_of_other_shop',
    })
  })

  it('joins the return that the customer has announced', async () => {
    const order = await sent()
    const announced = await announce(order)
    const made = await orphan('JJD3')
    expect(await desk.send(returns.link, { id: made.id, order_id: order.id, body: {} })).toMatchObject({
      id: announced.id,
      parcels: [{ tracking_no: 'JJD3' }],
      files: [{ kind: 'arrival' }],
    })
    expect((await read(made.id)).status).toBe('cancelled')
  })

  it('needs a photo that is a picture', async () => {
    const upload = Buffer.from('no picture')
    expect((await desk.ask(returns.createOrphan, { client_id: randomUUID(), code: 'J', upload })).statusCode).toBe(400)
  })
})

describe('the money', () => {
  async function decided(qty = 1) {
    const made = await announce(await sent({ shop: 'main' }), { qty })
    for (const item of made.items) {
      await inspect(made.id, item.id)
      await decide(made.id, item.id)
    }
    return made
  }
  const propose = (id: number, item_ids: number[], more: object = {}) => desk.send(returns.propose, { id, body: { item_ids, ...more } })

  it('is proposed after the inspection, and resolved when the shop confirms it, once', async () => {
    const made = await announce(await sent())
    const ids = made.items.map(item => item.id)
    expect((await desk.ask(returns.propose, { id: made.id, body: { item_ids: ids } })).json()).toMatchObject({ code: 'custody_first' })
    await inspect(made.id, ids[0]!)
    await decide(made.id, ids[0]!, 'restock', { deduction: 500 })
    expect(await propose(made.id, ids)).toMatchObject({
      status: 'decided',
      items: [{ money: 'proposed' }],
      proposals: [{ no: 1, kind: 'refund', goods: 10_000, deduction: 500, total: 9_500, state: 'proposed' }],
    })
    const confirm = (reference: string) => desk.ask(returns.confirm, { id: made.id, no: 1, body: { reference } })
    expect((await confirm('RF-1')).json()).toMatchObject({
      status: 'resolved',
      items: [{ money: 'confirmed' }],
      proposals: [{ shop_ref: 'RF-1' }],
    })
    expect((await confirm('RF-1')).statusCode).toBe(200)
    expect((await confirm('RF-2')).json()).toMatchObject({ code: 'already_confirmed' })
  })

  it('may be denied with a reason and asked for again after the return was reopened', async () => {
    const made = await decided()
    const ids = made.items.map(item => item.id)
    await propose(made.id, ids)
    expect((await desk.ask(returns.deny, { id: made.id, no: 1, body: { reason: '' } })).statusCode).toBe(400)
    expect(await desk.send(returns.deny, { id: made.id, no: 1, body: { reason: 'Worn' } })).toMatchObject({
      status: 'resolved',
      items: [{ money: 'denied' }],
    })
    expect((await desk.ask(returns.propose, { id: made.id, body: { item_ids: ids } })).json()).toMatchObject({ code: 'return_closed' })
    expect(await desk.send(returns.reopen, { id: made.id, body: { reason: 'The customer complains' } })).toMatchObject({
      status: 'awaiting_review',
      supported_actions: ['inspect', 'propose', 'close'],
    })
    expect(await propose(made.id, ids)).toMatchObject({ status: 'decided', proposals: [{ state: 'denied' }, { no: 2, state: 'proposed' }] })
  })

  it('stays in doubt until a person or the shop knows', async () => {
    const made = await decided()
    await propose(made.id, [made.items[0]!.id])
    expect(await desk.send(returns.doubt, { id: made.id, no: 1, body: {} })).toMatchObject({
      status: 'decided',
      items: [{ money: 'in_doubt' }],
    })
    expect((await desk.send(returns.search, { money: ['in_doubt'] })).rows.map(row => row.id)).toContain(made.id)
    expect(await desk.send(returns.confirm, { id: made.id, no: 1, body: { reference: 'RF-9', paid: 9_000 } })).toMatchObject({
      status: 'resolved',
      proposals: [{ paid: 9_000 }],
    })
  })

  it('is waived for a missing piece by a person only', async () => {
    const made = await announce(await sent(), { qty: 2 })
    const [one, other] = made.items.map(item => item.id)
    await inspect(made.id, one!)
    await decide(made.id, one!)
    await desk.send(returns.missing, { id: made.id, item_id: other!, body: {} })
    await propose(made.id, [one!])
    await desk.send(returns.confirm, { id: made.id, no: 1, body: { reference: 'A' } })
    expect((await read(made.id)).status).toBe('awaiting_review')
    expect(await desk.send(returns.waive, { id: made.id, body: { item_ids: [other!], reason: 'It never came' } })).toMatchObject({
      status: 'resolved',
    })
  })

  it('makes proposals of their own for refunds and for store credit, and takes the fee once', async () => {
    await desk.send(returns.setSettings, { body: { ...(await desk.send(returns.settings, {})), fee: 1_000 } })
    const order = await sent()
    const body = bodyOf(order)
    const made = await desk.send(returns.create, {
      body: { ...body, items: [...body.items, { order_line_id: order.lines[1]!, qty: 1, reason: 'changed_mind', outcome: 'credit' }] },
    })
    await desk.send(returns.setSettings, { body: { ...(await desk.send(returns.settings, {})), fee: 0 } })
    for (const item of made.items) await inspect(made.id, item.id)
    const ids = made.items.map(item => item.id)
    expect(await propose(made.id, ids)).toMatchObject({
      proposals: [
        { kind: 'refund', goods: 10_000, fee: 1_000, total: 9_000 },
        { kind: 'credit', goods: 12_500, fee: 0, total: 12_500 },
      ],
    })
  })

  it('is answered by the shop’s program with its key, for its own returns', async () => {
    const made = await decided()
    await propose(made.id, [made.items[0]!.id])
    const { key } = await desk.send(cmsKeys.create, { body: { name: 'Shop', shop: 'main' } })
    const headers = { authorization: key }
    const mine = (await desk.ask(returns.shopReturns, { limit: 500 }, { headers }))
      .json()
      .rows.find((row: { rma_no: string }) => row.rma_no === made.rma_no)
    expect(mine).toMatchObject({ proposals: [{ no: 1, total: 10_000 }], items: [{ money: 'proposed', custody: 'restocked' }] })
    const answer = (rma_no: string, body: object) => desk.ask(returns.shopMoney, { rma_no, body }, { headers })
    const confirm = (reference: string) => answer(made.rma_no, { state: 'confirmed', reference, amount: 10_000 })
    expect((await confirm('PAY-1')).json()).toMatchObject({ status: 'resolved', proposals: [{ state: 'confirmed', shop_ref: 'PAY-1' }] })
    expect((await confirm('PAY-1')).statusCode).toBe(200)
    expect((await confirm('PAY-2')).json()).toMatchObject({ code: 'already_confirmed' })
    expect((await answer('R9999999', { state: 'denied', reason: 'x' })).statusCode).toBe(404)
    expect((await answer(made.rma_no, { state: 'denied' })).statusCode).toBe(400)
  })
})

describe('parcels', () => {
  const record = (kind: 'shipment.returned_to_sender' | 'shipment.booked' | 'shipment.in_transit', order_id: number, subject_id: number) =>
    createSystemContext(testApp.services, {
      operator_id: operator.operator_id,
      company_id: operator.main.id,
      companies: [operator.main.id],
    }).transaction(({ recordEvent }) =>
      kind === 'shipment.booked'
        ? recordEvent({ kind, order_id, subject: 'shipment', subject_id, data: { tracking_no: 'RET', parcel_no: 1 } })
        : recordEvent({ kind, order_id, subject: 'shipment', subject_id, data: { place: null } }),
    )

  it('that could not be delivered open a return of their pieces by themselves', async () => {
    const order = await sent()
    const shipment_id = await inDatabase(async db => {
      await db.insertInto('parcel_lines').values({ order_id: order.id, parcel_no: 1, order_line_id: order.lines[0]!, qty: 2 }).execute()
      return (await db.selectFrom('shipments').select('id').where('order_id', '=', order.id).executeTakeFirstOrThrow()).id
    })
    await record('shipment.returned_to_sender', order.id, shipment_id)
    await record('shipment.returned_to_sender', order.id, shipment_id)
    const { returns: made } = await desk.send(returns.ofOrder, { order_id: order.id })
    expect(made).toMatchObject([{ source: 'undelivered', status: 'in_transit', pieces: 2, money: 'pending' }])
    expect(await desk.send(returns.scan, { body: { code: `OUT${order.id}` } })).toMatchObject({ return_id: made[0]!.id })
  })

  /** A booked parcel of a return. */
  const labelFor = (order: Awaited<ReturnType<typeof sent>>): Promise<number> =>
    inDatabase(async db => {
      const row = await db
        .insertInto('shipments')
        .values({
          order_id: order.id,
          agent_code: 'own',
          shipping_method: 'van',
          operation_code: 'return',
          kind: 'return',
          state: 'booked',
          idempotency_key: randomUUID(),
          reference: order.order_no,
          tracking_no: `RET-${order.id}`,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    })

  it('with a return label are the return’s, which is on its way at the courier’s first scan', async () => {
    const order = await sent()
    const made = await announce(order)
    const shipment_id = await labelFor(order)
    await record('shipment.booked', order.id, shipment_id)
    await record('shipment.in_transit', order.id, shipment_id)
    expect(await read(made.id)).toMatchObject({
      status: 'in_transit',
      items: [{ custody: 'in_transit' }],
      parcels: [{ tracking_no: `RET-${order.id}` }],
    })
    expect(await desk.send(returns.scan, { body: { code: `RET-${order.id}` } })).toMatchObject({ return_id: made.id })
    expect((await read(made.id)).parcels).toHaveLength(1)
  })

  it('are proposed for refund at the first scan where the company wants that, once, and the rest of the return goes on as before', async () => {
    const { version: _read, ...settings } = await desk.send(returns.settings, {})
    await desk.send(returns.setSettings, { body: { ...settings, propose_at: 'first_scan' } })
    try {
      const order = await sent()
      const made = await announce(order)
      const shipment_id = await labelFor(order)
      await record('shipment.booked', order.id, shipment_id)
      expect((await read(made.id)).proposals).toEqual([])
      await record('shipment.in_transit', order.id, shipment_id)
      await record('shipment.in_transit', order.id, shipment_id)
      expect(await read(made.id)).toMatchObject({
        status: 'in_transit',
        items: [{ custody: 'in_transit', money: 'proposed' }],
        proposals: [{ no: 1, state: 'proposed', total: made.items[0]!.amount }],
      })
      await desk.send(returns.scan, { body: { code: `RET-${order.id}` } })
      await inspect(made.id, made.items[0]!.id)
      expect(await read(made.id)).toMatchObject({ items: [{ custody: 'inspected', money: 'proposed' }], proposals: [{ no: 1 }] })
    } finally {
      await desk.send(returns.setSettings, { body: settings })
    }
    const order = await sent()
    const made = await announce(order)
    const shipment_id = await labelFor(order)
    await record('shipment.booked', order.id, shipment_id)
    await record('shipment.in_transit', order.id, shipment_id)
    expect((await read(made.id)).proposals).toEqual([])
  })

  it('are weighed, and differ remarkably from their items by more than 15 percent and more than 200 g only', async () => {
    const order = await sent()
    const made = await announce(order)
    expect(await read(made.id)).toMatchObject({ expected_weight_g: null, weight_difference_g: null })
    await inDatabase(async db => {
      const product = await db
        .insertInto('products')
        .values({ sku: `W-${made.id}`, name: 'Stone', weight_g: 1_000 })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.updateTable('return_items').set({ product_id: product.id }).where('return_id', '=', made.id).execute()
    })
    const weigh = async (weight_g: number) => (await desk.send(returns.weigh, { id: made.id, body: { weight_g } })).weight_difference_g
    expect(await weigh(1_200)).toBeNull()
    expect(await weigh(1_201)).toBe(201)
    expect(await weigh(500)).toBe(-500)
    await inDatabase(db => db.updateTable('products').set({ weight_g: 10_000 }).where('sku', '=', `W-${made.id}`).execute())
    expect(await weigh(11_500)).toBeNull()
    expect(await weigh(11_501)).toBe(1_501)
    expect((await office.ask(returns.weigh, { id: made.id, body: { weight_g: 1 } })).statusCode).toBe(403)
  })

  it('hold items whose accessories are ticked at the inspection, as the settings name them for the product', async () => {
    const { version: _read, ...settings } = await desk.send(returns.settings, {})
    const order = await sent()
    const made = await announce(order)
    const item = made.items[0]!
    const body = { ...settings, accessories: [`${item.sku?.toLowerCase()}: Hanger, Belt`] }
    await desk.send(returns.setSettings, { body })
    try {
      expect((await read(made.id)).items[0]?.accessories).toEqual([
        { name: 'Hanger', here: null },
        { name: 'Belt', here: null },
      ])
      await desk.send(returns.inspect, { id: made.id, item_id: item.id, body: { condition: 'A', accessories: ['Belt', 'Hat'] } })
      const ticked = [
        { name: 'Hanger', here: false },
        { name: 'Belt', here: true },
      ]
      expect((await read(made.id)).items[0]?.accessories).toEqual(ticked)
      // What was seen stays when the list changes.
      await desk.send(returns.setSettings, { body: settings })
      expect((await read(made.id)).items[0]?.accessories).toEqual(ticked)
      await desk.send(returns.undo, { id: made.id, item_id: item.id, body: {} })
      expect((await read(made.id)).items[0]?.accessories).toEqual([])
      await expect(desk.send(returns.setSettings, { body: { ...settings, accessories: ['no colon'] } })).rejects.toMatchObject({
        status: 400,
      })
    } finally {
      await desk.send(returns.setSettings, { body: settings })
    }
  })
})

describe('the list', () => {
  it('finds returns by their numbers, orders, serials and customers, in views, and as CSV', async () => {
    const order = await sent({ ship_to: { name: 'Oda Nordmann' } })
    const made = await announce(order)
    for (const query of [made.rma_no, order.order_no, 'Nordmann'])
      expect((await office.send(returns.search, { query })).rows.map(row => row.id)).toContain(made.id)
    const has = async (view: 'expected' | 'arrived' | 'decide' | 'money' | 'closed') =>
      (await office.send(returns.search, { view, query: made.rma_no })).rows.length
    expect([await has('expected'), await has('arrived')]).toEqual([1, 0])
    await desk.send(returns.arrive, { id: made.id, body: {} })
    expect([await has('expected'), await has('arrived'), await has('decide')]).toEqual([0, 1, 0])
    await inspect(made.id, made.items[0]!.id)
    expect([await has('arrived'), await has('decide'), await has('money')]).toEqual([0, 1, 1])
    const file = await office.ask(returns.exportAll, { query: made.rma_no })
    expect(file.body).toContain(`${made.rma_no},${order.order_no}`)
    expect((await office.send(returns.count, {})).open).toBeGreaterThan(0)
  })

  it('shows refunds of withdrawals that are overdue', async () => {
    const made = await fromPortal(await sent(), { items: [], withdrawal: true })
    const overdue = async () => (await desk.send(returns.search, { view: 'overdue', limit: 500 })).rows.map(row => row.id)
    expect(await overdue()).not.toContain(made.id)
    await backdate(made.id, { refund_due_at: '2026-11-17T10:00:00Z' })
    expect(await overdue()).toContain(made.id)
  })
})
