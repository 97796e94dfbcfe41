/** What the queue does for packing when the request that began it never ended. */
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { finishSlip } from './close-order.server.ts'

export const packingTasks = {
  'packing.papers': ({ session_id, a4_printer_id }, outside) => finishSlip(outside, session_id, a4_printer_id),
} satisfies Pick<Tasks, 'packing.papers'>
