/** Schemas of the calls in shop-connections.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { page, pageQuery } from '#contract/page.ts'
import { ShopCode } from '#features/company/api-keys/cms-keys.schemas.ts'
import { connectionStates, logKinds, logOutcomes } from './shop-connections.codes.ts'

const System = text(40)
const Value = text(2_000)
const Values = z.record(text(60), Value).refine(values => Object.keys(values).length <= 40, 'Too many fields')

const Field = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string().nullable(),
  secret: z.boolean(),
  required: z.boolean(),
  choices: z.array(z.object({ value: z.string(), name: z.string() })),
  /** Chosen from the statuses of the shop, which a test answers. */
  status: z.boolean(),
})
export type ConnectorFieldRow = z.infer<typeof Field>

export const SystemRow = z.object({
  system: System,
  title: z.string(),
  address_example: z.string(),
  credentials: z.array(Field),
  settings: z.array(Field),
  notifies_customer: z.boolean(),
  /** Whether a cancellation can be reported to it. */
  cancels: z.boolean(),
  cancel_warning: z.string().nullable(),
  backfill_limit: z.string().nullable(),
})
export type SystemRow = z.infer<typeof SystemRow>

export const ConnectionRow = z.object({
  id: z.number().int(),
  system: z.string(),
  title: z.string(),
  shop: z.string(),
  name: z.string(),
  base_url: z.string(),
  settings: z.record(z.string(), z.string()),
  /** `broken`: the shop refuses the key or another program answers; pushes wait until a test succeeds. */
  state: z.enum(connectionStates),
  pull_from: z.string(),
  version: z.number().int(),
  last_order_at: z.string().nullable(),
  last_ok_at: z.string().nullable(),
  failures: z.number().int(),
  /** Seconds by which the reading is behind; 0 where everything is read. */
  lag_s: z.number().int(),
  webhook_at: z.string().nullable(),
  pulled_today: z.number().int(),
  pushed_today: z.number().int(),
  /** What the nightly comparison found. */
  swept_today: z.number().int(),
  waiting: z.number().int(),
  waiting_since: z.string().nullable(),
  /** Pushes that were given up in the last seven days. */
  dead: z.number().int(),
  /** The last error in the shop's own words. */
  error: z.string().nullable(),
  error_at: z.string().nullable(),
})
export type ConnectionRow = z.infer<typeof ConnectionRow>

export const LogEntry = z.object({
  id: z.number().int(),
  at: z.string(),
  kind: z.enum(logKinds),
  outcome: z.enum(logOutcomes),
  shop_words: z.string().nullable(),
  ref: z.string().nullable(),
  order_id: z.number().int().nullable(),
  count: z.number().int(),
})
export type LogEntry = z.infer<typeof LogEntry>

export const WaitingPush = z.object({
  id: z.number().int(),
  at: z.string(),
  event: z.string(),
  order_id: z.number().int().nullable(),
  order_no: z.string().nullable(),
  attempts: z.number().int(),
  next_at: z.string(),
  answer: z.string().nullable(),
  given_up: z.boolean(),
})
export type WaitingPush = z.infer<typeof WaitingPush>

const TestAnswer = z.object({
  /** What the shop calls itself. */
  words: z.string(),
  warnings: z.array(z.string()),
  statuses: z.array(z.object({ code: z.string(), name: z.string() })),
  /** Orders as they would be read, the newest last. */
  sample: z.array(
    z.object({
      order_no: z.string(),
      status: z.string(),
      /** The shop's own code. */
      shop_status: z.string(),
      customer: z.string(),
      items: z.number().int(),
      problem: z.string().nullable(),
    }),
  ),
})
export type TestAnswer = z.infer<typeof TestAnswer>

const address = z.url('Enter an address that begins with https://').max(500)
const common = {
  name: text(100).min(1, 'Give the connection a name'),
  base_url: address,
  credentials: Values,
  settings: Values.default({}),
}
const versioned = z.strictObject({ version: z.number().int() })
const Delivery = z.coerce.number<unknown>().int().positive()

export const shopConnectionsSchemas = {
  components: { ConnectionRow, SystemRow, LogEntry, WaitingPush },
  calls: {
    systems: { reply: z.object({ rows: z.array(SystemRow) }), summary: 'The shop systems that can be connected, with what each asks for.' },
    list: { reply: z.object({ rows: z.array(ConnectionRow) }), summary: 'The connected shops of the company, with the health of each.' },
    try: {
      body: z.strictObject({ system: System, base_url: address, credentials: Values, settings: Values.default({}) }),
      reply: TestAnswer,
      summary: 'Asks a shop with these keys before they are kept, and reads three of its orders.',
    },
    create: {
      body: z.strictObject({
        client_id: z.uuid(),
        system: System,
        shop: ShopCode,
        ...common,
        /** Orders that were placed before are not taken by themselves. */
        pull_from: z.iso.datetime({ offset: true }),
      }),
      reply: ConnectionRow,
      summary: 'Connects a shop. Its orders from `pull_from` on come in, and it learns what becomes of them.',
    },
    change: {
      body: z.strictObject({
        version: z.number().int(),
        name: common.name,
        base_url: address,
        /** Fields that are left out keep their value. */
        credentials: Values.default({}),
        settings: common.settings,
      }),
      reply: ConnectionRow,
      summary: 'Changes a connection.',
    },
    remove: {
      reply: z.object({ dropped: z.number().int() }),
      summary: 'Removes a connection with its keys and what waits for it. Its orders stay.',
    },
    test: { reply: TestAnswer, summary: 'Asks the shop. A broken connection that answers goes on.' },
    pause: {
      body: versioned,
      reply: ConnectionRow,
      example: { id: 1, body: { version: 1 } },
      summary: 'Stops a connection; what happens meanwhile waits.',
    },
    resume: { body: versioned, reply: ConnectionRow, example: { id: 1, body: { version: 1 } }, summary: 'Goes on with a connection.' },
    backfill: {
      body: z.strictObject({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) }),
      reply: z.object({ job_id: z.number().int() }),
      example: { id: 1, body: { from: '2026-11-01T00:00:00Z', to: '2026-11-20T00:00:00Z' } },
      summary: 'Reads the orders that were placed in a period of at most a year, as a job.',
    },
    fetch: {
      body: z.strictObject({ order: text(60).min(1, 'Enter the number of an order') }),
      reply: z.object({
        result: z.enum(['created', 'updated', 'unchanged', 'refused', 'ignored', 'not_found']),
        /** Why it was not taken. */
        words: z.string().nullable(),
        order_id: z.number().int().nullable(),
      }),
      example: { id: 1, body: { order: '1001' } },
      summary: 'Reads one order of the shop again, by its number or its id there.',
    },
    log: {
      query: pageQuery.extend({
        kind: z.enum(logKinds).optional(),
        outcome: z.enum(logOutcomes).optional(),
        /** Only refusals and failures. */
        bad: z
          .enum(['true', 'false'])
          .transform(value => value === 'true')
          .optional(),
        q: text(100).optional(),
      }),
      reply: page(LogEntry),
      summary: 'What was read from the shop and written to it in the last 30 days, the newest first.',
    },
    waiting: { reply: z.object({ rows: z.array(WaitingPush) }), summary: 'What the shop does not know yet, and what was given up.' },
    retry: { params: { delivery: Delivery }, summary: 'Sends one push again now.' },
    drop: {
      params: { delivery: Delivery },
      body: z.strictObject({ reason: text(200).min(1, 'Give a reason') }),
      summary: 'Gives one push up; the shop does not learn of it.',
    },
  },
} satisfies ContractSchemas
