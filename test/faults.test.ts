/** Faults: the server or the database dies at any moment of the work, and nothing that was answered is lost, doubled or stuck. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '#app/features.ts'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { createContext } from '#platform/http/context.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import type { Task } from '#platform/jobs/job-queue.ts'
import { type EmbeddedPostgres, startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { holderOf } from '#platform/postgres/postmaster.ts'
import { type BuiltOperator, buildOperator, scopeOfCompany } from '../src/app/demo/builders.ts'
import { closeOrder } from '../src/features/packing/packing/close-order.server.ts'
import { packing } from '../src/features/packing/packing/packing.contract.ts'
import { watchPrints } from '../src/features/printing/print-jobs/send-prints.task.ts'
import { printers } from '../src/features/printing/printers/printers.contract.ts'
import { type Actors, clean, createActors, ledger, rows, sheets } from './actors.ts'
import { placeOrder } from './orders.ts'
import { recoveryTime } from './retries.ts'
import { sender } from './sender.ts'
import { type ServerProcess, send, startServer } from './server-process.ts'
import { openTestApp, type TestApp } from './test-app.ts'

const tasksByName: Readonly<Record<string, Task<never>>> = tasks

describe('closing an order, step by step', () => {
  let testApp: TestApp
  let root: pg.Client
  beforeAll(async () => {
    testApp = await openTestApp()
    root = new pg.Client({ connectionString: testApp.url })
    await root.connect()
  })
  afterAll(async () => {
    await root.end()
    await testApp.close()
  })

  class Died extends Error {}

  /** The work of a process that dies at its `n`th transaction: from then on it can do nothing at all. */
  function mortal(outside: ExternalContext, n: number): { outside: ExternalContext; steps: () => number; died: () => boolean } {
    let steps = 0
    let died = false
    return {
      steps: () => steps,
      died: () => died,
      outside: {
        ...outside,
        async transaction(step) {
          steps++
          if (died || steps === n) {
            died = true
            throw new Died()
          }
          return outside.transaction(step)
        },
      },
    }
  }

  /** A minute passes: leases run out, and the queue does what waits in it. */
  async function aMinuteLater(): Promise<void> {
    testApp.setNow(new Date(testApp.services.now().getTime() + 62_000))
    const queued = await rows<{
      id: string
      name: string
      payload: { carried: { operator_id: number; company_id: number; companies: number[] } }
    }>(
      root,
      `select j.id, t.identifier name, j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`,
    )
    for (const { id, name, payload } of queued) {
      const { carried, ...own } = payload
      const company = {
        operator_id: carried.operator_id,
        id: carried.company_id,
        code: '',
        name: '',
        is_main: false,
        packing_ip_pattern: '',
      }
      const person = {
        kind: 'anonymous',
        id: 0,
        name: 'queue',
        permissions: [],
        company,
        operatorCompanies: [],
        session_id: 0,
        shop: null,
        key_id: 0,
      } as const
      const outside = createContext(testApp.services, person, carried, {
        ip: '',
        station: '',
        headers: {},
        signal: testApp.services.closing,
      })
      await tasksByName[name]?.(own as never, { ...outside, last_try: false })
      await root.query('delete from graphile_worker._private_jobs where id = $1', [id])
    }
    await watchPrints(testApp.services)
  }

  it.each(['the packer asks again', 'no one asks again'])(
    'loses and doubles nothing when the server dies between any two of them and %s',
    async then => {
      let deaths = 0
      let whole = false
      for (let n = 1; !whole && n < 60; n++) {
        const operator = await testApp.operator({ settings: { sender, print_slip: true } })
        const packer = await operator.hire(['scan'])
        const list = await packer.send(printers.list, {})
        const label_printer_id = list.printers.find(one => one.paper === 'label')?.id ?? null
        const a4_printer_id = list.printers.find(one => one.paper === 'a4')?.id ?? null
        const scope = scopeOfCompany(operator)
        const { id, lines } = await placeOrder(testApp.services.database, scope, { agent_code: 'own', shipping_method: 'van' })
        await packer.send(packing.start, { id, body: { station: 'Bench 1' } })
        expect(lines.length).toBe(2)
        for (const code of ['5701234567890', '5701234567890'])
          await packer.send(packing.scan, { id, body: { scan_id: randomUUID(), code } })
        const lead = await operator.hire(['scan_admin'])
        await lead.send(packing.start, { id, body: { station: 'Bench 1', take_over: true } })
        await lead.send(packing.count, { id, body: { scan_id: randomUUID(), order_line_id: lines[1]!, quantity: 1 } })

        const principal = (await testApp.identities.byToken(lead.token, testApp.services.now()))!
        const alive = createContext(testApp.services, principal, scope, {
          ip: '',
          station: 'Bench 1',
          headers: {},
          signal: testApp.services.closing,
        })
        const { outside, died } = mortal(alive, n)
        const body = { label_printer_id, a4_printer_id, weight_confirmed: false }
        await closeOrder(outside, id, body).catch(error => {
          if (!(error instanceof Died)) throw error
        })
        whole = !died()
        deaths += whole ? 0 : 1
        if (then === 'the packer asks again' && !whole) {
          const again = await lead.send(packing.close, { id, body }).catch((error: Error) => error)
          expect((again as { outcome?: string }).outcome ?? String(again), `after step ${n}`).toMatch(/labelled|waiting/)
        }
        if (n === 1 && then === 'no one asks again') {
          // Nothing was committed: the order is open as before, and the packer's next press begins it.
          await lead.send(packing.close, { id, body })
        }
        await aMinuteLater()
        await aMinuteLater()
        expect(await ledger(root), `dead at step ${n}`).toEqual(clean)
        for (const printer of ['labels', 'a4'] as const)
          expect(sheets(testApp.services.config.data_dir, operator.main.code, printer), `${printer} after step ${n}`).toBe(1)
      }
      expect(whole).toBe(true)
      expect(deaths).toBeGreaterThan(5)
    },
  )
})

