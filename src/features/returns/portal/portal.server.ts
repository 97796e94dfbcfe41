/** The return portal: handlers, and the mails that follow from what happens to a return. */
import type { HandlerInput } from '#contract/endpoint.ts'
import { AppError, conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import {
  beginLabel,
  chooseOwnLabel,
  type LabelToBook,
  labelOfReturn,
  renewLabel,
  returnsOfLabels,
  takeBackLabel,
} from '#features/returns/returns/return-label.commands.ts'
import { labelRefusals, type PortalMethod } from '#features/returns/returns/returns.codes.ts'
import { cancelReturn, requestReturn } from '#features/returns/returns/returns.commands.ts'
import { returnForProgress } from '#features/returns/returns/returns.queries.ts'
import type { DropOff } from '#features/returns/returns/returns.schemas.ts'
import { mainShop } from '#features/returns/rma-languages/rma-languages.codes.ts'
import { isPreviewToken, openLanguages } from '#features/returns/rma-languages/rma-languages.queries.ts'
import { createLabels } from '#features/shipping/labels/create-labels.server.ts'
import { LabelForm } from '#features/shipping/labels/labels.schemas.ts'
import { keptShop } from '#features/shipping/parcel-shops/parcel-shops.queries.ts'
import { findShops } from '#features/shipping/parcel-shops/parcel-shops.server.ts'
import { localeOf, localeOfHeader } from '#features/shipping/tracking/tracking.rules.ts'
import { isTrackingLink, isTrackingTicket } from '#features/shipping/tracking/tracking-link.server.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { type Context, type ExternalContext, implement, type RecordedEvent } from '#platform/http/feature-module.ts'
import { mostMailsOfAddress, mostShops, photoSide } from './portal.codes.ts'
import { addPhoto, mailCustomers, openProgress, releasePhotos, returnsOf, setOffer } from './portal.commands.ts'
import { portal } from './portal.contract.ts'
import {
  contactOfOrder,
  isApprovedLate,
  labelMethods,
  linkOf,
  photosOf,
  pictureOfLine,
  portalOffer,
  portalOrder,
  portalPage,
  portalReturn,
  quoteOf,
} from './portal.queries.ts'
import { portalRefusals } from './portal.rules.ts'
import { portalSchemas } from './portal.schemas.ts'
import { findForCustomer, withdraw } from './portal-find.server.ts'
import { firstForm, nextForm } from './portal-form.server.ts'

const noOrder = () => notFound('return_portal_order_not_found', portalRefusals.noOrder)
const noLink = () => notFound('return_link_not_found', portalRefusals.noLink)

const header = ({ headers }: Pick<Context, 'headers'>, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** The order that the link in the header opens. */
async function orderOfLink({ db, principal, headers, now }: Context): Promise<number> {
  const link = await linkOf(db, principal.company.id, 'session', header({ headers }, 'x-return-link'), now())
  if (!link || link.order_id === null) throw noLink()
  return link.order_id
}

async function returnOfLink({ db, principal, headers, now }: Context): Promise<number> {
  const link = await linkOf(db, principal.company.id, 'progress', header({ headers }, 'x-return-link'), now())
  if (!link || link.return_id === null) throw noLink()
  return link.return_id
}

const shownReturn = async ({ db, principal }: Context, id: number) =>
  portalReturn(db, principal.company.id, orNotFound(await returnForProgress(db, id), 'return_link_not_found', portalRefusals.noLink))

export const portalServer = implement(
  portal,
  portalSchemas,
  {
    async page({ shop, lang, preview }, context) {
      const { db, services, principal, headers, now } = context
      const company_id = principal.company.id
      const token = header(context, 'x-preview-token')
      if (
        preview === 'true' &&
        token !== '' &&
        (!lang || !isPreviewToken(services.vault, { company_id, shop, language: lang }, token, now()))
      )
        throw noLink()
      const shown = preview === 'false' ? 'none' : token === '' ? 'open' : 'draft'
      return portalPage(db, company_id, { shop, lang, reader: localeOfHeader(headers['accept-language']), preview: shown })
    },

    async shops({ agent_code, country, postcode }, outside) {
      const { label, qr } = await outside.transaction(({ db }) => portalOffer(db, outside.principal.company.id))
      const offered = [label, qr].some(way => way?.agent_code === agent_code) && courier(agent_code)?.capabilities.parcel_shops
      if (!offered) return []
      try {
        const shops = await findShops(outside, agent_code, { country, postcode })
        return shops.slice(0, mostShops)
      } catch (error) {
        // A parcel is handed in without a choice too: what is wrong with the courier is not the customer's.
        if (error instanceof AppError) return []
        throw error
      }
    },

    async tracked({ o, s, lang }, { db, services, principal, now }) {
      const company_id = principal.company.id
      if (!isTrackingLink(services, company_id, o, s) && !isTrackingTicket(services, company_id, o, s)) throw noLink()
      const order = await db
        .selectFrom('orders')
        .select(['shop', 'cancelled_at', 'erased_at', 'locale'])
        .where('id', '=', o)
        .where('company_id', '=', company_id)
        .executeTakeFirst()
      if (!order || order.cancelled_at !== null || order.erased_at !== null) return { path: null }
      const wanted = lang ?? localeOf(order.locale)
      const open = await openLanguages(db, company_id, order.shop || mainShop)
      const language = open.find(one => one.language === wanted)
      if (!language) return { path: null }
      const { lines, is_over, order_no } = await portalOrder(db, o, now())
      if (is_over || lines.every(line => line.left === 0)) return { path: null }
      const shop = language.shop === mainShop ? '' : `&shop=${encodeURIComponent(language.shop)}`
      return { path: `/rma-landing-page?lang=${language.language}${shop}#order=${encodeURIComponent(order_no)}` }
    },

    async find({ body }, outside) {
      const answer = await findForCustomer(body, outside)
      if (!answer) throw noOrder()
      return answer
    },

    async order(_, context) {
      return portalOrder(context.db, await orderOfLink(context), context.now())
    },

    async linePicture({ line_id }, { transaction, setHeader }) {
      const found = await transaction(async context => pictureOfLine(context.db, await orderOfLink(context), line_id))
      const { media_type, ...bytes } = orNotFound(found, 'picture_not_found', 'There is no picture')
      setHeader('cache-control', 'private, max-age=3600')
      return { bytes, media_type, inline: true }
    },

    async photo({ upload }, { transaction, services, scope, principal }) {
      const order_id = await transaction(orderOfLink)
      const { bytes, media_type } = await redrawn(await upload.bytes())
      const content = await services.files.put(scope.operator_id, bytes)
      return transaction(async context => {
        const file_id = await recordFile(context.db, content, { media_type, name: `return-photo-${order_id}`, order_id })
        return { photo_id: await addPhoto(context, principal.company.id, order_id, file_id) }
      })
    },

    async quote({ body }, context) {
      const order_id = await orderOfLink(context)
      return quoteOf(context.db, { company_id: context.principal.company.id, order_id }, body, context.now())
    },

    submit: ({ body }, context) => submit(body, context),

    withdraw: ({ body }, outside) => withdraw(body, header(outside, 'x-return-link'), outside),

    form: (query, context) => firstForm(query, context),
    sendForm: ({ upload }, outside) => nextForm(upload, outside),

    progress: async (_, context) => shownReturn(context, await returnOfLink(context)),

    async cancel(_, context) {
      const id = await returnOfLink(context)
      await cancelReturn(context, id)
      return shownReturn(context, id)
    },

    label: (_, outside) => makeLabel(outside, beginLabel),
    renew: ({ body: { client_id } }, outside) => makeLabel(outside, (context, id) => renewLabel(context, id, client_id)),

    async labelFile(_, { transaction }) {
      return transaction(async context => {
        const id = await returnOfLink(context)
        const { file_id } = await labelOfReturn(context.db, id)
        const file = await context.db
          .selectFrom('files')
          .select(['sha256', 'bytes', 'media_type', 'name'])
          .where('id', '=', file_id ?? 0)
          .where('erased_at', 'is', null)
          .executeTakeFirst()
        const found = orNotFound(file, 'return_label_not_offered', labelRefusals.notOffered)
        return { bytes: found, media_type: found.media_type, name: found.name, inline: true }
      })
    },

    async ownLabel(_, context) {
      const id = await returnOfLink(context)
      await chooseOwnLabel(context, id)
      return shownReturn(context, id)
    },

    labelMethods: (_, { db, principal }) => labelMethods(db, principal.company.id),
    offer: (_, { db, principal }) => portalOffer(db, principal.company.id),
    setOffer: ({ body }, context) => setOffer(context, body),
  },
  {
    'return.requested': (events, context) =>
      mailCustomers(context, returnsOf(events.filter(({ data }) => !data.withdrawal && data.status === 'requested')), 'requested'),
    async 'return.approved'(events, context) {
      const approved = await latelyApproved(context.db, returnsOf(events))
      await mailCustomers(context, approved, 'approved')
    },
    'return.withdrawn': async (events, context) => mailCustomers(context, await mayBeMailed(context, returnsOf(events)), 'withdrawn'),
    'return.rejected': (events, context) => mailCustomers(context, returnsOf(events), 'rejected'),
    'return.ends_soon': (events, context) => mailCustomers(context, returnsOf(events), 'ending'),
    'return.cancelled': takeBackLabels,
    'return.expired': takeBackLabels,
    async 'shipment.booked'(events, context) {
      const made = await returnsOfLabels(
        context.db,
        // A return belongs to an order.
        events.flatMap(({ subject, subject_id, order_id }) =>
          subject === 'shipment' && subject_id !== null && order_id !== null ? [subject_id] : [],
        ),
      )
      // The return may have ended while the courier was asked.
      for (const { is_closed, shipment_id } of made) if (is_closed) await takeBackLabel(context, shipment_id)
      await mailCustomers(
        context,
        made.filter(one => !one.is_closed),
        'label',
      )
    },
    'return.item_missing': (events, context) => mailCustomers(context, returnsOf(events), 'missing'),
    'return.refund_confirmed': (events, context) => mailCustomers(context, returnsOf(events), 'refunded'),
  },
)

/** Books outside of any transaction. A refusal is not the customer's: the page offers another way. */
async function makeLabel(outside: ExternalContext, begin: (context: Context, id: number) => Promise<LabelToBook | null>) {
  const { id, begun, way } = await outside.transaction(async context => {
    const found = await returnOfLink(context)
    const offer = await portalOffer(context.db, context.principal.company.id)
    const asked = await begin(context, found)
    const way = asked && offer[asked.method]
    if (asked && !way) throw conflict('return_label_not_offered', labelRefusals.notOffered)
    return { id: found, way, begun: asked }
  })
  if (begun && way) {
    const { client_id, order_id, method, language, lines } = begun
    try {
      await createLabels(outside, {
        ...{ agent_code: way.agent_code, shipping_method: way.shipping_method, operation_code: 'return' },
        body: LabelForm.parse({ client_id, order_id, locale: language, parcels: [{ lines }], ...(method === 'qr' && { qr: true }) }),
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { state } = await outside.transaction(({ db }) => labelOfReturn(db, id))
      if (state === 'none') throw conflict('return_label_failed', labelRefusals.failed)
    }
  }
  return outside.transaction(context => shownReturn(context, id))
}

async function takeBackLabels(events: readonly RecordedEvent<'return.cancelled' | 'return.expired'>[], context: Context): Promise<void> {
  for (const { id } of returnsOf(events)) {
    const { state, shipment_id } = await labelOfReturn(context.db, id)
    if (state === 'ready' && shipment_id !== null) await takeBackLabel(context, shipment_id)
  }
}

async function redrawn(given: Uint8Array) {
  try {
    return await sanitizeImage(given, { longest: photoSide, as: 'webp' })
  } catch (error) {
    if (error instanceof AppError) throw unprocessable('not_an_image', portalRefusals.notPicture)
    throw error
  }
}

async function submit({ client_id, fee_seen, items, method, lang, shop_id }: HandlerInput<typeof portal.submit>['body'], context: Context) {
  const { db, principal, now } = context
  const company_id = principal.company.id
  const order_id = await orderOfLink(context)
  const again = await db
    .selectFrom('returns')
    .select(['id', 'rma_no', 'status'])
    .where('company_id', '=', company_id)
    .where('order_id', '=', order_id)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  const answer = async ({ id, rma_no, status }: NonNullable<typeof again>) => ({
    ...{ rma_no, status },
    link: (await openProgress(context, [{ id, company_id }]))[0] ?? '',
  })
  if (again) return answer(again)
  const order = await portalOrder(db, order_id, now())
  if (order.is_over) throw conflict('return_period_over', portalRefusals.over)
  const quote = await quoteOf(db, { company_id, order_id }, { items, lang, method, shop_id }, now())
  const refused = quote.items.find(item => item.refused !== null)?.refused
  if (refused?.text === portalRefusals.itemOver) throw conflict('return_item_over', portalRefusals.itemOver, refused.values)
  if (refused) throw conflict('return_refused', portalRefusals.refused, refused.values)
  if (quote.methods.length === 0) throw conflict('return_items_apart', portalRefusals.apart)
  if (!quote.methods.includes(method) || items.some((item, place) => !quote.items[place]?.outcomes.includes(item.outcome)))
    throw conflict('return_portal_closed', portalRefusals.closed)
  const [missing] = quote.needs
  if (missing) {
    const name = order.lines.find(one => one.line_id === missing.line_id)?.name ?? ''
    if (missing.what === 'answer') throw unprocessable('return_answer_needed', portalRefusals.answer, { name })
    throw missing.what === 'photo'
      ? unprocessable('return_photo_needed', portalRefusals.photo, { name })
      : unprocessable('note_needed', portalRefusals.note, { name })
  }
  if (quote.fee !== fee_seen) throw conflict('price_changed', portalRefusals.price, {}, { current: quote })
  // Photos of other orders are not named by their ids.
  const photos = new Map((await photosOf(db, order_id)).map(one => [one.id, one.file_id]))
  const filesOf = (ids: readonly number[]) => {
    const files = ids.flatMap(id => photos.get(id) ?? [])
    if (files.length !== ids.length) throw unprocessable('return_photo_needed', portalRefusals.photo, { name: '' })
    return files
  }
  const made = await requestReturn(context, {
    ...{ client_id, company_id, order_id, method, withdrawal: false, fee: quote.fee },
    postage: Math.min(method === 'label' ? quote.postage : method === 'qr' ? quote.qr_postage : 0, quote.fee),
    drop_off: shop_id === null ? null : await dropOffOf(db, company_id, { method, country: order.country, id: shop_id }),
    source: 'portal',
    items: items.map(({ line_id, qty, reason, note, outcome, photo_ids, answer, wants_other }) => ({
      ...{ qty, reason, note, outcome, answer },
      order_line_id: line_id,
      exchange_other: wants_other,
      file_ids: filesOf(photo_ids),
    })),
    language: lang,
    contact: await contactOfOrder(db, order_id),
    by: 'customer',
  })
  await releasePhotos(
    db,
    items.flatMap(({ photo_ids }) => photo_ids),
  )
  return answer(made)
}

/** The shop as it is known now. @throws {AppError} 422 parcel_shop_unknown */
async function dropOffOf(db: Db, company_id: number, of: { method: PortalMethod; country: string; id: string }): Promise<DropOff> {
  const offer = await portalOffer(db, company_id)
  const agent_code = of.method === 'label' ? offer.label?.agent_code : of.method === 'qr' ? offer.qr?.agent_code : undefined
  const shop = agent_code === undefined ? undefined : await keptShop(db, { agent_code, country: of.country, id: of.id })
  if (!shop || agent_code === undefined) throw unprocessable('parcel_shop_unknown', portalRefusals.shop)
  return { agent_code, ...shop }
}

async function latelyApproved(db: Db, approved: readonly { id: number }[]) {
  if (approved.length === 0) return []
  const rows = await db
    .selectFrom('returns')
    .select(['id', 'withdrawal', 'requested_at', 'approved_at'])
    .where(
      'id',
      'in',
      approved.map(({ id }) => id),
    )
    .execute()
  return rows.filter(isApprovedLate)
}

/** No address gets more than a few acknowledgements a day: the form is open to anyone. */
async function mayBeMailed({ db, services }: Context, withdrawn: readonly { id: number }[]) {
  if (withdrawn.length === 0) return []
  const rows = await db
    .selectFrom('returns')
    .select(['id', 'company_id', 'contact_email'])
    .where(
      'id',
      'in',
      withdrawn.map(({ id }) => id),
    )
    .execute()
  const fine = []
  for (const { id, company_id, contact_email } of rows) {
    const { current } = await services.limits.countCall(`acknowledged ${company_id}/${contact_email?.toLowerCase()}`, 86_400_000)
    if (current <= mostMailsOfAddress) fine.push({ id })
  }
  return fine
}
