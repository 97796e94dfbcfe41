/** Reads photos of open boxes. */
import { orNotFound } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { PackingPhoto } from './packing-photos.schemas.ts'

const mostShown = 200

export async function photosOfOrder(db: Db, order_id: number): Promise<PackingPhoto[]> {
  orNotFound(await db.selectFrom('orders').select('id').where('id', '=', order_id).executeTakeFirst(), 'order_not_found', 'Order not found')
  return db
    .selectFrom('packing_photos')
    .select(['id', 'parcel_no', 'station', 'taken_by', 'taken_at', 'delete_after'])
    .where('order_id', '=', order_id)
    .where('deleted_at', 'is', null)
    .orderBy('taken_at')
    .orderBy('id')
    .limit(mostShown)
    .execute()
}

/** What the file store has of the photos of one parcel. */
export const photoFilesOfParcel = (db: Db, order_id: number, parcel_no: number) =>
  db
    .selectFrom('packing_photos as p')
    .innerJoin('files as f', 'f.id', 'p.file_id')
    .select(['f.sha256', 'f.bytes'])
    .where('p.order_id', '=', order_id)
    .where('p.parcel_no', '=', parcel_no)
    .where('p.deleted_at', 'is', null)
    .where('f.erased_at', 'is', null)
    .orderBy('p.taken_at')
    .orderBy('p.id')
    .limit(mostShown)
    .execute()

export const photoFile = async (db: Db, id: number) =>
  orNotFound(
    await db
      .selectFrom('packing_photos as p')
      .innerJoin('files as f', 'f.id', 'p.file_id')
      .select(['f.sha256', 'f.bytes', 'f.media_type'])
      .where('p.id', '=', id)
      .where('p.deleted_at', 'is', null)
      .where('f.erased_at', 'is', null)
      .executeTakeFirst(),
    'packing_photo_not_found',
    'This photo does not exist any more',
  )

export async function countPhotos(db: Db, session_id: number, parcel_no: number): Promise<number> {
  const { count } = await db
    .selectFrom('packing_photos')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('session_id', '=', session_id)
    .where('parcel_no', '=', parcel_no)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
