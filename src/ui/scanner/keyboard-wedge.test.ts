/** The rhythm of scanners and people, event by event. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDead, keysFor, type Layout, layoutNames, meaning, spell } from './keyboard-layouts.ts'
import { type Decision, decodeKey, initialWedgeState, type Outcome, type Press, type WedgeState } from './keyboard-wedge.ts'
import { type ScannerProfile, uncalibrated } from './scanner-profile.ts'

type Event = Parameters<typeof decodeKey>[1]
const plain = {
  ctrl: false,
  alt: false,
  meta: false,
  shift: false,
  altGraph: false,
  repeat: false,
  isComposing: false,
  target: 'text' as const,
}

function down(code: string, key: string, timeStamp: number, more: Partial<Press> = {}): Press {
  return { type: 'down', code, key, timeStamp, ...plain, ...more }
}

/** The keys of a text as a scanner set to `scanner` sends them to a PC set to `pc`; Enter follows unless `end` says otherwise. */
function typed(
  text: string,
  {
    at = 0,
    gap = 8,
    scanner = 'us',
    pc = 'us',
    end = 'Enter',
    target = 'text',
  }: Partial<{ at: number; gap: number; scanner: Layout; pc: Layout; end: string; target: Press['target'] }> = {},
): Press[] {
  let time = at
  const events: Press[] = []
  for (const { code, shift, altGraph } of keysFor(text, scanner)) {
    const key = { code, key: '', shift, altGraph }
    const character = meaning(key, pc) ?? ''
    const held = { shift, altGraph, ctrl: altGraph, alt: altGraph, target }
    if (shift) events.push(down('ShiftLeft', 'Shift', time, { target, shift }))
    if (altGraph) events.push(down('AltRight', 'AltGraph', time, held))
    events.push(down(code, isDead(character, pc) ? 'Dead' : character || 'Unidentified', time, held))
    events.push({ ...down(code, character, time + gap / 2, held), type: 'up' })
    time += gap
  }
  if (end !== '') events.push(down(end, end, time, { target }))
  return events
}

function feed(events: Event[], profile: Partial<ScannerProfile> = {}) {
  const setup = { ...uncalibrated, ...profile }
  let burst: WedgeState = initialWedgeState
  const decisions: Decision[] = []
  for (const event of events) {
    const next = decodeKey(burst, event, setup)
    burst = next.burst
    decisions.push(next.decision)
  }
  const outcomes = decisions.flatMap(({ outcome }) => (outcome ? [outcome] : []))
  return { burst, decisions, outcomes, heard: outcomes.map(({ kind, scan }) => `${kind} ${scan.text}`), last: decisions.at(-1)! }
}
const texts = (outcomes: Outcome[]) => outcomes.map(({ scan }) => scan.text)

