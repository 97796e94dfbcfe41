/** The rounds of a deployment with several servers. */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#test/test-app.ts'
import { type ScheduledTask, startScheduler } from './scheduler.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())

it('are made by one server at a time, and go on when one of them stops', async () => {
  let busy = 0
  let most = 0
  const made = { one: 0, other: 0 }
  const schedule = (server: keyof typeof made): ScheduledTask => ({
    name: 'test',
    seconds: 0.02,
    async run() {
      most = Math.max(most, ++busy)
      await wait(30)
      made[server]++
      busy--
    },
  })
  const stopOne = startScheduler(testApp.services, [schedule('one')])
  const stopOther = startScheduler(testApp.services, [schedule('other')])
  await expect.poll(() => made.one + made.other).toBeGreaterThan(10)
  await stopOne()
  const before = made.other
  await expect.poll(() => made.other).toBeGreaterThan(before + 2)
  await stopOther()
  expect(most).toBe(1)
})
