/** Writing crate types. */
import { sql } from 'kysely'
import type { StoredContent } from '#contract/endpoint.ts'
import { conflict, unprocessable } from '#contract/errors.ts'
import { mustBeCourier } from '#integrations/couriers/couriers.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mustNotBeDemanded } from './crate-rules.commands.ts'
import { crateTypeById } from './crate-types.queries.ts'
import type { CrateType, CrateTypeChange, CrateTypeFields } from './crate-types.schemas.ts'

type Tools = Pick<Context, 'db' | 'principal' | 'recordEvent' | 'notify'>

/** The main company writes, so it sees every crate. */
const byId = ({ db }: Tools, id: number) => crateTypeById(db, null, id)

async function mustBeRight(tools: Tools, id: number, fields: Omit<CrateTypeFields, 'stock'>): Promise<void> {
  if (fields.inner_mm.some((side, axis) => side > (fields.outer_mm[axis] ?? 0)))
    throw unprocessable(
      'inner_larger',
      'The inner size is larger than the outer size',
      {},
      { fields: { inner_mm: 'The inner size is larger than the outer size' } },
    )
  for (const agent_code of fields.agent_codes ?? []) mustBeCourier(agent_code)
  for (const company_id of fields.company_ids ?? []) await mustBeCompany(tools.db, company_id)
  await mustHaveOwnCodes(tools, id, fields)
}

async function mustHaveOwnCodes({ db }: Tools, id: number, { code, barcode }: { code: string; barcode: string | null }): Promise<void> {
  const taken = await db
    .selectFrom('crate_types')
    .select(['name', sql<boolean>`upper(code) = upper(${code})`.as('by_code')])
    .where(eb =>
      eb.or([
        eb(sql`upper(code)`, '=', sql`upper(${code})`),
        ...(barcode === null ? [] : [eb(sql`upper(barcode)`, '=', sql`upper(${barcode})`)]),
      ]),
    )
    .where('id', '<>', id)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (taken)
    throw conflict(
      'crate_code_taken',
      'The code {{code}} belongs to {{name}} already',
      { code: taken.by_code ? code : barcode, name: taken.name },
      { fields: { [taken.by_code ? 'code' : 'barcode']: 'Another box has this code' } },
    )
}

async function mustBeCompany(db: Tools['db'], id: number): Promise<void> {
  const known = await db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst()
  if (!known) throw unprocessable('company_unknown', 'There is no company {{company}} here', { company: id })
}

/** Codes are compared before they are written, so two writers wait for each other. */
const lockTypes = ({ db, principal }: Tools) =>
  db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()

async function changed(tools: Tools, id: number): Promise<CrateType> {
  const type = await byId(tools, id)
  const { name, code, active } = type
  await tools.recordEvent({ kind: 'crate_type.set', subject: 'crate_type', subject_id: id, data: { name, code, active } })
  tools.notify('crate', id)
  return type
}

export async function createCrateType(tools: Tools, fields: CrateTypeFields): Promise<CrateType> {
  await lockTypes(tools)
  await mustBeRight(tools, 0, fields)
  const { id } = await tools.db
    .insertInto('crate_types')
    .values({ ...fields, inner_mm: [...fields.inner_mm], outer_mm: [...fields.outer_mm] })
    .returning('id')
    .executeTakeFirstOrThrow()
  return changed(tools, id)
}

export async function updateCrateType(tools: Tools, id: number, { version, ...fields }: CrateTypeChange): Promise<CrateType> {
  await lockTypes(tools)
  const current = await byId(tools, id)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  await mustBeRight(tools, id, fields)
  await tools.db
    .updateTable('crate_types')
    .set(eb => ({
      ...fields,
      inner_mm: [...fields.inner_mm],
      outer_mm: [...fields.outer_mm],
      version: eb('version', '+', 1),
      updated_at: sql<string>`now()`,
    }))
    .where('id', '=', id)
    .execute()
  return changed(tools, id)
}

/** Removes a crate, or switches it off where parcels went out in it, which keep its name. */
export async function removeCrateType(tools: Tools, id: number): Promise<{ removed: boolean; active: false }> {
  const { db, recordEvent, notify } = tools
  await lockTypes(tools)
  const { name, code } = await byId(tools, id)
  await mustNotBeDemanded(tools, id)
  const { numUpdatedRows } = await db
    .updateTable('crate_types')
    .set(eb => ({ removed_at: sql<string>`now()`, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) {
    await db
      .updateTable('crate_types')
      .set(eb => ({ active: false, version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
      .where('id', '=', id)
      .execute()
    await changed(tools, id)
    return { removed: false, active: false }
  }
  await recordEvent({ kind: 'crate_type.removed', subject: 'crate_type', subject_id: id, data: { name, code } })
  notify('crate', id)
  return { removed: true, active: false }
}

/** Takes a removal back; of a crate that was not removed it answers the crate. */
export async function restoreCrateType(tools: Tools, id: number): Promise<CrateType> {
  await lockTypes(tools)
  const removed = await tools.db
    .selectFrom('crate_types')
    .select(['code', 'barcode'])
    .where('id', '=', id)
    .where('removed_at', 'is not', null)
    .executeTakeFirst()
  if (!removed) return byId(tools, id)
  await mustHaveOwnCodes(tools, id, removed)
  await tools.db
    .updateTable('crate_types')
    .set(eb => ({ removed_at: null, version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
    .where('id', '=', id)
    .execute()
  return changed(tools, id)
}

/** Parcels went out in these crates, one for each id: where the stock is counted, it falls. */
export async function takeCrates({ db, notify, now }: Pick<Context, 'db' | 'notify' | 'now'>, ids: readonly number[]): Promise<void> {
  // In the order of their ids, so that two stations do not wait for each other.
  for (const [id, uses] of [...Map.groupBy(ids, one => one)].toSorted(([a], [b]) => a - b)) {
    await db
      .updateTable('crate_types')
      .set({ stock: sql<number>`greatest(0, stock - ${uses.length})`, used_at: now().toISOString() })
      .where('id', '=', id)
      .where(eb => eb.or([eb('stock', '>', 0), eb('used_at', 'is', null)]))
      .execute()
    notify('crate', id)
  }
}

/** `null` removes the picture. */
export async function putPicture(tools: Tools, id: number, content: StoredContent | null): Promise<CrateType> {
  const { db, recordEvent, notify } = tools
  await byId(tools, id)
  const image_file_id = content && (await recordFile(db, content, { media_type: 'image/webp', name: `crate-${id}.webp` }))
  await db
    .updateTable('crate_types')
    .set(eb => ({
      image_file_id,
      image_sha256: content?.sha256 ?? null,
      image_bytes: content?.bytes ?? null,
      version: eb('version', '+', 1),
      updated_at: sql<string>`now()`,
    }))
    .where('id', '=', id)
    .execute()
  await recordEvent({ kind: content ? 'crate_type.picture_set' : 'crate_type.picture_removed', subject: 'crate_type', subject_id: id })
  notify('crate', id)
  return byId(tools, id)
}
