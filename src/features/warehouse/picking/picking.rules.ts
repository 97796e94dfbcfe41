/** What a scan means to somebody who picks, and what an event does to a wagon: the phone decides by it without a network, the server says the same words. */
import { candidates, readCode } from '#domain/codes.ts'
import { valueAt } from '#domain/objects.ts'
import { wagonSentences } from '#features/warehouse/pick-lists/pick-lists.rules.ts'
import type { EventAnswer, LineNow, PickEvent, Wagon } from './picking.schemas.ts'

/** Quantities are typed above this many pieces only: fewer are scanned, or tapped, one by one. */
export const typedAbove = 5
/** Minutes without an event after which a wagon counts as paused, and another picker may go on with it. */
export const idleMinutes = 20
/** A wagon that was claimed and not begun for so long is anybody's again. */
export const unbegunMinutes = 15
/** Somebody who scanned for a line and did nothing more has let it go after this many minutes. */
export const takenMinutes = 5

export type Line = Wagon['pick_lines'][number]
export type Slot = Wagon['slots'][number]
type Values = Record<string, string | number | null>
/** `text` is a sentence with places: the translation key. */
export interface Say {
  text: string
  values?: Values
}

/** Sentences for pickers, the same on the phone and from the server. */
export const sentences = {
  wrongProduct: 'Wrong item. Scan {{name}}.',
  otherProduct: 'Wrong item: this is {{other}}. Scan {{name}}.',
  wrongBin: 'Wrong bin. Go to {{bin}}.',
  several: 'Several products lie here. Scan the product.',
  wrongSlot: 'Wrong tote: this is number {{other}}. Put it into number {{slot}}.',
  hasTote: 'Number {{slot}} has tote {{code}}. Scan that one, or say that it is full.',
  notTote: 'This is no tote. Scan the tote of number {{slot}}.',
  otherTote: '{{code}} is not the tote of slot {{slot}}. Scan {{code}} again to use it instead of {{reserved}}.',
  chooseSlot: 'Select the slot with the full tote first',
  shortPut: 'Put {{found}} into slot {{slot}}. Reported missing: {{n}} of {{name}}',
  shortToo: 'Reported missing on further lines too: {{name}}',
  fullTote: 'Tote {{code}} is full. Put it into {{other}}.',
  sameTote: 'This is the tote that is full. Scan an empty one.',
  tooMany: 'Unable to pick more than {{n}} of {{name}}',
  tooFew: 'Take at least one item, or say that none are there',
  notTyped: 'Up to {{n}} items are scanned or tapped one by one',
  lineGone: 'This line is gone: it is no longer on the wagon',
  lineShort: '{{name}} was reported missing already',
  cancelled: 'Someone cancelled order {{order_no}}. Leave what is in number {{slot}}.',
  changed: 'The shop changed order {{order_no}}. Look again at what belongs into number {{slot}}.',
  held: 'Order {{order_no}} is stopped. Pick nothing more into number {{slot}}.',
  taken: '{{name}} is picking this line',
  tookOver: '{{name}} has taken this wagon over',
  notYours: 'This wagon is not assigned to you',
  listCancelled: wagonSentences.listCancelled,
  wagonOver: wagonSentences.wagonOver,
  beingPacked: 'Order {{order_no}} is being packed: it is too late to take anything back',
  reasonMissing: 'Say why the items are missing',
  nothingToUndo: 'Nothing to undo',
  linesOpen: '{{n}} lines are still open',
  foreignEvent: 'This event belongs to another wagon',
  counted: '{{name}}: {{picked}} of {{asked}}',
  lineDone: '{{name}} is in number {{slot}}',
  slotDone: 'Number {{slot}} is complete',
  wagonDone: 'Everything on this wagon is picked',
  rightBin: 'Right bin',
  rightProduct: 'Right product: {{name}}',
  skipped: 'Set aside: {{name}} comes last',
  short: 'Reported missing: {{n}} of {{name}}',
  damaged: 'Reported damaged: {{n}} of {{name}}',
  full: 'Tote {{code}} now stands for number {{slot}} too',
  zero: 'Bin {{bin}} is empty',
  notZero: 'Bin {{bin}} will be counted',
  undone: 'Taken back: {{name}}',
  paused: 'Paused',
  resumed: 'Continue',
  handedOver: 'The wagon is handed over',
  done: 'Wagon at packing',
  running: '{{name}} is already picking this wagon. Take it over?',
  oneWagon: 'You have wagon {{wagon}} of list {{list}} already. Finish it, or hand it over.',
} as const

