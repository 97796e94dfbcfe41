/** Jobs: long work with progress and cancel. */

import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/call.ts'
import { page, pageQuery } from '#contract/page.ts'

export const Job = z.object({
  id: z.number().int(),
  kind: z.string(),
  title: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  done: z.number().int(),
  total: z.number().int().nullable(),
  /** What went wrong, or what stands in the way. */
  message: z.string().nullable(),
  result: z.unknown(),
  cancel_asked_at: z.string().nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
})
export type Job = z.infer<typeof Job>

export const jobs = calls(
  { access: 'user', own: true },
  {
    list: call('GET jobs', { query: pageQuery, reply: page(Job) }),
    get: call('GET jobs/{id}', { reply: Job }),
    // Every long work so far is begun with this right; who may not begin it may not stop it.
    cancel: call('POST jobs/{id}/cancel', {
      access: access.parcelsAdmin,
      summary: 'Asks a waiting or running job to stop; what it finished stays.',
    }),
  },
)
