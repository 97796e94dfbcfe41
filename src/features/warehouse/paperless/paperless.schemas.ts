/** Schemas of the calls in paperless.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { Phase } from '#features/orders/orders/orders.schemas.ts'
import { PrintJob } from '#features/printing/print-jobs/print-jobs.schemas.ts'
import { codeStates, mostLabels } from './paperless.codes.ts'

const id = z.number().int()
export const CodeState = z.enum(codeStates)
export type CodeState = z.infer<typeof CodeState>

/** What stands behind PP; leading zeros belong to it. */
const Digits = z.string().regex(/^\d{1,20}$/, 'A paperless code is PP and digits')
/** As scanned or typed, with PP or without. */
const Code = z.preprocess(value => (typeof value === 'string' ? value.trim().replace(/^PP/i, '') : value), Digits)

export const MappedCode = z.object({
  id,
  digits: z.string(),
  /** As it is scanned: PP17. */
  code: z.string(),
  state: CodeState,
  pick_list_id: id.nullable(),
  wagon_no: id.nullable(),
  slot_no: id.nullable(),
  /** The order in it, or for which it is kept. */
  order: z.object({ id, order_no: z.string(), company_id: id, company: z.string(), phase: Phase }).nullable(),
  /** Where its order is open. */
  station: z.string().nullable(),
  /** Since when it is in this state; null for a free one. */
  since: z.string().nullable(),
  /** Tasks of pieces in it that have to go back into their bins. */
  put_backs: id,
  printed_at: z.string().nullable(),
  created_at: z.string(),
  version: id,
})
export type MappedCode = z.infer<typeof MappedCode>

export const CodeOptions = z.strictObject({
  /** How many new codes. */
  count: z.number().int().min(1).max(mostLabels).default(12),
  /** The first of their numbers; absent, the one after the highest there is. */
  first: z.number().int().min(1).max(999_999_999).nullable().default(null),
  /** Codes that exist, to be printed again; then nothing is made. */
  digits: z.array(Digits).min(1).max(mostLabels).nullable().default(null),
  /** One label of 100 × 150 mm each, or small ones on A4. */
  size: z.enum(['label', 'sheet']).default('label'),
  text: z.enum(['normal', 'large']).default('large'),
  caption: text(60).default(''),
})
export type CodeOptions = z.output<typeof CodeOptions>
/** The same `key` makes and prints once, however often it is sent. */
const KeyedOptions = CodeOptions.extend({ key: z.uuid().optional() })

export const CodeResult = z.object({
  digits: z.string(),
  done: z.boolean(),
  message: z.string().nullable(),
  key: z.string().nullable(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
})
export type CodeResult = z.infer<typeof CodeResult>
const Results = z.object({ results: z.array(CodeResult) })
const some = z.array(Code).min(1).max(mostLabels)

const OpenCode = z.object({
  digits: z.string(),
  order_id: id,
  company_id: id,
  order_no: z.string(),
  phase: z.string(),
  pick_list_id: id.nullable(),
  wagon_no: id.nullable(),
  slot_no: id.nullable(),
  station: z.string().nullable(),
  put_backs: id,
})

const MappingQuestion = z.object({
  /** PP code, order number or code, or the number of a pick list. */
  query: z.string().max(200).default(''),
  state: listParam(CodeState),
})

export const paperlessSchemas = {
  components: { CodeState, MappedCode, CodeOptions, CodeResult, OpenCode, MappingQuestion },
  calls: {
    mapping: {
      query: pageQuery.extend(MappingQuestion.shape),
      reply: page(MappedCode).extend({
        /** Of the whole pool, whatever was asked. */
        counts: z.record(CodeState, id),
        /** The number that the next new code gets. */
        next: id,
      }),
      summary: 'The pool of paperless codes and where each is. Main company only, as all of paperless.',
    },
    one: {
      params: { id: Code },
      reply: MappedCode,
      summary: 'One code by its digits, with or without PP: state, list, wagon, slot, order, station, since when.',
    },
    preview: {
      body: CodeOptions,
      summary: 'How the labels would look, the first of them; makes no code.',
    },
    download: {
      body: KeyedOptions,
      summary: 'Makes codes and answers their labels; or the labels of codes that exist.',
    },
    print: {
      body: KeyedOptions,
      reply: PrintJob.extend({ digits: z.array(z.string()) }),
      summary: 'Makes codes and prints their labels; or prints those of codes that exist.',
    },
    release: {
      params: { x: z.coerce.number<unknown>().int().positive(), y: z.coerce.number<unknown>().int().positive() },
      reply: z.object({ freed: z.array(z.string()), open: z.array(OpenCode) }),
      summary: 'Frees the codes of a wagon (y) of a pick list (x) whose orders are done with, and names those that stay with their orders.',
    },
    lost: {
      body: z.strictObject({ codes: some }),
      reply: Results,
      summary: 'Writes totes down as lost.',
    },
    foundAgain: {
      body: z.strictObject({ codes: some }),
      reply: Results,
      summary: 'Writes lost totes down as found.',
    },
    free: {
      body: z.strictObject({
        codes: some,
        /** Also where an order is open: it has no tote then. */
        even_open: z.boolean().default(false),
        note: text(limits.note).default(''),
      }),
      reply: Results,
      summary: 'Frees totes, so that they can carry other orders.',
    },
    bind: {
      params: { id: Code },
      body: z.strictObject({
        /** Order number, order code or id. */
        order: text(limits.code).min(1, 'Which order lies in the tote?'),
      }),
      reply: MappedCode,
      summary: 'Says by hand which order lies in a free tote.',
    },
    remove: {
      body: z.strictObject({ codes: some }),
      reply: Results,
      summary: 'Takes free or lost codes out of the pool.',
    },
    export: {
      query: MappingQuestion,
      summary: 'The totes and what they carry, as CSV.',
    },
  },
} satisfies ContractSchemas

export const paperlessOrdersSchemas = {
  calls: {
    orderOf: {
      params: { id: z.string().max(40) },
      reply: z.object({ id, company_id: id, order_no: z.string(), phase: Phase, digits: z.string() }),
      summary: 'Which order a paperless code carries; the id is the digits after PP.',
    },
  },
} satisfies ContractSchemas
