/** The upgrade of a full database of release 0.1.0: how long each migration takes, and how long readers and writers wait meanwhile. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#platform/database/migrate.ts'
import { startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { fillTenant } from './bench-app.ts'
import { onInterrupt } from './interrupt.ts'

/** The first migration after release 0.1.0. */
const firstNew = '0047'
/** Milliseconds that a reader may wait. */
const goal = 1_000
const tenantCount = 10

interface Sample {
  from: number
  to: number
}
interface Step extends Sample {
  name: string
}

/** Prints one line for each new migration; answers whether no reader waited longer than a second. */
export async function benchMigrations(orders: number, say: (line: string) => void): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'pakhus-bench-'))
  await chmod(folder, 0o711)
  const starting = startPostgres({ dataDir: join(folder, 'postgres'), log: () => undefined })
  const forget = onInterrupt(async () => {
    await (await starting).stop()
    await rm(folder, { recursive: true, force: true })
  })
  const postgres = await starting
  const plain = new pg.Pool({ connectionString: postgres.near_url, max: 4 })
  try {
    await migrate(postgres.url, { before: firstNew })
    const began = Date.now()
    await fillRelease(plain, orders)
    say(`${orders.toLocaleString('en')} orders of release 0.1.0 in ${Math.round((Date.now() - began) / 1_000)} s`)
    const reads = repeat(plain, readSomething)
    const writes = repeat(plain, writeSomething)
    const steps: Step[] = []
    let last = performance.now()
    await migrate(postgres.url, {
      onApplied(name) {
        steps.push({ name, from: last, to: performance.now() })
        last = performance.now()
      },
    })
    const [read, written] = await Promise.all([reads.stop(), writes.stop()])
    const width = Math.max(...steps.map(({ name }) => name.length))
    console.log(`${'migration'.padEnd(width)}  took ms  reader waited  writer waited`)
    for (const step of steps)
      console.log(
        `${step.name.padEnd(width)}  ${cell(step.to - step.from, 7)}  ${cell(longest(read, step), 13)}  ${cell(longest(written, step), 13)}`,
      )
    const waited = longest(read, { from: 0, to: Number.POSITIVE_INFINITY })
    console.log(`\n${orders.toLocaleString('en')} orders. The longest wait of a reader: ${Math.round(waited)} ms, at most ${goal}.`)
    return waited <= goal
  } finally {
    await plain.end()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
    forget()
  }
}

const cell = (ms: number, width: number) => String(Math.round(ms)).padStart(width)
const longest = (samples: readonly Sample[], { from, to }: Sample) =>
  Math.max(0, ...samples.filter(one => one.to >= from && one.from <= to).map(one => one.to - one.from))

/** Orders with lines, events, packing scans, shipments and label log, as the first release left them. */
async function fillRelease(plain: pg.Pool, orders: number): Promise<void> {
  await plain.query('alter system set synchronous_commit = off')
  await plain.query('select pg_reload_conf()')
  for (let i = 0; i < tenantCount; i++) {
    const { rows } = await plain.query<{ operator_id: string; company_id: string }>(
      `with o as (insert into operators (name) values ($1) returning id)
       insert into companies (operator_id, code, name, is_main) select id, $1, $1, true from o returning operator_id, id company_id`,
      [`bench${i}`],
    )
    const scope = { operator_id: Number(rows[0]?.operator_id), company_id: Number(rows[0]?.company_id) }
    await plain.query('insert into users (operator_id, company_id, name) values ($1, $2, $3)', [
      scope.operator_id,
      scope.company_id,
      'Kim Lund',
    ])
    await fillTenant(plain, scope, 0, Math.floor(orders / tenantCount), '0.1.0')
    await plain.query(
      `with u as (select id from users where operator_id = $1),
         s as (insert into packing_sessions (operator_id, company_id, order_id, user_id, user_name, station, ended_at)
           select o.operator_id, o.company_id, o.id, u.id, 'Kim Lund', 'A', now() from orders o, u where o.operator_id = $1 returning operator_id, company_id, id, order_id, user_id),
         c as (insert into packing_scans (operator_id, company_id, id, session_id, order_id, raw, result, user_id, station)
           select operator_id, company_id, gen_random_uuid(), id, order_id, '5701234567890', 'ok', user_id, 'A' from s),
         p as (insert into shipments (operator_id, company_id, order_id, agent_code, shipping_method, state, idempotency_key, reference)
           select operator_id, company_id, order_id, 'own', 'van', 'handed_over', 'k' || order_id, 'r' || order_id from s returning operator_id, company_id, order_id, id),
         g as (insert into label_log (operator_id, company_id, shipment_id, order_id, agent_code, action, outcome)
           select operator_id, company_id, id, order_id, 'own', 'book', 'ok' from p)
       insert into events (operator_id, company_id, kind, order_id, actor, user_id)
       select s.operator_id, s.company_id, k.kind, s.order_id, k.actor, k.user_id
       from s cross join lateral (values ('order.imported', 'Shop', null), ('order.packed', 'Kim Lund', s.user_id)) k(kind, actor, user_id)`,
      [scope.operator_id],
    )
  }
  await plain.query('vacuum (analyze)')
  await plain.query('alter system reset synchronous_commit')
  await plain.query('select pg_reload_conf()')
}

/** One order with everything that a person sees of it. */
async function readSomething(client: pg.PoolClient, operator_id: number): Promise<void> {
  for (const table of ['events', 'packing_scans', 'shipments', 'label_log', 'order_lines'])
    await client.query(
      `select o.order_no, count(*) from orders o left join ${table} t on t.operator_id = o.operator_id and t.order_id = o.id
       where o.operator_id = ${operator_id} and o.id = (select min(id) from orders where operator_id = ${operator_id}) group by o.order_no`,
    )
}

/** One change with its event. */
async function writeSomething(client: pg.PoolClient, operator_id: number): Promise<void> {
  await client.query(`
    begin;
    update orders set version = version + 1 where operator_id = ${operator_id} and id = (select min(id) from orders where operator_id = ${operator_id});
    insert into events (operator_id, company_id, kind, order_id)
      select operator_id, company_id, 'order.pinned', id from orders where operator_id = ${operator_id} order by id limit 1;
    insert into label_log (operator_id, company_id, order_id, agent_code, action, outcome)
      select operator_id, company_id, id, 'own', 'book', 'ok' from orders where operator_id = ${operator_id} order by id limit 1;
    insert into packing_scans (operator_id, company_id, id, session_id, order_id, raw, result, station)
      select operator_id, company_id, gen_random_uuid(), id, order_id, 'x', 'ok', 'A' from packing_sessions where operator_id = ${operator_id} order by id limit 1;
    commit`)
}

/** Repeats a step over the tenants in turn and notes how long each took; answers how to stop. */
function repeat(plain: pg.Pool, step: (client: pg.PoolClient, operator_id: number) => Promise<void>): { stop(): Promise<Sample[]> } {
  const samples: Sample[] = []
  let stopped = false
  const running = (async () => {
    const client = await plain.connect()
    try {
      for (let n = 0; !stopped; n++) {
        const from = performance.now()
        await step(client, 1 + (n % tenantCount))
        samples.push({ from, to: performance.now() })
        await new Promise(resolve => setTimeout(resolve, 5))
      }
    } finally {
      client.release()
    }
  })()
  // It is answered by `stop`.
  running.catch(() => undefined)
  return {
    async stop() {
      stopped = true
      await running
      return samples
    },
  }
}
