/** Outgoing webhooks of a company. */
import type { HandlerInput } from '#contract/endpoint.ts'
import { conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import { replayDeliveries, replayDelivery, resumeDestination, retryDelivery } from '#features/deliveries/outbox/outbox.commands.ts'
import { publicTypes } from '#features/deliveries/outbox/public-events.rules.ts'
import { deleteRotatedSecrets, deleteSecret, readSecret, readSecrets, rotateSecret, storeSecret } from '#platform/crypto/secret-store.ts'
import { newToken } from '#platform/crypto/vault.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, type FeatureModule, implement } from '#platform/http/feature-module.ts'
import { addressProblem } from '#platform/http/outside-request.ts'
import { allowOneMore } from '#platform/limits/company-limits.ts'
import { eventMeanings, exampleBody } from './webhook-body.rules.ts'
import { examplesOf, type WebhookObjects } from './webhook-objects.server.ts'
import { ownHeader, postWebhook } from './webhook-sender.server.ts'
import { logDays, mostWebhooks } from './webhooks.codes.ts'
import { addWebhook, changeWebhook, lockWebhook, removeWebhook } from './webhooks.commands.ts'
import { webhooks } from './webhooks.contract.ts'
import { deliveriesOf, deliveryDays, deliveryOf, headerSecretName, secretName, webhookForSending, webhooksOf } from './webhooks.queries.ts'
import { type OutgoingWebhook, webhooksSchemas } from './webhooks.schemas.ts'

const noWebhook = 'Webhook not found'
const unknown = () => notFound('outgoing_webhook_not_found', noWebhook)
const subject = 'outgoing_webhook'
const mostExported = 10_000

export const webhooksServer = (objects: WebhookObjects): FeatureModule =>
  implement(webhooks, webhooksSchemas, {
    list: async (_, { db, scope, now }) => ({ rows: await webhooksOf(db, scope.company_id, now()) }),

    save: ({ body }, context) => saveWebhook(context, body),

    async remove({ id }, { db, scope, recordEvent, notify }) {
      const dropped = await removeWebhook(db, scope.company_id, id)
      if (dropped === undefined) throw unknown()
      await deleteRotatedSecrets(db, placeOf(scope, id))
      await deleteSecret(db, placeOf(scope, id))
      await deleteSecret(db, headerPlaceOf(scope, id))
      await recordEvent({ kind: 'outgoing_webhook.removed', subject, subject_id: id, data: { dropped } })
      notify('outgoing_webhook')
    },

    events: async (_, { principal }) => ({
      rows: publicTypes.map(type => ({
        type,
        summary: eventMeanings[type].summary,
        example: exampleBody(type, principal.company.code, examplesOf(objects)),
      })),
    }),

    async test({ id, body: { event } }, { services, scope, principal, now, transaction, signal }) {
      const { webhook, secrets, header } = await transaction(async context => {
        await rowOf(context, id)
        const webhook = orNotFound(await webhookForSending(context.db, id), 'outgoing_webhook_not_found', noWebhook)
        return {
          webhook,
          header: await ownHeader(context.db, services, headerPlaceOf(scope, id), webhook.header_name),
          secrets: await readSecrets(context.db, services.vault, placeOf(scope, id), now()),
        }
      })
      if (secrets.length === 0) throw unprocessable('webhook_secret_missing', 'The secret cannot be opened. Replace it.')
      const example = exampleBody(event, principal.company.code, examplesOf(objects))
      const body = JSON.stringify({ ...example, id: 'evt_test', occurred_at: now().toISOString(), test: true })
      const began = performance.now()
      const { outcome, status, answer } = await postWebhook(services, {
        url: webhook.url,
        body,
        secrets: secrets.map(({ plain }) => plain),
        signal,
        headers: { ...header, 'pakhus-event': event, 'pakhus-delivery': 'evt_test', 'pakhus-attempt': '1' },
      })
      return { delivered: outcome === 'delivered', status, took_ms: Math.round(performance.now() - began), answer: answer.slice(0, 4_000) }
    },

    async rotate({ id, body: { keep_hours } }, context) {
      const { db, scope, now, recordEvent, notify } = context
      await rowOf(context, id)
      const place = placeOf(scope, id)
      // Two sign at most: the secret before the last one ends now.
      await deleteRotatedSecrets(db, place)
      if (keep_hours > 0) await rotateSecret(db, place, { at: now(), until: new Date(now().getTime() + keep_hours * 3_600_000) })
      const secret = await storeNewSecret(context, id)
      await recordEvent({ kind: 'outgoing_webhook.secret_rotated', subject, subject_id: id, data: { keep_hours } })
      notify('outgoing_webhook')
      return { row: await rowOf(context, id), secret }
    },

    async resume({ id }, context) {
      const { db, recordEvent, notify } = context
      const { waiting } = await rowOf(context, id)
      if (!(await resumeDestination(db, id))) throw conflict('webhook_not_paused', 'This webhook is not paused.')
      await recordEvent({ kind: 'outgoing_webhook.resumed', subject, subject_id: id, data: { waiting } })
      notify('outgoing_webhook')
      return rowOf(context, id)
    },

    async replay({ id, body }, context) {
      const { db, now, recordEvent, notify } = context
      await rowOf(context, id)
      const oldest = new Date(now().getTime() - logDays * 86_400_000).toISOString()
      const from = Date.parse(body.from) < Date.parse(oldest) ? oldest : body.from
      const count = await replayDeliveries(db, id, { ...body, from }, now())
      await recordEvent({ kind: 'outgoing_webhook.replayed', subject, subject_id: id, data: { count } })
      notify('outgoing_webhook')
      return { count }
    },

    async deliveries({ id, page, limit, ...question }, context) {
      await rowOf(context, id)
      return deliveriesOf(context.db, id, question, { page, limit })
    },

    async exportDeliveries({ id, ...question }, context) {
      await rowOf(context, id)
      const { rows } = await deliveriesOf(context.db, id, question, { page: 1, limit: mostExported })
      const columns = ['at', 'event', 'event_id', 'object', 'object_id', 'seq', 'order_no', 'state', 'attempts', 'status', 'took_ms']
      return {
        bytes: csv(
          columns,
          rows.map(row => [
            row.at,
            row.event,
            row.event_id,
            row.object.type,
            row.object.id,
            row.object.seq,
            row.order_no,
            row.state,
            row.attempts,
            row.status,
            row.took_ms,
          ]),
        ),
        media_type: 'text/csv',
        name: 'webhook-deliveries.csv',
      }
    },

    async days({ id }, context) {
      await rowOf(context, id)
      return { rows: await deliveryDays(context.db, id, context.now()) }
    },

    async delivery({ id, delivery_id }, context) {
      await rowOf(context, id)
      return orNotFound(await deliveryOf(context.db, id, delivery_id), 'delivery_not_found', 'Delivery not found')
    },

    async sendAgain({ id, delivery_id }, context) {
      const { db, now, notify, recordEvent } = context
      await rowOf(context, id)
      const known = orNotFound(await deliveryOf(db, id, delivery_id), 'delivery_not_found', 'Delivery not found')
      const again =
        known.state === 'delivered' ? await replayDelivery(db, id, delivery_id, now()) : await retryDelivery(db, id, delivery_id, now())
      if (!again) throw conflict('delivery_sent_already', 'It is being sent, or was sent again already. Look at the newest row.')
      await recordEvent({ kind: 'outgoing_webhook.replayed', subject, subject_id: id, data: { count: 1 } })
      notify('outgoing_webhook')
    },
  })

type SavedFields = HandlerInput<typeof webhooks.save>['body']

async function saveWebhook(context: Context, { id: known, version, header_value, ...fields }: SavedFields) {
  const { db, services, scope, recordEvent, notify } = context
  refuseAddress(fields.url, services.config.allowed_networks)
  const data = { name: fields.name, events: fields.events, shop: fields.shop, header_name: fields.header_name }
  notify('outgoing_webhook')
  if (known === undefined) {
    await allowOneMore(db, scope.company_id, 'webhooks')
    if ((await webhooksOf(db, scope.company_id, context.now())).length >= mostWebhooks)
      throw conflict('too_many_webhooks', 'There are {{count}} webhooks already: remove some first', { count: mostWebhooks })
    const id = await addWebhook(db, fields)
    await storeHeader(context, id, fields.header_name, header_value)
    const secret = await storeNewSecret(context, id)
    await recordEvent({ kind: 'outgoing_webhook.created', subject, subject_id: id, data })
    return { row: await rowOf(context, id), secret }
  }
  const before = await rowOf(context, known)
  if (!(await changeWebhook(db, scope.company_id, known, fields, version)))
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: await rowOf(context, known) })
  // A secret is not sent to another receiver than the one it was given for.
  if (new URL(before.url).origin !== new URL(fields.url).origin) await deleteSecret(db, headerPlaceOf(scope, known))
  await storeHeader(context, known, fields.header_name, header_value)
  const row = await rowOf(context, known)
  await recordOwnedChanges(context, `webhooks.${known}`, historyOf(before), historyOf(row))
  await recordEvent({ kind: 'outgoing_webhook.changed', subject, subject_id: known, data })
  return { row, secret: null }
}

