/** Journey: a bundle that the office makes of products – written on the product's page, ordered, packed by scanner events, seen on the order. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { products } from '#features/catalog/products/products.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { buildOrder, buildProduct, scopeOfCompany } from '../../src/app/demo/builders.ts'
import type { TestUser } from '../test-app.ts'
import { scan } from './scan.ts'
import { camera, done, feedback, heading, idle, lamp, mug, openStationApp, type StationApp } from './station.ts'

let at: StationApp
let office: TestUser
const kit = { sku: 'KIT', name: 'Photo kit', barcode: '5700000000701' }
beforeAll(async () => {
  at = await openStationApp()
  office = await at.operator.hire(['parcels_admin'], at.operator.main, 'Astrid Holm')
  const scope = { ...scopeOfCompany(at.operator), companies: [at.operator.main.id] }
  await buildProduct(at.testApp.services, scope, { sku: kit.sku, name: kit.name, barcodes: [kit.barcode] })
})
afterAll(() => at?.testApp.close())

const shot = async (page: Page, name: string) => {
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: join(process.env.JOURNEY_PICTURES, `${name}.png`) })
}

it('is made of products found by name, with what is wrong said beside the part, and is packed part by part', async () => {
  const page = await at.testApp.open(office, '/parcels/products')
  await page.getByRole('link', { name: 'KIT' }).click()
  const parts = page.getByRole('region', { name: 'Bundle' })
  const fields = parts.getByRole('combobox', { name: 'Product' })
  await parts.getByRole('button', { name: 'Add part' }).click()
  // The field of the new part has the focus: the next keys go there.
  await page.keyboard.type('Camera')
  await page.getByRole('option', { name: 'Camera' }).click()
  await parts.getByRole('button', { name: 'Add part' }).click()
  await page.keyboard.type('LAMPE')
  await parts.getByRole('textbox', { name: 'Pieces in one bundle' }).last().fill('2')
  await page.getByRole('button', { name: 'Save' }).click()
  await parts.getByText('No product has this SKU').waitFor()
  await shot(page, 'bundle-form-refused')
  await fields.last().fill('LAMP')
  await page.getByRole('option', { name: 'Table lamp' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Product saved').first().waitFor()
  for (const width of process.env.JOURNEY_PICTURES ? [390, 1024, 1440] : []) {
    await page.setViewportSize({ width, height: 900 })
    await parts.scrollIntoViewIfNeeded()
    await shot(page, `bundle-form-${width}`)
  }
  const [stored] = (await office.send(products.search, { query: kit.sku })).rows
  expect(stored?.components.map(part => [part.sku, part.quantity])).toEqual([
    ['CAM', 1],
    ['LAMP', 2],
  ])
  // The part names its bundle, and cannot become one.
  await page.goto(page.url().replace(/id=\d+/, `id=${at.products.get('LAMP')}`))
  await page.getByText('2 in each Photo kit (KIT)').waitFor()

  const scope = { ...scopeOfCompany(at.operator), companies: [at.operator.main.id] }
  const order = await buildOrder(at.testApp.services, scope, {
    lines: [
      { external_id: '1', sku: kit.sku, barcode: kit.barcode, name: kit.name, qty: '1', unit_price_excl_vat: '800.00', vat_percent: '25' },
      { external_id: '2', sku: mug.sku, name: mug.name, qty: '1', unit_price_excl_vat: '80.00', vat_percent: '25' },
    ],
  })
  await at.within(db => db.updateTable('orders').set({ agent_code: 'own', shipping_method: 'van' }).where('id', '=', order.id).execute())
  const station = await at.openStation(at.kim)
  await idle(station)
  await scan(station, `${at.operator.main.id}:${order.id}`)
  await heading(station, camera.name).waitFor()
  await scan(station, kit.barcode)
  await heading(station, 'Scan the parts').waitFor()
  await shot(station, 'bundle-scanned')
  await scan(station, camera.barcode)
  await feedback(station, 'Now its serial number').waitFor()
  await scan(station, 'SN-B-1')
  await feedback(station, 'Camera: 1 of 1').waitFor()
  await scan(station, lamp.barcode)
  await feedback(station, 'Table lamp: 1 of 2').waitFor()
  await scan(station, lamp.barcode)
  await feedback(station, 'Table lamp: 2 of 2').waitFor()
  await scan(station, mug.barcode)
  await done(station)
  expect((await at.kim.send(packing.get, { id: order.id })).lines.map(line => [line.sku, line.bundle, line.serials])).toEqual([
    ['CAM', kit.name, ['SN-B-1']],
    ['LAMP', kit.name, []],
    ['MUG', null, []],
  ])

  const desk = await at.testApp.open(at.jonas, `/parcels/orders?id=${order.id}`)
  await desk.getByText('Bundle of 2 parts').waitFor()
  await desk.getByText('Serial number SN-B-1', { exact: true }).waitFor()
  await shot(desk, 'bundle-order-page')
})
