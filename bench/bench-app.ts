/** The world of the benchmarks: a PostgreSQL of its own with a million invented orders, and the product as a process beside it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Permission, permissions } from '#contract/access.ts'
import { readConfig } from '#platform/config.ts'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { type FileStore, openFiles } from '#platform/files/file-store.ts'
import { startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { holderOf } from '#platform/postgres/postmaster.ts'
import { type BuiltOperator, buildOperator, buildUser } from '../src/app/demo/builders.ts'
import { onInterrupt } from './interrupt.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))

export interface Tenant extends BuiltOperator {
  scope: TenantScope
  token: string
  cms_key: string
  label_printer_id: number
}

export interface Server {
  url: string
  port: number
  process: ChildProcess
  /** Milliseconds from spawn to the first answer of /readyz. */
  started_in: number
  stop(): Promise<void>
}

export interface BenchApp {
  database: Database
  /** Of a superuser. */
  url: string
  /** A superuser connection without row-level security, for limits and checks. */
  plain: pg.Pool
  /** The folder in which the product keeps its files. */
  folder: string
  /** Where the product keeps its files. */
  files: FileStore
  tenants: Tenant[]
  /** A tenant without orders, beside those that are filled. */
  newTenant(): Promise<Tenant>
  /** The product, started at first use. */
  server(): Promise<Server>
  /** Starts another one beside it, for measuring the start. */
  startServer(more?: Record<string, string>): Promise<Server>
  /** Fills up to `total` orders over all tenants. */
  fill(total: number): Promise<void>
  orders: number
  close(): Promise<void>
}

export async function openBenchApp(log: (line: string) => void, tenantCount = 10): Promise<BenchApp> {
  const folder = await mkdtemp(join(tmpdir(), 'pakhus-bench-'))
  // A root start gives the database to another account: where that cannot enter, the cluster would lie elsewhere and stay.
  await chmod(folder, 0o711)
  const servers: Server[] = []
  // As a warehouse runs it: durable, with the product's own settings.
  const starting = startPostgres({
    dataDir: join(folder, 'postgres'),
    log: () => undefined,
    // Some rows run three servers beside each other.
    settings: { max_connections: '400' },
  })
  // Not `close`: pools would wait for what still runs.
  const forget = onInterrupt(async () => {
    for (const { process: child } of servers) child.kill('SIGKILL')
    await (await starting).stop()
    await rm(folder, { recursive: true, force: true })
  })
  const postgres = await starting
  await migrate(postgres.url)
  const database = openDatabase(postgres.near_url)
  const plain = new pg.Pool({ connectionString: postgres.near_url, max: 40 })
  const env = {
    ...process.env,
    DATABASE_URL: postgres.near_url,
    DATA_DIR: join(folder, 'data'),
    // Measured is what the server can do, not what a key may.
    API_KEY_CALLS_PER_MINUTE: '1000000',
    DEMO: '0',
    PGAPPNAME: 'pakhus bench server',
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    PORT: '0',
    SECRET_KEY: 'bench'.repeat(8),
  }
  const tenants: Tenant[] = []
  let built = 0
  while (built < tenantCount) tenants.push(await buildTenant(database, built++))
  let running: Promise<Server> | undefined

  const testApp: BenchApp = {
    database,
    url: postgres.near_url,
    plain,
    folder: join(folder, 'data'),
    files: openFiles(readConfig(env)),
    tenants,
    newTenant: () => buildTenant(database, built++),
    orders: 0,
    server: () => {
      running ??= testApp.startServer()
      return running
    },
    async startServer(more) {
      const server = await spawnServer({ ...env, ...more })
      servers.push(server)
      return server
    },
    async fill(total) {
      const each = Math.floor(total / tenantCount)
      if (each * tenantCount <= testApp.orders) return
      const began = Date.now()
      await plain.query('alter system set synchronous_commit = off')
      await plain.query('select pg_reload_conf()')
      for (const { scope } of tenants) await fillTenant(plain, scope, testApp.orders / tenantCount, each)
      await plain.query('delete from order_counts')
      await plain.query(
        `insert into order_counts (operator_id, company_id, phase, ship_country, n)
         select operator_id, company_id, phase, case when phase in ('handed_over', 'closed', 'delivered', 'cancelled') then '' else ship_country end, count(*)
         from orders group by 1, 2, 3, 4`,
      )
      await plain.query('delete from order_count_changes')
      await plain.query(
        'insert into order_count_checks (operator_id, company_id, checked_at, by_deadline) select operator_id, id, now(), true from companies on conflict (operator_id, company_id) do update set checked_at = now(), by_deadline = true',
      )
      await plain.query('vacuum (analyze) orders, order_lines, order_words, products, product_barcodes, order_counts')
      await plain.query('alter system reset synchronous_commit')
      await plain.query('select pg_reload_conf()')
      testApp.orders = each * tenantCount
      log(`${testApp.orders.toLocaleString('en')} orders in ${Math.round((Date.now() - began) / 1_000)} s`)
    },
    async close() {
      for (const server of servers) await server.stop()
      await plain.end()
      await database.close()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
      forget()
    },
  }
  return testApp
}

