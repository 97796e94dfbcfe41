/** The phone's queue of events: each is kept until the server has answered it, in the order in which they were made, however long the dead spot lasts. */
import type { EventAnswer, PickEvent } from './picking.contract.ts'

export interface QueuedEvent {
  event: PickEvent
  pick_list_id: number
  wagon_no: number
  /** Who did it: another person at this phone never sends it. */
  user_id: number
  /** Events go in this order. */
  seq: number
}

/** Where events survive a reload. A shelf that fails is no reason not to pick: the queue then lives in memory only. */
export interface EventShelf {
  load(): Promise<QueuedEvent[]>
  put(event: QueuedEvent): Promise<void>
  remove(ids: readonly string[]): Promise<void>
}

/** What became of a try: answered one by one, worth another try, or refused as a whole. */
export type Outcome =
  | { kind: 'answered'; answers: EventAnswer[] }
  | { kind: 'again'; reachable: boolean }
  | { kind: 'refused'; error: unknown }

export interface EventQueueDoors {
  shelf: EventShelf
  /** Sends events of one wagon, at most `mostAtOnce`, oldest first. Never throws. */
  send: (pick_list_id: number, wagon_no: number, events: readonly PickEvent[]) => Promise<Outcome>
  onAnswer: (queued: QueuedEvent, answer: EventAnswer) => void
  onRefused: (queued: readonly QueuedEvent[], error: unknown) => void
  onChange: () => void
  user_id: () => number | undefined
}

export interface EventQueue {
  add(queued: Omit<QueuedEvent, 'seq'>): void
  /** Takes up what an earlier page left behind. */
  restore(): Promise<void>
  /** Not acknowledged, oldest first. */
  waiting(): readonly QueuedEvent[]
  /** True while the last try found no server. */
  cutOff(): boolean
  /** True while an answer is under way. */
  busy(): boolean
  /** Tries at once what waits for its next try. */
  hurry(): void
  /** Resolves when everything is acknowledged. */
  drained(): Promise<void>
  stop(): void
}

export const mostAtOnce = 100
/** Milliseconds before the next try: soon at first, then at most every five seconds, for as long as it takes. */
export const pauseAfter = (tries: number, reachable: boolean): number => Math.min(5_000, (reachable ? 80 : 300) * 2 ** Math.min(tries, 8))
/** Milliseconds: a wagon that nobody could tell about for so long was settled another way. */
const forgottenAfter = 7 * 24 * 3_600_000

export function openEventQueue(doors: EventQueueDoors): EventQueue {
  let events: QueuedEvent[] = []
  const known = new Set<string>()
  let seq = 0
  let tries = 0
  let underWay = false
  let unreachable = false
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let writes: Promise<unknown> = Promise.resolve()
  let drains: (() => void)[] = []

  const mine = (): QueuedEvent[] => events.filter(one => one.user_id === doors.user_id())
  /** One after the other, so that nothing is put back after it was removed. */
  const write = (act: () => Promise<unknown>): void => {
    writes = writes.then(act).catch(() => undefined)
  }

  function forget(done: readonly QueuedEvent[]): void {
    const ids = new Set(done.map(one => one.event.id))
    events = events.filter(one => !ids.has(one.event.id))
    write(() => doors.shelf.remove([...ids]))
  }

  function batch(): QueuedEvent[] {
    const all = mine()
    const first = all[0]
    if (!first) return []
    // Only what follows directly: an event of another wagon in between was done in between.
    const until = all.findIndex(one => one.pick_list_id !== first.pick_list_id || one.wagon_no !== first.wagon_no)
    return all.slice(0, until < 0 ? mostAtOnce : Math.min(until, mostAtOnce))
  }

  async function pump(): Promise<void> {
    const sending = batch()
    const [first] = sending
    if (stopped || underWay || !first) return
    clearTimeout(timer)
    timer = undefined
    underWay = true
    const outcome = await doors.send(
      first.pick_list_id,
      first.wagon_no,
      sending.map(one => one.event),
    )
    underWay = false
    if (stopped) return
    unreachable = outcome.kind === 'again' && !outcome.reachable
    if (outcome.kind === 'again') {
      timer = setTimeout(() => void pump(), pauseAfter(tries, outcome.reachable))
      tries += 1
      doors.onChange()
      return
    }
    tries = 0
    if (outcome.kind === 'refused') {
      forget(sending)
      doors.onRefused(sending, outcome.error)
    } else {
      const answers = new Map(outcome.answers.map(answer => [answer.id, answer]))
      const answered = sending.filter(one => answers.has(one.event.id))
      forget(answered)
      for (const one of answered) doors.onAnswer(one, answers.get(one.event.id) as EventAnswer)
      // A server that answers nothing of what it was asked is asked again, but not at once.
      if (answered.length === 0) {
        timer = setTimeout(() => void pump(), pauseAfter(4, true))
        doors.onChange()
        return
      }
    }
    doors.onChange()
    if (mine().length === 0) {
      const done = drains
      drains = []
      for (const one of done) one()
    }
    void pump()
  }

  function insert(queued: QueuedEvent): boolean {
    if (known.has(queued.event.id)) return false
    known.add(queued.event.id)
    events = [...events, queued].sort((one, other) => one.seq - other.seq)
    return true
  }

  return {
    add(given) {
      seq = Math.max(seq + 1, Date.now() * 1_000)
      const queued = { ...given, seq }
      if (!insert(queued)) return
      write(() => doors.shelf.put(queued))
      doors.onChange()
      void pump()
    },
    async restore() {
      const stored = await doors.shelf.load().catch(() => [])
      const old = stored.filter(one => Date.now() - one.seq / 1_000 > forgottenAfter)
      if (old.length > 0) write(() => doors.shelf.remove(old.map(one => one.event.id)))
      for (const one of stored) if (!old.includes(one)) insert(one)
      if (stored.length > 0) doors.onChange()
      void pump()
    },
    waiting: mine,
    cutOff: () => unreachable && mine().length > 0,
    busy: () => underWay,
    hurry: () => void pump(),
    drained: () =>
      new Promise(resolve => {
        if (mine().length === 0) resolve()
        else drains.push(resolve)
      }),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
