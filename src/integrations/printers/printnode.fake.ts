/** A fake PrintNode on the loopback: follows the documented protocol, refuses what the real one refuses, and records everything. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface FakeComputer {
  id: number
  name: string
  state: 'connected' | 'disconnected'
}
export interface FakePrinter {
  id: number
  computer: FakeComputer
  name: string
  description: string
  state: string
  capabilities: { copies: number; papers: Record<string, [number | null, number | null]> } | null
}
interface FakeJob {
  id: number
  printerId: number
  title: string
  contentType: string
  content: Buffer
  source: string
  qty: number
  options: Record<string, unknown>
  key: string | null
  /** Milliseconds of the fake's clock. */
  expireAt: number
  states: { state: string; message: string | null; at: number }[]
}
interface Asked {
  method: string
  path: string
  headers: Record<string, string | undefined>
  body: unknown
}
interface Behaviour {
  /** Only for requests that start with this, for example `POST /printjobs`. */
  on?: string
  /** Number of requests, one by default. */
  times?: number
  /** Milliseconds of delay after the work is done and before the answer. */
  slow?: number
  /** The work is done, but the connection breaks before the answer. */
  lostAnswer?: boolean
  /** Answers this status and does no work. */
  status?: number
  /** Goes with `status`. */
  message?: string
  headers?: Record<string, string>
  /** Answers this text with 200 (201 for a job) after the work is done: true for a page of HTML. */
  garbage?: boolean | string
}

export interface FakePrintNode {
  url: string
  apiKey: string
  printers: FakePrinter[]
  jobs: FakeJob[]
  asked: Asked[]
  addPrinter(printer?: Partial<Omit<FakePrinter, 'id'>>): FakePrinter
  goOffline(printer: FakePrinter): void
  /** The computer is back: prints the jobs that have not expired. */
  comeBack(printer: FakePrinter): void
  behave(behaviour: Behaviour): void
  /** Advances the clock for expiry. */
  advance(seconds: number): void
  /** Printed jobs, with their copies. */
  printed(): { job: FakeJob; copies: number }[]
  stop(): Promise<void>
}

