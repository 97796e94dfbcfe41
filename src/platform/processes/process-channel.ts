/** Questions and answers between two processes, of which one has started the other. */

import { errorOf, textIn } from '#domain/thrown.ts'

/** An end of the pipe between them: `process` in the child, the worker of `node:cluster` in its parent. */
interface Port {
  on(event: 'message', receive: (message: unknown) => void): unknown
  once(event: 'disconnect', end: () => void): unknown
  send?(message: unknown, done: (error: Error | null) => void): unknown
}

/** What a process answers, by name. What is passed is copied, so it holds no functions. */
type Answers = Record<string, (...given: never[]) => unknown>

export interface ProcessChannel<Other extends Answers> {
  /** Throws what the other process throws, and where it has ended. */
  ask<K extends keyof Other & string>(name: K, ...given: Parameters<Other[K]>): Promise<Awaited<ReturnType<Other[K]>>>
}

/** `id` is that of the question, counted by the process that asks. */
type Message<Given, Value> = { pakhus: true; id: number } & (
  | { kind: 'question'; name: string; given: Given }
  | { kind: 'answer'; value: Value }
  | { kind: 'error'; error: CopiedError }
)
type Sent = Message<readonly unknown[], unknown>
/** Its values fit the question and the answer by name, which only the two processes know. */
type Received = Message<never[], never>

export function openProcessChannel<Other extends Answers>(port: Port, own: Answers): ProcessChannel<Other> {
  const asked = new Map<number, { resolve: (value: never) => void; reject: (error: unknown) => void }>()
  let last = 0

  function send(message: Sent): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!port.send) return reject(new Error('No other process has started this one'))
      port.send(message, error => (error ? reject(error) : resolve()))
    })
  }
  async function reply(id: number, name: string, given: never[]): Promise<void> {
    let message: Sent
    try {
      message = { pakhus: true, kind: 'answer', id, value: await own[name]?.(...given) }
    } catch (error) {
      // A copy of an error would lose its code.
      const copied: CopiedError = { message: errorOf(error).message, stack: errorOf(error).stack, code: textIn(error, 'code') }
      message = { pakhus: true, kind: 'error', id, error: copied }
    }
    // A process that has ended waits for no answer.
    await send(message).catch(() => undefined)
  }
  port.on('message', received => {
    // Other parts of the process may use the pipe too.
    if (!isMessage(received)) return
    if (received.kind === 'question') return void reply(received.id, received.name, received.given)
    const question = asked.get(received.id)
    asked.delete(received.id)
    if (received.kind === 'error') question?.reject(copyOf(received.error))
    else question?.resolve(received.value)
  })
  port.once('disconnect', () => {
    for (const { reject } of asked.values()) reject(new Error('The other process has ended'))
    asked.clear()
  })

  return {
    ask: (name, ...given) =>
      new Promise((resolve, reject) => {
        const id = ++last
        asked.set(id, { resolve, reject })
        send({ pakhus: true, kind: 'question', id, name, given }).catch(error => {
          asked.delete(id)
          reject(error)
        })
      }),
  }
}

interface CopiedError {
  message: string
  stack: string | undefined
  code: string | undefined
}
const copyOf = ({ message, ...about }: CopiedError): Error => Object.assign(new Error(message), about)

const isMessage = (received: unknown): received is Received => typeof received === 'object' && received !== null && 'pakhus' in received
