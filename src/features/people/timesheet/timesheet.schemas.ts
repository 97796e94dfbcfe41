/** Schemas of the calls in timesheet.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { HoursSettings, VersionRead, versioned } from '#features/company/companies/companies.schemas.ts'
import { otherWhys, punchTypes } from '#features/people/punch-clock/punch.codes.ts'
import { PunchHistory } from '#features/people/punch-clock/punch-clock.schemas.ts'
import { dayFlags, mostApproved } from './timesheet.codes.ts'

const whole = z.number().int()
const Day = z.iso.date('Enter the day as 2026-11-21')
const Time = z.iso.datetime({ offset: true, message: 'Enter the time with its time zone' })

const Approved = z.object({
  from: z.string().nullable(),
  to: z.string().nullable(),
  paid_s: whole,
  state: z.enum(['approved', 'locked']),
  by: z.string(),
  at: z.string(),
  auto: z.boolean(),
  /** Approved by the person themselves, where the company has one lead. */
  own: z.boolean(),
  /** A time was changed after it was approved: the hours stay until they are approved again. */
  changed: z.boolean(),
})

export const TimesheetRow = z.object({
  user_id: whole,
  user_name: z.string(),
  work_date: z.string(),
  planned: z.object({ from: z.string(), to: z.string(), shifts: whole, break_s: whole }).nullable(),
  punched: z.object({ from: z.string().nullable(), to: z.string().nullable(), break_s: whole }).nullable(),
  proposed: z.object({ from: z.string().nullable(), to: z.string().nullable(), paid_s: whole }),
  /** Away on an approved leave. */
  away: z.boolean(),
  /** Leave for the rest of a shift from which the person went home. */
  went_home: z.object({ from: z.string(), to: z.string(), leave_s: whole }).nullable(),
  /** Why else the clock-out was well before the end of the shift. */
  early_out: z.enum(otherWhys).nullable(),
  flags: z.array(z.enum(dayFlags)),
  early_s: whole,
  short_s: whole,
  auto: z.boolean(),
  approved: Approved.nullable(),
  /** Hours of the week, and of a week on average, where they exceed what the law allows. */
  over_week_s: whole.nullable(),
  over_average_s: whole.nullable(),
  /** The own hours: someone else approves them. */
  own: z.boolean(),
})
export type TimesheetRow = z.infer<typeof TimesheetRow>

const Interval = z.object({ from: z.string(), to: z.string(), type: z.enum(punchTypes), paid: z.boolean() })

const DayDetail = z.object({
  row: TimesheetRow.nullable(),
  intervals: z.array(Interval),
  approved_intervals: z.array(Interval),
  punches: z.array(PunchHistory),
  versions: z.array(
    z.object({
      why: z.enum(['approved', 'unapproved', 'locked', 'unlocked']),
      paid_s: whole,
      reason: z.string(),
      by_name: z.string(),
      at: z.string(),
    }),
  ),
})

const Chosen = z.strictObject({ user_id: whole.positive(), work_date: Day })
const ChosenToApprove = Chosen.extend({
  /** Written by the lead instead of what is proposed. */
  intervals: z
    .array(z.strictObject({ from: Time, to: Time, type: z.enum(punchTypes), paid: z.boolean() }))
    .min(1)
    .max(20)
    .optional(),
})
export type ChosenToApprove = z.output<typeof ChosenToApprove>

const Results = z.object({
  done: whole,
  refused: z.array(
    z.object({
      user_id: whole,
      work_date: z.string(),
      key: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    }),
  ),
})
export type Results = z.infer<typeof Results>

const period = { start: Day, end: Day }
const reason = text(500).min(3, 'Write at least three characters')

const TimesheetAnswer = z.object({ from: z.string(), to: z.string(), rows: z.array(TimesheetRow) })

export const timesheetSchemas = {
  components: { TimesheetRow, HoursSettings },
  calls: {
    list: {
      params: period,
      reply: TimesheetAnswer,
      summary: 'Every day of the period with a plan, punches or approved hours, of all the staff.',
    },
    day: {
      params: { day: Day },
      reply: DayDetail,
      summary: 'One day of one person: what is proposed, every punch with its versions, and who approved it.',
    },
    approve: {
      body: z.strictObject({ days: z.array(ChosenToApprove).min(1).max(mostApproved) }),
      reply: Results,
      summary: 'Approves days as they are proposed, or as they are written. Each is answered for itself.',
    },
    unapprove: {
      body: z.strictObject({ days: z.array(Chosen).min(1).max(mostApproved), reason }),
      reply: Results,
      summary: 'Opens approved days again.',
    },
    lock: {
      body: z.strictObject({ from: Day, to: Day }),
      reply: z.object({ locked: whole }),
      summary: 'Locks the approved days of a period; 409 while days are open.',
    },
    unlock: {
      body: z.strictObject({ from: Day, to: Day, user_id: whole.positive().optional(), reason }),
      reply: z.object({ unlocked: whole }),
      summary: 'Unlocks days with a reason. What was exported stays; differences go into the next export.',
    },
    settings: { reply: versioned(HoursSettings), summary: 'How hours are approved.' },
    setSettings: {
      body: HoursSettings.extend({ version: VersionRead }).strict(),
      reply: versioned(HoursSettings),
      summary: 'Changes how hours are approved. 409 with the present settings when the version is old.',
    },
    mine: {
      params: period,
      reply: TimesheetAnswer,
      summary: 'The caller’s own hours.',
    },
    myDay: { params: { day: Day }, reply: DayDetail, summary: 'One of the caller’s own days.' },
  },
} satisfies ContractSchemas
