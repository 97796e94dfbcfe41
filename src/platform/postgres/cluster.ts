/** The folder of one PostgreSQL cluster: made whole or not at all, in a place that its account can reach. */
import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isLive } from './postmaster.ts'
import { findPackage, programsFor } from './programs.ts'
import { type Account, accountFor, canEnter, run } from './run-as-user.ts'

export interface Cluster {
  folder: string
  account: Account | undefined
  /** The folder of `postgres` and `initdb`. */
  programs: string
  password: string
}

export const settingsFile = 'pakhus.conf'
const passwordFile = 'pakhus.password'

/**
 * Opens the cluster in `dataDir/<major version>`, and makes it when there is none.
 *
 * Where the account of a root start cannot enter `dataDir` (a project under /root), the cluster lives in `/var/lib/pakhus/<hash of dataDir>`
 * and `dataDir/<major>` is a symbolic link to it, so that the data is found again even when the project is moved.
 */
export async function openCluster(dataDir: string, log: (line: string) => void, { durable }: { durable: boolean }): Promise<Cluster> {
  const source = findPackage()
  mkdirSync(dataDir, { recursive: true })
  const named = join(realpathSync(resolve(dataDir)), source.major)
  const older = readdirSync(dataDir).find(name => /^\d+$/.test(name) && name !== source.major)
  if (older && !lstatSync(named, { throwIfNoEntry: false }))
    throw new Error(`${dataDir} holds a database of PostgreSQL ${older}, but this version of Pakhus brings PostgreSQL ${source.major}.`)

  const folder = await placeOf(named, log)
  const account = accountFor(folder)
  if (existsSync(folder)) await checkOwner(folder, account)
  const programs = await programsFor(account, source, dirname(folder), log)
  if (!isComplete(folder)) await initialise(folder, account, programs, log, durable)
  if (folder !== named && !lstatSync(named, { throwIfNoEntry: false })) symlinkSync(folder, named)
  if (!existsSync(join(folder, passwordFile))) throw new Error(`The database's password file ${join(folder, passwordFile)} is missing.`)
  return { folder, account, programs, password: readFileSync(join(folder, passwordFile), 'utf8').trim() }
}

const isComplete = (folder: string) => existsSync(join(folder, 'global', 'pg_control'))

async function placeOf(named: string, log: (line: string) => void): Promise<string> {
  if (existsSync(named)) return realpathSync(named)
  if (lstatSync(named, { throwIfNoEntry: false }))
    throw new Error(
      `${named} points to the database's folder, which is missing. Put it back, or delete ${named} to begin with an empty database.`,
    )
  const account = accountFor(named)
  if (!account) return named
  const dataDir = dirname(named)
  chownSync(dataDir, account.uid, account.gid)
  if (await canEnter(account, dataDir)) return named

  const home = join('/var/lib/pakhus', createHash('sha256').update(dataDir).digest('hex').slice(0, 12))
  log(`PostgreSQL runs as ${account.name}, who cannot enter ${dataDir}: the database lives in ${home}`)
  mkdirSync(home, { recursive: true })
  chmodSync(dirname(home), 0o755)
  chownSync(home, account.uid, account.gid)
  if (await canEnter(account, home)) return join(home, basename(named))
  throw new Error(`The user ${account.name} can enter neither ${dataDir} nor ${home}. Set DATA_DIR to a folder that it can reach.`)
}

/** initdb works under another name and the finished folder is renamed: a kill at any moment leaves a cluster or none. */
async function initialise(folder: string, account: Account | undefined, programs: string, log: (line: string) => void, durable: boolean) {
  const parent = dirname(folder)
  for (const name of readdirSync(parent)) {
    const maker = Number(/\.new\.(\d+)(\.password)?$/.exec(name)?.[1])
    // An initdb that outlived its maker may still write here; what it leaves is removed by a later start.
    if (maker && (maker === process.pid || !isLive(maker))) rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 3 })
  }
  // In this order: a finished cluster of another start may appear in between, whole.
  if (existsSync(folder) && readdirSync(folder).length > 0 && !isComplete(folder)) {
    const aside = `${folder}.unfinished-${Date.now()}`
    log(`${folder} is not a complete database; it is put aside as ${aside}`)
    renameSync(folder, aside)
  }

  log(`Making the database in ${folder} (once)`)
  const half = `${folder}.new.${process.pid}`
  const password = `${half}.password`
  try {
    mkdirSync(half, { mode: 0o700 })
    writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: durable })
    for (const path of account ? [half, password] : []) chownSync(path, account!.uid, account!.gid)
    const { ok, output } = await run(account, join(programs, 'initdb'), [
      `--pgdata=${half}`,
      '--username=postgres',
      `--pwfile=${password}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ])
    if (!ok) throw new Error(`The database could not be made in ${folder}.\n${output}`)
    appendFileSync(join(half, 'postgresql.conf'), `\ninclude '${settingsFile}'\n`, { flush: durable })
    renameSync(password, join(half, passwordFile))
    if (durable) for (const path of [half, parent]) sync(path)
    try {
      renameSync(half, folder)
    } catch (error) {
      // Another start was faster: its cluster is used.
      if (!isComplete(folder)) throw error
    }
    if (durable) sync(parent)
  } finally {
    rmSync(half, { recursive: true, force: true })
    rmSync(password, { force: true })
  }
}

/** A rename is safe from a power cut only once its folder is on the disk. */
function sync(folder: string) {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

async function checkOwner(folder: string, account: Account | undefined) {
  const { uid } = statSync(folder)
  if (!account) {
    const us = process.getuid?.()
    if (us !== undefined && us !== uid)
      throw new Error(`The database in ${folder} belongs to user ${uid}, and Pakhus runs as user ${us}. Start it as that user, or as root.`)
    return
  }
  if (uid === 0) giveTo(account, folder)
  if (!(await canEnter(account, folder)))
    throw new Error(`The database in ${folder} runs as ${account.name}, who cannot enter it. Open every folder above it with chmod o+x.`)
}

function giveTo(account: Account, folder: string) {
  chownSync(folder, account.uid, account.gid)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), account.uid, account.gid)
}
