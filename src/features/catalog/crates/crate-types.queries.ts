/** Reads of crate types. A shop sees those that are offered to it. */
import { sql } from 'kysely'
import { notFound, orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { isKeyOf } from '#domain/objects.ts'
import type { Principal } from '#platform/auth/identity.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning, containing } from '#platform/database/like-pattern.ts'
import type { CrateType, CrateTypeQuestion } from './crate-types.schemas.ts'

const columns = [
  'c.id',
  'c.name',
  'c.code',
  'c.barcode',
  'c.inner_mm',
  'c.outer_mm',
  'c.tare_g',
  'c.max_g',
  'c.cost',
  'c.currency',
  'c.stock',
  'c.low_stock',
  'c.filler_percent',
  'c.agent_codes',
  'c.company_ids',
  'c.letter_box',
  'c.max_side_sum_mm',
  'c.position',
  'c.active',
  'c.version',
] as const

/** Null for the main company, which sees all. */
type Reader = number | null
export const readerOf = ({ company }: Pick<Principal, 'company'>): Reader => (company.is_main ? null : company.id)

function seenBy(db: Db, reader: Reader) {
  const from = db.selectFrom('crate_types as c').where('c.removed_at', 'is', null)
  return reader === null ? from : from.where(sql<boolean>`(c.company_ids is null or ${reader}::bigint = any(c.company_ids))`)
}

const sides = ([length = 0, width = 0, height = 0]: number[]): CrateType['inner_mm'] => [length, width, height]
const asType = <R extends { inner_mm: number[]; outer_mm: number[] }>(row: R) => ({
  ...row,
  inner_mm: sides(row.inner_mm),
  outer_mm: sides(row.outer_mm),
})

export async function findCrateType(db: Db, id: number): Promise<CrateType | undefined> {
  const row = await typeRow(db, null, id)
  return row && asType(row)
}

/** Whether parcels went out in it, or rules are about it. */
export async function isUsedCrate(db: Db, id: number): Promise<boolean> {
  const used = await db
    .selectFrom('crate_types as c')
    .select('c.id')
    .where('c.id', '=', id)
    .where(eb =>
      eb.or([
        eb('c.used_at', 'is not', null),
        eb.exists(eb.selectFrom('crate_rules as r').select('r.id').whereRef('r.crate_type_id', '=', 'c.id')),
      ]),
    )
    .executeTakeFirst()
  return used !== undefined
}

const typeRow = (db: Db, reader: Reader, id: number) =>
  seenBy(db, reader)
    .select(columns)
    .select(eb => eb('c.image_file_id', 'is not', null).$castTo<boolean>().as('has_image'))
    .where('c.id', '=', id)
    .executeTakeFirst()

export async function crateTypeById(db: Db, reader: Reader, id: number): Promise<CrateType> {
  return asType(orNotFound(await typeRow(db, reader, id), 'crate_not_found', 'Box not found'))
}

type Asked = CrateTypeQuestion & { page: number; limit: number }
const columnOf = {
  position: sql`c.position`,
  code: sql`upper(c.code)`,
  name: sql`c.name`,
  cost: sql`c.cost`,
  stock: sql`c.stock`,
}
export async function findCrateTypes(
  db: Db,
  reader: Reader,
  { query, agent_code, company, active, low, sort, ...paging }: Asked,
): Promise<Page<CrateType>> {
  let from = seenBy(db, reader)
  if (query !== '')
    from = from.where(eb =>
      eb.or([
        eb('c.name', 'ilike', containing(query)),
        eb(sql`upper(c.code)`, '=', query.toUpperCase().replace(/^CR(?=.)/, '')),
        eb(sql`upper(c.code)`, 'like', beginning(query.toUpperCase())),
        eb(sql`upper(c.barcode)`, '=', query.toUpperCase()),
      ]),
    )
  if (agent_code !== undefined) from = from.where(sql<boolean>`(c.agent_codes is null or ${agent_code} = any(c.agent_codes))`)
  if (company !== undefined) from = from.where(sql<boolean>`(c.company_ids is null or ${company}::bigint = any(c.company_ids))`)
  if (low !== undefined) {
    const isLow = sql<boolean>`(c.active and c.low_stock is not null and c.stock is not null and c.stock <= c.low_stock)`
    from = from.where(low ? isLow : sql<boolean>`not ${isLow}`)
  }
  if (active !== undefined) from = from.where('c.active', '=', active)
  const column = sort.replace(/^-/, '')
  const rows = await from
    .select(columns)
    .select(eb => eb('c.image_file_id', 'is not', null).$castTo<boolean>().as('has_image'))
    .orderBy(columnOf[isKeyOf(columnOf, column) ? column : 'position'], order =>
      (sort.startsWith('-') ? order.desc() : order.asc()).nullsLast(),
    )
    .orderBy(sql`upper(c.code)`)
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return { rows: rows.map(asType), ...(await cappedCount(db, from)), offset: pageOffset(paging), limit: paging.limit }
}

/** The stored picture: its bytes are found by their hash. */
export async function cratePicture(db: Db, reader: Reader, id: number): Promise<{ sha256: string; bytes: number }> {
  const row = await seenBy(db, reader).select(['c.image_sha256', 'c.image_bytes']).where('c.id', '=', id).executeTakeFirst()
  if (!row?.image_sha256 || row.image_bytes === null) throw notFound('crate_has_no_picture', 'This box has no picture')
  return { sha256: row.image_sha256, bytes: row.image_bytes }
}
