/** Exports as jobs: the list as it is filtered and sorted, its columns, its limits, and what a person's erasure does to the files. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import readWorkbook from 'read-excel-file/universal'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { tags } from '#features/company/tags/tags.contract.ts'
import { copyOrder, placeOrder } from '#test/orders.ts'
import { placeShipment } from '#test/shipments.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { eraseOrderExports } from './erase-order-exports.commands.ts'
import { orderExports } from './order-exports.contract.ts'

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  operator = await testApp.operator({ shops: 1 })
  clerk = await operator.hire(['parcels'])
  for (const [order_no, name, ship_by] of [
    ['E-3', '=1+1', '2026-11-26T10:00:00Z'],
    ['E-1', 'Bo; "B"', '2026-11-27T10:00:00Z'],
    ['E-2', 'Åse', '2026-11-25T10:00:00Z'],
  ] as const)
    await placeOrder(testApp.services.database, scopeOfCompany(operator), { order_no, tags: ['export'], customer: { name }, ship_by })
  await placeOrder(testApp.services.database, scopeOfCompany(operator), { order_no: 'E-4' })
})
afterAll(() => testApp.close())

type Asked = Parameters<typeof clerk.send<typeof orderExports.start>>[1]['body']
const make = async (body: Asked) => {
  const { job_id } = await clerk.send(orderExports.start, { body })
  await vi.waitFor(async () => expect((await clerk.send(jobs.get, { id: job_id })).state).toBe('done'), { timeout: 20_000, interval: 50 })
  const { payload, headers, rawPayload } = await clerk.ask(jobs.file, { id: job_id })
  return { job_id, text: payload, bytes: rawPayload, type: String(headers['content-type']) }
}

describe('an export', () => {
  it('holds the filtered list in its order, with the chosen columns in theirs', async () => {
    const numbers = async (sort: Asked['sort']) => {
      const { text } = await make({ format: 'csv', columns: ['customer_name', 'order_no'], filters: { tag: 'export' }, sort })
      const rows = parse(text, { columns: true, bom: true }) as { order_no: string }[]
      return rows.map(row => row.order_no)
    }
    expect(await numbers('newest')).toEqual(['E-2', 'E-1', 'E-3'])
    expect(await numbers('oldest')).toEqual(['E-3', 'E-1', 'E-2'])
    expect(await numbers('order_no')).toEqual(['E-1', 'E-2', 'E-3'])
    expect(await numbers('ship_by')).toEqual(['E-2', 'E-3', 'E-1'])
  })

  it('names the tags of an order and the words of its shop, and the parcels on their way, also those of the order it went with', async () => {
    const scope = scopeOfCompany(operator)
    const { database } = testApp.services
    const sent = await placeShipment(database, scope, { order: { order_no: 'T-1', tags: ['parcels', 'Fragile'] } })
    const cancelled = await placeShipment(database, scope, { order: { order_no: 'T-2', tags: ['parcels'] }, state: 'cancelled' })
    const joined = await placeOrder(database, scope, { order_no: 'T-3', tags: ['parcels'] })
    await database.transaction(scope, db =>
      db.updateTable('orders').set({ combined_into: sent.order_id }).where('id', '=', joined.id).execute(),
    )
    const lead = await operator.hire(['admin'])
    await lead.send(tags.create, { body: { name: 'VIP' } })
    await lead.send(tags.apply, { body: { object: 'order', ids: [cancelled.order_id], add: ['VIP'], remove: [] } })
    const { text } = await make({
      format: 'csv',
      columns: ['order_no', 'tracking_no', 'tags'],
      filters: { tag: 'parcels' },
      sort: 'order_no',
    })
    expect(parse(text, { bom: true, from_line: 2 })).toEqual([
      ['T-1', sent.tracking_no, 'Fragile, parcels'],
      ['T-2', '', 'parcels, VIP'],
      ['T-3', sent.tracking_no, 'parcels'],
    ])
  })

  it('holds each order once when it is read in several steps', async () => {
    const scope = scopeOfCompany(operator)
    const { id } = await placeOrder(testApp.services.database, scope, { order_no: 'S-0', tags: ['steps'], ship_by: '2026-11-27T10:00:00Z' })
    await testApp.services.database.transaction(scope, async db => {
      await copyOrder(db, id, 2_000)
      await sql`update orders set phase = 'held' where operator_id = current_operator_id() and id > ${id} and id % 3 = 0`.execute(db)
    })
    const exported = async (asked: Pick<Asked, 'filters' | 'sort'>) => {
      const { text } = await make({ format: 'csv', columns: ['order_no'], ...asked })
      return (parse(text, { bom: true, from_line: 2 }) as string[][]).map(([order_no = '']) => order_no)
    }
    for (const sort of ['newest', 'oldest', 'order_no', '-order_no', 'ship_by', '-ship_by'] as const) {
      const numbers = await exported({ filters: { tag: 'steps' }, sort })
      expect([sort, numbers.length, new Set(numbers).size]).toEqual([sort, 2_001, 2_001])
      expect(await exported({ filters: { tag: 'steps', phase: ['ready', 'held'] }, sort })).toEqual(numbers)
    }
  })

  it('of a search holds what it finds', async () => {
    const { text } = await make({ format: 'csv', columns: ['order_no'], filters: { query: 'E-2' }, sort: 'order_no' })
    expect(text).toBe('\uFEFForder_no\r\nE-2\r\n')
  })

  it('as CSV leads formulas with an apostrophe, and is written as its reader writes numbers', async () => {
    const { text, type } = await make({
      format: 'csv',
      columns: ['order_no', 'customer_name', 'total_incl_vat'],
      filters: { tag: 'export' },
      sort: 'order_no',
      locale: 'de_DE',
    })
    const lines = text.split('\r\n')
    expect(type).toMatch(/^text\/csv/)
    expect(elementAt(lines, 1)).toMatch(/^E-1;"Bo; ""B""";/)
    expect(elementAt(lines, 3)).toMatch(/^E-3;'=1\+1;/)
  })

  it('as a workbook has the same rows, with formulas as text', async () => {
    const { bytes, type } = await make({
      format: 'xlsx',
      columns: ['order_no', 'customer_name', 'items'],
      filters: { tag: 'export' },
      sort: 'order_no',
    })
    expect(type).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    const [sheet] = await readWorkbook(new Blob([new Uint8Array(bytes)]))
    expect(sheet?.data).toEqual([
      ['order_no', 'customer_name', 'items'],
      ['E-1', 'Bo; "B"', 3],
      ['E-2', 'Åse', 3],
      ['E-3', '=1+1', 3],
    ])
  })

  it('belongs to its company, and is erased with any person, since it can be made again', async () => {
    const { job_id } = await make({ format: 'csv' })
    const shop = await operator.hire(['parcels'], elementAt(operator.shops, 0))
    expect((await shop.ask(jobs.file, { id: job_id })).statusCode).toBe(404)
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      eraseOrderExports.erase(db, { words: ['unknown'], order_ids: [], customer_ids: [] }, new Date()),
    )
    expect((await clerk.ask(jobs.file, { id: job_id })).statusCode).toBe(404)
  })
})
