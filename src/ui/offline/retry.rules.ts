/** Which failed calls may be sent again, and how long to wait before. */
import { CallError } from '#ui/query/call-error.ts'

/** Milliseconds between two tries, at most. */
const longestDelay = 5_000

/** Milliseconds before the next try. `failures` counts the tries that failed before this one; a server that answers is asked again sooner. */
export const retryDelay = (failures: number, reachable: boolean): number =>
  Math.min(longestDelay, (reachable ? 60 : 300) * 2 ** Math.min(failures, 8))

/** Whether a failed call may be sent again unchanged, because nothing says that the server refused it; `reachable` says that the server answered. */
export function retryOf(error: unknown): { again: boolean; reachable: boolean } {
  // A fault of this program is not a refusal.
  if (!(error instanceof CallError)) return { again: true, reachable: false }
  const { status, code } = error
  if (status === 444 || status === 408 || status === 502 || status === 503 || status === 504) return { again: true, reachable: false }
  if (status === 401 || status === 429 || status >= 500) return { again: true, reachable: true }
  return { again: status === 409 && code === 'busy', reachable: true }
}
