/** Writes outgoing webhooks; their destinations belong to the outbox. */
import {
  type ClaimedDelivery,
  changeDestination,
  changePausedDestination,
  createDestination,
  removeDestination,
} from '#features/deliveries/outbox/outbox.commands.ts'
import type { EventsOfObject, PublicType } from '#features/deliveries/outbox/public-events.rules.ts'
import type { Db } from '#platform/database/database.ts'
import { logDays } from './webhooks.codes.ts'
import { webhookKind } from './webhooks.queries.ts'

export interface WebhookFields {
  name: string
  url: string
  events: readonly (PublicType | EventsOfObject)[]
  active: boolean
  /** Null: of all shops. */
  shop: string | null
  /** Its value is a secret beside it. */
  header_name: string | null
}

/** Answers the new webhook's id, which is that of its destination. */
export async function addWebhook(db: Db, { name, url, events, active, shop, header_name }: WebhookFields): Promise<number> {
  const id = await createDestination(db, webhookKind, events, shop)
  if (!active) await changeDestination(db, id, { events, active, shop })
  await db.insertInto('webhooks').values({ id, name, url, header_name }).execute()
  return id
}

export const lockWebhook = (db: Db, company_id: number, id: number) =>
  db.selectFrom('webhooks').select('id').where('company_id', '=', company_id).where('id', '=', id).forUpdate().execute()

/** Answers whether the company has this webhook, in this version where one is named. */
export async function changeWebhook(
  db: Db,
  company_id: number,
  id: number,
  { name, url, events, active, shop, header_name }: WebhookFields,
  version?: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set(eb => ({ name, url, header_name, version: eb('version', '+', 1) }))
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .$if(version !== undefined, one => one.where('version', '=', version ?? 0))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  // A paused one goes on at *Resume* alone: who corrects its address first sees what waits.
  if (!(active && (await changePausedDestination(db, id, { events, shop })))) await changeDestination(db, id, { events, active, shop })
  return true
}

/** Answers how many deliveries waited, or undefined when the company has no such webhook. */
export async function removeWebhook(db: Db, company_id: number, id: number): Promise<number | undefined> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return undefined
  await db.deleteFrom('webhook_bodies').where('webhook_id', '=', id).execute()
  return removeDestination(db, id)
}

/** Keeps what an attempt sends, for the log; the next attempt replaces it. */
export async function storeBody(
  db: Db,
  { id, at, destination_id }: ClaimedDelivery,
  { body, order_id, customer_id }: { body: string; order_id: number | null; customer_id: number | null },
  now: Date,
): Promise<void> {
  const row = { body, order_id, customer_id, sent_at: now.toISOString() }
  await db
    .insertInto('webhook_bodies')
    .values({ delivery_id: id, delivery_at: at, webhook_id: destination_id, ...row })
    .onConflict(same => same.columns(['operator_id', 'delivery_id', 'delivery_at']).doUpdateSet(row))
    .execute()
}

/** Forgets what was sent more than 14 days ago; asked as the system. */
export async function forgetBodies(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('webhook_bodies')
    .where('sent_at', '<', new Date(now.getTime() - logDays * 86_400_000).toISOString())
    .execute()
}
