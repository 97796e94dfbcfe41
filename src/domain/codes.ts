/** Parser of scanned codes, shared by packing station, phone and server. */
import { elementAt, isKeyOf, keysOf } from '#domain/objects.ts'

/** Digits answer the numbered question on the screen. */
export const answers = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
export const commands = [
  ...(['FINALIZE', 'NEXT', 'ABORT', 'UNDO', 'REPRINT', 'EXCEPTION', 'PAUSE', 'DONE', 'ESC', 'QUANTITY', 'WEIGH', 'PHOTO'] as const),
  ...answers,
] as const
/** Other words of printed sheets, which outlive releases. */
const sameCommand: Readonly<Record<string, string>> = { HOSPITAL: 'EXCEPTION', OK: 'DONE', QTY: 'QUANTITY' }
export type Command = (typeof commands)[number]

/** The parts of a GS1 code that packing uses. `gtin` has 14 digits, `expiry` is a day as YYYY-MM-DD. */
interface Gs1 {
  gtin?: string
  sscc?: string
  lot?: string
  expiry?: string
  serial?: string
}

/** `text` is the code to show and look up: trimmed, without a symbology identifier. */
export type Code =
  | { kind: 'command'; text: string; command: Command }
  | { kind: 'order'; text: string; company_id: number; order_id: number }
  | { kind: 'paperless'; text: string; digits: string }
  | { kind: 'badge'; text: string; user_id: number; token: string }
  | { kind: 'wagon' | 'collect_list' | 'pick_list'; text: string; id: number }
  | { kind: 'crate'; text: string; crate: string }
  | { kind: 'other'; text: string; gs1?: Gs1 }
  /** `reason` is the sentence for the user, and its translation key. */
  | { kind: 'refused'; text: string; reason: string }

export const longestCode = 256
/** Separates the fields of a GS1 code; scanners send it for FNC1. */
export const groupSeparator = '\u001d'

export const codeSentences = {
  empty: 'The scan was empty. Scan again.',
  tooLong: 'The code is too long: at most 256 characters are read.',
  unprintable: 'The code holds characters that cannot be printed. Check the scanner, or the label.',
  unknownCommand: 'This command code is not known here. Print the command sheet again.',
  development: 'While developing, only order codes that start with 1 or PP can be opened.',
} as const

/** The specification's rule for order codes. `dev` adds the rule of development installations (PAKHUS_DEV=1). */
export function isOrderCode(text: string, { dev = false } = {}): boolean {
  return /^(?:\d+:|PP\d)/.test(text) && (!dev || /^(?:1|PP)/.test(text))
}

/**
 * Parses one scan. Never throws: an unusable scan returns `refused` with a sentence.
 * A wagon, list, crate or badge is only a candidate: shops have SKUs such as `CR2032`, so the caller looks up the object first and the product next.
 */
export function readCode(raw: string, { dev = false } = {}): Code {
  if (raw.length > 4 * longestCode) return { kind: 'refused', text: raw.slice(0, longestCode), reason: codeSentences.tooLong }
  const trimmed = raw.trim()
  if (trimmed === '') return { kind: 'refused', text: '', reason: codeSentences.empty }
  if (trimmed.length > longestCode) return { kind: 'refused', text: trimmed.slice(0, longestCode), reason: codeSentences.tooLong }
  if (unprintable.test(trimmed.replaceAll(groupSeparator, '')))
    return { kind: 'refused', text: trimmed.replace(allUnprintable, '\ufffd'), reason: codeSentences.unprintable }

  const { text, gs1: flagged } = withoutIdentifier(trimmed)
  if (text === '') return { kind: 'refused', text: '', reason: codeSentences.empty }

  const command = /^CMD:(.*)$/i.exec(text)?.[1]?.toUpperCase()
  if (command !== undefined) {
    const known = commands.find(name => name === (sameCommand[command] ?? command))
    return known ? { kind: 'command', text, command: known } : { kind: 'refused', text, reason: codeSentences.unknownCommand }
  }
  const order = /^(\d{1,15}):(\d{1,15})$/.exec(text)
  const paperless = /^PP(\d{1,20})$/.exec(text)
  if ((order || paperless) && !isOrderCode(text, { dev })) return { kind: 'refused', text, reason: codeSentences.development }
  if (order) return { kind: 'order', text, company_id: Number(order[1]), order_id: Number(order[2]) }
  if (paperless) return { kind: 'paperless', text, digits: elementAt(paperless, 1) }
  const badge = /^U(\d{1,15})-([\w-]{8,})$/.exec(text)
  if (badge) return { kind: 'badge', text, user_id: Number(badge[1]), token: elementAt(badge, 2) }

  const [, prefix = '', number] = /^(W|CL|PL)(\d{1,15})$/.exec(text) ?? []
  if (isKeyOf(objects, prefix)) return { kind: objects[prefix], text, id: Number(number) }
  const crate = /^CR([\w.-]{1,40})$/.exec(text)?.[1]
  if (crate) return { kind: 'crate', text, crate }
  const gs1 = readGs1(text, flagged)
  return gs1 ? { kind: 'other', text, gs1 } : { kind: 'other', text }
}

