/** Configurations of bulk invoicing over HTTP: what they need, who sees and changes them, and what is mailed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countryId } from '#domain/countries.ts'
import { isEori, isRegistrationNumber } from '#domain/customs/registration-numbers.ts'
import { elementAt } from '#domain/objects.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { bulkInvoicing } from './bulk-invoicing.contract.ts'

it.each([
  ['NO', '974760673', true],
  ['NO', '974 760 673 MVA', true],
  ['NO', '974760674', false],
  ['DK', 'DK12345678', true],
  ['DK', '12345678', false],
  ['GB', 'GB123456789', true],
  ['CH', 'CHE-123.456.789 MWST', true],
  ['CH', 'CHE12345678', false],
  ['DE', 'DE123456789', true],
  ['DE', '', false],
])('a registration number of %s: %s', (country, number, expected) => {
  expect(isRegistrationNumber(country, number)).toBe(expected)
})
it.each([
  ['DK12345678', true],
  ['GB123456789000', true],
  ['12345678', false],
])('an EORI number: %s', (number, expected) => {
  expect(isEori(number)).toBe(expected)
})

let testApp: TestApp
let operator: TestOperator
let boss: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  boss = await operator.hire(['settings_admin'], operator.main, 'Astrid')
})

const NO = countryId('NO')
const party = (country: string, vat_no: string) => ({
  name: 'Fjord AS',
  address1: 'Kaia 1',
  postcode: '0150',
  city: 'Oslo',
  country,
  vat_no,
})
const create = (country_id = NO, by = boss) => by.send(bulkInvoicing.create, { agent_code: 'own', country_id, body: { currency: 'nok' } })

describe('a configuration', () => {
  it('is made once for a courier and country outside the customs area', async () => {
    expect(await create()).toMatchObject({ country: 'NO', currency: 'NOK', active: false, hs_digits: 8 })
    await expect(create()).rejects.toMatchObject({ status: 409, code: 'config_exists' })
    await expect(create(countryId('DE'))).rejects.toMatchObject({ status: 422, code: 'country_needs_no_invoice' })
    await expect(create(1)).rejects.toMatchObject({ status: 400, code: 'country_not_found' })
    await expect(
      boss.send(bulkInvoicing.create, { agent_code: 'unknown', country_id: NO, body: { currency: 'NOK' } }),
    ).rejects.toMatchObject({ status: 404 })
  })

  it('is switched on when importer and exporter are complete, and keeps what a change leaves out', async () => {
    const { config_id, version } = await create()
    const on = () => boss.send(bulkInvoicing.setActive, { config_id, active: true })
    await expect(on()).rejects.toMatchObject({ status: 422, code: 'config_incomplete', fields: { 'importer.name': 'Fill this in' } })
    const body = { importer: party('NO', '974760673'), exporter: party('DK', 'DK12345678'), max_lines: 50, version }
    await boss.send(bulkInvoicing.update, { config_id, body })
    await expect(boss.send(bulkInvoicing.update, { config_id, body })).rejects.toMatchObject({ status: 409, code: 'settings_changed' })
    expect(await on()).toMatchObject({ active: true, incomplete: [], max_lines: 50 })
    expect(await boss.send(bulkInvoicing.update, { config_id, body: { series: 'NO-', version: 3 } })).toMatchObject({
      ...{ series: 'NO-', max_lines: 50, active: true },
    })
    await expect(boss.send(bulkInvoicing.update, { config_id, body: { importer: party('NO', '1'), version: 4 } })).rejects.toMatchObject({
      code: 'config_incomplete',
    })
  })

  it('is copied without the importer to another country, switched off', async () => {
    const { config_id, version } = await create()
    await boss.send(bulkInvoicing.update, { config_id, body: { importer: party('NO', '974760673'), max_lines: 7, version } })
    const copy = await boss.send(bulkInvoicing.copy, { config_id, agent_code: 'own', country_id: countryId('CH') })
    expect(copy).toMatchObject({ country: 'CH', active: false, max_lines: 7, importer: { name: '' } })
    await expect(boss.send(bulkInvoicing.copy, { config_id, agent_code: 'own', country_id: NO })).rejects.toMatchObject({
      code: 'config_exists',
    })
  })

  it('has recipients, and needs an e-mail account for a sample', async () => {
    const { config_id } = await create()
    const body = {
      emails: ['broker@example.test', 'Broker@example.test'],
      formats: ['pdf', 'csv'] as ('pdf' | 'csv')[],
      when: 'freeze' as const,
    }
    expect(await boss.send(bulkInvoicing.sendTo, { config_id, body })).toMatchObject({ emails: ['Broker@example.test'], when: 'freeze' })
    await expect(boss.send(bulkInvoicing.sendTo, { config_id, body: { ...body, test: true } })).rejects.toMatchObject({
      code: 'no_mail_account',
    })
    await expect(boss.send(bulkInvoicing.sendTo, { config_id, body: { ...body, emails: ['x'] } })).rejects.toMatchObject({ status: 400 })
  })

  it('is the company’s own: read by those who invoice, changed by those who set up', async () => {
    const { config_id } = await create()
    const clerk = await operator.hire(['list'])
    expect(await clerk.send(bulkInvoicing.list, {})).toHaveLength(1)
    await expect(create(countryId('CH'), clerk)).rejects.toMatchObject({ status: 403 })
    const shop = await operator.hire(['settings_admin'], elementAt(operator.shops, 0))
    expect(await shop.send(bulkInvoicing.list, {})).toEqual([])
    await expect(shop.send(bulkInvoicing.get, { id: config_id })).rejects.toMatchObject({ status: 404 })
  })
})