export async function fakePrintNode({
  apiKey = 'printnode-test-key',
  repeated = 'conflict',
  perSecond = 10,
}: {
  apiKey?: string
  /** The answer to a used key: undocumented, so the fake can give both. */
  repeated?: 'conflict' | 'same id'
  perSecond?: number
} = {}): Promise<FakePrintNode> {
  const printers: FakePrinter[] = []
  const jobs: FakeJob[] = []
  const asked: Asked[] = []
  const behaviours: (Behaviour & { left: number })[] = []
  let passed = 0
  let nextPrinter = 39
  let nextJob = 9_000_001
  let requests = 0
  let burst = { left: perSecond * 2, at: performance.now() }

  const clock = () => Date.now() + passed
  const into = (job: FakeJob, ...states: string[]) => {
    for (const state of states) job.states.push({ state, message: null, at: clock() })
  }
  const isFinal = (job: FakeJob) => ['done', 'error', 'expired', 'deleted', 'disappeared'].includes(job.states.at(-1)!.state)
  const isOnline = (printer: FakePrinter) => printer.state === 'online' && printer.computer.state === 'connected'

  /** Lets every waiting job finish as it would have by now. */
  function settle(): void {
    for (const job of jobs) {
      if (isFinal(job)) continue
      const printer = printers.find(p => p.id === job.printerId)
      if (clock() >= job.expireAt) into(job, 'expired')
      else if (printer && isOnline(printer))
        into(job, 'sent_to_client', 'received', 'downloading', 'downloaded', 'preparing_to_print', 'queued_to_print', 'in_progress', 'done')
    }
  }

  interface Answer {
    status: number
    body: unknown
  }
  const bad = (message: string, status = 400, code = 'BadRequest'): Answer => ({ status, body: { code, message } })

  function submit(body: unknown, key: string | null): Answer {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return bad('The request body is not a JSON object')
    const { printerId, title, contentType, content, source, options, expireAfter, qty } = body as Record<string, unknown>
    if (printerId === undefined) return bad('printerId is required')
    if (!isId(printerId)) return bad('printerId must be a positive integer')
    if (!printers.some(p => p.id === printerId && p.state !== 'deleted')) return bad(`Printer ${printerId} not found`, 404, 'NotFound')
    if (typeof contentType !== 'string' || !['pdf_uri', 'pdf_base64', 'raw_uri', 'raw_base64'].includes(contentType))
      return bad('contentType must be one of pdf_uri, pdf_base64, raw_uri, raw_base64')
    if (typeof content !== 'string' || content === '') return bad('content is required')
    const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(content)
    if (contentType.endsWith('base64') && !isBase64) return bad('content is not valid base64')
    const bytes = Buffer.from(content, 'base64')
    if (contentType === 'pdf_base64' && bytes.subarray(0, 5).toString('latin1') !== '%PDF-') return bad('content is not a PDF')
    if (typeof title !== 'string' || typeof source !== 'string') return bad('title and source must be strings')
    if (expireAfter !== undefined && !isId(expireAfter)) return bad('expireAfter must be a positive integer')
    if (qty !== undefined && !isId(qty)) return bad('qty must be a positive integer')
    if (options !== undefined && (typeof options !== 'object' || options === null)) return bad('options must be an object')
    const earlier = key === null ? undefined : jobs.find(job => job.key === key)
    if (earlier) {
      if (repeated === 'same id') return { status: 201, body: earlier.id }
      return bad('A print job with this idempotency key was already submitted', 409, 'Conflict')
    }
    const job: FakeJob = {
      id: nextJob++,
      printerId,
      title,
      contentType,
      content: bytes,
      source,
      qty: qty ?? 1,
      options: (options ?? {}) as Record<string, unknown>,
      key,
      expireAt: clock() + (expireAfter ?? 1_209_600) * 1000,
      states: [],
    }
    into(job, 'new')
    jobs.push(job)
    settle()
    return { status: 201, body: job.id }
  }

  function answer(method: string, url: URL, body: unknown, key: string | null): Answer {
    settle()
    const path = url.pathname.split('/').filter(Boolean)
    const [first, set, , third] = path
    const route = `${method} ${path.map(part => (/^[\d,-]+$/.test(part) ? '#' : part)).join('/')}`
    switch (route) {
      case 'GET whoami':
        return {
          status: 200,
          body: {
            id: 433,
            firstname: 'Grosshandel',
            lastname: 'Pakhus',
            email: 'lager@example.com',
            canCreateSubAccounts: false,
            creatorEmail: null,
            creatorRef: null,
            childAccounts: [],
            credits: null,
            numComputers: new Set(printers.map(p => p.computer.id)).size,
            totalPrints: jobs.length,
            versions: [],
            connected: [],
            Tags: {},
            ApiKeys: {},
            state: 'active',
            permissions: ['Unrestricted'],
          },
        }
      case 'GET computers':
        return paged(url, [...new Map(printers.map(p => [p.computer.id, p.computer])).values()].map(shownComputer))
      case 'GET printers':
        return paged(url, printers.map(shownPrinter))
      case 'GET printers/#':
        return paged(url, printers.filter(p => inSet(set!, p.id)).map(shownPrinter))
      case 'POST printjobs':
        return submit(body, key)
      case 'GET printjobs':
        return paged(url, jobs.map(shownJob))
      case 'GET printjobs/#':
        return paged(url, jobs.filter(j => inSet(set!, j.id)).map(shownJob))
      case 'GET printers/#/printjobs':
        return paged(url, jobs.filter(j => inSet(set!, j.printerId)).map(shownJob))
      case 'GET printers/#/printjobs/#':
        return paged(url, jobs.filter(j => inSet(set!, j.printerId) && inSet(third!, j.id)).map(shownJob))
      case 'GET printjobs/#/states':
        return { status: 200, body: jobs.filter(j => inSet(set!, j.id)).map(shownStates) }
      case 'GET printjobs/states':
        return { status: 200, body: jobs.slice(-100).map(shownStates) }
      case 'DELETE printjobs/#':
      case 'DELETE printers/#/printjobs/#': {
        const wanted = first === 'printjobs' ? set! : third!
        const waiting = jobs.filter(j => inSet(wanted, j.id) && j.states.at(-1)!.state === 'new')
        for (const job of waiting) into(job, 'deleted')
        return { status: 200, body: waiting.map(job => job.id) }
      }
      default:
        return bad(`No such resource: ${method} ${url.pathname}`, 404, 'NotFound')
    }
  }

  const shownComputer = ({ id, name, state }: FakeComputer) => ({
    id,
    name,
    inet: '192.168.0.9',
    inet6: null,
    hostname: name,
    version: '4.7.1',
    jre: null,
    createTimestamp: '2026-01-07T13:02:37.224Z',
    state,
  })
  const shownPrinter = ({ id, computer, name, description, state, capabilities }: FakePrinter) => ({
    id,
    computer: shownComputer(computer),
    name,
    description,
    default: false,
    state,
    createTimestamp: '2026-01-07T13:02:37.224Z',
    capabilities: capabilities && {
      bins: ['Auto'],
      collate: false,
      color: false,
      dpis: ['203x203'],
      duplex: false,
      medias: [],
      nup: [],
      printrate: null,
      supports_custom_paper_size: true,
      ...capabilities,
    },
  })
  const shownJob = (job: FakeJob) => ({
    id: job.id,
    printer: shownPrinter(printers.find(p => p.id === job.printerId)!),
    title: job.title,
    contentType: job.contentType,
    source: job.source,
    expireAt: new Date(job.expireAt).toISOString(),
    createTimestamp: new Date(job.states[0]!.at).toISOString(),
    state: job.states.at(-1)!.state,
  })
  const shownStates = (job: FakeJob) =>
    job.states.map(({ state, message, at }) => ({
      printJobId: job.id,
      state,
      message,
      data: null,
      clientVersion: state === 'new' ? null : '4.7.1',
      createTimestamp: new Date(at).toISOString(),
      age: at - job.states[0]!.at,
    }))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://printnode')
    const { method = 'GET', headers } = request
    const text = await bodyOf(request)
    const parsed = text === '' ? undefined : parse(text)
    asked.push({ method, path: url.pathname + url.search, headers: headers as Record<string, string | undefined>, body: parsed ?? text })
    const behaviour = behaviours.find(b => b.left > 0 && `${method} ${url.pathname}`.startsWith(b.on ?? ''))
    if (behaviour) behaviour.left--

    const given = ((): Answer => {
      const now = performance.now()
      burst = { left: Math.min(perSecond * 2, burst.left + ((now - burst.at) / 1000) * perSecond) - 1, at: now }
      if (behaviour?.status) return bad(behaviour.message ?? 'The fake is configured to refuse', behaviour.status, 'Configured')
      if (headers.authorization !== `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`)
        return bad('API key not found', 401, 'Unauthorized')
      if (burst.left < 0) return bad('Too many requests', 429, 'TooManyRequests')
      const version = headers['accept-version']
      if (version !== undefined && version !== '~3') return bad(`No version of the API satisfies ${String(version)}`)
      const type = headers['content-type']
      if (method === 'POST' && type !== undefined && !type.startsWith('application/json')) return bad('The content type is not known', 415)
      if (method === 'POST' && parsed === undefined) return bad('The request body is not valid JSON')
      const key = headers['x-idempotency-key']
      return answer(method, url, parsed, typeof key === 'string' ? key : null)
    })()

    if (behaviour?.slow) await sleep(behaviour.slow)
    if (behaviour?.lostAnswer) {
      request.socket.destroy()
      return
    }
    const uid = `fake-${++requests}`
    const common = { 'request-id': uid, ...(given.status === 401 ? {} : { 'x-account': '433' }), ...behaviour?.headers }
    if (behaviour?.garbage) {
      const page = behaviour.garbage === true ? '<!doctype html><title>502</title><h1>Bad gateway</h1>' : behaviour.garbage
      response.writeHead(given.status, { 'content-type': 'text/html', ...common }).end(page)
      return
    }
    const body = given.status >= 400 ? { uid, ...(given.body as object) } : given.body
    response.writeHead(given.status, { 'content-type': 'application/json', ...common }).end(JSON.stringify(body))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(error => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  function addPrinter(printer: Partial<Omit<FakePrinter, 'id'>> = {}): FakePrinter {
    const id = nextPrinter++
    const added: FakePrinter = {
      id,
      computer: { id: 13, name: 'PACK-1', state: 'connected' },
      name: 'Zebra ZD420',
      description: 'ZDesigner ZD420-203dpi ZPL',
      state: 'online',
      capabilities: { copies: 1, papers: { '100x150mm': [1000, 1500], A4: [2100, 2970] } },
      ...printer,
    }
    printers.push(added)
    return added
  }

  return {
    url: `http://127.0.0.1:${port}`,
    apiKey,
    printers,
    jobs,
    asked,
    addPrinter,
    goOffline(printer) {
      printer.computer.state = 'disconnected'
    },
    comeBack(printer) {
      settle()
      printer.computer.state = 'connected'
      settle()
    },
    behave(behaviour) {
      behaviours.push({ ...behaviour, left: behaviour.times ?? 1 })
    },
    advance(seconds) {
      passed += seconds * 1000
      settle()
    },
    printed() {
      settle()
      return jobs
        .filter(job => job.states.at(-1)!.state === 'done')
        .map(job => ({ job, copies: job.qty * (job.contentType.startsWith('raw') ? 1 : Number(job.options.copies ?? 1)) }))
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const isId = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0

/** `12`, `12,13`, `100-200` or a mix. */
function inSet(set: string, id: number): boolean {
  return set.split(',').some(part => {
    const [from, to = from] = part.split('-').map(Number)
    return id >= from! && id <= to!
  })
}

function paged(url: URL, rows: { id: number }[]): { status: number; body: unknown } {
  const limit = Number(url.searchParams.get('limit') ?? 100)
  const after = url.searchParams.get('after')
  const up = url.searchParams.get('dir') === 'asc'
  const ordered = rows.toSorted((a, b) => (up ? a.id - b.id : b.id - a.id))
  const rest = after === null ? ordered : ordered.filter(({ id }) => (up ? id > Number(after) : id < Number(after)))
  return { status: 200, body: rest.slice(0, limit) }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
