/** What the demo's company has connected: a program with a key, and a webhook that its receiver no longer answers – all invented. */

import * as z from 'zod'
import { cmsKeysServer } from '#features/company/api-keys/cms-keys.server.ts'
import {
  claimDeliveries,
  type DeliveryOutcome,
  dueDeliveries,
  finishAttempt,
  notePauseMailed,
} from '#features/deliveries/outbox/outbox.commands.ts'
import { bodyOf } from '#features/deliveries/webhooks/webhook-sender.server.ts'
import { storeBody } from '#features/deliveries/webhooks/webhooks.commands.ts'
import { webhookKind } from '#features/deliveries/webhooks/webhooks.queries.ts'
import { webhooksServer } from '#features/deliveries/webhooks/webhooks.server.ts'
import { orderCommentsServer } from '#features/orders/orders/comments/order-comments.server.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { webhookObjects } from '../webhook-objects.ts'
import { actAs, answerOf } from './builders.ts'

interface Person {
  id: number
  name: string
}

const Made = z.object({ id: z.number() })
const Commented = z.object({ comment_id: z.number() })
const day = 86_400_000
const why = 'the demo makes up deliveries that never were'

/** What the office noted about orders, with the days ago: the first nine are delivered, the tenth never, and the others wait. */
const notes: readonly [days: number, type: 'info' | 'praise' | 'advice' | 'warning', comment: string][] = [
  [12.3, 'info', 'The customer asked for the invoice by mail'],
  [11.2, 'praise', 'Thanks for the fast delivery'],
  [9.4, 'info', 'Delivered to the reception'],
  [8.3, 'warning', 'The box was wet on one side'],
  [8.1, 'info', 'The customer wants to be called before the next delivery'],
  [6.4, 'advice', 'Larger orders of this customer go on a pallet'],
  [5.3, 'info', 'A colleague picked the parcel up'],
  [5.2, 'praise', 'Nicely packed'],
  [4.2, 'info', 'The customer keeps the spare item'],
  [3.9, 'warning', 'The door code has changed'],
  [2.2, 'info', 'The neighbour took the parcel'],
  [0.4, 'info', 'The customer asked where the parcel is'],
]
const delivered = 9
const refused = { outcome: 'failed', status: 503, answer: 'Service unavailable: the database is being moved' } as const

export async function buildIntegrations(
  services: Services,
  scope: TenantScope,
  { owner, office }: { owner: Person; office: Person },
): Promise<void> {
  const { database } = services
  const ago = (days: number) => new Date(services.now().getTime() - days * day)
  await actAs(services, scope, owner, ago(20)).transaction(async context => {
    // The key itself is shown to no one: it opens nothing.
    const scopes = ['parcels', 'statistics']
    const expires_at = new Date(services.now().getTime() + 345 * day).toISOString()
    const body = { name: 'Reports', purpose: 'api', shop: 'main', expires_at, scopes, read_only: true, allowed_networks: ['192.0.2.0/24'] }
    await answerOf(cmsKeysServer, 'create', z.unknown(), { body }, context)
  })
  const id = await actAs(services, scope, owner, ago(13)).transaction(async context => {
    // Names that end so belong to no machine, now or ever (RFC 2606).
    const url = 'https://erp.demo.example/pakhus'
    const body = { name: 'Bookkeeping', url, events: ['order.commented'], active: true, shop: null, header_name: null }
    const { row } = await answerOf(webhooksServer(webhookObjects), 'save', z.object({ row: Made }), { body }, context)
    return row.id
  })
  const orders = await database.transaction(scope, db =>
    db
      .selectFrom('orders')
      .select('id')
      .where('company_id', '=', scope.company_id)
      .where('packed_at', '<', ago(13).toISOString())
      .orderBy('packed_at', 'desc')
      .limit(notes.length)
      .execute(),
  )
  for (const [place, [days, type, comment]] of notes.entries()) {
    const order = orders[place]
    if (!order) continue
    const at = ago(days)
    await actAs(services, scope, office, at).transaction(async context => {
      await answerOf(orderCommentsServer, 'add', Commented, { id: order.id, type, body: { comment } }, context)
    })
    if (place < delivered) await attempt(services, scope, id, at, { outcome: 'delivered', status: 200, answer: '{"ok":true}' })
    else if (place === delivered) {
      let next: Date | undefined = at
      while (next) next = await attempt(services, scope, id, next, refused)
    } else if (place === delivered + 1) {
      // More than three days after the first failure: the webhook is paused.
      await attempt(services, scope, id, ago(0.8), refused)
    }
  }
  await database.transaction(scope, db => notePauseMailed(db, id, services.now()))
}

/** Ends one attempt of what is due as if the receiver had answered; answers when the next one is due, if there is one. */
async function attempt(
  services: Services,
  scope: TenantScope,
  destination_id: number,
  at: Date,
  answer: DeliveryOutcome,
): Promise<Date | undefined> {
  const { database } = services
  const [delivery] = await database.systemTransaction(why, async db => {
    const due = await dueDeliveries(db, [webhookKind], at)
    return claimDeliveries(
      db,
      due.filter(one => one.destination_id === destination_id),
      at,
    )
  })
  if (!delivery) return undefined
  const company = { id: scope.company_id, code: 'demo' }
  await database.transaction(scope, async db => {
    const object = await webhookObjects[delivery.object_type]?.read(db, services, company, delivery.object_id)
    await storeBody(
      db,
      delivery,
      { body: bodyOf(delivery, company.code, object), order_id: object?.order_id ?? null, customer_id: object?.customer_id ?? null },
      at,
    )
  })
  return database.systemTransaction(why, async db => {
    await finishAttempt(db, delivery, answer, { now: at, took_ms: 80 + (delivery.id % 7) * 23, random: 0.5 })
    const { state, next_at } = await db
      .selectFrom('outbox_deliveries')
      .select(['state', 'next_at'])
      .where('operator_id', '=', delivery.operator_id)
      .where('id', '=', delivery.id)
      .executeTakeFirstOrThrow()
    return state === 'waiting' ? new Date(next_at) : undefined
  })
}
