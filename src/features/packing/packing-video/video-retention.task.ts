/** Deletes clips whose time is over, and ends uploads that no one goes on with. */
import { sql } from 'kysely'
import { removeErasedFiles } from '#platform/files/erased-files.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { deleteVideo, failVideo, finishUpload } from './packing-video.commands.ts'
import { at, hasOpenCase, uploadOfVideo } from './packing-video.queries.ts'
import { removeOldUploads } from './video-uploads.server.ts'

export const deleteOldVideos: ScheduledTask = { name: 'delete old packing videos', seconds: 3_600, atStart: true, run: deleteDue }
export const endOldUploads: ScheduledTask = { name: 'end uploads of packing videos', seconds: 300, run: endForgotten }

const why = 'the clock knows no tenant'
interface Found {
  operator_id: number
  company_id: number
  id: number
}
const systemOf = (services: Services, { operator_id, company_id }: Found) =>
  createSystemContext(services, { operator_id, company_id, companies: [company_id] })

export async function deleteDue(services: Services): Promise<void> {
  const operators = new Set<number>()
  for (;;) {
    const now = services.now()
    const due = await services.database.systemTransaction(why, async db => {
      const { rows } = await sql<Found>`
        select operator_id, company_id, id from packing_videos
        where state = 'available' and delete_after <= ${now.toISOString()}::timestamptz
          and (held_until is null or held_until < ${now.toISOString().slice(0, 10)}::date)
          and not ${hasOpenCase('packing_videos', now)}
        order by delete_after limit 500`.execute(db)
      return rows
    })
    for (const one of due) {
      await systemOf(services, one).transaction(context => deleteVideo(context, one.id))
      operators.add(one.operator_id)
    }
    if (due.length < 500) break
  }
  for (const operator_id of operators) await removeErasedFiles(services, operator_id, services.now())
}

/** Minutes until a recording of which nothing arrived has failed, and hours until an upload ends as it is. */
const emptyMinutes = 10
const openHours = 24

export async function endForgotten(services: Services): Promise<void> {
  const now = services.now()
  const old = await services.database.systemTransaction(why, async db => {
    const { rows } = await sql<Found & { empty: boolean }>`
      select v.operator_id, v.company_id, v.id, u.received_bytes = 0 as empty
      from video_uploads u join packing_videos v on v.operator_id = u.operator_id and v.id = u.video_id
      where u.finished_at is null and (u.last_at < ${at(now, -openHours * 3_600)}::timestamptz
        or (u.received_bytes = 0 and u.last_at < ${at(now, -emptyMinutes * 60)}::timestamptz))
      order by u.last_at limit 500`.execute(db)
    return rows
  })
  for (const one of old)
    await systemOf(services, one).transaction(async context => {
      const upload = await uploadOfVideo(context.db, one.id)
      if (!upload || upload.finished_at !== null) return
      if (upload.received_bytes === 0) await failVideo(context, one.id, 'no_data')
      else await finishUpload(context, upload, null)
    })
  await removeOldUploads(services, files =>
    services.database.systemTransaction(why, async db => {
      const { rows } = await sql<{ name: string }>`
        select u.operator_id || '-' || u.id as name from video_uploads u
        join packing_videos v on v.operator_id = u.operator_id and v.id = u.video_id
        where v.state in ('requested', 'recording', 'uploading', 'processing')
          and (u.operator_id, u.id) in (select * from unnest(${files.map(file => file.operator_id)}::bigint[], ${files.map(file => file.id)}::bigint[]))`.execute(
        db,
      )
      return new Set(rows.map(row => row.name))
    }),
  )
}
