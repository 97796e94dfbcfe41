/** Schemas of the calls in address-book.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { countryCodes } from '#domain/countries.ts'
import { addressKinds, addressSorts } from './address-book.codes.ts'

/** A field of a form that is left empty is absent. */
const optional = (max: number) =>
  text(max)
    .transform(written => written || null)
    .nullable()
    .default(null)

const Fields = z.strictObject({
  kind: z.enum(addressKinds),
  /** What people choose it by. */
  title: text(60).min(1, 'Enter a title'),
  name: text(limits.name).min(1, 'Enter the name'),
  company: optional(limits.name),
  attention: optional(limits.name),
  address1: text(200).min(1, 'Enter the street and number'),
  address2: optional(200),
  postcode: text(20).min(1, 'Enter the postcode'),
  city: text(100).min(1, 'Enter the city'),
  country: z.enum(countryCodes, 'Select a country'),
  phone: optional(40),
  email: text(254)
    .regex(/^([^\s@]+@[^\s@]+\.[^\s@]+)?$/, 'This is not an e-mail address')
    .transform(written => written || null)
    .nullable()
    .default(null),
  /** To the driver. */
  instruction: optional(300),
  /** New shipments start with it; one of each kind. */
  is_default: z.boolean().default(false),
})
export const AddressFields = Fields
export type AddressFields = z.output<typeof Fields>

export const PredefinedAddress = z.object({
  id: z.number().int(),
  kind: z.enum(addressKinds),
  title: z.string(),
  name: z.string(),
  company: z.string().nullable(),
  attention: z.string().nullable(),
  address1: z.string(),
  address2: z.string().nullable(),
  postcode: z.string(),
  city: z.string(),
  country: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  instruction: z.string().nullable(),
  is_default: z.boolean(),
  version: z.number().int(),
  updated_at: z.string(),
})
export type PredefinedAddress = z.output<typeof PredefinedAddress>

const Filter = z.object({
  kind: z.enum(addressKinds).optional(),
  query: z.string().trim().max(100).default(''),
  /** By the title, the address that new shipments start with stands first. */
  sort: z.enum(addressSorts).default('title'),
})

export const addressBookSchemas = {
  components: { PredefinedAddress, AddressFields },
  calls: {
    list: {
      query: Filter.extend(pageQuery.shape),
      reply: page(PredefinedAddress),
      summary: 'The address book of the company, page by page; every word of the query must occur.',
    },
    create: {
      body: Fields.extend({ client_id: z.uuid().optional() }),
      reply: PredefinedAddress,
      summary: 'Adds an address. The same client_id answers the address that it made before.',
    },
    get: { reply: PredefinedAddress, summary: 'One address.' },
    update: {
      body: Fields.extend({ version: z.number().int().min(1) }),
      reply: PredefinedAddress,
      summary: 'Changes an address; 409 with the current state when the version is old.',
    },
    remove: { summary: 'Removes an address; again is no mistake.' },
    export: { query: Filter, summary: 'The addresses that match, as CSV.' },
  },
} satisfies ContractSchemas
