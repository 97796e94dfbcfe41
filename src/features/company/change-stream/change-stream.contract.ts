/** Change stream: change notifications to the open screens. */
import * as z from 'zod'
import { call, calls } from '#contract/endpoint.ts'

export const live = calls(
  { name: 'changeStream', area: 'company', access: 'user', tenantScope: 'operator', internal: true },
  {
    listen: call('GET live', {
      /** Milliseconds before now from which notifications are repeated: what the screen loaded before the stream opened may have changed since. */
      query: z.object({ missed: z.coerce.number<unknown>().int().min(0).default(0) }),
      media: 'text/event-stream',
      external: true,
      summary: 'Server-sent events: each names a topic and an id that changed; ask again for what you show.',
    }),
  },
)
