/**
 * What becomes of orders, into their shops. A delivery of the outbox asks for all facts that the shop lacks: each is reserved, sent and
 * written down, and before a second attempt the shop is asked whether it has it.
 */
import * as z from 'zod'
import type { DeliveryOutcome } from '#features/deliveries/outbox/outbox.commands.ts'
import type { DeliverySender } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { type PushFact, type PushOutcome, ShopError } from '#integrations/shops/shop-connector.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { type DueFact, dueFacts } from './push-facts.queries.ts'
import { type OpenedShop, openShop, readShopKeys, shopPlace } from './shop-access.server.ts'
import {
  countDenial,
  endPush,
  forgetDenials,
  type PushEnd,
  reservePush,
  stopConnection,
  storeKnown,
  writeLog,
} from './shop-connections.commands.ts'
import { type Connection, connectionById, orderOfDelivery, ordersOfParcel } from './shop-connections.queries.ts'

/** Seconds for which a fact is reserved, and that its attempt may take, which must be less. */
const leaseSeconds = 40
const attemptSeconds = 30

const isOn = (settings: Readonly<Record<string, string>>, name: string): boolean => settings[name] === 'true'

const History = z.object({ history_id: z.number().int().nullable().catch(null) }).catch({ history_id: null })

export const pushToShop: DeliverySender = async (delivery, services, signal) => {
  const scope = { operator_id: delivery.operator_id, company_id: delivery.company_id, companies: [delivery.company_id] }
  const found = await services.database.readOnly(scope, async db => {
    const order_id = await orderOfDelivery(db, delivery.object_type, delivery.object_id)
    const connection = await connectionById(db, scope.company_id, delivery.destination_id)
    const orders = order_id === null ? [] : delivery.object_type === 'shipment' ? await ordersOfParcel(db, order_id) : [order_id]
    return { orders, connection }
  })
  if (!found.connection) return { outcome: 'refused', status: null, answer: 'The connection was removed' }
  const history_id = delivery.kind === 'order.status_history' ? History.parse(delivery.payload).history_id : null
  let outcome = delivered('')
  for (const order_id of found.orders) {
    outcome = await pushOrder(services, scope, found.connection, order_id, history_id, signal)
    if (outcome.outcome !== 'delivered') break
  }
  return outcome
}

const delivered = (answer: string): DeliveryOutcome => ({ outcome: 'delivered', status: null, answer })
const failed = (answer: string, more: { status?: number | null; retry_after_s?: number | undefined } = {}): DeliveryOutcome => ({
  outcome: 'failed',
  status: more.status ?? null,
  answer,
  ...(more.retry_after_s !== undefined && { retry_after_s: more.retry_after_s }),
})

/** The pushes of each order that run in this process: the next one waits for them, and then mostly finds nothing to do. */
const running = new Map<string, Promise<unknown>>()
/** Until when a shop asked to be left alone, in milliseconds. */
const restingUntil = new Map<string, number>()

/** Pushes all that is due of an order, one fact after the other. */
export async function pushOrder(...given: Parameters<typeof pushInTurn>): Promise<DeliveryOutcome> {
  const [services, { operator_id }, { id }, order_id] = given
  const shop = `${operator_id}/${id}`
  const key = `${shop}/${order_id}`
  const turn = (running.get(key) ?? Promise.resolve()).then(async (): Promise<DeliveryOutcome> => {
    const rest = (restingUntil.get(shop) ?? 0) - services.now().getTime()
    if (rest > 0) return failed('The shop asked for a pause', { retry_after_s: Math.ceil(rest / 1_000) })
    const { outcome, rest_s } = await pushInTurn(...given)
    if (rest_s === undefined) restingUntil.delete(shop)
    else restingUntil.set(shop, services.now().getTime() + rest_s * 1_000)
    return outcome
  })
  const quiet = turn.catch(() => undefined)
  running.set(key, quiet)
  void quiet.then(() => running.get(key) === quiet && running.delete(key))
  return turn
}

/** `rest_s`: seconds for which the shop asked to be left alone, with all its orders. */
interface Pushed {
  outcome: DeliveryOutcome
  rest_s?: number | undefined
}

async function pushInTurn(
  services: Services,
  scope: { operator_id: number; company_id: number; companies: readonly number[] },
  connection: Connection,
  order_id: number,
  history_id: number | null,
  signal: AbortSignal,
): Promise<Pushed> {
  const { facts, keys, place } = await services.database.readOnly(scope, async db => ({
    facts: await dueFacts(
      db,
      services,
      await companyOf(db, scope.company_id),
      {
        id: connection.id,
        system: connection.system,
        shop: connection.shop,
        push_at: connection.settings.push_at ?? 'packed',
        notify_customer: isOn(connection.settings, 'notify_customer'),
        cancel_in_shop: isOn(connection.settings, 'cancel_in_shop'),
      },
      order_id,
      history_id,
    ),
    keys: await readShopKeys(db, services, scope, connection.id),
    place: await shopPlace(db, scope.company_id),
  }))
  if (facts.length === 0) return { outcome: delivered('Nothing to report') }
  if (keys === null) return { outcome: failed('The keys of this connection cannot be opened') }
  const said: string[] = []
  let refused = false
  for (const due of facts) {
    const attempt = AbortSignal.any([signal, AbortSignal.timeout(attemptSeconds * 1_000)])
    const end = await pushFact(services, scope, connection, openShop(services, connection, keys, place, attempt), due)
    if (end.kind === 'stop') return end
    refused ||= end.kind === 'refused'
    if (end.words) said.push(end.words)
  }
  return { outcome: refused ? { outcome: 'refused', status: null, answer: said.join('\n') } : delivered(said.join('\n')) }
}

