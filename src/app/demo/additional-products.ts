/** Samples and gifts of the demo that rules add to orders – all invented. */
import { sql } from 'kysely'
import { settleAdditions } from '#features/orders/additional-products/order-additions.commands.ts'
import { anonymous } from '#platform/auth/identity.ts'
import type { Db } from '#platform/database/database.ts'
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

/** What lies in the parcels of the weeks before: a card in each, samples, of which some were not there, and catalogues until the last one. */
const storePast = (db: Db) =>
  sql`
    with packed as (
      select s.operator_id, s.company_id, s.id as session_id, s.order_id, s.user_name, s.ended_at, o.item_count, o.customer_id,
        row_number() over (partition by o.operator_id, o.customer_id order by s.id) as nth_of_customer
      from packing_sessions s join orders o on o.operator_id = s.operator_id and o.id = s.order_id
      where s.operator_id = current_operator_id() and s.state = 'done' and s.ended_at is not null
    )
    insert into order_additions (company_id, order_id, additional_product_id, qty, state, customer_id, session_id, parcel_no, skip_reason,
      decided_by, decided_at, created_at)
    select p.company_id, p.order_id, a.id, 1, case when g.gone then 'skipped' else 'packed' end,
      case when a.per = 'customer' then p.customer_id end, p.session_id, 1, case when g.gone then 'missing' end,
      p.user_name, p.ended_at - interval '20 seconds', p.ended_at - interval '1 hour'
    from packed p
    join additional_products a on a.operator_id = p.operator_id
    cross join lateral (select a.handling = 'scan' and p.order_id % 17 = 0 as gone) g
    where case a.handling when 'scan' then p.item_count >= 4 when 'confirm' then p.customer_id is not null and p.nth_of_customer = 1
      and p.ended_at < now() - interval '20 days' else true end
    on conflict do nothing`.execute(db)

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
    await storePast(context.db)
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
