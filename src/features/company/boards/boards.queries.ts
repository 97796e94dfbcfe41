/** Board tokens, and the cookie that stands for one. */
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Context } from '#platform/http/feature-module.ts'

const purpose = 'board'
const boardCookieSeconds = 400 * 86_400
const prefixOf = (secure: boolean): string => (secure ? '__Host-board' : 'board')

/** The cookie of one board; its signature is bound to the company. */
export function boardCookie({ services, principal, secure }: Context, id: number): string {
  const signature = services.vault.sign(purpose, `${principal.company.id} ${id}`)
  return `${prefixOf(secure)}-${id}=${signature}; Path=/; Max-Age=${boardCookieSeconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}

/** Ids of the boards whose cookies a request carries. */
export function boardsInCookies({ services, principal, headers }: Pick<Context, 'services' | 'principal' | 'headers'>): number[] {
  const found: number[] = []
  for (const cookie of (headers.cookie ?? '').slice(0, 4_096).split(';')) {
    const [, id, signature = ''] = /^\s*(?:__Host-)?board-(\d{1,15})=([\w-]{22})$/.exec(cookie) ?? []
    if (id !== undefined && services.vault.verify(purpose, `${principal.company.id} ${Number(id)}`, signature)) found.push(Number(id))
  }
  return found
}

export type BoardKind = 'punchclock' | 'deadlines' | 'stats'

const liveBoards = (db: Db, kind: BoardKind) => db.selectFrom('board_tokens').where('kind', '=', kind).where('revoked_at', 'is', null)

/** The newest live board of these; undefined where none is. */
export async function liveBoard(db: Db, kind: BoardKind, ids: readonly number[], now: Date) {
  if (ids.length === 0) return undefined
  return liveBoards(db, kind)
    .select(['id', 'name', 'scope'])
    .where('id', 'in', ids)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now.toISOString())]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether one of these boards is live. */
export async function isLiveBoard(db: Db, kind: BoardKind, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0) return false
  return (await liveBoards(db, kind).select('id').where('id', 'in', ids).limit(1).executeTakeFirst()) !== undefined
}

export const boardsOf = (db: Db, kind: BoardKind) =>
  liveBoards(db, kind)
    .select(['id', 'name', 'created_by', 'created_at', 'last_used_at', 'scope', 'expires_at'])
    .orderBy('id')
    .limit(100)
    .execute()

/** Whose rows the boards of a company show: a shop's its own, those of the main company the rows of all. */
export async function scopeOfBoards({
  services,
  scope,
  principal,
}: Pick<Context, 'services' | 'scope' | 'principal'>): Promise<TenantScope> {
  if (!principal.company.is_main) return scope
  const rows = await services.database.systemRead('a board of the main company shows the orders of all', db =>
    db.selectFrom('companies').select('id').where('operator_id', '=', scope.operator_id).execute(),
  )
  return { ...scope, companies: rows.map(row => row.id) }
}
