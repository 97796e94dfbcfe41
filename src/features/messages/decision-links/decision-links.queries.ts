/** Reads links: by their token, of messages, of an order; and what an order allows its recipient now. */
import { sql } from 'kysely'
import * as z from 'zod'
import type { Locale } from '#contract/limits.ts'
import { addDays, dayAt } from '#domain/local-time.ts'
import { localeOfRecipient } from '#features/messages/templates/message-facts.queries.ts'
import { type AnswerChoice, answerChoices } from '#features/messages/templates/templates.codes.ts'
import { AnswerChoices } from '#features/messages/templates/templates.schemas.ts'
import { type OrderFacts, orderFacts } from '#features/orders/orders/order-facts.queries.ts'
import { methodOffered } from '#features/shipping/parcel-shops/courier-methods.queries.ts'
import { faceFor, shopFace } from '#features/shipping/tracking/tracking.queries.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { hashToken, type Vault } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import { mostWaitDays } from './decision-links.codes.ts'
import { asksPostcode, type QuestionFacts, whyNotChoice } from './decision-links.rules.ts'
import { type AnswerPage, OrderQuestion } from './decision-links.schemas.ts'

const purpose = 'decision link'

/** 128 bits that follow from a random seed and the key of the server. */
export const tokenOf = (vault: Vault, { operator_id, company_id }: { operator_id: number; company_id: number }, seed: Uint8Array): string =>
  vault.sign(purpose, `${operator_id}:${company_id}:${Buffer.from(seed).toString('base64url')}`)

export interface Link {
  id: number
  order_id: number
  message_id: number
  channel: 'sms' | 'email'
  choices: AnswerChoice[]
  used_at: string | null
  choice: AnswerChoice | null
  until: string | null
  client_id: string | null
  expires_at: string
}

const columns = ['id', 'order_id', 'message_id', 'channel', 'choices', 'used_at', 'choice', 'until', 'client_id', 'expires_at'] as const
const Stored = z.object({
  id: z.number(),
  order_id: z.number(),
  message_id: z.number(),
  channel: z.enum(['sms', 'email']),
  choices: AnswerChoices,
  used_at: z.string().nullable(),
  choice: z.enum(answerChoices).nullable(),
  until: z.string().nullable(),
  client_id: z.string().nullable(),
  expires_at: z.string(),
})

const linkByToken = (db: Db, company_id: number, token: string) =>
  db.selectFrom('decision_links').select(columns).where('company_id', '=', company_id).where('token_hash', '=', hashToken(token))

/** The link whose question waits for its answer; unknown, expired, used and closed ones are all undefined. `lock` takes its row. */
export async function openLink(
  db: Db,
  company_id: number,
  token: string,
  now: Date,
  { lock = false }: { lock?: boolean } = {},
): Promise<Link | undefined> {
  const row = await linkByToken(db, company_id, token)
    .$if(lock, links => links.forNoKeyUpdate())
    .where('used_at', 'is', null)
    .where('closed_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('orders as o')
          .select('o.id')
          .whereRef('o.id', '=', 'decision_links.order_id')
          .where('o.cancelled_at', 'is', null)
          .where('o.erased_at', 'is', null),
      ),
    )
    .executeTakeFirst()
  return row && Stored.parse(row)
}

/** The link that was used with this answer, so that it can be sent twice. */
export async function answeredLink(db: Db, company_id: number, token: string, client_id: string): Promise<Link | undefined> {
  const row = await linkByToken(db, company_id, token)
    .where('client_id', '=', client_id)
    .where('used_at', 'is not', null)
    .executeTakeFirst()
  return row && Stored.parse(row)
}

/** What a message about an answer must know of it. */
export async function linkForMessages(db: Db, id: number): Promise<Link | undefined> {
  const row = await db.selectFrom('decision_links').select(columns).where('id', '=', id).executeTakeFirst()
  return row && Stored.parse(row)
}

