/** Schemas of the calls in portal.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, Locale, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import {
  evidences,
  faults,
  labelStates,
  policyLimits,
  portalMethods,
  returnLimits,
  returnStatuses,
} from '#features/returns/returns/returns.codes.ts'
import { DropOff } from '#features/returns/returns/returns.schemas.ts'
import { mainShop } from '#features/returns/rma-languages/rma-languages.codes.ts'
import { ShopFace } from '#features/shipping/tracking/tracking.schemas.ts'
import { countryTwice, mostCountryPrices, portalOutcomes, progressSteps } from './portal.codes.ts'

const Shop = text(limits.code).min(1).default(mainShop)
const Outcome = z.enum(portalOutcomes)
const Method = z.enum(portalMethods)
const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const picture = z.string().nullable()

export const PortalPage = z.object({
  company: ShopFace,
  locale: Locale,
  /** The languages in which the portal is open. */
  languages: z.array(Locale),
  /** False where returns are asked for in another way; withdrawing is possible in any case. */
  is_open: z.boolean(),
  is_preview: z.boolean(),
  texts: z.object({ greeting: z.string(), return_address: z.string(), legal: z.string(), support: z.string() }),
  pictures: z.object({ logo: picture, header: picture, background: picture }),
  /** The shop under which the pictures are found. */
  pictures_of: z.string(),
  reasons: z.array(
    z.object({
      code: z.string(),
      /** The shop's own words in this language, else the English ones, which the page translates. */
      text: z.string(),
      evidence_text: z.enum(evidences),
      evidence_photo: z.enum(evidences),
      fault: z.enum(faults),
    }),
  ),
  /** In a preview what a rule asks about an item; an order has its own in the quote. */
  question: z.object({ text: z.string(), required: z.boolean() }).nullable(),
  outcomes: z.array(Outcome),
  methods: z.array(Method),
  /** Couriers whose parcel shops take a parcel of this method. */
  drop_off: z.object({ label: z.string().nullable(), qr: z.string().nullable() }),
  currency: z.string(),
  fee: z.number().int(),
  /** What a courier label costs where the customer is at fault. */
  label_price: z.number().int(),
  /** The same of a QR code. */
  qr_price: z.number().int(),
  window_days: z.number().int(),
  time_zone: z.string(),
})
export type PortalPage = z.output<typeof PortalPage>

export const PortalOrder = z.object({
  order_no: z.string(),
  ordered_at: Instant,
  /** Where it was sent, and most likely comes back from. */
  country: z.string(),
  currency: z.string(),
  /** The last day on which it can be returned; null before anything was sent. */
  last_day: z.string().nullable(),
  is_over: z.boolean(),
  /** The last day of the right of withdrawal; null before anything was sent. */
  withdrawal_until: z.string().nullable(),
  lines: z.array(
    z.object({
      line_id: z.number().int(),
      name: z.string(),
      shipped: z.number().int(),
      left: z.number().int(),
      /** What was paid for each piece that is left, in minor units. */
      amounts: z.array(z.number().int()),
      has_picture: z.boolean(),
    }),
  ),
})
export type PortalOrder = z.output<typeof PortalOrder>

const Country = z.string().regex(/^[A-Z]{2}$/)

const PortalShop = z.object({
  id: z.string(),
  name: z.string(),
  address1: z.string(),
  postcode: z.string(),
  city: z.string(),
  distance_m: z.number().nullable(),
  opening_hours: z.array(z.string()),
})
export type PortalShop = z.output<typeof PortalShop>

const Chosen = z.strictObject({
  line_id: id,
  qty: z.number().int().min(1).max(returnLimits.pieces),
  reason: text(40).min(1),
  note: text(returnLimits.itemNote).default(''),
  photo_ids: z.array(id).max(returnLimits.photosOfPiece).default([]),
  /** To the question that the quote has of this item. */
  answer: text(policyLimits.answer).default(''),
  outcome: Outcome,
  /** In an exchange: the customer wants another product, which the note names. */
  wants_other: z.boolean().default(false),
})
const Selection = z.strictObject({
  items: z.array(Chosen).min(1).max(returnLimits.lines),
  method: Method,
  /** The parcel shop where a courier label is handed in: one that `shops` has answered. */
  shop_id: text(60).min(1).nullable().default(null),
  /** The language in which the shop's own sentences are answered. */
  lang: Locale.default('en_GB'),
})
export type PortalSelection = z.output<typeof Selection>

