/** Schemas of the calls in order-alerts.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { isCurrency } from '#domain/money.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { Email } from '#features/company/users/users.schemas.ts'
import { alertHitStates, alertHoldReasons, alertMatches, alertModes, alertSorts, alertWords, thresholdModes } from './order-alerts.codes.ts'

const flag = z.enum(['true', 'false']).transform(value => value === 'true')
const Pieces = z.number().int().min(0).max(100_000_000).nullable().default(null)
/** In minor units. */
const Amount = z.number().int().min(0).max(100_000_000_000).nullable().default(null)

const Fields = z.strictObject({
  email: Email,
  /** Companies whose orders it is about; null stands for all. A shop's alerts are about its own. */
  company_ids: z.array(z.number().int().positive()).min(1).max(200).nullable().default(null),
  enabled: z.boolean().default(true),
  /** What a met order gets: a warning at its comments, a hold, or a question for a lead's PIN at the station. */
  mode: z.enum(alertModes).default('note'),
  /** `inside`: a value between the bounds is met; `outside`: one beyond them. */
  threshold_mode: z.enum(thresholdModes).default('inside'),
  /** Whether one of the thresholds is enough. Conditions have to be met as well. */
  match: z.enum(alertMatches).default('any'),
  currency: z.string().trim().toUpperCase().refine(isCurrency, alertWords.currency),
  row_count_min: Pieces,
  row_count_max: Pieces,
  row_value_min: Amount,
  row_value_max: Amount,
  order_count_min: Pieces,
  order_count_max: Pieces,
  order_value_min: Amount,
  order_value_max: Amount,
  /** In the grammar of rules. */
  conditions: RuleJson.default({ v: 1, all: [] }),
  /** Gathered for some minutes, or mailed within one. Holds are mailed within one. */
  digest: z.boolean().default(true),
  /** What the mail, the order and the station say. */
  note: text(500).default(''),
})
export const OrderAlertFields = Fields.refine(alert => alert.mode === 'hold' || alert.note !== '', {
  path: ['note'],
  message: alertWords.note,
})
export type OrderAlertFields = z.output<typeof Fields>
const Change = Fields.extend({ version: z.number().int().min(1).optional() }).refine(alert => alert.mode === 'hold' || alert.note !== '', {
  path: ['note'],
  message: alertWords.note,
})
export type OrderAlertChange = z.output<typeof Change>

export const OrderAlert = z.object({
  id: z.number().int(),
  ...Fields.shape,
  /** True where its conditions cannot be read any more: no order is met. */
  broken: z.boolean(),
  version: z.number().int(),
  updated_at: z.string(),
  /** How often it was met in the last 30 days. */
  hits: z.number().int(),
})
export type OrderAlert = z.output<typeof OrderAlert>

export const OrderAlertSettingsFields = z.strictObject({
  /** How long alerts are gathered before their mail goes out. */
  digest_minutes: z.number().int().min(5).max(1_440).default(10),
  /** Of the sender; empty stands for the name of the mail account. */
  from_name: text(limits.name).default(''),
  hold_reason: z.enum(alertHoldReasons).default('alert'),
})
export type OrderAlertSettingsFields = z.output<typeof OrderAlertSettingsFields>

export const OrderAlertSettings = z.object({
  ...OrderAlertSettingsFields.shape,
  version: z.number().int(),
  /** False without a mail account: nothing is mailed. */
  has_mail_account: z.boolean(),
})
export type OrderAlertSettings = z.output<typeof OrderAlertSettings>

export const OrderAlertHit = z.object({
  id: z.number().int(),
  created_at: z.string(),
  /** What was met. */
  signals: z.array(z.string()),
  mode: z.enum(alertModes),
  note: z.string(),
  state: z.enum(alertHitStates),
  decided_by: z.string().nullable(),
  decided_at: z.string().nullable(),
  mailed_at: z.string().nullable(),
  /** Null where the alert belongs to another company. */
  recipient: z.string().nullable(),
})
export type OrderAlertHit = z.output<typeof OrderAlertHit>

const Asked = z.object({
  /** Of the address or the note. */
  query: text(limits.name).default(''),
  enabled: flag.optional(),
  mode: z.enum(alertModes).optional(),
  sort: z.enum(alertSorts).default('email'),
})
export type AskedAlerts = z.output<typeof Asked>

export const orderAlertsSchemas = {
  components: { OrderAlert, OrderAlertFields, OrderAlertHit },
  calls: {
    search: {
      query: pageQuery.extend(Asked.shape),
      reply: page(OrderAlert),
      summary: 'Alerts of the company, page by page, with how often each was met in the last 30 days.',
    },
    get: {
      params: { email: text(254) },
      reply: z.array(OrderAlert),
      summary: 'Alerts that an address gets, whatever its case; an empty list where there are none.',
    },
    update: {
      params: { id: z.coerce.number<unknown>().int().min(0).max(Number.MAX_SAFE_INTEGER) },
      body: Change,
      reply: OrderAlert,
      summary:
        'Changes an alert, or with id 0 adds one: the same one again is no second one. 422 `alert_empty`, `alert_range` or `rule_invalid` name the mistake; 409 with the current state when the version is old.',
    },
    enable: { summary: 'Switches an alert on; again is no mistake.' },
    disable: { summary: 'Switches an alert off; again is no mistake. What it did to orders stays.' },
    remove: { summary: 'Removes an alert; again is no mistake. What it did to orders stays.' },
    one: { reply: OrderAlert, summary: 'One alert.' },
    export: { query: Asked, summary: 'Alerts of the company as CSV.' },
    ofOrder: {
      reply: z.object({ rows: z.array(OrderAlertHit) }),
      summary: 'Alerts that an order met, the newest first.',
    },
    settle: { summary: 'Marks an alert of an order as checked: the station does not ask for it any more. Its hold is released by itself.' },
  },
} satisfies ContractSchemas

export const orderAlertSettingsSchemas = {
  components: { OrderAlertSettings },
  calls: {
    get: { reply: OrderAlertSettings, summary: 'How alerts about orders are mailed, and the reason of their holds.' },
    set: {
      body: OrderAlertSettingsFields.extend({ version: z.number().int().min(0) }),
      reply: OrderAlertSettings,
      summary: 'Changes how alerts are mailed; 409 with the current state when the version is old, which is 0 before the first change.',
    },
  },
} satisfies ContractSchemas
