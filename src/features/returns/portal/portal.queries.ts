/** Reads of the return portal: its page, the order of a link, a quote, and a return as its customer sees it. */
import { sql } from 'kysely'
import * as z from 'zod'
import { conflict, unprocessable } from '#contract/errors.ts'
import { Locale } from '#contract/fields.schemas.ts'
import { elementAt, isKeyOf } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { accountForSending } from '#features/deliveries/mail/mail.queries.ts'
import { labelOfReturn } from '#features/returns/returns/return-label.commands.ts'
import { policyInForce, questionShown, returnTerms } from '#features/returns/returns/return-policy.queries.ts'
import { methodsOfItems, outcomesOfItem, type Refusal, wordsFor } from '#features/returns/returns/return-policy.rules.ts'
import { reasonWords } from '#features/returns/returns/return-reasons.rules.ts'
import { isRefunded } from '#features/returns/returns/return-states.rules.ts'
import { type ReturnWindow, shopWindow } from '#features/returns/returns/return-window.rules.ts'
import { withdrawalReason } from '#features/returns/returns/returns.codes.ts'
import {
  amountOfPiece,
  leftToReturn,
  type ReturnProgress,
  returnReasons,
  returnWindows,
} from '#features/returns/returns/returns.queries.ts'
import { DropOff } from '#features/returns/returns/returns.schemas.ts'
import { mainShop } from '#features/returns/rma-languages/rma-languages.codes.ts'
import { languageOfShop, openLanguages } from '#features/returns/rma-languages/rma-languages.queries.ts'
import { methodsOffered } from '#features/shipping/parcel-shops/courier-methods.queries.ts'
import { offeredCouriers } from '#features/shipping/parcel-shops/courier-settings.queries.ts'
import { faceFor, goesToPostcode, numbersAsWritten, shopFace } from '#features/shipping/tracking/tracking.queries.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import { hashToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { portalRefusals, priceOf, stepOf } from './portal.rules.ts'
import {
  PortalOffer,
  type PortalOrder,
  type PortalPage,
  type PortalQuote,
  type PortalReturn,
  type PortalSelection,
} from './portal.schemas.ts'

const defaultOffer: PortalOffer = { outcomes: ['refund'], methods: ['own_label'], label: null, qr: null, version: 0 }

export async function portalOffer(db: Db, company_id: number): Promise<PortalOffer> {
  const row = await db
    .selectFrom('return_portal_offers')
    .select(['outcomes', 'methods', 'label_agent_code', 'label_method', 'label_price', 'label_countries', 'version'])
    .select(['qr_agent_code', 'qr_method', 'qr_price', 'qr_countries'])
    .where('company_id', '=', company_id)
    .executeTakeFirst()
  if (!row) return defaultOffer
  const { outcomes, methods, version } = row
  const way = (agent_code: string | null, shipping_method: string | null, price: number, countries: unknown) =>
    agent_code === null || shipping_method === null ? null : { agent_code, shipping_method, price, countries }
  return PortalOffer.parse({
    ...{ outcomes, methods, version },
    label: way(row.label_agent_code, row.label_method, row.label_price, row.label_countries),
    qr: way(row.qr_agent_code, row.qr_method, row.qr_price, row.qr_countries),
  })
}

/** Couriers of the company that make return labels, with their methods. */
export async function labelMethods(db: Db, company_id: number) {
  const offered = (await offeredCouriers(db, company_id)).filter(({ capabilities }) => capabilities.operations.includes('return'))
  return Promise.all(
    offered.map(async one => ({
      agent_code: one.capabilities.agent_code,
      name: one.capabilities.name,
      methods: (await methodsOffered(db, company_id, one)).map(({ code, name }) => ({ code, name })),
      qr: one.capabilities.return_qr === true,
    })),
  )
}

/** The courier of this way to send, where it has parcel shops. */
const shopsOf = (way: PortalOffer['label']): string | null =>
  way !== null && courier(way.agent_code)?.capabilities.parcel_shops ? way.agent_code : null

export type Preview = 'none' | 'open' | 'draft'