/**
 * The forms in which a product, parcel or serial scanned as `raw` may be stored, best first, without repeats.
 * EAN and UPC differ in leading zeros only, and scanners add or drop them. A GTIN-14 that starts with 1 to 8 is an outer pack: it is never
 * reduced to the code of the piece, because six pieces would count as one.
 */
export function candidates(raw: string): string[] {
  const code = readCode(raw)
  if (code.kind === 'refused') return []
  const found = [code.text]
  if (code.kind === 'other' && code.gs1) {
    const { gtin, sscc } = code.gs1
    if (gtin) found.push(...sameArticle(gtin), gtin)
    if (sscc) found.push(sscc, `00${sscc}`)
  } else found.push(...sameArticle(code.text))
  const bare = raw.trim()
  if (bare.length <= longestCode && bare.startsWith(']')) found.push(bare)
  return [...new Set(found)]
}

/**
 * The part of a code that may become a product's barcode; null where the code means something else. Lot, expiry and serial number differ from piece to
 * piece, so only the GTIN of a GS1 code is kept. A wagon's or crate's code may also be a shop's article number.
 */
export function linkable(raw: string): string | null {
  const code = readCode(raw)
  if (code.kind === 'other') return code.gs1?.sscc === undefined ? (code.gs1?.gtin ?? code.text) : null
  return code.kind === 'wagon' || code.kind === 'collect_list' || code.kind === 'pick_list' || code.kind === 'crate' ? code.text : null
}

/** True when the last digit is the check digit that GS1 prescribes (weights 3 and 1 from the right). */
export function hasCheckDigit(digits: string): boolean {
  if (!/^\d{8,18}$/.test(digits)) return false
  let sum = 0
  for (let place = 1; place < digits.length; place++) sum += Number(digits[digits.length - 1 - place]) * (place % 2 === 1 ? 3 : 1)
  return (10 - (sum % 10)) % 10 === Number(digits.at(-1))
}

// Control, format (direction marks, zero-width), private, unassigned and lone-surrogate characters, and the two line separators.
const unprintable = /[\p{C}\u2028\u2029]/u
const allUnprintable = /[\p{C}\u2028\u2029]/gu
const objects = { W: 'wagon', CL: 'collect_list', PL: 'pick_list' } as const

/** Our own codes are recognized by their prefix, so they may be shorter than others: `1:1`, `PP7`, `W12`, `CR2` or `CRS`, and the `PL3` of older papers. */
export const isOwnCode = (text: string): boolean => isOrderCode(text) || /^(?:(?:PL|CL|W)\d|CR[\w.-]|CMD:)/.test(text)

/** The printed code of a list. The length is one of the signs that distinguish a scan from typing: `PL3` would count as three keys. */
export const listCode = (kind: 'PL' | 'CL', id: number): string => `${kind}${String(id).padStart(5, '0')}`

/** ISO/IEC 15424: `]`, a letter for the symbology and a modifier. C1, e0, d2, Q3, J1 say that the data is GS1. */
function withoutIdentifier(text: string): { text: string; gs1: boolean } {
  const identifier = /^\]([A-Za-z][0-9A-Za-z])/.exec(text)?.[1]
  if (!identifier) return { text, gs1: false }
  return { text: text.slice(3).trim(), gs1: ['C1', 'e0', 'd2', 'Q3', 'J1'].includes(identifier) }
}

function sameArticle(digits: string): string[] {
  if (![8, 12, 13, 14].includes(digits.length) || !hasCheckDigit(digits)) return []
  const gtin = digits.padStart(14, '0')
  return [
    gtin.startsWith('0') && !gtin.startsWith('000000') ? gtin.slice(1) : '',
    gtin.startsWith('00') && !gtin.startsWith('000000') ? gtin.slice(2) : '',
    gtin.startsWith('000000') ? gtin.slice(6) : '',
    gtin,
  ].filter(form => form !== '' && form !== digits)
}

