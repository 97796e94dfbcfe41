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
  const faults = events.flatMap((setting, at): { field: string; words: string }[] => {
    const fault = audienceFault(setting.event, setting)
    const fieldOf = { no_exception: 'to_us', no_tag: 'tag_id', no_template: 'template_id' } as const
    if (fault) return [{ field: `events.${at}.${fieldOf[fault]}`, words: audienceWords[fault] }]
    if (setting.template_id !== null && !current.templates.some(template => template.id === setting.template_id))
      return [{ field: `events.${at}.template_id`, words: audienceWords.template }]
    return setting.tag_id !== null && !current.tags.some(tag => tag.id === setting.tag_id)
      ? [{ field: `events.${at}.tag_id`, words: audienceWords.tag }]
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
        us_action: eb.ref('excluded.us_action'),
        tag_id: eb.ref('excluded.tag_id'),
        template_id: eb.ref('excluded.template_id'),
        version: eb.ref('excluded.version'),
      })),
    )
    .execute()
  await recordEvent({ kind: 'courier_events.set', subject: 'company', subject_id: company_id, data: { agent_code } })
  notify('courier_settings')
  return courierEventSettingsOf(db, company_id, agent_code)
}

/** Events whose tag was merged give the other one; those whose tag was removed no longer reach the warehouse. */
export async function followTag({ db, notify }: Context, tag_id: number, into: number | null): Promise<void> {
  await db
    .updateTable('courier_event_settings')
    .set(eb => ({
      ...(into === null ? { tag_id: null, to_us: false, us_action: 'exception' as const } : { tag_id: into }),
      version: eb('version', '+', 1),
    }))
    .where('tag_id', '=', tag_id)
    .execute()
  notify('courier_settings')
}
