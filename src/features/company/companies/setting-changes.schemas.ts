/** Schemas of the calls in setting-changes.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'

const SettingChangeRow = z.object({
  id: z.number().int(),
  /** Such as `cut_off` or `serials.min_length`. */
  name: z.string(),
  /** The path of the page that shows the setting. */
  page: z.string(),
  /** The label of its field, in English. */
  label: z.string(),
  /** The name of the webhook that the setting belongs to, where it still exists. */
  place_name: z.string().nullable(),
  /** Null where there was none. */
  before: z.unknown(),
  after: z.unknown(),
  changed_by: z.string(),
  at: Instant,
  /** Whether it is the last change of this setting and the caller may set it back. */
  can_set_back: z.boolean(),
})
export type SettingChangeRow = z.infer<typeof SettingChangeRow>

const Question = z.object({
  path: text(80).optional(),
  name: text(80).optional(),
  /** A part of the person's name. */
  changed_by: text(limits.name).optional(),
  /** `YYYY-MM-DD`, the company's day. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
})

export const settingChangesSchemas = {
  components: { SettingChangeRow },
  calls: {
    list: {
      query: Question.extend(pageQuery.shape),
      reply: page(SettingChangeRow),
      summary: 'Who changed which setting when, from what to what, the latest first; of pages that the caller may open.',
    },
    exportAll: {
      query: Question,
      summary: 'The same rows as CSV, at most 50,000.',
    },
    setBack: {
      reply: SettingChangeRow,
      summary: 'Gives a setting the value it had before its last change; 409 with the present value after a later change.',
    },
  },
} satisfies ContractSchemas
