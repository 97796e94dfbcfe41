/** Schemas of the calls in schedule.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, Station, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { ScheduleSettings, VersionRead } from '#features/company/companies/companies.schemas.ts'
import { workingTimeCountries } from '../employees/employees.codes.ts'
import { isPossible } from './own-rules.rules.ts'
import { askedParts, entryKinds, entryStates, largestBatch, leaveParts, ownableRules, workingTimeRules } from './schedule.codes.ts'

const Day = z.iso.date('A day looks like 2026-03-31')
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter the time as 16:00')
const Break = z.number().int().min(0).max(28_800)
const Skill = text(40).min(1)
const orNull = <T extends z.ZodType>(one: T) => one.nullable().default(null)
const UserId = z.number().int().positive()

export const ScheduleEntry = z.object({
  id: z.number().int(),
  kind: z.enum(entryKinds),
  /** Null: an open shift. */
  user_id: z.number().int().nullable(),
  work_date: z.string(),
  /** The last day of a leave. */
  date_to: z.string().nullable(),
  start_local: z.string().nullable(),
  end_local: z.string().nullable(),
  start_at: Instant.nullable(),
  end_at: Instant.nullable(),
  break_s: z.number().int(),
  station: z.string().nullable(),
  skill: z.string().nullable(),
  /** As `ScheduleReasonLookup` names them; null also where the reader may not know it. */
  reason_id: z.number().int().nullable(),
  /** `rest`: from `start_at` until `end_at`, because the person went home. */
  part: z.enum(leaveParts).nullable(),
  state: z.enum(entryStates),
  /** The plan differs from what staff see. */
  unpublished: z.boolean(),
  note: z.string().nullable(),
  decided_by: z.string().nullable(),
  decision: z.string().nullable(),
  /** The only lead decided about the own leave. */
  own_decision: z.boolean(),
  /** Opened because somebody is away. */
  replaces_id: z.number().int().nullable(),
  version: z.number().int(),
})
export type ScheduleEntry = z.infer<typeof ScheduleEntry>

export const ScheduleWarning = z.object({
  rule: z.enum(workingTimeRules),
  entry_id: z.number().int(),
  user_id: z.number().int(),
  day: z.string(),
  /** Seconds that there are and that there have to be. */
  have_s: z.number().int(),
  need_s: z.number().int(),
  since: Instant.nullable(),
  /** The day from which the company’s own rule holds; null: the law. */
  own_since: z.string().nullable(),
  /** Minors are protected: such a shift cannot be published. */
  refused: z.boolean(),
})
export type ScheduleWarning = z.infer<typeof ScheduleWarning>

const times = { work_date: Day, start_local: Clock, end_local: Clock }
const shift = {
  user_id: orNull(UserId),
  ...times,
  break_s: Break.default(0),
  station: orNull(Station),
  skill: orNull(Skill),
}

export const NewShift = z.strictObject(shift)
export type NewShift = z.output<typeof NewShift>

export const NewEntry = z.strictObject({
  client_id: z.uuid(),
  kind: z.enum(entryKinds),
  /** The caller where it is absent; null stands for an open shift. */
  user_id: UserId.nullable().optional(),
  work_date: Day,
  start_local: Clock.optional(),
  end_local: Clock.optional(),
  break_s: Break.default(0),
  station: orNull(Station),
  skill: orNull(Skill),
  /** Of a leave: 1 sick day, 2 child’s first sick day, 3 holiday with pay, 4 holiday without pay. */
  reason_id: z.number().int().min(1).max(4).optional(),
  part: z.enum(askedParts).default('full'),
  date_to: Day.optional(),
  /** The day on which the child fell ill. */
  ill_since: Day.optional(),
  /** Of availability. */
  available: z.boolean().default(false),
  note: text(limits.note).default(''),
})
export type NewEntry = z.output<typeof NewEntry>

export const EntryChange = z.strictObject({
  version: z.number().int().positive(),
  user_id: UserId.nullable().optional(),
  work_date: Day.optional(),
  start_local: Clock.optional(),
  end_local: Clock.optional(),
  break_s: Break.optional(),
  station: Station.nullable().optional(),
  skill: Skill.nullable().optional(),
  date_to: Day.optional(),
  part: z.enum(askedParts).optional(),
  note: text(limits.note).optional(),
  /** `approved` decides a request, `seen` acknowledges sickness, `cancelled` settles a wish to cancel. */
  state: z.enum(['approved', 'seen', 'cancelled']).optional(),
  /** Passes a day on which no holiday can be taken. */
  reason: text(500).optional(),
  /** Names this change, so that it can be undone. */
  change_id: z.uuid().optional(),
})
export type EntryChange = z.output<typeof EntryChange>

