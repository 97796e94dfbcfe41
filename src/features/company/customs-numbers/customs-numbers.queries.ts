/** Reads of registration numbers. */
import { sql } from 'kysely'
import type { RegistrationNumber } from '#domain/customs/decision.ts'
import type { Db } from '#platform/database/database.ts'
import { mostNumbers } from './customs-numbers.codes.ts'
import type { CustomsNumber } from './customs-numbers.schemas.ts'

export const numberColumns = ['id', 'kind', 'country', 'value', 'valid_from', 'valid_to'] as const

export const numbersOf = (db: Db, company_id: number): Promise<CustomsNumber[]> =>
  db
    .selectFrom('customs_numbers')
    .select(numberColumns)
    .where('company_id', '=', company_id)
    .orderBy('kind')
    .orderBy('country')
    .orderBy('id')
    .limit(mostNumbers)
    .execute()

/** Those that hold on a day, the one that began last first. */
export const numbersOnDay = (db: Db, company_id: number, day: string): Promise<RegistrationNumber[]> =>
  db
    .selectFrom('customs_numbers')
    .select(['kind', 'country', 'value'])
    .where('company_id', '=', company_id)
    .where(sql<boolean>`coalesce(valid_from, '-infinity') <= ${day}::date and coalesce(valid_to, 'infinity') >= ${day}::date`)
    .orderBy(sql`valid_from desc nulls last`)
    .orderBy('id')
    .limit(mostNumbers)
    .execute()
