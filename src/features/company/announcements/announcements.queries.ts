/** Reads of announcements: for those who manage them, and for those whom they are for. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { Locale } from '#contract/fields.schemas.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { phaseOf, textFor, textsOf } from './announcements.rules.ts'
import type {
  Announcement,
  AnnouncementQuestion,
  AnnouncementReader,
  AnnouncementRow,
  MyAgreement,
  ReaderQuestion,
  WaitingAnnouncement,
} from './announcements.schemas.ts'

export interface Asker {
  user_id: number
  company_id: number
  /** Whether all announcements are seen, with their counts. */
  manages: boolean
}

/** Whether announcement `a` is for person `u`, who is no device. A group that was removed reaches no one. */
const isFor = sql<boolean>`u.kind = 'person' and (a.everyone or u.id = any (a.user_ids) or exists (select from user_group_members m
  join user_groups g on g.operator_id = m.operator_id and g.id = m.group_id and g.removed_at is null
  where m.operator_id = u.operator_id and m.user_id = u.id and m.group_id = any (a.group_ids)))`

/** Whether person `u` owes nothing to announcement `a`: a notice is read once, what must be agreed with in its newest version. */
const isDone = sql<boolean>`exists (select from announcement_agreements d where d.operator_id = a.operator_id and d.announcement_id = a.id
  and d.user_id = u.id and (a.mode = 'info' or d.version_no = a.version_no))`

const people = sql`from users u where u.operator_id = a.operator_id and u.company_id = a.company_id and u.removed_at is null and ${isFor}`
const reaches = (user_id: number) => sql<boolean>`exists (select ${people} and u.id = ${user_id})`

const columns = [
  'a.id',
  'a.title',
  'a.mode',
  'a.state',
  'a.from_at',
  'a.to_at',
  'a.version_no',
  'a.everyone',
  'a.group_ids',
  'a.user_ids',
  'a.texts',
  'a.changed_at',
  'a.reminded_at',
  'a.version',
] as const

const groupsOf = sql<
  { id: number; name: string }[]
>`(select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name)), '[]')
  from user_groups g where g.operator_id = a.operator_id and g.id = any (a.group_ids))`.as('groups')

const all = (db: Db, { user_id, company_id }: Asker) =>
  db
    .selectFrom('announcements as a')
    .where('a.company_id', '=', company_id)
    .select(columns)
    .select([
      sql<number>`(select count(*) ${people})::integer`.as('asked'),
      sql<number>`(select count(*) ${people} and ${isDone})::integer`.as('agreed'),
      groupsOf,
      sql<{ id: number; name: string }[]>`(select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name) order by u.name), '[]')
        from users u where u.operator_id = a.operator_id and u.id = any (a.user_ids))`.as('people'),
      sql<string | null>`(select max(d.at) from announcement_agreements d where d.operator_id = a.operator_id and d.announcement_id = a.id
        and d.user_id = ${user_id} and (a.mode = 'info' or d.version_no = a.version_no))`.as('my_agreement'),
    ])

type Found = Awaited<ReturnType<ReturnType<typeof all>['execute']>>[number]

const seconds = (at: Date) => at.toISOString()

function rowOf({ state, group_ids: _groups, user_ids: _users, texts: _texts, ...row }: Found, asker: Asker, now: Date): AnnouncementRow {
  const shown = { ...row, phase: phaseOf({ state, from_at: row.from_at, to_at: row.to_at }, now) }
  // Whom else it is for, and who has read it, is no matter of a reader.
  return asker.manages ? shown : { ...shown, groups: [], people: [], asked: null, agreed: null }
}

/** Condition of a phase; the rule for one row is `phaseOf`. */
const inPhase = (phase: AnnouncementRow['phase'], now: Date) => {
  if (phase === 'draft' || phase === 'withdrawn') return sql<boolean>`a.state = ${phase}`
  const at = seconds(now)
  if (phase === 'planned') return sql<boolean>`(a.state = 'published' and a.from_at > ${at}::timestamptz)`
  if (phase === 'ended') return sql<boolean>`(a.state = 'published' and a.to_at <= ${at}::timestamptz)`
  return sql<boolean>`(a.state = 'published' and a.from_at <= ${at}::timestamptz and (a.to_at is null or a.to_at > ${at}::timestamptz))`
}

const sortColumns = { changed: 'a.changed_at', title: 'a.title', from: 'a.from_at' } as const

