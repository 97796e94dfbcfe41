/** Products: edits by users, product files and pictures. */
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, buildProduct, scopeOfCompany } from '#app/demo/builders.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { tags } from '#features/company/tags/tags.contract.ts'
import { orderLines } from '#features/orders/orders/lines/order-lines.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { products } from './products.contract.ts'
import { ProductCsvResult, type ProductFields } from './products.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let office: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  office = await operator.hire(['parcels_admin'])
})

const fields = (over: Partial<ProductFields> = {}): ProductFields => ({
  name: 'Mug',
  variant: null,
  weight_g: 300,
  length_mm: 90,
  width_mm: 90,
  height_mm: 100,
  bin: 'A-01',
  hs_code: '691200',
  origin: 'PT',
  customs_text: 'Mug of stoneware',
  serial_required: false,
  no_barcode: false,
  barcodes: [{ barcode: '2000000000015', quantity: 1 }],
  ...over,
})
const make = (sku: string, over: Partial<ProductFields> = {}) => office.send(products.create, { body: { sku, ...fields(over) } })

describe('a product that is corrected', () => {
  it('loses its warnings on waiting orders, and keeps them on packed and weighed ones', async () => {
    const { product_id } = await make('VASE', { weight_g: null, hs_code: null, origin: null, customs_text: null })
    const scope = { ...scopeOfCompany(operator), companies: [operator.main.id] }
    const place = () =>
      buildOrder(testApp.services, scope, {
        ship_to: {
          name: 'Kari Nordmann',
          address1: 'Storgata 1',
          country: 'NO',
          postcode: '0155',
          city: 'Oslo',
          phone: '+4722123456',
          email: 'kari@example.test',
        },
        lines: [{ external_id: '1', sku: 'VASE', name: 'Vase', qty: '2', unit_price_excl_vat: '100.00' }],
      })
    const [open, packed, weighed] = [await place(), await place(), await place()]
    const admin = await operator.hire(['admin'])
    await admin.send(orderLines.setWeight, { kg: '9', type: 'order', id: weighed.id })
    await testApp.services.database.transaction(scope, db =>
      db.updateTable('orders').set({ work_state: 'packed', phase: 'packed' }).where('id', '=', packed.id).execute(),
    )
    const seen = async (id: number) => {
      const { weight_g, badges } = await admin.send(orders.get, { id })
      return { weight_g, customs: badges.find(one => one.kind === 'customs')?.severity }
    }
    expect(await seen(open.id)).toMatchObject({ weight_g: 0, customs: 'error' })
    await office.send(products.update, { id: product_id, body: { ...fields(), version: 1 } })
    await expect.poll(() => seen(open.id)).toEqual({ weight_g: 600, customs: 'ok' })
    await expect.poll(() => seen(weighed.id)).toEqual({ weight_g: 9_000, customs: 'ok' })
    expect(await seen(packed.id)).toMatchObject({ weight_g: 0, customs: 'error' })
  })
})

