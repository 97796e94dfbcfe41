/** Schemas of the calls in campaigns.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, Locale, text } from '#contract/fields.schemas.ts'
import { limits, locales } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { countryCodes } from '#domain/countries.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { trackingStages } from '#domain/tracking-stages.ts'
import { campaignSorts, campaignStates, campaignVariants, campaignWords, contentLimits, longestLink } from './campaigns.codes.ts'
import { isWebAddress } from './campaigns.rules.ts'

const unique = <T>(values: T[]): T[] => [...new Set(values)]
const Variant = z.enum(campaignVariants)

const Words = z.strictObject({
  headline: text(contentLimits.headline).default(''),
  text: text(contentLimits.text).default(''),
  /** On the button; without it only picture and headline lead on. */
  button: text(contentLimits.button).default(''),
  /** What the picture shows, for those who cannot see it. */
  alt: text(contentLimits.alt).default(''),
})
export type CampaignWords = z.output<typeof Words>
const Variants = z.strictObject({ a: Words.optional(), b: Words.optional() })

const Fields = z.strictObject({
  title: text(limits.name).min(1),
  from_at: z.iso.datetime({ offset: true }),
  /** Null: until it is paused or ended. */
  to_at: z.iso.datetime({ offset: true }).nullable().default(null),
  /** Where the order stands when the campaign is shown. */
  stages: z.array(z.enum(trackingStages)).min(1, campaignWords.stages).max(trackingStages.length).transform(unique),
  /** Readers of other languages never see it. */
  locales: z.array(Locale).min(1, campaignWords.locales).max(locales.length).transform(unique),
  /** Countries that orders go to, ISO 3166-1 alpha-2; none stands for all. */
  countries: z.array(z.enum(countryCodes)).max(countryCodes.length).default([]).transform(unique),
  /** Couriers of the order or of one of its parcels; none stands for all. */
  agent_codes: z.array(text(limits.code).min(1)).max(100).default([]).transform(unique),
  /** In the grammar of rules. */
  conditions: RuleJson.default({ v: 1, all: [] }),
  /** The highest is shown; among equals the one that began last. */
  priority: z.number().int().min(0).max(100).default(0),
  /** Percent of the orders that see variant B; null without a test. */
  ab_share: z.number().int().min(1).max(99).nullable().default(null),
  /** Empty: nothing to click. */
  link: text(longestLink).default(''),
  /** Words by language and variant; what is left out stays as it is. */
  contents: z
    .strictObject({
      en_GB: Variants.optional(),
      da_DK: Variants.optional(),
      de_DE: Variants.optional(),
      no_NO: Variants.optional(),
      sv_SE: Variants.optional(),
    })
    .default({}),
})
export const CampaignFields = Fields
export type CampaignFields = z.output<typeof Fields>

/** What a form checks before it sends; the server refuses the same with codes. */
export const CampaignForm = Fields.superRefine(({ from_at, to_at, link }, context) => {
  if (to_at !== null && Date.parse(to_at) <= Date.parse(from_at))
    context.addIssue({ code: 'custom', path: ['to_at'], message: campaignWords.dates })
  if (link !== '' && !isWebAddress(link)) context.addIssue({ code: 'custom', path: ['link'], message: campaignWords.link })
})

const Figures = z.object({ shown: z.number().int(), clicked: z.number().int() })
const Row = z.object({
  id: z.number().int(),
  title: z.string(),
  state: z.enum(campaignStates),
  from_at: Instant,
  to_at: Instant.nullable(),
  locales: z.array(Locale),
  stages: z.array(z.enum(trackingStages)),
  priority: z.number().int(),
  ab_share: z.number().int().nullable(),
  ...Figures.shape,
  /** Clicked of shown, 0 to 1. */
  rate: z.number(),
  changed_at: Instant,
})
export const CampaignRow = Row
export type CampaignRow = z.output<typeof Row>

export const CampaignContent = z.object({
  locale: Locale,
  variant: Variant,
  ...Words.shape,
  /** Null without a picture; changes when the picture changes. */
  picture: z.string().nullable(),
})
export type CampaignContent = z.output<typeof CampaignContent>

export const Campaign = z.object({
  ...Row.shape,
  public_key: z.string(),
  countries: z.array(z.string()),
  agent_codes: z.array(z.string()),
  conditions: RuleJson,
  /** True where it was ended by hand: nothing of it changes any more. */
  is_final: z.boolean(),
  /** True where its conditions cannot be read any more: no order is met. */
  broken: z.boolean(),
  link: z.string(),
  contents: z.array(CampaignContent),
  figures: z.array(z.object({ variant: Variant, ...Figures.shape, rate: z.number() })),
  version: z.number().int(),
})
export type Campaign = z.output<typeof Campaign>

