/** Types into a page as a keyboard-wedge scanner does, with the time stamps that such a scanner would have, however busy the machine is. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { isDead, keysFor, type Layout, meaning } from '#ui/scanner/keyboard-layouts.ts'

export interface ScanOptions {
  /** Milliseconds from key to key. Default 8. */
  gap?: number
  /** The layout the scanner is set to. Default `us`. */
  layout?: Layout
  /** The layout of the PC. Default the scanner's own. */
  pc?: Layout
  /** The key after the code; an empty string for none. Default `Enter`. */
  end?: 'Enter' | 'Tab' | ''
  /**
   * Milliseconds of event time from the end of the scan before to the end of this one, exactly. Default: now, and at least 150, since under 100 the same
   * code counts as a double scan.
   */
  after?: number
}

/** Where the last scan of each page ended, in ms since 1970: the next one is later, as it is at a bench. */
const ended = new WeakMap<Page, { at: number; session: Promise<CDPSession> }>()

/**
 * Scans a code: key down, character and key up for each, then Enter. Returns when the browser has taken the last key and its time has come.
 * Throws for a character that the layout cannot type.
 */
export async function scan(
  page: Page,
  text: string,
  { gap = 8, layout = 'us', pc = layout, end = 'Enter', after }: ScanOptions = {},
): Promise<void> {
  const before = ended.get(page) ?? { at: 0, session: page.context().newCDPSession(page) }
  ended.set(page, before)
  const session = await before.session
  const keys = keysFor(text, layout)
  const start = after === undefined ? Math.max(Date.now(), before.at + 150 - keys.length * gap) : before.at + after - keys.length * gap
  if (start > Date.now()) await sleep(start - Date.now())

  // Sent without waiting for answers: the browser keeps their order.
  const sent: Promise<unknown>[] = []
  const send = (type: 'keyDown' | 'rawKeyDown' | 'keyUp', at: number, key: string, code: string, modifiers = 0, written = '') =>
    sent.push(
      session.send('Input.dispatchKeyEvent', {
        type,
        timestamp: at / 1000,
        key,
        code,
        modifiers,
        windowsVirtualKeyCode: virtualKey(code, key),
        ...(written && { text: written, unmodifiedText: written }),
      }),
    )

  let at = start
  for (const { code, shift, altGraph } of keys) {
    const character = meaning({ code, key: '', shift, altGraph }, pc)
    const dead = character !== undefined && isDead(character, pc)
    const key = dead ? 'Dead' : (character ?? 'Unidentified')
    const modifiers = (shift ? 8 : 0) | (altGraph ? 3 : 0)
    const up = at + gap / 2
    if (shift) send('rawKeyDown', at, 'Shift', 'ShiftLeft', 8)
    if (altGraph) send('rawKeyDown', at, 'AltGraph', 'AltRight', 3)
    if (dead || character === undefined) send('rawKeyDown', at, key, code, modifiers)
    else send('keyDown', at, key, code, modifiers, character)
    send('keyUp', up, key, code, modifiers)
    if (altGraph) send('keyUp', up, 'AltGraph', 'AltRight')
    if (shift) send('keyUp', up, 'Shift', 'ShiftLeft')
    at += gap
  }
  if (end !== '') {
    send('keyDown', at, end, end, 0, end === 'Enter' ? '\r' : '')
    send('keyUp', at + gap / 2, end, end)
  }
  ended.set(page, { ...before, at })
  await Promise.all(sent)
  if (at > Date.now()) await sleep(at - Date.now())
}

const signs: Record<string, number> = {
  Enter: 13,
  Tab: 9,
  Space: 32,
  ShiftLeft: 16,
  AltRight: 18,
  Semicolon: 186,
  Equal: 187,
  Comma: 188,
  Minus: 189,
  Period: 190,
  Slash: 191,
  Backquote: 192,
  BracketLeft: 219,
  Backslash: 220,
  BracketRight: 221,
  Quote: 222,
  IntlBackslash: 226,
}

function virtualKey(code: string, key: string): number {
  const plain = /^(?:Key|Digit)(.)$/.exec(code)?.[1]
  return plain ? plain.charCodeAt(0) : (signs[code] ?? key.charCodeAt(0))
}
