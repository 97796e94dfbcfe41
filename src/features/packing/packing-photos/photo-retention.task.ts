/** Deletes photos whose days are over, unless a person holds them or a claim about their parcel is open. */
import { sql } from 'kysely'
import { removeErasedFiles } from '#platform/files/erased-files.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { deletePhoto } from './packing-photos.commands.ts'
import { heldByClaim } from './packing-photos.queries.ts'

export const deleteOldPhotos: ScheduledTask = { name: 'delete old packing photos', seconds: 3_600, atStart: true, run: deleteDue }

const most = 500

export async function deleteDue(services: Services): Promise<void> {
  const operators = new Set<number>()
  for (;;) {
    const now = services.now()
    const due = await services.database.systemTransaction('the clock knows no tenant', async db => {
      const { rows } = await sql<{ operator_id: number; company_id: number; id: number }>`
        select p.operator_id, p.company_id, p.id from packing_photos p
        where p.deleted_at is null and p.delete_after <= ${now.toISOString()}::timestamptz
          and (p.held_until is null or p.held_until < ${now.toISOString().slice(0, 10)}::date) and not ${heldByClaim('p')}
        order by p.delete_after limit ${most}`.execute(db)
      return rows
    })
    for (const { operator_id, company_id, id } of due) {
      await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(context =>
        deletePhoto(context, id),
      )
      operators.add(operator_id)
    }
    if (due.length < most) break
  }
  for (const operator_id of operators) await removeErasedFiles(services, operator_id, services.now())
}
