/** Rules that choose the shipping method: handlers, and what changes of orders make them do. */
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { changeOrder } from '#features/company/companies/setting-orders.server.ts'
import { implement } from '#platform/http/feature-module.ts'
import { chooseAgain, createRule, orderRules, removeRule, updateRule } from './method-rules.commands.ts'
import { methodRules } from './method-rules.contract.ts'
import { methodRulesOf } from './method-rules.queries.ts'
import { methodRulesSchemas } from './method-rules.schemas.ts'
import { methodRuleList, methodRuleOrder } from './method-rules-history.server.ts'

export const methodRulesServer = implement(
  methodRules,
  methodRulesSchemas,
  {
    list: (_, { db, principal }) => methodRulesOf(db, principal.company.id),
    create: ({ body }, context) =>
      addEntry(
        methodRuleList,
        context,
        () => createRule(context, body),
        rule => rule.id,
      ),
    update: ({ id, body }, context) => changeEntry(methodRuleList, context, id, () => updateRule(context, id, body)),
    order: ({ body }, context) => changeOrder(methodRuleOrder, context, () => orderRules(context, body.ids)),
    remove: ({ id }, context) => changeEntry(methodRuleList, context, id, () => removeRule(context, id)),
  },
  {
    'order.address_changed': (events, context) => chooseAgain(context, events),
    'order.weight_set': (events, context) => chooseAgain(context, events),
    'order.lines_cancelled': (events, context) => chooseAgain(context, events),
  },
)
