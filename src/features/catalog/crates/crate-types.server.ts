/** Crate types: handlers. */
import { sanitizeImage } from '#platform/files/images.ts'
import { implement } from '#platform/http/feature-module.ts'
import { createCrateType, putPicture, removeCrateType, updateCrateType } from './crate-types.commands.ts'
import { crateTypes } from './crate-types.contract.ts'
import { cratePicture, crateTypeById, findCrateTypes, readerOf } from './crate-types.queries.ts'
import { crateTypesSchemas } from './crate-types.schemas.ts'

export const crateTypesServer = implement(crateTypes, crateTypesSchemas, {
  list: (query, { db, principal }) => findCrateTypes(db, readerOf(principal), query),
  get: ({ id }, { db, principal }) => crateTypeById(db, readerOf(principal), id),
  picture: async ({ id }, { db, principal }) => ({
    bytes: await cratePicture(db, readerOf(principal), id),
    media_type: 'image/webp',
    name: `crate-${id}.webp`,
    inline: true,
  }),
  create: ({ body }, context) => createCrateType(context, body),
  update: ({ id, body }, context) => updateCrateType(context, id, body),
  remove: ({ id }, context) => removeCrateType(context, id),
  async setPicture({ id, upload }, { services, transaction, scope }) {
    const { bytes } = await sanitizeImage(upload.content, { longest: 800, as: 'webp' })
    const stored = await services.files.put(scope.operator_id, bytes)
    return transaction(context => putPicture(context, id, stored))
  },
  removePicture: ({ id }, context) => putPicture(context, id, null),
})
