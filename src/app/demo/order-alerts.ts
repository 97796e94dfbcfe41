/** Alerts about the demo's orders, and what they met in eight weeks – all invented. */
import { sql } from 'kysely'
import { checkAlerts } from '#features/orders/order-alerts/alert-hits.commands.ts'
import { anonymous } from '#platform/auth/identity.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

const everything = JSON.stringify({ v: 1, all: [] })
const abroad = JSON.stringify({ v: 1, all: [{ field: 'order.is_abroad', op: 'is', value: true }] })

const packed = sql`o.packed_at is not null`
const byValue = sql`o.total_incl_vat`
const held = { alert: sql`a.mode = 'hold'`, by: byValue, signal: 'order_value' }
const abroadAlert = { alert: sql`a.note like '%customs%'`, signal: 'conditions,order_value', by: byValue }
/** What alerts met in the weeks before, and what became of it. */
const past = [
  {
    ...{ alert: sql`a.order_count_min is not null`, orders: packed, by: sql`o.item_count`, count: 90, signal: 'order_count' },
    ...{ state: 'kept', decided_by: 'Jonas Krogh' },
  },
  { ...held, orders: packed, count: 38, state: 'released', decided_by: 'Mette Friis' },
  { ...held, orders: sql`o.cancelled_at is not null`, count: 7, state: 'open', decided_by: null },
  {
    ...abroadAlert,
    orders: sql`${packed} and o.ship_country <> 'DK' and o.id % 3 <> 0`,
    count: 44,
    state: 'kept',
    decided_by: 'Mette Friis',
  },
  { ...abroadAlert, orders: sql`${packed} and o.ship_country <> 'DK' and o.id % 3 = 0`, count: 15, state: 'open', decided_by: null },
] as const

/** The alerts of the main company about the orders of all. */
export async function buildOrderAlerts(services: Services, scope: TenantScope): Promise<void> {
  const company = { operator_id: scope.operator_id, id: scope.company_id, code: '', name: '', is_main: true, packing_ip_pattern: '' }
  const outside = createContext(services, anonymous(company), scope, { ip: '', station: '', headers: {}, signal: services.closing })
  await outside.transaction(async context => {
    const common = { owner_company_id: scope.company_id, currency: 'DKK', conditions: everything }
    await context.db
      .insertInto('order_alerts')
      .values([
        { ...common, email: 'packing@demo.example', mode: 'note', order_count_min: 12, note: 'Large order: use two boxes' },
        { ...common, email: 'finance@demo.example', mode: 'hold', order_value_min: 2_000_000, note: 'Check the payment before it leaves' },
        {
          ...common,
          email: 'lead@demo.example',
          mode: 'pin',
          row_count_min: 40,
          note: 'Forty of one product: compare with the order',
          digest: false,
        },
        {
          ...common,
          email: 'customs@demo.example',
          mode: 'note',
          order_value_min: 300_000,
          note: 'Look at the customs papers',
          conditions: abroad,
        },
        {
          ...common,
          email: 'finance@demo.example',
          mode: 'note',
          row_value_min: 500_000,
          note: 'Expensive line: count it twice',
          enabled: false,
        },
      ])
      .execute()
    // What was kept or released was decided before the order was packed; about those of cancelled orders no one decided.
    for (const { alert, orders, by, count, signal, state, decided_by } of past)
      await sql`
        insert into order_alert_hits (company_id, alert_id, owner_company_id, order_id, signals, mode, hold_reason, digest, note, state, decided_by, decided_at, mailed_at, created_at)
        select o.company_id, a.id, a.owner_company_id, o.id, ${signal}, a.mode, case a.mode when 'hold' then 'alert' end, a.digest and a.mode <> 'hold', a.note, ${state},
          ${decided_by}, case when ${state} <> 'open' then o.created_at + (coalesce(o.packed_at, o.created_at) - o.created_at) * 0.6 end,
          o.created_at + interval '10 minutes', o.created_at + interval '1 minute'
        from order_alerts a, lateral (
          select o.id, o.company_id, o.created_at, o.packed_at from orders o
          where o.operator_id = a.operator_id and o.company_id = any (current_company_ids()) and ${orders}
            and o.created_at < ${context.now().toISOString()}::timestamptz - interval '1 day'
          order by ${by} desc nulls last, o.id limit ${count}) o
        where a.operator_id = current_operator_id() and a.owner_company_id = ${scope.company_id} and ${alert}
        on conflict do nothing`.execute(context.db)
    const open = await context.db
      .selectFrom('orders')
      .select('id')
      .where('work_state', '=', 'ready')
      .where('cancelled_at', 'is', null)
      .orderBy('item_count', 'desc')
      .limit(200)
      .execute()
    await checkAlerts(
      context,
      open.map(({ id }) => id),
    )
  })
}