const Quote = z.object({
  currency: z.string(),
  /** What was paid for the pieces whose money is asked for, in minor units. */
  goods: z.number().int(),
  /** With the price of the label, where the method has one. */
  fee: z.number().int(),
  /** The price of a courier label: nothing where the shop or the courier is at fault. */
  postage: z.number().int(),
  /** The same of a QR code. */
  qr_postage: z.number().int(),
  total: z.number().int(),
  last_day: z.string().nullable(),
  /** True where a person approves it first. */
  review: z.boolean(),
  needs: z.array(z.object({ line_id: z.number().int(), what: z.enum(['photo', 'note', 'answer']) })),
  /** In the order of the question: why an item cannot come back now, and what may be asked for it. */
  items: z.array(
    z.object({
      line_id: z.number().int(),
      refused: z.object({ text: z.string(), values: z.record(z.string(), z.string()) }).nullable(),
      outcomes: z.array(Outcome),
      /** What a rule asks about it. */
      question: z.object({ text: z.string(), required: z.boolean() }).nullable(),
      /** The customer keeps it: nothing is sent. */
      keeps: z.boolean(),
    }),
  ),
  /** How all of them may be sent together. */
  methods: z.array(Method),
})
export type PortalQuote = z.output<typeof Quote>

export const PortalReturn = z.object({
  rma_no: z.string(),
  order_no: z.string().nullable(),
  locale: Locale,
  status: z.enum(returnStatuses),
  /** Where it stands; null where it ended without. */
  step: z.enum(progressSteps).nullable(),
  method: z.string(),
  withdrawal: z.boolean(),
  requested_at: Instant,
  /** By then it must be sent. */
  expires_at: Instant.nullable(),
  refund_due_at: Instant.nullable(),
  reject_reason: z.string().nullable(),
  can_cancel: z.boolean(),
  currency: z.string(),
  return_address: z.string(),
  /** Where the customer hands it in, if they have said so. */
  drop_off: DropOff.omit({ id: true, agent_code: true }).nullable(),
  /** Of the courier, where the customer chose it. */
  label: z.object({
    state: z.enum(labelStates),
    tracking_no: z.string().nullable(),
    /** The courier's page with the code to show. */
    qr_link: z.string().nullable(),
    /** A lost or old one may be replaced. */
    can_renew: z.boolean(),
  }),
  /** Whether the customer gets e-mails about it. */
  is_mailed: z.boolean(),
  items: z.array(z.object({ name: z.string(), qty: z.number().int(), outcome: Outcome, is_missing: z.boolean(), is_kept: z.boolean() })),
  refunds: z.array(
    z.object({ total: z.number().int(), state: z.enum(['proposed', 'confirmed', 'denied', 'in_doubt']), reason: z.string().nullable() }),
  ),
})
export type PortalReturn = z.output<typeof PortalReturn>

const Made = z.object({ rma_no: z.string(), status: z.enum(returnStatuses), /** The token of its page. */ link: z.string() })

const price = z.number().int().min(0).max(1_000_000)
const CourierWay = z.strictObject({
  agent_code: text(limits.code).min(1),
  shipping_method: text(limits.code).min(1),
  price,
  /** Countries from which it costs something else. */
  countries: z
    .array(z.strictObject({ country: Country, price }))
    .max(mostCountryPrices)
    .refine(rows => new Set(rows.map(one => one.country)).size === rows.length, countryTwice)
    .default([]),
})
export type CourierWay = z.output<typeof CourierWay>

export const PortalOffer = z.object({
  outcomes: z.array(Outcome).min(1, 'Choose at least one.').max(portalOutcomes.length),
  methods: z.array(Method).min(1, 'Choose at least one.').max(portalMethods.length),
  /** How courier labels are made, and what they cost the customer, in minor units. */
  label: CourierWay.nullable().default(null),
  /** The same for QR codes. */
  qr: CourierWay.nullable().default(null),
  version: z.number().int().min(0),
})
export type PortalOffer = z.output<typeof PortalOffer>

