/** Faults: the server or the database dies at any moment of the work, and nothing that was answered is lost, doubled or stuck. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Permission } from '#contract/access.ts'
import { aroundOf } from '#server/app.ts'
import { type Database, openDatabase } from '#server/database.ts'
import { hashOf, newToken } from '#server/keeper.ts'
import { migrate } from '#server/migrate.ts'
import { holderOf } from '#server/postgres/postmaster.ts'
import { type EmbeddedPostgres, startPostgres } from '#server/postgres.ts'
import type { OutsideContext } from '#server/serve.ts'
import { tasks } from '#server/slices.ts'
import { type BuiltOperator, buildOperator, buildUser, scopeOfCompany } from '../src/demo/builders.ts'
import { closeOrder } from '../src/features/packing/packing/closing.server.ts'
import { packing } from '../src/features/packing/packing/packing.contract.ts'
import { watchPrints } from '../src/features/warehouse/print-jobs/sending.server.ts'
import { printers } from '../src/features/warehouse/printers/printers.contract.ts'
import { type Child, send, startServer } from './child.ts'
import { sender } from './filled.ts'
import { placeOrder } from './orders.ts'
import { openWorld, type World } from './world.ts'

const rows = async <T extends object>(client: pg.Client | pg.Pool, text: string): Promise<T[]> => (await client.query<T>(text)).rows

/** What must hold of every order that was packed, however often anything died meanwhile. */
async function verdict(client: pg.Client | pg.Pool): Promise<Record<string, unknown[]>> {
  const of = (text: string) => rows(client, text)
  return {
    'packed twice or not at all': await of(`select o.order_no, o.work_state from orders o where o.operator_id > 0 and (
      (select count(*) from packing_sessions s where s.order_id = o.id and s.state = 'done') <> 1 or o.work_state <> 'packed')`),
    'pieces that are not the scans': await of(`select o.order_no from orders o where
      (select sum(packed_qty) from order_lines l where l.order_id = o.id) is distinct from
      (select sum(quantity) from packing_scans s where s.order_id = o.id and undone_by is null)`),
    'parcels with none or several live labels': await of(`select o.order_no from orders o where
      (select count(*) from shipments s where s.order_id = o.id and s.state not in ('cancelled', 'barred', 'draft', 'error')) <> 1`),
    'labels without exactly one finished print':
      await of(`select s.id, s.order_id from shipments s where s.state = 'booked' and s.label_printer_id is not null and
      (select array_agg(p.state) from print_jobs p where p.shipment_id = s.id) is distinct from array['done']`),
    'numbers given twice': await of('select tracking_no from shipments group by 1 having count(*) > 1'),
    'sessions still open': await of('select order_id, state from packing_sessions where ended_at is null'),
    'shipments still in doubt': await of(`select id, state from shipments where state in ('booking', 'unknown')`),
  }
}
const clean = {
  'packed twice or not at all': [],
  'pieces that are not the scans': [],
  'parcels with none or several live labels': [],
  'labels without exactly one finished print': [],
  'numbers given twice': [],
  'sessions still open': [],
  'shipments still in doubt': [],
}
/** The sheets of paper that came out. */
const sheets = (data_dir: string, code: string) =>
  readdirSync(join(data_dir, 'prints', code, 'labels')).filter(name => name.endsWith('.json')).length

