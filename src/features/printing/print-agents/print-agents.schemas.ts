/** Schemas of the calls in print-agents.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, text } from '#contract/fields.schemas.ts'
import { printerAddressProblem, queueName } from '#domain/printer-address.ts'

const PrintAgent = z.object({
  id: z.number().int(),
  name: z.string(),
  version: z.string(),
  state: z.enum(['connected', 'silent']),
  last_seen_at: Instant,
  printers: z.array(z.object({ id: z.number().int(), name: z.string(), state: z.enum(['online', 'offline']) })),
})
export type PrintAgent = z.infer<typeof PrintAgent>

const millimetres = z.number().positive().max(5_000)
/** A printer as its agent sees it. */
const AgentPrinter = z.strictObject({
  remote_id: text(200).min(1),
  name: text(200).min(1),
  description: text(300),
  state: z.enum(['online', 'offline']),
  papers: z.record(z.string().max(100), z.tuple([millimetres, millimetres])).refine(papers => Object.keys(papers).length <= 100),
  raw: z.boolean(),
})

const AgentJob = z.object({
  id: z.number().int(),
  /** The number of the try: what is said of an earlier one is refused. */
  attempt: z.number().int(),
  remote_id: z.string(),
  title: z.string(),
  format: z.enum(['pdf', 'zpl']),
  paper: z.string().nullable(),
  copies: z.number().int(),
  /** The same for every attempt on this printer. */
  key: z.string(),
  expires_at: Instant,
})
export type AgentJob = z.infer<typeof AgentJob>

const deviceKinds = ['computer', 'raspberry'] as const

/** A queue of the CUPS of an agent's device. */
export const CupsQueue = z.strictObject({
  name: text(60).min(1),
  address: text(300),
  state: z.enum(['idle', 'prints', 'stopped']),
  accepts: z.boolean(),
  is_default: z.boolean(),
  jobs: z.number().int().min(0),
  message: text(200),
})

export const QueueName = z.string().regex(queueName, 'A name has up to 60 letters, digits, dots, hyphens and underscores')
const addressSentences = {
  unreadable: 'An address looks like ipp://192.168.1.50/ipp/print or socket://192.168.1.50',
  scheme: 'Choose ipp, ipps, socket, lpd, usb or dnssd',
  public: 'Printers are added from this device and its own network only',
}
export const PrinterAddress = z.string().superRefine((address, context) => {
  const problem = printerAddressProblem(address)
  if (problem) context.addIssue({ code: 'custom', message: addressSentences[problem] })
})

/** What is asked of the CUPS of a device. */
export const CupsCommand = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('add'), name: QueueName, address: PrinterAddress, driver: z.enum(['everywhere', 'raw']) }),
  z.strictObject({ action: z.enum(['remove', 'enable', 'disable', 'set_default', 'cancel_jobs']), name: QueueName }),
  z.strictObject({ action: z.literal('set_paper'), name: QueueName, paper: z.string().regex(/^[\w.]{1,100}$/) }),
  z.strictObject({ action: z.literal('discover') }),
])

export const FoundPrinter = z.strictObject({ address: text(300), name: text(200) })

export const agentOutcomes = ['accepted', 'done', 'failed', 'unavailable', 'unknown'] as const
const attempt = z.number().int().positive().max(1_000_000)

const AgentCommand = z.object({ id: z.number().int(), command: CupsCommand })

export const printAgentsSchemas = {
  components: { PrintAgent },
  calls: {
    list: {
      reply: z.array(PrintAgent),
      summary: 'The print agents of this company, their last contact and their printers.',
    },
    remove: {
      summary: 'Removes a print agent with its printers. It comes back when its process polls again with a key that works.',
    },
  },
} satisfies ContractSchemas

export const printAgentCallsSchemas = {
  components: { AgentJob },
  calls: {
    poll: {
      body: z.strictObject({
        name: text(60).min(1),
        version: text(40).default(''),
        printers: z.array(AgentPrinter).max(50),
        /** The computer on which it runs. */
        device: z.strictObject({ kind: z.enum(deviceKinds), model: text(100) }).default({ kind: 'computer', model: '' }),
        /** The queues of its CUPS; null where people may not manage them. */
        queues: z.array(CupsQueue).max(50).nullable().default(null),
        /** How many jobs it takes at most. */
        most: z.number().int().min(1).max(20).default(8),
        /** Seconds to wait for a job. */
        wait_seconds: z.number().int().min(0).max(50).default(25),
      }),
      reply: z.object({
        agent_id: z.number().int(),
        lease_seconds: z.number().int(),
        jobs: z.array(AgentJob),
        commands: z.array(AgentCommand),
      }),
      example: { body: { name: 'Warehouse', printers: [], wait_seconds: 0 } },
      summary: 'Registers a print agent with its printers, waits for print jobs and leases them to it.',
    },
    document: {
      query: z.object({ attempt: z.coerce.number<unknown>().int().positive().max(1_000_000) }),
      summary: 'The document of a leased job.',
    },
    begin: {
      body: z.strictObject({ attempt }),
      summary: 'Says that the agent prints the job now. Refused when the lease has ended or the job must not come out any more.',
    },
    report: {
      body: z.strictObject({
        attempt,
        /** `unavailable`: nothing was submitted. `unknown`: it may have come out. */
        outcome: z.enum(agentOutcomes),
        message: text(300).nullable().default(null),
      }),
      summary: 'Says what became of a job.',
    },
    reportCommand: {
      body: z.strictObject({
        /** Why it failed, in the words of CUPS; null where it is done. */
        message: text(300).nullable().default(null),
        /** Printers that were found. */
        found: z.array(FoundPrinter).max(100).nullable().default(null),
      }),
      summary: 'Says what became of a command to the CUPS of the device.',
    },
  },
} satisfies ContractSchemas
