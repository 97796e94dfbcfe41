/**
 * The picker's phone: what one person has in hand. It decides at once by what it knows, and the server's answers correct it.
 * It stands outside React, because scanner, queue and notices reach it at any moment, and a screen may come and go meanwhile.
 */
import { useSyncExternalStore } from 'react'
import { CallError } from '#web/call-error.ts'
import type { send as sendCall } from '#web/calls.ts'
import type { Sound } from '#web/scanner/sounds.ts'
import { products } from '../../orders/products/products.contract.ts'
import { worthAnotherTry } from '../../packing/bench/scan-queue.rules.ts'
import { openEventQueue, type QueuedEvent } from './event-queue.rules.ts'
import type { PickShelf } from './pick-shelf.tsx'
import { type EventAnswer, type PickEvent, picking, type ShortReason, type Wagon } from './picking.contract.ts'
import {
  decide,
  foreseen,
  type Hand,
  isOpen,
  type Line,
  missing,
  news,
  nextLine,
  notEmptyTote,
  remaining,
  type Say,
  sameStop,
  sentences,
  stopOf,
  told,
  toteOf,
  typedAbove,
  undoable,
  wagonTopic,
} from './picking.rules.ts'

export type Tone = 'ok' | 'line' | 'done' | 'attention' | 'error' | 'quiet'
export type Sheet = 'problem' | 'short' | 'damaged' | 'full' | 'zero' | 'type' | 'menu' | 'lines' | 'slots'
type By = PickEvent['by']

export interface PhoneState {
  /** What the device kept is read. */
  ready: boolean
  /** As it will be once everything here is sent. */
  wagon: Wagon | null
  hand: Hand | null
  /** The picker has seen the wagon and walks. */
  begun: boolean
  /** `nth` tells two equal ones apart. */
  message: (Say & { tone: Tone; nth: number }) | null
  /** Stopped orders, refused events: read before going on. */
  news: readonly Say[]
  sheet: Sheet | null
  /** A short whose photo may be taken. */
  photoFor: string | null
  /** Pieces that lie in the bin by the books, for the question whether it is empty. */
  zeroOf: Line | null
  canUndo: boolean
  unsent: number
  cutOff: boolean
  /** A claim or a command is on its way. */
  busy: boolean
}

const nothing: PhoneState = {
  ready: false,
  wagon: null,
  hand: null,
  begun: false,
  message: null,
  news: [],
  sheet: null,
  photoFor: null,
  zeroOf: null,
  canUndo: false,
  unsent: 0,
  cutOff: false,
  busy: false,
}

export interface PhoneDoors {
  send: typeof sendCall
  shelf: PickShelf
  play: (sound: Sound) => void
  vibrate: (pattern: number | number[]) => void
  me: () => number | undefined
  newId: () => string
}

export const phoneSentences = {
  emptyTote: 'Scan an empty tote for number {{slot}}',
  left: 'You no longer walk with this wagon',
} as const

/** Milliseconds: what several at one wagon do is looked at together. */
const lookAfter = 700
const mostDone = 30

const pictureKey = (line: Pick<Line, 'product_id' | 'picture_version'>): string => `${line.product_id}:${line.picture_version ?? ''}`

export type Phone = ReturnType<typeof createPhone>

