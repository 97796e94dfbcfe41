/** People of the demo: their employment, weeks of shifts, clock-ins and leave, and groups that give permissions – all invented. */

import type { Insertable } from 'kysely'
import { type Permission, permissionId, permissions } from '#contract/access.ts'
import type { DevicePreset } from '#contract/device-accounts.ts'
import type { StationAct } from '#contract/station-acts.ts'
import { addDays, daysBetween, mondayOf } from '#domain/local-time.ts'
import { elementAt } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { addMember, createGroup, setGroupPermission } from '#features/company/groups/groups.commands.ts'
import { insertDevice } from '#features/company/users/devices.commands.ts'
import { removeUser } from '#features/company/users/users.commands.ts'
import { setCpr } from '#features/people/employees/cpr.commands.ts'
import { hasCheckDigit } from '#features/people/employees/cpr.rules.ts'
import { holidayYearOf } from '#features/people/schedule/leave-account.rules.ts'
import { type EntryState, isSickness, type LeavePart, leaveReasons, settledLeave } from '#features/people/schedule/schedule.codes.ts'
import { showToStaff } from '#features/people/schedule/shifts.commands.ts'
import { spanOf } from '#features/people/schedule/shifts.rules.ts'
import { approveDays, lockDays } from '#features/people/timesheet/timesheet.commands.ts'
import { newChance } from '#optimization/random/seeded-random.ts'
import { anonymous } from '#platform/auth/identity.ts'
import type { Db } from '#platform/database/database.ts'
import type { DB } from '#platform/database/schema.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { buildUser } from './builders.ts'

interface Person {
  id: number
  name: string
}

interface Team {
  owner: Person
  lead: Person
  packer: Person
  picker: Person
  office: Person
}

/** A person in the plan: shifts of even and of odd weeks, where, and since when. */
interface Employed extends Person {
  shifts: readonly [even: Times, odd: Times]
  station: string | null
  employed_from: string
  birth_date: string
  /** The last day of who has left. */
  employed_to?: string
  weekly_s?: number
  guardian?: { guardian_name: string; guardian_phone: string }
}

type Times = readonly [start: string, end: string]
const early: Times = ['06:00', '14:00']
const late: Times = ['14:00', '22:00']
const office: Times = ['08:00', '16:00']
const night: Times = ['22:00', '06:00']
const afterSchool: Times = ['15:00', '19:00']

interface Leave {
  user_id: number
  /** Days from the Monday of this week. */
  from: number
  to?: number
  reason_id: number
  part?: LeavePart
  state: EntryState
  note?: string
  decision?: string
}

interface Shift {
  id: number
  person: Person
  work_date: string
  start: number
  end: number
}

/**
 * A CPR number of the demo: of the person's date of birth, and failing the check digit. Numbers without it were so far given only to births on
 * 1 January, so these belong to no one.
 */
export function demoCpr(birth_date: string, nth: number): string {
  const [year = '', month = '', day = ''] = birth_date.split('-')
  // The seventh digit says the century.
  const start = `${day}${month}${year.slice(2)}${year < '2000' ? 0 : 4}`
  const numbers = [1, 2, 3, 4].map(last => `${start}${String(nth * 7 + 10).padStart(2, '0')}${last}`)
  return numbers.find(digits => !hasCheckDigit(digits)) ?? ''
}

const minute = 60_000
const break_s = 1_800
/** Five shifts of eight hours without their breaks. */
const fullWeek_s = 5 * (8 * 3_600 - break_s)

/** Staff without a login: they clock in at the kiosk. */
const colleagues: readonly { name: string; role: string; employee_no: string; permissions: Permission[] }[] = [
  { name: 'Nora Falk', role: 'Packer', employee_no: '1007', permissions: ['punchclock'] },
  { name: 'Emil Dam', role: 'Packer', employee_no: '1008', permissions: ['punchclock'] },
  { name: 'Laura Toft', role: 'Picker', employee_no: '1009', permissions: ['punchclock'] },
  { name: 'Oliver Bach', role: 'Packer', employee_no: '1010', permissions: ['punchclock'] },
  { name: 'Victor Holst', role: 'Picker', employee_no: '1011', permissions: ['punchclock'] },
  { name: 'Freja Lind', role: 'Picker', employee_no: '1012', permissions: ['punchclock'] },
  { name: 'Ida Skov', role: 'Packer', employee_no: '1013', permissions: ['punchclock'] },
]

