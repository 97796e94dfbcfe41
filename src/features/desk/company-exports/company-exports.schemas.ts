/** Schemas of the calls in company-exports.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { OwnPassword } from '#features/company/users/second-factors.schemas.ts'

/** Days in which an archive can be fetched. */
export const fetchDays = 7

const CompanyExport = z.object({
  id: z.number().int(),
  job_id: z.number().int(),
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  done: z.number().int(),
  total: z.number().int().nullable(),
  rows: z.number().int(),
  files: z.number().int(),
  /** Bytes of the archive; null until it is made and after its days. */
  bytes: z.number().int().nullable(),
  requested_by: z.string(),
  /** Only who asked may fetch it. */
  is_own: z.boolean(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
})
export type CompanyExport = z.infer<typeof CompanyExport>

export const AskExport = z.strictObject({
  /** The caller's own password. */
  password: OwnPassword,
})

export const companyExportsSchemas = {
  components: { CompanyExport },
  calls: {
    list: {
      reply: z.array(CompanyExport),
      summary: 'The last exports of everything of a company.',
    },
    start: {
      body: AskExport,
      reply: z.object({ id: z.number().int(), job_id: z.number().int() }),
      summary:
        'Starts an export of everything of a company: a ZIP archive with a file of JSON lines for each table, all stored files but films, and a manifest with counts and SHA-256. Without secrets.',
    },
    file: {
      summary: 'The archive, for who asked for it, for seven days. Each download stands in the log of accesses.',
    },
  },
} satisfies ContractSchemas
