/** Setup: the one request that founds an operator, its main company and the first admin on an empty installation. */
import * as z from 'zod'
import { companyCode, Locale, limits, text } from '#contract/limits.ts'
import { NewPerson } from '#features/company/users/users.contract.ts'

/** The page and the request to it; the token travels in the address's fragment, which no server and no log ever sees. */
export const setupPath = '/setup'

export const Founding = z.strictObject({
  token: z.string().min(1).max(200),
  operator: text(limits.name).min(1),
  company: z.strictObject({ code: companyCode, name: text(limits.name).min(1) }),
  admin: NewPerson.extend({ password: z.string().min(1).max(200) }),
  locale: Locale.default('en_GB'),
  time_zone: z.string().max(60).default('Europe/Copenhagen'),
  /** The address that founds is the warehouse's: its packing stations work at once. */
  packing_here: z.boolean().default(true),
})
export type Founding = z.infer<typeof Founding>

export const Founded = z.object({ code: z.string() })

/** Whether there is still something to set up, and who asks. */
export const SetupState = z.object({ open: z.boolean(), ip: z.string() })
