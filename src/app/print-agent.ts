/** The print agent: a process in a warehouse that takes print jobs from a server elsewhere and prints them. */

import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { errorOf } from '#domain/thrown.ts'
import { type AgentJob, type agentOutcomes, printAgentCallsSchemas } from '#features/printing/print-agents/print-agents.schemas.ts'
import { cups, hasCups } from '#integrations/printers/cups.ts'
import { type CupsCommand, cupsQueues, type FoundPrinter } from '#integrations/printers/cups-queues.ts'
import { PrinterRefused, PrinterUnavailable, type Printing, type RemotePrinter } from '#integrations/printers/printer.ts'
import { rawAddress, rawPrinters } from '#integrations/printers/raw9100.ts'

/** Settings as the file of `--config` holds them; options of the command line come before them. */
export const AgentSettings = z.strictObject({
  /** Such as https://demo.pakhus.example.com. */
  server: z.url({ protocol: /^https?$/, error: 'server is an address such as https://demo.pakhus.example.com' }),
  /** The code of the company, where the server's host name does not begin with it. */
  company: z.string().min(1).max(40).optional(),
  /** By which people know this agent. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .default(hostname().slice(0, 60) || 'Print agent'),
  /** Whether it prints with the CUPS of this computer, where that has one. */
  cups: z.boolean().default(true),
  /** Whether people may manage the printers of that CUPS from the product; on a Raspberry Pi they may by default. */
  manage: z.boolean().optional(),
  /** Label printers of the network. */
  raw: z
    .array(z.strictObject({ name: z.string().min(1).max(100), host: z.string().min(1).max(253), port: z.number().int().default(9100) }))
    .max(50)
    .default([]),
})
export type AgentSettings = z.output<typeof AgentSettings>

/** The server does not accept the key: trying again does not help. */
export class AgentRefused extends Error {
  override name = 'AgentRefused'
}

export interface AgentTools {
  /** Ends the agent in order: what is being printed is still reported. */
  signal: AbortSignal
  log: (text: string) => void
  /** Seconds, for tests. */
  waitSeconds?: number
  path?: string
  /** What the device calls itself; read from the device by default. */
  model?: string
}

const Answer = printAgentCallsSchemas.calls.poll.reply
type Outcome = { outcome: (typeof agentOutcomes)[number]; message: string | null }

/** Jobs at the printers at the same time. */
const mostJobs = 8
/** Seconds between tries while the server does not answer, and between questions about a job that CUPS has. */
const reconnectPauses = [1, 2, 4, 8, 15, 30, 60]
const followPauses = [2, 3, 5, 10, 20, 30, 60, 120, 300]
/** Milliseconds after which the printers are looked at again. */
const printersFor = 15_000
const longestDocument = 50 * 1024 * 1024

/** Runs until `signal` ends it. Throws `AgentRefused` when the server does not accept the key. */
export async function runPrintAgent(settings: AgentSettings, key: string, tools: AgentTools): Promise<void> {
  const { signal, log, waitSeconds = 25 } = tools
  const providers = await providersOf(settings, tools)
  const device = await deviceOf(tools)
  const queues = await managedQueues(settings, device.kind, tools)
  const server = connection(settings, key)
  const running = new Set<Promise<void>>()
  let known: { printers: LocalPrinter[]; at: number } | undefined
  let failures = 0
  log(`The print agent "${settings.name}" asks ${server.base} for jobs`)
  while (!signal.aborted) {
    if (running.size >= mostJobs) await Promise.race(running)
    try {
      if (!known || performance.now() - known.at > printersFor)
        known = { printers: await localPrinters(providers, log), at: performance.now() }
      const { printers } = known
      const { jobs, commands } = Answer.parse(
        await server.send('poll', signal, {
          name: settings.name,
          printers: printers.map(({ id, printer: { computer: _, ...printer } }) => ({ ...printer, remote_id: id })),
          device,
          queues: (await queues?.list(AbortSignal.timeout(30_000)).catch(error => log(errorOf(error).message))) ?? null,
          most: mostJobs - running.size || 1,
          wait_seconds: waitSeconds,
        }),
      )
      if (failures > 0) log('The server answers again')
      failures = 0
      for (const { id, command } of commands) {
        if (!queues) continue
        // What a command changed is seen in the next poll.
        known = undefined
        const one = obey(id, command, queues, server, log).catch(error => log(errorOf(error).message))
        running.add(one)
        await one.finally(() => running.delete(one))
      }
      for (const job of jobs) {
        const local = printers.find(({ id }) => id === job.remote_id)
        // Its lease ends, and the server gives it back.
        if (!local) continue
        const one = printJob(job, local, server, tools).catch(error => log(`${job.title}: ${errorOf(error).message}`))
        running.add(one)
        void one.finally(() => running.delete(one))
      }
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof AgentRefused) throw error
      const pause = reconnectPauses[Math.min(failures++, reconnectPauses.length - 1)] ?? 60
      log(`${errorOf(error).message}; next try in ${pause} s`)
      // Agents that lost the same server do not all come back in the same moment.
      await sleep(pause * 1_000 * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
    }
  }
  await Promise.all(running)
  log('The print agent has ended')
}

