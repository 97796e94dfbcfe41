/** Journey: the office with a customer on the line – the list of orders and one order, by keyboard alone. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { paperless } from '#features/warehouse/paperless/paperless.contract.ts'
import { buildOrder, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { hasFocus, press } from './keyboard.ts'

let services: JourneyApp
let operator: TestOperator
let clerk: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  clerk = await operator.hire(['parcels_admin', 'scan'], operator.main, 'Mette Friis')
  for (let i = 0; i < 53; i++)
    await buildOrder(services.services, scopeOfCompany(operator), {
      order_no: String(7_000 + i),
      ...(i === 20 && { tags: ['gift'] }),
      ...(i % 10 === 3 && { status: 'held' }),
    })
})
afterAll(() => services?.close())

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName ?? '')
/** The row that the keys act upon. */
const standing = (page: Page) =>
  page.evaluate(() => document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.textContent)
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: /^Select row/ }) })

it('finds an order by typing and opens it with the arrows and Enter', async () => {
  const page = await services.open(clerk, '/parcels/orders')
  await rows(page).first().waitFor()
  await press(page, '/')
  await expect.poll(() => focused(page)).toBe('INPUT')
  await page.keyboard.type('7017')
  await expect.poll(() => rows(page).count()).toBe(1)
  await press(page, 'ArrowDown')
  await expect.poll(() => standing(page)).toContain('7017')
  await press(page, 'Enter')
  await page.getByRole('heading', { name: '7017', level: 1 }).waitFor()
})

it('finds one of many countries by the first letters of its name, and adds another', async () => {
  const page = await services.open(clerk, '/parcels/orders')
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Country', exact: true }).click()
  const search = page.getByRole('group', { name: 'Country' }).getByRole('textbox', { name: 'Search' })
  await hasFocus(search)
  await page.keyboard.type('atlantis')
  await page.getByText('No results').waitFor()
  await search.fill('')
  for (const name of ['germ', 'norw']) {
    await page.keyboard.type(name)
    await expect.poll(() => page.getByRole('group', { name: 'Country' }).getByRole('checkbox').count()).toBe(1)
    await press(page, 'Enter')
    await expect.poll(() => search.inputValue()).toBe('')
  }
  await expect.poll(() => new URL(page.url()).searchParams.toString()).toMatch(/DE.*NO/)
})

