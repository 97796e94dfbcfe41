/** Faults at the packing station and how a packer continues: a printer that refuses, an unknown code, a check that cannot run. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { changeSettings } from '#features/company/companies/companies.commands.ts'
import { packingPin } from '#features/company/packing-pin/packing-pin.contract.ts'
import { credentials } from '#features/company/users/credentials.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { type FakePrinter, type FakePrintNode, fakePrintNode } from '#integrations/printers/printnode.fake.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import type { TestUser } from '../test-app.ts'
import { hasFocus, press } from './keyboard.ts'
import { scan } from './scan.ts'
import { candle, done, feedback, heading, idle, lamp, mug, openStationApp, type StationApp } from './station.ts'

let node: FakePrintNode
let at: StationApp
let kim: TestUser
let jonas: TestUser
let zebra: FakePrinter
let spare: FakePrinter
let zebraId: number

beforeAll(async () => {
  node = await fakePrintNode({ perSecond: 1_000 })
  zebra = node.addPrinter({ computer: { id: 101, name: 'PACK-1', state: 'connected' }, name: 'Zebra ZD421' })
  spare = node.addPrinter({ computer: { id: 102, name: 'PACK-2', state: 'connected' }, name: 'Zebra ZD621' })
  at = await openStationApp({ printNode: node, settings: { bypass_needs_pin: true }, shops: 1 })
  ;({ kim, jonas } = at)
  const { printers: known } = await jonas.send(printers.list, {})
  zebraId = known.find(one => one.remote_id === String(zebra.id))?.id ?? 0
})
afterAll(async () => {
  await at?.testApp.close()
  await node?.stop()
})

const refuseOnce = () => node.behave({ on: 'POST /printjobs', status: 400, message: 'The printer has no paper' })
const trouble = (page: Page, order_no: string) =>
  page.getByRole('alert').filter({ hasText: `The label of ${order_no} did not come out of Zebra ZD421` })

describe('a printer that refuses a label', () => {
  it('is seen while the next order is packed already, and another printer makes the one label', async () => {
    const page = await at.openStation(kim, { labelPrinter: zebraId })
    await idle(page)
    const first = await at.order({ product: mug, qty: 1 })
    const second = await at.order({ product: lamp, qty: 1 })
    const before = node.printed().length
    const came = () => node.printed().slice(before)
    refuseOnce()
    await scan(page, first.code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await trouble(page, first.order_no).waitFor()
    await feedback(page, 'The printer has no paper').waitFor()

    // Not green without a label: the next order opens with the second scan only.
    await heading(page, 'No label yet').waitFor()
    expect(await heading(page, 'Scan the next order').count()).toBe(0)
    await scan(page, second.code)
    await feedback(page, `Order ${first.order_no} has no label yet. Scan once more to go on without it.`).waitFor()
    await scan(page, second.code)
    await heading(page, 'Table lamp').waitFor()
    await trouble(page, first.order_no).getByRole('button', { name: 'Print on Zebra ZD621' }).click()
    await trouble(page, first.order_no).waitFor({ state: 'detached' })
    await expect.poll(() => came().map(({ job, copies }) => [job.printerId, copies])).toEqual([[spare.id, 1]])
    const { rows } = await jonas.send(printJobs.list, { order_id: first.id })
    expect(rows.map(job => [job.printer_name, job.copy_no, job.attempts])).toEqual([['Zebra ZD621', 0, 2]])

    // Nothing of the order in hand was lost over it.
    await scan(page, lamp.barcode)
    await done(page)
    await expect.poll(() => came().map(({ job }) => job.printerId)).toEqual([spare.id, zebra.id])
  })

  it('leaves no green without paper: Enter prints again, and a parcel that waits is listed until it has its label', async () => {
    const page = await at.openStation(kim, { labelPrinter: zebraId })
    await idle(page)
    const first = await at.order({ product: mug, qty: 1 })
    const second = await at.order({ product: lamp, qty: 1 })
    refuseOnce()
    await scan(page, first.code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await heading(page, 'No label yet').waitFor()
    await page.getByRole('button', { name: 'Print label again' }).waitFor()
    await scan(page, second.code)
    await scan(page, second.code)
    await heading(page, 'Table lamp').waitFor()
    // The open order has no label yet, so no key prints that of the other.
    expect(await page.getByRole('button', { name: /Reprint/ }).count()).toBe(0)
    await press(page, 'F8')
    await feedback(page, `Order ${second.order_no} has no label yet`).waitFor()
    await page.getByRole('button', { name: 'Without label 1' }).click()
    await page.getByRole('button', { name: 'Print label', exact: true }).click()
    await page.getByRole('button', { name: 'Without label 1' }).waitFor({ state: 'detached' })
    await scan(page, lamp.barcode)
    await done(page)
    await page.getByRole('button', { name: `F8 Reprint ${second.order_no}` }).waitFor()
  })

  it('asks for a printer before the first order, and by itself after it', async () => {
    const page = await at.testApp.open(kim, '/', { station: 'Bench 1' })
    await heading(page, 'Select a label printer').waitFor()
    const { code } = await at.order({ product: mug, qty: 1 })
    await scan(page, code)
    await heading(page, 'Stoneware mug').waitFor()
    await scan(page, mug.barcode)
    await heading(page, 'No label yet').waitFor()
    expect(await heading(page, 'Scan the next order').count()).toBe(0)
    await press(page, '3')
    await heading(page, 'Select a label printer').waitFor()
    await press(page, 'Enter')
    await page.waitForURL('**/settings/printer')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  })

  it('is asked for this label again, and not for the last one’s, while the label is to be checked', async () => {
    await at.within(db =>
      db
        .insertInto('shipping_methods')
        .values({ agent_code: 'own', shipping_method: 'van', name: 'Own delivery', check_tracking_and_trace: true })
        .execute(),
    )
    onTestFinished(() => at.within(db => db.deleteFrom('shipping_methods').where('agent_code', '=', 'own').execute()).then(() => undefined))
    const page = await at.openStation(kim, { labelPrinter: zebraId })
    await idle(page)
    const { id, order_no, code } = await at.order({ product: candle, qty: 1 })
    refuseOnce()
    await scan(page, code)
    await heading(page, 'Candle').waitFor()
    await scan(page, candle.barcode)
    await heading(page, 'Scan the new label').waitFor()
    await trouble(page, order_no).waitFor()
    await scan(page, 'CMD:REPRINT')
    await trouble(page, order_no).waitFor({ state: 'detached' })
    await feedback(page, `The label of ${order_no} prints again`).waitFor()
    const [parcel] = (await kim.send(packing.get, { id })).parcels
    const number = parcel?.tracking_no ?? ''
    // The first never came out, so this is the label itself and no copy.
    await expect.poll(() => node.printed().at(-1)).toMatchObject({ job: { printerId: zebra.id, title: `Label ${number}` }, copies: 1 })
    const { rows } = await jonas.send(printJobs.list, { order_id: id })
    expect(rows.map(job => [job.state === 'failed', job.copy_no])).toEqual([
      [false, 0],
      [true, 0],
    ])
    await scan(page, number)
    await done(page)
  })
})

