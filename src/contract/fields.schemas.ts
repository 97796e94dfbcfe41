/** Schemas of fields that many calls share. */
import * as z from 'zod'
import { limits, locales, storableText } from './limits.ts'

/** Text that users type: trimmed, bounded, without characters that cannot be stored. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(storableText, 'It holds a character that cannot be stored')
    // Half a surrogate pair: PostgreSQL refuses it.
    .refine(written => written.isWellFormed(), 'It holds a character that cannot be stored')

/** A company's code is the first label of its host name. */
export const companyCode = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,30}$/, 'A company code is 2 to 31 small letters, digits and hyphens, and begins with a letter')
  .refine(code => !['www', 'api', 'app'].includes(code), 'This code is reserved')

export const Locale = z.enum(locales)
export type Locale = z.infer<typeof Locale>

/** A station name is free text, registered per operator at first use. */
export const Station = text(limits.station).min(1)
/** An instant in a request or answer: ISO 8601 with time zone. */
export const Instant = z.string()

/** The id of a row in an address or a query, where everything is text. */
export const idAsked = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)
