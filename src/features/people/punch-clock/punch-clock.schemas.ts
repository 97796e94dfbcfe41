/** Schemas of the calls in punch-clock.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { page, pageQuery } from '#contract/page.ts'
import { Agreement, Waiting } from '#features/company/announcements/announcements.schemas.ts'
import {
  earlyWhys,
  mostSynced,
  otherWhys,
  punchSources,
  punchStates,
  punchTypes,
  punchWays,
  rejectReasons,
  versionReasons,
  workViews,
} from './punch.codes.ts'

const whole = z.number().int()
const Day = z.iso.date('Enter the day as 2026-11-21')
const Time = z.iso.datetime({ offset: true, message: 'Enter the time with its time zone' })
const ClientId = z.uuid()
const idOrNone = z.coerce.number<unknown>().int().min(0).max(Number.MAX_SAFE_INTEGER)

const Pin = z.string().regex(/^\d{4,8}$/, 'A PIN has 4 to 8 digits')
/** Who stands before the kiosk; without it the signed-in person. */
export const Who = z.union([
  z.strictObject({ badge: z.string().max(256) }),
  z.strictObject({ employee_no: z.string().trim().min(1).max(40), pin: Pin }),
  z.strictObject({ user_id: whole.positive(), pin: Pin }),
  /** What `identify` answered. */
  z.strictObject({ ticket: z.string().max(200) }),
])
export type Who = z.infer<typeof Who>

export const Punch = z.object({
  id: whole,
  user_id: whole,
  user_name: z.string(),
  work_date: z.string(),
  type: z.enum(punchTypes),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  /** Between these it began, where its time was not verified. */
  not_before: z.string().nullable(),
  not_after: z.string().nullable(),
  out_not_before: z.string().nullable(),
  out_not_after: z.string().nullable(),
  state: z.enum(punchStates),
  /** True once a lead has looked at it. */
  validated: z.boolean(),
  source: z.enum(punchSources),
  way: z.enum(punchWays),
  station: z.string().nullable(),
  shift_id: whole.nullable(),
  /** Why it ended well before the shift. */
  early_out: z.enum(otherWhys).nullable(),
  /** When a lead asked the person about it, and who that was. */
  asked_at: z.string().nullable(),
  asked_by: z.string().nullable(),
  version: whole,
})
export type Punch = z.infer<typeof Punch>

export const PunchVersion = z.object({
  no: whole,
  why: z.enum(versionReasons),
  work_date: z.string(),
  type: z.enum(punchTypes),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  state: z.enum(punchStates),
  removal: z.boolean(),
  note: z.string().nullable(),
  by_name: z.string(),
  at: z.string(),
})
export type PunchVersion = z.infer<typeof PunchVersion>
export const PunchHistory = Punch.extend({ versions: z.array(PunchVersion) })
export type PunchHistory = z.infer<typeof PunchHistory>

/** What the kiosk shows of the person. */
const Person = z.object({
  user_id: whole,
  first_name: z.string(),
  /** What runs now. */
  open: z
    .object({
      id: whole,
      type: z.enum(punchTypes),
      since: z.string(),
      /** The end of the shift that it belongs to. */
      shift_end: z.string().nullable(),
    })
    .nullable(),
  today_s: whole,
  week_s: whole,
})
/** Signed server time, from which a device without network measures on. */
const Mark = z.object({ server_time: z.string(), nonce: z.string(), signature: z.string() })
export type Mark = z.infer<typeof Mark>
const Forgotten = z.object({ id: whole, version: whole, work_date: z.string(), started_at: z.string(), type: z.enum(punchTypes) })

const Tapped = z.object({
  punch: Punch,
  person: Person,
  /** The same tap was counted already. */
  duplicate: z.boolean(),
  /** A clock-out that was forgotten before; the person says when it was. */
  forgotten: Forgotten.nullable(),
  /** After a clock-in: what the person has to read or agree with now. */
  announcements: z.array(Waiting),
  /** After a clock-out well before the end of the shift, which is named: the person is asked why. */
  early: z.object({ shift_end: z.string() }).nullable(),
  /** Acts for the person for a few minutes. */
  ticket: z.string(),
  mark: Mark,
})
export type Tapped = z.infer<typeof Tapped>

const SyncEntry = z.strictObject({
  client_id: ClientId,
  seq: whole.min(0).max(1_000_000_000),
  boot_id: ClientId,
  /** The page that got the mark. */
  mark_boot_id: ClientId,
  mark: z.strictObject({ server_time: Time, nonce: z.string().max(40), signature: z.string().max(60) }),
  elapsed_ms: z.number().min(-1_000_000_000).max(1_000_000_000),
  device_elapsed_ms: z.number().min(-1_000_000_000_000).max(1_000_000_000_000),
  /** `why` answers why the clock-out `of` was early; the reason is sealed. */
  action: z.enum(['in', 'out', 'why']),
  of: ClientId.optional(),
  type: z.enum(punchTypes).default('work'),
  /** Badge, or number and PIN, encrypted to the server; the reason too. */
  sealed: z.base64().max(1_024),
})
export type SyncEntry = z.infer<typeof SyncEntry>

