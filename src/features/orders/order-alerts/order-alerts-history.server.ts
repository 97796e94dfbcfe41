/** Order alerts in the history of settings, and setting them back. */
import * as z from 'zod'
import { codesOfCompanies, companiesByCode, type SettingList } from '#features/company/companies/setting-lists.server.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { thresholds } from './order-alerts.codes.ts'
import { removeAlert, writeAlert } from './order-alerts.commands.ts'
import { alertsOf } from './order-alerts.queries.ts'
import { type OrderAlertChange, type OrderAlertFields, OrderAlertFields as Written } from './order-alerts.schemas.ts'

/** The bounds are one value: a part of them never comes back alone. */
const Fields = z.looseObject({
  email: z.string(),
  companies: z.array(z.string()).nullable(),
  thresholds: z.record(z.string(), z.number().nullable()),
})
type Fields = z.output<typeof Fields>

const bounds = new Set<string>(thresholds.flatMap(name => [`${name}_min`, `${name}_max`]))
const part = (fields: object, isBound: boolean) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => bounds.has(name) === isBound))

async function written(
  context: Context,
  { companies, thresholds: limits, ...fields }: Fields,
): Promise<OrderAlertFields & OrderAlertChange> {
  return Written.parse({ ...fields, ...limits, company_ids: await companiesByCode(context, companies) })
}

export const alertList: SettingList<Fields> = {
  name: 'alerts',
  tenantScope: 'operator',
  Fields,
  title: fields => fields.email,
  async find(context, place) {
    const alert = (await alertsOf(context.db, context.principal.company.id)).find(one => one.id === Number(place))
    if (!alert) return undefined
    const { id: _id, broken: _broken, version, updated_at: _at, hits: _hits, company_ids, ...fields } = alert
    const companies = await codesOfCompanies(context, company_ids)
    return { fields: Fields.parse({ ...part(fields, false), thresholds: part(fields, true), companies }), version }
  },
  add: async (context, place, fields) => writeAlert(context, 0, await written(context, fields), Number(place)),
  change: async (context, place, fields, version) => writeAlert(context, Number(place), { ...(await written(context, fields)), version }),
  remove: (context, place) => removeAlert(context, Number(place)),
}
