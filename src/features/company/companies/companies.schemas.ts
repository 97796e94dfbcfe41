/** Schemas of the calls in companies.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { companyCode, Locale, text } from '#contract/fields.schemas.ts'
import { limits, locales } from '#contract/limits.ts'
import { countryCodes } from '#domain/countries.ts'
import { keysOf } from '#domain/objects.ts'
import { secondFactorPolicies } from '#features/company/users/second-factors.codes.ts'
import { Email, NewPerson } from '#features/company/users/users.schemas.ts'
import { inheritedSettings } from './operator-defaults.rules.ts'

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

const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter the time as 16:00')
/** Shown as a link to customers, so it must never be a script. */
const WebAddress = text(300).regex(/^(https?:\/\/[^\s/]+.*)?$/i, 'Enter the address with https:// before it')

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
  /** When the station asks for a serial: with each piece, or for all pieces before the parcel is closed. */
  ask_at: z.enum(['pack', 'close']).default('pack'),
  /** Off: a serial number is scanned, never typed. */
  allow_typed: z.boolean().default(true),
  /** `stock`: a serial must be among the imported ones, and not out. */
  mode: z.enum(['outbound', 'stock']).default('outbound'),
})
export type SerialSettings = z.infer<typeof SerialSettings>

/** Hours of the stations, in which the minutes of an exception count. */
const endOfDay = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Enter the time as 18:00')
const dueMinutes = (usual: number) => z.number().int().min(5, 'At least 5 minutes').max(10_080, 'At most 10,080 minutes').default(usual)

/** Minutes until someone has to see to an order that left the station with a problem, by what is wrong. */
const ExceptionTimes = z.object({
  label_error: dueMinutes(30),
  wrong_item: dueMinutes(30),
  short: dueMinutes(60),
  damaged: dueMinutes(60),
  address: dueMinutes(60),
  customs: dueMinutes(60),
  weight: dueMinutes(30),
  no_crate: dueMinutes(60),
  other: dueMinutes(120),
})

export const ExceptionSettings = ExceptionTimes.extend({
  /** Users who own what is reported from then on; without one it waits until someone takes it. */
  owners: z.partialRecord(ExceptionTimes.keyof(), z.number().int().positive()).default({}),
  /** Groups for which what is reported from then on waits, until a member takes it; of kinds without a user. */
  owner_groups: z.partialRecord(ExceptionTimes.keyof(), z.number().int().positive()).default({}),
  from: clock.default('06:00'),
  to: endOfDay.default('18:00'),
})
export type ExceptionSettings = z.infer<typeof ExceptionSettings>

/** Whether packing is filmed. Picture only: sound is never recorded. */
export const VideoSettings = z.object({
  enabled: z.boolean().default(false),
  /** Days until a clip is deleted, unless it is held. */
  retention_days: z.number().int().min(1, 'At least one day').max(30, 'At most 30 days').default(30),
  quality: z.enum(['480p', '720p']).default('720p'),
  /** Gigabytes that all clips may take. */
  storage_gb: z.number().int().min(1, 'At least 1 GB').max(100_000, 'At most 100,000 GB').default(100),
  /** The notice to staff, by language; the product's own text where it is absent. */
  notices: z.partialRecord(Locale, text(limits.note)).default({}),
})
export type VideoSettings = z.infer<typeof VideoSettings>

/** The version of a group of settings that was read; without one they are saved whatever others have changed. */
export const VersionRead = z.number().int().nonnegative().optional()
/** A group of settings as calls answer it: the version is the number of its last change. */
export const versioned = <S extends z.ZodRawShape>(settings: z.ZodObject<S>) => z.object({ ...settings.shape, version: z.number().int() })

/** How hours are approved. */
export const HoursSettings = z.object({
  /** Seconds by which a start or an end may differ from the plan and still count as planned. */
  tolerance_s: z.number().int().min(0).max(3_600, 'At most 60 minutes').default(300),
  /** Times outside the tolerance are rounded to so many minutes; 0 leaves them as they are. */
  rounding_min: z.union([z.literal(0), z.literal(5), z.literal(6), z.literal(10), z.literal(15)]).default(0),
  /** Whether a start before the plan counts from the plan or from the clock-in. */
  early: z.enum(['from_plan', 'from_punch']).default('from_plan'),
  /** Who clocks out so many minutes before the end of the shift is asked why; 0 asks no one. */
  early_out_min: z.number().int().min(0).max(240, 'At most 240 minutes').default(15),
  /** Whose clock-out is missing an hour after the shift gets a mail, and an hour later each lead. */
  remind_person: z.boolean().default(true),
  remind_leads: z.boolean().default(true),
  /** Off: days inside the tolerance wait for a lead too. */
  auto_approve: z.boolean().default(true),
  /** The only lead of a company may approve the own hours; the day says so. */
  sole_approver: z.boolean().default(false),
})
export type HoursSettings = z.infer<typeof HoursSettings>

