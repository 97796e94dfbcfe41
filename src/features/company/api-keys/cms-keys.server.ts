/** CMS keys: create, show once, revoke. */
import { isAllowed } from '#contract/access.ts'
import { conflict, forbidden, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { changeShopKey, endReplacedKey, insertShopKey, type KeyFields, removeShopKey } from '#platform/auth/shop-key-store.ts'
import {
  deleteRotatedSecrets,
  deleteSecret,
  readSecrets,
  rotateSecret,
  type SecretKey,
  storeSecret,
} from '#platform/crypto/secret-store.ts'
import { newToken } from '#platform/crypto/vault.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { cmsKeys } from './cms-keys.contract.ts'
import { hookName, hooksOf, keysOf } from './cms-keys.queries.ts'
import { type CmsKey, cmsKeysSchemas, type HookSource, mostRetired, type WebHook } from './cms-keys.schemas.ts'

/** Rotation needs two for each shop; this limit stops mistakes. */
const mostKeys = 50

export const cmsKeysServer = implement(cmsKeys, cmsKeysSchemas, {
  list: async (_, { db, now }) => ({ rows: await keysOf(db, now()) }),

  async create({ body }, context) {
    const { principal, recordEvent } = context
    if (body.purpose === 'api' && body.scopes.length === 0)
      throw unprocessable('scopes_missing', 'Choose what the key may do', {}, { fields: { scopes: 'Choose what the key may do' } })
    const foreign = body.scopes.find(scope => !isAllowed(principal.permissions, [scope]))
    if (foreign) throw forbidden('scope_not_held', 'You cannot give {{scope}}: you do not have it yourself', { scope: foreign })
    endIsAhead(body.expires_at, context.now())
    const made = await insertKey(context, { ...body, scopes: body.purpose === 'api' ? body.scopes : [] })
    const { name, shop } = body
    await recordEvent({ kind: 'cms_key.created', subject: 'cms_key', subject_id: made.row.id, data: { name, shop } })
    return made
  },

  async change({ id, body }, { db, now, recordEvent, notify }) {
    const { expires_at } = rowOf(await keysOf(db, now()), id)
    // One that has ended can have another name all the same.
    if (body.expires_at === null || expires_at === null || Date.parse(body.expires_at) !== Date.parse(expires_at))
      endIsAhead(body.expires_at, now())
    if (!(await changeShopKey(db, id, body))) throw notFound('key_not_found', noKey)
    await recordEvent({ kind: 'cms_key.changed', subject: 'cms_key', subject_id: id, data: { name: body.name } })
    notify('people')
    return rowOf(await keysOf(db, now()), id)
  },

  async replace({ id, body: { keep_hours } }, context) {
    const { db, now, recordEvent, notify } = context
    const old = rowOf(await keysOf(db, now()), id)
    // A new one would end with it.
    endIsAhead(old.expires_at, now())
    const end = new Date(now().getTime() + keep_hours * 3_600_000).toISOString()
    const until = old.expires_at !== null && Date.parse(old.expires_at) < Date.parse(end) ? old.expires_at : end
    const made = await insertKey(context, old)
    if (!(await endReplacedKey(db, id, made.row.id, { until: keep_hours === 0 ? null : until, at: now() })))
      throw conflict('key_already_replaced', 'Another key has replaced this one already')
    await recordEvent({ kind: 'cms_key.rotated', subject: 'cms_key', subject_id: id, data: { name: old.name, keep_hours } })
    notify('people')
    return made
  },

  async remove({ id }, { db, now, recordEvent, notify }) {
    if (!(await removeShopKey(db, id, now()))) throw notFound('key_not_found', noKey)
    await recordEvent({ kind: 'cms_key.removed', subject: 'cms_key', subject_id: id })
    notify('people')
  },

  hooks: async (_, { db, now }) => ({ rows: await hooksOf(db, now()) }),

  async setHook({ source, shop, body }, { db, services, now, principal, recordEvent, scope }) {
    const place = placeOf(scope, source, shop)
    const at = now()
    await deleteRotatedSecrets(db, place, { before: at })
    const signing = await readSecrets(db, services.vault, place, at)
    const known = signing.find(one => one.plain === body.secret)
    if (!known || known.retired_id !== null) {
      if (known?.retired_id) await deleteRotatedSecrets(db, place, { id: known.retired_id })
      else if (body.keep_old_hours > 0 && signing.length > mostRetired)
        throw conflict('too_many_replaced_secrets', '{{count}} replaced secrets still sign: end one of them first', { count: mostRetired })
      if (body.keep_old_hours > 0) await rotateSecret(db, place, { at, until: new Date(at.getTime() + body.keep_old_hours * 3_600_000) })
      await storeSecret(db, services.vault, place, body.secret, { user_id: principal.id, at })
    }
    // Where the old secret has leaked, the ones before it are not trusted either.
    if (body.keep_old_hours === 0) await deleteRotatedSecrets(db, place)
    await recordEvent({ kind: 'webhook.secret_set', subject: 'webhook', data: { source, shop, keep_old_hours: body.keep_old_hours } })
    return hookOr404(await hooksOf(db, at), source, shop)
  },

  async removeRetired({ source, shop, id }, { db, recordEvent, scope }) {
    if ((await deleteRotatedSecrets(db, placeOf(scope, source, shop), { id })) === 0)
      throw notFound('secret_not_found', 'This secret does not sign any more')
    await recordEvent({ kind: 'webhook.secret_ended', subject: 'webhook', data: { source, shop } })
  },

  async removeHook({ source, shop }, { db, recordEvent, scope }) {
    const place = placeOf(scope, source, shop)
    await deleteRotatedSecrets(db, place)
    if (!(await deleteSecret(db, place))) throw notFound('web_hook_not_found', noHook)
    await recordEvent({ kind: 'webhook.secret_removed', subject: 'webhook', data: { source, shop } })
  },
})

const noKey = 'Key not found'

function endIsAhead(end: string | null, now: Date): void {
  if (end !== null && Date.parse(end) <= now.getTime())
    throw unprocessable('time_passed', 'This time has passed already', {}, { fields: { expires_at: 'This time has passed already' } })
}

const rowOf = (keys: readonly CmsKey[], id: number): CmsKey =>
  orNotFound(
    keys.find(key => key.id === id),
    'key_not_found',
    noKey,
  )

/** Makes a key that works for the person who asks; the answer shows it once. */
async function insertKey({ db, now, principal }: Context, fields: KeyFields): Promise<{ key: string; row: CmsKey }> {
  const others = await keysOf(db, now())
  if (others.length >= mostKeys)
    throw conflict('too_many_keys', 'There are {{count}} keys already: remove some first', { count: others.length })
  const key = newToken('pk_')
  const { name, purpose, shop, expires_at, scopes, read_only, allowed_networks } = fields
  const id = await insertShopKey(db, {
    ...{ name, purpose, shop, expires_at, scopes, read_only, allowed_networks },
    ...{ text: key, created_by: principal.id, at: now() },
  })
  return { key, row: rowOf(await keysOf(db, now()), id) }
}

const noHook = 'Incoming webhook not found'
const placeOf = ({ operator_id, company_id }: TenantScope, source: HookSource, shop: string): SecretKey => ({
  operator_id,
  company_id,
  name: hookName(source, shop),
})
const hookOr404 = (hooks: readonly WebHook[], source: HookSource, shop: string): WebHook =>
  orNotFound(
    hooks.find(hook => hook.source === source && hook.shop === shop),
    'web_hook_not_found',
    noHook,
  )
