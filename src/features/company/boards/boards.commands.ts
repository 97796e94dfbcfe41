/** Makes and revokes tokens of boards. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type BoardKind, boardsOf } from './boards.queries.ts'

const mostBoards = 20

interface BoardExtras {
  scope?: Record<string, unknown>
  expires_at?: string | null
  client_id?: string | null
}

/** The token is shown once; the same id of the client again makes no second one. */
export async function makeBoardToken(context: Context, kind: BoardKind, name: string): Promise<{ id: number; token: string }>
export async function makeBoardToken(
  context: Context,
  kind: BoardKind,
  name: string,
  extras: BoardExtras,
): Promise<{ id: number; token: string | null }>
export async function makeBoardToken(
  context: Context,
  kind: BoardKind,
  name: string,
  { scope = {}, expires_at = null, client_id = null }: BoardExtras = {},
): Promise<{ id: number; token: string | null }> {
  const { db, principal, now, recordEvent } = context
  await db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forNoKeyUpdate().execute()
  const known =
    client_id === null ? undefined : await db.selectFrom('board_tokens').select('id').where('client_id', '=', client_id).executeTakeFirst()
  if (known) return { id: known.id, token: null }
  if ((await boardsOf(db, kind)).length >= mostBoards)
    throw conflict('boards_full', 'There are {{count}} boards already. Revoke one first.', { count: mostBoards })
  const token = newToken().slice(0, 22)
  const { id } = await db
    .insertInto('board_tokens')
    .values({
      kind,
      name,
      token_hash: hashToken(token),
      created_by: principal.name,
      created_at: now().toISOString(),
      scope: JSON.stringify(scope),
      expires_at,
      client_id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEvent({ kind: 'board.link_made', subject: 'board', subject_id: id, data: { name } })
  return { id, token }
}

/** One board, or all of a kind; what is revoked already stays so. */
export async function revokeBoardTokens({ db, now, recordEvents }: Context, kind: BoardKind, id?: number): Promise<number> {
  const rows = await db
    .updateTable('board_tokens')
    .set({ revoked_at: now().toISOString() })
    .where('kind', '=', kind)
    .where('revoked_at', 'is', null)
    .$if(id !== undefined, boards => boards.where('id', '=', id ?? 0))
    .returning(['id', 'name'])
    .execute()
  await recordEvents(rows.map(row => ({ kind: 'board.link_revoked', subject: 'board', subject_id: row.id, data: { name: row.name } })))
  return rows.length
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
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now().toISOString())]))
    .returning(['id', 'kind', 'name'])
    .executeTakeFirst()
