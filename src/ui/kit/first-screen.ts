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

/** Loads a part after the first screen. */
export const afterFirstScreen =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  () =>
    drawn.then(load)
