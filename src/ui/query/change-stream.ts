/** Live notices: one stream of server-sent events per page, which says what changed, never the data itself. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import * as z from 'zod'
import { ChangeTopic } from '#contract/topics.ts'
import { apiHost, authorization, companyOfHost } from './request-context.ts'

const Notice = z.object({ topic: ChangeTopic, id: z.number().int().optional(), company_id: z.number().int().optional() })
export type Notice = z.infer<typeof Notice>

export type Connection = 'off' | 'connecting' | 'open' | 'lost'
interface State {
  connection: Connection
  /** When the stream was last known to work, in milliseconds. */
  heard: number
}

let state: State = { connection: 'off', heard: Date.now() }
const watchers = new Set<() => void>()
const listeners = new Set<{ topics: readonly ChangeTopic[] | 'all'; hear: (notice: Notice) => void }>()
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

/** Hears notices of these topics. Answers the function that stops it. */
export function onChange(topics: readonly ChangeTopic[] | 'all', hear: (notice: Notice) => void): () => void {
  const listener = { topics, hear }
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Hears notices of these topics while the component is there; `hear` may be a new function each time. */
export function useChanges(topics: ChangeTopic | readonly ChangeTopic[], hear: (notice: Notice) => void): void {
  const latest = useRef(hear)
  const key = typeof topics === 'string' ? topics : topics.join(' ')
  useEffect(() => {
    latest.current = hear
  })
  // The outside system is the stream of notices.
  useEffect(
    () =>
      key === ''
        ? undefined
        : onChange(
            ChangeTopic.options.filter(topic => key.split(' ').includes(topic)),
            notice => latest.current(notice),
          ),
    [key],
  )
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

/** Opens the stream and keeps it open until `stopLive`. */
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
  const first = Date.now()
  set('connecting')
  while (!stop.aborted) {
    const began = Date.now()
    try {
      // What was asked before the stream stood may have grown old since; after a gap everything is asked for anew.
      await readOnce(stop, gap ? 0 : Date.now() - first + 1, () => {
        failures = 0
        set('open')
        if (gap) for (const listener of returns) listener()
      })
    } catch {
      // Refused, cut or silent: the pause below and another try answer all of them.
    }
    if (stop.aborted) return
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
    const response = await fetch(`${apiHost()}/api/${companyOfHost()}/live?missed=${missed}`, {
      headers: { accept: 'text/event-stream', ...authorization() },
      signal: AbortSignal.any([stop, dead.signal]),
      cache: 'no-store',
      credentials: 'omit',
    })
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
  const notice = Notice.safeParse(parsed).data
  if (!notice) return
  for (const { topics, hear } of listeners) if (topics === 'all' || topics.includes(notice.topic)) hear(notice)
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
