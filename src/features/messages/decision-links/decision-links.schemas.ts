/** Schemas of the calls in decision-links.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, Locale, text } from '#contract/fields.schemas.ts'
import { AnswerChoice, MessageChannel } from '#features/messages/templates/templates.schemas.ts'
import { ShopFace } from '#features/shipping/tracking/tracking.schemas.ts'
import { closedReasons, questionStates } from './decision-links.codes.ts'

const token = z.string().min(1).max(64)
const Item = z.object({ name: z.string(), qty: z.number().int() })
const Day = z.iso.date()

/** Number and items: who holds a forwarded link learns no name and no address. */
export const AnswerPage = z.object({
  company: ShopFace,
  locale: Locale,
  order_no: z.string(),
  items: z.array(Item),
  /** What was not found. */
  missing: z.array(Item),
  /** What the order allows now; none once the parcel is packed. */
  choices: z.array(AnswerChoice),
  /** The first and the last day to which the order can wait; null where it waits for what is missing. */
  wait: z.object({ from: Day, to: Day }).nullable(),
  expires_at: Instant,
  time_zone: z.string(),
})
export type AnswerPage = z.infer<typeof AnswerPage>

export const OfferedShop = z.object({
  id: z.string(),
  name: z.string(),
  address1: z.string(),
  postcode: z.string(),
  city: z.string(),
  distance_m: z.number().nullable(),
  opening_hours: z.array(z.string()),
})
export type OfferedShop = z.infer<typeof OfferedShop>

export const OrderQuestion = z.object({
  id: z.number().int(),
  channel: MessageChannel,
  choices: z.array(AnswerChoice),
  state: z.enum(questionStates),
  choice: AnswerChoice.nullable(),
  /** The day to which the recipient lets it wait. */
  until: Day.nullable(),
  created_at: Instant,
  expires_at: Instant,
  used_at: Instant.nullable(),
  closed_at: Instant.nullable(),
  /** Null where the message was not sent. */
  closed_reason: z.enum(closedReasons).nullable(),
  /** Who asked; empty for an occasion. */
  actor: z.string(),
})
export type OrderQuestion = z.infer<typeof OrderQuestion>

export const decisionLinksSchemas = {
  components: { AnswerPage, OfferedShop },
  calls: {
    open: {
      body: z.strictObject({ token }),
      reply: AnswerPage,
      summary:
        'The question behind a link. It changes nothing. Unknown, forged, expired, used and closed links get one answer: 404 `answer_link_not_found`.',
    },
    shops: {
      body: z.strictObject({ token, postcode: text(20).min(1) }),
      reply: z.object({ shops: z.array(OfferedShop) }),
      summary:
        'Parcel shops near the postcode of the order, which the recipient must know. 422 `link_postcode`; the fifth wrong one closes the link.',
    },
    answer: {
      body: z.strictObject({
        token,
        choice: AnswerChoice,
        /** Pressed by a person: programs that open links send none. */
        confirm: z.literal(true),
        /** The page's own name of this answer: sent again it gets the same reply. */
        client_id: z.uuid(),
        /** The postcode of the order, where the choice asks for it. */
        postcode: text(20).default(''),
        /** The day to which the order waits. */
        until: Day.nullable().default(null),
        address: z
          .strictObject({ address1: text(200), address2: text(200).default(''), postcode: text(20), city: text(100) })
          .nullable()
          .default(null),
        shop_id: text(60).default(''),
      }),
      reply: z.object({ choice: AnswerChoice, until: Day.nullable() }),
      summary:
        'Answers, once: the order changes and the link is used up. 409 `link_too_late` once the parcel is packed, `choice_not_offered`; 422 `link_postcode`.',
    },
  },
} satisfies ContractSchemas

const Proposal = z.object({ locale: Locale, subject: z.string(), text: z.string() })

export const orderQuestionsSchemas = {
  components: { OrderQuestion },
  calls: {
    list: {
      reply: z.object({
        rows: z.array(OrderQuestion),
        /** What the recipient could decide now, and why not. */
        choices: z.array(z.object({ choice: AnswerChoice, why_not: z.string().nullable() })),
        /** A text in the recipient's language, with words in braces. */
        proposal: Proposal,
      }),
      summary: 'The questions that the recipient of an order was asked by a link, the newest first, and what can be asked now.',
    },
    revoke: { reply: OrderQuestion, summary: 'Closes a question that waits for its answer; its link cannot be used any more.' },
  },
} satisfies ContractSchemas
