/** What the queue does for packing when the request that began it never ended. */
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { finishSlip } from './close-order.server.ts'

export const packingTasks = {
  'packing.papers': ({ session_id, a4_printer_id }: { session_id: number; a4_printer_id: number }, outside: ExternalContext) =>
    finishSlip(outside, session_id, a4_printer_id),
}
