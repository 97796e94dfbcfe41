/**
 * The picker's phone: what one person has in hand. It decides at once by what it knows, and the server's answers correct it.
 * It stands outside React, because scanner, queue and notices reach it at any moment, and a screen may come and go meanwhile.
 */

import { useSyncExternalStore } from 'react'
import type { ChangeTopic } from '#contract/topics.ts'
import { worthAnotherTry } from '#features/packing/station/scan-queue.rules.ts'
import { wagonTopic } from '#features/warehouse/pick-lists/pick-lists.rules.ts'
import { CallError } from '#ui/query/call-error.ts'
import type { Sound } from '#ui/scanner/sounds.ts'
import { openEventQueue, type QueuedEvent } from './event-queue.rules.ts'
import { createWork } from './picker-actions.client.ts'
import { nothing, type PhoneDoors, type PhoneState, phoneSentences, type Sheet, type Tone } from './picker-state.client.ts'
import { type EventAnswer, type PickEvent, picking, type Wagon } from './picking.contract.ts'
import {
  foreseen,
  type Hand,
  isOpen,
  type Line,
  missing,
  news,
  nextLine,
  type Say,
  sameStop,
  sentences,
  stopOf,
  told,
  undoable,
} from './picking.rules.ts'
import { createPhotos, createPictures } from './product-images.client.ts'

/** Milliseconds: what several at one wagon do is looked at together. */
const lookAfter = 700
const mostDone = 30

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
        const { status, code } = error instanceof CallError ? error : { status: 444, code: null }
        const { again, reachable } = worthAnotherTry(status, code)
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

  const work = createWork({
    read: () => state,
    set,
    say,
    play: doors.play,
    emit,
    remember,
    keepHand,
    lineInHand,
    handFor,
    expected(line_id) {
      const here = base?.expected.find(one => one.line === line_id)
      if (base && here) base = { ...base, expected: base.expected.filter(one => one !== here) }
      return here?.pieces
    },
  })
  const { preload, pictureOf } = createPictures(doors)
  const { sendPhotos } = createPhotos(doors, () => new Set(queue.waiting().map(one => one.event.id)))

  return {
    read: (): PhoneState => state,
    watch(watcher: () => void): () => void {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    claim,
    pictureOf,
    look: () => void look(),
    open: (sheet: Sheet | null) => set({ sheet, ...(sheet === null ? { zeroOf: null } : {}) }),
    ...work,
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
    noticed(topic: ChangeTopic, id: number | undefined) {
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
