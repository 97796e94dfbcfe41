/** Schemas of the calls in bulk-jobs.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { longestTag, mostNamed } from '#features/company/tags/tags.codes.ts'
import { holdReasons } from '#features/orders/orders/locks/order-locks.codes.ts'
import { OrderFilters, Phase } from '#features/orders/orders/orders.schemas.ts'
import { bulkActions, bulkRowStates, mostNamedOrders } from './bulk-jobs.codes.ts'

const id = z.number().int()
const Ids = z.array(id.positive()).max(mostNamedOrders)
const Names = z.array(text(longestTag).min(1)).max(mostNamed).default([])
const BulkAction = z.enum(bulkActions)
export const ReasonValues = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))

export const BulkArgs = z.strictObject({
  /** Of a hold or lock, shown to everyone who works on one of the orders. */
  note: text(limits.note).default(''),
  reason: z.enum(holdReasons).optional(),
  /** As `order_shipping_description/option` names it. */
  method: text(200).optional(),
  add: Names,
  remove: Names,
})
export type BulkArgs = z.output<typeof BulkArgs>

const Chosen = z.strictObject({
  args: BulkArgs.default({ note: '', add: [], remove: [] }),
  /** These orders, or all that the filters find but for `except`. */
  ids: Ids.min(1).optional(),
  filters: OrderFilters.partial().optional(),
  except: Ids.default([]),
})

const BulkRow = z.object({
  order_id: id,
  order_no: z.string(),
  phase: Phase,
  state: z.enum(bulkRowStates),
  /** Why it is left alone: a sentence with places, and what fills them. */
  key: z.string().nullable(),
  values: ReasonValues,
  /** The order in whose parcel it goes, itself where it carries that; null for other actions. */
  lead_no: z.string().nullable(),
})
export type BulkRow = z.infer<typeof BulkRow>

export const BulkPreview = z.object({
  bulk_id: id,
  asked: id,
  would_do: id,
  refused: z.array(z.object({ key: z.string(), values: ReasonValues, count: id })),
  /** The first orders of the list. */
  rows: z.array(BulkRow),
  /** Into so many the orders would be combined; null for other actions. */
  parcels: id.nullable(),
  undoable: z.boolean(),
})
export type BulkPreview = z.infer<typeof BulkPreview>

export const BulkJob = z.object({
  job_id: id,
  action: BulkAction,
  args: BulkArgs,
  asked: id,
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  waiting: id,
  done: id,
  refused: id,
  undone: id,
  actor: z.string(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  /** The job that this one undoes, and the one that undoes it. */
  undo_of: id.nullable(),
  undone_by: id.nullable(),
  may_undo: z.boolean(),
})
export type BulkJob = z.infer<typeof BulkJob>

export const bulkJobsSchemas = {
  components: { BulkAction, BulkArgs, BulkRow, BulkPreview, BulkJob },
  calls: {
    preview: {
      params: { action: BulkAction },
      body: Chosen,
      reply: BulkPreview,
      summary:
        'What an action would do to many orders, at most 50,000, and which it would leave alone. Fixes the orders: those that come later are not changed.',
    },
    start: {
      reply: z.object({ job_id: id }),
      summary: 'Starts what a preview showed; refused when it is older than ten minutes. Again answers the same job.',
    },
    get: { reply: BulkJob, summary: 'How far a bulk job is, and how many orders it changed and left alone.' },
    rows: {
      query: pageQuery.extend({ state: listParam(z.enum(bulkRowStates)) }),
      reply: page(BulkRow),
      summary: 'What became of each order of a bulk job, in the order of the list.',
    },
    report: {
      query: z.object({ locale: z.string().max(10).optional() }),
      summary: 'What became of each order of a bulk job, as CSV.',
    },
    undo: {
      reply: z.object({ job_id: id }),
      summary: 'Starts a job that undoes an ended one, but for orders that changed since. Again answers the same job.',
    },
  },
} satisfies ContractSchemas
