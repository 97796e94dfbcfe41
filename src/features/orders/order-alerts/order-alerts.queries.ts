/** Reads of order alerts. Their rows are the operator's: each company sees its own. */
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod'
import { orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { alertRule } from './order-alerts.rules.ts'
import { type AskedAlerts, OrderAlert, OrderAlertHit, OrderAlertSettings } from './order-alerts.schemas.ts'

const columns = [
  'a.id',
  'a.email',
  'a.company_ids',
  'a.enabled',
  'a.mode',
  'a.threshold_mode',
  'a.match',
  'a.currency',
  'a.row_count_min',
  'a.row_count_max',
  'a.row_value_min',
  'a.row_value_max',
  'a.order_count_min',
  'a.order_count_max',
  'a.order_value_min',
  'a.order_value_max',
  'a.conditions',
  'a.digest',
  'a.note',
  'a.version',
  'a.updated_at',
] as const

const hitsOfMonth = sql<number>`(select count(*)::integer from order_alert_hits h where h.operator_id = a.operator_id
  and h.company_id = any (current_company_ids()) and h.alert_id = a.id and h.created_at > now() - interval '30 days')`

const ownedBy = (db: Db, owner: number) => db.selectFrom('order_alerts as a').where('a.owner_company_id', '=', owner)

const selected = (db: Db, owner: number) => ownedBy(db, owner).select(columns).select(hitsOfMonth.as('hits'))

const Stored = OrderAlert.omit({ broken: true }).extend({ conditions: RuleJson.catch({ v: 1, all: [] }) })
function asAlert(row: { conditions: unknown }): OrderAlert {
  const alert = Stored.parse(row)
  return { ...alert, broken: alertRule({ ...alert, conditions: row.conditions }) === undefined }
}

export async function alertById(db: Db, owner: number, id: number): Promise<OrderAlert> {
  const row = await selected(db, owner).where('a.id', '=', id).executeTakeFirst()
  return asAlert(orNotFound(row, 'order_alert_not_found', 'Alert not found'))
}

export async function alertsOf(db: Db, owner: number, email?: string): Promise<OrderAlert[]> {
  let from = selected(db, owner)
  if (email !== undefined) from = from.where(sql`lower(a.email)`, '=', email.toLowerCase())
  return (await from.orderBy(sql`lower(a.email)`).orderBy('a.id').execute()).map(asAlert)
}

const sortColumns: Record<string, RawBuilder<unknown>> = { email: sql`lower(a.email)`, hits: sql`hits`, changed: sql`a.updated_at` }

export async function findAlerts(
  db: Db,
  owner: number,
  { query, enabled, mode, sort, ...paging }: AskedAlerts & { page: number; limit: number },
): Promise<Page<OrderAlert>> {
  const matches = sql<boolean>`${sql.join(
    [
      sql`true`,
      ...(query === '' ? [] : [sql`(a.email ilike ${containing(query)} or a.note ilike ${containing(query)})`]),
      ...(enabled === undefined ? [] : [sql`a.enabled = ${enabled}`]),
      ...(mode === undefined ? [] : [sql`a.mode = ${mode}`]),
    ],
    sql` and `,
  )}`
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const rows = await selected(db, owner)
    .where(matches)
    .orderBy(sortColumns[sort.replace('-', '')] ?? sql`a.id`, direction)
    .orderBy('a.id')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return {
    rows: rows.map(asAlert),
    ...(await cappedCount(db, ownedBy(db, owner).where(matches))),
    offset: pageOffset(paging),
    limit: paging.limit,
  }
}

/** Alerts that are on and may be about orders of these companies, with their owner. */
export async function alertsInForce(db: Db, companies: readonly number[]): Promise<(OrderAlert & { owner_company_id: number })[]> {
  const rows = await db
    .selectFrom('order_alerts as a')
    .select(columns)
    .select(['a.owner_company_id', sql<number>`0`.as('hits')])
    .where('a.enabled', '=', true)
    .where(sql<boolean>`(a.company_ids is null or a.company_ids && ${companies}::bigint[])`)
    .orderBy('a.id')
    .execute()
  return rows.map(row => ({ ...asAlert(row), owner_company_id: row.owner_company_id }))
}

const defaultSettings = { digest_minutes: 10, from_name: '', hold_reason: 'alert', version: 0 }

export async function alertSettingsOf(db: Db, owner: number): Promise<OrderAlertSettings> {
  const row = await db
    .selectFrom('order_alert_settings')
    .select(['digest_minutes', 'from_name', 'hold_reason', 'version'])
    .where('owner_company_id', '=', owner)
    .executeTakeFirst()
  const account = await db.selectFrom('mail_accounts').select('id').where('company_id', '=', owner).executeTakeFirst()
  return OrderAlertSettings.parse({ ...(row ?? defaultSettings), has_mail_account: account !== undefined })
}

const Hits = z.array(OrderAlertHit)

/** The recipient is for those who own the alert. */
export async function hitsOfOrder(db: Db, order_id: number, reader: number): Promise<OrderAlertHit[]> {
  const rows = await db
    .selectFrom('order_alert_hits as h')
    .leftJoin('order_alerts as a', j => j.onRef('a.operator_id', '=', 'h.operator_id').onRef('a.id', '=', 'h.alert_id'))
    .select(['h.id', 'h.created_at', 'h.signals', 'h.mode', 'h.note', 'h.state', 'h.decided_by', 'h.decided_at', 'h.mailed_at'])
    .select(['a.email', 'h.owner_company_id'])
    .where('h.order_id', '=', order_id)
    .orderBy('h.id', 'desc')
    .limit(50)
    .execute()
  return Hits.parse(
    rows.map(({ email, owner_company_id, signals, ...hit }) => ({
      ...hit,
      signals: signals.split(','),
      recipient: owner_company_id === reader ? email : null,
    })),
  )
}

/** Alerts that ask for a lead's PIN before the order is packed. */
export const pinAlertsOf = (db: Db, order_id: number) =>
  db
    .selectFrom('order_alert_hits')
    .select(['id', 'note'])
    .where('order_id', '=', order_id)
    .where('mode', '=', 'pin')
    .where('state', '=', 'open')
    .orderBy('id')
    .limit(10)
    .execute()

/** What the mail of an alert that was due at this time says: facts of orders, none of people. Undefined without the alert. */
export async function mailedHits(db: Db, owner: number, alert_id: number, at: string) {
  const alert = await ownedBy(db, owner).select(['a.email', 'a.note', 'a.mode']).where('a.id', '=', alert_id).executeTakeFirst()
  if (!alert) return undefined
  const hits = await db
    .selectFrom('order_alert_hits as h')
    .innerJoin('orders as o', j => j.onRef('o.operator_id', '=', 'h.operator_id').onRef('o.id', '=', 'h.order_id'))
    .select(['h.order_id', 'h.signals', 'o.order_no', 'o.total_incl_vat', 'o.currency', 'o.ship_country'])
    .where('h.alert_id', '=', alert_id)
    .where('h.owner_company_id', '=', owner)
    .where('h.mailed_at', '=', at)
    .orderBy('h.id')
    .execute()
  return { ...alert, hits, from_name: (await alertSettingsOf(db, owner)).from_name }
}
