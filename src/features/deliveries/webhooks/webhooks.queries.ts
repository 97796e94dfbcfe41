/** Reads outgoing webhooks. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { mostWebhooks, type OutgoingWebhook } from './webhooks.schemas.ts'

/** The kind of destination in the outbox. */
export const webhookKind = 'webhook'
export const secretName = (id: number) => `outgoing_webhook:${id}`

export const webhooksOf = (db: Db, company_id: number): Promise<OutgoingWebhook[]> =>
  db
    .selectFrom('webhooks as w')
    .innerJoin('outbox_destinations as d', j => j.onRef('d.operator_id', '=', 'w.operator_id').onRef('d.id', '=', 'w.id'))
    .leftJoin('secrets as s', j =>
      j
        .onRef('s.operator_id', '=', 'w.operator_id')
        .onRef('s.company_id', '=', 'w.company_id')
        .on('s.name', '=', sql<string>`'outgoing_webhook:' || w.id`),
    )
    .select(['w.id', 'w.name', 'w.url', 'd.events', 'd.state', 'd.failing_since'])
    .select(eb => [
      eb.fn.coalesce('s.last4', sql<string>`''`).as('last4'),
      eb
        .selectFrom('outbox_deliveries as l')
        .select(one => one.fn.max('l.finished_at').as('at'))
        .whereRef('l.operator_id', '=', 'w.operator_id')
        .whereRef('l.destination_id', '=', 'w.id')
        .where('l.state', '=', 'delivered')
        .as('last_delivery_at'),
      eb
        .selectFrom('outbox_deliveries as o')
        .select(eb.fn.countAll<number>().as('n'))
        .whereRef('o.operator_id', '=', 'w.operator_id')
        .whereRef('o.destination_id', '=', 'w.id')
        .where('o.state', 'in', ['waiting', 'sending'])
        .$asScalar()
        .$notNull()
        .as('waiting'),
    ])
    .where('w.company_id', '=', company_id)
    .orderBy('w.id')
    .limit(mostWebhooks)
    .execute()

/** What sending needs: the address, and the code of its company. */
export const webhookForSending = (db: Db, id: number): Promise<{ url: string; company: string } | undefined> =>
  db
    .selectFrom('webhooks as w')
    .innerJoin('companies as c', j => j.onRef('c.operator_id', '=', 'w.operator_id').onRef('c.id', '=', 'w.company_id'))
    .select(['w.url', 'c.code as company'])
    .where('w.id', '=', id)
    .executeTakeFirst()
