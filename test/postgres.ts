/** One real PostgreSQL for a run of tests: started before the first unless `npm test` has one running, removed after the last. */
import { readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/platform/database/migrate.ts'
import { startPostgres } from '../src/platform/postgres/embedded-postgres.ts'
import { holderOf, isLive } from '../src/platform/postgres/postmaster.ts'
import { findPackage } from '../src/platform/postgres/programs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's connection string; every test file makes its own database there. */
    database: string
  }
}

const prefix = 'pakhus-tests-'
/** Nothing in a test's database is worth keeping, so it may skip what makes it safe from a power cut. */
const settings = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  // Two files at once may start several servers each, and those that are killed leave connections for a while.
  max_connections: '300',
}
const log = () => {}
/** Every test file makes a database of two thousand small files: in memory that takes a tenth of a second, on a busy disk up to a second. */
const memory = '/dev/shm'
const folder = freeBytes(memory) > 4 * 1024 ** 3 ? memory : tmpdir()

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return 0
  }
}

/** Names the variable with the connection string of a database that is started already: `npm test` has one for all its parts. */
export const startedDatabase = 'PAKHUS_TEST_DATABASE'

export default async function setup({ provide }: TestProject) {
  const started = process.env[startedDatabase]
  const { url, stop } = started ? { url: started, stop: undefined } : await startTestDatabase()
  provide('database', url)
  return stop
}

export async function startTestDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  await removeAbandoned()
  const dataDir = join(folder, `${prefix}${process.pid}`)
  const postgres = await startPostgres({ dataDir, log, settings })
  const stop = async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await makeTemplate(postgres.url)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: postgres.url, stop }
}

/** Migrated once; every test file copies it in a fraction of the time. */
async function makeTemplate(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create database template_pakhus')
  await client.end()
  await migrate(url.replace(/\/[^/]*$/, '/template_pakhus'))
}

/** A run that was killed leaves its server and its folder behind. */
export async function removeAbandoned() {
  const { major } = findPackage()
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || isLive(Number(name.slice(prefix.length)))) continue
    const dataDir = join(folder, name)
    const holder = holderOf(join(dataDir, major))
    if (holder.state === 'running') {
      process.kill(holder.pid, 'SIGQUIT')
      while (isLive(holder.pid)) await pause(10)
    }
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}
