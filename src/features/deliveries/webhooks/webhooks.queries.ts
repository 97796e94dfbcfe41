/** Reads outgoing webhooks. */
import { sql } from 'kysely'
import { access, permissionId } from '#contract/access.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { effectivePermission } from '#platform/auth/effective-permission.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { chartDays, mostWebhooks } from './webhooks.codes.ts'
import type { LogQuestion, OutgoingWebhook, WebhookDelivery, WebhookDeliveryDetail } from './webhooks.schemas.ts'

/** The kind of destination in the outbox. */
export const webhookKind = 'webhook'
/** People whom one pause is mailed to. */
const mostMailed = 50
export const secretName = (id: number) => `outgoing_webhook:${id}`
/** Of the value of its own header. */
export const headerSecretName = (id: number) => `outgoing_webhook_header:${id}`

export const webhooksOf = (db: Db, company_id: number, now: Date): Promise<OutgoingWebhook[]> =>
  db
    .selectFrom('webhooks as w')
    .innerJoin('outbox_destinations as d', j => j.onRef('d.operator_id', '=', 'w.operator_id').onRef('d.id', '=', 'w.id'))
    .leftJoin('secrets as s', j =>
      j
        .onRef('s.operator_id', '=', 'w.operator_id')
        .onRef('s.company_id', '=', 'w.company_id')
        .on('s.name', '=', sql<string>`'outgoing_webhook:' || w.id`),
    )
    .select([
      'w.id',
      'w.name',
      'w.url',
      'w.header_name',
      'w.version',
      'd.shop',
      'd.events',
      'd.state',
      'd.failing_since',
      'd.paused_at',
      'd.lost',
    ])
    .select(eb => [
      eb.fn.coalesce('s.last4', sql<string>`''`).as('last4'),
      eb
        .selectFrom('secrets as h')
        .select('h.last4')
        .whereRef('h.operator_id', '=', 'w.operator_id')
        .whereRef('h.company_id', '=', 'w.company_id')
        .where('h.name', '=', sql<string>`'outgoing_webhook_header:' || w.id`)
        .as('header_last4'),
      eb
        .selectFrom('retired_secrets as r')
        .select(one => one.fn.max('r.valid_until').as('until'))
        .whereRef('r.operator_id', '=', 'w.operator_id')
        .whereRef('r.company_id', '=', 'w.company_id')
        .where('r.name', '=', sql<string>`'outgoing_webhook:' || w.id`)
        .where('r.valid_until', '>', now.toISOString())
        .as('old_secret_until'),
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
export const webhookForSending = (db: Db, id: number): Promise<{ url: string; header_name: string | null; company: string } | undefined> =>
  db
    .selectFrom('webhooks as w')
    .innerJoin('companies as c', j => j.onRef('c.operator_id', '=', 'w.operator_id').onRef('c.id', '=', 'w.company_id'))
    .select(['w.url', 'w.header_name', 'c.code as company'])
    .where('w.id', '=', id)
    .executeTakeFirst()

const logOf = (db: Db, id: number, { state, event, from, to, q }: LogQuestion) => {
  const words = q?.trim() ?? ''
  const event_id = /^evt_(\d{1,15})$/.exec(words)?.[1]
  return db
    .selectFrom('outbox_deliveries as d')
    .innerJoin('outbox as x', j =>
      j.onRef('x.operator_id', '=', 'd.operator_id').onRef('x.id', '=', 'd.outbox_id').onRef('x.at', '=', 'd.at'),
    )
    .leftJoin('shipments as s', j =>
      j.onRef('s.operator_id', '=', 'd.operator_id').onRef('s.id', '=', 'd.object_id').on('d.object_type', '=', 'shipment'),
    )
    .leftJoin('returns as r', j =>
      j.onRef('r.operator_id', '=', 'd.operator_id').onRef('r.id', '=', 'd.object_id').on('d.object_type', '=', 'return'),
    )
    .leftJoin('orders as o', j =>
      j
        .onRef('o.operator_id', '=', 'd.operator_id')
        .on(eb =>
          eb(
            'o.id',
            '=',
            eb
              .case()
              .when('d.object_type', '=', 'order')
              .then(eb.ref('d.object_id'))
              .else(eb.fn.coalesce('s.order_id', 'r.order_id'))
              .end(),
          ),
        ),
    )
    .where('d.destination_id', '=', id)
    .$if(state !== undefined, rows => rows.where('d.state', 'in', state ?? []))
    .$if(event !== undefined, rows => rows.where('x.kind', 'in', event ?? []))
    .$if(from !== undefined, rows => rows.where('d.at', '>=', from ?? ''))
    .$if(to !== undefined, rows => rows.where('d.at', '<', to ?? ''))
    .$if(event_id !== undefined, rows => rows.where('d.outbox_id', '=', Number(event_id)))
    .$if(words !== '' && event_id === undefined, rows =>
      rows.where(eb => eb.or([eb('o.order_no', '=', words), eb('d.answer', 'ilike', containing(words))])),
    )
}

const logColumns = [
  'd.id',
  'd.outbox_id',
  'x.kind as event',
  'd.at',
  'd.object_type',
  'd.object_id',
  'd.seq',
  'o.id as order_id',
  'o.order_no',
  'd.state',
  'd.attempts',
  'd.replay_no',
  'd.next_at',
  'd.finished_at',
  'd.status',
  'd.took_ms',
] as const

type LogRow = Omit<WebhookDelivery, 'object' | 'event_id' | 'next_at'> & {
  outbox_id: number
  object_type: string
  object_id: number
  seq: number
  next_at: string
}

const shown = <R extends LogRow>({ outbox_id, object_type, object_id, seq, ...row }: R) => ({
  ...row,
  event_id: `evt_${outbox_id}`,
  object: { type: object_type, id: object_id, seq },
  next_at: row.state === 'waiting' ? row.next_at : null,
})

export async function deliveriesOf(
  db: Db,
  id: number,
  question: LogQuestion,
  paging: { page: number; limit: number },
): Promise<Page<WebhookDelivery>> {
  const some = logOf(db, id, question)
  const offset = pageOffset(paging)
  const rows = await some.select(logColumns).orderBy('d.at', 'desc').orderBy('d.id', 'desc').offset(offset).limit(paging.limit).execute()
  return { rows: rows.map(shown), ...(await cappedCount(db, some)), offset, limit: paging.limit }
}

export async function deliveryOf(db: Db, id: number, delivery_id: number): Promise<WebhookDeliveryDetail | undefined> {
  const row = await logOf(db, id, {})
    .leftJoin('webhook_bodies as b', j =>
      j.onRef('b.operator_id', '=', 'd.operator_id').onRef('b.delivery_id', '=', 'd.id').onRef('b.delivery_at', '=', 'd.at'),
    )
    .select(logColumns)
    .select(['d.answer', 'b.body', 'b.sent_at'])
    .where('d.id', '=', delivery_id)
    .executeTakeFirst()
  return row && shown(row)
}

/** What the mail about a paused webhook says. */
export const webhookForMail = (
  db: Db,
  id: number,
): Promise<{ name: string; state: string; paused_at: string | null; failing_since: string | null } | undefined> =>
  db
    .selectFrom('webhooks as w')
    .innerJoin('outbox_destinations as d', j => j.onRef('d.operator_id', '=', 'w.operator_id').onRef('d.id', '=', 'w.id'))
    .select(['w.name', 'd.state', 'd.paused_at', 'd.failing_since'])
    .where('w.id', '=', id)
    .executeTakeFirst()

/** People who may resume a webhook and can be mailed. */
export async function settingsPeople(db: Db, company_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users as u')
    .select('u.id')
    .where('u.company_id', '=', company_id)
    .where('u.removed_at', 'is', null)
    .where('u.email', 'is not', null)
    .where(sql<boolean>`${effectivePermission} && ${access.settings.map(permissionId)}::smallint[]`)
    .orderBy('u.id')
    .limit(mostMailed)
    .execute()
  return rows.map(({ id }) => id)
}

/** An event is tried for three days, and sent again within 14. */
const oldestEventDays = 18

/** How many deliveries ended on each of the last days of the company's own calendar, days without any left out. */
export async function deliveryDays(db: Db, id: number, now: Date): Promise<{ day: string; delivered: number; failed: number }[]> {
  const ended = sql`(d.finished_at at time zone c.zone)::date`
  const { rows } = await sql<{ day: string; delivered: number; failed: number }>`
    with c as (select coalesce(settings->>'time_zone', 'Europe/Copenhagen') as zone from companies
      where operator_id = current_operator_id() and id = current_company_id())
    select ${ended} as day, count(*) filter (where d.state = 'delivered') as delivered, count(*) filter (where d.state = 'failed') as failed
    from outbox_deliveries d, c
    where d.operator_id = current_operator_id() and d.destination_id = ${id} and d.state in ('delivered', 'failed')
      and d.at >= ${new Date(now.getTime() - (chartDays + oldestEventDays) * 86_400_000).toISOString()}
      and ${ended} > (${now.toISOString()}::timestamptz at time zone c.zone)::date - ${chartDays}::integer
    group by 1 order by 1`.execute(db)
  return rows
}