/** The portal in the language that is asked for, where it is open in it, else in the company's, else in the first that is open. */
export async function portalPage(
  db: Db,
  company_id: number,
  { shop, lang, reader, preview }: { shop: string; lang: Locale | undefined; reader: Locale | null; preview: Preview },
): Promise<PortalPage> {
  const [face, open, reasons, offer] = await Promise.all([
    shopFace(db, company_id),
    openLanguages(db, company_id, shop),
    returnReasons(db, company_id),
    portalOffer(db, company_id),
  ])
  const languages = open.map(one => one.language)
  const wishes = [lang, reader, face.locale]
  const locale = wishes.find(one => one && languages.includes(one)) ?? languages[0] ?? lang ?? reader ?? face.locale
  const shown = preview === 'draft' ? await languageOfShop(db, company_id, shop, lang ?? locale) : open.find(one => one.language === locale)
  const { greeting = '', return_address = '', legal = '', support = '' } = shown?.texts ?? {}
  const spoken = shown?.language ?? locale
  const { returns } = face.settings
  const question = preview === 'none' ? null : await questionShown(db, company_id, preview === 'draft')
  return {
    company: faceFor(face, spoken),
    locale: spoken,
    languages: preview === 'draft' ? [spoken] : languages,
    is_open: languages.length > 0 || preview !== 'none',
    is_preview: preview !== 'none',
    texts: { greeting, return_address, legal, support },
    pictures: shown?.pictures ?? { logo: null, header: null, background: null },
    pictures_of: shown?.shop ?? mainShop,
    reasons: reasons
      .filter(one => one.active && one.code !== withdrawalReason)
      .map(({ code, words, evidence_text, evidence_photo, fault }) => ({
        code,
        text: words[spoken] || (isKeyOf(reasonWords, code) ? reasonWords[code] : wordsFor(words, spoken, face.locale) || code),
        evidence_text,
        evidence_photo,
        fault,
      })),
    question: question && { text: wordsFor(question.words, spoken, face.locale), required: question.required },
    drop_off: { label: shopsOf(offer.label), qr: shopsOf(offer.qr) },
    outcomes: offer.outcomes,
    methods: offer.methods,
    currency: face.settings.currency,
    fee: returns.fee,
    label_price: offer.label?.price ?? 0,
    qr_price: offer.qr?.price ?? 0,
    window_days: returns.window_days,
    time_zone: face.time_zone,
  }
}

const ShipTo = z.object({ email: z.string().catch('') }).catch({ email: '' })
const isSameEmail = (one: string | null, other: string): boolean => one !== null && one.trim().toLowerCase() === other.trim().toLowerCase()

/** The newest order with this number for which `fits` holds; cancelled and erased ones are none. */
async function findOrder(
  db: Db,
  company_id: number,
  order_no: string,
  fits: (order: { ship_to: unknown; ship_country: string; emails: readonly (string | null)[] }) => boolean,
): Promise<{ id: number; shop: string } | undefined> {
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'shop', 'ship_to', 'ship_country', 'customer_email'])
    .where('company_id', '=', company_id)
    .where('order_no', '=', sql<string>`any(${numbersAsWritten(order_no)})`)
    .where('cancelled_at', 'is', null)
    .where('erased_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return rows.find(row => fits({ ...row, emails: [row.customer_email, ShipTo.parse(row.ship_to).email || null] }))
}

/** The order that a customer names by its number and its postcode or e-mail, where the portal of its shop is open. */
export async function orderForPortal(
  db: Db,
  company_id: number,
  { order_no, key, shop }: { order_no: string; key: string; shop: string },
): Promise<number | undefined> {
  const found = await findOrder(db, company_id, order_no, order =>
    key.includes('@') ? order.emails.some(email => isSameEmail(email, key)) : goesToPostcode(order, key),
  )
  const open = await openLanguages(db, company_id, shop)
  if (!found || open.length === 0 || (shop !== mainShop && found.shop !== shop)) return undefined
  return found.id
}

export const orderOfEmail = async (db: Db, company_id: number, order_no: string, email: string): Promise<number | undefined> =>
  (await findOrder(db, company_id, order_no, ({ emails }) => emails.some(one => isSameEmail(one, email))))?.id

