/** Approval rules in the history of settings, and setting them back. */
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { ApprovalRuleFields } from './approval.schemas.ts'
import { removeRule, setRule } from './approval-rules.commands.ts'
import { approvalRulesOf } from './approval-rules.queries.ts'

export const approvalRuleList: SettingList<ApprovalRuleFields> = {
  name: 'approval_rules',
  Fields: ApprovalRuleFields,
  title: fields => fields.name,
  async find({ db, principal }, place) {
    const rule = (await approvalRulesOf(db, principal.company.id)).find(one => one.id === Number(place))
    if (!rule) return undefined
    const { id: _id, broken: _broken, last_30_days: _days, version, ...fields } = rule
    return { fields, version }
  },
  add: (context, place, fields) => setRule(context, { ...fields, restored: Number(place) }),
  change: (context, place, fields, version) => setRule(context, { ...fields, id: Number(place), version }),
  remove: (context, place) => removeRule(context, Number(place)),
}
