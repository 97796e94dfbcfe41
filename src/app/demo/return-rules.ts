/** Rules of returns of a demo company, tried and switched on – all invented. */
import { sql } from 'kysely'
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

const outletBin = 'R-OUTLET'
const sizeQuestion = {
  en_GB: 'Which size would have fitted?',
  da_DK: 'Hvilken størrelse havde passet?',
  de_DE: 'Welche Größe hätte gepasst?',
  no_NO: 'Hvilken størrelse ville passet?',
  sv_SE: 'Vilken storlek hade passat?',
}
const answers = ['One size larger', 'One size smaller', 'The sleeves are too long', 'The same in wide'] as const

const rules = [
  rule(1, 'Mangler i to år', 'return.reason', 'defective', { window_days: 730, photo: true, fee: { amount: 0 } }),
  rule(2, 'Passer ikke: byt', 'return.reason', 'does_not_fit', { outcomes: ['exchange', 'refund'], fee: { amount: 0 } }),
  rule(3, 'Sender meget retur', 'return.share', 50, { review: 'always' }),
  rule(4, 'Fortrudt: til outlet', 'return.reason', 'changed_mind', { destination: { bin: outletBin, address: '' } }),
  rule(5, 'Passer ikke: hvilken størrelse', 'return.reason', 'does_not_fit', { question: { words: sizeQuestion, required: false } }),
]

export async function buildReturnRules(services: Services, scope: TenantScope): Promise<void> {
  const context = createSystemContext(services, scope)
  const { version, rules: saved } = await context.transaction(tools => saveRules(tools, { rules, version: 0 }))
  const found = await tryOnPast(context, saved)
  await context.transaction(async tools => {
    await keepDryRun(tools, scope.company_id, { version, found })
    await enableRules(tools, version)
    // What was asked for before follows the rules as if they had been in force.
    await sql`update return_items i set destination = ${outletBin} from returns r where i.operator_id = current_operator_id()
      and i.company_id = ${scope.company_id} and i.reason_code = 'changed_mind' and i.custody in ('advised', 'in_transit', 'received', 'inspected')
      and r.operator_id = i.operator_id and r.id = i.return_id`.execute(tools.db)
    await sql`update return_items i set question = ${sizeQuestion.en_GB}, answer = (${[...answers]}::text[])[1 + i.id % ${answers.length}]
      from returns r where i.operator_id = current_operator_id() and i.company_id = ${scope.company_id} and i.reason_code = 'does_not_fit'
      and r.operator_id = i.operator_id and r.id = i.return_id and r.source = 'portal'`.execute(tools.db)
  })
}
