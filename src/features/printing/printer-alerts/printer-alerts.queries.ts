/** Alerts about printers in the database. */
import { hasMailAccount } from '#features/company/users/password-links.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { PrinterAlerts } from './printer-alerts.schemas.ts'

export async function printerAlertsOf(db: Db, company_id: number): Promise<PrinterAlerts> {
  const settings = await db
    .selectFrom('printer_alerts')
    .select(['enabled', 'recipients', 'after_minutes', 'version'])
    .where('company_id', '=', company_id)
    .executeTakeFirst()
  const outages = await db
    .selectFrom('printer_outages as o')
    .innerJoin('printers as p', join => join.onRef('p.operator_id', '=', 'o.operator_id').onRef('p.id', '=', 'o.printer_id'))
    .select(['p.name as printer', 'p.computer', 'o.began_at', 'o.mailed_at'])
    .where('o.company_id', '=', company_id)
    .where('o.ended_at', 'is', null)
    .where('p.state', '=', 'offline')
    .orderBy('o.began_at')
    .limit(50)
    .execute()
  return {
    enabled: false,
    recipients: [],
    after_minutes: 5,
    version: 0,
    ...settings,
    can_mail: await hasMailAccount(db, company_id),
    outages,
  }
}

/** What the mail about an outage says; undefined where the recipient gets no mails any more. */
export async function outageForMail(db: Db, company_id: number, outage_id: number | null, place: number) {
  const { recipients } = await printerAlertsOf(db, company_id)
  const address = recipients[place]
  const outage =
    outage_id === null
      ? null
      : await db
          .selectFrom('printer_outages as o')
          .innerJoin('printers as p', join => join.onRef('p.operator_id', '=', 'o.operator_id').onRef('p.id', '=', 'o.printer_id'))
          .select(['p.name', 'p.computer', 'o.began_at', 'o.ended_at'])
          .where('o.id', '=', outage_id)
          .executeTakeFirst()
  return address === undefined || outage === undefined ? undefined : { address, outage }
}
