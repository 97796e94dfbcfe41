/** Reads leave accounts: what was earned follows from the employment, what was taken stands in the ledger. */

import { orNotFound } from '#contract/errors.ts'
import { addDays, daysBetween } from '#domain/local-time.ts'
import type { Db } from '#platform/database/database.ts'
import { earnedUntil, holidayYearOf, leaveCost, takenUntil } from './leave-account.rules.ts'
import { leaveReasons } from './schedule.codes.ts'
import {
  blockReason,
  colleaguesAway,
  holidaysBetween,
  leaveBetween,
  type PlannedPerson,
  plannedPeople,
  type Rules,
} from './schedule.queries.ts'
import type { AccountYear, LeaveAccount } from './schedule.schemas.ts'

export async function personOf(db: Db, rules: Rules, user_id: number): Promise<PlannedPerson> {
  const [person] = await plannedPeople(db, rules, [user_id])
  return orNotFound(person, 'user_not_found', 'User not found')
}

/** Days of settled leave without pay: they earn nothing. */
async function unpaidDays(db: Db, user_id: number, from: string, to: string): Promise<Set<string>> {
  const rows = await leaveBetween(db, { from, to, user_id, settled: true })
  return new Set(
    rows
      .filter(row => row.reason_id === leaveReasons.vacation_without_pay && row.part === 'full' && row.date_to !== null)
      .flatMap(row => daysBetween(row.work_date, row.date_to ?? row.work_date)),
  )
}

const ledgerOf = (db: Db, user_id: number) =>
  db
    .selectFrom('leave_ledger')
    .select(['id', 'day', 'year_start', 'kind', 'days_milli', 'explanation', 'made_by', 'made_at'])
    .where('user_id', '=', user_id)
    .orderBy('day', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000)
    .execute()

/** The holiday years whose days can still be taken, and those with rows, the latest first. */
export async function leaveAccount(db: Db, rules: Rules, user_id: number): Promise<LeaveAccount> {
  const person = await personOf(db, rules, user_id)
  const rows = await ledgerOf(db, user_id)
  const running = holidayYearOf(rules.today)
  const before = holidayYearOf(addDays(running, -1))
  const starts = [...new Set([running, before, ...rows.map(row => row.year_start)])].sort().reverse()
  const first = starts.at(-1) ?? running
  const unpaid = await unpaidDays(db, user_id, first, rules.today)
  const years: AccountYear[] = starts.map(year_start => {
    const earned_milli = earnedUntil(person, year_start, rules.today, unpaid)
    const booked_milli = rows.filter(row => row.year_start === year_start).reduce((sum, row) => sum + row.days_milli, 0)
    return { year_start, taken_until: takenUntil(year_start), earned_milli, booked_milli, left_milli: earned_milli + booked_milli }
  })
  return {
    user_id,
    name: person.name,
    employed_from: person.employed_from,
    left_milli: years.filter(year => year.taken_until >= rules.today).reduce((sum, year) => sum + year.left_milli, 0),
    years,
    rows,
  }
}

interface AskedLeave {
  reason_id: number | null
  from: string
  to: string
  part: string | null
}

/** What a leave costs of the account; only a holiday with pay does. */
export async function costOf(db: Db, rules: Rules, person: PlannedPerson, { reason_id, from, to, part }: AskedLeave): Promise<number> {
  if (reason_id !== leaveReasons.vacation_with_pay) return 0
  const holidays = await holidaysBetween(db, rules, from, to)
  return leaveCost({ from, to, half: part !== 'full' }, person.days_per_week, new Set(holidays.map(one => one.day)))
}

/** What speaks for and against a leave. */
export async function leaveFacts(db: Db, rules: Rules, user_id: number, leave: AskedLeave) {
  const person = await personOf(db, rules, user_id)
  const cost_milli = await costOf(db, rules, person, leave)
  const account = leave.reason_id === leaveReasons.vacation_with_pay ? await leaveAccount(db, rules, user_id) : null
  const holiday = leave.reason_id === leaveReasons.vacation_with_pay || leave.reason_id === leaveReasons.vacation_without_pay
  const block = holiday ? await blockReason(db, leave.from, leave.to) : null
  return {
    cost_milli,
    // Without a beginning of the employment nothing is known.
    left_milli: account?.employed_from ? account.left_milli : null,
    away: await colleaguesAway(db, leave.from, leave.to, user_id),
    blocked: block?.reason ?? null,
  }
}
