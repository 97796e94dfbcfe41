/** A real shop system in a scratch folder: installed from npm, started on a free port, and removed afterwards. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ShopConnector } from '#integrations/shops/shop-connector.ts'

/** What a step does in the shop, through the shop's own API. */
export interface ScratchShop {
  connector: ShopConnector
  url: string
  credentials: Record<string, string>
  wrongCredentials: Record<string, string>
  /** A paid order of two and one pieces: its id and the ids of its lines. */
  order(): Promise<{ id: string; lines: [string, string] }>
  move(id: string, street: string): Promise<void>
  cancel(id: string): Promise<void>
  /** The numbers of the parcels that were sent, with their goods. */
  parcels(id: string): Promise<string[]>
  /** It answers nothing until it goes on. */
  pause(): void
  resume(): void
  close(): Promise<void>
}

/** The packages could not be installed: nothing can be said about the shop. */
export class NotInstalled extends Error {
  override name = 'NotInstalled'
}

export class Scratch {
  readonly folder: string
  #processes: ChildProcess[] = []

  constructor(name: string) {
    this.folder = mkdtempSync(join(tmpdir(), `pakhus-${name}-`))
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }

  makeFolder(name: string): void {
    mkdirSync(join(this.folder, name), { recursive: true })
  }

  /** Installs exactly what the file names. Throws `NotInstalled`. */
  async install(dependencies: Record<string, string>): Promise<void> {
    const overrides = { '@graphql-tools/batch-execute': '10.2.0' }
    this.write('package.json', JSON.stringify({ private: true, dependencies, overrides }))
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const child = spawn(npm, ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (part: Buffer) => {
      said = (said + part.toString('utf8')).slice(-2_000)
    })
    const [code] = await Promise.race([once(child, 'exit'), sleep(600_000, ['time is up'], { ref: false })])
    if (code === 0) return
    child.kill('SIGKILL')
    throw new NotInstalled(`npm install: ${String(code)} ${said.trim().split('\n')[0] ?? ''}`)
  }

  /** Runs a program of the folder to its end. */
  async run(args: string[], env: Record<string, string> = {}): Promise<void> {
    const child = this.#spawn(args, env)
    const [code] = await once(child, 'exit')
    this.#processes = this.#processes.filter(one => one !== child)
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${this.log()}`)
  }

  /** Starts a server of the folder and waits until it answers at the address. */
  async serve(args: string[], url: string, env: Record<string, string> = {}): Promise<ChildProcess> {
    const child = this.#spawn(args, env)
    for (let waited = 0; waited < 120; waited++) {
      if (child.exitCode !== null) throw new Error(`The shop ended with ${child.exitCode}: ${this.log()}`)
      if (
        await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
          answer => answer.status < 500,
          () => false,
        )
      )
        return child
      await sleep(500)
    }
    throw new Error(`The shop does not answer: ${this.log()}`)
  }

  #spawn(args: string[], env: Record<string, string>): ChildProcess {
    // A group of its own: the shop may start programs of its own, which stop and end with it.
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const log = createWriteStream(join(this.folder, 'shop.log'), { flags: 'a' })
    child.stdout?.pipe(log)
    child.stderr?.pipe(log)
    this.#processes.push(child)
    return child
  }

  /** The end of what the shop wrote. */
  log(): string {
    try {
      return readFileSync(join(this.folder, 'shop.log'), 'utf8').slice(-1_500)
    } catch {
      return ''
    }
  }

  /** Ends its programs, and leaves the folder. */
  async end(): Promise<void> {
    for (const child of this.#processes) {
      if (child.pid === undefined || child.exitCode !== null) continue
      const gone = once(child, 'exit')
      process.kill(-child.pid, 'SIGKILL')
      await gone
    }
    this.#processes = []
  }

  async close(): Promise<void> {
    await this.end()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** JSON of the shop's own API; throws what it says. */
export async function askShop(url: string, init: { method?: string; headers?: Record<string, string>; body?: unknown } = {}) {
  const answer = await fetch(url, {
    method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
    headers: { 'content-type': 'application/json', ...init.headers },
    ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text.slice(0, 300)}`)
  return { body: JSON.parse(text) as Record<string, unknown>, headers: answer.headers }
}