describe('a product', () => {
  it('is created with its barcodes and found by SKU, name and barcode', async () => {
    const made = await make('MUG-1', {
      barcodes: [
        { barcode: '2000000000015', quantity: 1 },
        { barcode: '2000000000022', quantity: 12 },
      ],
    })
    expect(made).toMatchObject({ sku: 'MUG-1', name: 'Mug', version: 1, has_image: false })
    await make('BOWL-50%', { name: 'Bowl', barcodes: [] })
    const found = async (query: string) => (await office.send(products.search, { query })).rows.map(row => row.sku)
    expect(await found('')).toEqual(['BOWL-50%', 'MUG-1'])
    expect(await found('mug')).toEqual(['MUG-1'])
    expect(await found('bow')).toEqual(['BOWL-50%'])
    expect(await found('2000000000022')).toEqual(['MUG-1'])
    expect(await found('200000000002')).toEqual([])
    expect(await found('%')).toEqual([])
  })

  it('has a unique SKU, ignoring case', async () => {
    await make('MUG-1')
    await expect(make('mug-1', { barcodes: [] })).rejects.toMatchObject({
      status: 409,
      message: 'There is a product with the SKU mug-1 already',
    })
  })

  it('cannot share a barcode with another one', async () => {
    await make('MUG-1')
    await expect(make('MUG-2')).rejects.toMatchObject({ status: 409, message: 'The barcode 2000000000015 belongs to MUG-1 already' })
    expect((await office.send(products.search, {})).rows).toHaveLength(1)
  })

  it('is changed from its present version only; an old version gets the saved state', async () => {
    const { product_id } = await make('MUG-1')
    const saved = await office.send(products.update, {
      id: product_id,
      body: { ...fields({ name: 'Cup', weight_g: null, barcodes: [] }), version: 1 },
    })
    expect(saved).toMatchObject({ name: 'Cup', weight_g: null, barcodes: [], version: 2 })
    await expect(office.send(products.update, { id: product_id, body: { ...fields({ name: 'Jar' }), version: 1 } })).rejects.toMatchObject({
      status: 409,
      current: { name: 'Cup', version: 2 },
    })
    const events = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('events').select(['kind', 'data']).where('kind', '=', 'product.changed').execute(),
    )
    expect((events[0]!.data as { changed: { field: string }[] }).changed.map(change => change.field).sort()).toEqual([
      'barcodes',
      'name',
      'weight_g',
    ])
  })

  it('refuses columns that are not its fields', async () => {
    const { product_id } = await make('MUG-1')
    for (const field of ['company_id', 'operator_id', 'id', 'sku_key', 'image_file_id', 'created_at'])
      expect((await office.ask(products.update, { id: product_id, body: { ...fields(), version: 1, [field]: 7 } })).statusCode, field).toBe(
        400,
      )
  })

  it('is visible to users who see orders, and changed by parcels_admin only', async () => {
    const { product_id } = await make('MUG-1')
    const clerk = await operator.hire(['parcels'])
    expect((await clerk.send(products.search, {})).rows).toHaveLength(1)
    expect((await clerk.ask(products.update, { id: product_id, body: { ...fields(), version: 1 } })).statusCode).toBe(403)
    const other = await operator.hire(['admin'], operator.shops[0])
    await expect(other.send(products.get, { id: product_id })).rejects.toMatchObject({ status: 404 })
  })
})

