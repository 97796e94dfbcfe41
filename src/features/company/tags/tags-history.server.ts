/** Tags in the history of settings, and setting them back. */
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { createTag, removeTag, updateTag } from './tags.commands.ts'
import { tagById } from './tags.queries.ts'
import { TagFields } from './tags.schemas.ts'

export const tagList: SettingList<TagFields> = {
  name: 'tags',
  Fields: TagFields,
  title: fields => fields.name,
  async find({ db }, place) {
    const tag = await tagById(db, Number(place))
    return tag && { fields: { name: tag.name, color: tag.color }, version: tag.version }
  },
  add: (context, place, fields) => createTag(context, { ...fields, id: Number(place) }),
  change: (context, place, fields, version) => updateTag(context, Number(place), { ...fields, version }),
  remove: (context, place) => removeTag(context, Number(place)),
  async isUsed({ db }, place) {
    const tag = await tagById(db, Number(place))
    return tag !== undefined && tag.orders + tag.products + tag.customers > 0
  },
}
