/** Backup and restore: what comes back is equal in every table and file, and what cannot be restored changes nothing. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { fixText, rowsOf, TableSummer, tablesOf } from '#platform/backup/tables.ts'
import { readConfig } from '#platform/config.ts'
import { readPersonalKey, readSecretKey } from '#platform/crypto/vault.ts'
import { migrate } from '#platform/database/migrate.ts'
import { startServer } from '#test/server-process.ts'
import { dropDatabase, openTestApp, type TestApp } from '#test/test-app.ts'
import { runAdmin } from './admin.ts'
import { runBackup, runRestore } from './backup.ts'
import { seedDemo } from './demo/demo.ts'

const passphrase = 'correct horse battery'
let testApp: TestApp
let folder: string
let archive: string
const databases: string[] = []

async function onRoot(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('database') })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

async function withClient<T>(url: string, step: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return step(client).finally(() => client.end())
}

/** Without a row. A restore drops the tables that there are, which takes it longer than all else. */
async function emptyDatabase(tables: 'tables' | 'no tables' = 'no tables'): Promise<string> {
  const name = `restored_${randomUUID().replaceAll('-', '')}`
  await onRoot(`create database ${name}${tables === 'tables' ? ' template template_pakhus strategy file_copy' : ''}`)
  databases.push(name)
  return inject('database').replace(/\/[^/]*$/, `/${name}`)
}

const sumsOf = (url: string) =>
  withClient(url, async client => {
    await fixText(client)
    const sums: Record<string, unknown> = {}
    for (const table of await tablesOf(client)) {
      const summer = new TableSummer()
      for await (const piece of rowsOf(client, table)) summer.add(piece)
      sums[table.name] = summer.sum()
    }
    return sums
  })

const filesIn = async (dataDir: string) =>
  (await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter(file => file.isFile())
    .map(file => file.name)
    .sort()

const request = (url: string, dataDir: string, words: readonly string[], phrase = passphrase) => ({
  config: readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }),
  url,
  words,
  passphrase: async () => phrase,
  log: () => undefined,
  signal: new AbortController().signal,
})
const newFolder = () => mkdtemp(join(folder, 'data-'))
const restore = (url: string, dataDir: string, words: readonly string[], phrase?: string) =>
  runRestore(request(url, dataDir, words, phrase))
const refusal = (work: Promise<string>) =>
  work.then(
    text => `done: ${text}`,
    error => `${error.message}`,
  )
const tableCount = (url: string) =>
  withClient(url, async client => (await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)).rowCount)

let before: Record<string, unknown>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pakhus-backup-'))
  testApp = await openTestApp()
  await seedDemo(testApp.services, { weeks: 1 })
  archive = join(folder, 'full.backup')
  before = await sumsOf(testApp.url)
  await runBackup(request(testApp.url, testApp.services.config.data_dir, [archive]))
})
afterAll(async () => {
  await testApp.close()
  for (const name of databases) await dropDatabase(inject('database'), name)
  await rm(folder, { recursive: true, force: true })
})

let url: string
let dataDir: string
beforeEach(async () => {
  url = await emptyDatabase()
  dataDir = await newFolder()
})