const SyncResult = z.object({
  client_id: z.string(),
  outcome: z.enum(['accepted', 'duplicate', 'unverified', 'rejected']),
  why: z.enum(rejectReasons).nullable(),
  first_name: z.string().nullable(),
})
export type SyncResult = z.infer<typeof SyncResult>

export const KioskReject = z.object({
  client_id: z.string(),
  received_at: z.string(),
  estimate: z.string().nullable(),
  why: z.enum(rejectReasons),
  employee_no: z.string().nullable(),
})

const Correction = z.strictObject({
  /** 0 for an entry without a punch. */
  version: whole.min(0).default(0),
  client_id: ClientId.optional(),
  /** Only for someone else's new entry, by who looks after times. */
  user_id: whole.positive().optional(),
  work_date: Day.optional(),
  started_at: Time,
  ended_at: Time,
  type: z.enum(punchTypes).default('work'),
  note: text(500).min(3, 'Write at least three characters'),
  /** Of a kiosk: the person that was identified. */
  ticket: z.string().max(200).optional(),
})
export type Correction = z.output<typeof Correction>

const Reasoned = z.strictObject({ version: whole.positive(), reason: text(500).min(3, 'Write at least three characters') })

const WorkDay = z.object({
  user_id: whole,
  user_name: z.string(),
  work_date: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  /** All kinds of time but breaks. */
  worked_s: whole,
  meeting_s: whole,
  cleaning_s: whole,
  other_s: whole,
  break_s: whole,
  /** A time is missing, not verified or under correction. */
  unfinished: z.boolean(),
  pieces: whole,
  lines: whole,
  /** Orders that were packed or picked for. */
  orders: whole,
  /** Where the times come from: the clock, or who changed them and why; empty where someone worked without clocking in. */
  source: z.string(),
})
export type WorkDay = z.infer<typeof WorkDay>

const BoardPerson = z.object({ first_name: z.string(), state: z.enum(punchTypes), since: z.string() })

