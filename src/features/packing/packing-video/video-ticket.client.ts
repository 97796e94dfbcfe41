/** A video element sends no header: the session is exchanged for a cookie that opens one video, again before it ends. */
import { useEffect, useState } from 'react'
import { CallError, noAnswer } from '#ui/query/call-error.ts'
import { send, urlOf } from '#ui/query/calls.ts'
import { apiHost } from '#ui/query/request-context.ts'
import { packingVideo } from './packing-video.contract.ts'

/** The cookie lives for ten minutes. */
const renewAfter = 540_000

export const addressOfVideo = (id: number): string => apiHost() + urlOf(packingVideo.get, { id })

export function useVideoTicket(id: number): { ready: boolean; error: CallError | null; again: () => void } {
  const [state, setState] = useState<{ id: number; error: CallError | null } | null>(null)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks once more
  useEffect(() => {
    const stop = new AbortController()
    const ask = () =>
      send(packingVideo.ticket, { id }, { cookies: true, signal: stop.signal }).then(
        () => setState({ id, error: null }),
        (error: unknown) => {
          if (!stop.signal.aborted) setState({ id, error: error instanceof CallError ? error : noAnswer() })
        },
      )
    void ask()
    const timer = setInterval(() => void ask(), renewAfter)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [id, tries])
  const mine = state?.id === id ? state : null
  return { ready: mine !== null && mine.error === null, error: mine?.error ?? null, again: () => setTries(count => count + 1) }
}
