/** Schemas of the calls in claims.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { idAsked, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { isCurrency } from '#domain/money.ts'
import { claimKinds, claimSorts, claimStarts, claimStates, claimUnits, claimViews, longestClaimPeriod } from './claims.codes.ts'

const id = z.number().int()
const idIn = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const version = z.number().int().positive()
const day = z.iso.date()
/** In minor units. */
const amount = z.number().int().min(1, 'Enter an amount').max(100_000_000_000)

export const Claim = z.object({
  id,
  kind: z.enum(claimKinds),
  state: z.enum(claimStates),
  shipment_id: id,
  order_id: id.nullable(),
  order_no: z.string().nullable(),
  company_id: id,
  company: z.string(),
  agent_code: z.string(),
  tracking_no: z.string().nullable(),
  /** In minor units. */
  amount: z.number().int(),
  /** What the courier pays; null unless it is won. */
  granted: z.number().int().nullable(),
  currency: z.string(),
  noticed_on: z.string(),
  /** The last day on which the courier takes it; null where that is not known. */
  deadline_on: z.string().nullable(),
  sent_at: z.string().nullable(),
  settled_at: z.string().nullable(),
  reference: z.string(),
  note: z.string(),
  created_by: z.string(),
  created_at: z.string(),
  version: id,
})
export type Claim = z.infer<typeof Claim>

/** What people write of a claim. */
export const ClaimFields = z.strictObject({
  amount,
  currency: z.string().trim().toUpperCase().refine(isCurrency, 'Enter a currency such as DKK'),
  noticed_on: day,
  /** Null: by the courier's rule, where it is known. */
  deadline_on: day.nullable().default(null),
  reference: text(100).default(''),
  note: text(limits.note).default(''),
})
export type ClaimFields = z.output<typeof ClaimFields>

const Question = z.object({
  /** Tracking number, order number or the courier's reference. */
  query: text(100).default(''),
  view: z.enum(claimViews).default('active'),
  kind: listParam(z.enum(claimKinds)),
  agent_code: z.string().max(limits.code).optional(),
  company: listParam(idAsked, 50),
  shipment_id: z.coerce.number<unknown>().int().positive().optional(),
  sort: z.enum(claimSorts).default('deadline'),
})
export type Question = z.infer<typeof Question>

export const claimsSchemas = {
  components: { Claim, ClaimFields },
  calls: {
    list: {
      query: pageQuery.extend(Question.shape),
      reply: page(Claim),
      summary: 'Claims against couriers, page by page.',
    },
    count: {
      reply: z.object({ open: id, due: id, sent: id }),
      summary: 'How many claims are open, have to be sent soon, or wait for the courier.',
    },
    exportAll: { query: Question, summary: 'Claims of a view, as CSV.' },
    create: {
      body: z.strictObject({ ...ClaimFields.shape, shipment_id: idIn, kind: z.enum(claimKinds), client_id: z.uuid().optional() }),
      reply: Claim,
      summary: 'Opens a claim; there is one for each shipment and kind, and the same client_id answers the same claim.',
    },
    get: { reply: Claim, summary: 'One claim.' },
    change: {
      body: ClaimFields.extend({ version }),
      reply: Claim,
      summary: 'Changes a claim that is not settled; 409 with the current state when the version is old.',
    },
    setState: {
      params: { id: idAsked, state: z.enum(claimStates) },
      body: z.strictObject({ version, granted: amount.nullable().default(null) }),
      reply: Claim,
      summary: 'Marks a claim as sent, won or lost. A won one names the granted amount; a lost one may be sent again.',
    },
  },
} satisfies ContractSchemas

const Period = { unit: z.enum(claimUnits), counts_from: z.enum(claimStarts) }
const Count = z.number().int().min(1).max(longestClaimPeriod)

export const ClaimRule = z.strictObject({
  kind: z.enum(claimKinds),
  /** Null: as the courier publishes it. */
  count: Count.nullable(),
  ...Period,
})
export type ClaimRule = z.output<typeof ClaimRule>

export const ClaimRules = z.object({
  agent_code: z.string(),
  /** 0 before the first change. */
  version: id,
  rules: z.array(
    z.object({
      kind: z.enum(claimKinds),
      count: id.nullable(),
      ...Period,
      /** What the courier publishes; null where it publishes nothing. */
      published: z.object({ count: id, ...Period }).nullable(),
    }),
  ),
})
export type ClaimRules = z.output<typeof ClaimRules>

/** Kinds that are not named stay as they are. */
export const ClaimRulesBody = z.strictObject({
  version: z.number().int().min(0),
  rules: z
    .array(ClaimRule)
    .min(1)
    .max(claimKinds.length)
    .refine(rules => new Set(rules.map(({ kind }) => kind)).size === rules.length, 'A kind is named twice'),
})

export const claimRulesSchemas = {
  components: { ClaimRule, ClaimRules },
  calls: {
    get: {
      reply: ClaimRules,
      summary: 'How long a courier takes claims of each kind: as the company has entered it, beside what the courier publishes.',
      example: { agent_code: 'own' },
    },
    set: {
      body: ClaimRulesBody,
      reply: ClaimRules,
      summary:
        'Sets how long a courier takes claims; 409 with the current state when the version is old. Open claims without a deadline get theirs.',
    },
  },
} satisfies ContractSchemas
