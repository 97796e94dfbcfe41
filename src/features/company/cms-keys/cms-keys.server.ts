/** CMS keys: made, shown once, and taken back. */
import { conflict, found, notFound } from '#contract/errors.ts'
import { hashOf, newToken } from '#server/keeper.ts'
import { forgetSecret, keepSecret } from '#server/secrets.ts'
import { serve } from '#server/serve.ts'
import { cmsKeys } from './cms-keys.contract.ts'
import { hookName, hooksOf, keysOf } from './cms-keys.queries.ts'

/** Rotation needs two of each shop; more than this is nobody's plan. */
const mostKeys = 50

export const cmsKeysServer = serve(cmsKeys, {
  list: async (_, { db, now }) => ({ rows: await keysOf(db, now()) }),

  async create({ body }, { db, now, person, record }) {
    const others = await keysOf(db, now())
    if (others.length >= mostKeys) throw conflict('There are {{count}} keys already: remove some first', { count: others.length })
    const key = newToken('pk_')
    const { id } = await db
      .insertInto('cms_keys')
      .values({
        name: body.name,
        shop: body.shop,
        prefix: key.slice(0, 8),
        key_hash: hashOf(key),
        expires_at: body.expires_at,
        created_by: person.id,
        created_at: now().toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await record({ kind: 'cms_key.created', subject: 'cms_key', subject_id: id, data: { name: body.name, shop: body.shop } })
    const row = found(
      (await keysOf(db, now())).find(one => one.id === id),
      'This key does not exist',
    )
    return { key, row }
  },

  async remove({ id }, { db, house, now, record }) {
    const { numUpdatedRows } = await db
      .updateTable('cms_keys')
      .set({ removed_at: now().toISOString() })
      .where('id', '=', id)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw notFound('This key does not exist')
    await record({ kind: 'cms_key.removed', subject: 'cms_key', subject_id: id })
    house.live.shout('people changed')
  },

  hooks: async (_, { db }) => ({ rows: await hooksOf(db) }),

  async setHook({ source, shop, body }, { db, house, now, person, record, scope }) {
    const place = { operator_id: scope.operator_id, company_id: scope.company_id, name: hookName(source, shop) }
    await keepSecret(db, house.keeper, place, body.secret, { user_id: person.id, at: now() })
    await record({ kind: 'webhook.secret_set', subject: 'webhook', data: { source, shop } })
    return found(
      (await hooksOf(db)).find(hook => hook.source === source && hook.shop === shop),
      'This web hook does not exist',
    )
  },

  async removeHook({ source, shop }, { db, record, scope }) {
    const place = { operator_id: scope.operator_id, company_id: scope.company_id, name: hookName(source, shop) }
    if (!(await forgetSecret(db, place))) throw notFound('This web hook does not exist')
    await record({ kind: 'webhook.secret_removed', subject: 'webhook', data: { source, shop } })
  },
})
