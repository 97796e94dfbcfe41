/** Orders to countries that a company does not ship to, and with postcodes that look wrong. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { shopApi } from '#features/deliveries/shop-api/shop-api.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let key: string
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  admin = await operator.hire(['admin'])
  key = (await admin.send(cmsKeys.create, { body: { name: 'Shop' } })).key
})
afterAll(() => testApp.close())

const settings = async (change: object) => {
  const { version } = await admin.send(company.config, {})
  await admin.send(company.setConfig, { body: { version, ...change } })
}
const sent = async (external_id: string, country: string, postcode: string) => {
  const ship_to = { name: 'Lene Prøve', address1: 'Prøvevej 5', postcode, city: 'Odense', country }
  const order = {
    external_id,
    order_no: external_id,
    currency: 'DKK',
    ship_to,
    lines: [{ external_id: '1', sku: 'TS-1', name: 'T-shirt', qty: 1 }],
  }
  await testApp.visitor(operator.main).send(shopApi.sendOrders, { body: { orders: [order] } }, { headers: { authorization: key } })
  return testApp.services.database
    .systemRead('a test looks', db =>
      db
        .selectFrom('order_locks as l')
        .innerJoin('orders as o', join => join.onRef('o.operator_id', '=', 'l.operator_id').onRef('o.id', '=', 'l.order_id'))
        .select('l.reason')
        .where('o.company_id', '=', operator.main.id)
        .where('o.external_id', '=', external_id)
        .where('l.released_at', 'is', null)
        .execute(),
    )
    .then(rows => rows.map(row => row.reason).toSorted())
}

describe('an order to a country', () => {
  it('that the company ships to is taken, any other is held until the shop corrects it; without a list all are taken', async () => {
    expect(await sent('A1', 'BR', '01310-100')).toEqual([])
    await settings({ ship_countries: ['DK', 'SE'] })
    expect(await sent('A2', 'DK', '5000')).toEqual([])
    expect(await sent('A3', 'NO', '0150')).toEqual(['country'])
    expect(await sent('A3', 'SE', '111 22')).toEqual([])
    await settings({ ship_countries: [] })
  })

  it('is held for a postcode that looks wrong where the company is strict, and only warned of otherwise', async () => {
    expect(await sent('B1', 'DK', '50')).toEqual([])
    await settings({ postcode_check: 'strict' })
    expect(await sent('B2', 'DK', '50')).toEqual(['postcode'])
    expect(await sent('B3', 'DK', 'DK-5000')).toEqual([])
    expect(await sent('B2', 'DK', '5000')).toEqual([])
    await settings({ postcode_check: 'warn' })
  })
})
