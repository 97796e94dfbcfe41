/** Company: the settings of a company – branding, warehouse, packing rules. */

import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { companyCode, Locale, limits, text } from '#contract/limits.ts'
import { countryCodes } from '#domain/countries.ts'
import { Email, NewPerson } from '#features/company/users/users.contract.ts'

const Address = z.object({
  name: text(limits.name).default(''),
  address1: text(limits.name).default(''),
  address2: text(limits.name).default(''),
  postcode: text(20).default(''),
  city: text(limits.name).default(''),
  country: z.string().length(2).default('DK'),
  phone: text(40).default(''),
  email: text(254).default(''),
})

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write the time as 16:00')
/** Shown as a link to customers, so it must never be a script. */
const WebAddress = text(300).regex(/^(https?:\/\/[^\s/]+.*)?$/i, 'Write the address with https:// before it')

export const SerialScope = z.enum(['product', 'company', 'none'])

/** How a company records serial numbers. */
export const SerialSettings = z.object({
  /** Off: no product of the company asks for a serial. */
  enabled: z.boolean().default(true),
  /** Where a serial goes out once only, for products without a rule and for new rules. */
  default_scope: SerialScope.default('product'),
  /** `upper`: `a1` and `A1` are the same serial. */
  letters: z.enum(['keep', 'upper']).default('keep'),
  min_length: z.number().int().min(1).max(20).default(3),
})
export type SerialSettings = z.infer<typeof SerialSettings>

export const CompanySettings = z.object({
  locale: Locale.default('en_GB'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Write the currency as three letters, such as DKK')
    .default('DKK'),
  time_zone: z.string().max(60).default('Europe/Copenhagen'),
  /** The company's colour on its tracking page and in the top bar. */
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'Write the colour as #14597a')
    .nullable()
    .default(null),
  logo_file_id: z.number().int().nullable().default(null),
  /** Shown for a shipping method without a handling picture of its own. */
  handling_image_file_id: z.number().int().nullable().default(null),
  /** Shown to customers: home page and contact of the shop. */
  homepage: WebAddress.default(''),
  /** The home page in other languages, where it differs. */
  homepages: z.partialRecord(Locale, WebAddress).default({}),
  support_email: text(254).default(''),
  support_phone: text(40).default(''),
  vat_no: text(20).default(''),
  /** The closing text of an invoice, by language. */
  invoice_footers: z.partialRecord(Locale, text(limits.note)).default({}),
  /** Link to an order in the shop's own system; `{order_no}` and `{external_id}` are replaced. */
  cms_link: WebAddress.default(''),
  /** The domestic country; when absent, the sender's. */
  home_country: z
    .enum(countryCodes as [string, ...string[]])
    .nullable()
    .default(null),
  sender: Address.default(Address.parse({})),
  /** Matched whole against the public address of a packing station; an empty pattern locks all stations. */
  packing_ip_pattern: z.string().max(limits.pattern).default(''),
  /** 7 to 10 digits; without one the own courier's numbers claim no GS1 prefix. */
  gs1_prefix: z
    .string()
    .regex(/^\d{7,10}$/, 'A GS1 company prefix has 7 to 10 digits')
    .nullable()
    .default(null),
  /** Orders placed before this time are sent the same day. */
  cut_off: clock.default('16:00'),
  working_days: z.array(z.number().int().min(1).max(7)).default([1, 2, 3, 4, 5]),
  /** Seconds between import and release. */
  release_delay_s: z.number().int().min(0).max(86_400).default(0),
  pack_without_pick_list: z.boolean().default(true),
  /** What happens to an order whose pieces were missing, unless its pick list says otherwise. */
  on_short: z.enum(['ask', 'wait', 'ship_partial', 'ask_customer', 'cancel_line']).default('ask'),
  /** Weight of box and filler added to the products' own. */
  packaging_weight_g: z.number().int().min(0).max(30_000).default(200),
  /** Weight of a product whose weight is unknown. */
  default_weight_g: z.number().int().min(0).max(100_000).default(500),
  bypass_needs_pin: z.boolean().default(true),
  print_slip: z.boolean().default(false),
  serials: SerialSettings.default(SerialSettings.parse({})),
})
export type CompanySettings = z.infer<typeof CompanySettings>

