/** What is wrong with a request is said in words, with the field. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  clerk = await operator.hire(['admin'])
})
afterAll(() => testApp.close())

const ask = async (method: 'GET' | 'POST', path: string, payload?: object) => {
  const answer = await testApp.app.inject({
    method,
    url: `/api/${operator.main.code}/${path}`,
    headers: {
      host: `${operator.main.code}.localhost`,
      authorization: clerk.token,
      ...(payload && { 'content-type': 'application/json' }),
    },
    ...(payload && { payload: JSON.stringify(payload) }),
  })
  return `${answer.statusCode} ${answer.body}`
}

describe('a request that does not fit', () => {
  it.each([
    ['GET', 'orders/abc', undefined, '400 id: This must be a number'],
    ['GET', 'orders/search/?limit=0', undefined, '400 limit: This must be at least 1'],
    ['GET', 'orders/search/?limit=501', undefined, '400 limit: This must be at most 500'],
    ['GET', 'orders/search/?sort=loudest', undefined, '400 sort: This is none of newest, oldest, ship_by, -ship_by, order_no, -order_no'],
    ['POST', 'session', {}, '400 login: This is missing'],
    ['POST', 'session', { login: 5, password: 'x' }, '400 login: This must be text'],
    ['POST', 'session', { login: '', password: 'x' }, '400 login: This is empty'],
    ['POST', 'company/homepage', { homepage: 'javascript:alert(1)' }, '400 homepage: Enter the address with https:// before it'],
    ['POST', 'company/settings', { colour: 'red' }, '400 There is no field colour'],
  ] as const)('%s %s is answered with what is wrong', async (method, path, payload, sentence) => {
    expect(await ask(method, path, payload)).toBe(sentence)
  })
})
