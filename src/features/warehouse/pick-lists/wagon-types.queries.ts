/** Wagon types: how many slots, how large, in which colours. */
import type { Selectable } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import type { Db } from '#platform/database/database.ts'
import type { WagonTypesRow } from '#platform/database/schema.ts'
import { coloursOfRows, slotColours } from './pick-lists.codes.ts'
import { type WagonShape, WagonSlot, type WagonType, type WagonTypeFields } from './pick-lists.schemas.ts'

/** A wagon whose rows each have a colour. */
export const wagonOf = (name: string, rows: number, columns: number): Omit<WagonShape, 'id'> => ({
  name,
  rows,
  columns,
  slots: Array.from({ length: rows * columns }, (_, i) => ({
    colour: elementAt(coloursOfRows, Math.floor(i / columns) % slotColours.length),
    max_weight_g: null,
    max_volume_ml: null,
  })),
  max_weight_g: null,
})

/** What everybody has before they make a wagon type of their own: 4 rows of 3 slots. */
const usualWagon: WagonShape = { id: null, ...wagonOf('4 × 3', 4, 3) }

const asType = (
  row: Pick<Selectable<WagonTypesRow>, 'id' | 'name' | 'rows' | 'columns' | 'slots' | 'max_weight_g' | 'active' | 'version'>,
): WagonType => ({
  id: row.id,
  name: row.name,
  rows: row.rows,
  columns: row.columns,
  slots: WagonSlot.array().parse(row.slots),
  max_weight_g: row.max_weight_g,
  active: row.active,
  version: row.version,
})

const columns = ['id', 'name', 'rows', 'columns', 'slots', 'max_weight_g', 'active', 'version'] as const

export async function wagonTypes(db: Db): Promise<WagonType[]> {
  const rows = await db.selectFrom('wagon_types').select(columns).orderBy('active', 'desc').orderBy('id').execute()
  return rows.map(asType)
}

/** The wagon type that is asked for, else the first active one, else the usual wagon. */
export async function shapeFor(db: Db, id: number | null): Promise<WagonShape> {
  if (id === null) {
    const row = await db.selectFrom('wagon_types').select(columns).where('active', '=', true).orderBy('id').limit(1).executeTakeFirst()
    return row ? shapeOf(asType(row)) : usualWagon
  }
  return shapeOf(
    asType(
      orNotFound(
        await db.selectFrom('wagon_types').select(columns).where('id', '=', id).executeTakeFirst(),
        'wagon_type_not_found',
        'Wagon type not found',
      ),
    ),
  )
}

const shapeOf = ({ active: _active, version: _version, ...shape }: WagonType): WagonShape => shape

const written = ({ slots, ...fields }: WagonTypeFields) => ({ ...fields, slots: JSON.stringify(slots) })

export async function addWagonType(db: Db, fields: WagonTypeFields, id?: number): Promise<WagonType> {
  await mustBeFree(db, fields.name)
  return asType(
    await db
      .insertInto('wagon_types')
      .values({ ...written(fields), ...(id !== undefined && { id }) })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )
}

/** @throws {Refusal} 404, 409 with the type as it is now */
export async function changeWagonType(
  db: Db,
  id: number,
  { version, ...fields }: WagonTypeFields & { version: number },
): Promise<WagonType> {
  await mustBeFree(db, fields.name, id)
  const row = await db
    .updateTable('wagon_types')
    .set(eb => ({ ...written(fields), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .returning(columns)
    .executeTakeFirst()
  if (row) return asType(row)
  const now = orNotFound(
    await db.selectFrom('wagon_types').select(columns).where('id', '=', id).executeTakeFirst(),
    'wagon_type_not_found',
    'Wagon type not found',
  )
  throw conflict('wagon_type_changed', 'Someone else changed this wagon type. Check it and try again.', {}, { current: asType(now) })
}

export async function removeWagonType(db: Db, id: number): Promise<void> {
  orNotFound(
    await db.deleteFrom('wagon_types').where('id', '=', id).returning('id').executeTakeFirst(),
    'wagon_type_not_found',
    'Wagon type not found',
  )
}

async function mustBeFree(db: Db, name: string, but = 0): Promise<void> {
  const same = await db
    .selectFrom('wagon_types')
    .select('id')
    .where(eb => eb(eb.fn('lower', ['name']), '=', name.toLowerCase()))
    .where('id', '<>', but)
    .executeTakeFirst()
  if (same)
    throw conflict(
      'wagon_type_name_taken',
      'There is a wagon type with this name already',
      {},
      { fields: { name: 'There is a wagon type with this name already' } },
    )
}
