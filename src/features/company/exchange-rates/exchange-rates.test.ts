/** Rates: those of a company hold before those that the European Central Bank publishes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeBank, openFakeBank, rateFile } from '#integrations/exchange-rates/ecb.fake.ts'
import { readReferenceRates } from '#integrations/exchange-rates/ecb.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { exchangeRates } from './exchange-rates.contract.ts'
import { convertedBy, ratesOnDay } from './exchange-rates.queries.ts'
import { fetchDueRates, newestListDay } from './fetch-rates.task.ts'

let testApp: TestApp
let operator: TestOperator
let boss: TestUser
let bank: FakeBank

beforeAll(async () => {
  bank = await openFakeBank()
  testApp = await openTestApp({ ECB_URL: bank.url })
  operator = await testApp.operator()
  boss = await operator.hire(['settings_admin'])
})
afterAll(async () => {
  await testApp.close()
  await bank.close()
})

it('a rate is entered, changed by the same first day, and removed', async () => {
  const set = (rate: string, more: object = {}) =>
    boss.send(exchangeRates.setManual, { body: { from_currency: 'DKK', to_currency: 'NOK', rate, valid_from: '2026-01-01', ...more } })
  const { id } = await set('1,57')
  expect(await set('1.58')).toMatchObject({ id, rate: '1.58' })
  await expect(set('0')).rejects.toMatchObject({ status: 400 })
  await expect(set('1', { to_currency: 'DKK' })).rejects.toMatchObject({ status: 400 })
  await expect(set('1', { valid_to: '2025-01-01' })).rejects.toMatchObject({ status: 400 })
  await boss.send(exchangeRates.removeManual, { id })
  await boss.send(exchangeRates.removeManual, { id })
  expect(await boss.send(exchangeRates.manual, {})).toEqual([])
})

describe('published rates', () => {
  const at = (now: string) => ({ ...testApp.services, now: () => new Date(now) })
  const fetchAt = (now: string) => fetchDueRates(at(now), { url: bank.url })
  const on = (day: string) => boss.send(exchangeRates.published, { on: day })

  it.each([
    ['2026-11-23T15:29:00Z', '2026-11-20'],
    ['2026-11-23T15:30:00Z', '2026-11-23'],
    ['2026-11-22T23:00:00Z', '2026-11-20'],
    ['2026-07-01T14:30:00Z', '2026-07-01'],
  ])('at %s the newest list is that of %s', (now, day) => {
    expect(newestListDay(new Date(now))).toBe(day)
  })

  it('are fetched with the days before at first, once a day, and hold over the weekend', async () => {
    expect(await on('2026-11-21')).toEqual({ day: null, rates: [] })
    bank.files.ninety_days = rateFile(['2026-11-20', '2026-11-19'])
    bank.files.daily = rateFile(['2026-11-23'], { NOK: '11.80' })
    await fetchAt('2026-11-22T12:00:00Z')
    await fetchAt('2026-11-22T13:00:00Z')
    expect(bank.asked).toEqual(['/eurofxref-hist-90d.xml'])
    const saturday = await on('2026-11-21')
    expect(saturday.day).toBe('2026-11-20')
    expect(saturday.rates).toContainEqual({ currency: 'NOK', rate: '11.75' })
    expect((await on('2026-11-27')).day).toBe('2026-11-20')
    expect((await on('2026-11-28')).day).toBe(null)
  })

  it('are refused where one moves too far, or the file is something else: those before stay', async () => {
    bank.files.ninety_days = rateFile(['2026-11-23'], { NOK: '117.50' })
    await fetchAt('2026-11-23T16:00:00Z')
    expect((await on('2026-11-23')).day).toBe('2026-11-20')
    bank.files.ninety_days = '<html>maintenance</html>'
    await fetchAt('2026-11-23T17:00:00Z')
    expect((await on('2026-11-23')).day).toBe('2026-11-20')
    bank.files.ninety_days = rateFile(['2026-11-23'], { NOK: '11.80' })
    await fetchAt('2026-11-23T18:00:00Z')
    expect((await on('2026-11-23')).day).toBe('2026-11-23')
  })

  it('convert between any two currencies, and a manual rate holds before them', async () => {
    const dkk = { amount: 48_000, currency: 'DKK' }
    const inNok = async () => {
      const rates = await testApp.services.database.transaction(
        { operator_id: operator.operator_id, company_id: operator.main.id, companies: [operator.main.id] },
        db => ratesOnDay(db, operator.main.id, '2026-11-20'),
      )
      return [convertedBy(rates)(dkk, 'NOK'), rates.into('NOK').get('DKK')]
    }
    expect(await inNok()).toEqual([75_603, '1.57506702'])
    const { id } = await boss.send(exchangeRates.setManual, {
      body: { from_currency: 'DKK', to_currency: 'NOK', rate: '2', valid_from: '2026-01-01' },
    })
    expect(await inNok()).toEqual([96_000, '2'])
    await boss.send(exchangeRates.removeManual, { id })
  })
})

describe('the published file', () => {
  const full = rateFile(['2026-11-20'])
  it('is read by day and currency', () => {
    const [list] = readReferenceRates(full)
    expect(list?.day).toBe('2026-11-20')
    expect(list?.rates).toHaveLength(29)
  })

  it.each([
    ['entities', full.replace('<gesmes', '<!DOCTYPE x [<!ENTITY a "b">]><gesmes')],
    ['too few currencies', full.replaceAll(/<Cube currency='[A-S]\w\w'[^>]*>/g, '')],
    ['a currency twice', full.replace("currency='JPY'", "currency='USD'")],
    ['no day', '<Cube></Cube>'],
    ['a megabyte of blanks', ' '.repeat(1_000_001)],
  ])('is refused with %s', (_, xml) => {
    expect(() => readReferenceRates(xml)).toThrow('The list of rates')
  })
})
