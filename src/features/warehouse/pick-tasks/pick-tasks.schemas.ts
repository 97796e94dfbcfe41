/** Schemas of the calls in pick-tasks.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { Phase } from '#features/orders/orders/orders.schemas.ts'
import { countReasons, donenessStates, putBackReasons, shortDecisions, shortReasons } from './pick-tasks.codes.ts'

const id = z.number().int()
const idIn = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const version = z.number().int().positive()
export const ShortReason = z.enum(shortReasons)
export type ShortReason = z.infer<typeof ShortReason>

/**
 * `wait`: the order leaves its wagon and is picked again later · `ship_partial`: it goes without these pieces · `ask_customer`: held until
 * the customer has answered, then decided again · `cancel_line`: these pieces are cancelled · `found`: they are there, and are picked after all.
 */
export const ShortDecision = z.enum(shortDecisions)
export type ShortDecision = z.infer<typeof ShortDecision>
export const CountReason = z.enum(countReasons)
export type CountReason = z.infer<typeof CountReason>
export const PutBackReason = z.enum(putBackReasons)
export type PutBackReason = z.infer<typeof PutBackReason>
export const Doneness = z.enum(donenessStates)
export type Doneness = z.infer<typeof Doneness>

const order = { order_id: id, order_no: z.string(), company_id: id, company: z.string(), phase: Phase, ship_by: z.string().nullable() }
const product = {
  product_id: id.nullable(),
  sku: z.string().nullable(),
  name: z.string(),
  has_picture: z.boolean(),
  picture_version: id.nullable(),
}

export const Short = z.object({
  id,
  ...order,
  ...product,
  order_line_id: id,
  variant: z.string().nullable(),
  pick_list_id: id.nullable(),
  wagon_no: id.nullable(),
  slot_no: id.nullable(),
  bin: z.string().nullable(),
  quantity: id,
  reason: ShortReason,
  note: z.string(),
  has_photo: z.boolean(),
  reported_by: z.string(),
  reported_at: z.string(),
  decision: ShortDecision.nullable(),
  decided_by: z.string().nullable(),
  decided_at: z.string().nullable(),
  /** Not decided yet, or the customer was asked and the order still waits in the warehouse. */
  decidable: z.boolean(),
  /** Why it cannot be found any more: the order has left the wagon. */
  on_wagon: z.boolean(),
  /** The last number counted in this bin since it was reported; null while there is no count. */
  counted: id.nullable(),
  /** Open orders that need the same product from the same bin, this one left out. */
  others: id,
  version: id,
})
export type Short = z.infer<typeof Short>

/** Another order whose open line needs the same bin. */
export const Needing = z.object({
  ...order,
  quantity: id,
  pick_list_id: id.nullable(),
  wagon_no: id.nullable(),
  picker: z.string().nullable(),
})
export type Needing = z.infer<typeof Needing>

export const BinCount = z.object({
  id,
  company_id: id,
  company: z.string(),
  ...product,
  bin: z.string(),
  reason: CountReason,
  /** While it is open, nothing is sent to this bin to pick. */
  blocks: z.boolean(),
  asked_by: z.string(),
  asked_at: z.string(),
  counted: id.nullable(),
  note: z.string(),
  done_by: z.string().nullable(),
  done_at: z.string().nullable(),
  /** Undecided shorts of this bin and how many pieces they miss. */
  shorts: id,
  missing: id,
  version: id,
})
export type BinCount = z.infer<typeof BinCount>

export const PutBack = z.object({
  id,
  ...order,
  ...product,
  order_line_id: id.nullable(),
  /** The return that the piece came with. */
  return_id: id.nullable(),
  pick_list_id: id.nullable(),
  wagon_no: id.nullable(),
  slot_no: id.nullable(),
  /** Digits of the totes in which the pieces lie. */
  codes: z.array(z.string()),
  bin: z.string().nullable(),
  quantity: id,
  done: id,
  reason: PutBackReason,
  created_at: z.string(),
  done_by: z.string().nullable(),
  done_at: z.string().nullable(),
  version: id,
})
export type PutBack = z.infer<typeof PutBack>

