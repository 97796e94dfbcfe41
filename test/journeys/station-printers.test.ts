/** Journey: a lead sets the printers of a station. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { selfTests } from '#features/printing/self-tests/self-tests.contract.ts'
import { stationPrinters } from '#features/printing/station-printers/station-printers.contract.ts'
import { stations } from '#features/printing/stations/stations.contract.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'
import { scan } from './scan.ts'

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
  await expect.poll(() => matrix.getByText('File: labels (100 × 150 mm)').count()).toBe(3)
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

it('prints the test page of a station, asks for it before the first order, and takes the scan of it', async () => {
  const known = await lead.send(printers.list, {})
  const label = known.printers.find(one => one.kind === 'file' && one.paper === 'label')?.id ?? 0
  await lead.send(stationPrinters.set, { id: station_id, body: { printers: [{ role: 'label', printer_id: label }] } })
  const page = await testApp.open(lead, '/settings/printer?tab=printers')
  const list = page.getByRole('grid', { name: 'Self-test' })
  await list.getByText('By hand only').click()
  const form = page.getByRole('dialog', { name: 'Self-test of Bench 1' })
  await form.getByRole('switch', { name: 'Print a test page by itself' }).click()
  await form.getByRole('textbox', { name: 'Time' }).fill('6')
  await form.getByRole('switch', { name: 'Ask for it before the first order' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('A time looks like 06:05').waitFor()
  await form.getByRole('textbox', { name: 'Time' }).fill('06:05')
  await form.getByRole('checkbox', { name: 'Sat' }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  await list.getByText(/^06:05 · Mon, Tue, Wed, Thu, Fri, Sat · first order asks$/).waitFor()
  await list.getByRole('button', { name: 'Print now' }).click()
  await list.getByText('To be scanned').waitFor()

  const { today } = await lead.send(selfTests.state, { station: 'Bench 1' })
  const station = await testApp.open(lead, '/')
  const question = station.getByRole('dialog', { name: 'Scan the test page' })
  await question.getByText(today?.code ?? '–').waitFor()
  await scan(station, '1:1')
  await question.waitFor()
  await scan(station, today?.code ?? '')
  await question.waitFor({ state: 'detached' })
  await station.getByRole('button', { name: 'Printers: Printer ready' }).waitFor()
  await list.getByText('Scanned back').waitFor()
})
