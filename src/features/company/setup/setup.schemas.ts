/** Setup: the one request that creates an operator, its main company and the first admin on an empty installation. */
import * as z from 'zod'
import { companyCode, Locale, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { NewPerson } from '#features/company/users/users.schemas.ts'

export const Founding = z.strictObject({
  token: z.string().min(1).max(200),
  operator: text(limits.name).min(1),
  company: z.strictObject({ code: companyCode, name: text(limits.name).min(1) }),
  admin: NewPerson.extend({ password: z.string().min(1).max(200) }),
  locale: Locale.default('en_GB'),
  time_zone: z.string().max(60).default('Europe/Copenhagen'),
  /** The caller's address becomes the warehouse's network: its packing stations work at once. */
  packing_here: z.boolean().default(true),
})
export type Founding = z.infer<typeof Founding>

export const Founded = z.object({ code: z.string() })

/** Whether setup is still open, and the caller's address. */
export const SetupState = z.object({ open: z.boolean(), ip: z.string() })
