/** Tells a scanner from a person by the rhythm of keys: a pure machine that is fed events and says what to do with each. */
import { groupSeparator, isOwnCode, longestCode, readCode } from '#domain/codes.ts'
import { type Key, spell, writtenBy } from './keyboard-layouts.ts'
import type { ScannerProfile } from './scanner-profile.ts'

/** Milliseconds. Sources: measured wedge scanners send a key every 2 to 16 ms, Bluetooth ones up to 25; fast typists strike every 60 to 90 ms. */
export const timing = {
  longestGap: 50,
  meanGap: 30,
  doubleScan: 100,
  lateEnd: 100,
  silence: 60,
  brokenWithin: 300,
  delimited: 500,
  inputSilence: 150,
} as const

/** Fewer keys than this may be two keys struck at once by a hand. */
const surely = 3
const mostKeys = 4 * longestCode

export interface Press {
  type: 'down' | 'up'
  code: string
  key: string
  /** `event.timeStamp`: when the key was struck, not when a busy page came to look at it. */
  timeStamp: number
  ctrl: boolean
  alt: boolean
  meta: boolean
  shift: boolean
  altGraph: boolean
  repeat: boolean
  isComposing: boolean
  /** `text`: the key writes into a field; `other`: a button, the page. */
  target: 'text' | 'other'
}
/** Text that came without keys (Android sends key 229): all that was typed in this burst. `scan_input`: in the hidden field that only scanners type into. */
export interface Arrival {
  type: 'text'
  text: string
  timeStamp: number
  place: 'field' | 'scan_input'
}
/** Nothing came for the time that the last decision asked to wait. */
export interface Silence {
  type: 'silence'
  timeStamp: number
}

export interface Scan {
  /** Decoded by the station's layout, without the scanner's prefix. */
  text: string
  /** As the PC wrote it. */
  raw: string
  keys: readonly Key[]
  /** Event time of the end of the scan, ms. */
  at: number
  /** Mean time between its keys, ms. */
  gap: number
}

/** `double`: the same code again at once, to be ignored. `broken`: the scan came in pieces, and a piece of a code is another code. */
export interface Outcome {
  kind: 'scan' | 'double' | 'broken'
  scan: Scan
}
export interface Decision {
  event: 'pass' | 'swallow'
  /** A new burst starts with this event: what the fields hold now is what they held before it. */
  begins?: true
  outcome?: Outcome
  /** Report silence unless something comes within so many milliseconds. */
  wait?: number
}

export interface WedgeState {
  keys: readonly Key[]
  typed: string
  arrivals: number
  scanInput: boolean
  first: number
  last: number
  presses: number
  /** The keys before were a scan that stopped in the middle. */
  tail: boolean
  delimited: boolean
  altDigits: string | undefined
  altRight: boolean
  previous: { text: string; at: number } | undefined
  swallowed: readonly string[]
}

const quiet = {
  keys: [],
  typed: '',
  arrivals: 0,
  scanInput: false,
  first: 0,
  last: Number.NEGATIVE_INFINITY,
  presses: 0,
  tail: false,
  delimited: false,
}
export const initialWedgeState: WedgeState = { ...quiet, altDigits: undefined, altRight: false, previous: undefined, swallowed: [] }

type Step = { burst: WedgeState; decision: Decision }
const pass: Decision = { event: 'pass' }
const swallow: Decision = { event: 'swallow' }

/** Feeds one event. */
export function decodeKey(burst: WedgeState, event: Press | Arrival | Silence, profile: ScannerProfile): Step {
  if (event.type === 'text') return arrive(burst, event, profile)
  if (event.type === 'silence') return fallSilent(burst, event, profile)
  return event.type === 'up' ? release(burst, event, profile) : press(burst, event, profile)
}

