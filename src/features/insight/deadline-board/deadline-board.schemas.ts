/** Schemas of the calls in deadline-board.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { deadlineTargets } from '#features/orders/deadlines/deadlines.codes.ts'
import { PrinterAlertFields } from '#features/printing/printer-alerts/printer-alerts.schemas.ts'
import { adviceStages, alarms, linkKinds } from './deadline-board.codes.ts'

const whole = z.number().int()
const idIn = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)

const Remaining = z.object({ ready: whole, picking: whole, picked: whole, packing: whole, packed: whole })

/** Milliseconds since 1970, and orders. */
const TimedCount = z.object({ at: whole, left: z.number() })

const BurnDown = z.object({
  /** What was left of the pickup, up to now. */
  line: z.array(TimedCount),
  /** The even way from where most was left to nothing at the pickup. */
  needed: z.array(TimedCount),
  forecast: z.array(TimedCount),
})
export type BurnDown = z.output<typeof BurnDown>

const BoardRow = z.object({
  deadline_id: whole,
  name: z.string(),
  /** The next pickup; null where the next 60 days have none. */
  due_at: z.string().nullable(),
  target: z.enum(deadlineTargets),
  /** Orders of this pickup, done or not, and those that missed an earlier one. */
  total: whole,
  done: whole,
  /** `packed` counts only where they have to be handed over. */
  remaining: Remaining,
  on_hold: whole,
  exceptions: whole,
  /** Of those in the warehouse: they missed an earlier pickup. */
  carried_over: whole,
  /** Orders that miss the pickup at the present pace; null where there is nothing to judge by. */
  forecast_missed: whole.nullable(),
  finish_at: z.string().nullable(),
  advice: z.object({ stage: z.enum(adviceStages), people: whole }).nullable(),
  /** By when those who are planned for later would have to begin. */
  start_by: z.string().nullable(),
  alarm: z.enum(alarms).nullable(),
  /** Sounds are played once for each. Null for shops and single companies. */
  alarm_id: whole.nullable(),
  /** When a person said that they look after it; who it was stands only on the internal board. */
  seen_at: z.string().nullable(),
  seen_by: z.string().nullable(),
  /** The pickup that was missed in the last half hour, with work left. */
  missed_at: z.string().nullable(),
  /** Null for shops and single companies: only the whole warehouse is measured. */
  burn_down: BurnDown.nullable(),
})
export type BoardRow = z.output<typeof BoardRow>

export const Board = z.object({
  server_time: z.string(),
  /** IANA name of the warehouse's clock. */
  time_zone: z.string(),
  name: z.string(),
  rows: z.array(BoardRow),
  /** Boards play sounds. */
  sound: z.boolean(),
  /** Null on boards without figures. */
  totals: z.object({ waiting: whole, packed_last_hour: whole, short: whole, exceptions: whole, packers: whole, pickers: whole }).nullable(),
})
export type Board = z.output<typeof Board>

export const BoardScope = z.strictObject({
  /** Empty for all. */
  deadline_ids: z.array(whole.positive()).max(20).default([]),
  /** Whether it shows figures of the warehouse too. */
  figures: z.boolean().default(true),
})
export type BoardScope = z.output<typeof BoardScope>

export const BoardLinkFields = z.strictObject({
  /** What the link shows: the board of deadlines, or the public figures. */
  kind: z.enum(linkKinds).default('deadlines'),
  name: text(40).min(1, 'Enter a name'),
  scope: BoardScope.default({ deadline_ids: [], figures: true }),
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
  /** Made by the client: sent again, no second link is made. */
  client_id: z.uuid().optional(),
})

const BoardLink = z.object({
  id: whole,
  kind: z.enum(linkKinds),
  name: z.string(),
  scope: BoardScope,
  expires_at: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
})
export type BoardLink = z.output<typeof BoardLink>

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter the time as 16:00')

const AlarmSettingsShape = {
  recipients: PrinterAlertFields.shape.recipients,
  /** Between these clock times only the last stage is mailed; both or neither. */
  quiet_from: Clock.nullable(),
  quiet_until: Clock.nullable(),
  /** Boards play a sound at each stage that needs someone. */
  sound: z.boolean(),
}
export const AlarmSettingsFields = z
  .strictObject(AlarmSettingsShape)
  .refine(({ quiet_from, quiet_until }) => (quiet_from === null) === (quiet_until === null), {
    path: ['quiet_until'],
    message: 'Enter both times, or neither.',
  })
export const AlarmSettings = z.object({
  ...AlarmSettingsShape,
  version: whole,
  /** The company has an account that sends mails. */
  can_mail: z.boolean(),
})
export type AlarmSettings = z.output<typeof AlarmSettings>

export const deadlineBoardSchemas = {
  components: { DeadlineBoard: Board, BoardLink, AlarmSettings },
  calls: {
    data: {
      query: z.object({ company_id: idIn.optional(), deadline_id: idIn.optional() }),
      reply: Board,
      summary: 'What is left of each deadline’s next pickup by stage, whether it leaves whole at the present pace, and what would help.',
    },
    tokens: {
      reply: z.object({ rows: z.array(BoardLink) }),
      summary: 'Live links of boards: deadlines, and public figures. A link is shown only when it is made.',
    },
    makeToken: {
      body: BoardLinkFields,
      /** The token and the address once; null where the same `client_id` made the link before. */
      reply: z.object({ token: z.string().nullable(), url: z.string().nullable(), row: BoardLink }),
      summary: 'Makes a link to a board that is shown without a sign-in. Its token is answered once.',
    },
    revokeTokens: {
      query: z.object({ id: idIn.optional() }),
      reply: z.object({ revoked: whole }),
      summary: 'Revokes one link, or all of the company without an id; open boards end. Again is no mistake.',
    },
    seen: {
      reply: z.object({ seen_at: z.string(), seen_by: z.string() }),
      summary: 'Says that a person looks after an alarm. The first one stands; again is no mistake.',
    },
    alarms: { reply: AlarmSettings, summary: 'Who gets mails about pickups that will be missed, quiet hours, and whether boards sound.' },
    setAlarms: {
      body: z
        .strictObject({ ...AlarmSettingsShape, version: whole })
        .refine(({ quiet_from, quiet_until }) => (quiet_from === null) === (quiet_until === null), {
          path: ['quiet_until'],
          message: 'Enter both times, or neither.',
        }),
      reply: AlarmSettings,
      summary: 'Changes them; 409 with the current state when the version is old.',
    },
    shown: {
      query: z.object({ board: idIn.optional() }),
      reply: Board,
      summary: 'A board for who holds its cookie: counts only, no names and no order numbers. 410 where its link was revoked or has ended.',
    },
  },
} satisfies ContractSchemas
