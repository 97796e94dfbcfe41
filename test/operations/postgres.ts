/** A PostgreSQL of Debian in the scratch folder, and what a database holds as counts and hashes. */
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { execute, freePort, needPrograms, type Run, type RunningProgram, until } from './harness.ts'

export interface Database {
  /** Of a login that owns the database, may create roles, and is no superuser. */
  url: string
  superUrl: string
  port: number
  folder: string
  programs: string
  server: RunningProgram
}

/** The folder of PostgreSQL's programs: the one that Debian brings. */
async function debianPrograms(): Promise<string> {
  const newest = () =>
    existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))[0] : undefined
  if (!newest()) await needPrograms({ '/usr/lib/postgresql': 'postgresql' })
  return `/usr/lib/postgresql/${newest()}/bin`
}

export function postgresAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [, , uid, gid] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find(line => line.startsWith('postgres:'))
      ?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/** Makes an empty folder that belongs to the account of the database. */
export function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const account = postgresAccount()
  if (account) chownSync(path, account.uid, account.gid)
  return path
}

export async function startDebianPostgres(run: Run, name: string, settings: Readonly<Record<string, string>> = {}): Promise<Database> {
  const programs = await debianPrograms()
  const folder = ownFolder(run.path(name))
  await execute(
    join(programs, 'initdb'),
    ['-D', folder, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    {
      ...postgresAccount(),
      cwd: '/',
    },
  )
  const port = await freePort()
  const server = await launchDebianPostgres(run, programs, folder, port, settings)
  const superUrl = `postgres://postgres@127.0.0.1:${port}/postgres`
  await query(superUrl, `create role pakhus login createrole password 'a-long-password'`)
  await query(superUrl, 'create database pakhus owner pakhus')
  return { url: `postgres://pakhus:a-long-password@127.0.0.1:${port}/pakhus`, superUrl, port, folder, programs, server }
}

export async function launchDebianPostgres(
  run: Run,
  programs: string,
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningProgram> {
  const given = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', max_connections: '200', ...settings }
  const words = Object.entries(given).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const server = run.start(join(programs, 'postgres'), ['-D', folder, '-p', String(port), ...words], { ...postgresAccount(), cwd: '/' })
  await until('the database', () => {
    if (server.isOver) throw new Error(`PostgreSQL ended: ${server.output.slice(-2000)}`)
    return query(`postgres://postgres@127.0.0.1:${port}/postgres`, 'select 1').catch(() => undefined)
  })
  return server
}

export async function query(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
    .query(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

/** Rows and a hash of each table: what a restore must bring back. */
export async function fingerprint(superUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: superUrl, options: '-c timezone=UTC -c extra_float_digits=1' })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not like 'migrations%' order by 1`,
    )
    const sums: Record<string, string> = {}
    for (const { name } of rows) {
      const { rows: sum } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') sum from ${client.escapeIdentifier(name)} t`,
      )
      sums[name] = sum[0]?.sum ?? ''
    }
    return sums
  } finally {
    await client.end()
  }
}
