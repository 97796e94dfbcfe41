/** The idle packing station: its two lists and the handling picture. */
import { orNotFound } from '#contract/errors.ts'
import { implement } from '#platform/http/feature-module.ts'
import { packingStation } from './station.contract.ts'
import { handlingPictureOf, recentlyPacked, waitingOrders } from './station.queries.ts'
import { packingStationSchemas } from './station.schemas.ts'

export const packingStationServer = implement(packingStation, packingStationSchemas, {
  waiting: (_, { db, now }) => waitingOrders(db, now()),

  recent: ({ station }, { db, principal }) => recentlyPacked(db, { user_id: principal.id, station }),

  async handlingPicture({ order_id }, { transaction }) {
    const file = orNotFound(
      await transaction(({ db }) => handlingPictureOf(db, order_id)),
      'shipping_method_has_no_picture',
      'This shipping method has no picture',
    )
    return { bytes: file, media_type: file.media_type, inline: true }
  },
})
