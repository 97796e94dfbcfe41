/** Writes outgoing webhooks; their destinations belong to the outbox. */
import { changeDestination, createDestination, removeDestination } from '#features/deliveries/outbox/outbox.commands.ts'
import type { PublicType } from '#features/deliveries/outbox/public-events.rules.ts'
import type { Db } from '#platform/database/database.ts'
import { webhookKind } from './webhooks.queries.ts'

export interface WebhookFields {
  name: string
  url: string
  events: readonly PublicType[]
  active: boolean
}

/** Answers the new webhook's id, which is that of its destination. */
export async function addWebhook(db: Db, { name, url, events, active }: WebhookFields): Promise<number> {
  const id = await createDestination(db, webhookKind, events)
  if (!active) await changeDestination(db, id, { events, active })
  await db.insertInto('webhooks').values({ id, name, url }).execute()
  return id
}

/** Answers whether the company has this webhook. */
export async function changeWebhook(
  db: Db,
  company_id: number,
  id: number,
  { name, url, events, active }: WebhookFields,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set({ name, url })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await changeDestination(db, id, { events, active })
  return true
}

/** Answers how many deliveries waited, or undefined when the company has no such webhook. */
export async function removeWebhook(db: Db, company_id: number, id: number): Promise<number | undefined> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 0n ? undefined : removeDestination(db, id)
}
