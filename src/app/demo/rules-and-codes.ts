/** Tag rules, totes and numbers of a warehouse that has worked for weeks – all invented; the numbers belong to no one. */
import { randomUUID } from 'node:crypto'
import { setNumber } from '#features/company/customs-numbers/customs-numbers.commands.ts'
import { NumberFields } from '#features/company/customs-numbers/customs-numbers.schemas.ts'
import { createTagRule } from '#features/orders/tag-rules/tag-rules.commands.ts'
import { TagRuleFields } from '#features/orders/tag-rules/tag-rules.schemas.ts'
import { codesOfBatch } from '#features/warehouse/paperless/code-pool.commands.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

const above = (amount: number) => ({ v: 1, all: [{ field: 'order.value', op: 'gt', value: { amount, currency: 'DKK' } }] })
const abroad = { v: 1, all: [{ field: 'order.is_abroad', op: 'is', value: true }] }

const numbers = [
  { kind: 'eori', country: 'DK', value: 'DK12345678' },
  { kind: 'eori', country: 'GB', value: 'GB123456789000' },
  { kind: 'voec', country: 'NO', value: '2012345' },
]
const totes = 24

export async function buildRulesAndCodes(services: Services, scope: TenantScope, owner_id: number): Promise<void> {
  await createSystemContext(services, scope).transaction(async context => {
    const { db, now } = context
    const tags = await db.selectFrom('tags').select(['id', 'name']).where('company_id', '=', scope.company_id).execute()
    for (const [name, conditions] of [
      ['VIP', above(400_000)],
      ['Call first', { v: 1, all: [...abroad.all, ...above(250_000).all] }],
    ] as const) {
      const tag_id = tags.find(tag => tag.name === name)?.id ?? 0
      await createTagRule(context, { ...TagRuleFields.parse({ tag_id, conditions }), client_id: randomUUID() })
    }
    for (const number of numbers) await setNumber(context, NumberFields.parse(number))
    await codesOfBatch(context, { key: randomUUID(), first: 1, count: totes, digits: null, user_id: owner_id, now: now() })
  })
}
