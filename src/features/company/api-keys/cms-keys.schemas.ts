/** Schemas of the calls in cms-keys.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import { keyPurposes, keyScopes } from '#contract/access.ts'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { keptHours } from './cms-keys.codes.ts'
import { isNetwork } from './networks.rules.ts'

/** The shop's code as orders name it. */
export const ShopCode = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, 'A shop code has up to 40 small letters, digits, dots and hyphens')

const KeyPurpose = z.enum(keyPurposes)

export const CmsKey = z.object({
  id: z.number().int(),
  name: z.string(),
  purpose: KeyPurpose,
  shop: z.string(),
  /** The first characters, to distinguish keys. */
  prefix: z.string(),
  status: z.enum(['active', 'unused', 'expired']),
  last_used_at: z.string().nullable(),
  last_used_ip: z.string().nullable(),
  expires_at: z.string().nullable(),
  created_at: z.string(),
  created_by: z.string().nullable(),
  scopes: z.array(z.enum(keyScopes)),
  read_only: z.boolean(),
  allowed_networks: z.array(z.string()),
  /** Another key takes its place when it expires. */
  replaced: z.boolean(),
})
export type CmsKey = z.infer<typeof CmsKey>

/** None: from everywhere. */
const Networks = z.array(text(50).refine(isNetwork, 'This is no network. Write it like 192.0.2.0/24.')).max(20, 'At most 20 networks')

export const HookSource = z.enum(['woocommerce', 'shopify'])
export type HookSource = z.infer<typeof HookSource>
/** A limit on replaced secrets: more than one rotation at a time is a mistake. */
export const mostRetired = 5

export const WebHook = z.object({
  source: HookSource,
  shop: z.string(),
  /** Address for the shop's deliveries, under the host of this company. */
  path: z.string(),
  last4: z.string(),
  updated_at: z.string(),
  /** Replaced secrets that are still valid. */
  retired: z.array(
    z.object({
      retired_id: z.number().int(),
      last4: z.string(),
      retired_at: z.string(),
      valid_until: z.string(),
      /** Time of the last delivery that it signed after its replacement. */
      last_used_at: z.string().nullable(),
    }),
  ),
  last_delivery_at: z.string().nullable(),
  /** Result of the last delivery, as a sentence. */
  last_outcome: z.string().nullable(),
})
export type WebHook = z.infer<typeof WebHook>

export const cmsKeysSchemas = {
  components: { CmsKey, HookSource, WebHook },
  calls: {
    list: {
      reply: z.object({ rows: z.array(CmsKey) }),
      summary: 'The CMS keys of the company: for which shop, whether they work, and when they were last used.',
    },
    create: {
      body: z.strictObject({
        name: text(limits.name).min(1, 'Give the key a name by which you will know it'),
        /** A key of a print agent works for the calls of print agents alone. */
        purpose: KeyPurpose.default('shop'),
        shop: ShopCode.default('main'),
        expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
        /** What a key of the purpose api may do, as codes of permissions; it never does more than its maker may. */
        scopes: z.array(z.enum(keyScopes)).max(keyScopes.length).default([]),
        /** The key opens calls that read, and no others. */
        read_only: z.boolean().default(false),
        /** Networks from which the key works; none means from everywhere. */
        allowed_networks: Networks.default([]),
      }),
      /** Contains the key, which is shown only in this answer. */
      reply: z.object({ key: z.string(), row: CmsKey }),
      example: { body: { name: 'Our shop’s program' } },
      summary: 'Makes a CMS key. The answer shows it once; only its hash is kept.',
    },
    remove: {
      query: z.object({ id: z.coerce.number<unknown>().int().positive() }),
      summary: 'Removes a CMS key: what is sent with it is refused from now on.',
    },
    change: {
      body: z.strictObject({
        name: text(limits.name).min(1, 'Give the key a name by which you will know it'),
        expires_at: z.iso.datetime({ offset: true }).nullable(),
        allowed_networks: Networks,
      }),
      reply: CmsKey,
      example: { id: 1, body: { name: 'Our shop’s program', expires_at: null, allowed_networks: [] } },
      summary: 'Changes name, end and networks of a CMS key. Purpose and scopes stay: for others make another key.',
    },
    replace: {
      body: z.strictObject({ keep_hours: z.union(keptHours.map(hours => z.literal(hours))).default(24) }),
      reply: z.object({ key: z.string(), row: CmsKey }),
      example: { id: 1, body: { keep_hours: 24 } },
      summary: 'Makes a key that takes the place of this one, with the same rights. This one works for keep_hours: 0, 1, 24 or 168.',
    },
    hooks: {
      reply: z.object({ rows: z.array(WebHook) }),
      summary: 'The web hooks of the shops: where they deliver, and what their last delivery did.',
    },
    setHook: {
      params: { source: HookSource, shop: ShopCode },
      body: z.strictObject({
        secret: text(500).min(8, 'A secret has at least 8 characters'),
        keep_old_hours: z.union(keptHours.map(hours => z.literal(hours))).default(24),
      }),
      reply: WebHook,
      example: { source: 'woocommerce', shop: 'main', body: { secret: 'a long secret that only the shop knows' } },
      summary:
        'Keeps the secret with which the shop signs its deliveries. It is never shown again. The one it replaces goes on signing for keep_old_hours: 0, 1, 24 or 168.',
    },
    removeRetired: {
      params: { source: HookSource, shop: ShopCode },
      summary: 'Ends a replaced secret before its time: deliveries signed with it are refused from now on.',
    },
    removeHook: {
      params: { source: HookSource, shop: ShopCode },
      summary: 'Removes a web hook: its deliveries are refused from now on.',
    },
  },
} satisfies ContractSchemas
