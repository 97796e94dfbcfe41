/** Schemas of the calls in tag-rules.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { tagColors } from '#features/company/tags/tags.codes.ts'
import { tagRuleSorts, tagRuleWords } from './tag-rules.codes.ts'

const id = z.number().int()
const flag = z.enum(['true', 'false']).transform(value => value === 'true')

export const TagRuleFields = z.strictObject({
  tag_id: z.number(tagRuleWords.tag).int().positive(),
  /** In the grammar of rules. */
  conditions: RuleJson,
  active: z.boolean().default(true),
})
export type TagRuleFields = z.output<typeof TagRuleFields>

export const TagRule = z.object({
  id,
  ...TagRuleFields.shape,
  tag: z.string(),
  color: z.enum(tagColors),
  /** True where its conditions cannot be read any more: no order gets the tag. */
  broken: z.boolean(),
  version: id,
  updated_at: z.string(),
  /** Orders that it gave the tag in the last 30 days. */
  hits: id,
})
export type TagRule = z.output<typeof TagRule>

const Asked = z.object({
  /** Of the tag's name. */
  query: text(limits.name).default(''),
  active: flag.optional(),
  sort: z.enum(tagRuleSorts).default('tag'),
})
export type AskedTagRules = z.output<typeof Asked>

export const tagRulesSchemas = {
  components: { TagRule, TagRuleFields },
  calls: {
    list: {
      query: pageQuery.extend(Asked.shape),
      reply: page(TagRule),
      summary: 'Tag rules of the company, page by page, with how many orders each gave its tag in the last 30 days.',
    },
    export: { query: Asked, summary: 'Tag rules of the company as CSV.' },
    get: { reply: TagRule, summary: 'One tag rule.' },
    create: {
      body: TagRuleFields.extend({ client_id: z.uuid().optional() }),
      reply: TagRule,
      summary:
        'Adds a rule: orders that meet it get the tag when they arrive and when they change. The same `client_id` again answers the same rule.',
    },
    update: {
      body: TagRuleFields.extend({ version: id.min(1) }),
      reply: TagRule,
      summary: 'Changes a tag rule; 409 with the current state when the version is old. Orders keep the tags that they have.',
    },
    remove: { summary: 'Removes a tag rule; again is no mistake. Orders keep the tags that they have.' },
  },
} satisfies ContractSchemas
