import { sql } from 'kysely'
import { keyScopes } from '#contract/access.ts'
import type { Db } from '#platform/database/database.ts'
import type { CmsKey, HookSource, WebHook } from './cms-keys.schemas.ts'

export async function keysOf(db: Db, now: Date): Promise<CmsKey[]> {
  const rows = await db
    .selectFrom('cms_keys as k')
    .leftJoin('users as u', j => j.onRef('u.operator_id', '=', 'k.operator_id').onRef('u.id', '=', 'k.created_by'))
    .select([
      'k.id',
      'k.name',
      'k.purpose',
      'k.shop',
      'k.prefix',
      'k.last_used_at',
      'k.last_used_ip',
      'k.expires_at',
      'k.created_at',
      'u.name as created_by',
      'k.scopes',
      'k.read_only',
      'k.allowed_networks',
      'k.replaced_by',
    ])
    .where('k.removed_at', 'is', null)
    .orderBy('k.id', 'desc')
    .execute()
  return rows.map(({ replaced_by, scopes, ...row }) => ({
    ...row,
    scopes: keyScopes.filter(code => scopes.includes(code)),
    replaced: replaced_by !== null,
    status: row.expires_at && Date.parse(row.expires_at) <= now.getTime() ? 'expired' : row.last_used_at ? 'active' : 'unused',
  }))
}

/** Name under which the secret of a shop's web hook is stored. */
export const hookName = (source: HookSource, shop: string): string => `webhook:${source}:${shop}`

export async function hooksOf(db: Db, now: Date): Promise<WebHook[]> {
  const secrets = await db
    .selectFrom('secrets')
    .select(['name', 'last4', 'updated_at'])
    .where('name', 'like', 'webhook:%')
    .orderBy('name')
    .execute()
  const deliveries = await sql<{ source: string; received_at: string; outcome: string | null }>`
    select s.source, d.received_at, d.outcome from unnest(${secrets.map(({ name }) => sourceOf(name).join(':'))}::text[]) s(source),
      lateral (select received_at, outcome from shop_deliveries x where x.operator_id = current_operator_id() and x.company_id = current_company_id()
        and x.source = s.source and x.outcome is not null order by x.received_at desc limit 1) d`.execute(db)
  const retired = await db
    .selectFrom('retired_secrets')
    .select(['name', 'id as retired_id', 'last4', 'retired_at', 'valid_until', 'last_used_at'])
    .where('name', 'like', 'webhook:%')
    .where('valid_until', '>', now.toISOString())
    .orderBy('id', 'desc')
    .execute()
  const last = new Map(deliveries.rows.map(row => [row.source, row]))
  return secrets.map(({ name, last4, updated_at }) => {
    const [source, shop] = sourceOf(name)
    const delivery = last.get(`${source}:${shop}`)
    return {
      source,
      shop,
      path: `cms/webhook/${source}/${shop}`,
      last4,
      updated_at,
      retired: retired.filter(one => one.name === name).map(({ name: _name, ...one }) => one),
      last_delivery_at: delivery?.received_at ?? null,
      last_outcome: delivery?.outcome ?? null,
    }
  })
}
const sourceOf = (name: string): [source: HookSource, shop: string] => {
  const [, source = '', shop = ''] = name.split(':')
  return [source as HookSource, shop]
}
