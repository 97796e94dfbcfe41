/**
 * Journey: every screen in German – on a desk in the light and in the dark, on a small desk and a phone: nothing left in English, nothing hanging
 * over, no barrier that axe can find, nothing disabled without a reason. Then each screen in one of the other languages on a desk and a phone:
 * nothing cut, nothing over another word. In every language the narrowest phone is measured too. `LANGUAGES=all npm run test:screens` opens
 * each screen in all five; the pictures lie in `.cache/screens`.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { screens } from '#app/screens.ts'
import { type Locale, locales } from '#contract/limits.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import type { BuiltCompany } from '../../src/app/demo/builders.ts'
import { demoLogins } from '../../src/app/demo/demo.ts'
import { type DemoApp, openDemoApp } from './demo-app.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'
import { cutWords, disabledControls, focusRing, measures, overhangs, type Room } from './screen-measures.ts'

/** A folder for pictures of every screen, for people to look at. */
const shown = process.env.JOURNEY_PICTURES
const pictures = shown ?? join(import.meta.dirname, '../../.cache/screens')

let services: DemoApp
let demo: BuiltCompany
let printer: number
let remembers: Record<string, string>

beforeAll(async () => {
  services = await openDemoApp()
  demo = services.demo
  const admin = await services.signIn('admin')
  remembers = admin.remembers
  const list = await services.visitor(demo).send(printers.list, {}, { headers: { authorization: admin.token } })
  printer = list.printers.find(one => one.kind === 'file' && one.paper === 'label')?.id ?? 0
})
afterAll(() => services?.close())

const device = (language: Locale) => ({
  station: 'Bench 1',
  labelPrinter: printer,
  language,
  remembers,
  locale: language.replace('_', '-'),
})
const open = (path: string, language: Locale = 'de_DE') => services.open({ company: demo }, path, device(language))

