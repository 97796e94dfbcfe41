/** Who a PIN or a badge belongs to, with a wait that grows with each wrong PIN. */
import { type RawBuilder, sql } from 'kysely'
import { isAllowed, type Permission } from '#contract/access.ts'
import { forbidden, tooMany } from '#contract/errors.ts'
import { type GivenAct, holdsAct, type StationAct } from '#contract/station-acts.ts'
import { readCode } from '#domain/codes.ts'
import { effectivePermission } from '#platform/auth/effective-permission.ts'
import { checkPassword, hashToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { actsOfUser } from './station-acts.queries.ts'
import { codesOf } from './users.queries.ts'

export interface Approver {
  id: number
  name: string
}

/** What an approver needs: one of the permissions, or an act that a group allows at this station. */
export interface Needed {
  codes: readonly Permission[]
  act?: StationAct | undefined
  station?: string
}

/** What a lead shows at the station: the badge, or the own name with the PIN. */
export type Proof = { badge: string } | { user_id: number; pin: string }

const people = (db: Db, company_id: number | RawBuilder<number>) =>
  db
    .selectFrom('users as u')
    .select(['u.id', 'u.name', effectivePermission.as('permission'), actsOfUser.as('acts')])
    .where('u.company_id', '=', company_id)
    .where('u.kind', '=', 'person')
    .where('u.removed_at', 'is', null)

const may = (user: { permission: number[]; acts: readonly GivenAct[] }, { codes, act, station = '' }: Needed) =>
  isAllowed(codesOf(user.permission), codes) || (act !== undefined && holdsAct(user.acts, act, station))

/** People who may approve with a PIN, by name. */
export async function approversWithPin(db: Db, company_id: number, needed: Needed): Promise<Approver[]> {
  const rows = await people(db, company_id).innerJoin('user_pins as p', 'p.user_id', 'u.id').orderBy('u.name').limit(200).execute()
  return rows.filter(row => may(row, needed)).map(({ id, name }) => ({ id, name }))
}

/** Everyone of these companies who may approve at a screen, with or without a PIN. */
export async function approversAnywhere(db: Db, company_ids: readonly number[], needed: Needed): Promise<number[]> {
  const rows = await people(db, sql<number>`any (${company_ids}::bigint[])`).limit(2_000).execute()
  return rows.filter(row => may(row, needed)).map(({ id }) => id)
}

/** Everyone of the company who has one of the permissions, by name. */
export async function peopleWith(db: Db, company_id: number, needed: readonly Permission[]): Promise<Approver[]> {
  const rows = await people(db, company_id).orderBy('u.name').limit(500).execute()
  return rows.filter(row => isAllowed(codesOf(row.permission), needed)).map(({ id, name }) => ({ id, name }))
}

/** Groups of these companies of which a member has one of the permissions, by name. */
export async function groupsWith(db: Db, company_ids: readonly number[], needed: readonly Permission[]): Promise<Approver[]> {
  const rows = await people(db, sql<number>`any (${company_ids}::bigint[])`)
    .innerJoin('user_group_members as m', 'm.user_id', 'u.id')
    .innerJoin('user_groups as g', 'g.id', 'm.group_id')
    .select(['g.id as group_id', 'g.name as group_name'])
    .where('g.removed_at', 'is', null)
    .orderBy(sql`lower(g.name)`)
    .limit(2_000)
    .execute()
  const may = rows.filter(row => isAllowed(codesOf(row.permission), needed))
  return [...new Map(may.map(({ group_id, group_name }) => [group_id, { id: group_id, name: group_name }])).values()]
}

/** Ids of the groups in which this person is. */
export async function groupIdsOf(db: Db, user_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('user_group_members as m')
    .innerJoin('user_groups as g', 'g.id', 'm.group_id')
    .select('g.id')
    .where('m.user_id', '=', user_id)
    .where('g.removed_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** The person with this id in one of the companies, as long as they may approve. */
export async function approverAnywhere(
  db: Db,
  { company_ids, user_id }: { company_ids: readonly number[]; user_id: number },
  needed: Needed,
): Promise<Approver | undefined> {
  const user = await people(db, sql<number>`any (${company_ids}::bigint[])`).where('u.id', '=', user_id).executeTakeFirst()
  return user && may(user, needed) ? { id: user.id, name: user.name } : undefined
}

/** The person with this id, as long as they may approve. */
export const approverById = (
  db: Db,
  { company_id, user_id }: { company_id: number; user_id: number },
  needed: Needed,
): Promise<Approver | undefined> => approverAnywhere(db, { company_ids: [company_id], user_id }, needed)

/** The lead who approves; refuses a wrong PIN, a void badge, and a person who may not. Each failure is recorded. */
export async function approverOf(outside: ExternalContext, proof: Proof, needed: Needed): Promise<Approver> {
  const { transaction, principal, services, now } = outside
  const badge = 'badge' in proof ? readCode(proof.badge) : null
  const user_id = 'badge' in proof ? (badge?.kind === 'badge' ? badge.user_id : 0) : proof.user_id
  const key = `${'badge' in proof ? 'badge' : 'pin'} ${principal.company.id}/${user_id}`
  const seconds = await services.limits.beginPin(key, now().getTime())
  if (seconds > 0) throw tooMany('pin_wait', 'Too many wrong tries. Wait {{seconds}} seconds.', { seconds })
  const found = await transaction(async ({ db }) =>
    people(db, principal.company.id)
      .leftJoin('user_pins as p', 'p.user_id', 'u.id')
      .leftJoin('user_badges as b', 'b.user_id', 'u.id')
      .select(['p.pin_hash', 'b.code_hash'])
      .where('u.id', '=', user_id)
      .executeTakeFirst(),
  )
  const right =
    'badge' in proof
      ? badge?.kind === 'badge' && found?.code_hash?.equals(hashToken(badge.token)) === true
      : await checkPassword(proof.pin, found?.pin_hash ?? null)
  if (!found || !right) {
    await transaction(({ recordEvent }) => recordEvent({ kind: 'user.approval_refused', subject: 'user', subject_id: user_id }))
    throw 'badge' in proof
      ? forbidden('badge_unknown', 'This badge is not valid')
      : forbidden('pin_wrong', 'The PIN is wrong', {}, { fields: { pin: 'The PIN is wrong' } })
  }
  await services.limits.succeedPin(key)
  if (!may(found, needed)) throw forbidden('approval_not_allowed', '{{name}} may not approve this', { name: found.name })
  return { id: found.id, name: found.name }
}
