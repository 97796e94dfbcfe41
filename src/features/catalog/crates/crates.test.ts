/** Crates of the main company, and the rules of companies about them. */
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildProduct, scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { crateRules } from './crate-rules.contract.ts'
import type { CrateRuleFields } from './crate-rules.schemas.ts'
import { crateTypes } from './crate-types.contract.ts'
import type { CrateTypeFields } from './crate-types.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let main: TestUser
let shop: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 2 })
  main = await operator.hire(['settings_admin'])
  shop = await operator.hire(['settings_admin'], elementAt(operator.shops, 0))
})

const b4: CrateTypeFields = {
  name: 'Box B4',
  code: 'B4',
  barcode: null,
  inner_mm: [390, 290, 190],
  outer_mm: [400, 300, 200],
  tare_g: 210,
  max_g: 20_000,
  cost: 340,
  currency: 'DKK',
  stock: null,
  low_stock: null,
  filler_percent: 0,
  agent_codes: null,
  company_ids: null,
  letter_box: false,
  max_side_sum_mm: null,
  position: 0,
  active: true,
}
const make = (over: Partial<CrateTypeFields> = {}) => main.send(crateTypes.create, { body: { ...b4, ...over } })
const rule = (by: TestUser, id: number, sku: string, body: Partial<CrateRuleFields> & Pick<CrateRuleFields, 'kind'>) =>
  by.send(crateRules.set, { id, sku, body })

