/**
 * Journey: roles of the demo open every screen that their rights allow, one of them in each run and all with `ROLES=all`. Nothing that a screen asks for by itself is refused,
 * each control that cannot be used says why, and none leads to a screen that is closed to this person.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { screens } from '#app/screens.ts'
import { isAllowed, permissionCode } from '#contract/access.ts'
import { demoLogins } from '../../src/app/demo/demo.ts'
import { type DemoApp, openDemoApp, settled } from './demo-app.ts'
import { disabledControls } from './screen-measures.ts'

let services: DemoApp

beforeAll(async () => {
  services = await openDemoApp()
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
    const company = services.companies.get(code)
    if (!company) throw new Error('The demo has this company')
    const user = await services.signIn(login, company)
    const permissions = user.permissions.flatMap(id => permissionCode(id) ?? [])
    const open = screens.filter(
      ({ screen, path, look, access, device, mainOnly }) =>
        screen && !path.includes('{') && look !== 'public' && !device && isAllowed(permissions, access) && (!mainOnly || user.isMain),
    )
    const page = await services.open({ company }, '/settings/me', { remembers: user.remembers })
    const refused = refusedCalls(page)
    const faults: string[] = []
    for (const { path } of open) {
      refused()
      await services.revisit(page, path)
      await settled(page)
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
