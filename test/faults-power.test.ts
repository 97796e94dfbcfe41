/** Power loss: server and database stop at the same moment, with default settings. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { holderOf, isLive } from '#platform/postgres/postmaster.ts'
import { buildOperator } from '../src/app/demo/builders.ts'
import { type Actors, createActors } from './actors.ts'
import { sender } from './sender.ts'
import { type ServerProcess, send, startServer } from './server-process.ts'

const data_dir = mkdtempSync(join(tmpdir(), 'pakhus-power-'))
/** Not always in the data folder: its account may be unable to enter that. */
let folder: string
const start = () => startServer({ DATA_DIR: data_dir })
const printers = { label_printer_id: 0, a4_printer_id: 0 }
let child: ServerProcess | undefined
let database: Database
let pool: pg.Pool
let crew: Actors

beforeAll(async () => {
  const first = await startPostgres({ dataDir: join(data_dir, 'postgres'), log: () => undefined })
  await migrate(first.url)
  database = openDatabase(first.url, { connections: 4 })
  pool = new pg.Pool({ connectionString: first.url, max: 2 })
  pool.on('error', () => undefined)
  ;[{ data_directory: folder }] = (await pool.query<{ data_directory: string }>('show data_directory')).rows as [{ data_directory: string }]
  const operator = await buildOperator(database, {
    name: 'Power',
    main: { code: 'power', name: 'Power', settings: { packing_ip_pattern: '127\\.0\\.0\\.1', sender, print_slip: true } },
  })
  crew = createActors({ database, pool, operator, data_dir, server: () => child as ServerProcess, printers: () => printers })
  const { token } = await crew.hire('Lead', ['admin'])
  await first.stop()
  child = await start()
  const { body } = await send(child.port, { method: 'GET', path: 'print_node/printers/list', company: 'power', token })
  const known = (body as { printers: { id: number; paper: string }[] }).printers
  printers.label_printer_id = known.find(one => one.paper === 'label')!.id
  printers.a4_printer_id = known.find(one => one.paper === 'a4')!.id
})
afterAll(async () => {
  await child?.kill('SIGTERM')
  await pool.end()
  await database.close()
  rmSync(data_dir, { recursive: true, force: true })
})

/** Kills the server, the database and all its processes at once with SIGKILL. */
async function cutPower(): Promise<void> {
  const holder = holderOf(folder)
  if (holder.state !== 'running') throw new Error(`The database is ${holder.state}`)
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(holder.pid)])
    .toString()
    .trim()
    .split(/\s+/)
    .map(Number)
  for (const pid of [holder.pid, (child as ServerProcess).process.pid as number, ...children])
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // A process for one query may have ended by itself.
    }
  await (child as ServerProcess).kill('SIGKILL')
  while (isLive(holder.pid)) await pause(5)
}

it('loses nothing that was answered and restarts by itself, at any moment of a power loss', async () => {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums')`,
  )
  // What a process killed can prove ends where the machine's own memory begins: beyond it these four stand.
  expect(Object.fromEntries(rows.map(row => [row.name, row.setting]))).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
  })
  let over = false
  const packed = Promise.all([1, 2].map(n => crew.pack(`Bench ${n}`, () => over)))
  packed.catch(() => (over = true))
  const cuts = 4
  for (let i = 0; i < cuts && !over; i++) {
    const enough = crew.confirmed.answers + 1 + Math.random() * 12
    while (crew.confirmed.answers < enough && !over) await pause(10)
    await cutPower()
    child = await start()
  }
  over = true
  expect((await packed).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(0)
  await crew.settle()
  await crew.nothingLost()
  // Whole where it was written, and nothing but that.
  const files = readdirSync(join(data_dir, 'files'), { recursive: true, withFileTypes: true }).filter(one => one.isFile())
  expect(files.length).toBeGreaterThan(0)
}, 600_000)
