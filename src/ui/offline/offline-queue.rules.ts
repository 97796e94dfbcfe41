/** The offline queue as pure rules: entries are added, sent in order within their key, and removed only when the server has answered them. */
import { retryDelay } from './retry.rules.ts'

export type Key = string | number

/** How the queue reads an entry. The entry itself is stored as it is, so a format of an earlier version stays readable. */
export interface EntryFormat<Entry> {
  /** Made once on this device: an entry that is sent again is the same entry to the server. */
  id: (entry: Entry) => string
  /** Entries of one key are sent in order; keys do not wait for each other. */
  key: (entry: Entry) => Key
  /** Who made it: it is never sent in another person's name. */
  user_id: (entry: Entry) => number
  /** Milliseconds since 1970; the order within a key. */
  at: (entry: Entry) => number
  withTime: (entry: Entry, at: number) => Entry
  /** How many of the entries, which have one key and begin with the next to send, go in one request; 1 if absent. */
  batchSize?: (entries: readonly Entry[]) => number
}

/** The result of one request: answers by entry id, worth another try, or refused for good. */
export type Outcome<Answer> =
  | { kind: 'answered'; answers: ReadonlyMap<string, Answer> }
  | { kind: 'again'; reachable: boolean }
  | { kind: 'refused'; error: unknown }

interface Line<Entry> {
  /** Not acknowledged, oldest first. */
  entries: readonly Entry[]
  inFlight: boolean
  failures: number
}

export interface QueueState<Entry> {
  lines: ReadonlyMap<Key, Line<Entry>>
  /** Every id that was ever added: an entry is taken only once. */
  known: ReadonlySet<string>
  /** The last request found no server. */
  unreachable: boolean
}

export const emptyQueue = { lines: new Map(), known: new Set<string>(), unreachable: false } as const

const emptyLine = { entries: [], inFlight: false, failures: 0 }

function withLine<Entry>(state: QueueState<Entry>, key: Key, change: Partial<Line<Entry>>): QueueState<Entry> {
  const line: Line<Entry> = state.lines.get(key) ?? emptyLine
  return { ...state, lines: new Map(state.lines).set(key, { ...line, ...change }) }
}

function insert<Entry>(state: QueueState<Entry>, format: EntryFormat<Entry>, added: readonly Entry[]): QueueState<Entry> {
  const known = new Set(state.known)
  const lines = new Map(state.lines)
  for (const entry of added) {
    if (known.has(format.id(entry))) continue
    known.add(format.id(entry))
    const line = lines.get(format.key(entry)) ?? emptyLine
    lines.set(format.key(entry), {
      ...line,
      entries: [...line.entries, entry].sort((one, other) => format.at(one) - format.at(other)),
    })
  }
  return { ...state, known, lines }
}

/** Adds one entry behind the others of its key. `added` is the entry as it must be stored; absent if it is known already. */
export function enqueue<Entry>(
  state: QueueState<Entry>,
  format: EntryFormat<Entry>,
  entry: Entry,
): { state: QueueState<Entry>; added?: Entry } {
  if (state.known.has(format.id(entry))) return { state }
  const last = state.lines.get(format.key(entry))?.entries.at(-1)
  // Two entries of one millisecond stay in the order in which they came.
  const added = last && format.at(last) >= format.at(entry) ? format.withTime(entry, format.at(last) + 0.001) : entry
  return { state: insert(state, format, [added]), added }
}

/** Takes up entries that an earlier page stored; those older than `longest` milliseconds are `expired`. */
export function resume<Entry>(
  state: QueueState<Entry>,
  format: EntryFormat<Entry>,
  stored: readonly Entry[],
  now: number,
  longest: number,
): { state: QueueState<Entry>; expired: readonly Entry[] } {
  const expired = stored.filter(entry => now - format.at(entry) > longest)
  return {
    state: insert(
      state,
      format,
      stored.filter(entry => !expired.includes(entry)),
    ),
    expired,
  }
}

/** Entries of this person that are not acknowledged, of one key or of all. */
export function waitingOf<Entry>(
  state: QueueState<Entry>,
  format: EntryFormat<Entry>,
  user_id: number | undefined,
  key?: Key,
): readonly Entry[] {
  const entries = key === undefined ? [...state.lines.values()].flatMap(line => line.entries) : (state.lines.get(key)?.entries ?? [])
  return entries.filter(entry => format.user_id(entry) === user_id)
}

/** Marks the next entries of a key as being sent; none while a request of this key is under way. */
export function beginRequest<Entry>(
  state: QueueState<Entry>,
  format: EntryFormat<Entry>,
  user_id: number | undefined,
  key: Key,
): { state: QueueState<Entry>; batch: readonly Entry[] } {
  const entries = waitingOf(state, format, user_id, key)
  if (state.lines.get(key)?.inFlight || entries.length === 0) return { state, batch: [] }
  return { state: withLine(state, key, { inFlight: true }), batch: entries.slice(0, format.batchSize?.(entries) ?? 1) }
}

/** Ends the request. `removed` is acknowledged or refused; `retryAfter` is absent if the key may go on at once. */
export function endRequest<Entry, Answer>(
  state: QueueState<Entry>,
  format: EntryFormat<Entry>,
  key: Key,
  batch: readonly Entry[],
  outcome: Outcome<Answer>,
): { state: QueueState<Entry>; removed: readonly Entry[]; retryAfter?: number } {
  const line = state.lines.get(key) ?? emptyLine
  if (outcome.kind === 'again')
    return {
      state: { ...withLine(state, key, { inFlight: false, failures: line.failures + 1 }), unreachable: !outcome.reachable },
      removed: [],
      retryAfter: retryDelay(line.failures, outcome.reachable),
    }
  const removed = outcome.kind === 'refused' ? batch : batch.filter(entry => outcome.answers.has(format.id(entry)))
  const gone = new Set(removed.map(format.id))
  const entries = line.entries.filter(entry => !gone.has(format.id(entry)))
  return {
    state: { ...withLine(state, key, { entries, inFlight: false, failures: 0 }), unreachable: false },
    removed,
    // A server that answers none of the entries is asked again, but not at once.
    ...(removed.length === 0 && { retryAfter: retryDelay(4, true) }),
  }
}
