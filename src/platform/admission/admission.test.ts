/** Admission on a real server: a company with too many requests waits or is refused, and others do not notice. Handlers are held by the test. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { features } from '#app/features.ts'
import { call, contract } from '#contract/endpoint.ts'
import { implement } from '#platform/http/feature-module.ts'
import { createHttpServer } from '#platform/http/http-server.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { type Admission, createAdmission, databaseLimits } from './admission.ts'

const testSchemas = {
  calls: {
    search: {},
    scan: {},
    change: { body: z.object({ n: z.number() }) },
    outside: {},
    delivery: { body: z.object({ text: z.string() }) },
    stream: {},
  },
}
const testCalls = contract<typeof testSchemas>({ name: 'test', area: 'company', access: 'user' }).calls({
  search: call('GET test/search', { workClass: 'search' }),
  scan: call('POST test/scan', { workClass: 'scan' }),
  change: call('POST test/change'),
  outside: call('POST test/outside', { workClass: 'bulk', external: true }),
  delivery: call('POST test/delivery', { workClass: 'bulk', changeUpTo: 100, external: true }),
  stream: call('GET test/stream', { media: 'text/event-stream', external: true }),
})

/** Handlers that are held until all are released; what begins later ends at once. */
let held: (() => void)[] = []
let holding = true
const hold = async () => {
  if (holding) await new Promise<void>(resolve => held.push(resolve))
}
const release = () => {
  holding = false
  for (const go of held.splice(0)) go()
}
const module = implement(testCalls, testSchemas, {
  search: hold,
  scan: async () => undefined,
  change: async () => undefined,
  async outside(_, { transaction }) {
    await hold()
    await transaction(async () => undefined)
  },
  delivery: async (_, { transaction }) => transaction(async () => undefined),
  stream: async () => ({ bytes: (async function* () {})(), media_type: 'text/event-stream' }),
})

/** Waits as long as a slow machine needs: the first requests of a server take seconds where others use its processors. */
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 20 })

