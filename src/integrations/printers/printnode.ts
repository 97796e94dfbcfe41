/** Prints through PrintNode: labels raw or as PDF to the printers of every computer on which its client runs. */

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import {
  PrinterRefused,
  PrinterUnavailable,
  type Printing,
  PrintOutcomeUnknown,
  type PrintRequest,
  type PrintState,
  type RemotePrinter,
  takesZpl,
} from './printer.ts'

export interface PrintNodeConfig {
  apiKey: string
  baseUrl?: string
  /** The HTTP client: the server passes the one that refuses private addresses. */
  fetch?: typeof globalThis.fetch
  /** Time limit of one call in milliseconds, waiting for a slot included. */
  patience?: number
}

interface PrintNodeAccount {
  /** Printer ids are only valid within one account: store the account with them. */
  account_id: number
  name: string
  email: string
  state: string
  computers: number
}

export interface PrintNode extends Printing {
  kind: 'printnode'
  /** The owner of this key, for the button that tests the connection. */
  whoami(signal: AbortSignal): Promise<PrintNodeAccount>
}

/**
 * PrintNode's API, version 3, with one account's key.
 * Every call throws `PrinterRefused` (the provider rejects it, with a reason) or `PrinterUnavailable` (nothing was submitted);
 * `print` also throws `PrintOutcomeUnknown` when the job may have arrived. Source: printnode.com/docs/api/curl.
 */