function press(burst: WedgeState, event: Press, profile: ScannerProfile): Step {
  const at = event.timeStamp
  if (profile.start_key !== '' && event.code === profile.start_key) {
    return {
      burst: { ...start(burst, at), delimited: true, swallowed: held(burst, event) },
      decision: { event: 'swallow', begins: true, wait: timing.delimited },
    }
  }
  if (burst.delimited) {
    if (at - burst.last > timing.delimited)
      return { burst: { ...burst, ...quiet }, decision: { event: 'pass', outcome: { kind: 'broken', scan: scanOf(burst, at, profile) } } }
    if (event.code === profile.end_key || isEnd(event)) return finish({ ...burst, swallowed: held(burst, event) }, at, profile)
    if (isModifier(event)) return { burst: { ...burst, last: at }, decision: { ...pass, wait: timing.delimited } }
    const key = keyOf(event, burst)
    const taken = key ? withKey(burst, key, at) : { ...burst, last: at }
    return { burst: { ...taken, swallowed: held(burst, event) }, decision: { ...swallow, wait: timing.delimited } }
  }
  const flowing = burst.presses > 0 && at - burst.last <= timing.longestGap
  if (isModifier(event)) {
    const next = {
      ...burst,
      altRight: burst.altRight || event.code === 'AltRight',
      altDigits: event.key === 'Alt' && !event.repeat ? '' : burst.altDigits,
    }
    return {
      burst: flowing && !event.repeat ? { ...next, last: at, presses: burst.presses + 1 } : next,
      decision: waiting(pass, next, profile),
    }
  }
  // A key that is held down repeats as evenly as a scanner.
  if (event.repeat) return { burst: { ...burst, ...quiet }, decision: pass }
  if (isEnd(event)) {
    // A complete code whose Enter comes late is still a scan; passed on, that Enter would press a button.
    const late = burst.scanInput ? timing.delimited : burst.keys.length >= profile.minimum_length && isFast(burst) ? timing.lateEnd : 0
    if (flowing || (burst.presses > 0 && at - burst.last <= late)) return finish({ ...burst, swallowed: held(burst, event) }, at, profile)
    // Carriage return and line feed: the second belongs to the scan as well.
    const second = burst.previous !== undefined && at - burst.previous.at <= timing.longestGap && at >= burst.previous.at
    return { burst: { ...burst, ...quiet, swallowed: second ? held(burst, event) : burst.swallowed }, decision: second ? swallow : pass }
  }
  if (event.alt && burst.altDigits !== undefined && /^Numpad\d$/.test(event.code)) {
    const begun = flowing ? burst : begin(burst, at)
    const next = { ...begun, altDigits: burst.altDigits + event.code.slice(6), last: at, presses: begun.presses + 1 }
    return { burst: next, decision: begins(pass, flowing, next) }
  }
  const key = keyOf(event, burst)
  if (!key) {
    if (!isUnidentified(event)) return { burst: { ...burst, ...quiet }, decision: pass }
    const begun = flowing ? burst : begin(burst, at)
    const next = { ...begun, last: at, presses: begun.presses + 1 }
    return { burst: next, decision: begins(pass, flowing, next) }
  }
  const control = key.is !== undefined && key.is < ' '
  // Ctrl with a letter is a person's shortcut, unless a scan is under way.
  if (control && key.is !== groupSeparator && !(flowing && isFast(burst) && burst.keys.length >= surely))
    return { burst: { ...burst, ...quiet }, decision: pass }
  const next = withKey(flowing ? burst : begin(burst, at), key, at)
  // Outside a field nothing is lost by keeping the keys from the page: no shortcut, no button pressed by a space.
  const take = flowing && isFast(next) && (control || (event.target === 'other' && next.keys.length >= surely))
  const decision = begins(waiting(take ? swallow : pass, next, profile), flowing, next)
  return { burst: take ? { ...next, swallowed: held(burst, event) } : next, decision }
}

