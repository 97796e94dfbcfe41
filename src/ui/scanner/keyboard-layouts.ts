/** Which character a physical key means on a keyboard layout: a scanner sends keys, the PC turns them into characters, and the two may disagree. */
import { elementAt, recordOf, valueAt } from '#domain/objects.ts'

export const layoutNames = ['us', 'gb', 'da', 'no', 'sv', 'de'] as const
export type Layout = (typeof layoutNames)[number]

/** A physical key (`KeyboardEvent.code`) with the modifiers it was struck with, and the character the PC made of it. */
export interface Key {
  code: string
  key: string
  shift?: boolean
  altGraph?: boolean
  /** The character is certain, whatever the layout: a number typed with Alt, a control character. */
  is?: string
}

// Windows layouts, in the order of `places`. A space stands for nothing.
const places = ['Backquote', ...'1234567890'.split('').map(digit => `Digit${digit}`), 'Minus', 'Equal', 'BracketLeft', 'BracketRight']
places.push('Backslash', 'Semicolon', 'Quote', 'IntlBackslash', 'Comma', 'Period', 'Slash')

const rows: Record<Layout, { plain: string; shift: string; altGraph: string; dead: string }> = {
  us: { plain: "`1234567890-=[]\\;'\\,./", shift: '~!@#$%^&*()_+{}|:"|<>?', altGraph: '', dead: '' },
  gb: { plain: "`1234567890-=[]#;'\\,./", shift: '¬!"£$%^&*()_+{}~:@|<>?', altGraph: '¦   €', dead: '' },
  da: { plain: "½1234567890+´å¨'æø<,.-", shift: '§!"#¤%&/()=?`Å^*ÆØ>;:_', altGraph: '  @£$€ {[]} | ~   \\', dead: '´¨`^~' },
  no: { plain: "|1234567890+\\å¨'øæ<,.-", shift: '§!"#¤%&/()=?`Å^*ØÆ>;:_', altGraph: '  @£$€ {[]} ´ ~', dead: '´¨`^~' },
  sv: { plain: "§1234567890+´å¨'öä<,.-", shift: '½!"#¤%&/()=?`Å^*ÖÄ>;:_', altGraph: '  @£$€ {[]}\\  ~   |', dead: '´¨`^~' },
  de: { plain: '^1234567890ß´ü+#öä<,.-', shift: '°!"§$%&/()=?`Ü*\'ÖÄ>;:_', altGraph: '  ²³   {[]}\\  ~   |', dead: '^´`' },
}

type Meaning = { plain: string; shift: string; altGraph: string }
const tables = recordOf(layoutNames, table)
const numpad = new Map(Object.entries({ Decimal: '.', Add: '+', Subtract: '-', Multiply: '*', Divide: '/' }))

function table(layout: Layout): Map<string, Meaning> {
  const { plain, shift, altGraph } = rows[layout]
  const meanings = new Map<string, Meaning>()
  places.forEach((code, at) => {
    meanings.set(code, { plain: elementAt(plain, at), shift: elementAt(shift, at), altGraph: (altGraph[at] ?? ' ').trim() })
  })
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
    const struck = layout === 'de' && letter === 'Y' ? 'Z' : layout === 'de' && letter === 'Z' ? 'Y' : letter
    meanings.set(`Key${struck}`, { plain: letter.toLowerCase(), shift: letter, altGraph: '' })
  }
  if (layout === 'de') valueAt(meanings, 'KeyQ').altGraph = '@'
  if (layout !== 'us' && layout !== 'gb') valueAt(meanings, 'KeyE').altGraph = '€'
  meanings.set('Space', { plain: ' ', shift: ' ', altGraph: '' })
  return meanings
}

/** The character that one key means on a layout; undefined where the layout says nothing about it. Caps Lock plays no part: scanners use Shift. */
export function meaning({ code, shift, altGraph, is }: Key, layout: Layout): string | undefined {
  if (is !== undefined) return is
  const pad = /^Numpad(\w+)$/.exec(code)?.[1]
  if (pad) return /^\d$/.test(pad) ? pad : numpad.get(pad)
  const found = tables[layout].get(code)
  if (!found) return undefined
  return (altGraph ? found.altGraph : shift ? found.shift : found.plain) || undefined
}

/** What the keys spell on the scanner's layout. Keys the layout does not know (software keyboards send none) keep the PC's character. */
export function spell(keys: readonly Key[], layout: Layout): string {
  let text = ''
  let dead = false
  for (const key of keys) {
    const character = meaning(key, layout) ?? written(key)
    // A dead key needs a space to stand alone; that space is no part of the code.
    if (dead && character === ' ') {
      dead = false
      continue
    }
    dead = key.is === undefined && character !== '' && rows[layout].dead.includes(character)
    text += character
  }
  return text
}

/** What the PC made of the keys. A dead key has no character of its own. */
export function writtenBy(keys: readonly Key[]): string {
  return keys.map(written).join('')
}

function written({ key, is }: Key): string {
  return is ?? ([...key].length === 1 ? key : '')
}

/** The keys that a scanner set to `layout` strikes for a text, dead keys followed by a space. Throws for a character the layout cannot type. */
export function keysFor(text: string, layout: Layout): { code: string; shift: boolean; altGraph: boolean }[] {
  return [...text].flatMap(character => {
    for (const [code, { plain, shift, altGraph }] of tables[layout]) {
      const struck =
        plain === character ? {} : shift === character ? { shift: true } : altGraph === character ? { altGraph: true } : undefined
      if (!struck) continue
      const key = { code, shift: false, altGraph: false, ...struck }
      return rows[layout].dead.includes(character) ? [key, { code: 'Space', shift: false, altGraph: false }] : [key]
    }
    throw new Error(`The ${layout} layout has no key for ${JSON.stringify(character)}`)
  })
}

/** True when the character needs a second key on this layout, as accents do. */
export function isDead(character: string, layout: Layout): boolean {
  return character !== '' && rows[layout].dead.includes(character)
}