async function buildTenant(database: Database, i: number): Promise<Tenant> {
  const sender = {
    name: 'Bench',
    address1: 'Bench Street 1',
    address2: '',
    postcode: '5000',
    city: 'Odense',
    country: 'DK',
    phone: '',
    email: '',
  }
  const built = await buildOperator(database, {
    name: `Bench ${i}`,
    main: {
      code: `bench${i}`,
      name: `Bench ${i}`,
      settings: { packing_ip_pattern: '127\\.0\\.0\\.1|::1', gs1_prefix: `57900${10 + i}`, sender },
    },
  })
  const scope: TenantScope = { operator_id: built.operator_id, company_id: built.main.id, companies: [built.main.id] }
  const token = await worker(database, scope, ['admin'], `admin ${i}`)
  const cms_key = newToken('pk_')
  const { id: label_printer_id } = await database.transaction(scope, async db => {
    await db
      .insertInto('cms_keys')
      .values({ name: 'bench', prefix: cms_key.slice(0, 8), key_hash: hashToken(cms_key) })
      .execute()
    return db
      .insertInto('printers')
      .values({ kind: 'file', remote_id: 'labels', name: 'File: labels', raw: false })
      .returning('id')
      .executeTakeFirstOrThrow()
  })
  return { ...built, scope, token, cms_key, label_printer_id }
}

/** Somebody with a session. */
export async function worker(
  database: Database,
  scope: TenantScope,
  codes: readonly Permission[] = permissions,
  name = `worker ${randomUUID().slice(0, 6)}`,
): Promise<string> {
  const user_id = await buildUser(database, scope, { name, permissions: codes })
  const token = newToken()
  await database.transaction(scope, db =>
    db
      .insertInto('sessions')
      .values({ user_id, token_hash: hashToken(token), expires_at: new Date(Date.now() + 86_400_000).toISOString() })
      .execute(),
  )
  return token
}

/** Orders `from`…`to` of one tenant: three lines each, names by a long-tailed law over 8,000, everything reproducible. */
export async function fillTenant(
  plain: pg.Pool,
  { operator_id, company_id }: Pick<TenantScope, 'operator_id' | 'company_id'>,
  from: number,
  to: number,
  release: 'present' | '0.1.0' = 'present',
): Promise<void> {
  // Release 0.1.0 derives the status.
  const [statusColumn, status] = release === '0.1.0' ? ['', ''] : ['phase, ', 's.state, ']
  if (from === 0) {
    await plain.query(
      `insert into products (operator_id, company_id, sku, name, weight_g, bin)
       select $1, $2, 'SKU-' || lpad(n::text, 4, '0'), 'Product ' || n, 100 + n % 900, 'A-' || n % 100 from generate_series(0, 1999) n`,
      [operator_id, company_id],
    )
    await plain.query(
      `insert into product_barcodes (operator_id, company_id, product_id, barcode)
       select operator_id, company_id, id, '20' || lpad(substr(sku, 5), 11, '0') from products where operator_id = $1`,
      [operator_id],
    )
  }
  const step = 20_000
  for (let at = from; at < to; at += step)
    await plain.query(
      `with n as (
         select i, (hashint4(i * 7 + $2::integer) & 2147483647) / 2147483647.0 a, (hashint4(i * 13 + 5) & 2147483647) / 2147483647.0 b from generate_series($3::integer, $4::integer - 1) i),
       named as (
         select i, 'first' || floor(100 * power(a, 2))::integer first, 'last' || floor(80 * power(b, 2))::integer || chr(97 + i % 26) last from n),
       o as (
         insert into orders (operator_id, company_id, external_id, order_no, work_state, ${statusColumn}currency, ordered_at, customer_name, customer_email, customer_phone, ship_country, ship_to,
           item_count, weight_g, fingerprint, agent_code, shipping_method, badges, packed_at)
         select $1, $2, 'e' || i, '#' || (100000 + i), s.state, ${status}'DKK',
           timestamptz '2026-01-01' + i * interval '4 minutes', first || ' ' || last, first || '.' || last || i || '@example.test', '+45' || (20000000 + i), 'DK',
           jsonb_build_object('name', first || ' ' || last, 'address1', 'Street ' || i % 300, 'postcode', lpad((1000 + i % 8000)::text, 4, '0'), 'city', 'Town' || i % 500, 'country', 'DK', 'phone', '+45' || (20000000 + i)),
           3, 900, sha256(i::text::bytea), 'own', 'van', '[]', null
         from named cross join lateral (select case when i % 20 = 0 then 'ready' when i % 20 = 1 then 'packed' else 'handed_over' end) s (state) returning id, external_id),
       l as (
         insert into order_lines (operator_id, company_id, order_id, line_no, external_id, sku, product_id, name, barcode, qty, unit_price_excl_vat, weight_g)
         select $1, $2, o.id, k, k::text, p.sku, p.id, p.name, '20' || lpad(substr(p.sku, 5), 11, '0'), 1, 9900, 300
         from o cross join generate_series(1, 3) k
         join products p on p.operator_id = $1 and p.sku_key = 'SKU-' || lpad(((substr(o.external_id, 2)::integer * 31 + k * 577) % 2000)::text, 4, '0'))
       insert into order_words (operator_id, company_id, order_id, words)
       select $1, $2, o.id, array_to_tsvector(array(select distinct $2::text || '/' || w from unnest(array[
         (100000 + n.i)::text, '#' || (100000 + n.i), n.first, n.last, n.first || '.' || n.last || n.i || '@example.test', '45' || (20000000 + n.i), (20000000 + n.i)::text,
         'town' || n.i % 500, 'sku-' || lpad(((n.i * 31 + 577) % 2000)::text, 4, '0'), 'sku-' || lpad(((n.i * 31 + 1154) % 2000)::text, 4, '0'), 'sku-' || lpad(((n.i * 31 + 1731) % 2000)::text, 4, '0')]) w))
       from o join named n on 'e' || n.i = o.external_id`,
      [operator_id, company_id, at, Math.min(at + step, to)],
    )
}