const words = (locale: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../translations/${locale}.json`), 'utf8'))
const english = words('en_GB')
const german = words('de_DE')

/** Which texts are sentences of ours in English that a language says otherwise. */
function englishOnly(book: Record<string, string>): (text: string) => boolean {
  const texts = new Set(Object.values(book))
  const left = Object.entries(english).filter(([key, text]) => book[key] !== text && !texts.has(text))
  const exact = new Set(left.map(([, text]) => text).filter(text => !text.includes('{{')))
  // Sentences with placeholders whose fixed part is long enough to differ from data.
  const patterns = left
    .map(([, text]) => text)
    .filter(text => text.includes('{{') && (text.replace(/\{\{.*?\}\}/g, '').match(/[a-z]/gi)?.length ?? 0) > 5)
    .map(
      text =>
        new RegExp(
          `^${text
            .split(/\{\{.*?\}\}/)
            .map(RegExp.escape)
            .join('.+')}$`,
        ),
    )
  // Most texts stand on many screens.
  const judged = new Map<string, boolean>()
  return text => {
    const known = judged.get(text) ?? (exact.has(text) || patterns.some(pattern => pattern.test(text)))
    judged.set(text, known)
    return known
  }
}
const notGerman = englishOnly(german)

/** How an English sentence reads in German. */
const said = (sentence: string): string => german[sentence] ?? sentence
/** What people of the demo wrote about themselves, and at a station in words that are ours too. */
const roles = [...demoLogins.map(one => one.role), 'An item is missing', 'The wrong item was picked']

/** English that people can see, or hear; also what a library says where no words are given to it. */
async function untranslated(page: Page, data: readonly string[], isEnglish = notGerman): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found = new Set<string>([document.title])
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement } = node
      if (parentElement?.checkVisibility() && !parentElement.closest('script, style, [data-demo]'))
        found.add(node.textContent?.trim() ?? '')
    }
    for (const element of document.querySelectorAll<HTMLElement>(
      '[aria-label], [placeholder], [title], [alt], input[role=combobox], input[readonly]',
    )) {
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) found.add(element.getAttribute(name)?.trim() ?? '')
      // The value of a checkbox is sent, not shown: it is "on" unless something else is set.
      if (element instanceof HTMLInputElement && !['checkbox', 'radio'].includes(element.type)) found.add(element.value)
    }
    return [...found]
  })
  return texts.filter(text => text === 'Toggle password visibility' || (!data.includes(text) && isEnglish(text)))
}

/** What axe calls serious or critical; contrast, which takes it longest, is judged where the colours change. */
async function barriers(page: Page, judge: 'all' | 'contrast' | 'structure'): Promise<string[]> {
  const options = {
    resultTypes: ['violations'],
    // Style sheets are read for one rule alone, the orientation of a device, which no sheet here locks.
    preload: false,
    ...(judge === 'contrast'
      ? { runOnly: ['color-contrast'] }
      : // What lies outside of a landmark is moderate at most, and takes a tenth of the time.
        { rules: { region: { enabled: false }, 'color-contrast': { enabled: judge === 'all' } } }),
  }
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(`{ const module = { exports: {} }; ${axe.source} }`)
  const found = await page.evaluate(
    `window.axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations
      .filter(one => one.impact === 'serious' || one.impact === 'critical')
      .map(one => one.id + ': ' + one.nodes.slice(0, 3).map(node => node.target.join(' ') + ' ' + node.failureSummary).join('; ')))`,
  )
  return found as string[]
}

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const
const narrowest = { width: 360, height: 740 } as const

/** Lists under something else: the exceptions of the day, how an empty week begins, figures and a chart. */
const roomier: Record<string, Room> = {
  // A picture and two lines in each row.
  'lists-pick-tasks': { rows: 15 },
  // Former imports lie under the place for a new file.
  'parcels-orders-import': { firstRow: 480 },
  schedule: { firstRow: 500 },
  'settings-approval': { firstRow: 350 },
  'settings-crates': { firstRow: 344, rows: 13 },
  'settings-order-alerts': { rows: 17 },
  // Its form stands above the list of patterns.
  'settings-serial-number-config': { firstRow: 720, rows: 4 },
  'statistics-packer-stats': { firstRow: 760, rows: 4 },
  'statistics-picker-stats': { firstRow: 760, rows: 4 },
}

/** Screens that people read standing. */
const isFloor = (name: string): boolean => /^(bench-|pick$|punchclock$|lists-collect-scan|returns-desk$)/.test(name)

/** Looks at what stands on the page in every size and in both lights. `data` are texts that people wrote and that happen to be words of ours. */
async function look(page: Page, name: string, data: readonly string[] = []): Promise<string[]> {
  const faults: string[] = []
  await still(page)
  for (const size of sizes) {
    await page.setViewportSize(size)
    // The dark differs in colours alone: one size judges them.
    for (const colorScheme of shown || size.width === 1440 ? (['light', 'dark'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme })
      await settled(page)
      const where = `${name} ${size.width} ${colorScheme}`
      faults.push(...(await overhangs(page)).map(fault => `${where}: ${fault}`))
      if (size.width === 1440) faults.push(...(await disabledControls(page)).map(fault => `${where}: ${fault}`))
      if (colorScheme === 'light')
        faults.push(...(await measures(page, { floor: isFloor(name), ...roomier[name] })).map(fault => `${where}: ${fault}`))
      if (shown) await page.screenshot({ path: join(shown, `${where.replaceAll(/[ /]/g, '-')}.png`) })
      if (size.width === 1024 || (size.width === 390 && colorScheme === 'dark')) continue
      const judge = size.width === 390 ? 'structure' : colorScheme === 'dark' ? 'contrast' : 'all'
      faults.push(...(await barriers(page, judge)).map(barrier => `${where}: ${barrier}`))
    }
    faults.push(...(await untranslated(page, data)).map(text => `${name} ${size.width}: “${text}” is not translated`))
  }
  faults.push(...(await narrow(page)).map(fault => `${name} ${fault}`))
  await page.setViewportSize(sizes[0])
  await page.emulateMedia({ colorScheme: 'light' })
  faults.push(...(await focusRing(page)).map(fault => `${name}: ${fault}`))
  return faults
}

/** What does not fit the narrowest phones that are sold. */
async function narrow(page: Page): Promise<string[]> {
  await page.setViewportSize(narrowest)
  await settled(page)
  return [...(await overhangs(page)), ...(await cutWords(page))].map(fault => `${narrowest.width}: ${fault}`)
}

/** Nothing is being waited for, and what was waited for is drawn. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[class*=Skeleton-root], [aria-busy=true]'))
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Colours change at once, so that none is judged half-way. */
async function still(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
    document.adoptedStyleSheets = [sheet]
  })
}

const built = screens.filter(
  one => one.screen && one.look !== 'public' && !one.dev && !one.device && !one.hidden && !['/', '/settings'].includes(one.path),
)

describe('in German', () => {
  it('the login is complete, fits, and has no barrier', async () => {
    const page = await services.open({ company: demo }, '/login', { station: null, language: 'de_DE' })
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
    expect(await look(page, 'login')).toEqual([])
  })

  it('one press on a person of the demo signs in', async () => {
    services.services.demo.logins = demoLogins
    onTestFinished(() => {
      services.services.demo.logins = []
    })
    const page = await services.open({ company: demo }, '/login', { station: null, language: 'de_DE' })
    await page.getByRole('button', { name: 'Astrid Holm Inhaberin' }).click()
    await page.waitForURL(url => url.pathname !== '/login')
    expect(await page.evaluate(() => localStorage.getItem('user-token'))).not.toBeNull()
  })

  it.each(built.map(one => [one.path, one.title] as const))('%s (%s) is complete, fits, and has no barrier', async (path, title) => {
    const page = await services.visit(path, device('de_DE'))
    await page.getByRole('heading', { level: 1, name: german[title] ?? title }).waitFor()
    expect(await look(page, path.slice(1).replaceAll('/', '-'), roles)).toEqual([])
  })

  it('an order, a product and a person are complete, fit, and have no barrier', async () => {
    // The company's own name of a shipping method.
    const method = 'Own delivery'
    const { order, product, person } = await services.within(async db => ({
      order: await db.selectFrom('orders').select('id').where('company_id', '=', demo.id).orderBy('id').limit(1).executeTakeFirstOrThrow(),
      product: await db.selectFrom('products').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow(),
      person: await db.selectFrom('users').select('id').where('name', '=', 'Kim Lund').executeTakeFirstOrThrow(),
    }))
    const page = await open(`/parcels/orders?id=${order.id}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const faults = await look(page, 'an-order', [method])
    for (const [path, name] of [
      [`/parcels/products?id=${product.id}`, 'a-product'],
      [`/users?id=${person.id}`, 'a-person'],
      ['/users?id=new', 'a-new-person'],
      ['/parcels/products?id=new', 'a-new-product'],
    ] as const) {
      await page.goto(services.origin('demo') + path)
      await page.getByRole('heading').first().waitFor()
      await settled(page)
      faults.push(...(await look(page, name, roles)))
    }
    expect(faults).toEqual([])
  })

  it('a file that is looked at, and what became of it, are complete, fit, and have no barrier', async () => {
    const page = await open('/parcels/orders/import')
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: said('Select file') }).click()
    await (await choosing).setFiles(join(import.meta.dirname, '../../samples/online-shop.csv'))
    await page.getByRole('heading', { name: said('What the columns mean') }).waitFor()
    await page.getByRole('switch', { name: said('Use sample addresses') }).check()
    await page.getByRole('switch', { name: said('Use sample barcodes, bins and weights') }).check()
    // Columns of the file that have names like ours.
    const columns = ['Quantity', 'Country', 'Description']
    const faults = await look(page, 'a-file', columns)
    await page.getByRole('button', { name: said('Continue') }).click()
    await page.getByText(said('orders can be read'), { exact: true }).waitFor()
    faults.push(...(await look(page, 'a-file-check', columns)))
    await page.getByRole('button', { name: said('Import orders') }).click()
    await page.getByText(said('Imported'), { exact: true }).waitFor()
    faults.push(...(await look(page, 'an-import')))
    expect(faults).toEqual([])
  })

  it('the bench packs two orders by scanner, and every view on the way is complete, fits, and has no barrier', async () => {
    const page = await open('/')
    const title = (text: string) => page.getByRole('heading', { level: 2, name: said(text) })
    await title('Scan an order code').waitFor()
    const faults = await look(page, 'bench-idle')
    const [first, second] = await twoOrders()

    await scan(page, `${demo.id}:${first?.id}`)
    await page.getByText(said('Scan next')).waitFor()
    faults.push(...(await look(page, 'bench-packing')))
    await scan(page, '5700000099999')
    await title('Unknown barcode').waitFor()
    faults.push(...(await look(page, 'bench-unknown')))
    await scan(page, 'CMD:HOSPITAL')
    await title('Why is it set aside?').waitFor()
    faults.push(...(await look(page, 'bench-exception')))
    await press(page, 'Escape')
    for (const barcode of first?.barcodes ?? []) await scan(page, barcode)
    await title('Scan the next order').waitFor()

    await scan(page, `${demo.id}:${second?.id}`)
    await page.getByText(said('Scan next')).waitFor()
    await scan(page, second?.barcodes[0] ?? '')
    for (const barcode of second?.barcodes.slice(1) ?? []) await scan(page, barcode)
    await title('Scan the next order').waitFor()
    faults.push(...(await look(page, 'bench-done')))

    await scan(page, `${demo.id}:${second?.id}`)
    await page
      .getByText(second?.order_no ?? '')
      .first()
      .waitFor()
    faults.push(...(await look(page, 'bench-packed-already')))

    const booked = await services.within(db =>
      db
        .selectFrom('shipments')
        .select('id')
        .where('order_id', 'in', [first?.id ?? 0, second?.id ?? 0])
        .where('state', '=', 'booked')
        .execute(),
    )
    expect(booked).toHaveLength(2)
    await page.goto(`${services.origin('demo')}/parcels/shipments?id=${booked[0]?.id}`)
    await page.getByRole('dialog').waitFor()
    faults.push(...(await look(page, 'a-shipment')))
    expect(faults).toEqual([])
  })
})

