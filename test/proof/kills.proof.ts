/** Kills of the server, of its database and of both at once, while three stations pack: nothing that was answered is lost, doubled or stuck. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { newChance } from '#optimization/random/seeded-random.ts'
import { openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { type EmbeddedPostgres, startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { holderOf, isLive } from '#platform/postgres/postmaster.ts'
import { buildOperator } from '../../src/app/demo/builders.ts'
import { createActors } from '../actors.ts'
import { recoveryTime } from '../retries.ts'
import { sender } from '../sender.ts'
import { type ServerProcess, send, startServer } from '../server-process.ts'

/** Milliseconds from the kill to a server that is ready, at most, for 99 of 100. */
const readyWithin = 5_000
const victims = ['server', 'database', 'both'] as const

it('loses and doubles nothing, however often and wherever it is killed', async () => {
  const kills = Number(process.env.PROOF_AMOUNT ?? 200)
  const until = performance.now() + Number(process.env.PROOF_MINUTES ?? 60) * 60_000
  const chance = newChance(Number(process.env.PROOF_SEED ?? 1))
  const data_dir = mkdtempSync(join(tmpdir(), 'pakhus-kills-'))
  const cluster = join(data_dir, 'postgres')
  const postgres: EmbeddedPostgres = await startPostgres({ dataDir: cluster, log: () => undefined })
  const { url } = postgres
  await migrate(url)
  const database = openDatabase(url, { connections: 4 })
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => undefined)
  const operator = await buildOperator(database, {
    name: 'Kills',
    main: { code: 'kills', name: 'Kills', settings: { packing_ip_pattern: '127\\.0\\.0\\.1', sender, print_slip: true } },
  })
  const folder = (await pool.query<{ data_directory: string }>('show data_directory')).rows[0]?.data_directory ?? ''
  /** A server whose database is not back yet ends, and is started again, as systemd or Docker do it. */
  const start = async (): Promise<ServerProcess> => {
    for (const began = performance.now(); ; )
      try {
        return await startServer({ DATA_DIR: data_dir, DATABASE_URL: url })
      } catch (error) {
        if (performance.now() - began > recoveryTime) throw error
      }
  }
  let server: ServerProcess = await start()
  const printers = { label_printer_id: 0, a4_printer_id: 0 }
  const crew = createActors({ database, pool, operator, data_dir, server: () => server, printers: () => printers })
  try {
    const { token } = await crew.hire('Lead', ['admin'])
    const { body } = await send(server.port, { method: 'GET', path: 'print_node/printers/list', company: 'kills', token })
    for (const { id, paper } of (body as { printers: { id: number; paper: string }[] }).printers)
      printers[paper === 'label' ? 'label_printer_id' : 'a4_printer_id'] = id

    const isReady = async () =>
      (await send(server.port, { method: 'GET', path: '/readyz', company: 'kills', wait: 2_000 }).catch(() => ({ status: 0 }))).status ===
      200
    const killDatabase = async () => {
      const holder = holderOf(folder)
      if (holder.state !== 'running') throw new Error(`The database is ${holder.state}`)
      process.kill(holder.pid, chance.below(2) === 0 ? 'SIGKILL' : 'SIGQUIT')
      while (isLive(holder.pid)) await pause(2)
      return holder.pid
    }
    let over = false
    const packed = Promise.all([1, 2, 3].map(n => crew.pack(`Bench ${n}`, () => over)))
    packed.catch(() => (over = true))
    const took: number[] = []
    const counts = { server: 0, database: 0, both: 0 }
    while (took.length < kills && !over && performance.now() < until) {
      const enough = crew.confirmed.answers + 1 + chance.below(12)
      while (crew.confirmed.answers < enough && !over) await pause(5)
      await pause(chance.below(60))
      const victim = victims[chance.below(victims.length)] ?? 'server'
      counts[victim]++
      const began = performance.now()
      const [old] = await Promise.all([
        victim === 'server' ? undefined : killDatabase(),
        victim === 'database' ? undefined : server.kill('SIGKILL'),
      ])
      if (victim !== 'database') server = await start()
      const isBack = async () => {
        if (!(await isReady())) return false
        const now = holderOf(folder)
        return old === undefined || (now.state === 'running' && now.pid !== old)
      }
      while (!(await isBack())) {
        if (performance.now() - began > recoveryTime)
          throw new Error(`Not ready after the death of ${victim}: ${server.written().slice(-2_000)}`)
        await pause(5)
      }
      took.push(performance.now() - began)
    }
    over = true
    await packed
    await crew.settle()
    await crew.nothingLost()
    took.sort((a, b) => a - b)
    const at = (share: number) => Math.round(took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0)
    console.info(
      `kills: ${took.length} (server ${counts.server}, database ${counts.database}, both ${counts.both}); ${crew.confirmed.scans.length} confirmed scans and ` +
        `${crew.confirmed.closed.length} orders: 0 lost, 0 doubled, 0 stuck; ready again after ${at(0.5)} ms (p50), ${at(0.99)} ms (p99)`,
    )
    if (process.env.PROOF_SPEED !== '0') expect(at(0.99)).toBeLessThan(readyWithin)
  } finally {
    await server.kill('SIGKILL')
    await pool.end()
    await database.close()
    await postgres.stop()
    rmSync(data_dir, { recursive: true, force: true })
  }
})
