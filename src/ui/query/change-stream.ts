/** Live notices: one stream of server-sent events per page, which says what changed, never the data itself. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type ChangeTopic, changeTopics } from '#contract/topics.ts'
import { among, isWholeNumber, listOf, objectOf, optional } from '#domain/guards.ts'
import { apiHost, authorization, companyOfHost } from './request-context.ts'

export interface Notice {
  topic: ChangeTopic
  id?: number | undefined
  company_id?: number | undefined
}
const areNotices = listOf(
  objectOf<Notice>({ topic: among(changeTopics), id: optional(isWholeNumber), company_id: optional(isWholeNumber) }),
)

/** What is listened to: all objects of a topic, or one of them. */
export type Interest = ChangeTopic | { topic: ChangeTopic; id: number }

/** Whether a notice concerns one who listens to these; one without an id concerns every object of its topic. */
export const concerns = (interests: readonly Interest[], notice: Notice): boolean =>
  interests.some(interest =>
    typeof interest === 'string'
      ? interest === notice.topic
      : interest.topic === notice.topic && (notice.id === undefined || notice.id === interest.id),
  )
const textOf = (interest: Interest): string => (typeof interest === 'string' ? interest : `${interest.topic}:${interest.id}`)

export type Connection = 'off' | 'connecting' | 'open' | 'lost'
interface State {
  connection: Connection
  /** When the stream was last known to work, in milliseconds. */
  heard: number
}

let state: State = { connection: 'off', heard: Date.now() }
const watchers = new Set<() => void>()
interface Listener {
  /** Asked each time, for what a screen shows changes. */
  interests: () => readonly Interest[]
  /** Gets the notices of one frame that concern it. */
  hear: (notices: readonly Notice[]) => void
}
const listeners = new Set<Listener>()
const returns = new Set<() => void>()

function set(connection: Connection): void {
  if (connection === 'open') state.heard = Date.now()
  if (connection === state.connection) return
  state = { ...state, connection }
  for (const watcher of watchers) watcher()
}
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const useConnection = (): Connection => useSyncExternalStore(watch, () => state.connection)
/** When the page last knew that what it shows is current. */
export const lastMessageAt = (): number => state.heard