export async function listAnnouncements(
  db: Db,
  asker: Asker,
  { query, phase, mode, sort, mine, ...paging }: AnnouncementQuestion & { page: number; limit: number },
  now: Date,
): Promise<Page<AnnouncementRow>> {
  let matching = all(db, asker)
  // A reader sees what is or was shown: nothing planned, and nothing that was taken back.
  if (mine || !asker.manages)
    matching = matching.where('a.state', '=', 'published').where('a.from_at', '<=', seconds(now)).where(reaches(asker.user_id))
  if (query !== '') matching = matching.where('a.title', 'ilike', containing(query))
  if (phase !== undefined) matching = matching.where(inPhase(phase, now))
  if (mode !== undefined) matching = matching.where('a.mode', '=', mode)
  const column = sort === 'title' || sort === '-title' ? 'title' : sort === 'from' || sort === '-from' ? 'from' : 'changed'
  const rows = await matching
    .orderBy(sql.ref(sortColumns[column]), sort.startsWith('-') ? 'desc' : 'asc')
    .orderBy('a.id', 'desc')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return {
    rows: rows.map(row => rowOf(row, asker, now)),
    ...(await cappedCount(db, matching.clearSelect())),
    offset: pageOffset(paging),
    limit: paging.limit,
  }
}

/** What is written in one now, as its history keeps it. */
export async function writtenAnnouncement(db: Db, company_id: number, id: number) {
  const row = await db
    .selectFrom('announcements as a')
    .where('a.company_id', '=', company_id)
    .where('a.id', '=', id)
    .select(['a.title', 'a.texts', 'a.mode', 'a.everyone', 'a.user_ids', 'a.from_at', 'a.to_at', 'a.state', 'a.version', groupsOf])
    .executeTakeFirst()
  return row && { ...row, texts: textsOf(row.texts) }
}

/** What the person has to read with its language: the own one, else that of the company. */
async function languages(db: Db, { user_id, company_id }: Pick<Asker, 'user_id' | 'company_id'>) {
  const user = await db.selectFrom('users').select('locale').where('id', '=', user_id).executeTakeFirst()
  const { locale } = await companySettings(db, company_id)
  return { own: Locale.nullable().parse(user?.locale ?? null), company: locale }
}

/** One announcement, in its newest version or in `version`; what is not for the caller is not found. */
export async function announcementById(db: Db, asker: Asker, id: number, now: Date, version?: number): Promise<Announcement> {
  const found = await all(db, asker)
    .where('a.id', '=', id)
    .$if(!asker.manages, rows =>
      rows.where('a.state', '=', 'published').where('a.from_at', '<=', seconds(now)).where(reaches(asker.user_id)),
    )
    .executeTakeFirst()
  const row = orNotFound(found, 'announcement_not_found', 'There is no such announcement.')
  const versions = await db
    .selectFrom('announcement_versions')
    .select(['no', 'texts', 'sha256', 'published_at', 'published_by'])
    .where('announcement_id', '=', id)
    .orderBy('no', 'desc')
    .limit(200)
    .execute()
  const asked = version === undefined ? undefined : versions.find(one => one.no === version)
  if (version !== undefined) orNotFound(asked, 'announcement_not_found', 'There is no such announcement.')
  const texts = textsOf((asked ?? row).texts)
  const { own, company } = await languages(db, asker)
  return {
    ...rowOf(row, asker, now),
    text: textFor(texts, own, company),
    texts: asker.manages ? texts : null,
    versions: versions.map(({ texts: _texts, ...one }) => one),
  }
}

/** What the person has to read or agree with now: first what must be agreed with, then the oldest. */
export async function waitingFor(db: Db, person: Pick<Asker, 'user_id' | 'company_id'>, now: Date): Promise<WaitingAnnouncement[]> {
  const rows = await db
    .selectFrom('announcements as a')
    .innerJoin('announcement_versions as v', join => join.onRef('v.announcement_id', '=', 'a.id').onRef('v.no', '=', 'a.version_no'))
    .select(['a.id', 'a.mode', 'a.version_no', 'v.sha256', 'v.published_at', 'v.texts'])
    .where('a.company_id', '=', person.company_id)
    .where(inPhase('shown', now))
    .where(sql<boolean>`exists (select ${people} and u.id = ${person.user_id} and not ${isDone})`)
    .orderBy('a.mode', 'desc')
    .orderBy('a.from_at')
    .orderBy('a.id')
    .limit(20)
    .execute()
  if (rows.length === 0) return []
  const { own, company } = await languages(db, person)
  return rows.map(({ texts, ...row }) => ({ ...row, text: textFor(textsOf(texts), own, company) }))
}

