/** Courier events: handlers. */
import { notFound } from '#contract/errors.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { implement } from '#platform/http/feature-module.ts'
import { followTag, setCourierEvents } from './courier-events.commands.ts'
import { courierEventSettings } from './courier-events.contract.ts'
import { courierEventSettingsOf } from './courier-events.queries.ts'
import { courierEventsSchemas } from './courier-events.schemas.ts'

function mustBeKnown(agent_code: string): void {
  if (!courier(agent_code)) throw notFound('unknown_courier', 'Unknown courier {{code}}.', { code: agent_code })
}

export const courierEventsServer = implement(
  courierEventSettings,
  courierEventsSchemas,
  {
    get({ agent_code }, { db, principal }) {
      mustBeKnown(agent_code)
      return courierEventSettingsOf(db, principal.company.id, agent_code)
    },
    set({ agent_code, body }, context) {
      mustBeKnown(agent_code)
      return setCourierEvents(context, agent_code, body)
    },
  },
  {
    async 'tag.merged'(events, context) {
      for (const { subject_id, data } of events) if (subject_id !== null) await followTag(context, data.tag_id, subject_id)
    },
    async 'tag.removed'(events, context) {
      for (const { subject_id } of events) if (subject_id !== null) await followTag(context, subject_id, null)
    },
  },
)