function release(burst: WedgeState, event: Press, profile: ScannerProfile): Step {
  const swallowed = burst.swallowed.includes(event.code)
  let next: WedgeState = swallowed ? { ...burst, swallowed: burst.swallowed.filter(code => code !== event.code) } : burst
  if (event.code === 'AltRight') next = { ...next, altRight: false }
  if (event.key === 'Alt' && next.altDigits !== undefined) {
    const number = Number(next.altDigits)
    if (next.altDigits !== '' && event.timeStamp - next.last <= timing.longestGap) {
      const is = number > 0 && (number < 128 || (number < 256 && next.altDigits.startsWith('0'))) ? String.fromCharCode(number) : '\ufffd'
      next = { ...next, keys: [...next.keys, { code: '', key: '', is }].slice(0, mostKeys), last: event.timeStamp }
    }
    return { burst: { ...next, altDigits: undefined }, decision: waiting(swallowed ? swallow : pass, next, profile) }
  }
  return { burst: next, decision: swallowed ? swallow : pass }
}

function arrive(burst: WedgeState, event: Arrival, profile: ScannerProfile): Step {
  // Real keys were seen: the text is only their echo.
  if (burst.keys.length > 0 || burst.delimited) return { burst, decision: pass }
  const at = event.timeStamp
  const patience = event.place === 'scan_input' ? timing.delimited : timing.longestGap
  const flowing = burst.presses + burst.arrivals > 0 && at - burst.last <= patience
  const begun = flowing ? burst : begin(burst, at)
  const typed = event.text.replace(/[\r\n\t]+$/, '').slice(0, mostKeys)
  const next = {
    ...begun,
    typed,
    arrivals: begun.arrivals + 1,
    scanInput: event.place === 'scan_input',
    last: at,
    presses: Math.max(1, begun.presses),
  }
  if (typed !== event.text && typed !== '') return finish(next, at, profile)
  const decision: Decision = event.place === 'scan_input' ? { ...pass, wait: timing.inputSilence } : waiting(pass, next, profile)
  return { burst: next, decision: begins(decision, flowing, next) }
}

function fallSilent(burst: WedgeState, event: Silence, profile: ScannerProfile): Step {
  if (burst.delimited)
    return {
      burst: { ...burst, ...quiet },
      decision: { event: 'pass', outcome: { kind: 'broken', scan: scanOf(burst, burst.last, profile) } },
    }
  const patience = burst.scanInput && burst.keys.length === 0 ? timing.inputSilence : timing.silence
  if (burst.presses === 0 || event.timeStamp - burst.last < patience) return { burst, decision: pass }
  if (!burst.scanInput && profile.suffix !== 'none') return { burst, decision: pass }
  return finish(burst, burst.last, profile)
}

function finish(burst: WedgeState, at: number, profile: ScannerProfile): Step {
  const scan = scanOf(burst, at, profile)
  const after: WedgeState = { ...burst, ...quiet }
  const length = [...scan.text].length
  const enough = burst.delimited
    ? length > 0
    : length >= (isOwnCode(scan.text) ? Math.min(3, profile.minimum_length) : profile.minimum_length)
  const sure = burst.delimited || (burst.scanInput && burst.keys.length === 0) || isScanner(burst)
  if (burst.tail && (isScanner(burst) || (at - burst.first) / Math.max(1, burst.presses) < timing.meanGap))
    return { burst: after, decision: { event: 'swallow', outcome: { kind: 'broken', scan } } }
  if (!enough || !sure) return { burst: { ...after, swallowed: [] }, decision: burst.delimited ? swallow : pass }
  const double = burst.previous?.text === scan.text && at - burst.previous.at < timing.doubleScan && at >= burst.previous.at
  return {
    burst: { ...after, previous: { text: scan.text, at } },
    decision: { event: 'swallow', outcome: { kind: double ? 'double' : 'scan', scan } },
  }
}

/** Text without keys must have come in many pieces: one long piece is a word that a phone's keyboard suggested. */
function isScanner(burst: WedgeState): boolean {
  if (burst.keys.length > 0) return isFast(burst)
  return (
    burst.arrivals * 2 >= burst.typed.length && burst.arrivals > 1 && (burst.last - burst.first) / (burst.arrivals - 1) < timing.meanGap
  )
}

function isFast(burst: WedgeState): boolean {
  return burst.presses > 1 && (burst.last - burst.first) / (burst.presses - 1) < timing.meanGap
}

