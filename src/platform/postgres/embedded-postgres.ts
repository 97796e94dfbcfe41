/** The embedded PostgreSQL and its supervisor: starts or adopts the server of a data folder, brings it back when it dies, stops it in order. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chownSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { errorOf, textIn } from '#domain/thrown.ts'
import { type Cluster, openCluster, settingsFile } from './cluster.ts'
import { holderOf, isLive, lockFile } from './postmaster.ts'
import { under } from './run-as-user.ts'
import { settingsFor, settingsText } from './settings.ts'

export interface EmbeddedPostgres {
  /** A connection string of the superuser; handlers take a lesser role. Valid until `stop`, across restarts of the server. */
  url: string
  /** The same database over its socket where there is one, for callers that ask often. */
  readonly near_url: string
  port: number
  /** True when the server was already running: a former Pakhus was killed, or another one uses the same folder. */
  adopted: boolean
  /** Ends the server by a fast shutdown and waits for it; leaves it to another Pakhus that uses it too. */
  stop(): Promise<void>
}

interface Running {
  pid: number
  port: number
  adopted: boolean
  /** Open for as long as the server lives: its end is how the supervisor learns of the server's death. */
  watch: pg.Client
}

/** Where the server's socket lies: in its own folder, which only its account and root may enter; '' where its path would be too long for a socket. */
const socketsOf = (folder: string): string => (process.platform === 'win32' || folder.length > 80 ? '' : folder)

/** How long leftovers of a dead server may take to go away. */
const patience = 30_000
const watchName = 'pakhus supervisor'

/**
 * Starts PostgreSQL on loopback for the folder, or adopts the one that runs there. Safe to call from several processes at once.
 * `settings` win over the supervisor's own (tests: `{ fsync: 'off' }`). Throws a sentence that says what to do.
 */
export async function startPostgres({
  dataDir,
  log,
  settings = {},
}: {
  dataDir: string
  log: (line: string) => void
  settings?: Record<string, string>
}): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir, log, { durable: settings.fsync !== 'off' })
  let running = await adoptOrLaunch(cluster, settings, log)
  let stopping = false
  let revival = Promise.resolve()
  const { port, adopted } = running

  const keepWatch = () => {
    running.watch.once('end', () => {
      if (!stopping) revival = revive()
    })
  }
  const revive = async () => {
    log('The database stopped unexpectedly; bringing it back')
    while (!stopping) {
      try {
        running = await adoptOrLaunch(cluster, settings, log, port)
        return keepWatch()
      } catch (error) {
        log(`The database does not start: ${errorOf(error).message}`)
        await pause(2000)
      }
    }
  }
  keepWatch()

  const url = `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`
  return {
    url,
    get near_url() {
      const folder = socketsOf(cluster.folder)
      // One that was adopted may have been started without it.
      if (folder === '' || !existsSync(`${folder}/.s.PGSQL.${port}`)) return url
      return `postgres://postgres:${cluster.password}@${encodeURIComponent(folder)}:${port}/postgres`
    },
    port,
    adopted,
    async stop() {
      if (stopping) return revival
      stopping = true
      await revival
      const shared = await isShared(running.watch)
      await running.watch.end().catch(() => {})
      if (shared) log('The database is left running: another Pakhus uses the same folder')
      else revival = shutDown(cluster.folder, running.pid)
      await revival
    },
  }
}

/** Whether another supervisor watches this server. We stop counting before we count: of two that stop at once, one at least shuts down. */
async function isShared(watch: pg.Client): Promise<boolean> {
  try {
    await watch.query("set application_name = 'pakhus leaving'")
    return (await watch.query('select from pg_stat_activity where application_name = $1', [watchName])).rowCount !== 0
  } catch {
    return false
  }
}

/** Brings the cluster to a server that answers. With `port` given no other will do, since connection strings with it are in use. */
async function adoptOrLaunch(
  cluster: Cluster,
  settings: Record<string, string>,
  log: (line: string) => void,
  port?: number,
): Promise<Running> {
  const started = Date.now()
  let said = false
  for (;;) {
    const holder = holderOf(cluster.folder)
    const waited = Date.now() - started
    if (holder.state === 'running') {
      const watch = await connect(cluster, holder.port)
      if (watch instanceof pg.Client) return { pid: holder.pid, port: holder.port, adopted: true, watch }
      // Recovery after a crash, and the end of a slow shutdown, take the time that they need.
      if (watch === 'refused' && waited > patience)
        throw new Error(`The PostgreSQL process ${holder.pid} holds ${cluster.folder} but does not answer on port ${holder.port}.`)
    } else if (holder.state === 'leaving') {
      if (waited > patience) throw new Error(`Processes of a former PostgreSQL still hold ${cluster.folder}.`)
    } else {
      if (holder.state === 'stale') rmSync(lockFile(cluster.folder), { force: true })
      const launched = await launch(cluster, settings, log, port ?? (await freePort(cluster)))
      if (typeof launched !== 'string') return launched
      // Another supervisor was faster, a dying process still holds the memory, or the port was taken in between: look again.
      if (!/lock file|shared memory block|could not bind|could not create any TCP/.test(launched) || waited > patience)
        throw new Error(`PostgreSQL ended at once.\n${launched}`)
    }
    if (waited > 1000 && !said) log('Waiting for the database …')
    said ||= waited > 1000
    await pause(20)
  }
}

