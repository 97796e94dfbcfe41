/** Secrets of a company: written, never shown again, opened only where the world outside is spoken to. */
import type { Db } from './database.ts'
import type { Keeper } from './keeper.ts'

interface Place {
  operator_id: number
  company_id: number
  /** What it is for: `printnode`, `woocommerce:main` … */
  name: string
}

/** The seal is bound to its place: moved to another company's row it opens nothing. */
const seal = ({ operator_id, company_id, name }: Place) => `${operator_id}/${company_id}/${name}`

/** Keeps `plain` under its name, instead of what was there. */
export async function keepSecret(db: Db, keeper: Keeper, place: Place, plain: string, by: { user_id: number; at: Date }): Promise<void> {
  const row = {
    sealed: keeper.seal(plain, seal(place)),
    last4: plain.length >= 12 ? plain.slice(-4) : '',
    updated_at: by.at.toISOString(),
    updated_by: by.user_id || null,
  }
  await db
    .insertInto('secrets')
    .values({ company_id: place.company_id, name: place.name, ...row })
    .onConflict(conflict => conflict.columns(['operator_id', 'company_id', 'name']).doUpdateSet(row))
    .execute()
}

export async function forgetSecret(db: Db, { company_id, name }: Place): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('secrets')
    .where('company_id', '=', company_id)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** The secret itself, or null when none is kept (or it was sealed with another server's key and cannot be opened). */
export async function openSecret(db: Db, keeper: Keeper, place: Place): Promise<string | null> {
  const row = await db
    .selectFrom('secrets')
    .select('sealed')
    .where('company_id', '=', place.company_id)
    .where('name', '=', place.name)
    .executeTakeFirst()
  if (!row) return null
  try {
    return keeper.open(row.sealed, seal(place))
  } catch {
    return null
  }
}
