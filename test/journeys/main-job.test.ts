/** Journey: a web shop's file becomes orders, a scanner and nothing else packs twenty of them, every label is read back from its picture, and a recipient follows one. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import type { Db } from '#platform/database/database.ts'
import { buildUser, scopeOfCompany } from '../../src/app/demo/builders.ts'
import { readLabel } from '../label-reader.ts'
import { sender } from '../sender.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'

const root = resolve(import.meta.dirname, '../..')
const real = resolve(root, process.env.PAKHUS_DATA ?? '../shared/data', 'online-retail-2010-12.csv')
const isReal = existsSync(real)
const file = isReal ? real : join(root, 'samples/online-shop.csv')

const wanted = 20
const password = 'seven crates of beeswax'

let services: JourneyApp
let operator: TestOperator
let lead: TestUser
let labelPrinter: number

beforeAll(async () => {
  services = await openJourneyApp({}, { serviceWorker: true })
  operator = await services.operator({
    settings: {
      gs1_prefix: '5790001',
      sender,
    },
  })
  await buildUser(services.services.database, scopeOfCompany(operator), {
    name: 'Kim Lund',
    user_name: 'kim',
    password,
    permissions: ['parcels_admin', 'scan'],
  })
  lead = await operator.hire(['scan_admin'], operator.main, 'Jonas Krogh')
  labelPrinter = await services.filePrinter(lead)
})
afterAll(() => services?.close())

const within = <T>(step: (db: Db) => Promise<T>): Promise<T> => services.services.database.transaction(scopeOfCompany(operator), step)
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name })

/** Signs in as a person does: name, password, Enter. Answers on the page that opens then. */
async function signIn(path = '/'): Promise<Page> {
  const page = await services.open({ company: operator.main }, path, { station: 'Bench 4', labelPrinter })
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail, user name or number').fill('kim')
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await press(page, 'Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' })
  return page
}

interface FileRow {
  InvoiceNo: string
  StockCode: string
  Description: string
  Quantity: string
  UnitPrice: string
  Country: string
}

/** What the file holds, counted from its own description and by none of the import's rules. */
function counted() {
  // The file has quotation marks inside of cells, for inches.
  const rows = parse<FileRow>(readFileSync(file), { columns: true, bom: true, relax_quotes: true })
  const isGoods = (row: FileRow) =>
    /^\d{5}/.test(row.StockCode) && row.Description.trim() !== '' && Number(row.Quantity) > 0 && Number(row.UnitPrice) > 0
  const orders = [...Map.groupBy(rows, row => row.InvoiceNo)]
  const cancelled = orders.filter(([number]) => number.startsWith('C'))
  const others = orders.filter(([number]) => !number.startsWith('C'))
  const refused = others.filter(([, of]) => !of.some(isGoods) || of.some(row => row.Country === 'Unspecified'))
  return {
    rows: rows.length,
    orders: orders.length,
    taken: others.length - refused.length,
    cancelled: cancelled.length,
    refused: refused.length,
    cancelledRows: cancelled.flatMap(([, of]) => of).length,
    refusedRows: refused.flatMap(([, of]) => of).length,
  }
}