/** Pictures and serial numbers have calls of their own; a file's id is never taken from a form. */
const { logo_file_id: _logo, handling_image_file_id: _handling, serials: _serials, ...settable } = CompanySettings.shape
type Settable = typeof settable
type Changes<S> = { [K in keyof S]: S[K] extends z.ZodDefault<infer T extends z.ZodType> ? z.ZodOptional<T> : never }
/** Absent means unchanged: a default must not be stored where nothing was sent. */
const changesOf = <S extends Partial<Settable>>(shape: S): Changes<S> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, (field as Settable['locale']).unwrap().optional()]),
  ) as unknown as Changes<S>

const settingNames = Object.keys(settable) as [keyof Settable, ...(keyof Settable)[]]
type SettingName = keyof Settable
export type SettingsChange = { [K in SettingName]?: CompanySettings[K] | undefined }

/**
 * Settings that stations and all screens need: language, currency, time zone and station rules. `company/settings`
 * is this part of the settings that `company/config` returns in full, so the two cannot differ.
 */
const {
  locale,
  currency,
  time_zone,
  color,
  cut_off,
  working_days,
  pack_without_pick_list,
  packaging_weight_g,
  default_weight_g,
  bypass_needs_pin,
  print_slip,
} = settable
const stationShape = {
  locale,
  currency,
  time_zone,
  color,
  cut_off,
  working_days,
  pack_without_pick_list,
  packaging_weight_g,
  default_weight_g,
  bypass_needs_pin,
  print_slip,
}
export const StationSettings = z.object(stationShape)
const stationNames = Object.keys(stationShape) as [keyof typeof stationShape, ...(keyof typeof stationShape)[]]

const Version = z.number().int().positive()

export const CompanyConfig = z.object({
  ...settable,
  id: z.number().int(),
  code: z.string(),
  name: z.string(),
  is_main: z.boolean(),
  has_logo: z.boolean(),
  version: Version,
  changed_at: z.string().nullable(),
  changed_by: z.string().nullable(),
  /** The caller's public address, and whether the saved pattern allows it. */
  your_ip: z.string(),
  packing_ip_matches: z.boolean(),
})
export type CompanyConfig = z.infer<typeof CompanyConfig>

/** Applies to new input; older values, saved before this rule, remain readable. */
const EmailOrNone = z.literal('').or(Email)
const checkedEmails = {
  sender: Address.extend({ email: EmailOrNone.default('') }).optional(),
  support_email: EmailOrNone.optional(),
}

export const CompanyConfigChange = z.strictObject({
  version: Version,
  name: text(limits.name).min(1).optional(),
  ...changesOf(settable),
  ...checkedEmails,
  /** The user confirms that the pattern excludes their own address. */
  packing_ip_confirmed: z.boolean().optional(),
})

/** The sender of the parcels, as printed on labels and invoices. */
const CompanyData = z.object({
  name: z.string(),
  sender: Address,
  support_email: z.string(),
  support_phone: z.string(),
  vat_no: z.string(),
  version: Version,
})

const IpCheck = z.object({
  /** True when it can be matched in linear time. */
  valid: z.boolean(),
  matches: z.boolean(),
  ip: z.string(),
})

export const NewCompany = z.strictObject({
  code: companyCode,
  name: text(limits.name).min(1),
  admin: NewPerson,
})

const localeParam = { params: { locale: Locale } }

