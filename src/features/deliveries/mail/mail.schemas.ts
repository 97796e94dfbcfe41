/** Schemas of the calls in mail.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { Email } from '#features/company/users/users.schemas.ts'
import { mailProblems, mailSecurities } from './mail.codes.ts'

const Problem = z.enum(mailProblems)

const Host = text(253).regex(
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$|^[0-9a-f:.]+$/i,
  'A mail server is a name such as smtp.example.com',
)

export const MailAccount = z.object({
  host: z.string(),
  port: z.number().int(),
  security: z.enum(mailSecurities),
  user_name: z.string().nullable(),
  /** People choose passwords of mailboxes themselves: not even their end is shown. */
  has_password: z.boolean(),
  from_name: z.string(),
  from_address: z.string(),
  reply_to: z.string().nullable(),
  version: z.number().int(),
  /** `paused`: no mail was sent for three days; mails wait until the account is saved again. */
  state: z.enum(['active', 'paused', 'disabled']),
  /** Mails that wait to be sent. */
  waiting: z.number().int(),
  /** The mail that was tried last. */
  last: z
    .object({
      state: z.enum(['waiting', 'sending', 'delivered', 'failed']),
      at: z.string(),
      attempts: z.number().int(),
      problem: Problem.nullable(),
      /** What the mail server said. */
      answer: z.string(),
    })
    .nullable(),
})
export type MailAccount = z.infer<typeof MailAccount>

export const MailAccountChange = z.strictObject({
  host: Host.min(1),
  port: z.number().int().min(1).max(65_535),
  security: z.enum(mailSecurities),
  /** Null: the server asks for no sign-in. */
  user_name: text(254).min(1).nullable(),
  /** When left out, the stored one stays. */
  password: z.string().min(1).max(500).optional(),
  from_name: text(limits.name).min(1, 'Give the name that recipients see'),
  from_address: Email,
  reply_to: Email.nullable(),
  /** That of the account which this change starts from; null for the first one. */
  version: z.number().int().positive().nullable(),
})
export type MailAccountChange = z.infer<typeof MailAccountChange>

const example = {
  host: 'smtp.example.com',
  port: 587,
  security: 'starttls' as const,
  user_name: 'warehouse@example.com',
  password: 'the password of the mailbox',
  from_name: 'Demo Logistics',
  from_address: 'warehouse@example.com',
  reply_to: null,
  version: null,
}

export const mailSchemas = {
  components: { MailAccount, MailAccountChange },
  calls: {
    account: {
      reply: z.object({ account: MailAccount.nullable() }),
      summary: 'The mail account of the company, with the state of its last mail; null without one.',
    },
    save: {
      body: MailAccountChange,
      reply: z.object({ account: MailAccount }),
      example: { body: example },
      summary: 'Sets the mail account; 409 with the current state when the version is old. Mails that wait are tried again.',
    },
    remove: {
      summary: 'Removes the mail account with the mails that wait for it.',
    },
    test: {
      reply: z.object({
        /** The caller’s own address, to which the mail went. */
        to: z.string(),
        problem: Problem.nullable(),
        /** What the mail server said. */
        answer: z.string(),
      }),
      summary: 'Sends a test mail to the caller’s own address through the saved account, and answers how it went.',
    },
  },
} satisfies ContractSchemas