const question = z.object({
  /** Order number or code, SKU, barcode, name, bin, or PP code. */
  query: z.string().max(200).default(''),
  show: Doneness.default('open'),
  company: listParam(z.coerce.number<unknown>().int().positive(), 50),
})
const ShortQuestion = question.extend({ reason: listParam(ShortReason, 50), decision: listParam(ShortDecision, 50) })
const CountQuestion = question.extend({ reason: listParam(CountReason, 50) })
const PutBackQuestion = question.extend({ reason: listParam(PutBackReason, 50) })

const note = text(limits.note).default('')
const ids = z.array(idIn).min(1).max(500)

export const TaskResult = z.object({
  id,
  done: z.boolean(),
  /** Why not, as a sentence and as its key with values. */
  message: z.string().nullable(),
  key: z.string().nullable(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
})
export type TaskResult = z.infer<typeof TaskResult>

export const pickTasksSchemas = {
  components: {
    ShortReason,
    ShortDecision,
    CountReason,
    PutBackReason,
    Doneness,
    Short,
    Needing,
    BinCount,
    PutBack,
    ShortQuestion,
    CountQuestion,
    PutBackQuestion,
    TaskResult,
  },
  calls: {
    count: {
      reply: z.object({ shorts: id, counts: id, put_backs: id }),
      summary: 'How many tasks are open, for the badge. Main company only, as all of pick_tasks.',
    },
    shorts: {
      query: pageQuery.extend(ShortQuestion.shape),
      reply: page(Short),
      summary: 'Pieces that were missing, and what was decided.',
    },
    short: {
      reply: Short.extend({ needing: z.array(Needing), open_counts: z.array(BinCount.pick({ id: true, bin: true, version: true })) }),
      summary: 'One short with the other open orders that need the same bin.',
    },
    photo: {
      summary: 'The photo that a picker took of an empty bin.',
    },
    decide: {
      body: z.strictObject({ decision: ShortDecision, note, version: version.optional() }),
      reply: Short,
      summary: 'Decides what becomes of an order whose pieces were missing.',
    },
    decideMany: {
      body: z.strictObject({ ids, decision: ShortDecision, note }),
      reply: z.object({ results: z.array(TaskResult) }),
      summary: 'The same decision for several; each is a transaction of its own.',
    },
    exportShorts: {
      query: ShortQuestion,
      summary: 'Pieces that were missing, as CSV.',
    },
    counts: {
      query: pageQuery.extend(CountQuestion.shape),
      reply: page(BinCount),
      summary: 'Bins that somebody has to count.',
    },
    ask: {
      body: z.strictObject({
        bin: text(limits.code).min(1, 'Which bin is to be counted?'),
        /** SKU or barcode; empty counts whatever lies there. */
        product: text(limits.barcode).default(''),
        company_id: idIn.optional(),
        blocks: z.boolean().default(false),
        note,
      }),
      reply: BinCount,
      summary: 'Asks for a bin to be counted.',
    },
    counted: {
      body: z.strictObject({
        counted: z.number().int().min(0, 'A number cannot be below 0').max(1_000_000),
        note,
        version: version.optional(),
      }),
      reply: z.object({ count: BinCount, shorts: z.array(Short) }),
      summary: 'What lies in the bin. Answers the undecided shorts of the bin: where enough is there, they can be found.',
    },
    exportCounts: {
      query: CountQuestion,
      summary: 'Bins that somebody has to count, as CSV.',
    },
    putBacks: {
      query: pageQuery.extend(PutBackQuestion.shape),
      reply: page(PutBack),
      summary: 'Picked pieces that belong back into their bins.',
    },
    putBack: {
      body: z.strictObject({
        quantity: z.number().int().min(1).max(1_000_000),
        /** What was scanned at the bin; absent when it was tapped. */
        bin: text(limits.code).optional(),
        version: version.optional(),
      }),
      reply: PutBack,
      summary: 'Writes down that the pieces lie in their bin again.',
    },
    putBackMany: {
      body: z.strictObject({ ids }),
      reply: z.object({ results: z.array(TaskResult) }),
      summary: 'All the pieces of several are back in their bins.',
    },
    exportPutBacks: {
      query: PutBackQuestion,
      summary: 'Picked pieces that belong back, as CSV.',
    },
  },
} satisfies ContractSchemas
