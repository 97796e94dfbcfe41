/** Journey: a clerk makes a campaign in two languages and publishes it; the recipient sees it in German on a phone, clicks, and it is paused. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { campaigns } from '#features/shipping/campaigns/campaigns.contract.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'

let services: JourneyApp
let operator: TestOperator
let clerk: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
})
beforeEach(async () => {
  operator = await services.operator({ settings: { color: '#14597a', locale: 'en_GB' } })
  clerk = await operator.hire(['settings_admin'], operator.main, 'Ida Holm')
})
afterAll(() => services?.close())

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}
const drawn = (background: string) =>
  sharp({ create: { width: 1600, height: 800, channels: 3, background } })
    .png()
    .toBuffer()

it('a campaign in two languages is published, shown in German on a phone, clicked and paused', async () => {
  const page = await services.open(clerk, '/settings/campaign-config')
  await page.getByText('No campaigns yet').waitFor()
  await picture(page, 'campaigns-empty')
  await page.getByRole('button', { name: 'New campaign' }).click()
  const drawer = page.getByRole('dialog', { name: 'New campaign' })
  await drawer.getByRole('textbox', { name: 'Title' }).fill('Winter tents')
  await drawer.getByRole('textbox', { name: 'Link' }).fill('javascript:alert(1)')
  await drawer.getByRole('button', { name: 'Save draft' }).click()
  await drawer.getByText('Write the address with https:// or http://.').waitFor()
  const shop = `${services.origin(operator.main.code)}/conf.json?utm_source=tracking`
  await drawer.getByRole('textbox', { name: 'Link' }).fill(shop)
  await drawer.getByRole('combobox', { name: 'Languages' }).click({ force: true })
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await press(page, 'Escape')
  await drawer.getByRole('button', { name: 'Save draft' }).click()

  const open = page.getByRole('dialog', { name: 'Campaign' })
  await open.getByRole('button', { name: 'Publish' }).click()
  await open.getByRole('alert').getByText('Add an image and alt text for English.').waitFor()
  await open.getByText('Say what the image shows.').waitFor()
  await picture(page, 'campaigns-incomplete')
  for (const [language, colour, headline, alt] of [
    ['English', '#1f6b57', 'Winter tents, 25 % off', 'A tent in the snow'],
    ['Deutsch', '#8a5a1c', 'Winterzelte: 25 % Rabatt', 'Ein Zelt im Schnee'],
  ] as const) {
    await open.getByRole('tab', { name: language }).click()
    await open.locator('input[type=file]').setInputFiles({ name: 'tent.png', mimeType: 'image/png', buffer: await drawn(colour) })
    await open.getByRole('button', { name: 'Replace image' }).waitFor()
    await open.getByRole('textbox', { name: 'Alt text' }).fill(alt)
    await open.getByRole('textbox', { name: 'Headline' }).fill(headline)
    await open.getByRole('textbox', { name: 'Button' }).fill(language === 'English' ? 'See the tents' : 'Zelte ansehen')
  }
  await open.getByRole('region', { name: 'Preview' }).getByText('Winterzelte: 25 % Rabatt').waitFor()
  await open.getByRole('button', { name: 'Save', exact: true }).click()
  await open.getByRole('button', { name: 'Create preview link' }).click()
  const link = await open.getByRole('link', { name: 'Open preview in Deutsch' }).getAttribute('href')
  await picture(page, 'campaigns-form')

  const phone = { viewport: { width: 390, height: 844 }, station: null, isMobile: true, hasTouch: true } as const
  const at = new URL(link ?? '')
  const preview = await services.open({ company: operator.main }, `${at.pathname}${at.search}${at.hash}`, phone)
  await preview.getByRole('heading', { name: 'Winterzelte: 25 % Rabatt' }).waitFor()
  await picture(preview, 'campaigns-preview-de')

  await open.getByRole('button', { name: 'Publish' }).click()
  await open.getByRole('button', { name: 'Pause' }).waitFor()
  const { id } = await placeOrder(services.services.database, scopeOfCompany(operator), { locale: 'de_DE' })
  const { pathname, search } = new URL(trackingUrl(services.services, operator.main, { order_id: id }))
  const visitor = await services.open({ company: operator.main }, pathname + search, { ...phone, colorScheme: 'dark' })
  const slot = visitor.locator('.campaign')
  await slot.getByRole('heading', { name: 'Winterzelte: 25 % Rabatt' }).waitFor()
  const image = slot.getByRole('img', { name: 'Ein Zelt im Schnee' })
  // Events that arrive draw the page anew, and the image with it.
  const width = () =>
    image.evaluate(one => {
      one.scrollIntoView()
      return (one as HTMLImageElement).naturalWidth
    })
  await expect.poll(width).toBeGreaterThan(0)
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await picture(visitor, 'campaigns-tracking-de-dark')
  const figures = async () => {
    const { rows } = await clerk.send(campaigns.search, {})
    return rows.map(({ shown, clicked }) => [shown, clicked])
  }
  await expect.poll(figures).toEqual([[1, 0]])
  // The reader's own choice of language.
  await visitor.getByLabel('Sprache').selectOption('en_GB')
  await slot.getByRole('heading', { name: 'Winter tents, 25 % off' }).waitFor()
  await visitor.getByLabel('Language').selectOption('sv_SE')
  await slot.waitFor({ state: 'detached' })
  await visitor.getByLabel('Språk').selectOption('de_DE')
  await slot.getByRole('link', { name: 'Zelte ansehen' }).click()
  await visitor.waitForURL(shop)
  await expect.poll(figures).toEqual([[1, 1]])

  await page.reload()
  await open.getByRole('region', { name: 'Figures' }).getByText('100').waitFor()
  await picture(page, 'campaigns-figures')
  await open.getByRole('button', { name: 'Pause' }).click()
  await open.getByRole('button', { name: 'Resume' }).waitFor()
  await visitor.goto(services.origin(operator.main.code) + pathname + search)
  await visitor.locator('.answer').waitFor()
  expect(await slot.count()).toBe(0)
  await page.goto(`${services.origin(operator.main.code)}/settings/campaign-config`)
  await page.getByRole('link', { name: 'Winter tents' }).waitFor()
  await page.getByText('Paused').first().waitFor()
  await picture(page, 'campaigns-list')
})
