/** Cages in the database: those that were made, and those that follow from the routes of couriers. */
import { sql } from 'kysely'
import * as z from 'zod'
import { conflict, orNotFound } from '#contract/errors.ts'
import { listCode } from '#domain/codes.ts'
import { couriers, makesLabels, needsNoSettings } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import type { TransactionContext } from '#platform/http/feature-module.ts'
import { takesRest } from './collect-lists.rules.ts'
import { type Cage, CageColour, type CageFields } from './collect-lists.schemas.ts'

const Settings = z.record(z.string(), z.string()).catch({})
const columns = ['id', 'agent_code', 'methods', 'name', 'colour', 'cut_off', 'days', 'active', 'version', 'mark'] as const

/** The cages that labels of this courier name, over all companies in reach, each with its earliest time. */
async function routeCages(db: Db): Promise<Map<string, Map<string, { name: string; cut_off: string | null }>>> {
  const rows = await db.selectFrom('courier_settings').select(['agent_code', 'settings']).orderBy('company_id').execute()
  const known = new Map<string, Map<string, { name: string; cut_off: string | null }>>()
  for (const { agent_code, settings } of rows) {
    const of = known.get(agent_code) ?? new Map<string, { name: string; cut_off: string | null }>()
    known.set(agent_code, of)
    for (const { name, cut_off } of couriers.get(agent_code)?.cages?.(Settings.parse(settings)) ?? []) {
      const before = of.get(name.toLowerCase())
      const earliest = [before?.cut_off, cut_off].filter(time => time !== null && time !== undefined).sort()[0] ?? null
      of.set(name.toLowerCase(), { name: before?.name ?? name, cut_off: earliest })
    }
  }
  return known
}

/**
 * All cages by courier and name. A cage that only follows from a route, and one for whatever no cage takes, have no id until
 * `keepCages` keeps them. `agents` are couriers of which parcels are known to wait.
 */
export async function cagesOf(db: Db, agents: readonly string[] = []): Promise<Cage[]> {
  const rows = await db.selectFrom('collect_cages').select(columns).orderBy('id').execute()
  const routes = await routeCages(db)
  const usable = [...couriers]
    .filter(([code, courier]) => makesLabels(courier) && (needsNoSettings(courier) || routes.has(code)))
    .map(([code]) => code)
  const codes = [...new Set([...usable, ...rows.map(row => row.agent_code), ...agents])]
  return codes.flatMap(agent_code => {
    const agent = couriers.get(agent_code)?.capabilities.name ?? agent_code
    const marks = routes.get(agent_code) ?? new Map<string, { name: string; cut_off: string | null }>()
    const own = rows.filter(row => row.agent_code === agent_code)
    const rest = own.find(
      row =>
        row.active &&
        takesRest(
          row,
          [...marks.values()].map(mark => mark.name),
        ),
    )
    const made = own.map((row): Cage => {
      const route_cut_off = marks.get((row.mark ?? row.name).toLowerCase())?.cut_off ?? null
      return { ...row, agent, colour: CageColour.nullable().catch(null).parse(row.colour), route_cut_off, rest: row === rest }
    })
    const derived = [...marks.values()]
      .filter(mark => !own.some(row => [row.mark, row.name].some(name => name?.toLowerCase() === mark.name.toLowerCase())))
      .map(mark => follows({ agent_code, agent, name: mark.name, mark: mark.name, route_cut_off: mark.cut_off, rest: false }))
    // A name that is taken by a cage that is switched off must not come back by itself.
    const name = own.some(row => row.name.toLowerCase() === agent.toLowerCase()) ? `${agent} 2` : agent
    const others = rest ? [] : [follows({ agent_code, agent, name, mark: null, route_cut_off: null, rest: true })]
    return [...made, ...derived, ...others].sort(
      (a, b) => Number(a.rest) - Number(b.rest) || a.name.localeCompare(b.name, 'en', { numeric: true }),
    )
  })
}

const follows = (of: Pick<Cage, 'agent_code' | 'agent' | 'name' | 'mark' | 'route_cut_off' | 'rest'>): Cage => ({
  id: null,
  methods: [],
  colour: null,
  cut_off: null,
  days: [1, 2, 3, 4, 5],
  active: true,
  version: null,
  ...of,
})

/** The time that counts for a cage. */
export const cutOffOf = (cage: Pick<Cage, 'cut_off' | 'route_cut_off'>): string | null => cage.cut_off ?? cage.route_cut_off

/** The cage as a row of its own; it is kept with this call where it only followed from something. */
export async function keptCage(db: Db, cage: Cage): Promise<Cage & { id: number }> {
  if (cage.id !== null) return { ...cage, id: cage.id }
  await db
    .insertInto('collect_cages')
    .values({ agent_code: cage.agent_code, name: cage.name, mark: cage.mark })
    .onConflict(taken => taken.doNothing())
    .execute()
  const kept = (await cagesOf(db, [cage.agent_code])).find(one => one.agent_code === cage.agent_code && one.name === cage.name)
  if (kept?.id === null || kept === undefined) throw conflict('cages_changed', 'Someone else changed the cages. Check them and try again.')
  return { ...kept, id: kept.id }
}

