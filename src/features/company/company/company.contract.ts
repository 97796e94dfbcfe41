/** Company: what a company sets for itself – its face, its warehouse, its packing rules. */

import * as z from 'zod'
import { Locale, limits, line } from '#contract/limits.ts'

export const Address = z.object({
  name: line(limits.name).default(''),
  address1: line(limits.name).default(''),
  address2: line(limits.name).default(''),
  postcode: line(20).default(''),
  city: line(limits.name).default(''),
  country: z.string().length(2).default('DK'),
  phone: line(40).default(''),
  email: line(254).default(''),
})
export type Address = z.infer<typeof Address>

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write the time as 16:00')

export const CompanySettings = z.object({
  locale: Locale.default('en_GB'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('DKK'),
  time_zone: z.string().max(60).default('Europe/Copenhagen'),
  /** The company's own colour on its tracking page and in the top bar. */
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'Write the colour as #14597a')
    .nullable()
    .default(null),
  logo_file_id: z.number().int().nullable().default(null),
  /** Shown to customers: home page and how to reach the shop. */
  homepage: line(300).default(''),
  support_email: line(254).default(''),
  support_phone: line(40).default(''),
  sender: Address.default(Address.parse({})),
  /** Matched whole against the public address of a packing station; empty locks the bench for everybody. */
  packing_ip_pattern: z.string().max(limits.pattern).default(''),
  /** 7 to 10 digits; without one the own courier's numbers claim no GS1 prefix. */
  gs1_prefix: z
    .string()
    .regex(/^\d{7,10}$/, 'A GS1 company prefix has 7 to 10 digits')
    .nullable()
    .default(null),
  /** Orders placed before this time leave the same day. */
  cut_off: clock.default('16:00'),
  working_days: z.array(z.number().int().min(1).max(7)).default([1, 2, 3, 4, 5]),
  /** Seconds between import and release. */
  release_delay_s: z.number().int().min(0).max(86_400).default(0),
  pack_without_pick_list: z.boolean().default(true),
  /** Weight of box and filler added to the products' own. */
  packaging_weight_g: z.number().int().min(0).max(30_000).default(200),
  /** What a product weighs when nobody knows. */
  default_weight_g: z.number().int().min(0).max(100_000).default(500),
  bypass_needs_pin: z.boolean().default(true),
  print_slip: z.boolean().default(false),
})
export type CompanySettings = z.infer<typeof CompanySettings>
