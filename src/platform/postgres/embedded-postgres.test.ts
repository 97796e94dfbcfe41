import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type EmbeddedPostgres, startPostgres } from './embedded-postgres.ts'
import { holderOf, lockFile } from './postmaster.ts'
import { findPackage, programsFor } from './programs.ts'
import { accountFor, under } from './run-as-user.ts'

const settings = { fsync: 'off', shared_buffers: '32MB' }
const { major } = findPackage()
const asRoot = process.getuid?.() === 0
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function temporary() {
  const folder = mkdtempSync(join(tmpdir(), 'pakhus-supervisor-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  return join(folder, 'postgres')
}

async function start(dataDir: string, lines: string[] = []): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir, log: line => lines.push(line), settings })
  cleanups.push(() => postgres.stop())
  return postgres
}

/** Another Pakhus: a process of its own, which stops its database on SIGTERM. */
async function anotherPakhus(dataDir: string): Promise<{ process: ChildProcess; port: number; adopted: boolean }> {
  const program = `
    import { startPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url))}
    const postgres = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, log() {}, settings: ${JSON.stringify(settings)} })
    process.once('SIGTERM', () => postgres.stop())
    console.log(JSON.stringify({ port: postgres.port, adopted: postgres.adopted }))`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  cleanups.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, ...(JSON.parse(line.toString()) as { port: number; adopted: boolean }) }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const postmasterOf = (dataDir: string) => Number(readFileSync(lockFile(join(dataDir, major)), 'utf8').split('\n')[0])

