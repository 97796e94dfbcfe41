/** Schemas of the calls in rma-languages.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, Locale, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { mainShop, rmaTargets, rmaTextLimits } from './rma-languages.codes.ts'

export const RmaTexts = z.strictObject({
  /** The first sentence of the portal. */
  greeting: text(rmaTextLimits.greeting),
  /** Where customers send parcels that they label themselves. */
  return_address: text(rmaTextLimits.return_address),
  /** What the e-mail says that confirms a return. */
  confirmation: text(rmaTextLimits.confirmation),
  /** Shown below the form: conditions, or the information about the right of withdrawal. */
  legal: text(rmaTextLimits.legal),
  support: text(rmaTextLimits.support),
})
export type RmaTexts = z.output<typeof RmaTexts>

const picture = z.string().nullable()

export const RmaLanguage = z.object({
  shop: z.string(),
  language: Locale,
  enabled: z.boolean(),
  texts: RmaTexts,
  /** Null without a picture; changes when the picture changes. */
  pictures: z.object({ logo: picture, header: picture, background: picture }),
  /** 0 where nothing was saved yet. */
  version: z.number().int(),
})
export type RmaLanguage = z.output<typeof RmaLanguage>

const Shop = text(limits.code).min(1).default(mainShop)
const ofShop = z.object({ shop: Shop })
const language = { language: Locale }
const target = z.enum(rmaTargets)

export const rmaLanguagesSchemas = {
  components: { RmaLanguage },
  calls: {
    enable: {
      params: language,
      query: ofShop,
      reply: RmaLanguage,
      summary:
        'Opens the return portal of a shop in a language; again is no mistake. 409 `rma_texts_missing` without return address and confirmation.',
    },
    disable: {
      params: language,
      query: ofShop,
      reply: RmaLanguage,
      summary: 'Closes the return portal in a language; links to running returns stay. Again is no mistake.',
    },
    picture: {
      params: { ...language, target },
      query: ofShop.extend({ v: z.string().max(16).optional() }),
      summary:
        'A picture of the portal; the logo is the company’s where the language has none of its own. With `v` it may be kept for ever.',
    },
    setPicture: {
      params: { ...language, target },
      query: ofShop,
      reply: z.object({ version: z.number().int() }),
      summary: 'Sets a picture, drawn anew; an empty body removes it. 422 `not_an_image`.',
    },
    list: {
      query: ofShop,
      reply: z.object({
        rows: z.array(RmaLanguage),
        /** The shops for which there can be a portal. */
        shops: z.array(z.string()),
        /** False without a mail account: confirmations cannot be sent. */
        sends_mail: z.boolean(),
      }),
      summary: 'The portal of a shop in all languages.',
    },
    setTexts: {
      params: language,
      query: ofShop,
      body: z.strictObject({ texts: RmaTexts, version: z.number().int().min(0) }),
      reply: RmaLanguage,
      summary:
        'Sets the texts of a language; 409 with the current state when the version is old, and `rma_texts_missing` where an open portal would lose one that it needs.',
    },
    preview: {
      params: language,
      query: ofShop,
      reply: z.object({ token: z.string(), expires_at: Instant }),
      summary: 'A token that shows what is saved for 30 minutes to everyone who has it.',
    },
  },
} satisfies ContractSchemas