/** As the history of settings keeps it; secrets are in no history. */
const historyOf = ({ name, url, events, shop, header_name, state }: OutgoingWebhook) => ({
  ...{ name, url, events, shop, header_name },
  active: state !== 'disabled',
})
const Stored = webhooksSchemas.calls.save.body.omit({ id: true, header_value: true })

export const webhooksOwner: SettingOwner = {
  name: 'webhooks',
  async placeNames({ db, scope, now }) {
    const rows = await webhooksOf(db, scope.company_id, now())
    return new Map(rows.map(({ id, name }) => [String(id), name]))
  },
  async read(context, place) {
    const id = Number(place)
    await lockWebhook(context.db, context.scope.company_id, id)
    const row = await rowOf(context, id)
    return { ...historyOf(row), version: row.version }
  },
  async save(context, place, values) {
    const read = Stored.safeParse(values)
    if (!read.success) throw notValid()
    return saveWebhook(context, { ...read.data, id: Number(place) })
  },
}

const placeOf = ({ operator_id, company_id }: { operator_id: number; company_id: number }, id: number) => ({
  operator_id,
  company_id,
  name: secretName(id),
})

const headerPlaceOf = ({ operator_id, company_id }: { operator_id: number; company_id: number }, id: number) => ({
  operator_id,
  company_id,
  name: headerSecretName(id),
})

