/** A shop changes an order while it is picked: list, totes, tasks and books follow, and nothing is silently lost. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { shopApi } from '#features/deliveries/shop-api/shop-api.contract.ts'
import { storingSentences } from '#features/orders/orders/upsert/order-upsert.rules.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import { picking } from '#features/warehouse/picking/picking.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { pickLists } from './pick-lists.contract.ts'

let testApp: TestApp
let operator: TestOperator
let picker: TestUser
let lead: TestUser
let headers: { authorization: string }
let made = 0
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1, settings: { release_delay_s: 0 } })
  lead = await operator.hire(['admin', 'pick_admin'], operator.main, 'Lone')
  const office = await operator.hire(['settings_admin'], operator.shops[0])
  headers = { authorization: (await office.send(cmsKeys.create, { body: { name: 'Shop' } })).key }
})
afterAll(() => testApp.close())

const inDb = <T>(work: Parameters<typeof testApp.services.database.transaction<T>>[1]) =>
  testApp.services.database.transaction(scopeOfCompany(operator), work)

type Qty = Record<string, number>
const send = async (external_id: string, qty: Qty, more: object = {}) =>
  (
    await testApp.visitor(operator.shops[0]!).send(
      shopApi.sendOrders,
      {
        body: {
          orders: [
            {
              external_id,
              order_no: external_id,
              currency: 'DKK',
              payment_status: 'paid',
              ordered_at: new Date().toISOString(),
              ship_to: {
                name: 'Lene Prøve',
                address1: 'Prøvevej 5',
                postcode: '5000',
                city: 'Odense C',
                country: 'DK',
                phone: '+4520123456',
                email: 'l@example.test',
              },
              lines: Object.entries(qty).map(([name, qty]) => ({
                external_id: name,
                sku: `${external_id}-${name}`,
                barcode: `${external_id}-${name}-BAR`,
                name,
                qty: String(qty),
                bin: `A-${name}`,
                weight_g: 100,
              })),
              ...more,
            },
          ],
        },
      },
      { headers },
    )
  ).orders[0]!

/** An order of the shop on a list of its own, whose wagon a new picker has claimed. */
async function onList(qty: Qty) {
  picker = await operator.hire(['pick'], operator.main, `Picker ${++made}`)
  const name = `S${made}`
  await send(name, qty)
  await inDb(db =>
    sql`update orders set work_state = 'ready', phase = 'ready', release_at = null where operator_id = current_operator_id() and work_state = 'new'`.execute(
      db,
    ),
  )
  const { id: order_id } = await inDb(db => db.selectFrom('orders').select('id').where('external_id', '=', name).executeTakeFirstOrThrow())
  const list = await lead.send(pickLists.create, { body: { type: 'order', order_ids: [order_id] } as never })
  const key = { pick_list_id: list.id, wagon_no: 1 }
  await picker.send(picking.claim, { ...key, body: {} as never })
  const wagon = () => picker.send(picking.wagon, key)
  const event = async (kind: string, line: string, more: object = {}) => {
    const { id } = (await wagon()).pick_lines.find(one => one.name === line)!
    const body = { events: [{ id: randomUUID(), kind, line: id, at: new Date().toISOString(), ...more }] as never }
    return (await picker.send(picking.send, { ...key, body })).answers[0]!
  }
  return {
    ...key,
    name,
    order_id,
    wagon,
    pick: (line: string, quantity: number) => event('pick', line, { quantity }),
    short: (line: string) => event('short', line, { reason: 'not_there' }),
    change: (now: Qty, more: object = {}) => send(name, now, more),
    lines: async () =>
      (await wagon()).pick_lines
        .filter(line => line.state !== 'gone')
        .map(line => [line.name, line.asked, line.picked, line.state])
        .sort(),
    order: () => inDb(db => db.selectFrom('orders').selectAll().where('id', '=', order_id).executeTakeFirstOrThrow()),
    backs: async () => (await lead.send(pickTasks.putBacks, { query: name })).rows.map(back => [back.name, back.quantity, back.reason]),
    books: () =>
      inDb(db =>
        db
          .selectFrom('order_lines')
          .select(['name', 'qty', 'cancelled_qty', 'picked_qty'])
          .where('order_id', '=', order_id)
          .orderBy('name')
          .execute(),
      ),
  }
}

