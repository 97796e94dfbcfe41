/** Schemas of the calls in invoices.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { isCountry } from '#domain/country-names.ts'
import { Email } from '#features/company/users/users.schemas.ts'
import { invoiceFormats } from '#features/invoicing/bulk-invoicing/bulk-invoicing.codes.ts'
import { TradeParty } from '#features/invoicing/bulk-invoicing/bulk-invoicing.schemas.ts'
import { PrintJob } from '#features/printing/print-jobs/print-jobs.schemas.ts'
import { checkCodes, checkLevels, gaps, invoiceKinds, invoiceSorts, invoiceStates, mostParcels, queueRefusals } from './invoices.codes.ts'

const id = z.number().int()
const idIn = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)
const bodyId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const CountryIn = z.string().trim().toUpperCase().refine(isCountry, 'Choose a country')
const company_id = idIn.optional()
const Day = z.iso.date()
const flag = z.stringbool()

/** One invoice as lists show it. Amounts are in minor units of its currency. */
export const TradeInvoice = z.object({
  id,
  company_id: id,
  company: z.string(),
  /** Null while it is a draft. */
  invoice_no: z.string().nullable(),
  kind: z.enum(invoiceKinds),
  state: z.enum(invoiceStates),
  agent_code: z.string(),
  agent: z.string(),
  country: z.string(),
  parcels: id,
  lines: id,
  total: id,
  currency: z.string(),
  issued_on: z.string(),
  created_at: z.string(),
  frozen_at: z.string().nullable(),
  sent_at: z.string().nullable(),
  handed_over_at: z.string().nullable(),
  /** Why it must not leave. */
  blocked_reason: z.string().nullable(),
  version: id,
})
export type TradeInvoice = z.output<typeof TradeInvoice>

const Line = z.object({
  position: id,
  hs_code: z.string(),
  origin: z.string(),
  sku: z.string().nullable(),
  description: z.string(),
  quantity: id,
  value: id,
  net_g: id,
  gross_g: id,
  /** What rounding added to the value. */
  rounding: id,
  /** How many parcels hold some of it. */
  parcels: id,
})
const Parcel = z.object({
  position: id,
  shipment_id: id,
  order_id: id.nullable(),
  order_no: z.string().nullable(),
  tracking_no: z.string().nullable(),
  postcode: z.string(),
  value: id,
  net_g: id,
  gross_g: id,
})
const Check = z.object({
  code: z.enum(checkCodes),
  level: z.enum(checkLevels),
  /** A sentence with placeholders, and their values. */
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The parcels that it is about, the first of them. */
  parcels: z.array(
    z.object({
      shipment_id: id,
      order_id: id.nullable(),
      order_no: z.string().nullable(),
      tracking_no: z.string().nullable(),
      gaps: z.array(z.enum(gaps)),
    }),
  ),
})
export type InvoiceCheck = z.output<typeof Check>

const Delivery = z.object({
  id,
  to_address: z.string(),
  formats: z.array(z.enum(invoiceFormats)),
  at: z.string(),
  by: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed', 'not_sent']),
})
const Other = z.object({ id, invoice_no: z.string().nullable() }).nullable()

export const InvoiceInFull = TradeInvoice.extend({
  terms: z.string(),
  terms_place: z.string(),
  importer: TradeParty,
  exporter: TradeParty,
  locale: z.string(),
  rounding: id,
  net_g: id,
  gross_g: id,
  rates: z.array(z.object({ from: z.string(), to: z.string(), rate: z.string() })),
  line_rows: z.array(Line),
  /** One page of them. */
  parcel_rows: z.array(Parcel),
  /** Of a draft. */
  checks: z.array(Check),
  /** Of what a draft shows: freezing names it, so that nothing else is frozen. Null once frozen. */
  fingerprint: z.string().nullable(),
  sha256: z.string().nullable(),
  kept_until: z.string().nullable(),
  reason: z.string(),
  created_by: z.string(),
  frozen_by: z.string().nullable(),
  /** What it credits, what credits it, what it replaces and what replaces it. */
  credits: Other,
  credited_by: Other,
  replaces: Other,
  replaced_by: Other,
  deliveries: z.array(Delivery),
  /** Recipients of the configuration. */
  emails: z.array(z.string()),
})
export type InvoiceInFull = z.output<typeof InvoiceInFull>

const Asked = z.object({
  /** Number, tracking number or number of an order. */
  query: text(100).default(''),
  state: z.enum([...invoiceStates, 'open']).optional(),
  kind: z.enum(invoiceKinds).optional(),
  courier: text(limits.code).optional(),
  country: CountryIn.optional(),
  from: Day.optional(),
  to: Day.optional(),
  company_id,
  sort: z.enum(invoiceSorts).default('-id'),
})
export type AskedInvoices = z.output<typeof Asked>

/** The parcels of an order that wait for an invoice, or one parcel without an order. */
export const WaitingOrder = z.object({
  order_id: id.nullable(),
  order_no: z.string().nullable(),
  company_id: id,
  company: z.string(),
  shipments: z.array(
    z.object({ shipment_id: id, tracking_no: z.string().nullable(), weight_g: id, state: z.string(), gaps: z.array(z.enum(gaps)) }),
  ),
  value: id.nullable(),
  currency: z.string().nullable(),
  lines: id,
  missing: z.array(z.enum(gaps)),
  queued: z.boolean(),
  skip: z.boolean(),
  queued_at: z.string().nullable(),
})
export type WaitingOrder = z.output<typeof WaitingOrder>

const Count = z.object({ agent_code: z.string(), agent: z.string(), country: z.string(), ready: id, incomplete: id, drafts: id })
export type WaitingCount = z.output<typeof Count>

