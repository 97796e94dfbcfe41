/** Journey: a lead sets the printers of a station. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { stationPrinters } from '#features/printing/station-printers/station-printers.contract.ts'
import { stations } from '#features/printing/stations/stations.contract.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

let testApp: JourneyApp
let operator: TestOperator
let lead: TestUser
let station_id: number

beforeAll(async () => {
  testApp = await openJourneyApp()
  operator = await testApp.operator()
  lead = await operator.hire(['scan', 'scan_admin'], operator.main, 'Astrid Holm')
  station_id = (await lead.send(stations.use, { name: 'Bench 1' })).id
  await lead.send(printers.list, {})
})
afterAll(() => testApp?.close())

it('sets the printers of a station by kind of document, and the chip of its devices knows them', async () => {
  const page = await testApp.open(lead, '/settings/printer?tab=printers')
  const matrix = page.getByRole('grid', { name: 'Printers of the stations' })
  await matrix.getByText('Bench 1').click()
  const drawer = page.getByRole('dialog', { name: 'Printers of Bench 1' })
  await drawer.getByRole('combobox', { name: 'Printer: Label', exact: true }).selectOption({ label: 'File: labels (100 × 150 mm)' })
  await drawer.getByRole('combobox', { name: 'Printer: Packing slip', exact: true }).selectOption({ label: 'File: A4' })
  await drawer.getByRole('combobox', { name: 'Copies: Packing slip' }).selectOption('2')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.waitFor({ state: 'detached' })
  await matrix.getByText('File: A4 × 2').waitFor()
  // A return label comes out of the label printer.
  expect(await matrix.getByText('File: labels (100 × 150 mm)').count()).toBe(3)
  const { printers: set } = await lead.send(stationPrinters.get, { id: station_id })
  expect(set.map(one => [one.role, one.copies])).toEqual([
    ['label', 1],
    ['slip', 2],
  ])
  await page.evaluate(() => localStorage.setItem('packingStation', 'Bench 1'))
  await page.reload()
  await page.getByRole('button', { name: 'Printers: Printer ready' }).waitFor()
  const roles = await page.evaluate(() => JSON.parse(localStorage.getItem('printer') ?? '{}').roles)
  expect(roles).toMatchObject({ label: set[0]?.printer_id, slip: set[1]?.printer_id })
})
