/** Outgoing webhooks of a company. */
import { conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { replayDeliveries } from '#features/deliveries/outbox/outbox.commands.ts'
import { deleteSecret, storeSecret } from '#platform/crypto/secret-store.ts'
import { newToken } from '#platform/crypto/vault.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { addressProblem } from '#platform/http/outside-request.ts'
import { addWebhook, changeWebhook, removeWebhook } from './webhooks.commands.ts'
import { webhooks } from './webhooks.contract.ts'
import { secretName, webhooksOf } from './webhooks.queries.ts'
import { mostWebhooks, type OutgoingWebhook, webhooksSchemas } from './webhooks.schemas.ts'

const unknown = () => notFound('outgoing_webhook_not_found', 'Webhook not found')

export const webhooksServer = implement(webhooks, webhooksSchemas, {
  list: async (_, { db, scope }) => ({ rows: await webhooksOf(db, scope.company_id) }),

  async save({ body: { id: known, ...fields } }, context) {
    const { db, services, scope, recordEvent } = context
    refuseAddress(fields.url, services.config.allowed_networks)
    const data = { name: fields.name, events: fields.events }
    if (known !== undefined) {
      if (!(await changeWebhook(db, scope.company_id, known, fields))) throw unknown()
      await recordEvent({ kind: 'outgoing_webhook.changed', subject: 'outgoing_webhook', subject_id: known, data })
      return { row: await rowOf(context, known), secret: null }
    }
    if ((await webhooksOf(db, scope.company_id)).length >= mostWebhooks)
      throw conflict('too_many_webhooks', 'There are {{count}} webhooks already: remove some first', { count: mostWebhooks })
    const id = await addWebhook(db, fields)
    const secret = await storeNewSecret(context, id)
    await recordEvent({ kind: 'outgoing_webhook.created', subject: 'outgoing_webhook', subject_id: id, data })
    return { row: await rowOf(context, id), secret }
  },

  async remove({ id }, { db, scope, recordEvent }) {
    const dropped = await removeWebhook(db, scope.company_id, id)
    if (dropped === undefined) throw unknown()
    await deleteSecret(db, { company_id: scope.company_id, name: secretName(id) })
    await recordEvent({ kind: 'outgoing_webhook.removed', subject: 'outgoing_webhook', subject_id: id, data: { dropped } })
  },

  async replay({ id, body }, context) {
    await rowOf(context, id)
    return { count: await replayDeliveries(context.db, id, body, context.now()) }
  },
})

async function storeNewSecret({ db, services, scope, principal, now }: Context, id: number): Promise<string> {
  const { operator_id, company_id } = scope
  const secret = newToken('whsec_')
  await storeSecret(db, services.vault, { operator_id, company_id, name: secretName(id) }, secret, { user_id: principal.id, at: now() })
  return secret
}

const rowOf = async ({ db, scope }: Context, id: number): Promise<OutgoingWebhook> =>
  orNotFound(
    (await webhooksOf(db, scope.company_id)).find(one => one.id === id),
    'outgoing_webhook_not_found',
    'Webhook not found',
  )

/** Names are resolved at each attempt; here only the address itself is read. */
function refuseAddress(url: string, allowedNetworks: readonly string[]): void {
  const problem = addressProblem(url, allowedNetworks)
  if (problem === 'not_https')
    throw unprocessable('url_not_https', 'The address begins with https://', {}, { fields: { url: 'The address begins with https://' } })
  if (problem !== undefined)
    throw unprocessable('url_not_public', 'This is not a public address', {}, { fields: { url: 'This is not a public address' } })
}
