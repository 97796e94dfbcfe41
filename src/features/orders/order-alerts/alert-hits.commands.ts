/**
 * Alerts that orders met: noted once for each alert and set of signals, with what the alert does to the order.
 *
 * A batch of orders takes a few statements, however many of them are met.
 */
import { sql } from 'kysely'
import { access, isAllowed, type Permission } from '#contract/access.ts'
import { forbidden, orNotFound } from '#contract/errors.ts'
import { compileRule } from '#domain/rules/rule-evaluation.ts'
import type { RuleField } from '#domain/rules/rule-fields.ts'
import { ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import { addComments } from '#features/orders/orders/comments/order-comments.queries.ts'
import { insertHolds } from '#features/orders/orders/locks/order-locks.commands.ts'
import { holdOrders, notifyWorkers } from '#features/orders/orders/order-state.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { signalsOf } from './alert-signals.server.ts'
import type { AlertMode } from './order-alerts.codes.ts'
import { alertSettingsOf, alertsInForce } from './order-alerts.queries.ts'
import { alertRule } from './order-alerts.rules.ts'

type Tools = Pick<Context, 'db' | 'recordEvents' | 'notify' | 'now'>

/** Who is named at what an alert did. */
const alertActor = 'Order alert'

/** Orders that are not packed yet: afterwards an alert comes too late. */
const openOrders = ({ db }: Tools, ids: readonly number[]) =>
  db
    .selectFrom('orders')
    .select(['id', 'company_id', 'work_state'])
    .where('id', '=', sql<number>`any(${ids})`)
    .where('cancelled_at', 'is', null)
    .where('work_state', 'in', ['new', 'ready', 'in_pick', 'picked', 'in_pack'])
    .orderBy('id')
    .execute()

interface Met {
  alert_id: number
  owner_company_id: number
  order_id: number
  company_id: number
  signals: string
  mode: AlertMode
  hold_reason: string | null
  digest: boolean
  note: string
  email: string
}

async function metBy(tools: Tools, orders: readonly { id: number; company_id: number }[]): Promise<Met[]> {
  const { db, now } = tools
  const fields = new Set<RuleField>()
  const alerts = (await alertsInForce(db, [...new Set(orders.map(order => order.company_id))])).flatMap(alert => {
    const rule = alertRule(alert)
    if (!rule) return []
    const compiled = compileRule(rule)
    for (const field of compiled.fields) fields.add(field)
    return [{ alert, matches: compiled.matches }]
  })
  if (alerts.length === 0) return []
  const facts = await ordersWithFacts(
    db,
    orders.map(order => order.id),
    fields,
  )
  const reasons = new Map<number, string>()
  const met: Met[] = []
  for (const order of facts)
    for (const { alert, matches } of alerts) {
      if (alert.company_ids !== null && !alert.company_ids.includes(order.company_id)) continue
      const evaluation = { now: now(), zone: order.zone, not_compared: 0 }
      if (!matches(order.facts, evaluation)) continue
      const { id: alert_id, owner_company_id, mode, digest, note, email } = alert
      if (mode === 'hold' && !reasons.has(owner_company_id))
        reasons.set(owner_company_id, (await alertSettingsOf(db, owner_company_id)).hold_reason)
      met.push({
        ...{ alert_id, owner_company_id, order_id: order.id, company_id: order.company_id, mode, note, email },
        signals: signalsOf(alert, order.facts, evaluation).join(','),
        hold_reason: mode === 'hold' ? (reasons.get(owner_company_id) ?? null) : null,
        // Somebody waits for the answer to a hold.
        digest: digest && mode !== 'hold',
      })
    }
  return met
}

/** Notes which alerts these orders meet now; what was noted before is not noted again. */
export async function checkAlerts(tools: Tools, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { db, notify } = tools
  const orders = await openOrders(tools, ids)
  if (orders.length === 0) return
  const met = await metBy(tools, orders)
  if (met.length === 0) return
  const written = await db
    .insertInto('order_alert_hits')
    .values(met.map(({ email: _email, ...hit }) => hit))
    .onConflict(conflicting => conflicting.doNothing())
    .returning(['id', 'alert_id', 'order_id', 'signals'])
    .execute()
  const ids_of = new Map(written.map(row => [`${row.alert_id}/${row.order_id}/${row.signals}`, row.id]))
  const fresh = met.flatMap(hit => {
    const id = ids_of.get(`${hit.alert_id}/${hit.order_id}/${hit.signals}`)
    return id === undefined ? [] : [{ ...hit, id }]
  })
  if (fresh.length === 0) return
  await tools.recordEvents(
    fresh.map(({ id, order_id, company_id, signals, mode, note, email }) => ({
      kind: 'alert.hit',
      order_id,
      company_id,
      subject: 'alert_hit',
      subject_id: id,
      data: { signals, mode, note, recipient: email },
    })),
    { actor: alertActor },
  )
  await addComments(
    db,
    fresh
      .filter(hit => hit.mode !== 'hold')
      .map(({ order_id, company_id, note }) => ({
        ...{ order_id, company_id, user_id: null, actor: alertActor },
        type: 'warning' as const,
        comment: note,
        created_at: tools.now().toISOString(),
      })),
  )
  await holdMet(tools, fresh)
  const touched = new Set(fresh.map(hit => hit.order_id))
  for (const order of orders) if (touched.has(order.id)) notifyWorkers(notify, order)
  if (touched.size > 100) for (const company_id of new Set(fresh.map(hit => hit.company_id))) notify('order', undefined, company_id)
  else for (const { order_id, company_id } of fresh) notify('order', order_id, company_id)
  for (const owner of new Set(fresh.map(hit => hit.owner_company_id))) notify('order_alert', undefined, owner)
}

async function holdMet(tools: Tools, met: readonly (Met & { id: number })[]): Promise<void> {
  const holds = met.filter(hit => hit.mode === 'hold')
  for (const [, hits] of Map.groupBy(holds, hit => hit.alert_id)) {
    const [{ note, hold_reason } = { note: '', hold_reason: null }] = hits
    const reason = hold_reason ?? ''
    const orders = hits.map(hit => ({ id: hit.order_id, company_id: hit.company_id }))
    await insertHolds(tools.db, orders, { reason, note, by: { id: null, name: alertActor } })
    await holdOrders(
      tools,
      orders.map(order => order.id),
      { kind: 'order.held', data: { lock: 'hold', reason, note } },
      { actor: alertActor },
    )
  }
}

/** The hold that alerts set on these orders was released. */
export async function releaseHits(
  { db, now }: Tools,
  released: readonly { order_id: number; reason: string | null }[],
  by: string,
): Promise<void> {
  const holds = released.filter(one => one.reason !== null)
  if (holds.length === 0) return
  await sql`update order_alert_hits h set state = 'released', decided_by = ${by.slice(0, 120)}, decided_at = ${now().toISOString()}
    from unnest(${holds.map(one => one.order_id)}::bigint[], ${holds.map(one => one.reason)}::text[]) r(order_id, reason)
    where h.operator_id = current_operator_id() and h.company_id = any (current_company_ids()) and h.order_id = r.order_id
      and h.hold_reason = r.reason and h.state = 'open'`.execute(db)
}

/** A question for a PIN is taken back by a lead only. */
const settleAccess = { note: access.parcels, hold: access.parcels, pin: access.parcelsAdmin } as const

export async function settleHit({ db, now, notify, recordEvent, principal }: Context, order_id: number, id: number): Promise<void> {
  const hit = orNotFound(await hitById(db, order_id, id), 'alert_hit_not_found', 'This order has no such alert')
  const held: readonly Permission[] = principal.permissions
  if (!isAllowed(held, settleAccess[hit.mode]))
    throw forbidden('alert_settle_forbidden', 'Only a lead can take back the question for a PIN.')
  if (hit.state !== 'open') return
  await db
    .updateTable('order_alert_hits')
    .set({ state: 'kept', decided_by: principal.name.slice(0, 120), decided_at: now().toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
  await recordEvent({
    kind: 'alert.decided',
    order_id,
    company_id: hit.company_id,
    subject: 'alert_hit',
    subject_id: id,
    data: { outcome: 'kept', note: hit.note },
  })
  notify('order', order_id, hit.company_id)
  notify('packing', order_id, hit.company_id)
}

const hitById = (db: Db, order_id: number, id: number) =>
  db
    .selectFrom('order_alert_hits')
    .select(['mode', 'state', 'note', 'company_id'])
    .where('id', '=', id)
    .where('order_id', '=', order_id)
    .forUpdate()
    .executeTakeFirst()

export interface DueMail {
  operator_id: number
  owner_company_id: number
  alert_id: number
  companies: number[]
}

/** Alerts with hits to mail now, of owners that have a mail account; asked as the system. Hits that no account mailed for days are old news. */
export async function dueMails(db: Db, now: Date): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    select h.operator_id, h.owner_company_id, h.alert_id, array_agg(distinct h.company_id) as companies
    from order_alert_hits h
      join mail_accounts m on m.operator_id = h.operator_id and m.company_id = h.owner_company_id
      left join order_alert_settings s on s.operator_id = h.operator_id and s.owner_company_id = h.owner_company_id
    where h.mailed_at is null and h.created_at > ${now.toISOString()}::timestamptz - interval '3 days'
    group by h.operator_id, h.owner_company_id, h.alert_id, s.digest_minutes
    having bool_or(not h.digest) or min(h.created_at) <= ${now.toISOString()}::timestamptz - make_interval(mins => coalesce(s.digest_minutes, 10))
    limit 200`.execute(db)
  return rows
}

/** One mail for everything that waits of one alert. */
export async function mailHits({ db, recordEvent, now }: Context, alert_id: number, owner: number): Promise<void> {
  const at = now().toISOString()
  const rows = await db
    .updateTable('order_alert_hits')
    .set({ mailed_at: at })
    .where('alert_id', '=', alert_id)
    .where('owner_company_id', '=', owner)
    .where('mailed_at', 'is', null)
    .returning('company_id')
    .execute()
  const alert = await db.selectFrom('order_alerts').select('email').where('id', '=', alert_id).executeTakeFirst()
  if (rows.length === 0 || !alert) return
  await recordEvent({
    kind: 'alert.mail_due',
    company_id: owner,
    subject: 'alert',
    subject_id: alert_id,
    data: { at, companies: [...new Set(rows.map(row => row.company_id))], recipient: alert.email, orders: rows.length },
  })
}

/** Deletes hits of earlier than 13 months; asked as the system. */
export const forgetHits = (db: Db, now: Date) =>
  sql`delete from order_alert_hits where created_at < ${now.toISOString()}::timestamptz - interval '13 months'`.execute(db)