const Changed = z.object({ entry: ScheduleEntry, warnings: z.array(ScheduleWarning), freed_shift_ids: z.array(z.number().int()) })
const BatchResult = z.object({
  change_id: z.string(),
  entries: z.array(ScheduleEntry),
  /** What was left out, and why. */
  skipped: z.array(
    z.object({
      name: z.string(),
      day: z.string(),
      /** The sentence with the names of its values, as refusals have it. */
      key: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number()]).nullish()),
    }),
  ),
  warnings: z.array(ScheduleWarning),
})
export type BatchResult = z.infer<typeof BatchResult>

const workedPeriod = { worked_s: z.number().int(), days: z.number().int(), neutral_days: z.number().int() }

export const BoardPerson = z.object({
  user_id: z.number().int(),
  name: z.string(),
  has_image: z.boolean(),
  group_ids: z.array(z.number().int()),
  skills: z.array(z.string()),
  weekly_s: z.number().int().nullable(),
  country: z.enum(workingTimeCountries),
  compulsory_school: z.boolean(),
  /** Days of the range on which the person is a minor. */
  minor_days: z.array(z.string()),
  /** Of the company, for the law of this country. */
  own_rules: z.array(z.object({ rule: z.enum(ownableRules), valid_from: z.string(), minutes: z.number().int() })),
  /** Work before and after the range, in seconds since 1970, for the rules that look beyond it. */
  around: z.array(z.object({ id: z.number().int(), start: z.number(), end: z.number(), break_s: z.number().int() })),
  /** Of the period that counts for the average: what lies before the range. */
  average: z.object({
    ...workedPeriod,
    opted_out: z.boolean(),
    /** Of night workers, where the law knows them. */
    night: z.object({ ...workedPeriod, planned_days: z.number().int(), night_days: z.number().int(), year_s: z.number().int() }).nullable(),
  }),
})
export type BoardPerson = z.infer<typeof BoardPerson>

const PublicHoliday = z.object({ day: z.string(), name: z.string() })

const Forecast = z.object({
  day: z.string(),
  /** Orders expected: the mean of the last eight such weekdays; null with fewer than three. */
  orders: z.number().int().nullable(),
  /** People that they need, at what a planned hour packed in those weeks; null where nothing is known. */
  people: z.number().int().nullable(),
})
export type Forecast = z.infer<typeof Forecast>

const ShiftTemplate = z.object({
  id: z.number().int(),
  name: z.string(),
  start_local: z.string(),
  end_local: z.string(),
  break_s: z.number().int(),
  station: z.string().nullable(),
  skill: z.string().nullable(),
})
export type ShiftTemplate = z.infer<typeof ShiftTemplate>
const WeekTemplate = z.object({ id: z.number().int(), name: z.string(), shifts: z.number().int() })
export const Templates = z.object({ shifts: z.array(ShiftTemplate), weeks: z.array(WeekTemplate) })
export type Templates = z.infer<typeof Templates>

const BlockDate = z.object({ id: z.number().int(), from_day: z.string(), to_day: z.string(), reason: z.string() })

const Offer = z.object({
  id: z.number().int(),
  kind: z.enum(['take', 'give', 'swap']),
  state: z.enum(['open', 'requested', 'accepted', 'refused', 'withdrawn', 'gone']),
  entry: ScheduleEntry,
  with_entry: ScheduleEntry.nullable(),
  from_user_id: z.number().int(),
  from_name: z.string(),
  to_user_id: z.number().int().nullable(),
  to_name: z.string().nullable(),
  reason: z.string().nullable(),
  created_at: Instant,
})
export type ShiftOffer = z.infer<typeof Offer>

export const WorkingTimeRow = z.object({
  id: z.number().int(),
  country: z.enum(workingTimeCountries),
  rule: z.enum(ownableRules),
  valid_from: z.string(),
  minutes: z.number().int(),
  /** On what a rule rests that is weaker than the law. */
  reason: z.string(),
  version: z.number().int(),
})
export type WorkingTimeRow = z.infer<typeof WorkingTimeRow>