export function createPhone(doors: PhoneDoors) {
  let state = nothing
  const watchers = new Set<() => void>()
  let nth = 0
  /** As the server last said it. */
  let base: Wagon | null = null
  let done: PickEvent[] = []
  let journal: PickEvent[] = []
  /** Milliseconds by which the server's clock is ahead of this one. */
  let ahead = 0
  let acknowledged = 0
  let lookTimer: ReturnType<typeof setTimeout> | undefined
  let lookDue = 0
  const urls = new Map<string, Promise<string | null>>()

  const set = (change: Partial<PhoneState>): void => {
    state = { ...state, ...change }
    for (const watcher of watchers) watcher()
  }
  const sounds: Record<Tone, Sound | null> = { ok: 'ok', line: 'line', done: 'done', attention: 'attention', error: 'error', quiet: null }
  function say(what: Say, tone: Tone) {
    nth += 1
    set({ message: { ...what, tone, nth } })
    const sound = sounds[tone]
    if (sound) doors.play(sound)
    doors.vibrate(tone === 'error' ? [180, 80, 180] : tone === 'attention' ? [80, 60, 80] : tone === 'quiet' ? 0 : 30)
  }

  const queue = openEventQueue({
    shelf: doors.shelf,
    user_id: doors.me,
    async send(pick_list_id, wagon_no, events) {
      try {
        const { answers, now } = await doors.send(picking.send, { pick_list_id, wagon_no, body: { events: [...events] } })
        ahead = Date.parse(now) - Date.now()
        return { kind: 'answered', answers }
      } catch (error) {
        const { status, key } = error instanceof CallError ? error : { status: 444, key: '' }
        const { again, reachable } = worthAnotherTry(status, key)
        return again ? { kind: 'again', reachable } : { kind: 'refused', error }
      }
    },
    onAnswer: heard,
    onRefused(_events, error) {
      addNews([wordsOf(error)])
      void look()
    },
    onChange: project,
  })

  const isHere = (queued: Pick<QueuedEvent, 'pick_list_id' | 'wagon_no'>): boolean =>
    base !== null && queued.pick_list_id === base.pick_list_id && queued.wagon_no === base.wagon_no

  /** Shows the wagon with what is not sent yet. */
  function project() {
    const waiting = queue.waiting()
    let wagon = base
    if (wagon) {
      const seen = new Set(wagon.seen)
      for (const one of waiting) if (isHere(one) && !seen.has(one.event.id)) wagon = foreseen(wagon, one.event, journal)
    }
    set({ wagon, unsent: waiting.length, cutOff: queue.cutOff(), canUndo: done.length > 0 })
    keepHand()
    remember()
  }

  function remember() {
    const user_id = doors.me()
    const kept = base && user_id !== undefined ? { user_id, wagon: base, hand: state.hand, begun: state.begun, done, journal } : undefined
    void doors.shelf.keepWagon(kept).catch(() => undefined)
  }

  /** What is in the hand must still be there to do. */
  function keepHand() {
    const { wagon, hand } = state
    const me = doors.me()
    if (!wagon || me === undefined) return set({ hand: null })
    const line = hand && wagon.pick_lines.find(one => one.id === hand.line)
    if (line && isOpen(line) && !stopOf(wagon, line)) {
      const room = missing(line)
      if (hand.taken > room) set({ hand: { ...hand, taken: room } })
      return
    }
    const next = nextLine(wagon, me)
    set({ hand: next ? handFor(wagon, next, line ?? undefined) : null, sheet: state.sheet === 'type' ? null : state.sheet })
  }

  function handFor(wagon: Wagon, line: Line, before: Line | undefined): Hand {
    const there = before !== undefined && sameStop(before, line) && before.bin === line.bin
    return { line: line.id, step: wagon.scan_bin && line.bin !== null && !there ? 'bin' : 'product', taken: 0 }
  }

  const lineInHand = (): Line | undefined => state.wagon?.pick_lines.find(line => line.id === state.hand?.line)

  function emit(kind: PickEvent['kind'], fields: Partial<PickEvent> = {}): string {
    const user_id = doors.me()
    const id = doors.newId()
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
      at: new Date(Date.now() + ahead).toISOString(),
      ...fields,
    }
    if (undoable.includes(kind)) {
      done = [...done, event].slice(-mostDone)
      journal = [...journal, event].slice(-2 * mostDone)
    }
    queue.add({ event, pick_list_id: base.pick_list_id, wagon_no: base.wagon_no, user_id })
    return id
  }

  function heard(queued: QueuedEvent, answer: EventAnswer) {
    acknowledged += 1
    if (!answer.ok) done = done.filter(one => one.id !== queued.event.id)
    if (answer.result === 'undone') done = done.filter(one => one.id !== queued.event.of)
    if (base && isHere(queued)) base = told(answer.ok ? foreseen(base, queued.event, journal) : base, answer)
    if (answer.ok) {
      if (answer.result === 'wagon_done') say({ text: answer.text, values: answer.values }, 'done')
      if (answer.result === 'handed_over') drop()
    } else if (queued.event.kind !== 'wrong' && answer.result !== 'nothing') {
      const refused = { text: answer.text, values: answer.values }
      // What was shown already at the scan needs no second reading; a late refusal does.
      addNews([refused])
      say(refused, 'error')
      if (state.hand?.line === queued.event.line) set({ hand: { ...state.hand, taken: 0 } })
    }
    if (answer.reload) void look()
    void sendPhotos()
  }

  const addNews = (more: readonly Say[]): void => {
    if (more.length === 0) return
    const known = new Set(state.news.map(one => JSON.stringify(one)))
    // Nothing stands above what must be read first.
    set({ sheet: null, news: [...state.news, ...more.filter(one => !known.has(JSON.stringify(one)))].slice(-6) })
  }

  /** Takes a wagon up, fresh from the server. */
  function take(wagon: Wagon) {
    const before = base
    ahead = Date.parse(wagon.now) - Date.now()
    const same = before?.pick_list_id === wagon.pick_list_id && before.wagon_no === wagon.wagon_no
    if (before && same) {
      const said = news(before, wagon)
      addNews(said)
      if (said.length > 0) {
        doors.play('attention')
        doors.vibrate([80, 60, 80])
      }
    } else {
      done = []
      set({ begun: wagon.started_at !== null, message: null, news: [], hand: null })
    }
    base = wagon
    project()
    void preload(wagon)
  }

  function drop() {
    base = null
    done = []
    set({ wagon: null, hand: null, begun: false, sheet: null, photoFor: null, zeroOf: null })
    project()
  }

  /** Asks for the wagon again; an answer that is older than an acknowledgement is thrown away. */
  async function look(): Promise<void> {
    clearTimeout(lookTimer)
    lookTimer = undefined
    if (!base) return
    const { pick_list_id, wagon_no } = base
    const began = acknowledged
    try {
      const wagon = await doors.send(picking.wagon, { pick_list_id, wagon_no })
      if (base?.pick_list_id !== pick_list_id || base.wagon_no !== wagon_no) return
      if (began !== acknowledged || queue.busy()) return lookSoon(300)
      const me = doors.me()
      const mine = wagon.pickers.some(one => one.user_id === me)
      if (!mine || wagon.state === 'cancelled' || wagon.list_state === 'cancelled') {
        const [other] = wagon.pickers
        addNews([
          wagon.list_state === 'cancelled' || wagon.state === 'cancelled'
            ? { text: sentences.listCancelled }
            : other
              ? { text: sentences.tookOver, values: { name: other.user_name } }
              : { text: phoneSentences.left },
        ])
        doors.play('attention')
        // What is not sent yet was done before: it is sent all the same.
        return drop()
      }
      take(wagon)
    } catch (error) {
      if (error instanceof CallError && error.status === 404) drop()
    }
  }
  /** The soonest wish counts: a later one must not put it off. */
  function lookSoon(after: number) {
    const due = Date.now() + after
    if (lookTimer !== undefined && lookDue <= due) return
    clearTimeout(lookTimer)
    lookDue = due
    lookTimer = setTimeout(() => void look(), after)
  }

  async function claim(pick_list_id: number, wagon_no: number, how: { take_over?: boolean; join?: boolean } = {}): Promise<void> {
    set({ busy: true })
    try {
      take(await doors.send(picking.claim, { pick_list_id, wagon_no, body: how }))
    } finally {
      set({ busy: false })
    }
  }

  /** A code from scanner or camera. */
  function scanned(raw: string, by: By = 'scan') {
    const { wagon, hand, sheet } = state
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
    const here = base?.expected.find(one => one.line === line.id)
    const left = here && here.pieces - hand.taken
    if (base && left !== undefined) base = { ...base, expected: base.expected.filter(one => one.line !== line.id) }
    if (!whole && state.hand?.line === line.id) set({ hand: { ...state.hand, taken: 0, step: 'product' } })
    if (left === 0) {
      set({ sheet: 'zero', zeroOf: line })
      doors.play('attention')
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
    if (!state.begun) begin()
    if (state.wagon?.state === 'paused') emit('resume')
  }

  /** The picker has read what is on the wagon and walks. */
  function begin() {
    set({ begun: true })
    remember()
  }

  async function preload(wagon: Wagon): Promise<void> {
    const wanted = new Map(
      wagon.pick_lines.filter(line => line.has_picture && line.product_id !== null).map(line => [pictureKey(line), line]),
    )
    for (const line of wanted.values()) await pictureOf(line)
    await doors.shelf.keepPictures(new Set(wanted.keys())).catch(() => undefined)
  }

  /** The picture's address on this device; null while there is none. */
  function pictureOf(line: Pick<Line, 'product_id' | 'picture_version' | 'has_picture'>): Promise<string | null> {
    if (!line.has_picture || line.product_id === null) return Promise.resolve(null)
    const key = pictureKey(line)
    const known = urls.get(key)
    if (known) return known
    const found = (async () => {
      const kept = await doors.shelf.picture(key).catch(() => undefined)
      if (kept) return URL.createObjectURL(kept)
      const file = await doors.send(products.picture, { id: line.product_id as number })
      await doors.shelf.putPicture(key, file).catch(() => undefined)
      return URL.createObjectURL(file)
    })().catch(() => {
      // Asked again when the line is shown again.
      urls.delete(key)
      return null
    })
    urls.set(key, found)
    return found
  }

  let sendingPhotos = false
  async function sendPhotos(): Promise<void> {
    if (sendingPhotos) return
    sendingPhotos = true
    try {
      const waiting = new Set(queue.waiting().map(one => one.event.id))
      for (const photo of await doors.shelf.photos().catch(() => [])) {
        if (photo.user_id !== doors.me() || waiting.has(photo.event)) continue
        const { event, pick_list_id, wagon_no, blob } = photo
        try {
          await doors.send(picking.photo, { event, pick_list_id, wagon_no, upload: blob })
        } catch (error) {
          if (error instanceof CallError && worthAnotherTry(error.status, error.key).again) break
          // The short was refused or taken back: its photo shows nothing any more.
        }
        await doors.shelf.removePhoto(event).catch(() => undefined)
      }
    } finally {
      sendingPhotos = false
    }
  }

  return {
    read: (): PhoneState => state,
    watch(watcher: () => void): () => void {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    scanned,
    claim,
    begin,
    pictureOf,
    look: () => void look(),
    open: (sheet: Sheet | null) => set({ sheet, ...(sheet === null ? { zeroOf: null } : {}) }),
    /** The big button under the thumb: the next thing, without a scanner. */
    confirm() {
      const { hand } = state
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
      const { hand } = state
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
      const { hand } = state
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
      const { hand } = state
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
      const line = state.zeroOf ?? lineInHand()
      set({ sheet: null, zeroOf: null })
      if (!line) return
      emit('zero_check', { line: line.id, quantity: pieces })
      say(pieces === 0 ? { text: sentences.zero, values: { bin: line.bin } } : { text: sentences.notZero, values: { bin: line.bin } }, 'ok')
    },
    undo() {
      const { hand } = state
      const line = lineInHand()
      if (hand && line && hand.taken > 0) {
        set({ hand: { ...hand, taken: 0, step: 'product' } })
        return say({ text: sentences.undone, values: { name: line.name } }, 'ok')
      }
      const last = done.at(-1)
      if (!last) return say({ text: sentences.nothingToUndo }, 'attention')
      emit('undo', { of: last.id, line: null })
      if (state.photoFor === last.id) set({ photoFor: null })
      const its = state.wagon?.pick_lines.find(one => one.id === last.line)
      done = done.slice(0, -1)
      if (state.wagon && its) set({ hand: { line: its.id, step: 'product', taken: 0 } })
      project()
      say({ text: sentences.undone, values: { name: its?.name ?? '' } }, 'ok')
    },
    /** Another line first: it is picked as if it were its turn. */
    goTo(line_id: number) {
      const { wagon } = state
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
    handOver() {
      set({ sheet: null, busy: true })
      emit('hand_over')
      void queue.drained().then(() => set({ busy: false }))
    },
    /** The wagon stands at packing, or nothing of it can be picked any more. */
    finish() {
      emit('done')
      set({ busy: true })
      void queue.drained().then(async () => {
        set({ busy: false })
        if (base && !['claimed', 'picking', 'paused'].includes(base.state)) drop()
      })
    },
    readNews: () => set({ news: [] }),
    async photo(blob: Blob) {
      const { photoFor } = state
      const user_id = doors.me()
      if (!photoFor || !base || user_id === undefined) return
      set({ photoFor: null })
      await doors.shelf
        .putPhoto({ event: photoFor, pick_list_id: base.pick_list_id, wagon_no: base.wagon_no, user_id, blob })
        .catch(() => undefined)
      void sendPhotos()
    },
    noPhoto: () => set({ photoFor: null }),
    noticed(topic: string, id: number | undefined) {
      if (!base || id === undefined) return
      if (topic === 'pick_wagon' ? id === wagonTopic(base) : base.slots.some(slot => slot.order_id === id)) lookSoon(lookAfter)
      else if (topic === 'pick_list' && id === base.pick_list_id && base.pickers.length > 1) lookSoon(lookAfter * 6)
    },
    /** The network is back, or the page is looked at again. */
    hurry() {
      queue.hurry()
      void sendPhotos()
      if (base) lookSoon(queue.waiting().length > 0 ? lookAfter : 50)
    },
    async restore() {
      if (state.ready) return this.hurry()
      const kept = await doors.shelf.wagon().catch(() => undefined)
      if (kept && kept.user_id === doors.me() && base === null) {
        base = kept.wagon
        done = kept.done
        journal = kept.journal
        set({ hand: kept.hand, begun: kept.begun })
        void preload(kept.wagon)
      }
      await queue.restore()
      set({ ready: true })
      project()
      this.hurry()
    },
    /** Somebody signed out: nothing of theirs stays on the screen. What is not sent waits for them. */
    forget() {
      base = null
      done = []
      set({ ...nothing })
    },
  }
}

function wordsOf(error: unknown): Say {
  if (!(error instanceof CallError)) return { text: 'Something in the program failed' }
  return { text: error.key, values: Object.fromEntries(Object.entries(error.values).map(([name, value]) => [name, value ?? null])) }
}

export const usePhone = (phone: Phone): PhoneState => useSyncExternalStore(phone.watch, phone.read)
