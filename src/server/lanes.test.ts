/** Lanes: nobody overtakes, nobody is forgotten. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { lanes } from './lanes.ts'

it('let so many at once, in the order they came, also those who come when one ends and where some fail', async () => {
  const inTurn = lanes(3)
  const began: number[] = []
  let busy = 0
  let most = 0
  const one = async (n: number) => {
    began.push(n)
    most = Math.max(most, ++busy)
    await wait(n % 4)
    busy--
    if (n % 5 === 0) throw new Error('It fails')
  }
  const come = (n: number) => inTurn(() => one(n)).catch(() => undefined)
  // The later half comes just when earlier ones end.
  await Promise.all(Array.from({ length: 40 }, (_, n) => come(n).then(() => come(40 + n))))
  expect(most).toBe(3)
  expect(began.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, n) => n))
  expect(began).toHaveLength(80)
})
