/** The picker's phone as one pure reducer: an event changes the state and names the effects that follow. It decides at once; the server's answers correct it. */

import type { ChangeTopic } from '#contract/topics.ts'
import { wagonTopic } from '#features/warehouse/pick-lists/pick-lists.rules.ts'
import type { ShortReason } from '#features/warehouse/pick-tasks/pick-tasks.schemas.ts'
import type { QueuedEvent } from './event-format.rules.ts'
import {
  type By,
  type Effect,
  initialState,
  newsShown,
  noWagon,
  type PickerEvent,
  type PickerState,
  type Sheet,
  type Situation,
  type StoredWagon,
  type Tone,
  type WagonName,
} from './picker-model.rules.ts'
import {
  applyAnswer,
  changesOf,
  decide,
  type Hand,
  isOpen,
  type Line,
  missing,
  nextLine,
  notEmptyTote,
  predict,
  remaining,
  replacedTote,
  type Say,
  sameNeed,
  sameStop,
  sentences,
  stopOf,
  toteOf,
  typedAbove,
  undoable,
} from './picking.rules.ts'
import type { EventAnswer, PickEvent, Wagon } from './picking.schemas.ts'

/** Milliseconds: what several people at one wagon do is looked at together. */
const lookAfter = 700
/** Milliseconds: a look that an answer has overtaken is repeated. */
const overtakenPause = 300
const mostDone = 30
const mostNews = 6

export const pickerSentences = {
  emptyTote: 'Scan an empty tote for number {{slot}}',
  left: 'This wagon is no longer assigned to you',
} as const

/** One event on its way through the reducer. */
interface Step {
  state: PickerState
  readonly situation: Situation
  readonly effects: Effect[]
  /** Ids that are not used yet. */
  readonly ids: string[]
}

export function reduce(state: PickerState, event: PickerEvent, situation: Situation): { state: PickerState; effects: readonly Effect[] } {
  const step: Step = { state, situation, effects: [], ids: [...situation.ids] }
  handle(step, event)
  return { state: step.state, effects: step.effects }
}

function handle(step: Step, event: PickerEvent): Step {
  const { hand, wagon } = step.state
  const line = currentLine(step)
  switch (event.type) {
    case 'scan':
      return scan(step, event.raw, event.by)
    case 'confirm':
      return confirm(step)
    case 'typed':
      return typed(step, event.quantity)
    case 'put_now':
      return hand && line ? put(step, line, hand, '', 'button') : step
    case 'skip':
      return skip(step, line)
    case 'found':
      return hand && line
        ? set(step, { hand: { ...hand, step: 'product', taken: Math.min(event.pieces, missing(line)) }, sheet: 'short' })
        : step
    case 'short':
      return short(step, event.reason)
    case 'also_missing':
      return alsoMissing(step, event.yes)
    case 'full_slot':
      return set(step, { fullSlot: event.slot_no, message: null })
    case 'damaged':
      set(step, { sheet: null })
      if (!line) return step
      emit(step, 'damaged', { line: line.id, quantity: event.pieces })
      return say(step, { text: sentences.damaged, values: { n: event.pieces, name: line.name } }, 'attention')
    case 'zero':
      return zero(step, step.state.zeroOf ?? line, event.pieces)
    case 'go_to': {
      const wanted = wagon && remaining(wagon).find(one => one.id === event.line_id)
      return wagon && wanted ? store(set(step, { hand: handFor(wanted, line), sheet: null })) : step
    }
    case 'begin':
      return begin(step)
    case 'pause':
      emit(step, 'pause')
      set(step, { sheet: null })
      return say(step, { text: sentences.paused }, 'quiet')
    case 'resume':
      emit(step, 'resume')
      begin(step)
      return say(step, { text: sentences.resumed }, 'quiet')
    case 'undo':
      return undo(step)
    case 'hand_over':
      set(step, { sheet: null, busy: true })
      emit(step, 'hand_over')
      return effect(step, { type: 'await_drained', after: 'hand_over' })
    case 'finish':
      emit(step, 'done')
      set(step, { busy: true })
      return effect(step, { type: 'await_drained', after: 'finish' })
    case 'open_sheet':
      return openSheet(step, event.sheet)
    case 'read_news':
      return set(step, { news: [] })
    case 'read_wrong':
      return set(step, { wrong: null, otherTote: null })
    case 'photo':
      return photo(step, event.blob)
    case 'no_photo':
      return set(step, { reported: null })
    case 'claiming':
      return set(step, { busy: true })
    case 'claim_ended':
      return set(step, { busy: false })
    case 'claimed':
      return take(step, event.wagon)
    case 'answered':
      return answered(step, event.queued, event.answer)
    case 'refused':
      addNews(step, [event.reason])
      return look(step)
    case 'queue_changed':
      return project(set(step, { waiting: event.waiting, cutOff: event.offline }))
    case 'drained':
      return drained(step, event.after)
    case 'looked':
      return looked(step, event)
    case 'look_failed':
      return event.status === 404 && isHere(step.state, event) ? drop(step) : step
    case 'look_due':
      return look(step)
    case 'noticed':
      return noticed(step, event.topic, event.id)
    case 'reconnected':
      effect(step, { type: 'send_photos' })
      return step.state.base ? effect(step, { type: 'look_after', ms: step.state.waiting.length > 0 ? lookAfter : 50 }) : step
    case 'clock':
      return set(step, { ahead: event.ahead })
    case 'restored':
      return restored(step, event.stored)
    case 'ready':
      return project(set(step, { ready: true }))
    case 'signed_out':
      // Nothing of this person stays on the screen; events that are not sent wait in the queue for them.
      return set(step, { ...initialState, nth: step.state.nth, acknowledged: step.state.acknowledged })
  }
}

