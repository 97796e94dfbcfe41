/** Reads what groups allow their members at packing stations. It is asked of the database each time: what a group loses counts at once. */
import { sql } from 'kysely'
import { isAllowed, type Permission } from '#contract/access.ts'
import { type GivenAct, holdsAct, type StationAct, stationActs } from '#contract/station-acts.ts'
import type { Principal } from '#platform/auth/identity.ts'
import type { Db } from '#platform/database/database.ts'

/** Acts of the user `u` of a statement. */
export const actsOfUser = sql<GivenAct[]>`coalesce((select json_agg(json_build_object('act', act, 'stations',
      (select array_agg(lower(station)) from unnest(g.stations) station)))
    from user_group_members m join user_groups g on g.operator_id = m.operator_id and g.id = m.group_id, unnest(g.acts) act
    where m.operator_id = u.operator_id and m.user_id = u.id and g.removed_at is null), '[]')`

export async function actsOf(db: Db, user_id: number): Promise<GivenAct[]> {
  const row = await db.selectFrom('users as u').select(actsOfUser.as('acts')).where('u.id', '=', user_id).executeTakeFirst()
  return row?.acts ?? []
}

/** Whether this person may do it at this station: by one of the permissions, or by a group. A key has no acts. */
export const mayAct = async (
  { db, principal }: { db: Db; principal: Principal },
  act: StationAct,
  station: string,
  codes: readonly Permission[],
): Promise<boolean> =>
  isAllowed(principal.permissions, codes) ||
  (principal.kind === 'user' && principal.key_id === 0 && holdsAct(await actsOf(db, principal.id), act, station))

/** Each act of a person with the groups that give it. */
export async function actSourcesOf(db: Db, user_id: number) {
  const groups = await db
    .selectFrom('user_group_members as m')
    .innerJoin('user_groups as g', 'g.id', 'm.group_id')
    .select(['g.name as group_name', 'g.acts', 'g.stations'])
    .where('m.user_id', '=', user_id)
    .where('g.removed_at', 'is', null)
    .where(sql<boolean>`g.acts <> '{}'`)
    .orderBy('g.name')
    .execute()
  return stationActs.flatMap(act => {
    const givers = groups.filter(group => group.acts.includes(act))
    return givers.length > 0 ? [{ act, groups: givers.map(({ group_name, stations }) => ({ group_name, stations })) }] : []
  })
}