describe('a restore', () => {
  it('brings back every row, every file and both keys', async () => {
    const text = await restore(url, dataDir, [archive, '--erasures', 'none'])
    expect(text).toContain('Restored')
    expect(Object.keys(before).length).toBeGreaterThan(50)
    expect(await sumsOf(url)).toEqual(before)
    expect((await filesIn(dataDir)).length).toBeGreaterThan(20)
    expect(await filesIn(dataDir)).toEqual(await filesIn(testApp.services.config.data_dir))
    const key = await readSecretKey(undefined, dataDir)
    expect(key).toBe(await readSecretKey(undefined, testApp.services.config.data_dir))
    expect((await readFile(archive)).includes(Buffer.from(key))).toBe(false)
    const personal = await readPersonalKey(undefined, dataDir)
    expect(personal).toBe(await readPersonalKey(undefined, testApp.services.config.data_dir))
    expect(personal).not.toBe(key)
    expect((await readFile(archive)).includes(Buffer.from(personal))).toBe(false)
  })

  it('leaves a database on which the server starts, with its references and row-level security as before', async () => {
    url = await emptyDatabase('tables')
    await restore(url, dataDir, [archive, '--erasures', 'none'])
    const bonds = (database: string) =>
      withClient(database, async client => {
        const keys = await client.query(
          `select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint where contype = 'f' and conparentid = 0 order by 1, 2`,
        )
        const forced = await client.query(
          `select relname from pg_class where relforcerowsecurity and not relispartition and relkind in ('r', 'p') order by 1`,
        )
        return [keys.rows, forced.rows]
      })
    expect(await bonds(url)).toEqual(await bonds(testApp.url))
    expect(await migrate(url)).toEqual([])
    const server = await startServer({ DATABASE_URL: url, DATA_DIR: dataDir })
    await server.kill('SIGTERM')
    const { rows } = await withClient(url, client =>
      client.query(`select pg_get_serial_sequence('orders', 'id') as sequence, (select max(id) from orders)::int as most`),
    )
    const next = await withClient(url, client => client.query('select nextval($1)::int as next', [rows[0]?.sequence]))
    expect(next.rows[0]?.next).toBeGreaterThan(rows[0]?.most)
  })

  it('refuses a database that is not empty, unless it is to be replaced', async () => {
    await restore(url, dataDir, [archive, '--erasures', 'none'])
    await withClient(url, client => client.query(`update companies set name = 'Changed'`))
    expect(await refusal(restore(url, dataDir, [archive, '--erasures', 'none']))).toContain('not empty')
    expect(await sumsOf(url)).not.toEqual(before)
    await restore(url, dataDir, [archive, '--erasures', 'none', '--replace'])
    expect(await sumsOf(url)).toEqual(before)
  })

  it('refuses a database to which a server is connected', async () => {
    await withClient(url, async () => {
      expect(await refusal(restore(url, dataDir, [archive, '--erasures', 'none']))).toContain('Stop Pakhus')
    })
  })

  it('refuses a wrong passphrase before it changes anything', async () => {
    expect(await refusal(restore(url, dataDir, [archive, '--erasures', 'none'], 'another passphrase'))).toContain('passphrase')
    expect(await tableCount(url)).toBe(0)
    expect(await readdir(dataDir)).toEqual([])
  })

  it('refuses an archive that is damaged at any place, or cut off, before it changes anything', async () => {
    const bytes = await readFile(archive)
    const path = join(folder, 'damaged.backup')
    for (const part of [0.02, 0.3, 0.7, 0.98]) {
      const damaged = Buffer.from(bytes)
      const at = Math.floor(bytes.length * part)
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      await writeFile(path, damaged)
      expect(await refusal(restore(url, dataDir, [path, '--erasures', 'none']))).not.toContain('done')
    }
    for (const length of [0, 10, Math.floor(bytes.length / 2), bytes.length - 1]) {
      await writeFile(path, bytes.subarray(0, length))
      expect(await refusal(restore(url, dataDir, [path, '--erasures', 'none']))).not.toContain('done')
    }
    expect(await tableCount(url)).toBe(0)
    expect(await readdir(dataDir)).toEqual([])
  })

  it('works with a login that owns the database and is no superuser', async () => {
    const role = `owner_${randomUUID().replaceAll('-', '')}`
    await onRoot(`create role ${role} login createrole password 'test'; grant pakhus_app, pakhus_system to ${role} with admin option`)
    const owned = new URL(url)
    owned.username = role
    owned.password = 'test'
    await onRoot(`alter database ${owned.pathname.slice(1)} owner to ${role}`)
    await restore(owned.href, dataDir, [archive, '--erasures', 'none'])
    const path = join(dataDir, 'again.backup')
    await runBackup(request(owned.href, dataDir, [path]))
    await restore(owned.href, dataDir, [path, '--erasures', 'none', '--replace'])
    expect(await sumsOf(url)).toEqual(before)
  })

  it('asks for the list of erasures by name', async () => {
    expect(await refusal(restore(url, dataDir, [archive]))).toContain('--erasures LIST')
  })

  it('that is interrupted while it copies leaves an empty database, which the next one fills', async () => {
    url = await emptyDatabase('tables')
    const stop = new AbortController()
    const interrupted = runRestore({
      ...request(url, dataDir, [archive, '--erasures', 'none']),
      signal: stop.signal,
      log: line => {
        if (line === 'Comparing the rows') stop.abort(new Error('Stopped'))
      },
    })
    expect(await refusal(interrupted)).toBe('Stopped')
    const left = await withClient(url, client => client.query('select from orders'))
    expect(left.rowCount).toBe(0)
    await restore(url, dataDir, [archive, '--erasures', 'none'])
    expect(await sumsOf(url)).toEqual(before)
  })
})

