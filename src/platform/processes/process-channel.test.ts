/** Questions and answers between processes. */
import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { openProcessChannel } from './process-channel.ts'

class End extends EventEmitter {
  other: End | undefined
  send(message: unknown, done: (error: Error | null) => void): void {
    const copy = structuredClone(message)
    setImmediate(() => this.other?.emit('message', copy))
    done(null)
  }
}

function pipe(): [End, End] {
  const [one, other] = [new End(), new End()]
  one.other = other
  other.other = one
  return [one, other]
}

type Calculator = { add(a: number, b: number): Promise<number>; fail(): Promise<void>; wait(): Promise<void> }
const calculator: Calculator = {
  add: async (a, b) => a + b,
  fail: async () => {
    throw Object.assign(new Error('The port is taken'), { code: 'EADDRINUSE' })
  },
  wait: () => new Promise(() => undefined),
}

it('answers each question by its name', async () => {
  const [one, other] = pipe()
  const asked = openProcessChannel<Calculator>(one, {})
  openProcessChannel(other, calculator)
  expect(await Promise.all([asked.ask('add', 1, 2), asked.ask('add', 3, 4)])).toEqual([3, 7])
})

it('throws what the other process throws, with its code', async () => {
  const [one, other] = pipe()
  const asked = openProcessChannel<Calculator>(one, {})
  openProcessChannel(other, calculator)
  await expect(asked.ask('fail')).rejects.toMatchObject({ message: 'The port is taken', code: 'EADDRINUSE' })
})

it('throws where the other process ends before it answers', async () => {
  const [one, other] = pipe()
  const asked = openProcessChannel<Calculator>(one, {})
  openProcessChannel(other, calculator)
  const waiting = asked.ask('wait')
  one.emit('disconnect')
  await expect(waiting).rejects.toThrow('The other process has ended')
})