describe('a crate', () => {
  it('is made by the main company and read by its shops and stations', async () => {
    const made = await make()
    expect(made).toMatchObject({ name: 'Box B4', code: 'B4', inner_mm: [390, 290, 190], has_image: false, version: 1 })
    expect(await shop.send(crateTypes.get, { id: made.id })).toEqual(made)
    for (const permission of ['settings', 'scan', 'pick', 'list'] as const) {
      const reader = await operator.hire([permission], elementAt(operator.shops, 1))
      expect((await reader.send(crateTypes.list, {})).rows).toEqual([made])
    }
    const office = await operator.hire(['customer'])
    expect((await office.ask(crateTypes.list, {})).statusCode).toBe(403)
  })

  it('is written by the main company only', async () => {
    const { id } = await make()
    for (const [call, input] of [
      [crateTypes.create, { body: { ...b4, code: 'B5' } }],
      [crateTypes.update, { id, body: { ...b4, version: 1 } }],
      [crateTypes.remove, { id }],
      [crateTypes.removePicture, { id }],
    ] as const)
      expect((await shop.ask(call, input)).statusCode).toBe(403)
    const reader = await operator.hire(['settings'])
    expect((await reader.ask(crateTypes.remove, { id })).statusCode).toBe(403)
  })

  it('is seen by the shops to which it is offered', async () => {
    const { id } = await make({ company_ids: [elementAt(operator.shops, 1).id] })
    await expect(shop.send(crateTypes.get, { id })).rejects.toMatchObject({ status: 404, code: 'crate_not_found' })
    expect((await shop.send(crateTypes.list, {})).rows).toEqual([])
    expect((await shop.ask(crateTypes.picture, { id })).statusCode).toBe(404)
    const other = await operator.hire(['settings'], elementAt(operator.shops, 1))
    expect((await other.send(crateTypes.list, {})).total).toBe(1)
    expect((await main.send(crateTypes.list, {})).total).toBe(1)
  })

  it('is not seen by another operator', async () => {
    const { id } = await make()
    const stranger = await (await testApp.operator()).hire(['admin'])
    await expect(stranger.send(crateTypes.get, { id })).rejects.toMatchObject({ status: 404 })
    expect((await stranger.send(crateTypes.list, {})).rows).toEqual([])
  })

  it('is found by name, code, printed code, barcode, courier and state', async () => {
    await make({ barcode: '4000000000017', position: 2 })
    await make({ name: 'Bag', code: 'bag-1', cost: 120, active: false, agent_codes: ['own'], position: 1 })
    const codes = async (query: object) => (await main.send(crateTypes.list, query)).rows.map(row => row.code)
    expect(await codes({})).toEqual(['bag-1', 'B4'])
    expect(await codes({ sort: '-cost' })).toEqual(['B4', 'bag-1'])
    expect(await codes({ sort: 'name' })).toEqual(['bag-1', 'B4'])
    expect(await codes({ query: 'box' })).toEqual(['B4'])
    expect(await codes({ query: 'crb4' })).toEqual(['B4'])
    expect(await codes({ query: 'BAG-1' })).toEqual(['bag-1'])
    expect(await codes({ query: '4000000000017' })).toEqual(['B4'])
    expect(await codes({ query: '%' })).toEqual([])
    expect(await codes({ active: true })).toEqual(['B4'])
    expect(await codes({ agent_code: 'other' })).toEqual(['B4'])
    expect(await codes({ agent_code: 'own' })).toEqual(['bag-1', 'B4'])
    expect(await codes({ limit: 1, page: 2 })).toEqual(['B4'])
  })

  it('is not larger inside than outside', async () => {
    await expect(make({ inner_mm: [390, 301, 190] })).rejects.toMatchObject({
      status: 422,
      code: 'inner_larger',
      fields: { inner_mm: 'The inner size is larger than the outer size' },
    })
  })

  it('has a code and a barcode of its own, ignoring case', async () => {
    const { id } = await make({ barcode: 'box-4' })
    await expect(make({ code: 'b4' })).rejects.toMatchObject({
      status: 409,
      code: 'crate_code_taken',
      message: 'The code b4 belongs to Box B4 already',
      fields: { code: 'Another box has this code' },
    })
    await expect(make({ code: 'B5', barcode: 'BOX-4' })).rejects.toMatchObject({ fields: { barcode: 'Another box has this code' } })
    expect(await main.send(crateTypes.update, { id, body: { ...b4, barcode: 'box-4', version: 1 } })).toMatchObject({ version: 2 })
  })

  it('names couriers, companies and currencies that exist', async () => {
    await expect(make({ agent_codes: ['unknown'] })).rejects.toMatchObject({ code: 'courier_not_found' })
    const foreign = await testApp.operator()
    await expect(make({ company_ids: [foreign.main.id] })).rejects.toMatchObject({ status: 422, code: 'company_unknown' })
    await expect(make({ currency: 'XQX' })).rejects.toMatchObject({ status: 400, fields: { currency: 'Enter a currency, such as DKK' } })
  })

  it.each([
    ['a name', { name: ' ' }],
    ['a code without spaces', { code: 'B 4' }],
    ['sides of at least 1 mm', { inner_mm: [0, 290, 190] }],
    ['sides of at most 5,000 mm', { outer_mm: [5_001, 300, 200] }],
    ['a weight of at most 2 tonnes', { max_g: 2_000_001 }],
    ['a cost of at least nothing', { cost: -1 }],
  ])('has %s', async (_, over) => {
    expect((await main.ask(crateTypes.create, { body: { ...b4, ...over } })).statusCode).toBe(400)
  })

  it('is changed from its present version only', async () => {
    const { id } = await make()
    const saved = await main.send(crateTypes.update, { id, body: { ...b4, cost: 350, stock: 12, version: 1 } })
    expect(saved).toMatchObject({ cost: 350, stock: 12, version: 2 })
    await expect(main.send(crateTypes.update, { id, body: { ...b4, version: 1 } })).rejects.toMatchObject({
      status: 409,
      code: 'settings_changed',
      current: saved,
    })
    await expect(main.send(crateTypes.update, { id: id + 1_000, body: { ...b4, version: 1 } })).rejects.toMatchObject({
      code: 'crate_not_found',
    })
  })

  it('has a picture that shops read', async () => {
    const { id } = await make()
    await expect(main.send(crateTypes.picture, { id })).rejects.toMatchObject({ status: 404, code: 'crate_has_no_picture' })
    const upload = await sharp({ create: { width: 1_200, height: 600, channels: 3, background: '#a60' } })
      .png()
      .toBuffer()
    const set = await main.ask(crateTypes.setPicture, { id, upload })
    expect(set.json()).toMatchObject({ has_image: true, version: 2 })
    const picture = await shop.ask(crateTypes.picture, { id })
    expect(picture.statusCode).toBe(200)
    expect(picture.headers['content-type']).toBe('image/webp')
    expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 800 })
    expect(await main.send(crateTypes.removePicture, { id })).toMatchObject({ has_image: false, version: 3 })
    expect((await shop.ask(crateTypes.picture, { id })).statusCode).toBe(404)
    const broken = await main.ask(crateTypes.setPicture, { id, upload: Buffer.from('<svg/>') })
    expect(broken.statusCode).toBeGreaterThanOrEqual(400)
  })

  it('is removed with the rules that name it, and not while a rule of any company demands it', async () => {
    const { id } = await make()
    await rule(shop, id, 'VASE', { kind: 'must_not' })
    const { id: demanding } = await rule(shop, id, 'LAMP', { kind: 'must' })
    await expect(main.send(crateTypes.remove, { id })).rejects.toMatchObject({
      status: 409,
      code: 'crate_in_rules',
      message: 'Rules require this box: 1. Change them first.',
    })
    await shop.send(crateRules.remove, { id: demanding })
    expect(await main.send(crateTypes.remove, { id })).toEqual({ removed: true, active: false })
    expect((await shop.send(crateRules.list, {})).rows).toEqual([])
    await expect(main.send(crateTypes.remove, { id })).rejects.toMatchObject({ status: 404, code: 'crate_not_found' })
  })

  it('comes back with its rules and picture when its removal is taken back, unless its code was given away', async () => {
    const { id } = await make()
    const { id: rule_id } = await rule(shop, id, 'VASE', { kind: 'must_not' })
    await main.send(crateTypes.remove, { id })
    expect((await main.send(crateTypes.list, {})).rows).toEqual([])
    const { id: second } = await make()
    await expect(main.send(crateTypes.restore, { id })).rejects.toMatchObject({ status: 409, code: 'crate_code_taken' })
    await main.send(crateTypes.remove, { id: second })
    expect((await shop.ask(crateTypes.restore, { id })).statusCode).toBe(403)
    expect(await main.send(crateTypes.restore, { id })).toMatchObject({ code: 'B4', active: true })
    expect(await main.send(crateTypes.restore, { id })).toMatchObject({ code: 'B4', version: 3 })
    expect((await shop.send(crateRules.list, {})).rows).toMatchObject([{ id: rule_id }])
  })

  it('is low on stock at the number at which a warning is wanted, while it is in use', async () => {
    await make({ code: 'LOW', stock: 5, low_stock: 5 })
    await make({ code: 'MANY', stock: 6, low_stock: 5 })
    await make({ code: 'OFF', stock: 1, low_stock: 5, active: false })
    await make({ code: 'FREE', stock: 0 })
    const codes = async (query: object) => (await main.send(crateTypes.list, { sort: 'code', ...query })).rows.map(row => row.code)
    expect(await codes({ low: true })).toEqual(['LOW'])
    expect(await codes({ low: false })).toEqual(['FREE', 'MANY', 'OFF'])
    expect(await codes({ sort: '-stock' })).toEqual(['MANY', 'LOW', 'OFF', 'FREE'])
    expect((await main.ask(crateTypes.create, { body: { ...b4, low_stock: 0 } })).statusCode).toBe(400)
  })

  it('is listed by company, and exported as it is listed', async () => {
    const [first, second] = [elementAt(operator.shops, 0), elementAt(operator.shops, 1)]
    await make({ cost: 1_250, stock: 3, company_ids: [first.id] })
    await make({ code: 'ALL', name: '=1+1' })
    const codes = async (query: object) => (await main.send(crateTypes.list, query)).rows.map(row => row.code)
    expect(await codes({ company: first.id, sort: '-code' })).toEqual(['B4', 'ALL'])
    expect(await codes({ company: second.id })).toEqual(['ALL'])
    const file = (await main.ask(crateTypes.export, { query: 'b4' })).rawPayload.toString('utf8')
    expect(file.split('\r\n')[1]).toBe(`Box B4,B4,,390,290,190,400,300,200,210,20000,12.50,DKK,3,,0,,${first.id},false,,0,true`)
    expect((await main.ask(crateTypes.export, {})).rawPayload.toString('utf8')).toContain("'=1+1")
    const other = await operator.hire(['settings'], second)
    expect((await other.ask(crateTypes.export, {})).rawPayload.toString('utf8')).not.toContain('Box B4')
  })

  it('is switched off instead of removed when parcels went out in it', async () => {
    const { id } = await make()
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('crate_types').set({ used_at: new Date().toISOString() }).where('id', '=', id).execute(),
    )
    expect(await main.send(crateTypes.remove, { id })).toEqual({ removed: false, active: false })
    expect(await main.send(crateTypes.get, { id })).toMatchObject({ active: false, version: 2 })
  })
})

