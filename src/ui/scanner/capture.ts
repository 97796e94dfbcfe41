/** Listens to the page and takes the scanner's keys out of it, wherever the focus is; a person's typing stays as it is. */

import { fieldOf, remember, typedInto } from './fields.ts'
import {
  type Decision,
  decodeKey,
  initialWedgeState,
  type Outcome,
  type Press,
  type Scan,
  timing,
  type WedgeState,
} from './keyboard-wedge.ts'
import type { ScannerProfile } from './scanner-profile.ts'

/** A key as it came, for the calibration. `timeStamp` in ms. */
export interface RecordedKey {
  code: string
  key: string
  timeStamp: number
  shift: boolean
  altGraph: boolean
  ctrl: boolean
  alt: boolean
}

export interface Capture {
  /** Removes every listener; the page is as before. */
  stop(): void
  /** Use this profile from the next key on. */
  setProfile(profile: ScannerProfile): void
  /**
   * Hands over raw keys instead of scans, and keeps them from the page, until stopped: each time the keys pause for 300 ms. Escape alone still reaches the
   * page, so that a person can leave.
   */
  record(heard: (keys: RecordedKey[]) => void): () => void
}

/**
 * Starts capturing on a window. `onIgnored` hears what was taken but is no scan to act on: `double` (the same code again within 100 ms) or `broken` (a code
 * that came in pieces). A field inside `[data-scan="here"]` keeps what the scanner types, Enter included.
 */
export function startCapture({
  profile,
  onScan,
  onIgnored,
  window: page = window,
}: {
  profile: ScannerProfile
  onScan: (scan: Scan) => void
  onIgnored?: (kind: Exclude<Outcome['kind'], 'scan'>, scan: Scan) => void
  window?: Window
}): Capture {
  let burst: WedgeState = initialWedgeState
  let setup = profile
  let timer: number | undefined
  let recording: ((event: KeyboardEvent) => void) | undefined
  /** What the fields held when the burst began. */
  let held = new Map<HTMLElement, () => void>()
  /** The field that a keyboard without keys writes into, as it was. */
  let field: { element: HTMLInputElement | HTMLTextAreaElement; value: string; start: number; end: number } | undefined

  const take = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  function follow(decision: Decision, fresh: WedgeState) {
    burst = fresh
    page.clearTimeout(timer)
    if (decision.wait !== undefined) timer = page.setTimeout(listenOnce, decision.wait)
    if (!decision.outcome) return
    for (const restore of held.values()) restore()
    held = new Map()
    field = undefined
    const scanInput = page.document.querySelector<HTMLInputElement>('input[data-scan="scan_input"]')
    if (scanInput) scanInput.value = ''
    if (decision.outcome.kind === 'scan') onScan(decision.outcome.scan)
    else onIgnored?.(decision.outcome.kind, decision.outcome.scan)
  }

  // Keys that were struck in time may still wait behind the timer: they go first, and cancel the second timer.
  function listenOnce() {
    timer = page.setTimeout(() => {
      const next = decodeKey(burst, { type: 'silence', timeStamp: burst.last + timing.delimited }, setup)
      follow(next.decision, next.burst)
    }, 0)
  }

  function begin(target: EventTarget | null) {
    const scanInput = page.document.querySelector<HTMLInputElement>('input[data-scan="scan_input"]')
    if (scanInput && scanInput !== target) scanInput.value = ''
    held = new Map()
    field = undefined
  }

  function keep(element: HTMLElement | undefined) {
    if (!element || held.has(element)) return
    held.set(element, remember(element))
    if ((element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) && element.selectionStart !== null)
      field = { element, value: element.value, start: element.selectionStart, end: element.selectionEnd ?? element.selectionStart }
  }

  function key(event: KeyboardEvent) {
    // Choosing a suggestion of the browser sends key events that are none.
    if (!(event instanceof KeyboardEvent)) return
    if (recording) return recording(event)
    const target = event.composedPath()[0] ?? event.target
    if (leftAlone(target)) return
    const into = fieldOf(target)
    const next = decodeKey(burst, pressOf(event, into), setup)
    if (event.type === 'keydown') {
      if (next.decision.begins) begin(target)
      if (next.burst.presses > 0) keep(into)
    }
    if (next.decision.event === 'swallow') take(event)
    if (event.type === 'keyup' && next.decision.wait === undefined) burst = next.burst
    else follow(next.decision, next.burst)
  }

  function input(event: Event) {
    const target = event.composedPath()[0] ?? event.target
    // Our own restoring of fields is not trusted, in the browser's sense of the word.
    if (
      recording ||
      !event.isTrusted ||
      !(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) ||
      leftAlone(target)
    )
      return
    const scanInput = target.dataset.scan === 'scan_input'
    if (burst.keys.length > 0) return
    if (!scanInput && field?.element !== target) return
    if (!scanInput && !(burst.presses > 0)) return
    const text = scanInput ? target.value : field ? typedInto(target.value, field.value, field.start, field.end) : ''
    if (text === '') return
    const broke = event instanceof InputEvent && event.inputType === 'insertLineBreak'
    const next = decodeKey(
      burst,
      { type: 'text', text: broke ? `${text}\n` : text, timeStamp: event.timeStamp, place: scanInput ? 'scan_input' : 'field' },
      setup,
    )
    follow(next.decision, next.burst)
  }

  function paste(event: ClipboardEvent) {
    const target = event.composedPath()[0] ?? event.target
    if (recording || leftAlone(target)) return
    const scanInput = target instanceof HTMLElement && target.dataset.scan === 'scan_input'
    const text = pastedScan(event.clipboardData?.getData('text/plain') ?? '', setup, fieldOf(target) !== undefined && !scanInput)
    if (text === undefined) return
    take(event)
    onScan({ text, raw: text, keys: [], at: event.timeStamp, gap: 0 })
  }

  page.addEventListener('keydown', key, { capture: true })
  page.addEventListener('keyup', key, { capture: true })
  page.addEventListener('input', input, { capture: true })
  page.addEventListener('paste', paste, { capture: true })

  return {
    stop() {
      page.clearTimeout(timer)
      page.removeEventListener('keydown', key, { capture: true })
      page.removeEventListener('keyup', key, { capture: true })
      page.removeEventListener('input', input, { capture: true })
      page.removeEventListener('paste', paste, { capture: true })
    },
    setProfile(next) {
      setup = next
      burst = initialWedgeState
    },
    record(heard) {
      let keys: RecordedKey[] = []
      let pause: number | undefined
      // On a PC without AltGr the key is an ordinary Alt.
      let altRight = false
      recording = event => {
        if (event.key === 'Escape') return
        take(event)
        if (event.code === 'AltRight') altRight = event.type === 'keydown'
        if (event.type === 'keyup' || keys.length >= 300) return
        keys.push(recorded(event, altRight))
        page.clearTimeout(pause)
        pause = page.setTimeout(() => {
          const arrived = keys
          keys = []
          heard(arrived)
        }, timing.brokenWithin)
      }
      return () => {
        page.clearTimeout(pause)
        recording = undefined
      }
    },
  }
}

