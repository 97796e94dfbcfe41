/** Schemas of the calls in tags.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { page, pageQuery } from '#contract/page.ts'
import { longestTag, mostNamed, mostTagged, tagColors, tagObjects, tagWords } from './tags.codes.ts'

const id = z.number().int()
const version = z.number().int().min(1)
const Name = text(longestTag).min(1, tagWords.name)

export const TagFields = z.strictObject({
  name: Name,
  color: z.enum(tagColors).default('c1'),
})
export type TagFields = z.output<typeof TagFields>

export const Tag = z.object({
  id,
  name: z.string(),
  color: z.enum(tagColors),
  version: id,
  /** How many have it; each counted to 10,000. */
  orders: id,
  products: id,
  customers: id,
})
export type Tag = z.infer<typeof Tag>

export const TagName = z.object({ company_id: id, name: z.string(), color: z.enum(tagColors) })
export type TagName = z.infer<typeof TagName>

const Names = z.array(Name).max(mostNamed).default([])

export const TagChange = z.strictObject({
  object: z.enum(tagObjects),
  ids: z.array(id.positive()).min(1).max(mostTagged),
  add: Names,
  remove: Names,
})
export type TagChange = z.output<typeof TagChange>

export const tagsSchemas = {
  components: { Tag, TagFields, TagName, TagChange },
  calls: {
    list: {
      query: pageQuery.extend({ query: z.string().trim().max(200).default('') }),
      reply: page(Tag),
      summary: 'The tags of the company, with how many orders, products and customers have each.',
    },
    names: {
      reply: z.array(TagName),
      summary: 'Names and colours of the tags of every company that the caller sees.',
    },
    create: {
      body: TagFields.extend({ client_id: z.uuid().optional() }),
      reply: Tag,
      summary: 'Adds a tag; orders to which the shop gave this word have it at once. The same `client_id` again answers the same tag.',
    },
    update: {
      body: TagFields.extend({ version }),
      reply: Tag,
      summary:
        'Renames or recolours a tag; 409 with the current state when the version is old. Its earlier name still means it in what shops send.',
    },
    merge: {
      body: z.strictObject({ into: id.positive() }),
      reply: Tag,
      summary: 'Gives everything that has this tag the other one instead, and removes this one.',
    },
    remove: { summary: 'Removes a tag from everything that has it; again is no mistake.' },
    apply: {
      body: TagChange,
      reply: z.object({
        /** How many got or lost a tag. */
        changed: id,
      }),
      summary:
        'Sets and removes tags of up to 500 orders, products or customers. A tag belongs to the company of what it is set on, which gets one by that name where another company of the caller has it.',
    },
  },
} satisfies ContractSchemas