/** German is read above; without `LANGUAGES=all` each screen is opened in one of the others, and neighbours in different ones. */
const everyLanguage = process.env.LANGUAGES === 'all'
const others = locales.filter(locale => locale !== 'de_DE')
const isOpenedIn = (locale: Locale, at: number): boolean => everyLanguage || others[at % others.length] === locale

describe('in five languages', () => {
  it.each(everyLanguage ? locales : others)('no word of a screen is cut or lies over another one in %s', async locale => {
    mkdirSync(join(pictures, locale), { recursive: true })
    const isEnglish = locale === 'en_GB' ? () => false : englishOnly(words(locale))
    const order = await services.within(db =>
      db.selectFrom('orders').select('id').where('company_id', '=', demo.id).orderBy('id').limit(1).executeTakeFirstOrThrow(),
    )
    const paths = [...built.map(one => one.path), '/', `/parcels/orders?id=${order.id}`, '/users?id=new', '/parcels/products?id=new']
    const page = await open('/dashboard', locale)
    const faults: string[] = []
    for (const path of paths.filter((_, at) => isOpenedIn(locale, at))) {
      const name = path.replaceAll(/[/?=]+/g, '-').replace(/^-/, '') || 'bench'
      await page.setViewportSize(sizes[0])
      await page.goto(services.origin('demo') + path)
      await page.getByRole('heading').first().waitFor()
      await still(page)
      for (const size of [sizes[0], sizes[2]]) {
        await page.setViewportSize(size)
        await settled(page)
        if (everyLanguage || shown) await page.screenshot({ path: join(pictures, locale, `${name}-${size.width}.png`) })
        const found = [
          ...(await cutWords(page)),
          ...(await untranslated(page, [...roles, 'Own delivery', 'Shop'], isEnglish)).map(text => `“${text}” is not translated`),
        ]
        faults.push(...found.map(fault => `${locale} ${path} ${size.width}: ${fault}`))
      }
      faults.push(...(await narrow(page)).map(fault => `${locale} ${path} ${fault}`))
    }
    expect(faults).toEqual([])
  })
})