it('packs without scanning for a reason and with the PIN, and keeps both the reason and who it was', async () => {
  await jonas.send(packingPin.setPin, { body: { pin: '4711' } })
  const page = await at.openStation(kim)
  await idle(page)
  const { id, code } = await at.order({ product: mug, qty: 3 }, { product: lamp, qty: 1 })
  await scan(page, code)
  await heading(page, 'Stoneware mug').waitFor()
  await scan(page, mug.barcode)
  await feedback(page, 'Stoneware mug: 1 of 3').waitFor()
  await page.getByRole('button', { name: 'Pack without scanning …' }).click()
  await heading(page, 'Why skip the check?').waitFor()
  await page.getByRole('button', { name: 'Something else' }).waitFor()
  await press(page, '1')
  await hasFocus(page.getByLabel('PIN', { exact: true }))
  const dial = async (digits: string) => {
    for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).click()
  }
  const send = page.getByRole('button', { name: 'OK', exact: true })
  expect(await send.isDisabled()).toBe(true)
  await dial('4713')
  await page.getByRole('button', { name: 'Delete last digit' }).click()
  await dial('2')
  await send.click()
  await feedback(page, 'The PIN is wrong').waitFor()
  await page.keyboard.type('4711', { delay: 90 })
  await press(page, 'Enter')
  await done(page)
  expect(await kim.send(packing.get, { id })).toMatchObject({ work_state: 'packed', packed: 4 })
  const [used] = await jonas.send(orders.bypassUsed, { body: [id] })
  expect(used?.bypasses).toMatchObject([{ reason: 'Barcodes are unreadable' }, { reason: 'Barcodes are unreadable' }])
  await jonas.send(packingPin.removePin, {})
})

