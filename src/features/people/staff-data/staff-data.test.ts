/** Data of staff over HTTP: the copy for the person, the erasure, and what ends with the years. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { announcements } from '#features/company/announcements/announcements.contract.ts'
import { credentials } from '#features/company/users/credentials.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { employees } from '#features/people/employees/employees.contract.ts'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import { schedule } from '#features/people/schedule/schedule.contract.ts'
import { deleteOldDays } from '#features/people/timesheet/old-days.commands.ts'
import { timesheet } from '#features/people/timesheet/timesheet.contract.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import { rowsAtOnce } from '#platform/database/batches.ts'
import type { Db } from '#platform/database/database.ts'
import { dumpOf } from '#test/fixtures.ts'
import { readText } from '#test/label-reader.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { keptFrom } from './retention.rules.ts'
import { deleteOldStaffData } from './retention.task.ts'
import { staffData } from './staff-data.contract.ts'

const password = 'The crane in the harbour 7'
/** Belongs to no one: it fails the check digit and is no birth on 1 January. */
const cpr = '170584-0102'
let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let clerk: TestUser
let lead: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'])
  lead = await operator.hire(['schedule_admin', 'punchclock_admin'], operator.main, 'Jonas Krogh')
  clerk = await operator.hire(['personal_admin'], operator.main, 'Anders Riis')
  const password_hash = await hashPassword(password)
  await inCompany(db => db.updateTable('users').set({ password_hash }).where('id', 'in', [clerk.user_id, admin.user_id]).execute())
})
afterAll(() => testApp.close())

const inCompany = <T>(step: (db: Db) => Promise<T>): Promise<T> => testApp.services.database.transaction(scopeOfCompany(operator), step)
const body = { password }
const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10)

/** Somebody with something in every place. */
async function known(name: string) {
  const person = await operator.hire(['schedule', 'punchclock'], operator.main, name)
  const id = person.user_id
  await inCompany(db =>
    db
      .updateTable('users')
      .set({ email: `${name}@example.test`, phone: '+4511223344', employee_no: String(id + 5_000), role: `${name} role` })
      .where('id', '=', id)
      .execute(),
  )
  const employment = { birth_date: '2010-05-17', guardian_name: `Guardian of ${name}`, employed_from: '2026-01-01', version: 0 }
  await admin.send(employees.update, { id, body: employment })
  await clerk.send(employees.setCpr, { id, body: { cpr } })
  await admin.send(credentials.makeBadge, { id })
  await admin.send(credentials.setPin, { id, body: { pin: '4711' } })
  const punch = {
    ...{ client_id: randomUUID(), user_id: id, note: `${name} forgot the badge` },
    ...{ started_at: `${day(-2)}T06:00:00Z`, ended_at: `${day(-2)}T13:00:00Z` },
  }
  await lead.send(punchClock.update, { id: 0, body: punch })
  await lead.send(timesheet.approve, { body: { days: [{ user_id: id, work_date: day(-2) }] } })
  const asked = { client_id: randomUUID(), kind: 'leave' as const, work_date: day(20), reason_id: 4, note: `${name} moves` }
  await person.send(schedule.create, { body: asked })
  return person
}

