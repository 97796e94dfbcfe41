/** Labels: printing, fetching, cancelling and following what was booked. */

import { type Selectable, sql } from 'kysely'
import { access, isAllowed } from '#contract/access.ts'
import { badRequest, conflict, notFound, orNotFound } from '#contract/errors.ts'
import { joinedIds } from '#contract/joined-ids.ts'
import { isOneOf } from '#domain/objects.ts'
import { bookingStates, isTakenBack, printableStates } from '#domain/order/shipment-states.ts'
import { mustNotBeStopped, stopOfParcel } from '#features/orders/orders/holds.queries.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { reopenOrders } from '#features/orders/orders/order-state.commands.ts'
import { mustReprint, reprintForbidden } from '#features/printing/print-jobs/copies.server.ts'
import { printJobById } from '#features/printing/print-jobs/print-jobs.queries.ts'
import { methodOffered, methodsOffered } from '#features/shipping/parcel-shops/courier-methods.queries.ts'
import { courierSettings } from '#features/shipping/parcel-shops/courier-settings.queries.ts'
import { couriers, makesLabels, mustBeCourier } from '#integrations/couriers/couriers.ts'
import { markCancelled } from '#integrations/labels/cancelled-mark.ts'
import type { DB } from '#platform/database/schema.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { createShipment, senderOfCompany } from './booking.commands.ts'
import { canSettle, dequeueJob, parcelsOfBooking, requestOf, takeBooking } from './booking.queries.ts'
import { bookShipment, voidLabel } from './booking.server.ts'
import { createLabels, printOutcome } from './create-labels.server.ts'
import { emptyForm, formOf, formSections } from './label-form.server.ts'
import { labels } from './labels.contract.ts'
import {
  documentOfShipment,
  logById,
  searchLog,
  searchShipments,
  shipmentByBarcode,
  shipmentDetails,
  shipmentsById,
  shipmentsOfOrders,
} from './labels.queries.ts'
import { LabelForm, labelsSchemas } from './labels.schemas.ts'
import { labelSubscriptions } from './order-subscriptions.server.ts'
import { reprintLabel } from './reprint-label.server.ts'
import { recordShipmentStep } from './shipment-steps.commands.ts'