interface LocalPrinter {
  /** Its name for the server. */
  id: string
  provider: Printing
  printer: RemotePrinter
}

async function providersOf({ cups: useCups, raw }: AgentSettings, { path }: AgentTools): Promise<Printing[]> {
  const printers = raw.map(({ name, host, port }) => ({ name, remote_id: rawAddress(host, port) }))
  return [
    ...(useCups && (await hasCups(path)) ? [cups(path === undefined ? {} : { path })] : []),
    // The settings of this computer name the addresses: they need no check as those of a company on the server do.
    ...(printers.length > 0 ? [rawPrinters({ printers, resolve: async host => host })] : []),
  ]
}

/** Source of the file: the device tree of the Raspberry Pi, whose texts end with a zero byte. `PAKHUS_DEVICE` says it where the file is missing, as in a container. */
async function deviceOf({ model }: AgentTools): Promise<{ kind: 'computer' | 'raspberry'; model: string }> {
  const read = model ?? (await readFile('/proc/device-tree/model', 'utf8').catch(() => ''))
  const words = read.replace(/\p{C}/gu, '').trim().slice(0, 100)
  return { kind: words.includes('Raspberry Pi') || process.env.PAKHUS_DEVICE === 'raspberry' ? 'raspberry' : 'computer', model: words }
}

type Queues = ReturnType<typeof cupsQueues>

async function managedQueues({ cups: useCups, manage }: AgentSettings, kind: string, { path }: AgentTools): Promise<Queues | undefined> {
  if (!useCups || !(manage ?? kind === 'raspberry') || !(await hasCups(path))) return undefined
  return cupsQueues(path === undefined ? {} : { path })
}

/** Does what a person asked of the printers of this device, and says what became of it. */
async function obey(id: number, command: CupsCommand, queues: Queues, server: Connection, log: AgentTools['log']): Promise<void> {
  let found: FoundPrinter[] | null = null
  let message: string | null = null
  try {
    found = await queues.command(command, AbortSignal.timeout(90_000))
  } catch (error) {
    message = errorOf(error).message
  }
  log(`${command.action} ${'name' in command ? command.name : ''}: ${message ?? 'done'}`)
  await untilHeard(() =>
    server.send(`commands/${id}/report`, AbortSignal.timeout(8_000), { message: message?.slice(0, 300) ?? null, found }),
  )
}

async function localPrinters(providers: readonly Printing[], log: AgentTools['log']): Promise<LocalPrinter[]> {
  const lists = await Promise.all(
    providers.map(async provider => {
      const printers = await provider.printers(AbortSignal.timeout(30_000)).catch(error => {
        log(errorOf(error).message)
        return []
      })
      return printers.map(printer => ({ id: `${provider.kind}:${printer.remote_id}`, provider, printer }))
    }),
  )
  return lists.flat().slice(0, 50)
}

/** One job: fetch it, say that it is printed now, print it, and say what became of it. Nothing is printed after a failure before `begin`. */
async function printJob(
  job: AgentJob,
  { provider, printer }: LocalPrinter,
  server: Connection,
  { log, signal }: AgentTools,
): Promise<void> {
  const { id, attempt } = job
  const content = await server.document(id, attempt, AbortSignal.timeout(20_000))
  await server.send(`jobs/${id}/begin`, AbortSignal.timeout(8_000), { attempt })
  let remote_job_id: string | undefined
  let outcome: Outcome
  try {
    const answer = await provider.print(
      {
        remote_id: printer.remote_id,
        title: job.title,
        content,
        format: job.format,
        idempotency_key: job.key,
        expire_after_s: Math.max(1, Math.floor((Date.parse(job.expires_at) - Date.now()) / 1_000)),
        paper: job.paper,
        copies: job.copies,
      },
      AbortSignal.timeout(30_000),
    )
    remote_job_id = answer.remote_job_id
    outcome = { outcome: provider.kind === 'raw9100' ? 'done' : 'accepted', message: null }
  } catch (error) {
    outcome = outcomeOf(errorOf(error))
  }
  log(`${job.title} on ${printer.name}: ${outcome.message ?? outcome.outcome}`)
  await report(server, job, outcome)
  if (outcome.outcome === 'accepted' && remote_job_id) await follow(job, provider, remote_job_id, server, signal)
}

