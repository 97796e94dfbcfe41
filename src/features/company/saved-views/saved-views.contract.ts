/** Saved views: filters and sort order of a list under a name. */
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { limits, text } from '#contract/limits.ts'

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

export const savedViews = calls(
  { name: 'savedViews', area: 'company', access: access.customers, internal: true, schemas: { SavedView } },
  {
    list: call('GET saved_views/{screen}', {
      params: { screen: Screen },
      reply: z.array(SavedView),
      summary: 'The caller’s own and the shared views of a list.',
    }),
    save: call('POST saved_views/{screen}', {
      params: { screen: Screen },
      body: z.object({ name: text(limits.name).min(1, 'Give the view a name'), query: ViewQuery, shared: z.boolean().default(false) }),
      reply: SavedView,
      summary: 'Keeps a view under a name; an own view of the same name is replaced.',
    }),
    remove: call('DELETE saved_views/{screen}/{id}', { params: { screen: Screen }, summary: 'Removes a saved view.' }),
  },
)
