/** Schemas of the calls in salary.contract.ts and pay-lists.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { salaryTypes } from '#features/people/employees/employees.codes.ts'
import {
  decimalSigns,
  encodings,
  exportFormats,
  fileColumns,
  leaveUnits,
  lineKinds,
  periodStates,
  problemKinds,
  ruleKinds,
  separators,
  tariffUnits,
} from './salary.codes.ts'

const whole = z.number().int()
const Day = z.iso.date('Enter the day as 2026-11-21')
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter the time as 22:00')
const PayCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]{0,10}$/, 'At most 10 letters and digits')
const version = whole.min(0)
const period = { start: Day, end: Day }
/** A query of text: `job=1`. */
const asked = z.enum(['1']).optional()

const RuleFields = z.strictObject({
  kind: z.enum(ruleKinds),
  name: text(60).min(1, 'Write a name'),
  valid_from: Day,
  weekdays: z.array(whole.min(1).max(7)).max(7).default([]),
  public_holiday: z.boolean().default(false),
  from_local: Clock.nullable().default(null),
  to_local: Clock.nullable().default(null),
  unit: z.enum(tariffUnits).nullable().default(null),
  /** Millionths of the currency: of an hour, or of one unit. */
  rate_micro: whole.min(0).max(1_000_000_000_000),
  rule_group: text(40).default(''),
  pay_code: PayCode.default(''),
  pilot: z.boolean().default(false),
})
type RuleFields = z.output<typeof RuleFields>

/** What a kind of rule needs. */
function checkRule({ value, issues }: { value: RuleFields; issues: unknown[] }): void {
  const wrong = (path: keyof RuleFields, message: string) => issues.push({ code: 'custom', path: [path], message, input: value[path] })
  if (value.kind === 'tariff' && value.unit === null) wrong('unit', 'Choose what is counted')
  if (value.kind === 'supplement' && value.unit !== null) wrong('unit', 'A supplement counts hours')
  if (value.kind === 'supplement' && value.pay_code === '') wrong('pay_code', 'Write the pay code of your payroll system')
  if (value.kind === 'supplement' && value.pilot) wrong('pilot', 'Only tariffs can be tried in a pilot')
  if ((value.from_local === null) !== (value.to_local === null)) wrong('to_local', 'Enter both times, or none')
  if (value.from_local !== null && value.from_local === value.to_local) wrong('to_local', 'The times are the same')
}
export const NewPayRule = RuleFields.extend({ client_id: z.uuid() }).check(checkRule)
export type NewPayRule = z.output<typeof NewPayRule>
export const PayRuleChange = RuleFields.extend({ version }).check(checkRule)
export type PayRuleChange = z.output<typeof PayRuleChange>

export const PayRule = z.object({
  id: whole,
  kind: z.enum(ruleKinds),
  name: z.string(),
  valid_from: z.string(),
  valid_to: z.string().nullable(),
  weekdays: z.array(whole),
  public_holiday: z.boolean(),
  from_local: z.string().nullable(),
  to_local: z.string().nullable(),
  unit: z.enum(tariffUnits).nullable(),
  rate_micro: whole,
  rule_group: z.string(),
  pay_code: z.string(),
  pilot: z.boolean(),
  made_by: z.string(),
  /** Holds today, began in the past and ended, or begins later. */
  when: z.enum(['now', 'past', 'future']),
  version: whole,
})
export type PayRule = z.infer<typeof PayRule>

