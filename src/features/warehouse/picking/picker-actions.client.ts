/** What the picker does with what is in the hand: scanning, putting away, and saying what is wrong. Decided here at once, sent as events. */
import type { Sound } from '#ui/scanner/sounds.ts'
import type { PhoneState, Tone } from './picker-state.client.ts'
import type { PickEvent, ShortReason, Wagon } from './picking.contract.ts'
import { decide, type Hand, type Line, missing, notEmptyTote, remaining, type Say, sentences, toteOf, typedAbove } from './picking.rules.ts'

type By = PickEvent['by']

/** The phone around it. */
export interface PhoneCore {
  read(): PhoneState
  set(change: Partial<PhoneState>): void
  say(what: Say, tone: Tone): void
  play(sound: Sound): void
  /** Sends an event, now or when there is a network; answers its id. */
  emit(kind: PickEvent['kind'], fields?: Partial<PickEvent>): string
  remember(): void
  /** Puts the next line in the hand where there is none. */
  keepHand(): void
  lineInHand(): Line | undefined
  handFor(wagon: Wagon, line: Line, before: Line | undefined): Hand
  /** Pieces that lie in the line's bin by the books; asked once, since after that some are gone. */
  expected(line_id: number): number | undefined
}

export function createWork(core: PhoneCore) {
  const { read, set, say, emit, remember, keepHand, lineInHand, handFor } = core

  /** A code from scanner or camera. */
  function scanned(raw: string, by: By = 'scan') {
    const { wagon, hand, sheet } = read()
    if (!wagon || !hand) return
    const line = lineInHand()
    if (!line) return
    goOn()
    if (sheet === 'full') return fullTote(wagon, line, raw, by)
    if (sheet === 'zero') return say({ text: sentences.several }, 'attention')
    set({ sheet: null })
    const meaning = decide(wagon, hand, raw)
    switch (meaning.kind) {
      case 'bin':
        emit('bin', { line: line.id, code: raw, by })
        set({ hand: { ...hand, step: 'product' } })
        return say({ text: sentences.rightBin }, 'ok')
      case 'product': {
        const its = wagon.pick_lines.find(one => one.id === meaning.line) as Line
        const now: Hand = its.id === hand.line ? hand : { line: its.id, step: 'product', taken: 0 }
        emit('product', { line: its.id, code: raw, quantity: meaning.pieces, by })
        return takePieces(its, now, now.taken + meaning.pieces)
      }
      case 'slot':
        return put(line, hand, raw, by)
      default:
        emit('wrong', { line: line.id, code: raw, note: meaning.result, by })
        return say(meaning.say, 'error')
    }
  }

  function takePieces(line: Line, hand: Hand, taken: number) {
    const all = taken >= missing(line)
    set({ hand: { ...hand, taken: Math.min(taken, missing(line)), step: all ? 'slot' : 'product' } })
    remember()
    if (!all && missing(line) > typedAbove && line.asked > typedAbove) set({ sheet: 'type' })
    say({ text: sentences.counted, values: { name: line.name, picked: line.picked + taken, asked: line.asked } }, all ? 'line' : 'ok')
  }

  function put(line: Line, hand: Hand, code: string, by: By) {
    if (hand.taken < 1) return say({ text: sentences.tooFew }, 'error')
    emit('pick', { line: line.id, quantity: hand.taken, code, by })
    set({ photoFor: null })
    const whole = line.picked + hand.taken === line.asked
    say(
      whole
        ? { text: sentences.lineDone, values: { name: line.name, slot: line.slot_no } }
        : { text: sentences.counted, values: { name: line.name, picked: line.picked + hand.taken, asked: line.asked } },
      whole ? 'line' : 'ok',
    )
    const there = core.expected(line.id)
    const still = read().hand
    if (!whole && still?.line === line.id) set({ hand: { ...still, taken: 0, step: 'product' } })
    if (there === hand.taken) {
      set({ sheet: 'zero', zeroOf: line })
      core.play('attention')
    }
    remember()
  }

  function fullTote(wagon: Wagon, line: Line, raw: string, by: By) {
    const digits = toteOf(raw)
    if (digits === undefined) return say({ text: sentences.notTote, values: { slot: line.slot_no } }, 'error')
    const wrong = notEmptyTote(wagon.slots, line.slot_no, digits)
    if (wrong) return say(wrong, 'error')
    emit('full', { line: line.id, code: raw, by })
    set({ sheet: null })
    say({ text: sentences.full, values: { code: `PP${digits}`, slot: line.slot_no } }, 'ok')
  }

  /** Whoever scans walks, whatever was said before. */
  function goOn() {
    if (!read().begun) begin()
    if (read().wagon?.state === 'paused') emit('resume')
  }

  /** The picker has read what is on the wagon and walks. */
  function begin() {
    set({ begun: true })
    remember()
  }

  return {
    scanned,
    begin,
    /** The big button under the thumb: the next thing, without a scanner. */
    confirm() {
      const { hand } = read()
      const line = lineInHand()
      if (!hand || !line) return
      if (hand.step === 'bin') {
        emit('bin', { line: line.id })
        set({ hand: { ...hand, step: 'product' } })
        return say({ text: sentences.rightBin }, 'ok')
      }
      if (hand.step === 'slot') return put(line, hand, '', 'button')
      if (missing(line) > typedAbove) return set({ sheet: 'type' })
      if (hand.taken === 0) emit('product', { line: line.id })
      takePieces(line, hand, hand.taken + 1)
    },
    /** A number from the pad. */
    typed(quantity: number) {
      const { hand } = read()
      const line = lineInHand()
      if (!hand || !line) return
      const room = missing(line)
      set({ sheet: null })
      if (quantity < 1 || quantity > room) return say({ text: sentences.tooMany, values: { n: room, name: line.name } }, 'error')
      if (hand.taken === 0) emit('product', { line: line.id, quantity })
      set({ hand: { ...hand, taken: quantity, step: 'slot' } })
      remember()
      say({ text: sentences.counted, values: { name: line.name, picked: line.picked + quantity, asked: line.asked } }, 'line')
    },
    /** Into the tote with what is in the hand, though more was asked. */
    putNow() {
      const { hand } = read()
      const line = lineInHand()
      if (hand && line) put(line, hand, '', 'button')
    },
    skip() {
      const line = lineInHand()
      set({ sheet: null })
      if (!line) return
      emit('skip', { line: line.id })
      // On to the next, though this one can still be picked.
      set({ hand: null })
      keepHand()
      remember()
      say({ text: sentences.skipped, values: { name: line.name } }, 'attention')
    },
    short(reason: ShortReason) {
      const { hand } = read()
      const line = lineInHand()
      set({ sheet: null })
      if (!hand || !line) return
      // Pieces in the hand go into the tote first; the rest is missing.
      if (hand.taken > 0) emit('pick', { line: line.id, quantity: hand.taken })
      if (hand.taken < missing(line)) {
        const event = emit('short', { line: line.id, reason })
        set({ photoFor: event })
        say({ text: sentences.short, values: { n: missing(line) - hand.taken, name: line.name } }, 'attention')
      }
    },
    damaged(pieces: number) {
      const line = lineInHand()
      set({ sheet: null })
      if (!line) return
      emit('damaged', { line: line.id, quantity: pieces })
      say({ text: sentences.damaged, values: { n: pieces, name: line.name } }, 'attention')
    },
    /** What lies in the bin that should be empty. */
    zero(pieces: number) {
      const line = read().zeroOf ?? lineInHand()
      set({ sheet: null, zeroOf: null })
      if (!line) return
      emit('zero_check', { line: line.id, quantity: pieces })
      say(pieces === 0 ? { text: sentences.zero, values: { bin: line.bin } } : { text: sentences.notZero, values: { bin: line.bin } }, 'ok')
    },
    /** Another line first: it is picked as if it were its turn. */
    goTo(line_id: number) {
      const { wagon } = read()
      const line = wagon?.pick_lines.find(one => one.id === line_id)
      if (!wagon || !line || !remaining(wagon).some(one => one.id === line_id)) return
      set({ hand: handFor(wagon, line, lineInHand()), sheet: null })
      remember()
    },
    pause() {
      emit('pause')
      set({ sheet: null })
      say({ text: sentences.paused }, 'quiet')
    },
    resume() {
      emit('resume')
      begin()
      say({ text: sentences.resumed }, 'quiet')
    },
  }
}
