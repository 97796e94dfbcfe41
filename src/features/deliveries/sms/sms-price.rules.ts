/** What a text message costs, and what makes it dearer than it has to be. */

/** Longest text of one message; gateways refuse or cut longer ones. */
export const longestSms = 1_600

/** Characters that word processors write, and the ones of the GSM alphabet that read the same. */
const plainCharacters: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u2013': '-',
  '\u2014': '-',
  '\u2026': '...',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\t': ' ',
  '\u0060': "'",
  '\u00b4': "'",
}

export interface Replacement {
  from: string
  to: string
}

/** What makes the text cost more parts than it has to, each character once. */
export const costlyCharacters = (text: string): Replacement[] =>
  Object.entries(plainCharacters).flatMap(([from, to]) => (text.includes(from) ? [{ from, to }] : []))

export const withPlainCharacters = (text: string): string =>
  costlyCharacters(text.normalize('NFC')).reduce((written, { from, to }) => written.replaceAll(from, to), text.normalize('NFC'))

/** Millionths of a currency's unit as its minor units, half up: once, of a sum. */
export const minorOfMicro = (micro: number, decimals: number): number => Math.floor(micro / 10 ** (6 - decimals) + 0.5)