const factor = whole.min(0).max(2_000)
export const PaySettingsFields = z.strictObject({
  /** CVR number of the employer. */
  employer_no: z
    .string()
    .trim()
    .regex(/^\d{0,8}$/, 'Enter up to 8 digits')
    .default(''),
  hours_code: PayCode.default('1'),
  commission_code: PayCode.default('30'),
  floor_code: PayCode.default('31'),
  sick_code: PayCode.default(''),
  child_code: PayCode.default(''),
  holiday_code: PayCode.default(''),
  unpaid_code: PayCode.default(''),
  sick_unit: z.enum(leaveUnits).default('days'),
  child_unit: z.enum(leaveUnits).default('days'),
  holiday_unit: z.enum(leaveUnits).default('days'),
  unpaid_unit: z.enum(leaveUnits).default('days'),
  floor_scope: z.enum(['period', 'day']).default('period'),
  /** Share of right scans in hundredths of a percent, and the factor in thousandths. */
  quality_steps: z
    .array(z.strictObject({ accuracy: whole.min(1).max(10_000), factor }))
    .max(5)
    .default([
      { accuracy: 9_950, factor: 1_000 },
      { accuracy: 9_900, factor: 950 },
    ]),
  quality_below: factor.default(900),
  quality_fewest_scans: whole.min(0).max(1_000_000).default(200),
  columns: z
    .array(z.enum(fileColumns))
    .min(1, 'Choose at least one column')
    .max(fileColumns.length)
    .default(['employee_no', 'pay_code', 'units', 'rate', 'amount']),
  separator: z.enum(separators).default(';'),
  decimal: z.enum(decimalSigns).default(','),
  encoding: z.enum(encodings).default('utf-8'),
  header: z.boolean().default(true),
  /** The names of the columns, where the payroll system asks for its own. */
  first_line: z
    .string()
    .trim()
    .max(500, 'At most 500 characters')
    .regex(/^[^\r\n]*$/, 'Write one line')
    .default(''),
})
export type PaySettingsFields = z.output<typeof PaySettingsFields>
export const PaySettings = PaySettingsFields.extend({ version, currency: z.string(), time_zone: z.string() }).strip()
export type PaySettings = z.infer<typeof PaySettings>

const PayPart = z.object({
  day: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  seconds: whole,
  name: z.string(),
  unit: z.enum(tariffUnits).nullable(),
  units_milli: whole,
  rate_micro: whole,
})
const PayLine = z.object({
  key: z.string(),
  kind: z.enum(lineKinds),
  /** The name of a supplement, or the id of the reason of a leave. */
  name: z.string(),
  pay_code: z.string(),
  units_c: whole.nullable(),
  rate: whole.nullable(),
  amount: whole,
  /** Corrects this earlier period. */
  origin: z.object({ from: z.string(), to: z.string() }).nullable(),
  /** What sums to it; left out in lists. */
  parts: z.array(PayPart),
})
export type PayLine = z.infer<typeof PayLine>

const Problem = z.object({
  kind: z.enum(problemKinds),
  /** Days, or minor units of what changed. */
  count: whole,
  blocks: z.boolean(),
})
export type Problem = z.infer<typeof Problem>

export const PersonPay = z.object({
  user_id: whole,
  user_name: z.string(),
  employee_no: z.string(),
  salary_type: z.enum(salaryTypes).nullable(),
  paid_s: whole,
  lines: z.array(PayLine),
  total: whole,
  /** The part of it that corrects earlier periods. */
  corrections: whole,
  /** The part of it that fills a commission up to the floor. */
  floor: whole,
  /** What the pilot's tariffs would pay. */
  pilot_total: whole.nullable(),
  scans: whole,
  wrong: whole,
  /** Of the quality, in thousandths. */
  factor: whole,
  problems: z.array(Problem),
})
export type PersonPay = z.infer<typeof PersonPay>

const PayList = z.object({
  /** With `job=1`: the job that makes the list; its result names the list. */
  job_id: whole.nullable(),
  id: whole.nullable(),
  from: z.string(),
  to: z.string(),
  currency: z.string(),
  made_at: z.string(),
  rows: z.array(PersonPay),
})
export type PayList = z.infer<typeof PayList>
export const KeptPayList = PayList.omit({ job_id: true, id: true })

const PayExport = z.object({
  id: whole,
  format: z.enum(exportFormats),
  file_name: z.string(),
  sha256: z.string(),
  rows: whole,
  total: whole,
  currency: z.string(),
  made_by: z.string(),
  made_at: z.string(),
})