/** Secrets of the links in messages that are about to be sent; none for a link that is closed. */
export async function secretsOfMessages(
  db: Db,
  vault: Vault,
  scope: { operator_id: number; company_id: number },
  message_ids: readonly number[],
  now: Date,
): Promise<Map<number, string>> {
  if (message_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('decision_links')
    .select(['message_id', 'seed'])
    .where('company_id', '=', scope.company_id)
    .where('message_id', '=', sql<number>`any(${[...message_ids]}::bigint[])`)
    .where('used_at', 'is', null)
    .where('closed_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .execute()
  return new Map(rows.map(({ message_id, seed }) => [message_id, tokenOf(vault, scope, seed)]))
}

export interface Short {
  id: number
  name: string
  quantity: number
  decision: string | null
}

/** What was not found of an order and is not decided, or waits for the recipient. */
export const undecidedShorts = (db: Db, order_id: number): Promise<Short[]> =>
  db
    .selectFrom('pick_shorts')
    .select(['id', 'name', 'quantity', 'decision'])
    .where('order_id', '=', order_id)
    .where(eb => eb.or([eb('decision', 'is', null), eb('decision', '=', 'ask_customer')]))
    .orderBy('id')
    .limit(200)
    .execute()

const Delivery = z.object({ partial_allowed: z.boolean().catch(true) }).catch({ partial_allowed: true })

export interface Asked extends QuestionFacts {
  order: OrderFacts
  undecided: Short[]
  locale: Locale | null
  ship_to: unknown
  /** Empty where there is none. */
  postcode: string
  ship_country: string
  agent_code: string | null
  shipping_method: string | null
}

/** What the recipient of an order could decide; `order` where its row is taken already. */
export async function askedOf(db: Db, order_id: number, taken?: OrderFacts): Promise<Asked | undefined> {
  const order = taken ?? (await orderFacts(db, order_id))
  const row = await db
    .selectFrom('orders')
    .select(['company_id', 'delivery', 'service_point', 'agent_code', 'shipping_method', 'ship_to', 'ship_country', 'locale'])
    .where('id', '=', order_id)
    .executeTakeFirst()
  if (!order || !row) return undefined
  const adapter = row.agent_code === null ? undefined : courier(row.agent_code)
  const method =
    adapter?.capabilities.parcel_shops && row.shipping_method !== null
      ? await methodOffered(db, row.company_id, adapter, row.shipping_method)
      : undefined
  const undecided = await undecidedShorts(db, order_id)
  return {
    order,
    undecided,
    shorts: undecided.length,
    partial_allowed: Delivery.parse(row.delivery).partial_allowed,
    goes_to_shop: row.service_point !== null,
    offers_shops: method !== undefined && method.service_point !== 'none',
    locale: localeOfRecipient(row.locale, row.ship_country),
    ship_to: row.ship_to,
    postcode: KnownPostcode.safeParse(row.ship_to).data?.postcode ?? '',
    ship_country: row.ship_country,
    agent_code: row.agent_code,
    shipping_method: row.shipping_method,
  }
}

/** Without a postcode no one can name it. */
const KnownPostcode = z.object({ postcode: z.string().min(1) })
const offeredChoices = (asked: Asked, choices: readonly AnswerChoice[] = answerChoices): AnswerChoice[] =>
  choices.filter(choice => whyNotChoice(choice, asked) === null && (!asksPostcode(choice) || asked.postcode !== ''))

/** The days to which an order can be put off, in the company's zone. */
export function waitDays(time_zone: string, now: Date): { from: string; to: string } {
  const today = dayAt(now.getTime(), time_zone)
  return { from: addDays(today, 1), to: addDays(today, mostWaitDays) }
}

/** The page of an open link, in the recipient's language. */
export async function answerPage(
  db: Db,
  company_id: number,
  link: Link,
  { reader, now }: { reader: Locale | null; now: Date },
): Promise<AnswerPage | undefined> {
  const asked = await askedOf(db, link.order_id)
  if (!asked) return undefined
  const face = await shopFace(db, company_id)
  const lines = await db
    .selectFrom('order_lines')
    .select(['name', 'variant', sql<number>`qty - cancelled_qty`.as('qty')])
    .where('order_id', '=', link.order_id)
    .where('type', '=', 'item')
    .where('requires_shipping', '=', true)
    .where(sql<boolean>`qty > cancelled_qty`)
    .orderBy('line_no')
    .limit(500)
    .execute()
  const locale = asked.locale ?? reader ?? face.locale
  return {
    company: faceFor(face, locale),
    locale,
    order_no: asked.order.order_no,
    items: lines.map(({ name, variant, qty }) => ({ name: [name, variant].filter(Boolean).join(', '), qty })),
    missing: asked.undecided.map(({ name, quantity }) => ({ name, qty: quantity })),
    choices: offeredChoices(asked, link.choices),
    wait: asked.shorts > 0 ? null : waitDays(face.time_zone, now),
    expires_at: link.expires_at,
    time_zone: face.time_zone,
  }
}

const questions = (db: Db, now: Date) =>
  db
    .selectFrom('decision_links as l')
    .leftJoin('messages as m', 'm.id', 'l.message_id')
    .select(['l.id', 'l.channel', 'l.choices', 'l.choice', 'l.until', 'l.created_at', 'l.expires_at', 'l.used_at', 'l.closed_at'])
    .select(['l.closed_reason', 'l.actor'])
    .select(
      // No one has the link of a message that did not go out.
      sql<string>`case when l.used_at is not null then 'answered' when l.closed_at is not null or m.state in ('cancelled', 'skipped', 'failed', 'expired')
        then 'closed' when l.expires_at <= ${now.toISOString()} then 'expired' else 'waiting' end`.as('state'),
    )

export const questionsOfOrder = async (db: Db, order_id: number, now: Date): Promise<OrderQuestion[]> =>
  z.array(OrderQuestion).parse(await questions(db, now).where('l.order_id', '=', order_id).orderBy('l.id', 'desc').limit(50).execute())

export async function questionById(db: Db, id: number, now: Date): Promise<OrderQuestion | undefined> {
  const row = await questions(db, now).where('l.id', '=', id).executeTakeFirst()
  return row && OrderQuestion.parse(row)
}
