/** Reads the history of a company's settings. */
import { sql } from 'kysely'
import { isAllowed } from '#contract/access.ts'
import { orNotFound } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { boundsOfDay } from '#domain/local-days.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning, containing } from '#platform/database/like-pattern.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { companySettings } from './companies.queries.ts'
import type { SettingChangeRow } from './setting-changes.schemas.ts'
import { fieldOf, hasPlace, pictureSettings, settingField, settingsByPage } from './setting-fields.rules.ts'

type Reader = Context['principal']

interface Question {
  path?: string | undefined
  name?: string | undefined
  changed_by?: string | undefined
  from?: string | undefined
  to?: string | undefined
  page: number
  limit: number
}

/** The settings on the pages that a person may open. */
const readableFields = (principal: Reader, path?: string): string[] =>
  settingsByPage
    .filter(page => (path === undefined || page.path === path) && isAllowed(principal.permissions, page.read))
    .flatMap(page => Object.keys(page.fields))

const columns = ['c.id', 'c.name', 'c.before', 'c.after', 'c.changed_by', 'c.at'] as const

/** Only the last change of a setting can be set back. */
const isLast = sql<boolean>`not exists (select from setting_changes l
  where l.operator_id = c.operator_id and l.company_id = c.company_id and l.name = c.name and l.id > c.id)`.as('is_last')

export async function settingChangesPage(db: Db, principal: Reader, question: Question) {
  const fields = readableFields(principal, question.path)
  const { time_zone } = await companySettings(db, principal.company.id)
  let from = db.selectFrom('setting_changes as c').where('c.company_id', '=', principal.company.id).where(named(fields))
  if (question.name) from = from.where(named([question.name]))
  if (question.changed_by) from = from.where('c.changed_by', 'ilike', containing(question.changed_by))
  if (question.from) from = from.where('c.at', '>=', boundsOfDay(question.from, time_zone).from)
  if (question.to) from = from.where('c.at', '<', boundsOfDay(question.to, time_zone).to)
  const rows = await from
    .select([...columns, isLast])
    .orderBy('c.id', 'desc')
    .limit(question.limit)
    .offset(pageOffset(question))
    .execute()
  return {
    rows: rows.flatMap(row => shown(row, principal) ?? []),
    ...(await cappedCount(db, from)),
    offset: pageOffset(question),
    limit: question.limit,
  }
}

/** A field's own name, and the names below it. */
const named = (fields: readonly string[]) =>
  sql<boolean>`(c.name = any (${fields}::text[]) or c.name like any (${fields.map(field => beginning(`${field}.`))}::text[])
    or c.name like any (${fields.filter(hasPlace).map(placed)}::text[]))`

/** `webhooks.%.url` */
const placed = (field: string): string => {
  const [owner = '', last = ''] = field.split('.')
  return `${beginning(`${owner}.`)}.${beginning(last).slice(0, -1)}`
}

interface Row {
  id: number
  name: string
  before: unknown
  after: unknown
  changed_by: string
  at: string
  is_last: boolean
}

function shown({ is_last, ...row }: Row, principal: Reader): SettingChangeRow | undefined {
  const field = settingField(row.name)
  if (!field) return undefined
  const { page, label } = field
  const can_set_back =
    is_last &&
    !pictureSettings.includes(fieldOf(row.name)) &&
    isAllowed(principal.permissions, page.change) &&
    (!page.mainOnly || principal.company.is_main)
  return { ...row, page: page.path, label, place_name: null, can_set_back }
}

/** One change of the caller's company on a page that the caller may open. */
export async function settingChange(db: Db, principal: Reader, id: number): Promise<SettingChangeRow & { is_last: boolean }> {
  const row = await db
    .selectFrom('setting_changes as c')
    .select([...columns, isLast])
    .where('c.company_id', '=', principal.company.id)
    .where('c.id', '=', id)
    .executeTakeFirst()
  const found = row && readableFields(principal).includes(fieldOf(row.name)) ? shown(row, principal) : undefined
  return { ...orNotFound(found, 'setting_change_not_found', 'This change is not there any more.'), is_last: row?.is_last ?? false }
}
