/** Measuring a map: the job that finds all ways in a thread of its own, keeps them in a file, and says how good they are. */
import { unprocessable } from '#contract/errors.ts'
import { doJob, jobById } from '#features/company/jobs/jobs.queries.ts'
import { findingsOf, measuredCells, mostCells } from '#features/warehouse/warehouse-maps/drawing.rules.ts'
import { Drawing } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import type { FindingKind } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { runInThread } from '#platform/threads/worker-thread.ts'
import type { Measured, MeasureTask } from './measure-map.thread.ts'
import { measuredMap } from './measured-maps.queries.ts'
import { pastWalks } from './past-walks.queries.ts'
import { failForgotten, failResult, finishResult } from './results.commands.ts'
import { activeResult } from './results.queries.ts'

/** Why a map cannot be measured. */
const obstacles: Partial<Record<FindingKind, string>> = {
  no_start: 'This map has no start. Draw where wagons start.',
  no_locations: 'This map has no locations',
  outside: '{{item}} lies outside of the grid',
  spot_not_walkable: 'No one can stand at {{item}}: its cell is no floor',
  stair_not_walkable: 'The stairs {{item}} lead to a cell that is no floor',
  duplicate: 'The location {{item}} is on this map more than once',
  too_many_cells: 'This map has {{item}} access points; at most {{most}} can be measured',
}

/** @throws {Refusal} 422 with the first reason why ways cannot be measured on it */
export function mustBeMeasurable(drawing: Drawing): void {
  const findings = findingsOf(drawing)
  for (const [kind, sentence] of Object.entries(obstacles)) {
    const finding = findings.find(one => one.kind === kind)
    if (finding) throw unprocessable('map_not_measurable', sentence, { item: finding.items[0]?.text ?? '', most: mostCells })
  }
}

const thread = new URL('./measure-map.thread.ts', import.meta.url)
/** Heap limit of the thread in megabytes: the largest map needs about 600. */
const memory = 1_536

const week = 7 * 86_400_000

/** The queue's task: `{ result_id, job_id }`. */
export const measureMap: Tasks['maps.measure'] = async ({ result_id, job_id }, context) => {
  const { services, transaction, scope, signal, now } = context
  try {
    await doJob(context, job_id, async progress => {
      const asked = await transaction(async ({ db }) => {
        const row = await db
          .selectFrom('warehouse_map_results')
          .select(['drawing', 'map_hash', 'state'])
          .where('id', '=', result_id)
          .executeTakeFirst()
        if (row?.state !== 'computing') return null
        const active = await activeResult(db)
        return {
          drawing: Drawing.parse(row.drawing),
          hash: row.map_hash,
          active: active && (await measuredMap(db, services, active.result_id)),
          past: await pastWalks(db, new Date(now().getTime() - week), now()),
        }
      })
      if (!asked) return
      mustBeMeasurable(asked.drawing)
      const cells = measuredCells(asked.drawing)
      await progress(0, cells.length)
      const { bytes, quality } = await runInThread<Measured>(thread, { cells, ...asked } satisfies MeasureTask, {
        signal,
        memory,
        onProgress: done => progress(done, cells.length),
      })
      const stored = await services.files.put(scope.operator_id, bytes)
      await progress(cells.length, cells.length)
      await transaction(async ({ db, recordEvent, notify }) => {
        const file_id = await recordFile(db, stored, { media_type: 'application/octet-stream', name: `distances-${result_id}` })
        if (!(await finishResult(db, result_id, { file_id, cells: cells.length, quality }))) return
        await recordEvent({ kind: 'warehouse_map.measured', subject: 'map_result', subject_id: result_id, data: { cells: cells.length } })
        notify('map', result_id)
      })
      return { result_id }
    })
  } finally {
    await transaction(async ({ db, notify }) => {
      const job = await jobById(db, job_id)
      const error = job?.state === 'cancelled' ? 'It was stopped' : job?.state === 'failed' ? (job.message ?? 'Failed') : null
      if (error !== null && (await failResult(db, result_id, error))) notify('map', result_id)
    })
  }
}

/** What was begun so long ago has died with its server. */
const patience = 6 * 3_600_000

export const failForgottenResults: ScheduledTask = {
  name: 'warehouse maps that were not measured to their end',
  seconds: 300,
  run: services => failForgotten(services.database, new Date(services.now().getTime() - patience)),
}
