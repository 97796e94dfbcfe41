/** The board of deadlines: handlers. */
import { AppError, unprocessable } from '#contract/errors.ts'
import { makeBoardToken, revokeBoardTokens } from '#features/company/boards/boards.commands.ts'
import { boardsInCookies, boardsOf, liveBoard, scopeOfBoards } from '#features/company/boards/boards.queries.ts'
import { deadlineRows } from '#features/orders/deadlines/deadlines.queries.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { seeAlarm, setAlarmSettings } from './deadline-alarms.commands.ts'
import { alarmSettings } from './deadline-alarms.queries.ts'
import { linkKinds } from './deadline-board.codes.ts'
import { deadlineBoard } from './deadline-board.contract.ts'
import { boardOf, scopeOf } from './deadline-board.queries.ts'
import { type BoardLink, deadlineBoardSchemas } from './deadline-board.schemas.ts'

const mostDaysAhead = 400

async function linksOf({ db }: Context): Promise<BoardLink[]> {
  const rows: BoardLink[] = []
  for (const one of linkKinds)
    for (const { last_used_at, scope, ...row } of await boardsOf(db, one))
      rows.push({ ...row, kind: one, last_seen_at: last_used_at, scope: scopeOf(scope) })
  return rows
}

export const deadlineBoardServer = implement(deadlineBoard, deadlineBoardSchemas, {
  data: ({ company_id, deadline_id }, { db, now, principal }) =>
    boardOf(db, {
      now: now(),
      company_id,
      ...(deadline_id !== undefined && { deadline_ids: [deadline_id] }),
      figures: true,
      names: true,
      name: principal.company.name,
      owner: principal.company,
    }),

  tokens: async (_, context) => ({ rows: await linksOf(context) }),

  async makeToken({ body: { kind, name, scope, expires_at, client_id } }, context) {
    const { db, now } = context
    const known = new Set((await deadlineRows(db)).map(row => row.id))
    if (scope.deadline_ids.some(id => !known.has(id))) throw unprocessable('unknown_deadline', 'There is no such deadline.')
    if (expires_at !== null) {
      const ahead = Date.parse(expires_at) - now().getTime()
      if (ahead <= 0)
        throw unprocessable('time_passed', 'This time has passed already', {}, { fields: { expires_at: 'This time has passed already' } })
      if (ahead > mostDaysAhead * 86_400_000)
        throw unprocessable(
          'expiry_far',
          'Choose a time in the next 400 days.',
          {},
          { fields: { expires_at: 'Choose a time in the next 400 days.' } },
        )
    }
    const { id, token } = await makeBoardToken(context, kind, name, {
      scope: { ...scope },
      expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
      client_id: client_id ?? null,
    })
    const row = (await linksOf(context)).find(one => one.id === id)
    if (!row) throw new AppError(410, 'board_ended', 'This board link was revoked. Ask for a new one.')
    return { token, url: token === null ? null : kind === 'stats' ? `/stats#${token}` : `/deadlinesexternal/${token}`, row }
  },

  async revokeTokens({ id }, context) {
    let revoked = 0
    for (const kind of linkKinds) revoked += await revokeBoardTokens(context, kind, id)
    return { revoked }
  },

  seen: ({ id }, context) => seeAlarm(context, id),
  alarms: (_, { db, scope }) => alarmSettings(db, scope.company_id),
  setAlarms: ({ body }, context) => setAlarmSettings(context, body),

  async shown({ board }, context) {
    const { db, services, principal, now } = context
    const ids = boardsInCookies(context).filter(id => board === undefined || id === board)
    const link = await liveBoard(db, 'deadlines', ids, now())
    if (!link) throw new AppError(410, 'board_ended', 'This board link was revoked. Ask for a new one.')
    const { deadline_ids, figures } = scopeOf(link.scope)
    return services.database.readOnly(await scopeOfBoards(context), wide =>
      boardOf(wide, { now: now(), deadline_ids, figures, name: link.name, owner: principal.company }),
    )
  },
})