async function spawnServer(env: NodeJS.ProcessEnv): Promise<Server> {
  const began = performance.now()
  const child = spawn(process.execPath, [join(root, 'src/app/main.ts')], { env, cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`The server ended with ${code}: ${printed}`)))
    child.stdout.on('data', chunk => {
      printed += chunk
      const at = /(?:Listening on [^:]+|localhost):(\d+)/.exec(printed)?.[1]
      if (at && Number(at) > 0) resolve(Number(at))
    })
  })
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${url}/readyz`).then(
      answer => answer.ok,
      () => false,
    ))
  )
    await new Promise(resolve => setTimeout(resolve, 10))
  return {
    url,
    port,
    process: child,
    started_in: performance.now() - began,
    stop: () =>
      new Promise(resolve => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

/** Seconds of processor that a process has used, without its children (Linux). */
async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** The primary process of a server, and those that it has started. */
async function processesOf({ process }: Server): Promise<number[]> {
  const pid = process.pid as number
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.split(' ').filter(Boolean).map(Number)]
}

/** Processor time of a process and of its children, those that have ended and live ones. */
async function withChildren(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number)
  const live = await Promise.all(children.map(child => cpuSeconds(child).catch(() => 0)))
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]) / 100, 0) + live.reduce((sum, one) => sum + one, 0)
}

/** Seconds of processor that the server and the database have used since their start, housekeeping and ended connections with them. */
export async function processorSeconds({ plain }: BenchApp, server: Server): Promise<{ server: number; database: number }> {
  const { rows } = await plain.query<{ data_directory: string }>('show data_directory')
  const holder = holderOf(rows[0]?.data_directory ?? '')
  if (holder.state !== 'running') throw new Error(`The database is ${holder.state}`)
  return { server: await withChildren(server.process.pid as number), database: await withChildren(holder.pid) }
}

/** Kilobytes that the processes of a server hold now (Linux). */
export async function memory(server: Server): Promise<number> {
  const held = await Promise.all(
    (await processesOf(server)).map(async pid => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)),
  )
  return held.reduce((sum, one) => sum + one, 0)
}

/** The same with each page that processes share counted once: their program is most of what three processes of one server hold. */
export async function heldMemory(server: Server): Promise<number> {
  const held = await Promise.all(
    (await processesOf(server)).map(async pid =>
      Number(/^Pss:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0),
    ),
  )
  return held.reduce((sum, one) => sum + one, 0)
}

/**
 * Begins to watch the processor of the server and of the connections to its database; answers how many seconds both have used
 * since. What a connection used that ended meanwhile is not counted, nor is the database's own housekeeping.
 */
export async function watchCores(plain: pg.Pool, server: Server): Promise<() => Promise<number>> {
  const now = async (): Promise<Map<number, number>> => {
    const { rows } = await plain.query<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    )
    const pids = [...(await processesOf(server)), ...rows.map(({ pid }) => pid)]
    return new Map(await Promise.all(pids.map(async pid => [pid, await cpuSeconds(pid).catch(() => 0)] as const)))
  }
  const before = await now()
  return async () => [...(await now())].reduce((sum, [pid, used]) => sum + Math.max(0, used - (before.get(pid) ?? 0)), 0)
}
