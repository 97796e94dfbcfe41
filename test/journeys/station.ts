/** A packing station for journeys: an operator with products, users, a printer, and orders on demand. */
import type { Page } from 'playwright-core'
import { printNodeSecret } from '#features/printing/printers/providers.server.ts'
import type { FakePrintNode } from '#integrations/printers/printnode.fake.ts'
import { storeSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import { scopeOfCompany } from '../../src/app/demo/builders.ts'
import { placeOrder } from '../orders.ts'
import { sender } from '../sender.ts'
import type { TestOperator, TestUser } from '../test-app.ts'
import { type JourneyApp, openJourneyApp } from './journey-app.ts'

export const mug = { sku: 'MUG', name: 'Stoneware mug', barcode: '5701234567899' }
export const lamp = { sku: 'LAMP', name: 'Table lamp', barcode: '5709876543217' }
export const camera = { sku: 'CAM', name: 'Camera', barcode: '5700000000015' }
export const candle = { sku: 'CANDLE', name: 'Candle', barcode: '5700000000022' }
export const chalk = { sku: 'CHALK', name: 'Loose chalk', barcode: '5700000000039' }
type Product = typeof mug

interface Wanted {
  product: Product
  qty: number
}

interface PlacedOrder {
  id: number
  order_no: string
  code: string
}

export interface StationApp {
  testApp: JourneyApp
  operator: TestOperator
  /** A packer. */
  kim: TestUser
  /** May do everything at the station, and set it up. */
  jonas: TestUser
  labelPrinter: number
  products: ReadonlyMap<string, number>
  within<T>(step: (db: Db) => Promise<T>): Promise<T>
  /** An order of the main company, ready to be packed. */
  order(...wanted: Wanted[]): Promise<PlacedOrder>
  /** Opens the packing screen of a user at a station; without a printer it takes the built-in one. */
  openStation(worker: TestUser, desk?: { station?: string; path?: string; labelPrinter?: number }): Promise<Page>
}

interface Plan {
  settings?: object
  shops?: number
  /** Printers besides the built-in ones. */
  printNode?: FakePrintNode
  /** A made-up camera in the browser. */
  camera?: boolean
  /** Devices store the product, for work without a network. */
  serviceWorker?: boolean
}

export async function openStationApp({
  settings = {},
  shops = 0,
  printNode,
  camera: hasCamera = false,
  serviceWorker = false,
}: Plan = {}): Promise<StationApp> {
  const services = await openJourneyApp(printNode ? { PRINTNODE_URL: printNode.url } : {}, { camera: hasCamera, serviceWorker })
  const operator = await services.operator({ shops, settings: { sender, ...settings } })
  const within = <T>(step: (db: Db) => Promise<T>): Promise<T> => services.services.database.transaction(scopeOfCompany(operator), step)
  const kim = await operator.hire(['scan'], operator.main, 'Kim Lund')
  const jonas = await operator.hire(['scan_admin', 'parcels_admin', 'settings_admin'], operator.main, 'Jonas Krogh')
  if (printNode) {
    const secret = { operator_id: operator.operator_id, company_id: operator.main.id, name: printNodeSecret }
    await within(db => storeSecret(db, services.services.vault, secret, printNode.apiKey, { user_id: 0, at: new Date() }))
  }
  const labelPrinter = await services.filePrinter(jonas)
  const products = await within(makeProducts)

  return {
    testApp: services,
    operator,
    kim,
    jonas,
    labelPrinter,
    products,
    within,
    async order(...wanted) {
      const placed = await placeOrder(services.services.database, scopeOfCompany(operator), {
        agent_code: 'own',
        shipping_method: 'van',
        lines: wanted.map(({ product, qty }) => ({
          sku: product.sku,
          name: product.name,
          qty,
          weight_g: 300,
          unit_price_excl_vat: '80.00',
          vat_percent: '25',
        })),
      })
      await within(async db => {
        for (const { product } of wanted)
          await db
            .updateTable('order_lines')
            .set({ product_id: products.get(product.sku) as number })
            .where('order_id', '=', placed.id)
            .where('sku', '=', product.sku)
            .execute()
      })
      return { id: placed.id, order_no: placed.order_no, code: `${placed.company_id}:${placed.id}` }
    },
    openStation: (worker, { station = 'Bench 1', path = '/', labelPrinter: chosen = labelPrinter } = {}) =>
      services.open(worker, path, { station, labelPrinter: chosen }),
  }
}

async function makeProducts(db: Db): Promise<Map<string, number>> {
  const products = new Map<string, number>()
  for (const product of [mug, lamp, camera, candle, chalk]) {
    const { id } = await db
      .insertInto('products')
      .values({
        sku: product.sku,
        name: product.name,
        weight_g: 300,
        bin: `A-${product.sku}`,
        serial_required: product === camera,
        no_barcode: product === chalk,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    products.set(product.sku, id)
    if (product !== chalk) await db.insertInto('product_barcodes').values({ product_id: id, barcode: product.barcode }).execute()
  }
  return products
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name })
/** The feedback of the last scan, or the number of the next line, in large type. */
export const feedback = (page: Page, text: string | RegExp) => page.getByText(text).first()

export async function done(page: Page) {
  await heading(page, 'Scan the next order').waitFor()
}

export async function idle(page: Page) {
  await heading(page, /^(Scan (an order code|the next order)|Select a label printer)$/).waitFor()
}
