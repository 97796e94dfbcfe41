/** The rules of returns: handlers. */
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { enableRules, resetRules, saveRules, tryRules } from './return-rules.commands.ts'
import { returnRules } from './return-rules.contract.ts'
import { rulesOfCompany } from './return-rules.queries.ts'
import { returnRulesSchemas } from './return-rules.schemas.ts'

export const returnRulesServer = implement(returnRules, returnRulesSchemas, {
  get: (_, { db, principal }) => rulesOfCompany(db, principal.company.id),
  save: ({ body }, context) => saveRules(context, body),
  async export(_, { db, principal, now }) {
    const { rules, dry_run } = await rulesOfCompany(db, principal.company.id)
    return {
      bytes: csv(
        ['name', 'active', 'met_90_days', 'conditions', 'effects'],
        rules.map(rule => [
          rule.name,
          rule.active ? 1 : 0,
          dry_run?.rules.find(one => one.id === rule.id)?.met ?? null,
          JSON.stringify(rule.conditions),
          JSON.stringify(rule.effects),
        ]),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `return-rules-${now().toISOString().slice(0, 10)}.csv`,
    }
  },
  dryRun: ({ body: { version } }, context) => tryRules(context, version),
  enable: ({ body: { version } }, context) => enableRules(context, version),
  reset: ({ body: { version } }, context) => resetRules(context, version),
})
