/** Who is asking: the person (or the shop's key) behind a token, with the rights they hold at this moment. */

import { sql } from 'kysely'
import { isAllowed, type KeyHolder, keyScopes, type Permission, permissionCode } from '#contract/access.ts'
import { deviceCodes } from '#contract/device-accounts.ts'
import { forbidden } from '#contract/errors.ts'
import { hashToken } from '#platform/crypto/vault.ts'
import type { Database, Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createTtlCache } from '#platform/database/ttl-cache.ts'
import { effectivePermission } from './effective-permission.ts'
import { inNetworks } from './networks.ts'
import { touchRecorderKey } from './recorder-key-store.ts'
import { isInUse, touchSession } from './session-store.ts'
import { touchShopKey } from './shop-key-store.ts'

export interface Company {
  operator_id: number
  id: number
  code: string
  name: string
  is_main: boolean
  /** The regular expression that the packing stations' public address must match; empty is locked. */
  packing_ip_pattern: string
  /** Its operator has closed it: nothing is read or changed for it any more. */
  closed?: boolean
  /** How many requests its keys may send in a minute; known for holders of a key, and null without a limit. */
  most_requests?: number | null
}

export interface Principal {
  /** A visitor has a ticket of something shared. */
  kind: 'user' | KeyHolder | 'visitor' | 'anonymous'
  /** 0 for no one and for keys. */
  id: number
  name: string
  permissions: readonly Permission[]
  company: Company
  /** Every company of the operator, for calls that reach it. */
  operatorCompanies: readonly number[]
  session_id: number
  /** For keys: which of the company's shops a shop's key speaks for, and the key's id; for visitors, the id of what is shared. */
  shop: string | null
  key_id: number
  /** Set for the account of a device that many share: it works inside the network of the warehouse, and has nothing of its own. */
  device?: true
  /** Set for a person whose program shows a key for reading alone. */
  readOnly?: true
}

export const anonymous = (company: Company): Principal => ({
  kind: 'anonymous',
  id: 0,
  name: 'anonymous',
  permissions: [],
  company,
  operatorCompanies: [],
  session_id: 0,
  shop: null,
  key_id: 0,
})

interface KnownKey {
  principal: Principal
  /** None means from everywhere. */
  networks: readonly string[]
}

function refuseNetwork(networks: readonly string[], ip: string): void {
  if (networks.length > 0 && !inNetworks(networks, ip))
    throw forbidden('key_address_refused', 'This key does not work from the address {{ip}}.', { ip })
}

/** Rights are asked of the database at each request; this short memory only spares asking for the same within one breath. */
const rememberedFor = 3_000

export interface IdentityResolver {
  /** The person of a session token, or null when it is unknown, idle too long, ended or expired. */
  byToken(token: string, now: Date): Promise<Principal | null>
  /** The person of a session that is known by its id: a ticket names it. */
  bySession(operator_id: number, session_id: number, now: Date): Promise<Principal | null>
  /** The recorder behind a key. */
  byRecorderKey(key: string, now: Date): Promise<Principal | null>
  /** The shop's program or the print agent behind a key, or the person for whom a program works. Refuses a key from a foreign network. */
  byKey(key: string, ip: string, now: Date): Promise<Principal | null>
  company(code: string): Promise<Company | null>
  /** Whether this deployment has exactly one operator. */
  hasOneOperator(now: Date): Promise<boolean>
  /** Rights, passwords, keys or companies changed – the notice `people` says so –: nothing remembered may be believed. */
  clear(): void
}