function scanOf(burst: WedgeState, at: number, profile: ScannerProfile): Scan {
  const raw = burst.keys.length > 0 ? writtenBy(burst.keys) : burst.typed
  const text = burst.keys.length > 0 ? textOf(burst.keys, profile.layout) : burst.typed
  const bare = profile.prefix !== '' && text.startsWith(profile.prefix) ? text.slice(profile.prefix.length) : text
  const gap = burst.presses > 1 ? (burst.last - burst.first) / (burst.presses - 1) : 0
  return { text: bare, raw, keys: burst.keys, at, gap }
}

/** The text of a burst under the station's layout. */
export function textOf(keys: readonly Key[], layout: ScannerProfile['layout']): string {
  if (layout !== 'auto' && layout !== 'pc') return spell(keys, layout)
  const raw = writtenBy(keys)
  if (layout === 'pc' || isKnown(raw)) return raw
  const american = spell(keys, 'us')
  return isKnown(american) || keys.some(({ key }) => key === 'Dead') ? american : raw
}

function isKnown(text: string): boolean {
  const { kind } = readCode(text)
  return (kind !== 'other' && kind !== 'refused') || /^\][A-Za-z]\d/.test(text)
}

function start(burst: WedgeState, at: number): WedgeState {
  return { ...burst, ...quiet, first: at, last: at }
}

function begin(burst: WedgeState, at: number): WedgeState {
  const stopped = burst.tail || (burst.keys.length >= surely && isFast(burst))
  return { ...start(burst, at), tail: stopped && at - burst.last < timing.brokenWithin }
}

function begins(decision: Decision, flowing: boolean, burst: WedgeState): Decision {
  return flowing || burst.tail ? decision : { ...decision, begins: true }
}

function waiting(decision: Decision, burst: WedgeState, profile: ScannerProfile): Decision {
  return profile.suffix === 'none' && burst.presses > 1 ? { ...decision, wait: timing.silence } : decision
}

function withKey(burst: WedgeState, key: Key, at: number): WedgeState {
  const keys = burst.keys.length < mostKeys ? [...burst.keys, key] : burst.keys
  return { ...burst, keys, last: at, presses: burst.presses + 1 }
}

function held(burst: WedgeState, { code }: Press): readonly string[] {
  return burst.swallowed.includes(code) ? burst.swallowed : [...burst.swallowed, code].slice(-8)
}

function keyOf(event: Press, { altRight }: WedgeState): Key | undefined {
  const altGraph = event.altGraph || (event.alt && altRight)
  const printable = [...event.key].length === 1 || event.key === 'Dead' || (event.isComposing && event.code !== '')
  const pad = /^Numpad\d$/.test(event.code)
  if (event.meta) return undefined
  if (event.ctrl && !event.alt && !altGraph) {
    // Scanners send the control characters of a code as Ctrl with the key that ASCII puts there; Ctrl ] is the group separator of GS1.
    if (event.code === 'BracketRight' || event.key === ']' || event.key === groupSeparator)
      return { code: event.code, key: event.key, is: groupSeparator }
    const letter = /^Key([A-Z])$/.exec(event.code)?.[1]
    return letter ? { code: event.code, key: event.key, is: String.fromCharCode(letter.charCodeAt(0) - 64) } : undefined
  }
  if (event.alt && !altGraph) return undefined
  if (!printable && !pad) return undefined
  const key: Key = { code: event.code, key: event.key }
  if (pad) key.is = event.code.slice(6)
  if (event.shift) key.shift = true
  if (altGraph) key.altGraph = true
  return key
}

function isEnd(event: Press): boolean {
  if (event.alt || event.meta || event.shift) return false
  if (event.ctrl) return event.code === 'KeyJ' || event.code === 'KeyM'
  return event.key === 'Enter' || event.key === 'Tab'
}

function isModifier({ key }: Press): boolean {
  return ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock', 'Fn'].includes(key)
}

function isUnidentified({ key, code }: Press): boolean {
  return key === 'Unidentified' || key === 'Process' || (key === '' && code === '')
}
