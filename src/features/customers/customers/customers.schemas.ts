/** Schemas of the calls in customers.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Locale, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { longestTag } from '#features/company/tags/tags.codes.ts'
import {
  checkTypes,
  customerFlags,
  customerSorts,
  customerViews,
  customerWords,
  mostLookups,
  noteTypes,
  suggestionReasons,
} from './customers.codes.ts'

const id = z.number().int()
const idIn = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)
const CustomerFlag = z.enum(customerFlags)
const Name = text(300).min(1, customerWords.name)
const Lookup = z.strictObject({ check_type: z.enum(checkTypes), check_value: text(254).min(1, customerWords.lookup) })

const CustomerLookup = z.object({
  id,
  check_type: z.enum(checkTypes),
  /** Normalized: lower case, E.164, or `company:shop:number`. */
  check_value: z.string(),
  /** Those of the companies in scope that know it. */
  company_ids: z.array(id),
})

export const CustomerNote = z.object({
  id,
  company_id: id,
  type: z.enum(noteTypes),
  note: z.string(),
  /** Also shown to the packer. */
  at_station: z.boolean(),
  /** The last day on which it is shown. */
  until: z.string().nullable(),
  actor: z.string(),
  created_at: z.string(),
})
export type CustomerNote = z.infer<typeof CustomerNote>

export const CustomerRow = z.object({
  customer_id: id,
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  company_ids: z.array(id),
  order_count: id,
  last_order_at: z.string().nullable(),
  flags: z.array(CustomerFlag),
  warnings: id,
  /** Somebody else may be the same person. */
  has_double: z.boolean(),
  /** Tags that companies in scope gave. */
  tags: z.array(z.string()),
})
export type CustomerRow = z.infer<typeof CustomerRow>

export const CustomerSuggestion = z.object({
  customer_id: id,
  reason: z.enum(suggestionReasons),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  order_count: id,
  last_order_at: z.string().nullable(),
})
export type CustomerSuggestion = z.infer<typeof CustomerSuggestion>

export const Customer = z.object({
  customer_id: id,
  /** The id that was asked for, where it was merged into this customer. */
  asked_id: id,
  version: id,
  name: z.string(),
  locale: z.string().nullable(),
  created_at: z.string(),
  companies: z.array(
    z.object({
      company_id: id,
      name: z.string(),
      order_count: id,
      first_order_at: z.string().nullable(),
      last_order_at: z.string().nullable(),
    }),
  ),
  lookups: z.array(CustomerLookup),
  notes: z.array(CustomerNote),
  flags: z.array(z.object({ company_id: id, flag: CustomerFlag, actor: z.string(), created_at: z.string() })),
  figures: z.object({
    orders: id,
    open: id,
    cancelled: id,
    first_order_at: z.string().nullable(),
    last_order_at: z.string().nullable(),
    shipped_items: id,
    returned_items: id,
  }),
  /** The parcel shop of the last order that went to one. */
  parcel_shop: z.string().nullable(),
  tags: z.array(z.string()),
  merges: z.array(z.object({ id, former_root_id: id, name: z.string(), actor: z.string(), created_at: z.string() })),
  suggestions: z.array(CustomerSuggestion),
})
export type Customer = z.infer<typeof Customer>

const Asked = z.object({
  /** Name, e-mail, phone, postcode or shop number. */
  query: z.string().trim().max(200).default(''),
  /** `duplicates`: may be one person with another; `blocked`: flagged as a known problem. */
  view: z.enum(customerViews).default('all'),
  flag: CustomerFlag.optional(),
  tag: text(longestTag).optional(),
  company_id: idIn.optional(),
  sort: z.enum(customerSorts).default('last_order'),
})
export type AskedCustomers = z.output<typeof Asked>

export const NewCustomerBody = z.strictObject({
  name: Name,
  locale: Locale.nullable().default(null),
  lookups: z.array(Lookup).min(1, customerWords.lookup).max(10),
  note: text(limits.note).default(''),
})
export type NewCustomerBody = z.output<typeof NewCustomerBody>

