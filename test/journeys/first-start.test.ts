/** Journey: an empty installation, its one-time link, and the first parcel of a new company. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Locale } from '#contract/limits.ts'
import { openSetup } from '#features/company/setup/setup.server.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'
import { measures } from './screen-measures.ts'

const root = resolve(import.meta.dirname, '../..')
const password = 'green boats sail on tuesdays'

let services: JourneyApp
let link: string
beforeEach(async () => {
  services = await openJourneyApp({ DEMO: '0' })
  const { port } = new URL(services.origin('any'))
  link = (await (await openSetup(services.services))?.(Number(port))) ?? ''
})
afterEach(() => services?.close())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

describe.each<Locale>(['en_GB', 'de_DE'])('the first afternoon in %s', language => {
  const book: Record<string, string> = JSON.parse(readFileSync(join(root, `translations/${language}.json`), 'utf8'))
  const t = (key: string, values: Record<string, string | number> = {}) =>
    (book[key] ?? `no translation of ${key}`).replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))

  it('leads from the link that the server printed to a label in the printer’s folder', async () => {
    const page = await services.open({ company: { code: 'harbour' } }, '/login', { station: null, language })
    await page.goto(link)
    // Only the bare domain's own storage knows of a language there.
    await page.getByRole('combobox').last().selectOption(language)

    await page.getByRole('button', { name: t('Set up warehouse') }).click()
    await page.getByText(t('Fill this in')).first().waitFor()
    await page.getByLabel(t('Name of the warehouse')).fill('Harbour')
    await page.getByLabel(t('Your name')).fill('Ida Berg')
    await page.getByLabel(t('User name')).fill('ida')
    await page.getByRole('textbox', { name: t('Password') }).fill(password)
    await page.getByRole('button', { name: t('Set up warehouse') }).click()
    await heading(page, t('Everything is set up')).waitFor()
    await page.getByRole('link', { name: t('Go to sign-in') }).click()

    await heading(page, t('Sign in')).waitFor()
    await page.getByLabel(t('E-mail, user name or number')).fill('ida')
    await page.getByRole('textbox', { name: t('Password') }).fill(password)
    await press(page, 'Enter')

    // Who came by the link is led on; its own address lies in the warehouse already.
    const done = (count: number) => page.getByText(t('{{done}} of {{all}} steps are done.', { done: count, all: 8 })).waitFor()
    const begin = (step: string) => page.getByRole('link', { name: `${t(step)}: ` }).click()
    const goOn = () => page.getByRole('link', { name: t('First steps'), exact: true }).click()
    await heading(page, t('First steps')).waitFor()
    await done(1)

    await begin('Enter the sender’s address')
    const sender = page.locator('section', { has: heading(page, t('Sender')) })
    await expect.poll(() => sender.getByLabel(t('Address'), { exact: true }).evaluate(field => field === document.activeElement)).toBe(true)
    await sender.getByLabel(t('Address'), { exact: true }).fill('Quay Road 1')
    await sender.getByLabel(t('Postcode')).fill('2100')
    await sender.getByLabel(t('City')).fill('Harbourton')
    await page.getByRole('button', { name: t('Save'), exact: true }).click()
    await page.getByText(t('Company saved')).waitFor()
    await page.getByText(t('Saved by {{name}}, {{time}}', { name: 'Ida Berg', time: '' })).waitFor()
    expect(await measures(page)).toEqual([])
    await goOn()
    await done(2)

    await begin('Give this device a station and a label printer')
    await page.getByRole('combobox', { name: t('Name of the station') }).fill('Bench 1')
    await page.getByRole('button', { name: t('Use this station') }).click()
    await page.getByText(t('This device is {{station}} now', { station: 'Bench 1' })).waitFor()
    await page.getByRole('combobox', { name: t('Label printer of this device') }).click()
    await page.getByRole('option', { name: t('File: labels (100 × 150 mm)') }).click()
    await goOn()
    await done(3)

    await begin('Bring the first orders in')
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: t('Select file') }).click()
    await (await choosing).setFiles(join(root, 'samples/online-shop.csv'))
    await heading(page, t('What the columns mean')).waitFor()
    await page.getByRole('switch', { name: t('Use sample addresses') }).check()
    await page.getByRole('switch', { name: t('Use sample barcodes, bins and weights') }).check()
    await page
      .getByRole('list', { name: t('As it will be read') })
      .getByText('Sample Customer')
      .first()
      .waitFor()
    await page.getByRole('button', { name: t('Continue') }).click()
    await page.getByRole('button', { name: t('Import orders') }).click()
    await page.getByText(t('Imported'), { exact: true }).waitFor()
    await page.getByRole('link', { name: t('Settings'), exact: true }).click()
    await goOn()
    // The orders brought their products along.
    await done(5)

    await begin('Pack the first parcel')
    await heading(page, t('Scan an order code')).waitFor()
    const order = await smallest()
    await scan(page, order.code)
    await page.getByText(t('{{packed}} of {{to_pack}} packed', { packed: 0, to_pack: order.barcodes.length })).waitFor()
    for (const barcode of order.barcodes) await scan(page, barcode)
    await heading(page, t('Scan the next order')).waitFor()

    await expect.poll(() => globSync('prints/harbour/labels/*.pdf', { cwd: services.services.config.data_dir })).toHaveLength(1)
    await page.goto(`${services.origin('harbour')}/settings/first-steps`)
    await done(6)
  })
})

/** The order with the fewest pieces, as a packer would take it for a first try. */
const smallest = () =>
  services.services.database.systemTransaction('a journey looks at what there is', async db => {
    const { company_id, order_id, lines } = await db
      .selectFrom('order_lines')
      .select([
        'company_id',
        'order_id',
        sql<{ barcode: string; qty: number }[]>`json_agg(json_build_object('barcode', barcode, 'qty', qty))`.as('lines'),
      ])
      .where('type', '=', 'item')
      .groupBy(['company_id', 'order_id'])
      .orderBy(sql`sum(qty)`)
      .orderBy('order_id')
      .executeTakeFirstOrThrow()
    return { code: `${company_id}:${order_id}`, barcodes: lines.flatMap(({ barcode, qty }) => Array<string>(qty).fill(barcode)) }
  })
