/** Limits that several processes share. */
import { expect, it } from 'vitest'
import { createLimitCounters } from './shared-limits.ts'

const owner = { operator_id: 1, company_id: 2, user_id: 3 }

it('counts the streams of all processes, and forgets those of a process that has ended', async () => {
  const counters = createLimitCounters()
  const [one, other] = [counters.of(1), counters.of(2)]
  for (let i = 0; i < 10; i++) expect([await one.openStream(owner), await other.openStream(owner)]).toEqual([null, null])
  expect(await one.openStream(owner)).toEqual({ of: 'user', limit: 20 })
  await other.closeStream(owner)
  expect(await one.openStream(owner)).toBe(null)
  counters.forget(1)
  for (let i = 0; i < 11; i++) expect(await other.openStream(owner)).toBe(null)
  expect(await other.openStream(owner)).toEqual({ of: 'user', limit: 20 })
})

it('counts the streams of a company over its users', async () => {
  const limits = createLimitCounters().of(1)
  for (let i = 0; i < 200; i++) expect(await limits.openStream({ ...owner, user_id: i })).toBe(null)
  expect(await limits.openStream({ ...owner, user_id: 200 })).toEqual({ of: 'company', limit: 200 })
  expect(await limits.openStream({ ...owner, company_id: 9, user_id: 200 })).toBe(null)
})

it('counts calls of all processes in one span, and anew in the next one', async () => {
  let now = 1_000
  const counters = createLimitCounters(() => now)
  expect(await counters.of(1).countCall('key 1 7', 60_000)).toEqual({ current: 1, ttl: 60_000 })
  now += 20_000
  expect(await counters.of(2).countCall('key 1 7', 60_000)).toEqual({ current: 2, ttl: 40_000 })
  expect(await counters.of(2).countCall('key 1 8', 60_000)).toEqual({ current: 1, ttl: 60_000 })
  now += 40_000
  expect(await counters.of(2).countCall('key 1 7', 60_000)).toEqual({ current: 1, ttl: 60_000 })
})

it('forgets the calls of longest ago when very many callers call', async () => {
  const limits = createLimitCounters(() => 0).of(1)
  await limits.countCall('early', 60_000)
  for (let i = 0; i < 49_998; i++) await limits.countCall(`caller ${i}`, 60_000)
  await limits.countCall('late', 60_000)
  await limits.countCall('one more', 60_000)
  expect(await limits.countCall('late', 60_000)).toMatchObject({ current: 2 })
  expect(await limits.countCall('early', 60_000)).toMatchObject({ current: 1 })
})

it('counts failed sign-ins and wrong PINs of all processes together', async () => {
  const counters = createLimitCounters()
  const [one, other] = [counters.of(1), counters.of(2)]
  const attempt = { accounts: ['kim'], address: '192.0.2.1', familiar: ['kim'], addressInUse: true }
  for (let i = 0; i < 5; i++) expect([await one.beginLogin(attempt, 0), await other.beginLogin(attempt, 0)]).toEqual([0, 0])
  expect(await one.beginLogin(attempt, 0)).toBe(15)
  await other.succeedLogin(attempt, 'kim')
  expect(await one.beginLogin(attempt, 0)).toBe(0)
  for (let i = 0; i < 5; i++) expect(await (i % 2 ? one : other).beginPin('kim', 0)).toBe(0)
  expect(await one.beginPin('kim', 0)).toBe(15)
  await other.succeedPin('kim')
  expect(await one.beginPin('kim', 0)).toBe(0)
})

it('says how many calls the present span has', async () => {
  let now = 1_000
  const limits = createLimitCounters(() => now).of(1)
  expect(await limits.callsNow('key')).toBe(0)
  await limits.countCall('key', 60_000)
  await limits.countCall('key', 60_000)
  now += 59_999
  expect(await limits.callsNow('key')).toBe(2)
  now += 1
  expect(await limits.callsNow('key')).toBe(0)
})

it('never counts fewer streams than none', async () => {
  const limits = createLimitCounters().of(1)
  await limits.closeStream(owner)
  for (let i = 0; i < 20; i++) expect(await limits.openStream(owner)).toBe(null)
  expect(await limits.openStream(owner)).toEqual({ of: 'user', limit: 20 })
})
