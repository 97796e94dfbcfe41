/**
 * Compiles the server's sources beforehand: to do so is a third of what a start costs, and a process that is killed writes down nothing of what
 * it compiled.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { heapFlags } from '../src/platform/processes/heap-flags.ts'
import { hashOfFiles } from './build-web.ts'

const root = join(import.meta.dirname, '..')

/** Compiles into this folder, for `NODE_COMPILE_CACHE`. Node compares each source with what it compiled, so nothing old is ever run. */
export async function compileServer(folder: string): Promise<void> {
  await Promise.all([compile(folder, 'primary-process', []), compile(folder, 'server-process', heapFlags)])
}

/** Of a program that runs with these flags: what was compiled with others is of no use to it. */
async function compile(folder: string, program: string, flags: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', `await import('./src/app/${program}.ts')`], {
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
