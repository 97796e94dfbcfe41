/** Where the data lie: never beside the code, which an upgrade replaces. */
import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const codeFolder = fileURLToPath(new URL('../../', import.meta.url))

export interface Place {
  code: string
  /** The folder for data of all users of the machine. */
  shared: string
  user: number | undefined
  home: string
}

const here = (): Place => ({ code: codeFolder, shared: '/var/lib/pakhus', user: process.getuid?.(), home: homedir() })

/**
 * The absolute path for `DATA_DIR`. In a checkout, with its `.git`, the default is the folder `data` in the current one. A built folder
 * keeps its data outside: for root, and where that folder may be written, in `/var/lib/pakhus`, else in the home of the user. Throws a sentence for
 * a data folder in a code folder that is no checkout.
 */
export function dataFolder(
  { DATA_DIR: given, XDG_DATA_HOME: dataHome }: Record<string, string | undefined>,
  { code, shared, user, home }: Place = here(),
): string {
  if (existsSync(join(code, '.git'))) return resolve(given ?? 'data')
  if (given !== undefined) {
    const folder = resolve(given)
    if (isInside(code, folder))
      throw new Error(`DATA_DIR: ${folder} lies in the folder of the program, which an upgrade replaces. Choose a folder outside of it.`)
    return folder
  }
  const chosen = user === 0 || isWritable(shared) ? shared : join(dataHome || join(home, '.local/share'), 'pakhus')
  const old = join(code, 'data')
  if (existsSync(join(old, 'postgres')) && !existsSync(join(chosen, 'postgres')))
    throw new Error(
      `${old} holds data, but an upgrade replaces the folder of the program. Move it to ${chosen}, or set DATA_DIR to its new place.`,
    )
  return chosen
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function isInside(outer: string, inner: string): boolean {
  const path = relative(realPath(outer), realPath(inner))
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

/** The path without symbolic links, also of a folder that does not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), basename(path))
  }
}
