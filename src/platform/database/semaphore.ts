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
      // Whoever waits longest takes the lane over: nobody who comes now finds it free.
      const next = waiting.shift()
      if (next) next()
      else busy--
    }
  }
}
