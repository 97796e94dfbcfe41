/** Reads links by which users set a password. */
import type { Vault } from '#platform/crypto/vault.ts'
import { hashToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { LinkPurpose } from './password-links.schemas.ts'

interface LinkPlace {
  operator_id: number
  user_id: number
  nonce: Uint8Array
}

/** 128 bits that follow from the row and the key of the server: the row alone does not give the link away. */
export const linkToken = (vault: Vault, { operator_id, user_id, nonce }: LinkPlace): string =>
  vault.sign('password link', `${operator_id}:${user_id}:${Buffer.from(nonce).toString('hex')}`)

const validLinks = (db: Db, now: Date) =>
  db
    .selectFrom('password_links as l')
    .innerJoin('users as u', j => j.onRef('u.operator_id', '=', 'l.operator_id').onRef('u.id', '=', 'l.user_id'))
    .select(['l.id', 'l.operator_id', 'l.user_id', 'l.purpose', 'l.nonce', 'l.expires_at'])
    .select(['u.name', 'u.user_name', 'u.email', 'u.employee_no', 'u.locale', 'u.password_hash'])
    .where('l.expires_at', '>', now.toISOString())
    .where('u.removed_at', 'is', null)
    .$narrowType<{ purpose: LinkPurpose }>()

/** The valid link with this token, and its user. */
export const linkOfToken = (db: Db, token: string, now: Date) =>
  validLinks(db, now).where('l.token_hash', '=', hashToken(token)).executeTakeFirst()

/** The link with this id while it is valid: replaced, used and old ones are not found. */
export const linkById = (db: Db, id: number, now: Date) => validLinks(db, now).where('l.id', '=', id).executeTakeFirst()

/** Whether mails of the company are delivered at all. */
export const hasMailAccount = async (db: Db, company_id: number): Promise<boolean> =>
  (await db
    .selectFrom('outbox_destinations')
    .select('id')
    .where('company_id', '=', company_id)
    .where('kind', '=', 'mail')
    .where('state', '<>', 'disabled')
    .executeTakeFirst()) !== undefined
