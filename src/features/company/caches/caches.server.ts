/** Caches: their figures over all processes, and emptying them everywhere by a notice. */
import { lifetimes } from '#contract/cache-names.ts'
import { forbidden } from '#contract/errors.ts'
import { emptyingId } from '#platform/caches/caches.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { caches } from './caches.contract.ts'
import { cachesSchemas } from './caches.schemas.ts'

export const cachesServer = implement(caches, cachesSchemas, {
  async list(_, context) {
    const shared = await mayEmptyShared(context)
    const figures = await context.services.cacheFigures(context.principal.company.operator_id)
    return figures.map(({ name, entries, bytes, hits, misses, oldest, shared: isShared }) => ({
      name,
      entries,
      bytes,
      hit_rate: hits + misses === 0 ? null : hits / (hits + misses),
      oldest: oldest === null ? null : new Date(oldest).toISOString(),
      lifetime_s: lifetimes[name],
      can_empty: shared || !isShared,
    }))
  },

  async empty({ body: { name } }, context) {
    const { services, principal, recordEvent, notify } = context
    const shared = await mayEmptyShared(context)
    const figures = (await services.cacheFigures(principal.company.operator_id)).filter(one => shared || !one.shared)
    const chosen = figures.filter(one => name === null || one.name === name)
    if (chosen.length === 0) throw forbidden('cache_shared', 'Several warehouses share this cache, so it stays.')
    const entries = chosen.reduce((sum, one) => sum + one.entries, 0)
    await recordEvent({ kind: 'cache.emptied', subject: 'company', subject_id: principal.company.id, data: { name, entries } })
    // Every process hears it after the commit, this one too.
    notify('cache', emptyingId(name ?? undefined, shared))
    return { entries }
  },
})

/** What belongs to no operator may be emptied where there is only one. */
const mayEmptyShared = async ({ services }: Context): Promise<boolean> => {
  const rows = await services.database.systemRead('the number of operators is no tenant’s', db =>
    db.selectFrom('operators').select('id').limit(2).execute(),
  )
  return rows.length === 1
}
