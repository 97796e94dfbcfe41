/** Maximum lengths and sizes in one place, so that every call applies the same. */

/** Ports of label printers and print servers. A company must not be able to write to other services of a network. */
const printerPorts: readonly number[] = [9100, 9101, 9102, 9103, 9104, 9105, 9106, 9107, 9108, 9109, 6101]

export const limits = {
  name: 120,
  code: 64,
  station: 20,
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

export const locales = ['en_GB', 'da_DK', 'de_DE', 'no_NO', 'sv_SE'] as const
export type Locale = (typeof locales)[number]

/** Characters that can be stored as text: no control characters except tab and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
export const storableText = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/

/** The name of a packing station as it is stored; undefined where the text is none. */
export function stationName(written: string): string | undefined {
  const name = written.trim()
  const fits = name !== '' && name.length <= limits.station && storableText.test(name) && name.isWellFormed()
  return fits ? name : undefined
}
