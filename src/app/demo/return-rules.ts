/** Rules of returns of a demo company, tried and switched on – all invented. */
import { enableRules, keepDryRun, saveRules } from '#features/returns/return-rules/return-rules.commands.ts'
import { tryOnPast } from '#features/returns/return-rules/return-rules.task.ts'
import { type ReturnRule, ReturnRuleEffects } from '#features/returns/returns/return-policy.schemas.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

const rule = (place: number, name: string, field: string, value: unknown, effects: object): ReturnRule => ({
  ...{ id: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`, name, active: true },
  conditions: { v: 1, all: [{ field, op: typeof value === 'number' ? 'gte' : 'eq', value }] },
  effects: ReturnRuleEffects.parse(effects),
})

const rules = [
  rule(1, 'Mangler i to år', 'return.reason', 'defective', { window_days: 730, photo: true, fee: { amount: 0 } }),
  rule(2, 'Passer ikke: byt', 'return.reason', 'does_not_fit', { outcomes: ['exchange', 'refund'], fee: { amount: 0 } }),
  rule(3, 'Sender meget retur', 'return.share', 50, { review: 'always' }),
]

export async function buildReturnRules(services: Services, scope: TenantScope): Promise<void> {
  const context = createSystemContext(services, scope)
  const { version, rules: saved } = await context.transaction(tools => saveRules(tools, { rules, version: 0 }))
  const found = await tryOnPast(context, saved)
  await context.transaction(async tools => {
    await keepDryRun(tools, scope.company_id, { version, found })
    await enableRules(tools, version)
  })
}