// Small changes and effects.

function set(step: Step, change: Partial<PickerState>): Step {
  step.state = { ...step.state, ...change }
  return step
}

function effect(step: Step, ...effects: readonly Effect[]): Step {
  step.effects.push(...effects)
  return step
}

const attention = (step: Step): Step => effect(step, { type: 'play', tone: 'attention' })
const vibrations: Record<Exclude<Tone, 'quiet'>, number | number[]> = {
  ok: 30,
  line: 30,
  done: 30,
  attention: [80, 60, 80],
  error: [180, 80, 180],
}

function say(step: Step, what: Say, tone: Tone): Step {
  const nth = step.state.nth + 1
  set(step, { nth, message: { ...what, tone, nth } })
  return tone === 'quiet' ? step : effect(step, { type: 'play', tone }, { type: 'vibrate', pattern: vibrations[tone] })
}

const store = (step: Step): Step => (step.effects.some(one => one.type === 'store_wagon') ? step : effect(step, { type: 'store_wagon' }))

const isHere = ({ base }: PickerState, { pick_list_id, wagon_no }: WagonName): boolean =>
  base !== null && pick_list_id === base.pick_list_id && wagon_no === base.wagon_no

const currentLine = ({ state }: Step): Line | undefined => state.wagon?.pick_lines.find(line => line.id === state.hand?.line)

/** What must be read before going on. */
function addNews(step: Step, more: readonly Say[]): Step {
  if (more.length === 0) return step
  const known = new Set(step.state.news.map(one => JSON.stringify(one)))
  // No sheet covers it.
  return set(step, { sheet: null, news: [...step.state.news, ...more.filter(one => !known.has(JSON.stringify(one)))].slice(-mostNews) })
}

// The wagon.

/** Shows the wagon with what is not sent yet. */
function project(step: Step): Step {
  const { base, waiting, journal, done } = step.state
  let wagon = base
  if (wagon) {
    const seen = new Set(wagon.seen)
    for (const one of waiting) if (isHere(step.state, one) && !seen.has(one.event.id)) wagon = predict(wagon, one.event, journal)
  }
  set(step, { wagon, unsent: waiting.length, canUndo: done.length > 0 })
  return store(keepHand(step))
}

/** The current line must still be there to pick; otherwise the next one is. */
function keepHand(step: Step): Step {
  const { wagon, hand, sheet } = step.state
  const { user_id } = step.situation
  if (!wagon || user_id === undefined) return set(step, { hand: null })
  const line = hand && wagon.pick_lines.find(one => one.id === hand.line)
  if (line && isOpen(line) && !stopOf(wagon, line))
    return hand.taken > missing(line) ? set(step, { hand: { ...hand, taken: missing(line) } }) : step
  const next = nextLine(wagon, user_id)
  return set(step, {
    hand: next ? handFor(next, line ?? undefined) : null,
    sheet: sheet === 'type' ? null : sheet,
    // A wrong scan was about the line before.
    wrong: null,
    otherTote: null,
  })
}

