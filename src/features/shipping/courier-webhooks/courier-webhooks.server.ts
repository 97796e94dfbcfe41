/** Courier webhooks: handlers. */
import { conflict } from '#contract/errors.ts'
import { mustBeCourier } from '#integrations/couriers/couriers.ts'
import { deleteRotatedSecrets, deleteSecret, rotateSecret, storeSecret } from '#platform/crypto/secret-store.ts'
import { newToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import { implement } from '#platform/http/feature-module.ts'
import { noteSecret } from './courier-webhooks.commands.ts'
import { courierWebhooks } from './courier-webhooks.contract.ts'
import { webhookOf, webhookSecret } from './courier-webhooks.queries.ts'
import { courierWebhooksSchemas } from './courier-webhooks.schemas.ts'

/** Hours in which the secret before is still taken, so that the courier learns the new one without a gap. */
const keptHours = 24

async function shown(db: Db, company_id: number, agent_code: string) {
  const { webhook } = mustBeCourier(agent_code)
  return {
    offered: webhook !== undefined,
    secret_header: webhook?.secret_header ?? null,
    path: `courier_webhooks/${agent_code}/receive`,
    ...(await webhookOf(db, company_id, agent_code)),
  }
}

export const courierWebhooksServer = implement(courierWebhooks, courierWebhooksSchemas, {
  get: ({ agent_code }, { db, principal }) => shown(db, principal.company.id, agent_code),

  async renew({ agent_code }, { db, principal, services, recordEvent, notify, now }) {
    const { capabilities, webhook } = mustBeCourier(agent_code)
    if (!webhook) throw conflict('not_supported', '{{courier}} does not offer this', { courier: capabilities.name })
    const { id: company_id, operator_id } = principal.company
    const place = { operator_id, company_id, name: webhookSecret(agent_code) }
    const at = now()
    const secret = newToken()
    await deleteRotatedSecrets(db, place)
    await rotateSecret(db, place, { at, until: new Date(at.getTime() + keptHours * 3_600_000) })
    await storeSecret(db, services.vault, place, secret, { user_id: principal.id, at })
    await noteSecret(db, company_id, agent_code, at.toISOString())
    await recordEvent({ kind: 'courier_webhook.renewed', data: { agent_code } })
    notify('courier_settings')
    return { ...(await shown(db, company_id, agent_code)), secret }
  },

  async remove({ agent_code }, { db, principal, recordEvent, notify }) {
    mustBeCourier(agent_code)
    const { id: company_id, operator_id } = principal.company
    const place = { operator_id, company_id, name: webhookSecret(agent_code) }
    await deleteRotatedSecrets(db, place)
    if (await deleteSecret(db, place)) {
      await recordEvent({ kind: 'courier_webhook.removed', data: { agent_code } })
      notify('courier_settings')
    }
    return shown(db, company_id, agent_code)
  },
})
