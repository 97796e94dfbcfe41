/** Questions and answers between the first process and the ones that it starts. */

/** The end of a pipe between processes: `process` in a child, the worker in its parent. */
interface Port {
  on(event: 'message', receive: (message: unknown) => void): unknown
  once(event: 'disconnect', end: () => void): unknown
  send?(message: unknown, sent: (error: Error | null) => void): unknown
}

type Question = { ask: number; name: string; given: unknown[] }
type Answer = { answer: number; value?: unknown } | { answer: number; error: { message: string; code: string | undefined; stack: string | undefined } }

/** What a process answers, by name. What is passed can be sent as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of each answer differ
type Answers = Record<string, (...given: never[]) => unknown>

export interface ProcessChannel<Other extends Answers> {
  /** Throws what the other process throws; or that it has ended, or does not answer within `patience` milliseconds. */
  ask<K extends keyof Other & string>(name: K, ...given: Parameters<Other[K]>): Promise<Awaited<ReturnType<Other[K]>>>
}
