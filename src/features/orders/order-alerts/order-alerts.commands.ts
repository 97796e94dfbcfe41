/** Writing order alerts and their settings. */
import { sql } from 'kysely'
import { conflict, unprocessable } from '#contract/errors.ts'
import { readRule } from '#domain/rules/rule-refusals.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { alertWords, mostOrderAlerts } from './order-alerts.codes.ts'
import { alertById, alertSettingsOf, alertsOf } from './order-alerts.queries.ts'
import { alertRuleJson, isEmptyAlert, wrongRange } from './order-alerts.rules.ts'
import {
  type OrderAlert,
  type OrderAlertChange,
  type OrderAlertFields,
  type OrderAlertSettings,
  type OrderAlertSettingsFields,
  orderAlertSettingsSchemas,
} from './order-alerts.schemas.ts'

const ownerOf = ({ principal }: Context): number => principal.company.id

/** Writers of one company come one after the other. */
const lockOwner = (context: Context) =>
  context.db.selectFrom('companies').select('id').where('id', '=', ownerOf(context)).forUpdate().execute()

/** A shop's alerts are about its own orders, whatever was sent. */
async function checked(context: Context, fields: OrderAlertFields): Promise<OrderAlertFields> {
  const { db, principal } = context
  if (isEmptyAlert(fields)) {
    const sentence = 'Set at least one threshold or condition.'
    throw unprocessable('alert_empty', sentence, {}, { fields: { conditions: sentence } })
  }
  const wrong = wrongRange(fields)
  if (wrong) throw unprocessable('alert_range', alertWords.range, {}, { fields: { [`${wrong}_max`]: alertWords.range } })
  // The conditions alone first, so that a mistake is named where it stands.
  const conditions = readRule(fields.conditions, 'alert', 'conditions')
  readRule(alertRuleJson({ ...fields, conditions }), 'alert', 'conditions')
  if (!principal.company.is_main) return { ...fields, conditions, company_ids: [principal.company.id] }
  for (const id of fields.company_ids ?? []) {
    const known = await db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst()
    if (!known) throw unprocessable('company_unknown', 'There is no company {{company}} here', { company: id })
  }
  return { ...fields, conditions }
}

async function changed(context: Context, id: number): Promise<OrderAlert> {
  const alert = await alertById(context.db, ownerOf(context), id)
  const { email, mode, enabled } = alert
  await context.recordEvent({ kind: 'alert.set', subject: 'alert', subject_id: id, data: { email, mode, enabled } })
  context.notify('order_alert')
  return alert
}

const asColumns = ({ conditions, ...fields }: OrderAlertFields) => ({ ...fields, conditions: JSON.stringify(conditions) })

/** Fields in one order, however they were written. */
const canonical = (alert: OrderAlertFields): string =>
  JSON.stringify(Object.entries(alert).toSorted(([one], [other]) => (one < other ? -1 : 1)))
const fieldsOf = ({ id: _id, broken: _broken, version: _version, updated_at: _at, hits: _hits, ...fields }: OrderAlert): OrderAlertFields =>
  fields

/** `restored` is the number of an alert that comes back. */
export async function writeAlert(
  context: Context,
  id: number,
  { version, ...sent }: OrderAlertChange,
  restored?: number,
): Promise<OrderAlert> {
  const { db } = context
  const owner = ownerOf(context)
  await lockOwner(context)
  const fields = await checked(context, sent)
  if (id === 0) {
    const known = await alertsOf(db, owner)
    const same = known.find(alert => canonical(fieldsOf(alert)) === canonical(fields))
    if (same) return same
    if (known.length >= mostOrderAlerts)
      throw conflict('order_alerts_full', 'There are {{count}} alerts already. Remove one first.', { count: mostOrderAlerts })
    const made = await db
      .insertInto('order_alerts')
      .values({ owner_company_id: owner, ...asColumns(fields), ...(restored !== undefined && { id: restored }) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return changed(context, made.id)
  }
  const current = await alertById(db, owner, id)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  await db
    .updateTable('order_alerts')
    .set(eb => ({ ...asColumns(fields), version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
    .where('id', '=', id)
    .execute()
  return changed(context, id)
}

export async function switchAlert(context: Context, id: number, enabled: boolean): Promise<void> {
  await lockOwner(context)
  const alert = await alertById(context.db, ownerOf(context), id)
  if (alert.enabled === enabled) return
  await context.db
    .updateTable('order_alerts')
    .set(eb => ({ enabled, version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
    .where('id', '=', id)
    .execute()
  await changed(context, id)
}

/** What is gone already stays gone. What it did to orders stays as well. */
export async function removeAlert(context: Context, id: number): Promise<void> {
  const { db, recordEvent, notify } = context
  const removed = await db
    .deleteFrom('order_alerts')
    .where('owner_company_id', '=', ownerOf(context))
    .where('id', '=', id)
    .returning('email')
    .executeTakeFirst()
  if (!removed) return
  await recordEvent({ kind: 'alert.removed', subject: 'alert', subject_id: id, data: { email: removed.email } })
  notify('order_alert')
}

const historyOf = ({ digest_minutes, from_name, hold_reason }: OrderAlertSettingsFields) => ({ digest_minutes, from_name, hold_reason })

export const orderAlertsOwner: SettingOwner = {
  name: 'order_alerts',
  async read(context) {
    await lockOwner(context)
    const settings = await alertSettingsOf(context.db, ownerOf(context))
    return { ...historyOf(settings), version: settings.version }
  },
  async save(context, _place, values) {
    const read = orderAlertSettingsSchemas.calls.set.body.safeParse(values)
    if (!read.success) throw notValid()
    return setAlertSettings(context, read.data)
  },
}

export async function setAlertSettings(
  context: Context,
  { version, ...fields }: OrderAlertSettingsFields & { version: number },
): Promise<OrderAlertSettings> {
  const { db, recordEvent, notify } = context
  const owner = ownerOf(context)
  await lockOwner(context)
  const current = await alertSettingsOf(db, owner)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  await db
    .insertInto('order_alert_settings')
    .values({ owner_company_id: owner, ...fields })
    .onConflict(conflicting =>
      conflicting
        .columns(['operator_id', 'owner_company_id'])
        .doUpdateSet(eb => ({ ...fields, version: eb('order_alert_settings.version', '+', 1) })),
    )
    .execute()
  await recordOwnedChanges(context, 'order_alerts', historyOf(current), historyOf(fields))
  await recordEvent({ kind: 'alert.settings_set', subject: 'company', subject_id: owner })
  notify('order_alert')
  return alertSettingsOf(db, owner)
}