describe('a scanner', () => {
  it.each([2, 8, 16, 25])('is heard at a gap of %i ms, and its Enter kept from the page', gap => {
    const { heard, last, outcomes } = feed(typed('5701234567899', { gap }))
    expect(heard).toEqual(['scan 5701234567899'])
    expect(last.event).toBe('swallow')
    expect(outcomes[0]?.scan.gap).toBeCloseTo(gap)
  })

  it('may end its codes with Tab, with a late Enter, or with carriage return and line feed', () => {
    expect(feed(typed('85123A', { end: 'Tab' })).heard).toEqual(['scan 85123A'])
    expect(feed([...typed('85123A', { end: '' }), down('Enter', 'Enter', 130)]).heard).toEqual(['scan 85123A'])
    const both = feed([...typed('85123A'), down('KeyJ', 'j', 52, { ctrl: true })])
    expect(both.heard).toEqual(['scan 85123A'])
    expect(both.last.event).toBe('swallow')
  })

  it('needs four characters, three for a code of ours', () => {
    expect(feed(typed('123')).heard).toEqual([])
    expect(feed(typed('1234')).heard).toEqual(['scan 1234'])
    expect(feed(typed('1:7')).heard).toEqual(['scan 1:7'])
    expect(feed(typed('PP7')).heard).toEqual(['scan PP7'])
    expect(feed(typed('PL3')).heard).toEqual(['scan PL3'])
    expect(feed(typed('W12')).heard).toEqual(['scan W12'])
    expect(feed(typed('CR2')).heard).toEqual(['scan CR2'])
    expect(feed(typed('WAX')).heard).toEqual([])
    expect(feed(typed('12')).last.event).toBe('pass')
  })

  it('passes its characters into a field and keeps them from buttons once it is sure', () => {
    expect(feed(typed('85123A')).decisions.filter(({ event }) => event === 'swallow')).toHaveLength(1)
    const outside = typed('8 5 1 2', { target: 'other' })
    const { decisions, heard } = feed(outside)
    expect(heard).toEqual(['scan 8 5 1 2'])
    const kept = outside.filter((_, at) => decisions[at]?.event === 'swallow').map(({ type, code }) => `${type} ${code}`)
    expect(kept).toContain('down Digit5')
    expect(kept).toContain('down Space')
    expect(kept.filter(name => name.startsWith('up')).length).toBe(kept.filter(name => name.startsWith('down')).length - 1)
  })

  it('may scan two codes right after each other', () => {
    const first = typed('1:1023')
    expect(feed([...first, ...typed('1:1024', { at: 60 })]).heard).toEqual(['scan 1:1023', 'scan 1:1024'])
    expect(feed([...typed('1:1023'), ...typed('5701234567899', { at: 52 })]).heard).toEqual(['scan 1:1023', 'scan 5701234567899'])
  })

  it('is ignored when it sends the same code again within 100 ms', () => {
    const again = (at: number) => feed([...typed('85123A', { gap: 2 }), ...typed('85123A', { gap: 2, at })])
    expect(again(40).heard).toEqual(['scan 85123A', 'double 85123A'])
    expect(again(40).last.event).toBe('swallow')
    expect(again(99).heard).toEqual(['scan 85123A', 'double 85123A'])
    expect(again(100).heard).toEqual(['scan 85123A', 'scan 85123A'])
  })

  it('never counts a piece of a code as a code', () => {
    const hiccup = feed([...typed('1:10', { end: '' }), ...typed('23456', { at: 120 })])
    expect(hiccup.heard).toEqual(['broken 23456'])
    expect(hiccup.last.event).toBe('swallow')
    expect(feed([...typed('1:10', { end: '' }), ...typed('2', { at: 120, end: '' }), ...typed('3456', { at: 200 })]).heard).toEqual([
      'broken 3456',
    ])
    expect(feed([...typed('1:10', { end: '' }), ...typed('2', { at: 120 })]).heard).toEqual(['broken 2'])
    expect(feed([...typed('1:10', { end: '' }), ...typed('23456', { at: 900 })]).heard).toEqual(['scan 23456'])
  })

  it('merges two codes that have no end between them into one unknown code', () => {
    expect(feed([...typed('1:1023', { end: '' }), ...typed('1:1024', { at: 48 })]).heard).toEqual(['scan 1:10231:1024'])
  })

  it('ends a code by silence when its profile says so', () => {
    const events = typed('1:1023', { end: '' })
    expect(feed(events, { suffix: 'none' }).decisions.at(-2)?.wait).toBe(60)
    expect(feed([...events, { type: 'silence', timeStamp: 101 }], { suffix: 'none' }).heard).toEqual(['scan 1:1023'])
    expect(feed([...events, { type: 'silence', timeStamp: 70 }], { suffix: 'none' }).heard).toEqual([])
    expect(feed([...events, { type: 'silence', timeStamp: 101 }]).heard).toEqual([])
    expect(feed([...typed('hello', { gap: 70, end: '' }), { type: 'silence', timeStamp: 900 }], { suffix: 'none' }).heard).toEqual([])
  })

  it('keeps a code between delimiters from the page, at any speed below half a second a key', () => {
    const profile = { start_key: 'F18', end_key: 'F19' }
    const events = [down('F18', 'F18', 0), ...typed('1:7', { at: 80, gap: 80, end: '' }), down('F19', 'F19', 320)]
    const { heard, decisions } = feed(events, profile)
    expect(heard).toEqual(['scan 1:7'])
    expect(decisions.filter((_, at) => events[at]?.key !== 'Shift').every(({ event }) => event === 'swallow')).toBe(true)
    const lost = feed([down('F18', 'F18', 0), ...typed('123', { at: 8, end: '' }), down('KeyA', 'a', 2000)], profile)
    expect(lost.heard).toEqual(['broken 123'])
    expect(lost.last.event).toBe('pass')
    expect(feed([down('F18', 'F18', 0), ...typed('123', { at: 8, end: '' }), { type: 'silence', timeStamp: 600 }], profile).heard).toEqual([
      'broken 123',
    ])
  })

  it('may put a prefix before its codes', () => {
    expect(feed(typed('~1:1023'), { prefix: '~', layout: 'us' }).heard).toEqual(['scan 1:1023'])
    expect(feed(typed('1:1023'), { prefix: '~', layout: 'us' }).heard).toEqual(['scan 1:1023'])
  })

  it('may type its characters with Alt and their numbers', () => {
    let at = 0
    const events: Press[] = []
    for (const character of '1:7%') {
      events.push(down('AltLeft', 'Alt', at, { alt: true }))
      for (const digit of String(character.charCodeAt(0)).padStart(4, '0')) {
        at += 2
        events.push(down(`Numpad${digit}`, digit, at, { alt: true }))
      }
      at += 2
      events.push({ ...down('AltLeft', 'Alt', at), type: 'up' })
      at += 2
    }
    expect(feed([...events, down('Enter', 'Enter', at)]).heard).toEqual(['scan 1:7%'])
  })

  it('sends the group separator of GS1 as Ctrl ]', () => {
    const events = [...typed('0105701234567899', { end: '' }), down('BracketRight', ']', 128, { ctrl: true }), ...typed('21A', { at: 136 })]
    const { heard, decisions } = feed(events)
    expect(heard).toEqual(['scan 0105701234567899\u001d21A'])
    expect(decisions[32]?.event).toBe('swallow')
  })

  it('may be one that gives no keys, on a phone', () => {
    const at = (time: number) => down('', 'Unidentified', time)
    const scanInput = (text: string, timeStamp: number): Event => ({ type: 'text', text, timeStamp, place: 'scan_input' })
    expect(feed([at(0), scanInput('1:1023\n', 1)]).heard).toEqual(['scan 1:1023'])
    expect(feed([at(0), scanInput('1:1023', 1), down('Enter', 'Enter', 90)]).heard).toEqual(['scan 1:1023'])
    expect(feed([scanInput('1:1023', 1), { type: 'silence', timeStamp: 160 }]).heard).toEqual(['scan 1:1023'])
    const field = (text: string, timeStamp: number): Event => ({ type: 'text', text, timeStamp, place: 'field' })
    const pieces = [...'PP1234'].flatMap((_, index) => [at(index * 10), field('PP1234'.slice(0, index + 1), index * 10 + 1)])
    expect(feed([...pieces, down('Enter', 'Enter', 60)]).heard).toEqual(['scan PP1234'])
    // A suggested word comes in one piece.
    expect(feed([at(0), field('warehouse', 1), down('Enter', 'Enter', 20)]).heard).toEqual([])
  })
})