describe('a backup', () => {
  it('that is interrupted leaves no file', async () => {
    const stop = new AbortController()
    const path = join(dataDir, 'interrupted.backup')
    const work = runBackup({
      ...request(testApp.url, testApp.services.config.data_dir, [path]),
      signal: stop.signal,
      log: () => stop.abort(new Error('Stopped')),
    })
    expect(await refusal(work)).toContain('Stopped')
    expect(await readdir(dataDir)).toEqual([])
  })

  it('never overwrites a file', async () => {
    const size = (await readFile(archive)).length
    expect(await refusal(runBackup(request(testApp.url, dataDir, [archive])))).toContain('exists already')
    expect((await readFile(archive)).length).toBe(size)
  })

  it('made while rows are written holds whole transactions', async () => {
    const source = await emptyDatabase()
    await restore(source, dataDir, [archive, '--erasures', 'none'])
    const sums = `select (select count(*)::int from events) as events, (select sum(length(name))::int from companies) as names`
    const [counted] = (await withClient(source, client => client.query(sums))).rows
    const path = join(folder, 'busy.backup')
    let writing = true
    const writer = withClient(source, async client => {
      while (writing) {
        // A company's name and the events grow together by one, or not at all.
        await client.query('begin')
        await client.query(`update companies set name = name || 'x' where id = (select min(id) from companies)`)
        await client.query(`insert into events (operator_id, company_id, kind, actor_kind, actor_name, data)
          select operator_id, company_id, kind, actor_kind, actor_name, data from events order by id limit 1`)
        await client.query('commit')
      }
    })
    await runBackup(request(source, dataDir, [path])).finally(() => {
      writing = false
    })
    await writer
    await restore(url, await newFolder(), [path, '--erasures', 'none'])
    const [after] = (await withClient(url, client => client.query(sums))).rows
    expect(after.events - counted.events).toBe(after.names - counted.names)
    const [now] = (await withClient(source, client => client.query(sums))).rows
    expect(now.events).toBeGreaterThanOrEqual(after.events)
  })
})

describe('a person who was erased after the backup', () => {
  const erasedOrder = (database: string) =>
    withClient(
      database,
      async client =>
        (await client.query('select id::int, customer_name, erased_at, operator_id::int, company_id::int from orders order by id limit 1'))
          .rows[0],
    )

  it('is erased again by a restore with the list, and a list without the person keeps it', async () => {
    const order = await erasedOrder(testApp.url)
    expect(order.customer_name).toBeTruthy()
    await restore(url, dataDir, [archive, '--erasures', 'none'])
    expect((await erasedOrder(url)).customer_name).toBe(order.customer_name)
    // What the database says once the erasure is done.
    await withClient(url, client =>
      client.query(
        `insert into erasures (operator_id, company_id, kind, state, reason, order_ids, finished_at)
         values ($1, $2, 'erase', 'done', 'test', array[$3::bigint], now())`,
        [order.operator_id, order.company_id, order.id],
      ),
    )
    const list = join(folder, 'erasures.json')
    await writeFile(list, await runAdmin(testApp.services, ['erasure', 'list'], url))

    const other = await emptyDatabase()
    const text = await restore(other, await newFolder(), [archive, '--erasures', list])
    expect(text).toContain('1 of 1 erasures')
    const erased = await erasedOrder(other)
    expect(erased.customer_name).not.toBe(order.customer_name)
    expect(erased.erased_at).not.toBeNull()

    // The database that is replaced knows it too.
    await restore(url, dataDir, [archive, '--erasures', 'none', '--replace'])
    expect((await erasedOrder(url)).erased_at).not.toBeNull()
    expect((await readdir(dataDir)).some(name => name.startsWith('erasures-'))).toBe(true)
  })
})
