/** Writes mail accounts; their destinations belong to the outbox. */
import { changeDestination, createDestination, removeDestination } from '#features/deliveries/outbox/outbox.commands.ts'
import { mailTypes } from '#features/deliveries/outbox/public-events.rules.ts'
import type { Db } from '#platform/database/database.ts'
import { mailKind, type SendingAccount } from './mail.queries.ts'

export async function addMailAccount(db: Db, account: SendingAccount): Promise<void> {
  const id = await createDestination(db, mailKind, mailTypes)
  await db
    .insertInto('mail_accounts')
    .values({ id, ...account })
    .execute()
}

/** Changes an account and has the mails that wait tried again. */
export async function changeMailAccount(db: Db, id: number, account: SendingAccount): Promise<void> {
  await db
    .updateTable('mail_accounts')
    .set(eb => ({ ...account, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await changeDestination(db, id, { events: mailTypes, active: true })
}

export async function removeMailAccount(db: Db, id: number): Promise<void> {
  await db.deleteFrom('mail_accounts').where('id', '=', id).execute()
  await removeDestination(db, id)
}