let testApp: TestApp
let busy: TestOperator
let other: TestOperator
let searcher: TestUser
let packer: TestUser
let admission: Admission
let server: FastifyInstance
const waits: string[] = []
beforeAll(async () => {
  testApp = await openTestApp()
  busy = await testApp.operator()
  other = await testApp.operator()
  searcher = await busy.hire(['parcels'])
  packer = await other.hire(['scan'])
  // On a busy machine seconds may lie between two lines of a test: a company that worked once counts as working until the end.
  admission = createAdmission({
    connections: 24,
    processors: 2,
    aloneAfter: Number.POSITIVE_INFINITY,
    onBegin: work => void waits.push(work),
  })
  server = createHttpServer({ ...testApp.services, admission }, testApp.identities, [module])
  await server.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(() => {
  held = []
  holding = true
})
// What a failed test leaves held would hold the tests after it, too.
afterEach(release)
afterAll(async () => {
  await server.close()
  await testApp.close()
})

const send = (user: TestUser, method: 'GET' | 'POST', path: string, payload?: object) =>
  server.inject({
    method,
    url: `/api/${user.company.code}/test/${path}`,
    headers: { host: `${user.company.code}.localhost`, authorization: user.token },
    ...(payload && { payload }),
  })
const search = (user: TestUser) => send(user, 'GET', 'search')

describe('a company with many searches', () => {
  it('runs one of them at once on two processors, while another company’s searches and scans begin at once', async () => {
    await send(packer, 'POST', 'scan')
    const sent = Array.from({ length: 24 }, () => search(searcher))
    await until(() => expect(admission.queue.waiting('search')).toBe(23))
    expect(held).toHaveLength(1)
    expect((await send(packer, 'POST', 'scan')).statusCode).toBe(204)
    const theirs = search(packer)
    await until(() => expect(held).toHaveLength(2))
    release()
    const answers = await Promise.all([...sent, theirs])
    expect(answers.filter(answer => answer.statusCode !== 204)).toEqual([])
  })

  it('scans and changes at once itself', async () => {
    await send(packer, 'POST', 'scan')
    const sent = Array.from({ length: 24 }, () => search(searcher))
    await until(() => expect(admission.queue.waiting('search')).toBe(23))
    expect((await send(searcher, 'POST', 'scan')).statusCode).toBe(204)
    expect((await send(searcher, 'POST', 'change', { n: 1 })).statusCode).toBe(204)
    release()
    await Promise.all(sent)
  })

  it('is refused more than can wait, with the seconds after which to try again; another company’s scan passes', async () => {
    await send(packer, 'POST', 'scan')
    const sent = Array.from({ length: 501 }, () => search(searcher))
    await until(() => expect(admission.queue.waiting('search')).toBe(500))
    const refused = await server.inject({
      url: `/api/${searcher.company.code}/test/search`,
      headers: { host: `${searcher.company.code}.localhost`, authorization: searcher.token, accept: 'application/json' },
    })
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('5')
    expect(refused.json()).toMatchObject({
      code: 'company_queue_full',
      message: 'Too many requests of this company wait already. Try again in 5 seconds.',
    })
    expect((await send(packer, 'POST', 'scan')).statusCode).toBe(204)
    release()
    await Promise.all(sent)
  })
})

describe('a place', () => {
  it('is given back by a request whose client goes away while it waits; its handler never runs', async () => {
    await send(packer, 'POST', 'scan')
    const first = search(searcher)
    await until(() => expect(held).toHaveLength(1))
    const { port } = server.server.address() as AddressInfo
    const leaving = http.get({
      port,
      host: '127.0.0.1',
      path: `/api/${searcher.company.code}/test/search`,
      headers: { host: `${searcher.company.code}.localhost`, authorization: searcher.token },
    })
    leaving.on('error', () => undefined)
    await until(() => expect(admission.queue.waiting('search')).toBe(1))
    leaving.destroy()
    await until(() => expect(admission.queue.waiting('search')).toBe(0))
    waits.length = 0
    release()
    await first
    expect(waits).toEqual([])
  })

  it('is given back by a request that is refused after its turn began', async () => {
    expect((await send(searcher, 'POST', 'change', { n: 'x' })).statusCode).toBe(400)
    expect(admission.queue.running('change')).toBe(0)
  })

  it('is not taken by a stream', async () => {
    waits.length = 0
    await send(searcher, 'GET', 'stream')
    expect(waits).toEqual([])
  })

  it('of the database is not taken while a call waits for a system outside, but by each of its transactions', async () => {
    waits.length = 0
    const sent = send(searcher, 'POST', 'outside')
    await until(() => expect(held).toHaveLength(1))
    expect([admission.external.running('bulk'), admission.queue.running('bulk'), waits]).toEqual([1, 0, []])
    release()
    expect((await sent).statusCode).toBe(204)
    expect(waits).toEqual(['bulk'])
  })
})

describe('a delivery with a bound for changes', () => {
  it.each([
    [80, 'change'],
    [120, 'bulk'],
  ])('of %i letters is a %s', async (letters, work) => {
    waits.length = 0
    expect((await send(searcher, 'POST', 'delivery', { text: 'x'.repeat(letters) })).statusCode).toBe(204)
    expect(waits).toEqual([work])
  })
})

describe('the steps of tasks', () => {
  it('of two companies take turns', async () => {
    const steps: string[] = []
    const asker = (id: number) => ({ kind: 'user' as const, company: { operator_id: 1, id } })
    await admission.step(asker(2), 'scan', async () => undefined)
    const first = admission.step(asker(1), 'bulk', hold)
    const both = [1, 1, 1, 2, 2, 2].map(id => admission.step(asker(id), 'bulk', async () => void steps.push(`company ${id}`)))
    // The first company’s place is taken, so only the second one gets turns.
    await until(() => expect(steps).toEqual(['company 2', 'company 2', 'company 2']))
    release()
    await Promise.all([first, ...both])
    expect(steps.slice(3)).toEqual(['company 1', 'company 1', 'company 1'])
  })
})

describe('the bounds', () => {
  it.each([
    [24, 1],
    [24, 2],
    [24, 4],
    [24, 64],
    [10, 2],
  ])('for %i connections and %i processors leave places to the classes before', (connections, processors) => {
    const { running, runningOfCompany } = databaseLimits(connections, processors)
    expect(running.scan).toBeLessThanOrEqual(connections * 0.75)
    expect(running.scan).toBeGreaterThan(running.change)
    expect(running.change).toBeGreaterThan(running.read)
    expect(running.read).toBeGreaterThan(running.search)
    expect(running.search).toBeGreaterThan(running.bulk)
    for (const work of ['search', 'bulk'] as const) {
      expect(runningOfCompany[work]).toBeGreaterThanOrEqual(1)
      expect(runningOfCompany[work]).toBeLessThan(running[work])
    }
  })
})

describe('the class of a call', () => {
  const calls = features.flatMap(feature => Object.values(feature.calls))
  const classOf = (line: string) => calls.find(one => one.line === line)?.workClass

  it('comes from its contract: stations go first, files last, a stream takes no turn', () => {
    expect(classOf('POST packing/order/{id}/scan')).toBe('scan')
    expect(classOf('POST picking/{pick_list_id}/wagon/{wagon_no}/events')).toBe('scan')
    expect(classOf('POST orders/{order_id}/shipping_address')).toBe('change')
    expect(classOf('GET orders/{id}')).toBe('read')
    expect(classOf('GET orders/search/')).toBe('search')
    expect(classOf('GET orders/count')).toBe('search')
    expect(classOf('POST order_imports')).toBe('bulk')
    expect(classOf('GET live')).toBeUndefined()
  })

  it('is bulk for every CSV file', () => {
    const files = calls.filter(one => one.media === 'text/csv' && one.workClass !== 'bulk')
    expect(files.map(one => one.line)).toEqual([])
  })
})
