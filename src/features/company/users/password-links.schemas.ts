/** Schemas of the calls in password-links.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { longestPassword } from './passwords.rules.ts'

/** `given`: the password of the user was set by an administrator, and is replaced by an own one at the sign-in. */
const linkPurposes = ['invitation', 'forgotten', 'given'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

/** Any text: one that was cut off by a mail program is answered like one that has ended. */
const Token = z.string().max(200)

export const Invitation = z.object({
  /** Sets the password of the user; works once. */
  url: z.string(),
  expires_at: z.string(),
  /** The address to which it is mailed; null where the user has none, or the company has no mail account. */
  mailed_to: z.string().nullable(),
})
export type Invitation = z.infer<typeof Invitation>

export const passwordLinksSchemas = {
  components: { Invitation },
  calls: {
    invite: {
      reply: Invitation,
      summary: 'Makes a link by which a user sets a password, and mails it; earlier links of the user end.',
    },
    forgotten: {
      body: z.strictObject({
        /** E-mail, user name or employee number. */
        login: z.string().trim().min(1).max(254),
      }),
      summary: 'Mails a link to set a new password. The answer is the same for unknown names.',
    },
    find: {
      body: z.strictObject({ token: Token }),
      reply: z.object({
        name: z.string(),
        login: z.string(),
        purpose: z.enum(linkPurposes),
        expires_at: z.string(),
      }),
      summary: 'Whose password the link of this token sets.',
    },
    setPassword: {
      body: z.strictObject({ token: Token, password: z.string().max(longestPassword) }),
      reply: z.object({ login: z.string() }),
      summary: 'Sets the password by a link, which then has ended like all sessions of the user.',
    },
  },
} satisfies ContractSchemas
