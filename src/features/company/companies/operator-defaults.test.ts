/** Values of the operator for all its companies: who follows, who keeps its own, and what follows later. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { company } from './companies.contract.ts'
import { settingChanges } from './setting-changes.contract.ts'

let testApp: TestApp
let operator: TestOperator
let main: TestUser
let north: TestUser
let south: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 2 })
  main = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  north = await operator.hire(['admin'], operator.shops[0], 'Nina Nord')
  south = await operator.hire(['admin'], operator.shops[1], 'Sam Syd')
})
afterAll(() => testApp.close())

const config = (by: TestUser) => by.send(company.config, {})
const save = async (by: TestUser, change: object) => {
  const { version } = await config(by)
  return by.send(company.setConfig, { body: { version, ...change } })
}
const row = async (name: string) => (await main.send(company.defaults, {})).find(one => one.name === name)

it('counts at once for companies without a value of their own, and their history says so', async () => {
  await save(north, { close_after_days: 20 })
  expect(await main.send(company.setDefault, { body: { name: 'close_after_days', value: 7 } })).toEqual({ companies: 2 })
  expect([await config(main), await config(north), await config(south)].map(one => one.close_after_days)).toEqual([7, 20, 7])
  expect((await south.send(settingChanges.list, { name: 'close_after_days' })).rows[0]).toMatchObject({
    before: 14,
    after: 7,
    changed_by: 'Astrid Holm',
  })
})

it('names the companies that differ', async () => {
  expect(await row('close_after_days')).toMatchObject({
    product: 14,
    value: 7,
    following: 2,
    own: [{ id: operator.shops[0]?.id, value: 20 }],
  })
})

it('keeps a value of a company’s own that is the same by chance', async () => {
  await save(south, { cut_off: '15:00' })
  await main.send(company.setDefault, { body: { name: 'cut_off', value: '15:00' } })
  await main.send(company.setDefault, { body: { name: 'cut_off', value: '13:00' } })
  expect([await config(north), await config(south)].map(one => one.cut_off)).toEqual(['13:00', '15:00'])
})

it('counts again where a company gives up its own', async () => {
  await main.send(company.follow, { company_id: operator.shops[1]?.id ?? 0, body: { name: 'cut_off' } })
  expect((await config(south)).cut_off).toBe('13:00')
  await save(south, { cut_off: '14:00' })
  expect((await south.send(company.resetConfig, { name: 'cut_off' })).cut_off).toBe('13:00')
  expect((await row('cut_off'))?.own).toEqual([])
})

it('counts for a company that is added later', async () => {
  const made = await main.send(company.createCompany, {
    body: { code: 'late-shop', name: 'Late', admin: { name: 'Lea', user_name: 'lea' } },
  })
  const rows = await testApp.services.database.systemRead('a test looks', db =>
    db.selectFrom('companies').select('settings').where('id', '=', made.id).execute(),
  )
  expect(rows[0]?.settings).toMatchObject({ close_after_days: 7, cut_off: '13:00' })
  expect((await row('close_after_days'))?.following).toBe(3)
})

it('ends with the product’s value', async () => {
  await main.send(company.setDefault, { body: { name: 'close_after_days', value: null } })
  expect([await config(main), await config(north)].map(one => one.close_after_days)).toEqual([14, 20])
})

it('is refused where it does not fit, to shops, and for another operator’s companies', async () => {
  expect((await main.ask(company.setDefault, { body: { name: 'cut_off', value: '25:00' } })).statusCode).toBe(422)
  expect((await main.ask(company.setDefault, { body: { name: 'cut_off', value: 7 } })).statusCode).toBe(422)
  expect((await north.ask(company.setDefault, { body: { name: 'cut_off', value: '12:00' } })).statusCode).toBe(403)
  const other = await testApp.operator({})
  expect((await main.ask(company.follow, { company_id: other.main.id, body: { name: 'cut_off' } })).statusCode).toBe(404)
})
