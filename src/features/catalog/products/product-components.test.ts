/** Bundles: products that a company makes of others, by hand, by file and by a shop's program. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { crateRules } from '#features/catalog/crates/crate-rules.contract.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { mostComponents } from './products.codes.ts'
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
  ...{ name: 'Thing', variant: null, weight_g: 100, length_mm: null, width_mm: null, height_mm: null, bin: null },
  ...{ hs_code: null, origin: null, customs_text: null, serial_required: false, no_barcode: false, barcodes: [] },
  ...over,
})
const make = (sku: string, components?: ProductFields['components'], user = office) =>
  user.send(products.create, { body: { sku, ...fields({ name: `The ${sku}` }), ...(components && { components }) } })
const partsOf = (rows: readonly { sku: string; quantity: number }[]) => rows.map(row => [row.sku, row.quantity])

describe('a bundle', () => {
  it('keeps its parts in their order, and each part names its bundles', async () => {
    const [camera, lens] = [await make('CAM'), await make('LENS')]
    const kit = await make('KIT', [
      { sku: 'lens', quantity: 2 },
      { sku: 'CAM', quantity: 1 },
    ])
    expect(kit.components).toEqual([
      { product_id: lens.product_id, sku: 'LENS', name: 'The LENS', quantity: 2 },
      { product_id: camera.product_id, sku: 'CAM', name: 'The CAM', quantity: 1 },
    ])
    const part = await office.send(products.get, { id: lens.product_id })
    expect([part.components, partsOf(part.bundles)]).toEqual([[], [['KIT', 2]]])
    const { rows } = await office.send(products.search, { query: 'KIT' })
    expect(partsOf(rows[0]?.components ?? [])).toEqual(partsOf(kit.components))
  })

  it('keeps its parts where a change does not name them, and loses them where it says so', async () => {
    await make('CAM')
    const { product_id } = await make('KIT', [{ sku: 'CAM', quantity: 3 }])
    const renamed = await office.send(products.update, { id: product_id, body: { ...fields({ name: 'Photo kit' }), version: 1 } })
    expect(partsOf(renamed.components)).toEqual([['CAM', 3]])
    const emptied = await office.send(products.update, { id: product_id, body: { ...fields(), components: [], version: 2 } })
    expect(emptied.components).toEqual([])
  })

  it.each<[string, ProductFields['components'], string, string, string]>([
    [
      'of a product that does not exist',
      [
        { sku: 'CAM', quantity: 1 },
        { sku: 'NONE', quantity: 1 },
      ],
      'components.1.sku',
      'There is no product with the SKU NONE',
      'No product has this SKU',
    ],
    [
      'of itself',
      [{ sku: 'new', quantity: 1 }],
      'components.0.sku',
      'A bundle cannot be a part of itself',
      'A bundle cannot be a part of itself',
    ],
    [
      'of one product twice',
      [
        { sku: 'CAM', quantity: 1 },
        { sku: 'cam', quantity: 2 },
      ],
      'components.1.sku',
      'cam stands twice',
      'It stands twice',
    ],
    [
      'of another bundle',
      [{ sku: 'KIT', quantity: 1 }],
      'components.0.sku',
      'KIT is a bundle itself. Add its parts instead.',
      'It is a bundle itself. Add its parts instead.',
    ],
  ])('does not consist %s, and the refusal names the part', async (_, components, field, message, beside) => {
    await make('CAM')
    await make('KIT', [{ sku: 'CAM', quantity: 1 }])
    const refused = await office.ask(products.create, { body: { sku: 'NEW', ...fields(), components } })
    expect([refused.statusCode, refused.json()]).toMatchObject([422, { code: 'components_invalid', message, fields: { [field]: beside } }])
    expect((await office.send(products.search, { query: 'NEW' })).rows).toEqual([])
  })

  it('is not made of a product that is a part already', async () => {
    const { product_id } = await make('CAM')
    await make('BODY')
    await make('KIT', [{ sku: 'CAM', quantity: 1 }])
    const body = { ...fields(), components: [{ sku: 'BODY', quantity: 1 }], version: 1 }
    await expect(office.send(products.update, { id: product_id, body })).rejects.toMatchObject({
      status: 422,
      message: 'CAM is a part of the bundle KIT and cannot be one itself',
    })
  })

  it('has no depth of two, whichever of two changes at once comes first', async () => {
    const [a, b] = [await make('A'), await make('B')]
    await make('C')
    const outcomes = await Promise.all([
      office.ask(products.update, { id: a.product_id, body: { ...fields(), components: [{ sku: 'B', quantity: 1 }], version: 1 } }),
      office.ask(products.update, { id: b.product_id, body: { ...fields(), components: [{ sku: 'C', quantity: 1 }], version: 1 } }),
    ])
    expect(outcomes.map(one => one.statusCode).toSorted()).toEqual([200, 422])
  })

  it('has as many parts as are allowed, and no more, each at least once', async () => {
    const many = Array.from({ length: mostComponents + 1 }, (_, at) => ({ sku: `P${at}`, quantity: 1 }))
    for (const { sku } of many) await make(sku)
    expect((await make('ALL', many.slice(1))).components).toHaveLength(mostComponents)
    const ask = (components: { sku: string; quantity: number }[]) =>
      office.ask(products.create, { body: { sku: 'MORE', ...fields(), components } })
    expect((await ask(many)).statusCode).toBe(400)
    expect((await ask([{ sku: 'P1', quantity: 0 }])).statusCode).toBe(400)
    expect((await ask([{ sku: 'P1', quantity: 1_001 }])).statusCode).toBe(400)
  })

  it('consists of products of its own company only', async () => {
    const shop = await operator.hire(['parcels_admin'], operator.shops[0])
    await make('CAM')
    await expect(make('KIT', [{ sku: 'CAM', quantity: 1 }], shop)).rejects.toMatchObject({
      message: 'There is no product with the SKU CAM',
    })
    await make('CAM', undefined, shop)
    const own = await make('KIT', [{ sku: 'CAM', quantity: 1 }], shop)
    expect((await office.ask(products.get, { id: own.product_id })).statusCode).toBe(404)
    expect((await office.send(products.search, { query: 'CAM' })).rows[0]?.bundles).toEqual([])
  })

  it('misses neither customs data nor a size: its parts have them', async () => {
    await make('CAM')
    await make('KIT', [{ sku: 'CAM', quantity: 1 }])
    expect((await office.send(products.search, { customs: 'missing' })).rows.map(row => row.sku)).toEqual(['CAM'])
    const admin = await operator.hire(['admin'])
    expect((await admin.send(crateRules.options, {})).products_without_size).toBe(1)
  })

  it('is written by who may change products', async () => {
    const packer = await operator.hire(['scan'])
    expect((await packer.ask(products.create, { body: { sku: 'KIT', ...fields(), components: [] } })).statusCode).toBe(403)
  })

  it('is a change that its history names', async () => {
    await make('CAM')
    const { product_id } = await make('KIT')
    await office.send(products.update, {
      id: product_id,
      body: { ...fields({ name: 'The KIT' }), components: [{ sku: 'CAM', quantity: 2 }], version: 1 },
    })
    const [event] = await testApp.services.database.transaction({ ...scopeOfCompany(operator), companies: [operator.main.id] }, db =>
      db.selectFrom('events').select('data').where('kind', '=', 'product.changed').where('subject_id', '=', product_id).execute(),
    )
    expect(event?.data).toMatchObject({ changed: [{ field: 'components', to: [{ sku: 'CAM', quantity: 2 }] }] })
  })
})

describe('a file of products', () => {
  async function bring(csv: string) {
    const { job_id } = await office.send(
      products.importCsv,
      { upload: Buffer.from(csv) as never },
      { headers: { 'x-file-name': 'products.csv' } },
    )
    await expect.poll(async () => (await office.send(jobs.get, { id: job_id })).state, { timeout: 10_000 }).toBe('done')
    return ProductCsvResult.parse((await office.send(jobs.get, { id: job_id })).result)
  }
  const stored = async (sku: string) => (await office.send(products.search, { query: sku })).rows.find(row => row.sku === sku)

  it('brings bundles before their parts, changes nothing the second time, and empties one by a dash', async () => {
    const csv = 'sku;name;components\nKIT;Photo kit;"CAM; 2 x LENS | STRAP"\nCAM;Camera;\nLENS;Lens;\nSTRAP;Strap;\n'
    expect(await bring(csv)).toMatchObject({ created: 4, refused: 0 })
    expect(partsOf((await stored('KIT'))?.components ?? [])).toEqual([
      ['CAM', 1],
      ['LENS', 2],
      ['STRAP', 1],
    ])
    expect(await bring(csv)).toMatchObject({ created: 0, updated: 0, unchanged: 4 })
    expect(await bring('sku;name;components\nKIT;Photo kit;\n')).toMatchObject({ unchanged: 1 })
    expect(await bring('sku;name;components\nKIT;Photo kit;-\n')).toMatchObject({ updated: 1 })
    expect((await stored('KIT'))?.components).toEqual([])
  })

  it('is read again as it was exported, and changes nothing', async () => {
    await make('CAM')
    await make('KIT', [{ sku: 'CAM', quantity: 2 }])
    await office.send(products.create, {
      body: {
        sku: '2XL-SHIRT',
        ...fields({
          ...{ name: '=Shirt, “large”', variant: 'Red; blue', weight_g: 250, bin: 'A-01', hs_code: '610910', origin: 'PT' },
          ...{ cost_price: 12_345, cost_currency: 'DKK', customs_flags: ['textile'], serial_required: true },
          barcodes: [
            { barcode: '2000000000015', quantity: 1 },
            { barcode: '2000000000022', quantity: 1 },
            { barcode: '2000000000039', quantity: 12 },
          ],
        }),
      },
    })
    const before = (await office.send(products.search, {})).rows
    const { bytes } = await office.send(products.export, {})
    expect(await bring(new TextDecoder().decode(bytes as Uint8Array))).toMatchObject({ unchanged: 3, refused: 0, problems: [] })
    expect((await office.send(products.search, {})).rows).toEqual(before)
    const found = await office.send(products.export, { query: '2xl' })
    expect(
      new TextDecoder()
        .decode(found.bytes as Uint8Array)
        .split('\r\n')
        .filter(Boolean),
    ).toHaveLength(2)
  })

  it('names all barcodes of a product in one cell', async () => {
    await bring('sku;barcodes\nMUG;"2000000000015; 12 x 2000000000022"\n')
    expect((await stored('MUG'))?.barcodes).toEqual([
      { barcode: '2000000000015', quantity: 1 },
      { barcode: '2000000000022', quantity: 12 },
    ])
    await bring('sku;barcodes\nMUG;-\n')
    expect((await stored('MUG'))?.barcodes).toEqual([])
  })

  it('refuses a row whose parts are wrong, by the number of the row, and stores the others', async () => {
    const csv = 'sku;components\nKIT;CAM\nBOX;KIT\nBAG;NONE\nCAM;\nBAD;0 x CAM\n'
    const result = await bring(csv)
    expect(result).toMatchObject({ created: 2, refused: 3 })
    expect(result.problems.toSorted((a, b) => a.row - b.row).map(({ row, text }) => [row, text])).toEqual([
      [3, '{{sku}} is a bundle itself. Add its parts instead.'],
      [4, 'There is no product with the SKU {{sku}}'],
      [6, expect.stringContaining('{{field}}')],
    ])
    expect(await stored('BOX')).toBeUndefined()
  })
})
