/** Codes and limits of payroll that both sides share. */

export const ruleKinds = ['supplement', 'tariff'] as const

/** What a tariff counts: the first part is the kind of work, the second the figure. */
export const tariffUnits = [
  'pick_order',
  'pick_line',
  'pick_piece',
  'pick_kg',
  'pick_wagon',
  'pack_order',
  'pack_line',
  'pack_piece',
  'pack_kg',
] as const
export type TariffUnit = (typeof tariffUnits)[number]

export const lineKinds = ['hours', 'supplement', 'commission', 'floor', 'leave'] as const
export type LineKind = (typeof lineKinds)[number]

/** What a kind of leave is counted in. */
export const leaveUnits = ['days', 'hours'] as const
export type LeaveUnit = (typeof leaveUnits)[number]

/** Days and hours of one kind of leave are lines of their own, so that a change between them takes the one back and adds the other. */
export const leaveKey = (reason_id: number, unit: LeaveUnit): string => `leave ${reason_id}${unit === 'hours' ? ' hours' : ''}`
export const leaveUnitOf = (key: string): LeaveUnit => (key.endsWith(' hours') ? 'hours' : 'days')

export const periodStates = ['open', 'exported', 'reopened'] as const
export type PeriodState = (typeof periodStates)[number]

export const exportFormats = ['danlon', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** What has to be solved before an export, and what is only said. */
export const problemKinds = [
  'no_employee_no',
  'employee_no_form',
  'employee_no_twice',
  'days_open',
  'no_rate',
  'no_code',
  'no_week_hours',
  'negative',
  'changed',
  'long_week',
] as const
export type ProblemKind = (typeof problemKinds)[number]
export const isBlocking = (kind: ProblemKind): boolean => kind !== 'changed' && kind !== 'long_week'

export const fileColumns = ['employer', 'employee_no', 'pay_code', 'units', 'rate', 'amount', 'from', 'to', 'name', 'text'] as const
export type FileColumn = (typeof fileColumns)[number]

/** Separators, decimal signs and encodings of the CSV file. */
export const separators = [';', ',', 'tab'] as const
export const decimalSigns = [',', '.'] as const
/** `utf-8` begins with a byte order mark, by which spreadsheets know it. */
export const encodings = ['utf-8', 'utf-8-plain', 'windows-1252'] as const

/** Columns that DataLøn reads: employer, employee, pay code, and units or a value. */
export const datalonColumns: readonly FileColumn[] = ['employer', 'employee_no', 'pay_code', 'units', 'amount']

/** Columns that Lessor reads, under its own names. Source: danmade.dk about the import of wage lines. */
export const lessorColumns: readonly FileColumn[] = ['employee_no', 'pay_code', 'units', 'rate']
export const lessorFirstLine = 'employeeemploymentcode;paytypecode;units;rate'

export const mostPayDays = 100
/** Exported periods whose later changes become differences of the next export. */
export const comparedPeriods = 12
/** Seconds of a week above which the hours of a person are looked at. */
export const longWeek_s = 100 * 3_600
export const keptListDays = 7
