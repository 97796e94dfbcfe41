/** Writes accounts at gateways of text messages. */
import type { SmsProblem } from '#domain/sms-codes.ts'
import { deleteSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import { smsCallbackSecret, smsSecret } from './sms.queries.ts'
import type { SmsAccountChange } from './sms.schemas.ts'

type Fields = Omit<SmsAccountChange, 'secret' | 'callback_secret' | 'version'>

export async function setSmsAccount(db: Db, id: number | undefined, fields: Fields): Promise<void> {
  if (id === undefined) await db.insertInto('sms_accounts').values(fields).execute()
  else
    await db
      .updateTable('sms_accounts')
      .set(eb => ({
        ...fields,
        version: eb('version', '+', 1),
        // They were those of the account as it was.
        balance_micro: null,
        balance_currency: null,
        balance_at: null,
        problem: null,
        answer: null,
        problem_at: null,
      }))
      .where('id', '=', id)
      .execute()
}

export async function removeSmsAccount(db: Db, company_id: number): Promise<void> {
  await db.deleteFrom('sms_accounts').where('company_id', '=', company_id).execute()
  await deleteSecret(db, { company_id, name: smsSecret })
  await deleteSecret(db, { company_id, name: smsCallbackSecret })
}

export const storeBalance = (db: Db, id: number, balance: { balance_micro: number; currency: string } | null, at: Date) =>
  db
    .updateTable('sms_accounts')
    .set({ balance_micro: balance?.balance_micro ?? null, balance_currency: balance?.currency ?? null, balance_at: at.toISOString() })
    .where('id', '=', id)
    .execute()

/** What the gateway said when it took no message; null once it has taken one. */
export async function noteProblem(db: Db, id: number, problem: { problem: SmsProblem; answer: string } | null, at: Date): Promise<void> {
  const row = db.updateTable('sms_accounts').where('id', '=', id)
  if (problem === null) await row.set({ problem: null, answer: null, problem_at: null }).where('problem', 'is not', null).execute()
  else await row.set({ problem: problem.problem, answer: problem.answer.slice(0, 300), problem_at: at.toISOString() }).execute()
}
