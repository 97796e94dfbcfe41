/** Alarms of pickups, and their settings, in the database. */
import { hasMailAccount } from '#features/company/users/password-links.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { AlarmSettings } from './deadline-board.schemas.ts'

const settingsRow = (db: Db, main: number) =>
  db
    .selectFrom('deadline_alarm_settings')
    .select(['recipients', 'quiet_from', 'quiet_until', 'sound', 'version'])
    .where('company_id', '=', main)
    .executeTakeFirst()

/** Of the main company, with whether its mail account can send. */
export async function alarmSettings(db: Db, main: number): Promise<AlarmSettings> {
  const found = await settingsRow(db, main)
  return {
    ...{ recipients: [], quiet_from: null, quiet_until: null, sound: true, version: 0 },
    ...found,
    can_mail: await hasMailAccount(db, main),
  }
}

export const boardsSound = async (db: Db, main: number): Promise<boolean> => (await settingsRow(db, main))?.sound ?? true

/** An alarm as its mail names it; undefined where it is gone. */
export const alarmForMail = (db: Db, id: number) =>
  db
    .selectFrom('deadline_alarms as a')
    .innerJoin('deadlines as d', join => join.onRef('d.operator_id', '=', 'a.operator_id').onRef('d.id', '=', 'a.deadline_id'))
    .select(['a.deadline_id', 'a.due_at', 'a.stage', 'a.missed', 'a.ended_at', 'd.name', 'd.time_zone'])
    .where('a.id', '=', id)
    .executeTakeFirst()

/** Pickups that were missed between two instants. */
export const missedPickups = (db: Db, from: string, to: string) =>
  db
    .selectFrom('deadline_alarms as a')
    .innerJoin('deadlines as d', join => join.onRef('d.operator_id', '=', 'a.operator_id').onRef('d.id', '=', 'a.deadline_id'))
    .select(['a.id', 'a.due_at', 'a.missed', 'd.name'])
    .where('a.stage', '=', 'missed')
    .where('a.at', '>=', from)
    .where('a.at', '<', to)
    .orderBy('a.due_at')
    .limit(200)
    .execute()
