/**
 * Runs inside the guest that `power-cuts.proof.ts` starts and cuts off: the database, the server and two packing stations. First it compares what
 * was confirmed before the cut with what is there, then the stations pack on. Each confirmed scan and order becomes a line on the console.
 */
import { readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '#platform/database/database.ts'
import { startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { createActors } from '../actors.ts'
import { startServer } from '../server-process.ts'
import type { GuestPlan } from './power-cuts.ts'

const say = (line: string) => writeSync(1, `\n@${line}\n`)

async function run({ data_dir, durable, last, operator, printers, scans, closed }: GuestPlan): Promise<void> {
  const settings = durable ? undefined : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const { url } = await startPostgres({
    dataDir: join(data_dir, 'postgres'),
    log: line => console.log(line),
    ...(settings && { settings }),
  })
  const server = await startServer({ DATA_DIR: data_dir, DATABASE_URL: url, WORKERS: '1' })
  const database = openDatabase(url, { connections: 4 })
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  // The stations die with the guest, so what they had in hand stays unfinished.
  const among = `o.id in (select order_id from packing_sessions where state = 'done')`
  const crew = createActors({ database, pool, operator, data_dir, server: () => server, printers: () => printers, among })
  crew.confirmed.scans.push(...scans)
  crew.confirmed.closed.push(...closed)
  await crew.settle(['sessions still open'])
  await crew.nothingLost()
  say('whole')
  if (last) return
  let said = { scans: scans.length, closed: closed.length }
  const write = () => {
    const { confirmed } = crew
    for (const id of confirmed.scans.slice(said.scans)) say(`scan ${id}`)
    for (const id of confirmed.closed.slice(said.closed)) say(`closed ${id}`)
    said = { scans: confirmed.scans.length, closed: confirmed.closed.length }
  }
  setInterval(write, 5)
  await Promise.all([1, 2].map(n => crew.pack(`Bench ${n}`, () => false)))
}

await run(JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as GuestPlan).catch(async (error: unknown) => {
  console.error(error)
  say(`lost ${String(error).replaceAll(/\s+/g, ' ').slice(0, 600)}`)
})
await pause(200)
process.exit(0)
