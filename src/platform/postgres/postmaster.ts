/** Reads which PostgreSQL processes hold a cluster's folder, from its lock file and from the system's table of processes. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { textIn } from '#domain/thrown.ts'

/**
 * - `running`: the postmaster that the lock file names is alive on this folder (it may still be starting, recovering or stopping).
 * - `leaving`: the postmaster is dead but its children are not gone yet, or a new one is about to write its lock file.
 * - `stale`: a lock file without any living owner. Its number may since belong to a stranger, or to a zombie that no one reaps, and
 *   PostgreSQL itself would refuse to start because of either.
 * - `free`: no one.
 */
export type Holder = { state: 'running'; pid: number; port: number } | { state: 'leaving' } | { state: 'stale' } | { state: 'free' }

export const lockFile = (cluster: string) => join(cluster, 'postmaster.pid')

export function holderOf(cluster: string): Holder {
  // Lines of the file: process, folder, start time, port, socket folder, address, shared memory, status. Empty after a power cut.
  const lines = textOf(lockFile(cluster))?.split('\n')
  const pid = Number(lines?.[0])
  const living = postgresIn(cluster)
  if (pid && living.includes(pid)) return { state: 'running', pid, port: Number(lines?.[3]) }
  if (living.length > 0) return { state: 'leaving' }
  return { state: lines ? 'stale' : 'free' }
}

/** Whether a process exists and is not a zombie. */
export function isLive(pid: number): boolean {
  if (process.platform === 'linux') return !['Z', 'X', undefined].includes(stateOf(pid))
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return textIn(error, 'code') === 'EPERM'
  }
}

/** Living PostgreSQL processes of the folder. Every one of them has made it its working folder before it touches the lock file. */
function postgresIn(cluster: string): number[] {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .map(Number)
      .filter(pid => pid && textOf(`/proc/${pid}/comm`) === 'postgres\n' && folderOf(pid) === cluster && isLive(pid))
  if (process.platform === 'win32') return []
  // Elsewhere only the postmaster can be recognised by its command line; its orphaned children PostgreSQL finds by their shared memory.
  return execFileSync('ps', ['-axo', 'pid=,stat=,command='], { encoding: 'utf8' })
    .split('\n')
    .map(line => line.trim().split(/\s+/, 2).concat(line))
    .filter(([, stat = 'Z', line = '']) => !stat.startsWith('Z') && line.includes('postgres') && line.includes(`-D ${cluster}`))
    .map(([pid]) => Number(pid))
}

/** The letter after the name in parentheses, which may itself hold spaces and parentheses. */
const stateOf = (pid: number) => textOf(`/proc/${pid}/stat`)?.replace(/^.*\) /s, '')[0]

function folderOf(pid: number) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function textOf(path: string) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
