/** Announcements in the history of settings, and setting them back. A text that was published is never rewritten: the text before becomes the newest version. */
import * as z from 'zod'
import { conflict } from '#contract/errors.ts'
import { Instant, Locale } from '#contract/fields.schemas.ts'
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { notValid } from '#features/company/companies/setting-owners.server.ts'
import { announcementModes } from './announcements.codes.ts'
import { createAnnouncement, removeAnnouncement, updateAnnouncement } from './announcements.commands.ts'
import { writtenAnnouncement } from './announcements.queries.ts'
import { AnnouncementFields } from './announcements.schemas.ts'

const Fields = z.object({
  /** Of each language; the title is that in the language of the company. */
  texts: z.object({ title: z.string(), languages: z.partialRecord(Locale, z.object({ title: z.string(), body: z.string() })) }),
  mode: z.enum(announcementModes),
  /** Its parts never come back without each other. The numbers of people, so that no name stays here. */
  audience: z.object({
    everyone: z.boolean(),
    groups: z.array(z.object({ id: z.number().int(), name: z.string() })),
    user_ids: z.array(z.number().int()),
  }),
  from_at: Instant,
  to_at: Instant.nullable(),
  state: z.enum(['draft', 'published', 'withdrawn']),
})
type Fields = z.output<typeof Fields>

function written({ texts, mode, audience: { everyone, groups, user_ids }, from_at, to_at }: Fields): AnnouncementFields {
  const group_ids = groups.map(one => one.id)
  const read = AnnouncementFields.safeParse({ texts: texts.languages, mode, everyone, group_ids, user_ids, from_at, to_at })
  if (!read.success) throw notValid()
  return read.data
}

export const announcementList: SettingList<Fields> = {
  name: 'announcements',
  Fields,
  title: fields => fields.texts.title,
  async find({ db, principal }, place) {
    const row = await writtenAnnouncement(db, principal.company.id, Number(place))
    if (!row) return undefined
    const { title, texts, everyone, groups, user_ids, version, ...fields } = row
    return { fields: { ...fields, texts: { title, languages: texts }, audience: { everyone, groups, user_ids } }, version }
  },
  add: (context, place, fields) => createAnnouncement(context, { ...written(fields), id: Number(place) }),
  async change(context, place, fields, version) {
    const current = await this.find(context, place)
    if (current?.fields.state === 'published' && fields.state === 'draft')
      throw conflict('announcement_published', 'What people may have read is no draft any more. Withdraw it on its page.')
    return updateAnnouncement(context, Number(place), { ...written(fields), version })
  },
  remove: (context, place) => removeAnnouncement(context, Number(place)),
  async isUsed(context, place) {
    const current = await this.find(context, place)
    return current !== undefined && current.fields.state !== 'draft'
  },
}
