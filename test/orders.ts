/** Orders for tests: rows as the import writes them, with badges and search words by the import's own rules. */
import { createHash, randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { CanonicalOrder, type WrittenOrder } from '../src/domain/order/canonical-order.ts'
import { toOrder } from '../src/domain/order/canonical-order-checks.ts'
import { badges } from '../src/domain/order/order-warnings.ts'
import { searchWords } from '../src/domain/order/search-terms.ts'
import type { Database, Db } from '../src/platform/database/database.ts'
import type { OrdersRow } from '../src/platform/database/schema.ts'
import type { TenantScope } from '../src/platform/database/tenant-scope.ts'
import { untilConfirmed } from './retries.ts'

export interface PlacedOrder {
  id: number
  order_no: string
  company_id: number
  /** Ids of its lines, in their order. */
  lines: number[]
}

let numbers = 1_000

export type OrderPlan = Partial<Omit<WrittenOrder, 'ship_to'>> & {
  ship_to?: Partial<WrittenOrder['ship_to']>
  work_state?: Selectable<OrdersRow>['work_state']
  ship_by?: string | null
  agent_code?: string
  shipping_method?: string
}

/** An order of two lines to Lene Hansen in Odense, except for what `plan` says. */
export async function placeOrder(database: Database, scope: TenantScope, plan: OrderPlan = {}): Promise<PlacedOrder> {
  const { work_state = 'ready', ship_by = null, agent_code, shipping_method, ship_to, ...written } = plan
  const order = toOrder(
    CanonicalOrder.parse({
      order_no: String(++numbers),
      currency: 'DKK',
      lines: [
        {
          sku: 'TS001-WH',
          barcode: '5701234567890',
          name: 'T-shirt',
          variant: 'White / L',
          qty: 2,
          weight_g: 200,
          unit_price_excl_vat: '80.00',
          vat_percent: '25',
        },
        { sku: 'CAP-01', name: 'Cap', qty: 1, weight_g: 80, unit_price_excl_vat: '100.00', vat_percent: '25' },
      ],
      ...written,
      ship_to: {
        name: 'Lene Hansen',
        address1: 'Skibhusvej 52',
        postcode: '5000',
        city: 'Odense C',
        country: 'DK',
        phone: '+4512345678',
        email: 'lene@example.test',
        ...ship_to,
      },
    }),
  )
  return database.transaction(scope, async db => {
    const goods = order.lines.filter(line => line.type === 'item' && line.requires_shipping)
    const { id } = await db
      .insertInto('orders')
      .values({
        external_id: order.external_id,
        order_no: order.order_no,
        shop: order.shop,
        work_state,
        phase: work_state,
        currency: order.currency,
        locale: order.locale,
        ordered_at: order.ordered_at ?? new Date().toISOString(),
        ship_by,
        customer_external_id: order.customer.external_id,
        customer_name: order.customer.name ?? order.ship_to.name,
        customer_email: order.customer.email ?? order.ship_to.email,
        customer_phone: order.customer.phone ?? order.ship_to.phone,
        ship_to: JSON.stringify(order.ship_to),
        ship_country: order.ship_to.country,
        service_point: order.service_point && JSON.stringify(order.service_point),
        agent_code: agent_code ?? null,
        shipping_method: shipping_method ?? null,
        tags: order.tags,
        total_incl_vat: order.totals.incl_vat,
        badges: JSON.stringify(badges(order)),
        item_count: goods.reduce((sum, line) => sum + line.qty, 0),
        weight_g: goods.reduce((sum, line) => sum + line.qty * (line.weight_g ?? 0), 0),
        fingerprint: createHash('sha256').update(JSON.stringify(order)).digest(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const lines = await db
      .insertInto('order_lines')
      .values(
        order.lines.map(line => ({
          order_id: id,
          line_no: line.line_no,
          external_id: line.external_id,
          bundle_of: line.bundle_of,
          requires_shipping: line.requires_shipping,
          serial_required: line.serial_required,
          type: line.type,
          sku: line.sku,
          name: line.name,
          variant: line.variant,
          barcode: line.barcode,
          qty: line.qty,
          unit_price_excl_vat: line.unit_price_excl_vat,
          unit_price_incl_vat: line.unit_price_incl_vat,
          weight_g: line.weight_g,
          hs_code: line.hs_code,
          origin: line.origin,
        })),
      )
      .returning('id')
      .execute()
    const words = searchWords(order).map(word => `${scope.company_id}/${word}`)
    await db
      .insertInto('order_words')
      .values({ order_id: id, words: sql<string>`array_to_tsvector(${words}::text[])` })
      .execute()
    await db
      .insertInto('events')
      .values({
        kind: 'order.imported',
        order_id: id,
        actor_name: 'test',
        actor_kind: 'system',
        data: JSON.stringify({ items: goods.length }),
      })
      .execute()
    return { id, order_no: order.order_no, company_id: scope.company_id, lines: lines.map(line => line.id) }
  })
}

/**
 * Places exactly one order on a database that dies meanwhile: an attempt whose commit was not confirmed may have been kept, and is
 * then found by the order's external id.
 */
export function placeOrderOnce(database: Database, scope: TenantScope, plan: OrderPlan = {}): Promise<PlacedOrder> {
  const external_id = plan.external_id ?? randomUUID()
  return untilConfirmed(async attempt => {
    const kept = attempt > 1 ? await placedOrder(database, scope, external_id) : undefined
    return kept ?? placeOrder(database, scope, { ...plan, external_id })
  })
}

function placedOrder(database: Database, scope: TenantScope, external_id: string): Promise<PlacedOrder | undefined> {
  return database.readOnly(scope, async db => {
    const order = await db
      .selectFrom('orders')
      .select(['id', 'order_no', 'company_id'])
      .where('external_id', '=', external_id)
      .executeTakeFirst()
    if (!order) return undefined
    const lines = await db.selectFrom('order_lines').select('id').where('order_id', '=', order.id).orderBy('line_no').execute()
    return { ...order, lines: lines.map(line => line.id) }
  })
}

/** Writes so many orders that differ from this one in their numbers only: `C1`, `C2` …; without items. */
export async function copyOrder(db: Db, id: number, copies: number): Promise<void> {
  const { rows: names } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_name = 'orders' and column_name not in ('id', 'external_id', 'order_no') and is_generated = 'NEVER'`.execute(db)
  const list = sql.raw(names.map(one => one.name).join(', '))
  await sql`insert into orders (external_id, order_no, ${list}) select 'copy-' || id || '-' || n, 'C' || n, ${list}
    from orders, generate_series(1, ${copies}::integer) n where id = ${id}`.execute(db)
}