it('takes an order over with the badge of a lead, without a word about permissions', async () => {
  const astrid = await at.operator.hire(['admin'])
  const { code: badge } = await astrid.send(credentials.makeBadge, { id: jonas.user_id })
  const lis = await at.operator.hire(['scan'], at.operator.main, 'Lis Holm')
  const first = await at.openStation(kim)
  const second = await at.openStation(lis, { station: 'Bench 2' })
  await idle(first)
  await idle(second)
  const { code } = await at.order({ product: mug, qty: 2 })
  await scan(first, code)
  await heading(first, 'Stoneware mug').waitFor()
  await scan(second, code)
  await heading(second, 'Kim Lund has it at Bench 1').waitFor()
  expect(await second.getByText(/scan_admin/).count()).toBe(0)
  await press(second, 'Enter')
  await heading(second, 'Take this order over?').waitFor()
  await scan(second, badge)
  await heading(second, 'Stoneware mug').waitFor()
  await heading(first, 'Lis Holm has it at Bench 2').waitFor()
})

it('takes no order over with a badge that was revoked', async () => {
  const { code: badge } = await (await at.operator.hire(['admin'])).send(credentials.makeBadge, { id: jonas.user_id })
  const lis = await at.operator.hire(['scan'], at.operator.main, 'Lis Holm')
  const first = await at.openStation(kim)
  const second = await at.openStation(lis, { station: 'Bench 2' })
  await idle(first)
  await idle(second)
  const { id, code } = await at.order({ product: mug, qty: 2 })
  await scan(first, code)
  await heading(first, 'Stoneware mug').waitFor()
  await scan(second, code)
  await heading(second, 'Kim Lund has it at Bench 1').waitFor()
  await press(second, 'Enter')
  await heading(second, 'Take this order over?').waitFor()
  await (await at.operator.hire(['admin'])).send(credentials.revokeBadge, { id: jonas.user_id })
  await scan(second, badge)
  await feedback(second, 'This badge is not valid').waitFor()
  // The order stays where it is.
  await scan(first, mug.barcode)
  await feedback(first, 'Stoneware mug: 1 of 2').waitFor()
  expect(await kim.send(packing.get, { id })).toMatchObject({ packed: 1 })
})

it('names the shop of a product that belongs to another one, and counts nothing', async () => {
  const [shop] = at.operator.shops
  if (!shop) throw new Error('There is no shop')
  const barcode = '5704444444449'
  await at.testApp.services.database.transaction(scopeOfCompany(at.operator, shop), async db => {
    const sock = { sku: 'SOCK', name: 'Wool sock', weight_g: 50 }
    const { id } = await db.insertInto('products').values(sock).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('product_barcodes').values({ product_id: id, barcode }).execute()
  })
  const page = await at.openStation(kim)
  await idle(page)
  const { id, code } = await at.order({ product: mug, qty: 2 })
  await scan(page, code)
  await heading(page, 'Stoneware mug').waitFor()
  await scan(page, barcode)
  await heading(page, 'Wrong shop').waitFor()
  await feedback(page, `Wool sock belongs to ${shop.name}`).waitFor()
  expect(await kim.send(packing.get, { id })).toMatchObject({ packed: 0 })
  await scan(page, mug.barcode)
  await feedback(page, 'Stoneware mug: 1 of 2').waitFor()
})