const PayPeriod = z.object({
  id: whole,
  from_day: z.string(),
  to_day: z.string(),
  state: z.enum(periodStates),
  version: whole,
  exports: z.array(PayExport),
})
export type PayPeriod = z.infer<typeof PayPeriod>

const PeriodPay = z.object({ period: PayPeriod, currency: z.string(), has_employer_no: z.boolean(), rows: z.array(PersonPay) })

const DayNumbers = z.object({
  day: z.string(),
  kind: z.enum(['pick', 'pack']),
  orders: whole,
  lines: whole,
  pieces: whole,
  grams: whole,
  wagons: whole,
  scans: whole,
  wrong: whole,
  active_s: whole,
})

const reason = text(500).min(3, 'Write at least three characters')

export const salarySchemas = {
  components: { PayRule, PaySettings, PersonPay, PayLine, PayPeriod, PayExport },
  calls: {
    periods: { reply: z.array(PayPeriod), summary: 'Pay periods, the latest first.' },
    addPeriod: {
      body: z
        .strictObject({ from_day: Day, to_day: Day })
        .refine(one => one.from_day <= one.to_day, { path: ['to_day'], message: 'The last day lies before the first' }),
      reply: PayPeriod,
      summary: 'Opens a pay period of at most 100 days. Sent again it answers the same period; 409 where another one overlaps.',
    },
    removePeriod: { reply: z.array(PayPeriod), summary: 'Removes a period from which nothing was exported.' },
    period: {
      reply: PeriodPay,
      summary:
        'What each person earned in a period, with what has to be solved before the export. Of an exported period: what was exported.',
    },
    person: { reply: PersonPay, summary: 'The lines of one person with what sums to each.' },
    export: {
      body: z.strictObject({ version, format: z.enum(exportFormats), reason: text(500).default('') }),
      reply: PayPeriod,
      summary:
        'Locks the days of a period and freezes its lines in a file. A period that is exported already answers as it is; 409 while something blocks. A negative total needs a reason.',
    },
    reopen: {
      body: z.strictObject({ version, reason }),
      reply: PayPeriod,
      summary: 'Opens an exported period and its days again. What was exported stays; the next export holds the differences.',
    },
    file: { summary: 'The file of an export, the same each time.' },
    rules: {
      reply: z.object({ rules: z.array(PayRule), settings: PaySettings }),
      summary: 'Supplements and tariffs, and how the company pays.',
    },
    addRule: { body: NewPayRule, reply: PayRule, summary: 'Adds a supplement or a tariff from a day on.' },
    changeRule: {
      body: PayRuleChange,
      reply: PayRule,
      summary:
        'What a rule pays from a day on: the rule ends the day before and another one follows it. One that has not begun is replaced.',
    },
    endRule: {
      body: z.strictObject({ version, valid_to: Day }),
      reply: z.array(PayRule),
      summary: 'Ends a rule after a day; one that has not begun by then is removed.',
    },
    startPilot: {
      body: z.strictObject({ from: Day }),
      reply: z.array(PayRule),
      summary: 'The tariffs of the pilot are paid from a day on; those that were paid end the day before.',
    },
    setSettings: {
      body: PaySettingsFields.extend({ version }),
      reply: PaySettings,
      summary: 'Saves how the company pays; 409 with the current state when the version is old.',
    },
    myPay: {
      params: period,
      reply: z.object({ currency: z.string(), pay: PersonPay.nullable() }),
      summary: 'What the caller earned in at most 100 days; null where no pay is kept here.',
    },
    myNumbers: { params: period, reply: z.array(DayNumbers), summary: 'What the caller picked and packed on each day.' },
  },
} satisfies ContractSchemas

export const payListSchemas = {
  components: { PayList },
  calls: {
    payList: {
      params: period,
      query: z.strictObject({
        job: asked,
        /** An answer that was made before, for seven days. */
        id: z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
      }),
      reply: PayList,
      summary:
        'What each person earned in at most 100 days. With `job=1` a job makes it and can be cancelled; `id` answers a list that was made before. It stops when the caller goes.',
    },
  },
} satisfies ContractSchemas
