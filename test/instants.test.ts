/** Instants in answers: one way of writing, UTC with `Z`. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needsKey } from '#contract/access.ts'
import { allCalls, callApi, each, namesIn } from './api-client.ts'
import { fillCompany } from './fixtures.ts'
import { sender } from './sender.ts'
import { openTestApp, type TestApp, type TestOperator } from './test-app.ts'

let testApp: TestApp
let operator: TestOperator
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ settings: { sender } })
})
afterAll(() => testApp.close())

/** Every string that begins as an instant does, with the fields that lead to it. */
function instantsIn(value: unknown, path = ''): { path: string; text: string }[] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value) ? [{ path, text: value }] : []
  if (Array.isArray(value)) return value.flatMap(one => instantsIn(one, `${path}[]`))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, one]) => instantsIn(one, `${path}.${name}`))
}

it('end in Z in the answers of all calls that read', async () => {
  const { admin, orders } = await fillCompany(testApp, operator, operator.main, 'Filled')
  const calls = allCalls.filter(
    call =>
      call.method === 'GET' && !call.media && !needsKey(call.access) && namesIn(call).every(name => name === 'id' || name === 'order_id'),
  )
  const different = new Set<string>()
  let instants = 0
  let answers = 0
  await each(calls, async call => {
    for (const id of namesIn(call).length > 0 ? Object.values(orders) : [0]) {
      const answer = await callApi(testApp.app, call, { company: operator.main.code, token: admin.token, params: { id, order_id: id } })
      if (answer.statusCode !== 200) continue
      answers++
      for (const { path, text } of instantsIn(answer.json())) {
        instants++
        if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text)) different.add(`${call.line} ${path}: ${text}`)
      }
    }
  })
  expect([...different]).toEqual([])
  // The fixture is rich enough for the answer above to say something.
  expect(answers).toBeGreaterThan(30)
  expect(instants).toBeGreaterThan(30)
})
