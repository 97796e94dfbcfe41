/** Tag rules in the history of settings, and setting them back. The history calls a tag by its name. */
import { sql } from 'kysely'
import * as z from 'zod'
import { unprocessable } from '#contract/errors.ts'
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { tagRuleWords } from './tag-rules.codes.ts'
import { createTagRule, removeTagRule, updateTagRule } from './tag-rules.commands.ts'
import { findTagRule } from './tag-rules.queries.ts'
import { type TagRule, TagRuleFields } from './tag-rules.schemas.ts'

const Fields = TagRuleFields.omit({ tag_id: true }).extend({ tag: z.string() })
type Fields = z.output<typeof Fields>

export const historyOfTagRule = ({ tag, conditions, active }: Pick<TagRule, keyof Fields>): Fields => ({ tag, conditions, active })

async function written({ db }: Context, { tag, ...fields }: Fields): Promise<TagRuleFields> {
  const known = await db.selectFrom('tags').select('id').where('code', '=', sql<string>`lower(${tag})`).executeTakeFirst()
  if (!known) throw unprocessable('tag_not_found', 'Tag not found', {}, { fields: { tag_id: tagRuleWords.tag } })
  return { ...fields, tag_id: known.id }
}

export const tagRuleList: SettingList<Fields> = {
  name: 'tag_rules',
  Fields,
  title: fields => fields.tag,
  async find({ db }, place) {
    const rule = await findTagRule(db, Number(place))
    return rule && { fields: historyOfTagRule(rule), version: rule.version }
  },
  add: async (context, place, fields) => createTagRule(context, { ...(await written(context, fields)), id: Number(place) }),
  change: async (context, place, fields, version) =>
    updateTagRule(context, Number(place), { ...(await written(context, fields)), version }),
  remove: (context, place) => removeTagRule(context, Number(place)),
}
