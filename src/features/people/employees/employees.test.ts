/** Employments and pay: who sees what, and what stays on record. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissions } from '#contract/access.ts'
import { endOldAccesses } from '#features/company/access-log/access-log.commands.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import { dumpOf } from '#test/fixtures.ts'
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

  it('and pay stand in the access log when somebody else reads them, and not when it is oneself', async () => {
    const person = await operator.hire(['users_admin'], operator.main, 'Reader of herself')
    const id = person.user_id
    const payroll = await operator.hire(['salary_admin'], operator.main, 'Accounts')
    await person.send(employees.get, { id })
    await office.send(employees.get, { id })
    await payroll.send(employees.payTerms, { id })
    const rows = await testApp.services.database.systemRead('the test reads the log', db =>
      db.selectFrom('access_log').select(['what', 'user_name']).where('subject_id', '=', id).orderBy('id').execute(),
    )
    expect(rows).toEqual([
      { what: 'employee.read', user_name: 'Mette Friis' },
      { what: 'pay.read', user_name: 'Accounts' },
    ])
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

describe('a CPR number', () => {
  /** Belongs to no one: it fails the check digit and is no birth on 1 January. */
  const cpr = '170584-0102'
  const password = 'The crane in the harbour 7'
  const reason = 'Report to the tax office'
  let clerk: TestUser
  beforeAll(async () => {
    clerk = await operator.hire(['personal_admin'], operator.main, 'Anders Riis')
    await givePassword(clerk)
  })

  const scope = () => ({ operator_id: operator.operator_id, company_id: operator.main.id, companies: [operator.main.id] })
  async function givePassword({ user_id }: TestUser): Promise<void> {
    const password_hash = await hashPassword(password)
    await testApp.services.database.transaction(scope(), db =>
      db.updateTable('users').set({ password_hash }).where('id', '=', user_id).execute(),
    )
  }
  const kept = async () => {
    const { user_id: id } = await operator.hire([])
    await clerk.send(employees.setCpr, { id, body: { cpr } })
    return id
  }
  const reveal = (id: number, by = clerk) => by.send(employees.revealCpr, { id, body: { reason, password } })

  it('is read with a reason and the own password, and each time stands in the access log', async () => {
    const id = await kept()
    expect(await clerk.send(employees.cpr, { id })).toMatchObject({ set_by: 'Anders Riis', set_at: expect.any(String), reveals: [] })
    const answer = await clerk.ask(employees.revealCpr, { id, body: { reason, password } })
    expect(answer.json()).toEqual({ cpr })
    expect(answer.headers['cache-control']).toBe('no-store')
    const { reveals } = await clerk.send(employees.cpr, { id })
    expect(reveals).toEqual([{ at: expect.any(String), user_name: 'Anders Riis', reason }])
    // Words that were searched for leave the log after half a year, a reason with its row.
    await testApp.services.database.systemTransaction('a year passes', db => endOldAccesses(db, new Date('2027-11-25T09:00:00Z')))
    expect((await clerk.send(employees.cpr, { id })).reveals).toHaveLength(1)
  })

  it('is not read without a reason, without the right password, or where none is kept', async () => {
    const id = await kept()
    const wrong = await clerk.ask(employees.revealCpr, { id, body: { reason: ' ', password } })
    expect(wrong.json().fields).toEqual({ reason: 'Write why you need the number' })
    await expect(clerk.send(employees.revealCpr, { id, body: { reason, password: 'guessed' } })).rejects.toMatchObject({
      fields: { password: expect.any(String) },
    })
    expect((await clerk.send(employees.cpr, { id })).reveals).toEqual([])
    const { user_id: other } = await operator.hire([])
    await expect(reveal(other)).rejects.toMatchObject({ code: 'cpr_not_found' })
  })

  it('is read ten times an hour by one person', async () => {
    const eager = await operator.hire(['personal_admin'])
    await givePassword(eager)
    const id = await kept()
    testApp.setNow(undefined)
    for (let time = 0; time < 10; time++) expect(await reveal(id, eager)).toEqual({ cpr })
    await expect(reveal(id, eager)).rejects.toMatchObject({ status: 429, code: 'cpr_reveals_many' })
    testApp.setNow(new Date(Date.now() + 3_700_000))
    expect(await reveal(id, eager)).toEqual({ cpr })
    testApp.setNow(new Date('2026-11-25T09:00:00Z'))
  })

  it('is seen, set and removed by no other right, not even by an administrator, and in no other company', async () => {
    const id = await kept()
    const calls = [
      [employees.cpr, { id }],
      [employees.setCpr, { id, body: { cpr } }],
      [employees.removeCpr, { id }],
      [employees.revealCpr, { id, body: { reason, password } }],
    ] as const
    for (const permission of permissions.filter(code => code !== 'personal_admin')) {
      const other = await operator.hire([permission])
      for (const [call, input] of calls) expect((await other.ask(call, input)).statusCode, `${permission} ${call.line}`).toBe(403)
    }
    const shop = await operator.hire(['personal_admin'], operator.shops[0])
    for (const [call, input] of calls.slice(0, 3)) expect((await shop.ask(call, input)).statusCode).toBe(404)
  })

  it.each([
    ['170584', 'A CPR number has ten digits'],
    ['170584-01022', 'A CPR number has ten digits'],
    ['320584-0101', 'The first six digits are no day of the calendar'],
    ['290203-4001', 'The first six digits are no day of the calendar'],
  ])('written as %s is refused in place', async (typed, sentence) => {
    const { user_id: id } = await operator.hire([])
    const answer = await clerk.ask(employees.setCpr, { id, body: { cpr: typed } })
    expect(answer.json().fields).toEqual({ cpr: sentence })
    expect(answer.body).not.toContain(typed)
  })

  it('without a check digit or of another date of birth is kept with a hint', async () => {
    const { user_id: id } = await operator.hire([])
    expect((await clerk.send(employees.setCpr, { id, body: { cpr } })).hint).toBe('check_digit')
    expect((await clerk.send(employees.setCpr, { id, body: { cpr: '070761-4285' } })).hint).toBeNull()
    await office.send(employees.update, { id, body: { ...minor, birth_date: '1984-05-17' } })
    expect((await clerk.send(employees.setCpr, { id, body: { cpr: '070761-4285' } })).hint).toBe('birth_date')
  })

  it('stands in the clear in no table, and does not open under another person or another key', async () => {
    const id = await kept()
    await reveal(id)
    const { user_id: other } = await operator.hire([])
    await testApp.services.database.transaction(scope(), async db => {
      const row = await db
        .selectFrom('employee_cpr')
        .select(['sealed', 'set_at', 'set_by'])
        .where('user_id', '=', id)
        .executeTakeFirstOrThrow()
      await db
        .insertInto('employee_cpr')
        .values({ user_id: other, ...row })
        .execute()
    })
    await expect(reveal(other)).rejects.toMatchObject({ status: 503, code: 'personal_key_missing' })
    const client = new pg.Client({ connectionString: testApp.url })
    await client.connect()
    const tables = Object.values(await dumpOf(client, operator.operator_id)).join('\n')
    await client.end()
    for (const form of [cpr, cpr.replace('-', ''), Buffer.from(cpr.replace('-', '')).toString('hex')]) expect(tables).not.toContain(form)
    const { data_dir } = testApp.services.config
    const key = (name: string) => readFileSync(join(data_dir, name), 'utf8')
    expect(key('personal.key')).not.toBe(key('secret.key'))
  })

  it('is removed on request', async () => {
    const id = await kept()
    await clerk.send(employees.removeCpr, { id })
    expect(await clerk.send(employees.cpr, { id })).toMatchObject({ set_at: null })
    await expect(clerk.send(employees.removeCpr, { id })).rejects.toMatchObject({ code: 'cpr_not_found' })
  })
})