export const labelsServer = implement(
  labels,
  labelsSchemas,
  {
    makeReturn: ({ order_id, agent_code, packing_station, shipping_method, printer_id, body }, outside) =>
      createLabels(outside, {
        agent_code,
        shipping_method,
        operation_code: 'return',
        body: LabelForm.parse({ ...body, order_id, printer_id: printer_id ?? null, station: packing_station }),
      }),

    create: (asked, outside) => createLabels(outside, asked),

    async print({ order_id, printer_id, packing_station, disable_cache }, outside) {
      const failed = await outside.transaction(async context => {
        // Printing again by a group books nothing.
        if (disable_cache === undefined) await mustReprint(context, context.station || packing_station)
        else if (!isAllowed(context.principal.permissions, access.bench)) throw reprintForbidden()
        const order = orNotFound(await takeOrder(context.db, order_id), 'order_not_found', 'Order not found')
        await mustNotBeStopped(context.db, order_id, stopOfParcel)
        const rows = await context.db
          .selectFrom('shipments')
          .selectAll()
          .where('order_id', '=', order_id)
          .where('operation_code', '=', 'outbound')
          .orderBy('id')
          .execute()
        const missing = rows.filter(
          row => row.state === 'error' && !rows.some(other => other.parcel_no === row.parcel_no && other.id > row.id),
        )
        if (rows.length === 0 || (order.work_state === 'ready' && rows.every(row => !isOneOf(printableStates, row.state))))
          throw conflict('order_has_no_label_pack_first', 'This order has no label yet: pack it first')
        const fresh: number[] = []
        if (disable_cache !== undefined)
          for (const row of missing) {
            const { shipment_id, state } = await createShipment(context, {
              of: { order_id },
              session_id: row.session_id,
              parcel_no: row.parcel_no,
              parcel_count: Math.max(...rows.map(one => one.parcel_no)),
              station: outside.station || (row.station ?? ''),
              label_printer_id: printer_id,
              a4_printer_id: row.a4_printer_id,
            })
            if (state === 'booking') fresh.push(shipment_id)
          }
        return fresh
      })
      for (const id of failed) await bookShipment(outside, id, { fresh: true })
      const again = await outside.transaction(async ({ db, services }) =>
        (await shipmentsOfOrders(db, services, [order_id])).filter(
          one => one.operation_code === 'outbound' && isOneOf(printableStates, one.state) && !failed.includes(one.shipment_id),
        ),
      )
      if (again.length === 0 && failed.length === 0)
        throw conflict('order_has_no_printable_label', 'This order has no label that could be printed')
      const jobs: number[] = []
      for (const shipment of again) jobs.push(await reprintLabel(outside, shipment.shipment_id, printer_id))
      return printOutcome(outside, { order_id }, jobs)
    },

    download: ({ order_id, ...wanted }, outside) =>
      fileOf(
        outside,
        async ({ db }) =>
          orNotFound(
            await db
              .selectFrom('shipments')
              .select(['id', 'state', 'tracking_no', 'label_pdf_file_id', 'label_a4_file_id', 'label_zpl_file_id'])
              .where('order_id', '=', order_id)
              .where('state', 'in', printableStates)
              .orderBy('id', 'desc')
              .limit(1)
              .executeTakeFirst(),
            'order_has_no_label',
            'This order has no label yet',
          ),
        wanted,
      ),

    ofOrders: ({ ids }, { db, services }) => shipmentsOfOrders(db, services, joinedIds(ids)),
    status: ({ ids }, { db, services }) => shipmentsById(db, services, joinedIds(ids)),

    async cancel({ agent_code, barcode, all = false }, outside) {
      const { shipment, others } = await outside.transaction(async context => {
        const known = orNotFound(await shipmentByBarcode(context.db, context.services, barcode), 'parcel_unknown', 'Unknown parcel')
        mustBeCourier(agent_code)
        if (known.agent_code !== agent_code) throw notFound('parcel_unknown', 'Unknown parcel')
        if (known.order_id !== null) await takeOrder(context.db, known.order_id)
        const row = orNotFound(
          (await shipmentsById(context.db, context.services, [known.shipment_id]))[0],
          'parcel_unknown',
          'Unknown parcel',
        )
        if (isTakenBack(row)) throw conflict('label_cancelled', 'This label was cancelled already')
        if (row.state !== 'booked') throw conflict('label_handed_over', 'Only a label that has not been handed over can be cancelled')
        const siblings = all && row.consignment_id !== null ? await parcelsOfBooking(context.db, row.consignment_id) : []
        return { shipment: row, others: siblings.filter(one => one.state === 'booked' && one.id !== row.shipment_id) }
      })
      for (const { id } of others) await voidLabel(outside, id)
      const { answered: _, ...answers } = await voidLabel(outside, shipment.shipment_id)
      const { order_id } = shipment
      if (order_id !== null) await outside.transaction(context => reopenOrderWithoutLabel(context, order_id))
      return answers
    },

    async setup(_, { db, principal, services }) {
      const answer = []
      for (const one of [...couriers.values()].filter(makesLabels)) {
        const { capabilities: c, checkSettings } = one
        const settings = await courierSettings(db, services.vault, principal.company.id, c.agent_code)
        const configured =
          c.settings.every(field => !field.required || settings[field.name]) &&
          !(checkSettings?.(settings) ?? []).some(finding => finding.severity === 'error')
        answer.push({
          agent_code: c.agent_code,
          name: c.name,
          configured,
          methods: (await methodsOffered(db, principal.company.id, one)).map(({ code, name, service_point, max_weight_g }) => ({
            code,
            name,
            service_point,
            max_weight_g,
          })),
          parcels_per_call: c.parcels_per_call,
          formats: Object.keys(c.sizes),
          cancel: c.cancel,
        })
      }
      return answer
    },

    async template({ parts }, { db, principal }) {
      // The codes themselves may hold the sign that joins them.
      const agent_code = [...couriers.keys()].filter(code => parts.startsWith(`${code}_`)).toSorted((a, b) => b.length - a.length)[0] ?? ''
      const known = mustBeCourier(agent_code)
      const { capabilities } = known
      const [, method = '', operation = 'outbound'] = /^(.*?)(?:_(outbound|return))?$/.exec(parts.slice(agent_code.length + 1)) ?? []
      const one = orNotFound(
        await methodOffered(db, principal.company.id, known, method),
        'courier_method_not_found',
        'This courier has no such method',
      )
      return {
        agent_code,
        shipping_method: one.code,
        operation_code: operation,
        name: one.name,
        required: [...new Set([...capabilities.needs, ...(one.needs ?? [])])],
        service_point: one.service_point,
        max_weight_g: one.max_weight_g,
        sections: formSections(capabilities, one, operation === 'return' ? 'return' : 'outbound'),
        form: emptyForm(await senderOfCompany(db, principal.company.id), operation === 'return' ? 'return' : 'outbound'),
      }
    },

    logSearch(query, { db }) {
      if (query.agent_code !== undefined) mustBeCourier(query.agent_code)
      return searchLog(db, query)
    },
    log: async ({ id }, { db }) => orNotFound(await logById(db, id), 'entry_not_found', 'Entry not found'),
    async logCreateArgs({ id }, { db, services }) {
      const row = orNotFound(await logById(db, id), 'entry_not_found', 'Entry not found')
      if (row.shipment_id === null) return (row.request ?? {}) as Record<string, unknown>
      const request = await requestOf({ db, services }, row.shipment_id)
      return {
        agent_code: row.agent_code,
        shipping_method: request.method,
        operation_code: request.operation,
        ...formOf(request, row.order_id),
      }
    },
    logPdf: ({ id, ...wanted }, outside) =>
      fileOf(
        outside,
        async ({ db }) =>
          orNotFound(
            await db
              .selectFrom('label_log as g')
              .innerJoin('shipments as s', 's.id', 'g.shipment_id')
              .select(['s.id', 's.state', 's.tracking_no', 's.label_pdf_file_id', 's.label_a4_file_id', 's.label_zpl_file_id'])
              .where('g.id', '=', id)
              .executeTakeFirst(),
            'entry_has_no_label',
            'There is no label behind this entry',
          ),
        wanted,
      ),

    /** The specification's GET prints; the client's id keeps a repeated request from printing twice. */
    async logPrint({ shipment_id, printer_id, client_id }, outside) {
      const print_job_id = await reprintLabel(outside, shipment_id, printer_id, client_id)
      const job = await outside.transaction(async ({ db }) =>
        orNotFound(await printJobById(db, print_job_id), 'print_job_not_found', 'Print job not found'),
      )
      return { print_job_id, state: job.state }
    },

    search(query, { db, services }) {
      if (query.agent_code !== undefined) mustBeCourier(query.agent_code)
      return searchShipments(db, services, query)
    },
    get: async ({ id }, { db, services }) =>
      orNotFound(await shipmentDetails(db, services, id), 'shipment_not_found', 'Shipment not found'),
    file: ({ id, ...wanted }, outside) =>
      fileOf(
        outside,
        async ({ db }) => {
          const shipment = orNotFound(
            await db
              .selectFrom('shipments')
              .select(['id', 'state', 'tracking_no', 'label_pdf_file_id', 'label_a4_file_id', 'label_zpl_file_id'])
              .where('id', '=', id)
              .executeTakeFirst(),
            'shipment_not_found',
            'Shipment not found',
          )
          if (isTakenBack(shipment)) throw conflict('label_cancelled_not_reprinted', 'This label was cancelled: it is not printed again')
          return shipment
        },
        wanted,
      ),

    event: async ({ body }, context) => {
      const { db, services } = context
      const shipment = orNotFound(await shipmentByBarcode(db, services, body.barcode), 'parcel_unknown', 'Unknown parcel')
      await recordShipmentStep(context, shipment.shipment_id, body.event, body.place)
      return orNotFound((await shipmentsById(db, services, [shipment.shipment_id]))[0], 'shipment_not_found', 'Shipment not found')
    },

    async settle({ id, body }, context) {
      const { db, services, now, recordEvent, notify } = context
      const shipment = () =>
        db
          .selectFrom('shipments')
          .select(['id', 'order_id', 'company_id', 'state', 'agent_code', 'session_id', 'operation_code', 'created_at', 'consignment_id'])
          .where('id', '=', id)
      const { order_id } = orNotFound(await shipment().executeTakeFirst(), 'shipment_not_found', 'Shipment not found')
      if (order_id !== null) await takeOrder(db, order_id)
      await takeBooking(db, id)
      const row = orNotFound(await shipment().forUpdate().executeTakeFirst(), 'shipment_not_found', 'Shipment not found')
      if (row.state !== 'booking' && row.state !== 'unknown') throw conflict('booking_settled', 'The outcome of this booking is known')
      if (!canSettle(row, now())) throw conflict('booking_checkable', 'The courier can still be asked: this settles itself')
      if (body.booked && !body.tracking_no)
        throw badRequest(
          'parcel_number_missing',
          'Record the parcel number that the courier gave',
          {},
          { fields: { tracking_no: 'Record the parcel number that the courier gave' } },
        )
      const error = body.booked
        ? 'Booked at the courier, but its label never came. A new label is needed.'
        : 'The courier does not have this parcel'
      // The courier has all parcels of one call or none of them.
      const parcels = (row.consignment_id === null ? [row] : await parcelsOfBooking(db, row.consignment_id)).filter(one =>
        isOneOf(bookingStates, one.state),
      )
      await db
        .updateTable('shipments')
        .set(eb => ({
          error,
          error_kind: 'courier',
          leased_until: null,
          version: eb('version', '+', 1),
          // Whatever comes under that number later must not leave the warehouse.
          ...(body.booked
            ? {
                state: 'blocked' as const,
                tracking_no: eb
                  .case()
                  .when('id', '=', id)
                  .then(body.tracking_no ?? null)
                  .else(null)
                  .end(),
                booked_at: now().toISOString(),
                cancelled_at: now().toISOString(),
                cancel_answers: JSON.stringify({ cancelled: false, cancelled_at_carrier: false, refunded: false }),
              }
            : { state: 'error' as const }),
        }))
        .where('id', '=', sql<number>`any(${parcels.map(one => one.id)})`)
        .execute()
      await dequeueJob(context, `labels.book:${row.consignment_id ?? id}`)
      for (const one of parcels) {
        await recordEvent({
          kind: 'shipment.settled',
          order_id: row.order_id,
          company_id: row.company_id,
          subject: 'shipment',
          subject_id: one.id,
          data: one.id === id ? body : { booked: body.booked },
        })
        notify('shipment', one.id, row.company_id)
      }
      return orNotFound((await shipmentsById(db, services, [id]))[0], 'shipment_not_found', 'Shipment not found')
    },
  },
  labelSubscriptions,
)

