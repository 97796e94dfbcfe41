/** Employments and pay: who sees what, and what stays on record. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { employees } from './employees.contract.ts'
import { isUnder18 } from './employees.rules.ts'

let testApp: TestApp
let operator: TestOperator
let office: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  office = await operator.hire(['users_admin'], operator.main, 'Mette Friis')
  testApp.setNow(new Date('2026-11-25T09:00:00Z'))
})
afterAll(() => testApp.close())

const minor = {
  version: 0,
  birth_date: '2009-05-04',
  guardian_name: 'Lars Lund',
  guardian_phone: '+45 11 22 33 44',
  guardian_email: 'lars@example.test',
  employed_from: '2026-08-01',
  weekly_s: 72_000,
  days_per_week: 4,
}

describe('an employment', () => {
  it('keeps a guardian while the person is a minor, and no longer', async () => {
    const { user_id: id } = await operator.hire([])
    const saved = await office.send(employees.update, { id, body: minor })
    expect(saved).toMatchObject({ guardian_name: 'Lars Lund', under_18: true, days_per_week: 4, version: 1 })
    const grown = await office.send(employees.update, { id, body: { ...minor, version: 1, birth_date: '1990-05-04' } })
    expect(grown).toMatchObject({ guardian_name: null, guardian_phone: null, guardian_email: null, under_18: false, version: 2 })
  })

  it('shows planners hours and minority, but neither the date of birth nor the guardian', async () => {
    const { user_id: id } = await operator.hire([])
    await office.send(employees.update, { id, body: minor })
    const planner = await operator.hire(['schedule_admin'])
    expect(await planner.send(employees.get, { id })).toMatchObject({
      birth_date: null,
      guardian_name: null,
      guardian_email: null,
      under_18: true,
      weekly_s: 72_000,
    })
    expect((await planner.ask(employees.update, { id, body: minor })).statusCode).toBe(403)
  })

  it('refuses an old version with the saved state, a birth in the future and an end before the beginning', async () => {
    const { user_id: id } = await operator.hire([])
    await office.send(employees.update, { id, body: minor })
    await expect(office.send(employees.update, { id, body: minor })).rejects.toMatchObject({
      code: 'settings_changed',
      current: { version: 1 },
    })
    await expect(office.send(employees.update, { id, body: { ...minor, version: 1, birth_date: '2030-01-01' } })).rejects.toMatchObject({
      fields: { birth_date: expect.any(String) },
    })
    await expect(office.send(employees.update, { id, body: { ...minor, version: 1, employed_to: '2026-07-01' } })).rejects.toMatchObject({
      status: 400,
    })
  })

  it('of another company is not found', async () => {
    const { user_id: id } = await operator.hire([], operator.shops[0])
    await expect(office.send(employees.get, { id })).rejects.toMatchObject({ status: 404 })
  })
})

describe('pay', () => {
  it('holds from its day on, and what held before stays on record', async () => {
    const payroll = await operator.hire(['salary_admin'])
    const { user_id: id } = await operator.hire([])
    await payroll.send(employees.addPayTerm, { id, body: { valid_from: '2026-01-01', salary_type: 'hourly', rate: 18_000 } })
    const terms = await payroll.send(employees.addPayTerm, {
      id,
      body: { valid_from: '2027-01-01', salary_type: 'commission', rate: 18_550 },
    })
    expect(terms.map(({ valid_from, rate, current }) => ({ valid_from, rate, current }))).toEqual([
      { valid_from: '2027-01-01', rate: 18_550, current: false },
      { valid_from: '2026-01-01', rate: 18_000, current: true },
    ])
    const [future, present] = terms
    await expect(payroll.send(employees.withdrawPayTerm, { id, term_id: present?.id ?? 0 })).rejects.toMatchObject({
      code: 'pay_term_used',
    })
    expect(await payroll.send(employees.withdrawPayTerm, { id, term_id: future?.id ?? 0 })).toHaveLength(1)
  })

  it('is seen by those who run the payroll alone', async () => {
    const { user_id: id } = await operator.hire([])
    for (const permission of ['users_admin', 'schedule_admin', 'personal_admin'] as const) {
      const other = await operator.hire([permission])
      expect((await other.ask(employees.payTerms, { id })).statusCode).toBe(403)
    }
  })
})

it('makes an adult on the 18th birthday, also of those born on 29 February', () => {
  expect(isUnder18('2008-11-26', '2026-11-25')).toBe(true)
  expect(isUnder18('2008-11-25', '2026-11-25')).toBe(false)
  expect(isUnder18('2008-02-29', '2026-02-28')).toBe(true)
  expect(isUnder18('2008-02-29', '2026-03-01')).toBe(false)
  expect(isUnder18(null, '2026-03-01')).toBe(false)
})
