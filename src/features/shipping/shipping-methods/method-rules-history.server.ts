/** Rules that choose the shipping method in the history of settings, and setting them back. */
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { createRule, removeRule, updateRule } from './method-rules.commands.ts'
import { methodRulesOf } from './method-rules.queries.ts'
import { MethodRuleFields } from './method-rules.schemas.ts'

export const methodRuleList: SettingList<MethodRuleFields> = {
  name: 'method_rules',
  Fields: MethodRuleFields,
  title: fields => fields.name || fields.shipping_method,
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
