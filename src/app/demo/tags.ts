/** Tags of the demo's companies, and some orders, products and customers that have them – all invented. */
import type { TagObject } from '#features/company/tags/tags.codes.ts'
import { applyTags, createTag } from '#features/company/tags/tags.commands.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

const names = [
  ['business', 'c1'],
  ['gift', 'c2'],
  ['VIP', 'c3'],
  ['Call first', 'c4'],
  ['Fragile', 'c5'],
  ['Trade fair', 'c6'],
] as const

/** Every so many get the tag. */
const spread: readonly { object: TagObject; name: string; every: number }[] = [
  { object: 'order', name: 'VIP', every: 11 },
  { object: 'order', name: 'Call first', every: 23 },
  { object: 'product', name: 'Fragile', every: 7 },
  { object: 'customer', name: 'VIP', every: 13 },
]

/** Shops' words become tags of the same name, as `gift` of their orders. */
export async function buildTags(services: Services, scope: TenantScope): Promise<void> {
  await createSystemContext(services, scope).transaction(async context => {
    const { db } = context
    for (const [name, color] of names) await createTag(context, { name, color })
    const newest = {
      order: () =>
        db.selectFrom('orders').select('id').where('company_id', '=', scope.company_id).orderBy('id', 'desc').limit(400).execute(),
      product: () => db.selectFrom('products').select('id').where('company_id', '=', scope.company_id).orderBy('id').limit(400).execute(),
      customer: () =>
        db
          .selectFrom('customer_companies')
          .select('customer_id as id')
          .where('company_id', '=', scope.company_id)
          .orderBy('customer_id')
          .limit(400)
          .execute(),
    }
    for (const { object, name, every } of spread) {
      const ids = (await newest[object]()).filter((_, at) => at % every === 0).map(row => row.id)
      await applyTags(context, { object, ids, add: [name], remove: [] })
    }
  })
}
