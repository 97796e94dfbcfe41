/** Journey: the page of the API in a browser where somebody is signed in: it is readable, and its scripts cannot reach the session. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import type { TestOperator } from '#test/test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

/** What the preparation of each page of a journey gets, which also stores something. */
const sandboxed = /SecurityError: Failed to read the 'sessionStorage' property/

let services: JourneyApp
let operator: TestOperator
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
})
afterAll(() => services?.close())

it('shows the calls, but its scripts cannot read the token of the user who is signed in', async () => {
  const admin = await operator.hire(['admin'])
  const page = await services.open(admin, '/')
  expect(await page.evaluate(() => localStorage.getItem('user-token'))).toBe(admin.token)
  await page.goto(`${services.origin(operator.main.code)}/docs/`)
  await page.getByText('The first order').first().waitFor()
  expect(await page.evaluate(() => localStorage.getItem('user-token'))).toBeNull()
  expect(await page.evaluate(() => self.origin)).toBe('null')
  expect(services.faults().filter(fault => !sandboxed.test(fault))).toEqual([])
})

it('lets a script with a pasted key call what the key may', async () => {
  const admin = await operator.hire(['admin'])
  const { key } = await admin.send(cmsKeys.create, { body: { name: 'Pasted' } })
  const page = await services.open(admin, '/')
  await page.goto(`${services.origin(operator.main.code)}/docs/`)
  await page.getByText('The first order').first().waitFor()
  const ask = (url: string, authorization: string) =>
    page.evaluate(
      async ([url, authorization]) => {
        const answer = await fetch(url as string, {
          method: 'POST',
          headers: { authorization: authorization as string, 'content-type': 'application/json' },
          body: '[]',
        })
        return answer.status
      },
      [`${services.origin(operator.main.code)}/api/${operator.main.code}/${url}`, authorization],
    )
  expect(await ask('cms/orders', key)).toBe(200)
  expect(await ask('user/my_setting/data', admin.token)).toBe(403)
  expect(services.faults().filter(fault => !sandboxed.test(fault))).toEqual([])
})
