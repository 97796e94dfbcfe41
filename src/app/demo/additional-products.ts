/** Samples and gifts of the demo that rules add to orders – all invented. */
import { settleAdditions } from '#features/orders/additional-products/order-additions.commands.ts'
import { anonymous } from '#platform/auth/identity.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

const large = { v: 1, all: [{ field: 'order.item_count', op: 'gte', value: 4 }] }
const every = { v: 1, all: [] }

const products = [
  {
    name: 'Coffee sample',
    barcode: '5790000990011',
    texts: {
      en_GB: 'On top of the products',
      da_DK: 'Øverst i pakken',
      de_DE: 'Oben auf die Ware',
      no_NO: 'Øverst i pakken',
      sv_SE: 'Överst i paketet',
    },
    conditions: large,
    per: 'order' as const,
    handling: 'scan' as const,
    bin: 'A-01-1',
    weight_g: 40,
    hs_code: '090121',
    value: 800,
    currency: 'DKK',
    stock_left: 140,
  },
  {
    name: 'Thank-you card',
    texts: {},
    conditions: every,
    per: 'order' as const,
    handling: 'show' as const,
    weight_g: 6,
    hs_code: '490900',
    value: 100,
    currency: 'DKK',
    stock_left: null,
  },
  {
    name: 'Autumn catalogue',
    texts: {},
    conditions: every,
    per: 'customer' as const,
    handling: 'confirm' as const,
    weight_g: 120,
    stock_left: 0,
  },
]

/** The products, and what the orders that wait already get of them. */
export async function buildAdditionalProducts(services: Services, scope: TenantScope): Promise<void> {
  const company = { operator_id: scope.operator_id, id: scope.company_id, code: '', name: '', is_main: true, packing_ip_pattern: '' }
  const outside = createContext(services, anonymous(company), scope, { ip: '', station: '', headers: {}, signal: services.closing })
  await outside.transaction(async context => {
    await context.db
      .insertInto('additional_products')
      .values(
        products.map(({ texts, conditions, ...product }, place) => ({
          ...product,
          position: place + 1,
          texts: JSON.stringify(texts),
          conditions: JSON.stringify(conditions),
        })),
      )
      .execute()
    const ready = await context.db
      .selectFrom('orders')
      .select('id')
      .where('work_state', '=', 'ready')
      .where('cancelled_at', 'is', null)
      .execute()
    await settleAdditions(
      context,
      ready.map(({ id }) => id),
    )
  })
}