describe('a rule about crates', () => {
  it('is set by each company for its own SKUs', async () => {
    const { id } = await make()
    const set = await rule(shop, id, 'VASE', { kind: 'must' })
    expect(set).toMatchObject({ sku: 'VASE', kind: 'must', crate: { id, name: 'Box B4', code: 'B4' }, product: null, broken: false })
    expect((await main.send(crateRules.list, {})).rows).toEqual([])
    await expect(main.send(crateRules.remove, { id: set.id })).rejects.toMatchObject({ status: 404, code: 'crate_rule_not_found' })
    const packer = await operator.hire(['scan'], elementAt(operator.shops, 0))
    expect((await packer.send(crateRules.list, {})).rows).toEqual([set])
    expect((await packer.ask(crateRules.set, { id, sku: 'VASE', body: { kind: 'must' } })).statusCode).toBe(403)
    const office = await operator.hire(['parcels_admin'], elementAt(operator.shops, 0))
    await office.send(crateRules.remove, { id: set.id })
    await expect(office.send(crateRules.remove, { id: set.id })).rejects.toMatchObject({ status: 404 })
  })

  it('stands once per SKU, kind and crate: the same call again changes it', async () => {
    const { id } = await make()
    const first = await rule(shop, id, 'MUG', { kind: 'pieces', pieces: 6 })
    expect(await rule(shop, id, 'mug', { kind: 'pieces', pieces: 8 })).toEqual({ ...first, pieces: 8 })
    await rule(shop, 0, 'MUG', { kind: 'pieces', pieces: 4 })
    await rule(shop, 0, 'MUG', { kind: 'fragile_top' })
    expect((await shop.send(crateRules.list, { sku: 'mug' })).total).toBe(3)
  })

  it('names a crate where its kind needs one, and none where it does not', async () => {
    const { id } = await make()
    for (const kind of ['must', 'must_not'] as const)
      await expect(rule(shop, 0, 'VASE', { kind })).rejects.toMatchObject({ status: 422, code: 'kind_needs_crate' })
    for (const kind of ['alone', 'keep_flat', 'fragile_top'] as const)
      await expect(rule(shop, id, 'VASE', { kind })).rejects.toMatchObject({ status: 422, code: 'kind_without_crate' })
    await expect(rule(shop, id, 'VASE', { kind: 'filler', percent: 20 })).rejects.toMatchObject({ code: 'kind_without_crate' })
    await expect(rule(shop, id + 1_000, 'VASE', { kind: 'must' })).rejects.toMatchObject({ status: 404, code: 'crate_not_found' })
  })

  it('cannot name a crate that is offered to other companies only', async () => {
    const { id } = await make({ company_ids: [elementAt(operator.shops, 1).id] })
    await expect(rule(shop, id, 'VASE', { kind: 'must' })).rejects.toMatchObject({ status: 404, code: 'crate_not_found' })
  })

  it('says how many pieces, or how much filling', async () => {
    await expect(rule(shop, 0, 'MUG', { kind: 'pieces' })).rejects.toMatchObject({ status: 400, fields: { pieces: expect.any(String) } })
    await expect(rule(shop, 0, 'MUG', { kind: 'filler' })).rejects.toMatchObject({ status: 400, fields: { percent: expect.any(String) } })
    expect(await rule(shop, 0, 'MUG', { kind: 'filler', percent: 25, pieces: 3 })).toMatchObject({ percent: 25, pieces: null })
    expect((await shop.ask(crateRules.set, { id: 0, sku: 'MUG', body: { kind: 'filler', percent: 91 } })).statusCode).toBe(400)
  })

  it('may hold for some orders only, and names the mistake in its conditions', async () => {
    const conditions = { v: 1 as const, all: [{ field: 'ship.country', op: 'in', value: ['NO'] }] }
    expect(await rule(shop, 0, 'VASE', { kind: 'alone', conditions })).toMatchObject({ conditions, broken: false })
    await expect(
      rule(shop, 0, 'VASE', { kind: 'alone', conditions: { v: 1, all: [{ field: 'ship.country', op: 'gt', value: 'NO' }] } }),
    ).rejects.toMatchObject({ status: 422, code: 'rule_invalid', fields: { 'conditions.all[0].op': expect.any(String) } })
  })

  it('is found by SKU, product, kind and crate', async () => {
    const { id } = await make()
    const scope = { ...scopeOfCompany(operator, elementAt(operator.shops, 0)), companies: [elementAt(operator.shops, 0).id] }
    await buildProduct(testApp.services, scope, { sku: 'VASE', name: 'Tall vase' })
    await rule(shop, id, 'vase', { kind: 'must' })
    await rule(shop, 0, 'LAMP', { kind: 'alone' })
    const skus = async (query: object) => (await shop.send(crateRules.list, query)).rows.map(row => row.sku)
    expect(await skus({})).toEqual(['LAMP', 'vase'])
    expect(await skus({ sort: '-sku' })).toEqual(['vase', 'LAMP'])
    expect(await skus({ query: 'tall' })).toEqual(['vase'])
    expect(await skus({ query: 'la' })).toEqual(['LAMP'])
    expect(await skus({ kind: 'must' })).toEqual(['vase'])
    expect(await skus({ crate: id })).toEqual(['vase'])
    expect(await skus({ limit: 1, page: 2 })).toEqual(['vase'])
    const options = await shop.send(crateRules.options, {})
    expect(options).toMatchObject({ crates: [{ id, name: 'Box B4', code: 'B4' }], unmatched_skus: ['LAMP'] })
    expect(options.products_without_size).toBe(1)
    const file = (await shop.ask(crateRules.export, { kind: 'must' })).rawPayload.toString('utf8')
    expect(file.split('\r\n').slice(1)).toEqual(['vase,Tall vase,must,B4,,,', ''])
  })
})
