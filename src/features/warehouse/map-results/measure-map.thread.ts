/** Worker thread that measures a map and rates the result on past walks. */
import type { Drawing } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { encode, measure } from '#optimization/distances/distances.ts'
import type { Cell } from '#optimization/distances/floor.ts'
import { answerTask } from '#platform/threads/worker-thread.ts'
import type { Quality } from './map-results.schemas.ts'
import { type MeasuredMap, type PastWalks, qualityOf, walkable } from './walks.rules.ts'

export interface MeasureTask {
  drawing: Drawing
  cells: Cell[]
  hash: string
  active: MeasuredMap | null
  past: PastWalks
}

export interface Measured {
  /** As `encode` writes them. */
  bytes: Uint8Array<ArrayBuffer>
  quality: Quality
}

await answerTask<MeasureTask, Measured>(async ({ drawing, cells, hash, active, past }, progress) => {
  const bytes = encode(await measure(drawing, cells, progress), hash)
  const map = walkable({ result_id: 0, map_id: 0, drawing, bytes })
  return { answer: { bytes, quality: qualityOf(map, active && walkable(active), past) }, transfer: [bytes.buffer] }
})