const companyOf = (db: Parameters<typeof shopPlace>[0], id: number) =>
  db.selectFrom('companies').select(['id', 'code']).where('id', '=', id).executeTakeFirstOrThrow()

type FactEnd = { kind: 'done' | 'refused'; words: string } | ({ kind: 'stop' } & Pushed)

async function pushFact(
  services: Services,
  scope: { operator_id: number; company_id: number; companies: readonly number[] },
  { id }: Connection,
  { connector, access }: OpenedShop,
  { fact, order_id, object_type, object_id, of_fact, value }: DueFact,
): Promise<FactEnd> {
  const outside = createSystemContext(services, scope)
  const key = { connection_id: id, order_id, fact: fact.key }
  const reserved = await outside.transaction(({ db, now }) =>
    reservePush(db, { ...key, object_type, object_id, external_id: fact.external_id, of_fact }, leaseSeconds, now()),
  )
  if (reserved.kind === 'busy')
    return { kind: 'stop', outcome: failed('Another push of this order is on its way', { retry_after_s: leaseSeconds }) }
  if (reserved.kind === 'done') return { kind: 'done', words: '' }

  const finish = (end: PushEnd, outcome: 'done' | 'refused' | 'failed' | 'ignored', words: string, status?: string) =>
    outside.transaction(async ({ db, now, notify }) => {
      await endPush(db, key, end, now())
      if (status !== undefined)
        await storeKnown(db, id, [{ order_id, external_id: fact.external_id, fact: 'status', value: status, value_hash: null }], now())
      await writeLog(db, id, [{ kind: 'push', outcome, words, ref: fact.order_no, order_id }], now())
      if (outcome === 'done') await forgetDenials(db, id)
      notify('shop_connection', id)
    })

  if (!connector.capabilities.facts.includes(fact.kind)) {
    await finish({ state: 'done', value }, 'ignored', `${connector.title} has no place for this: ${factWords[fact.kind]}`)
    return { kind: 'done', words: '' }
  }
  try {
    const known = reserved.again ? await connector.findDone(access, fact) : null
    const outcome: PushOutcome = known ?? (await connector.push(access, fact))
    if (outcome.kind === 'again') {
      await finish({ state: 'waiting' }, 'failed', outcome.words)
      return { kind: 'stop', outcome: failed(outcome.words, { retry_after_s: outcome.retry_after_s }) }
    }
    if (outcome.kind === 'refused') {
      await finish({ state: 'refused' }, 'refused', outcome.words)
      return { kind: 'refused', words: outcome.words }
    }
    const words = outcome.words ?? sentenceOf(fact.kind, value, known !== null)
    await finish({ state: 'done', value, ...(outcome.refs && { made: outcome.refs }) }, 'done', words, outcome.status)
    return { kind: 'done', words }
  } catch (error) {
    if (services.closing.aborted) throw error
    const { failure, message, status, retry_after_s } = error instanceof ShopError ? error : new ShopError('unknown', String(error))
    if (failure === 'refused') {
      await finish({ state: 'refused' }, 'refused', message)
      return { kind: 'refused', words: message }
    }
    await finish({ state: failure === 'unknown' ? 'sending' : 'waiting' }, 'failed', message)
    if (failure === 'denied') await noteDenial(services, scope, id)
    return { kind: 'stop', outcome: failed(message, { status, retry_after_s }), rest_s: retry_after_s }
  }
}

const factWords: Readonly<Record<PushFact['kind'], string>> = {
  fulfilment: 'parcel',
  tracking: 'new tracking number',
  cancellation: 'cancellation',
  status_history: 'status history',
  note: 'note',
}
const sentenceOf = (kind: PushFact['kind'], value: string | null, found: boolean): string =>
  `${found ? 'The shop had it already' : 'Reported'}: ${factWords[kind]}${value === null ? '' : ` ${value}`}`

/** The second refusal of the key in a row ends the attempts until a person has tested the connection. */
export async function noteDenial(
  services: Services,
  scope: { operator_id: number; company_id: number; companies: readonly number[] },
  id: number,
): Promise<void> {
  await createSystemContext(services, scope).transaction(async ({ db, notify, recordEvent }) => {
    if ((await countDenial(db, id)) < 2) return
    await stopConnection(db, id, 'broken')
    await recordEvent({ kind: 'shop_connection.broken', subject: 'shop_connection', subject_id: id })
    notify('shop_connection', id)
  })
}
