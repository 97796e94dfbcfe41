/**
 * Compiles the server's sources beforehand: to do so is a third of what a start costs, and a process that is killed writes down nothing of what
 * it compiled.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOfFiles } from './build-web.ts'

const root = join(import.meta.dirname, '..')

/** Compiles into this folder, for `NODE_COMPILE_CACHE`. Node compares each source with what it compiled, so nothing old is ever run. */
export async function compileServer(folder: string): Promise<void> {
  const load = "for (const name of ['primary-process', 'server-process']) await import('./src/app/' + name + '.ts')"
  const child = spawn(process.execPath, ['--input-type=module', '-e', load], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: folder },
    stdio: 'ignore',
  })
  await new Promise(settle => child.once('exit', settle).once('error', settle))
}

/** Compiles where a source of the server or a package has changed since; answers the folder. */
export async function compileServerIfChanged(): Promise<string> {
  const folder = join(root, '.cache', 'server')
  const marker = join(folder, 'sources')
  const hash = `${process.version} ${hashOfFiles(['src/**/*.ts', 'package-lock.json'])}`
  if (existsSync(marker) && readFileSync(marker, 'utf8') === hash) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await compileServer(folder)
  writeFileSync(marker, hash)
  return folder
}