const client_id = z.uuid().optional()
export const NewInvoice = z
  .strictObject({
    client_id,
    company_id: bodyId.optional(),
    collect_list_ids: z.array(bodyId).min(1).max(20).optional(),
    shipment_ids: z.array(bodyId).min(1).max(mostParcels).optional(),
    /** Every complete parcel that waits. */
    all: z.literal(true).optional(),
    issued_on: Day.optional(),
    freeze: z.boolean().default(false),
    /** Answers what it would be, and saves nothing. */
    preview: z.boolean().default(false),
  })
  .refine(body => [body.collect_list_ids, body.shipment_ids, body.all].filter(one => one !== undefined).length === 1, {
    path: ['all'],
    message: 'Choose collect lists, parcels or all',
  })
export type NewInvoice = z.output<typeof NewInvoice>

export const CreditFields = z.strictObject({
  reason: text(200).min(1),
  /** Freezes the same parcels again, but for `without` and those that are not booked any more. */
  freeze_anew: z.boolean().default(false),
  without: z.array(bodyId).max(mostParcels).default([]),
  version: z.number().int().min(1).optional(),
})
export type CreditFields = z.output<typeof CreditFields>

const SendInvoice = z.strictObject({
  client_id,
  /** Without it the recipients of the configuration. */
  emails: z.array(Email).min(1).max(10).optional(),
  formats: z.array(z.enum(invoiceFormats)).min(1).max(3).optional(),
})

export const invoicesSchemas = {
  components: { TradeInvoice, InvoiceInFull, WaitingOrder },
  calls: {
    list: { query: pageQuery.extend(Asked.shape), reply: page(TradeInvoice), summary: 'Invoices, credits and drafts, page by page.' },
    orders: {
      params: { country: CountryIn },
      query: pageQuery.extend({
        missing: z.literal('only').optional(),
        /** Orders that are left out, which have their own papers. */
        skipped: z.literal('only').optional(),
        collect_list_id: idIn.optional(),
        query: text(100).default(''),
        company_id,
      }),
      reply: page(WaitingOrder),
      summary: 'Packed orders that wait for an invoice to this country, with what each lacks.',
    },
    counts: {
      params: { country: CountryIn },
      query: z.object({ company_id }),
      reply: z.array(Count),
      summary: 'How many parcels to a country wait for an invoice, by courier.',
    },
    count: {
      params: { country: CountryIn },
      query: z.object({ company_id }),
      reply: Count,
      summary: 'The same for one courier. Deprecated: parcel_count/for/{country} answers all of them.',
    },
    get: {
      query: z.object({ parcels_page: z.coerce.number<unknown>().int().min(1).max(10_000).default(1) }),
      reply: InvoiceInFull,
      summary: 'One invoice with its lines, 50 of its parcels, and the checks of a draft.',
    },
    create: {
      params: { country: CountryIn },
      body: NewInvoice,
      reply: InvoiceInFull,
      summary:
        'Makes a draft, freezes it at once with `freeze`, or only shows it with `preview`. The same client_id answers the same invoice. 409 `no_config` where bulk invoicing is off.',
    },
    print: {
      params: { invoice_id: idIn, printer_id: idIn },
      query: z.object({ copies: z.coerce.number<unknown>().int().min(1).max(5).default(1), client_id }),
      reply: PrintJob,
      summary: 'Prints an invoice. The same client_id, or without one the same invoice and printer, prints once.',
    },
    download: {
      query: z.object({ format: z.enum(invoiceFormats).default('pdf'), draft: flag.default(false) }),
      summary: 'The invoice as PDF, CSV or JSON, with the same sums. A draft has a PDF with `draft`, marked as one.',
    },
    tabs: {
      query: z.object({ company_id }),
      reply: z.array(Count.extend({ blocked: id })),
      summary: 'Couriers and countries with bulk invoicing, with how much waits for each.',
    },
    export: { query: Asked, summary: 'Invoices as CSV.' },
    freeze: {
      body: z.strictObject({ version: z.number().int().min(1), fingerprint: z.string().max(64).optional() }),
      reply: InvoiceInFull,
      summary:
        'Gives a draft the next number. It can never be changed afterwards. 409 `invoice_changed` where it differs from what was shown, 422 `invoice_incomplete` with the checks.',
    },
    send: {
      body: SendInvoice,
      reply: InvoiceInFull,
      summary: 'Mails an invoice with its files. The same client_id mails once.',
    },
    credit: {
      body: CreditFields,
      reply: z.object({ credit: InvoiceInFull, replacement: InvoiceInFull.nullable() }),
      summary: 'Credits an invoice under the next number and frees its parcels; with `freeze_anew` the others are frozen again.',
    },
    removeDraft: { summary: 'Deletes a draft; again is no mistake. Its parcels go on waiting.' },
  },
} satisfies ContractSchemas

export const bulkInvoiceOrdersSchemas = {
  calls: {
    enqueue: {
      body: z.strictObject({ shipment_ids: z.array(bodyId).min(1).max(200).optional() }).nullish(),
      reply: z.object({
        queued: z.array(id),
        refused: z.array(z.object({ shipment_id: id, code: z.enum(queueRefusals), text: z.string() })),
      }),
      summary: 'Lets booked parcels of an order wait for an invoice; those that wait already go on waiting.',
    },
    setSkip: {
      params: { skip: flag },
      body: z.strictObject({ order_item_ids: z.array(bodyId).min(1).max(500).optional() }).nullish(),
      reply: z.object({ skipped_items: z.array(id), queued: z.array(id) }),
      summary:
        'Leaves lines of an order out of bulk invoicing, or takes them in again; without ids all. A parcel with such a line is cleared alone.',
    },
  },
} satisfies ContractSchemas
