/** Schemas of the calls in saved-views.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'

/** The list's query parameters, as the address bar shows them. */
const ViewQuery = z
  .record(text(40), z.union([text(200), z.array(text(200)).max(50)]))
  .refine(query => Object.keys(query).length <= 30, 'A view keeps at most 30 filters')

export const SavedView = z.object({
  view_id: z.number().int(),
  screen: z.string(),
  name: z.string(),
  query: ViewQuery,
  shared: z.boolean(),
  /** Whether the caller may change and remove it. */
  own: z.boolean(),
})
export type SavedView = z.infer<typeof SavedView>

const Screen = z.enum(['orders', 'shipments', 'customers'])

export const savedViewsSchemas = {
  components: { SavedView },
  calls: {
    list: {
      params: { screen: Screen },
      reply: z.array(SavedView),
      summary: 'The caller’s own and the shared views of a list.',
    },
    save: {
      params: { screen: Screen },
      body: z.object({ name: text(limits.name).min(1, 'Give the view a name'), query: ViewQuery, shared: z.boolean().default(false) }),
      reply: SavedView,
      summary: 'Keeps a view under a name; an own view of the same name is replaced.',
    },
    remove: {
      params: { screen: Screen },
      summary: 'Removes a saved view.',
    },
  },
} satisfies ContractSchemas
