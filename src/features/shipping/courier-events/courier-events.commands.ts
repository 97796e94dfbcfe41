/** Sets who learns of the events of a courier. */
import { conflict, unprocessable } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { courierEventSettingsOf } from './courier-events.queries.ts'
import { audienceFault, audienceWords } from './courier-events.rules.ts'
import type { CourierEventSetting, CourierEventSettings } from './courier-events.schemas.ts'

export async function setCourierEvents(
  context: Context,
  agent_code: string,
  { version, events }: { version: number; events: readonly CourierEventSetting[] },
): Promise<CourierEventSettings> {
  const { db, principal, recordEvent, notify } = context
  const company_id = principal.company.id
  // Two first changes have no row that one of them could wait for.
  await db.selectFrom('companies').select('id').where('id', '=', company_id).forUpdate().execute()
  const current = await courierEventSettingsOf(db, company_id, agent_code)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  const faults = events.flatMap((setting, at) => {
    const fault = audienceFault(setting.event, setting)
    const removed = setting.template_id !== null && !current.templates.some(template => template.id === setting.template_id)
    return fault || removed
      ? [{ field: `events.${at}.${fault === 'no_exception' ? 'to_us' : 'template_id'}`, words: audienceWords[fault ?? 'template'] }]
      : []
  })
  if (faults.length > 0)
    throw unprocessable(
      'courier_event_invalid',
      'Correct the marked events.',
      {},
      { fields: Object.fromEntries(faults.map(one => [one.field, one.words])) },
    )
  await db
    .insertInto('courier_event_settings')
    .values(
      current.events.map(({ is_default: _, ...kept }) => ({
        ...(events.find(one => one.event === kept.event) ?? kept),
        company_id,
        agent_code,
        version: version + 1,
      })),
    )
    .onConflict(known =>
      known.columns(['operator_id', 'company_id', 'agent_code', 'event']).doUpdateSet(eb => ({
        to_shop: eb.ref('excluded.to_shop'),
        to_recipient: eb.ref('excluded.to_recipient'),
        to_us: eb.ref('excluded.to_us'),
        template_id: eb.ref('excluded.template_id'),
        version: eb.ref('excluded.version'),
      })),
    )
    .execute()
  await recordEvent({ kind: 'courier_events.set', subject: 'company', subject_id: company_id, data: { agent_code } })
  notify('courier_settings')
  return courierEventSettingsOf(db, company_id, agent_code)
}