describe('closing an order, step by step', () => {
  let world: World
  let root: pg.Client
  beforeAll(async () => {
    world = await openWorld()
    root = new pg.Client({ connectionString: world.url })
    await root.connect()
  })
  afterAll(async () => {
    await root.end()
    await world.close()
  })

  class Died extends Error {}

  /** The work of a process that dies at its `n`th transaction: from then on it can do nothing at all. */
  function mortal(outside: OutsideContext, n: number): { outside: OutsideContext; steps: () => number; died: () => boolean } {
    let steps = 0
    let died = false
    return {
      steps: () => steps,
      died: () => died,
      outside: {
        ...outside,
        async work(step) {
          steps++
          if (died || steps === n) {
            died = true
            throw new Died()
          }
          return outside.work(step)
        },
      },
    }
  }

  /** A minute passes: leases run out, and the queue does what waits in it. */
  async function aMinuteLater(): Promise<void> {
    world.setNow(new Date(world.house.now().getTime() + 62_000))
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
        kind: 'nobody',
        id: 0,
        name: 'queue',
        permissions: [],
        company,
        siblings: [],
        session_id: 0,
        shop: null,
        key_id: 0,
      } as const
      const outside = aroundOf(world.house, person, carried, { ip: '', station: '', headers: {}, signal: world.house.closing })
      await tasks[name]?.(own as never, { ...outside, last_try: false })
      await root.query('delete from graphile_worker._private_jobs where id = $1', [id])
    }
    await watchPrints(world.house)
  }

  it.each(['the packer asks again', 'nobody asks again'])(
    'loses and doubles nothing when the server dies between any two of them and %s',
    async then => {
      let deaths = 0
      let whole = false
      for (let n = 1; !whole && n < 60; n++) {
        const operator = await world.operator({ settings: { sender } })
        const packer = await operator.hire(['scan'])
        const list = await packer.send(printers.list, {})
        const label_printer_id = list.printers.find(one => one.name.includes('label'))?.id ?? null
        const scope = scopeOfCompany(operator)
        const { id, lines } = await placeOrder(world.house.database, scope, { agent_code: 'own', shipping_method: 'van' })
        await packer.send(packing.start, { id, body: { station: 'Bench 1' } })
        expect(lines.length).toBe(2)
        for (const code of ['5701234567890', '5701234567890'])
          await packer.send(packing.scan, { id, body: { scan_id: randomUUID(), code } })
        const lead = await operator.hire(['scan_admin'])
        await lead.send(packing.start, { id, body: { station: 'Bench 1', take_over: true } })
        await lead.send(packing.count, { id, body: { scan_id: randomUUID(), order_line_id: lines[1]!, quantity: 1 } })

        const person = (await world.people.ofToken(lead.token, world.house.now()))!
        const alive = aroundOf(world.house, person, scope, { ip: '', station: 'Bench 1', headers: {}, signal: world.house.closing })
        const { outside, died } = mortal(alive, n)
        const body = { label_printer_id, a4_printer_id: null, weight_confirmed: false }
        await closeOrder(outside, id, body).catch(error => {
          if (!(error instanceof Died)) throw error
        })
        whole = !died()
        deaths += whole ? 0 : 1
        if (then === 'the packer asks again' && !whole) {
          const again = await lead.send(packing.close, { id, body }).catch((error: Error) => error)
          expect((again as { outcome?: string }).outcome ?? String(again), `after step ${n}`).toMatch(/labelled|waiting/)
        }
        if (n === 1 && then === 'nobody asks again') {
          // Nothing was committed: the order is open as before, and the packer's next press begins it.
          await lead.send(packing.close, { id, body })
        }
        await aMinuteLater()
        await aMinuteLater()
        expect(await verdict(root), `dead at step ${n}`).toEqual(clean)
        expect(sheets(world.house.config.data_dir, operator.main.code), `sheets after step ${n}`).toBe(1)
      }
      expect(whole).toBe(true)
      expect(deaths).toBeGreaterThan(5)
    },
    120_000,
  )
})

