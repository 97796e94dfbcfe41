/** How a courier's settings are kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { courierSettings } from './courier-settings.queries.ts'
import { parcelShops } from './parcel-shops.contract.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['settings_admin'])
})
afterAll(() => testApp.close())

const routes = 'Nørrebro; 2100-2200, 2400; B7; 15:30\nAmager; 2300; A1;'
const save = async (settings: Record<string, string | null>, by = lead) => {
  const { version } = await by.send(parcelShops.config, { agent_code: 'own' })
  return by.send(parcelShops.setConfig, { agent_code: 'own', body: { version, settings } })
}

describe('a courier’s settings', () => {
  it('say what the courier asks for, and keep what is written', async () => {
    const before = await lead.send(parcelShops.config, { agent_code: 'own' })
    expect(before).toMatchObject({ version: 0, values: { routes: '', label_language: '' }, secrets: {} })
    expect(before.fields.map(field => field.name)).toEqual(['routes', 'label_language'])
    expect(before.fields[1]?.choices?.map(choice => choice.value)).toEqual(['en', 'da', 'de', 'no', 'sv'])
    const after = await save({ routes })
    expect(after).toMatchObject({ version: 1, values: { routes, label_language: '' } })
    expect(await save({ label_language: 'da' })).toMatchObject({ values: { routes, label_language: 'da' } })
    expect(await save({ label_language: '' })).toMatchObject({ values: { routes, label_language: '' } })
  })

  it('reach the adapter', async () => {
    const scope = { operator_id: operator.operator_id, company_id: operator.main.id, companies: [operator.main.id] }
    const given = await testApp.services.database.transaction(scope, db =>
      courierSettings(db, testApp.services.vault, operator.main.id, 'own'),
    )
    expect(given).toEqual({ routes })
  })

  it('are refused with the courier’s own sentence at the field', async () => {
    await expect(save({ routes: 'Nørrebro; 2100; B7; half past' })).rejects.toMatchObject({
      status: 422,
      message: 'Line 1: half past is not a time of day such as 15:30',
      key: 'Line {{line}}: {{cut_off}} is not a time of day such as 15:30',
      fields: { routes: 'Line {{line}}: {{cut_off}} is not a time of day such as 15:30' },
    })
    await expect(save({ label_language: 'fr' })).rejects.toMatchObject({
      fields: { label_language: 'The language is one of en, da, de, no and sv' },
    })
    await expect(save({ password: 'x' })).rejects.toMatchObject({ status: 422 })
    expect((await lead.send(parcelShops.config, { agent_code: 'own' })).values.routes).toBe(routes)
  })

  it('with an old version are refused with the current state', async () => {
    const { version } = await lead.send(parcelShops.config, { agent_code: 'own' })
    await save({ label_language: 'sv' })
    await expect(
      lead.send(parcelShops.setConfig, { agent_code: 'own', body: { version, settings: { routes: '' } } }),
    ).rejects.toMatchObject({
      status: 409,
      current: { values: { label_language: 'sv' } },
    })
  })

  it('are each company’s own, and for people with the settings’ rights', async () => {
    const shop = await operator.hire(['settings_admin'], operator.shops[0])
    expect(await shop.send(parcelShops.config, { agent_code: 'own' })).toMatchObject({ version: 0, values: { routes: '' } })
    const packer = await operator.hire(['scan'])
    expect((await packer.ask(parcelShops.config, { agent_code: 'own' })).statusCode).toBe(403)
  })

  it('of an unknown courier are not found', async () => {
    await expect(lead.send(parcelShops.config, { agent_code: 'unknown' })).rejects.toMatchObject({ status: 404 })
    await expect(lead.send(parcelShops.find, { agent_code: 'unknown', country: 'dk', postcode: '2100' })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('show the station which couriers can be used', async () => {
    const packer = await operator.hire(['scan'])
    const known = await packer.send(parcelShops.configured, {})
    expect(known.map(one => [one.agent_code, one.configured])).toContainEqual(['own', true])
    expect(known.map(one => [one.agent_code, one.configured])).toContainEqual(['bring', false])
    expect(await packer.send(parcelShops.find, { agent_code: 'own', country: 'dk', postcode: '2100' })).toEqual([])
    expect((await packer.ask(parcelShops.find, { agent_code: 'own', country: 'dnk', postcode: '2100' })).statusCode).toBe(400)
  })
})