export const isOpen = (line: Pick<Line, 'state'>): boolean => line.state === 'open' || line.state === 'skipped'
export const missing = (line: Pick<Line, 'asked' | 'picked'>): number => line.asked - line.picked
export const slotOf = (wagon: Wagon, line: Pick<Line, 'slot_no' | 'order_id'>): Slot | undefined =>
  wagon.slots.find(slot => slot.slot_no === line.slot_no && slot.order_id === line.order_id)

/** Why nothing may be picked for this line now. */
export function stopOf(wagon: Wagon, line: Line): 'cancelled' | 'held' | undefined {
  const slot = slotOf(wagon, line)
  return slot?.cancelled || slot?.state === 'removed' ? 'cancelled' : slot?.held ? 'held' : undefined
}

export const byWalk = (one: Pick<Line, 'walk_no' | 'id'>, other: Pick<Line, 'walk_no' | 'id'>): number =>
  one.walk_no - other.walk_no || one.id - other.id

/** What is left to walk to, in its order: open first, what was set aside after it. */
export function remaining(wagon: Wagon): Line[] {
  return wagon.pick_lines.filter(line => isOpen(line) && !stopOf(wagon, line)).sort(byWalk)
}

/** Where this person goes next: lines that another picker of the wagon stands at come last. */
export function nextLine(wagon: Wagon, user_id: number, after?: number): Line | undefined {
  const left = remaining(wagon)
  const free = left.filter(line => line.taken_by === null || line.taken_by === user_id)
  const lines = free.length > 0 ? free : left
  return after === undefined ? lines[0] : (lines.find(line => line.id === after) ?? lines[0])
}

/** Lines, and how many of them are decided. */
export function progress(wagon: Wagon): { done: number; of: number } {
  const counted = wagon.pick_lines.filter(line => line.state !== 'gone')
  return { done: counted.filter(line => !isOpen(line)).length, of: counted.length }
}

const spaceless = (text: string): string => text.replace(/\s+/g, '').toLowerCase()
/** Whether a scanned code names this bin, whatever its case and blanks. */
export const isBin = (bin: string | null, raw: string): boolean => {
  if (bin === null) return false
  const code = readCode(raw)
  return code.kind !== 'refused' && spaceless(code.text) === spaceless(bin)
}

/** Pieces that a scanned code stands for when it is this line's product; 0 when it is not. */
export function piecesOf(line: Pick<Line, 'barcodes' | 'sku'>, raw: string): number {
  const codes = candidates(raw)
  const known = line.barcodes.filter(one => codes.includes(one.barcode))
  if (known.length > 0) return Math.max(...known.map(one => one.quantity))
  const sku = line.sku?.toUpperCase()
  return sku !== undefined && codes.some(code => code.toUpperCase() === sku) ? 1 : 0
}

/** The digits of a tote's code, or undefined when it is no tote's. */
export function toteOf(raw: string): string | undefined {
  const code = readCode(raw)
  return code.kind === 'paperless' ? code.digits : undefined
}

/** What is in the picker's hand: the line and how far they are with it. */
export interface Hand {
  line: number
  step: 'bin' | 'product' | 'slot'
  /** Pieces taken from the bin and not yet in the tote. */
  taken: number
}

export type Meaning =
  | { kind: 'bin' }
  | { kind: 'product'; pieces: number; line: number }
  | { kind: 'slot'; digits: string }
  | { kind: 'wrong'; result: WrongScan; say: Say }

export type WrongScan = 'wrong_product' | 'wrong_bin' | 'wrong_slot' | 'too_many'

/** First hit wins: what the step asks for, what could also be meant at this place, and then what is wrong with it. */
export function decide(wagon: Wagon, hand: Hand, raw: string): Meaning {
  const line = wagon.pick_lines.find(one => one.id === hand.line)
  if (!line) return { kind: 'wrong', result: 'wrong_product', say: { text: sentences.lineGone } }
  const digits = toteOf(raw)
  if (digits !== undefined) return decideTote(wagon, line, hand, digits)
  if (hand.step === 'bin' && isBin(line.bin, raw)) return { kind: 'bin' }
  // The right product in the hand says as much as the bin it came from.
  const pieces = piecesOf(line, raw)
  if (pieces > 0) {
    const left = missing(line) - hand.taken
    return pieces > left ? tooMany(line, missing(line)) : { kind: 'product', pieces, line: line.id }
  }
  if (hand.step === 'product' && isBin(line.bin, raw)) {
    const here = remaining(wagon).filter(one => one.bin === line.bin && one.product_id !== line.product_id)
    if (here.length > 0) return { kind: 'wrong', result: 'wrong_product', say: { text: sentences.several } }
    return { kind: 'bin' }
  }
  if (hand.step === 'slot' && hand.taken > 0)
    return { kind: 'wrong', result: 'wrong_slot', say: { text: sentences.notTote, values: { slot: line.slot_no } } }
  // Another line at the same place: the picker took that one first.
  const other = remaining(wagon).find(one => sameStop(one, line) && one.id !== line.id && piecesOf(one, raw) > 0)
  if (other) {
    const many = piecesOf(other, raw)
    return many > missing(other) ? tooMany(other, missing(other)) : { kind: 'product', pieces: many, line: other.id }
  }
  const known = wagon.pick_lines.find(one => piecesOf(one, raw) > 0)
  if (!known && hand.step === 'bin')
    return { kind: 'wrong', result: 'wrong_bin', say: { text: sentences.wrongBin, values: { bin: line.bin } } }
  return {
    kind: 'wrong',
    result: 'wrong_product',
    say: known
      ? { text: sentences.otherProduct, values: { other: known.name, name: line.name } }
      : { text: sentences.wrongProduct, values: { name: line.name } },
  }
}

