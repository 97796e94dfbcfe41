/** Days of a simulated warehouse. `npm run proof -- day` runs whole ones by the hundred, `npm run proof -- day --seed 17` one of them again. */
import { expect, it } from 'vitest'
import type { DayPlan } from './day-actors.ts'
import { faultsOfDay } from './day-server.ts'
import { simulateDay } from './warehouse-day.ts'

/** A day that takes seconds: as many people, fewer orders, and more faults for each. */
const shortDay: DayPlan = { shops: 3, pickers: 10, stations: 20, orders: 6 }
const manyFaults = { ...faultsOfDay, death: 0.004, broken: 0.01, unconfirmed: 0.01 }

it('ends with totals that agree, and the same seed gives the same day', async () => {
  const first = await simulateDay(1, shortDay, manyFaults)
  expect(first.wrong, 'seed 1').toEqual({})
  expect(first.crashes).toBeGreaterThan(0)
  const again = await simulateDay(1, shortDay, manyFaults)
  expect(again.lines).toEqual(first.lines)
  expect(again.hash).toBe(first.hash)
})

it('finds a database that forgets what it confirmed', async () => {
  const outcome = await simulateDay(2, shortDay, { ...faultsOfDay, death: 0, forgotten: 0.1 }).then(
    day => Object.keys(day.wrong),
    (error: Error) => [error.message],
  )
  expect(outcome.length).toBeGreaterThan(0)
})
