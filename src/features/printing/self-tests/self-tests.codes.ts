/** Codes and limits that screens and schemas of self-tests share. */

/** `waiting`: the page was printed and is to be scanned. `missed`: no one has scanned it in time. `skipped`: a packer went on without it. */
export const selfTestStates = ['waiting', 'proved', 'missed', 'skipped'] as const
export type SelfTestState = (typeof selfTestStates)[number]

/** Minutes within which a page is scanned back. */
export const scanMinutes = 30
