/** Sends a delivery of the outbox to an outgoing webhook: one signed POST, judged by its status. */
import { createHmac } from 'node:crypto'
import type { ClaimedDelivery, DeliveryOutcome } from '#features/deliveries/outbox/outbox.commands.ts'
import type { DeliverySender } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { readSecret } from '#platform/crypto/secret-store.ts'
import { type HttpAnswer, PrivateAddressError, postOutside } from '#platform/http/outside-request.ts'
import { secretName, webhookForSending } from './webhooks.queries.ts'

const apiVersion = '2026-11'
/** Seconds until an answer must be there. */
const patience = 10

/** Signs as `t=<unix seconds>,v1=<hex>`: the HMAC with SHA-256 of `t.body` under each secret as written. */
export const signatureOf = (body: string, unix_s: number, secrets: readonly string[]): string =>
  [`t=${unix_s}`, ...secrets.map(secret => `v1=${createHmac('sha256', secret).update(`${unix_s}.${body}`).digest('hex')}`)].join(',')

export const sendWebhook: DeliverySender = async (delivery, services, signal) => {
  const { operator_id, company_id, destination_id } = delivery
  const scope = { operator_id, company_id, companies: [company_id] }
  const { webhook, secret } = await services.database.readOnly(scope, async db => ({
    webhook: await webhookForSending(db, destination_id),
    secret: await readSecret(db, services.vault, { operator_id, company_id, name: secretName(destination_id) }),
  }))
  if (!webhook) return { outcome: 'gone', status: null, answer: 'The webhook was removed' }
  if (secret === null) return failed('The secret of this webhook cannot be opened')
  const body = JSON.stringify(envelopeOf(delivery, webhook.company))
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Pakhus/${services.config.version}`,
    'pakhus-event': delivery.kind,
    'pakhus-delivery': eventId(delivery),
    'pakhus-attempt': String(delivery.attempts),
    ...(delivery.replay_no > 0 && { 'pakhus-replay': String(delivery.replay_no) }),
    'pakhus-signature': signatureOf(body, Math.floor(services.now().getTime() / 1_000), [secret]),
  }
  try {
    const answer = await postOutside(webhook.url, {
      headers,
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

const envelopeOf = (delivery: ClaimedDelivery, company: string) => ({
  id: eventId(delivery),
  type: delivery.kind,
  occurred_at: delivery.at,
  company,
  api_version: apiVersion,
  object: { type: delivery.object_type, id: delivery.object_id, seq: delivery.seq },
  changed: delivery.payload,
})

const failed = (answer: string): DeliveryOutcome => ({ outcome: 'failed', status: null, answer })

/** Every status beside 2xx is a failure; a redirect is not followed. 410 ends the subscription. */
export function judge({ status, text, retry_after }: HttpAnswer): DeliveryOutcome {
  const outcome = status >= 200 && status < 300 ? 'delivered' : status === 410 ? 'gone' : 'failed'
  const seconds = status === 429 || status === 503 ? Number(retry_after) : Number.NaN
  return { outcome, status, answer: text, ...(Number.isFinite(seconds) && { retry_after_s: seconds }) }
}