/** A line at another bin begins with the way to it. */
function handFor(line: Line, before: Line | undefined): Hand {
  const isThere = before !== undefined && sameStop(before, line) && before.bin === line.bin
  return { line: line.id, step: line.bin !== null && !isThere ? 'bin' : 'product', taken: 0 }
}

/** Sends an event, now or when there is a network, and gives its id. */
function emit(step: Step, kind: PickEvent['kind'], fields: Partial<PickEvent> = {}): string {
  const { base, done, journal, ahead, waiting } = step.state
  const { user_id, now } = step.situation
  const id = step.ids.shift() ?? ''
  if (!base || user_id === undefined) return id
  const event: PickEvent = {
    id,
    kind,
    line: null,
    quantity: 0,
    code: '',
    reason: null,
    note: '',
    by: 'button',
    of: null,
    at: new Date(now + ahead).toISOString(),
    ...fields,
  }
  const queued: QueuedEvent = { event, pick_list_id: base.pick_list_id, wagon_no: base.wagon_no, user_id, seq: now * 1_000 }
  if (undoable.includes(kind)) set(step, { done: [...done, event].slice(-mostDone), journal: [...journal, event].slice(-2 * mostDone) })
  effect(step, { type: 'enqueue', queued })
  project(set(step, { waiting: [...waiting, queued] }))
  return id
}

/** Takes a wagon up, fresh from the server. */
function take(step: Step, wagon: Wagon): Step {
  const before = step.state.base
  set(step, { ahead: Date.parse(wagon.now) - step.situation.now })
  if (before && isHere(step.state, wagon)) {
    const changes = changesOf(before, wagon)
    addNews(step, changes)
    if (changes.length > 0) effect(attention(step), { type: 'vibrate', pattern: vibrations.attention })
  } else set(step, { done: [], begun: wagon.started_at !== null, message: null, news: [], hand: null })
  project(set(step, { base: wagon }))
  return effect(step, { type: 'preload_pictures', wagon })
}

const drop = (step: Step): Step => project(set(step, { ...noWagon, base: null, done: [] }))

function restored(step: Step, stored: StoredWagon | undefined): Step {
  if (!stored || stored.user_id !== step.situation.user_id || step.state.base) return step
  const { wagon, done, journal, hand, begun } = stored
  set(step, { base: wagon, done, journal, hand, begun })
  return effect(step, { type: 'preload_pictures', wagon })
}

// The server's answers.

function answered(step: Step, queued: QueuedEvent, answer: EventAnswer): Step {
  const { event } = queued
  const undone = answer.result === 'undone' ? event.of : undefined
  set(step, {
    acknowledged: step.state.acknowledged + 1,
    done: step.state.done.filter(one => (answer.ok || one.id !== event.id) && one.id !== undone),
  })
  const { base, journal, hand } = step.state
  if (base && isHere(step.state, queued)) set(step, { base: applyAnswer(answer.ok ? predict(base, event, journal) : base, answer) })
  const sentence = { text: answer.text, values: answer.values }
  if (answer.ok) {
    if (answer.result === 'wagon_done') say(step, sentence, 'done')
    if (answer.result === 'handed_over') drop(step)
  } else if (event.kind !== 'wrong' && answer.result !== 'nothing') {
    say(step, sentence, 'error')
    if (isInHand(step, queued, answer)) {
      const { line, quantity, code } = event
      const waiting = step.state.waiting.filter(one => one.event.id !== event.id)
      project(set(step, { waiting, hand: { line: line ?? 0, step: 'slot', taken: quantity }, sheet: null, otherTote: null }))
      set(step, { wrong: { result: 'wrong_slot', say: sentence, raw: code, line: line ?? 0 } })
    } else {
      // An error that was shown at the scan needs no second reading; a late refusal does.
      addNews(step, [sentence])
      if (hand && hand.line === event.line) set(step, { hand: { ...hand, taken: 0 } })
    }
  }
  if (answer.reload) look(step)
  return effect(step, { type: 'send_photos' })
}

/**
 * The tote of the last pick is refused, and its line is still to be picked: the picker holds the pieces and stands beside the wagon. After
 * another pick they lie somewhere.
 */