/** How shifts and leave are handled. */
export const ScheduleSettings = z.object({
  /** ISO 3166-2 behind the country, for regional holidays; empty for the whole country. */
  region: text(10).default(''),
  /** An open shift goes to the first who asks, where no warning is against it. */
  accept_takes: z.boolean().default(false),
  /** The only lead may decide about the own leave; the row says so. */
  sole_approver: z.boolean().default(false),
  /** Whether holiday can be taken by half days. */
  half_holidays: z.boolean().default(true),
  /** The child’s first sick day may be the day after the one on which the parent was called home. */
  child_day_next: z.boolean().default(false),
})
export type ScheduleSettings = z.infer<typeof ScheduleSettings>

/** How a shop takes returns. */
export const ReturnSettings = z.object({
  /** Whether a person looks at each return before it is approved. A withdrawal in time never waits. */
  review: z.enum(['never', 'always']).default('never'),
  /** Days after the delivery in which a customer may send back. */
  window_days: z.number().int().min(0).max(365, 'At most 365 days').default(30),
  /** Days of the right of withdrawal: 14 by law. */
  withdrawal_days: z.number().int().min(14, 'At least 14 days').max(365, 'At most 365 days').default(14),
  /** Taken once from the money of a return, in minor units, unless the shop or the courier is at fault. */
  fee: z.number().int().min(0).max(1_000_000).default(0),
  /** Days after the approval until a return ends that was never sent. */
  unused_days: z.number().int().min(1, 'At least one day').max(365, 'At most 365 days').default(28),
  /** When the order of an exchange is made by itself: never, when the parcel arrives, or when it is decided what becomes of the items. */
  exchange_at: z.enum(['never', 'arrival', 'decision']).default('never'),
  /** Days after the first parcel until pieces that did not come count as missing. */
  missing_days: z.number().int().min(1, 'At least one day').max(365, 'At most 365 days').default(14),
  /** When a refund may be proposed: after the inspection, or by itself at the courier's first scan of the parcel. */
  propose_at: z.enum(['inspection', 'first_scan']).default('inspection'),
  /** What belongs to a product and is ticked at the inspection: `SKU: part, part`, a line for each product. */
  accessories: z
    .array(text(300).regex(/^[^:]{1,120}:\s*[^\s,]/, 'Write each line as SKU: part, part'))
    .max(200, 'At most 200 products')
    .default([]),
})
export type ReturnSettings = z.infer<typeof ReturnSettings>

