/** Schemas of the calls in crate-rules.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { page, pageQuery } from '#contract/page.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { crateRuleKinds, crateWords } from './crates.codes.ts'

const Kind = z.enum(crateRuleKinds)

export const CrateRule = z.object({
  id: z.number().int(),
  sku: z.string(),
  kind: Kind,
  /** Null for every crate. */
  crate: z.object({ id: z.number().int(), name: z.string(), code: z.string() }).nullable(),
  pieces: z.number().int().nullable(),
  percent: z.number().int().nullable(),
  /** Null for every order. */
  conditions: RuleJson.nullable(),
  /** True when the conditions use something that no longer exists: the rule is passed over. */
  broken: z.boolean(),
  /** Null where no product has the SKU. */
  product: z.string().nullable(),
})
export type CrateRule = z.infer<typeof CrateRule>

export const CrateRuleFields = z
  .strictObject({
    kind: Kind,
    pieces: z.number().int().min(1).max(10_000).nullable().default(null),
    percent: z.number().int().min(1).max(90).nullable().default(null),
    conditions: RuleJson.nullable().default(null),
  })
  .refine(({ kind, pieces }) => kind !== 'pieces' || pieces !== null, { path: ['pieces'], message: crateWords.pieces })
  .refine(({ kind, percent }) => kind !== 'filler' || percent !== null, { path: ['percent'], message: crateWords.percent })
export type CrateRuleFields = z.output<typeof CrateRuleFields>

const Question = z.object({
  query: z.string().trim().max(200).default(''),
  sku: text(64).optional(),
  kind: Kind.optional(),
  crate: z.coerce.number<unknown>().int().positive().optional(),
  sort: z.enum(['sku', '-sku']).default('sku'),
})
export type CrateRuleQuestion = z.output<typeof Question>

export const crateRulesSchemas = {
  components: { CrateRule, CrateRuleFields },
  calls: {
    list: {
      query: pageQuery.extend(Question.shape),
      reply: page(CrateRule),
      summary: 'The rules of the company by SKU, page by page.',
    },
    options: {
      reply: z.object({
        crates: z.array(z.object({ id: z.number().int(), name: z.string(), code: z.string() })),
        kinds: z.array(Kind),
        /** Counted to at most 10,000. */
        products_without_size: z.number().int(),
        /** The first hundred SKUs of rules that no product has. */
        unmatched_skus: z.array(z.string()),
      }),
      summary: 'What the form of a rule offers, and how complete the data of the products are.',
    },
    set: {
      params: { id: z.coerce.number<unknown>().int().min(0).max(Number.MAX_SAFE_INTEGER), sku: text(64).min(1) },
      body: CrateRuleFields,
      reply: CrateRule,
      summary: 'Sets the rule of a kind for a SKU and a crate; 0 stands for none. The same call again changes nothing.',
    },
    remove: { summary: 'Removes a rule.' },
    export: { query: Question, summary: 'The rules of the list as CSV, at most 20,000 rows.' },
  },
} satisfies ContractSchemas
