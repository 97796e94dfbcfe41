/** Order alerts: handlers, and which changes of orders are looked at. */

import { orNotFound } from '#contract/errors.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, implement, type RecordedEvent, type Subscriptions } from '#platform/http/feature-module.ts'
import { checkAlerts, releaseHits, settleHit } from './alert-hits.commands.ts'
import { mostOrderAlerts, thresholds } from './order-alerts.codes.ts'
import { removeAlert, setAlertSettings, switchAlert, writeAlert } from './order-alerts.commands.ts'
import { orderAlertSettings, orderAlerts } from './order-alerts.contract.ts'
import { alertById, alertSettingsOf, alertsOf, findAlerts, hitsOfOrder } from './order-alerts.queries.ts'
import { orderAlertSettingsSchemas, orderAlertsSchemas } from './order-alerts.schemas.ts'
import { alertList } from './order-alerts-history.server.ts'

const check = (events: readonly RecordedEvent[], context: Context) =>
  checkAlerts(context, [...new Set(events.flatMap(event => event.order_id ?? []))])

const subscriptions: Subscriptions = {
  'order.arrived': check,
  'order.changed': check,
  'order.items_edited': check,
  'order.lines_cancelled': check,
  'order.address_changed': check,
  'order.shipping_set': check,
  'order.method_chosen': check,
  'order.tagged': check,
  'order.hold_released': (events, context) =>
    releaseHits(
      context,
      events.flatMap(({ order_id, data }) => (order_id === null ? [] : { order_id, reason: data.reason })),
      context.principal.name,
    ),
}

export const orderAlertsServer = implement(
  orderAlerts,
  orderAlertsSchemas,
  {
    search: (asked, { db, principal }) => findAlerts(db, principal.company.id, asked),
    get: ({ email }, { db, principal }) => alertsOf(db, principal.company.id, email),
    async update({ id, body }, context) {
      const write = () => writeAlert(context, id, body)
      if (id !== 0) return changeEntry(alertList, context, id, write)
      return addEntry(alertList, context, write, alert => alert.id)
    },
    enable: ({ id }, context) => changeEntry(alertList, context, id, () => switchAlert(context, id, true)),
    disable: ({ id }, context) => changeEntry(alertList, context, id, () => switchAlert(context, id, false)),
    remove: ({ id }, context) => changeEntry(alertList, context, id, () => removeAlert(context, id)),
    one: ({ id }, { db, principal }) => alertById(db, principal.company.id, id),
    async export(asked, { db, principal, now }) {
      const { rows } = await findAlerts(db, principal.company.id, { ...asked, page: 1, limit: mostOrderAlerts })
      const bounds = thresholds.flatMap(name => [`${name}_min`, `${name}_max`] as const)
      return {
        bytes: csv(
          ['email', 'enabled', 'mode', 'threshold_mode', 'match', 'currency', ...bounds, 'digest', 'note', 'hits_30_days'],
          rows.map(row => [
            ...[row.email, String(row.enabled), row.mode, row.threshold_mode, row.match, row.currency],
            ...bounds.map(bound => row[bound]),
            ...[String(row.digest), row.note, row.hits],
          ]),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `order-alerts-${now().toISOString().slice(0, 10)}.csv`,
      }
    },
    async ofOrder({ id }, { db, principal }) {
      orNotFound(await db.selectFrom('orders').select('id').where('id', '=', id).executeTakeFirst(), 'order_not_found', 'Order not found')
      return { rows: await hitsOfOrder(db, id, principal.company.id) }
    },
    settle: ({ id, hit_id }, context) => settleHit(context, id, hit_id),
  },
  subscriptions,
)

export const orderAlertSettingsServer = implement(orderAlertSettings, orderAlertSettingsSchemas, {
  get: (_, { db, principal }) => alertSettingsOf(db, principal.company.id),
  set: ({ body }, context) => setAlertSettings(context, body),
})
