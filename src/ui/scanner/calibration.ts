/** What a scan of the known test code says about a station's scanner: its keyboard layout, what it sends around a code, or what is wrong with it. */

import { elementAt } from '#domain/objects.ts'
import type { RecordedKey } from './capture.ts'
import { type Key, type Layout, layoutNames, meaning } from './keyboard-layouts.ts'
import { textOf } from './keyboard-wedge.ts'
import type { ScannerProfile } from './scanner-profile.ts'

/**
 * Shown as Code 128. Every character is there for a difference: `:` and `-` stand on our codes, Y and Z change places on German keyboards, `@` says British
 * from American, `\` Danish, Norwegian and Swedish from each other; both cases show Caps Lock.
 */
export const testCode = 'PAK1:-/_;?+@\\yzYZ09'

/** `text` is an English sentence and the key of its translation, with places for `values`. */
export interface Remark {
  text: string
  values?: Record<string, string | number>
}
export type Finding =
  | { found: true; profile: Pick<ScannerProfile, 'layout' | 'prefix' | 'start_key' | 'end_key' | 'suffix'>; gap: number; remarks: Remark[] }
  | { found: false; problem: Remark; got: string }

export const calibrationSentences = {
  nothing: 'Nothing arrived. Is the scanner connected, charged and set to keyboard mode (HID)?',
  typed: 'That was typed by hand. Scan the code with the scanner.',
  otherCode: 'That is another code: {{text}}. Scan the test code on this screen.',
  incomplete: 'Only part of the code arrived: {{text}}. Scan again, more slowly, and check the connection.',
  capsLock: 'Capitals and small letters are exchanged. Turn Caps Lock off and scan again.',
  oneCase: 'The scanner changes capitals or small letters. Turn the case conversion of the scanner off.',
  unknownLayout:
    'The code arrived as {{text}}, which fits no keyboard layout that is known here. Set the scanner to the US layout and scan again.',
  noKeys: 'The scanner sends text without keys. It works, but its layout cannot be seen.',
  slow: 'The scanner is slow: {{gap}} ms between characters. Set its delay between characters to 0.',
  noEnd: 'The scanner sends nothing after a code. It works, but Enter as suffix is safer and faster.',
  foreign: 'The scanner follows the layout of this PC. It works, but must be calibrated again when the layout of the PC changes.',
} as const

/**
 * Judges the keys that came while the test code was scanned. `preferred`: the layout to take when several fit, which is the case only for keyboards that
 * differ nowhere in our codes.
 */
export function calibrate(recorded: readonly RecordedKey[], preferred?: Layout): Finding {
  const struck = recorded.filter(({ key }) => !['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock'].includes(key))
  if (struck.length === 0) return problem(calibrationSentences.nothing, '')
  const { body, start_key, end_key, suffix } = around(struck)
  const keys = body.map(keyOf)
  const raw = textOf(keys, 'pc')
  const gap = meanGap(body)

  for (const layout of [...new Set([...(preferred ? [preferred] : []), ...layoutNames])]) {
    // A key that the layout does not know would be taken as the PC wrote it, and every layout would seem to fit.
    if (keys.some(key => key.code !== '' && meaning(key, layout) === undefined)) continue
    const spelled = textOf(keys, layout)
    if (!spelled.endsWith(testCode)) continue
    const prefix = spelled.slice(0, -testCode.length)
    if (prefix.length > 8) continue
    const certain = keys.some(({ code }) => code !== '')
    const remarks: Remark[] = [...(certain ? [] : [{ text: calibrationSentences.noKeys }]), ...pace(gap, suffix, end_key)]
    return { found: true, profile: { layout: certain ? layout : 'pc', prefix, start_key, end_key, suffix }, gap, remarks }
  }
  if (raw.endsWith(testCode) && raw.length <= testCode.length + 8) {
    const profile = { layout: 'pc' as const, prefix: raw.slice(0, -testCode.length), start_key, end_key, suffix }
    return { found: true, profile, gap, remarks: [{ text: calibrationSentences.foreign }, ...pace(gap, suffix, end_key)] }
  }

  if (gap > 50) return problem(calibrationSentences.typed, raw)
  const spellings = [raw, ...layoutNames.map(layout => textOf(keys, layout))]
  if (spellings.some(text => text.endsWith(exchanged(testCode)))) return problem(calibrationSentences.capsLock, raw)
  if (spellings.some(text => [testCode.toUpperCase(), testCode.toLowerCase()].some(one => text.endsWith(one))))
    return problem(calibrationSentences.oneCase, raw)
  const part = spellings.find(text => text.length >= 3 && text.length < testCode.length && inOrder(text, testCode))
  if (part) return problem(calibrationSentences.incomplete, raw, { text: part })
  // The letters and digits that lie alike on every layout say whether this was the test code at all.
  const alike = raw.replace(/[^PAK190]/g, '')
  if (alike.includes('PAK1') && alike.endsWith('09')) return problem(calibrationSentences.unknownLayout, raw, { text: raw })
  return problem(calibrationSentences.otherCode, raw, { text: raw })
}

function problem(text: string, got: string, values?: Record<string, string>): Finding {
  return { found: false, problem: values ? { text, values } : { text }, got }
}

function pace(gap: number, suffix: ScannerProfile['suffix'], end_key: string): Remark[] {
  const remarks: Remark[] = []
  if (gap >= 30) remarks.push({ text: calibrationSentences.slow, values: { gap: Math.round(gap) } })
  if (suffix === 'none' && end_key === '') remarks.push({ text: calibrationSentences.noEnd })
  return remarks
}

/** Splits what the scanner sends around a code from the code: F13 to F24 as delimiters, Enter or Tab (also as Ctrl M, Ctrl J) at the end. */
function around(struck: readonly RecordedKey[]) {
  const isDelimiter = ({ code }: RecordedKey) => /^F(?:1[3-9]|2[0-4])$/.test(code)
  let body = [...struck]
  let suffix: ScannerProfile['suffix'] = 'none'
  let end_key = ''
  for (let last = body.at(-1); last; last = body.at(-1)) {
    const control = last.ctrl && !last.alt && (last.code === 'KeyM' || last.code === 'KeyJ')
    if (last.key === 'Enter' || control) suffix = 'enter'
    else if (last.key === 'Tab') suffix = 'tab'
    else if (isDelimiter(last) && body.length > 1) end_key = last.code
    else break
    body = body.slice(0, -1)
  }
  const first = body[0]
  const start_key = first && isDelimiter(first) ? first.code : ''
  if (start_key !== '') body = body.slice(1)
  return { body, start_key, end_key, suffix }
}

function keyOf({ code, key, shift, altGraph }: RecordedKey): Key {
  return { code, key, shift, altGraph }
}

function meanGap(keys: readonly RecordedKey[]): number {
  return keys.length < 2 ? 0 : (keys.at(-1)!.timeStamp - elementAt(keys, 0).timeStamp) / (keys.length - 1)
}

function exchanged(text: string): string {
  return [...text].map(character => (character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase())).join('')
}

/** True when the characters of `part` stand in `whole` in this order. */
function inOrder(part: string, whole: string): boolean {
  let at = 0
  for (const character of part) {
    at = whole.indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
}