function isInHand({ state }: Step, { event }: QueuedEvent, { result }: EventAnswer): boolean {
  if (event.kind !== 'pick' || event.code === '' || !(result === 'wrong_slot' || result === 'tote_elsewhere')) return false
  if (state.journal.findLast(one => one.kind === 'pick')?.id !== event.id) return false
  const line = state.base?.pick_lines.find(one => one.id === event.line)
  return line !== undefined && isOpen(line) && missing(line) >= event.quantity
}

function drained(step: Step, after: 'hand_over' | 'finish'): Step {
  set(step, { busy: false })
  const { base } = step.state
  return after === 'finish' && base && !['claimed', 'picking', 'paused'].includes(base.state) ? drop(step) : step
}

/** Asks for the wagon again. */
function look(step: Step): Step {
  const { base, acknowledged } = step.state
  effect(step, { type: 'cancel_look' })
  return base ? effect(step, { type: 'look', pick_list_id: base.pick_list_id, wagon_no: base.wagon_no, began: acknowledged }) : step
}

function looked(step: Step, event: Extract<PickerEvent, { type: 'looked' }>): Step {
  const { wagon, began, sending } = event
  if (!isHere(step.state, event)) return step
  // The answer is older than an acknowledgement.
  if (began !== step.state.acknowledged || sending) return effect(step, { type: 'look_after', ms: overtakenPause })
  const isMine = wagon.pickers.some(one => one.user_id === step.situation.user_id)
  const isCancelled = wagon.state === 'cancelled' || wagon.list_state === 'cancelled'
  if (isMine && !isCancelled) return take(step, wagon)
  const [other] = wagon.pickers
  addNews(step, [
    isCancelled
      ? { text: sentences.listCancelled }
      : other
        ? { text: sentences.tookOver, values: { name: other.user_name } }
        : { text: pickerSentences.left },
  ])
  // Events that are not sent yet were made before: they are sent all the same.
  return drop(attention(step))
}

function noticed(step: Step, topic: ChangeTopic, id: number | undefined): Step {
  const { base } = step.state
  if (!base || id === undefined) return step
  if (topic === 'pick_wagon' ? id === wagonTopic(base) : base.slots.some(slot => slot.order_id === id))
    return effect(step, { type: 'look_after', ms: lookAfter })
  if (topic === 'pick_list' && id === base.pick_list_id && base.pickers.length > 1)
    return effect(step, { type: 'look_after', ms: lookAfter * 6 })
  return step
}

// What the picker does.

/** A code from scanner or camera. */
function scan(step: Step, raw: string, by: By): Step {
  const { wagon, hand, sheet } = step.state
  const line = currentLine(step)
  if (!wagon || !hand || !line) return step
  // The news are not read yet: an order may have stopped, so the scan is not taken.
  if (newsShown(step.state)) return effect(attention(step), { type: 'vibrate', pattern: vibrations.attention })
  // A scan means that the picker walks.
  if (!step.state.begun) begin(step)
  if (step.state.wagon?.state === 'paused') emit(step, 'resume')
  if (sheet === 'full') return fullTote(step, wagon, line, raw, by)
  const { otherTote } = step.state
  if (sheet === 'zero') return say(step, { text: sentences.several }, 'attention')
  // A scan goes on with the walk: what was asked about the line before is answered by it.
  set(step, { sheet: null, wrong: null, otherTote: null, reported: null })
  const meaning = decide(wagon, hand, raw)
  switch (meaning.kind) {
    case 'bin':
      emit(step, 'bin', { line: line.id, code: raw, by })
      set(step, { hand: { ...hand, step: 'product' } })
      return say(step, { text: sentences.rightBin }, 'ok')
    case 'product': {
      const its = wagon.pick_lines.find(one => one.id === meaning.line) as Line
      const current: Hand = its.id === hand.line ? hand : { line: its.id, step: 'product', taken: 0 }
      emit(step, 'product', { line: its.id, code: raw, quantity: meaning.pieces, by })
      return takePieces(step, its, current, current.taken + meaning.pieces)
    }
    case 'slot': {
      const replaced = replacedTote(wagon.slots, line.slot_no, meaning.digits)
      if (!replaced || otherTote === meaning.digits) return put(step, line, hand, raw, by)
      set(step, { otherTote: meaning.digits, wrong: { result: 'other_tote', say: replaced, raw, line: line.id } })
      return say(step, replaced, 'attention')
    }
    default:
      emit(step, 'wrong', { line: line.id, code: raw, note: meaning.result, by })
      set(step, { wrong: { result: meaning.result, say: meaning.say, raw, line: line.id } })
      return say(step, meaning.say, 'error')
  }
}