export const NewWorkingTimeRow = z
  .strictObject({
    country: z.enum(workingTimeCountries),
    rule: z.enum(ownableRules),
    valid_from: Day.refine(day => day >= '2010-01-01', 'Choose a day from 2010 on'),
    minutes: z.number().int(),
    reason: text(200).default(''),
    /** 0 where the rule has no value from this day on yet. */
    version: z.number().int().nonnegative(),
  })
  .refine(isPossible, { path: ['minutes'], message: 'This rule cannot have such a value' })
export type NewWorkingTimeRow = z.output<typeof NewWorkingTimeRow>

const AllSettings = z.object({
  settings: ScheduleSettings,
  /** Of the settings alone. */
  version: z.number().int(),
  /** Of the company’s own public holidays. */
  holidays_version: z.number().int(),
  country: z.string(),
  blocks: z.array(BlockDate),
  holidays: z.array(PublicHoliday.extend({ own: z.boolean(), free: z.boolean() })),
})

const ChangedScheduleSettings = z.strictObject({
  settings: z.strictObject(ScheduleSettings.shape),
  version: VersionRead,
  /** Days on which the calendar differs from that of the country. */
  overrides: z
    .array(z.strictObject({ day: Day, name: text(80).min(1), free: z.boolean() }))
    .max(100)
    .optional(),
  holidays_version: VersionRead,
})
export type ChangedScheduleSettings = z.output<typeof ChangedScheduleSettings>

const Waiting = z.object({
  entry: ScheduleEntry,
  name: z.string(),
  /** False for the own request. */
  can_decide: z.boolean(),
  cost_milli: z.number().int(),
  balance_after_milli: z.number().int().nullable(),
  /** Colleagues who are away then: names only, never why. */
  away: z.array(z.string()),
  forecast: Forecast.nullable(),
  /** Shifts that become open. */
  shifts: z.array(ScheduleEntry),
  blocked: z.string().nullable(),
})
export type WaitingLeave = z.infer<typeof Waiting>

const AccountYear = z.object({
  year_start: z.string(),
  taken_until: z.string(),
  earned_milli: z.number().int(),
  booked_milli: z.number().int(),
  left_milli: z.number().int(),
})
export type AccountYear = z.infer<typeof AccountYear>
const Account = z.object({
  user_id: z.number().int(),
  name: z.string(),
  left_milli: z.number().int(),
  /** Null until an employment says when it began. */
  employed_from: z.string().nullable(),
  years: z.array(AccountYear),
  rows: z.array(
    z.object({
      id: z.number().int(),
      day: z.string(),
      year_start: z.string(),
      kind: z.enum(['start', 'taken', 'returned', 'carry_over', 'advance', 'adjust', 'paid_out']),
      days_milli: z.number().int(),
      explanation: z.string(),
      made_by: z.string(),
      made_at: Instant,
    }),
  ),
})
export type LeaveAccount = z.infer<typeof Account>

const range = { start: Day, end: Day }
const changeId = { change_id: z.uuid() }