describe('the whole program', () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'pakhus-faults-'))
  const cluster = join(data_dir, 'postgres')
  let postgres: EmbeddedPostgres
  let database: Database
  let operator: BuiltOperator
  let child: Child | undefined
  let pool: pg.Pool
  let label_printer_id: number

  const start = () => startServer({ DATA_DIR: data_dir, DATABASE_URL: postgres.url })
  beforeAll(async () => {
    postgres = await startPostgres({ dataDir: cluster, log: () => undefined })
    await migrate(postgres.url)
    database = openDatabase(postgres.url, { connections: 4 })
    pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
    pool.on('error', () => undefined)
    operator = await buildOperator(database, {
      name: 'Faults',
      main: { code: 'faults', name: 'Faults', settings: { packing_ip_pattern: '127\\.0\\.0\\.1', sender } },
    })
    child = await start()
    const { token } = await hire('Lead', ['admin'])
    const { body } = await send(child.port, { method: 'GET', path: 'print_node/printers/list', company: 'faults', token })
    label_printer_id = (body as { printers: { id: number; name: string }[] }).printers.find(one => one.name.includes('label'))!.id
  }, 60_000)
  afterAll(async () => {
    await child?.kill('SIGKILL')
    await pool.end()
    await database.close()
    await postgres.stop()
    rmSync(data_dir, { recursive: true, force: true })
  })

  async function hire(name: string, permissions: Permission[]): Promise<{ token: string }> {
    const scope = scopeOfCompany(operator)
    const user_id = await buildUser(database, scope, { name, permissions })
    const token = newToken()
    await database.within(scope, db =>
      db
        .insertInto('sessions')
        .values({ user_id, token_hash: hashOf(token), expires_at: new Date(Date.now() + 86_400_000).toISOString() })
        .execute(),
    )
    return { token }
  }

  /** Everything that a client was told, to be found again. */
  const told = { scans: [] as string[], closed: [] as number[], refused: [] as string[], answers: 0 }

  /** Asks until the server answers, as the bench does: the same scan under the same id. */
  async function insist(token: string, path: string, body: object): Promise<Record<string, unknown>> {
    const until = Date.now() + 60_000
    let last = ''
    while (Date.now() < until) {
      try {
        const heard = await send((child as Child).port, { method: 'POST', path, company: 'faults', token, body })
        if (heard.status < 300) told.answers++
        if (heard.status < 300) return heard.body as Record<string, unknown>
        const message = String((heard.body as { message?: string }).message ?? heard.body)
        last = `${heard.status} ${message}`
        if (heard.status === 503) {
          expect(message).toMatch(/^[A-Z].*\.$/)
          told.refused.push(message)
        } else if (heard.status !== 409 || !/right now|not open here/.test(message))
          throw new Unwanted(`${path}: ${heard.status} ${message}\n${child?.written().slice(-1_500)}`)
        else if (/not open here/.test(message)) return {}
      } catch (error) {
        if (error instanceof Unwanted) throw error
        last = String(error)
      }
      await pause(20)
    }
    throw new Unwanted(`${path} was never answered: ${last}`)
  }
  class Unwanted extends Error {}

  /** Packs order after order until told to stop. */
  async function pack(station: string, stop: () => boolean): Promise<number> {
    const { token } = await hire(station, ['scan_admin'])
    let packed = 0
    while (!stop()) {
      const placed = await placeOrder(database, scopeOfCompany(operator), { agent_code: 'own', shipping_method: 'van' }).catch(
        () => undefined,
      )
      if (!placed) {
        await pause(50)
        continue
      }
      const { id, lines } = placed
      await insist(token, `packing/order_start/${id}`, { station })
      for (let i = 0; i < 2; i++) {
        const scan_id = randomUUID()
        await insist(token, `packing/order/${id}/scan`, { scan_id, code: '5701234567890' })
        told.scans.push(scan_id)
      }
      const scan_id = randomUUID()
      await insist(token, `packing/order/${id}/count`, { scan_id, order_line_id: lines[1], quantity: 1 })
      told.scans.push(scan_id)
      const { outcome } = await insist(token, `packing/order/${id}/close`, { label_printer_id })
      expect(outcome).toMatch(/labelled|waiting/)
      told.closed.push(id)
      packed++
    }
    return packed
  }

  /** As if the leases had run out and the queue's waiting time were over. */
  async function settle(): Promise<void> {
    const until = Date.now() + 40_000
    for (;;) {
      await pool.query('update shipments set leased_until = now() where leased_until > now()')
      await pool.query('update print_jobs set leased_until = now() where leased_until > now()')
      await pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null and run_at > now()')
      const found = await verdict(pool)
      if (Object.values(found).every(list => list.length === 0) || Date.now() > until) return expect(found).toEqual(clean)
      await pause(500)
    }
  }

  async function nothingLost(): Promise<void> {
    const kept = await rows<{ id: string; n: number }>(pool, 'select id, count(*)::int n from packing_scans where quantity > 0 group by id')
    const counts = new Map(kept.map(row => [row.id, row.n]))
    expect(told.scans.filter(id => counts.get(id) !== 1)).toEqual([])
    const closed = await rows<{ order_id: number }>(pool, `select order_id::int from packing_sessions where state = 'done'`)
    expect(told.closed.filter(id => !closed.some(row => row.order_id === id))).toEqual([])
    const [jobs] = await rows<{ n: number }>(pool, `select count(*)::int n from print_jobs where document = 'label'`)
    expect(sheets(data_dir, 'faults')).toBe(jobs?.n)
  }

  it('is killed again and again while three benches pack: each answered scan counts once, each parcel has one label on one sheet', async () => {
    const kills = 15
    let over = false
    const benches = [1, 2, 3].map(n => pack(`Bench ${n}`, () => over))
    const packed = Promise.all(benches)
    packed.catch(() => (over = true))
    for (let i = 0; i < kills && !over; i++) {
      // At any point of an order's way, which is five answers long; and never before the new server has done anything.
      const enough = told.answers + 1 + Math.random() * 12
      for (let waited = 0; told.answers < enough && waited < 300; waited++) await pause(10)
      await pause(Math.random() * 60)
      await child?.kill('SIGKILL')
      child = await start()
    }
    over = true
    expect((await packed).reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(kills)
    await settle()
    await nothingLost()
  }, 180_000)

  it('goes on through deaths of the database: it says so, stays alive, and what was answered is there', async () => {
    const [where] = await rows<{ data_directory: string }>(pool, 'show data_directory')
    const folder = where?.data_directory ?? ''
    const server = child as Child
    const ready = async () =>
      (await send(server.port, { method: 'GET', path: '/readyz', company: 'faults', wait: 3_000 }).catch(() => ({ status: 0 }))).status
    expect(await ready()).toBe(200)
    let over = false
    const packed = Promise.all([4, 5, 6].map(n => pack(`Bench ${n}`, () => over)))
    packed.catch(() => (over = true))
    const seen = new Set<number>()
    let reads = 0
    const { token } = await hire('Reader', ['parcels', 'scan'])
    const reader = (async () => {
      while (!over) {
        const heard = await send(server.port, { method: 'GET', path: 'orders/count', company: 'faults', token })
        expect([200, 503]).toContain(heard.status)
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
      const until = Date.now() + 30_000
      let back = 0
      while (back < 3 && Date.now() < until) {
        const status = await ready()
        seen.add(status)
        back = status === 200 ? back + 1 : 0
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
    await settle()
    await nothingLost()
  }, 120_000)

  it('closes in order when asked to: what it has taken it answers, what it answered is done, and it leaves within seconds', async () => {
    let over = false
    const { token } = await hire('Leaver', ['scan_admin'])
    const server = child as Child
    const orders = await Promise.all(
      Array.from({ length: 12 }, () => placeOrder(database, scopeOfCompany(operator), { agent_code: 'own', shipping_method: 'van' })),
    )
    for (const { id, lines } of orders) {
      await insist(token, `packing/order_start/${id}`, { station: 'Bench 7' })
      for (let i = 0; i < 2; i++) await insist(token, `packing/order/${id}/scan`, { scan_id: randomUUID(), code: '5701234567890' })
      await insist(token, `packing/order/${id}/count`, { scan_id: randomUUID(), order_line_id: lines[1], quantity: 1 })
    }
    const answers = orders.map(({ id }) =>
      send(server.port, { method: 'POST', path: `packing/order/${id}/close`, company: 'faults', token, body: { label_printer_id } }).then(
        heard => ({ id, ...heard }),
        () => ({ id, status: 0, body: undefined }),
      ),
    )
    await pause(30)
    const asked = Date.now()
    await server.kill('SIGTERM')
    expect(server.process.exitCode).toBe(0)
    expect(Date.now() - asked).toBeLessThan(20_000)
    over = true
    expect(over).toBe(true)
    for (const { id, status, body } of await Promise.all(answers)) {
      expect([0, 200, 503], server.written().slice(-1_500)).toContain(status)
      if (status === 200 && (body as { outcome: string }).outcome === 'labelled') told.closed.push(id)
    }
    expect(server.written()).not.toMatch(/Unhandled|uncaught/i)
    child = await start()
    for (const { id } of orders) await insist(token, `packing/order/${id}/close`, { label_printer_id })
    await settle()
    await nothingLost()
  }, 60_000)

  it('gives the work of a dead server to the next one within seconds', async () => {
    // A job as a server leaves it that died in the midst of it.
    const { rows: jobs } = await pool.query<{ id: string }>(
      `select id from graphile_worker.add_job('labels.book', json_build_object('shipment_id', 0, 'carried', json_build_object('operator_id', $1::int, 'company_id', $2::int, 'companies', array[$2::int], 'user_id', 0, 'user_name', 'x', 'station', '')))`,
      [operator.operator_id, operator.main.id],
    )
    await pool.query(`update graphile_worker._private_jobs set locked_by = 'pool-of-the-dead', locked_at = now() where id = $1`, [
      jobs[0]?.id,
    ])
    const left = () => rows(pool, `select 1 from graphile_worker._private_jobs where id = ${jobs[0]?.id}`)
    const until = Date.now() + 25_000
    while ((await left()).length > 0 && Date.now() < until) await pause(200)
    expect(await left()).toEqual([])
  }, 40_000)
})