export const CompanySettings = z.object({
  locale: Locale.default('en_GB'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Enter the currency as three letters, such as DKK')
    .default('DKK'),
  time_zone: z.string().max(60).default('Europe/Copenhagen'),
  /** The company's colour on its tracking page and in the top bar. */
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'Enter the colour as #14597a')
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
  home_country: z.enum(countryCodes).nullable().default(null),
  /** Languages that people and customers of the company may choose; others get the company's own. */
  languages: z
    .array(Locale)
    .min(1)
    .max(locales.length)
    .refine(isUnique, 'Each language once')
    .default([...locales]),
  /** Countries whose prefix stands first in a phone field, in this order. */
  /** Orders to other countries are held; empty ships to all. */
  ship_countries: z.array(z.enum(countryCodes)).max(250).refine(isUnique, 'Each country once').default([]),
  /** `strict`: an order whose postcode does not look like one of its country is held. */
  postcode_check: z.enum(['warn', 'strict']).default('warn'),
  phone_countries: z.array(z.enum(countryCodes)).max(10, 'At most 10 countries').refine(isUnique, 'Each country once').default([]),
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
  /** Days after which an order closes whose parcels have all arrived, come back or been lost. */
  close_after_days: z.number().int().min(0).max(365).default(14),
  pack_without_pick_list: z.boolean().default(true),
  /** What happens to an order whose pieces were missing, unless its pick list says otherwise. */
  on_short: z.enum(['ask', 'wait', 'ship_partial', 'ask_customer', 'cancel_line']).default('ask'),
  /** Weight of box and filler added to the products' own. */
  packaging_weight_g: z.number().int().min(0).max(30_000).default(200),
  /** Weight of a product whose weight is unknown. */
  default_weight_g: z.number().int().min(0).max(100_000).default(500),
  /** Whether parcels are weighed before they are closed: never, where the station has a scale, or all of them. */
  weigh_parcels: z.enum(['off', 'scale', 'always']).default('off'),
  /** A parcel may differ from its expected weight by the larger of both. */
  weight_tolerance_g: z.number().int().min(0).max(10_000, 'At most 10,000 g').default(200),
  weight_tolerance_percent: z.number().int().min(0).max(100, 'At most 100 %').default(10),
  /** Off: a weight comes from a scale, it is never typed. */
  typed_weight: z.boolean().default(true),
  /** Photos of open boxes: none, where the packer presses the key, or of each parcel before it is closed. */
  parcel_photos: z.enum(['off', 'key', 'required']).default('off'),
  bypass_needs_pin: z.boolean().default(true),
  /** Leads answer packers from the warehouse network only. */
  approve_inside_only: z.boolean().default(false),
  /** An idle station opens the oldest order of one piece when its product is scanned. */
  open_by_product: z.boolean().default(true),
  print_slip: z.boolean().default(false),
  /** When each of several parcels gets its label: as soon as it is full, or when the order is complete. */
  label_when: z.enum(['parcel', 'order']).default('parcel'),
  /** Whether the recipient of a part learns what follows: the packer says so each time, or it is always the same. */
  partial_notice: z.enum(['ask', 'always', 'never']).default('ask'),
  /** Whom the company asks for a second factor at sign-in. */
  second_factor: z.enum(secondFactorPolicies).default('off'),
  /** Days for which people may still sign in without one, after the company began to ask or after they joined. */
  second_factor_days: z.number().int().min(0).max(90, 'At most 90 days').default(0),
  /** Since when the company asks as it does now; null while it does not. */
  second_factor_since: z.string().nullable().default(null),
  /** Of the main company: its shops read the first names of its staff in timelines, else "Warehouse". */
  first_names_for_shops: z.boolean().default(false),
  serials: SerialSettings.default(SerialSettings.parse({})),
  exceptions: ExceptionSettings.default(ExceptionSettings.parse({})),
  schedule: ScheduleSettings.default(ScheduleSettings.parse({})),
  /** Of the main company: it decides for all stations. */
  video: VideoSettings.default(VideoSettings.parse({})),
  hours: HoursSettings.default(HoursSettings.parse({})),
  returns: ReturnSettings.default(ReturnSettings.parse({})),
})
export type CompanySettings = z.infer<typeof CompanySettings>

/**
 * Pictures, serial numbers, exceptions, packing videos, hours and returns have calls of their own; a file's id and since when a second factor is
 * asked for are never taken from a form.
 */
const {
  logo_file_id: _logo,
  handling_image_file_id: _handling,
  serials: _serials,
  exceptions: _exceptions,
  schedule: _schedule,
  video: _video,
  hours: _hours,
  returns: _returns,
  second_factor_since: _since,
  ...settable
} = CompanySettings.shape
type Settable = typeof settable
type Changes<S> = { [K in keyof S]: S[K] extends z.ZodDefault<infer T extends z.ZodType> ? z.ZodOptional<T> : never }
/** Absent means unchanged: a default must not be stored where nothing was sent. */
const changesOf = <S extends Partial<Settable>>(shape: S): Changes<S> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, (field as Settable['locale']).unwrap().optional()]),
  ) as unknown as Changes<S>

const settingNames = keysOf(settable)
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
const stationNames = keysOf(stationShape)

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

const SettingValue = z.union([z.boolean(), z.number(), z.string().max(40)])
const OperatorDefault = z.object({
  name: z.enum(inheritedSettings),
  /** The product's value. */
  product: SettingValue,
  /** The operator's; null where it has set none. */
  value: SettingValue.nullable(),
  /** How many companies follow. */
  following: z.number().int(),
  /** Companies with a value of their own. */
  own: z.array(z.object({ id: z.number().int(), code: z.string(), name: z.string(), value: SettingValue })),
})
export type OperatorDefault = z.infer<typeof OperatorDefault>

export const NewCompany = z.strictObject({
  code: companyCode,
  name: text(limits.name).min(1),
  admin: NewPerson,
})

const localeParam = { params: { locale: Locale } }

