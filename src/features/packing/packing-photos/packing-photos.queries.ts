/** Reads photos of open boxes. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'
import { isHeld } from './hold.rules.ts'
import type { PhotoKind } from './packing-photos.codes.ts'
import type { PackingPhoto } from './packing-photos.schemas.ts'

const mostShown = 200
/** A claim about the parcel of the photo is open. */
export const heldByClaim = (photo: 'packing_photos' | 'p') => {
  const p = sql.raw(photo)
  return sql<boolean>`exists (select from claims c join shipments s on s.operator_id = c.operator_id and s.id = c.shipment_id
    where c.operator_id = ${p}.operator_id and c.order_id = ${p}.order_id and s.parcel_no = ${p}.parcel_no and c.state in ('open', 'sent'))`
}
const kindOf = sql<PhotoKind>`kind`.as('kind')

export async function photosOfOrder(db: Db, order_id: number, now: Date): Promise<PackingPhoto[]> {
  orNotFound(await db.selectFrom('orders').select('id').where('id', '=', order_id).executeTakeFirst(), 'order_not_found', 'Order not found')
  const photos = await db
    .selectFrom('packing_photos')
    .select(['id', 'parcel_no', 'station', 'taken_by', 'taken_at', 'delete_after', kindOf, heldByClaim('packing_photos').as('held')])
    .select(['held_until', 'held_by_name', 'held_reason'])
    .where('order_id', '=', order_id)
    .where('deleted_at', 'is', null)
    .orderBy('taken_at')
    .orderBy('id')
    .limit(mostShown)
    .execute()
  // A hold that is over is none.
  return photos.map(photo =>
    isHeld(photo.held_until, now) ? photo : { ...photo, held_until: null, held_by_name: null, held_reason: null },
  )
}

/** What the file store has of the photos of one parcel, or of all of an order. */
export const photoFilesOfParcel = (db: Db, order_id: number, parcel_no?: number) =>
  db
    .selectFrom('packing_photos as p')
    .innerJoin('files as f', 'f.id', 'p.file_id')
    .select(['f.sha256', 'f.bytes'])
    .where('p.order_id', '=', order_id)
    .$if(parcel_no !== undefined, query => query.where('p.parcel_no', '=', parcel_no ?? 0))
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

/** Of the open box, or with those for approvals. */
export async function countPhotos(db: Db, session_id: number, parcel_no: number, of: 'box' | 'all' = 'box'): Promise<number> {
  const { count } = await db
    .selectFrom('packing_photos')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('session_id', '=', session_id)
    .where('parcel_no', '=', parcel_no)
    .where('deleted_at', 'is', null)
    .$if(of === 'box', query => query.where('kind', '=', 'box'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
