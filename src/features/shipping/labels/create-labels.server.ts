/** Labels that a person asks for: one more parcel of an order, a return, or a shipment without an order. */

import { sql } from 'kysely'
import type * as z from 'zod'
import { AppError, conflict, interpolate, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { needsCustoms } from '#domain/customs/places.ts'
import { mustNotBeStopped } from '#features/orders/orders/holds.queries.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { sendPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import { goodsOfOrder } from '#features/shipping/customs/order-goods.queries.ts'
import { methodsOffered } from '#features/shipping/parcel-shops/courier-methods.queries.ts'
import type { Courier, Finding, ParcelLine } from '#integrations/couriers/courier.ts'
import { mustBeCourier } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import { nextNumber } from '#platform/database/number-series.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import { type NewShipment, planShipment, type ShipmentPlan, storeShipment } from './booking.commands.ts'
import { dequeueJob, requestOf } from './booking.queries.ts'
import { type BookingOutcome, bookLeasedShipment, bookShipment, type LeasedShipment, storeLeased } from './booking.server.ts'
import { shipmentsById, shipmentsOfOrders } from './labels.queries.ts'
import type { LabelForm } from './labels.schemas.ts'

export interface LabelRequest {
  agent_code: string
  shipping_method?: string | undefined
  operation_code: 'outbound' | 'return'
  body: z.output<typeof LabelForm>
}

interface MadeLabels {
  ids: number[]
  /** Booked one after the other, each with a lease of its own. */
  fresh: number[]
  leased?: LeasedShipment
}

/** Books a label for each parcel of the form. The same `client_id` again answers what the first request made. */
export async function createLabels(outside: ExternalContext, { agent_code, operation_code, body, ...asked }: LabelRequest) {
  const known = mustBeCourier(agent_code)
  const { ids, fresh, leased } = await outside.transaction(async (context): Promise<MadeLabels> => {
    const before = await madeBefore(context.db, body.client_id)
    if (before.length > 0) return { ids: before, fresh: [] }
    const of = await consignmentOf(context, operation_code, body)
    const methods = await methodsOffered(context.db, of.company_id, known)
    const shipping_method = asked.shipping_method ?? methods[0]?.code ?? ''
    if (!methods.some(method => method.code === shipping_method))
      throw notFound('courier_method_not_found', 'This courier has no such method')
    const goods =
      body.order_id === null || !body.parcels.some(one => one.lines.length > 0) ? undefined : await goodsOfOrder(context.db, body.order_id)
    await context.recordEvents(
      body.parcels.map((_, i) => ({
        kind: 'label.asked',
        order_id: of.intent.order_id,
        company_id: of.company_id,
        data: { parcel_no: of.first + i, operation_code, agent_code },
      })),
    )
    const plans: ShipmentPlan[] = []
    for (const [i, parcel] of body.parcels.entries()) {
      const plan = await planShipment(context, {
        of: of.intent,
        session_id: null,
        parcel_no: of.first + i,
        parcel_count: of.first + body.parcels.length - 1,
        weight_g: parcel.weight_g ?? body.weight_g,
        size_mm: parcel.size_mm,
        crate: parcel.crate,
        ...(parcel.lines.length > 0 && { lines: parcel.lines.map((line, n) => parcelLineOf(line, goods, `parcels.${i}.lines.${n}`)) }),
        operation_code,
        station: body.station ?? '',
        label_printer_id: body.printer_id,
        a4_printer_id: null,
        agent_code,
        shipping_method,
        form: body,
        client_id: body.client_id,
      })
      if (plan.finding) throw refusalOf(plan.finding, i, body)
      plans.push(plan)
    }
    const [alone, ...others] = plans
    if (alone && others.length === 0) {
      const leased = await storeLeased(context, alone)
      return { ids: [leased.id], fresh: [], leased }
    }
    const made: number[] = []
    for (const plan of plans) made.push((await storeShipment(context, plan)).shipment_id)
    await joinParcels(context, made, known, operation_code)
    return { ids: made, fresh: made }
  })
  const outcomes: BookingOutcome[] = leased ? [await bookLeasedShipment(outside, leased)] : []
  for (const id of fresh) outcomes.push(await bookShipment(outside, id, { fresh: true }))
  if (outcomes.some(outcome => outcome !== 'booked')) await mustNotHaveFailed(outside, ids)
  return printOutcome(outside, body.order_id === null ? { shipment_ids: ids } : { order_id: body.order_id }, [])
}

/** Refuses where the courier took none of them. */
async function mustNotHaveFailed(outside: ExternalContext, ids: readonly number[]): Promise<void> {
  const shipments = await outside.transaction(({ db, services }) => shipmentsById(db, services, ids))
  const failed = shipments.find(shipment => shipment.state === 'error')
  if (failed && shipments.every(shipment => shipment.state === 'error'))
    throw unprocessable(
      'booking_failed',
      '{{error}}',
      { error: failed.error },
      { fields: failed.error_field ? { [failed.error_field]: failed.error ?? '' } : {} },
    )
}

/**
 * Parcels that the courier takes in one booking are booked together. Over a customs border each has papers of its own, and returns are
 * handed in one by one.
 */
async function joinParcels(
  context: Context,
  ids: readonly number[],
  { capabilities }: Courier,
  operation_code: 'outbound' | 'return',
): Promise<void> {
  const [first] = ids
  const { parcels_per_call: most } = capabilities
  if (first === undefined || ids.length < 2 || most < 2 || operation_code === 'return') return
  const { parties, customs } = await requestOf(context, first)
  if (customs || needsCustoms(parties.sender, parties.recipient)) return
  for (let start = 0; start < ids.length; start += most) {
    const together = ids.slice(start, start + most)
    const [lead, ...others] = together
    if (lead === undefined || others.length === 0) continue
    await context.db.updateTable('shipments').set({ consignment_id: lead }).where('id', '=', sql<number>`any(${together})`).execute()
    for (const id of others) await dequeueJob(context, `labels.book:${id}`)
  }
}

/** What an earlier request with this id made. Two at once wait for each other. */
async function madeBefore(db: Db, client_id: string | undefined): Promise<number[]> {
  if (client_id === undefined) return []
  await sql`select pg_advisory_xact_lock(hashtextextended(${client_id}, 0))`.execute(db)
  const rows = await db.selectFrom('shipments').select('id').where('client_id', '=', client_id).orderBy('parcel_no').execute()
  return rows.map(row => row.id)
}

interface Consignment {
  intent: NewShipment['of']
  company_id: number
  /** The number of its first new parcel. */
  first: number
}

async function consignmentOf(
  { db, principal }: Context,
  operation_code: 'outbound' | 'return',
  { order_id, company_id, sender, recipient }: z.output<typeof LabelForm>,
): Promise<Consignment> {
  if (order_id === null) {
    const far = operation_code === 'return' ? 'sender' : 'recipient'
    if (!(operation_code === 'return' ? sender : recipient))
      throw unprocessable(
        'party_missing',
        'Without an order the form names who is at the other end',
        {},
        { fields: { [far]: 'Enter the address' } },
      )
    const company = company_id ?? principal.company.id
    if (company !== principal.company.id) {
      const known = await db.selectFrom('companies').select('id').where('id', '=', company).executeTakeFirst()
      orNotFound(known, 'company_not_found', 'Company not found')
    }
    // Labels of one company wait for each other from the moment in which the number is taken.
    let number: Promise<number> | undefined
    const series = () => (number ??= nextNumber(db, company, 'free_shipment'))
    return { intent: { order_id, company_id: company, series }, company_id: company, first: 1 }
  }
  const order = orNotFound(await takeOrder(db, order_id), 'order_not_found', 'Order not found')
  if (operation_code === 'outbound') {
    if (order.combined?.lead_no)
      throw conflict('order_packed_with', 'This order is packed with order {{order_no}}', { order_no: order.combined.lead_no })
    await mustNotBeStopped(db, order_id)
    if (!['packed', 'handed_over'].includes(order.work_state))
      throw conflict('order_not_packed', 'Pack the order first: its last scan makes the label')
  } else if (!['packed', 'handed_over', 'closed'].includes(order.work_state))
    throw conflict('order_not_packed_for_return', 'Nothing can come back yet: the order is not packed')
  const { last } = await db
    .selectFrom('shipments')
    .select(eb => eb.fn.max('parcel_no').as('last'))
    .where('order_id', '=', order_id)
    .where('operation_code', '=', operation_code)
    .executeTakeFirstOrThrow()
  return { intent: { order_id }, company_id: order.company_id, first: (last ?? 0) + 1 }
}

type FormLine = z.output<typeof LabelForm>['parcels'][number]['lines'][number]

/** A line of the form; what it leaves open follows from the line of the order that it names. */
function parcelLineOf(
  { order_line_id, quantity, ...given }: FormLine,
  goods: Awaited<ReturnType<typeof goodsOfOrder>> | undefined,
  path: string,
): ParcelLine {
  const written = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  if (order_line_id === null) {
    if (given.description === null)
      throw unprocessable(
        'line_description_missing',
        'Say what this line holds',
        {},
        { fields: { [`${path}.description`]: 'Say what this line holds' } },
      )
    return { order_line_id, quantity, ...given, description: given.description }
  }
  const known = goods?.get(order_line_id)
  if (!known)
    throw unprocessable(
      'shipment_line_not_in_order',
      'This line is not one of the order',
      {},
      {
        fields: { [`${path}.order_line_id`]: 'This line is not one of the order' },
      },
    )
  const line = known(quantity)
  if (!line)
    throw unprocessable(
      'line_quantity_too_high',
      'The order has fewer items of this line',
      {},
      {
        fields: { [`${path}.quantity`]: 'The order has fewer items of this line' },
      },
    )
  return { ...line, ...written }
}

/** What the courier's capabilities refuse, at the field of the form that it concerns. */
function refusalOf({ code, text, values, field }: Finding, parcel: number, { weight_g }: z.output<typeof LabelForm>): Error {
  const path = field.replace(/^parcels\.0\b/, `parcels.${parcel}`)
  const name = weight_g !== undefined && path.endsWith('.weight_g') ? 'weight_g' : path
  return new AppError(422, code ?? 'booking_failed', text, values ?? {}, { fields: { [name]: interpolate(text, values ?? {}) } })
}

/** Sends what waits, and answers the shipments and print jobs. */
export async function printOutcome(
  outside: ExternalContext,
  of: { order_id: number } | { shipment_ids: readonly number[] },
  jobs: readonly number[],
) {
  const jobsOf = (db: Db) => {
    const all = db.selectFrom('print_jobs')
    return 'order_id' in of ? all.where('order_id', '=', of.order_id) : all.where('shipment_id', '=', sql<number>`any(${of.shipment_ids})`)
  }
  const outcomeOf = async ({ db, services }: Context, waiting: readonly number[]) => {
    const [shipments, print_jobs] = await Promise.all([
      'order_id' in of ? shipmentsOfOrders(db, services, [of.order_id]) : shipmentsById(db, services, of.shipment_ids),
      jobsOf(db)
        .select(['id', 'state', 'error'])
        .where(eb => (jobs.length > 0 ? eb.or([eb('id', 'in', jobs), eb('id', 'in', [...waiting, 0])]) : eb('document', '=', 'label')))
        .orderBy('id')
        .execute(),
    ])
    return { shipments, print_jobs }
  }
  const { waiting, outcome } = await outside.transaction(async context => {
    const queued = await jobsOf(context.db).select('id').where('state', '=', 'queued').execute()
    return { waiting: queued.map(one => one.id), outcome: queued.length === 0 ? await outcomeOf(context, []) : undefined }
  })
  if (outcome) return outcome
  for (const id of waiting) await sendPrint(outside, id)
  return outside.transaction(context => outcomeOf(context, waiting))
}