/** Listens for changes, several at a time. Answers the function that stops it. `interestsChanged` says that there are other interests. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener)
  interestsChanged()
  return () => void listeners.delete(listener)
}

/** Listens for changes while the component is there; `hear` may be a new function each time. */
export function useChanges(interests: readonly Interest[], hear: (notice: Notice) => void): void {
  const latest = useRef({ interests, hear })
  const key = interests.map(textOf).join()
  useEffect(() => {
    latest.current = { interests, hear }
  })
  const listens = key !== ''
  // The outside system is the stream of notices.
  useEffect(
    () =>
      listens
        ? onChanges({
            interests: () => latest.current.interests,
            hear: notices => {
              for (const notice of notices) latest.current.hear(notice)
            },
          })
        : undefined,
    [listens],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: other interests need another stream
  useEffect(() => interestsChanged(), [key])
}

/** Called when the stream works again after a gap, in which notices were missed. */
export function onReconnect(listener: () => void): () => void {
  returns.add(listener)
  return () => void returns.delete(listener)
}

/** The server says something at least every 25 seconds; a stream that is silent for longer than this is dead. */
const silence = 70_000
const longestPause = 30_000

let run: AbortController | undefined
/** What the open stream carries, and what ends it in favour of one that carries more. */
let carried: ReadonlySet<string> = new Set()
let replace: AbortController | undefined
/** The stream is open: what it carries has been heard of until now. */
let stands = false
let settling: ReturnType<typeof setTimeout> | undefined
let settlingSince = Number.POSITIVE_INFINITY
/** Since when something may be wanted that the stream does not carry. */
let wantedSince = 0
/** Milliseconds for which interests settle: a screen that opens asks for its parts one after the other. */
const settleFor = 100

const wanted = (): Set<string> => new Set([...listeners].flatMap(listener => listener.interests().map(textOf)))
const carries = (interest: string): boolean => carried.has(interest) || carried.has(interest.split(':')[0] ?? '')

/**
 * The stream is opened anew when something is wanted that it does not carry; what it carries too much does no harm.
 * `since` is when the first of what is wanted was asked for: now, unless it was asked for before it was shown.
 */
export function interestsChanged(since = Date.now()): void {
  settlingSince = Math.min(settlingSince, since)
  if (settling !== undefined) return
  settling = setTimeout(() => {
    settling = undefined
    const from = settlingSince
    settlingSince = Number.POSITIVE_INFINITY
    if (!replace || [...wanted()].every(carries)) return
    wantedSince = stands ? from : Math.min(wantedSince, from)
    replace.abort()
  }, settleFor)
}

/** Opens the stream and keeps it open until `stopChangeStream`. */
export function startChangeStream(): void {
  if (run) return
  run = new AbortController()
  void keepOpen(run.signal)
}

export function stopChangeStream(): void {
  run?.abort()
  run = undefined
  set('off')
}

async function keepOpen(stop: AbortSignal): Promise<void> {
  let failures = 0
  let gap = false
  wantedSince = Date.now()
  set('connecting')
  // The screen asks for its parts meanwhile, so that the first stream carries them all.
  await pause(settleFor, stop)
  while (!stop.aborted) {
    const began = Date.now()
    const other = new AbortController()
    replace = other
    stands = false
    carried = wanted()
    try {
      // What was asked before the stream stood may have grown old since; after a gap everything is asked for anew.
      await readOnce(AbortSignal.any([stop, other.signal]), gap ? 0 : Date.now() - wantedSince + 1, () => {
        failures = 0
        stands = true
        set('open')
        if (gap) for (const listener of returns) listener()
        gap = false
      })
    } catch {
      // Refused, cut or silent: the pause below and another try answer all of them.
    }
    if (stop.aborted) return
    // It ended in favour of a stream that carries more: what changed meanwhile is repeated by the server.
    if (other.signal.aborted) continue
    gap = true
    // A stream that lasted ended by itself (a deploy, a proxy's limit) and is opened again at once.
    failures = Date.now() - began > 20_000 ? 0 : failures + 1
    if (failures > 0) set('lost')
    await pause(Math.min(longestPause, 500 * 2 ** Math.min(failures, 7)) * (0.75 + Math.random() / 2), stop)
  }
}

/** `missed`: milliseconds before now whose notices are wanted as well. */
async function readOnce(stop: AbortSignal, missed: number, opened: () => void): Promise<void> {
  const dead = new AbortController()
  let timer = setTimeout(() => dead.abort(), silence)
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => dead.abort(), silence)
    state.heard = Date.now()
  }
  try {
    const response = await fetch(
      `${apiHost()}/api/${companyOfHost()}/live?${new URLSearchParams({ missed: `${missed}`, topics: [...carried].join() })}`,
      {
        headers: { accept: 'text/event-stream', ...authorization() },
        signal: AbortSignal.any([stop, dead.signal]),
        cache: 'no-store',
        credentials: 'omit',
      },
    )
    if (!response.ok || !response.body) throw new Error(`The stream of notices was refused with ${response.status}`)
    opened()
    let ready = 0
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream({ onComment: alive }))
    const reader = events.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      // The first says that the stream stands; a later one, that notices were dropped because the page read too slowly.
      if (value.event === 'ready') {
        ready += 1
        if (ready > 1) for (const listener of returns) listener()
      } else notify(value.data)
    }
  } finally {
    clearTimeout(timer)
  }
}

function notify(data: string): void {
  let parsed: unknown
  try {
    parsed = JSON.parse(data)
  } catch {
    return
  }
  if (!areNotices(parsed)) return
  const notices = parsed
  for (const { interests, hear } of listeners) {
    const some = interests()
    const own = notices.filter(notice => concerns(some, notice))
    if (own.length > 0) hear(own)
  }
}

/** Waits, but not longer than until the browser says that the network is back. */
const pause = (milliseconds: number, stop: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      stop.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    window.addEventListener('online', end)
    stop.addEventListener('abort', end)
  })