it('links an unknown code to a product of the order after a second scan, and never asks again', async () => {
  const page = await at.openStation(jonas)
  await idle(page)
  const { id, code } = await at.order({ product: mug, qty: 1 }, { product: lamp, qty: 2 })
  await scan(page, code)
  await heading(page, 'Stoneware mug').waitFor()
  await scan(page, '5799999999995')
  await heading(page, 'Unknown barcode').waitFor()
  await page.getByRole('button', { name: 'Link to product' }).click()
  await heading(page, 'Which product is it?').waitFor()
  await press(page, '2')
  await heading(page, 'Scan again to confirm').waitFor()
  expect(await kim.send(packing.get, { id })).toMatchObject({ packed: 0 })
  await scan(page, '5799999999995')
  await feedback(page, 'Table lamp: 1 of 2').waitFor()
  await scan(page, '5799999999995')
  await feedback(page, 'Table lamp: 2 of 2').waitFor()
  await scan(page, mug.barcode)
  await done(page)
})

it('offers users without permission to link codes only the right item', async () => {
  const page = await at.openStation(kim)
  await idle(page)
  const { code } = await at.order({ product: mug, qty: 2 })
  await scan(page, code)
  await heading(page, 'Stoneware mug').waitFor()
  await scan(page, '5788888888886')
  await heading(page, 'Unknown barcode').waitFor()
  expect(await page.getByRole('button', { name: 'Link to product' }).count()).toBe(0)
  await scan(page, mug.barcode)
  await feedback(page, 'Stoneware mug: 1 of 2').waitFor()
})

it('shows a changed address to the packer of the old one, and still counts the next scan', async () => {
  const page = await at.openStation(kim)
  await idle(page)
  const { id, code } = await at.order({ product: mug, qty: 2 })
  await scan(page, code)
  await heading(page, 'Stoneware mug').waitFor()
  await scan(page, mug.barcode)
  await feedback(page, 'Stoneware mug: 1 of 2').waitFor()
  await jonas.send(orders.setAddress, { order_id: id, body: { address1: 'Vestergade 7' } })
  await heading(page, 'The address was changed').waitFor()
  await feedback(page, /Vestergade 7/).waitFor()
  await scan(page, mug.barcode)
  await done(page)
  await expect.poll(async () => (await kim.send(packing.get, { id })).work_state).toBe('packed')
})

it('shows for which company an order is packed, in its own colour', async () => {
  const [shop] = at.operator.shops
  if (!shop) throw new Error('There is no shop')
  const scope = scopeOfCompany(at.operator, shop)
  const database = at.testApp.services.database
  await database.transaction(scope, db => changeSettings(db, shop.id, { color: '#1d5b3a' }, { name: 'Astrid Holm', at: new Date() }))
  const { id } = await placeOrder(database, scope, { agent_code: 'own', shipping_method: 'van' })
  const page = await at.openStation(kim)
  await idle(page)
  await scan(page, `${shop.id}:${id}`)
  await heading(page, 'T-shirt').waitFor()
  const name = page.getByRole('complementary').getByText(shop.name, { exact: true })
  await name.waitFor()
  expect(
    await name.evaluate(element => element.previousElementSibling && getComputedStyle(element.previousElementSibling).backgroundColor),
  ).toBe('rgb(29, 91, 58)')
})

it('goes on in a gap of the network right after it began, and loads what stands beside it when the network is back', async () => {
  const page = await at.openStation(kim)
  const { code } = await at.order({ product: mug, qty: 2 })
  at.testApp.expectOutages()
  const camera = /assets\/StationCamera-.*\.js/
  const parts: string[] = []
  page.on('request', request => camera.test(request.url()) && parts.push(request.url()))
  // The app itself asks for it once; every later look for the server fails.
  let asked = 0
  await page.context().route('**/conf.json', route => (asked++ === 0 ? route.continue() : route.abort('internetdisconnected')))
  await page.reload()
  await idle(page)
  await scan(page, code)
  await heading(page, 'Stoneware mug').waitFor()
  await scan(page, mug.barcode)
  await feedback(page, '1 of 2 packed').waitFor()
  await expect.poll(() => asked).toBeGreaterThan(1)
  expect(parts).toEqual([])

  await page.context().unroute('**/conf.json')
  const loaded = page.waitForResponse(camera)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  expect((await loaded).ok()).toBe(true)
})
