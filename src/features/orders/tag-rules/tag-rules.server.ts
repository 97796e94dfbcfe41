/** Tag rules: handlers, and which changes of orders they look at. */
import { keysOf } from '#domain/objects.ts'
import { addEntry, changeEntry, entryRemoved } from '#features/company/companies/setting-lists.server.ts'
import { recordOwnedChanges } from '#features/company/companies/setting-owners.server.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, implement, type RecordedEvent, type Subscriptions } from '#platform/http/feature-module.ts'
import { mostTagRules } from './tag-rules.codes.ts'
import { createTagRule, followTag, removeTagRule, tagByRules, updateTagRule } from './tag-rules.commands.ts'
import { tagRules } from './tag-rules.contract.ts'
import { findTagRules, tagRuleById, tagRulesOfTag } from './tag-rules.queries.ts'
import { tagRulesSchemas } from './tag-rules.schemas.ts'
import { historyOfTagRule, tagRuleList } from './tag-rules-history.server.ts'

const tag = (events: readonly RecordedEvent[], context: Context) =>
  tagByRules(context, [...new Set(events.flatMap(event => event.order_id ?? []))])

const subscriptions: Subscriptions = {
  'order.arrived': tag,
  'order.changed': tag,
  'order.items_edited': tag,
  'order.lines_cancelled': tag,
  'order.address_changed': tag,
  'order.shipping_set': tag,
  'order.method_chosen': tag,
  // A rule may ask for a tag. It ends, because each rule tags an order once.
  'order.tagged': tag,
  async 'tag.merged'(events, context) {
    for (const { subject_id, data } of events)
      if (subject_id !== null) {
        const rules = await tagRulesOfTag(context.db, data.tag_id)
        await followTag(context, data.tag_id, subject_id)
        for (const { id, ...rule } of rules)
          await recordOwnedChanges(context, `${tagRuleList.name}.${id}`, { tag: data.name, ...rule }, { tag: data.into, ...rule })
      }
  },
  async 'tag.removed'(events, context) {
    for (const { subject_id, data } of events)
      if (subject_id !== null) {
        const rules = await tagRulesOfTag(context.db, subject_id)
        await followTag(context, subject_id, null)
        for (const { id, ...rule } of rules) await entryRemoved(tagRuleList, context, id, historyOfTagRule({ tag: data.name, ...rule }))
      }
  },
}

export const tagRulesServer = implement(
  tagRules,
  tagRulesSchemas,
  {
    list: (asked, { db }) => findTagRules(db, asked),
    async export(asked, { db, now }) {
      const { rows } = await findTagRules(db, { ...asked, page: 1, limit: mostTagRules })
      const columns = { tag: 'tag', active: 'active', hits: 'hits_30_days', conditions: 'conditions' } as const
      return {
        bytes: csv(
          Object.values(columns),
          rows.map(row =>
            keysOf(columns).map(column => {
              const value = row[column]
              return typeof value === 'object' ? JSON.stringify(value) : String(value)
            }),
          ),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `tag-rules-${now().toISOString().slice(0, 10)}.csv`,
      }
    },
    get: ({ id }, { db }) => tagRuleById(db, id),
    create: ({ body }, context) =>
      addEntry(
        tagRuleList,
        context,
        () => createTagRule(context, body),
        rule => rule.id,
      ),
    update: ({ id, body }, context) => changeEntry(tagRuleList, context, id, () => updateTagRule(context, id, body)),
    remove: ({ id }, context) => changeEntry(tagRuleList, context, id, () => removeTagRule(context, id)),
  },
  subscriptions,
)