describe('a person', () => {
  it.each([60, 90, 150])('typing every %i ms is left alone, Enter included', gap => {
    const { decisions, outcomes } = feed(typed('1:1023 Hello', { gap }))
    expect(outcomes).toEqual([])
    expect(decisions.every(({ event }) => event === 'pass')).toBe(true)
  })

  it('typing 45 ms a key is too slow for a scanner', () => {
    const { decisions } = feed(typed('warehouse', { gap: 45 }))
    expect(decisions.every(({ event, outcome }) => event === 'pass' && !outcome)).toBe(true)
  })

  it('may hold a key down', () => {
    const events = Array.from({ length: 30 }, (_, at) => down('KeyA', 'a', at * 15, { repeat: at > 0 }))
    const { decisions } = feed([...events, down('Enter', 'Enter', 455)])
    expect(decisions.every(({ event, outcome }) => event === 'pass' && !outcome)).toBe(true)
  })

  it('may use shortcuts, arrows, Backspace and Shift+Tab between', () => {
    const { decisions } = feed([
      ...typed('abc', { gap: 70, end: '' }),
      down('KeyC', 'c', 300, { ctrl: true }),
      down('Backspace', 'Backspace', 310),
      down('ArrowLeft', 'ArrowLeft', 320),
      down('Tab', 'Tab', 330, { shift: true }),
      down('KeyK', 'k', 340, { meta: true }),
    ])
    expect(decisions.every(({ event, outcome }) => event === 'pass' && !outcome)).toBe(true)
  })

  it('may press Enter some time after a scanner that sends none', () => {
    expect(feed([...typed('85123A', { end: '' }), down('Enter', 'Enter', 800)]).last.event).toBe('pass')
  })

  it('typing just before a scan spoils that scan, but never makes another code of it', () => {
    const mixed = feed([...typed('abc', { gap: 90, end: '' }), ...typed('1:1023', { at: 200 })])
    expect(mixed.heard).toEqual(['scan c1:1023'])
    const apart = feed([...typed('abc', { gap: 90, end: '' }), ...typed('1:1023', { at: 260 })])
    expect(apart.heard).toEqual(['scan 1:1023'])
  })
})

