/** Shipment exceptions: handlers, and the events of shipments that open and end them. */
import { access } from '#contract/access.ts'
import { pageOffset } from '#contract/page.ts'
import { addTagsByRule } from '#features/company/tags/tags.commands.ts'
import { peopleWith } from '#features/company/users/credentials.queries.ts'
import type { CourierEvent } from '#features/shipping/courier-events/courier-events.codes.ts'
import { reportsToUs } from '#features/shipping/courier-events/courier-events.queries.ts'
import { changeEach } from '#platform/http/change-each.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, implement, type RecordedEvent } from '#platform/http/feature-module.ts'
import {
  assignShipmentException,
  endShipmentExceptions,
  noteShipmentException,
  openExceptions,
  planStep,
  resolveShipmentException,
} from './shipment-exceptions.commands.ts'
import { shipmentExceptions } from './shipment-exceptions.contract.ts'
import { openShipmentExceptions, shipmentExceptionById, shipmentExceptionsPage } from './shipment-exceptions.queries.ts'
import { endedByMovement, endedByNews, kindOfEvent } from './shipment-exceptions.rules.ts'
import { shipmentExceptionsSchemas } from './shipment-exceptions.schemas.ts'

const mostExported = 10_000

const viewerOf = ({ principal, now }: Context) => ({ user_id: principal.id, now: now() })

const shipmentsOf = (events: readonly RecordedEvent[]): number[] => [
  ...new Set(events.flatMap(({ subject, subject_id }) => (subject === 'shipment' && subject_id !== null ? [subject_id] : []))),
]

/** Opens an exception, or tags the order, for each of these events that the settings of its courier want. */
async function report(context: Context, events: readonly RecordedEvent[], eventOf: (event: RecordedEvent) => CourierEvent | null) {
  const found = events.flatMap(event => {
    const reported = eventOf(event)
    return reported && event.subject_id !== null ? [{ ...event, shipment_id: event.subject_id, reported }] : []
  })
  const reports = await reportsToUs(
    context.db,
    found.map(({ shipment_id, reported }) => ({ shipment_id, event: reported })),
  )
  const wanted = new Map(reports.map(one => [`${one.shipment_id} ${one.event}`, one]))
  await openExceptions(
    context,
    found.flatMap(({ shipment_id, order_id, company_id, reported }) => {
      const kind = kindOfEvent[reported]
      return kind && wanted.get(`${shipment_id} ${reported}`)?.us_action === 'exception'
        ? [{ shipment_id, order_id, company_id, kind }]
        : []
    }),
  )
  await addTagsByRule(
    context,
    found.flatMap(({ shipment_id, order_id, company_id, reported }) => {
      const { us_action, tag_id = null } = wanted.get(`${shipment_id} ${reported}`) ?? {}
      return us_action === 'tag' && tag_id !== null && order_id !== null ? [{ order_id, company_id, tag_id }] : []
    }),
    'Courier event',
  )
}

const goesOn = (events: readonly RecordedEvent[], context: Context) =>
  endShipmentExceptions(context, shipmentsOf(events), 'moving', endedByMovement)
const goesOnAs = (event: CourierEvent) => async (events: readonly RecordedEvent[], context: Context) => {
  await goesOn(events, context)
  await report(context, events, () => event)
}
const isOff = (events: readonly RecordedEvent[], context: Context) => endShipmentExceptions(context, shipmentsOf(events), 'cancelled')

export const shipmentExceptionsServer = implement(
  shipmentExceptions,
  shipmentExceptionsSchemas,
  {
    async list({ page, limit, ...question }, context) {
      const offset = pageOffset({ page, limit })
      return { ...(await shipmentExceptionsPage(context.db, question, viewerOf(context), { offset, limit })), offset, limit }
    },

    count: (_, context) => openShipmentExceptions(context.db, viewerOf(context)),
    owners: (_, { db, principal }) => peopleWith(db, principal.company.id, access.parcels),
    get: ({ id }, { db }) => shipmentExceptionById(db, id),

    async assign({ id, body }, context) {
      await assignShipmentException(context, id, body)
      return shipmentExceptionById(context.db, id)
    },

    async step({ id, body }, context) {
      await planStep(context, id, body)
      return shipmentExceptionById(context.db, id)
    },

    async note({ id, body }, context) {
      await noteShipmentException(context, id, body.note)
      return shipmentExceptionById(context.db, id)
    },

    async resolve({ id, body }, context) {
      await resolveShipmentException(context, id, body)
      return shipmentExceptionById(context.db, id)
    },

    assignMany: ({ body: { ids, user_id } }, outside) =>
      changeEach(outside, 'shipment exception', ids, (context, id) => assignShipmentException(context, id, { user_id })),
    resolveMany: ({ body: { ids, ...body } }, outside) =>
      changeEach(outside, 'shipment exception', ids, (context, id) => resolveShipmentException(context, id, body)),

    async exportAll(question, context) {
      const { rows } = await shipmentExceptionsPage(context.db, question, viewerOf(context), { offset: 0, limit: mostExported })
      const head = ['tracking_no', 'order_no', 'company', 'agent_code', 'country', 'shipment_state', 'kind', 'opened_at'] as const
      const tail = ['owner_name', 'next_step', 'next_at', 'note', 'resolution', 'resolved_by', 'resolved_at'] as const
      const columns = [...head, ...tail]
      return {
        bytes: csv(
          columns,
          rows.map(row => columns.map(column => row[column])),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `shipment-exceptions-${context.now().toISOString().slice(0, 10)}.csv`,
      }
    },
  },
  {
    'shipment.needs_attention': (events, context) =>
      openExceptions(
        context,
        events.flatMap(({ subject_id, order_id, company_id, data }) =>
          data.reason === 'no_scan' && subject_id !== null
            ? [{ shipment_id: subject_id, order_id, company_id, kind: 'no_scan' as const }]
            : [],
        ),
      ),
    async 'shipment.problem_reported'(events, context) {
      const reasons = new Map(events.map(event => [event.subject_id, event.data.reason]))
      await report(context, events, event => reasons.get(event.subject_id) ?? null)
      await openExceptions(
        context,
        events.flatMap(({ subject_id, order_id, company_id, data }) =>
          data.reason === null && subject_id !== null ? [{ shipment_id: subject_id, order_id, company_id, kind: 'problem' as const }] : [],
        ),
      )
    },
    async 'shipment.delivery_failed'(events, context) {
      // The address is an exception of its own.
      const failed = events.filter(event => event.data.reason !== 'address_problem')
      await report(context, failed, () => 'delivery_failed')
    },
    async 'shipment.returning'(events, context) {
      await goesOn(events, context)
      await report(context, events, () => 'returning')
    },
    async 'shipment.returned_to_sender'(events, context) {
      await goesOn(events, context)
      await report(context, events, () => 'returned')
    },
    'shipment.problem_ended': (events, context) => endShipmentExceptions(context, shipmentsOf(events), 'moving', endedByNews),
    'shipment.handed_over': goesOnAs('handed_over'),
    'shipment.in_transit': goesOnAs('in_transit'),
    'shipment.out_for_delivery': goesOnAs('out_for_delivery'),
    'shipment.ready_for_pickup': goesOnAs('ready_for_pickup'),
    'shipment.booked': (events, context) => report(context, events, () => 'registered'),
    async 'shipment.delivered'(events, context) {
      await endShipmentExceptions(context, shipmentsOf(events), 'delivered')
      await report(context, events, () => 'delivered')
    },
    'shipment.cancelled': isOff,
    'shipment.blocked': isOff,
  },
)