/**
 * The code in pasted text, if a scanner pasted it. People paste numbers from spreadsheets, with the line end: into a field such text is theirs unless the
 * station's scanner is known to paste.
 */
function pastedScan(text: string, profile: ScannerProfile, intoField: boolean): string | undefined {
  const code = text.replace(/[\r\n\t]+$/, '')
  if (code.length < profile.minimum_length || code.length > 1024 || /[\r\n]/.test(code)) return undefined
  return profile.paste || (!intoField && code !== text) ? code : undefined
}

function leftAlone(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-scan="here"]') !== null
}

function pressOf(event: KeyboardEvent, into: HTMLElement | undefined): Press {
  return {
    type: event.type === 'keyup' ? 'up' : 'down',
    code: event.code,
    // Some browsers name the key of a software keyboard; the number 229 is the sure sign.
    key: event.keyCode === 229 && event.code === '' ? 'Unidentified' : event.key,
    timeStamp: event.timeStamp,
    ctrl: event.ctrlKey,
    alt: event.altKey,
    meta: event.metaKey,
    shift: event.shiftKey,
    altGraph: event.getModifierState('AltGraph'),
    repeat: event.repeat,
    isComposing: event.isComposing,
    target: into ? 'text' : 'other',
  }
}

function recorded(event: KeyboardEvent, altRight: boolean): RecordedKey {
  const { code, key, timeStamp, shiftKey: shift, ctrlKey: ctrl, altKey: alt } = event
  return { code, key, timeStamp, shift, ctrl, alt, altGraph: event.getModifierState('AltGraph') || (alt && altRight) }
}