export const portalSchemas = {
  components: { PortalPage, PortalOrder, PortalReturn },
  calls: {
    page: {
      query: z.object({ shop: Shop, lang: Locale.optional(), preview: z.enum(['true', 'false']).default('false') }),
      reply: PortalPage,
      summary:
        'Texts, pictures, reasons, outcomes and methods of a shop’s portal in a language. With `preview` also where it is closed, and with a token in the header `x-preview-token` as it is saved.',
    },
    shops: {
      query: z.object({ agent_code: text(limits.code).min(1), country: Country, postcode: text(20).min(1) }),
      reply: z.array(PortalShop),
      summary:
        'The five parcel shops of a courier nearest to a postcode, where a label of the portal may be handed in. Empty where the portal offers no label of this courier, or the courier does not answer.',
    },
    tracked: {
      query: z.object({
        o: z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER),
        s: z.string().min(1).max(64),
        lang: Locale.optional(),
      }),
      reply: z.object({ path: z.string().nullable() }),
      summary: 'The path of the portal for an order that the tracking page shows; null where it cannot be returned now.',
    },
    find: {
      body: z.strictObject({ order_no: text(60).min(1), key: text(254).min(1), shop: Shop }),
      reply: z.object({ link: z.string(), order: PortalOrder }),
      summary:
        'An order by its number and its postcode or e-mail. Unknown and wrong get one answer after one time. `link` is valid for an hour.',
    },
    order: {
      reply: PortalOrder,
      summary: 'The order of the link in the header `x-return-link`, with what is left to return.',
    },
    linePicture: { summary: 'The picture of the product of a line, for who holds the link to its order.' },
    photo: {
      reply: z.object({ photo_id: z.number().int() }),
      summary: 'Adds a photo, drawn anew without metadata; it is dropped after a day unless a return names it.',
    },
    quote: {
      body: Selection,
      reply: Quote,
      summary: 'What a return would bring, and what is still missing. 409 `not_returnable`, 422 `return_reason_unknown`.',
    },
    submit: {
      body: Selection.extend({ client_id: z.uuid(), fee_seen: z.number().int().min(0) }),
      reply: Made,
      summary:
        'Asks for the return; the same `client_id` again is no second one. 409 `price_changed` with the new quote, `not_returnable`, `return_period_over`, `return_item_over`, `return_refused`; 422 `return_photo_needed`, `note_needed`, `return_answer_needed`.',
    },
    withdraw: {
      body: z.strictObject({
        name: text(120).min(1),
        order_no: text(60).min(1),
        email: z.email().max(254),
        /** With a link: of these pieces only. */
        lines: z
          .array(z.strictObject({ line_id: id, qty: z.number().int().min(1).max(returnLimits.pieces) }))
          .max(returnLimits.lines)
          .default([]),
        confirm: z.literal(true),
        client_id: z.uuid(),
        lang: Locale.default('en_GB'),
      }),
      reply: z.object({
        received_at: Instant,
        /** False where the shop has no mail account. */
        is_mailed: z.boolean(),
      }),
      summary:
        'Withdraws from the contract. It is never refused, and answers the same for orders that are known and unknown; an e-mail acknowledges it.',
    },
    form: {
      query: z.object({
        shop: Shop.catch(mainShop),
        lang: Locale.optional().catch(undefined),
        step: z.enum(['find', 'choose']).catch('find'),
      }),
      summary: 'The page to find an order or to withdraw from a contract, for browsers without scripts.',
    },
    sendForm: { summary: 'The next page after a form of it: the order that was found, the withdrawal to confirm, and its receipt.' },
    progress: {
      reply: PortalReturn,
      summary: 'The return of the link in the header `x-return-link`.',
    },
    cancel: {
      reply: PortalReturn,
      summary: 'Cancels the return of the link, as long as nothing of it was sent.',
    },
    label: {
      body: z.strictObject({}),
      reply: PortalReturn,
      summary:
        'Makes the courier label of the return, once however often it is asked for. Where the courier does not answer, it is made later and mailed. 409 `return_label_not_offered`, `return_label_failed`.',
    },
    renew: {
      body: z.strictObject({ client_id: z.uuid() }),
      reply: PortalReturn,
      summary:
        'Makes another label in the place of one that is lost or too old, which is taken back; the same `client_id` again is no second one. 409 `already_sent`, `return_label_not_offered`, `return_label_limit`, `return_label_failed`.',
    },
    labelFile: { summary: 'The label of the return as PDF.' },
    ownLabel: {
      body: z.strictObject({}),
      reply: PortalReturn,
      summary: 'The customer labels the parcel instead of the courier, and does not pay for a label. 409 `return_label_made`.',
    },
    labelMethods: {
      reply: z.array(
        z.object({
          agent_code: z.string(),
          name: z.string(),
          methods: z.array(z.object({ code: z.string(), name: z.string() })),
          qr: z.boolean(),
        }),
      ),
      summary: 'Couriers of the company that make return labels, with their methods; `qr` where a code may be shown instead.',
    },
    offer: { reply: PortalOffer, summary: 'What the company offers in its portal.' },
    setOffer: {
      body: PortalOffer,
      reply: PortalOffer,
      summary: 'Sets what the company offers; 409 with the current state when the version is old.',
    },
  },
} satisfies ContractSchemas
