/** The server as a process, and what a person does in it: set up, sign in, create an order. */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { check, equal, type Run, type RunningProgram, root } from './harness.ts'

/** What a program gets of this one's environment: no setting of Pakhus. */
export const plainEnv = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/root' }

interface ServerOptions {
  code?: string
  command?: readonly string[]
  node?: string
}

export function launchPakhus(
  run: Run,
  env: Record<string, string>,
  { code = root, command = ['src/app/main.ts'], node = process.execPath }: ServerOptions = {},
): RunningProgram {
  const settings = { ...plainEnv, HOST: '127.0.0.1', LOG_LEVEL: 'warn', DEMO: '0', ...env }
  return run.start(node, command, { cwd: code, env: settings })
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of whichever call was asked
  body: any
  headers: Record<string, string | string[] | undefined>
}

export interface Address {
  port: number
  /** The name in the header, and for HTTPS in the certificate's check. */
  host: string
  /** The certificate that is trusted; makes it HTTPS. */
  certificate?: string
}

export function ask(
  { port, host, certificate }: Address,
  line: string,
  { token, body, headers = {} }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const text = body === undefined ? undefined : JSON.stringify(body)
  const about = {
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false as const,
    timeout: 60_000,
    headers: {
      host,
      accept: 'application/json',
      ...(token && { authorization: token }),
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
      ...headers,
    },
  }
  return new Promise((settle, fail) => {
    const sent = certificate ? httpsRequest({ ...about, ca: certificate, servername: host.split(':')[0] }) : httpRequest(about)
    sent.on('response', answer => {
      let heard = ''
      answer.setEncoding('utf8').on('data', piece => (heard += piece))
      answer.on('error', fail)
      answer.on('end', () => {
        let parsed: unknown = heard
        try {
          parsed = JSON.parse(heard)
        } catch {
          // Plain text.
        }
        settle({ status: answer.statusCode ?? 0, body: parsed, headers: answer.headers })
      })
    })
    sent.on('timeout', () => sent.destroy(new Error('No answer within a minute')))
    sent.on('error', fail)
    sent.end(text)
  })
}

/** The call must succeed. */
export async function done(address: Address, line: string, options: Parameters<typeof ask>[2] = {}): Promise<Answer['body']> {
  const { status, body } = await ask(address, line, options)
  check(status < 400, `${line}: ${status} ${JSON.stringify(body)}`)
  return body
}

export const admin = { login: 'anna', password: 'five wagons beside the north gate' }

/** Follows the link that an empty installation prints. */
export async function setUp(printed: string, at: Address, headers: Record<string, string> = {}): Promise<void> {
  const token = /\/setup#(\S+)/.exec(printed)?.[1]
  check(token !== undefined, `The start printed no link:\n${printed}`)
  const founding = {
    token,
    operator: 'North storage',
    company: { code: 'north', name: 'North storage' },
    admin: { name: 'Anna Holt', user_name: admin.login, password: admin.password },
  }
  equal(await done(at, 'POST /setup', { body: founding, headers }), { code: 'north' }, 'setup')
}

/** Signs in and answers the token. */
export async function signIn(at: Address, company = 'north', login: { login: string; password: string } = admin): Promise<string> {
  const { token } = await done(at, `POST /api/${company}/session`, { body: login })
  return token
}

export const localhost = (port: number, company = 'north'): Address => ({ port, host: `${company ? `${company}.` : ''}localhost:${port}` })
