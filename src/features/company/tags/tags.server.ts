/** Tags: handlers. */
import { access, isAllowed } from '#contract/access.ts'
import { forbidden } from '#contract/errors.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { implement } from '#platform/http/feature-module.ts'
import { applyTags, createTag, mergeTag, removeTag, updateTag } from './tags.commands.ts'
import { tags } from './tags.contract.ts'
import { listTags, tagNames } from './tags.queries.ts'
import { tagsSchemas } from './tags.schemas.ts'
import { tagList } from './tags-history.server.ts'

export const tagsServer = implement(tags, tagsSchemas, {
  list: (query, { db }) => listTags(db, query),
  names: (_, { db }) => tagNames(db),
  create: ({ body }, context) =>
    addEntry(
      tagList,
      context,
      () => createTag(context, body),
      tag => tag.id,
    ),
  update: ({ id, body }, context) => changeEntry(tagList, context, id, () => updateTag(context, id, body)),
  merge: ({ id, body }, context) => changeEntry(tagList, context, id, () => mergeTag(context, id, body.into)),
  remove: ({ id }, context) => changeEntry(tagList, context, id, () => removeTag(context, id)),
  async apply({ body }, context) {
    // Who looks after customers alone tags these alone.
    if (body.object !== 'customer' && !isAllowed(context.principal.permissions, access.parcels))
      throw forbidden('permission_missing', 'You do not have permission for this. Ask an administrator.', {
        codes: access.parcels.join(', '),
      })
    return { changed: (await applyTags(context, body)).length }
  },
})
