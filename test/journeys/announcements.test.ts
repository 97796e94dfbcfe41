/** Journey: an announcement is written, comes after sign-in and never while an order is open, and shows who has agreed. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { announcements } from '#features/company/announcements/announcements.contract.ts'
import { scan } from './scan.ts'
import { idle, mug, openStationApp, type StationApp } from './station.ts'

let at: StationApp
beforeAll(async () => {
  at = await openStationApp({ settings: { locale: 'en_GB' } })
})
afterAll(() => at?.testApp.close())

it('an announcement is written in two languages, waits until the packer has no order open, and is agreed to', async () => {
  const { testApp, jonas, kim } = at
  const page = await testApp.open(jonas, '/settings/announcement-config')
  await page.getByText('No announcements yet').waitFor()
  await page.getByRole('button', { name: 'New announcement' }).click()
  const drawer = page.getByRole('dialog', { name: 'New announcement' })
  await drawer.getByLabel('Kind').selectOption('must_agree')

  // Only a German text: the form says what is missing, in the language that is missing.
  await drawer.getByRole('tab', { name: 'Deutsch' }).click()
  await drawer.getByRole('textbox', { name: 'Title' }).fill('Notausgänge')
  await drawer.getByRole('textbox', { name: 'Text' }).fill('Halten Sie sie frei.')
  await drawer.getByRole('button', { name: 'Save draft' }).click()
  await drawer.getByText('Enter a title').waitFor()
  await drawer.getByRole('textbox', { name: 'Title' }).fill('Fire exits')
  await drawer.getByRole('textbox', { name: 'Text' }).fill('Keep them free.\nAlways.')
  await drawer.getByRole('button', { name: 'Preview' }).click()
  await drawer.getByRole('heading', { name: 'Fire exits' }).waitFor()

  // The packer is in the middle of an order when it is published.
  const station = await at.openStation(kim)
  await idle(station)
  const { code, order_no } = await at.order({ product: mug, qty: 2 })
  await scan(station, code)
  await station.getByText(order_no).first().waitFor()
  await scan(station, mug.barcode)
  await drawer.getByRole('switch', { name: 'Publish' }).click({ force: true })
  await drawer.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Announcement saved').waitFor()

  // It waits for its writer at once, and for the packer when the order is packed.
  await page.getByRole('dialog', { name: 'Read and agree' }).waitFor()
  await station.waitForTimeout(4_000)
  expect(await station.getByText('Read and agree').count()).toBe(0)
  await scan(station, mug.barcode)
  const asked = station.getByRole('dialog', { name: 'Read and agree' })
  await asked.waitFor()
  expect(await asked.getByRole('button', { name: 'Agree', exact: true }).isDisabled()).toBe(true)
  await asked.getByRole('checkbox').check()
  await asked.getByRole('button', { name: 'Agree', exact: true }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(await kim.send(announcements.waiting, {})).toEqual([])

  const gate = page.getByRole('dialog', { name: 'Read and agree' })
  await gate.getByRole('checkbox').check()
  await gate.getByRole('button', { name: 'Agree', exact: true }).click()
  await gate.waitFor({ state: 'hidden' })
  await page.getByRole('grid', { name: 'Announcements' }).getByText('2 of 2').waitFor()
  await page.getByRole('grid', { name: 'Announcements' }).getByText('Fire exits').click()
  await page.getByRole('tab', { name: 'Who has read it' }).click()
  await page.getByRole('row', { name: /Kim Lund.*Agreed/ }).waitFor()
})