export const punchClockSchemas = {
  components: { Punch, PunchVersion, WorkDay },
  calls: {
    punchIn: {
      body: z.strictObject({ client_id: ClientId, type: z.enum(punchTypes).default('work'), who: Who.optional() }),
      reply: Tapped,
      summary: 'Clocks in, or switches to another kind of time. Sent again under its id, or within five seconds, it counts once.',
    },
    punchOut: {
      params: { x: idOrNone },
      body: z.strictObject({ client_id: ClientId, who: Who.optional() }),
      reply: Tapped,
      summary: 'Clocks out: the punch with this id, or with 0 the one that is open.',
    },
    current: { reply: z.object({ punch: Punch.nullable() }), summary: 'The caller’s open punch.' },
    last: {
      query: z.object({ limit: z.coerce.number<unknown>().int().min(1).max(100).default(10) }),
      reply: z.object({ rows: z.array(PunchHistory) }),
      summary: 'The caller’s own punches, newest first.',
    },
    check: {
      query: z.object({ from: Day.optional(), to: Day.optional() }),
      reply: z.object({
        to_validate: whole,
        missing_out: whole,
        unverified: whole,
        corrections: whole,
        rejects: whole,
        rows: z.array(PunchHistory),
        rejected: z.array(KioskReject),
      }),
      summary: 'Times that someone has to look at: counts to at most 1,000, and the first 50.',
    },
    validate: {
      body: z.strictObject({ version: whole.positive(), started_at: Time.optional(), ended_at: Time.optional() }),
      reply: Punch,
      summary: 'Accepts the times of another person; what is missing or not verified is written here.',
    },
    remove: {
      body: Reasoned,
      reply: Punch,
      summary: 'Deletes a punch of another person; of one’s own it asks for that. The versions stay.',
    },
    board: {
      reply: z.object({ server_time: z.string(), time_zone: z.string(), company: z.string(), rows: z.array(BoardPerson) }),
      summary: 'Who is in, by first name: for a board with a live link, or in the warehouse network.',
    },
    today: {
      reply: z.object({
        rows: z.array(
          z.object({
            user_id: whole,
            user_name: z.string(),
            state: z.enum(punchTypes).nullable(),
            worked_s: whole,
            break_s: whole,
            pieces: whole,
            orders: whole,
          }),
        ),
      }),
      summary: 'Today: time and work of each person; without the permission of a lead, of oneself.',
    },
    notOut: { reply: z.object({ rows: z.array(Punch) }), summary: 'Clock-ins whose clock-out is missing.' },
    search: {
      params: { q: z.string().trim().min(2).max(60) },
      reply: z.object({
        rows: z.array(z.object({ user_id: whole, name: z.string(), has_image: z.boolean(), state: z.enum(punchTypes).nullable() })),
      }),
      summary: 'People by name or number, at most 20. Without the permission of a lead the first names alone.',
    },
    setType: {
      params: { type: z.enum(punchTypes) },
      body: Reasoned,
      reply: Punch,
      summary: 'Changes the kind of time of another person; of one’s own it asks for that.',
    },
    update: {
      params: { id: idOrNone },
      body: Correction,
      reply: Punch,
      summary:
        'Corrects times: of others at once, of one’s own as a request that someone else decides. The id 0 writes an entry without a punch.',
    },
    workDone: {
      params: { start: Day, end: Day },
      reply: z.object({ from: z.string(), to: z.string(), rows: z.array(WorkDay) }),
      summary: 'Time and work by person and day; without the permission of a lead, of oneself.',
    },
    exportWorkDone: {
      params: { start: Day, end: Day },
      query: z.object({
        format: z.enum(['csv', 'xlsx']).default('csv'),
        /** A row for each day of a person, or one for each person. */
        by: z.enum(['day', 'person']).default('day'),
        view: z.enum(workViews).default('all'),
        /** Part of a name. */
        query: z.string().trim().max(120).default(''),
      }),
      summary: 'The same as CSV or an Excel workbook, in hours; that it was saved stands in the log of readings.',
    },
    interval: {
      params: { start: Day, end: Day },
      query: pageQuery.extend({ user_id: z.coerce.number<unknown>().int().positive().optional() }),
      reply: page(PunchHistory),
      summary: 'Punches of a period with all their versions; without the permission of a lead, one’s own.',
    },
    kiosk: {
      reply: z.object({
        roster: z.array(
          z.object({
            user_id: whole,
            first_name: z.string(),
            employee_no: z.string().nullable(),
            /** The first bytes of the badge's hash: a device without network knows a badge by it, and no one can make one from it. */
            badge_hint: z.string().nullable(),
            has_image: z.boolean(),
            has_pin: z.boolean(),
            state: z.enum(punchTypes).nullable(),
            since: z.string().nullable(),
            shift_end: z.string().nullable(),
          }),
        ),
        /** A clock-out so many minutes before the end of the shift is asked about; 0 asks about none. */
        early_out_min: whole,
        /** RSA-OAEP with SHA-256, as SubjectPublicKeyInfo: a device without network seals badges and PINs to it. */
        public_key: z.string(),
        mark: Mark,
      }),
      summary: 'What a kiosk needs: first names, the key for sealing, and signed server time.',
    },
    identify: {
      body: z.strictObject({ who: Who }),
      reply: z.object({ person: Person, forgotten: Forgotten.nullable(), ticket: z.string(), mark: Mark }),
      summary: 'Recognises a person by badge or PIN and answers a ticket, with which this session acts for the person for five minutes.',
    },
    sync: {
      body: z.strictObject({ entries: z.array(SyncEntry).min(1).max(mostSynced) }),
      reply: z.object({ results: z.array(SyncResult), mark: Mark }),
      summary: 'Taps that a device kept without network, in their order. Each is answered for itself.',
    },
    agree: {
      body: Agreement.safeExtend({ ticket: z.string().max(200) }),
      summary: 'Records that the person who was identified at the kiosk has read or agreed with an announcement.',
    },
    earlyOut: {
      body: z.strictObject({ client_id: ClientId, ticket: z.string().max(200), why: z.enum(earlyWhys) }),
      reply: z.object({
        /** Seconds of leave, where somebody is ill. */
        leave_s: whole.nullable(),
      }),
      summary:
        'Says why the clock-out of this client_id was before the end of the shift. Sickness, own or of a child, is registered as leave for what is left.',
    },
    undo: {
      body: z.strictObject({ client_id: ClientId, ticket: z.string().max(200) }),
      reply: z.object({ person: Person }),
      summary: 'Takes a tap back within a minute.',
    },
    decide: {
      body: z.strictObject({ version: whole.positive(), accept: z.boolean(), reason: text(500).default('') }),
      reply: Punch,
      summary: 'Accepts or rejects the correction that someone else asked for.',
    },
    ask: {
      reply: Punch,
      summary: 'Asks the person about a time that is missing or not verified: by mail and on the own page, once an hour.',
    },
    seen: {
      params: { client_id: ClientId },
      summary: 'Someone has looked at a tap that was no clock-in.',
    },
    boardTokens: {
      reply: z.object({
        rows: z.array(
          z.object({ id: whole, name: z.string(), created_by: z.string(), created_at: z.string(), last_used_at: z.string().nullable() }),
        ),
      }),
      summary: 'Live links of punch clock boards.',
    },
    makeBoardToken: {
      body: z.strictObject({ name: text(120).min(1, 'Enter a name') }),
      reply: z.object({ id: whole, token: z.string() }),
      summary: 'Makes a link for a board; its token is shown once.',
    },
    revokeBoardToken: { summary: 'Ends the link of a board.' },
  },
} satisfies ContractSchemas