export const company = calls(
  {
    name: 'companies',
    area: 'company',
    access: access.settings,
    schemas: { Address, CompanySettings, StationSettings, CompanyConfig, CompanyConfigChange, CompanyData, IpCheck, NewCompany },
  },
  {
    config: call('GET company/config', {
      reply: CompanyConfig,
      summary: 'All settings of the company, and whether the caller’s address lies in the warehouse.',
    }),
    setConfig: call('POST company/config', {
      body: CompanyConfigChange,
      reply: CompanyConfig,
      external: true,
      summary: 'Changes the settings that are sent and leaves the others; 409 with the current ones when the version is old.',
    }),
    resetConfig: call('DELETE company/config', {
      query: z.object({ name: z.enum(settingNames) }),
      reply: CompanyConfig,
      external: true,
      summary: 'Puts one setting back to its default.',
    }),

    settings: call('GET company/settings', {
      reply: StationSettings,
      access: 'user',
      summary: 'The settings that stations and screens of everybody need.',
    }),
    setSettings: call('POST company/settings', {
      body: z.strictObject(changesOf(stationShape)),
      reply: StationSettings,
      external: true,
      summary: 'Changes some of the settings that stations need; what is left out stays.',
    }),
    resetSettings: call('DELETE company/settings', {
      query: z.object({ name: z.enum(stationNames) }),
      reply: StationSettings,
      external: true,
      summary: 'Sets one of these settings back to its default.',
    }),

    data: call('GET company/data', {
      reply: CompanyData,
      access: 'user',
      summary: 'Who sends the parcels, as labels and invoices say it.',
    }),
    setData: call('POST company/data', {
      body: z.strictObject({
        version: Version,
        name: text(limits.name).min(1).optional(),
        ...checkedEmails,
        ...changesOf({ support_phone: settable.support_phone, vat_no: settable.vat_no }),
      }),
      reply: CompanyData,
      external: true,
      summary: 'Changes the sender; 409 with the current state when the version is old.',
    }),

    logo: call('GET company/img/company_logo', {
      access: 'anyone',
      media: 'image/*',
      external: true,
      internal: true,
      summary: 'The company’s logo.',
    }),
    setLogo: call('POST company/upload/img/company_logo', {
      upload: limits.picture,
      external: true,
      reply: z.object({ version: Version }),
      summary: 'Sets the logo: PNG, JPEG, WebP, GIF or SVG, drawn anew at most 400 pixels wide.',
    }),
    removeLogo: call('DELETE company/upload/img/company_logo', {
      external: true,
      internal: true,
      reply: z.object({ version: Version }),
      summary: 'Removes the logo.',
    }),

    footer: call('GET company/data/footer/incoice/{locale}', {
      ...localeParam,
      reply: z.object({ text: z.string() }),
      summary: 'The last lines of an invoice in this language.',
    }),
    setFooter: call('POST company/data/footer/incoice/{locale}', {
      ...localeParam,
      body: z.strictObject({ text: text(limits.note) }),
      external: true,
      summary: 'Writes the last lines of an invoice in this language.',
    }),
    cmsLink: call('GET company/cms_link', {
      reply: z.object({ cms_link: z.string() }),
      access: 'user',
      summary: 'The link to an order in the shop’s own system; {order_no} and {external_id} stand for the order.',
    }),
    setCmsLink: call('POST company/cms_link', {
      body: z.strictObject({ cms_link: WebAddress }),
      external: true,
      summary: 'Sets the link to an order in the shop’s own system.',
    }),
    homepage: call('GET company/homepage', {
      reply: z.object({ homepage: z.string() }),
      access: 'user',
      summary: 'The company’s home page.',
    }),
    setHomepage: call('POST company/homepage', {
      body: z.strictObject({ homepage: WebAddress }),
      external: true,
      summary: 'Sets the home page.',
    }),
    homepageIn: call('GET company/homepage/{locale}', {
      ...localeParam,
      reply: z.object({ homepage: z.string() }),
      access: 'user',
      summary: 'The home page in this language; where none is set, the general one.',
    }),
    setHomepageIn: call('POST company/homepage/{locale}', {
      ...localeParam,
      body: z.strictObject({ homepage: WebAddress }),
      external: true,
      summary: 'Sets the home page for one language.',
    }),
    homeCountry: call('GET company/home_county', {
      reply: z.object({ country: z.string(), chosen: z.boolean() }),
      access: 'user',
      summary: 'The country that counts as home; unless it was chosen, the sender’s.',
    }),
    setHomeCountry: call('POST company/home_county', {
      body: z.strictObject({ country: z.enum(countryCodes as [string, ...string[]]) }),
      external: true,
      summary: 'Chooses the country that counts as home.',
    }),
    resetHomeCountry: call('DELETE company/home_county', {
      external: true,
      summary: 'Forgets the chosen home country: the sender’s counts again.',
    }),

    checkIpPattern: call('POST company/config/check_ip_pattern', {
      body: z.strictObject({ pattern: z.string().max(limits.pattern) }),
      reply: IpCheck,
      internal: true,
      summary: 'Whether a packing pattern can be matched and would let your own address in.',
    }),
    companies: call('GET company/companies', {
      access: access.admin,
      company: 'main',
      tenantScope: 'operator',
      internal: true,
      reply: z.array(
        z.object({
          id: z.number().int(),
          code: z.string(),
          name: z.string(),
          is_main: z.boolean(),
          users: z.number().int(),
          created_at: z.string(),
        }),
      ),
      summary: 'The companies that this warehouse packs for.',
    }),
    createCompany: call('POST company/companies', {
      access: access.admin,
      company: 'main',
      internal: true,
      external: true,
      body: NewCompany,
      reply: z.object({
        id: z.number().int(),
        code: z.string(),
        /** Shown only here, when the request contained none. */
        password: z.string().nullable(),
      }),
      summary: 'The main company’s admin adds a company to the operator; it starts with one admin of its own.',
    }),
  },
)