/** @throws {Refusal} 409 where the courier has a cage of this name, or one for this mark */
async function mustBeFree(db: Db, fields: CageFields, but: number | null): Promise<void> {
  const others = (await db.selectFrom('collect_cages').select(columns).where('agent_code', '=', fields.agent_code).execute()).filter(
    row => row.id !== but,
  )
  if (others.some(row => row.name.toLowerCase() === fields.name.toLowerCase()))
    throw conflict(
      'cage_name_taken',
      'This courier has a cage {{name}} already',
      { name: fields.name },
      { fields: { name: 'This name is taken' } },
    )
  if (fields.mark !== null && others.some(row => (row.mark ?? '').toLowerCase() === fields.mark?.toLowerCase()))
    throw conflict(
      'cage_label_prefix_taken',
      'Another cage takes the labels of {{mark}} already',
      { mark: fields.mark },
      { fields: { mark: 'Another cage takes it' } },
    )
  const method = fields.methods.find(one => others.some(row => row.active && row.methods.includes(one)))
  if (fields.active && method !== undefined)
    throw conflict(
      'cage_method_taken',
      'Another cage takes the method {{method}} already',
      { method },
      { fields: { methods: 'Another cage takes one of them' } },
    )
}

const written = (fields: CageFields) => ({ ...fields, days: [...new Set(fields.days)].sort(), methods: [...new Set(fields.methods)] })

export async function makeCage(
  { db, recordEvent, notify }: Pick<TransactionContext, 'db' | 'recordEvent' | 'notify'>,
  fields: CageFields,
): Promise<Cage> {
  await mustBeFree(db, fields, null)
  const row = await db
    .insertInto('collect_cages')
    .values(written(fields))
    .onConflict(taken => taken.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row)
    throw conflict(
      'cage_name_taken',
      'This courier has a cage {{name}} already',
      { name: fields.name },
      { fields: { name: 'This name is taken' } },
    )
  await recordEvent({ kind: 'collect_cage.made', subject: 'collect_cage', subject_id: row.id, data: fields })
  notify('collect_list')
  return cageById(db, row.id)
}

export async function changeCage(
  { db, recordEvent, notify }: Pick<TransactionContext, 'db' | 'recordEvent' | 'notify'>,
  id: number,
  { version, ...fields }: CageFields & { version: number },
): Promise<Cage> {
  const before = orNotFound(
    await db.selectFrom('collect_cages').select(columns).where('id', '=', id).forUpdate().executeTakeFirst(),
    'cage_not_found',
    'Cage not found',
  )
  if (before.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: await cageById(db, id) })
  if (before.agent_code !== fields.agent_code) throw conflict('cage_courier_fixed', 'A cage stays with its courier. Make another one.')
  await mustBeFree(db, fields, id)
  await db
    .updateTable('collect_cages')
    .set(eb => ({ ...written(fields), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await recordEvent({ kind: 'collect_cage.changed', subject: 'collect_cage', subject_id: id, data: fields })
  notify('collect_list')
  return cageById(db, id)
}

export async function dropCage(
  { db, recordEvent, notify }: Pick<TransactionContext, 'db' | 'recordEvent' | 'notify'>,
  id: number,
): Promise<void> {
  const cage = orNotFound(
    await db.selectFrom('collect_cages').select(['name', 'agent_code']).where('id', '=', id).forUpdate().executeTakeFirst(),
    'cage_not_found',
    'Cage not found',
  )
  const open = await db
    .selectFrom('collect_lists')
    .select('id')
    .where('cage_id', '=', id)
    .where('state', '!=', 'handed_over')
    .limit(1)
    .executeTakeFirst()
  if (open)
    throw conflict('collect_list_not_handed_over', 'List {{list}} of this cage is not handed over yet', { list: listCode('CL', open.id) })
  // Old lists keep the cage's name.
  await db.updateTable('collect_lists').set({ cage_id: null }).where('cage_id', '=', id).execute()
  await db.deleteFrom('collect_cages').where('id', '=', id).execute()
  await recordEvent({ kind: 'collect_cage.removed', subject: 'collect_cage', subject_id: id, data: cage })
  notify('collect_list')
}

async function cageById(db: Db, id: number): Promise<Cage> {
  return orNotFound(
    (await cagesOf(db)).find(cage => cage.id === id),
    'cage_not_found',
    'Cage not found',
  )
}

/** Colours by cage, for lists of lists. */
export async function cageColoursOf(db: Db, ids: readonly number[]): Promise<Map<number, Cage['colour']>> {
  const rows = await db.selectFrom('collect_cages').select(['id', 'colour']).where('id', '=', sql<number>`any(${ids})`).execute()
  return new Map(rows.map(row => [row.id, CageColour.nullable().catch(null).parse(row.colour)]))
}