function outcomeOf(error: Error): Outcome {
  if (error instanceof PrinterRefused) return { outcome: 'failed', message: error.message }
  if (error instanceof PrinterUnavailable) return { outcome: 'unavailable', message: error.message }
  return { outcome: 'unknown', message: error.name === 'PrintOutcomeUnknown' ? error.message : null }
}

/** Until the server has it, or its lease has certainly ended: then the server knows that it does not know. */
const report = (server: Connection, { id, attempt }: AgentJob, { outcome, message }: Outcome): Promise<void> =>
  untilHeard(() =>
    server.send(`jobs/${id}/report`, AbortSignal.timeout(8_000), { attempt, outcome, message: message?.slice(0, 300) ?? null }),
  )

/** Sends again while the server cannot be reached, for two minutes. */
async function untilHeard(say: () => Promise<unknown>): Promise<void> {
  for (let failures = 0; ; failures++)
    try {
      await say()
      return
    } catch (error) {
      const pause = reconnectPauses[failures]
      if (error instanceof AgentRefused || error instanceof Refusal || pause === undefined) throw error
      await sleep(pause * 1_000)
    }
}

/** Asks CUPS what became of a job that it took; an agent that ends leaves the job as "at the printer". */
async function follow(job: AgentJob, provider: Printing, remote_job_id: string, server: Connection, signal: AbortSignal): Promise<void> {
  for (const pause of followPauses) {
    await sleep(pause * 1_000, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const known = await provider.state(remote_job_id, AbortSignal.timeout(20_000)).catch(() => undefined)
    const late = Date.parse(job.expires_at) < Date.now()
    if (known?.state === 'sent' && late && (await provider.cancel(remote_job_id, AbortSignal.timeout(20_000)).catch(() => false)))
      return report(server, job, { outcome: 'failed', message: 'The printer did not come back in time' })
    if (known?.state === 'done') return report(server, job, { outcome: 'done', message: null })
    if (known?.state === 'failed' || known?.state === 'cancelled')
      return report(server, job, { outcome: 'failed', message: known.message ?? 'It was taken out of the printer’s queue' })
  }
}

/** The server refuses what was sent; the same again is refused again. */
class Refusal extends Error {}

interface Connection {
  base: string
  /** Sends JSON; answers what the server says. */
  send(path: string, signal: AbortSignal, body: object): Promise<unknown>
  document(id: number, attempt: number, signal: AbortSignal): Promise<Uint8Array>
}

function connection({ server, company }: AgentSettings, key: string): Connection {
  const url = new URL(server)
  const [code = '', ...domain] = url.hostname.split('.')
  const base = `${url.origin}/api/${company ?? (domain.length > 0 ? code : '')}/print_agent`

  async function ask(path: string, signal: AbortSignal, init: { method: string; body?: string }): Promise<Response> {
    let response: Response
    try {
      response = await fetch(`${base}/${path}`, {
        ...init,
        // A redirect would send the key to an unknown host.
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(75_000)]),
        headers: { authorization: key, accept: 'application/json', ...(init.body && { 'content-type': 'application/json' }) },
      })
    } catch {
      throw new Error('The server cannot be reached')
    }
    if (response.ok) return response
    const said = await response.text().then(
      text => text.slice(0, 1_000),
      () => '',
    )
    const { message = `It answers with status ${response.status}` } = Said.safeParse(jsonIn(said)).data ?? {}
    if (response.status === 401 || response.status === 404) {
      if (path === 'poll') throw new AgentRefused(`The server refuses: ${message}`)
      throw new Refusal(message)
    }
    if (response.status === 409 || response.status === 400 || response.status === 422) throw new Refusal(message)
    throw new Error(`The server refuses: ${message}`)
  }

  return {
    base,
    async send(path, signal, body) {
      const text = await (await ask(path, signal, { method: 'POST', body: JSON.stringify(body) })).text()
      return jsonIn(text)
    },
    async document(id, attempt, signal) {
      const response = await ask(`jobs/${id}/document?attempt=${attempt}`, signal, { method: 'GET' })
      if (Number(response.headers.get('content-length') ?? 0) > longestDocument) throw new Refusal('The document is too large')
      return response.bytes()
    },
  }
}

const Said = z.object({ message: z.string() })

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
