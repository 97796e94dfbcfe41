/** The idle packing station: its two lists and the handling picture. */
import { orNotFound } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { implement } from '#platform/http/feature-module.ts'
import { packingStation } from './station.contract.ts'
import { handlingPictureOf, packingQueue, recentlyPacked, waitingOrders } from './station.queries.ts'
import { packingStationSchemas } from './station.schemas.ts'

export const packingStationServer = implement(packingStation, packingStationSchemas, {
  waiting: (_, { db, now }) => waitingOrders(db, now()),

  async queue(_, { db, principal, now }) {
    const { time_zone } = await companySettings(db, principal.company.id)
    const midnight = Temporal.Instant.fromEpochMilliseconds(now().getTime()).toZonedDateTimeISO(time_zone).startOfDay()
    return packingQueue(db, { user_id: principal.id, since: midnight.toInstant().toString(), now: now() })
  },

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