async function inParts<T>(rows: readonly T[], store: (some: T[]) => Promise<unknown>): Promise<void> {
  for (let place = 0; place < rows.length; place += 500) await store(rows.slice(place, place + 500))
}

/** Accounts of what many people share. */
const devices: readonly (readonly [name: string, preset: DevicePreset])[] = [
  ['Clock at the entrance', 'kiosk'],
  ['Packing 2', 'station'],
  ['Board over the packing tables', 'board'],
]

/** Makes the team; the answer removes who has left, once the payroll is made. */
export async function buildPeople(
  services: Services,
  scope: TenantScope,
  team: Team,
  weeks: number,
): Promise<{ removeLeavers: () => Promise<void> }> {
  const hired: Person[] = []
  for (const one of colleagues) hired.push({ id: await buildUser(services.database, scope, one), name: one.name })
  const [nora, emil, laura, oliver] = [elementAt(hired, 0), elementAt(hired, 1), elementAt(hired, 2), elementAt(hired, 3)]
  const [victor, freja, ida] = [elementAt(hired, 4), elementAt(hired, 5), elementAt(hired, 6)]
  const { owner, lead, packer, picker } = team
  const today = services.now().toISOString().slice(0, 10)
  const staff: readonly Employed[] = [
    { ...owner, shifts: [office, office], station: null, employed_from: '2018-01-01', birth_date: '1979-04-11' },
    { ...lead, shifts: [office, office], station: null, employed_from: '2019-02-01', birth_date: '1984-05-17' },
    { ...team.office, shifts: [office, office], station: null, employed_from: '2021-08-01', birth_date: '1990-11-02' },
    { ...packer, shifts: [early, late], station: 'Packing 1', employed_from: '2022-03-01', birth_date: '1996-01-23' },
    { ...nora, shifts: [late, early], station: 'Packing 2', employed_from: '2023-10-01', birth_date: '2001-07-08' },
    { ...emil, shifts: [early, early], station: 'Packing 2', employed_from: '2024-05-01', birth_date: '1999-03-30' },
    { ...picker, shifts: [early, late], station: null, employed_from: '2020-06-01', birth_date: '1992-09-14' },
    { ...laura, shifts: [late, early], station: null, employed_from: '2025-01-01', birth_date: '2003-12-05' },
    {
      ...{ ...oliver, shifts: [afterSchool, afterSchool], station: 'Packing 1', employed_from: addDays(today, -200) },
      // Seventeen for some months yet.
      ...{ birth_date: addDays(today, -6_400), weekly_s: 5 * (4 * 3_600 - break_s) },
      guardian: { guardian_name: 'Camilla Bach', guardian_phone: '+45 20 11 22 33' },
    },
    { ...victor, shifts: [night, night], station: null, employed_from: '2023-02-01', birth_date: '1988-06-19' },
    { ...freja, shifts: [late, early], station: null, employed_from: '2024-09-01', birth_date: '1997-10-09' },
    {
      ...{ ...ida, shifts: [early, late], station: 'Packing 3', employed_from: '2024-02-01', birth_date: '1994-03-25' },
      employed_to: addDays(today, -24),
    },
  ]
  const { sick_day, childs_first_sick_day, vacation_with_pay, vacation_without_pay } = leaveReasons
  const leaves: readonly Leave[] = [
    { user_id: packer.id, from: -28, to: -24, reason_id: vacation_with_pay, state: 'approved' },
    { user_id: picker.id, from: -13, reason_id: sick_day, state: 'seen' },
    { user_id: emil.id, from: -18, reason_id: childs_first_sick_day, state: 'seen' },
    { user_id: laura.id, from: -5, reason_id: vacation_with_pay, state: 'cancelled' },
    { user_id: nora.id, from: 0, reason_id: sick_day, state: 'registered' },
    { user_id: packer.id, from: 11, reason_id: vacation_with_pay, part: 'afternoon', state: 'requested', note: 'Moving to a new flat' },
    { user_id: emil.id, from: 14, to: 18, reason_id: vacation_with_pay, state: 'requested', note: 'A week with the family' },
    {
      user_id: laura.id,
      from: 10,
      reason_id: vacation_without_pay,
      state: 'rejected',
      decision: 'Two colleagues are away on that day. Friday is possible.',
    },
    { user_id: picker.id, from: 9, reason_id: vacation_with_pay, state: 'withdrawn' },
    { user_id: team.office.id, from: 8, reason_id: vacation_with_pay, state: 'cancel_requested', note: 'The trip is called off' },
  ]

  const actAs = ({ id, name }: Person) => {
    const company = { operator_id: scope.operator_id, id: scope.company_id, code: '', name: '', is_main: true, packing_ip_pattern: '' }
    const principal = { ...anonymous(company), kind: 'user' as const, id, name, permissions, operatorCompanies: scope.companies }
    return createContext(services, principal, scope, { ip: '', station: '', headers: {}, signal: services.closing })
  }

  const now = services.now().getTime()
  const { approved_to, days } = await services.database.transaction(scope, async db => {
    const { time_zone } = await companySettings(db, scope.company_id)
    const monday = mondayOf(localDay(services.now(), time_zone))
    await db
      .insertInto('employees')
      .values(
        staff.map(({ id, employed_from, employed_to, birth_date, weekly_s = fullWeek_s, guardian }) => ({
          ...{ user_id: id, employed_from, employed_to: employed_to ?? null, birth_date, weekly_s, ...guardian },
        })),
      )
      .execute()
    await storeLeaves(db, leaves, { monday, lead, at: services.now() })
    const shifts = await storeShifts(db, { staff, leaves, monday, weeks, zone: time_zone, lead })
    const clocked = shifts.filter(shift => shift.start + 10 * minute < now)
    await storePunches(db, clocked, { now, forgotten: emil.id, corrected: laura.id, unverified: freja.id })
    const approved_to = addDays(monday, -1)
    const done = clocked.filter(shift => shift.end < now && shift.work_date < approved_to)
    return { approved_to, days: done.map(({ person, work_date }) => ({ user_id: person.id, work_date })) }
  })
  await actAs(lead).transaction(context =>
    approveDays(
      context,
      days.filter(day => day.user_id !== lead.id),
    ),
  )
  await actAs(owner).transaction(async context => {
    await approveDays(
      context,
      days.filter(day => day.user_id === lead.id),
    )
    for (const [nth, { id, birth_date }] of staff.entries())
      if (id !== owner.id) await setCpr(context, id, demoCpr(birth_date, nth), addDays(approved_to, 1))
    if (weeks > 4) await lockDays(context, { from: addDays(approved_to, 1 - weeks * 7), to: addDays(approved_to, -28) })
    const groups: readonly {
      name: string
      codes: Permission[]
      members: readonly Person[]
      acts?: readonly StationAct[]
      stations?: string[]
    }[] = [
      // One may print again and take over at each station; what costs more is left to the leads.
      {
        ...{ name: 'Packing team', codes: ['scan', 'schedule', 'punchclock'], members: [packer, nora, emil, oliver] },
        ...{ acts: ['reprint', 'take_over'] },
      },
      { name: 'Senior packers', codes: ['scan'], members: [nora], acts: ['bypass', 'unpack', 'weight'], stations: ['Packing 1'] },
      { name: 'Picking team', codes: ['pick', 'schedule', 'punchclock'], members: [picker, laura, victor, freja] },
      { name: 'Leads', codes: ['scan_admin', 'pick_admin', 'schedule_admin', 'punchclock'], members: [lead] },
      { name: 'Office team', codes: ['parcels', 'schedule', 'punchclock'], members: [team.office] },
    ]
    for (const { name, codes, members, acts = [], stations = null } of groups) {
      const { group_id, version } = await createGroup(context, name)
      for (const { id: user_id } of members) await addMember(context, group_id, user_id)
      await setGroupPermission(context, group_id, { version, permission: codes.map(permissionId), acts, stations })
    }
    for (const [name, preset] of devices) await insertDevice(context, name, preset)
  })
  return { removeLeavers: () => actAs(owner).transaction(context => removeUser(context, ida.id)) }
}

