/** Personal data: what is kept about one employee, asked for by every permission over every call that reads. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '#contract/access.ts'
import type { Call } from '#contract/endpoint.ts'
import { employees } from '#features/people/employees/employees.contract.ts'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import { salary } from '#features/people/salary/salary.contract.ts'
import { schedule } from '#features/people/schedule/schedule.contract.ts'
import { timesheet } from '#features/people/timesheet/timesheet.contract.ts'
import { callApi, each, namesIn } from './api-client.ts'
import { askableCalls } from './tenant-tries.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from './test-app.ts'

/** What no one may read but those with one of these permissions; no call that reads answers a CPR number at all. */
const secrets: Readonly<Record<string, { text: RegExp; seenBy: readonly string[] }>> = {
  'the CPR number': { text: /230794-?4327/, seenBy: [] },
  'the date of birth': { text: /1994-07-23/, seenBy: ['users_admin', 'personal_admin', 'salary_admin'] },
  'the pay': { text: /19873|198[.,]73/, seenBy: ['salary_admin'] },
  'the note of an illness': { text: /Lumbago/, seenBy: ['schedule_admin'] },
  'the kind of leave': { text: /"reason_id":1\b/, seenBy: ['schedule_admin', 'salary_admin'] },
}
const sick = 1

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
/** Numbers of what is kept about Kim: of the person, the leave, the clocked time, the pay period and its export. */
let ids: readonly number[]
const day = '2026-11-10'
beforeAll(async () => {
  testApp = await openTestApp()
  testApp.setNow(new Date('2026-11-25T09:00:00Z'))
  operator = await testApp.operator()
  kim = await operator.hire(['punchclock', 'schedule', 'scan'], operator.main, 'Kim Lund')
  const id = kim.user_id
  const lead = await operator.hire(['schedule_admin'])
  const office = await operator.hire(['users_admin'])
  const payroll = await operator.hire(['salary_admin'])
  const person = await operator.hire(['personal_admin'])
  await office.send(employees.update, {
    id,
    body: { version: 0, birth_date: '1994-07-23', employed_from: '2026-01-01', weekly_s: 133_200, days_per_week: 5 },
  })
  await person.send(employees.setCpr, { id, body: { cpr: '230794-4327' } })
  await payroll.send(employees.addPayTerm, { id, body: { valid_from: '2026-01-01', salary_type: 'hourly', rate: 19_873 } })
  const leave = await lead.send(schedule.create, {
    body: { client_id: randomUUID(), kind: 'leave', user_id: id, reason_id: sick, work_date: '2026-11-11', part: 'full', note: 'Lumbago' },
  })
  const punch = await lead.send(punchClock.update, {
    id: 0,
    body: { client_id: randomUUID(), user_id: id, note: 'On paper', started_at: `${day}T07:00:00Z`, ended_at: `${day}T15:00:00Z` },
  })
  await lead.send(timesheet.approve, { body: { days: [{ user_id: id, work_date: day }] } })
  const { id: period } = await payroll.send(salary.addPeriod, { body: { from_day: '2026-11-09', to_day: '2026-11-15' } })
  ids = [...new Set([id, leave.entry.id, punch.id, period, 1])]
})
afterAll(() => testApp.close())

const reading = askableCalls.filter(call => call.method === 'GET')
/** Each way to ask a call for what is kept about Kim. */
function asked(call: Call): Record<string, unknown>[] {
  const names = namesIn(call)
  const fixed = {
    user_id: kim.user_id,
    start: '2026-11-01',
    end: '2026-11-30',
    from: '2026-11-01',
    to: '2026-11-30',
    day: '2026-11-11',
    q: 'Kim',
  }
  const open = names.filter(name => !(name in fixed))
  return open.length === 0 ? [fixed] : ids.map(id => ({ ...fixed, ...Object.fromEntries(open.map(name => [name, id])) }))
}

/** Every answer that holds a secret, as `permission: call: secret`. */
async function seen(worker: TestUser, code: string, calls: readonly Call[]): Promise<string[]> {
  const found = new Set<string>()
  await each(calls, async call => {
    for (const params of asked(call)) {
      const { body } = await callApi(testApp.app, call, { company: operator.main.code, token: worker.token, params })
      for (const [name, { text }] of Object.entries(secrets)) if (text.test(body)) found.add(`${name} by ${code}: ${call.line}`)
    }
  })
  return [...found]
}

it('is read by those alone whose permission says so, whatever they ask', async () => {
  const leaks: string[] = []
  const shown = new Set<string>()
  for (const code of [...permissions, 'nothing'] as const) {
    if (code === 'admin') continue
    const worker = await operator.hire(code === 'nothing' ? [] : [code])
    const open = reading.filter(
      call => call.access === 'anyone' || call.access === 'user' || call.access === 'person' || call.access.includes(code as never),
    )
    for (const one of await seen(worker, code, open)) {
      const name = one.slice(0, one.indexOf(' by '))
      if (secrets[name]?.seenBy.includes(code)) shown.add(name)
      else leaks.push(one)
    }
  }
  expect(leaks).toEqual([])
  // The proof that the proof can see.
  expect([...shown].sort()).toEqual(
    Object.keys(secrets)
      .filter(name => name !== 'the CPR number')
      .sort(),
  )
})

it('is not in the events, and the CPR number in no table', async () => {
  const root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  try {
    const { rows: tables } = await root.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`,
    )
    const holds = async (table: string, text: string) =>
      (await root.query(`select 1 from ${pg.escapeIdentifier(table)} t where t::text ~ $1 limit 1`, [text])).rowCount === 1
    for (const table of ['events', 'event_personal', 'outbox'])
      for (const text of ['Lumbago', '1994-07-23', '19873']) {
        expect(await holds(table, text), `${table} holds ${text}`).toBe(false)
      }
    for (const { name } of tables) expect(await holds(name, '230794-?4327'), name).toBe(false)
    expect(await holds('employees', '1994-07-23')).toBe(true)
  } finally {
    await root.end()
  }
})
