/** Live notices: to those whom they concern, after the change and never before it. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { session } from '#contract/session.ts'
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

/** Listens as a screen does; `heard` grows. */
async function listen(
  worker: TestUser,
  missed = 0,
): Promise<{ heard: string[]; stop(): void; status: number; answer?: http.IncomingMessage }> {
  const heard: string[] = []
  return new Promise((resolve, reject) => {
    const request = http.get(
      {
        host: '127.0.0.1',
        port,
        path: `/api/${worker.company.code}/live?missed=${missed}`,
        headers: { host: `${worker.company.code}.localhost`, authorization: worker.token },
      },
      answer => {
        const stop = () => request.destroy()
        if (answer.statusCode !== 200) return resolve({ heard, stop, status: answer.statusCode ?? 0 })
        answer.on('data', part => {
          heard.push(String(part))
          if (String(part).includes('ready')) resolve({ heard, stop, status: 200, answer })
        })
        answer.on('error', () => undefined)
      },
    )
    request.on('error', reject)
  })
}

const told = async (heard: string[], text: string): Promise<boolean> => {
  for (let tries = 0; tries < 3_000 && !heard.join('').includes(text); tries++) await new Promise(resolve => setTimeout(resolve, 10))
  return heard.join('').includes(text)
}
const notice = (company_id: number, id: number) =>
  testApp.services.notifier.publish([{ topic: 'order', id, operator_id: operator.operator_id, company_id }])

describe('a live stream', () => {
  it('names what changed, and nothing of what it is', async () => {
    const worker = await operator.hire(['parcels'])
    const stream = await listen(worker)
    notice(operator.main.id, 42)
    expect(await told(stream.heard, '"id":42')).toBe(true)
    expect(stream.heard.join('')).toContain(`data: {"topic":"order","id":42,"company_id":${operator.main.id}}`)
    stream.stop()
  })

  it('tells main-company staff of their shops, shops only of themselves, and other operators nothing', async () => {
    const shop = operator.shops[0]!
    const stranger = await (await testApp.operator()).hire(['admin'])
    const [main, own, foreign] = await Promise.all([
      listen(await operator.hire(['admin'])),
      listen(await operator.hire(['admin'], shop)),
      listen(stranger),
    ])
    notice(operator.main.id, 7001)
    notice(shop.id, 7002)
    expect(await told(main.heard, '7001')).toBe(true)
    expect(await told(main.heard, '7002')).toBe(true)
    expect(await told(own.heard, '7002')).toBe(true)
    expect(own.heard.join('')).not.toContain('7001')
    expect(foreign.heard.join('')).not.toMatch(/700[12]/)
    for (const stream of [main, own, foreign]) stream.stop()
  })

  it('tells again what was told while it was on its way, to those whom it concerns', async () => {
    const [main, stranger] = [await operator.hire(['parcels']), await (await testApp.operator()).hire(['admin'])]
    // So long the house must have listened itself before it can vouch for three seconds, and one for the way.
    await new Promise(resolve => setTimeout(resolve, 4_100))
    notice(operator.main.id, 8501)
    const [late, onTime, foreign] = await Promise.all([listen(main, 3_000), listen(main), listen(stranger, 3_000)])
    expect(await told(late.heard, '8501')).toBe(true)
    expect(late.heard.join('').match(/event: ready/g)).toHaveLength(1)
    expect([...onTime.heard, ...foreign.heard].join('')).not.toContain('8501')
    for (const stream of [late, onTime, foreign]) stream.stop()
  })

  it('has everything asked for anew where nobody remembers what was told since', async () => {
    const worker = await operator.hire(['parcels'])
    const asksAnew = async (missed: number) => {
      const stream = await listen(worker, missed)
      expect(await told(stream.heard, 'event: ready\ndata: {}\n\nevent: ready')).toBe(true)
      stream.stop()
    }
    await asksAnew(60_000)
    for (let i = 0; i < 2_000; i++) notice(operator.main.id, 9_000)
    await asksAnew(50)
  })

  it('that is read too slowly is told to ask for everything anew, once', async () => {
    const stream = await listen(await operator.hire(['parcels']))
    for (let i = 0; i < 600; i++) notice(operator.main.id, 100_000 + i)
    expect(await told(stream.heard, '100599')).toBe(true)
    const heard = stream.heard.join('')
    expect(heard.match(/event: ready/g)).toHaveLength(2)
    expect(heard).not.toContain('100001')
    stream.stop()
  })

  it('ends soon after its session', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const worker = await operator.hire(['parcels'])
      const stream = await listen(worker)
      await vi.advanceTimersByTimeAsync(21_000)
      await expect.poll(() => stream.heard.join('')).toContain('still here')
      await worker.send(session.logout, {})
      const over = new Promise(resolve => stream.answer?.once('close', resolve))
      await vi.advanceTimersByTimeAsync(21_000)
      await over
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
    const heard: number[] = []
    other.subscribe(
      one => heard.push(one.id ?? 0),
      () => undefined,
    )
    notice(operator.main.id, 8001)
    for (let tries = 0; tries < 3_000 && !heard.includes(8001); tries++) await new Promise(resolve => setTimeout(resolve, 10))
    // Notices of an earlier test may still have been on their way; this one comes once.
    expect(heard.filter(id => id === 8001)).toEqual([8001])
    await other.close()
  })
  it('reaches them also when this server was cut off meanwhile: one by one, or in one word where it was too much', async () => {
    const { openChangeNotifier } = await import('#platform/notifications/change-notifier.ts')
    const wire = await openTcpProxy(testApp.url)
    const other = await openChangeNotifier(testApp.url, () => undefined)
    const cutOff = await openChangeNotifier(wire.url, () => undefined)
    const heard: number[] = []
    let missed = 0
    other.subscribe(
      one => heard.push(one.id ?? 0),
      () => missed++,
    )
    const tell = (...ids: number[]) =>
      cutOff.publish(ids.map(id => ({ topic: 'order', id, operator_id: operator.operator_id, company_id: operator.main.id })))
    try {
      await wire.cut()
      tell(9001)
      await new Promise(resolve => setTimeout(resolve, 200))
      tell(9002)
      wire.release()
      // Notices of an earlier test may still have been on their way.
      await expect.poll(() => heard.filter(id => id > 9000), { timeout: 60_000 }).toEqual([9001, 9002])
      expect(missed).toBe(0)

      await wire.cut()
      tell(...Array.from({ length: 6_000 }, (_, n) => 10_000 + n))
      wire.release()
      await expect.poll(() => missed, { timeout: 60_000 }).toBe(1)
    } finally {
      await cutOff.close()
      await other.close()
      await wire.close()
    }
  })
})
