/** Writes photos of open boxes, and says which parcels may be closed. */
import { sql } from 'kysely'
import type { StoredContent } from '#contract/endpoint.ts'
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { mainCompanySettings } from '#features/company/companies/companies.queries.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { eraseFiles } from '#platform/files/erased-files.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { isHeld } from './hold.rules.ts'
import { type MissingPhotoReason, mostPhotos, type PhotoKind } from './packing-photos.codes.ts'
import { countPhotos, heldByClaim } from './packing-photos.queries.ts'
import type { Hold, TakenPhoto } from './packing-photos.schemas.ts'

interface PhotographedSession {
  id: number
  company_id: number
  order_id: number
  parcel_no: number
  station: string
}

/** The session of this person in which the photo was taken: the open one, or the last one where the photo came late. */
export async function photographedSession({ db, principal }: Context, order_id: number): Promise<PhotographedSession> {
  const session = await db
    .selectFrom('packing_sessions')
    .select(['id', 'company_id', 'order_id', 'parcel_no', 'station'])
    .where('order_id', '=', order_id)
    .where('user_id', '=', principal.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return orNotFound(session, 'order_not_open', 'This order is not open at any station')
}

export async function storedPhoto(
  { db }: Pick<Context, 'db'>,
  client_id: string,
): Promise<(TakenPhoto & { order_id: number }) | undefined> {
  const known = await db
    .selectFrom('packing_photos')
    .select(['id', 'order_id', 'session_id', 'parcel_no', sql<PhotoKind>`kind`.as('kind')])
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  if (!known) return undefined
  const { id: photo_id, order_id, session_id, parcel_no, kind } = known
  return { photo_id, order_id, parcel_no, kind, taken: await countPhotos(db, session_id, parcel_no) }
}

export async function storePhoto(
  context: Context,
  session: PhotographedSession,
  photo: { client_id: string; content: StoredContent; media_type: string; age_ms: number; kind: PhotoKind },
): Promise<TakenPhoto> {
  const { db, now, principal, services, recordEvent, notify } = context
  const { id: session_id, company_id, order_id, parcel_no, station } = session
  // Two tries of one request must not make two.
  await db.selectFrom('packing_sessions').select('id').where('id', '=', session_id).forNoKeyUpdate().execute()
  const known = await storedPhoto(context, photo.client_id)
  if (known) return known
  const before = await countPhotos(db, session_id, parcel_no, 'all')
  if (before >= mostPhotos)
    throw conflict('parcel_photos_full', 'Parcel {{parcel}} has {{count}} photos already', { parcel: parcel_no, count: before })
  const { video } = await mainCompanySettings(services.database, principal.company.operator_id)
  const at = now().getTime() - photo.age_ms
  const file_id = await recordFile(db, photo.content, {
    company_id,
    order_id,
    media_type: photo.media_type,
    name: `${photo.kind}-${order_id}-${parcel_no}-${before + 1}.jpg`,
  })
  const { id: photo_id } = await db
    .insertInto('packing_photos')
    .values({
      ...{ company_id, client_id: photo.client_id, order_id, session_id, parcel_no, station, file_id, kind: photo.kind },
      ...{ taken_at: new Date(at).toISOString(), taken_by: principal.name },
      delete_after: new Date(at + video.retention_days * 86_400_000).toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEvent({ kind: 'photo.taken', order_id, company_id, subject: 'photo', subject_id: photo_id, data: { parcel_no, station } })
  notify('photo', order_id, company_id)
  return { photo_id, parcel_no, kind: photo.kind, taken: await countPhotos(db, session_id, parcel_no) }
}

/** Refuses to close a parcel without the photo that its company asks for; a camera that gives none is noted and is no obstacle. */
export async function mustBePhotographed(
  { db, recordEvent }: Pick<Context, 'db' | 'recordEvent'>,
  { id, company_id, order_id, parcel_no }: PhotographedSession,
  { parcel_photos }: Pick<CompanySettings, 'parcel_photos'>,
  without: MissingPhotoReason | undefined,
): Promise<void> {
  if (parcel_photos !== 'required' || (await countPhotos(db, id, parcel_no)) > 0) return
  if (without === undefined)
    throw conflict('photo_required', 'Parcel {{parcel}} needs a photo of the open box first', { parcel: parcel_no })
  await recordEvent({ kind: 'photo.skipped', order_id, company_id, data: { parcel_no, reason: without } })
}

/** A person keeps it beyond its days, or no longer where the hold is null. */
export async function holdPhoto({ db, principal, recordEvent, notify }: Context, id: number, hold: Hold | null): Promise<void> {
  const photo = await db
    .selectFrom('packing_photos')
    .select(['company_id', 'order_id', 'parcel_no', 'held_until'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const { company_id, order_id, parcel_no, held_until } = orNotFound(photo, 'packing_photo_not_found', 'This photo does not exist any more')
  if (!hold && held_until === null) throw unprocessable('packing_photo_not_held', 'This photo is not held')
  await db
    .updateTable('packing_photos')
    .set({ held_until: hold?.until ?? null, held_reason: hold?.reason ?? null, held_by_name: hold && principal.name })
    .where('id', '=', id)
    .execute()
  const about = { order_id, company_id, subject: 'photo', subject_id: id } as const
  if (hold) await recordEvent({ kind: 'photo.held', ...about, data: { parcel_no, ...hold } })
  else await recordEvent({ kind: 'photo.hold_released', ...about, data: { parcel_no } })
  notify('photo', order_id, company_id)
}

/** A person deletes it before its time. */
export async function removePhoto(context: Context, id: number, reason: string): Promise<void> {
  const photo = await context.db
    .selectFrom('packing_photos')
    .select(['held_until', 'held_by_name', heldByClaim('packing_photos').as('claimed')])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const { claimed, held_until, held_by_name } = orNotFound(photo, 'packing_photo_not_found', 'This photo does not exist any more')
  if (isHeld(held_until, context.now()))
    throw conflict('packing_photo_kept', '{{name}} keeps this photo. Stop keeping it first.', { name: held_by_name ?? '' })
  if (claimed) throw conflict('packing_photo_held', 'A claim about this parcel is open. Its photos are kept until it is decided.')
  await deletePhoto(context, id, reason)
}

export async function deletePhoto({ db, now, recordEvent, notify }: Context, id: number, reason?: string): Promise<void> {
  const photo = await db
    .selectFrom('packing_photos')
    .select(['company_id', 'order_id', 'parcel_no', 'file_id', 'held_until'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  // A hold may have come since the list of what is due was read.
  if (!photo || isHeld(photo.held_until, now())) return
  const { company_id, order_id, parcel_no, file_id } = photo
  await db
    .updateTable('packing_photos')
    .set({ file_id: null, held_until: null, held_by_name: null, held_reason: null, deleted_at: now().toISOString() })
    .where('id', '=', id)
    .execute()
  if (file_id !== null) await eraseFiles(db, [file_id], now())
  const about = { order_id, company_id, subject: 'photo', subject_id: id } as const
  if (reason === undefined) await recordEvent({ kind: 'photo.deleted', ...about, data: { parcel_no } })
  else await recordEvent({ kind: 'photo.removed', ...about, data: { parcel_no, reason } })
  notify('photo', order_id, company_id)
}