describe('the whole program', { timeout: 600_000 }, () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'pakhus-faults-'))
  const cluster = join(data_dir, 'postgres')
  let postgres: EmbeddedPostgres
  let database: Database
  let operator: BuiltOperator
  let child: ServerProcess | undefined
  let pool: pg.Pool

  const start = () => startServer({ DATA_DIR: data_dir, DATABASE_URL: postgres.url })
  let crew: Actors
  const printers = { label_printer_id: 0, a4_printer_id: 0 }
  beforeAll(async () => {
    postgres = await startPostgres({ dataDir: cluster, log: () => undefined })
    await migrate(postgres.url)
    database = openDatabase(postgres.url, { connections: 4 })
    pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
    pool.on('error', () => undefined)
    operator = await buildOperator(database, {
      name: 'Faults',
      main: { code: 'faults', name: 'Faults', settings: { packing_ip_pattern: '127\\.0\\.0\\.1', sender, print_slip: true } },
    })
    child = await start()
    crew = createActors({ database, pool, operator, data_dir, server: () => child as ServerProcess, printers: () => printers })
    const { token } = await crew.hire('Lead', ['admin'])
    const { body } = await send(child.port, { method: 'GET', path: 'print_node/printers/list', company: 'faults', token })
    const known = (body as { printers: { id: number; paper: string }[] }).printers
    printers.label_printer_id = known.find(one => one.paper === 'label')!.id
    printers.a4_printer_id = known.find(one => one.paper === 'a4')!.id
  })
  afterAll(async () => {
    await child?.kill('SIGKILL')
    await pool.end()
    await database.close()
    await postgres.stop()
    rmSync(data_dir, { recursive: true, force: true })
  })

  it('survives crashes of the database: it reports them, stays alive, and what was answered is stored', async () => {
    const [where] = await rows<{ data_directory: string }>(pool, 'show data_directory')
    const folder = where?.data_directory ?? ''
    const server = child as ServerProcess
    const ready = async () =>
      (await send(server.port, { method: 'GET', path: '/readyz', company: 'faults', wait: 15_000 }).catch(() => ({ status: 0 }))).status
    expect(await ready()).toBe(200)
    let over = false
    const packed = Promise.all([4, 5, 6].map(n => crew.pack(`Bench ${n}`, () => over)))
    packed.catch(() => (over = true))
    const seen = new Set<number>()
    let reads = 0
    const { token } = await crew.hire('Reader', ['parcels', 'scan'])
    const reader = (async () => {
      while (!over) {
        const response = await send(server.port, { method: 'GET', path: 'orders/count', company: 'faults', token })
        expect([200, 503]).toContain(response.status)
        reads++
        await pause(10)
      }
    })()
    reader.catch(() => (over = true))
    for (let i = 0; i < 6 && !over; i++) {
      await pause(400 + Math.random() * 400)
      const holder = holderOf(folder)
      if (holder.state !== 'running') throw new Error(`The database is ${holder.state}`)
      // At once and without farewell: its children notice and end too, and the next start recovers from the log.
      process.kill(holder.pid, i % 2 ? 'SIGQUIT' : 'SIGKILL')
      const until = Date.now() + recoveryTime
      let back = 0
      while (back < 3 && Date.now() < until) {
        const status = await ready()
        seen.add(status)
        // The old database may answer for a moment after its first process is dead.
        const next = holderOf(folder)
        back = status === 200 && next.state === 'running' && next.pid !== holder.pid ? back + 1 : 0
        await pause(5)
      }
      if (back < 3) {
        const direct = await pool.query('select 1').then(() => 'answers', String)
        throw new Error(
          `Asked directly the database ${direct}; the server says ${await ready()} – ${[...seen]} – ${server.written().slice(-2_500)}`,
        )
      }
    }
    over = true
    await packed
    await reader
    expect(seen).toContain(503)
    expect([...seen].filter(status => status !== 503 && status !== 200)).toEqual([])
    expect(server.process.exitCode).toBe(null)
    expect(reads).toBeGreaterThan(20)
    await crew.settle()
    await crew.nothingLost()
  })

  it('shuts down gracefully: it answers accepted requests, finishes answered work, and exits within seconds', async () => {
    let over = false
    const { token } = await crew.hire('Leaver', ['scan_admin'])
    const server = child as ServerProcess
    const orders: number[] = []
    while (orders.length < 12) orders.push(await crew.scanAll(token, 'Bench 7'))
    const answers = orders.map(id =>
      send(server.port, { method: 'POST', path: `packing/order/${id}/close`, company: 'faults', token, body: printers }).then(
        response => ({ id, ...response }),
        () => ({ id, status: 0, body: undefined }),
      ),
    )
    await pause(30)
    const asked = Date.now()
    await server.kill('SIGTERM')
    expect(server.process.exitCode).toBe(0)
    expect(Date.now() - asked).toBeLessThan(40_000)
    over = true
    expect(over).toBe(true)
    for (const { id, status, body } of await Promise.all(answers)) {
      expect([0, 200, 503], server.written().slice(-1_500)).toContain(status)
      if (status === 200 && (body as { outcome: string }).outcome === 'labelled') crew.confirmed.closed.push(id)
    }
    expect(server.written()).not.toMatch(/Unhandled|uncaught/i)
    child = await start()
    for (const id of orders) await crew.insist(token, `packing/order/${id}/close`, printers)
    await crew.settle()
    await crew.nothingLost()
  })

  it('whose disk takes no more files says so, keeps nothing half, and continues where it stopped when space is free', async () => {
    await (child as ServerProcess).kill('SIGTERM')
    child = await startServer({ DATA_DIR: data_dir, DATABASE_URL: postgres.url }, { largestFile: 1_024 })
    const { token } = await crew.hire('Full', ['scan_admin', 'settings_admin'])
    const id = await crew.scanAll(token, 'Bench 8')
    const files = () =>
      readdirSync(data_dir, { recursive: true, withFileTypes: true })
        .filter(one => one.isFile() && !one.parentPath.startsWith(cluster))
        .map(one => join(one.parentPath, one.name))
    const before = new Set(files())
    const ask = (path: string, body: object) =>
      send((child as ServerProcess).port, { method: 'POST', path, company: 'faults', token, body })
    const close = await ask(`packing/order/${id}/close`, printers)
    expect(close).toMatchObject({
      status: 503,
      // The label is booked: that nothing was changed would be a lie.
      body: {
        message: expect.stringMatching(
          /^This broke off in the middle\. What was begun is carried on automatically: look how far it came\./,
        ),
      },
    })
    expect(await ask('print_node/test_print', { printer_id: printers.label_printer_id })).toMatchObject({
      status: 503,
      body: { message: 'The disk of the server is full. Nothing was changed. Someone has to make room there.' },
    })
    // Nothing new stays; what earlier deaths left half may meanwhile have been swept away. The label is tried again in the background, and
    // each attempt has a half file until it is refused.
    await expect.poll(() => files().filter(name => !before.has(name)), { timeout: 10_000 }).toEqual([])
    expect((await send((child as ServerProcess).port, { method: 'GET', path: '/healthz', company: 'faults' })).status).toBe(200)
    await (child as ServerProcess).kill('SIGTERM')
    child = await start()
    await crew.insist(token, `packing/order/${id}/close`, printers)
    crew.confirmed.closed.push(id)
    await crew.settle()
    await crew.nothingLost()
  })

  it('passes the work of a crashed server to the next one within seconds', async () => {
    // A job as a server leaves it that died in the midst of it.
    const { rows: jobs } = await pool.query<{ id: string }>(
      `select id from graphile_worker.add_job('labels.book', json_build_object('shipment_id', 0, 'carried', json_build_object('operator_id', $1::int, 'company_id', $2::int, 'companies', array[$2::int], 'user_id', 0, 'user_name', 'x', 'station', '')))`,
      [operator.operator_id, operator.main.id],
    )
    await pool.query(`update graphile_worker._private_jobs set locked_by = 'pool-of-the-dead', locked_at = now() where id = $1`, [
      jobs[0]?.id,
    ])
    const left = () => rows(pool, `select 1 from graphile_worker._private_jobs where id = ${jobs[0]?.id}`)
    const until = Date.now() + 60_000
    while ((await left()).length > 0 && Date.now() < until) await pause(200)
    expect(await left()).toEqual([])
  })
})
