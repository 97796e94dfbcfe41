/** Writes links: issued with a message, used once, closed. */
import { randomBytes } from 'node:crypto'
import { conflict, orNotFound } from '#contract/errors.ts'
import type { AnswerChoice } from '#features/messages/templates/templates.codes.ts'
import { hashToken, type Vault } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type ClosedReason, linkHours, mostTries } from './decision-links.codes.ts'
import { questionById, tokenOf } from './decision-links.queries.ts'
import type { OrderQuestion } from './decision-links.schemas.ts'

export interface NewLink {
  company_id: number
  order_id: number
  message_id: number
  channel: 'sms' | 'email'
  choices: readonly AnswerChoice[]
  /** From when the three days count: a message may wait for the end of quiet hours. */
  from: Date
  actor: string
}

/** A link for each of these new messages. On a channel the newest question of an order counts. */
export async function issueLinks(
  { db, vault, now }: { db: Db; vault: Vault; now: Date },
  operator_id: number,
  links: readonly NewLink[],
): Promise<void> {
  if (links.length === 0) return
  for (const channel of ['sms', 'email'] as const)
    await closeLinks(
      db,
      links.filter(link => link.channel === channel).map(link => link.order_id),
      { reason: 'newer', now, channel },
    )
  await db
    .insertInto('decision_links')
    .values(
      links.map(({ from, choices, company_id, ...link }) => {
        const seed = randomBytes(16)
        return {
          ...link,
          company_id,
          choices: [...choices],
          seed,
          token_hash: hashToken(tokenOf(vault, { operator_id, company_id }, seed)),
          created_at: now.toISOString(),
          expires_at: new Date(from.getTime() + linkHours * 3_600_000).toISOString(),
        }
      }),
    )
    .execute()
}

interface Closing {
  reason: ClosedReason
  now: Date
  channel?: 'sms' | 'email'
}

/** Closes the questions of orders that wait; answers how many these are. */
export async function closeLinks(db: Db, order_ids: readonly number[], { reason, now, channel }: Closing): Promise<number> {
  if (order_ids.length === 0) return 0
  let update = db
    .updateTable('decision_links')
    .set({ closed_at: now.toISOString(), closed_reason: reason })
    .where('order_id', 'in', [...new Set(order_ids)])
    .where('used_at', 'is', null)
    .where('closed_at', 'is', null)
  if (channel) update = update.where('channel', '=', channel)
  const { numUpdatedRows } = await update.executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Counts a wrong postcode, of which the fifth closes the link; answers how many tries are left. */
export async function countWrongPostcode(db: Db, id: number, now: Date): Promise<number> {
  const row = await db
    .updateTable('decision_links')
    .set(eb => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .where('tries', '<', mostTries)
    .returning('tries')
    .executeTakeFirst()
  const left = mostTries - (row?.tries ?? mostTries)
  if (left === 0)
    await db
      .updateTable('decision_links')
      .set({ closed_at: now.toISOString(), closed_reason: 'postcode' })
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('closed_at', 'is', null)
      .execute()
  return left
}

interface Choice {
  choice: AnswerChoice
  until: string | null
  client_id: string
}

/** Uses the link up, and closes what else the order was asked. False where somebody was faster. Call it with the order's row taken. */
export async function useLink(db: Db, link: { id: number; order_id: number }, choice: Choice, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('decision_links')
    .set({ ...choice, used_at: now.toISOString() })
    .where('id', '=', link.id)
    .where('used_at', 'is', null)
    .where('closed_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await closeLinks(db, [link.order_id], { reason: 'answered', now })
  return true
}

/** @throws {AppError} 404; 409 for a question that waits no more */
export async function revokeLink({ db, now, recordEvent, notify }: Context, id: number): Promise<OrderQuestion> {
  const row = orNotFound(
    await db.selectFrom('decision_links').select(['order_id', 'company_id']).where('id', '=', id).executeTakeFirst(),
    'question_not_found',
    'Question not found',
  )
  const { numUpdatedRows } = await db
    .updateTable('decision_links')
    .set({ closed_at: now().toISOString(), closed_reason: 'revoked' })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw conflict('question_settled', 'This question does not wait for an answer any more.')
  await recordEvent({
    kind: 'link.revoked',
    order_id: row.order_id,
    company_id: row.company_id,
    subject: 'decision_link',
    subject_id: id,
    data: {},
  })
  notify('message', undefined, row.company_id)
  return orNotFound(await questionById(db, id, now()), 'question_not_found', 'Question not found')
}

/** Deletes links that expired 90 days ago. */
export const forgetLinks = (db: Db, now: Date) =>
  db
    .deleteFrom('decision_links')
    .where('expires_at', '<', new Date(now.getTime() - 90 * 86_400_000).toISOString())
    .execute()