it('chooses several states in one go and closes the choice with Escape', async () => {
  const page = await services.open(clerk, '/parcels/orders')
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).focus()
  await press(page, 'Enter')
  await hasFocus(page.getByRole('button', { name: 'Status', exact: true }))
  await press(page, 'Enter')
  const choose = async (state: string, further: number) => {
    for (let i = 0; i < further; i++) await press(page, 'ArrowDown')
    const box = page.getByRole('checkbox', { name: state, exact: true })
    await hasFocus(box)
    await press(page, 'Space')
    await expect.poll(() => box.isChecked()).toBe(true)
  }
  await page.getByRole('checkbox', { name: 'Ready' }).waitFor()
  await choose('Ready', 1)
  await choose('On hold', 7)
  await expect.poll(() => new URL(page.url()).searchParams.toString()).toMatch(/ready.*held/)
  await press(page, 'Escape')
  await page.getByRole('checkbox', { name: 'Ready' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Status: Ready, On hold' }).waitFor()
})

it('comes back to the row of the order that was open last, and to the same list', async () => {
  const page = await services.open(clerk, '/parcels/orders?open=1')
  await rows(page).nth(40).waitFor({ state: 'attached' })
  await page.getByRole('link', { name: '7012', exact: true }).click()
  await page.getByRole('heading', { name: '7012', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect.poll(() => standing(page)).toContain('7012')
  expect(new URL(page.url()).searchParams.toString()).toBe('open=1')
  await expect.poll(() => page.getByRole('link', { name: '7012', exact: true }).isVisible()).toBe(true)
  await press(page, 'Enter')
  await page.getByRole('heading', { name: '7012', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Next order in the list' }).click()
  await page.getByRole('heading', { name: '7011', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect.poll(() => standing(page)).toContain('7011')
})

it('goes from order to order over the edge of a page of the list', async () => {
  const page = await services.open(clerk, '/parcels/orders')
  await rows(page).nth(49).waitFor({ state: 'attached' })
  await press(page, 'j')
  await expect.poll(() => focused(page)).toBe('grid')
  await press(page, 'End')
  await expect.poll(() => standing(page)).toContain('7003')
  await press(page, 'Enter')
  await page.getByRole('heading', { name: '7003', level: 1 }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Next order in the list' }).isEnabled()).toBe(true)
  await press(page, 'j')
  await page.getByRole('heading', { name: '7002', level: 1 }).waitFor()
  expect(new URL(page.url()).searchParams.get('page')).toBe('2')
  await expect.poll(() => page.getByRole('button', { name: 'Previous order in the list' }).isEnabled()).toBe(true)
  await press(page, 'k')
  await page.getByRole('heading', { name: '7003', level: 1 }).waitFor()
})

it('gives the recipient’s tracking page with the parcels, and forgets a booking that failed once another one worked', async () => {
  const scope = scopeOfCompany(operator)
  const { id: order_id } = await buildOrder(services.services, scope, { order_no: '7100' })
  const parcel = { order_id, parcel_no: 1, agent_code: 'own', shipping_method: 'van', weight_g: 500 }
  await services.services.database.transaction(scope, db =>
    db
      .insertInto('shipments')
      .values([
        { ...parcel, idempotency_key: 'k-1', reference: 'r-1', state: 'error', error: 'The sender has no address', tracking_no: null },
        { ...parcel, idempotency_key: 'k-2', reference: 'r-2', state: 'booked', error: null, tracking_no: 'OWN7100' },
      ])
      .execute(),
  )
  const shipments = await clerk.send(labels.ofOrders, { ids: String(order_id) })
  const page = await services.open(clerk, `/parcels/orders?id=${order_id}`)
  const link = page.getByRole('link', { name: 'Tracking page of the recipient' })
  expect(await link.getAttribute('href')).toBe(shipments.at(-1)?.tracking_url)
  await expect.poll(() => page.getByRole('region', { name: 'Parcels' }).getByText('Parcel 1', { exact: true }).count()).toBe(1)
  expect(await page.getByText('The sender has no address').count()).toBe(0)
})

it('locks, comments and corrects the address without touching the mouse', async () => {
  const { id } = await buildOrder(services.services, scopeOfCompany(operator), { order_no: '7200' })
  const page = await services.open(clerk, `/parcels/orders?id=${id}`)
  await page.getByRole('button', { name: 'More ways to hold' }).focus()
  await press(page, 'Enter')
  await page.getByRole('menuitem', { name: 'Lock', exact: true }).focus()
  await press(page, 'Enter')
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => focused(page)).toBe('TEXTAREA')
  await page.keyboard.type('Ask for the size first')
  await press(page, 'Control+Enter')
  await page.getByRole('region', { name: 'Status' }).getByRole('button', { name: 'Unlock' }).waitFor()
  // The dialog gives the focus back when it has gone.
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  await page.getByRole('textbox', { name: 'New comment' }).focus()
  await page.keyboard.type('Rings back at ten')
  await press(page, 'Control+Enter')
  await page.getByRole('region', { name: 'Comments' }).getByText('Rings back at ten').waitFor()

  const address = page.getByRole('region', { name: 'Shipping address' })
  await address.getByRole('button', { name: 'Edit' }).focus()
  await press(page, 'Enter')
  await hasFocus(page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }))
  await press(page, 'Control+A')
  await page.keyboard.type('Lene Holm')
  await press(page, 'Enter')
  await address.getByText('Lene Holm').first().waitFor()
  await hasFocus(address.getByRole('button', { name: 'Edit' }))
})

it('offers packing only to users who may pack', async () => {
  const { id } = await buildOrder(services.services, scopeOfCompany(operator), { order_no: '7300' })
  const office = await operator.hire(['parcels'], operator.main, 'Ida')
  for (const [worker, entries] of [
    [clerk, 1],
    [office, 0],
  ] as const) {
    const page = await services.open(worker, `/parcels/orders?id=${id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Cancel order' }).waitFor()
    await press(page, 'Escape')
    await page.getByRole('menuitem', { name: 'Cancel order' }).waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('link', { name: 'Open at station' }).count()).toBe(entries)
  }
})

it('opens the wanted order at the bench, also on a device that has to name its station first', async () => {
  const { id } = await buildOrder(services.services, scopeOfCompany(operator), { order_no: '7400' })
  const page = await services.open(clerk, `/?order=${id}`, { station: null })
  await page.getByRole('heading', { name: 'Which station is this?' }).waitFor()
  await page.getByRole('combobox', { name: 'Station' }).fill('Bench 9')
  await page.getByRole('button', { name: 'Start packing' }).click()
  await page.getByText('Order 7400').first().waitFor()
})

it('names a tote for an order without one, and offers it only to users who handle totes', async () => {
  const scope = scopeOfCompany(operator)
  const { id } = await buildOrder(services.services, scope, { order_no: '7500' })
  await services.services.database.transaction(scope, db =>
    db.updateTable('orders').set({ work_state: 'picked', phase: 'picked' }).where('id', '=', id).execute(),
  )
  const lead = await operator.hire(['parcels', 'pick'], operator.main, 'Jonas')
  await lead.send(paperless.download, { body: { count: 1, first: 17 } })
  const office = await services.open(clerk, `/parcels/orders?id=${id}`)
  await office.getByRole('heading', { name: '7500', level: 1 }).waitFor()
  expect(await office.getByRole('button', { name: 'Name a tote' }).count()).toBe(0)

  const page = await services.open(lead, `/parcels/orders?id=${id}`)
  await page.getByRole('button', { name: 'Name a tote' }).click()
  await expect.poll(() => focused(page)).toBe('INPUT')
  await page.keyboard.type('box 17')
  await press(page, 'Enter')
  await page.getByText('A paperless code is PP and digits', { exact: true }).waitFor()
  await press(page, 'Control+A')
  await page.keyboard.type('PP17')
  await press(page, 'Enter')
  await page.getByText('PP17', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Name a tote' }).waitFor({ state: 'detached' })
})
