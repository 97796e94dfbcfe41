/** Schemas of the calls in return-rules.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { ReturnRule } from '#features/returns/returns/return-policy.schemas.ts'
import { policyLimits } from '#features/returns/returns/returns.codes.ts'

const id = z.number().int()

const Sample = z.object({
  return_id: id,
  rma_no: z.string(),
  order_no: z.string(),
  requested_at: z.string(),
  /** What the rules would have changed: refused, a person's look, a photo that is not there, another fee. */
  refused: z.boolean(),
  review: z.boolean(),
  photo: z.boolean(),
  /** Something would have stayed with the customer. */
  keep: z.boolean().default(false),
  /** The customer would have been asked something, or the item would have gone to another place. */
  question: z.boolean().default(false),
  destination: z.boolean().default(false),
  fee_before: id,
  fee: id,
  currency: z.string(),
})

const Difference = z.object({
  order_id: id,
  order_no: z.string(),
  /** The day from which its periods count. */
  arrived_on: z.string(),
  /** Something of it is refused by rules alone, and something is taken by rules alone. */
  refused: z.boolean(),
  taken: z.boolean(),
  review: z.boolean(),
  photo: z.boolean(),
  keep: z.boolean(),
  question: z.boolean().default(false),
  destination: z.boolean().default(false),
  fee_before: id,
  fee: id,
  currency: z.string(),
  /** Names of the rules that decide. */
  rules: z.array(z.string()),
})

/** Each order delivered in these days, as if its customer asked today to send all of it back because they changed their mind. */
const ChangedMind = z.object({
  orders: id,
  /** Orders for which the rules change something. */
  differ: id,
  /** Of these: refused by rules alone, taken by rules alone, and looked at by a person. */
  refused: id,
  taken: id,
  review: id,
  /** By currency, in minor units: fees, and what goes back to customers, without the rules and with them. */
  amounts: z.array(z.object({ currency: z.string(), fee_before: id, fee: id, back_before: id, back: id })),
  sample: z.array(Difference),
})
export type ChangedMind = z.output<typeof ChangedMind>

export const DryRun = z.object({
  days: id,
  /** Returns of these days, without withdrawals, which no rule concerns. */
  checked: id,
  /** Of these, the returns for which at least one rule decides something. */
  met: id,
  refused: id,
  review: id,
  /** Returns with a condition that could not be compared, because two amounts have different currencies. */
  not_compared: id,
  rules: z.array(z.object({ id: z.string(), met: id, sample: z.array(Sample) })),
  /** Null in trials of older versions. */
  changed_mind: ChangedMind.nullable().default(null),
})
export type DryRun = z.output<typeof DryRun>

export const ReturnRules = z.object({
  rules: z.array(ReturnRule),
  version: id,
  changed_at: z.string().nullable(),
  changed_by: z.string(),
  /** Null after each change. */
  dry_run: DryRun.nullable(),
  dry_run_at: z.string().nullable(),
  /** Whether the draft is what decides now. */
  in_force: z.boolean(),
  /** Rules that decide now, and since when. */
  active: z.object({ count: id, since: z.string() }).nullable(),
  /** Rules whose conditions cannot be read any more. */
  broken: z.array(z.string()),
})
export type ReturnRules = z.output<typeof ReturnRules>

const ReturnRulesBody = z.strictObject({
  rules: z
    .array(ReturnRule)
    .max(policyLimits.rules, 'At most 50 rules')
    .refine(rules => new Set(rules.map(rule => rule.id)).size === rules.length, 'Each rule once'),
  version: id.min(0),
})

const versioned = z.strictObject({ version: id.min(0) })

export const returnRulesSchemas = {
  components: { ReturnRules },
  calls: {
    get: { reply: ReturnRules, summary: 'The rules of returns that the company works on, with their last trial, and what is in force.' },
    save: {
      body: ReturnRulesBody,
      reply: ReturnRules,
      summary:
        'Saves the rules as a draft: they decide nothing until they are switched on. 409 with the current draft when the version is old.',
    },
    export: { summary: 'The rules as CSV.' },
    dryRun: {
      body: versioned,
      reply: z.object({ job_id: id }),
      summary: 'Tries the draft on the returns of the last 90 days, as a job; nothing is changed.',
    },
    enable: {
      body: versioned,
      reply: ReturnRules,
      summary: 'The draft decides from now on. 409 `rules_not_tried` unless it was tried in the last 24 hours.',
    },
    reset: { body: versioned, reply: ReturnRules, summary: 'Throws the draft away: the rules that are in force are edited again.' },
  },
} satisfies ContractSchemas
