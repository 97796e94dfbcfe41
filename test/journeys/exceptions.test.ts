/** Journey: a packer sets an order aside with a scanned reason; the office takes it over and gives it back to the stations. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { groups } from '#features/company/groups/groups.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import type { TestUser } from '../test-app.ts'
import { press } from './keyboard.ts'
import { scan } from './scan.ts'
import { candle, feedback, heading, idle, lamp, mug, openStationApp, type StationApp } from './station.ts'

const picture = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}

let at: StationApp
let kim: TestUser
let astrid: TestUser
beforeAll(async () => {
  at = await openStationApp()
  kim = at.kim
  astrid = await at.operator.hire(['parcels'], at.operator.main, 'Astrid Holm')
})
afterAll(() => at?.testApp.close())

/** A mug is packed and the lamp is not there: the packer sets the order aside by a command code. */
async function lampIsMissing(command: string) {
  const station = await at.openStation(kim)
  await idle(station)
  const order = await at.order({ product: mug, qty: 1 }, { product: lamp, qty: 1 })
  await scan(station, order.code)
  await heading(station, mug.name).waitFor()
  await scan(station, mug.barcode)
  await heading(station, lamp.name).waitFor()
  await scan(station, command)
  await station.getByText('An item is missing').waitFor()
  await press(station, '1')
  await idle(station)
  return { station, order }
}

it('names the missing product, is taken over, resolved, and packed to the end', async () => {
  const { station, order } = await lampIsMissing('CMD:HOSPITAL')

  const office = await at.testApp.open(astrid, '/dashboard', { station: null })
  await office.getByRole('list', { name: 'Needs action' }).getByRole('link', { name: 'Exceptions' }).waitFor()
  await office.getByRole('link', { name: 'Orders', exact: true }).click()
  await office.getByRole('link', { name: 'Exceptions (1)' }).click()
  const list = office.getByRole('grid', { name: 'Exceptions' })
  await list.getByRole('link', { name: order.order_no }).click()
  const drawer = office.getByRole('dialog', { name: `Exception of order ${order.order_no}` })
  await drawer.getByText(lamp.name).waitFor()
  await drawer.getByText('An item is missing').waitFor()
  await drawer.getByRole('button', { name: 'Assign to me' }).click()
  await drawer.getByText('In progress').waitFor()
  await drawer.getByRole('textbox', { name: 'Note' }).fill('It lay in the next bin')
  await drawer.getByRole('button', { name: 'Resolve' }).click()
  await drawer.waitFor({ state: 'detached' })
  await office.getByText('No exceptions').waitFor()
  await office.getByRole('link', { name: 'Resolved', exact: true }).click()
  await list.getByText('Back in the packing queue').waitFor()

  await scan(station, order.code)
  await heading(station, lamp.name).waitFor()
  await scan(station, lamp.barcode)
  await expect.poll(async () => (await kim.send(packing.get, { id: order.id })).phase).toBe('packed')
})

it('decides from the exception that the missing item follows later, which the packer reads at the station', async () => {
  const mia = await at.operator.hire(['parcels_admin'], at.operator.main, 'Mia Berg')
  const { station, order } = await lampIsMissing('CMD:EXCEPTION')

  const office = await at.testApp.open(mia, '/parcels/exceptions', { station: null })
  await office.getByRole('grid', { name: 'Exceptions' }).getByRole('link', { name: order.order_no }).click()
  const drawer = office.getByRole('dialog', { name: `Exception of order ${order.order_no}` })
  await expect.poll(() => drawer.getByRole('radio').count()).toBe(5)
  await drawer.getByRole('radio', { name: 'Send the rest without them' }).check()
  await picture(office, 'exception-decisions')
  await drawer.getByRole('button', { name: 'Resolve' }).click()
  await drawer.waitFor({ state: 'detached' })

  await scan(station, order.code)
  await heading(station, lamp.name).waitFor()
  await scan(station, 'CMD:FINALIZE')
  await station.getByText('Mia Berg has decided that they follow later').waitFor()
  await picture(station, 'rest-decided')
  // What the lead has decided is not asked again.
  await heading(station, 'Notify the recipient?').waitFor()
  await press(station, 'Escape')
  await heading(station, 'What about the rest?').waitFor()
  await press(station, 'Escape')
  await scan(station, 'CMD:EXCEPTION')
  await station.getByText('No box fits').waitFor()
  await picture(station, 'no-box')
  await press(station, '6')
  await idle(station)
  await office.getByRole('grid', { name: 'Exceptions' }).getByText('No box fits').first().waitFor()
})

