/** Who gets mails about printers that are offline, and what they say. */
import { sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { printerAlertsOf } from './printer-alerts.queries.ts'
import { type PrinterAlerts, printerAlertsSchemas } from './printer-alerts.schemas.ts'

type Fields = Pick<PrinterAlerts, 'enabled' | 'recipients' | 'after_minutes'>

const historyOf = ({ enabled, recipients, after_minutes }: Fields) => ({ enabled, recipients, after_minutes })

export const printerAlertsOwner: SettingOwner = {
  name: 'printer_alerts',
  async read({ db, scope }) {
    await db.selectFrom('printer_alerts').select('version').where('company_id', '=', scope.company_id).forUpdate().execute()
    const alerts = await printerAlertsOf(db, scope.company_id)
    return { ...historyOf(alerts), version: alerts.version }
  },
  async save(context, _place, values) {
    const read = printerAlertsSchemas.calls.set.body.safeParse(values)
    if (!read.success) throw notValid()
    return setPrinterAlerts(context, read.data)
  },
}

export async function setPrinterAlerts(context: Context, { version, ...fields }: Fields & { version: number }): Promise<PrinterAlerts> {
  const { db, scope, recordEvent, notify } = context
  const { company_id } = scope
  const before = await printerAlertsOf(db, company_id)
  const stale = () => conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: before })
  if (before.version !== version) throw stale()
  if (version === 0) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('printer_alerts')
      .values({ company_id, ...fields })
      .onConflict(same => same.columns(['operator_id', 'company_id']).doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) throw stale()
  } else {
    const { numUpdatedRows } = await db
      .updateTable('printer_alerts')
      .set({ ...fields, version: version + 1 })
      .where('company_id', '=', company_id)
      .where('version', '=', version)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw stale()
  }
  await recordOwnedChanges(context, 'printer_alerts', historyOf(before), historyOf(fields))
  await recordEvent({ kind: 'printer_alert.set', subject: 'company', subject_id: company_id, data: { enabled: fields.enabled } })
  notify('printer')
  return printerAlertsOf(db, company_id)
}

export async function testPrinterAlerts({ db, scope, recordEvents }: Context): Promise<void> {
  const { recipients, can_mail } = await printerAlertsOf(db, scope.company_id)
  if (!can_mail) throw conflict('no_mail_account', 'No e-mail account yet.')
  if (recipients.length === 0) throw conflict('recipients_missing', 'Enter at least one recipient and save.')
  await recordEvents(recipients.map((_, place) => mailDue(scope.company_id, { outage_id: null, place, ended: false })))
}

interface MailDue {
  outage_id: number | null
  /** Of the recipient in the list of recipients: the event itself names no one. */
  place: number
  ended: boolean
}

const mailDue = (company_id: number, data: MailDue) =>
  ({ kind: 'printer_alert.mail_due', subject: 'printer_alert', subject_id: company_id, data }) as const

/** Outages that began or ended since the last look, of every company with alerts; asked as the system. */
export async function storeOutages(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await sql`
    insert into printer_outages (operator_id, company_id, printer_id, began_at)
    select p.operator_id, p.company_id, p.id, ${at} from printers p
      join printer_alerts a on a.operator_id = p.operator_id and a.company_id = p.company_id and a.enabled
    where p.state = 'offline'
    on conflict (operator_id, printer_id) where ended_at is null do nothing`.execute(db)
  // A printer that was removed is not offline any more.
  await sql`
    update printer_outages o set ended_at = ${at} from printers p
    where o.ended_at is null and p.operator_id = o.operator_id and p.id = o.printer_id and p.state <> 'offline'`.execute(db)
  await sql`delete from printer_outages where ended_at < ${at}::timestamptz - interval '90 days'`.execute(db)
}

export interface DueOutage {
  operator_id: number
  company_id: number
  id: number
  ended: boolean
}

/** Outages that lasted long enough to be mailed, and mailed ones that have ended; asked as the system. */
export async function dueOutages(db: Db, now: Date): Promise<DueOutage[]> {
  const { rows } = await sql<DueOutage>`
    select o.operator_id, o.company_id, o.id, o.ended_at is not null as ended
    from printer_outages o
      join printer_alerts a on a.operator_id = o.operator_id and a.company_id = o.company_id and a.enabled
      join mail_accounts m on m.operator_id = o.operator_id and m.company_id = o.company_id
    where cardinality(a.recipients) > 0 and (
      (o.ended_at is null and o.mailed_at is null
        and o.began_at <= ${now.toISOString()}::timestamptz - make_interval(mins => a.after_minutes))
      or (o.ended_at is not null and o.mailed_at is not null and o.end_mailed_at is null
        and o.ended_at > ${now.toISOString()}::timestamptz - interval '1 day'))
    order by o.id limit 500`.execute(db)
  return rows
}

/** Mails each recipient that the printer is offline, or back. The second of two servers finds it mailed. */
export async function mailOutage({ db, scope, now, recordEvents }: Context, { id, ended }: DueOutage): Promise<void> {
  const column = ended ? 'end_mailed_at' : 'mailed_at'
  const { numUpdatedRows } = await db
    .updateTable('printer_outages')
    .set({ [column]: now().toISOString() })
    .where('id', '=', id)
    .where(column, 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  const { recipients } = await printerAlertsOf(db, scope.company_id)
  await recordEvents(recipients.map((_, place) => mailDue(scope.company_id, { outage_id: id, place, ended })))
}
