/** Any moment in the past: the external database goes back to the minute before a mistake, as printed. */
import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { blockOf, replaced } from './document.ts'
import { check, equal, type Run, shell, until } from './harness.ts'
import { ask, createOrder, done, localhost, newKey, setUp, signIn, startPakhus } from './pakhus.ts'
import { launchDebianPostgres, ownFolder, postgresAccount, query, startDebianPostgres } from './postgres.ts'

/** The lines `name = 'value'` of a printed block. */
const settingsIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]))

export const moment = {
  name: 'moment',
  async run(run: Run): Promise<void> {
    const heading = 'Any moment in the past'
    ownFolder(run.path('backup'))
    ownFolder(run.path('backup/wal'))
    const archived = settingsIn(replaced(blockOf(heading, 'ini', 0), { '/backup/': `${run.path('backup')}/` }))
    const database = await startDebianPostgres(run, 'database', archived)
    const server = await startPakhus(run, { DATABASE_URL: database.url, DATA_DIR: run.path('data') })
    await setUp(server.output, localhost(server.port, ''))
    const at = localhost(server.port)
    const key = await newKey(at, await signIn(at))
    await createOrder(at, key, 'BEFORE-1')
    await run.step('a base backup beside the running server', () =>
      shell(
        replaced(blockOf(heading, 'sh'), {
          pg_basebackup: `${database.programs}/pg_basebackup -d '${database.superUrl}'`,
          '/backup/': `${run.path('backup')}/`,
        }),
        {
          ...postgresAccount(),
          cwd: '/',
        },
      ),
    )
    const time = await run.step('work goes on, then a mistake', async () => {
      await createOrder(at, key, 'BEFORE-2')
      await pause(1_500)
      const [now] = await query(database.superUrl, 'select now()::text now')
      await pause(1_500)
      await createOrder(at, key, 'AFTER-1')
      const [log] = await query(database.superUrl, 'select pg_walfile_name(pg_switch_wal()) file')
      await until('the log to be archived', async () => {
        const [row] = await query(database.superUrl, 'select last_archived_wal >= $1 done from pg_stat_archiver', [log?.file])
        return row?.done === true
      })
      return String(now?.now)
    })
    await server.end()
    await database.server.end('SIGINT')

    await run.step('the database returns to the moment', async () => {
      rmSync(database.folder, { recursive: true })
      cpSync(run.path('backup/base-2026-11-22'), database.folder, { recursive: true, preserveTimestamps: true })
      const printed = replaced(blockOf(heading, 'ini', 1), { '/backup/': `${run.path('backup')}/`, '2026-11-22 14:05:00+01': time })
      appendFileSync(`${database.folder}/postgresql.auto.conf`, printed)
      writeFileSync(`${database.folder}/recovery.signal`, '')
      const account = postgresAccount()
      await shell(`chmod 700 ${database.folder}; ${account ? `chown -R ${account.uid}:${account.gid} ${database.folder}` : ''}`)
      await launchDebianPostgres(run, database.programs, database.folder, database.port)
      await until(
        'the end of the recovery',
        async () => (await query(database.superUrl, 'select not pg_is_in_recovery() done'))[0]?.done === true,
      )
    })
    await run.step('a server starts on it: what came before is there, what came after is not', async () => {
      const again = await startPakhus(run, { DATABASE_URL: database.url, DATA_DIR: run.path('data') })
      const address = localhost(again.port)
      const token = await signIn(address)
      const found = async (number: string) =>
        JSON.stringify(await done(address, `GET /api/north/orders/search/?query=${number}`, { token })).includes(`"${number}"`)
      equal([await found('BEFORE-1'), await found('BEFORE-2'), await found('AFTER-1')], [true, true, false], 'orders')
      check((await ask(address, 'GET /readyz')).status === 200, 'not ready')
      await again.end()
    })
  },
}
