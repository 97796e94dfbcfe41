/** The first screen of a visit. What stands beside it loads afterwards, so that an old computer draws the screen itself first. */

/** Milliseconds after which the rest loads in any case: one slow answer must not keep it away. */
const atMost = 4_000

let settle: () => void = () => undefined
const drawn = new Promise<void>(resolve => {
  settle = resolve
  setTimeout(resolve, atMost)
})

/** Called once, when the first screen is drawn and its questions are answered. */
export const firstScreenIsDrawn = (): void => settle()

/** Milliseconds between two looks for the server, doubled up to a minute. */
const soon = 2_000
const atLatest = 60_000

let ready: Promise<void> | undefined

/** Loads a part after the first screen, and in a gap of the network after that: a browser never asks again for code that it once did not get. */
export const afterFirstScreen =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  async () => {
    ready ??= drawn.then(untilThereIsCode)
    await ready
    return load()
  }

async function untilThereIsCode(): Promise<void> {
  for (let wait = soon; !(await isThereCode()); wait = Math.min(wait * 2, atLatest)) await onlineOrAfter(wait)
}

/** The service worker has the code of all screens; without it the server has to answer. */
async function isThereCode(): Promise<boolean> {
  if (navigator.serviceWorker?.controller) return true
  try {
    const answer = await fetch('/conf.json', { cache: 'no-store' })
    // An answer that is not read to its end keeps its connection.
    await answer.text()
    return answer.ok
  } catch {
    return false
  }
}

const onlineOrAfter = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    const ended = new AbortController()
    const goOn = () => {
      clearTimeout(timer)
      ended.abort()
      resolve()
    }
    const timer = setTimeout(goOn, milliseconds)
    window.addEventListener('online', goOn, { signal: ended.signal })
  })