describe(`the main job with ${basename(file)}`, () => {
  it('imports a file through the screen: shows how it reads it, follows the job, and reports the remaining rows in words', async () => {
    const page = await signIn('/parcels/orders')
    await page.getByRole('link', { name: 'Import orders' }).first().click()
    await page.getByRole('heading', { name: 'Import orders' }).waitFor()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Select file' }).click()
    await (await choosing).setFiles(file)

    // Everything was found by looking.
    await page.getByRole('heading', { name: 'What the columns mean' }).waitFor()
    const written = page.getByRole('button', { name: 'File format' })
    if ((await written.getAttribute('aria-expanded')) === 'false') await written.click()
    expect(await page.getByRole('combobox', { name: 'Separator' }).inputValue()).toBe('Comma ,')
    expect(await page.getByRole('combobox', { name: 'Dates' }).inputValue()).toBe('11-10-2026, month first')
    expect(await page.getByRole('combobox', { name: 'Decimals' }).inputValue()).toBe('Point: 1,000.50')
    const meanings = {
      InvoiceNo: 'Order number',
      StockCode: 'SKU',
      Description: 'Product name',
      Quantity: 'Quantity',
      InvoiceDate: 'Ordered at',
      UnitPrice: 'Unit price without VAT',
      CustomerID: 'Customer number',
      Country: 'Recipient: country',
    }
    for (const [column, meaning] of Object.entries(meanings))
      expect(await page.getByRole('combobox', { name: `Meaning of ${column}` }).inputValue(), column).toBe(meaning)
    // What a change makes of the file is seen before it can be imported.
    const onward = page.getByRole('button', { name: 'Continue' })
    const looking = Promise.withResolvers<void>()
    await page.route('**/order_imports/preview', async route => {
      await looking.promise
      await route.continue()
    })
    expect(await onward.isEnabled()).toBe(true)
    await page.getByRole('switch', { name: 'Use sample addresses' }).check()
    expect(await onward.isDisabled()).toBe(true)
    looking.resolve()
    await page.getByRole('switch', { name: 'Use sample barcodes, bins and weights' }).check()
    await page.getByRole('list', { name: 'As it will be read' }).getByText('Sample Customer').first().waitFor()

    // The way back keeps what was changed.
    await onward.click()
    await page.getByText('orders can be read', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    expect(await page.getByRole('switch', { name: 'Use sample addresses' }).isChecked()).toBe(true)
    await onward.click()
    await page.getByRole('button', { name: 'Import orders' }).click()
    await page
      .getByText(/^(Waiting for its turn|Importing|Imported)$/)
      .first()
      .waitFor()
    await page.getByText('Imported', { exact: true }).waitFor({ timeout: 180_000 })

    const found = counted()
    const figure = (word: string) => page.getByText(word, { exact: true }).locator('..').locator('strong').textContent()
    expect(await figure('rows read')).toBe(found.rows.toLocaleString('en-GB'))
    expect(await figure('orders created')).toBe(String(found.taken))
    expect(await figure('rows rejected')).toBe(String(found.refusedRows))
    const reason = async (words: RegExp) => (await page.getByRole('row', { name: words }).allTextContents()).join('\n')
    expect(await reason(/is a cancellation: it was left out/)).toMatch(new RegExp(`^${found.cancelledRows}Skipped`))
    expect(await reason(/is no product: it was taken as/)).toMatch(/^\d+NotedPOST is no product: it was taken as shipping/)
    expect(await page.getByRole('table').textContent()).not.toContain('{{')

    // What was refused comes back as it was, each row with what is wrong and where.
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save refused rows' }).click()
    const saved = parse<Record<string, string>>(readFileSync(await (await saving).path()), { columns: true, bom: true, relax_quotes: true })
    expect(saved).toHaveLength(found.refusedRows)
    expect(Object.keys(saved[0] ?? {})).toEqual([...Object.keys(meanings), 'error_code', 'error_text', 'field'])
    for (const field of ['Quantity', 'Description'])
      expect(
        saved.some(row => row.field === field),
        field,
      ).toBe(true)
    expect(saved.every(row => /^[a-z_]+$/.test(row.error_code ?? '') && /^[A-Z0-9].*\s/.test(row.error_text ?? ''))).toBe(true)

    const stored = await within(db => db.selectFrom('orders').select(sql<number>`count(*)::int`.as('n')).executeTakeFirstOrThrow())
    expect(stored.n).toBe(found.taken)
  })

  it('packs twenty of its orders with scanner events only, and every label is printed once and reads as its shipment', async () => {
    const chosen = await twenty()
    expect(chosen).toHaveLength(wanted)
    const page = await signIn('/')
    await page.getByRole('link', { name: 'Pack', exact: true }).click()
    await heading(page, 'Scan an order code').waitFor()
    // A scanner has no pointer: from here on nothing may come from one.
    await page.evaluate(() => {
      const touched: string[] = []
      Object.assign(window, { touched })
      for (const kind of ['pointerdown', 'mousedown', 'mousemove', 'touchstart', 'click', 'wheel'])
        window.addEventListener(kind, event => touched.push(`${kind} ${(event.target as Element | null)?.tagName}`), { capture: true })
    })

    for (const order of chosen) {
      await scan(page, `${operator.main.id}:${order.id}`)
      await page.getByText(`0 of ${order.barcodes.length} packed`).waitFor()
      for (const barcode of order.barcodes) await scan(page, barcode)
      await page.getByText(`Order ${order.order_no} · `).first().waitFor()
      await heading(page, 'Scan the next order').waitFor()
    }
    expect(await page.evaluate(() => (window as unknown as { touched: string[] }).touched)).toEqual([])

    const shipments = await within(db =>
      db.selectFrom('shipments').select(['id', 'order_id', 'state', 'barcode', 'tracking_no']).orderBy('order_id').execute(),
    )
    expect(shipments.map(shipment => shipment.order_id)).toEqual(chosen.map(order => order.id))
    expect(new Set(shipments.map(shipment => shipment.barcode)).size).toBe(wanted)
    expect(new Set(shipments.map(shipment => shipment.state))).toEqual(new Set(['booked']))
    const counts = await within(db =>
      db
        .selectFrom('order_lines')
        .select(['order_id', sql<boolean>`bool_and(packed_qty = qty)`.as('packed')])
        .where(
          'order_id',
          'in',
          chosen.map(order => order.id),
        )
        .where('type', '=', 'item')
        .groupBy('order_id')
        .execute(),
    )
    expect(counts.filter(({ packed }) => packed)).toHaveLength(wanted)

    // One print job a parcel, one file a print job, and the picture says what the courier booked.
    const jobs = await allPrinted()
    expect(jobs.map(job => job.shipment_id)).toEqual(shipments.map(shipment => shipment.id))
    const folder = join(services.services.config.data_dir, 'prints', operator.main.code, 'labels')
    const papers = readdirSync(folder).filter(name => !name.endsWith('.json'))
    expect(papers.sort()).toEqual(jobs.map(job => `${job.remote_job_id?.replace(/^labels-/, '')}.pdf`).sort())
    for (const [at, job] of jobs.entries()) {
      const codes = await readLabel(readFileSync(join(folder, `${job.remote_job_id?.replace(/^labels-/, '')}.pdf`)))
      const barcode = shipments[at]?.barcode ?? 'none'
      expect(
        codes.map(code => code.text),
        `order ${job.order_id}`,
      ).toContain(barcode)
    }
  })

  it('shows a recipient on a phone, in German, the way of the parcel from packing to delivery', async () => {
    const [first] = await within(db => db.selectFrom('shipments').select(['order_id', 'barcode']).orderBy('order_id').limit(1).execute())
    const [shipment] = await lead.send(labels.ofOrders, { ids: String(first?.order_id) })
    const { pathname, search } = new URL(shipment?.tracking_url ?? '')
    const page = await services.open({ company: operator.main }, pathname + search, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      station: null,
      locale: 'de-DE',
    })
    await page.getByRole('heading', { name: 'Ihr Paket ist gepackt' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    const barcode = shipment?.barcode ?? ''
    await lead.send(labels.event, { body: { barcode, event: 'handed_over', place: 'Lager Odense' } })
    await page.reload()
    await page.getByRole('heading', { name: 'Ihr Paket ist unterwegs' }).waitFor()
    await page.getByText('Lager Odense').first().waitFor()
    await lead.send(labels.event, { body: { barcode, event: 'delivered', place: null } })
    await page.reload()
    await page.getByRole('heading', { name: 'Ihr Paket wurde zugestellt' }).waitFor()
    // The answer is enough: no bar.
    expect(await page.locator('.stages').count()).toBe(0)
  })
})

/** Orders of the file that one packs in a minute: two pieces at least and twenty at most, of as many different products as can be. */
async function twenty(): Promise<{ id: number; order_no: string; barcodes: string[] }[]> {
  const rows = await within(db =>
    db
      .selectFrom('orders as o')
      .innerJoin('order_lines as l', join => join.onRef('l.order_id', '=', 'o.id').on('l.type', '=', 'item'))
      .select([
        'o.id',
        'o.order_no',
        sql<{ barcode: string; qty: number }[]>`json_agg(json_build_object('barcode', l.barcode, 'qty', l.qty) order by l.line_no)`.as(
          'lines',
        ),
      ])
      .groupBy(['o.id', 'o.order_no'])
      .having(sql<boolean>`sum(l.qty) between 2 and 20`)
      .orderBy(sql`sum(l.qty) / count(distinct l.sku)`)
      .orderBy('o.id')
      .limit(wanted)
      .execute(),
  )
  return rows
    .map(({ id, order_no, lines }) => ({ id, order_no, barcodes: lines.flatMap(({ barcode, qty }) => Array<string>(qty).fill(barcode)) }))
    .sort((a, b) => a.id - b.id)
}

/** Every print job, once none is under way. */
async function allPrinted() {
  for (;;) {
    const jobs = await within(db =>
      db
        .selectFrom('print_jobs')
        .select(['id', 'state', 'document', 'order_id', 'shipment_id', 'remote_job_id', 'accepted_at', 'copy_no'])
        .orderBy('order_id')
        .execute(),
    )
    if (jobs.every(job => job.state === 'done' || job.state === 'accepted')) return jobs
    await sleep(50)
  }
}

describe.skipIf(!isReal)('the real file (skipped where online-retail-2010-12.csv is missing: set PAKHUS_DATA to its folder)', () => {
  it('is the one whose orders were counted: 512, of which 43 are cancellations and 46 no orders', () => {
    expect(counted()).toMatchObject({ rows: 10_000, orders: 512, taken: 423, cancelled: 43, refused: 46 })
  })
})
