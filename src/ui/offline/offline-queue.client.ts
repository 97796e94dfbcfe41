import {
  beginRequest,
  type EntryFormat,
  emptyQueue,
  endRequest,
  enqueue,
  type Key,
  type Outcome,
  type QueueState,
  resume,
  waitingOf,
} from './offline-queue.rules.ts'

/** Where entries survive a reload. If every operation fails, the queue lives in memory only. */
export interface EntryStore<Entry> {
  load(): Promise<Entry[]>
  put(entry: Entry): Promise<void>
  remove(ids: readonly string[]): Promise<void>
}

interface OfflineQueueOptions<Entry, Answer> {
  format: EntryFormat<Entry>
  store: EntryStore<Entry>
  /** Milliseconds after which a stored entry is dropped at a reload: what it belongs to ended another way. */
  expiresAfter: number
  user_id: () => number | undefined
  /** Sends entries of one key, oldest first. Never throws. */
  send: (batch: readonly Entry[]) => Promise<Outcome<Answer>>
  onAnswer: (entry: Entry, answer: Answer) => void
  onRefused: (batch: readonly Entry[], error: unknown) => void
  onChange: () => void
}

export interface OfflineQueue<Entry> {
  add(entry: Entry): void
  /** Takes up what an earlier page left behind. */
  restore(): Promise<void>
  /** Entries of this person that are not acknowledged, of one key or of all. */
  waiting(key?: Key): readonly Entry[]
  /** True while entries wait and the last request found no server. */
  isOffline(): boolean
  /** True while a request is under way. */
  isSending(): boolean
  /** Sends at once what waits for its next try. */
  retryNow(): void
  /** Nothing of this key is sent before `release`. */
  hold(key: Key): void
  release(key: Key): void
  /** Resolves when every entry of this key is acknowledged. */
  drained(key: Key): Promise<void>
  stop(): void
}

export function openOfflineQueue<Entry, Answer>(options: OfflineQueueOptions<Entry, Answer>): OfflineQueue<Entry> {
  const { format, store } = options
  let state: QueueState<Entry> = emptyQueue
  const timers = new Map<Key, ReturnType<typeof setTimeout>>()
  let drains: { key: Key; resolve: () => void }[] = []
  let writes: Promise<unknown> = Promise.resolve()
  const held = new Set<Key>()
  let stopped = false

  const waiting = (key?: Key): readonly Entry[] => waitingOf(state, format, options.user_id(), key)

  /** One write after the other, so that no entry is put back after it was removed. */
  function write(act: () => Promise<void>): void {
    writes = writes.then(act).catch(() => undefined)
  }

  async function pump(key: Key): Promise<void> {
    if (stopped || held.has(key)) return
    const request = beginRequest(state, format, options.user_id(), key)
    if (request.batch.length === 0) return
    clearTimeout(timers.get(key))
    state = request.state
    const outcome = await options.send(request.batch)
    if (stopped) return
    const end = endRequest(state, format, key, request.batch, outcome)
    state = end.state
    if (end.removed.length > 0) write(() => store.remove(end.removed.map(format.id)))
    if (outcome.kind === 'refused') options.onRefused(end.removed, outcome.error)
    else if (outcome.kind === 'answered')
      for (const entry of end.removed) {
        const answer = outcome.answers.get(format.id(entry))
        if (answer !== undefined) options.onAnswer(entry, answer)
      }
    options.onChange()
    if (end.retryAfter !== undefined) {
      timers.set(
        key,
        setTimeout(() => void pump(key), end.retryAfter),
      )
      return
    }
    if (waiting(key).length === 0) {
      const done = drains.filter(one => one.key === key)
      drains = drains.filter(one => one.key !== key)
      for (const { resolve } of done) resolve()
    }
    void pump(key)
  }

  function pumpAll(): void {
    for (const key of state.lines.keys()) void pump(key)
  }

  return {
    add(entry) {
      const { added, state: next } = enqueue(state, format, entry)
      if (added === undefined) return
      state = next
      write(() => store.put(added))
      options.onChange()
      void pump(format.key(added))
    },
    async restore() {
      const stored = await store.load().catch(() => [])
      const { expired, state: next } = resume(state, format, stored, Date.now(), options.expiresAfter)
      state = next
      if (expired.length > 0) write(() => store.remove(expired.map(format.id)))
      if (stored.length > 0) options.onChange()
      pumpAll()
    },
    waiting,
    isOffline: () => state.unreachable && waiting().length > 0,
    isSending: () => [...state.lines.values()].some(line => line.inFlight),
    retryNow: pumpAll,
    hold: key => void held.add(key),
    release(key) {
      held.delete(key)
      void pump(key)
    },
    drained: key =>
      new Promise(resolve => {
        if (waiting(key).length === 0) resolve()
        else drains.push({ key, resolve })
      }),
    stop() {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
