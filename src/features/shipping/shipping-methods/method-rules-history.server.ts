/** Rules that choose the shipping method, and their order, in the history of settings, and setting them back. */
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import type { SettingOrder } from '#features/company/companies/setting-orders.server.ts'
import { createRule, orderRules, removeRule, updateRule } from './method-rules.commands.ts'
import { methodRulesOf } from './method-rules.queries.ts'
import { MethodRuleFields } from './method-rules.schemas.ts'

const titleOf = (fields: Pick<MethodRuleFields, 'name' | 'shipping_method'>): string => fields.name || fields.shipping_method

export const methodRuleList: SettingList<MethodRuleFields> = {
  name: 'method_rules',
  Fields: MethodRuleFields,
  title: titleOf,
  async find({ db, principal }, place) {
    const rule = (await methodRulesOf(db, principal.company.id)).find(one => one.id === Number(place))
    if (!rule) return undefined
    const { id: _id, position: _position, broken: _broken, version, ...fields } = rule
    return { fields, version }
  },
  add: (context, place, fields) => createRule(context, fields, Number(place)),
  change: (context, place, fields, version) => updateRule(context, Number(place), { ...fields, version }),
  remove: (context, place) => removeRule(context, Number(place)),
}

/** The first rule that fits an order chooses. */
export const methodRuleOrder: SettingOrder = {
  name: 'method_rule_order',
  async read({ db, principal }) {
    return (await methodRulesOf(db, principal.company.id)).map(rule => ({ place: String(rule.id), title: titleOf(rule) }))
  },
  save: (context, places) => orderRules(context, places.map(Number)),
}
