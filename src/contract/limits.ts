/** Maximum lengths and sizes in one place, so that every call applies the same. */
import * as z from 'zod'

/** Text that users type: trimmed, bounded, without characters that cannot be stored. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, 'It holds a character that cannot be stored')
    // Half a surrogate pair: PostgreSQL refuses it.
    .refine(written => written.isWellFormed(), 'It holds a character that cannot be stored')

/** Ports of label printers and print servers. A company must not be able to write to other services of a network. */
const printerPorts: readonly number[] = [9100, 9101, 9102, 9103, 9104, 9105, 9106, 9107, 9108, 9109, 6101]

export const limits = {
  name: 120,
  code: 64,
  note: 2_000,
  barcode: 256,
  pattern: 200,
  /** Bytes, in whole megabytes of a million, because sizes are shown that way. */
  upload: 50_000_000,
  productFile: 10_000_000,
  picture: 8_000_000,
  importBody: 20_000_000,
  /**
   * Calls of one API key a minute. A shop sends up to 500 orders or products in one call, so ten calls a second are far above its need,
   * while a program that repeats itself in a loop cannot slow down the packing stations.
   */
  apiKeyCallsPerMinute: 600,
  printerPorts,
} as const

/** A company's code is the first label of its host name. */
export const companyCode = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,30}$/, 'A company code is 2 to 31 small letters, digits and hyphens, and begins with a letter')
  .refine(code => !['www', 'api', 'app'].includes(code), 'This code is reserved')

export const locales = ['en_GB', 'da_DK', 'de_DE', 'no_NO', 'sv_SE'] as const
export const Locale = z.enum(locales)
export type Locale = z.infer<typeof Locale>

/** A station name is free text, registered per operator at first use. */
export const Station = text(20).min(1)
/** An instant in a request or answer: ISO 8601 with time zone. */
export const Instant = z.string()
