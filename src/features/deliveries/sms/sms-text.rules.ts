/** The size of a text message: its encoding, its units and its parts, as gateways bill them (3GPP TS 23.038 and 23.040). */
import { SegmentedMessage } from 'sms-segments-calculator'
import type { SmsEncoding } from '#domain/sms-codes.ts'

export interface SmsSize {
  encoding: SmsEncoding
  /** Septets, or UTF-16 units. */
  characters: number
  parts: number
}

/** Longest text of one message; gateways refuse or cut longer ones. */
export const longestSms = 1_600

export function sizeOfSms(text: string): SmsSize {
  if (text === '') return { encoding: 'GSM-7', characters: 0, parts: 0 }
  // One letter with its mark counts once: `a` and a combining ring are `å`.
  const message = new SegmentedMessage(text.normalize('NFC'), 'auto')
  return {
    encoding: message.encodingName === 'GSM-7' ? 'GSM-7' : 'UCS-2',
    characters: message.numberOfCharacters,
    parts: message.segmentsCount,
  }
}

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
