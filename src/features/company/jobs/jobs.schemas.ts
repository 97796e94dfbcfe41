/** Schemas of the calls in jobs.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import { type Access, access } from '#contract/access.ts'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { page, pageQuery } from '#contract/page.ts'
import { settingsPages } from '#contract/settings-access.ts'
import { keysOf } from '#domain/objects.ts'

/** Who may see a job with its file name and result, and who may cancel it: the same users who may start it. */
export const jobRights = {
  'company.export': { see: access.admin, stop: access.admin },
  // What has begun to be erased is erased whole.
  'company.erase': { see: access.admin, stop: [] },
  'customers.erase': { see: access.customersAdmin, stop: access.customersAdmin },
  'customers.attach': { see: access.parcelsAdmin, stop: access.parcelsAdmin },
  'orders.bulk': { see: access.parcels, stop: access.parcels },
  'orders.export': { see: access.parcels, stop: access.parcels },
  'orders.import': { see: access.parcelsAdmin, stop: access.parcelsAdmin },
  'products.import': { see: access.parcelsAdmin, stop: access.parcelsAdmin },
  'serials.import': { see: access.serials, stop: access.serials },
  'pay.list': { see: access.salary, stop: access.salary },
  'pick_lists.improve': { see: access.picks, stop: access.picksAdmin },
  'rules.preview': { see: access.settings, stop: access.settings },
  'returns.dry_run': { see: settingsPages['rma-config'], stop: settingsPages['rma-config'] },
  'shops.backfill': { see: access.settings, stop: access.settings },
  'maps.measure': { see: [...settingsPages['warehouse-map'], ...access.picks], stop: settingsPages['warehouse-map'] },
} as const satisfies Record<string, { see: Access; stop: Access }>
export const JobKind = z.enum(keysOf(jobRights))
export type JobKind = z.infer<typeof JobKind>

/** The sentence of a refusal with its placeholders, for translation. */
export const JobRefusal = z.object({ text: z.string(), values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])) })

export const Job = z.object({
  id: z.number().int(),
  kind: JobKind,
  title: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  done: z.number().int(),
  total: z.number().int().nullable(),
  /** The error, or the obstacle. */
  message: z.string().nullable(),
  /** The same for translation, where the job was refused with a sentence. */
  refusal: JobRefusal.nullable(),
  result: z.unknown(),
  cancel_asked_at: z.string().nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
})
export type Job = z.infer<typeof Job>

export const jobsSchemas = {
  components: { JobKind, JobRefusal, Job },
  calls: {
    list: {
      query: pageQuery,
      reply: page(Job),
      summary: 'The jobs whose kind of work the caller has a right to: imports with parcels_admin, pick lists with pick, and so on.',
    },
    get: {
      reply: Job,
      summary: 'How far a long job is, and what came of it.',
    },
    file: {
      summary: 'The file that a job made, such as the copy of what is stored about a person. It is removed after seven days.',
    },
    cancel: {
      summary: 'Asks a waiting or running job to stop; what it finished stays. Needs the right with which such a job is begun.',
    },
  },
} satisfies ContractSchemas
