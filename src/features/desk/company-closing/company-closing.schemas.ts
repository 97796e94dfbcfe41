/** Schemas of the calls in company-closing.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { OwnPassword } from '#features/company/users/second-factors.schemas.ts'
import { blockKinds, graceDays } from './kept-tables.codes.ts'

export const CompanyClosing = z.object({
  id: z.number().int(),
  code: z.string(),
  name: z.string(),
  is_main: z.boolean(),
  users: z.number().int(),
  created_at: z.string(),
  closed_at: z.string().nullable(),
  closed_by: z.string().nullable(),
  reason: z.string().nullable(),
  /** Until then it can be opened again; afterwards its data are erased. */
  erase_from: z.string().nullable(),
  erased_at: z.string().nullable(),
  /** What has to end first; counted to 10,000. */
  blocks: z.array(z.object({ kind: z.enum(blockKinds), count: z.number().int() })),
  /** What the law keeps beyond the erasure, and the day until which the last of it stays. */
  kept: z.array(z.object({ what: z.enum(['invoices', 'pay', 'hours']), count: z.number().int(), until: z.string() })),
})
export type CompanyClosing = z.infer<typeof CompanyClosing>

export const CloseCompany = z.strictObject({
  /** The company's code, typed as it stands there. */
  code: text(40).min(1, 'Fill this in'),
  reason: text(limits.note).min(1, 'Fill this in'),
  days: z.number().int().min(graceDays.least, 'At least 7 days').max(graceDays.most, 'At most 365 days').default(graceDays.usual),
  /** The caller's own password. */
  password: OwnPassword,
})

export const companyClosingSchemas = {
  components: { CompanyClosing, CloseCompany },
  calls: {
    get: {
      reply: CompanyClosing,
      summary: 'Whether a company is closed, what has to end before it can be, and what the law keeps.',
    },
    close: {
      body: CloseCompany,
      reply: CompanyClosing,
      summary:
        'Closes a company: no one signs in, nothing is taken or sent for it. Its data are erased after the days in which it can be opened again.',
    },
    reopen: {
      reply: CompanyClosing,
      summary: 'Opens a closed company again, as long as its days have not ended.',
    },
  },
} satisfies ContractSchemas
