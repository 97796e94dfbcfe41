/** Schemas of the calls in exchange-rates.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { isCurrency } from '#domain/money.ts'
import { rateWords } from './exchange-rates.codes.ts'

/** The special drawing right has no notes and no list has it, but limits of letters are written in it. */
const Currency = z
  .string()
  .trim()
  .toUpperCase()
  .refine(code => code === 'XDR' || isCurrency(code), rateWords.currency)
const Day = z.iso.date()

export const RateFields = z
  .strictObject({
    from_currency: Currency,
    to_currency: Currency,
    /** What one unit of the first currency is worth in the second. */
    rate: z
      .string()
      .trim()
      .transform(written => written.replace(',', '.'))
      .refine(written => /^\d{1,9}(\.\d{1,8})?$/.test(written) && Number(written) > 0, rateWords.rate),
    valid_from: Day,
    valid_to: Day.nullable().default(null),
    note: text(200).default(''),
  })
  .refine(rate => rate.from_currency !== rate.to_currency, { path: ['to_currency'], message: rateWords.same })
  .refine(rate => rate.valid_to === null || rate.valid_to >= rate.valid_from, { path: ['valid_to'], message: rateWords.period })
export type RateFields = z.output<typeof RateFields>

export const ManualRate = z.object({
  id: z.number().int(),
  from_currency: z.string(),
  to_currency: z.string(),
  rate: z.string(),
  valid_from: z.string(),
  valid_to: z.string().nullable(),
  note: z.string(),
})
export type ManualRate = z.output<typeof ManualRate>

const PublishedRates = z.object({
  /** The day of the European Central Bank’s list that holds; null before the first one. */
  day: z.string().nullable(),
  rates: z.array(z.object({ currency: z.string(), rate: z.string() })),
})
export type PublishedRates = z.output<typeof PublishedRates>

export const exchangeRatesSchemas = {
  components: { ManualRate },
  calls: {
    published: {
      query: z.object({ on: Day.optional() }),
      reply: PublishedRates,
      summary: 'What one euro buys by the reference rates of the European Central Bank, today or on a day.',
    },
    manual: { reply: z.array(ManualRate), summary: 'Rates that the company entered, the newest first. They hold before published ones.' },
    setManual: {
      body: RateFields,
      reply: ManualRate,
      summary: 'Enters a rate; the same currencies and first day again change it.',
    },
    removeManual: { summary: 'Removes a rate; again is no mistake. Frozen invoices keep the rate that they used.' },
  },
} satisfies ContractSchemas
