/** A guest of user-mode Linux with a disk of its own: its power is cut by ending all of its processes, so that what it had not yet written to the disk is gone. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuiltOperator } from '../../src/app/demo/builders.ts'

export interface GuestPlan {
  data_dir: string
  durable: boolean
  /** Compares and ends, instead of packing on. */
  last: boolean
  operator: BuiltOperator
  printers: { label_printer_id: number; a4_printer_id: number }
  /** What was confirmed before. */
  scans: string[]
  closed: number[]
}

const kernel = 'linux.uml'
const root = join(import.meta.dirname, '../..')

/** Throws where the kernel of the guest or the tools for its disk are not installed. */
export function checkTools(): void {
  for (const program of [kernel, 'mkfs.ext4', 'e2fsck'])
    try {
      execFileSync('/bin/sh', ['-c', `PATH="$PATH:/usr/sbin:/sbin" command -v ${program}`])
    } catch {
      throw new Error(`${program} is missing: install the Debian packages user-mode-linux and e2fsprogs.`)
    }
}

const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }

/** A disk of 3 GB that holds the folder. */
export function makeDisk(file: string, folder: string): void {
  execFileSync('/bin/sh', ['-c', 'truncate -s 3G "$1" && mkfs.ext4 -q -F -d "$2" "$1"', 'sh', file, folder], { env: environment })
}

/** Repairs as a machine does before it mounts the disk. Throws when it cannot by itself. */
export function repairDisk(file: string): void {
  try {
    execFileSync('e2fsck', ['-p', file], { env: environment, stdio: 'pipe' })
  } catch (error) {
    // 1: repaired.
    if ((error as { status?: number }).status !== 1) throw new Error(`The disk needs a person: ${String(error)}`)
  }
}

export interface Guest {
  /** Answers each line of the guest's program; undefined when the guest has ended. */
  next(): Promise<string | undefined>
  cut(): Promise<void>
  written(): string
}

/** Boots with the files of this machine, which it may only read, and the disk at `data_dir`. */
export function bootGuest(scratch: string, disk: string, plan: GuestPlan): Guest {
  mkdirSync(plan.data_dir, { recursive: true })
  const plan_file = join(scratch, 'plan.json')
  writeFileSync(plan_file, JSON.stringify(plan))
  const init = join(scratch, 'init.sh')
  const lines = [
    '#!/bin/sh',
    'mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev',
    'mkdir -p /dev/shm; mount -t tmpfs shm /dev/shm; mount -t tmpfs run /run; ip link set lo up',
    `mount -t ext4 /dev/ubda ${plan.data_dir}`,
    'export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/run TMPDIR=/run',
    ...(process.env.TEST_COMPILE_CACHE
      ? [`export NODE_COMPILE_CACHE=${process.env.TEST_COMPILE_CACHE} TEST_COMPILE_CACHE=${process.env.TEST_COMPILE_CACHE}`]
      : []),
    `cd ${root}; ${process.execPath} test/proof/power-cut-guest.ts ${plan_file} </dev/null 2>&1`,
    'sync; poweroff -f',
    '',
  ]
  writeFileSync(init, lines.join('\n'))
  chmodSync(init, 0o755)
  const args = ['mem=2500M', `ubd0=${disk}`, 'root=/dev/root', 'rootfstype=hostfs', 'rootflags=/', 'ro', `init=${init}`]
  const child: ChildProcess = spawn(kernel, [...args, 'con=null', 'con0=null,fd:1', 'quiet'], {
    detached: true,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let read = 0
  let over = false
  let wake = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      wake()
    })
  const ended = once(child, 'close').then(() => {
    over = true
    wake()
  })
  return {
    written: () => text,
    async next() {
      for (;;) {
        const end = text.indexOf('\n', read)
        if (end >= 0) {
          const line = text.slice(read, end).trim()
          read = end + 1
          if (line.startsWith('@')) return line.slice(1)
        } else if (over) return undefined
        else await new Promise<void>(resolve => (wake = resolve))
      }
    },
    async cut() {
      if (!over) process.kill(-(child.pid as number), 'SIGKILL')
      await ended
    },
  }
}
