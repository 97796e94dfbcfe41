/** Schemas of the calls in sms.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { isCurrency } from '#domain/money.ts'
import { smsProblems, smsProviders } from '#domain/sms-codes.ts'

const Problem = z.enum(smsProblems)
const Micro = z.number().int().min(0).max(1_000_000_000_000)

export const SmsAccount = z.object({
  /** `log`: the company has no gateway, and its text messages are only logged. */
  provider: z.enum(smsProviders),
  api: z.enum(['classic', 'messaging']),
  region: z.enum(['com', 'eu']),
  user_name: z.string(),
  sender: z.string(),
  /** Of one part, in millionths of the currency. */
  price_micro: z.number().int(),
  currency: z.string(),
  warn_below_micro: z.number().int().nullable(),
  /** The end of the stored secret; null without one. */
  secret_last4: z.string().nullable(),
  callback_secret_last4: z.string().nullable(),
  /** Where the gateway sends answers of recipients and, where it asks for it, reports. */
  callback_url: z.string().nullable(),
  problem: z.object({ problem: Problem, answer: z.string(), at: z.string() }).nullable(),
  /** 0 before the first one is saved. */
  version: z.number().int(),
})
export type SmsAccount = z.infer<typeof SmsAccount>

const isSender = (sender: string): boolean =>
  /^\+?\d{3,15}$/.test(sender) || /^MG[0-9a-f]{32}$/.test(sender) || /^[A-Za-z0-9 ]{1,11}$/.test(sender)

export const SmsAccountChange = z
  .strictObject({
    provider: z.enum(smsProviders),
    /** Of GatewayAPI. */
    api: z.enum(['classic', 'messaging']).default('classic'),
    region: z.enum(['com', 'eu']).default('com'),
    /** Of Twilio: the SID of the account. */
    user_name: text(100).default(''),
    /** At most 11 letters and digits, which cannot be answered, or a number. */
    sender: text(40).refine(isSender, 'A sender is a number, or at most 11 letters and digits'),
    price_micro: z.number().int().min(0).max(1_000_000_000).default(0),
    currency: z.string().trim().toUpperCase().refine(isCurrency, 'Enter the currency as three letters, such as DKK'),
    warn_below_micro: Micro.nullable().default(null),
    /** When left out, the stored one stays. */
    secret: z.string().trim().min(1).max(500).optional(),
    callback_secret: z.string().trim().min(1).max(500).optional(),
    /** That of the account which this change starts from. */
    version: z.number().int().min(0),
  })
  .refine(one => one.provider !== 'twilio' || /^AC[0-9a-f]{32}$/i.test(one.user_name), {
    path: ['user_name'],
    message: 'The SID of a Twilio account begins with AC and has 34 characters',
  })
export type SmsAccountChange = z.infer<typeof SmsAccountChange>

export const SmsBalance = z.object({
  provider: z.enum(smsProviders),
  /** Null where the gateway names none. */
  balance_micro: z.number().int().nullable(),
  currency: z.string(),
  at: z.string().nullable(),
  /** The balance is below the company's limit. */
  warn: z.boolean(),
  error: Problem.nullable(),
})
export type SmsBalance = z.infer<typeof SmsBalance>

const example = {
  provider: 'gatewayapi' as const,
  api: 'classic' as const,
  region: 'eu' as const,
  sender: 'Pakhus',
  price_micro: 307_000,
  currency: 'DKK',
  warn_below_micro: 100_000_000,
  secret: 'the token of the account',
  version: 0,
}

export const smsSchemas = {
  components: { SmsAccount, SmsAccountChange, SmsBalance },
  calls: {
    balance: {
      query: z.object({ fresh: z.enum(['0', '1']).default('0') }),
      reply: SmsBalance,
      summary: 'What is left at the gateway of text messages: asked at most once a minute, unless `fresh=1`.',
    },
    account: { reply: SmsAccount, summary: 'The gateway of the company’s text messages; without one they are only logged.' },
    save: {
      body: SmsAccountChange,
      reply: SmsAccount,
      example: { body: example },
      summary: 'Sets the gateway; 409 with the current state when the version is old. Secrets are not shown again.',
    },
    remove: { summary: 'Removes the gateway with its secrets: from now on text messages are only logged.' },
    test: {
      body: z.strictObject({ to: text(40).min(3) }),
      reply: z.object({ problem: Problem.nullable(), answer: z.string() }),
      summary: 'Sends a test message through the saved gateway to a number, and answers what the gateway said.',
    },
  },
} satisfies ContractSchemas
