/** Lanes: at most so many at once, the others in the order they came. */

export function createSemaphore(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let busy = 0
  return async work => {
    if (busy < most) busy++
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The one that waits longest takes the place over: it is never free for one that comes now.
      const next = waiting.shift()
      if (next) next()
      else busy--
    }
  }
}
