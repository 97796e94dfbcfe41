/**
 * What Node has compiled of the server's sources, kept in the data folder: to compile them is a third of what a start costs. Node writes it down
 * when a process ends by itself, which one that is killed never does.
 */
import { globSync, rmSync } from 'node:fs'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { dataFolder } from '../data-folder.ts'

/** Milliseconds after which a process has loaded what it needs. */
const settled = 15_000

/** The folder for `NODE_COMPILE_CACHE`; undefined where the deployment names one, and where the server says what is wrong with the data folder. */
export function compiledFolder(env: Record<string, string | undefined>): string | undefined {
  try {
    return env.NODE_COMPILE_CACHE ? undefined : join(dataFolder(env), 'compiled')
  } catch {
    return undefined
  }
}

/** Writes down what this process has compiled, once it works. Node compares each source with it, so nothing old is ever run. */
export function keepCompiled(after = settled): void {
  if (getCompileCacheDir() !== undefined) setTimeout(flushCompileCache, after).unref()
}

/** Removes what other versions of Node have left beside that of this one. */
export function removeOtherCompiled(): void {
  const own = getCompileCacheDir()
  if (own === undefined || basename(dirname(own)) !== 'compiled') return
  // Processes with other flags have a folder of their own.
  const version = (folder: string) => basename(folder).split('-').slice(0, 2).join('-')
  for (const folder of globSync(join(dirname(own), 'v*')))
    if (version(folder) !== version(own)) rmSync(folder, { recursive: true, force: true })
}
