/** The whole program as a process of its own, to be killed; and requests to it over the wire. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { recoveryTime } from './retries.ts'

export interface ServerProcess {
  port: number
  process: ChildProcess
  /** Everything it wrote so far, logs included. */
  written(): string
  kill(signal: NodeJS.Signals): Promise<void>
}

/**
 * `largestFile` in bytes: what is longer cannot be written, as on a disk that is full. `folder` holds the sources of another version, or a built
 * one, whose `program` begins it.
 */
export async function startServer(
  env: Record<string, string>,
  { largestFile, folder, program = 'src/app/main.ts' }: { largestFile?: number; folder?: string; program?: string } = {},
): Promise<ServerProcess> {
  const limit = largestFile === undefined ? '' : `ulimit -f ${Math.ceil(largestFile / 512)};`
  const child = spawn('/bin/sh', ['-c', `${limit} exec "$0" ${program}`, process.execPath], {
    ...(folder && { cwd: folder }),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: '0',
      HOST: '127.0.0.1',
      DEMO: '0',
      // Tests speak to this machine only.
      BREACHED_PASSWORDS_URL: 'off',
      LOG_LEVEL: 'warn',
      // What `npm test` compiled beforehand: to compile all sources is most of what a start costs.
      ...(process.env.TEST_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.TEST_COMPILE_CACHE }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  const ended = once(child, 'exit')
  for (;;) {
    const port = /(?:Listening on [\d.]+|localhost):(\d+)/.exec(text)?.[1]
    if (port && text.includes('Pakhus is ready'))
      return {
        port: Number(port),
        process: child,
        written: () => text,
        async kill(signal) {
          if (child.exitCode !== null || child.signalCode !== null) return
          child.kill(signal)
          await ended
        },
      }
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The server did not start: ${text.slice(-2_000)}`)
    await pause(20)
  }
}

export interface HttpReply {
  status: number
  /** Parsed where it is JSON. */
  body: unknown
}

export interface HttpQuestion {
  method: string
  path: string
  company: string
  token?: string
  body?: unknown
  /** Milliseconds without an answer. */
  wait?: number
}

/** One request on a connection of its own; throws when the server dies meanwhile. */
export function send(port: number, { method, path, company, token, body, wait = 20_000 }: HttpQuestion): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        method,
        path: path.startsWith('/') ? path : `/api/${company}/${path}`,
        agent: false,
        timeout: wait,
        headers: {
          host: `${company}.localhost:${port}`,
          accept: 'application/json',
          ...(token && { authorization: token }),
          ...(text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
        },
      },
      answer => {
        let heard = ''
        answer.setEncoding('utf8')
        answer.on('data', piece => (heard += piece))
        answer.on('error', reject)
        answer.on('end', () => {
          let parsed: unknown = heard
          try {
            parsed = JSON.parse(heard)
          } catch {
            // Plain text.
          }
          resolve({ status: answer.statusCode ?? 0, body: parsed })
        })
        answer.on('aborted', () => reject(new Error('The answer broke off')))
      },
    )
    sent.on('timeout', () => sent.destroy(new Error('No answer')))
    sent.on('error', reject)
    sent.end(text)
  })
}

/**
 * Sends the same request until the server answers it, as a packing station does: a connection that breaks and 503 are no answer. `onMiss` hears
 * of both, the latter with its reply.
 */
export async function sendUntilAnswered(
  server: () => ServerProcess,
  question: HttpQuestion,
  onMiss: (why: string, reply?: HttpReply) => void,
): Promise<HttpReply> {
  const until = Date.now() + recoveryTime
  for (;;) {
    const reply = await send(server().port, question).catch(String)
    if (typeof reply !== 'string' && reply.status !== 503) return reply
    const why = typeof reply === 'string' ? reply : `503 ${JSON.stringify(reply.body)}`
    onMiss(why, typeof reply === 'string' ? undefined : reply)
    if (Date.now() > until) throw new Error(`${question.path} was never answered: ${why}`)
    await pause(20)
  }
}
