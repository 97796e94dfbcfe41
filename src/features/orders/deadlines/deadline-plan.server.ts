/** The deadlines in force, ready to be asked: read in one statement, compiled once for each text. */
import { calendarDays } from '#features/company/holidays/public-holidays.server.ts'
import type { SpecialDay } from './pickup.rules.ts'
import { type DeadlineFilter, type PickupRule, type PlannedDeadline, planned } from './pickup.rules.ts'

/** The text of the plan of the operator in scope, in SQL. */
export const planText = `(select jsonb_build_object(
  'deadlines', (select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'company_ids', d.company_ids, 'agent_codes', d.agent_codes,
      'shipping_methods', d.shipping_methods, 'countries', d.countries, 'weekdays', d.weekdays, 'cut_off', d.cut_off,
      'pickup_time', d.pickup_time, 'sla_days', d.sla_days, 'holidays', d.holidays, 'time_zone', d.time_zone) order by d.id), '[]')
    from deadlines d where d.operator_id = current_operator_id() and d.deleted_at is null and d.active),
  'days', (select coalesce(jsonb_agg(jsonb_build_object('deadline_id', x.deadline_id, 'day', x.day, 'open', x.open, 'cut_off', x.cut_off,
      'pickup_time', x.pickup_time) order by x.day, x.deadline_id), '[]')
    from deadline_days x where x.operator_id = current_operator_id() and x.day >= current_date - 40))::text)`

export type StoredRule = Omit<PickupRule, 'isHoliday' | 'days'> & { holidays: string | null }
export type StoredDeadline = DeadlineFilter & StoredRule & { id: number }
export type StoredDay = SpecialDay & { deadline_id: number | null; day: string }

/** The days of one deadline: what is said of it alone wins over what is said of all. */
function daysOf(days: readonly StoredDay[], id: number): ReadonlyMap<string, SpecialDay> {
  const own = days.filter(day => day.deadline_id === id)
  return new Map([...days.filter(day => day.deadline_id === null), ...own].map(day => [day.day, day]))
}

/** Whether a day is a public holiday of the country; years are looked up once. */
function holidayCheck(country: string | null): (day: string) => boolean {
  if (country === null) return () => false
  const years = new Map<number, ReadonlySet<string>>()
  return day => {
    const year = Number(day.slice(0, 4))
    const known = years.get(year) ?? calendarDays(country, year)
    years.set(year, known)
    return known.has(day)
  }
}

export const ruleOf = ({ holidays, ...rule }: StoredRule & { id: number }, days: readonly StoredDay[]): PickupRule => ({
  weekdays: rule.weekdays,
  cut_off: rule.cut_off,
  pickup_time: rule.pickup_time,
  sla_days: rule.sla_days,
  time_zone: rule.time_zone,
  isHoliday: holidayCheck(holidays),
  days: daysOf(days, rule.id),
})

export const plannedOf = (deadline: StoredDeadline, days: readonly StoredDay[]): PlannedDeadline =>
  planned({ ...deadline, rule: ruleOf(deadline, days) })

export function compilePlan(text: string): PlannedDeadline[] {
  const { deadlines, days }: { deadlines: StoredDeadline[]; days: StoredDay[] } = JSON.parse(text)
  return deadlines.map(deadline => plannedOf(deadline, days))
}