/** A campaign in one language as the tracking page shows it. */
export const CampaignSlot = z.object({
  public_key: z.string(),
  locale: Locale,
  variant: Variant,
  headline: z.string(),
  text: z.string(),
  button: z.string(),
  alt: z.string(),
  picture: z.string().nullable(),
  has_link: z.boolean(),
})
export type CampaignSlot = z.output<typeof CampaignSlot>

/** The same for an order: `signed` counts that it was shown and clicked. */
export const OrderCampaign = CampaignSlot.extend({ signed: z.string() })
export type OrderCampaign = z.output<typeof OrderCampaign>

const Asked = z.object({
  /** Of the title. */
  query: text(limits.name).default(''),
  state: z.enum(campaignStates).optional(),
  locale: Locale.optional(),
  sort: z.enum(campaignSorts).default('-changed'),
})
export type CampaignQuestion = z.output<typeof Asked>

const PublicKey = z.string().regex(/^[\w-]{22}$/)
const Signed = z.string().regex(/^[ab][0-9a-z]{1,11}\.[\w-]{22}$/)
const one = { reply: Campaign, summary: 'A campaign with words, pictures and figures of each variant.' }
const picture = {
  query: z.object({ v: z.string().max(16).optional() }),
  summary:
    'The picture of a campaign: number or public key, language, variant (`a` unless given) and width (`700` unless given), joined by `_` or `/`: `12_de_DE_b_1400`. WebP or JPEG by the `accept` header. By number for those who may change campaigns, by public key for anyone. With `v` it may be kept for ever.',
}
const uploaded = { params: { locale: Locale, variant: Variant } }

export const campaignsSchemas = {
  components: { Campaign, CampaignContent, CampaignSlot },
  calls: {
    search: {
      query: pageQuery.extend(Asked.shape),
      reply: page(Row),
      summary: 'Campaigns of the company, page by page, with how often each was shown and clicked.',
    },
    get: one,
    getCampaign: one,
    export: { query: Asked, summary: 'Campaigns of the company as CSV.' },
    picture,
    campaignPicture: picture,
    frontend: {
      params: { id: z.union([PublicKey, z.string().regex(/^\d{1,15}$/)]) },
      query: z.object({ locale: Locale.optional(), variant: Variant.default('a') }),
      reply: CampaignSlot,
      summary:
        'A campaign as the tracking page shows it. By public key only what is active; by number for those who may change campaigns, or with a token of `preview` in the header `x-preview-token`. Without `locale` in the first language; a language that it does not have is not found.',
    },
    create: {
      body: Fields.extend({ client_id: z.uuid().optional() }),
      reply: Campaign,
      summary:
        'Adds a campaign as a draft; the same `client_id` again is no second one. 422 `campaign_dates`, `link_scheme` or `rule_invalid`.',
    },
    update: {
      body: Fields.extend({ version: z.number().int().min(1) }),
      reply: Campaign,
      summary:
        'Changes a campaign; 409 with the current state when the version is old. What is published must stay complete: 422 `campaign_incomplete`.',
    },
    remove: { summary: 'Removes a draft. What was published ends, and its figures stay; again is no mistake.' },
    setActive: {
      params: { active: z.enum(['true', 'false', '1', '0']) },
      reply: Campaign,
      summary:
        'Publishes or continues with `true`: 422 `campaign_incomplete` without an image and alt text for each language and variant, 409 `campaign_end_passed` after its end. Pauses with `false`. Again is no mistake.',
    },
    setPicture: {
      ...uploaded,
      reply: Campaign,
      summary: 'Sets the picture of a language and variant: cropped to 1400 × 600 and 700 × 300, drawn anew, at most 150 kB each.',
    },
    removePicture: { ...uploaded, reply: Campaign, summary: 'Removes a picture; not from what is published.' },
    preview: {
      reply: z.object({ token: z.string(), expires_at: Instant }),
      summary: 'A token that shows a draft for 30 minutes to everyone who has it.',
    },
    seen: {
      body: z.strictObject({ campaign: PublicKey, signed: Signed }),
      summary: 'Counts that an order saw a campaign: once a day. `signed` comes with the order on the tracking page.',
    },
    click: {
      params: { public_key: PublicKey, signed: Signed },
      reply: z.object({ location: z.string() }),
      summary: 'Counts a click, once for each order and day, and leads to the link of the campaign and nowhere else.',
    },
  },
} satisfies ContractSchemas
