/** Backup and restore as printed: beside a running server, between the own PostgreSQL and another major version, compared by counts and hashes. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../../src/platform/postgres/embedded-postgres.ts'
import { blockOf, replaced } from './document.ts'
import { check, equal, type Run, root, shell, until } from './harness.ts'
import { createOrder, demoAdmin, done, localhost, newKey, plainEnv, type Server, signIn, startPakhus } from './pakhus.ts'
import { fingerprint, query, startDebianPostgres } from './postgres.ts'

const passphrase = 'at least twelve characters'
const archive = 'pakhus-2026-11-22.backup'

/** Runs the printed commands with other folders and settings. */
const runBlock = (run: Run, heading: string, place: number, env: Record<string, string>, changes: Record<string, string>) =>
  shell(replaced(blockOf(heading, 'sh', place), { '/backup/': `${run.path('backups')}/`, ...changes }), {
    cwd: root,
    env: { ...plainEnv, BACKUP_PASSPHRASE: passphrase, ...env },
  })
export const backupTo = (run: Run, name: string, env: Record<string, string>) => runBlock(run, 'Backup', 0, env, { [archive]: name })
const restoreFrom = (run: Run, name: string, env: Record<string, string>) => runBlock(run, 'Restore', 0, env, { [archive]: name })

/** What the own database in this data folder holds. */
async function ownFingerprint(dataDir: string): Promise<{ sums: Record<string, string>; version: string }> {
  const own = await startPostgres({ dataDir: `${dataDir}/postgres`, log: () => undefined })
  try {
    const [row] = await query(own.url, 'show server_version')
    return { sums: await fingerprint(own.url), version: String(row?.server_version) }
  } finally {
    await own.stop()
  }
}

const filesIn = (dataDir: string) =>
  readdirSync(`${dataDir}/files`, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => file.name)
    .sort()

/** Creates orders until it is stopped; answers the numbers that the server confirmed. */
function createOrders(server: Server, key: string): { stop: () => Promise<string[]>; confirmed: string[] } {
  const confirmed: string[] = []
  let stopped = false
  const work = (async () => {
    for (let n = 1; !stopped; n++) {
      await createOrder(localhost(server.port, 'demo'), key, `W-${n}`, 'demo')
      confirmed.push(`W-${n}`)
      await pause(20)
    }
  })()
  // Seen when it is stopped.
  work.catch(() => undefined)
  return {
    confirmed,
    async stop() {
      stopped = true
      await work
      return confirmed
    },
  }
}

export const backup = {
  name: 'backup',
  async run(run: Run): Promise<void> {
    mkdirSync(run.path('backups'))
    const first = run.path('first')
    const before: string[] = []
    await run.step('a backup beside the running server, while orders come in', async () => {
      const server = await startPakhus(run, { DATA_DIR: first, DEMO: '1', API_KEY_CALLS_PER_MINUTE: '100000' })
      const at = localhost(server.port, 'demo')
      const orders = createOrders(server, await newKey(at, await signIn(at, 'demo', demoAdmin), 'demo'))
      await until('some orders', () => orders.confirmed.length >= 20)
      before.push(...orders.confirmed)
      await backupTo(run, 'online.backup', { DATA_DIR: first })
      check((await orders.stop()).length > before.length, 'No order came in meanwhile')
      await server.end()
    })
    await run.step('a backup without a server', () => backupTo(run, 'cold.backup', { DATA_DIR: first }))
    const own = await ownFingerprint(first)
    const external = await startDebianPostgres(run, 'external')
    const second = run.path('second')
    await run.step('restored into another major version: all rows and files are equal', async () => {
      const [row] = await query(external.superUrl, 'show server_version')
      const major = (version: unknown) => String(version).split('.')[0]
      check(major(row?.server_version) !== major(own.version), `Both are ${own.version}`)
      console.log(`    from PostgreSQL ${own.version} into ${row?.server_version}`)
      await restoreFrom(run, 'cold.backup', { DATABASE_URL: external.url, DATA_DIR: second })
      equal(await fingerprint(external.superUrl.replace(/postgres$/, 'pakhus')), own.sums, 'rows')
      equal(filesIn(second), filesIn(first), 'files')
      check(Object.keys(own.sums).length > 50 && filesIn(first).length > 20, 'There is too little to compare')
    })
    await run.step('a server starts on it: people sign in, secrets can be read', async () => {
      const server = await startPakhus(run, { DATABASE_URL: external.url, DATA_DIR: second, DEMO: '1' })
      await signIn(localhost(server.port, 'demo'), 'demo', demoAdmin)
      await server.end()
    })
    await run.step('and back: from the external database into an own one', async () => {
      await backupTo(run, 'external.backup', { DATABASE_URL: external.url, DATA_DIR: second })
      const sums = await fingerprint(external.superUrl.replace(/postgres$/, 'pakhus'))
      const third = run.path('third')
      await restoreFrom(run, 'external.backup', { DATA_DIR: third })
      equal((await ownFingerprint(third)).sums, sums, 'rows')
      equal(filesIn(third), filesIn(second), 'files')
    })
    await run.step('the backup of the running server holds all that was confirmed before it', async () => {
      const trial = run.path('trial')
      await runBlock(run, 'Restore', 1, {}, { [archive]: 'online.backup', '/tmp/trial': trial })
      check(existsSync(`${trial}/secret.key`), 'The key is missing')
      const server = await startPakhus(run, { DATA_DIR: trial, DEMO: '1' })
      const at = localhost(server.port, 'demo')
      const token = await signIn(at, 'demo', demoAdmin)
      for (const number of [before[0], before.at(-1)])
        check(
          JSON.stringify(await done(at, `GET /api/demo/orders/search/?query=${number}`, { token })).includes(`"${number}"`),
          `${number} is missing`,
        )
      await server.end()
    })
  },
}