export const scheduleSchemas = {
  components: { ScheduleEntry, ScheduleWarning, NewEntry, ShiftOffer: Offer },
  calls: {
    create: {
      body: NewEntry,
      reply: Changed,
      summary: 'Plans a shift, asks for leave or says when one can work. Without schedule_admin only for oneself, and no shifts.',
    },
    update: {
      body: EntryChange,
      reply: Changed,
      summary: 'Changes a shift or an own request, or decides about a leave; approved leave frees the shifts of those days as open ones.',
    },
    remove: {
      query: z.object({ reason: text(500).default(''), change_id: z.uuid().optional() }),
      reply: z.object({ entry: ScheduleEntry.nullable() }),
      summary: 'Removes a shift; withdraws or cancels an own leave; rejects or cancels that of somebody else, with a reason.',
    },
    list: {
      params: { user_id: z.coerce.number<unknown>().int().min(0), ...range },
      query: z.object({ station: text(limits.station).optional() }),
      reply: z.object({
        entries: z.array(ScheduleEntry),
        public_holidays: z.array(PublicHoliday),
        warnings: z.array(ScheduleWarning),
        /** Paid seconds that are planned. */
        planned_s: z.number().int(),
      }),
      summary: 'Entries of a person between two days; 0 stands for everyone. Staff see their own published shifts.',
    },
    future: {
      query: z.object({ limit: z.coerce.number<unknown>().int().min(1).max(200).default(100) }),
      reply: z.object({
        shifts: z.array(ScheduleEntry),
        leave: z.array(ScheduleEntry),
        availability: z.array(ScheduleEntry),
        /** Shifts without a person that the caller can work. */
        open: z.array(ScheduleEntry),
        offers: z.array(Offer),
        public_holidays: z.array(PublicHoliday),
        week_s: z.number().int(),
      }),
      summary: 'The caller’s coming shifts and leave, open shifts, and offers of colleagues.',
    },
    waiting: {
      query: pageQuery,
      reply: page(Waiting).extend({ offers: z.array(Offer) }),
      summary: 'Leave that somebody has to decide about, with what speaks for and against it, and offers of shifts.',
    },
    reject: {
      body: z.strictObject({ version: z.number().int().positive(), reason: text(500).min(1, 'Write a reason.') }),
      reply: Changed,
      summary: 'Rejects a leave with words: for clients that send no body with DELETE.',
    },
    board: {
      params: range,
      reply: z.object({
        people: z.array(BoardPerson),
        /** Groups with somebody on the board, by name. */
        groups: z.array(z.object({ group_id: z.number().int(), group_name: z.string() })),
        entries: z.array(ScheduleEntry),
        public_holidays: z.array(PublicHoliday),
        forecast: z.array(Forecast),
        unpublished: z.number().int(),
        /** The latest change of the caller that can still be undone. */
        undo: z.string().nullable(),
        /** The change that the caller took back last and can make again. */
        redo: z.string().nullable(),
        time_zone: z.string(),
        stations: z.array(z.string()),
      }),
      summary: 'What a lead plans a week with: people, entries, rules’ inputs, public holidays and the forecast of orders.',
    },
    change: {
      body: z.strictObject({ ...changeId, shifts: z.array(NewShift).min(1).max(largestBatch) }),
      reply: BatchResult,
      summary: 'Plans many shifts at once; those that cannot be are left out and named.',
    },
    copyWeek: {
      body: z.strictObject({
        ...changeId,
        from_monday: Day,
        to_monday: Day,
        user_ids: z.array(UserId).max(500).nullable().default(null),
        dry_run: z.boolean().default(false),
      }),
      reply: BatchResult,
      summary: 'Copies the shifts of a week to another with the same times on the clock.',
    },
    publish: {
      body: z.strictObject({
        from: Day,
        to: Day,
        user_ids: z.array(UserId).max(500).nullable().default(null),
        reason: text(500).default(''),
      }),
      reply: z.object({ published: z.number().int(), people: z.number().int() }),
      summary:
        'Shows the plan to staff; each person concerned gets one event. Warnings need a reason; shifts of minors against the law are refused.',
    },
    undo: {
      params: { change_id: z.uuid() },
      reply: z.object({ entries: z.array(ScheduleEntry) }),
      summary: 'Takes back a change of the last ten minutes, unless somebody has changed the same shifts since.',
    },
    redo: {
      params: { change_id: z.uuid() },
      reply: z.object({ entries: z.array(ScheduleEntry) }),
      summary: 'Makes a change again that was taken back within the last ten minutes, unless somebody has changed the same shifts since.',
    },
    settings: {
      reply: AllSettings,
      summary: 'How shifts and leave are handled here, days without holiday, and the calendar of public holidays.',
    },
    setSettings: {
      body: ChangedScheduleSettings,
      reply: AllSettings,
      summary:
        'Saves how shifts and leave are handled, and public holidays of the company’s own from this year on. 409 with the present settings when a version is old.',
    },
    workingTimeRules: {
      reply: z.array(WorkingTimeRow),
      summary: 'Rules of working time that the company sets itself, by country, rule and the day from which they hold.',
    },
    setWorkingTimeRule: {
      body: NewWorkingTimeRow,
      reply: z.array(WorkingTimeRow),
      summary:
        'Sets a rule of working time from a day on, until the next value of the same rule. Weaker than the law needs a reason; for minors it is refused. 409 with the present value when the version is old.',
    },
    removeWorkingTimeRule: {
      query: z.object({ version: z.coerce.number<unknown>().int().positive() }),
      reply: z.array(WorkingTimeRow),
      summary: 'Removes such a rule: the one before holds again, or the law.',
    },
    templates: { reply: Templates, summary: 'Kinds of shift and whole weeks that are planned again and again.' },
    addTemplate: {
      body: z.strictObject({
        name: text(60).min(1),
        start_local: Clock,
        end_local: Clock,
        break_s: Break.default(0),
        station: orNull(Station),
        skill: orNull(Skill),
      }),
      reply: Templates,
      summary: 'Adds a kind of shift.',
    },
    removeTemplate: { reply: Templates, summary: 'Removes a kind of shift; planned shifts stay.' },
    saveWeek: {
      body: z.strictObject({ name: text(60).min(1), monday: Day }),
      reply: Templates,
      summary: 'Keeps the shifts of a week under a name.',
    },
    applyWeek: {
      body: z.strictObject({ ...changeId, monday: Day }),
      reply: BatchResult,
      summary: 'Plans the shifts of a kept week.',
    },
    removeWeek: { reply: Templates, summary: 'Removes a kept week.' },
    addBlock: {
      body: z.strictObject({ from_day: Day, to_day: Day, reason: text(200).min(1) }),
      reply: AllSettings,
      summary: 'Names days on which no holiday can be taken.',
    },
    removeBlock: { reply: AllSettings, summary: 'Frees such days again.' },
    offer: {
      body: z.strictObject({
        kind: z.enum(['take', 'give', 'swap']),
        entry_id: z.number().int().positive(),
        with_entry_id: z.number().int().positive().optional(),
        reason: text(500).default(''),
      }),
      reply: Offer,
      summary: 'Asks for an open shift, gives an own one away, or offers to swap it for one of a colleague.',
    },
    takeOffer: { reply: Offer, summary: 'Takes a shift that a colleague gives, or agrees to a swap; a lead decides.' },
    withdrawOffer: { reply: Offer, summary: 'Takes an own offer back.' },
    acceptOffer: { reply: Offer, summary: 'Decides for an offer: both shifts change together.' },
    refuseOffer: {
      body: z.strictObject({ reason: text(500).min(1, 'Write a reason.') }),
      reply: Offer,
      summary: 'Decides against an offer, with words.',
    },
    colleagues: {
      reply: z.array(ScheduleEntry.extend({ name: z.string() })),
      summary: 'Published shifts of colleagues in the four weeks around an own shift, to swap it for.',
    },
    account: {
      params: { user_id: z.coerce.number<unknown>().int().positive() },
      reply: Account,
      summary: 'The holiday account of a person, with each row and what it is for.',
    },
    adjustAccount: {
      params: { user_id: z.coerce.number<unknown>().int().positive() },
      body: z.strictObject({
        year_start: Day,
        kind: z.enum(['start', 'carry_over', 'advance', 'adjust', 'paid_out']),
        days_milli: z.number().int().min(-366_000).max(366_000),
        explanation: text(500).min(1, 'Write a reason.'),
      }),
      reply: Account,
      summary: 'Adds a row to a holiday account, with its reason.',
    },
    leaveQuote: {
      query: z.object({
        user_id: z.coerce.number<unknown>().int().positive().optional(),
        reason_id: z.coerce.number<unknown>().int().min(1).max(4),
        from: Day,
        to: Day,
        part: z.enum(askedParts).default('full'),
      }),
      reply: z.object({
        cost_milli: z.number().int(),
        left_milli: z.number().int().nullable(),
        away: z.array(z.string()),
        blocked: z.string().nullable(),
        taken: z.boolean(),
      }),
      summary: 'What a leave would cost, what stays, and who is away then.',
    },
    calendarLink: {
      reply: z.object({ made_at: Instant.nullable() }),
      summary: 'Whether the caller’s calendar feed is on.',
    },
    makeCalendarLink: {
      reply: z.object({ url: z.string() }),
      summary: 'Makes the address of the caller’s calendar feed, instead of an earlier one. It is shown once.',
    },
    revokeCalendarLink: { summary: 'Ends the caller’s calendar feed.' },
    calendar: {
      params: { token: z.string().regex(/^[A-Za-z0-9_-]{22}(\.ics)?$/) },
      summary: 'Shifts of one person as iCalendar: times and stations only.',
    },
  },
} satisfies ContractSchemas