export const companySchemas = {
  components: { Address, CompanySettings, StationSettings, CompanyConfig, CompanyConfigChange, CompanyData, IpCheck, NewCompany },
  calls: {
    config: {
      reply: CompanyConfig,
      summary: 'All settings of the company, and whether the caller’s address lies in the warehouse.',
    },
    setConfig: {
      body: CompanyConfigChange,
      reply: CompanyConfig,
      summary: 'Changes the settings that are sent and leaves the others; 409 with the current ones when the version is old.',
    },
    resetConfig: {
      query: z.object({ name: z.enum(settingNames) }),
      reply: CompanyConfig,
      summary: 'Puts one setting back to its default.',
    },
    settings: {
      reply: StationSettings,
      summary: 'The settings that stations and screens of everybody need.',
    },
    setSettings: {
      body: z.strictObject(changesOf(stationShape)),
      reply: StationSettings,
      summary: 'Changes some of the settings that stations need; what is left out stays.',
    },
    resetSettings: {
      query: z.object({ name: z.enum(stationNames) }),
      reply: StationSettings,
      summary: 'Sets one of these settings back to its default.',
    },
    data: {
      reply: CompanyData,
      summary: 'Who sends the parcels, as labels and invoices say it.',
    },
    setData: {
      body: z.strictObject({
        version: Version,
        name: text(limits.name).min(1).optional(),
        ...checkedEmails,
        ...changesOf({ support_phone: settable.support_phone, vat_no: settable.vat_no }),
      }),
      reply: CompanyData,
      summary: 'Changes the sender; 409 with the current state when the version is old.',
    },
    logo: {
      summary: 'The company’s logo.',
    },
    setLogo: {
      reply: z.object({ version: Version }),
      summary: 'Sets the logo: PNG, JPEG, WebP, GIF or SVG, drawn anew at most 400 pixels wide.',
    },
    removeLogo: {
      reply: z.object({ version: Version }),
      summary: 'Removes the logo.',
    },
    footer: {
      ...localeParam,
      reply: z.object({ text: z.string() }),
      summary: 'The last lines of an invoice in this language.',
    },
    setFooter: {
      ...localeParam,
      body: z.strictObject({ text: text(limits.note) }),
      summary: 'Writes the last lines of an invoice in this language.',
    },
    cmsLink: {
      reply: z.object({ cms_link: z.string() }),
      summary: 'The link to an order in the shop’s own system; {order_no} and {external_id} stand for the order.',
    },
    setCmsLink: {
      body: z.strictObject({ cms_link: WebAddress }),
      summary: 'Sets the link to an order in the shop’s own system.',
    },
    homepage: {
      reply: z.object({ homepage: z.string() }),
      summary: 'The company’s home page.',
    },
    setHomepage: {
      body: z.strictObject({ homepage: WebAddress }),
      summary: 'Sets the home page.',
    },
    homepageIn: {
      ...localeParam,
      reply: z.object({ homepage: z.string() }),
      summary: 'The home page in this language; where none is set, the general one.',
    },
    setHomepageIn: {
      ...localeParam,
      body: z.strictObject({ homepage: WebAddress }),
      summary: 'Sets the home page for one language.',
    },
    homeCountry: {
      reply: z.object({ country: z.string(), chosen: z.boolean() }),
      summary: 'The country that counts as home; unless it was chosen, the sender’s.',
    },
    setHomeCountry: {
      body: z.strictObject({ country: z.enum(countryCodes) }),
      summary: 'Chooses the country that counts as home.',
    },
    resetHomeCountry: {
      summary: 'Forgets the chosen home country: the sender’s counts again.',
    },
    checkIpPattern: {
      body: z.strictObject({ pattern: z.string().max(limits.pattern) }),
      reply: IpCheck,
      summary: 'Whether a packing pattern can be matched and would let your own address in.',
    },
    companies: {
      reply: z.array(
        z.object({
          id: z.number().int(),
          code: z.string(),
          name: z.string(),
          is_main: z.boolean(),
          users: z.number().int(),
          /** Orders that came in within the last 30 days. */
          recent_orders: z.number().int(),
          created_at: z.string(),
          closed_at: z.string().nullable(),
          erased_at: z.string().nullable(),
        }),
      ),
      summary: 'The companies that this warehouse packs for.',
    },
    defaults: {
      reply: z.array(OperatorDefault),
      summary: 'Settings whose value the operator may set for all its companies, and which companies have one of their own.',
    },
    setDefault: {
      body: z.strictObject({ name: z.enum(inheritedSettings), value: SettingValue.nullable() }),
      reply: z.object({ companies: z.number().int() }),
      summary: 'Sets the value for all companies, or with null the product’s again; answers how many companies it changed.',
    },
    follow: {
      body: z.strictObject({ name: z.enum(inheritedSettings) }),
      summary: 'Gives up a company’s own value of a setting: the operator’s counts.',
    },
    createCompany: {
      body: NewCompany,
      reply: z.object({
        id: z.number().int(),
        code: z.string(),
        /** Shown only here, when the request contained none. */
        password: z.string().nullable(),
      }),
      summary: 'The main company’s admin adds a company to the operator; it starts with one admin of its own.',
    },
  },
} satisfies ContractSchemas
