/** Reads of the address book. */
import { sql } from 'kysely'
import { type Page, pageOffset } from '#contract/page.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import type { AddressKind } from './address-book.codes.ts'
import type { PredefinedAddress } from './address-book.schemas.ts'

const columns = [
  ...(['id', 'kind', 'title', 'name', 'company', 'attention', 'address1', 'address2', 'postcode', 'city', 'country'] as const),
  ...(['phone', 'email', 'instruction', 'is_default', 'version', 'updated_at'] as const),
]

const addresses = (db: Db) => db.selectFrom('predefined_addresses').select(columns)

export const addressById = (db: Db, id: number): Promise<PredefinedAddress | undefined> =>
  addresses(db).where('id', '=', id).executeTakeFirst()

export const addressOfClient = (db: Db, client_id: string): Promise<PredefinedAddress | undefined> =>
  addresses(db).where('client_id', '=', client_id).executeTakeFirst()

export interface AddressFilter {
  kind?: AddressKind | undefined
  query: string
  sort: string
}

/** Every word must occur in the title or in a line of the address. */
export async function listAddresses(
  db: Db,
  { kind, query, sort, ...paging }: AddressFilter & { page: number; limit: number },
): Promise<Page<PredefinedAddress>> {
  let from = addresses(db)
  if (kind) from = from.where('kind', '=', kind)
  for (const word of query.split(/\s+/).filter(Boolean).slice(0, 8))
    from = from.where(
      sql<boolean>`concat_ws(' ', title, name, company, attention, address1, address2, postcode, city, phone, email) ilike ${containing(word)}`,
    )
  const column = sort.replace('-', '')
  const by = column === 'updated_at' ? sql.ref(column) : sql`lower(${sql.ref(column)})`
  let sorted = from
  if (sort === 'title') sorted = sorted.orderBy('is_default', 'desc')
  const rows = await sorted
    .orderBy(by, sort.startsWith('-') ? 'desc' : 'asc')
    .orderBy('id')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return { rows, ...(await cappedCount(db, from)), offset: pageOffset(paging), limit: paging.limit }
}
