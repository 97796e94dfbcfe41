/** What every part uses: steps that pass or fail, a scratch folder, and programs that end with the part. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export const root = join(import.meta.dirname, '../..')

/** Something that this machine lacks: counts as neither passed nor failed. */
export class NotTried extends Error {}

export interface Part {
  name: string
  run(run: Run): Promise<void>
}

export interface Counts {
  passed: number
  failed: number
  notTried: string[]
}

export class Run {
  /** Removed after the part. Other accounts may enter it. */
  readonly folder: string = mkdtempSync(join(tmpdir(), 'pakhus-operations-'))
  readonly counts: Counts = { passed: 0, failed: 0, notTried: [] }
  readonly #undo: (() => Promise<unknown> | unknown)[] = []

  constructor() {
    chmodSync(this.folder, 0o755)
  }

  /** One thing that must work. A failure ends the part: what follows builds on it. */
  async step<T>(title: string, work: () => Promise<T> | T): Promise<T> {
    const began = performance.now()
    try {
      const answer = await work()
      this.counts.passed++
      console.log(`  ✓ ${title} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
      return answer
    } catch (error) {
      if (!(error instanceof NotTried)) {
        this.counts.failed++
        console.log(`  ✗ ${title}`)
      }
      throw error
    }
  }

  /** Done at the end of the part, the last first. */
  after(work: () => Promise<unknown> | unknown): void {
    this.#undo.push(work)
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  /** A program that runs until the end of the part. */
  start(program: string, words: readonly string[], options: SpawnOptions = {}): RunningProgram {
    const child = new RunningProgram(program, words, options)
    this.after(() => child.end())
    return child
  }

  async end(): Promise<void> {
    for (const work of this.#undo.reverse())
      try {
        await work()
      } catch (error) {
        console.log(`  Cleaning up: ${(error as Error).message}`)
      }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

export class RunningProgram {
  readonly child: ChildProcess
  readonly #program: string
  output = ''
  #failure: Error | undefined

  constructor(program: string, words: readonly string[], options: SpawnOptions) {
    this.#program = program
    this.child = spawn(program, words, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    this.child.on('error', error => (this.#failure = error))
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (piece: string) => (this.output += piece))
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null || this.#failure !== undefined
  }

  /** Waits until it has written this. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    return until(`${this.#program} to say ${pattern}`, () => {
      const found = pattern.exec(this.output)
      if (!found && this.isOver) throw new Error(`${this.#program} ended: ${this.#failure?.message ?? this.output.slice(-2_000)}`)
      return found
    })
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.isOver) return
    const ended = once(this.child, 'close')
    this.child.kill(signal)
    const late = setTimeout(() => this.child.kill('SIGKILL'), 40_000)
    await ended
    clearTimeout(late)
  }

  /** Waits for its end; throws with its output where that is no success. */
  async succeeds(): Promise<string> {
    if (!this.isOver) await once(this.child, 'close')
    if (this.child.exitCode !== 0)
      throw new Error(`${this.#program} ended with ${this.child.exitCode ?? this.child.signalCode}:\n${this.output.slice(-3_000)}`)
    return this.output
  }
}

/** Runs a program to its end and answers what it wrote. */
export function execute(program: string, words: readonly string[], options: SpawnOptions = {}): Promise<string> {
  return new RunningProgram(program, words, options).succeeds()
}

/** Runs lines of the shell, stopping at the first that fails. */
export const shell = (lines: string, options: SpawnOptions = {}): Promise<string> => execute('/bin/sh', ['-euc', lines], options)

/** Asks again until there is an answer. */
export async function until<T>(what: string, ask: () => Promise<T> | T, seconds = 120): Promise<NonNullable<T>> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > deadline) throw new Error(`Waited ${seconds} seconds for ${what}`)
    await pause(50)
  }
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what}: ${one?.slice(0, 600)} instead of ${other?.slice(0, 600)}`)
}

export function check(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence)
}

export function freePort(): Promise<number> {
  return new Promise((settle, fail) => {
    const trial = createServer().once('error', fail)
    trial.listen(0, '127.0.0.1', () => {
      const address = trial.address()
      trial.close(() => settle(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Programs of Debian, by the package that brings them; installed where apt and root are there. */
export async function needPrograms(programs: Readonly<Record<string, string>>): Promise<void> {
  const missing = Object.entries(programs).filter(([path]) => !existsSync(path))
  if (missing.length === 0) return
  const packages = [...new Set(missing.map(([, name]) => name))]
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new NotTried(`needs the Debian packages ${packages.join(', ')}, and root to install them`)
  // Nothing starts at its installation.
  const env = { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' }
  await execute('apt-get', ['update', '-qq'], { env })
  await execute('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env })
}
