/** 12,000 tries to reach another tenant with both fences, and 2,000 with each alone: nothing is seen, nothing is changed, nothing is even noticed. */
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { dumpOf } from '../fixtures.ts'
import { askableCalls, breakableFilter, canary, fillTenants, sisterMark, sweep, type Tenants, withoutRowSecurity } from '../tenant-tries.ts'
import { openTestApp, type TestApp } from '../test-app.ts'

const amount = Number(process.env.PROOF_AMOUNT ?? 12_000)
const seed = Number(process.env.PROOF_SEED ?? 1)
const fence = breakableFilter()
let testApp: TestApp
let root: pg.Client
let tenants: Tenants

beforeAll(async () => {
  testApp = await openTestApp({ API_KEY_CALLS_PER_MINUTE: '1000000' })
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  tenants = await fillTenants(testApp, root)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await root.end()
  await testApp.close()
})

/** Tries with ever new inputs until there are so many, of another operator and of a sister company in turns. */
async function attack(tries: number, compare: boolean): Promise<{ asked: number; leaks: string[]; differ: string[] }> {
  const { main, shop, strange, near, foreign, home, sister } = tenants
  const before = [await dumpOf(root, foreign.operator_id), await dumpOf(root, home.operator_id, sister.company.id)]
  const sum = { asked: 0, leaks: [] as string[], differ: [] as string[] }
  for (let draw = seed; sum.asked < tries; draw++) {
    const toOperator = draw % 2 === seed % 2
    const { asked, leaks, differ } = await sweep(
      testApp,
      toOperator ? main.admin : shop.admin,
      askableCalls,
      toOperator ? strange : near,
      toOperator ? canary : sisterMark,
      { compare, draw, most: tries - sum.asked },
    )
    expect(asked).toBeGreaterThan(0)
    sum.asked += asked
    sum.leaks.push(...leaks)
    sum.differ.push(...differ)
  }
  expect([await dumpOf(root, foreign.operator_id), await dumpOf(root, home.operator_id, sister.company.id)]).toEqual(before)
  return sum
}

it('lets no one of another tenant see, change or notice anything, by either fence alone', async () => {
  const few = Math.ceil(amount / 6)
  const both = await attack(amount, true)
  let filterAlone: Awaited<ReturnType<typeof attack>> | undefined
  await withoutRowSecurity(root, async () => {
    filterAlone = await attack(few, false)
  })
  fence.down = true
  const policiesAlone = await attack(few, false).finally(() => {
    fence.down = false
  })
  const all = [both, filterAlone, policiesAlone].filter(one => one !== undefined)
  const [leaks, differ] = [all.flatMap(one => one.leaks), all.flatMap(one => one.differ)]
  console.info(
    `tenants: ${both.asked} tries with both fences, ${filterAlone?.asked} with the filter alone, ${policiesAlone.asked} with the policies alone: ${leaks.length} leaks, ${differ.length} answers that differ`,
  )
  expect({ leaks: leaks.slice(0, 20), differ: differ.slice(0, 20) }).toEqual({ leaks: [], differ: [] })
})
