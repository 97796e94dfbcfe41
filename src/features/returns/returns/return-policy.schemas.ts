/** A rule for returns as it is stored and sent: its conditions, and what it changes for the items that meet them. */
import * as z from 'zod'
import { Locale, text } from '#contract/fields.schemas.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { exemptions, policyLimits, portalMethods, returnOutcomes } from './returns.codes.ts'

const days = z.number().int().min(0).max(3_650, 'At most 3,650 days')

/** Absent means unchanged: another rule decides, or the settings of the company. */
export const ReturnRuleEffects = z.strictObject({
  /** Days after the delivery in which the items may come back. */
  window_days: days.nullable().default(null),
  refuse: z
    .strictObject({
      /** What the customer reads, by language; in other languages that of the company. */
      words: z
        .partialRecord(Locale, text(policyLimits.words))
        .refine(words => Object.values(words).some(Boolean), 'Write what the customer reads.'),
      /** Why the law gives no right of withdrawal for these goods (Directive 2011/83/EU, Article 16). Without it the rule waits for the end of that right. */
      exemption: z.enum(exemptions).nullable().default(null),
    })
    .nullable()
    .default(null),
  review: z.enum(['always', 'never']).nullable().default(null),
  fee: z
    .union([
      z.strictObject({ amount: z.number().int().min(0).max(1_000_000) }),
      z.strictObject({ percent: z.number().int().min(0).max(100, 'At most 100 %') }),
    ])
    .nullable()
    .default(null),
  outcomes: z.array(z.enum(returnOutcomes)).min(1, 'Choose at least one.').max(returnOutcomes.length).nullable().default(null),
  methods: z.array(z.enum(portalMethods)).min(1, 'Choose at least one.').max(portalMethods.length).nullable().default(null),
  photo: z.boolean().default(false),
  /** The customer gets the money and sends nothing back; of other outcomes it changes nothing. */
  keep: z.boolean().default(false),
  /** Where the item goes: a bin or a shelf at the desk, and the address to which its customer sends it. */
  destination: z
    .strictObject({ bin: text(policyLimits.bin).default(''), address: text(policyLimits.words).default('') })
    .refine(({ bin, address }) => bin !== '' || address !== '', 'Write a bin or an address.')
    .nullable()
    .default(null),
  /** What the customer is asked about the item. */
  question: z
    .strictObject({
      words: z
        .partialRecord(Locale, text(policyLimits.words))
        .refine(words => Object.values(words).some(Boolean), 'Write what the customer reads.'),
      required: z.boolean().default(true),
    })
    .nullable()
    .default(null),
})
export type ReturnRuleEffects = z.output<typeof ReturnRuleEffects>

export const ReturnRule = z.strictObject({
  /** Given by the client that added it. */
  id: z.uuid(),
  name: text(policyLimits.name).min(1, 'Enter a name'),
  active: z.boolean().default(true),
  /** In the grammar of rules. */
  conditions: RuleJson,
  effects: ReturnRuleEffects.refine(
    ({ photo, keep, ...effects }) => photo || keep || Object.values(effects).some(one => one !== null),
    'Choose at least one effect.',
  ),
})
export type ReturnRule = z.output<typeof ReturnRule>
