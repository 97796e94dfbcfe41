/** Pushed events: a delivery that proves itself is answered well, whatever it says; the courier would only repeat it. */
import { unauthorized } from '#contract/errors.ts'
import { isDeliveryNoted, noteDelivery } from '#features/shipping/courier-webhooks/courier-webhooks.commands.ts'
import { webhookSecret } from '#features/shipping/courier-webhooks/courier-webhooks.queries.ts'
import { applyCourierEvents } from '#features/shipping/labels/courier-events.commands.ts'
import type { PushedEvent } from '#integrations/couriers/courier.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { readSecrets } from '#platform/crypto/secret-store.ts'
import { implement } from '#platform/http/feature-module.ts'
import { pushedEvents } from './pushed-events.contract.ts'
import { parcelOf } from './pushed-events.queries.ts'
import { pushedEventsSchemas } from './pushed-events.schemas.ts'

/** Events of one delivery. */
const mostEvents = 100

export const pushedEventsServer = implement(pushedEvents, pushedEventsSchemas, {
  async receive({ agent_code, upload }, { transaction, services, scope, headers }) {
    const { company_id, operator_id } = scope
    const place = { operator_id, company_id, name: webhookSecret(agent_code) }
    const raw = await upload.bytes()
    const webhook = courier(agent_code)?.webhook
    const [secrets, noted] = webhook
      ? await transaction(({ db, now }) =>
          Promise.all([readSecrets(db, services.vault, place, now()), isDeliveryNoted(db, company_id, agent_code, now())]),
        )
      : [[], true]
    const events = secrets.reduce<PushedEvent[] | null>((read, { plain }) => read ?? webhook?.read(raw, headers, plain) ?? null, null)
    if (events === null) {
      if (secrets.length > 0) await transaction(({ db, now }) => noteDelivery(db, company_id, agent_code, 'refused_at', now()))
      throw refused()
    }
    if (!noted) await transaction(({ db, now }) => noteDelivery(db, company_id, agent_code, 'received_at', now()))
    for (const { tracking_no, ...event } of events.slice(0, mostEvents))
      await transaction(async context => {
        const shipment = await parcelOf(context.db, company_id, agent_code, tracking_no)
        if (shipment) await applyCourierEvents(context, shipment.id, [event], shipment.order_id)
      })
  },
})

/** The same sentence for a wrong proof, a courier without webhook and a missing secret. */
const refused = () => unauthorized('courier_webhook_unproven', 'This delivery does not prove that it comes from the courier')
