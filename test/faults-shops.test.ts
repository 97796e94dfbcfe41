/** Faults: the server dies while it compares a shop's orders with its own, and the comparison is done after the next start. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWooShop, type WooShop } from '#integrations/shops/woocommerce/woocommerce-shop.fake.ts'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { type EmbeddedPostgres, startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { type BuiltOperator, buildOperator } from '../src/app/demo/builders.ts'
import { createActors, rows } from './actors.ts'
import { type ServerProcess, send, startServer } from './server-process.ts'

const data_dir = mkdtempSync(join(tmpdir(), 'pakhus-shops-'))
const cluster = mkdtempSync(join(tmpdir(), 'pakhus-shops-db-'))
let postgres: EmbeddedPostgres
let database: Database
let pool: pg.Pool
let operator: BuiltOperator
let shop: WooShop
let child: ServerProcess | undefined
const start = () => startServer({ DATA_DIR: data_dir, DATABASE_URL: postgres.url, ALLOWED_NETWORKS: '127.0.0.0/8' })

beforeAll(async () => {
  postgres = await startPostgres({ dataDir: cluster, log: () => undefined })
  await migrate(postgres.url)
  database = openDatabase(postgres.url, { connections: 2 })
  pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
  operator = await buildOperator(database, {
    name: 'Shops',
    main: { code: 'shops', name: 'Shops', settings: { packing_ip_pattern: '127\\.0\\.0\\.1' } },
  })
  shop = await startWooShop(() => new Date())
}, 120_000)
afterAll(async () => {
  await child?.kill('SIGKILL')
  await shop.close()
  await pool.end()
  await database.close()
  await postgres.stop()
  for (const folder of [data_dir, cluster]) rmSync(folder, { recursive: true, force: true })
})

it('a server that is killed within the nightly comparison of a shop leaves nothing out and doubles nothing', {
  timeout: 180_000,
}, async () => {
  child = await start()
  const printers = { label_printer_id: 0, a4_printer_id: 0 }
  const crew = createActors({ database, pool, operator, data_dir, server: () => child as ServerProcess, printers: () => printers })
  const { token } = await crew.hire('Lead', ['admin'])
  const ask = async (path: string, body: unknown) => {
    const reply = await send((child as ServerProcess).port, { method: 'POST', path, company: 'shops', token, body })
    expect(reply.status).toBe(200)
    return reply.body
  }
  const connection = {
    ...{ client_id: randomUUID(), system: 'woocommerce', shop: 'keramik', name: 'Nordlys Keramik', base_url: shop.url },
    ...{ credentials: shop.keys, settings: {}, pull_from: new Date().toISOString() },
  }
  const { id } = (await ask('shop_connections', connection)) as { id: number }
  // An open order from before the days that the comparison reads again: it is asked for by itself.
  const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 19)
  const old = shop.place({ date_created_gmt: weekAgo, date_created: weekAgo })
  await ask(`shop_connections/${id}/fetch`, { order: String(old.number) })
  // No reading brings what the comparison is to find.
  await pool.query(`update shop_connections set next_pull_at = now() + interval '1 day' where id = $1`, [id])
  const placed = [shop.place(), shop.place(), shop.place()]
  shop.change(old.id, { status: 'cancelled' })

  const carried = { operator_id: operator.operator_id, company_id: operator.main.id, companies: [operator.main.id] }
  const isOld = (path: string) => path.endsWith(`/orders/${old.id}`)
  let asked = 0
  let dying: Promise<void> | undefined
  shop.setFault(one => {
    if (!isOld(one.path)) return undefined
    asked++
    if (asked > 1) return undefined
    // The page of new orders is stored, and the old one not yet read.
    dying = (child as ServerProcess).kill('SIGKILL')
    return 'drop'
  })
  await pool.query('select graphile_worker.add_job($1, $2::json, job_key := $3)', [
    'shops.sweep',
    JSON.stringify({ connection_id: id, carried: { ...carried, user_id: 0, user_name: 'x', station: '' } }),
    `shops.sweep:${id}`,
  ])
  await expect.poll(() => asked, { timeout: 30_000 }).toBe(1)
  await dying
  const swept = () => rows<{ swept: boolean }>(pool, `select swept_at is not null swept from shop_connections where id = ${id}`)
  expect(await swept()).toEqual([{ swept: false }])

  child = await start()
  await expect.poll(swept, { timeout: 60_000, interval: 200 }).toEqual([{ swept: true }])
  expect(asked).toBe(2)
  const stored = await rows<{ external_id: string; phase: string; lines: number }>(
    pool,
    `select external_id, phase, (select count(*) from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id and l.type = 'item')::integer lines
      from orders o order by id`,
  )
  const itemsOf = (order: Readonly<Record<string, unknown>>) => (order.line_items as unknown[]).length
  expect(stored.map(row => row.external_id)).toEqual([old, ...placed].map(order => String(order.id)))
  expect(stored.map(row => row.lines)).toEqual([old, ...placed].map(itemsOf))
  expect(stored[0]?.phase).toBe('cancelled')
  // Each was found once, by the comparison.
  expect(
    await rows(
      pool,
      `select count(*)::integer n from connection_log where kind = 'sweep' and outcome = 'created' and order_id is not null`,
    ),
  ).toEqual([{ n: placed.length }])
  expect(
    await rows(
      pool,
      `select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'shops.sweep'`,
    ),
  ).toEqual([])
})
