/** The demo as journeys find it: its companies and people, and one page that goes from screen to screen. */
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { session } from '#contract/session.ts'
import type { Db } from '#platform/database/database.ts'
import type { BuiltCompany } from '../../src/app/demo/builders.ts'
import { demoPassword } from '../../src/app/demo/demo.ts'
import { demoTemplate } from '../demo-template.ts'
import { type BrowserOptions, type JourneyApp, openJourneyApp } from './journey-app.ts'

export interface DemoApp extends JourneyApp {
  demo: BuiltCompany
  companies: ReadonlyMap<string, BuiltCompany>
  /** Signs a person of the demo in: the token, the rights, and what a device of theirs remembers. */
  signIn(
    login: string,
    company?: BuiltCompany,
  ): Promise<{ token: string; permissions: number[]; isMain: boolean; remembers: Record<string, string> }>
  /** One page takes screen after screen, since a page of its own compiles all scripts anew. After a failure a new one begins. */
  visit(path: string, options?: BrowserOptions): Promise<Page>
  /** Works on the rows of the demo's main company. */
  within<T>(step: (db: Db) => Promise<T>): Promise<T>
}

export async function openDemoApp(): Promise<DemoApp> {
  const services = await openJourneyApp({}, { template: await demoTemplate() })
  const { database } = services.services
  const rows = await database.systemTransaction('the demo is looked up by its code', db =>
    db.selectFrom('companies').select(['id', 'code', 'name', 'operator_id']).execute(),
  )
  const companies = new Map(rows.map(({ id, code, name }) => [code, { id, code, name }]))
  const demo = rows.find(({ code }) => code === 'demo')
  if (!demo) throw new Error('The demo has a main company')
  let lastingPage: Page | undefined

  return {
    ...services,
    demo,
    companies,
    async signIn(login, company = demo) {
      const { token, user } = await services.visitor(company).send(session.login, { body: { login, password: demoPassword(login) } })
      return {
        token,
        permissions: user.permission,
        isMain: user.is_main_company,
        remembers: { 'user-token': token, user: JSON.stringify(user) },
      }
    },
    async visit(path, options) {
      const page = lastingPage
      lastingPage = undefined
      if (page) await services.revisit(page, path)
      const current = page ?? (await services.open({ company: demo }, path, { ...options, lasting: true }))
      onTestFinished(({ task }) => {
        if (task.result?.state !== 'fail') lastingPage = current
      })
      return current
    },
    within: step => database.transaction({ operator_id: demo.operator_id, company_id: demo.id, companies: [demo.id] }, step),
  }
}

/** What a screen waits for is there. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('[class*=Skeleton-root], main [aria-busy=true], [role=dialog] [aria-busy=true]'))
}