/** A label in one format, or another paper of the shipment. Of one that was cancelled only its picture is left, with the word across it. */
async function fileOf(
  outside: ExternalContext,
  pick: (context: Context) => Promise<{
    id: number
    state: Selectable<DB['shipments']>['state']
    tracking_no: string | null
    label_pdf_file_id: number | null
    label_a4_file_id: number | null
    label_zpl_file_id: number | null
  }>,
  { format, document }: { format: 'pdf' | 'a4' | 'zpl'; document?: number | undefined },
) {
  const { file, cancelled } = await outside.transaction(async context => {
    const shipment = await pick(context)
    const cancelled = isTakenBack(shipment)
    const paper =
      document === undefined
        ? undefined
        : orNotFound(
            await documentOfShipment(context.db, shipment.id, document),
            'shipment_document_not_found',
            'This shipment has no such document',
          )
    if (cancelled && (paper?.format ?? format) === 'zpl')
      throw conflict('label_cancelled_not_reprinted', 'This label was cancelled: it is not printed again')
    const id =
      paper?.file_id ??
      orNotFound(shipment[`label_${format}_file_id`], 'label_format_not_found', 'This label does not exist in this format')
    const file = await context.db
      .selectFrom('files')
      .select(['sha256', 'bytes', 'media_type', 'name'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return { file, cancelled }
  })
  const { services, scope } = outside
  return {
    bytes: cancelled ? await markCancelled(await services.files.get(scope.operator_id, file.sha256)) : file,
    media_type: file.media_type,
    name: file.name,
    inline: true,
  }
}

/** After its label was cancelled a packed order is no longer ready to leave: it goes back to the station. */
async function reopenOrderWithoutLabel(context: Context, order_id: number): Promise<void> {
  const left = await context.db
    .selectFrom('shipments')
    .select('id')
    .where('order_id', '=', order_id)
    .where('operation_code', '=', 'outbound')
    .where('state', 'in', printableStates)
    .limit(1)
    .executeTakeFirst()
  if (!left) await reopenOrders(context, [order_id], { unpack: false })
}
