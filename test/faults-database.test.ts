/** A database that hangs, disappears or disconnects: every request ends soon with a correct sentence, and the server recovers when it is back. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '../src/app/demo/builders.ts'
import { orderComments } from '../src/features/orders/orders/comments/order-comments.contract.ts'
import { orderLocks } from '../src/features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '../src/features/orders/orders/orders.contract.ts'
import { packing } from '../src/features/packing/packing/packing.contract.ts'
import { placeOrder, placeOrderOnce } from './orders.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from './test-app.ts'

let wire: TcpProxy
let testApp: TestApp
let root: pg.Client
let operator: TestOperator
let clerk: TestUser
let order_id: number

beforeAll(async () => {
  testApp = await openTestApp({}, async url => {
    wire = await openTcpProxy(url)
    return wire.url
  })
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  operator = await testApp.operator()
  clerk = await operator.hire(['parcels', 'parcels_admin'])
  ;({ id: order_id } = await placeOrder(testApp.services.database, scopeOfCompany(operator)))
  await testApp.startWorkers()
})
afterAll(async () => {
  wire.release()
  await root.end()
  await testApp.close()
  await wire.close()
})

const write = (text: string) => clerk.ask(orderComments.add, { id: order_id, type: 'info', body: { comment: text } })
const read = () => clerk.ask(orders.get, { id: order_id })
const vital = (path: string) => testApp.app.inject({ method: 'GET', url: path, headers: { host: 'x' } })
const kept = async (text: string) => (await root.query('select 1 from order_comments where comment = $1', [text])).rowCount

async function timed<T>(work: () => Promise<T>): Promise<{ took: number; answer: T }> {
  const began = performance.now()
  const answer = await work()
  return { took: performance.now() - began, answer }
}
async function untilWell(): Promise<void> {
  for (const until = Date.now() + 40_000; ; await pause(100)) {
    const { statusCode } = await vital('/readyz')
    if (statusCode === 200) return
    if (Date.now() > until) throw new Error('It is not ready again')
  }
}
const sentence = { statusCode: 503, message: 'The database does not answer at the moment. Nothing was changed. Try again.' }
const replyOf = (answer: Awaited<ReturnType<typeof read>>) => ({
  statusCode: answer.statusCode,
  message: (answer.json() as { message?: string }).message,
})

describe('a database that hangs', () => {
  it('blocks no request for long: waiting requests fail, new requests fail at once, and it recovers by itself', async () => {
    expect((await read()).statusCode).toBe(200)
    wire.hold()
    const waiting = await timed(() => Promise.all([read(), write('While it hangs'), read(), read()]))
    expect(waiting.took).toBeLessThan(20_000)
    for (const answer of waiting.answer) expect(replyOf(answer)).toEqual(sentence)
    const ready = await timed(() => vital('/readyz'))
    expect(ready).toMatchObject({ answer: { statusCode: 503, body: 'the database does not answer' } })
    expect(ready.took).toBeLessThan(10_000)
    expect(await vital('/healthz')).toMatchObject({ statusCode: 200 })
    const late = await timed(() => Promise.all(Array.from({ length: 60 }, () => read())))
    expect(late.took).toBeLessThan(10_000)
    for (const answer of late.answer) expect(replyOf(answer)).toEqual(sentence)
    wire.release()
    await untilWell()
    expect((await read()).statusCode).toBe(200)
    expect(await kept('While it hangs')).toBe(0)
    expect((await write('After it hung')).statusCode).toBeLessThan(300)
    expect(await kept('After it hung')).toBe(1)
  })

  it('answers the readiness check within its time limit, also before the hang is detected', async () => {
    await untilWell()
    wire.hold()
    const { took, answer } = await timed(() => vital('/readyz'))
    wire.release()
    expect(answer.statusCode).toBe(503)
    expect(took).toBeLessThan(10_000)
    await untilWell()
  })
})

describe('a database that disconnects', () => {
  it('before a change is saved: nothing was changed, and the answer says so', async () => {
    await untilWell()
    wire.cutAfter('insert into "order_comments"')
    expect(replyOf(await write('Cut before'))).toEqual(sentence)
    expect(await kept('Cut before')).toBe(0)
  })

  it('while a change is saved: the answer does not say that nothing was changed, for it was', async () => {
    await untilWell()
    wire.cutAfter('insert into "order_comments"', 'commit')
    const answer = await write('Cut while saving')
    expect(replyOf(answer)).toEqual({
      statusCode: 503,
      message: 'The database broke off while this was being saved. Look whether it was done before you try again.',
    })
    expect(await kept('Cut while saving')).toBe(1)
  })

  it('during a read: the read is repeated and succeeds', async () => {
    await untilWell()
    wire.cutAfter('987654321')
    expect(replyOf(await clerk.ask(orders.get, { id: 987_654_321 }))).toEqual({ statusCode: 404, message: 'Order not found' })
  })

  it('while a scan and its commit travel together: the same scan, sent again, gets its first result and counts once', async () => {
    await untilWell()
    const packer = await operator.hire(['scan'])
    const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator))
    await packer.send(packing.start, { id, body: { station: 'Bench 1' } })
    const scan = { scan_id: randomUUID(), code: '5701234567890' }
    wire.cutAfter('insert into packing_scans')
    const answer = await packer.ask(packing.scan, { id, body: scan })
    expect(replyOf(answer)).toEqual({
      statusCode: 503,
      message: 'The database broke off while this was being saved. Look whether it was done before you try again.',
    })
    await untilWell()
    expect(await packer.send(packing.scan, { id, body: scan })).toMatchObject({ result: 'ok', packed: 1 })
    expect(await packer.send(packing.get, { id })).toMatchObject({ packed: 1 })
  })
})

describe('an order that a test places on such a database', () => {
  it('is placed once although its commit is not confirmed: its external id finds it again', async () => {
    await untilWell()
    const external_id = randomUUID()
    wire.cutAfter(external_id, 'commit')
    const placed = await placeOrderOnce(testApp.services.database, scopeOfCompany(operator), { external_id })
    const { rows } = await root.query('select id::int from orders where external_id = $1', [external_id])
    expect(rows).toEqual([{ id: placed.id }])
    expect(placed.lines.length).toBe(2)
  })
})

describe('a row that another transaction locks', () => {
  it('is waited for a few seconds, and then the answer says so', async () => {
    await untilWell()
    const lead = await operator.hire(['parcels_admin'])
    await root.query('begin')
    await root.query('select from orders where id = $1 for update', [order_id])
    const { took, answer } = await timed(() => lead.ask(orderLocks.lock, { id: order_id, body: { note: 'Wait' } }))
    await root.query('rollback')
    expect(replyOf(answer)).toEqual({ statusCode: 409, message: 'Someone else is changing this right now. Try again.' })
    expect(took).toBeLessThan(10_000)
  })

  it('is free within seconds when its holder dies during a statement', async () => {
    await untilWell()
    const dying = new pg.Client({ connectionString: testApp.url })
    dying.on('error', () => undefined)
    await dying.connect()
    await dying.query('begin')
    await dying.query('select from orders where id = $1 for update', [order_id])
    const asked = dying.query('select pg_sleep(60)').catch(() => undefined)
    const asks = async () => (await root.query(`select 1 from pg_stat_activity where query = 'select pg_sleep(60)'`)).rowCount
    await expect.poll(asks).toBe(1)
    ;(dying as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
    await asked
    const lead = await operator.hire(['parcels_admin'])
    await lead.send(orderLocks.lock, { id: order_id, body: { note: 'It is free' } })
  })
})

describe('a database that is gone for a while', () => {
  it('is found again by all its listeners, and screens then reload everything', async () => {
    await untilWell()
    let missed = 0
    const received: string[] = []
    const stop = testApp.services.notifier.subscribe(
      notice => received.push(notice.topic),
      () => missed++,
    )
    await wire.cut()
    expect(replyOf(await write('While it is gone'))).toEqual(sentence)
    await pause(3_500)
    wire.release()
    await untilWell()
    await expect.poll(() => missed).toBe(1)
    // What another server says is received again.
    const items = [{ topic: 'order', id: 1, operator_id: operator.operator_id, company_id: operator.main.id }]
    await root.query('select pg_notify($1, $2)', ['pakhus_live', JSON.stringify({ from: 'another server', items })])
    await expect.poll(() => received).toContain('order')
    stop()
    // And the queue works on.
    const { rows } = await root.query<{ id: string }>(
      `select id from graphile_worker.add_job('labels.book', json_build_object('shipment_id', 0, 'carried', json_build_object('operator_id', $1::int, 'company_id', $2::int, 'companies', array[$2::int], 'user_id', 0, 'user_name', 'x', 'station', '')))`,
      [operator.operator_id, operator.main.id],
    )
    await expect
      .poll(async () => (await root.query('select 1 from graphile_worker._private_jobs where id = $1', [rows[0]?.id])).rowCount)
      .toBe(0)
  })
})
