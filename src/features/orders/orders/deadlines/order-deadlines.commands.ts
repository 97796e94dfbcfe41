/** Gives open orders their deadline and ship-by date: after changes of the order, of deadlines, and by hand. */
import { sql } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import { valueAt } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { type OpenOrder, openOrders, readPlan } from '#features/orders/deadlines/deadlines.queries.ts'
import {
  type AssignedDeadline,
  afterChange,
  assignDeadline,
  type PlannedDeadline,
  promiseOf,
  startOf,
} from '#features/orders/deadlines/pickup.rules.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { countedOf, insertCountChangesText } from '../counts/order-counts.commands.ts'
import { takeOrder } from '../order-facts.queries.ts'
import { editOrder } from '../order-state.commands.ts'
import { whyNotChanged } from '../orders.rules.ts'
import { shipBy } from '../upsert/ship-by.server.ts'

type Tools = Pick<Context, 'db' | 'now' | 'notify' | 'recordEvents'>

type Settings = Map<number, CompanySettings>

async function settingsOf(db: Context['db'], orders: readonly OpenOrder[]): Promise<Settings> {
  const found: Settings = new Map()
  for (const id of new Set(orders.map(order => order.company_id))) found.set(id, await companySettings(db, id))
  return found
}

/** By the company's own cut-off, from when the order's time runs. */
function companyShipBy(order: OpenOrder, settings: Settings): string | null {
  const from = new Date(startOf(order))
  return shipBy(valueAt(settings, order.company_id), { ordered_at: from.toISOString(), now: from, not_before: order.not_before })
}

interface Assigning {
  plan: readonly PlannedDeadline[]
  settings: Settings
  now: number
  /** A wish of the customer changed, or a hold ended: what has passed may move. */
  moves: boolean
}

function assigned(order: OpenOrder, { plan, settings, now, moves }: Assigning): AssignedDeadline | null {
  const byCompany = order.ship_by_source === null || order.ship_by_source === 'company'
  const next = assignDeadline(plan, {
    ...order,
    from: startOf(order),
    now,
    fixed: promiseOf(order),
    // The cut-off of the company at the time of the import holds.
    fallback: () => (byCompany && !moves ? order.ship_by : companyShipBy(order, settings)),
  })
  return afterChange(order, next, { now, moves })
}

interface AssigningOptions {
  moves?: boolean
  plan?: readonly PlannedDeadline[]
}

/** Orders whose clock is stopped by a hold stay as they are until it ends; those that are packed keep what they had. */
export async function giveDeadlines(
  { db, now, notify, recordEvents }: Tools,
  ids: readonly number[],
  { moves = false, plan }: AssigningOptions = {},
): Promise<number> {
  const orders = (await openOrders(db, ids, { lock: true })).filter(order => !order.stopped)
  if (orders.length === 0) return 0
  const deadlines = plan ?? (await readPlan(db))
  const settings = await settingsOf(db, orders)
  const at = now().getTime()
  const changes = orders.flatMap(order => {
    const next = assigned(order, { plan: deadlines, settings, now: at, moves })
    return next ? { order, next } : []
  })
  if (changes.length === 0) return 0
  await sql`with r as materialized (select * from unnest(${changes.map(({ order }) => order.id)}::bigint[],
      ${changes.map(({ next }) => next.deadline_id)}::bigint[], ${changes.map(({ next }) => next.deadline_at)}::timestamptz[],
      ${changes.map(({ next }) => next.ship_by)}::timestamptz[], ${changes.map(({ next }) => next.ship_by_source)}::text[])
      as r(id, deadline_id, deadline_at, ship_by, source)),
    was as materialized (select o.id, ${sql.raw(countedOf('o'))} from r join orders o on o.operator_id = current_operator_id()
      and o.company_id = any (current_company_ids()) and o.id = r.id),
    changed as (
      update orders o set deadline_id = r.deadline_id, deadline_at = r.deadline_at, ship_by = r.ship_by, ship_by_source = r.source
      from r where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.id = r.id
      returning o.id, ${sql.raw(countedOf('o'))})
    ${sql.raw(
      insertCountChangesText(`select ${countedOf('c')}, 1 as n from changed c
        union all select ${countedOf('w')}, -1 from changed c join was w using (id)`),
    )}`.execute(db)
  const moved = changes.filter(({ order, next }) => order.ship_by !== next.ship_by)
  await recordEvents(
    moved.map(({ order, next }) => ({
      kind: 'order.ship_by_changed',
      order_id: order.id,
      company_id: order.company_id,
      data: { before: order.ship_by, ship_by: next.ship_by, source: next.ship_by_source },
    })),
    { actor: 'system' },
  )
  if (changes.length > 20) for (const company_id of settings.keys()) notify('order', undefined, company_id)
  else for (const { order } of changes) notify('order', order.id, order.company_id)
  return changes.length
}

/** By hand, or back to what the rules say. */
export async function setShipBy(
  context: Context,
  id: number,
  { ship_by, reason, version }: { ship_by: string | null; reason: string; version?: number | undefined },
): Promise<{ ship_by: string | null; version: number }> {
  const { db, now } = context
  const order = orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found')
  if (version !== undefined && version !== order.version)
    throw conflict('order_changed', 'Someone else changed this order. Check it and try again.')
  const combined = whyNotChanged(order, 'ship_by')
  if (combined) throw conflict(combined.code, combined.text, combined.values)
  const [open] = await openOrders(db, [id])
  if (!open) throw conflict('ship_by_final', 'The order is packed. Its ship-by date no longer changes.')
  const at = ship_by === null ? null : new Date(ship_by).toISOString()
  const facts: OpenOrder = at === null ? { ...open, ship_by_source: null } : { ...open, ship_by: at, ship_by_source: 'manual' }
  const settings = await settingsOf(db, [open])
  const next = assignDeadline(await readPlan(db), {
    ...facts,
    from: startOf(facts),
    now: now().getTime(),
    fixed: promiseOf(facts),
    fallback: () => companyShipBy(facts, settings),
  })
  const { ship_by_source, ...values } = next
  const changed = await editOrder(context, id, {
    content: { ...values, ship_by_source },
    event: {
      kind: 'order.ship_by_changed',
      data: { before: open.ship_by, ship_by: next.ship_by, source: ship_by_source, reason },
    },
  })
  if (!changed) throw conflict('busy', 'Someone else is changing this right now. Try again.')
  return { ship_by: next.ship_by, version: changed.version }
}
