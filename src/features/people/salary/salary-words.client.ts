/** Words and figures of payroll. */
import { number } from '#ui/kit/format.ts'
import { localeTag, type useT } from '#ui/kit/translate.ts'
import { type ExportFormat, type LineKind, leaveUnitOf, type PeriodState, type ProblemKind, type TariffUnit } from './salary.codes.ts'
import type { PayLine, Problem } from './salary.schemas.ts'

type T = ReturnType<typeof useT>

const reasonWord = (t: T, reason_id: string): string =>
  reason_id === '1'
    ? t('Sick day')
    : reason_id === '2'
      ? t('Child’s first sick day')
      : reason_id === '3'
        ? t('Holiday with pay')
        : t('Holiday without pay')

const kindWord = (t: T, kind: LineKind): string =>
  ({ hours: t('Hours'), supplement: t('Supplement'), commission: t('Commission'), floor: t('Floor'), leave: t('Leave') })[kind]

export const lineWord = (t: T, { kind, name }: Pick<PayLine, 'kind' | 'name'>): string =>
  kind === 'leave' ? reasonWord(t, name) : kind === 'supplement' ? name : kindWord(t, kind)

export const unitWord = (t: T, unit: TariffUnit): string =>
  ({
    pick_order: t('Orders picked'),
    pick_line: t('Lines picked'),
    pick_piece: t('Items picked'),
    pick_kg: t('Kilograms picked'),
    pick_wagon: t('Wagons picked'),
    pack_order: t('Orders packed'),
    pack_line: t('Lines packed'),
    pack_piece: t('Items packed'),
    pack_kg: t('Kilograms packed'),
  })[unit]

export const stateWord = (t: T, state: PeriodState): string =>
  ({ open: t('Not exported'), exported: t('Exported'), reopened: t('Reopened') })[state]

export const formatWord = (t: T, format: ExportFormat): string => ({ danlon: 'Danløn', csv: t('CSV with own columns') })[format]

export const problemWord = (t: T, { kind, count }: Pick<Problem, 'kind' | 'count'>): string =>
  ({
    no_employee_no: t('No employee number'),
    employee_no_form: t('Number is not of digits'),
    employee_no_twice: t('Number is used twice'),
    days_open: t('Open days: {{count}}', { count }),
    no_rate: t('Days without pay: {{count}}', { count }),
    no_code: t('No pay code'),
    no_week_hours: t('Days without hours: {{count}}', { count }),
    negative: t('Negative total'),
    changed: t('Changed since'),
    long_week: t('Over 100 h a week'),
  })[kind satisfies ProblemKind]

/** What somebody does about it. */
export const problemHelp = (t: T, kind: ProblemKind): string =>
  ({
    no_employee_no: t('Write the number on the person’s page under Team.'),
    employee_no_form: t('Danløn takes digits only. Change the number under Team, or export as CSV.'),
    employee_no_twice: t('Two people have this number. Change one under Team.'),
    days_open: t('Approve the days in the timesheet.'),
    no_rate: t('Add what the person is paid, below.'),
    no_code: t('Write the pay code in the settings of the rules.'),
    no_week_hours: t('Write the hours a week on the person’s page under Team.'),
    negative: t('More is taken back than was earned. The export asks for a reason.'),
    changed: t('The next period holds the difference.'),
    long_week: t('Check the hours in the timesheet.'),
  })[kind]

/** Hundredths: `152.25`. */
export const hundredthsText = (units_c: number): string => number(units_c / 100, 2)
/** How much of a leave: in what it is counted in. */
export const leaveText = (t: T, { key, units_c }: Pick<PayLine, 'key' | 'units_c'>): string =>
  leaveUnitOf(key) === 'hours'
    ? t('{{count}} hours', { count: (units_c ?? 0) / 100 })
    : t('{{count}} leave days', { count: (units_c ?? 0) / 100 })

/** Thousandths of units: whole orders, kilograms with decimals. */
export const unitsText = (units_milli: number): string => number(units_milli / 1_000, units_milli % 1_000 === 0 ? 0 : 3)

/** The clock of a rule: `22:00–06:00`. */
export const windowText = (t: T, { from_local, to_local }: { from_local: string | null; to_local: string | null }): string =>
  from_local === null || to_local === null ? t('All day') : `${from_local}–${to_local}`

/** 4 January 2027 is a Monday: the days of a week in the language of the screen. */
export const weekdayWord = (weekday: number): string =>
  new Intl.DateTimeFormat(localeTag(), { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2027, 0, 3 + weekday))

/** Two days → `1–30 Nov 2026`. */
export const spanText = (from: string, to: string): string =>
  new Intl.DateTimeFormat(localeTag(), { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).formatRange(
    new Date(`${from}T00:00:00Z`),
    new Date(`${to}T00:00:00Z`),
  )
