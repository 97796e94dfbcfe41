/** Packing: the station's calls. The session lives here, so that a reload, another station or a power cut changes nothing. */

import { conflict, orNotFound } from '#contract/errors.ts'
import { linkable } from '#domain/codes.ts'
import { linkBarcode } from '#features/catalog/products/products.commands.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { pinOf } from '#features/company/packing-pin/packing-pin.queries.ts'
import { decideAddition } from '#features/orders/additional-products/order-additions.commands.ts'
import { implement } from '#platform/http/feature-module.ts'
import { addSerial } from './add-serial.server.ts'
import { approve, listApprovers } from './approval.server.ts'
import { askForApproval } from './ask-approval.server.ts'
import { bypassCheck } from './bypass.server.ts'
import { closeOrder, printSlip } from './close-order.server.ts'
import { labelSubscriptions } from './label-subscriptions.server.ts'
import { nextParcel } from './next-parcel.server.ts'
import { blockedLabel, findOrders } from './open-order.queries.ts'
import { startPacking } from './open-order.server.ts'
import { orderSubscriptions } from './order-subscriptions.server.ts'
import { packing } from './packing.contract.ts'
import { packingOrder } from './packing.queries.ts'
import { packingSchemas } from './packing.schemas.ts'
import { abortPacking, parkOrder, putBack } from './release-order.server.ts'
import { countByHand, scanCode, undoLast } from './scan.server.ts'
import { loadPackingOrder, ownSession } from './session.server.ts'
import { unpackParcel } from './unpack-parcel.server.ts'
import { checkLabel } from './verify-label.server.ts'
import { weighParcel } from './weigh-parcel.server.ts'

export const packingServer = implement(
  packing,
  packingSchemas,
  {
    get: async ({ id }, { db, now }) => orNotFound(await packingOrder(db, id, now()), 'order_not_found', 'Order not found'),

    addSerial,

    approvers: (asked, context) => listApprovers(context, asked),
    approve,
    ask: askForApproval,

    async find({ code }, context) {
      const [orders, blocked] = await Promise.all([findOrders(context, code), blockedLabel(context.db, code)])
      return { orders, blocked }
    },

    start: startPacking,
    scan: scanCode,
    count: countByHand,
    undo: undoLast,

    async addition({ id, body: { addition_id, skip } }, context) {
      const session = await ownSession(context, id)
      await decideAddition(context, {
        ...{ order_id: id, session_id: session.id, parcel_no: session.parcel_no, id: addition_id, by: context.principal.name },
        ...(skip && { skip }),
      })
      context.notify('packing', id, session.company_id)
      return loadPackingOrder(context, id)
    },

    weigh: weighParcel,
    nextParcel,

    park: parkOrder,
    unpack: unpackParcel,
    abort: abortPacking,
    putBack,

    async linkBarcode({ id, body }, { db, recordEvent }) {
      const line = orNotFound(
        await db
          .selectFrom('order_lines')
          .select(['product_id', 'company_id', 'name'])
          .where('order_id', '=', id)
          .where('id', '=', body.order_line_id)
          .executeTakeFirst(),
        'line_not_in_order',
        'This line is not in the order',
      )
      if (line.product_id === null) throw conflict('product_unknown', '{{name}} is no known product yet', { name: line.name })
      const barcode = linkable(body.code)
      if (barcode === null) throw conflict('code_ambiguous', 'This code has another meaning here')
      await linkBarcode(db, { company_id: line.company_id, product_id: line.product_id, barcode })
      await recordEvent({
        kind: 'product.barcode_linked',
        order_id: id,
        company_id: line.company_id,
        subject: 'product',
        subject_id: line.product_id,
        data: { barcode, name: line.name },
      })
    },

    bypass: bypassCheck,

    close: ({ id, body }, outside) => closeOrder(outside, id, body),

    checkLabel,

    printSlip: ({ id, printer, disable_cache }, outside) => printSlip(outside, id, printer, disable_cache !== undefined),

    async pinRequired(_, { db, principal }) {
      const settings = await companySettings(db, principal.company.id)
      return { required: settings.bypass_needs_pin && (await pinOf(db, principal.company.id)) !== undefined }
    },
  },
  { ...labelSubscriptions, ...orderSubscriptions },
)