describe('the embedded PostgreSQL', () => {
  it('is made on the first start: sorted by code point, with checksums, open on loopback to its password alone', async () => {
    const dataDir = temporary()
    const { url, adopted } = await start(dataDir)
    expect(adopted).toBe(false)
    expect(
      await query(url, "select datlocale, pg_encoding_to_char(encoding) as encoding from pg_database where datname = 'postgres'"),
    ).toEqual([{ datlocale: 'C.UTF-8', encoding: 'UTF8' }])
    expect(await query(url, "select current_setting('data_checksums') as sums, current_setting('listen_addresses') as open")).toEqual([
      { sums: 'on', open: '127.0.0.1' },
    ])
    expect(statSync(join(dataDir, major, 'pakhus.password')).mode & 0o777).toBe(0o600)
    await expect(query(url.replace(/:[^:@]+@/, ':password@'), 'select 1')).rejects.toThrow('password authentication failed')
  })

  it('keeps its rows and its port over a restart, and leaves nothing running when it stops', async () => {
    const dataDir = temporary()
    const first = await start(dataDir)
    await query(first.url, 'create table scans as select 1 as id')
    await first.stop()
    expect(holderOf(join(dataDir, major))).toEqual({ state: 'free' })

    const second = await start(dataDir)
    expect(await query(second.url, 'select id from scans')).toEqual([{ id: 1 }])
    expect(second.url).toBe(first.url)
    expect(second.adopted).toBe(false)
  })

  it('is brought back at the same address when it is killed, and has everything that it had acknowledged', async () => {
    const dataDir = temporary()
    const lines: string[] = []
    const { url } = await start(dataDir, lines)
    await query(url, 'create table scans (id int)')
    const client = new pg.Client(url)
    client.on('error', () => {})
    await client.connect()
    let acknowledged = 0
    const packing = (async () => {
      for (;;) {
        await client.query('insert into scans values ($1)', [acknowledged + 1])
        if (++acknowledged === 200) process.kill(postmasterOf(dataDir), 'SIGKILL')
      }
    })()
    await expect(packing).rejects.toThrow()
    const rows = await vi.waitFor(() => query(url, 'select count(*)::int as scans from scans'), { timeout: 60_000, interval: 50 })
    expect(rows[0]!.scans).toBeGreaterThanOrEqual(acknowledged)
    expect(acknowledged).toBeGreaterThanOrEqual(200)
    expect(lines).toContain('The database stopped unexpectedly; bringing it back')
  })

  it('is adopted when its Pakhus was killed, and ends with the adopter', async () => {
    const dataDir = temporary()
    const dead = await anotherPakhus(dataDir)
    dead.process.kill('SIGKILL')
    await once(dead.process, 'exit')

    const adopter = await start(dataDir)
    expect(adopter).toMatchObject({ adopted: true, port: dead.port })
    await adopter.stop()
    expect(holderOf(join(dataDir, major))).toEqual({ state: 'free' })
  })

  it('is one server for two that start at once, and lives until both have stopped', async () => {
    const dataDir = temporary()
    const [one, other] = await Promise.all([anotherPakhus(dataDir), anotherPakhus(dataDir)])
    expect(one.port).toBe(other.port)
    expect([one.adopted, other.adopted].sort()).toEqual([false, true])

    one.process.kill('SIGTERM')
    await once(one.process, 'exit')
    expect(holderOf(join(dataDir, major)).state).toBe('running')
    other.process.kill('SIGTERM')
    await once(other.process, 'exit')
    expect(holderOf(join(dataDir, major)).state).toBe('free')
    expect(readdirSync(dataDir)).toEqual([major])
  })

  it('is made anew where an earlier making was cut short', async () => {
    const dataDir = temporary()
    const gone = execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim()
    for (const folder of [major, `${major}.new.${gone}`]) {
      mkdirSync(join(dataDir, folder), { recursive: true })
      writeFileSync(join(dataDir, folder, 'PG_VERSION'), major)
    }
    const { url } = await start(dataDir)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(readdirSync(dataDir).filter(name => name.includes('.new.'))).toEqual([])
    expect(readdirSync(dataDir).filter(name => name.includes('.unfinished-'))).toHaveLength(1)
  })

  describe('with the lock file of a dead server', () => {
    // Processes of PostgreSQL's own user: those of others it knows for strangers by itself.
    const shell = async (commands: string, dataDir: string) => {
      const child = spawn('sh', ['-c', commands], {
        stdio: ['ignore', 'pipe', 'ignore'],
        cwd: '/',
        ...under(accountFor(join(dataDir, major))),
      })
      cleanups.push(() => child.kill('SIGKILL'))
      const [pid] = (await once(child.stdout, 'data')) as [Buffer]
      return pid.toString().trim()
    }
    const cases = {
      'a zombie that no process reaps': async (dataDir: string) => {
        // The shell becomes a sleep, which does not know that it has a child.
        const pid = await shell('sleep 0.5 & echo $!; exec sleep 60', dataDir)
        await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '), { timeout: 60_000 })
        return pid
      },
      'a stranger that has got its number': (dataDir: string) => shell('echo $$; exec sleep 60', dataDir),
      'no process, emptied by a power cut': () => Promise.resolve(''),
    }
    for (const [name, pid] of Object.entries(cases)) {
      it.runIf(process.platform === 'linux')(`starts: ${name}`, async () => {
        const dataDir = temporary()
        await (await start(dataDir)).stop()
        const number = await pid(dataDir)
        writeFileSync(lockFile(join(dataDir, major)), number && `${number}\n${join(dataDir, major)}\n1700000000\n5432\n\n127.0.0.1\n`)
        expect((await start(dataDir)).adopted).toBe(false)
      })
    }
  })

  it('takes another port when a stranger has taken its own', async () => {
    const dataDir = temporary()
    const first = await start(dataDir)
    await first.stop()
    const stranger = createServer().listen(first.port, '127.0.0.1')
    cleanups.push(() => stranger.close())
    await once(stranger, 'listening')
    const second = await start(dataDir)
    expect(second.port).not.toBe(first.port)
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('gives its last words when it cannot start', async () => {
    const dataDir = temporary()
    await (await start(dataDir)).stop()
    await expect(startPostgres({ dataDir, log() {}, settings: { ...settings, shared_buffers: 'plenty' } })).rejects.toThrow(
      /shared_buffers.*plenty/s,
    )
  })
})

describe('the programs of PostgreSQL', () => {
  function installed(parent: string) {
    const folder = join(parent, 'native')
    cpSync(findPackage().folder, folder, { recursive: true, verbatimSymlinks: true, filter: path => !lstatSync(path).isSymbolicLink() })
    return folder
  }

  it('run after an installation without scripts, which leaves the links between libraries out', async () => {
    const folder = installed(temporary())
    const beside = temporary()
    expect(await programsFor(accountFor(beside), { folder, version: '1', major }, beside, () => {})).toBe(join(folder, 'bin'))
    expect(existsSync(beside)).toBe(false)
  })

  it.runIf(asRoot)('are copied once to where their user can run them', async () => {
    const closed = temporary()
    mkdirSync(closed, { mode: 0o700 })
    const folder = installed(closed)
    const beside = temporary()
    mkdirSync(beside)
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    for (let time = 0; time < 2; time++)
      expect(await programsFor(accountFor(beside), { folder, version: '1', major }, beside, log)).toBe(join(beside, 'postgresql-1', 'bin'))
    expect(lines).toHaveLength(1)
  })
})

describe.runIf(asRoot)('PostgreSQL for root', () => {
  it('runs as an ordinary user', async () => {
    const dataDir = temporary()
    await start(dataDir)
    const { uid } = statSync(`/proc/${postmasterOf(dataDir)}`)
    expect(uid).not.toBe(0)
    expect(statSync(join(dataDir, major)).uid).toBe(uid)
  })

  it('lives elsewhere when that user cannot enter the folder, and is found again there', async () => {
    const closed = join(temporary(), 'root')
    mkdirSync(closed, { recursive: true, mode: 0o700 })
    const dataDir = join(closed, 'postgres')
    const lines: string[] = []
    const first = await start(dataDir, lines)
    const home = lines[0]!.split(' ').at(-1)!
    expect(home).toMatch(/^\/var\/lib\/pakhus\/[0-9a-f]{12}$/)
    cleanups.splice(-1, 0, () => rmSync(home, { recursive: true, force: true }))
    await query(first.url, 'create table scans as select 1 as id')
    await first.stop()

    const second = await start(dataDir)
    expect(await query(second.url, 'select id from scans')).toEqual([{ id: 1 }])
    await second.stop()
    rmSync(home, { recursive: true })
    await expect(start(dataDir)).rejects.toThrow("points to the database's folder, which is missing")
  })

  it('takes a folder back into its user’s hands when a copy has made it root’s', async () => {
    const dataDir = temporary()
    await (await start(dataDir)).stop()
    execFileSync('chown', ['-R', 'root:root', dataDir])
    const { url } = await start(dataDir)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})
