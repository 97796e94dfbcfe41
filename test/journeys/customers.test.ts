/** Journey: a clerk finds a customer by phone number, reads the warning, adds a note, and a lead merges a double and undoes it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { customers } from '#features/customers/customers/customers.contract.ts'
import { takeChanges } from '#features/orders/orders/customers/customer-changes.task.ts'
import { buildOrder, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let app: JourneyApp
let operator: TestOperator
let astrid: TestUser
let kim: TestUser
beforeAll(async () => {
  app = await openJourneyApp()
  operator = await app.operator()
  astrid = await operator.hire(['customer'], operator.main, 'Astrid Holm')
  kim = await operator.hire(['parcels_admin'], operator.main, 'Kim Lund')
})
afterAll(() => app?.close())

const place = (email: string, phone: string | null, name: string) =>
  buildOrder(
    app.services,
    { ...scopeOfCompany(operator), companies: [operator.main.id] },
    {
      ship_to: { name, address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK', phone },
      customer: { name, email, phone },
    },
  )

it('finds a customer by phone number, shows the warning, and takes a note and a new contact', async () => {
  await place('solveig@example.test', '+4520123456', 'Solveig Granli')
  const order = await place('solveig@example.test', '+4520123456', 'Solveig Granli')
  await place('bo@example.test', '+4520999999', 'Bo Berg')
  await takeChanges(app.services)
  const found = await kim.send(customers.find, { check_type: 'phone', check_value: '20123456' })
  const id = found.customer?.customer_id ?? 0
  await kim.send(customers.addNote, { id, body: { type: 'warning', note: 'Moves in December: ask for the address' } })

  const page = await app.open(astrid, '/parcels/customers')
  await page.getByRole('grid', { name: 'Customers' }).getByRole('link', { name: 'Bo Berg' }).waitFor()
  await page.getByRole('searchbox', { name: 'Name, phone, e-mail, number …' }).fill('20 12 34 56')
  await page.getByRole('grid', { name: 'Customers' }).getByRole('link', { name: 'Bo Berg' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Solveig Granli' }).click()
  await page.getByRole('region', { name: 'Status' }).getByText('Moves in December').waitFor()
  await page.getByRole('region', { name: 'Orders' }).getByText(order.order_no).waitFor()

  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByRole('textbox', { name: 'New note' }).fill('Wants a call before delivery')
  await notes.getByRole('button', { name: 'Add note' }).click()
  await notes.getByText('Wants a call before delivery').waitFor()

  const contact = page.getByRole('region', { name: 'Contact' })
  await contact.getByRole('button', { name: 'Add contact' }).click()
  await contact.getByRole('textbox', { name: 'Phone' }).fill('20999999')
  await contact.getByRole('button', { name: 'Add contact' }).click()
  await contact.getByText('Another customer has this').waitFor()
  await contact.getByRole('textbox', { name: 'Phone' }).fill('20777777')
  await contact.getByRole('button', { name: 'Add contact' }).click()
  await contact.getByText('+4520777777').waitFor()

  await page.getByRole('button', { name: 'Edit customer' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Edit customer' })
  await drawer.getByRole('checkbox', { name: 'Known problem' }).check()
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.waitFor({ state: 'detached' })
  await page.getByText('Known problem').first().waitFor()

  const office = await app.open(kim, `/parcels/orders?id=${order.id}`)
  await office.getByRole('region', { name: 'Customer' }).getByText('Moves in December').waitFor()
  await office.getByRole('region', { name: 'Customer' }).getByRole('link', { name: 'Solveig Granli' }).click()
  await office.getByRole('region', { name: 'Who looked' }).getByText('Astrid Holm').first().waitFor()
})

it('merges a double after a preview, and undoes it', async () => {
  await place('eva@example.test', null, 'Eva Lund')
  await place('eva@work.test', null, 'Eva Lund')
  await takeChanges(app.services)
  const page = await app.open(kim, '/parcels/customers?view=duplicates')
  await page.getByRole('link', { name: 'Eva Lund' }).first().click()
  const doubles = page.getByRole('region', { name: 'Possible duplicates' })
  await doubles.getByText('Same name and postcode').waitFor()
  await doubles.getByRole('button', { name: 'Merge…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge these customers?' })
  await dialog.getByRole('region', { name: 'Is added' }).getByText('Eva Lund').waitFor()
  await dialog.getByRole('button', { name: 'Merge customers' }).click()
  const merged = page.getByRole('region', { name: 'Merged customers' })
  await merged.getByText('Kim Lund').waitFor()
  const contact = page.getByRole('region', { name: 'Contact' })
  await contact.getByText('eva@work.test').waitFor()
  await contact.getByText('eva@example.test').waitFor()
  await merged.getByRole('button', { name: 'Undo merge' }).click()
  await merged.waitFor({ state: 'detached' })
  await doubles.waitFor()
  const { rows } = await kim.send(customers.search, { query: 'eva lund' })
  expect(rows.map(row => row.order_count)).toEqual([1, 1])
})

it('creates a customer, says beside the field what is wrong, and erases the person', async () => {
  const page = await app.open(kim, '/parcels/customers')
  await page.getByRole('button', { name: 'New customer' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New customer' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Hanne Vik')
  await drawer.getByRole('button', { name: 'Create customer' }).click()
  await drawer.getByText('Enter an e-mail address or a phone number').waitFor()
  await drawer.getByRole('textbox', { name: 'E-mail' }).fill('hanne@example.test')
  await drawer.getByRole('button', { name: 'Create customer' }).click()
  await page.getByRole('heading', { name: 'Hanne Vik' }).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Erase person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase Hanne Vik?' })
  await dialog.getByRole('textbox').fill('Hanne Vik')
  await dialog.getByRole('button', { name: 'Erase person' }).click()
  await dialog.waitFor({ state: 'detached' })
})
