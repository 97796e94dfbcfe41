/** Schemas of the calls in templates.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Locale, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { longestSms } from '#features/deliveries/sms/sms-price.rules.ts'
import { answerMistake } from './answer-link.rules.ts'
import { answerChoices, buttonTargets, messageChannels, messageTriggers, mostBlocks } from './templates.codes.ts'

export const MessageChannel = z.enum(messageChannels)
export const MessageTrigger = z.enum(messageTriggers)

export const AnswerChoice = z.enum(answerChoices)
/** Each once, in the order of the list. */
export const AnswerChoices = z
  .array(AnswerChoice)
  .max(answerChoices.length)
  .transform(chosen => answerChoices.filter(one => chosen.includes(one)))

export const EmailBlock = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('heading'), text: text(150).min(1, 'Enter a text') }),
  z.strictObject({ kind: z.literal('text'), text: text(2_000).min(1, 'Enter a text') }),
  z.strictObject({ kind: z.literal('button'), text: text(60).min(1, 'Enter a text'), target: z.enum(buttonTargets) }),
  /** The items of the order. */
  z.strictObject({ kind: z.literal('items') }),
  /** The parcels with their tracking numbers. */
  z.strictObject({ kind: z.literal('parcels') }),
  z.strictObject({ kind: z.literal('divider') }),
])
export type EmailBlock = z.infer<typeof EmailBlock>

const OneLine = text(150).regex(/^[^\r\n]*$/, 'A subject is one line')

const Fields = z.strictObject({
  channel: MessageChannel,
  locale: Locale,
  trigger: MessageTrigger,
  name: text(limits.name).min(1, 'Enter a name'),
  /** Of an e-mail. */
  subject: OneLine.default(''),
  /** Of a text message. Words stand in double braces: `{{ first_name | default: "there" }}`. */
  body: text(longestSms).default(''),
  blocks: z.array(EmailBlock).max(mostBlocks).default([]),
  /** What the recipient can answer, where the text has the word `answer_url`, or the mail a button to it. */
  choices: AnswerChoices.default([]),
  /** Sent in quiet hours too. */
  urgent: z.boolean().default(false),
  delay_minutes: z.number().int().min(0).max(10_080).default(0),
  active: z.boolean().default(true),
})

export const TemplateFields = Fields.check(({ value, issues }) => {
  const missing = (path: string, message: string) => issues.push({ code: 'custom', path: [path], message, input: value })
  if (value.channel === 'sms' && value.body === '') missing('body', 'Enter a text')
  if (value.channel === 'email' && value.subject === '') missing('subject', 'Enter a subject')
  if (value.channel === 'email' && value.blocks.length === 0) missing('blocks', 'Add a block')
  const mistake = answerMistake(value, value.choices)
  if (mistake !== null) missing('choices', mistake)
})
export type TemplateFields = z.output<typeof TemplateFields>

export const MessageTemplate = z.object({
  id: z.number().int(),
  /** Of the company: stays the same for as long as the template exists. */
  index: z.number().int(),
  channel: MessageChannel,
  locale: Locale,
  trigger: MessageTrigger,
  name: z.string(),
  subject: z.string(),
  body: z.string(),
  blocks: z.array(EmailBlock),
  choices: z.array(AnswerChoice),
  urgent: z.boolean(),
  delay_minutes: z.number().int(),
  active: z.boolean(),
  version: z.number().int(),
  updated_at: z.string(),
})
export type MessageTemplate = z.infer<typeof MessageTemplate>

const Change = z.strictObject({ ...Fields.shape, version: z.number().int().min(1) }).check(context => {
  const checked = TemplateFields.safeParse(omitVersion(context.value))
  for (const issue of checked.error?.issues ?? [])
    context.issues.push({ code: 'custom', path: [...issue.path], message: issue.message, input: context.value })
})
const omitVersion = ({ version: _, ...fields }: { version: number }) => fields

export const MessagePreview = z.object({
  subject: z.string(),
  text: z.string(),
  /** Of an e-mail. */
  html: z.string().nullable(),
  /** Of a text message. */
  encoding: z.enum(['GSM-7', 'UCS-2']).nullable(),
  characters: z.number().int(),
  parts: z.number().int(),
  price_micro: z.number().int(),
  currency: z.string(),
  locale: Locale,
  /** Words that this order has no value for, and that have no fallback. */
  missing: z.array(z.string()),
  /** Characters that make the text cost more parts, and what reads the same. */
  replaced: z.array(z.object({ from: z.string(), to: z.string() })),
})
export type MessagePreview = z.infer<typeof MessagePreview>

const idIn = z.coerce.number<unknown>().int()
const index = { index: idIn.min(0) }
const example = {
  channel: 'sms' as const,
  locale: 'en_GB' as const,
  trigger: 'shipped' as const,
  name: 'Parcel packed',
  body: 'Hi {{ first_name | default: "there" }}, your order {{ order_no }} is packed. Follow it: {{ tracking_url }}',
}

export const templatesSchemas = {
  components: { EmailBlock, MessageTemplate, MessagePreview },
  calls: {
    list: {
      query: z.object({ channel: MessageChannel.optional(), trigger: MessageTrigger.optional(), locale: Locale.optional() }),
      reply: z.object({ rows: z.array(MessageTemplate) }),
      summary: 'Templates of messages, by occasion and language.',
    },
    get: { reply: MessageTemplate, summary: 'One template.' },
    create: {
      body: TemplateFields,
      reply: MessageTemplate,
      example: { body: example },
      summary: 'Makes a template. An active one is sent by itself when its occasion comes, unless the occasion is `manual`.',
    },
    update: { body: Change, reply: MessageTemplate, summary: 'Changes a template; 409 with the current state when the version is old.' },
    remove: { summary: 'Removes a template; messages that were written with it stay.' },
    preview: {
      params: index,
      body: z.strictObject({
        /** A real order; without it everything is invented. */
        order_id: z.number().int().positive().nullable().default(null),
        /** What is being written, in place of the stored text. */
        channel: MessageChannel.default('sms'),
        body: text(longestSms).optional(),
        subject: OneLine.optional(),
        blocks: z.array(EmailBlock).max(mostBlocks).optional(),
        locale: Locale.optional(),
      }),
      reply: MessagePreview,
      summary: 'What a template, or a text that is being written (`index` 0), becomes for an order: text, characters, parts and price.',
    },
    page: {
      body: z.strictObject({ token: z.string().max(100) }),
      reply: MessagePreview.extend({ company: z.string(), name: z.string() }),
      summary: 'The e-mail of a template with invented data, for who has a link to it that is not older than 30 minutes.',
    },
    link: {
      reply: z.object({ path: z.string() }),
      summary: 'A link to the preview of an e-mail template, for 30 minutes; it opens without a login.',
    },
  },
} satisfies ContractSchemas