export function printNode({
  apiKey,
  baseUrl = 'https://api.printnode.com',
  fetch = globalThis.fetch,
  patience = 15_000,
}: PrintNodeConfig): PrintNode {
  const root = baseUrl.replace(/\/+$/, '')
  const basic = Buffer.from(`${apiKey}:`).toString('base64')
  const turn = turnsOf(digest(`${root}\n${apiKey}`))
  const known = new Map<string, { printer: Printer; until: number }>()

  /** One request. The answer that it returns is complete, small enough and has a good status. */
  async function ask(method: 'GET' | 'POST' | 'DELETE', path: string, signal: AbortSignal, sent?: { body: object; key: string }) {
    if (!apiKey) throw new PrinterRefused('No PrintNode API key is set')
    const patient = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    const deadline = performance.now() + patience
    for (let retried = false; ; retried = true) {
      await waiting(turn(patient))
      const answer = await exchange(method, path, patient, sent)
      if (answer.ok) return answer.text
      const { status, retryAfter } = answer
      if (status === 429 && !retried && retryAfter !== null && performance.now() + retryAfter < deadline) {
        await waiting(sleep(retryAfter, undefined, { signal: patient }))
        continue
      }
      throw refusal(answer, method === 'POST')
    }
  }

  async function exchange(method: string, path: string, signal: AbortSignal, sent?: { body: object; key: string }) {
    if (signal.aborted) throw new PrinterUnavailable('PrintNode was not asked: the time had run out')
    let response: Response
    try {
      response = await fetch(root + path, {
        method,
        signal,
        // A redirect would send the key to an unchecked host.
        redirect: 'manual',
        headers: {
          authorization: `Basic ${basic}`,
          'accept-version': '~3',
          accept: 'application/json',
          ...(sent && { 'content-type': 'application/json', 'x-idempotency-key': sent.key }),
        },
        ...(sent && { body: JSON.stringify(sent.body) }),
      })
    } catch (error) {
      if (method === 'POST' && !neverLeft(error))
        throw new PrintOutcomeUnknown('PrintNode did not answer in time; the job may have been accepted')
      throw new PrinterUnavailable(signal.aborted ? 'PrintNode did not answer in time' : 'PrintNode cannot be reached')
    }
    const { status, ok } = response
    const retryAfter = waitAsked(response.headers.get('retry-after'))
    let text: string
    try {
      text = await textOf(response)
    } catch (error) {
      const sentence = error instanceof TooLong ? 'PrintNode answered far more than expected' : 'PrintNode broke off its answer'
      if (ok && method === 'POST') throw new PrintOutcomeUnknown(`${sentence}; the job may have been accepted`)
      if (ok) throw new PrinterUnavailable(sentence)
      text = ''
    }
    return { ok, status, text, retryAfter }
  }

  function refusal({ status, text }: { status: number; text: string }, submitting: boolean): Error {
    const said = messageIn(text)
    if (submitting && isRepeated(status, said)) return new AlreadySubmitted()
    if (status === 401) return new PrinterRefused('PrintNode does not accept the API key')
    if (status === 429) return new PrinterUnavailable('PrintNode is asked too often; try again in a moment')
    if (status === 503) return new PrinterUnavailable('PrintNode is out of service at the moment')
    if (status >= 500) {
      // A gateway answers 502 or 504 also when the job has passed it: only a retry with the same key is safe.
      if (submitting) return new PrintOutcomeUnknown(`PrintNode failed (${status}); the job may have been accepted`)
      return new PrinterUnavailable(`PrintNode failed (${status})`)
    }
    if (status === 408) {
      return submitting
        ? new PrintOutcomeUnknown('PrintNode gave up waiting; the job may have been accepted')
        : new PrinterUnavailable('PrintNode gave up waiting')
    }
    if (status >= 300 && status < 400) return new PrinterUnavailable('PrintNode answered with a redirect: something stands in the way')
    if (status === 413) return new PrinterRefused('The document is too large for PrintNode')
    if (said) return new PrinterRefused(`PrintNode refuses: ${said}`)
    return new PrinterRefused(status === 404 ? 'PrintNode does not know what was asked for' : `PrintNode refuses (${status})`)
  }

  /** PrintNode's error message, safe to show and without secrets. */
  function messageIn(text: string): string {
    const message = ErrorAnswer.safeParse(json(text)).data?.message ?? ''
    return plain(message.replaceAll(apiKey, '…').replaceAll(basic, '…'), 200)
  }

  async function read<T>(schema: z.ZodType<T>, path: string, signal: AbortSignal, method: 'GET' | 'DELETE' = 'GET'): Promise<T> {
    const parsed = schema.safeParse(json(await ask(method, path, signal)))
    if (parsed.success) return parsed.data
    const place = parsed.error.issues[0]?.path.join('.')
    throw new PrinterUnavailable(`PrintNode answered something unexpected${place ? ` (at ${place})` : ''}`)
  }

  async function printerById(remote_id: string, signal: AbortSignal): Promise<Printer> {
    const remembered = known.get(remote_id)
    if (remembered && remembered.until > performance.now()) return remembered.printer
    const [printer] = await read(z.array(Printer), `/printers/${remote_id}`, signal)
    if (!printer) throw new PrinterRefused('PrintNode does not know this printer')
    if (known.size > 1000) known.clear()
    known.set(remote_id, { printer, until: performance.now() + 10 * 60_000 })
    return printer
  }

  /** Finds the job among the newest of its printer: by the mark of its key, else by its title among jobs without a mark. */
  async function submittedEarlier(printer_id: string, mark: string, title: string | null, signal: AbortSignal): Promise<number | null> {
    const jobs = await read(z.array(Job), `/printers/${printer_id}/printjobs?limit=100&dir=desc`, signal)
    const marked = jobs.find(job => job.source === sourceOf(mark))
    if (marked) return marked.id
    const [titled, ...more] = jobs.filter(job => job.title === title && !job.source?.startsWith(sourceOf('')))
    return titled && more.length === 0 ? titled.id : null
  }

  /** A job that is known only by its key gets its number as soon as PrintNode lists it. */
  async function numberOf(remote_job_id: string, signal: AbortSignal): Promise<number | null> {
    if (/^\d{1,15}$/.test(remote_job_id)) return Number(remote_job_id)
    const [, printer_id, mark] = /^key:(\d{1,15}):([0-9a-f]+)$/.exec(remote_job_id) ?? []
    if (!printer_id || !mark) throw new PrinterRefused('PrintNode does not know this job')
    return submittedEarlier(printer_id, mark, null, signal)
  }

  return {
    kind: 'printnode',

    async printers(signal) {
      const found = new Map<number, Printer>()
      for (let after = 0; found.size < 20_000; ) {
        // Oldest first, so that a printer that is added meanwhile shifts no page. Fifty per page, because capabilities can be long.
        const page = await read(z.array(Printer), `/printers?limit=${pageSize}&dir=asc${after ? `&after=${after}` : ''}`, signal)
        const before = found.size
        for (const printer of page) found.set(printer.id, printer)
        const last = page.at(-1)
        if (!last || page.length < pageSize || found.size === before) break
        after = last.id
      }
      return [...found.values()].map(remotePrinter)
    },

    async print(request, signal) {
      const { remote_id, content, format, copies, paper } = request
      if (!/^\d{1,15}$/.test(remote_id)) throw new PrinterRefused('PrintNode does not know this printer')
      if (content.byteLength === 0) throw new PrinterRefused('The document is empty')
      if (!(copies >= 1 && copies <= 999)) throw new PrinterRefused('The number of copies must be between 1 and 999')
      if (!(request.expire_after_s >= 1)) throw new PrinterRefused('The job had expired before it was sent')
      const needsPrinter = format === 'pdf' && (paper !== null || copies > 1)
      const capabilities = needsPrinter ? (await printerById(remote_id, signal)).capabilities : null
      const mark = digest(request.idempotency_key).slice(0, 20)
      const title = titleOf(request)
      const body = {
        printerId: Number(remote_id),
        title,
        contentType: format === 'zpl' ? 'raw_base64' : 'pdf_base64',
        content: Buffer.from(content).toString('base64'),
        source: sourceOf(mark),
        expireAfter: Math.floor(request.expire_after_s),
        ...copiesAndPaper(request, capabilities),
      }
      try {
        const answer = await ask('POST', '/printjobs', signal, { body, key: keyOf(request.idempotency_key) })
        const id = JobId.safeParse(json(answer))
        if (!id.success) throw new PrintOutcomeUnknown('PrintNode answered something unexpected; the job may have been accepted')
        return { remote_job_id: String(id.data) }
      } catch (error) {
        if (!(error instanceof AlreadySubmitted)) throw error
        // The job exists: a missing number must not look like a missing job.
        const id = await submittedEarlier(remote_id, mark, title, signal).catch(() => null)
        return { remote_job_id: id === null ? `key:${remote_id}:${mark}` : String(id) }
      }
    },

    async state(remote_job_id, signal) {
      const id = await numberOf(remote_job_id, signal)
      if (id === null) return { state: 'sent', message: 'PrintNode has the job but does not show it' }
      const states = (await read(z.array(z.array(StateRecord)), `/printjobs/${id}/states`, signal)).flat().filter(s => s.printJobId === id)
      const newest = states.reduce<StateRecord | null>((latest, next) => (latest && when(next) < when(latest) ? latest : next), null)
      if (!newest) throw new PrinterRefused('PrintNode does not know this job')
      const message = plain(newest.message ?? '', 300) || null
      if (newest.state === 'disappeared')
        return { state: 'failed', message: message ?? 'The job left the queue of the computer without a result' }
      return { state: stateOf.get(newest.state) ?? 'sent', message }
    },

    async cancel(remote_job_id, signal) {
      const id = await numberOf(remote_job_id, signal)
      if (id === null) return false
      return (await read(z.array(z.number()), `/printjobs/${id}`, signal, 'DELETE')).includes(id)
    },

    async whoami(signal) {
      const account = await read(Account, '/whoami', signal)
      return {
        account_id: account.id,
        name: plain(`${account.firstname ?? ''} ${account.lastname ?? ''}`, 100),
        email: account.email,
        state: account.state,
        computers: account.numComputers,
      }
    },
  }
}

