/** Settings that are lists: each change of an entry leaves its rows in the history, and can be set back through the functions that its page uses. */
import { sql } from 'kysely'
import * as z from 'zod'
import { conflict, unprocessable } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { writeSettingChanges } from './setting-changes.commands.ts'
import { entryField, type SettingChange } from './setting-fields.rules.ts'
import { notValid, ownedChanges, type SettingOwner } from './setting-owners.server.ts'

type Place = string | number

interface Entry<F> {
  /** What the history keeps of it: what people enter, and what other entries are called instead of their ids. */
  fields: F
  /** Absent where the list has none. */
  version?: number
}

export interface SettingList<F extends Readonly<Record<string, unknown>>> {
  /** The first part of the names: `tags`. */
  name: string
  /** Where an entry may be about all companies. */
  tenantScope?: 'operator'
  /** What is not of this form any more is refused. */
  Fields: z.ZodType<F>
  /** What people know an entry by. */
  title(fields: F): string
  find(context: Context, place: string): Promise<Entry<F> | undefined>
  /** As the page adds, changes and removes one; a removed one comes back in its place. */
  add(context: Context, place: string, fields: F): Promise<unknown>
  change(context: Context, place: string, fields: F, version: number): Promise<unknown>
  remove(context: Context, place: string): Promise<unknown>
  /** Whether a removal would take it from something. */
  isUsed?(context: Context, place: string): Promise<boolean>
}

const Kept = z.object({ title: z.string(), fields: z.record(z.string(), z.unknown()) })

/** Two who change entries come one after the other. */
export const lockCompany = ({ db, principal }: Context) =>
  db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()

const keptOf = <F extends Readonly<Record<string, unknown>>>(list: SettingList<F>, entry: Entry<F> | undefined) =>
  entry && { title: list.title(entry.fields), fields: entry.fields }

/** What became of an entry: field by field where it was changed, whole where it was added or removed. */
function changesOf<F extends Readonly<Record<string, unknown>>>(
  list: SettingList<F>,
  place: string,
  before: Entry<F> | undefined,
  after: Entry<F> | undefined,
): SettingChange[] {
  if (before && after) return ownedChanges(`${list.name}.${place}`, before.fields, after.fields)
  if (!before && !after) return []
  return [{ name: `${list.name}.${place}.${entryField}`, before: keptOf(list, before), after: keptOf(list, after) }]
}

/** One statement holds 65,535 values. */
const rowsOfStatement = 5_000

async function record({ db, principal, now, notify }: Context, changes: readonly SettingChange[], company_id: number): Promise<void> {
  const by = { name: principal.name, at: now() }
  for (let at = 0; at < changes.length; at += rowsOfStatement)
    await writeSettingChanges(db, company_id, changes.slice(at, at + rowsOfStatement), by)
  if (changes.length > 0) notify('company')
}

/** Runs a change of an entry, or the removal of one, and writes it into the history. */
export async function changeEntry<F extends Readonly<Record<string, unknown>>, T>(
  list: SettingList<F>,
  context: Context,
  at: Place,
  change: () => Promise<T>,
  company_id = context.principal.company.id,
): Promise<T> {
  const place = String(at)
  await lockCompany(context)
  const before = await list.find(context, place)
  const answer = await change()
  await record(context, changesOf(list, place, before, await list.find(context, place)), company_id)
  return answer
}

/** Runs the addition of an entry. One that was added before, by the same request, leaves no second row. */
export async function addEntry<F extends Readonly<Record<string, unknown>>, T>(
  list: SettingList<F>,
  context: Context,
  add: () => Promise<T>,
  placeOf: (added: T) => Place,
  company_id = context.principal.company.id,
): Promise<T> {
  await lockCompany(context)
  const answer = await add()
  const place = String(placeOf(answer))
  const last = await context.db
    .selectFrom('setting_changes')
    .select(sql<boolean>`after is not null`.as('is_there'))
    .where('company_id', '=', company_id)
    .where('name', '=', `${list.name}.${place}.${entryField}`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last?.is_there) await record(context, changesOf(list, place, undefined, await list.find(context, place)), company_id)
  return answer
}

/** Runs a change of several entries at once. `findAll` reads those that it may be about, by their places. */
export async function changeEntries<F extends Readonly<Record<string, unknown>>, T>(
  list: SettingList<F>,
  context: Context,
  findAll: () => Promise<ReadonlyMap<string, Entry<F>>>,
  change: () => Promise<T>,
  company_id: number,
): Promise<T> {
  await lockCompany(context)
  const before = await findAll()
  const answer = await change()
  const after = await findAll()
  const places = [...new Set([...before.keys(), ...after.keys()])]
  await record(
    context,
    places.flatMap(place => changesOf(list, place, before.get(place), after.get(place))),
    company_id,
  )
  return answer
}

/** Entries that go with something else: what they were stands in the history too. */
export async function entryRemoved<F extends Readonly<Record<string, unknown>>>(
  list: SettingList<F>,
  context: Context,
  at: Place,
  fields: F,
): Promise<void> {
  await record(context, changesOf(list, String(at), { fields }, undefined), context.principal.company.id)
}

export function listOwner<F extends Readonly<Record<string, unknown>>>(list: SettingList<F>): SettingOwner {
  const readFields = (value: unknown): F => {
    const read = list.Fields.safeParse(value)
    if (!read.success) throw notValid()
    return read.data
  }
  return {
    name: list.name,
    ...(list.tenantScope && { tenantScope: list.tenantScope }),
    async placeNames(context, places) {
      const names = new Map<string, string>()
      for (const place of places) {
        const entry = await list.find(context, place)
        if (entry) names.set(place, list.title(entry.fields))
      }
      return names
    },
    async read(context, place, field) {
      await lockCompany(context)
      const entry = await list.find(context, place)
      if (!entry && field !== entryField)
        throw conflict('setting_entry_removed', 'This entry was removed since. Set its removal back first.')
      return { ...entry?.fields, [entryField]: keptOf(list, entry) ?? null }
    },
    async save(context, place, values, field) {
      const { [entryField]: kept, ...fields } = values
      const entry = await list.find(context, place)
      if (field !== entryField) {
        await changeEntry(list, context, place, () => list.change(context, place, readFields(fields), entry?.version ?? 0))
      } else if (kept === null || kept === undefined) {
        if (await list.isUsed?.(context, place))
          throw conflict('setting_entry_used', 'It is in use meanwhile. Remove it on its page, where you see what uses it.')
        await changeEntry(list, context, place, () => list.remove(context, place))
      } else {
        const { fields: before } = Kept.parse(kept)
        await changeEntry(list, context, place, () => list.add(context, place, readFields(before)))
      }
    },
  }
}

/** Companies by their codes, as the history names them; null stands for all. */
export async function codesOfCompanies({ db }: Context, ids: readonly number[] | null): Promise<string[] | null> {
  if (ids === null) return null
  const rows = await db
    .selectFrom('companies')
    .select('code')
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .orderBy('code')
    .execute()
  return rows.map(row => row.code)
}

export async function companiesByCode({ db }: Context, codes: readonly string[] | null): Promise<number[] | null> {
  if (codes === null) return null
  const rows = await db
    .selectFrom('companies')
    .select(['id', 'code'])
    .where('code', '=', sql<string>`any(${[...codes]}::text[])`)
    .orderBy('code')
    .execute()
  const gone = codes.find(code => !rows.some(row => row.code === code))
  if (gone !== undefined) throw unprocessable('company_unknown', 'There is no company {{company}} here', { company: gone })
  return rows.map(row => row.id)
}
