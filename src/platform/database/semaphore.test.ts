/** Turns are given in order and none is lost. */
import { setImmediate as later } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createSemaphore } from './semaphore.ts'

it('let so many at once, in the order they came, also where some fail', async () => {
  const inTurn = createSemaphore(3)
  const began: number[] = []
  let busy = 0
  let most = 0
  const one = async (n: number) => {
    began.push(n)
    most = Math.max(most, ++busy)
    for (let i = 0; i < n % 4; i++) await later()
    busy--
    if (n % 5 === 0) throw new Error('It fails')
  }
  const numbers = Array.from({ length: 40 }, (_, n) => n)
  await Promise.allSettled(numbers.map(n => inTurn(() => one(n))))
  expect(most).toBe(3)
  expect(began).toEqual(numbers)
})

it('let no one in between one who ends and one who waits, whenever they come', async () => {
  for (let ticks = 0; ticks < 12; ticks++) {
    const inTurn = createSemaphore(1)
    const began: string[] = []
    let busy = 0
    const one = async (name: string, until: Promise<unknown>) => {
      began.push(name)
      expect(++busy).toBe(1)
      await until
      busy--
    }
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const first = inTurn(() => one('first', end))
    const second = inTurn(() => one('second', later()))
    resolve()
    for (let i = 0; i < ticks; i++) await undefined
    await Promise.all([first, second, inTurn(() => one('third', later()))])
    expect(began).toEqual(['first', 'second', 'third'])
  }
})
