/** Journey: a parcel is not delivered, somebody sees to it, and a claim is opened, sent and paid. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tags } from '#features/company/tags/tags.contract.ts'
import { claimRules, claims } from '#features/shipping/claims/claims.contract.ts'
import { courierEventSettings } from '#features/shipping/courier-events/courier-events.contract.ts'
import { applyCourierEvents } from '#features/shipping/labels/courier-events.commands.ts'
import { shipmentExceptions } from '#features/shipping/shipment-exceptions/shipment-exceptions.contract.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeShipment } from '../shipments.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let services: JourneyApp
let operator: TestOperator
let boss: TestUser
beforeAll(async () => {
  services = await openJourneyApp()
  operator = await services.operator()
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
})
afterAll(() => services?.close())

it('a parcel that was not delivered is assigned, planned and claimed, and its claim is sent and paid', async () => {
  const scope = scopeOfCompany(operator)
  const { id, tracking_no } = await placeShipment(services.services.database, scope, {
    handed_over_at: new Date(Date.now() - 86_400_000).toISOString(),
  })
  await createSystemContext(services.services, scope).transaction(context =>
    applyCourierEvents(context, id, [
      {
        state: 'delivery_failed',
        at: new Date(Date.now() - 3_600_000).toISOString(),
        place: 'Odense',
        text: 'The recipient was not at home',
      },
    ]),
  )
  const page = await services.open(boss, '/dashboard')
  await page.getByRole('list', { name: 'Needs action' }).getByRole('link', { name: 'Shipment exceptions' }).click()
  await page
    .getByRole('checkbox', { name: /Select/ })
    .last()
    .check()
  await page.getByRole('button', { name: 'Assign to me' }).click()
  await page.getByText('1 exception is yours').waitFor()
  await page.getByRole('link', { name: tracking_no }).click()
  const drawer = page.getByRole('dialog', { name: tracking_no })
  await drawer.getByRole('textbox', { name: 'Next step' }).fill('Call the courier')
  await drawer.getByRole('button', { name: 'Save next step' }).click()
  await page.getByText('Next step saved').waitFor()
  await drawer.getByRole('link', { name: 'Open claim' }).click()

  const form = page.getByRole('dialog', { name: 'New claim' })
  await form.getByRole('button', { name: 'Open claim' }).click()
  await form.getByText('Enter an amount').waitFor()
  await form.getByRole('textbox', { name: 'Amount' }).fill('499')
  await form.getByRole('button', { name: 'Open claim' }).click()
  const claim = page.getByRole('dialog', { name: 'Claim', exact: true })
  await claim.getByText('No packing video').waitFor()
  const kit = page.waitForEvent('download')
  await claim.getByRole('button', { name: 'Download claim kit' }).click()
  expect((await kit).suggestedFilename()).toBe(`claim-${tracking_no}.zip`)
  await claim.getByRole('button', { name: 'Mark as sent' }).click()
  await claim.getByRole('textbox', { name: 'Amount paid' }).fill('450')
  await claim.getByRole('button', { name: 'Mark as paid' }).click()
  await expect.poll(async () => (await boss.send(claims.list, { view: 'won' })).rows).toMatchObject([{ amount: 49_900, granted: 45_000 }])
  expect((await boss.send(shipmentExceptions.list, { view: 'mine' })).rows).toMatchObject([{ next_step: 'Call the courier' }])
})

it('an event of a courier no longer tells the shop, and tags the order for the warehouse', async () => {
  const tag = await boss.send(tags.create, { body: { name: 'Late' } })
  const page = await services.open(boss, '/settings/shipping-config?tab=couriers&courier=own')
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('checkbox', { name: 'Tell the shop: In transit' }).uncheck()
  const events = drawer.getByRole('region', { name: 'Courier events' })
  await events.getByRole('combobox', { name: 'What the warehouse gets: Delayed' }).selectOption({ label: 'Tag Late' })
  await events.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Courier events saved').waitFor()
  const { events: saved } = await boss.send(courierEventSettings.get, { agent_code: 'own' })
  expect(saved.filter(event => !event.to_shop).map(event => event.event)).toEqual(['in_transit'])
  expect(saved.find(event => event.event === 'delayed')).toMatchObject({ to_us: true, us_action: 'tag', tag_id: tag.id })
})

it('how long a courier takes claims is entered at the claims', async () => {
  const page = await services.open(boss, '/parcels/shipments/claims')
  await page.getByRole('button', { name: 'Deadlines', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Deadlines of couriers' })
  await drawer.getByRole('combobox', { name: 'Courier' }).selectOption('own')
  const damage = drawer.getByRole('group', { name: 'Damage' })
  await damage.getByText('The courier publishes no period. Check your agreement.').waitFor()
  await damage.getByRole('textbox', { name: 'Period' }).fill('10')
  await damage.getByRole('combobox', { name: 'Unit' }).selectOption({ label: 'Working days' })
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Deadlines saved').waitFor()
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: `${process.env.JOURNEY_PICTURES}/claim-rules.png` })
  expect((await boss.send(claimRules.get, { agent_code: 'own' })).rules[0]).toMatchObject({ count: 10, unit: 'working_days' })
})
