/** Live: what changed, told at once to the screens that show it. */
import { call, calls } from '#contract/call.ts'

export const live = calls(
  { access: 'user', reach: 'operator', own: true },
  {
    listen: call('GET live', {
      media: 'text/event-stream',
      outside: true,
      summary: 'Server-sent events: each names a topic and an id that changed; ask again for what you show.',
    }),
  },
)
