/** Schemas of the calls in staff-data.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { OwnPassword } from '#features/company/users/second-factors.schemas.ts'

/** The caller's own password, once more. */
export const Confirmed = z.strictObject({ password: OwnPassword })

/** As JSON with everything, or as PDF to read. */
export const copyFormats = ['pdf', 'json'] as const

export const CopyAsked = Confirmed.extend({ format: z.enum(copyFormats).default('json') })

export const staffDataSchemas = {
  components: {},
  calls: {
    copy: {
      body: CopyAsked,
      summary:
        'Everything that is stored of a member of the staff, with the CPR number and who has looked at the data, as JSON, or with `format: pdf` as a document in the person’s language. The copy stands in the access log.',
    },
    erase: {
      body: Confirmed,
      reply: z.object({
        /** Rows by table. */
        erased: z.record(z.string(), z.number().int()),
        /** What the law keeps, without a name, and until when. */
        kept: z.array(z.object({ what: z.enum(['hours', 'pay', 'agreements']), until: z.string() })),
      }),
      summary:
        'Removes a user and erases name, addresses, picture, guardian, CPR number, notes and everything to sign in with. Hours, pay and agreements stay under the employee number until their time.',
    },
  },
} satisfies ContractSchemas
