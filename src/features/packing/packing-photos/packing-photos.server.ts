/** Packing photos: taken at the station, shown wherever the parcel is. */
import { conflict } from '#contract/errors.ts'
import { removeErasedFiles } from '#platform/files/erased-files.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { implement } from '#platform/http/feature-module.ts'
import { checkHoldDay } from './hold.rules.ts'
import { photoSide } from './packing-photos.codes.ts'
import { holdPhoto, photographedSession, removePhoto, storedPhoto, storePhoto } from './packing-photos.commands.ts'
import { packingPhotos } from './packing-photos.contract.ts'
import { photoFile, photosOfOrder } from './packing-photos.queries.ts'
import { packingPhotosSchemas } from './packing-photos.schemas.ts'

export const packingPhotosServer = implement(packingPhotos, packingPhotosSchemas, {
  async take({ id, photo, age_ms = 0, kind = 'box', upload }, { transaction, services, scope }) {
    const before = await transaction(async context => ({
      session: await photographedSession(context, id),
      known: await storedPhoto(context, photo),
    }))
    if (before.known && before.known.order_id !== id) throw conflict('photo_of_other_order', 'This photo belongs to another order')
    if (before.known) return before.known
    const picture = await sanitizeImage(upload.content, { longest: photoSide, as: 'jpeg' })
    const content = await services.files.put(scope.operator_id, picture.bytes)
    return transaction(context =>
      storePhoto(context, before.session, { client_id: photo, content, media_type: picture.media_type, age_ms, kind }),
    )
  },

  list: async ({ id }, { db, now }) => ({ rows: await photosOfOrder(db, id, now()) }),

  async remove({ id, body: { reason } }, { transaction, services, scope, now }) {
    await transaction(context => removePhoto(context, id, reason))
    await removeErasedFiles(services, scope.operator_id, now())
  },

  hold: ({ id, body }, context) => {
    checkHoldDay(body.until, context.now())
    return holdPhoto(context, id, body)
  },
  release: ({ id }, context) => holdPhoto(context, id, null),

  async picture({ id }, { transaction }) {
    const { media_type, ...bytes } = await transaction(({ db }) => photoFile(db, id))
    return { bytes, media_type, inline: true }
  },
})
