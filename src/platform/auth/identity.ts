/** Who is asking: the person (or the shop's key) behind a token, with the rights they hold at this moment. */

import { sql } from 'kysely'
import type { Permission } from '#contract/access.ts'
import { permissionCode } from '#contract/access.ts'
import type { Database } from '#platform/database/database.ts'
import { hashOf } from '#platform/crypto/vault.ts'
import type { Scope } from '#platform/database/tenant-scope.ts'
import { shortMemory } from '#platform/database/ttl-cache.ts'

export interface Company {
  operator_id: number
  id: number
  code: string
  name: string
  is_main: boolean
  /** The regular expression that the packing stations' public address must match; empty is locked. */
  packing_ip_pattern: string
}

export interface Person {
  kind: 'user' | 'shop' | 'nobody'
  /** 0 for nobody and for shops. */
  id: number
  name: string
  permissions: readonly Permission[]
  company: Company
  /** Every company of the operator, for calls that reach it. */
  siblings: readonly number[]
  session_id: number
  /** For shops: which of the company's shops the key speaks for, and the key's id. */
  shop: string | null
  key_id: number
}

export const nobody = (company: Company): Person => ({
  kind: 'nobody',
  id: 0,
  name: 'nobody',
  permissions: [],
  company,
  siblings: [],
  session_id: 0,
  shop: null,
  key_id: 0,
})

/** Rights are asked of the database at each request; this short memory only spares asking for the same within one breath. */
const rememberedFor = 3_000
export const idleHours = 12
export const sessionDays = 30

export interface People {
  /** The person of a session token, or null when it is unknown, idle too long, ended or expired. */
  ofToken(token: string, now: Date): Promise<Person | null>
  ofShopKey(key: string, ip: string, now: Date): Promise<Person | null>
  company(code: string): Promise<Company | null>
  /** Rights, passwords, keys or companies changed – `tell('people')` says so –: nothing remembered may be believed. */
  forget(): void
}

export function knowPeople(database: Database): People {
  const tokens = shortMemory<Person>()
  const keys = shortMemory<Person>()
  const companies = shortMemory<Company>()
  const pattern = sql<string>`coalesce(c.settings->>'packing_ip_pattern', '')`.as('packing_ip_pattern')
  const siblingsOf = sql<number[]>`(select coalesce(array_agg(s.id), '{}') from companies s where s.operator_id = c.operator_id)`

  return {
    async ofToken(token, now) {
      const known = tokens.of(token, now.getTime())
      if (known) return known
      const keep = tokens.asking()
      const row = await database.lookingAsSystem('the token comes before the tenant', db =>
        db
          .selectFrom('sessions as t')
          .innerJoin('users as u', j => j.onRef('u.operator_id', '=', 't.operator_id').onRef('u.id', '=', 't.user_id'))
          .innerJoin('companies as c', j => j.onRef('c.operator_id', '=', 't.operator_id').onRef('c.id', '=', 't.company_id'))
          .select([
            't.id as session_id',
            't.last_used_at',
            'u.id',
            'u.name',
            'u.permission',
            'c.operator_id',
            'c.id as company_id',
            'c.code',
            'c.name as company_name',
            'c.is_main',
          ])
          .select([siblingsOf.as('siblings'), pattern])
          .where('t.token_hash', '=', hashOf(token))
          .where('t.ended_at', 'is', null)
          .where('u.removed_at', 'is', null)
          .where('t.expires_at', '>', now.toISOString())
          .where('t.last_used_at', '>', new Date(now.getTime() - idleHours * 3_600_000).toISOString())
          .executeTakeFirst(),
      )
      if (!row) return null
      // Once a minute is exact enough for an idle limit of hours, and keeps reading a read.
      if (now.getTime() - Date.parse(row.last_used_at) > 60_000)
        await database.asSystem('the session of a token is used', db =>
          db
            .updateTable('sessions')
            .set({ last_used_at: now.toISOString() })
            .where('operator_id', '=', row.operator_id)
            .where('id', '=', row.session_id)
            .execute(),
        )
      const person: Person = {
        kind: 'user',
        id: row.id,
        name: row.name,
        permissions: row.permission.map(permissionCode).filter(code => code !== undefined),
        company: {
          operator_id: row.operator_id,
          id: row.company_id,
          code: row.code,
          name: row.company_name,
          is_main: row.is_main,
          packing_ip_pattern: row.packing_ip_pattern,
        },
        siblings: row.siblings,
        session_id: row.session_id,
        shop: null,
        key_id: 0,
      }
      keep(token, person, now.getTime() + rememberedFor)
      return person
    },

    async ofShopKey(key, ip, now) {
      const known = keys.of(key, now.getTime())
      if (known) return known
      const keep = keys.asking()
      const row = await database.lookingAsSystem('the key comes before the tenant', db =>
        db
          .selectFrom('cms_keys as k')
          .innerJoin('companies as c', j => j.onRef('c.operator_id', '=', 'k.operator_id').onRef('c.id', '=', 'k.company_id'))
          .select([
            'k.id',
            'k.name',
            'k.shop',
            'k.last_used_at',
            'k.expires_at',
            'c.operator_id',
            'c.id as company_id',
            'c.code',
            'c.name as company_name',
            'c.is_main',
          ])
          .select(pattern)
          .where('k.key_hash', '=', hashOf(key))
          .where('k.removed_at', 'is', null)
          .where(eb => eb.or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', now.toISOString())]))
          .executeTakeFirst(),
      )
      if (!row) return null
      if (!row.last_used_at || now.getTime() - Date.parse(row.last_used_at) > 10_000)
        await database.asSystem('a key is used', db =>
          db
            .updateTable('cms_keys')
            .set({ last_used_at: now.toISOString(), last_used_ip: ip })
            .where('operator_id', '=', row.operator_id)
            .where('id', '=', row.id)
            .execute(),
        )
      const person: Person = {
        kind: 'shop',
        id: 0,
        name: row.name,
        permissions: [],
        company: {
          operator_id: row.operator_id,
          id: row.company_id,
          code: row.code,
          name: row.company_name,
          is_main: row.is_main,
          packing_ip_pattern: row.packing_ip_pattern,
        },
        siblings: [],
        session_id: 0,
        shop: row.shop,
        key_id: row.id,
      }
      keep(key, person, Math.min(now.getTime() + rememberedFor, row.expires_at ? Date.parse(row.expires_at) : Number.POSITIVE_INFINITY))
      return person
    },

    async company(code) {
      const known = companies.of(code, Date.now())
      if (known) return known
      const keep = companies.asking()
      const row = await database.lookingAsSystem('the host name comes before the tenant', db =>
        db
          .selectFrom('companies as c')
          .select(['c.operator_id', 'c.id', 'c.code', 'c.name', 'c.is_main', pattern])
          .where('c.code', '=', code)
          .executeTakeFirst(),
      )
      if (!row) return null
      keep(code, row, Date.now() + 60_000)
      return row
    },

    forget() {
      for (const memory of [tokens, keys, companies]) memory.forget()
    },
  }
}

/** What a call of this reach may see in this person's hands. */
export function scopeOf(person: Person, reach: 'company' | 'operator'): Scope {
  const wide = reach === 'operator' && person.company.is_main && person.kind === 'user'
  return {
    operator_id: person.company.operator_id,
    company_id: person.company.id,
    companies: wide ? person.siblings : [person.company.id],
  }
}
