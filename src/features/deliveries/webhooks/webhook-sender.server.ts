/** Sends a delivery of the outbox to an outgoing webhook: one signed POST, judged by its status. */
import { createHmac } from 'node:crypto'
import type { ClaimedDelivery, DeliveryOutcome } from '#features/deliveries/outbox/outbox.commands.ts'
import type { DeliverySender } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { readSecret, readSecrets, type SecretKey } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { type HttpAnswer, PrivateAddressError, postOutside } from '#platform/http/outside-request.ts'
import { apiVersion, changesOf, mostBody } from './webhook-body.rules.ts'
import type { ReadObject, WebhookObjects } from './webhook-objects.server.ts'
import { storeBody } from './webhooks.commands.ts'
import { headerSecretName, secretName, webhookForSending } from './webhooks.queries.ts'

/** Seconds until an answer must be there. */
const patience = 10

/** Signs as `t=<unix seconds>,v1=<hex>`: the HMAC with SHA-256 of `t.body` under each secret as written. */
export const signatureOf = (body: string, unix_s: number, secrets: readonly string[]): string =>
  [`t=${unix_s}`, ...secrets.map(secret => `v1=${createHmac('sha256', secret).update(`${unix_s}.${body}`).digest('hex')}`)].join(',')

export const sendWebhooks =
  (objects: WebhookObjects): DeliverySender =>
  async (delivery, services, signal) => {
    const { operator_id, company_id, destination_id, object_type, object_id } = delivery
    const scope = { operator_id, company_id, companies: [company_id] }
    const { webhook, secrets, header, object } = await services.database.readOnly(scope, async db => {
      const webhook = await webhookForSending(db, destination_id)
      const place = { operator_id, company_id, name: secretName(destination_id) }
      return {
        webhook,
        secrets: await readSecrets(db, services.vault, place, services.now()),
        header: await ownHeader(db, services, { ...place, name: headerSecretName(destination_id) }, webhook?.header_name ?? null),
        object: webhook && (await objects[object_type]?.read(db, services, { id: company_id, code: webhook.company }, object_id)),
      }
    })
    if (!webhook) return { outcome: 'gone', status: null, answer: 'The webhook was removed' }
    if (secrets.length === 0) return failed('The secret of this webhook cannot be opened')
    const body = bodyOf(delivery, webhook.company, object)
    await services.database.transaction(scope, db =>
      storeBody(db, delivery, { body, order_id: object?.order_id ?? null, customer_id: object?.customer_id ?? null }, services.now()),
    )
    return postWebhook(services, {
      url: webhook.url,
      body,
      secrets: secrets.map(({ plain }) => plain),
      signal,
      headers: {
        ...header,
        'pakhus-event': delivery.kind,
        'pakhus-delivery': eventId(delivery),
        'pakhus-attempt': String(delivery.attempts),
        ...(delivery.replay_no > 0 && { 'pakhus-replay': String(delivery.replay_no) }),
      },
    })
  }

/** The header that its receiver asks for; one that cannot be opened is left out, and the receiver says what is missing. */
export async function ownHeader(db: Db, { vault }: Services, place: SecretKey, name: string | null): Promise<Record<string, string>> {
  const value = name === null ? null : await readSecret(db, vault, place)
  return name === null || value === null ? {} : { [name.toLowerCase()]: value }
}

interface Post {
  url: string
  body: string
  secrets: readonly string[]
  headers: Record<string, string>
  signal: AbortSignal
}

/** Names are resolved and checked at each attempt: an address that was public yesterday may lead inside today. */
export async function postWebhook(services: Services, { url, body, secrets, headers, signal }: Post): Promise<DeliveryOutcome> {
  try {
    const answer = await postOutside(url, {
      headers: {
        'content-type': 'application/json',
        'user-agent': `Pakhus/${services.config.version}`,
        ...headers,
        'pakhus-signature': signatureOf(body, Math.floor(services.now().getTime() / 1_000), secrets),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience * 1_000)]),
      allowedNetworks: services.config.allowed_networks,
    })
    return judge(answer)
  } catch (error) {
    if (error instanceof PrivateAddressError) return failed(error.message)
    if (signal.aborted) throw error
    return failed(error instanceof Error && error.name === 'TimeoutError' ? `No answer within ${patience} seconds` : String(error))
  }
}

/** The same for every attempt and replay: receivers recognise by it what they have seen. */
const eventId = (delivery: ClaimedDelivery) => `evt_${delivery.outbox_id}`

/** The body of a delivery, as text: the event, and the object as it is now. */
export function bodyOf(delivery: ClaimedDelivery, company: string, object: ReadObject | undefined): string {
  const erased = object?.erased ?? false
  const envelope = {
    id: eventId(delivery),
    type: delivery.kind,
    occurred_at: new Date(delivery.at).toISOString(),
    company,
    api_version: apiVersion,
    object: { type: delivery.object_type, id: delivery.object_id, seq: delivery.seq },
    ...changesOf(delivery.kind, delivery.payload),
    data: erased ? null : (object?.data ?? null),
    erased,
    test: false,
  }
  const body = JSON.stringify(envelope)
  return body.length <= mostBody ? body : JSON.stringify({ ...envelope, data: null })
}

const failed = (answer: string): DeliveryOutcome => ({ outcome: 'failed', status: null, answer })

/** Every status beside 2xx is a failure; a redirect is not followed. 410 ends the subscription. */
export function judge({ status, text, retry_after }: HttpAnswer): DeliveryOutcome {
  const outcome = status >= 200 && status < 300 ? 'delivered' : status === 410 ? 'gone' : 'failed'
  const seconds = status === 429 || status === 503 ? Number(retry_after) : Number.NaN
  return { outcome, status, answer: text, ...(Number.isFinite(seconds) && { retry_after_s: seconds }) }
}
