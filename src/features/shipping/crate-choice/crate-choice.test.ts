/** The crates that are suggested: rules of the suggestion, and the call that reads an order. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { crateRules } from '#features/catalog/crates/crate-rules.contract.ts'
import { crateTypes } from '#features/catalog/crates/crate-types.contract.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { prices } from '#features/shipping/prices/prices.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { crateChoice } from './crate-choice.contract.ts'
import { type ItemRules, type ItemToPack, mostPieces, type OfferedCrate, suggestByHistory, suggestCrates } from './crate-choice.rules.ts'

const crate = (id: number, name: string, inner_mm: OfferedCrate['inner_mm'], cost: number, tare_g: number): OfferedCrate => ({
  id,
  name,
  code: name,
  inner_mm,
  tare_g,
  max_g: 20_000,
  cost,
  filler_percent: 0,
  prices: null,
})
const S = crate(1, 'S', [200, 150, 100], 210, 90)
const B4 = crate(2, 'B4', [390, 290, 190], 340, 210)
const L = crate(3, 'L', [600, 400, 400], 590, 700)
const all = [S, B4, L]

const free: ItemRules = { must: [], must_not: [], alone: false, keep_flat: false, fragile_top: false, filler_percent: 0, pieces: [] }
let ids = 0
const item = (size_mm: ItemToPack['size_mm'], qty: number, rules: Partial<ItemRules> = {}, weight_g: number | null = 100): ItemToPack => ({
  id: ++ids,
  size_mm,
  weight_g,
  qty,
  rules: { ...free, ...rules },
})
const codes = (items: ItemToPack[], crates = all) => {
  const { status, crates: suggested } = suggestCrates(crates, items)
  return [status, ...suggested.map(one => one.crate.code)]
}
const mug: ItemToPack['size_mm'] = [100, 100, 90]

describe('the suggestion', () => {
  it('is the cheapest crate that holds everything, with its fill and weight', () => {
    const { crates, status } = suggestCrates(all, [item(mug, 2)])
    expect(status).toBe('exact')
    expect(crates).toMatchObject([{ crate: { code: 'S' }, fill_percent: 60, weight_g: 290 }])
    expect(crates[0]?.items).toHaveLength(2)
  })

  it('knows no weight where one of a product is missing', () => {
    expect(suggestCrates(all, [item(mug, 1, {}, null)]).crates[0]?.weight_g).toBeNull()
  })

  it('takes a dearer crate where a rule demands it, and none that a rule forbids', () => {
    expect(codes([item(mug, 1, { must: [2] }), item(mug, 1)])).toEqual(['rule', 'B4'])
    expect(codes([item(mug, 1, { must_not: [1] })])).toEqual(['exact', 'B4'])
  })

  it('parts products whose rules demand different crates', () => {
    expect(codes([item(mug, 1, { must: [1] }), item(mug, 1, { must: [2] })])).toEqual(['rule', 'S', 'B4'])
  })

  it('sends each piece alone that must be, beside the others', () => {
    expect(codes([item(mug, 2, { alone: true }), item(mug, 1), item(mug, 1)])).toEqual(['rule', 'S', 'S', 'S'])
  })

  it('fills crates by the pieces that a rule counts, and chooses for the rest', () => {
    const ball: ItemToPack['size_mm'] = [60, 60, 60]
    expect(codes([item(ball, 13, { pieces: [{ crate: 1, pieces: 6 }] })])).toEqual(['rule', 'S', 'S', 'S'])
  })

  it('keeps a flat product on its base', () => {
    const tall: ItemToPack['size_mm'] = [90, 90, 190]
    expect(codes([item(tall, 1)])).toEqual(['exact', 'S'])
    expect(codes([item(tall, 1, { keep_flat: true })])).toEqual(['exact', 'B4'])
  })

  it('leaves space for filling', () => {
    expect(codes([item([190, 140, 95], 1)])).toEqual(['exact', 'S'])
    expect(codes([item([190, 140, 95], 1, { filler_percent: 20 })])).toEqual(['exact', 'B4'])
  })

  it('puts nothing upon a fragile product', () => {
    expect(codes([item(mug, 1, { fragile_top: true }), item(mug, 1)])).toEqual(['exact', 'S', 'S'])
  })

  it('is an estimate by volume where a size is missing, and none where all are', () => {
    const { status, crates } = suggestCrates(all, [item(mug, 1), item(null, 1)])
    expect(status).toBe('estimate')
    expect(crates).toMatchObject([{ crate: { code: 'S' }, fill_percent: null, items: [] }])
    expect(codes([item(null, 1)])).toEqual(['none'])
  })

  it('is an estimate for more than 200 pieces', () => {
    expect(codes([item([10, 10, 10], mostPieces + 1, {}, 5)])).toEqual(['estimate', 'S'])
  })

  it('names what is too large or too heavy for every crate', () => {
    const [long, heavy] = [item([700, 10, 10], 1), item(mug, 1, {}, 30_000)]
    expect(suggestCrates(all, [long, heavy, item(mug, 1)])).toEqual({ status: 'none', crates: [], too_large: [long.id, heavy.id] })
  })

  it('is none without crates or without items', () => {
    expect(codes([item(mug, 1)], [])).toEqual(['none'])
    expect(codes([])).toEqual(['none'])
  })
})

describe('the suggestion with the prices of the courier', () => {
  const steps = [
    { max_g: 1_000, amount: 3_100 },
    { max_g: 5_000, amount: 3_900 },
    { max_g: 10_000, amount: 5_200 },
    { max_g: 20_000, amount: 7_100 },
  ]
  const priced = (one: OfferedCrate, prices = steps): OfferedCrate => ({ ...one, prices })
  const small = priced(S)
  const bag = priced(crate(4, 'BAG', [220, 160, 100], 120, 15))
  const large = priced(L)
  const paid = (items: ItemToPack[], crates: OfferedCrate[]) => {
    const { crates: suggested } = suggestCrates(crates, items)
    const sum = suggested.reduce((all, one) => all + one.crate.cost + (one.postage ?? 0), 0)
    return [...suggested.map(one => one.crate.code), sum]
  }

  it('is the cheapest of crate and courier', () => {
    expect(paid([item(mug, 1, {}, 810)], [small, bag])).toEqual(['BAG', 3_220])
  })

  it('is the lighter crate where the heavier one reaches the next step', () => {
    const dear = { ...bag, cost: 300 }
    expect(paid([item(mug, 1, {}, 980)], [small, dear])).toEqual(['BAG', 3_400])
    expect(paid([item(mug, 1, {}, 800)], [small, dear])).toEqual(['S', 3_310])
  })

  it('is two parcels where one exceeds the last step', () => {
    const piece = item([150, 100, 100], 13, {}, 1_500)
    // 11 pieces weigh 17.2 kg with their crate, and 2 weigh 3.7 kg.
    expect(paid([piece], [large])).toEqual(['L', 'L', 12_180])
  })

  it('charges a letter where one is small enough', () => {
    const letter = priced(crate(5, 'LETTER', [340, 240, 28], 120, 15), [{ max_g: 1_000, amount: 2_200 }])
    expect(paid([item([300, 200, 25], 1, {}, 900)], [letter, large])).toEqual(['LETTER', 2_320])
  })

  it('adds no price where a weight is missing', () => {
    expect(suggestCrates([small], [item(mug, 1, {}, null)]).crates).toMatchObject([{ postage: null }])
  })
})

describe('the suggestion with what packers used', () => {
  const measured = () => [item(mug, 2)]
  const unmeasured = () => [item(null, 1)]
  const used = (suggested: number | null, crate_id: number, times: number) =>
    Array.from({ length: times }, () => ({ suggested, used: crate_id }))
  const by = (items: ItemToPack[], choices: { suggested: number | null; used: number }[], adopted: number | null = null) => {
    const { status, crates } = suggestByHistory(all, items, { adopted, choices })
    return [status, ...crates.map(one => one.crate.code)]
  }

  it('is learned where sizes are missing, from three parcels of which most used the same crate', () => {
    expect(by(unmeasured(), used(null, 2, 2))).toEqual(['none'])
    expect(by(unmeasured(), used(null, 2, 3))).toEqual(['learned', 'B4'])
    expect(by(unmeasured(), [...used(null, 2, 3), ...used(null, 3, 3)])).toEqual(['none'])
  })

  it('stays what is measured until packers took a larger crate three times', () => {
    expect(by(measured(), used(1, 2, 2))).toEqual(['exact', 'S'])
    expect(by(measured(), used(1, 2, 3))).toEqual(['learned', 'B4'])
    expect(by(measured(), used(2, 3, 3))).toEqual(['exact', 'S'])
  })

  it('becomes the smaller crate that packers closed three times', () => {
    const big = [item([180, 140, 140], 1)]
    expect(by(big, [])).toEqual(['exact', 'B4'])
    expect(by(big, used(2, 1, 3))).toEqual(['learned', 'S'])
  })

  it('is the adopted crate, but none that a rule forbids', () => {
    expect(by(measured(), [], 3)).toEqual(['learned', 'L'])
    expect(by([item(mug, 2, { must_not: [3] })], [], 3)).toEqual(['exact', 'S'])
  })
})

describe('the call', () => {
  let testApp: TestApp
  let operator: TestOperator
  let main: TestUser
  let shop: TestUser
  beforeAll(async () => {
    testApp = await openTestApp()
  })
  beforeEach(async () => {
    operator = await testApp.operator({ shops: 1 })
    main = await operator.hire(['admin'])
    shop = await operator.hire(['admin'], elementAt(operator.shops, 0))
  })
  afterAll(() => testApp.close())

  const makeCrate = (code: string, inner: [number, number, number], over: object = {}) =>
    main.send(crateTypes.create, {
      body: {
        name: `Box ${code}`,
        code,
        inner_mm: inner,
        outer_mm: inner,
        tare_g: 100,
        max_g: 20_000,
        cost: inner[0],
        currency: 'DKK',
        ...over,
      },
    })
  const makeProduct = (sku: string, length_mm: number | null) =>
    shop.send(products.create, {
      body: {
        sku,
        name: sku,
        variant: null,
        weight_g: 300,
        length_mm,
        width_mm: 100,
        height_mm: 90,
        bin: null,
        hs_code: null,
        origin: null,
        customs_text: null,
        serial_required: false,
        no_barcode: true,
        barcodes: [],
      },
    })
  const place = async (sku: string, qty: number, country = 'DK') => {
    const company = elementAt(operator.shops, 0)
    const address = { name: 'Lene', address1: 'Vej 5', postcode: country === 'DK' ? '5000' : '0155', city: 'By', country }
    const order = await buildOrder(
      testApp.services,
      { ...scopeOfCompany(operator, company), companies: [company.id] },
      {
        ship_to: { ...address, phone: '+4522334455', email: 'lene@example.test' },
        lines: [{ external_id: '1', sku, name: sku, qty: String(qty), unit_price_excl_vat: '10.00' }],
      },
    )
    return { order_id: order.id, line: elementAt(order.line_ids, 0) }
  }
  const suggested = async (by: TestUser, order_id: number) => {
    const { status, crates } = await by.send(crateChoice.preview, { body: { order_id } })
    return [status, ...crates.map(one => one.crate.code)]
  }

  it('suggests from the sizes of the products, the crates on offer and the rules that hold for the order', async () => {
    await makeCrate('OFF', [150, 110, 95], { active: false })
    await makeCrate('EMPTY', [150, 110, 95], { stock: 0 })
    await makeCrate('MAIN', [150, 110, 95], { company_ids: [operator.main.id] })
    const small = await makeCrate('S', [200, 150, 100])
    const large = await makeCrate('L', [400, 300, 200])
    await makeProduct('MUG', 100)
    await makeProduct('SHAWL', null)
    const { order_id, line } = await place('MUG', 2)
    const answer = await shop.send(crateChoice.preview, { body: { order_id } })
    expect(answer).toMatchObject({
      status: 'exact',
      crates: [{ crate: { id: small.id, code: 'S' }, fill_percent: 60, weight_g: 700 }],
      cost: { amount: 200, currency: 'DKK' },
      without_size: [],
      too_large: [],
    })
    expect(answer.crates[0]?.items.map(one => one.order_item_id)).toEqual([line, line])
    const packer = await operator.hire(['scan'])
    expect(await suggested(packer, order_id)).toEqual(['exact', 'S'])

    const conditions = { v: 1 as const, all: [{ field: 'ship.country', op: 'in', value: ['NO'] }] }
    await shop.send(crateRules.set, { id: large.id, sku: 'mug', body: { kind: 'must', conditions } })
    expect(await suggested(shop, order_id)).toEqual(['exact', 'S'])
    const abroad = await place('MUG', 1, 'NO')
    expect(await suggested(shop, abroad.order_id)).toEqual(['rule', 'L'])

    const unknown = await place('SHAWL', 1)
    expect(await shop.send(crateChoice.preview, { body: { order_id: unknown.order_id } })).toMatchObject({
      status: 'none',
      cost: null,
      without_size: [unknown.line],
    })
  })

  it('suggests for products beside any order, names what is against the other crates, and leaves out those of other companies', async () => {
    await makeCrate('OFF', [150, 110, 95], { active: false })
    await makeCrate('EMPTY', [150, 110, 95], { stock: 0 })
    await makeCrate('MAIN', [150, 110, 95], { company_ids: [operator.main.id] })
    await makeCrate('EURO', [400, 300, 200], { currency: 'EUR', position: 9 })
    await makeCrate('LONG', [400, 300, 200], { max_side_sum_mm: 500 })
    await makeCrate('S', [200, 150, 100])
    await makeCrate('LOW', [400, 300, 80])
    await makeCrate('WEAK', [400, 300, 200], { max_g: 250 })
    await makeCrate('RULED', [400, 300, 200])
    await makeCrate('L', [400, 300, 200], { cost: 900 })
    await makeProduct('MUG', 100)
    const ruled = (await shop.send(crateTypes.list, { query: 'RULED' })).rows[0]?.id ?? 0
    await shop.send(crateRules.set, { id: ruled, sku: 'MUG', body: { kind: 'must_not' } })
    const conditions = { v: 1 as const, all: [{ field: 'ship.country', op: 'in', value: ['NO'] }] }
    await shop.send(crateRules.set, { id: 0, sku: 'MUG', body: { kind: 'alone', conditions } })

    const settings = await operator.hire(['settings_admin'], elementAt(operator.shops, 0))
    const answer = await settings.send(crateChoice.preview, { body: { items: [{ sku: 'mug', qty: 2 }] } })
    expect(answer).toMatchObject({
      status: 'exact',
      order: null,
      lines: [{ order_item_id: 1, sku: 'MUG', qty: 2 }],
      crates: [{ crate: { code: 'S' } }],
    })
    expect(new Map(answer.others.map(({ crate: { code }, why }) => [code, why]))).toEqual(
      new Map([
        ['LOW', 'too_small'],
        ['WEAK', 'too_heavy'],
        ['RULED', 'rule'],
        ['L', 'dearer'],
        ['OFF', 'off'],
        ['EMPTY', 'used_up'],
        ['LONG', 'side_sum'],
        ['EURO', 'other_currency'],
      ]),
    )
    expect(answer.others.find(({ crate: { code } }) => code === 'LOW')?.order_item_id).toBe(1)
    expect(await shop.send(crateChoice.preview, { body: { items: [{ sku: 'UNKNOWN', qty: 1 }] } })).toMatchObject({
      status: 'none',
      without_size: [1],
      lines: [{ name: 'UNKNOWN' }],
    })
  })

  it('finds an order by its number, and is asked about one thing at a time', async () => {
    await makeCrate('S', [200, 150, 100])
    await makeProduct('MUG', 100)
    const { order_id } = await place('MUG', 1)
    const { order } = await shop.send(crateChoice.preview, { body: { order_id } })
    expect(await shop.send(crateChoice.preview, { body: { order_no: order?.order_no ?? '' } })).toMatchObject({ order: { id: order_id } })
    expect((await shop.ask(crateChoice.preview, { body: {} })).statusCode).toBe(400)
    expect((await shop.ask(crateChoice.preview, { body: { order_id, items: [{ sku: 'MUG', qty: 1 }] } })).statusCode).toBe(400)
    await expect(shop.send(crateChoice.preview, { body: { order_no: 'none' } })).rejects.toMatchObject({ code: 'order_not_found' })
  })

  it('counts the price of the courier, and names the crates that it has none for', async () => {
    await makeCrate('S', [200, 150, 100])
    await makeCrate('L', [400, 300, 200])
    await makeProduct('MUG', 100)
    const van = { agent_code: 'own', shipping_method: 'van', currency: 'DKK', valid_from: '2020-01-01' }
    await shop.send(prices.create, { body: { ...van, max_g: 10_000, amount: 4_000, max_length_mm: 300 } })
    const { order_id } = await place('MUG', 1)
    expect(await shop.send(crateChoice.preview, { body: { order_id } })).toMatchObject({ postage: null })
    await testApp.services.database.transaction({ ...scopeOfCompany(operator, elementAt(operator.shops, 0)) }, db =>
      db.updateTable('orders').set({ agent_code: 'own', shipping_method: 'van' }).where('id', '=', order_id).execute(),
    )
    const answer = await shop.send(crateChoice.preview, { body: { order_id } })
    expect(answer).toMatchObject({
      crates: [{ crate: { code: 'S' }, postage: 4_000 }],
      cost: { amount: 200 },
      postage: { amount: 4_000, currency: 'DKK' },
    })
    expect(answer.others).toContainEqual({ crate: expect.objectContaining({ code: 'L' }), why: 'no_price', order_item_id: null })
  })

  it('finds no order of another operator', async () => {
    const { order_id } = await place('MUG', 1)
    const stranger = await (await testApp.operator()).hire(['admin'])
    await expect(stranger.send(crateChoice.preview, { body: { order_id } })).rejects.toMatchObject({ status: 404, code: 'order_not_found' })
    const office = await operator.hire(['statistics'])
    expect((await office.ask(crateChoice.preview, { body: { order_id } })).statusCode).toBe(403)
  })
})
