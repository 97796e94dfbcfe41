/** pgbouncer before an external database: session pooling works, transaction pooling is refused at the start. */
import { writeFileSync } from 'node:fs'
import { blockOf, replaced } from './document.ts'
import { check, equal, freePort, needPrograms, type Run, until } from './harness.ts'
import { ask, launchPakhus, localhost, setUp, signIn, startPakhus } from './pakhus.ts'
import { ownFolder, postgresAccount, query, startDebianPostgres } from './postgres.ts'

export const pgbouncer = {
  name: 'pgbouncer',
  async run(run: Run): Promise<void> {
    await needPrograms({ '/usr/sbin/pgbouncer': 'pgbouncer' })
    const database = await startDebianPostgres(run, 'database')
    const pooler = async (mode: string) => {
      const port = await freePort()
      const folder = ownFolder(run.path(mode))
      writeFileSync(`${folder}/users.txt`, '"pakhus" "a-long-password"\n')
      const printed = replaced(blockOf('Another database', 'ini'), {
        'host=127.0.0.1 port=5432': `host=127.0.0.1 port=${database.port}`,
        'listen_port = 6432': `listen_port = ${port}`,
        '/etc/pgbouncer/userlist.txt': `${folder}/users.txt`,
        'pool_mode = session': `pool_mode = ${mode}`,
      })
      writeFileSync(`${folder}/pgbouncer.ini`, `${printed}unix_socket_dir =\n`)
      const program = run.start('/usr/sbin/pgbouncer', [`${folder}/pgbouncer.ini`], { ...postgresAccount(), cwd: '/' })
      const url = `postgres://pakhus:a-long-password@127.0.0.1:${port}/pakhus`
      await until('pgbouncer', () => query(url, 'select 1').catch(error => (program.isOver ? Promise.reject(error) : undefined)))
      return { url, program }
    }

    await run.step('transaction pooling ends the start with one sentence', async () => {
      const { url, program } = await pooler('transaction')
      const server = launchPakhus(run, { DATABASE_URL: url, DATA_DIR: run.path('refused') })
      await server.says(/"msg":"DATABASE_URL leads to a pooler that shares connections between transactions/)
      await until('the end of the start', () => server.isOver)
      equal(server.child.exitCode, 1, 'exit code')
      equal((await query(database.url, `select from pg_class where relname = 'orders'`)).length, 0, 'tables of Pakhus')
      await program.end('SIGINT')
    })
    await run.step('session pooling works: setup, sign-in, a change, readiness', async () => {
      const { url, program } = await pooler('session')
      const server = await startPakhus(run, { DATABASE_URL: url, DATA_DIR: run.path('data') })
      await setUp(server.output, localhost(server.port, ''))
      const token = await signIn(localhost(server.port))
      check(token.length > 10, 'no token')
      const key = await ask(localhost(server.port), 'POST /api/north/cms/authorization', { token, body: { name: 'a shop' } })
      equal(key.status, 200, 'a change')
      equal((await ask(localhost(server.port), 'GET /readyz')).status, 200, 'readyz')
      await program.end('SIGKILL')
      await until('readyz to fail without the pooler', async () => (await ask(localhost(server.port), 'GET /readyz')).status === 503)
      await server.end()
    })
  },
}
