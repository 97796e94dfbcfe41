/** The idle bench: its two lists and the handling picture. */
import { found } from '#contract/errors.ts'
import { serve } from '#platform/http/feature-module.ts'
import { bench } from './station.contract.ts'
import { handlingPictureOf, recentlyPacked, waitingOrders } from './station.queries.ts'

export const benchServer = serve(bench, {
  waiting: (_, { db, now }) => waitingOrders(db, now()),

  recent: ({ station }, { db, person }) => recentlyPacked(db, { user_id: person.id, station }),

  async handlingPicture({ order_id }, { work, house, scope }) {
    const file = found(await work(({ db }) => handlingPictureOf(db, order_id)), 'This shipping method has no picture')
    return { bytes: await house.files.get(scope.operator_id, file.sha256), media_type: file.media_type, inline: true }
  },
})