const pageSize = 50
/** One megabyte: fifty printers with all their paper sizes stay far below it. */
const longest = 1024 * 1024

const ErrorAnswer = z.object({ message: z.string() })
const JobId = z.number().int().positive()
const Papers = z.record(z.string(), z.tuple([z.number().nullable(), z.number().nullable()]))
const Capabilities = z.object({ copies: z.number().nullish().catch(null), papers: Papers.nullish().catch(null) })
const Printer = z.object({
  id: z.number().int().positive(),
  computer: z.object({ name: z.string().nullish(), state: z.string().nullish() }),
  name: z.string(),
  description: z.string().nullish(),
  // The client could not read them; the printer still prints.
  capabilities: Capabilities.nullish().catch(null),
  state: z.string(),
})
type Printer = z.infer<typeof Printer>
const Job = z.object({ id: z.number().int().positive(), title: z.string().nullish(), source: z.string().nullish() })
const StateRecord = z.object({
  printJobId: z.number(),
  state: z.string(),
  message: z.string().nullish(),
  createTimestamp: z.string().nullish(),
  age: z.number().nullish(),
})
type StateRecord = z.infer<typeof StateRecord>
const Account = z.object({
  id: z.number(),
  firstname: z.string().nullish(),
  lastname: z.string().nullish(),
  email: z.string().catch(''),
  state: z.string().catch('unknown'),
  numComputers: z.number().catch(0),
})