export const CustomerChange = z.strictObject({
  version: id,
  name: Name.optional(),
  locale: Locale.nullable().optional(),
  /** All flags that the caller's own company sets; those of others stay. */
  flags: z.array(CustomerFlag).max(customerFlags.length).optional(),
})
export type CustomerChange = z.output<typeof CustomerChange>

export const NoteBody = z.strictObject({
  type: z.enum(noteTypes).default('info'),
  note: text(limits.note).min(1, customerWords.note),
  at_station: z.boolean().default(false),
  until: z.iso.date().nullable().default(null),
  /** The same id again answers the note that it made. */
  client_id: z.uuid().optional(),
})
export type NoteBody = z.output<typeof NoteBody>

const LookupBody = Lookup
const Pair = z.object({ root_id: idIn, member_id: idIn })

export const CustomerOfOrder = z.object({
  /** Null where the order names no one who is recognized. */
  customer: z
    .object({
      customer_id: id,
      name: z.string(),
      order_count: id,
      last_order_at: z.string().nullable(),
      flags: z.array(CustomerFlag),
      /** Notes that count for the order's company and have not ended, the warnings first. */
      notes: z.array(CustomerNote),
      has_double: z.boolean(),
    })
    .nullable(),
})
export type CustomerOfOrder = z.infer<typeof CustomerOfOrder>

export const customersSchemas = {
  components: { CustomerLookup, CustomerNote, CustomerRow, CustomerSuggestion, Customer },
  calls: {
    get: { reply: Customer, summary: 'One customer as the caller’s companies know it; a merged one answers the customer it belongs to.' },
    search: {
      query: pageQuery.extend(Asked.shape),
      reply: page(CustomerRow),
      summary: 'Customers by name, e-mail, phone, postcode or shop number, page by page.',
    },
    export: { query: Asked, summary: 'The filtered list as CSV, at most 100,000 customers.' },
    find: {
      params: { check_type: z.string().max(40), check_value: z.string().max(254) },
      reply: z.object({ customer: CustomerRow.nullable(), suggestions: z.array(CustomerSuggestion) }),
      summary: 'The customer of an e-mail address, a phone number or a shop number, compared as orders are when they are stored.',
    },
    create: { body: NewCustomerBody, reply: Customer, summary: 'Creates a customer; 409 when a lookup belongs to one already.' },
    update: {
      body: CustomerChange,
      reply: Customer,
      summary: 'Changes the name, the language or the flags; 409 with the current state when the version is old.',
    },
    addLookup: {
      body: LookupBody,
      reply: Customer,
      summary: `Adds an e-mail address, a phone number or a shop number, at most ${mostLookups}.`,
    },
    removeLookup: { summary: 'Removes a lookup: new orders are no longer recognized by it. The last one stays.' },
    addNote: { body: NoteBody, reply: CustomerNote, summary: 'Writes a note on a customer, seen by the own company and the main company.' },
    removeNote: { summary: 'Removes a note.' },
    mergePreview: {
      query: Pair,
      reply: z.object({ root: CustomerRow, member: CustomerRow, reasons: z.array(z.enum(suggestionReasons)) }),
      summary: 'What two customers are before they are merged.',
    },
    merge: {
      body: z.strictObject({ root_id: z.number().int().positive(), member_id: z.number().int().positive() }),
      reply: Customer,
      summary: 'Merges the member into the root. Its orders, lookups and notes stay where they are, so that it can be undone.',
    },
    undoMerge: { reply: Customer, summary: 'Undoes a merge: what belonged to the member before is the member’s again.' },
    dismiss: {
      body: z.strictObject({ root_id: z.number().int().positive(), member_id: z.number().int().positive() }),
      summary: 'These two are not one person; they are not suggested again.',
    },
    ofOrder: { reply: CustomerOfOrder, summary: 'What is to be known of an order’s customer: flags and notes.' },
    accessLog: {
      query: pageQuery,
      reply: page(z.object({ at: z.string(), user_name: z.string(), company_id: id, what: z.string() })),
      summary: 'Who looked at a customer, the newest first.',
    },
  },
} satisfies ContractSchemas
