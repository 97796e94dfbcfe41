/** Payroll of the demo: what staff are paid, rules, one exported period with a later correction, and one that is open – all invented. */
import { permissions } from '#contract/access.ts'
import { addDays, mondayOf } from '#domain/local-time.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { addPayTerm } from '#features/people/employees/employees.commands.ts'
import { figuresFor } from '#features/people/salary/period-pay.server.ts'
import { addPeriod, addRule, exportPeriod, setPaySettings } from '#features/people/salary/salary.commands.ts'
import { paySettingsOf } from '#features/people/salary/salary.queries.ts'
import { NewPayRule, PaySettingsFields } from '#features/people/salary/salary.schemas.ts'
import { approveDays, unlockDays } from '#features/people/timesheet/timesheet.commands.ts'
import { approvedDays } from '#features/people/timesheet/timesheet.queries.ts'
import { anonymous } from '#platform/auth/identity.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

interface Person {
  id: number
  name: string
}

/** Kroner of an hour, with øre; packers of the demo are paid by what they pack. */
const hourlyRates = [31_000, 24_500, 19_800, 18_550, 18_250, 17_900, 18_900, 18_100, 9_950, 19_400, 18_300, 17_900]

const supplements = [
  { name: 'Evening', from_local: '17:00', to_local: '22:00', rate_micro: 25_500_000, rule_group: 'Time of day', pay_code: '20' },
  { name: 'Night', from_local: '22:00', to_local: '06:00', rate_micro: 40_000_000, rule_group: 'Time of day', pay_code: '21' },
  { name: 'Saturday', weekdays: [6], rate_micro: 50_000_000, rule_group: 'Kind of day', pay_code: '22' },
  { name: 'Sunday', weekdays: [7], rate_micro: 75_000_000, rule_group: 'Kind of day', pay_code: '23' },
  { name: 'Public holiday', public_holiday: true, rate_micro: 100_000_000, rule_group: 'Kind of day', pay_code: '24' },
]
const tariffs = [
  { name: 'Order tariff', unit: 'pack_order', rate_micro: 6_250_000 },
  { name: 'Line tariff', unit: 'pack_line', rate_micro: 2_400_000 },
  { name: 'Order tariff, new', unit: 'pack_order', rate_micro: 8_500_000, pilot: true },
  { name: 'Item tariff, new', unit: 'pack_piece', rate_micro: 1_150_000, pilot: true },
]

export async function buildPayroll(
  services: Services,
  scope: TenantScope,
  { owner, lead, packer }: { owner: Person; lead: Person; packer: Person },
  weeks: number,
): Promise<void> {
  const actAs = ({ id, name }: Person) => {
    const company = { operator_id: scope.operator_id, id: scope.company_id, code: 'demo', name: '', is_main: true, packing_ip_pattern: '' }
    const principal = { ...anonymous(company), kind: 'user' as const, id, name, permissions, operatorCompanies: scope.companies }
    return createContext(services, principal, scope, { ip: '', station: '', headers: {}, signal: services.closing })
  }
  const office = actAs(owner)
  const monday = await office.transaction(async context => {
    const { db } = context
    const { time_zone } = await companySettings(db, scope.company_id)
    const today = localDay(services.now(), time_zone)
    const valid_from = `${Number(today.slice(0, 4)) - 1}-01-01`
    await setPaySettings(context, {
      ...PaySettingsFields.parse({ employer_no: '12345678', sick_code: '50', child_code: '51', holiday_code: '52', unpaid_code: '53' }),
      version: (await paySettingsOf(db, scope.company_id)).version,
    })
    for (const rule of supplements)
      await addRule(context, NewPayRule.parse({ ...rule, kind: 'supplement', valid_from, client_id: crypto.randomUUID() }))
    for (const rule of tariffs)
      await addRule(context, NewPayRule.parse({ ...rule, kind: 'tariff', valid_from, client_id: crypto.randomUUID() }))
    const staff = await db.selectFrom('employees').select('user_id').orderBy('user_id').execute()
    for (const [place, { user_id }] of staff.entries()) {
      const isPacker = user_id === packer.id
      const rate = hourlyRates[place % hourlyRates.length] ?? 0
      await addPayTerm(
        context,
        user_id,
        {
          ...{ valid_from, reason: '' },
          ...(isPacker
            ? { salary_type: 'commission' as const, rate: 0, floor_rate: 17_500 }
            : { salary_type: 'hourly' as const, rate, floor_rate: 0 }),
        },
        today,
      )
    }
    return mondayOf(today)
  })
  // The first four weeks are locked: they were exported. What is left until next Sunday is open.
  if (weeks <= 4) return
  const first = { from: addDays(monday, -weeks * 7), to: addDays(monday, -29) }
  const figures = await figuresFor(office, first)
  const late = await office.transaction(async context => {
    const { id, version } = await addPeriod(context, { from_day: first.from, to_day: first.to })
    await exportPeriod(context, id, { version, format: 'danlon', reason: '' }, figures)
    await addPeriod(context, { from_day: addDays(first.to, 1), to_day: addDays(monday, 6) })
    const days = await approvedDays(context.db, first)
    const changed = days.find(({ user_id }) => ![owner.id, lead.id, packer.id].includes(user_id))
    if (changed) {
      const { user_id, work_date } = changed
      await unlockDays(context, { from: work_date, to: work_date, user_id, reason: 'Left half an hour earlier' })
    }
    return changed
  })
  if (!late) return
  const intervals = late.intervals.map(({ from, to }, place) => ({
    ...{ from: new Date(from).toISOString(), type: 'work' as const, paid: true },
    to: new Date(place === late.intervals.length - 1 ? to - 1_800_000 : to).toISOString(),
  }))
  await actAs(lead).transaction(context => approveDays(context, [{ user_id: late.user_id, work_date: late.work_date, intervals }]))
}