/** PrintNode's fifteen states; `queued` waits at PrintNode, `queued_to_print` at the computer. */
const stateOf: ReadonlyMap<string, PrintState> = new Map([
  ['new', 'sent'],
  ['pending_confirmation', 'sent'],
  ['queued', 'sent'],
  ['sent_to_client', 'accepted'],
  ['received', 'accepted'],
  ['downloading', 'accepted'],
  ['downloaded', 'accepted'],
  ['preparing_to_print', 'accepted'],
  ['queued_to_print', 'accepted'],
  ['in_progress', 'accepted'],
  ['done', 'done'],
  ['error', 'failed'],
  ['disappeared', 'failed'],
  ['expired', 'expired'],
  ['deleted', 'cancelled'],
])

function remotePrinter({ id, name, description, computer, state, capabilities }: Printer): RemotePrinter {
  const papers: Record<string, readonly [number, number]> = {}
  for (const [paper, [width, height]] of Object.entries(capabilities?.papers ?? {}))
    if (width !== null && height !== null && width > 0 && height > 0) papers[paper] = [width / 10, height / 10]
  return {
    remote_id: String(id),
    name,
    description: description ?? '',
    computer: computer.name ?? '',
    // A printer keeps its last state when its computer is switched off.
    state: state === 'online' && computer.state === 'connected' ? 'online' : 'offline',
    papers,
    raw: takesZpl(`${name} ${description ?? ''}`),
  }
}

/** Never send `qty` and `copies` together: they multiply. */
function copiesAndPaper({ format, copies, paper }: PrintRequest, capabilities: Printer['capabilities']) {
  if (format === 'zpl') return { qty: copies }
  const driverCopies = copies === 1 || (capabilities?.copies ?? copies) >= copies
  // An unknown paper name is worse than the printer's own default.
  const knowsPaper = paper !== null && Object.hasOwn(capabilities?.papers ?? {}, paper)
  return { qty: driverCopies ? 1 : copies, options: { copies: driverCopies ? copies : 1, ...(knowsPaper && { paper }) } }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
/** Header values are limited: a key with other letters is sent as its digest. */
const keyOf = (key: string) => (/^[\w.:/-]{1,100}$/.test(key) ? key : digest(key))
/** The name of the sending program contains the key's mark: only in this field can a job be found reliably. */
const sourceOf = (mark: string) => `Pakhus ${mark}`
const titleOf = ({ title }: PrintRequest) => plain(title, 120) || 'Pakhus'

/** One line without control characters, direction marks or lone surrogates, cut to this length. */
function plain(text: string, length: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, length).join('')
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const when = (record: StateRecord) => Date.parse(record.createTimestamp ?? '') || record.age || 0

/** A second job under a used key: 409, or any refusal that says so; the real answer is undocumented. */
const isRepeated = (status: number, message: string) =>
  status === 409 || (status >= 400 && status < 500 && /idempoten|already (been )?(used|submitted|exists)|duplicate/i.test(message))

class AlreadySubmitted extends Error {}
class TooLong extends Error {}

async function textOf(response: Response): Promise<string> {
  if (!response.body) return ''
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop discards the rest of a too large answer.
  for await (const part of response.body) {
    length += part.byteLength
    if (length > longest) throw new TooLong()
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Errors that Node and undici raise before the connection stands: not a byte of the job was sent. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])
function neverLeft(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(neverLeft)
  if ('code' in error && typeof error.code === 'string' && beforeSending.has(error.code)) return true
  return neverLeft(error.cause)
}

/** Milliseconds that `Retry-After` asks for (seconds or a date); null when it is invalid. */
function waitAsked(header: string | null): number | null {
  if (!header) return null
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}

/** An aborted wait has sent nothing. */
async function waiting(pause: Promise<unknown>): Promise<void> {
  await pause.catch(() => {
    throw new PrinterUnavailable('PrintNode was not asked: the time had run out')
  })
}

/** Rate limit of ten calls a second per account with a burst of ten, shared by all adapters of the account. */
const accounts = new Map<string, { next: number }>()
const perCall = 100
const atOnce = 10
function turnsOf(account: string): (signal: AbortSignal) => Promise<void> {
  return async signal => {
    const now = performance.now()
    if (accounts.size > 500) for (const [name, { next }] of accounts) if (next < now) accounts.delete(name)
    const line = accounts.get(account) ?? { next: now }
    accounts.set(account, line)
    line.next = Math.max(line.next, now) + perCall
    const pause = line.next - now - atOnce * perCall
    if (pause > 0) await sleep(pause, undefined, { signal })
  }
}
