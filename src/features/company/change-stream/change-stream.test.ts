/** Change notifications reach the users that they concern, and only after the commit. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { session } from '#contract/session.ts'
import type { ChangeTopic } from '#contract/topics.ts'
import { openTcpProxy } from '#test/tcp-proxy.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
let port: number
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  port = (testApp.app.server.address() as AddressInfo).port
})
afterAll(() => testApp.close())

/** Subscribes as a screen does; received notifications are appended to `received`. */
async function listen(
  worker: TestUser,
  missed = 0,
  topics?: string,
): Promise<{ received: string[]; stop(): void; status: number; answer?: http.IncomingMessage }> {
  const received: string[] = []
  return new Promise((resolve, reject) => {
    const request = http.get(
      {
        host: '127.0.0.1',
        port,
        path: `/api/${worker.company.code}/live?missed=${missed}${topics === undefined ? '' : `&topics=${topics}`}`,
        headers: { host: `${worker.company.code}.localhost`, authorization: worker.token },
      },
      answer => {
        const stop = () => request.destroy()
        if (answer.statusCode !== 200) return resolve({ received, stop, status: answer.statusCode ?? 0 })
        answer.on('data', part => {
          received.push(String(part))
          if (String(part).includes('ready')) resolve({ received, stop, status: 200, answer })
        })
        answer.on('error', () => undefined)
      },
    )
    request.on('error', reject)
  })
}

const arrives = async (received: string[], text: string): Promise<boolean> => {
  for (let tries = 0; tries < 3_000 && !received.join('').includes(text); tries++) await new Promise(resolve => setTimeout(resolve, 10))
  return received.join('').includes(text)
}
const notice = (company_id: number, id: number) =>
  testApp.services.notifier.publish([{ topic: 'order', id, operator_id: operator.operator_id, company_id }])

const publish = (topic: ChangeTopic, id?: number) =>
  testApp.services.notifier.publish([
    { topic, ...(id !== undefined && { id }), operator_id: operator.operator_id, company_id: operator.main.id },
  ])

