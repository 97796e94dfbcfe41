/** Schemas of the calls in bulk-invoicing.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Locale, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { isCountry } from '#domain/country-names.ts'
import { isCurrency } from '#domain/money.ts'
import { Email } from '#features/company/users/users.schemas.ts'
import { configWords, deliveryTerms, groupings, invoiceFormats, sendTimes } from './bulk-invoicing.codes.ts'

const Currency = z.string().trim().toUpperCase().refine(isCurrency, configWords.currency)
const Country = z.string().trim().toUpperCase().refine(isCountry, 'Choose a country')

/** Who imports or exports. It may be left empty until the configuration is switched on. */
export const TradeParty = z.strictObject({
  name: text(limits.name).default(''),
  address1: text(200).default(''),
  address2: text(200).default(''),
  postcode: text(20).default(''),
  city: text(100).default(''),
  country: z.union([z.literal(''), Country]).default(''),
  /** VAT or organisation number in its country. */
  vat_no: text(30).default(''),
  eori: text(20).default(''),
})
export type TradeParty = z.output<typeof TradeParty>
export const noParty: TradeParty = TradeParty.parse({})

/** Without defaults: a change that leaves a field out leaves it as it is. */
const Settings = z.strictObject({
  importer: TradeParty,
  exporter: TradeParty,
  terms: z.enum(deliveryTerms),
  terms_place: text(100),
  currency: Currency,
  /** Goods of one line share tariff code and origin, and with `hs_origin_sku` the product. */
  grouping: z.enum(groupings),
  /** How many digits of the tariff code count. */
  hs_digits: z.number().int().min(6).max(11),
  /** Language of the paper. */
  locale: Locale,
  /** What stands before the year in the number. */
  series: z
    .string()
    .trim()
    .max(10)
    .regex(/^[A-Z0-9/-]*$/, configWords.series),
  min_parcels: z.number().int().min(0).max(10_000),
  max_lines: z.number().int().min(1).max(5_000),
})
const of = Settings.shape
export const ConfigFields = Settings.extend({
  importer: of.importer.default(noParty),
  exporter: of.exporter.default(noParty),
  terms: of.terms.default('DAP'),
  terms_place: of.terms_place.default(''),
  grouping: of.grouping.default('hs_origin'),
  hs_digits: of.hs_digits.default(8),
  locale: of.locale.default('en_GB'),
  series: of.series.default(''),
  min_parcels: of.min_parcels.default(0),
  max_lines: of.max_lines.default(200),
})
export type ConfigFields = z.output<typeof ConfigFields>

export const SendFields = z.strictObject({
  emails: z.array(Email).max(10).default([]),
  formats: z.array(z.enum(invoiceFormats)).min(1).max(3).default(['pdf']),
  when: z.enum(sendTimes).default('manual'),
  /** Empty stands for the number and the company. */
  subject: text(150).default(''),
})
export type SendFields = z.output<typeof SendFields>

const SendTo = SendFields.extend({
  /** Mails a sample to the recipients. */
  test: z.boolean().default(false),
  version: z.number().int().min(1).optional(),
})
export type SendTo = z.output<typeof SendTo>

export const BulkInvoicingConfig = z.object({
  config_id: z.number().int(),
  agent_code: z.string(),
  agent: z.string(),
  country: z.string(),
  country_id: z.number().int(),
  active: z.boolean(),
  ...Settings.shape,
  ...SendFields.shape,
  /** What is missing before it can be switched on. */
  incomplete: z.array(z.string()),
  version: z.number().int(),
  updated_at: z.string(),
})
export type BulkInvoicingConfig = z.output<typeof BulkInvoicingConfig>

const config_id = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)
const country_id = z.coerce.number<unknown>().int().min(0).max(9_999)

export const bulkInvoicingSchemas = {
  components: { BulkInvoicingConfig },
  calls: {
    list: { reply: z.array(BulkInvoicingConfig), summary: 'Configurations of the company by courier and country.' },
    get: { reply: BulkInvoicingConfig, summary: 'One configuration.' },
    create: {
      params: { country_id },
      body: ConfigFields,
      reply: BulkInvoicingConfig,
      summary: 'Adds a configuration, switched off. 409 `config_exists` where the courier and country have one.',
    },
    update: {
      params: { config_id },
      body: Settings.partial().extend({ version: z.number().int().min(1) }),
      reply: BulkInvoicingConfig,
      summary: 'Changes the sent fields; 409 with the current state when the version is old.',
    },
    setActive: {
      params: { config_id, active: z.stringbool() },
      reply: BulkInvoicingConfig,
      summary: 'Switches a configuration on or off. 422 `config_incomplete` names what is missing.',
    },
    sendTo: {
      params: { config_id },
      body: SendTo,
      reply: BulkInvoicingConfig,
      summary: 'Who gets invoices, as which files and when; with `test` a sample is mailed to them.',
    },
    copy: {
      params: { config_id, country_id },
      reply: BulkInvoicingConfig,
      summary: 'Copies a configuration to another courier or country, switched off and, for another country, without the importer.',
    },
  },
} satisfies ContractSchemas