export const sameStop = (one: Pick<Line, 'cell' | 'bin'>, other: Pick<Line, 'cell' | 'bin'>): boolean =>
  one.bin === other.bin && one.bin !== null ? true : one.cell !== null && one.cell === other.cell

const tooMany = (line: Line, n: number): Meaning => ({
  kind: 'wrong',
  result: 'too_many',
  say: { text: sentences.tooMany, values: { n, name: line.name } },
})

function decideTote(wagon: Wagon, line: Line, hand: Hand, digits: string): Meaning {
  if (hand.taken === 0 && hand.step !== 'slot')
    return { kind: 'wrong', result: 'wrong_product', say: { text: sentences.wrongProduct, values: { name: line.name } } }
  const wrong = wrongTote(wagon.slots, line.slot_no, digits)
  return wrong ? { kind: 'wrong', result: 'wrong_slot', say: wrong } : { kind: 'slot', digits }
}

type Totes = Pick<Slot, 'slot_no' | 'codes'>

/**
 * What is wrong with putting something of this slot into this tote, as far as one wagon knows. A tote that is only kept for
 * another slot may change places, as long as neither has been used.
 */
export function wrongTote(slots: readonly Totes[], slot_no: number, digits: string): Say | undefined {
  const own = slots.find(slot => slot.slot_no === slot_no)?.codes ?? []
  const scanned = own.find(code => code.digits === digits)
  const used = own.find(code => code.state === 'bound' && !code.full)
  if (scanned?.full && used) return { text: sentences.fullTote, values: { code: `PP${digits}`, other: `PP${used.digits}` } }
  if (scanned) return undefined
  const other = slots.find(slot => slot.slot_no !== slot_no && slot.codes.some(code => code.digits === digits))
  if (other && (used || other.codes.some(code => code.digits === digits && code.state !== 'reserved')))
    return { text: sentences.wrongSlot, values: { other: other.slot_no, slot: slot_no } }
  if (used) return { text: sentences.hasTote, values: { slot: slot_no, code: `PP${used.digits}` } }
  return undefined
}

/** What is said before a tote takes the place of the one that is reserved for the slot; undefined where it replaces none. */
export function replacedTote(slots: readonly Totes[], slot_no: number, digits: string): Say | undefined {
  const own = slots.find(slot => slot.slot_no === slot_no)?.codes ?? []
  const [reserved] = own
  if (!reserved || own.some(code => code.digits === digits || code.state !== 'reserved')) return undefined
  return { text: sentences.otherTote, values: { code: `PP${digits}`, slot: slot_no, reserved: `PP${reserved.digits}` } }
}

/** Other open lines that want the same product from the same bin: where one found nothing, they would not either. */
export function sameNeed(wagon: Wagon, line: Line): Line[] {
  const isSame = (one: Line): boolean =>
    one.bin === line.bin && one.company_id === line.company_id && one.product_id === line.product_id && one.sku === line.sku
  return line.bin === null ? [] : remaining(wagon).filter(one => one.id !== line.id && isSame(one))
}

/** Why this is no tote to go on with when the one of this slot is full. */
export function notEmptyTote(slots: readonly Totes[], slot_no: number, digits: string): Say | undefined {
  const its = slots.find(slot => slot.codes.some(code => code.digits === digits))
  if (!its) return undefined
  if (its.slot_no !== slot_no) return { text: sentences.wrongSlot, values: { other: its.slot_no, slot: slot_no } }
  const used = its.codes.some(code => code.digits === digits && code.state !== 'reserved')
  return used ? { text: sentences.sameTote } : undefined
}

/** The totes that pieces for this slot go into now: the full ones are shown no more. */
export const totesInUse = (slot: Pick<Slot, 'codes'> | undefined): string[] =>
  (slot?.codes ?? []).filter(code => !code.full).map(code => `PP${code.digits}`)