it('corrects beside the exception what the courier refused, and the label comes out at the station', async () => {
  const station = await at.openStation(kim)
  await idle(station)
  const order = await at.order({ product: candle, qty: 1 })
  const ship_to = JSON.stringify({ name: 'Lene Hansen', address1: '', postcode: '5000', city: 'Odense C', country: 'DK' })
  await at.within(db => db.updateTable('orders').set({ ship_to }).where('id', '=', order.id).execute())
  await scan(station, order.code)
  await heading(station, candle.name).waitFor()
  await scan(station, candle.barcode)
  await heading(station, 'There is no label').waitFor()
  await feedback(station, 'The recipient has no address').waitFor()
  await scan(station, 'CMD:EXCEPTION')
  await idle(station)

  const office = await at.testApp.open(astrid, '/parcels/exceptions?view=label_error', { station: null })
  await office.getByRole('grid', { name: 'Exceptions' }).getByRole('link', { name: order.order_no }).click()
  const drawer = office.getByRole('dialog', { name: `Exception of order ${order.order_no}` })
  await drawer.getByText('Rejected by the courier').waitFor()
  await picture(office, 'exception-correction')

  // Tried again as it is, it is refused again in the same words.
  await drawer.getByRole('radio', { name: 'Try the label again' }).check()
  await drawer.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(async () => (await kim.send(packing.get, { id: order.id })).parcels.length).toBe(2)
  await drawer.getByRole('radio', { name: 'Correct and try again' }).check()
  await drawer.getByRole('textbox', { name: 'Street and number' }).fill('Skibhusvej 52')
  await drawer.getByRole('button', { name: 'Save and try again' }).click()
  await drawer.getByText('Corrected', { exact: true }).waitFor()
  await picture(office, 'exception-corrected')
  expect(await kim.send(packing.get, { id: order.id })).toMatchObject({
    work_state: 'packed',
    parcels: [{ state: 'error' }, { state: 'error' }, { state: 'booked' }],
  })
})

it('decides about selected exceptions together, with a report of each', async () => {
  const leads = await at.operator.hire(['parcels_admin'], at.operator.main, 'Liv Dahl')
  const { order } = await lampIsMissing('CMD:EXCEPTION')
  const station = await at.openStation(kim)
  await idle(station)
  const alone = await at.order({ product: lamp, qty: 1 })
  await scan(station, alone.code)
  await heading(station, lamp.name).waitFor()
  await scan(station, 'CMD:EXCEPTION')
  await station.getByText('An item is missing').waitFor()
  await press(station, '1')
  await idle(station)

  const office = await at.testApp.open(leads, '/parcels/exceptions?kind=short', { station: null })
  const list = office.getByRole('grid', { name: 'Exceptions' })
  for (const { order_no } of [order, alone]) await list.getByRole('row').filter({ hasText: order_no }).getByRole('checkbox').check()
  await office.getByRole('button', { name: 'Decide' }).click()
  await picture(office, 'exceptions-decide')
  await office.getByRole('menuitem', { name: 'Send the rest without them' }).click()
  await office.getByRole('dialog', { name: 'Decide about 2 exceptions?' }).getByRole('button', { name: 'Resolve' }).click()
  const report = office.getByRole('dialog', { name: '1 of 2 exceptions decided' })
  await report.getByRole('row').filter({ hasText: order.order_no }).getByText('Follows later').waitFor()
  await report.getByRole('row').filter({ hasText: alone.order_no }).getByText('Nothing else of the order is left to send').waitFor()
  await picture(office, 'exceptions-report')
})

it('waits for the group that the settings name, until a member takes it over', async () => {
  const admin = await at.operator.hire(['admin'], at.operator.main, 'Ida Holst')
  const member = await at.operator.hire(['parcels'], at.operator.main, 'Bo Friis')
  const { group_id } = await admin.send(groups.create, { name: 'Customer service' })
  await admin.send(groups.addUser, { id: group_id, user_id: member.user_id })
  const settings = await at.testApp.open(admin, '/settings/packing-config', { station: null })
  await settings.getByRole('combobox', { name: 'Owner: Item missing' }).click()
  await settings.getByRole('option', { name: 'Customer service' }).click()
  await settings.getByRole('combobox', { name: 'Owner: Item missing' }).scrollIntoViewIfNeeded()
  await picture(settings, 'exception-owners')
  await settings.getByRole('button', { name: 'Save' }).click()
  await settings.getByText('Times for exceptions saved').waitFor()

  const { order } = await lampIsMissing('CMD:EXCEPTION')
  const office = await at.testApp.open(member, '/parcels/exceptions?view=mine', { station: null })
  const row = office.getByRole('grid', { name: 'Exceptions' }).getByRole('row').filter({ hasText: order.order_no })
  await row.getByText('Customer service').waitFor()
  await row.getByRole('link', { name: order.order_no }).click()
  const drawer = office.getByRole('dialog', { name: `Exception of order ${order.order_no}` })
  expect(await drawer.getByRole('combobox', { name: 'Owner' }).inputValue()).toBe('group')
  await picture(office, 'exception-of-group')
  await drawer.getByRole('button', { name: 'Assign to me' }).click()
  await drawer.getByText('In progress').waitFor()
  expect(await drawer.getByRole('combobox', { name: 'Owner' }).inputValue()).toBe(String(member.user_id))

  // Late, what waits for the group stands on Home of its members.
  const late = await lampIsMissing('CMD:EXCEPTION')
  const due_at = new Date(Date.now() - 60_000).toISOString()
  await at.within(db => db.updateTable('packing_exceptions').set({ due_at }).where('order_id', '=', late.order.id).execute())
  const home = await at.testApp.open(member, '/dashboard', { station: null })
  await home.getByRole('link', { name: 'Your overdue exceptions' }).waitFor()
  await picture(home, 'home-overdue')
  await home.getByRole('link', { name: 'Your overdue exceptions' }).click()
  await home.getByRole('grid', { name: 'Exceptions' }).getByRole('row').filter({ hasText: late.order.order_no }).waitFor()
})
