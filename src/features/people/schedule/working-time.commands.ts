/** Writes the rules of working time that a company sets itself. */
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { isOfMinors, isWeaker, rulesOn } from './own-rules.rules.ts'
import { workingTimeRows } from './schedule.queries.ts'
import type { NewWorkingTimeRow, WorkingTimeRow } from './schedule.schemas.ts'
import { planInLine } from './shifts.commands.ts'

const changedMeanwhile = (current: WorkingTimeRow | undefined) =>
  conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, current && { current })

/** What is weaker than the law rests on something that is written down; for minors nothing is. */
function mustBeAllowed({ country, rule, valid_from, minutes, reason }: NewWorkingTimeRow): void {
  const law = rulesOn(country, valid_from)
  if (!law || !isWeaker(law, { rule, minutes })) return
  if (isOfMinors(rule)) {
    throw unprocessable(
      'rule_weaker_young',
      'The law protects minors: nothing weaker can be set.',
      {},
      { fields: { minutes: 'The law protects minors: nothing weaker can be set.' } },
    )
  }
  if (reason !== '') return
  throw unprocessable(
    'rule_weaker',
    'Weaker than the law: write on what it rests, such as a collective agreement.',
    {},
    { fields: { reason: 'Weaker than the law: write on what it rests, such as a collective agreement.' } },
  )
}

export async function setWorkingTimeRule(context: Context, row: NewWorkingTimeRow): Promise<WorkingTimeRow[]> {
  const { db, principal, recordEvent, notify } = context
  mustBeAllowed(row)
  await planInLine(context)
  const { version, ...values } = row
  const { country, rule, valid_from, minutes, reason } = values
  const current = (await workingTimeRows(db)).find(one => one.country === country && one.rule === rule && one.valid_from === valid_from)
  if ((current?.version ?? 0) !== version) throw changedMeanwhile(current)
  if (current)
    await db
      .updateTable('working_time_rules')
      .set({ minutes, reason, version: version + 1 })
      .where('id', '=', current.id)
      .execute()
  else await db.insertInto('working_time_rules').values(values).execute()
  await recordEvent({
    kind: 'working_time.rule_set',
    subject: 'company',
    subject_id: principal.company.id,
    data: { country, rule, valid_from, minutes, reason, ...(current && { before: current.minutes }) },
  })
  notify('schedule')
  return workingTimeRows(db)
}

export async function removeWorkingTimeRule(context: Context, id: number, version: number): Promise<WorkingTimeRow[]> {
  const { db, principal, recordEvent, notify } = context
  await planInLine(context)
  const row = orNotFound(
    (await workingTimeRows(db)).find(one => one.id === id),
    'rule_not_found',
    'Rule not found',
  )
  if (row.version !== version) throw changedMeanwhile(row)
  await db.deleteFrom('working_time_rules').where('id', '=', id).execute()
  const { country, rule, valid_from, minutes, reason } = row
  await recordEvent({
    kind: 'working_time.rule_removed',
    subject: 'company',
    subject_id: principal.company.id,
    data: { country, rule, valid_from, minutes, reason },
  })
  notify('schedule')
  return workingTimeRows(db)
}