const change = (wagon: Wagon, id: number | null, to: (line: Line) => Line): Wagon =>
  id === null ? wagon : { ...wagon, pick_lines: wagon.pick_lines.map(line => (line.id === id ? to(line) : line)) }

/** The tote stands for the line's slot: those in use before it are full, one that was only kept is not needed. */
function withTote(wagon: Wagon, line: Line | undefined, digits: string | undefined): Wagon {
  if (line === undefined || digits === undefined) return wagon
  const slots = wagon.slots.map(slot => {
    if (slot.slot_no !== line.slot_no) return { ...slot, codes: slot.codes.filter(code => code.digits !== digits) }
    if (slot.codes.some(code => code.digits === digits && code.state === 'bound')) return slot
    const before = slot.codes.filter(code => code.digits !== digits && code.state === 'bound').map(code => ({ ...code, full: true }))
    return { ...slot, codes: [...before, { digits, state: 'bound', full: false }] }
  })
  return { ...wagon, slots }
}

/** The wagon as it will be once the server has taken this event: shown meanwhile, and replaced by its answer. `before` are earlier events, for undo. */
export function predict(wagon: Wagon, event: PickEvent, before: readonly PickEvent[] = []): Wagon {
  const line = wagon.pick_lines.find(one => one.id === event.line)
  switch (event.kind) {
    case 'pick':
      return withTote(
        change(wagon, event.line, one => {
          if (!isOpen(one)) return one
          const picked = Math.min(one.asked, one.picked + event.quantity)
          return { ...one, picked, state: picked === one.asked ? 'picked' : one.state }
        }),
        line,
        toteOf(event.code),
      )
    case 'skip': {
      const last = Math.max(0, ...wagon.pick_lines.map(one => one.walk_no))
      return change(wagon, event.line, one => (isOpen(one) ? { ...one, state: 'skipped', skips: one.skips + 1, walk_no: last + 1 } : one))
    }
    case 'short':
      return change(wagon, event.line, one => (isOpen(one) ? { ...one, state: 'short', decided_at: event.at } : one))
    case 'full':
      return withTote(wagon, line, toteOf(event.code))
    case 'undo': {
      const back = before.find(one => one.id === event.of)
      if (!back) return wagon
      const pieces = back.kind === 'pick' ? back.quantity : 0
      const open = change(wagon, back.line, one => ({ ...one, picked: Math.max(0, one.picked - pieces), state: 'open' }))
      return open.state === 'picked' ? { ...open, state: 'picking' } : open
    }
    case 'pause':
      return { ...wagon, state: 'paused' }
    case 'resume':
      return { ...wagon, state: 'picking' }
    default:
      return wagon
  }
}

/** The wagon with what the server has just answered. */
export function applyAnswer(wagon: Wagon, answer: EventAnswer): Wagon {
  const line: LineNow | null = answer.line
  const walk = new Map(answer.walk?.map(one => [one.id, one.walk_no]))
  return {
    ...wagon,
    state: answer.wagon_state,
    pick_lines: wagon.pick_lines.map(one => ({
      ...one,
      ...(line?.id === one.id ? line : {}),
      ...(walk.has(one.id) ? { walk_no: valueAt(walk, one.id) } : {}),
    })),
  }
}

/** Events that a person can take back. */
export const undoable: readonly PickEvent['kind'][] = ['pick', 'skip', 'short']

/** What is asked for an order, to compare it with what was. */
const goodsOf = (wagon: Wagon, { order_id }: Pick<Slot, 'order_id'>): string =>
  wagon.pick_lines
    .filter(line => line.order_id === order_id && line.state !== 'gone')
    .map(line => `${line.order_line_id} ${line.asked}`)
    .sort()
    .join()

/** What changed on a wagon since it was last shown, in words: orders that were stopped, and lines that left. */
export function changesOf(before: Wagon, after: Wagon): Say[] {
  const said: Say[] = []
  for (const slot of before.slots) {
    const now = after.slots.find(one => one.slot_no === slot.slot_no && one.order_id === slot.order_id)
    const order = { order_no: slot.order_no, slot: slot.slot_no }
    const wasOn = slot.live && !slot.cancelled
    if (wasOn && (!now || now.cancelled || now.state === 'removed')) said.push({ text: sentences.cancelled, values: order })
    else if (now?.held && !slot.held && now.live) said.push({ text: sentences.held, values: order })
    else if (now?.live && wasOn && goodsOf(before, slot) !== goodsOf(after, slot)) said.push({ text: sentences.changed, values: order })
  }
  return said
}