export function createIdentityResolver(database: Database): IdentityResolver {
  const tokens = createTtlCache<Principal>('people', ({ company }) => company.operator_id)
  const keys = createTtlCache<KnownKey>('people', ({ principal }) => principal.company.operator_id)
  const companies = createTtlCache<Company>('people', ({ operator_id }) => operator_id)
  const operators = createTtlCache<boolean>('people', () => 0)
  const pattern = sql<string>`coalesce(c.settings->>'packing_ip_pattern', '')`.as('packing_ip_pattern')
  const closed = sql<boolean>`c.closed_at is not null`.as('closed')
  const mostRequests = sql<number | null>`(c.limits->>'requests')::integer`.as('most_requests')
  const siblingsOf = sql<number[]>`(select coalesce(array_agg(s.id), '{}') from companies s where s.operator_id = c.operator_id)`

  async function bySessionWhere(
    known: string,
    where: (rows: ReturnType<typeof sessionsIn>) => ReturnType<typeof sessionsIn>,
    now: Date,
  ): Promise<Principal | null> {
    const remembered = tokens.get(known, now.getTime())
    if (remembered) return remembered
    const keep = tokens.beginFill()
    const row = await database.systemRead('the token comes before the tenant', db =>
      where(sessionsIn(db))
        .where('t.ended_at', 'is', null)
        .where('u.removed_at', 'is', null)
        .where('t.expires_at', '>', now.toISOString())
        .where(isInUse(now))
        .executeTakeFirst(),
    )
    if (!row) return null
    // Once a minute is exact enough for an idle limit of hours, and keeps reading a read.
    if (now.getTime() - Date.parse(row.last_used_at) > 60_000)
      await database.systemTransaction('the session of a token is used', db =>
        touchSession(db, { operator_id: row.operator_id, id: row.session_id }, now),
      )
    const held = row.permission.map(permissionCode).filter(code => code !== undefined)
    const principal: Principal = {
      kind: 'user',
      id: row.id,
      name: row.name,
      permissions: row.kind === 'device' ? deviceCodes.filter(code => held.includes(code)) : held,
      ...(row.kind === 'device' && { device: true as const }),
      company: {
        operator_id: row.operator_id,
        id: row.company_id,
        code: row.code,
        name: row.company_name,
        is_main: row.is_main,
        packing_ip_pattern: row.packing_ip_pattern,
        closed: row.closed,
      },
      operatorCompanies: row.operatorCompanies,
      session_id: row.session_id,
      shop: null,
      key_id: 0,
    }
    keep(known, principal, now.getTime() + rememberedFor)
    return principal
  }

  const sessionsIn = (db: Db) =>
    db
      .selectFrom('sessions as t')
      .innerJoin('users as u', j => j.onRef('u.operator_id', '=', 't.operator_id').onRef('u.id', '=', 't.user_id'))
      .innerJoin('companies as c', j => j.onRef('c.operator_id', '=', 't.operator_id').onRef('c.id', '=', 't.company_id'))
      .select([
        't.id as session_id',
        't.last_used_at',
        'u.id',
        'u.name',
        'u.kind',
        'c.operator_id',
        'c.id as company_id',
        'c.code',
        'c.name as company_name',
        'c.is_main',
      ])
      .select([siblingsOf.as('operatorCompanies'), pattern, closed, effectivePermission.as('permission')])

  return {
    byToken: (token, now) => bySessionWhere(token, rows => rows.where('t.token_hash', '=', hashToken(token)), now),
    bySession: (operator_id, session_id, now) =>
      // No token has a colon.
      bySessionWhere(
        `${operator_id}:${session_id}`,
        rows => rows.where('t.operator_id', '=', operator_id).where('t.id', '=', session_id),
        now,
      ),

    async byRecorderKey(key, now) {
      const known = keys.get(key, now.getTime())
      if (known) return known.principal
      const keep = keys.beginFill()
      const row = await database.systemRead('the key comes before the tenant', db =>
        db
          .selectFrom('recorder_keys as k')
          .innerJoin('companies as c', j => j.onRef('c.operator_id', '=', 'k.operator_id').onRef('c.id', '=', 'k.company_id'))
          .select([
            'k.id',
            'k.name',
            'k.last_seen_at',
            'c.operator_id',
            'c.id as company_id',
            'c.code',
            'c.name as company_name',
            'c.is_main',
          ])
          .select([pattern, closed, siblingsOf.as('operatorCompanies')])
          .where('k.key_hash', '=', hashToken(key))
          .where('k.revoked_at', 'is', null)
          .executeTakeFirst(),
      )
      if (!row) return null
      if (!row.last_seen_at || now.getTime() - Date.parse(row.last_seen_at) > 10_000)
        await database.systemTransaction('a key is used', db => touchRecorderKey(db, row, now))
      const principal: Principal = {
        kind: 'recorder',
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
          closed: row.closed,
        },
        operatorCompanies: row.operatorCompanies,
        session_id: 0,
        shop: null,
        key_id: row.id,
      }
      keep(key, { principal, networks: [] }, now.getTime() + rememberedFor)
      return principal
    },

    async byKey(key, ip, now) {
      const known = keys.get(key, now.getTime())
      if (known) {
        refuseNetwork(known.networks, ip)
        return known.principal
      }
      const keep = keys.beginFill()
      const row = await database.systemRead('the key comes before the tenant', db =>
        db
          .selectFrom('cms_keys as k')
          .innerJoin('companies as c', j => j.onRef('c.operator_id', '=', 'k.operator_id').onRef('c.id', '=', 'k.company_id'))
          .leftJoin('users as u', j =>
            j
              .onRef('u.operator_id', '=', 'k.operator_id')
              .onRef('u.id', '=', 'k.created_by')
              .onRef('u.company_id', '=', 'k.company_id')
              .on('u.removed_at', 'is', null),
          )
          .select([
            'k.id',
            'k.name',
            'k.shop',
            'k.purpose',
            'k.scopes',
            'k.read_only',
            'k.allowed_networks',
            'u.id as user_id',
            'u.name as user_name',
            'k.last_used_at',
            'k.expires_at',
            'c.operator_id',
            'c.id as company_id',
            'c.code',
            'c.name as company_name',
            'c.is_main',
          ])
          .select([pattern, closed, mostRequests, siblingsOf.as('operatorCompanies')])
          .select(sql<number[]>`coalesce(${effectivePermission}, '{}')`.as('permission'))
          .where('k.key_hash', '=', hashToken(key))
          .where('k.removed_at', 'is', null)
          .where(eb => eb.or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', now.toISOString())]))
          .executeTakeFirst(),
      )
      if (!row) return null
      refuseNetwork(row.allowed_networks, ip)
      if (!row.last_used_at || now.getTime() - Date.parse(row.last_used_at) > 10_000)
        await database.systemTransaction('a key is used', db => touchShopKey(db, row, { at: now, ip }))
      // A key ends with the person for whom its program works.
      if (row.purpose === 'api' && row.user_id === null) return null
      const held = row.permission.map(permissionCode).filter(code => code !== undefined)
      const principal: Principal = {
        kind: row.purpose === 'api' ? 'user' : row.purpose,
        id: row.purpose === 'api' ? (row.user_id ?? 0) : 0,
        name: row.purpose === 'api' ? (row.user_name ?? row.name) : row.name,
        // Never more than the person may do today.
        permissions: row.purpose === 'api' ? keyScopes.filter(code => row.scopes.includes(code) && isAllowed(held, [code])) : [],
        ...(row.read_only && { readOnly: true as const }),
        company: {
          operator_id: row.operator_id,
          id: row.company_id,
          code: row.code,
          name: row.company_name,
          is_main: row.is_main,
          packing_ip_pattern: row.packing_ip_pattern,
          closed: row.closed,
          most_requests: row.most_requests,
        },
        operatorCompanies: row.operatorCompanies,
        session_id: 0,
        shop: row.purpose === 'shop' ? row.shop : null,
        key_id: row.id,
      }
      const until = Math.min(now.getTime() + rememberedFor, row.expires_at ? Date.parse(row.expires_at) : Number.POSITIVE_INFINITY)
      keep(key, { principal, networks: row.allowed_networks }, until)
      return principal
    },

    async company(code) {
      const known = companies.get(code, Date.now())
      if (known) return known
      const keep = companies.beginFill()
      const row = await database.systemRead('the host name comes before the tenant', db =>
        db
          .selectFrom('companies as c')
          .select(['c.operator_id', 'c.id', 'c.code', 'c.name', 'c.is_main', pattern, closed])
          .where('c.code', '=', code)
          .executeTakeFirst(),
      )
      if (!row) return null
      keep(code, row, Date.now() + 60_000)
      return row
    },

    async hasOneOperator(now) {
      const known = operators.get('one', now.getTime())
      if (known !== undefined) return known
      const keep = operators.beginFill()
      const rows = await database.systemRead('the number of operators is no tenant’s', db =>
        db.selectFrom('operators').select('id').limit(2).execute(),
      )
      keep('one', rows.length === 1, now.getTime() + rememberedFor)
      return rows.length === 1
    },

    clear() {
      for (const memory of [tokens, keys, companies, operators]) memory.clear()
    },
  }
}

/** What a call of this reach may see in this person's hands. */
export function scopeOfPrincipal(principal: Principal, reach: 'company' | 'operator'): TenantScope {
  const { kind, company } = principal
  const wide = reach === 'operator' && company.is_main && (kind === 'user' || kind === 'print_agent' || kind === 'recorder')
  return {
    operator_id: principal.company.operator_id,
    company_id: principal.company.id,
    companies: wide ? principal.operatorCompanies : [principal.company.id],
  }
}
