/** Additional products: handlers, and what their orders do to them. */

import { orNotFound } from '#contract/errors.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, implement, type RecordedEvent, type Subscriptions } from '#platform/http/feature-module.ts'
import { allowUpload } from '#platform/limits/company-limits.ts'
import { mostAdditionalProducts } from './additional-products.codes.ts'
import { createAdditionalProduct, putPicture, removeAdditionalProduct, updateAdditionalProduct } from './additional-products.commands.ts'
import { additionalProducts } from './additional-products.contract.ts'
import {
  additionalProductById,
  additionPicture,
  additionsOfOrder,
  findAdditionalProducts,
  readerOf,
} from './additional-products.queries.ts'
import { additionalProductsSchemas } from './additional-products.schemas.ts'
import { additionalProductList } from './additional-products-history.server.ts'
import {
  joinAdditions,
  moveToSession,
  releaseAdditions,
  settleAdditions,
  unpackAdditions,
  unpackAdditionsOf,
} from './order-additions.commands.ts'

const ordersOf = (events: readonly RecordedEvent[]): number[] => [...new Set(events.flatMap(event => event.order_id ?? []))]
const settle = (events: readonly RecordedEvent[], context: Context) => settleAdditions(context, ordersOf(events))

const subscriptions: Subscriptions = {
  'order.ready': settle,
  'order.released': settle,
  'order.changed': settle,
  'order.lines_cancelled': settle,
  'order.address_changed': settle,
  'order.shipping_set': settle,
  'order.tagged': settle,
  // The last moments: afterwards a change of a rule alters nothing.
  'order.on_pick_list': (events, context) => settleAdditions(context, ordersOf(events), 'in_pick'),
  async 'packing.started'(events, context) {
    await settleAdditions(context, ordersOf(events), 'in_pack')
    for (const { order_id, subject_id } of events) if (order_id && subject_id) await moveToSession(context, order_id, subject_id)
  },
  'packing.aborted': (events, context) => unpackAdditions(context, ordersOf(events.filter(event => event.data.empty)), 'labelled'),
  'order.reopened': (events, context) => unpackAdditions(context, ordersOf(events.filter(event => event.data.unpack)), 'handed_over'),
  async 'parcel.unpacked'(events, context) {
    for (const { order_id, data } of events) if (order_id !== null) await unpackAdditionsOf(context, order_id, data.parcel_no)
  },
  'order.combined_into': (events, context) => joinAdditions(context, ordersOf(events)),
  'order.combination_undone': settle,
  'order.cancelled': (events, context) => releaseAdditions(context, ordersOf(events)),
}

export const additionalProductsServer = implement(
  additionalProducts,
  additionalProductsSchemas,
  {
    list: (query, { db, principal }) => findAdditionalProducts(db, readerOf(principal), query),
    get: ({ id }, { db, principal }) => additionalProductById(db, readerOf(principal), id),
    picture: async ({ id }, { db, principal }) => ({
      bytes: await additionPicture(db, readerOf(principal), id),
      media_type: 'image/webp',
      name: `additional-product-${id}.webp`,
      inline: true,
    }),
    create: ({ body }, context) =>
      addEntry(
        additionalProductList,
        context,
        () => createAdditionalProduct(context, body),
        product => product.id,
      ),
    update: ({ id, body }, context) => changeEntry(additionalProductList, context, id, () => updateAdditionalProduct(context, id, body)),
    remove: ({ id }, context) => changeEntry(additionalProductList, context, id, () => removeAdditionalProduct(context, id)),
    async setPicture({ id, upload }, { services, transaction, scope }) {
      await transaction(({ db }) => allowUpload(db, scope.company_id))
      const { bytes } = await sanitizeImage(upload.content, { longest: 800, as: 'webp' })
      const stored = await services.files.put(scope.operator_id, bytes)
      return transaction(context => putPicture(context, id, stored))
    },
    removePicture: ({ id }, context) => putPicture(context, id, null),
    async export(asked, { db, principal, now }) {
      const { rows } = await findAdditionalProducts(db, readerOf(principal), { ...asked, page: 1, limit: mostAdditionalProducts })
      return {
        bytes: csv(
          [
            'name',
            'barcode',
            'per',
            'qty',
            'handling',
            'bin',
            'weight_g',
            'stock_left',
            'planned',
            'packed',
            'valid_from',
            'valid_to',
            'active',
          ],
          rows.map(row => [
            ...[row.name, row.barcode, row.per, row.qty, row.handling, row.bin, row.weight_g, row.stock_left, row.planned, row.packed],
            ...[row.valid_from, row.valid_to, String(row.active)],
          ]),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `additional-products-${now().toISOString().slice(0, 10)}.csv`,
      }
    },
    async ofOrder({ id }, { db }) {
      orNotFound(await db.selectFrom('orders').select('id').where('id', '=', id).executeTakeFirst(), 'order_not_found', 'Order not found')
      return { rows: await additionsOfOrder(db, id) }
    },
  },
  subscriptions,
)