/** Application identifiers (GS1 General Specifications, table of 2024): those of fixed length need no separator. */
const fixedLength: [pattern: RegExp, length: number][] = [
  [/^00/, 18],
  [/^0[123]/, 14],
  [/^1[1-7]/, 6],
  [/^20/, 2],
  [/^3[1-6]\d\d/, 6],
  [/^402/, 17],
  [/^41[0-7]/, 13],
  [/^7003/, 10],
  [/^8005/, 6],
]
const variableLength: [pattern: RegExp, most: number][] = [
  [/^10/, 20],
  [/^2[12]/, 20],
  [/^24[0135]|^25[0134]|^235/, 30],
  [/^242/, 6],
  [/^3[07]/, 8],
  [/^39[0-5]\d/, 18],
  [/^40[013]/, 30],
  [/^42[0-7]/, 20],
  [/^7\d{3}/, 90],
  [/^8\d{3}/, 90],
  [/^9\d/, 90],
]

function readGs1(text: string, flagged: boolean): Gs1 | undefined {
  const link = /^https?:\/\/[^/\s]+(?:\/[^?#\s]*)?\/01\/(\d{8,14})(\/[^?#\s]*)?/i.exec(text)
  if (link) return fromFields([['01', elementAt(link, 1).padStart(14, '0')], ...pairs(link[2] ?? '')])
  const bracketed = /^(?:\(\d{2,4}\)[^()]+)+$/.test(text)
  if (bracketed) return fromFields([...text.matchAll(/\((\d{2,4})\)([^()]+)/g)].map(([, ai, value]) => [ai!, value!]))
  const separated = text.includes(groupSeparator)
  // Without a flag or a separator, only a whole code that starts with a GTIN or an SSCC and a valid check digit counts as GS1:
  // a plain number that starts with 01 by chance must stay a plain number.
  const believable = /^01\d{14}./.test(text) || /^00\d{18}/.test(text)
  if (!flagged && !separated && !believable) return undefined
  const fields = split(text.startsWith(groupSeparator) ? text.slice(1) : text)
  const gs1 = fields && fromFields(fields)
  if (!gs1) return undefined
  if (!flagged && !separated && !(gs1.gtin && hasCheckDigit(gs1.gtin)) && !(gs1.sscc && hasCheckDigit(gs1.sscc))) return undefined
  return gs1
}

function pairs(path: string): [string, string][] {
  const parts = path.split('/').filter(part => part !== '')
  const found: [string, string][] = []
  for (let at = 0; at + 1 < parts.length; at += 2) found.push([elementAt(parts, at), unescaped(elementAt(parts, at + 1))])
  return found
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function split(text: string): [string, string][] | undefined {
  const fields: [string, string][] = []
  let rest = text
  while (rest !== '') {
    if (rest.startsWith(groupSeparator)) {
      rest = rest.slice(1)
      continue
    }
    const fixed = first(fixedLength, rest)
    const variable = fixed ? undefined : first(variableLength, rest)
    const found = fixed ?? variable
    if (!found) return undefined
    const body = rest.slice(found.ai.length)
    const end = fixed ? found.length : Math.min(body.includes(groupSeparator) ? body.indexOf(groupSeparator) : body.length, body.length)
    const value = body.slice(0, end)
    if (value === '' || (fixed ? value.length !== found.length : value.length > found.length)) return undefined
    fields.push([found.ai, value])
    rest = body.slice(end)
  }
  return fields
}

function first(table: [RegExp, number][], text: string): { ai: string; length: number } | undefined {
  for (const [pattern, length] of table) {
    const ai = pattern.exec(text)?.[0]
    if (ai) return { ai, length }
  }
}

function fromFields(fields: [string, string][]): Gs1 | undefined {
  const gs1: Gs1 = {}
  for (const [ai, value] of fields) {
    if (ai === '01' && /^\d{14}$/.test(value)) gs1.gtin = value
    else if (ai === '00' && /^\d{18}$/.test(value)) gs1.sscc = value
    else if (ai === '10') gs1.lot = value
    else if (ai === '21') gs1.serial = value
    else if (ai === '17') gs1.expiry = day(value) ?? gs1.expiry
  }
  for (const key of keysOf(gs1)) if (gs1[key] === undefined) delete gs1[key]
  return Object.keys(gs1).length > 0 ? gs1 : undefined
}

/** YYMMDD of this century, because nothing in stock expired before 2000. Day 00 means the last day of the month. */
function day(value: string): string | undefined {
  const parts = /^(\d\d)(\d\d)(\d\d)$/.exec(value)
  if (!parts) return undefined
  const year = 2000 + Number(parts[1])
  const month = Number(parts[2])
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const date = Number(parts[3]) || last
  if (month < 1 || month > 12 || date > last) return undefined
  return `${year}-${parts[2]}-${String(date).padStart(2, '0')}`
}