/** What the person has read or agreed with, also when it was withdrawn or is for others now. */
export async function agreementsOf(
  db: Db,
  person: Pick<Asker, 'user_id' | 'company_id'>,
  paging: { page: number; limit: number },
): Promise<Page<MyAgreement>> {
  const all = db.selectFrom('announcement_agreements as d').where('d.user_id', '=', person.user_id)
  const rows = await all
    .innerJoin('announcements as a', join => join.onRef('a.operator_id', '=', 'd.operator_id').onRef('a.id', '=', 'd.announcement_id'))
    .innerJoin('announcement_versions as v', join =>
      join
        .onRef('v.operator_id', '=', 'd.operator_id')
        .onRef('v.announcement_id', '=', 'd.announcement_id')
        .onRef('v.no', '=', 'd.version_no'),
    )
    .select(['a.id', 'a.mode', 'd.version_no', 'a.version_no as latest_no', 'd.at', 'd.locale', 'v.published_at', 'v.texts'])
    .orderBy('d.at', 'desc')
    .orderBy('a.id')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  const { company } = await languages(db, person)
  return {
    rows: rows.map(({ texts, locale, ...row }) => ({
      ...row,
      text: textFor(textsOf(texts), Locale.nullable().catch(null).parse(locale), company),
    })),
    ...(await cappedCount(db, all)),
    offset: pageOffset(paging),
    limit: paging.limit,
  }
}

/** The version that is shown to the person; undefined where the announcement is not for them, not published or withdrawn. */
export const versionFor = (db: Db, person: Pick<Asker, 'user_id' | 'company_id'>, id: number, now: Date) =>
  db
    .selectFrom('announcements as a')
    .innerJoin('announcement_versions as v', join => join.onRef('v.announcement_id', '=', 'a.id').onRef('v.no', '=', 'a.version_no'))
    .select(['a.version_no', 'v.sha256'])
    .where('a.id', '=', id)
    .where('a.company_id', '=', person.company_id)
    .where('a.state', '=', 'published')
    .where('a.from_at', '<=', seconds(now))
    .where(reaches(person.user_id))
    .executeTakeFirst()

function readersOf(db: Db, id: number, { query, state }: ReaderQuestion) {
  let rows = db
    .selectFrom('announcements as a')
    .innerJoin('users as u', 'u.company_id', 'a.company_id')
    .where('a.id', '=', id)
    .where('u.removed_at', 'is', null)
    .where(isFor)
  if (query !== '') rows = rows.where('u.name', 'ilike', containing(query))
  if (state !== undefined) rows = rows.where(state === 'agreed' ? isDone : sql<boolean>`not ${isDone}`)
  return rows
}

/** Whom it is for, those first who have not read or agreed. */
export async function listReaders(
  db: Db,
  id: number,
  { page, limit, ...question }: ReaderQuestion & { page: number; limit: number },
): Promise<Page<AnnouncementReader>> {
  const last = (column: 'version_no' | 'at' | 'locale') =>
    sql.raw(`(select d.${column} from announcement_agreements d where d.operator_id = a.operator_id and d.announcement_id = a.id
      and d.user_id = u.id order by d.version_no desc limit 1)`)
  const rows = await readersOf(db, id, question)
    .select(['u.id as user_id', 'u.name'])
    .select([
      sql<number | null>`${last('version_no')}`.as('version_no'),
      sql<string | null>`${last('at')}`.as('at'),
      sql<string | null>`${last('locale')}`.as('locale'),
      isDone.as('done'),
      sql<boolean>`coalesce(u.email, '') <> ''`.as('has_email'),
    ])
    .orderBy('done')
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { rows, ...(await cappedCount(db, readersOf(db, id, question))), offset: (page - 1) * limit, limit }
}

/** The title of an announcement in the language of a mail; undefined where the person owes nothing to it any more. */
export async function titleOfWaiting(
  db: Db,
  person: Pick<Asker, 'user_id' | 'company_id'>,
  id: number,
  now: Date,
): Promise<string | undefined> {
  return (await waitingFor(db, person, now)).find(one => one.id === id)?.text.title
}