/** Who gets the mails about an order. */
export async function contactOfOrder(db: Db, order_id: number): Promise<{ name: string; email: string | null; phone: string | null }> {
  const row = await db
    .selectFrom('orders')
    .select(['customer_name', 'customer_email', 'customer_phone', 'ship_to'])
    .where('id', '=', order_id)
    .executeTakeFirstOrThrow()
  return {
    name: row.customer_name.slice(0, 120),
    email: (row.customer_email || ShipTo.parse(row.ship_to).email || null)?.slice(0, 254) ?? null,
    phone: row.customer_phone?.slice(0, 40) ?? null,
  }
}

export async function portalOrder(db: Db, order_id: number, now: Date): Promise<PortalOrder> {
  const [order, lines, windows] = await Promise.all([
    db
      .selectFrom('orders')
      .select(['company_id', 'order_no', 'ordered_at', 'currency', 'ship_country as country'])
      .where('id', '=', order_id)
      .executeTakeFirstOrThrow(),
    leftToReturn(db, order_id),
    returnWindows(db, order_id),
  ])
  const { company_id, ...shown } = order
  const [{ rules }, settings] = await Promise.all([policyInForce(db, company_id), companySettings(db, company_id)])
  // A rule that asks for the reason may give more time: which one is known once the customer has said it.
  const longest = Math.max(settings.returns.window_days, ...rules.map(({ effects }) => effects.window_days ?? 0))
  const { arrived_on, time_zone, withdrawal } = windows
  const latest = laterOf(arrived_on === null ? null : shopWindow(arrived_on, longest, time_zone), withdrawal)
  const open = lines.filter(({ left }) => left > 0)
  const terms = await returnTerms(db, {
    ...{ company_id, order_id, now, lines, windows },
    items: open.map(({ order_line_id, left }) => ({ order_line_id, qty: left, reason: null, outcome: null })),
  })
  const days = terms.items.flatMap(({ last_day }) => last_day ?? [])
  const pictured = await productsWithPicture(
    db,
    lines.flatMap(({ product_id }) => product_id ?? []),
  )
  return {
    ...shown,
    last_day: days.toSorted().at(-1) ?? laterOf(windows.shop, withdrawal)?.last_day ?? null,
    is_over: latest !== null && Date.parse(latest.ends_at) <= now.getTime(),
    withdrawal_until: withdrawal?.last_day ?? null,
    lines: lines.map(line => ({
      line_id: line.order_line_id,
      name: [line.name, line.variant].filter(Boolean).join(', '),
      shipped: line.shipped,
      left: line.left,
      amounts: line.free.map(no => amountOfPiece(line, no)),
      has_picture: line.product_id !== null && pictured.has(line.product_id),
    })),
  }
}

