/** Campaigns in the history of settings, and setting them back. Pictures go with a removed draft: it comes back without them. */
import * as z from 'zod'
import { conflict } from '#contract/errors.ts'
import { Instant } from '#contract/fields.schemas.ts'
import { writeSettingChanges } from '#features/company/companies/setting-changes.commands.ts'
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { notValid } from '#features/company/companies/setting-owners.server.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { createCampaign, type Place, removeCampaign, setActive, updateCampaign } from './campaigns.commands.ts'
import { contentsOf, writtenCampaign } from './campaigns.queries.ts'
import { Campaign, type CampaignContent, CampaignFields } from './campaigns.schemas.ts'

const Kept = Campaign.pick({
  ...{ title: true, to_at: true, stages: true, locales: true, countries: true, agent_codes: true },
  ...{ conditions: true, priority: true, ab_share: true, link: true },
})
const Fields = Kept.extend({
  from_at: Instant,
  /** Words of each language and variant. */
  contents: z.record(z.string(), z.unknown()),
  state: z.enum(['draft', 'published', 'paused', 'ended']),
})
type Fields = z.output<typeof Fields>

function written({ state: _state, ...fields }: Fields): CampaignFields {
  const read = CampaignFields.safeParse(fields)
  if (!read.success) throw notValid()
  return read.data
}

/** `{ de_DE: { a: { headline, text, button, alt } } }` */
function wordsOf(contents: readonly CampaignContent[]): Fields['contents'] {
  const byLocale = Map.groupBy(contents, one => one.locale)
  return Object.fromEntries(
    [...byLocale].map(([locale, rows]) => [
      locale,
      Object.fromEntries(rows.map(({ variant, headline, text, button, alt }) => [variant, { headline, text, button, alt }])),
    ]),
  )
}

export const campaignList: SettingList<Fields> = {
  name: 'campaigns',
  Fields,
  title: fields => fields.title,
  async find({ db, principal }, place) {
    // Of a picture with its language and variant: `12.de_DE.a`.
    const id = Number(place.split('.')[0])
    const row = await writtenCampaign(db, principal.company.id, id)
    if (!row) return undefined
    const { version, ...fields } = row
    return { fields: Fields.parse({ ...fields, contents: wordsOf(await contentsOf(db, id)) }), version }
  },
  add: (context, place, fields) => createCampaign(context, { ...written(fields), id: Number(place) }),
  async change(context, place, fields, version) {
    const id = Number(place)
    const state = (await this.find(context, place))?.fields.state
    if (state === fields.state || state === 'ended') return updateCampaign(context, id, { ...written(fields), version })
    if (fields.state === 'draft')
      throw conflict('campaign_published', 'What was published is no draft any more. Pause or end it on its page.')
    return setActive(context, id, fields.state === 'published')
  },
  remove: (context, place) => removeCampaign(context, Number(place)),
  async isUsed(context, place) {
    const current = await this.find(context, place)
    return current !== undefined && current.fields.state !== 'draft'
  },
}

/** The history says that a picture was set or removed, and keeps none. */
export async function pictureChanged({ db, principal, now, notify }: Context, { id, locale, variant }: Place, had: boolean, has: boolean) {
  if (!had && !has) return
  const said = (is: boolean) => (is ? 'set' : 'removed')
  const name = `${campaignList.name}.${id}.${locale}.${variant}.picture_file_id`
  await writeSettingChanges(db, principal.company.id, [{ name, before: said(had), after: said(has) }], { name: principal.name, at: now() })
  notify('company')
}
