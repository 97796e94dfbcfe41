/** Reads groups, their members, and the record of changes of permissions. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import type { StationAct } from '#contract/station-acts.ts'
import { isOneOf, isRecord } from '#domain/objects.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { permissionEvents } from './groups.codes.ts'
import type { AuditEntry, AuditFilter, GroupPerson, UserGroup, UserGroupDetails } from './groups.schemas.ts'

const live = (db: Db, company_id: number) =>
  db.selectFrom('user_groups as g').where('g.company_id', '=', company_id).where('g.removed_at', 'is', null)

const withMembers = (db: Db, company_id: number) =>
  live(db, company_id).select(eb => [
    'g.id as group_id',
    'g.name as group_name',
    'g.permission',
    sql<StationAct[]>`g.acts`.as('acts'),
    'g.stations',
    'g.version',
    eb
      .selectFrom('user_group_members as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select(inner => inner.fn.countAll<number>().as('count'))
      .whereRef('m.group_id', '=', 'g.id')
      .where('u.removed_at', 'is', null)
      .as('members'),
  ])

/** Groups by name. `named` leaves out what they allow. */
export async function listGroups(db: Db, company_id: number, query: string, named: boolean): Promise<UserGroup[]> {
  const rows = await withMembers(db, company_id)
    .$if(query !== '', groups => groups.where('g.name', 'ilike', containing(query)))
    .orderBy(sql`lower(g.name)`)
    .limit(500)
    .execute()
  return rows.map(row => ({ ...row, members: row.members ?? 0, ...(named ? { permission: [], acts: [], stations: null } : {}) }))
}

export const findGroup = (db: Db, company_id: number, id: number) => withMembers(db, company_id).where('g.id', '=', id).executeTakeFirst()

/** The group with its members; 404 where it is none of this company's. */
export async function groupById(db: Db, company_id: number, id: number): Promise<UserGroupDetails> {
  const group = orNotFound(await findGroup(db, company_id, id), 'group_not_found', 'There is no such group.')
  const people = await db
    .selectFrom('user_group_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id as user_id', 'u.name', 'u.employee_no', 'm.added_by', 'm.added_at', 'u.permission as own'])
    .select(
      sql<
        number[]
      >`coalesce((select array_agg(distinct code) from user_group_members o join user_groups g on g.operator_id = o.operator_id and g.id = o.group_id,
        unnest(g.permission) code where o.operator_id = u.operator_id and o.user_id = u.id and o.group_id <> ${id} and g.removed_at is null), '{}')`.as(
        'others',
      ),
    )
    .where('m.group_id', '=', id)
    .where('u.removed_at', 'is', null)
    .orderBy('u.name')
    .execute()
  return {
    ...group,
    members: group.members ?? 0,
    people: people.map(({ own, others, ...person }) => ({
      ...person,
      only_here: group.permission.filter(code => !own.includes(code) && !others.includes(code)),
    })),
  }
}

/** The id of the group with this name, ignoring case; undefined where there is none. */
export const groupNamed = (db: Db, company_id: number, name: string) =>
  live(db, company_id)
    .select(['g.id', 'g.created_by', 'g.created_at', 'g.name'])
    .where(sql`lower(g.name)`, '=', name.toLowerCase())
    .executeTakeFirst()

/** Stations by name, as devices have called themselves. */
export async function stationNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('stations').select('name').orderBy(sql`lower(name)`).limit(500).execute()
  return rows.map(row => row.name)
}

export async function listPeople(
  db: Db,
  company_id: number,
  query: { query: string; page: number; limit: number },
): Promise<Page<GroupPerson>> {
  const people = db
    .selectFrom('users as u')
    .where('u.company_id', '=', company_id)
    .where('u.kind', '=', 'person')
    .where('u.removed_at', 'is', null)
    .$if(query.query !== '', rows =>
      rows.where(eb => eb.or([eb('u.name', 'ilike', containing(query.query)), eb('u.employee_no', 'ilike', containing(query.query))])),
    )
  const rows = await people
    .select(['u.id as user_id', 'u.name', 'u.employee_no'])
    .select(eb => eb('u.image_file_id', 'is not', null).as('has_image'))
    .select(
      sql<
        number[]
      >`coalesce((select array_agg(g.id) from user_group_members m join user_groups g on g.operator_id = m.operator_id and g.id = m.group_id
        where m.operator_id = u.operator_id and m.user_id = u.id and g.removed_at is null), '{}')`.as('group_ids'),
    )
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(query.limit)
    .offset(pageOffset(query))
    .execute()
  return {
    rows: rows.map(row => ({ ...row, has_image: !!row.has_image })),
    ...(await cappedCount(db, people)),
    offset: pageOffset(query),
    limit: query.limit,
  }
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(one => typeof one === 'string') : [])
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Changes of permissions, the latest first. `zone` is the company's, for the days. */
export async function listAudit(
  db: Db,
  company_id: number,
  zone: string,
  filter: AuditFilter & { page: number; limit: number },
): Promise<Page<AuditEntry>> {
  const { from, to, user_id, query } = filter
  const found = db
    .selectFrom('events as e')
    .where('e.company_id', '=', company_id)
    .where('e.kind', 'in', [...permissionEvents])
    // Of other changes of a person only those that touch permissions or the password count.
    .where(sql<boolean>`(e.kind <> 'user.changed' or e.data ?| array['given', 'password'])`)
    .$if(from !== undefined, rows => rows.where(sql<boolean>`e.at >= (${from}::date)::timestamp at time zone ${zone}`))
    .$if(to !== undefined, rows => rows.where(sql<boolean>`e.at < (${to}::date + 1)::timestamp at time zone ${zone}`))
    .$if(user_id !== undefined, rows =>
      rows.where(
        sql<boolean>`(e.subject = 'user' and e.subject_id = ${user_id} or e.user_id = ${user_id} or e.data ->> 'user_id' = ${String(user_id)})`,
      ),
    )
    .$if(query !== '', rows =>
      rows.where(
        sql<boolean>`(e.actor_name ilike ${containing(query)} or e.data ->> 'name' ilike ${containing(query)} or e.data ->> 'user_name' ilike ${containing(query)})`,
      ),
    )
  const rows = await found
    .select(['e.id', 'e.at', 'e.kind', 'e.actor_name', 'e.data', 'e.subject_id'])
    .orderBy('e.at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(filter.limit)
    .offset(pageOffset(filter))
    .execute()
  return {
    rows: rows.flatMap(({ id, at, kind, actor_name, data }) => {
      if (!isOneOf(permissionEvents, kind)) return []
      const facts = isRecord(data) ? data : {}
      return [
        {
          id,
          at,
          kind,
          actor: actor_name,
          subject: textOf(facts.user_name) ?? textOf(facts.name) ?? '',
          with: facts.user_name === undefined ? null : textOf(facts.name),
          given: texts(facts.given ?? facts.permission),
          taken: texts(facts.taken),
        },
      ]
    }),
    ...(await cappedCount(db, found)),
    offset: pageOffset(filter),
    limit: filter.limit,
  }
}
