/** The choice of a shipping method: rules in their order, the first that is met decides. */
import { elementAt } from '#domain/objects.ts'
import { type CompiledRule, compileRule, type Evaluation } from './rule-evaluation.ts'
import { explainRule } from './rule-explanation.ts'
import { historyFields, type OrderFacts, type RuleField, tagFields } from './rule-fields.ts'
import { codeForm, parseRule, type Rule } from './rule-grammar.ts'
import type { MethodWhy } from './rule-schemas.ts'

export interface ActiveMethod {
  agent_code: string
  shipping_method: string
  /** What shops call it; `*` stands for everything that no other method knows. */
  shop_codes: readonly string[]
}

interface Target {
  agent_code: string
  shipping_method: string
}

/** A rule as it is stored: one that cannot be read any more is passed over. */
export interface StoredMethodRule extends Target {
  id: number
  /** Its place among the rules of its company, counted from 1. */
  position: number
  conditions: unknown
}

export interface ChosenMethod extends Target {
  why: MethodWhy
}

interface Step extends Target {
  rule: CompiledRule
  /** Undefined where the rule follows from the methods themselves. */
  own?: StoredMethodRule
  source: MethodWhy['source']
}

export interface MethodChooser {
  /** The fields whose facts are read. */
  fields: ReadonlySet<RuleField>
  /** True when a rule asks for earlier orders of the customer. */
  needsHistory: boolean
  /** True when a rule asks for tags. */
  needsTags: boolean
  choose(facts: OrderFacts, evaluation: Evaluation): ChosenMethod | null
}

/** Own rules first, then what follows from the active methods: their shop codes, their names, `*`, and being the only one. */
export function methodChooser(methods: readonly ActiveMethod[], rules: readonly StoredMethodRule[]): MethodChooser {
  const active = new Set(methods.map(nameOf))
  const steps: Step[] = [...rules.toSorted((one, other) => one.position - other.position).flatMap(stepOfRule), ...rulesOfMethods(methods)]
  const history = new Set<RuleField>(historyFields)
  const fields = new Set(steps.flatMap(({ rule }) => [...rule.fields]))
  return {
    fields,
    needsHistory: fields.intersection(history).size > 0,
    needsTags: tagFields.some(field => fields.has(field)),
    choose(facts, evaluation) {
      const skipped: NonNullable<MethodWhy['skipped']> = []
      for (const step of steps) {
        if (!step.rule.matches(facts, evaluation)) continue
        const { agent_code, shipping_method, own, source } = step
        if (own && !active.has(nameOf(own))) {
          skipped.push({ rule_id: own.id, position: own.position })
          continue
        }
        return {
          agent_code,
          shipping_method,
          why: {
            source,
            ...(own && { rule_id: own.id, position: own.position }),
            reasons: explainRule(step.rule.rule, facts, evaluation),
            ...(skipped.length > 0 && { skipped: skipped.slice(0, 5) }),
          },
        }
      }
      return null
    },
  }
}

function stepOfRule(own: StoredMethodRule): Step[] {
  const { rule } = parseRule(own.conditions, 'shipping_method')
  if (!rule) return []
  return [{ agent_code: own.agent_code, shipping_method: own.shipping_method, rule: compileRule(rule), own, source: 'rule' }]
}

const nameOf = ({ agent_code, shipping_method }: Target): string => `${agent_code} ${shipping_method}`

/** The rules that the settings of the methods stand for, in the order in which they decide. */
function rulesOfMethods(methods: readonly ActiveMethod[]): Step[] {
  const byCode = (codes: readonly string[]): Rule => ({ v: 1, all: [{ field: 'order.method_code', op: 'in', value: codes.map(codeForm) }] })
  const always: Rule = { v: 1, all: [] }
  const step = (source: Step['source'], { agent_code, shipping_method }: Target, rule: Rule): Step => ({
    agent_code,
    shipping_method,
    rule: compileRule(rule),
    source,
  })
  const rest = methods.find(method => method.shop_codes.includes('*'))
  return [
    ...methods.filter(method => method.shop_codes.length > 0).map(method => step('shop_code', method, byCode(method.shop_codes))),
    ...methods.map(method => {
      const { agent_code, shipping_method } = method
      return step('method_name', method, byCode([shipping_method, `${agent_code}:${shipping_method}`, `${agent_code}_${shipping_method}`]))
    }),
    ...(rest ? [step('other_codes', rest, always)] : []),
    ...(methods.length === 1 ? [step('only_active', elementAt(methods, 0), always)] : []),
  ]
}
