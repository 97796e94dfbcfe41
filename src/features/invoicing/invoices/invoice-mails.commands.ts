/** Mailing invoices: who gets which files stands in a row, the outbox sends them. */
import { sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import { mailAccountOf } from '#features/deliveries/mail/mail.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'

interface Mailing {
  emails: readonly string[]
  formats: readonly string[]
  subject: string
  by: string
  client_id?: string | undefined
}

/** Queues a mail for each address. Without an account nothing is queued, and the invoice says so. */
export async function queueInvoiceMails(
  { db, now, recordEvents, notify }: Context,
  { id, company_id }: { id: number; company_id: number },
  { emails, formats, subject, by, client_id }: Mailing,
): Promise<boolean> {
  if (!(await mailAccountOf(db, company_id))) return false
  const rows = await db
    .insertInto('invoice_deliveries')
    .values(
      [...new Set(emails)].map(to_address => ({
        ...{ company_id, invoice_id: id, to_address, subject, requested_by_name: by, client_id: client_id ?? null },
        formats: [...new Set(formats)],
      })),
    )
    .onConflict(of => of.columns(['operator_id', 'company_id', 'client_id', 'to_address']).doNothing())
    .returning('id')
    .execute()
  if (rows.length === 0) return true
  await recordEvents(
    rows.map(row => ({ kind: 'invoice.mail_due', company_id, subject: 'invoice', subject_id: id, data: { delivery_id: row.id } })),
  )
  await db
    .updateTable('trade_invoices')
    .set(eb => ({
      state: sql<'frozen'>`case when state = 'frozen' then 'sent' else state end`,
      sent_at: now().toISOString(),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  notify('invoice', id, company_id)
  return true
}

/** For a person, who learns why nothing can be sent. */
export async function sendInvoice(context: Context, invoice: { id: number; company_id: number }, mailing: Mailing): Promise<void> {
  if (mailing.emails.length === 0) throw conflict('no_recipients', 'Enter who gets the invoice')
  if (!(await queueInvoiceMails(context, invoice, mailing))) throw conflict('no_mail_account', 'No e-mail account yet.')
}
