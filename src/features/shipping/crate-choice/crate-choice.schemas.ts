/** Schemas of the calls in crate-choice.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { basketStates, leftOutReasons } from './crate-choice.codes.ts'

const Three = z.tuple([z.number(), z.number(), z.number()])

export const SuggestedCrates = z.object({
  /**
   * `rule`: a rule decided; `learned`: what packers used for the same basket, or a person decided for it; `estimate`: by volume alone,
   * because sizes are missing or there are more than 200 pieces; `none`: no crate.
   */
  status: z.enum(['exact', 'rule', 'learned', 'estimate', 'none']),
  crates: z.array(
    z.object({
      crate: z.object({ id: z.number().int(), name: z.string(), code: z.string(), inner_mm: Three }),
      /** Null in an estimate. */
      fill_percent: z.number().int().nullable(),
      /** With the crate; null where a weight is not known. */
      weight_g: z.number().int().nullable(),
      /** What the courier charges, in the currency of `cost`; null where prices or weights are not known. */
      postage: z.number().int().nullable(),
      /** Pieces from the floor up, in mm: the corner next to the crate's origin, and the sides as turned. */
      items: z.array(z.object({ order_item_id: z.number().int(), at: Three, size: Three })),
    }),
  ),
  /** Of the crates, without the courier's price. Null where there is none. */
  cost: z.object({ amount: z.number().int(), currency: z.string() }).nullable(),
  /** Of all parcels by the courier's prices; null where one of them is not known. */
  postage: z.object({ amount: z.number().int(), currency: z.string() }).nullable(),
  /** Of the order; null for products without an order. */
  order: z.object({ id: z.number().int(), order_no: z.string(), agent_code: z.string().nullable() }).nullable(),
  lines: z.array(z.object({ order_item_id: z.number().int(), sku: z.string().nullable(), name: z.string(), qty: z.number().int() })),
  /** The other crates that are known, each with the first reason against it. */
  others: z.array(
    z.object({
      crate: z.object({ id: z.number().int(), name: z.string(), code: z.string() }),
      why: z.enum(leftOutReasons),
      /** The line that does not go into it. */
      order_item_id: z.number().int().nullable(),
    }),
  ),
  /** Lines without a known size. */
  without_size: z.array(z.number().int()),
  /** Lines that go into no crate that they may go into. */
  too_large: z.array(z.number().int()),
})
export type SuggestedCrates = z.infer<typeof SuggestedCrates>

export const ParcelCrate = z.object({ id: z.number().int(), name: z.string(), code: z.string() })
export type ParcelCrate = z.infer<typeof ParcelCrate>

const Day = z.iso.date('Enter the day as 2026-11-21')
const CrateReportQuestion = z.object({
  company: z.coerce.number<unknown>().int().positive().optional(),
  from: Day.optional(),
  to: Day.optional(),
  /** Only parcels that went out in another crate than the suggested one. */
  deviating: z.stringbool().optional(),
})
export type CrateReportQuestion = z.infer<typeof CrateReportQuestion>

export const CrateUse = z.object({
  /** Null where none was suggested, or the order became several parcels. */
  suggested: ParcelCrate.nullable(),
  used: ParcelCrate,
  times: z.number().int(),
  /** Of the used crates, in minor units. */
  cost: z.number().int(),
  /** What they cost more than the suggested ones; below zero where they cost less. */
  difference: z.number().int(),
  currency: z.string(),
  last_at: z.string(),
})
export type CrateUse = z.infer<typeof CrateUse>

export const CrateReport = page(CrateUse).extend({
  /** Of the question without `deviating`. */
  totals: z.object({
    parcels: z.number().int(),
    suggested: z.number().int(),
    /** Parcels that went out in the suggested crate. */
    followed: z.number().int(),
  }),
})
export type CrateReport = z.infer<typeof CrateReport>

const BasketQuestion = z.object({
  company: z.coerce.number<unknown>().int().positive().optional(),
  from: Day.optional(),
  to: Day.optional(),
  state: z.enum(basketStates).default('open'),
})
export type BasketQuestion = z.output<typeof BasketQuestion>

/** A basket that packers put into another crate than the suggested one. */
export const BasketDeviation = z.object({
  key: z.string(),
  company_id: z.number().int(),
  lines: z.array(
    z.object({ sku: z.string().nullable(), name: z.string(), qty: z.number().int(), size_mm: z.array(z.number().int()).nullable() }),
  ),
  suggested: ParcelCrate,
  used: ParcelCrate,
  /** Whether the used crate holds more than the suggested one: then an item is probably larger than its size says. */
  larger: z.boolean(),
  times: z.number().int(),
  /** All parcels with this basket. */
  parcels: z.number().int(),
  /** What the used crates cost more than the suggested ones; below zero where they cost less. */
  difference: z.number().int(),
  currency: z.string(),
  last_at: z.string(),
  state: z.enum(basketStates),
  decided_by: z.string().nullable(),
})
export type BasketDeviation = z.infer<typeof BasketDeviation>

export const crateChoiceSchemas = {
  components: { SuggestedCrates, ParcelCrate, CrateUse, CrateReport, BasketDeviation },
  calls: {
    preview: {
      body: z
        .strictObject({
          order_id: z.number().int().positive().optional(),
          order_no: text(limits.name).min(1).optional(),
          /** Of the caller's company, beside any order. Rules that hold for some orders only are left out. */
          items: z
            .array(z.strictObject({ sku: text(64).min(1), qty: z.number().int().min(1).max(10_000) }))
            .min(1)
            .max(50)
            .optional(),
        })
        .refine(({ order_id, order_no, items }) => [order_id, order_no, items].filter(one => one !== undefined).length === 1, {
          message: 'Enter an order or products',
        }),
      reply: SuggestedCrates,
      summary:
        'The cheapest crates for what an order still has to send, or for products, with where each piece lies and what is against the other crates. Nothing is changed.',
    },
    report: {
      query: pageQuery.extend(CrateReportQuestion.shape),
      reply: CrateReport,
      summary: 'Closed parcels by the crate that was suggested and the one that was used, the most frequent first.',
    },
    baskets: {
      query: pageQuery.extend(BasketQuestion.shape),
      reply: page(BasketDeviation),
      summary: 'Baskets that packers put into another crate than the suggested one, the most frequent first. Names no packer.',
    },
    decideBasket: {
      body: z.strictObject({
        company_id: z.number().int().positive(),
        key: z.string().min(1).max(64),
        state: z.enum(basketStates),
        /** The crate that is adopted. */
        crate_id: z.number().int().positive().nullable().default(null),
      }),
      summary:
        'Adopts a crate for a basket, which is then always suggested for it, leaves the basket out of the report, or takes either back.',
    },
    export: { query: CrateReportQuestion, summary: 'The report as CSV, at most 5,000 rows.' },
  },
} satisfies ContractSchemas
