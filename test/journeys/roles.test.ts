/**
 * Journey: roles of the demo open every screen that their rights allow, one of them in each run and all with `ROLES=all`. Nothing that a screen asks for by itself is refused,
 * each control that cannot be used says why, and none leads to a screen that is closed to this person.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { screens } from '#app/screens.ts'
import { isAllowed, permissionCode } from '#contract/access.ts'
import { session } from '#contract/session.ts'
import type { BuiltCompany } from '../../src/app/demo/builders.ts'
import { demoLogins, demoPassword, seedDemo } from '../../src/app/demo/demo.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { disabledControls } from './screen-measures.ts'

let services: JourneyApp
const companies = new Map<string, BuiltCompany>()

beforeAll(async () => {
  services = await openJourneyApp()
  await seedDemo(services.services)
  const rows = await services.services.database.systemTransaction('the demo is looked up by its code', db =>
    db.selectFrom('companies').select(['id', 'code', 'name']).execute(),
  )
  for (const row of rows) companies.set(row.code, row)
})
afterAll(() => services?.close())

/** Calls that were refused or failed since the last time this was asked. */
function refusedCalls(page: Page): () => string[] {
  let refused: string[] = []
  page.on('response', response => {
    if (response.url().includes('/api/') && response.status() >= 400)
      refused.push(`${response.request().method()} ${response.status()} ${new URL(response.url()).pathname}`)
  })
  return () => {
    const some = refused
    refused = []
    return some
  }
}

/** The admin's screens are those of `screens`, and one shop's owner is as another's. */
const roles = process.env.ROLES === 'all' ? ['lead', 'packer', 'picker', 'office', 'accountant', 'north'] : ['accountant']
const logins = demoLogins.filter(({ login }) => roles.includes(login))

describe.each(logins.map(({ company, login }) => [login, company] as const))('the demo’s %s', (login, code) => {
  it('works on every screen that the rights allow', async () => {
    const company = companies.get(code)
    if (!company) throw new Error('The demo has this company')
    const { token, user } = await services.visitor(company).send(session.login, { body: { login, password: demoPassword(login) } })
    const permissions = user.permission.flatMap(id => permissionCode(id) ?? [])
    const open = screens.filter(
      ({ screen, path, look, access, device, mainOnly }) =>
        screen &&
        !path.includes('{') &&
        look !== 'public' &&
        !device &&
        isAllowed(permissions, access) &&
        (!mainOnly || user.is_main_company),
    )
    const page = await services.open({ company }, '/settings/me', {
      remembers: { 'user-token': token, user: JSON.stringify(user) },
    })
    const refused = refusedCalls(page)
    const faults: string[] = []
    for (const { path } of open) {
      refused()
      await services.revisit(page, path)
      await page.getByRole('heading').first().waitFor()
      await page.waitForFunction(() => !document.querySelector('[class*=Skeleton-root], main [aria-busy=true]'))
      await page.waitForTimeout(50)
      const at = new URL(page.url()).pathname
      if (!open.some(screen => screen.path === at)) faults.push(`${path} leads to ${at}, which is closed`)
      faults.push(...refused().map(call => `${path} asks for what is refused: ${call}`))
      faults.push(...(await disabledControls(page)).map(fault => `${path}: ${fault}`))
    }
    expect(open.length).toBeGreaterThan(5)
    expect(faults).toEqual([])
  })
})