describe('a shop that changes an order on a list', () => {
  it('lowers what is asked, takes a line off and adds one, which is picked last', async () => {
    const one = await onList({ Cup: 5, Pot: 2 })
    expect(await one.change({ Cup: 3, Tray: 1 })).toMatchObject({ result: 'updated' })
    expect(await one.lines()).toEqual([
      ['Cup', 3, 0, 'open'],
      ['Tray', 1, 0, 'open'],
    ])
    const { pick_lines } = await one.wagon()
    expect(pick_lines.at(-1)).toMatchObject({ name: 'Tray', bin: 'A-Tray', slot_no: pick_lines[0]!.slot_no })
    expect(await one.backs()).toEqual([])
    await one.pick('Cup', 3)
    expect(await one.pick('Tray', 1)).toMatchObject({ result: 'wagon_done' })
    expect(await one.order()).toMatchObject({ work_state: 'picked', item_count: 4 })
  })

  it('has pieces put back that were picked and are asked for no more, and the tote stays with its order', async () => {
    const one = await onList({ Cup: 3, Pot: 2 })
    await one.pick('Cup', 3)
    await one.pick('Pot', 1)
    await one.change({ Cup: 1 })
    expect(await one.lines()).toEqual([['Cup', 1, 1, 'picked']])
    expect((await one.backs()).sort()).toEqual([
      ['Cup', 2, 'order_changed'],
      ['Pot', 1, 'order_changed'],
    ])
    expect(await one.books()).toEqual([{ name: 'Cup', qty: 1, cancelled_qty: 0, picked_qty: 1 }])
    expect(await one.order()).toMatchObject({ work_state: 'picked', phase: 'picked' })
    expect(await one.wagon()).toMatchObject({ state: 'picked' })
  })

  it('frees no tote in which the rest of the order still lies, once the surplus is back', async () => {
    const one = await onList({ Cup: 2 })
    const digits = `${7_000 + made}`
    await inDb(db =>
      db
        .insertInto('paperless_codes')
        .values({
          digits,
          pick_list_id: one.pick_list_id,
          wagon_no: 1,
          slot_no: 1,
          order_id: one.order_id,
          order_company_id: operator.shops[0]!.id,
        })
        .execute(),
    )
    const slot = (await one.wagon()).pick_lines[0]!.slot_no
    await inDb(db => db.updateTable('paperless_codes').set({ slot_no: slot }).where('digits', '=', digits).execute())
    await one.pick('Cup', 2)
    await one.change({ Cup: 1 })
    const [back] = (await lead.send(pickTasks.putBacks, { query: one.name })).rows
    await lead.send(pickTasks.putBack, { id: back!.id, body: { quantity: 1 } })
    const code = await inDb(db =>
      db.selectFrom('paperless_codes').select(['state', 'order_id']).where('digits', '=', digits).executeTakeFirstOrThrow(),
    )
    expect(code).toEqual({ state: 'bound', order_id: one.order_id })
  })

  it('raises what is asked: a picked line is open again, and the wagon is walked again', async () => {
    const one = await onList({ Cup: 1 })
    expect(await one.pick('Cup', 1)).toMatchObject({ result: 'wagon_done' })
    await one.change({ Cup: 2 })
    expect(await one.lines()).toEqual([['Cup', 2, 1, 'open']])
    expect(await one.order()).toMatchObject({ work_state: 'in_pick' })
    expect(await one.wagon()).toMatchObject({ state: 'paused' })
    expect(await one.pick('Cup', 1)).toMatchObject({ result: 'wagon_done' })
  })

  it('needs no decision about pieces that are missing and no longer asked for', async () => {
    const one = await onList({ Cup: 3, Pot: 1 })
    await one.pick('Cup', 1)
    await one.short('Cup')
    expect(await one.order()).toMatchObject({ short: true })
    await one.change({ Cup: 2, Pot: 1 })
    expect((await lead.send(pickTasks.shorts, { query: one.name })).rows).toMatchObject([{ quantity: 1, decision: null }])
    await one.change({ Cup: 1, Pot: 1 })
    expect(await one.order()).toMatchObject({ short: false, work_state: 'in_pick' })
    expect((await lead.send(pickTasks.shorts, { query: one.name, show: 'done' })).rows).toMatchObject([
      { decision: 'cancel_line', decided_by: 'system' },
    ])
    expect(await one.lines()).toEqual([
      ['Cup', 1, 1, 'picked'],
      ['Pot', 1, 0, 'open'],
    ])
  })

  it('counts what was cancelled here once, when the shop lowers it too', async () => {
    const one = await onList({ Cup: 3 })
    await one.pick('Cup', 1)
    const { short_id } = await one.short('Cup')
    await lead.send(pickTasks.decide, { id: short_id!, body: { decision: 'cancel_line' } })
    expect(await one.books()).toEqual([{ name: 'Cup', qty: 3, cancelled_qty: 2, picked_qty: 1 }])
    expect(await one.change({ Cup: 1 })).toMatchObject({ result: 'updated' })
    expect(await one.books()).toEqual([{ name: 'Cup', qty: 1, cancelled_qty: 0, picked_qty: 1 }])
    expect(await one.backs()).toEqual([])
  })

  it('who orders quite other goods gets all that was picked put back, and those picked in its place', async () => {
    const one = await onList({ Cup: 1 })
    await one.pick('Cup', 1)
    await one.change({ Tray: 1 })
    expect(await one.backs()).toEqual([['Cup', 1, 'order_changed']])
    expect(await one.lines()).toEqual([['Tray', 1, 0, 'open']])
  })

  it('of which nothing is left to pick takes it off the list', async () => {
    const one = await onList({ Cup: 1 })
    await one.change({}, { lines: [{ external_id: 's', type: 'shipping', name: 'Parcel', qty: '1', requires_shipping: false }] })
    expect((await one.wagon()).state).toBe('cancelled')
    expect(await one.order()).toMatchObject({ work_state: 'ready' })
  })

  it('is refused once the order is at a station', async () => {
    const one = await onList({ Cup: 2 })
    await one.pick('Cup', 2)
    await inDb(db => db.updateTable('orders').set({ work_state: 'in_pack', phase: 'in_pack' }).where('id', '=', one.order_id).execute())
    expect(await one.change({ Cup: 1 })).toMatchObject({ result: 'refused', problems: [{ message: storingSentences.packing }] })
  })

  it('never loses a piece, though the change and a pick meet', async () => {
    const one = await onList({ Cup: 4 })
    const [picked, changed] = await Promise.all([one.pick('Cup', 3), one.change({ Cup: 2 })])
    expect(changed).toMatchObject({ result: 'updated' })
    const [[, asked, there]] = (await one.lines()) as [[string, number, number, string]]
    const back = (await one.backs()).reduce((sum, [, n]) => sum + Number(n), 0)
    expect(asked).toBe(2)
    expect(there + back).toBe(picked.ok ? 3 : 0)
    expect((await one.books())[0]!.picked_qty).toBe(there)
  })
})
