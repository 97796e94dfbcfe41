/** Journey: a recipient follows an order on a phone – by link, by number and postcode, in two languages – and is shown text, never markup. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { company } from '#features/company/companies/companies.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { documentTitle } from '#ui/navigation/document-title.ts'
import { type BuiltCompany, scopeOfCompany } from '../../src/app/demo/builders.ts'
import { trackingUrl } from '../../src/features/shipping/tracking/tracking-link.server.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'

let services: JourneyApp
let operator: TestOperator
let clerk: TestUser
const phone = { viewport: { width: 390, height: 844 }, station: null, isMobile: true, hasTouch: true } as const
const shown = process.env.JOURNEY_PICTURES

beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator({
    shops: 1,
    settings: {
      color: '#e6007e',
      homepage: 'https://harbour.example/',
      support_email: 'help@harbour.example',
      support_phone: '+45 12 34 56 78',
      time_zone: 'Europe/Copenhagen',
    },
  })
  clerk = await operator.hire(['parcels', 'settings_admin', 'scan'], operator.main, 'Ida')
})
afterAll(() => services.close())

interface Plan {
  locale?: string | null
  order_no?: string
  product?: string
  city?: string
  company?: BuiltCompany
  parcels?: { state: string; qty: number; place?: string }[]
  cancelled?: boolean
  promised?: string
}

async function order({
  locale = 'en_GB',
  order_no = `T${randomUUID().slice(0, 6)}`,
  product = 'Mug',
  city = 'Odense C',
  parcels = [],
  cancelled = false,
  promised = '2026-03-06',
  company = operator.main,
}: Plan = {}) {
  const id = await services.services.database.transaction({ ...scopeOfCompany(operator, company), companies: [company.id] }, async db => {
    const { id: order_id } = await db
      .insertInto('orders')
      .values({
        external_id: randomUUID(),
        order_no,
        locale,
        work_state: parcels.length > 0 ? 'packed' : 'ready',
        phase: cancelled ? 'cancelled' : parcels.length > 0 ? 'packed' : 'ready',
        cancelled_at: cancelled ? new Date().toISOString() : null,
        currency: 'DKK',
        ordered_at: '2026-03-02T09:00:00Z',
        customer_name: 'Lene Hansen',
        ship_country: 'DK',
        ship_to: JSON.stringify({ name: 'Lene Hansen', address1: 'Skibhusvej 52', postcode: '5000', city, country: 'DK' }),
        delivery: JSON.stringify({ wished_date: promised }),
        agent_code: 'own',
        shipping_method: 'van',
        fingerprint: Buffer.from('x'),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: line } = await db
      .insertInto('order_lines')
      .values({ order_id, line_no: 1, sku: 'MUG', name: product, qty: 3, packed_qty: parcels.reduce((sum, one) => sum + one.qty, 0) })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [i, { state, qty, place }] of parcels.entries()) {
      const tracking_no = `OWN${String(order_id).padStart(8, '0')}${i}`
      const { id: shipment_id } = await db
        .insertInto('shipments')
        .values({
          order_id,
          parcel_no: i + 1,
          agent_code: 'own',
          shipping_method: 'van',
          state: state as 'booked',
          idempotency_key: randomUUID(),
          reference: randomUUID(),
          tracking_no,
          barcode: tracking_no,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('parcel_lines')
        .values({ order_id, parcel_no: i + 1, order_line_id: line, qty })
        .execute()
      await db
        .insertInto('shipment_events')
        .values({ shipment_id, order_id, state, at: '2026-03-03T12:30:00Z', place: place ?? null, source: 'own' })
        .execute()
    }
    return order_id
  })
  const { pathname, search } = new URL(trackingUrl(services.services, company, { order_id: id }))
  return { id, order_no, path: pathname + search, barcode: `OWN${String(id).padStart(8, '0')}0` }
}

const open = (path: string, more: Parameters<JourneyApp['open']>[2] = {}, at: BuiltCompany = operator.main) =>
  services.open({ company: at }, path, { ...phone, ...more })

async function picture(page: Page, name: string): Promise<void> {
  if (shown) await page.screenshot({ path: join(shown, `${name}.png`), fullPage: true })
}

/** What axe has against the page: contrast, names, structure. */
async function barriers(page: Page): Promise<string[]> {
  const found = await page.evaluate(
    `(async () => { const module = { exports: {} }; ${axe.source}; return (await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag22aa'] })).violations.map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' ') + ' ' + n.failureSummary).join('; ')) })()`,
  )
  return found as string[]
}