describe('layouts', () => {
  it.each([
    ['us', 'da', '1:1023', '1Æ1023'],
    ['us', 'sv', '1:1023', '1Ö1023'],
    ['us', 'no', '1:1023', '1Ø1023'],
    ['us', 'de', 'y123', 'z123'],
    ['us', 'de', 'CMD:NEXT', 'CMDÖNEXT'],
    ['us', 'da', '10-03/B', '10+03-B'],
    ['de', 'de', 'a@b:c-d_y', 'a@b:c-d_y'],
    ['de', 'us', 'zebra', 'yebra'],
    ['da', 'us', 'A-B:C', 'A/B>C'],
    ['gb', 'us', '@home', '"home'],
  ] as const)('of a %s scanner on a %s PC are distinguished: %s', (scanner, pc, text, raw) => {
    const { outcomes } = feed(typed(text, { scanner, pc }), { layout: scanner })
    expect(outcomes[0]?.scan).toMatchObject({ text, raw })
  })

  it('need no calibration for the codes that we print, with a US scanner or one set like its PC', () => {
    expect(texts(feed(typed('1:1023', { scanner: 'us', pc: 'da' })).outcomes)).toEqual(['1:1023'])
    expect(texts(feed(typed('CMD:NEXT', { scanner: 'us', pc: 'de' })).outcomes)).toEqual(['CMD:NEXT'])
    expect(texts(feed(typed('1:1023', { scanner: 'da', pc: 'da' })).outcomes)).toEqual(['1:1023'])
    expect(texts(feed(typed('ab-cd', { scanner: 'da', pc: 'da' })).outcomes)).toEqual(['ab-cd'])
  })

  it('spell back every character that they can type', () => {
    const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
    for (const layout of layoutNames) {
      const text = ascii.join('')
      const spelled = spell(
        keysFor(text, layout).map(key => ({ ...key, key: '' })),
        layout,
      )
      expect(spelled).toBe(text)
    }
  })

  it('do not care about Caps Lock', () => {
    const events = typed('CMD:Next', { target: 'other' }).map(event =>
      /^[a-z]$/i.test(event.key)
        ? { ...event, key: event.key === event.key.toUpperCase() ? event.key.toLowerCase() : event.key.toUpperCase() }
        : event,
    )
    expect(texts(feed(events, { layout: 'us' }).outcomes)).toEqual(['CMD:Next'])
  })
})

