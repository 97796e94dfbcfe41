/** What a company has already. Each question ends at the first row that answers it. */
import type { Db } from '#platform/database/database.ts'
import type { FirstSteps } from './first-steps.schemas.ts'

export async function alreadyHas(db: Db): Promise<Omit<FirstSteps, 'sender' | 'network'>> {
  const has = await db
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(selectFrom('shipping_methods').select('name').where('active', '=', true)).as('shipping_method'),
      exists(selectFrom('users').select('id').where('removed_at', 'is', null).orderBy('id').limit(1).offset(1)).as('people'),
      exists(selectFrom('product_barcodes').select('product_id')).as('products'),
      exists(selectFrom('orders').select('id')).as('orders'),
      exists(selectFrom('shipments').select('id').where('tracking_no', 'is not', null)).as('packed'),
    ])
    .executeTakeFirstOrThrow()
  return has as { [name in keyof typeof has]: boolean }
}
