/** Links by which recipients answer: handlers. Opening one changes nothing, and a choice is taken once. */
import { conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { answerChoices, type TemplateWord } from '#features/messages/templates/templates.codes.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { findShops } from '#features/shipping/parcel-shops/parcel-shops.server.ts'
import { goesToPostcode } from '#features/shipping/tracking/tracking.queries.ts'
import { localeOfHeader } from '#features/shipping/tracking/tracking.rules.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { applyAnswer } from './answers.commands.ts'
import { farthestShop, mostShops } from './decision-links.codes.ts'
import { countWrongPostcode, revokeLink, useLink } from './decision-links.commands.ts'
import { decisionLinks, orderQuestions } from './decision-links.contract.ts'
import { type Asked, answeredLink, answerPage, askedOf, type Link, openLink, questionsOfOrder, waitDays } from './decision-links.queries.ts'
import { asksPostcode, linkSentences, whyNotChoice } from './decision-links.rules.ts'
import { decisionLinksSchemas, type OfferedShop, orderQuestionsSchemas } from './decision-links.schemas.ts'

const noLink = () => notFound('answer_link_not_found', linkSentences.noLink)

interface Opened {
  link: Link
  asked: Asked
}

async function opened({ db, principal, now }: Context, token: string, { lock = false } = {}): Promise<Opened> {
  const link = await openLink(db, principal.company.id, token, now(), { lock })
  const asked = link && (await askedOf(db, link.order_id))
  if (!link || !asked) throw noLink()
  return { link, asked }
}

/**
 * The link, where the recipient knows the postcode of the order. A wrong one is counted before it is refused, so it takes a transaction of its
 * own; the link is locked, so that guesses sent at once are counted one after the other. @throws {AppError} 404; 422 with the number of tries that are left
 */
async function openedWithPostcode({ transaction }: ExternalContext, token: string, postcode: string): Promise<Opened> {
  const found = await transaction(async context => {
    const one = await opened(context, token, { lock: true })
    if (goesToPostcode(one.asked, postcode)) return one
    return { left: await countWrongPostcode(context.db, one.link.id, context.now()) }
  })
  if (!('left' in found)) return found
  const { left } = found
  throw left === 0
    ? unprocessable('link_postcode', linkSentences.noMoreTries)
    : unprocessable('link_postcode', linkSentences.postcode, { left }, { fields: { postcode: linkSentences.postcode } })
}

/** Shops of the order's courier near the place where it goes, the nearest first. */
async function offeredShops(outside: ExternalContext, { link, asked }: Opened): Promise<OfferedShop[]> {
  mustBeOffered(link, 'other_shop', asked)
  const { postcode, ship_country, agent_code, shipping_method } = asked
  if (agent_code === null || postcode === '') return []
  const shops = await findShops(outside, agent_code, {
    country: ship_country,
    postcode,
    address: null,
    method: shipping_method ?? undefined,
  })
  return shops
    .filter(shop => shop.country.toUpperCase() === ship_country && (shop.distance_m === null || shop.distance_m <= farthestShop))
    .slice(0, mostShops)
    .map(({ id, name, address1, postcode: code, city, distance_m, opening_hours }) => ({
      ...{ id, name, address1, postcode: code, city, distance_m },
      opening_hours: opening_hours.slice(0, 14),
    }))
}

/** @throws {AppError} 409 for what the link does not ask, or the order no longer allows */
function mustBeOffered(link: Link, choice: Link['choices'][number], asked: Asked): void {
  const refused = link.choices.includes(choice) ? whyNotChoice(choice, asked) : linkSentences.noLink
  if (refused === null) return
  throw refused === linkSentences.tooLate ? conflict('link_too_late', linkSentences.tooLate) : conflict('choice_not_offered', refused)
}

export const decisionLinksServer = implement(decisionLinks, decisionLinksSchemas, {
  async open({ body: { token } }, { db, principal, now, headers }) {
    const link = await openLink(db, principal.company.id, token, now())
    const reader = localeOfHeader(headers['accept-language'])
    return orNotFound(
      link && (await answerPage(db, principal.company.id, link, { reader, now: now() })),
      'answer_link_not_found',
      linkSentences.noLink,
    )
  },

  async shops({ body: { token, postcode } }, outside) {
    return { shops: await offeredShops(outside, await openedWithPostcode(outside, token, postcode)) }
  },

  async answer({ body: { token, choice, client_id, postcode, until, address, shop_id } }, outside) {
    const { transaction, principal, now } = outside
    const company_id = principal.company.id
    const before = await transaction(({ db }) => answeredLink(db, company_id, token, client_id))
    if (before?.choice) return { choice: before.choice, until: before.until }
    const one = asksPostcode(choice)
      ? await openedWithPostcode(outside, token, postcode)
      : await transaction(context => opened(context, token))
    mustBeOffered(one.link, choice, one.asked)
    const chosen = choice === 'other_shop' ? (await offeredShops(outside, one)).find(shop => shop.id === shop_id) : undefined
    if (choice === 'other_shop' && !chosen) throw conflict('parcel_shop_gone', linkSentences.shopGone)
    const { locale, time_zone } = await transaction(({ db }) => companySettings(db, company_id))
    const name = (await translatorFor(locale))('Customer')
    const waits = choice === 'wait' && one.asked.shorts === 0
    const days = waitDays(time_zone, now())
    if (waits && (until === null || until < days.from || until > days.to))
      throw unprocessable('wait_day', linkSentences.day, {}, { fields: { until: linkSentences.day } })
    if (choice === 'new_address') mustBeAddress(address, one.asked.ship_country)
    const day = waits ? until : null
    await transaction(async context => {
      const { db, recordEvents, notify } = context
      const order = orNotFound(await takeOrder(db, one.link.order_id), 'answer_link_not_found', linkSentences.noLink)
      const asked = orNotFound(await askedOf(db, order.id, order), 'answer_link_not_found', linkSentences.noLink)
      if (!(await useLink(db, one.link, { choice, until: day, client_id }, now()))) throw noLink()
      mustBeOffered(one.link, choice, asked)
      if (waits !== (choice === 'wait' && asked.shorts === 0)) throw conflict('wait_day', linkSentences.day)
      await applyAnswer(context, asked, {
        ...{ choice, until: day, time_zone, address, name, link_id: one.link.id },
        shop: chosen
          ? {
              id: chosen.id,
              name: chosen.name,
              address1: chosen.address1,
              postcode: chosen.postcode,
              city: chosen.city,
              country: asked.ship_country,
            }
          : null,
      })
      await recordEvents(
        [
          {
            kind: 'link.answered',
            order_id: order.id,
            company_id,
            subject: 'decision_link',
            subject_id: one.link.id,
            data: { choice, until: day },
          },
        ],
        { actor: name },
      )
      notify('order', order.id, company_id)
      notify('message', undefined, company_id)
    })
    return { choice, until: day }
  },
})

/** @throws {AppError} 422 for an address that no courier could use; the country stays as it is */
function mustBeAddress(address: { address1: string; postcode: string; city: string } | null, country: string): void {
  const missing = (['address1', 'postcode', 'city'] as const).filter(name => !address?.[name])
  if (!address || missing.length > 0)
    throw unprocessable(
      'address_incomplete',
      linkSentences.address,
      {},
      { fields: Object.fromEntries(missing.map(name => [`address.${name}`, linkSentences.address])) },
    )
  if (plainPostcode(address.postcode, country).fits === false)
    throw unprocessable(
      'address_incomplete',
      linkSentences.newPostcode,
      { postcode: address.postcode },
      { fields: { 'address.postcode': linkSentences.newPostcode } },
    )
}

/** As templates write a word. */
const place = (word: TemplateWord): string => `{{ ${word} }}`

export const orderQuestionsServer = implement(orderQuestions, orderQuestionsSchemas, {
  async list({ id }, { db, now }) {
    const asked = orNotFound(await askedOf(db, id), 'order_not_found', 'Order not found')
    const locale = asked.locale ?? (await companySettings(db, asked.order.company_id)).locale
    const t = await translatorFor(locale)
    const words = {
      name: place('first_name'),
      number: place('order_no'),
      items: place('items_missing'),
      link: place('answer_url'),
      shop: place('shop_name'),
    }
    return {
      rows: await questionsOfOrder(db, id, now()),
      choices: answerChoices.map(choice => ({ choice, why_not: whyNotChoice(choice, asked) })),
      proposal: {
        locale,
        subject: t('A question about your order {{number}}', words),
        text:
          asked.shorts > 0
            ? t('Hello {{name}}, this is missing for your order {{number}}: {{items}}. Choose what we should do: {{link}} {{shop}}', words)
            : t('Hello {{name}}, we need your answer about order {{number}}: {{link}} {{shop}}', words),
      },
    }
  },

  revoke: ({ id }, context) => revokeLink(context, id),
})