/** Keeps the value from before where none is given; a header without a value is refused. */
async function storeHeader({ db, services, scope, principal, now }: Context, id: number, name: string | null, value: string | undefined) {
  const place = headerPlaceOf(scope, id)
  if (name === null) await deleteSecret(db, place)
  else if (value) await storeSecret(db, services.vault, place, value, { user_id: principal.id, at: now() })
  else if ((await readSecret(db, services.vault, place)) === null)
    throw unprocessable('header_value_missing', noValue, {}, { fields: { header_value: noValue } })
}
const noValue = 'Give the value of the header'

async function storeNewSecret({ db, services, scope, principal, now }: Context, id: number): Promise<string> {
  const secret = newToken('whsec_')
  await storeSecret(db, services.vault, placeOf(scope, id), secret, { user_id: principal.id, at: now() })
  return secret
}

const rowOf = async ({ db, scope, now }: Context, id: number): Promise<OutgoingWebhook> =>
  orNotFound(
    (await webhooksOf(db, scope.company_id, now())).find(one => one.id === id),
    'outgoing_webhook_not_found',
    noWebhook,
  )

/** Names are resolved at each attempt; here only the address itself is read. */
function refuseAddress(url: string, allowedNetworks: readonly string[]): void {
  const problem = addressProblem(url, allowedNetworks)
  if (problem === 'not_https')
    throw unprocessable('url_not_https', 'The address begins with https://', {}, { fields: { url: 'The address begins with https://' } })
  if (problem !== undefined)
    throw unprocessable('url_not_public', 'This is not a public address', {}, { fields: { url: 'This is not a public address' } })
}
