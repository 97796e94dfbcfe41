/** Changes of wagon types, as the page makes them. */
import type { Context } from '#platform/http/feature-module.ts'
import type { WagonType, WagonTypeFields } from './pick-lists.schemas.ts'
import { addWagonType, changeWagonType, removeWagonType } from './wagon-types.queries.ts'

/** `restored` is the number of a type that comes back. */
export async function createWagonType({ db, recordEvent }: Context, fields: WagonTypeFields, restored?: number): Promise<WagonType> {
  const type = await addWagonType(db, fields, restored)
  await recordEvent({ kind: 'wagon_type.created', subject: 'wagon_type', subject_id: type.id ?? undefined, data: { name: type.name } })
  return type
}

export async function updateWagonType(
  { db, recordEvent, notify }: Context,
  id: number,
  fields: WagonTypeFields & { version: number },
): Promise<WagonType> {
  const type = await changeWagonType(db, id, fields)
  await recordEvent({ kind: 'wagon_type.changed', subject: 'wagon_type', subject_id: id, data: { name: type.name } })
  notify('wagon_type', id)
  return type
}

export async function deleteWagonType({ db, recordEvent, notify }: Context, id: number): Promise<void> {
  await removeWagonType(db, id)
  await recordEvent({ kind: 'wagon_type.deleted', subject: 'wagon_type', subject_id: id })
  notify('wagon_type', id)
}
