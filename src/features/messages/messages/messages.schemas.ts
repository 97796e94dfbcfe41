/** Schemas of the calls in messages.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { longestSms } from '#features/deliveries/sms/sms-price.rules.ts'
import { AnswerChoices, EmailBlock, MessageChannel, MessageTrigger } from '#features/messages/templates/templates.schemas.ts'
import { OrderFilters } from '#features/orders/orders/orders.schemas.ts'
import { MessageSettings } from './message-settings.schemas.ts'
import { messageStates, messageViews, phoneStates, skipReasons } from './messages.codes.ts'

const id = z.number().int()
const idIn = z.coerce.number<unknown>().int().positive()

const MessageState = z.enum(messageStates)

export const Message = z.object({
  id,
  company_id: id,
  direction: z.enum(['out', 'in']),
  channel: MessageChannel,
  state: MessageState,
  /** Why it was skipped, or what went wrong. */
  reason: z.string().nullable(),
  /** What gateway or mail server said. */
  answer: z.string().nullable(),
  order_id: id.nullable(),
  order_no: z.string().nullable(),
  customer_id: id.nullable(),
  group_id: id.nullable(),
  trigger: MessageTrigger,
  /** Empty once the person is erased or the company's time for keeping is over. */
  address: z.string(),
  name: z.string(),
  subject: z.string(),
  text: z.string(),
  parts: z.number().int().nullable(),
  price_micro: z.number().int().nullable(),
  currency: z.string().nullable(),
  provider: z.string().nullable(),
  send_after: z.string(),
  sent_at: z.string().nullable(),
  final_at: z.string().nullable(),
  /** Of an answer: who has seen to it. */
  handled_at: z.string().nullable(),
  handled_by: z.string().nullable(),
  /** Who wrote it; empty for an occasion. */
  actor: z.string(),
  created_at: z.string(),
})
export type Message = z.infer<typeof Message>

const Asked = z.object({
  view: z.enum(messageViews).default('all'),
  /** The number of an order, a telephone number or an e-mail address. */
  query: z.string().trim().max(200).default(''),
  channel: MessageChannel.optional(),
  state: listParam(MessageState),
  trigger: listParam(MessageTrigger),
  company: idIn.optional(),
  sort: z.enum(['newest', 'oldest']).default('newest'),
})
export type AskedMessages = z.output<typeof Asked>

const Skipped = z.object({ order_id: id, order_no: z.string(), reason: z.enum(skipReasons) })

const Sending = z.strictObject({
  /** These orders, else those that the filters find. */
  orders: z.array(id.positive()).min(1).max(500).optional(),
  filters: OrderFilters.partial().optional(),
  /** Of the template; else `body`, or `subject` and `blocks`. */
  index: z.number().int().positive().optional(),
  channel: MessageChannel,
  body: text(longestSms).optional(),
  subject: text(150).optional(),
  blocks: z.array(EmailBlock).max(40).optional(),
  /** What the recipients of an own text can answer by the link of the word `answer_url`; a template has its own. */
  choices: AnswerChoices.default([]),
  urgent: z.boolean().default(false),
})
export type Sending = z.output<typeof Sending>

export const Quote = z.object({
  /** Messages that would be sent. */
  count: z.number().int(),
  parts: z.number().int(),
  price_micro: z.number().int(),
  currency: z.string(),
  /** What the balance covers, where it is known. */
  covered: z.number().int().nullable(),
  /** Some that are left out, and how many in all. */
  skipped: z.array(Skipped),
  skipped_count: z.number().int(),
  /** The first message. */
  sample: z.object({ order_no: z.string(), to: z.string(), subject: z.string(), text: z.string() }).nullable(),
  /** When the first of them waits for the end of quiet hours. */
  waits_until: z.string().nullable(),
})
export type Quote = z.infer<typeof Quote>

export const MessageGroup = z.object({
  id,
  company_id: id,
  title: z.string(),
  channel: MessageChannel,
  asked: z.number().int(),
  actor: z.string(),
  created_at: z.string(),
  cancelled_at: z.string().nullable(),
  /** Messages by state. */
  counts: z.partialRecord(MessageState, z.number().int()),
  /** Of what was sent so far. */
  price_micro: z.number().int(),
  currency: z.string(),
})
export type MessageGroup = z.infer<typeof MessageGroup>

export const OptOut = z.object({
  id,
  channel: MessageChannel,
  /** Null once the person is erased. */
  address: z.string().nullable(),
  source: z.enum(['stop', 'gateway', 'person']),
  actor: z.string(),
  at: z.string(),
})
export type OptOut = z.infer<typeof OptOut>

