/** Schemas of the calls in customs-numbers.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { numberKinds } from '#domain/consignment.ts'
import { isCountry } from '#domain/country-names.ts'
import { hasForm, plainNumber } from '#domain/customs/registration-numbers.ts'
import { numberWords } from './customs-numbers.codes.ts'

const Day = z.iso.date()

export const NumberFields = z
  .strictObject({
    kind: z.enum(numberKinds),
    country: z.string().trim().toUpperCase().refine(isCountry, numberWords.country),
    value: z.string().trim().min(2, numberWords.form).max(30).transform(plainNumber),
    valid_from: Day.nullable().default(null),
    valid_to: Day.nullable().default(null),
  })
  .refine(one => hasForm(one.kind, one.country, one.value), { path: ['value'], message: numberWords.form })
  .refine(one => one.valid_from === null || one.valid_to === null || one.valid_to >= one.valid_from, {
    path: ['valid_to'],
    message: numberWords.period,
  })
export type NumberFields = z.output<typeof NumberFields>

export const CustomsNumber = z.object({
  id: z.number().int(),
  kind: z.enum(numberKinds),
  country: z.string(),
  value: z.string(),
  valid_from: z.string().nullable(),
  valid_to: z.string().nullable(),
})
export type CustomsNumber = z.output<typeof CustomsNumber>

export const customsNumbersSchemas = {
  components: { CustomsNumber },
  calls: {
    list: { reply: z.array(CustomsNumber), summary: 'Numbers under which the company is registered for VAT and customs.' },
    set: {
      body: NumberFields,
      reply: CustomsNumber,
      summary: 'Enters a number in the form of its kind and country; the same number again changes its period.',
    },
    remove: { summary: 'Removes a number; again is no mistake. Booked parcels keep those they were declared under.' },
  },
} satisfies ContractSchemas
