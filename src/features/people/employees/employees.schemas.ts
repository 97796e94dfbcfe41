/** Schemas of the calls in employees.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { OwnPassword } from '#features/company/users/second-factors.schemas.ts'
import { Email } from '#features/company/users/users.schemas.ts'
import { cprBirthDate, cprDigits } from './cpr.rules.ts'
import { cprHints, salaryTypes, workingTimeCountries } from './employees.codes.ts'

const Day = z.iso.date()
const orNull = <T extends z.ZodType<string>>(one: T) =>
  one
    .nullable()
    .default(null)
    .transform(value => value || null)

const fields = {
  birth_date: Day.nullable().default(null),
  guardian_name: orNull(text(limits.name)),
  guardian_phone: orNull(text(40)),
  guardian_email: z
    .union([Email, z.literal('')])
    .nullable()
    .default(null)
    .transform(value => value || null),
  employed_from: Day.nullable().default(null),
  employed_to: Day.nullable().default(null),
  /** Contracted seconds a week. */
  weekly_s: z.number().int().min(0).max(604_800).nullable().default(null),
  days_per_week: z.number().int().min(1).max(7).default(5),
  /** Whose law of working time applies; null stands for the company's country. */
  country: z.enum(workingTimeCountries).nullable().default(null),
  compulsory_school: z.boolean().default(false),
  /** Britain: the days on which the person agrees to more than 48 hours a week on average; without a last day until it is ended. */
  average_opt_out_from: Day.nullable().default(null),
  average_opt_out_to: Day.nullable().default(null),
}

export const EmploymentChange = z
  .strictObject({ version: z.number().int().min(0), ...fields })
  .refine(one => one.employed_from === null || one.employed_to === null || one.employed_from <= one.employed_to, {
    path: ['employed_to'],
    message: 'The last day lies before the first',
  })
  .refine(one => one.average_opt_out_to === null || one.average_opt_out_from !== null, {
    path: ['average_opt_out_from'],
    message: 'Enter the first day',
  })
  .refine(
    one => one.average_opt_out_from === null || one.average_opt_out_to === null || one.average_opt_out_from <= one.average_opt_out_to,
    { path: ['average_opt_out_to'], message: 'The last day lies before the first' },
  )
export type EmploymentChange = z.output<typeof EmploymentChange>

export const Employment = z.object({
  user_id: z.number().int(),
  /** Null also for callers who may not see it. */
  birth_date: z.string().nullable(),
  under_18: z.boolean(),
  guardian_name: z.string().nullable(),
  guardian_phone: z.string().nullable(),
  guardian_email: z.string().nullable(),
  employed_from: z.string().nullable(),
  employed_to: z.string().nullable(),
  weekly_s: z.number().int().nullable(),
  days_per_week: z.number().int(),
  country: z.enum(workingTimeCountries).nullable(),
  compulsory_school: z.boolean(),
  average_opt_out_from: z.string().nullable(),
  average_opt_out_to: z.string().nullable(),
  /** 0 until something was saved. */
  version: z.number().int(),
})
export type Employment = z.infer<typeof Employment>

const PayTerm = z.object({
  id: z.number().int(),
  valid_from: z.string(),
  salary_type: z.enum(salaryTypes),
  /** Of an hour, in minor units. */
  rate: z.number().int(),
  /** The least that an hour on commission pays, in minor units. */
  floor_rate: z.number().int(),
  currency: z.string(),
  reason: z.string(),
  made_by: z.string(),
  made_at: Instant,
  /** Holds today. */
  current: z.boolean(),
})
export type PayTerm = z.infer<typeof PayTerm>

export const NewPayTerm = z.strictObject({
  valid_from: Day,
  salary_type: z.enum(salaryTypes),
  rate: z.number().int().min(0).max(10_000_000),
  floor_rate: z.number().int().min(0).max(10_000_000).default(0),
  reason: text(200).default(''),
})
export type NewPayTerm = z.output<typeof NewPayTerm>

/** Ten digits, with or without hyphen, that begin with a day of the calendar. */
const CprNumber = z
  .string()
  .max(20, 'A CPR number has ten digits')
  .refine(typed => cprDigits(typed) !== null, { message: 'A CPR number has ten digits', abort: true })
  .transform(typed => cprDigits(typed) ?? '')
  .refine(digits => cprBirthDate(digits) !== null, 'The first six digits are no day of the calendar')
export const NewCpr = z.strictObject({ cpr: CprNumber })

/** That a number is kept, and who has read it; never the number. */
const Cpr = z.object({
  user_id: z.number().int(),
  /** Null where none is kept. */
  set_at: Instant.nullable(),
  set_by: z.string().nullable(),
  /** After saving: what may be a slip. `birth_date`: the employment says another day; `check_digit`: newer numbers may lack it. */
  hint: z.enum(cprHints).nullable(),
  /** The newest first. */
  reveals: z.array(z.object({ at: Instant, user_name: z.string(), reason: z.string().nullable() })),
})
export type Cpr = z.infer<typeof Cpr>

export const CprReveal = z.strictObject({
  reason: text(200).min(5, 'Write why you need the number'),
  /** The own one, once more. */
  password: OwnPassword,
})

export const employeesSchemas = {
  components: { Employment, PayTerm, Cpr },
  calls: {
    get: { reply: Employment, summary: 'The employment of a person. The date of birth and the guardian are left out for planners.' },
    update: {
      body: EmploymentChange,
      reply: Employment,
      summary: 'Saves the employment of a person; 409 with the current state when the version is old. A guardian is kept for minors only.',
    },
    payTerms: { reply: z.array(PayTerm), summary: 'How a person is paid, with the days from which it holds, the latest first.' },
    addPayTerm: {
      body: NewPayTerm,
      reply: z.array(PayTerm),
      summary: 'Adds how a person is paid from a day on, in the currency of the company. What held before stays on record.',
    },
    withdrawPayTerm: { reply: z.array(PayTerm), summary: 'Withdraws pay that does not hold yet.' },
    cpr: { reply: Cpr, summary: 'Whether the CPR number of a person is kept, since when, and who has read it and why. No digit of it.' },
    setCpr: {
      body: NewCpr,
      reply: Cpr,
      summary:
        'Keeps the CPR number of a person, encrypted with a key of its own. A missing check digit is a hint, since newer numbers may lack it.',
    },
    removeCpr: { summary: 'Removes the CPR number of a person.' },
    revealCpr: {
      body: CprReveal,
      reply: z.object({ cpr: z.string() }),
      summary:
        'Answers the CPR number of a person, after the own password and with a reason. Each time is in the access log; ten an hour at most.',
    },
  },
} satisfies ContractSchemas