/** Two orders of the demo that can be packed by barcodes alone. */
async function twoOrders(): Promise<{ id: number; order_no: string; barcodes: string[] }[]> {
  const rows = await services.within(db =>
    db
      .selectFrom('orders as o')
      .innerJoin('order_lines as l', join => join.onRef('l.order_id', '=', 'o.id').on('l.type', '=', 'item'))
      .innerJoin('products as p', 'p.id', 'l.product_id')
      .select([
        'o.id',
        'o.order_no',
        sql<{ barcode: string; qty: number }[]>`json_agg(json_build_object('barcode', l.barcode, 'qty', l.qty) order by l.line_no)`.as(
          'lines',
        ),
      ])
      .where('o.company_id', '=', demo.id)
      .where('o.work_state', '=', 'ready')
      .where(eb =>
        eb.not(
          eb.exists(
            eb.selectFrom('order_locks as k').select('k.id').whereRef('k.order_id', '=', 'o.id').where('k.released_at', 'is', null),
          ),
        ),
      )
      .where(eb =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('order_additions as a')
              .innerJoin('additional_products as g', 'g.id', 'a.additional_product_id')
              .select('a.id')
              .whereRef('a.order_id', '=', 'o.id')
              .where('a.state', '=', 'planned')
              .where('g.handling', '<>', 'show'),
          ),
        ),
      )
      .groupBy(['o.id', 'o.order_no'])
      .having(sql<boolean>`bool_and(l.barcode <> '' and not p.serial_required) and sum(l.qty) between 2 and 6`)
      .orderBy('o.id')
      .limit(2)
      .execute(),
  )
  return rows.map(({ id, order_no, lines }) => ({
    id,
    order_no,
    barcodes: lines.flatMap(({ barcode, qty }) => Array<string>(qty).fill(barcode)),
  }))
}
