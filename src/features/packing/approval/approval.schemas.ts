/** Schemas of the calls in approval.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { approvalActs, approvalMethods, approvalStates, approvalSubjects, approverCodes, mostReason } from './approval.codes.ts'

export const ApprovalRule = z.object({
  id: z.number().int(),
  name: z.string(),
  conditions: RuleJson,
  subject: z.enum(approvalSubjects),
  methods: z.array(z.enum(approvalMethods)),
  approver_codes: z.array(z.enum(approverCodes)),
  /** The one who approves says why. */
  reason_required: z.boolean(),
  position: z.number().int(),
  active: z.boolean(),
  /** True when the conditions use something that no longer exists: the rule is passed over. */
  broken: z.boolean(),
  version: z.number().int(),
  /** How often it has asked in the last 30 days. */
  last_30_days: z.number().int(),
})
export type ApprovalRule = z.infer<typeof ApprovalRule>

const unique = (list: readonly string[]) => new Set(list).size === list.length

export const ApprovalRuleFields = z.strictObject({
  name: text(limits.name).min(1, 'Enter a name'),
  conditions: RuleJson,
  subject: z.enum(approvalSubjects).default('line'),
  methods: z.array(z.enum(approvalMethods)).min(1, 'Select how it is approved').max(approvalMethods.length).refine(unique),
  approver_codes: z.array(z.enum(approverCodes)).min(1, 'Select who may approve').max(approverCodes.length).refine(unique),
  reason_required: z.boolean().default(false),
  position: z.number().int().min(1).max(1_000).optional(),
  active: z.boolean().default(true),
})
export type ApprovalRuleFields = z.infer<typeof ApprovalRuleFields>

/** A rule as an open session keeps it. */
export const AskedRule = z.object({
  rule_id: z.number().int(),
  name: z.string(),
  subject: z.enum(approvalSubjects),
  /** The lines that need it; null for the whole order. */
  lines: z.array(z.number().int()).nullable(),
  methods: z.array(z.enum(approvalMethods)),
  approver_codes: z.array(z.enum(approverCodes)),
  reason_required: z.boolean().default(false),
})
export type AskedRule = z.infer<typeof AskedRule>

export interface GivenApproval {
  rule_id: number
  line_id: number | null
  used: boolean
}

/** What the station shows of an approval that the open order needs. */
export const OrderApproval = z.object({
  rule_id: z.number().int(),
  line_id: z.number().int().nullable(),
  name: z.string(),
  subject: z.enum(approvalSubjects),
  methods: z.array(z.enum(approvalMethods)),
  reason_required: z.boolean(),
  state: z.enum(['needed', ...approvalStates]),
  /** Who answered. */
  by: z.string().nullable(),
  /** Milliseconds until a question to a lead elsewhere is over, by the clock of the server. */
  left_ms: z.number().int().nullable(),
})
export type OrderApproval = z.infer<typeof OrderApproval>

export const OpenApproval = z.object({
  id: z.number().int(),
  act: z.enum(approvalActs),
  /** Empty where the act is no rule's. */
  rule: z.string(),
  order_id: z.number().int(),
  order_no: z.string(),
  company: z.string(),
  item: z.string().nullable(),
  asked_by: z.string(),
  station: z.string(),
  reason_required: z.boolean(),
  left_ms: z.number().int(),
})
export type OpenApproval = z.infer<typeof OpenApproval>

export const ApprovalLogEntry = z.object({
  id: z.number().int(),
  asked_at: z.string(),
  act: z.enum(approvalActs),
  /** Empty where the act is no rule's. */
  rule: z.string(),
  item: z.string().nullable(),
  order_id: z.number().int(),
  order_no: z.string(),
  company: z.string(),
  station: z.string(),
  asked_by: z.string(),
  method: z.enum(approvalMethods).nullable(),
  state: z.enum(approvalStates),
  answered_by: z.string().nullable(),
  /** Why it was approved or refused. */
  reason: z.string().nullable(),
  /** `approvals/{id}/photo` has the photo that is the answer; false once it is deleted. */
  has_photo: z.boolean(),
  /** From the question to the answer; null without one. */
  waited_ms: z.number().int().nullable(),
})
export type ApprovalLogEntry = z.infer<typeof ApprovalLogEntry>

const ApprovalTotals = z.object({
  asked: z.number().int(),
  approved: z.number().int(),
  refused: z.number().int(),
  expired: z.number().int(),
  /** From the question to the answer; null where none was answered. */
  median_ms: z.number().int().nullable(),
})
const PackerTotals = ApprovalTotals.extend({
  asked_by: z.string(),
  act: z.enum(approvalActs),
  /** Empty where the act is no rule's. */
  rule: z.string(),
})