describe('garbage', () => {
  const anyPress = fc.record({
    type: fc.constantFrom('down' as const, 'up' as const),
    code: fc.constantFrom(
      'KeyA',
      'KeyZ',
      'Digit1',
      'Enter',
      'Tab',
      'ShiftLeft',
      'AltRight',
      'AltLeft',
      'Numpad5',
      'F18',
      'F19',
      'BracketRight',
      'KeyJ',
      'Space',
      '',
      'Nonsense',
    ),
    key: fc.constantFrom(
      'a',
      'Z',
      '1',
      'Enter',
      'Tab',
      'Shift',
      'Alt',
      'AltGraph',
      'Control',
      'Dead',
      'Unidentified',
      'F18',
      'Backspace',
      ' ',
      '𝕏',
      '',
      '\u0000',
    ),
    pause: fc.integer({ min: -20, max: 400 }),
    ctrl: fc.boolean(),
    alt: fc.boolean(),
    meta: fc.boolean(),
    shift: fc.boolean(),
    altGraph: fc.boolean(),
    repeat: fc.boolean(),
    isComposing: fc.boolean(),
    target: fc.constantFrom('text' as const, 'other' as const),
  })
  const anyProfile = fc.record({
    layout: fc.constantFrom('auto' as const, 'pc' as const, ...layoutNames),
    suffix: fc.constantFrom('enter' as const, 'none' as const),
    start_key: fc.constantFrom('', 'F18'),
    end_key: fc.constantFrom('', 'F19'),
    minimum_length: fc.integer({ min: 1, max: 6 }),
  })

  it('never breaks the machine', () => {
    void fc.assert(
      fc.property(fc.array(anyPress, { maxLength: 60 }), anyProfile, (presses, profile) => {
        let time = 0
        const elapsed = (pause: number) => {
          time += pause
          return time
        }
        const events = presses.map(({ pause, ...event }) => ({ ...event, timeStamp: elapsed(pause) }))
        const { burst, outcomes } = feed(events, profile)
        expect(burst.keys.length).toBeLessThanOrEqual(1024)
        expect(burst.swallowed.length).toBeLessThanOrEqual(8)
        for (const { kind, scan } of outcomes) if (kind === 'scan') expect(scan.text.length).toBeGreaterThan(0)
      }),
      { numRuns: 2000 },
    )
  })

  it('typed by a person at 60 ms or slower passes to the last key', () => {
    void fc.assert(
      fc.property(
        fc.array(fc.record({ key: fc.constantFrom(...'abz19:.- '), pause: fc.integer({ min: 60, max: 300 }), enter: fc.boolean() }), {
          maxLength: 40,
        }),
        strokes => {
          let at = 0
          const events = strokes.flatMap(({ key, pause, enter }) => {
            at += pause
            const struck = typed(key, { at, end: '' })
            if (!enter) return struck
            at += 60
            return [...struck, down('Enter', 'Enter', at)]
          })
          expect(feed(events).decisions.every(({ event, outcome }) => event === 'pass' && !outcome)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('does not stop the next scan from being read', () => {
    void fc.assert(
      fc.property(fc.array(anyPress, { maxLength: 40 }), presses => {
        let time = 0
        const elapsed = (pause: number) => {
          time += pause
          return time
        }
        const events = presses.map(({ pause, ...event }) => ({ ...event, timeStamp: elapsed(Math.max(0, pause)) }))
        const { outcomes } = feed([
          ...events,
          { ...down('AltRight', 'AltGraph', time + 800), type: 'up' },
          ...typed('5701234567899', { at: time + 900 }),
        ])
        expect(outcomes.at(-1)).toMatchObject({ kind: 'scan', scan: { text: '5701234567899' } })
      }),
      { numRuns: 1000 },
    )
  })

  it('without end keeps the memory flat', () => {
    let burst: WedgeState = initialWedgeState
    for (let at = 0; at < 20_000; at++) burst = decodeKey(burst, down('KeyA', 'a', at * 5), uncalibrated).burst
    expect(burst.keys.length).toBe(1024)
  })
})
