/** Rules and explanations as they stand in bodies and answers of calls. */
import * as z from 'zod'

const Value = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.object({ amount: z.number().int(), currency: z.string() }),
  z.array(z.union([z.string(), z.number(), z.object({ amount: z.number().int(), currency: z.string() })])),
])

/**
 * A rule as JSON: `v` is 1, beside it `all` or `any` with a list of nodes. A node is `{all}`, `{any}`, `{not}`,
 * `{lines: "some" | "every" | "none", match}` or a condition `{field, op, value}`. `parseRule` checks it and names the path of a mistake.
 */
export const RuleJson = z.looseObject({
  v: z.literal(1),
  all: z.array(z.unknown()).optional(),
  any: z.array(z.unknown()).optional(),
})

const ReasonCondition = z.object({
  field: z.string(),
  op: z.string(),
  value: Value,
  /** True where the condition did not hold, and that decided. */
  not: z.literal(true).optional(),
})

/** A condition that decided, or conditions that an item, all items or no item met. */
const Reason = z.union([
  ReasonCondition,
  z.object({ lines: z.enum(['some', 'every', 'none']), not: z.literal(true).optional(), match: z.array(ReasonCondition) }),
])
export type Reason = z.infer<typeof Reason>

/** Why a shipping method was chosen, as it is kept with the order. */
export const MethodWhy = z.object({
  /** `rule`: a rule of the company; `other_codes`: the method that takes every code without a method; `person`: chosen by hand. */
  source: z.enum(['rule', 'shop_code', 'method_name', 'other_codes', 'only_active', 'person']),
  rule_id: z.number().int().optional(),
  /** The place of the rule when it decided, counted from 1. */
  position: z.number().int().optional(),
  /** The conditions that decided; none where every order is met. */
  reasons: z.array(Reason),
  /** Rules that were met before and whose methods are not active. */
  skipped: z.array(z.object({ rule_id: z.number().int(), position: z.number().int() })).optional(),
})
export type MethodWhy = z.infer<typeof MethodWhy>