const OrderPhone = z.object({
  id,
  company_id: id,
  order_no: z.string(),
  customer_name: z.string(),
  country: z.string(),
  phase: z.string(),
  phone: z.enum(phoneStates),
  has_email: z.boolean(),
})
export type OrderPhone = z.infer<typeof OrderPhone>

const confirm = z.strictObject({ count: z.number().int().min(0), price_micro: z.number().int().min(0) })
const raw = { params: { account_id: idIn, key: z.string().max(60) } }

export const messagesSchemas = {
  components: { Message, MessageGroup, MessageSettings, OptOut, Quote },
  calls: {
    send: {
      body: Sending.extend({ title: text(120).optional(), confirm, client_id: z.uuid() }),
      reply: z.object({ group_id: id, queued: z.number().int(), skipped: z.array(Skipped), skipped_count: z.number().int() }),
      summary:
        'Queues a message to each of the orders. Number and price must be those that were quoted, else 409 with the quote of now. Sent again with the same `client_id` it does nothing more.',
    },
    quote: {
      body: Sending,
      reply: Quote,
      summary: 'How many messages a sending would be, what they cost, who is left out, and the first one. Nothing is sent.',
    },
    orderList: {
      query: z.object({
        offset: z.coerce.number<unknown>().int().min(0).max(1_000_000).default(0),
        limit: z.coerce.number<unknown>().int().min(1).max(500).default(50),
        query: z.string().max(200).default(''),
      }),
      reply: page(OrderPhone),
      summary: 'Orders with what their telephone number is good for: `ok`, `none`, `bad`, `opt_out`.',
    },
    ordersByIds: {
      query: z.object({ ids: z.string().max(10_000) }),
      reply: z.object({ rows: z.array(OrderPhone) }),
      summary: 'The same for orders by their ids, joined by the letter `s` or by commas: `12s15`. At most 500.',
    },
    thread: { reply: z.object({ rows: z.array(Message) }), summary: 'Messages of an order in both directions, the oldest first.' },
    customerThread: {
      reply: z.object({ rows: z.array(Message) }),
      summary: 'Messages of a customer in both directions, the oldest first; of the companies that the caller sees.',
    },
    groups: {
      query: pageQuery,
      reply: page(MessageGroup),
      summary: 'Sendings to several orders, with their messages by state and what they cost.',
    },
    group: {
      query: pageQuery.extend({ state: listParam(MessageState) }),
      reply: page(Message).extend({ group: MessageGroup }),
      summary: 'The messages of one sending.',
    },
    cancelGroup: { reply: z.object({ cancelled: z.number().int() }), summary: 'Cancels the messages of a sending that are not sent yet.' },
    list: { query: pageQuery.extend(Asked.shape), reply: page(Message), summary: 'Messages and answers, page by page.' },
    export: { query: Asked, summary: 'Messages and answers as CSV.' },
    count: {
      reply: z.object({ unanswered: id, failed: id, scheduled: id }),
      summary: 'How many messages wait for someone: unanswered, failed, scheduled.',
    },
    cancel: { reply: Message, summary: 'Cancels a message that is not sent yet.' },
    settle: {
      body: z.strictObject({ sent: z.boolean() }),
      reply: Message,
      summary:
        'Decides about a message of which it is not known whether it was sent: it was, or it is sent again. A failed one is sent again too.',
    },
    handle: { reply: Message, summary: 'Marks an answer as seen to.' },
    reply: {
      body: z.strictObject({ message_id: id.positive(), text: text(longestSms).min(1, 'Enter a text'), client_id: z.uuid() }),
      reply: Message,
      summary: 'Answers a message on the way it came, and marks it as seen to.',
    },
    settings: { reply: MessageSettings, summary: 'Quiet hours of text messages, and how long texts are kept.' },
    saveSettings: {
      body: MessageSettings,
      reply: MessageSettings,
      summary: 'Sets quiet hours and how long texts are kept; 409 with the current state when the version is old.',
    },
    optOuts: {
      query: pageQuery.extend({ query: z.string().trim().max(254).default('') }),
      reply: page(OptOut),
      summary: 'Who wants no more messages. `query` is a whole number or address.',
    },
    addOptOut: {
      body: z.strictObject({ channel: MessageChannel, address: text(254).min(3) }),
      reply: OptOut,
      summary: 'Sends no more messages to a number or address.',
    },
    endOptOut: { summary: 'Sends messages to this number or address again.' },
    callback: { ...raw, summary: 'Reports and answers of the gateway of a company. Signed where the gateway signs.' },
  },
} satisfies ContractSchemas