function takePieces(step: Step, line: Line, hand: Hand, taken: number): Step {
  const isAll = taken >= missing(line)
  store(set(step, { hand: { ...hand, taken: Math.min(taken, missing(line)), step: isAll ? 'slot' : 'product' } }))
  if (!isAll && missing(line) > typedAbove) set(step, { sheet: 'type' })
  return say(step, countOf(line, taken), isAll ? 'line' : 'ok')
}

const countOf = (line: Line, taken: number): Say => ({
  text: sentences.counted,
  values: { name: line.name, picked: line.picked + taken, asked: line.asked },
})

function put(step: Step, line: Line, hand: Hand, code: string, by: By): Step {
  if (hand.taken < 1) return say(step, { text: sentences.tooFew }, 'error')
  emit(step, 'pick', { line: line.id, quantity: hand.taken, code, by })
  const isWhole = line.picked + hand.taken === line.asked
  say(
    step,
    isWhole ? { text: sentences.lineDone, values: { name: line.name, slot: line.slot_no } } : countOf(line, hand.taken),
    isWhole ? 'line' : 'ok',
  )
  const current = step.state.hand
  if (!isWhole && current?.line === line.id) set(step, { hand: { ...current, taken: 0, step: 'product' } })
  // The books expected exactly these pieces in the bin: it should be empty now.
  if (expectedPieces(step, line.id) === hand.taken) attention(set(step, { sheet: 'zero', zeroOf: line }))
  return store(step)
}

/** Pieces that lie in the line's bin by the books; known once, since after that some are gone. */
function expectedPieces(step: Step, line_id: number): number | undefined {
  const { base } = step.state
  const here = base?.expected.find(one => one.line === line_id)
  if (base && here) set(step, { base: { ...base, expected: base.expected.filter(one => one !== here) } })
  return here?.pieces
}

/** A scan while the sheet about a full tote is open: first the full tote or its slot, then an empty one. What is wrong is said on the sheet. */
function fullTote(step: Step, wagon: Wagon, current: Line, raw: string, by: By): Step {
  const digits = toteOf(raw)
  const { fullSlot } = step.state
  if (fullSlot === null) {
    const its = wagon.slots.find(slot => slot.live && slot.codes.some(code => code.digits === digits))
    if (its) return set(step, { fullSlot: its.slot_no, message: null })
    return say(step, { text: sentences.chooseSlot }, 'error')
  }
  const line = current.slot_no === fullSlot ? current : wagon.pick_lines.find(one => one.slot_no === fullSlot && one.state !== 'gone')
  if (digits === undefined || !line) return say(step, { text: sentences.notTote, values: { slot: fullSlot } }, 'error')
  const wrong = notEmptyTote(wagon.slots, fullSlot, digits)
  if (wrong) return say(step, wrong, 'error')
  emit(step, 'full', { line: line.id, code: raw, by })
  set(step, { sheet: null, fullSlot: null })
  return say(step, { text: sentences.full, values: { code: `PP${digits}`, slot: fullSlot } }, 'ok')
}

function openSheet(step: Step, sheet: Sheet | null): Step {
  const live = step.state.wagon?.slots.filter(slot => slot.live) ?? []
  // An error of the sheet before, or of the line, is not about this one.
  const message = step.state.message?.tone === 'error' ? null : step.state.message
  return set(step, {
    sheet,
    message,
    ...(sheet === null && { zeroOf: null }),
    fullSlot: sheet === 'full' && live.length === 1 ? (live[0]?.slot_no ?? null) : null,
  })
}

/** The picker has read what is on the wagon and walks. */
const begin = (step: Step): Step => store(set(step, { begun: true }))

