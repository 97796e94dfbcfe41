/** Writes what parcels weigh. */
import type { Insertable } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { ParcelWeightsRow } from '#platform/database/schema.ts'

export const writeWeight = (db: Db, row: Insertable<ParcelWeightsRow>) => db.insertInto('parcel_weights').values(row).execute()