/** Starts a server and waits until it answers; the answer is its last words when it ended instead. */
async function launch(
  { folder, account, programs, password }: Cluster,
  settings: Record<string, string>,
  log: (line: string) => void,
  port: number,
): Promise<Running | string> {
  const conf = join(folder, settingsFile)
  const half = `${conf}.${process.pid}`
  writeFileSync(half, settingsText(settingsFor(port, socketsOf(folder), settings)), { mode: 0o600 })
  if (account) chownSync(half, account.uid, account.gid)
  renameSync(half, conf)

  const started = Date.now()
  // Detached, in a session of its own: Ctrl-C in a terminal must reach the server of Pakhus first, which stops the database last.
  // The port is said again because a second supervisor may be writing the settings in this moment.
  const child = spawn(join(programs, 'postgres'), ['-D', folder, '-p', String(port)], {
    ...under(account),
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.unref()
  // PostgreSQL writes here until it has opened its own log.
  let words = ''
  child.stderr.on('data', chunk => (words += chunk))
  let ended = false
  child.once('close', () => (ended = true))
  child.once('error', error => (words += error.message))
  let said = false
  while (!ended) {
    const watch = await connect({ folder, password }, port)
    if (watch instanceof pg.Client) {
      // Some of its processes keep the pipe, and it would keep us from ending.
      child.stderr.destroy()
      log(`The database started on port ${port} in ${Date.now() - started} ms`)
      return { pid: child.pid!, port, adopted: false, watch }
    }
    if (!said && Date.now() - started > 2000) log('The database recovers from its log …')
    said ||= Date.now() - started > 2000
    await pause(20)
  }
  return words + loggedSince(folder, started)
}

/**
 * A connection, proved to lead to this very folder; `busy` while the server starts, recovers or stops; `refused` when no one answers.
 * Throws where the password is wrong.
 */
async function connect({ folder, password }: Pick<Cluster, 'folder' | 'password'>, port: number): Promise<pg.Client | 'busy' | 'refused'> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    application_name: watchName,
    connectionTimeoutMillis: 5000,
  })
  // Without a listener, the server's death would be an uncaught exception; `end` follows and is what counts.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ folder: string }>("select current_setting('data_directory') as folder")
    if (rows[0]?.folder === folder) return client
    await client.end()
    return 'refused'
  } catch (error) {
    await client.end().catch(() => {})
    const code = textIn(error, 'code')
    if (code === '28P01') throw new Error(`The database on port ${port} refuses the password in ${folder}.`)
    return code === '57P03' ? 'busy' : 'refused'
  }
}

/**
 * The port of the last start where it is free, so that an administrator's tools find the database again; else one below those that
 * systems give to outgoing connections, which could take it while the database is being brought back.
 */
async function freePort({ folder }: Cluster): Promise<number> {
  const conf = join(folder, settingsFile)
  const last = existsSync(conf) && /^port = '(\d+)'/m.exec(readFileSync(conf, 'utf8'))?.[1]
  for (let port = last ? Number(last) : randomInt(20_000, 30_000); ; port = randomInt(20_000, 30_000)) if (await isFree(port)) return port
}

const isFree = (port: number) =>
  new Promise<boolean>(settle => {
    const trial = createServer()
    trial.once('error', () => settle(false))
    trial.listen(port, '127.0.0.1', () => trial.close(() => settle(true)))
  })

/** Ends the server, and returns when none of its processes holds the folder any more. */
async function shutDown(folder: string, pid: number) {
  await endPostmaster(pid)
  // The process that writes the log ends a moment after the postmaster, and holds the folder until then.
  const deadline = Date.now() + 10_000
  while (holderOf(folder).state === 'leaving' && Date.now() < deadline) await pause(5)
}

/** SIGINT is PostgreSQL's fast shutdown: sessions end, everything is written. SIGQUIT is its crash, which the next start recovers from. */
async function endPostmaster(pid: number) {
  for (const [signal, grace] of [
    ['SIGINT', 60_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    const deadline = Date.now() + grace
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    while (Date.now() < deadline) {
      if (!isLive(pid)) return
      await pause(5)
    }
  }
}

/** What PostgreSQL wrote to its log since a moment, at most the last eight lines. */
function loggedSince(folder: string, moment: number) {
  const logs = join(folder, 'log')
  const start = new Date(moment).toISOString().replace('T', ' ')
  const files = existsSync(logs) ? readdirSync(logs).map(name => join(logs, name)) : []
  const lines = files.flatMap(path => readFileSync(path, 'utf8').split('\n')).filter(line => line >= start)
  return lines.slice(-8).join('\n')
}
