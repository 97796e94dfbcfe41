/** Measuring: load with fixed connections, percentiles, and ratios taken in turns within one run. */
import http from 'node:http'
import { createRequire } from 'node:module'

export interface Load {
  per_second: number
  p50: number
  p95: number
  p99: number
  requests: number
}

export interface Ask {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Of the body: JSON where it is absent. */
  type?: string
}

/** Opens a change stream for each listener, as a screen does; answers how many frames came in all, and what ends them. */
export async function listen(
  url: string,
  listeners: readonly { path: string; headers: Record<string, string> }[],
): Promise<{ frames(): number; stop(): void }> {
  const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const { hostname, port } = new URL(url)
  let frames = 0
  await Promise.all(
    listeners.map(
      listener =>
        new Promise<void>((resolve, reject) => {
          http
            .get({ agent, hostname, port, ...listener }, answer => {
              if (answer.statusCode !== 200) return reject(new Error(`${listener.path}: ${answer.statusCode}`))
              answer.on('data', part => {
                frames += String(part).split('event: changed').length - 1
              })
              answer.on('error', () => undefined)
              resolve()
            })
            .on('error', reject)
        }),
    ),
  )
  return { frames: () => frames, stop: () => agent.destroy() }
}

/** `connections` keep-alive clients ask one after the other for `seconds`; every answer must be below 400. Milliseconds. */
export async function load(url: string, connections: number, seconds: number, next: (n: number) => Ask): Promise<Load> {
  if (connections > 8) return crowd(url, connections, seconds, next)
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)
  const took: number[] = []
  const until = performance.now() + seconds * 1_000
  const began = performance.now()
  let n = 0
  const client = async () => {
    while (performance.now() < until) {
      const ask = next(n++)
      const from = performance.now()
      const { status, text } = await once(agent, hostname, Number(port), ask)
      took.push(performance.now() - from)
      if (status >= 400) throw new Error(`${ask.method ?? 'GET'} ${ask.path}: ${status} ${text.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
  return { ...percentiles(took), per_second: took.length / ((performance.now() - began) / 1_000), requests: took.length }
}

type Cannon = (options: {
  url: string
  connections: number
  duration: number
  requests: { setupRequest(request: object): object }[]
}) => Promise<{
  duration: number
  non2xx: number
  errors: number
  requests: { total: number }
  latency: { p50: number; p97_5: number; p99: number }
}>
/** It brings no types. */
const autocannon = createRequire(import.meta.url)('autocannon') as Cannon

/** A crowd is played by autocannon: a client of our own would need more of the processor than the server. Its p95 is its p97.5. */
async function crowd(url: string, connections: number, seconds: number, next: (n: number) => Ask): Promise<Load> {
  let n = 0
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        setupRequest: request => {
          const { method = 'GET', path, headers, body } = next(n++)
          return {
            ...request,
            method: method as 'GET',
            path,
            headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
            ...(body !== undefined && { body }),
          }
        },
      },
    ],
  })
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors among ${result.requests.total}`)
  const { p50, p97_5, p99 } = result.latency
  return { per_second: result.requests.total / result.duration, p50, p95: p97_5, p99, requests: result.requests.total }
}

export function once(
  agent: http.Agent | undefined,
  hostname: string,
  port: number,
  { method = 'GET', path, headers, body, type = 'application/json' }: Ask,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        agent,
        hostname,
        port,
        path,
        method,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
        },
      },
      answer => {
        const parts: Buffer[] = []
        answer.on('data', part => parts.push(part))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
        answer.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

export function percentiles(values: number[]): { p50: number; p95: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Operations a second of `work`, called by `workers` in parallel for `seconds`. */
export async function rate(workers: number, seconds: number, work: (n: number) => Promise<unknown>): Promise<number> {
  const began = performance.now()
  const until = began + seconds * 1_000
  let n = 0
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (performance.now() < until) await work(n++)
    }),
  )
  return n / ((performance.now() - began) / 1_000)
}

/** Limit and ours in turns: the medians, and the median of the ratios of each turn. */
export async function inTurns(
  repetitions: number,
  limit: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<{ limit: number; ours: number; ratio: number }> {
  const limits: number[] = []
  const own: number[] = []
  for (let i = 0; i < repetitions; i++) {
    limits.push(await limit())
    own.push(await ours())
  }
  return { limit: median(limits), ours: median(own), ratio: median(own.map((value, i) => value / (limits[i] as number))) }
}

/** Milliseconds of `work`: by the clock, and of the processor, which other work on the machine does not lengthen. */
export function timed<T>(work: () => T): { took: number; used: number; answer: T } {
  const before = process.cpuUsage()
  const from = performance.now()
  const answer = work()
  const took = performance.now() - from
  const { user, system } = process.cpuUsage(before)
  return { took, used: (user + system) / 1_000, answer }
}

/** So many different ones, or all. */
export function some<T>(chance: { below(limit: number): number }, all: readonly T[], count: number): T[] {
  const left = [...all]
  return Array.from({ length: Math.min(count, all.length) }, () => left.splice(chance.below(left.length), 1)[0] as T)
}

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

export interface Row {
  name: string
  what: string
  ours: string
  limit: string
  ratio: string
  goal: string
  ok: boolean
}
export const per = (n: number): string => `${n >= 100 ? Math.round(n).toLocaleString('en') : n.toFixed(1)}/s`
export const ms = (n: number): string => `${n < 10 ? n.toFixed(2) : n.toFixed(0)} ms`
export const share = (n: number): string => `${(n * 100).toFixed(n < 0.1 ? 1 : 0)} %`
/** How much longer than 1, in percent. */
export const more = (ratio: number): string => `${ratio < 1 ? '−' : '+'}${Math.abs((ratio - 1) * 100).toFixed(ratio < 1.1 ? 2 : 0)} %`

const columns = ['name', 'what', 'ours', 'limit', 'ratio', 'goal'] as const

export function printTable(rows: readonly Row[]): void {
  const table = [Object.fromEntries(columns.map(column => [column, column])) as Record<(typeof columns)[number], string>, ...rows]
  const widths = columns.map(column => Math.max(...table.map(row => row[column].length)))
  table.forEach((row, i) => {
    console.log(
      `${columns.map((column, k) => row[column].padEnd(widths[k] as number)).join('  ')}  ${i === 0 ? '' : (rows[i - 1] as Row).ok ? '' : '← misses its goal'}`.trimEnd(),
    )
    if (i === 0) console.log(widths.map(width => '─'.repeat(width)).join('  '))
  })
}
