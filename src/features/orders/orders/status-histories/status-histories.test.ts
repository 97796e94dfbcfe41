/** What is said to the shop about an order: written once, listed, delivered, and read by the shop's own key alone. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { shopHistories, statusHistories } from './status-histories.contract.ts'

let testApp: TestApp
let operator: TestOperator
let office: TestUser
let order: number

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  office = await operator.hire(['parcels'])
  order = (await placeOrder(testApp.services.database, scopeOfCompany(operator), { external_id: 'e-1' })).id
})
afterAll(() => testApp.close())

it('is written once, newest first, with a row in the outbox that holds no text', async () => {
  const client_id = randomUUID()
  const first = await office.send(statusHistories.add, { id: order, body: { status: 'delayed', comment: 'Waits for the mug', client_id } })
  expect(
    await office.send(statusHistories.add, { id: order, body: { status: 'delayed', comment: 'Waits for the mug', client_id } }),
  ).toEqual(first)
  await office.send(statusHistories.add, { id: order, body: { comment: 'It came in', visible_to_customer: true } })
  const listed = await office.send(statusHistories.list, { id: order })
  expect(listed.map(one => [one.status, one.comment, one.delivered_at])).toEqual([
    ['', 'It came in', null],
    ['delayed', 'Waits for the mug', null],
  ])
  const rows = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.selectFrom('outbox').select(['kind', 'payload']).where('kind', '=', 'order.status_history').orderBy('id').execute(),
  )
  expect(rows.map(row => row.payload)).toMatchObject([{ status: 'delayed', history_id: first.id }, { visible_to_customer: true }])
  expect(JSON.stringify(rows)).not.toContain('mug')
})

it('asks for a status or a text, and is not for strangers', async () => {
  await expect(office.send(statusHistories.add, { id: order, body: {} })).rejects.toMatchObject({ status: 400, code: 'empty_history' })
  const stranger = await (await testApp.operator()).hire(['parcels'])
  await expect(stranger.send(statusHistories.list, { id: order })).rejects.toMatchObject({ status: 404 })
  await expect(stranger.send(statusHistories.add, { id: order, body: { comment: 'x' } })).rejects.toMatchObject({ status: 404 })
})

it('is read by the key of its shop from a number on, and not by another shop of the warehouse', async () => {
  const admin = await operator.hire(['admin'])
  const { key } = await admin.send(cmsKeys.create, { body: { name: 'Shop' } })
  const headers = { authorization: key }
  const read = (after: number) => testApp.visitor(operator.main).send(shopHistories.read, { after, limit: 1 }, { headers })
  const first = await read(0)
  expect(first).toMatchObject({ rows: [{ seq: 1, external_id: 'e-1', status: 'delayed', comment: 'Waits for the mug' }], more: true })
  expect(await read(1)).toMatchObject({ rows: [{ seq: 2, comment: 'It came in', visible_to_customer: true }], more: false })
  expect((await read(2)).rows).toEqual([])
  const other = await (await operator.hire(['admin'], operator.shops[0])).send(cmsKeys.create, { body: { name: 'Other' } })
  const theirs = await testApp.visitor(operator.shops[0]!).send(shopHistories.read, {}, { headers: { authorization: other.key } })
  expect(theirs.rows).toEqual([])
})
