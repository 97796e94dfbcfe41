/** Erasing a person from announcements to staff: the words leave the texts. Who agreed, and the hash of what was read, stay. */
import { sql } from 'kysely'
import { eraseSettingHistory, settingHistoryOf } from '#features/company/companies/erase-setting-history.commands.ts'
import { rowsAtOnce } from '#platform/database/batches.ts'
import type { Db } from '#platform/database/database.ts'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'
import { announcementList } from './announcements-history.server.ts'

/** A regular expression of PostgreSQL that finds any of the words, also as they stand in JSON. */
const anyOf = (words: readonly string[]): string =>
  [...new Set(words.flatMap(word => [word, JSON.stringify(word).slice(1, -1)]))]
    .map(word => word.replace(/[\\^$.*+?()[\]{}|]/g, sign => `\\${sign}`))
    .join('|')

/** Each field of an announcement may name the person. */
const noField = ''

export const eraseAnnouncements: ErasurePart = {
  tables: ['announcements', 'announcement_versions', 'setting_changes'],
  async erase(db, { words }) {
    const named = sql`ilike any (${wordPatterns(words)}::text[])`
    const without = (text: 'title' | 'texts::text') => sql`regexp_replace(${sql.raw(text)}, ${anyOf(words)}, '…', 'gi')`
    const announcements = await sql`update announcements set title = ${without('title')}, texts = ${without('texts::text')}::jsonb
      where operator_id = current_operator_id() and (title ${named} or texts::text ${named})`.execute(db)
    const versions = await sql`update announcement_versions set texts = ${without('texts::text')}::jsonb
      where operator_id = current_operator_id() and texts::text ${named}`.execute(db)
    return {
      announcements: Number(announcements.numAffectedRows ?? 0),
      announcement_versions: Number(versions.numAffectedRows ?? 0),
      setting_changes: await eraseSettingHistory(db, announcementList.name, noField, words),
    }
  },

  async read(db, { words }) {
    const named = sql`ilike any (${wordPatterns(words)}::text[])`
    return {
      announcements: await rowsOf(
        db,
        sql`select created_at, title, texts from announcements
          where operator_id = current_operator_id() and (title ${named} or texts::text ${named}) order by id`,
      ),
      announcement_versions: await rowsOf(
        db,
        sql`select published_at, no, texts from announcement_versions
          where operator_id = current_operator_id() and texts::text ${named} order by announcement_id, no`,
      ),
      setting_changes: await settingHistoryOf(db, announcementList.name, noField, words),
    }
  },
}

/** Deletes, in the system role, who agreed with what of people who left before a day. */
export async function deleteOldAgreements(db: Db, operator_id: number, before: string): Promise<Record<string, number>> {
  const { numAffectedRows } = await sql`delete from announcement_agreements where ctid = any (array(select d.ctid
    from announcement_agreements d join users u on u.operator_id = d.operator_id and u.id = d.user_id
    where d.operator_id = ${operator_id} and u.removed_at < ${before}::date limit ${rowsAtOnce}))`.execute(db)
  return { announcement_agreements: Number(numAffectedRows ?? 0) }
}