function confirm(step: Step): Step {
  const { hand } = step.state
  const line = currentLine(step)
  if (!hand || !line) return step
  if (hand.step === 'bin') {
    emit(step, 'bin', { line: line.id })
    set(step, { hand: { ...hand, step: 'product' } })
    return say(step, { text: sentences.rightBin }, 'ok')
  }
  if (hand.step === 'slot') return put(step, line, hand, '', 'button')
  if (missing(line) > typedAbove) return set(step, { sheet: 'type' })
  if (hand.taken === 0) emit(step, 'product', { line: line.id })
  return takePieces(step, line, hand, hand.taken + 1)
}

function typed(step: Step, quantity: number): Step {
  const { hand } = step.state
  const line = currentLine(step)
  if (!hand || !line) return step
  set(step, { sheet: null })
  const most = missing(line)
  if (quantity < 1 || quantity > most) return say(step, { text: sentences.tooMany, values: { n: most, name: line.name } }, 'error')
  if (hand.taken === 0) emit(step, 'product', { line: line.id, quantity })
  store(set(step, { hand: { ...hand, taken: quantity, step: 'slot' } }))
  return say(step, countOf(line, quantity), 'line')
}

function skip(step: Step, line: Line | undefined): Step {
  set(step, { sheet: null })
  if (!line) return step
  emit(step, 'skip', { line: line.id })
  // On to the next line, though this one can still be picked.
  store(keepHand(set(step, { hand: null })))
  return say(step, { text: sentences.skipped, values: { name: line.name } }, 'attention')
}

function short(step: Step, reason: ShortReason): Step {
  const { hand } = step.state
  const line = currentLine(step)
  set(step, { sheet: null })
  if (!hand || !line) return step
  // Pieces that were taken go into the tote first; the rest is missing.
  if (hand.taken > 0) emit(step, 'pick', { line: line.id, quantity: hand.taken })
  if (hand.taken >= missing(line)) return step
  const event = emit(step, 'short', { line: line.id, reason })
  const { wagon } = step.state
  const others = wagon ? sameNeed(wagon, line).map(one => one.id) : []
  set(step, { reported: { event, line, reason, others } })
  const values = { n: missing(line) - hand.taken, name: line.name, found: hand.taken, slot: line.slot_no }
  return say(step, { text: hand.taken > 0 ? sentences.shortPut : sentences.short, values }, 'attention')
}

/** One answer for every open line that wants the same product from the same bin, so that the picker is not sent back to it. */
function alsoMissing(step: Step, yes: boolean): Step {
  const { reported } = step.state
  if (!reported) return step
  set(step, { reported: { ...reported, others: [] } })
  if (!yes) return step
  const others = reported.others.slice(0, step.ids.length)
  for (const line of others) emit(step, 'short', { line, reason: reported.reason })
  return say(step, { text: sentences.shortToo, values: { name: reported.line.name } }, 'attention')
}

function zero(step: Step, line: Line | undefined, pieces: number): Step {
  set(step, { sheet: null, zeroOf: null })
  if (!line) return step
  emit(step, 'zero_check', { line: line.id, quantity: pieces })
  return say(step, { text: pieces === 0 ? sentences.zero : sentences.notZero, values: { bin: line.bin } }, 'ok')
}

function undo(step: Step): Step {
  const { hand, done, reported } = step.state
  const line = currentLine(step)
  if (hand && line && hand.taken > 0) {
    set(step, { hand: { ...hand, taken: 0, step: 'product' } })
    return say(step, { text: sentences.undone, values: { name: line.name } }, 'ok')
  }
  const last = done.at(-1)
  if (!last) return say(step, { text: sentences.nothingToUndo }, 'attention')
  emit(step, 'undo', { of: last.id })
  if (reported?.event === last.id) set(step, { reported: null })
  const its = step.state.wagon?.pick_lines.find(one => one.id === last.line)
  set(step, { done: step.state.done.slice(0, -1), ...(its && { hand: { line: its.id, step: 'product', taken: 0 } }) })
  project(step)
  return say(step, { text: sentences.undone, values: { name: its?.name ?? '' } }, 'ok')
}

function photo(step: Step, blob: Blob): Step {
  const { reported, base } = step.state
  const { user_id } = step.situation
  if (!reported || !base || user_id === undefined) return step
  set(step, { reported: null })
  const { pick_list_id, wagon_no } = base
  return effect(step, { type: 'store_photo', event: reported.event, pick_list_id, wagon_no, user_id, blob })
}