describe('the tracking page', () => {
  it('shows a parcel by its link, on a phone, in English, and follows it while it is open', async () => {
    const { path, order_no, barcode } = await order({ parcels: [{ state: 'booked', qty: 3 }] })
    const page = await open(path)
    await page.getByRole('heading', { name: 'Your parcel is packed' }).waitFor()
    expect(await page.title()).toBe(documentTitle(new URL(page.url()).hostname.split('.')[0] ?? '', `Order ${order_no}`))
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(await page.locator('[aria-current=step]').textContent()).toBe('Packed')
    await expect.poll(() => page.getByText('Odense C, Denmark').count()).toBe(1)
    await expect.poll(() => page.getByText('Friday 6 March').count()).toBe(1)
    await expect.poll(() => page.getByText('3 ×').count()).toBe(1)
    expect(await page.getByText('Skibhusvej').count()).toBe(0)
    expect(await page.getByText('Lene').count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await barriers(page)).toEqual([])
    await picture(page, 'packed-en')

    await page.clock.install()
    await page.reload()
    await page.getByRole('heading', { name: 'Your parcel is packed' }).waitFor()
    await clerk.send(labels.event, { body: { barcode, event: 'handed_over', place: 'Harbour depot' } })
    await page.clock.fastForward(61_000)
    await page.getByRole('heading', { name: 'Your parcel is on its way' }).waitFor()
    await expect.poll(() => page.getByText('Harbour depot').count()).toBe(1)
    await clerk.send(labels.event, { body: { barcode, event: 'delivered', place: null } })
    await page.clock.fastForward(61_000)
    await page.getByRole('heading', { name: 'Your parcel was delivered' }).waitFor()
    // The answer and its time are enough: no bar.
    expect(await page.locator('.stages').count()).toBe(0)
    expect(await page.locator('.lead').textContent()).toMatch(/\d\d:\d\d$/)
  })

  it('uses the language of the order instead of the language of the browser, and can be switched', async () => {
    const { path } = await order({
      locale: 'de_DE',
      parcels: [
        { state: 'delivered', qty: 1 },
        { state: 'handed_over', qty: 1 },
      ],
    })
    const page = await open(path, { locale: 'da-DK', colorScheme: 'dark' })
    await page.getByRole('heading', { name: 'Ein Teil Ihrer Bestellung ist unterwegs' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await expect.poll(() => page.getByText('Paket 2 von 2').count()).toBe(1)
    await expect.poll(() => page.getByText('Noch nicht gepackt').count()).toBe(1)
    await expect.poll(() => page.getByText('Freitag, 6. März').count()).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await barriers(page)).toEqual([])
    await picture(page, 'parcels-de-dark')
    await page.getByLabel('Sprache').selectOption('sv_SE')
    await page.getByText('Inte packat än').waitFor()
    await page.reload()
    await page.getByText('Inte packat än').waitFor()
  })

  it('says the promised day first, in the clock of the shop, under the shop’s brand alone', async () => {
    const { path, order_no } = await order({ parcels: [{ state: 'booked', qty: 3 }], promised: '2099-03-06' })
    const page = await open(path, { timezoneId: 'America/New_York' })
    await page.getByRole('heading', { level: 1, name: 'Arrives Friday 6 March' }).waitFor()
    await page.getByText('Your parcel is packed').waitFor()
    await page.getByText(`Order ${order_no}`).first().waitFor()
    // 12:30 UTC is 13:30 in Copenhagen and 07:30 in New York.
    await page.getByText('Tuesday 3 March at 13:30').waitFor()
    expect(await page.locator('#checked').textContent()).toMatch(/ (CET|CEST|GMT\+[12])$/)
    expect(await page.locator('html').innerHTML()).not.toMatch(/pakhus|mark\.svg/i)
    const [band, language] = await page.evaluate(() => {
      const all = [...document.querySelectorAll('a, button, select, input')]
      return [getComputedStyle(document.querySelector('header') ?? document.body).backgroundColor, all.at(-1)?.className]
    })
    expect([band === 'rgba(0, 0, 0, 0)', language]).toEqual([false, 'language'])
    expect((await page.locator('header').boundingBox())?.height).toBe(88)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await barriers(page)).toEqual([])
    await picture(page, 'promised-en')
  })

  const tongues = { en_GB: 'en', da_DK: 'da', de_DE: 'de', no_NO: 'no', sv_SE: 'sv' } as const
  const looks = Object.keys(tongues).flatMap(locale =>
    (['light', 'dark'] as const).map(scheme => [locale as keyof typeof tongues, scheme] as const),
  )

  it.each(looks)('reads in %s on a phone in the %s, in its own words from end to end', async (locale, colorScheme) => {
    const { path } = await order({
      locale,
      product: 'Ø',
      city: 'Ø',
      parcels: [
        { state: 'delivery_failed', qty: 1, place: 'Ø' },
        { state: 'handed_over', qty: 1, place: 'Ø' },
      ],
    })
    const page = await open(path, { locale: 'fi-FI', colorScheme })
    await page.locator('[aria-current=step]').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe(tongues[locale])
    const lines = await page
      .locator('#root *')
      .evaluateAll(all => all.filter(one => one.childElementCount === 0 && one.tagName !== 'OPTION').map(one => one.textContent.trim()))
    const names = Object.keys(tongues)
    const words = (of: string) =>
      JSON.parse(readFileSync(join(import.meta.dirname, `../../translations/${of}.json`), 'utf8')) as Record<string, string>
    const own = words(locale)
    // Every sentence of another language that this one says otherwise.
    const foreign = new Set(
      names
        .filter(one => one !== locale)
        .flatMap(other => Object.entries(words(other)).flatMap(([key, text]) => (own[key] === text ? [] : [text]))),
    )
    const native = new Set(Object.values(own))
    expect(lines.filter(line => line.length > 6 && foreign.has(line) && !native.has(line))).toEqual([])
    expect(lines.filter(line => native.has(line)).length).toBeGreaterThan(6)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await barriers(page)).toEqual([])
    await picture(page, `all-${locale}-${colorScheme}`)
  })

  it('finds an order by number and postcode, and says one sentence where there is none', async () => {
    const { order_no } = await order({ locale: 'de_DE', parcels: [{ state: 'delivery_failed', qty: 3 }] })
    const page = await open('/tracking', { locale: 'de-DE' })
    await page.getByLabel('Bestellnummer').fill(order_no)
    await page.getByLabel('Postleitzahl').fill('9999')
    await page.getByRole('button', { name: 'Sendung finden' }).click()
    await page.getByRole('alert').getByText('Wir haben keine Bestellung mit dieser Nummer und Postleitzahl gefunden').waitFor()
    expect(await barriers(page)).toEqual([])
    await picture(page, 'form-de')
    expect(await page.getByLabel('Bestellnummer').inputValue()).toBe(order_no)
    await page.getByLabel('Postleitzahl').fill('5000')
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Ihr Paket konnte nicht zugestellt werden' }).waitFor()
    await picture(page, 'failed-de')
    // The address holds a ticket, so a reload asks for nothing.
    await page.reload()
    await page.getByRole('heading', { name: 'Ihr Paket konnte nicht zugestellt werden' }).waitFor()
    await page.getByRole('button', { name: 'Andere Sendung finden' }).click()
    await page.getByLabel('Bestellnummer').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Ihr Paket konnte nicht zugestellt werden' }).waitFor()
  })

  it('says what a cancelled order, one not packed and a broken link are', async () => {
    const cancelled = await order({ cancelled: true })
    const page = await open(cancelled.path)
    await page.getByRole('heading', { name: 'This order was cancelled' }).waitFor()
    await picture(page, 'cancelled-en')
    const waiting = await order()
    const second = await open(waiting.path)
    await second.getByRole('heading', { name: 'The shop is preparing your order' }).waitFor()
    await picture(second, 'waiting-en')
    const third = await open(waiting.path.replace(/.$/, ''))
    await third.getByRole('alert').getByText('This link leads nowhere').waitFor()
    await expect.poll(() => third.getByLabel('Order number').count()).toBe(1)
    const fourth = await open(waiting.path, {}, operator.shops[0])
    await fourth.getByRole('alert').getByText('This link leads nowhere').waitFor()
  })

  it('shows hostile text as text, wherever it stands', async () => {
    const hostile = (n: number) =>
      `<img src=x onerror="window.struck=${n}"><script>window.struck=${n}</script><svg onload=alert(${n})>'"{{number}}`
    const { settings: _, ...before } = { settings: 0 }
    const config = await clerk.send(company.config, {})
    await clerk.send(company.setConfig, {
      body: {
        ...before,
        version: config.version,
        name: hostile(1).slice(0, 120),
        support_email: '"><b>x</b>@e.example',
        support_phone: '<b>12</b>',
        homepage: 'https://harbour.example/"><script>alert(1)</script>',
      },
    })
    const { path } = await order({
      order_no: hostile(2).slice(0, 60),
      product: hostile(3),
      city: hostile(4),
      parcels: [{ state: 'handed_over', qty: 1, place: hostile(5) }],
    })
    const page = await open(path)
    await page.addInitScript('window.alert = n => { window.struck = n }')
    await page.reload()
    await page.getByRole('heading', { name: 'Part of your order is on its way' }).waitFor()
    for (const n of [1, 3, 4, 5])
      await expect
        .poll(() => page.getByText(`<img src=x onerror="window.struck=${n}">`).first().isVisible(), { message: `text ${n}` })
        .toBe(true)
    await page.waitForTimeout(300)
    expect(await page.evaluate('window.struck')).toBeUndefined()
    expect(await page.locator('#root img, #root script, #root svg:not(.icon), #root b').count()).toBe(0)
    expect(
      await page.evaluate(() => [...document.querySelectorAll('a')].every(a => ['https:', 'mailto:', 'tel:'].includes(a.protocol))),
    ).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })

  it('stores nothing on the device and calls no other host', async () => {
    const { path } = await order({ parcels: [{ state: 'handed_over', qty: 3 }] })
    const context = await services.browser.newContext({ viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    const asked = new Set<string>()
    page.on('request', request => asked.add(new URL(request.url()).host))
    await page.goto(services.origin(operator.main.code) + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await context.cookies()).toEqual([])
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
    expect([...asked]).toEqual([new URL(services.origin(operator.main.code)).host])
    expect(await page.locator('link[rel=manifest]').count()).toBe(0)
    await context.close()
  })

  it('is small: all its scripts in one language weigh less than 40 kB', () => {
    const folder = join(import.meta.dirname, '../../dist/web')
    const html = readFileSync(join(folder, 'tracking.html'), 'utf8')
    const first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(match => match[1]!)
    const words = readdirSync(join(folder, 'assets')).filter(name => /^tracking-[a-z]{2}_[A-Z]{2}-.*\.js$/.test(name))
    expect(words).toHaveLength(4)
    const weight = (name: string) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length
    const largest = Math.max(...words.map(name => weight(`assets/${name}`)))
    expect(first.reduce((sum, name) => sum + weight(name), largest)).toBeLessThan(40_000)
  })
})