describe('the copy for a member of the staff', () => {
  it('holds everything with the CPR number and who looked, no secret, and stands in the access log', async () => {
    const { user_id: id } = await known('Kimberly')
    const text = (await clerk.ask(staffData.copy, { id, body })).body
    const copy = JSON.parse(text)
    expect(copy).toMatchObject({
      cpr,
      users: [{ name: 'Kimberly', email: 'Kimberly@example.test' }],
      employees: [{ row: { birth_date: '2010-05-17' } }],
      schedule_notes: [{ note: 'Kimberly moves' }],
      timesheet_days: [{ row: { work_date: day(-2) } }],
      access_log: [{ what: 'personal.copy', user_name: 'Anders Riis' }],
    })
    expect(copy.punch_versions.some((one: { note: string | null }) => one.note === 'Kimberly forgot the badge')).toBe(true)
    expect(text).not.toMatch(/_hash|sealed|argon2/)
    const { reveals } = await clerk.send(employees.cpr, { id })
    expect(reveals).toMatchObject([{ reason: 'personal.copy' }])
  })

  it('as PDF has a heading per part and numbered pages, in the language of the person and the zone of the company', async () => {
    const { user_id: id } = await known('Mathilde')
    await inCompany(db => db.updateTable('users').set({ locale: 'da_DK' }).where('id', '=', id).execute())
    const answer = await clerk.ask(staffData.copy, { id, body: { ...body, format: 'pdf' } })
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-disposition': expect.stringContaining('.pdf') })
    const words = await readText(new Uint8Array(answer.rawPayload))
    const start = new Intl.DateTimeFormat('da-DK', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Copenhagen' })
    for (const shown of [
      ...['Personoplysninger: Mathilde', 'Ansættelse', 'Stemplinger', 'Godkendte timer', 'Hvem der har set oplysningerne'],
      ...[
        cpr,
        '17. maj 2010',
        'Mathilde moves',
        start.format(new Date(`${day(-2)}T06:00:00Z`)),
        '7:00',
        'Kopi til personen',
        'Anders Riis',
      ],
    ])
      expect(words, shown).toContain(shown)
    expect(words.join(' ')).toContain('Note: Mathilde forgot the badge')
    const pages = words.filter(word => /^Side \d+ af \d+$/.test(word))
    expect(pages).toEqual(pages.map((_, i) => `Side ${i + 1} af ${pages.length}`))
    const { reveals } = await clerk.send(employees.cpr, { id })
    expect(reveals).toMatchObject([{ reason: 'personal.copy' }])
    const { access_log } = JSON.parse((await clerk.ask(staffData.copy, { id, body })).body)
    expect(access_log.filter((one: { what: string }) => one.what === 'personal.copy')).toHaveLength(2)
  })

  it('as PDF is in the language of the company where the person has none', async () => {
    const { user_id: id } = await known('Vilma')
    const words = await readText(new Uint8Array((await clerk.ask(staffData.copy, { id, body: { ...body, format: 'pdf' } })).rawPayload))
    expect(words).toContain('Personal data: Vilma')
    expect(words).toContain('Clocked times')
  })

  it('is made by who may read CPR numbers alone, with the own password, and in the own company', async () => {
    const { user_id: id } = await known('Ida')
    for (const call of [staffData.copy, staffData.erase]) {
      expect((await admin.ask(call, { id, body })).statusCode).toBe(403)
      expect((await clerk.ask(call, { id, body: { password: 'guessed' } })).json().fields).toHaveProperty('password')
    }
    const { user_id: other } = await operator.hire([], operator.shops[0])
    expect((await clerk.ask(staffData.copy, { id: other, body })).statusCode).toBe(404)
    expect((await clerk.ask(staffData.erase, { id: other, body })).statusCode).toBe(404)
  })
})

describe('an erased member of the staff', () => {
  it('leaves no word but the hours under the employee number, and cannot sign in', async () => {
    const person = await known('Rosalind')
    const id = person.user_id
    const { erased, kept } = await clerk.send(staffData.erase, { id, body })
    expect(erased).toMatchObject({ employee_cpr: 1, punch_notes: 1, schedule_notes: 1, user_badges: 1, user_pins: 1, users: 1 })
    expect(kept.map(one => one.what)).toEqual(['hours', 'pay', 'agreements'])
    expect((await person.ask(users.me, {})).statusCode).toBe(401)
    expect((await admin.ask(users.get, { id })).statusCode).toBe(404)
    const rows = await lead.send(timesheet.list, { start: day(-3), end: day(0) })
    expect(rows.rows.find(row => row.user_id === id)?.user_name).toBe(`Former employee ${id + 5_000}`)
    const client = new pg.Client({ connectionString: testApp.url })
    await client.connect()
    const tables = await dumpOf(client, operator.operator_id)
    await client.end()
    // Who acted stands beside what was done: events, versions of times, and the log of who looked.
    const acted = ['events', 'event_personal', 'schedule_changes', 'schedule_entries', 'punch_versions', 'access_log', 'search_terms']
    for (const [table, text] of Object.entries(tables))
      if (!acted.some(name => table.startsWith(name))) expect(text.includes('Rosalind'), table).toBe(false)
  })

  it('is no administrator above the one who erases, and not oneself', async () => {
    const { user_id: boss } = await operator.hire(['admin'])
    await expect(clerk.send(staffData.erase, { id: boss, body })).rejects.toMatchObject({ code: 'admin_only' })
    await expect(clerk.send(staffData.erase, { id: clerk.user_id, body })).rejects.toMatchObject({ code: 'cannot_remove_self' })
  })
})

describe('a person who is removed', () => {
  it('has not clocked out, and coming shifts are open to others', async () => {
    const nora = await operator.hire(['schedule', 'punchclock'], operator.main, 'Nora Falk')
    await nora.send(punchClock.punchIn, { body: { client_id: randomUUID() } })
    const shift = { kind: 'shift' as const, user_id: nora.user_id, start_local: '06:00', end_local: '14:00' }
    const past = await lead.send(schedule.create, { body: { ...shift, client_id: randomUUID(), work_date: day(-5) } })
    const next = await lead.send(schedule.create, { body: { ...shift, client_id: randomUUID(), work_date: day(9) } })
    await nora.send(schedule.create, { body: { client_id: randomUUID(), kind: 'leave', work_date: day(15), reason_id: 4 } })
    const link = await nora.send(schedule.makeCalendarLink, {})
    await admin.send(users.remove, { id: nora.user_id })
    const { rows } = await lead.send(punchClock.notOut, {})
    expect(rows.some(row => row.user_id === nora.user_id)).toBe(true)
    const board = await lead.send(schedule.board, { start: day(-6), end: day(16) })
    expect(board.entries.find(one => one.id === past.entry.id)?.user_id).toBe(nora.user_id)
    expect(board.entries.find(one => one.id === next.entry.id)?.user_id).toBeNull()
    const waiting = await lead.send(schedule.waiting, {})
    expect(JSON.stringify(waiting)).not.toContain('Nora Falk')
    expect(link).toBeTruthy()
  })
})

describe('after their time', () => {
  it('hours end after five years and four months, pay with the fifth financial year', () => {
    expect(keptFrom('2031-11-26')).toEqual({
      hours: '2026-07-26',
      pay: '2026-01-01',
      leavers: '2026-11-26',
      availability: '2031-08-28',
      rejects: '2031-08-28',
      offers: '2030-11-26',
    })
  })

  it('are gone: times, approved hours, plans, the guardian of an adult and the CPR number of who has left; the rest stays', async () => {
    const old = await known('Oldrun')
    const stays = await known('Stella')
    const { id } = await admin.send(announcements.create, {
      body: {
        ...{ mode: 'must_agree' as const, everyone: false, user_ids: [old.user_id], from_at: '2026-01-01T00:00:00Z', publish: true },
        texts: { en_GB: { title: 'Fire exits', body: 'Keep them free.' } },
      },
    })
    const [waits] = await old.send(announcements.waiting, {})
    const { version_no = 1, sha256 = '' } = waits ?? {}
    await old.send(announcements.agree, { id, body: { version_no, sha256, locale: 'en_GB' } })
    const long = '2015-03-04'
    await testApp.services.database.systemTransaction('many years pass', async db => {
      await db
        .updateTable('punches')
        .set({ work_date: long, started_at: `${long}T06:00:00Z`, ended_at: `${long}T13:00:00Z` })
        .where('user_id', '=', old.user_id)
        .execute()
      await db.updateTable('timesheet_days').set({ work_date: long }).where('user_id', '=', old.user_id).execute()
      await db.updateTable('schedule_entries').set({ work_date: long, date_to: long }).where('user_id', '=', old.user_id).execute()
      await db
        .updateTable('users')
        .set({ removed_at: `${long}T12:00:00Z` })
        .where('id', '=', old.user_id)
        .execute()
      await db.updateTable('employees').set({ birth_date: '1990-01-02' }).where('user_id', '=', old.user_id).execute()
    })
    const counts = async (user_id: number) => {
      const found = await testApp.services.database.systemRead('the test counts', async db => ({
        punches: await db.selectFrom('punches').select('id').where('user_id', '=', user_id).execute(),
        days: await db.selectFrom('timesheet_days').select('version').where('user_id', '=', user_id).execute(),
        entries: await db.selectFrom('schedule_entries').select('id').where('user_id', '=', user_id).execute(),
        agreements: await db.selectFrom('announcement_agreements').select('version_no').where('user_id', '=', user_id).execute(),
        cpr: await db.selectFrom('employee_cpr').select('set_by').where('user_id', '=', user_id).execute(),
        guardian: await db
          .selectFrom('employees')
          .select('guardian_name')
          .where('user_id', '=', user_id)
          .where('guardian_name', 'is not', null)
          .execute(),
      }))
      return Object.fromEntries(Object.entries(found).map(([name, rows]) => [name, rows.length]))
    }
    const before = await counts(stays.user_id)
    expect(await counts(old.user_id)).toEqual({ punches: 1, days: 1, entries: 1, agreements: 1, cpr: 1, guardian: 1 })
    const deleted = await deleteOldStaffData(testApp.services)
    expect(deleted).toMatchObject({ punches: 1, timesheet_days: 1, schedule_entries: 1, announcement_agreements: 1 })
    expect(await counts(old.user_id)).toEqual({ punches: 0, days: 0, entries: 0, agreements: 0, cpr: 0, guardian: 0 })
    expect(await counts(stays.user_id)).toEqual(before)
    expect(Object.values(await deleteOldStaffData(testApp.services)).every(count => count === 0)).toBe(true)
  })

  it('ends one operator after the other, a bounded number of rows in a transaction', async () => {
    const other = await testApp.operator()
    const person = await other.hire(['punchclock'], other.main, 'Somebody else')
    const rows = { ours: rowsAtOnce + 5, theirs: 3 }
    for (const [operator_id, company_id, user_id, days] of [
      [operator.operator_id, operator.main.id, admin.user_id, rows.ours],
      [other.operator_id, other.main.id, person.user_id, rows.theirs],
    ] as const)
      await testApp.services.database.ownerTransaction(client =>
        client.query(
          `insert into timesheet_days (operator_id, company_id, user_id, work_date, state, intervals, paid_s, from_versions, approved_by_name, approved_at)
            select $1, $2, $3, '2015-01-01'::date - n, 'approved', '[]', 0, '[]', 'Jonas Krogh', now() from generate_series(1, $4) n`,
          [operator_id, company_id, user_id, days],
        ),
      )
    const step = () => testApp.services.database.systemTransaction('a test', db => deleteOldDays(db, operator.operator_id, '2016-01-01'))
    expect([await step(), await step(), await step()].map(one => one.timesheet_days)).toEqual([rowsAtOnce, 5, 0])
    expect((await deleteOldStaffData(testApp.services)).timesheet_days).toBe(rows.theirs)
  })
})
