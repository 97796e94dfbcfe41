/** Makes and revokes tokens of boards. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type BoardKind, boardsOf } from './boards.queries.ts'

const mostBoards = 20

/** The token is shown once. */
export async function makeBoardToken(context: Context, kind: BoardKind, name: string): Promise<{ id: number; token: string }> {
  const { db, principal, now, recordEvent } = context
  if ((await boardsOf(db, kind)).length >= mostBoards)
    throw conflict('boards_full', 'There are {{count}} boards already. Revoke one first.', { count: mostBoards })
  const token = newToken().slice(0, 22)
  const { id } = await db
    .insertInto('board_tokens')
    .values({ kind, name, token_hash: hashToken(token), created_by: principal.name, created_at: now().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEvent({ kind: 'board.link_made', subject: 'board', subject_id: id, data: { name } })
  return { id, token }
}

export async function revokeBoardToken({ db, now, recordEvent }: Context, kind: BoardKind, id: number): Promise<void> {
  const row = await db
    .updateTable('board_tokens')
    .set({ revoked_at: now().toISOString() })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
  const { name } = orNotFound(row, 'board_not_found', 'Board not found')
  await recordEvent({ kind: 'board.link_revoked', subject: 'board', subject_id: id, data: { name } })
}

/** The board of a token; undefined where there is none or it was revoked. */
export const touchBoardToken = ({ db, now }: Context, token: string) =>
  db
    .updateTable('board_tokens')
    .set({ last_used_at: now().toISOString() })
    .where('token_hash', '=', hashToken(token))
    .where('revoked_at', 'is', null)
    .returning(['id', 'kind', 'name'])
    .executeTakeFirst()
