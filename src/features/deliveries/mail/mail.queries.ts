/** Reads mail accounts. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { MailProblem } from './mail.codes.ts'
import { MailAccount } from './mail.schemas.ts'

/** The kind of destination in the outbox. */
export const mailKind = 'mail'
export const mailSecret = 'mail_account'

const columns = ['m.host', 'm.port', 'm.security', 'm.user_name', 'm.from_name', 'm.from_address', 'm.reply_to', 'm.version'] as const

export async function mailAccountOf(db: Db, company_id: number): Promise<{ id: number; account: MailAccount } | undefined> {
  const row = await db
    .selectFrom('mail_accounts as m')
    .innerJoin('outbox_destinations as d', j => j.onRef('d.operator_id', '=', 'm.operator_id').onRef('d.id', '=', 'm.id'))
    .leftJoin('secrets as s', j =>
      j
        .onRef('s.operator_id', '=', 'm.operator_id')
        .onRef('s.company_id', '=', 'm.company_id')
        .on('s.name', '=', sql<string>`${mailSecret}`),
    )
    .select(['m.id', ...columns, 'd.state'])
    .select(eb => [
      eb('s.name', 'is not', null).as('has_password'),
      eb
        .selectFrom('outbox_deliveries as o')
        .select(eb.fn.countAll<number>().as('n'))
        .whereRef('o.operator_id', '=', 'm.operator_id')
        .whereRef('o.destination_id', '=', 'm.id')
        .where('o.state', 'in', ['waiting', 'sending'])
        .$asScalar()
        .$notNull()
        .as('waiting'),
    ])
    .where('m.company_id', '=', company_id)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, ...fields } = row
  return { id, account: MailAccount.parse({ ...fields, has_password: !!fields.has_password, last: await lastMail(db, id) }) }
}

/** The delivery that was tried last, with the code and the text that its sender wrote down. */
async function lastMail(db: Db, destination_id: number): Promise<MailAccount['last']> {
  const row = await db
    .selectFrom('outbox_deliveries')
    .select(['state', 'attempts', 'answer', 'at', 'finished_at'])
    .where('destination_id', '=', destination_id)
    .where('attempts', '>', 0)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const { answer, finished_at, ...delivery } = row
  return MailAccount.shape.last.parse({ ...delivery, at: finished_at ?? row.at, ...readAnswer(answer ?? '') })
}

/** `problem: what the server said`, as `writeAnswer` joins them. */
const readAnswer = (text: string) => {
  const [, problem, answer] = /^(?:([a-z_]+): )?(.*)$/s.exec(text) ?? []
  return { problem: problem ?? null, answer: answer ?? '' }
}

export const writeAnswer = (problem: MailProblem | null, answer: string): string => (problem === null ? answer : `${problem}: ${answer}`)

export interface SendingAccount {
  host: string
  port: number
  security: MailAccount['security']
  user_name: string | null
  from_name: string
  from_address: string
  reply_to: string | null
}

/** What sending needs; the password is a secret. */
export const accountForSending = (db: Db, company_id: number): Promise<SendingAccount | undefined> =>
  db
    .selectFrom('mail_accounts as m')
    .select(columns)
    .where('m.company_id', '=', company_id)
    .$narrowType<{ security: MailAccount['security'] }>()
    .executeTakeFirst()
