/**
 * What the rules of a company change for returned items. Of each effect the first rule in order decides. The right of withdrawal stands
 * above them: in its period no window and no refusal counts, but for goods that the law itself excludes.
 */
import { isOneOf } from '#domain/objects.ts'
import { type CompiledRule, compileRule, type Evaluation } from '#domain/rules/rule-evaluation.ts'
import type { OrderFacts, RuleField } from '#domain/rules/rule-fields.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import type { ReturnRule, ReturnRuleEffects } from './return-policy.schemas.ts'
import { isRefunded } from './return-states.rules.ts'
import type { ReturnWindow } from './return-window.rules.ts'
import { courierMethods, type Fault, type PortalMethod, type ReturnOutcome } from './returns.codes.ts'

export interface PolicyRule {
  id: string
  name: string
  rule: CompiledRule
  effects: ReturnRuleEffects
}

/** The rules that are on and can be read, in their order. */
export const compiledRules = (rules: readonly ReturnRule[]): PolicyRule[] =>
  rules.flatMap(({ id, name, active, conditions, effects }) => {
    const { rule } = active ? parseRule(conditions, 'return') : {}
    return rule ? [{ id, name, effects, rule: compileRule(rule) }] : []
  })

export const fieldsOfPolicy = (rules: readonly PolicyRule[]): ReadonlySet<RuleField> =>
  new Set(rules.flatMap(({ rule }) => [...rule.fields]))

export type ItemPolicy = Omit<ReturnRuleEffects, 'photo' | 'keep'> & {
  photo: boolean
  keep: boolean
  /** The rules that decided something. */
  rules: Pick<PolicyRule, 'id' | 'name'>[]
}

export const noEffects: ItemPolicy = {
  ...{ window_days: null, refuse: null, review: null, fee: null, outcomes: null, methods: null, destination: null, question: null },
  photo: false,
  keep: false,
  rules: [],
}

const effectNames = ['window_days', 'refuse', 'review', 'fee', 'outcomes', 'methods', 'photo', 'keep', 'destination', 'question'] as const

/**
 * What the rules say of one item. Which outcomes are offered is known before one is chosen: rules that ask for the chosen one do not
 * change it.
 */
export function policyOf(rules: readonly PolicyRule[], facts: OrderFacts, evaluation: Evaluation): ItemPolicy {
  const policy: ItemPolicy = { ...noEffects, rules: [] }
  for (const { id, name, rule, effects } of rules) {
    if (!rule.matches(facts, evaluation)) continue
    const before = { ...policy }
    policy.window_days ??= effects.window_days
    policy.refuse ??= effects.refuse
    policy.review ??= effects.review
    policy.fee ??= effects.fee
    policy.methods ??= effects.methods
    if (!rule.fields.has('return.outcome')) policy.outcomes ??= effects.outcomes
    policy.destination ??= effects.destination
    policy.question ??= effects.question
    policy.photo ||= effects.photo
    policy.keep ||= effects.keep
    if (effectNames.some(name => policy[name] !== before[name])) policy.rules.push({ id, name })
  }
  return policy
}

export interface Windows {
  shop: ReturnWindow | null
  withdrawal: ReturnWindow | null
}

export type Refusal = { why: 'period'; last_day: string } | { why: 'rule'; words: Readonly<Record<string, string>> }

/** Why an item cannot come back now; null where it can. `shop` is the window that holds for the item. */
export function refusalOf({ refuse }: Pick<ItemPolicy, 'refuse'>, { shop, withdrawal }: Windows, now: Date): Refusal | null {
  const isOver = (window: ReturnWindow | null) => window !== null && Date.parse(window.ends_at) <= now.getTime()
  const mayWithdraw = withdrawal !== null && !isOver(withdrawal)
  if (refuse !== null && (refuse.exemption !== null || !mayWithdraw)) return { why: 'rule', words: refuse.words }
  if (!mayWithdraw && shop !== null && isOver(shop)) return { why: 'period', last_day: shop.last_day }
  return null
}

interface CountedItem {
  policy: Pick<ItemPolicy, 'fee' | 'review' | 'methods' | 'destination'>
  fault: Fault
  /** What was paid for its pieces, in minor units. */
  value: number
  /** It stays with the customer. */
  keeps?: boolean
}

/** Whether the customer keeps an item for which this is asked. */
export const keepsItem = ({ keep }: Pick<ItemPolicy, 'keep'>, outcome: ReturnOutcome | null): boolean =>
  keep && outcome !== null && isRefunded(outcome)

/** The fee of a return: the highest amount once, and each percentage of its own items. Faults of the shop or the courier cost nothing, nor does what stays with the customer. */
export function feeOfItems(items: readonly CountedItem[], standard: number): number {
  let once = 0
  let shares = 0
  for (const { policy, fault, value, keeps } of items) {
    if (fault !== 'customer' || keeps) continue
    const fee = policy.fee ?? { amount: standard }
    if ('amount' in fee) once = Math.max(once, fee.amount)
    else shares += Math.round((value * fee.percent) / 100)
  }
  return once + shares
}

/** A person looks where one item says so; no one does where each item says that it is not needed. */
export function needsReview(items: readonly CountedItem[], standard: boolean): boolean {
  if (items.some(({ policy }) => policy.review === 'always')) return true
  return standard && !(items.length > 0 && items.every(({ policy }) => policy.review === 'never'))
}

/** What is offered and allowed; a rule that leaves nothing of the offer changes nothing. */
export function narrowed<T extends string>(offered: readonly T[], allowed: readonly string[] | null): readonly T[] {
  const left = allowed === null ? offered : offered.filter(one => allowed.includes(one))
  return left.length > 0 ? left : offered
}

/**
 * The methods by which all items that are sent may be sent together; none where their rules exclude each other. Labels of couriers lead to the
 * company alone: what a rule sends to another address goes there without one, and only together with what goes to the same.
 */
export function methodsOfItems(items: readonly CountedItem[], offered: readonly PortalMethod[]): readonly PortalMethod[] {
  const sent = items.filter(({ keeps }) => !keeps)
  const addresses = new Set(sent.map(({ policy }) => policy.destination?.address ?? ''))
  if (addresses.size > 1) return []
  const leadsElsewhere = sent.length > 0 && !addresses.has('')
  const all = leadsElsewhere ? [...new Set<PortalMethod>([...offered, 'own_label'])].filter(one => !isOneOf(courierMethods, one)) : offered
  return sent.reduce<readonly PortalMethod[]>((left, { policy }) => {
    const own = narrowed(all, policy.methods)
    return left.filter(one => own.includes(one))
  }, all)
}

export const outcomesOfItem = <T extends ReturnOutcome>({ outcomes }: Pick<ItemPolicy, 'outcomes'>, offered: readonly T[]): readonly T[] =>
  narrowed(offered, outcomes)

/** The company's sentence in the customer's language, else in its own, else in any. */
export const wordsFor = (words: Readonly<Record<string, string>>, language: string, own: string): string =>
  words[language] || words[own] || Object.values(words).find(Boolean) || ''