async function productsWithPicture(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('products')
    .select('id')
    .where('id', 'in', [...ids])
    .where('image_file_id', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The stored picture of the product of a line of this order. */
export const pictureOfLine = (db: Db, order_id: number, line_id: number) =>
  db
    .selectFrom('order_lines as l')
    .innerJoin('products as p', 'p.id', 'l.product_id')
    .innerJoin('files as f', 'f.id', 'p.image_file_id')
    .select(['f.sha256', 'f.bytes', 'f.media_type'])
    .where('l.order_id', '=', order_id)
    .where('l.id', '=', line_id)
    .where('f.erased_at', 'is', null)
    .executeTakeFirst()

const laterOf = (one: ReturnWindow | null, other: ReturnWindow | null): ReturnWindow | null =>
  one && other && other.last_day > one.last_day ? other : (one ?? other)

const countryOf = async (db: Db, order_id: number): Promise<string> =>
  (await db.selectFrom('orders').select('ship_country').where('id', '=', order_id).executeTakeFirstOrThrow()).ship_country

/** @throws {AppError} 409 not_returnable; 422 return_reason_unknown */
export async function quoteOf(
  db: Db,
  { company_id, order_id }: { company_id: number; order_id: number },
  { items, lang, method }: PortalSelection,
  now: Date,
): Promise<PortalQuote> {
  const [order, country, reasons, settings, offer] = await Promise.all([
    portalOrder(db, order_id, now),
    countryOf(db, order_id),
    returnReasons(db, company_id),
    companySettings(db, company_id),
    portalOffer(db, company_id),
  ])
  const used = new Map<number, number>()
  let goods = 0
  const needs: PortalQuote['needs'] = []
  for (const item of items) {
    const line = order.lines.find(one => one.line_id === item.line_id)
    const from = used.get(item.line_id) ?? 0
    if (!line || from + item.qty > line.left) throw conflict('not_returnable', portalRefusals.fewer, { n: line?.left ?? 0 })
    used.set(item.line_id, from + item.qty)
    const reason = reasons.find(one => one.code === item.reason && one.active)
    if (!reason) throw unprocessable('return_reason_unknown', portalRefusals.reason)
    if (reason.evidence_photo === 'required' && item.photo_ids.length === 0) needs.push({ line_id: item.line_id, what: 'photo' })
    if (reason.evidence_text === 'required' && item.note === '') needs.push({ line_id: item.line_id, what: 'note' })
    if (isRefunded(item.outcome)) goods += line.amounts.slice(from, from + item.qty).reduce((sum, one) => sum + one, 0)
  }
  const terms = await returnTerms(db, {
    ...{ company_id, order_id, now },
    items: items.map(({ line_id, ...item }) => ({ ...item, order_line_id: line_id })),
  })
  for (const [place, { policy }] of terms.items.entries()) {
    const item = elementAt(items, place)
    if (policy.photo && item.photo_ids.length === 0 && !needs.some(one => one.line_id === item.line_id && one.what === 'photo'))
      needs.push({ line_id: item.line_id, what: 'photo' })
    if (policy.question?.required && item.answer === '') needs.push({ line_id: item.line_id, what: 'answer' })
  }
  const tag = lang.replace('_', '-').replace('no-', 'nb-')
  const dayOf = (day: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))
  const refusedText = (refusal: Refusal): { text: string; values: Record<string, string> } =>
    refusal.why === 'period'
      ? { text: portalRefusals.itemOver, values: { day: dayOf(refusal.last_day) } }
      : { text: portalRefusals.refused, values: { reason: wordsFor(refusal.words, lang, settings.locale) } }
  const isFree = terms.items.every(({ fault, keeps }) => fault !== 'customer' || keeps)
  const postage = isFree ? 0 : priceOf(offer.label, country)
  const qr_postage = isFree ? 0 : priceOf(offer.qr, country)
  const kept = Math.min(goods, terms.fee)
  const fee = Math.min(goods, kept + (method === 'label' ? postage : method === 'qr' ? qr_postage : 0))
  const lastDays = terms.items.flatMap(({ last_day }) => last_day ?? [])
  return {
    currency: order.currency,
    ...{ goods, fee, postage, qr_postage, total: goods - fee, needs },
    last_day: lastDays.toSorted()[0] ?? order.last_day,
    review: terms.review,
    items: terms.items.map(({ order_line_id, policy, refusal, keeps }) => ({
      keeps,
      question: policy.question && { text: wordsFor(policy.question.words, lang, settings.locale), required: policy.question.required },
      line_id: order_line_id,
      refused: refusal && refusedText(refusal),
      outcomes: [...outcomesOfItem(policy, offer.outcomes)],
    })),
    methods: [...methodsOfItems(terms.items, offer.methods)],
  }
}

/** The token of the page of a return: it follows from the server's key, so that each mail can name it and no table holds it. */
export const progressToken = (vault: Vault, company_id: number, return_id: number): string =>
  vault.sign('return progress', `${company_id}:${return_id}`) + vault.sign('return progress page', `${company_id}:${return_id}`)

/** Where a customer follows a return. */
export const progressUrl = (services: Services, company: { id: number; code: string }, return_id: number, locale: Locale): string =>
  `${publicUrl(services, company.code)}/rma-landing-page?lang=${locale}#return=${progressToken(services.vault, company.id, return_id)}`

/** Withdrawals are acknowledged when they come: a mail of their approval follows only where that comes later. */
export const isApprovedLate = ({
  withdrawal,
  requested_at,
  approved_at,
}: {
  withdrawal: boolean
  requested_at: string
  approved_at: string | null
}): boolean => !withdrawal || Date.parse(approved_at ?? requested_at) - Date.parse(requested_at) > 60_000

/**
 * Whether the company's own templates confirm a return: those that lead to its page, which only this mail names. Without such a template the
 * confirmation is ours, and it is never sent twice.
 */
export async function isConfirmedByTemplate(db: Db, company_id: number): Promise<boolean> {
  const rows = await db
    .selectFrom('message_templates')
    .select(
      sql<boolean>`blocks @> '[{"kind": "button", "target": "return"}]' or exists (
        select from jsonb_array_elements(blocks) b where b ->> 'text' like '%return_url%')`.as('leads'),
    )
    .where('company_id', '=', company_id)
    .where('active', '=', true)
    .where('channel', '=', 'email')
    .where('trigger', '=', 'return_approved')
    .where('removed_at', 'is', null)
    .execute()
  return rows.length > 0 && rows.every(row => row.leads)
}

/** What a token opens; undefined where it opens nothing any more, and for the orders of people who are erased. */
export async function linkOf(db: Db, company_id: number, purpose: 'session' | 'progress', token: unknown, now: Date) {
  if (typeof token !== 'string' || token.length < 40 || token.length > 100) return undefined
  return db
    .selectFrom('portal_links as l')
    .leftJoin('returns as r', 'r.id', 'l.return_id')
    .leftJoin('orders as o', join => join.on(eb => eb('o.id', '=', eb.fn.coalesce('l.order_id', 'r.order_id'))))
    .select(['l.id', 'l.order_id', 'l.return_id'])
    .where('l.company_id', '=', company_id)
    .where('l.purpose', '=', purpose)
    .where('l.token_hash', '=', hashToken(token))
    .where('l.expires_at', '>', now.toISOString())
    .where('o.erased_at', 'is', null)
    .executeTakeFirst()
}

export async function photosOf(db: Db, order_id: number): Promise<{ id: number; file_id: number }[]> {
  return db.selectFrom('portal_photos').select(['id', 'file_id']).where('order_id', '=', order_id).orderBy('id').limit(500).execute()
}

/** The texts of the language in which a return was asked for. */
export async function textsOfReturn(db: Db, company_id: number, shop: string, language: Locale) {
  const own = await languageOfShop(db, company_id, shop === '' ? mainShop : shop, language)
  return own.texts.return_address !== '' ? own.texts : (await languageOfShop(db, company_id, mainShop, language)).texts
}

export async function portalReturn(db: Db, company_id: number, found: ReturnProgress): Promise<PortalReturn> {
  const { shop, contact_email, drop_off } = await db
    .selectFrom('returns')
    .select(['shop', 'contact_email', 'drop_off'])
    .where('id', '=', found.id)
    .executeTakeFirstOrThrow()
  const locale = Locale.catch('en_GB').parse(found.language)
  const { return_address } = await textsOfReturn(db, company_id, shop, locale)
  const label = await labelOfReturn(db, found.id)
  const items = Map.groupBy(
    found.items,
    ({ name, outcome, custody }) => `${custody === 'missing'} ${custody === 'kept'} ${outcome} ${name}`,
  )
  const ended = found.status === 'rejected' || found.status === 'cancelled' || found.status === 'expired'
  return {
    rma_no: found.rma_no,
    order_no: found.order_no,
    locale,
    status: found.status,
    step: stepOf({ ...found, ended }),
    method: found.method,
    withdrawal: found.withdrawal,
    requested_at: found.requested_at,
    expires_at: found.expires_at,
    refund_due_at: found.refund_due_at,
    reject_reason: found.reject_reason,
    can_cancel: found.can_cancel,
    currency: found.currency,
    return_address: found.address ?? return_address,
    drop_off: DropOff.nullable().catch(null).parse(drop_off),
    label: { state: label.state, tracking_no: label.tracking_no, qr_link: label.qr_link, can_renew: label.can_renew },
    is_mailed: contact_email !== null && (await accountForSending(db, company_id)) !== undefined,
    items: [...items.values()].flatMap(([first, ...others]) =>
      first
        ? [
            {
              name: first.name,
              qty: others.length + 1,
              outcome: first.outcome,
              is_missing: first.custody === 'missing',
              is_kept: first.custody === 'kept',
            },
          ]
        : [],
    ),
    refunds: found.money.map(({ total, paid, state, reason }) => ({
      total: paid ?? total,
      state,
      reason: state === 'denied' ? reason : null,
    })),
  }
}