describe('a picture', () => {
  const photo = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#2f6d8c' } })
      .withExif({ IFD0: { Copyright: 'CANARY-EXIF' } })
      .jpeg()
      .toBuffer()

  it('is re-encoded: WebP, at most 800 pixels, without camera metadata', async () => {
    const id = await buildProduct(testApp.services, { ...scopeOfCompany(operator), companies: [operator.main.id] }, { sku: 'MUG-1' })
    const saved = await office.send(products.setPicture, { id, upload: (await photo(2_000, 1_000)) as never })
    expect(saved).toMatchObject({ has_image: true, version: 2 })
    const { bytes, media_type } = await office.send(products.picture, { id })
    expect(media_type).toBe('image/webp')
    const drawn = await sharp(bytes as Uint8Array).metadata()
    expect(drawn).toMatchObject({ format: 'webp', width: 800, height: 400 })
    expect(drawn.exif).toBeUndefined()
    expect(Buffer.from(bytes as Uint8Array).toString('latin1')).not.toContain('CANARY')
    await office.send(products.removePicture, { id })
    await expect(office.send(products.picture, { id })).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    ['text', Buffer.from('<script>alert(1)</script>')],
    ['half of a picture', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['nothing', Buffer.alloc(1)],
  ])('that is %s is refused in words', async (_, upload) => {
    const { product_id } = await make('MUG-1')
    await expect(office.send(products.setPicture, { id: product_id, upload: upload as never })).rejects.toMatchObject({ status: 400 })
  })

  it('that decompresses to gigabytes is refused before decoding', async () => {
    const { product_id } = await make('MUG-1')
    const bomb = await sharp({ create: { width: 7_200, height: 7_200, channels: 3, background: '#fff' }, limitInputPixels: false })
      .png()
      .toBuffer()
    expect(bomb.length).toBeLessThan(2_000_000)
    await expect(office.send(products.setPicture, { id: product_id, upload: bomb as never })).rejects.toMatchObject({ status: 400 })
  })
})

describe('a product file', () => {
  async function bring(csv: string | Buffer) {
    const { job_id } = await office.send(
      products.importCsv,
      { upload: Buffer.from(csv) as never },
      { headers: { 'x-file-name': 'products.csv' } },
    )
    for (let tries = 0; tries < 200; tries++) {
      const job = await office.send(jobs.get, { id: job_id })
      if (job.state === 'done' || job.state === 'failed') return job
      await new Promise(resolve => setTimeout(resolve, 25))
    }
    throw new Error('The import does not end')
  }

  it('imports products, reports refused rows, and changes nothing the second time', async () => {
    const csv =
      'sku;barcode;outer_barcode;outer_qty;name;weight_g\nA;2000000000015;2000000000022;12;Mug;300\nB;;;;Bowl;heavy\n;;;;Nameless;1\n'
    const first = ProductCsvResult.parse((await bring(csv)).result)
    expect(first).toMatchObject({ created: 1, updated: 0, refused: 2 })
    expect(first.problems.map(problem => problem.row)).toEqual([3, 4])
    expect((await office.send(products.search, {})).rows).toMatchObject([
      { sku: 'A', weight_g: 300, barcodes: [{ quantity: 1 }, { barcode: '2000000000022', quantity: 12 }] },
    ])
    expect(ProductCsvResult.parse((await bring(csv)).result)).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  })

  it.each([
    ['sku;weight\nA;0,25\nB;12', 250],
    ['sku;weight\nA;250\nB;80', 250],
    ['sku;weight kg\nA;0.25', 250],
    ['sku;weight_g\nA;2.500', 2_500],
    ['sku;Vægt;origin\nA;1,5;Portugal', 1_500],
  ])('%j weighs %i grams, whatever its unit and signs', async (csv, weight_g) => {
    await bring(csv)
    const { rows } = await office.send(products.search, { query: 'A' })
    expect(rows[0]).toMatchObject({ sku: 'A', weight_g })
  })

  it('explains the fault of a row in a sentence that can be translated', async () => {
    const { problems } = ProductCsvResult.parse(
      (
        await bring(
          'sku;weight_g;origin;hs_code;outer_barcode;outer_qty\nA;-1;;;;\nB;heavy;;;;\nC;;Nowhere;;;\nD;;;12;;\nE;;;;77;0\n;1;;;;\n',
        )
      ).result,
    )
    expect(problems.map(problem => [problem.row, problem.field, problem.message])).toEqual([
      [2, 'weight_g', 'weight_g -1 is less than 0'],
      [3, 'weight_g', 'weight_g must be a whole number'],
      [4, 'origin', 'A country code has two letters, such as DK'],
      [5, 'hs_code', 'A tariff code has 6 to 11 digits'],
      [6, 'barcodes[0].quantity', 'barcodes[0].quantity 0 is less than 1'],
      [7, 'sku', 'sku is missing'],
    ])
  })

  it('brings what customs ask for, and keeps what a later file leaves out', async () => {
    await bring(
      'sku;hs_code;net_weight_g;weight_g;cost_price;cost_currency;MPN;customs_flags\nA;6109.10.00;200;210;12,50;eur;M-100;food, battery\n',
    )
    await bring('sku;customs_flags\nA;textile\n')
    const { rows } = await office.send(products.search, {})
    expect(rows[0]).toMatchObject({
      hs_code: '61091000',
      net_weight_g: 200,
      cost_price: 1_250,
      cost_currency: 'EUR',
      manufacturer_no: 'M-100',
      customs_flags: ['textile'],
    })
    const { problems } = ProductCsvResult.parse(
      (await bring('sku;cost_price;net_weight_g;weight_g;customs_flags\nB;12;;;\nC;;300;200;\nD;;;;poison\n')).result,
    )
    expect(problems.map(one => [one.row, one.field, one.message])).toEqual([
      [2, 'cost_currency', 'A cost price needs its currency'],
      [3, 'net_weight_g', 'Without its packaging it cannot weigh more than with it'],
      [4, 'customs_flags[0]', 'Only food, excise, alcohol, battery, textile and restricted'],
    ])
  })

  it('sets the tags of its column, keeps those of an empty cell, and names a tag that there is not', async () => {
    const lead = await operator.hire(['parcels_admin'])
    for (const name of ['Fragile', 'Cold']) await lead.send(tags.create, { body: { name } })
    const tagsOf = async (sku: string) => (await office.send(products.search, { query: sku })).rows[0]?.tags
    const first = ProductCsvResult.parse((await bring('sku;tags\nA;fragile, Cold\nB;Heavy|Fragile\n')).result)
    expect(first).toMatchObject({ created: 2, refused: 0 })
    expect(first.noted.map(one => [one.row, one.message])).toEqual([[3, 'There is no tag Heavy: add it first']])
    expect(await tagsOf('A')).toEqual(['Cold', 'Fragile'])
    expect(await tagsOf('B')).toEqual(['Fragile'])
    const second = ProductCsvResult.parse((await bring('sku;tags\nA;Cold\nB;\n')).result)
    expect(second).toMatchObject({ updated: 1, unchanged: 1 })
    expect(await tagsOf('A')).toEqual(['Cold'])
    expect(await tagsOf('B')).toEqual(['Fragile'])
  })

  it('is searched for products whose customs data are missing', async () => {
    await bring('sku;hs_code;origin;weight_g\nFULL;610910;PT;200\nNO-CODE;;PT;200\nNO-ORIGIN;610910;;200\nNO-WEIGHT;610910;PT;\n')
    const { rows } = await office.send(products.search, { customs: 'missing' })
    expect(rows.map(row => row.sku)).toEqual(['NO-CODE', 'NO-ORIGIN', 'NO-WEIGHT'])
  })

  it('accepts a row whose barcode another product has as well, in the same file or before, with a note', async () => {
    await make('OLD', { barcodes: [{ barcode: '2000000000053', quantity: 1 }] })
    const csv = 'sku;barcode\nA;2000000000015\nB;2000000000015\nC;2000000000022\nD;2000000000053\n'
    const { noted, ...read } = ProductCsvResult.parse((await bring(csv)).result)
    expect(read).toMatchObject({ created: 4, refused: 0, problems: [] })
    expect(noted.map(one => [one.row, one.message])).toEqual([
      [2, 'B has the barcode 2000000000015 as well: a scan of it does not tell the two apart'],
      [3, 'A has the barcode 2000000000015 as well: a scan of it does not tell the two apart'],
      [5, 'OLD has the barcode 2000000000053 as well: a scan of it does not tell the two apart'],
    ])
  })

  it('refuses a row with more cells than columns, and takes the others', async () => {
    const result = ProductCsvResult.parse((await bring('sku;name\nA;Mug;blue\nB;Cup\n')).result)
    expect(result).toMatchObject({ created: 1, refused: 1 })
    expect(result.problems).toMatchObject([
      { row: 2, message: 'The row has 3 cells under 2 columns: a separator or a quotation mark in it is wrong' },
    ])
  })

  it('has the orders that wait for its products checked again', async () => {
    await make('VASE', { weight_g: null })
    const scope = { ...scopeOfCompany(operator), companies: [operator.main.id] }
    const { id } = await buildOrder(testApp.services, scope, { lines: [{ external_id: '1', sku: 'VASE', name: 'Vase', qty: '2' }] })
    const admin = await operator.hire(['admin'])
    await bring('sku;weight_g\nVASE;300\n')
    await expect.poll(async () => (await admin.send(orders.get, { id })).weight_g).toBe(600)
  })

  it('keeps fields whose cells are empty', async () => {
    await make('A', { bin: 'Z-9' })
    await bring('sku;weight_g;bin\nA;111;\n')
    expect((await office.send(products.search, {})).rows).toMatchObject([
      { sku: 'A', weight_g: 111, bin: 'Z-9', name: 'Mug', barcodes: [{ barcode: '2000000000015' }] },
    ])
  })

  it('without a SKU column is refused with a sentence', async () => {
    expect(await bring('thing;weight\nA;1\n')).toMatchObject({ state: 'failed', message: 'No column is read as SKU' })
  })

  it('of more than 500 columns is refused with a sentence, also with repeated names', async () => {
    const header = ['sku', ...Array<string>(9_000).fill('N')].join(';')
    expect(await bring(`${header}\nA\n`)).toMatchObject({ state: 'failed', message: 'The file has more than 500 columns' })
  })

  it('of the samples imports completely', async () => {
    const result = ProductCsvResult.parse((await bring(readFileSync('samples/products.csv'))).result)
    expect(result).toMatchObject({ created: 24, refused: 0 })
  })
})