const ApprovalReason = text(mostReason).min(3, 'Enter a reason')

const Day = z.iso.date('Enter the day as 2026-11-21')
const LogQuestion = z.object({
  state: z.enum(approvalStates).optional(),
  act: z.enum(approvalActs).optional(),
  rule_id: z.coerce.number<unknown>().int().positive().optional(),
  /** Of the packer, the approver or the order number. */
  query: text(limits.name).optional(),
  from: Day.optional(),
  to: Day.optional(),
})
export type LogQuestion = z.infer<typeof LogQuestion>

export const approvalRulesSchemas = {
  components: { RuleJson, ApprovalRule, ApprovalRuleFields },
  calls: {
    list: {
      query: z.object({ active: z.stringbool().optional() }),
      reply: z.object({ rows: z.array(ApprovalRule) }),
      summary: 'The rules by which the packing station asks a lead, with how often each has asked in the last 30 days.',
    },
    get: { reply: ApprovalRule, summary: 'One rule.' },
    set: {
      body: ApprovalRuleFields.extend({ id: z.number().int().positive().optional(), version: z.number().int().min(1).optional() }),
      reply: ApprovalRule,
      summary:
        'Adds a rule, or with `id` and `version` changes one; 422 `rule_invalid` names each mistake by its path. Orders that are open at a station keep the rules they were opened with.',
      example: {
        body: {
          name: 'orders-above-5000',
          conditions: { v: 1, all: [{ field: 'order.value', op: 'gt', value: { amount: 500_000, currency: 'DKK' } }] },
          subject: 'label',
          methods: ['pin', 'badge'],
          approver_codes: ['scan_admin'],
        },
      },
    },
    remove: { summary: 'Removes a rule and cancels its open requests.' },
  },
} satisfies ContractSchemas

export const approvalsSchemas = {
  components: { OrderApproval, OpenApproval, ApprovalLogEntry },
  calls: {
    open: {
      reply: z.object({ rows: z.array(OpenApproval) }),
      summary: 'Questions from the stations that the caller may answer now.',
    },
    answer: {
      body: z.strictObject({ approve: z.boolean(), reason: ApprovalReason.optional() }),
      reply: z.object({ id: z.number().int(), state: z.enum(approvalStates) }),
      summary: 'Approves or refuses; the first answer counts. 422 `approval_reason_missing` where the rule wants a reason.',
    },
    log: {
      query: pageQuery.extend(LogQuestion.shape),
      reply: page(ApprovalLogEntry),
      summary: 'Who asked, who answered, how long it took, and what was refused; the newest first.',
    },
    totals: {
      query: LogQuestion,
      reply: z.object({ all: ApprovalTotals, rows: z.array(PackerTotals) }),
      summary: 'How often each packer asked by each rule or act, what came of it, and the median of the waits; the 200 most frequent.',
    },
    exportTotals: { query: LogQuestion, summary: 'The same as CSV, at most 20,000 rows.' },
    photo: { summary: 'The photo that a packer took as the answer.' },
    export: { query: LogQuestion, summary: 'The log as CSV, at most 20,000 rows.' },
  },
} satisfies ContractSchemas

/** Of the call by which a station asks, which stands among the calls of packing. */
export const askSchemas = {
  body: z.strictObject({
    order_id: z.number().int().positive(),
    rule_id: z.number().int(),
    /** Null where the rule is about the whole order. */
    line_id: z.number().int().positive().nullable().default(null),
    method: z.enum(approvalMethods),
    /** The code of a badge; or a person and their PIN. */
    badge: z.string().max(limits.barcode).optional(),
    user_id: z.number().int().positive().optional(),
    pin: z
      .string()
      .regex(/^\d{4,8}$/, 'A PIN has 4 to 8 digits')
      .optional(),
    /** A photo that was taken for it. */
    photo_id: z.number().int().positive().optional(),
    /** Why it is approved; needed where the rule wants it, but for `remote`. */
    reason: ApprovalReason.optional(),
  }),
  reply: z.object({
    id: z.number().int(),
    state: z.enum(approvalStates),
    approver: z.string().nullable(),
    left_ms: z.number().int().nullable(),
  }),
  summary:
    'Asks for an approval that the open order needs. PIN, badge and photo are answered at once, `remote` within 60 seconds by a lead elsewhere.',
} satisfies ContractSchemas['calls'][string]
