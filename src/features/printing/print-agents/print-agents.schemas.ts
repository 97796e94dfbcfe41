/** Schemas of the calls in print-agents.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, text } from '#contract/fields.schemas.ts'

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

export const agentOutcomes = ['accepted', 'done', 'failed', 'unavailable', 'unknown'] as const
const attempt = z.number().int().positive().max(1_000_000)

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
        /** How many jobs it takes at most. */
        most: z.number().int().min(1).max(20).default(8),
        /** Seconds to wait for a job. */
        wait_seconds: z.number().int().min(0).max(50).default(25),
      }),
      reply: z.object({ agent_id: z.number().int(), lease_seconds: z.number().int(), jobs: z.array(AgentJob) }),
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
  },
} satisfies ContractSchemas
