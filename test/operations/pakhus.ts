/** The server as a process, and what a person does in it: set up, sign in, create an order. */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { check, equal, freePort, type Run, type RunningProgram, root } from './harness.ts'

/** What a program gets of this one's environment: no setting of Pakhus. */
export const plainEnv = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/root', BREACHED_PASSWORDS_URL: 'off' }

export interface Server extends RunningProgram {
  port: number
}

export interface ServerOptions {
  code?: string
  command?: readonly string[]
  node?: string
}

/** Starts the program of the folder `code`, and waits until it is ready. */
export async function startPakhus(run: Run, env: Record<string, string>, options: ServerOptions = {}): Promise<Server> {
  const port = Number(env.PORT ?? (await freePort()))
  const program = launchPakhus(run, { ...env, PORT: String(port) }, options)
  await program.says(/Pakhus is ready/)
  return Object.assign(program, { port })
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
  body: unknown
  headers: Record<string, string | string[] | undefined>
}

export interface Address {
  port: number
  /** The name in the header, and for HTTPS in the certificate's check. */
  host: string
  /** The certificate that is trusted; makes it HTTPS. */
  certificate?: string
}

const boundary = 'the-end-of-a-part'
const formOf = (file: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="file.csv"\r\ncontent-type: text/csv\r\n\r\n${file}\r\n--${boundary}--\r\n`

export function ask(
  { port, host, certificate }: Address,
  line: string,
  { token, body, file, headers = {} }: { token?: string; body?: unknown; file?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const text = file === undefined ? (body === undefined ? undefined : JSON.stringify(body)) : formOf(file)
  const type = file === undefined ? 'application/json' : `multipart/form-data; boundary=${boundary}`
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
      ...(text !== undefined && { 'content-type': type, 'content-length': String(Buffer.byteLength(text)) }),
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
export async function done<T>(address: Address, line: string, options: Parameters<typeof ask>[2] = {}): Promise<T> {
  const { status, body } = await ask(address, line, options)
  check(status < 400, `${line}: ${status} ${JSON.stringify(body)}`)
  return body as T
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
  const { token } = await done<{ token: string }>(at, `POST /api/${company}/session`, { body: login })
  return token
}

export const localhost = (port: number, company = 'north'): Address => ({ port, host: `${company ? `${company}.` : ''}localhost:${port}` })

export const demoAdmin = { login: 'admin', password: 'pakhus-demo-admin-2026' }

/** A key of a shop, which may create orders. */
export async function newKey(at: Address, token: string, company = 'north'): Promise<string> {
  return (await done<{ key: string }>(at, `POST /api/${company}/cms/authorization`, { token, body: { name: `shop ${Date.now()}` } })).key
}

/** Creates an order as a shop does. */
export async function createOrder(at: Address, key: string, number: string, company = 'north'): Promise<void> {
  const ship_to = { name: 'Lene Holm', address1: 'Havnevej 52', postcode: '5000', city: 'Odense C', country: 'DK' }
  const lines = [
    { external_id: '1', sku: 'MUG', barcode: '2000000041001', name: 'Mug', qty: '2', unit_price_excl_vat: '60.00', vat_percent: '25' },
  ]
  const body = { external_id: number, order_no: number, currency: 'DKK', payment_status: 'paid', ship_to, lines }
  await done(at, `POST /api/${company}/cms/orders`, { token: key, body })
}