async function storeLeaves(
  db: Db,
  leaves: readonly Leave[],
  { monday, lead, at }: { monday: string; lead: Person; at: Date },
): Promise<void> {
  for (const { user_id, from, to = from, reason_id, part = 'full', state, note, decision } of leaves) {
    const decided = state !== 'requested' && state !== 'withdrawn' && state !== 'registered'
    const work_date = addDays(monday, from)
    const by = { decided_by: lead.name, decided_at: at.toISOString() }
    const { id } = await db
      .insertInto('schedule_entries')
      .values({
        kind: 'leave',
        user_id,
        work_date,
        date_to: addDays(monday, to),
        reason_id,
        part,
        state,
        decision: decision ?? null,
        ...(decided && by),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (note) await db.insertInto('schedule_notes').values({ entry_id: id, note }).execute()
    if (!isSickness(reason_id) && (state === 'approved' || state === 'cancel_requested'))
      await db
        .insertInto('leave_ledger')
        .values({
          user_id,
          year_start: holidayYearOf(work_date),
          kind: 'taken',
          days_milli: -1_000 * (to - from + 1),
          day: work_date,
          entry_id: id,
          made_by: lead.name,
          made_at: at.toISOString(),
        })
        .execute()
  }
}

interface Plan {
  staff: readonly Employed[]
  leaves: readonly Leave[]
  monday: string
  weeks: number
  zone: string
  lead: Person
}

/** Staff see the plan to the end of next week; the week after is a draft. Six shifts of next week wait for somebody. */
async function storeShifts(db: Db, { staff, leaves, monday, weeks, zone, lead }: Plan): Promise<Shift[]> {
  const away = new Set(
    leaves
      .filter(leave => settledLeave.some(state => state === leave.state))
      .flatMap(({ user_id, from, to = from }) =>
        daysBetween(addDays(monday, from), addDays(monday, to)).map(work_date => `${user_id} ${work_date}`),
      ),
  )
  const rows: (Insertable<DB['schedule_entries']> & { work_date: string })[] = []
  const people: (Person | null)[] = []
  const plan = (person: Person | null, work_date: string, [start_local, end_local]: Times, station: string | null) => {
    const { start, end } = spanOf({ work_date, start_local, end_local }, zone)
    people.push(person)
    rows.push({
      kind: 'shift',
      user_id: person?.id ?? null,
      work_date,
      start_local,
      end_local,
      start_at: new Date(start).toISOString(),
      end_at: new Date(end).toISOString(),
      break_s,
      station,
      state: 'draft',
      unpublished: true,
      changed_by: lead.name,
    })
  }
  for (let week = -weeks; week <= 2; week++)
    for (const work_date of daysBetween(addDays(monday, week * 7), addDays(monday, week * 7 + 4)))
      for (const person of staff)
        if (!away.has(`${person.id} ${work_date}`) && work_date <= (person.employed_to ?? work_date))
          plan({ id: person.id, name: person.name }, work_date, elementAt(person.shifts, Math.abs(week) % 2), person.station)
  for (const days of [7, 8, 9, 11]) plan(null, addDays(monday, days), late, 'Packing 3')
  plan(null, addDays(monday, 10), early, 'Packing 3')
  plan(null, addDays(monday, 11), early, 'Packing 1')
  const shifts: (Shift | null)[] = []
  await inParts(rows, async some => {
    const stored = await db.insertInto('schedule_entries').values(some).returning(['id', 'work_date', 'start_at', 'end_at']).execute()
    for (const { id, work_date, start_at, end_at } of stored) {
      const person = elementAt(people, shifts.length)
      shifts.push(person && { id, person, work_date, start: Date.parse(start_at ?? ''), end: Date.parse(end_at ?? '') })
    }
    await showToStaff(
      db,
      stored.filter(({ work_date }) => work_date < addDays(monday, 14)).map(({ id }) => id),
    )
  })
  return shifts.filter(shift => shift !== null)
}

interface Clock {
  now: number
  /** Who forgot to clock out at the end of the last shift, and who asks for a correction of it. */
  forgotten: number
  corrected: number
  /** Whose last clock-in was kept by a kiosk that was loaded again without a network. */
  unverified: number
}

async function storePunches(db: Db, shifts: readonly Shift[], { now, forgotten, corrected, unverified }: Clock): Promise<void> {
  const { below } = newChance(13)
  const iso = (at: number) => new Date(at).toISOString()
  const last = new Map(shifts.filter(shift => shift.end + 30 * minute < now).map(shift => [shift.person.id, shift.id]))
  const punches = shifts.map(shift => {
    const late = below(23) === 0
    const start = shift.start + (late ? 12 + below(20) : below(8) - 4) * minute + below(60) * 1_000
    const end = shift.end + (below(19) === 0 ? 15 + below(30) : below(8) - 3) * minute + below(60) * 1_000
    const isLast = last.get(shift.person.id) === shift.id
    const state =
      end > now
        ? ('open' as const)
        : isLast && shift.person.id === forgotten
          ? ('missing_out' as const)
          : isLast && shift.person.id === corrected
            ? ('correction_requested' as const)
            : isLast && shift.person.id === unverified
              ? ('time_unverified' as const)
              : ('closed' as const)
    const ended_at = state === 'open' || state === 'missing_out' ? null : iso(end)
    const version = { open: 1, missing_out: 2, closed: 2, correction_requested: 3, time_unverified: 2 }[state]
    return {
      shift,
      state,
      version,
      ...(state === 'time_unverified'
        ? { started_at: null, not_before: iso(start - 9 * minute), not_after: iso(start + 14 * minute) }
        : { started_at: iso(Math.min(start, now - minute)), not_before: null, not_after: null }),
      ended_at,
      way: below(3) === 0 ? ('pin' as const) : ('badge' as const),
    }
  })
  await inParts(punches, async some => {
    const ids = await db
      .insertInto('punches')
      .values(
        some.map(
          ({ shift: { id, person, work_date }, ...punch }): Insertable<DB['punches']> => ({
            ...punch,
            user_id: person.id,
            shift_id: id,
            work_date,
            type: 'work',
            source: 'kiosk',
          }),
        ),
      )
      .returning('id')
      .execute()
    const versions = some.flatMap(
      (
        { shift: { person, work_date }, state, version, started_at, not_before, not_after, ended_at },
        place,
      ): Insertable<DB['punch_versions']>[] => {
        const by = { by_user_id: person.id, by_name: person.name }
        const made = { punch_id: elementAt(ids, place).id, work_date, type: 'work', started_at, not_before, not_after }
        const began = started_at ?? not_after ?? iso(now)
        const clockIn = {
          ...made,
          ...by,
          no: 1,
          why: 'made' as const,
          action: 'in' as const,
          ended_at: null,
          state: state === 'time_unverified' ? state : 'open',
          at: began,
        }
        const clockOut = {
          ...made,
          ...by,
          no: 2,
          why: 'made' as const,
          action: 'out' as const,
          ended_at,
          state: state === 'time_unverified' ? state : 'closed',
          at: ended_at ?? began,
        }
        const flagged = {
          ...made,
          no: 2,
          why: 'system' as const,
          by_name: 'system',
          action: null,
          ended_at: null,
          state,
          at: iso(now - minute),
        }
        const longer = iso(Date.parse(ended_at ?? began) + 25 * minute)
        const asked = { ...made, ...by, no: 3, why: 'request' as const, action: null, ended_at: longer, state, at: iso(now - minute) }
        if (version === 1) return [clockIn]
        if (state === 'missing_out') return [clockIn, flagged]
        return state === 'correction_requested' ? [clockIn, clockOut, asked] : [clockIn, clockOut]
      },
    )
    await db.insertInto('punch_versions').values(versions).execute()
    const requests = versions.filter(({ why }) => why === 'request')
    if (requests.length > 0)
      await db
        .insertInto('punch_notes')
        .values(requests.map(({ punch_id, no }) => ({ punch_id, no, note: 'Unloaded the last pallet before going home' })))
        .execute()
  })
}