describe('a change stream', () => {
  it('names what changed, without its content', async () => {
    const worker = await operator.hire(['parcels'])
    const stream = await listen(worker)
    notice(operator.main.id, 42)
    expect(await arrives(stream.received, '"id":42')).toBe(true)
    expect(stream.received.join('')).toContain(`data: [{"topic":"order","id":42,"company_id":${operator.main.id}}]\n\n`)
    stream.stop()
  })

  it('sends main-company staff notifications of their shops, shops only their own, and other operators none', async () => {
    const shop = operator.shops[0]!
    const stranger = await (await testApp.operator()).hire(['admin'])
    const [main, own, foreign] = await Promise.all([
      listen(await operator.hire(['admin'])),
      listen(await operator.hire(['admin'], shop)),
      listen(stranger),
    ])
    notice(operator.main.id, 7001)
    notice(shop.id, 7002)
    expect(await arrives(main.received, '7001')).toBe(true)
    expect(await arrives(main.received, '7002')).toBe(true)
    expect(await arrives(own.received, '7002')).toBe(true)
    expect(own.received.join('')).not.toContain('7001')
    expect(foreign.received.join('')).not.toMatch(/700[12]/)
    for (const stream of [main, own, foreign]) stream.stop()
  })

  it('repeats the notifications sent while it was opening, to the users that they concern', async () => {
    const [main, stranger] = [await operator.hire(['parcels']), await (await testApp.operator()).hire(['admin'])]
    // The server must have listened that long itself to be sure of three seconds, plus one for the delivery.
    await new Promise(resolve => setTimeout(resolve, 4_100))
    notice(operator.main.id, 8501)
    const [late, onTime, foreign] = await Promise.all([listen(main, 3_000), listen(main), listen(stranger, 3_000)])
    expect(await arrives(late.received, '8501')).toBe(true)
    expect(late.received.join('').match(/event: ready/g)).toHaveLength(1)
    expect([...onTime.received, ...foreign.received].join('')).not.toContain('8501')
    for (const stream of [late, onTime, foreign]) stream.stop()
  })

  it('has everything reloaded where recent notifications are not kept', async () => {
    const worker = await operator.hire(['parcels'])
    const asksAnew = async (missed: number) => {
      const stream = await listen(worker, missed)
      expect(await arrives(stream.received, 'event: ready\ndata: {}\n\nevent: ready')).toBe(true)
      stream.stop()
    }
    await asksAnew(60_000)
    for (let i = 0; i < 2_000; i++) notice(operator.main.id, 9_000)
    await asksAnew(50)
  })

  it('gets many changes in one frame, each once', async () => {
    const stream = await listen(await operator.hire(['parcels']))
    const before = stream.received.length
    for (let i = 0; i < 30; i++) notice(operator.main.id, 300_001 + (i % 3))
    expect(await arrives(stream.received, '300003')).toBe(true)
    expect(
      stream.received
        .slice(before)
        .join('')
        .match(/event: changed/g),
    ).toHaveLength(1)
    expect(stream.received.join('').match(/"id":300001/g)).toHaveLength(1)
    stream.stop()
  })

  it('gets one message to reload everything instead of more than 500 changes', async () => {
    const stream = await listen(await operator.hire(['parcels']))
    for (let i = 0; i < 600; i++) notice(operator.main.id, 100_000 + i)
    await expect.poll(() => stream.received.join('').match(/event: ready/g)).toHaveLength(2)
    expect(stream.received.join('')).not.toContain('100001')
    stream.stop()
  })

  it('names only what the screen shows: all objects of a topic, or one of them', async () => {
    const worker = await operator.hire(['parcels'])
    const [products, one] = await Promise.all([listen(worker, 0, 'product'), listen(worker, 0, 'order:51,product')])
    notice(operator.main.id, 50)
    notice(operator.main.id, 51)
    publish('product', 52)
    // Without an id it concerns every object of its topic.
    publish('order')
    expect(await arrives(one.received, '"id":52')).toBe(true)
    expect(await arrives(products.received, '"id":52')).toBe(true)
    expect(one.received.join('')).toContain(`[{"topic":"order","id":51,"company_id":${operator.main.id}}`)
    expect(one.received.join('')).toContain(`{"topic":"order","company_id":${operator.main.id}}`)
    expect(one.received.join('')).not.toContain('"id":50')
    expect(products.received.join('')).not.toContain('"order"')
    for (const stream of [products, one]) stream.stop()
  })

  it.each(['orders', 'order:x', 'order:0', `order:${'1'.repeat(20)}`, Array.from({ length: 201 }, (_, i) => `order:${i + 1}`).join()])(
    'refuses topics that do not exist and more than 200 of them: %.12s',
    async topics => {
      expect((await listen(await operator.hire(['parcels']), 0, topics)).status).toBe(400)
    },
  )

  it('is refused where a user has 20 open already', async () => {
    const worker = await operator.hire(['parcels'])
    const open = await Promise.all(Array.from({ length: 20 }, () => listen(worker)))
    expect(open.map(stream => stream.status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect((await listen(worker)).status).toBe(429)
    expect((await listen(await operator.hire(['parcels']))).status).toBe(200)
    for (const stream of open) stream.stop()
    await expect.poll(async () => (await listen(worker)).status, { timeout: 10_000 }).toBe(200)
  })

  it('is refused where a company has 200 open already', async () => {
    const crowd = await testApp.operator()
    const workers = await Promise.all(Array.from({ length: 11 }, () => crowd.hire(['parcels'])))
    const streams = await Promise.all(Array.from({ length: 201 }, (_, i) => listen(workers[Math.floor(i / 19)]!)))
    expect(streams.filter(stream => stream.status === 429)).toHaveLength(1)
    for (const stream of streams) stream.stop()
  })

  const endsSoon = async (change: (worker: TestUser) => Promise<unknown>) => {
    const worker = await operator.hire(['parcels'])
    const stream = await listen(worker)
    const began = Date.now()
    const over = new Promise(resolve => stream.answer?.once('close', resolve))
    await change(worker)
    await over
    expect(Date.now() - began).toBeLessThan(8_000)
  }

  it('ends soon after its user signs out', () => endsSoon(worker => worker.send(session.logout, {})))

  it('ends soon after its session expires or its user is removed, without any notice of it', async () => {
    for (const end of [
      (id: number) => `update sessions set expires_at = now() - interval '1 second' where user_id = ${id}`,
      (id: number) => `update users set removed_at = now() where id = ${id}`,
      (id: number) => `update users set permission = '{}' where id = ${id}`,
    ])
      await endsSoon(worker =>
        testApp.services.database.systemTransaction('a session ends', db => sql.raw(end(worker.user_id)).execute(db)),
      )
  })

  it('says now and then that it is still there', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const stream = await listen(await operator.hire(['parcels']))
      await vi.advanceTimersByTimeAsync(21_000)
      await expect.poll(() => stream.received.join('')).toContain('still here')
      stream.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not opened without a session', async () => {
    const { status } = await listen(testApp.visitor(operator.main))
    expect(status).toBe(401)
  })

  it('reaches the other servers of the deployment', async () => {
    const { openChangeNotifier } = await import('#platform/notifications/change-notifier.ts')
    const other = await openChangeNotifier(testApp.url, () => undefined)
    const received: number[] = []
    other.subscribe(
      one => received.push(one.id ?? 0),
      () => undefined,
    )
    notice(operator.main.id, 8001)
    for (let tries = 0; tries < 3_000 && !received.includes(8001); tries++) await new Promise(resolve => setTimeout(resolve, 10))
    // Notifications of an earlier test may still arrive; this one arrives once.
    expect(received.filter(id => id === 8001)).toEqual([8001])
    await other.close()
  })
  it('reaches them also when this server was disconnected meanwhile: one by one, or as one reload message where there were too many', async () => {
    const { openChangeNotifier } = await import('#platform/notifications/change-notifier.ts')
    const wire = await openTcpProxy(testApp.url)
    const other = await openChangeNotifier(testApp.url, () => undefined)
    const cutOff = await openChangeNotifier(wire.url, () => undefined)
    const received: number[] = []
    let missed = 0
    other.subscribe(
      one => received.push(one.id ?? 0),
      () => missed++,
    )
    const publish = (...ids: number[]) =>
      cutOff.publish(ids.map(id => ({ topic: 'order', id, operator_id: operator.operator_id, company_id: operator.main.id })))
    try {
      await wire.cut()
      publish(9001)
      await new Promise(resolve => setTimeout(resolve, 200))
      publish(9002)
      wire.release()
      // Notifications of an earlier test may still arrive.
      await expect.poll(() => received.filter(id => id > 9000), { timeout: 60_000 }).toEqual([9001, 9002])
      expect(missed).toBe(0)

      await wire.cut()
      publish(...Array.from({ length: 6_000 }, (_, n) => 10_000 + n))
      wire.release()
      await expect.poll(() => missed, { timeout: 60_000 }).toBe(1)
    } finally {
      await cutOff.close()
      await other.close()
      await wire.close()
    }
  })
})
