/** Schemas of the calls in shipment-exceptions.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { idAsked, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { shipmentStates } from '#domain/order/shipment-states.ts'
import {
  personResolutions,
  shipmentExceptionKinds,
  shipmentExceptionResolutions,
  shipmentExceptionSorts,
  shipmentExceptionViews,
} from './shipment-exceptions.codes.ts'

const id = z.number().int()
const idIn = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const version = z.number().int().positive()

export const ShipmentException = z.object({
  id,
  kind: z.enum(shipmentExceptionKinds),
  shipment_id: id,
  order_id: id.nullable(),
  order_no: z.string().nullable(),
  company_id: id,
  company: z.string(),
  agent_code: z.string(),
  tracking_no: z.string().nullable(),
  shipment_state: z.enum(shipmentStates),
  /** Of the recipient. */
  country: z.string(),
  opened_at: z.string(),
  owner_user_id: id.nullable(),
  owner_name: z.string().nullable(),
  next_step: z.string(),
  next_at: z.string().nullable(),
  note: z.string(),
  resolution: z.enum(shipmentExceptionResolutions).nullable(),
  resolved_by: z.string().nullable(),
  resolved_at: z.string().nullable(),
  version: id,
})
export type ShipmentException = z.infer<typeof ShipmentException>

const Question = z.object({
  /** Tracking number, order number or owner. */
  query: text(100).default(''),
  view: z.enum(shipmentExceptionViews).default('open'),
  kind: listParam(z.enum(shipmentExceptionKinds)),
  agent_code: z.string().max(limits.code).optional(),
  company: listParam(idAsked, 50),
  /** `due`: what has to be done first. */
  sort: z.enum(shipmentExceptionSorts).default('due'),
})
export type Question = z.infer<typeof Question>

const note = text(limits.note).default('')
const ids = z.array(idIn).min(1).max(500)
/** Of the person who takes it over; null takes the owner away. */
const owner = idIn.nullable()

const ChangeResult = z.object({
  id,
  done: z.boolean(),
  /** Why not, as a sentence and as its key with values. */
  message: z.string().nullable(),
  key: z.string().nullable(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
})
export type ShipmentExceptionResult = z.infer<typeof ChangeResult>
const Results = z.object({ results: z.array(ChangeResult) })

export const shipmentExceptionsSchemas = {
  components: { ShipmentException },
  calls: {
    list: {
      query: pageQuery.extend(Question.shape),
      reply: page(ShipmentException),
      summary: 'Shipments that need somebody, page by page: what is due first, or what was resolved last.',
    },
    count: {
      reply: z.object({ open: id, mine: id, unassigned: id, overdue: id, kinds: z.record(z.string(), id) }),
      summary: 'How many exceptions of shipments are open.',
    },
    owners: {
      reply: z.array(z.object({ id, name: z.string() })),
      summary: 'People who may take an exception of a shipment over.',
    },
    exportAll: { query: Question, summary: 'Exceptions of shipments in a view, as CSV.' },
    assignMany: {
      body: z.strictObject({ ids, user_id: owner }),
      reply: Results,
      summary: 'Gives several exceptions of shipments to one person; each is a transaction of its own.',
    },
    resolveMany: {
      body: z.strictObject({ ids, resolution: z.enum(personResolutions), note }),
      reply: Results,
      summary: 'Resolves several exceptions of shipments; each is a transaction of its own.',
    },
    get: { reply: ShipmentException, summary: 'One exception of a shipment.' },
    assign: {
      body: z.strictObject({ user_id: owner, version: version.optional() }),
      reply: ShipmentException,
      summary: 'Gives the exception to a person, or takes the owner away.',
    },
    step: {
      body: z.strictObject({
        next_step: text(200),
        next_at: z.iso.datetime({ offset: true }).nullable().default(null),
        version: version.optional(),
      }),
      reply: ShipmentException,
      summary: 'Sets what is done next, and when.',
    },
    note: {
      body: z.strictObject({ note: text(limits.note).min(1, 'Write a note') }),
      reply: ShipmentException,
      summary: 'Adds a note.',
    },
    resolve: {
      body: z.strictObject({ resolution: z.enum(personResolutions), note, version: version.optional() }),
      reply: ShipmentException,
      summary: 'Resolves the exception; `lost` also makes the shipment lost.',
    },
  },
} satisfies ContractSchemas
