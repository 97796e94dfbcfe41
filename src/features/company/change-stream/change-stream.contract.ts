/** Live: what changed, told at once to the screens that show it. */
import * as z from 'zod'
import { call, calls } from '#contract/endpoint.ts'

export const live = calls(
  { name: 'changeStream', area: 'company', access: 'user', tenantScope: 'operator', internal: true },
  {
    listen: call('GET live', {
      /** Milliseconds before now whose notices are wanted as well: what the screen asked for before the stream stood may have changed since. */
      query: z.object({ missed: z.coerce.number<unknown>().int().min(0).default(0) }),
      media: 'text/event-stream',
      external: true,
      summary: 'Server-sent events: each names a topic and an id that changed; ask again for what you show.',
    }),
  },
)
