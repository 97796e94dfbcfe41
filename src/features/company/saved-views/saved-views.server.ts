/** Saved views: the user's own, and those that users of the company share. */
import { isAllowed } from '#contract/access.ts'
import { conflict, forbidden, orNotFound } from '#contract/errors.ts'
import { implement } from '#platform/http/feature-module.ts'
import { savedViews } from './saved-views.contract.ts'
import { type SavedView, savedViewsSchemas } from './saved-views.schemas.ts'

const most = 50

export const savedViewsServer = implement(savedViews, savedViewsSchemas, {
  async list({ screen }, { db, principal }) {
    const rows = await db
      .selectFrom('saved_views')
      .select(['id as view_id', 'screen', 'name', 'query', 'shared', 'user_id'])
      .where('screen', '=', screen)
      .where(eb => eb.or([eb('user_id', '=', principal.id), eb('shared', '=', true)]))
      .orderBy('name')
      .limit(200)
      .execute()
    return rows.map(({ user_id, query, ...row }) => ({ ...row, query: query as SavedView['query'], own: user_id === principal.id }))
  },

  async save({ screen, body }, { db, principal }) {
    const { n } = await db
      .selectFrom('saved_views')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('user_id', '=', principal.id)
      .executeTakeFirstOrThrow()
    const query = JSON.stringify(body.query)
    const changed = await db
      .updateTable('saved_views')
      .set({ name: body.name, query, shared: body.shared })
      .where('user_id', '=', principal.id)
      .where('screen', '=', screen)
      .where(eb => eb(eb.fn<string>('lower', ['name']), '=', body.name.toLowerCase()))
      .returning('id')
      .executeTakeFirst()
    if (!changed && n >= most) throw conflict('too_many_views', 'You keep {{count}} views already. Remove one first.', { count: n })
    const { id } =
      changed ??
      (await db
        .insertInto('saved_views')
        .values({ screen, name: body.name, query, shared: body.shared, user_id: principal.id })
        .returning('id')
        .executeTakeFirstOrThrow())
    return { view_id: id, screen, name: body.name, query: body.query, shared: body.shared, own: true }
  },

  async remove({ screen, id }, { db, principal }) {
    const view = orNotFound(
      await db.selectFrom('saved_views').select(['user_id', 'shared']).where('id', '=', id).where('screen', '=', screen).executeTakeFirst(),
      'view_not_found',
      'View not found',
    )
    if (view.user_id !== principal.id) {
      orNotFound(view.shared ? view : null, 'view_not_found', 'View not found')
      if (!isAllowed(principal.permissions, ['parcels_admin'])) throw forbidden('view_owner_only', 'Only its owner may remove this view')
    }
    await db.deleteFrom('saved_views').where('id', '=', id).execute()
  },
})
