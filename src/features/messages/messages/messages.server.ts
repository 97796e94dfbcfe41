/** Messages to recipients: handlers. */
import { badRequest, conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { decimalsOf, fromMinor } from '#domain/money.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { homeCountry } from '#features/company/companies/companies.rules.ts'
import { phoneKey } from '#features/customers/customers/customers.rules.ts'
import { callbackUrl, credentialsOf, isCallbackKey, smsPrice, storedAccountById } from '#features/deliveries/sms/sms.queries.ts'
import { minorOfMicro } from '#features/deliveries/sms/sms-price.rules.ts'
import { sizeOfSms } from '#features/deliveries/sms/sms-text.rules.ts'
import { answerMistake } from '#features/messages/templates/answer-link.rules.ts'
import { layoutOf } from '#features/messages/templates/email-layout.server.ts'
import { checkTemplateText } from '#features/messages/templates/liquid-text.server.ts'
import { type MessageOrder, messageOrders } from '#features/messages/templates/message-facts.queries.ts'
import { type AnswerChoice, type MessageChannel, mostOrdersOfSending } from '#features/messages/templates/templates.codes.ts'
import { inLanguage, type StoredTemplate, templateByIndex, templatesOf } from '#features/messages/templates/templates.queries.ts'
import { filteredIds } from '#features/orders/orders/orders.server.ts'
import { gateways } from '#integrations/messaging/gateways.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { confirmAnswers } from './answer-messages.server.ts'
import { takeNews } from './gateway-news.server.ts'
import type { SkipReason } from './messages.codes.ts'
import {
  addOptOut,
  cancelGroup,
  cancelMessage,
  endOptOut,
  handleMessage,
  isStarted,
  type NewMessage,
  queueMessages,
  recordQueued,
  saveMessageSettings,
  settleMessage,
  startGroup,
} from './messages.commands.ts'
import { messages } from './messages.contract.ts'
import {
  countMessages,
  findGroups,
  findMessages,
  findOptOuts,
  groupById,
  messageById,
  messageSettings,
  messagesOfCustomer,
  messagesOfGroup,
  messagesOfOrder,
  optedOut,
  quietHoursOf,
} from './messages.queries.ts'
import { type Message, messagesSchemas, type OrderPhone, type Quote, type Sending } from './messages.schemas.ts'
import { queueQuestions } from './question-messages.task.ts'
import { firstLoudMoment, zonesOf } from './quiet-hours.rules.ts'
import { addressKey, addressOf, type MessageSource, plainHtml, writeMessage } from './write-message.server.ts'

const batchSize = 500
const mostSkippedShown = 50
const mostExported = 50_000

export const messagesServer = implement(
  messages,
  messagesSchemas,
  {
    async quote({ body }, context) {
      const { quote } = await written(context, body)
      return quote
    },

    async send({ body: { confirm, client_id, title, ...body } }, context) {
      const { transaction, principal, scope, now } = context
      const again = await transaction(({ db }) => isStarted(db, scope.company_id, client_id))
      const { quote, drafts, source } = await written(context, body)
      if (!again && (quote.count !== confirm.count || quote.price_micro !== confirm.price_micro)) throw confirmAgain(quote)
      if (!again && quote.covered !== null && quote.covered < quote.count)
        throw conflict('balance_low', 'The balance covers {{count}} of {{asked}} messages.', { count: quote.covered, asked: quote.count })
      const { group_id, known } = await transaction(async ({ db }) => {
        // The text as it was written, with its words in braces: the first recipient's message would name the person.
        const [firstLine = ''] = (source.subject || source.body).split('\n')
        const named = source.template?.name ?? firstLine
        const id = await startGroup(
          db,
          scope.company_id,
          {
            client_id,
            channel: body.channel,
            title: (title || named).slice(0, 120),
            template_id: source.template?.id ?? null,
            asked: drafts.length,
            price_micro: quote.price_micro,
            currency: quote.currency,
            actor: principal.name.slice(0, 200),
          },
          now(),
        )
        return { group_id: id, known: await groupById(db, id) }
      })
      let queued = 0
      // A cancelled sending that is sent again stays cancelled.
      for (let from = 0; from < drafts.length && known.cancelled_at === null; from += batchSize)
        queued += await transaction(async tools => {
          const batch = drafts
            .slice(from, from + batchSize)
            .map(draft => ({ ...draft, group_id, dedupe_key: `g/${group_id}/${draft.order_id}` }))
          const made = new Map((await queueMessages(tools, batch)).map(row => [row.dedupe_key, row.id]))
          const sent = batch.flatMap(one => {
            const id = made.get(one.dedupe_key)
            return id === undefined || 'skip' in one.written ? [] : [{ ...one, id }]
          })
          await recordQueued(tools, sent)
          for (const company_id of new Set(batch.map(one => one.company_id))) tools.notify('message', undefined, company_id)
          return sent.length
        })
      return { group_id, queued, skipped: quote.skipped, skipped_count: quote.skipped_count }
    },

    async orderList({ offset, limit, query }, context) {
      const ids = await filteredIds(context, { query }, offset + limit + 1)
      const rows = await phonesOf(context, ids.slice(offset, offset + limit))
      return { rows, total: Math.min(ids.length, offset + limit), total_is_more: ids.length > offset + limit, offset, limit }
    },

    async ordersByIds({ ids }, context) {
      const asked = [...new Set(ids.split(/[s,]/).filter(Boolean).map(Number))]
      if (asked.some(id => !Number.isSafeInteger(id) || id < 1))
        throw badRequest('order_ids_unreadable', 'Ids are whole numbers joined by the letter s')
      if (asked.length > batchSize) throw unprocessable('too_many_ids', 'At most {{count}} orders at once', { count: batchSize })
      return { rows: await phonesOf(context, asked) }
    },

    async thread({ id }, { db }) {
      orNotFound(await db.selectFrom('orders').select('id').where('id', '=', id).executeTakeFirst(), 'order_not_found', 'Order not found')
      return { rows: await messagesOfOrder(db, id) }
    },
    customerThread: async ({ id }, { db }) => ({ rows: await messagesOfCustomer(db, id) }),

    groups: (paging, { db }) => findGroups(db, paging),
    async group({ id, ...asked }, { db }) {
      const group = await groupById(db, id)
      return { ...(await messagesOfGroup(db, id, asked)), group }
    },
    async cancelGroup({ id }, context) {
      const { company_id } = await groupById(context.db, id)
      const cancelled = await cancelGroup(context, id)
      context.notify('message', undefined, company_id)
      return { cancelled }
    },

    list: (asked, context) => findMessages(context.db, asked, keysOfText(context, asked.query)),
    async export(asked, context) {
      const { rows } = await findMessages(context.db, { ...asked, page: 1, limit: mostExported }, keysOfText(context, asked.query))
      return {
        bytes: csv(
          [
            'created_at',
            'order_no',
            'direction',
            'channel',
            'state',
            'reason',
            'occasion',
            'to',
            'subject',
            'text',
            'parts',
            'price',
            'currency',
            'by',
          ],
          rows.map(row => [
            ...[
              row.created_at,
              row.order_no,
              row.direction,
              row.channel,
              row.state,
              row.reason,
              row.trigger,
              row.address,
              row.subject,
              row.text,
            ],
            ...[row.parts, priceText(row), row.currency, row.actor],
          ]),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `messages-${context.now().toISOString().slice(0, 10)}.csv`,
      }
    },
    count: (_, { db }) => countMessages(db),

    cancel: ({ id }, context) => cancelMessage(context, id),
    settle: ({ id, body: { sent } }, context) => settleMessage(context, id, sent),
    handle: ({ id }, context) => handleMessage(context, id),

    async reply({ body: { message_id, text, client_id } }, context) {
      const { db, services, scope, principal, now } = context
      const asked = await messageById(db, message_id)
      if (asked.address === '') throw conflict('message_erased', 'The text of this message is deleted')
      const { price_micro, currency } = await smsPrice(db, asked.company_id)
      const address_key = addressKey(
        services,
        { operator_id: scope.operator_id, company_id: asked.company_id },
        asked.channel,
        asked.address,
      )
      if ((await optedOut(db, [address_key])).has(address_key)) throw conflict('opted_out', 'This person wants no more messages')
      const { encoding, parts } = sizeOfSms(text)
      const sms = asked.channel === 'sms'
      const message: NewMessage = {
        company_id: asked.company_id,
        order_id: asked.order_id,
        customer_id: asked.customer_id,
        channel: asked.channel,
        trigger: 'manual',
        dedupe_key: `r/${client_id}`,
        country: null,
        // The person has just written, or is waiting for what was asked.
        urgent: true,
        currency: sms ? currency : null,
        send_after: now(),
        answers_id: asked.id,
        actor: principal.name.slice(0, 200),
        written: {
          address: asked.address,
          address_key,
          name: asked.name,
          subject: sms ? '' : replySubject(asked.subject),
          text,
          html: sms ? null : plainHtml(text, 'en'),
          encoding: sms ? encoding : null,
          parts: sms ? parts : null,
          price_micro: sms ? parts * price_micro : null,
        },
      }
      const [made] = await queueMessages(context, [message])
      if (made) await recordQueued(context, [{ ...message, id: made.id }])
      await handleMessage(context, message_id)
      context.notify('message', made?.id, asked.company_id)
      return messageById(db, made?.id ?? message_id)
    },

    settings: (_, { db, scope }) => messageSettings(db, scope.company_id),
    async saveSettings({ body }, context) {
      await saveMessageSettings(context, body)
      return messageSettings(context.db, context.scope.company_id)
    },

    async optOuts({ query, ...paging }, context) {
      return findOptOuts(context.db, context.scope.company_id, { ...paging, keys: query === '' ? null : keysOfText(context, query) })
    },
    async addOptOut({ body: { channel, address } }, context) {
      const { db, services, scope, principal, now } = context
      const written =
        channel === 'sms' ? phoneKey(address, homeCountry(await companySettings(db, scope.company_id))) : address.toLowerCase()
      if (written === null)
        throw unprocessable('bad_number', 'This is no telephone number', {}, { fields: { address: 'This is no telephone number' } })
      const address_key = addressKey(services, scope, channel, written)
      await addOptOut(
        db,
        { company_id: scope.company_id, channel, address_key, address: written, source: 'person', actor: principal.name.slice(0, 200) },
        now(),
      )
      const { rows } = await findOptOuts(db, scope.company_id, { keys: [address_key], page: 1, limit: 1 })
      return orNotFound(rows[0], 'opt_out_not_found', 'Opt-out not found')
    },
    endOptOut: ({ id }, context) => endOptOut(context, id),

    async callback({ account_id, key, upload }, { transaction, services, scope, headers }) {
      const unknown = () => notFound('account_not_found', 'Account not found')
      if (!isCallbackKey(services, scope.operator_id, account_id, key)) throw unknown()
      const account = await transaction(({ db }) => storedAccountById(db, account_id))
      if (!account) throw unknown()
      const { operator_id } = scope
      const credentials = await transaction(({ db }) =>
        credentialsOf(db, services, { operator_id, company_id: account.company_id }, account),
      )
      const url = callbackUrl(services, { operator_id, code: account.code }, account_id) ?? ''
      const news = gateways[account.provider].readCallback({ raw: await upload.bytes(), headers, url }, credentials)
      if (news === null) throw unknown()
      await transaction(context => takeNews(context, account, news))
    },
  },
  { 'link.answered': confirmAnswers, 'order.short_ask_customer': queueQuestions },
)

const priceText = ({ price_micro, currency }: Pick<Message, 'price_micro' | 'currency'>): string | null =>
  price_micro === null || currency === null ? null : fromMinor(minorOfMicro(price_micro, decimalsOf(currency)), currency)

const replySubject = (subject: string): string => (/^re:/i.test(subject) ? subject : `Re: ${subject}`).slice(0, 300)

/** What a text would be as an address, in each company that the reader sees. */
function keysOfText({ services, scope }: Pick<Context, 'services' | 'scope'>, query: string): string[] {
  if (query === '') return []
  const phone = phoneKey(query, 'DK')
  const key = (company_id: number, channel: MessageChannel, address: string) =>
    addressKey(services, { operator_id: scope.operator_id, company_id }, channel, address)
  return scope.companies.flatMap(company_id => [
    ...(query.includes('@') ? [key(company_id, 'email', query)] : []),
    ...(phone === null ? [] : [key(company_id, 'sms', phone)]),
  ])
}

async function phonesOf({ db, services, scope }: Context, ids: readonly number[]): Promise<OrderPhone[]> {
  const orders = await messageOrders(db, services, ids)
  const keyOf = (order: MessageOrder) =>
    order.phone === null ? null : addressKey(services, { operator_id: scope.operator_id, company_id: order.company_id }, 'sms', order.phone)
  const gone = await optedOut(
    db,
    orders.flatMap(order => keyOf(order) ?? []),
  )
  return orders.map(order => {
    const key = keyOf(order)
    const phone = !order.has_phone ? 'none' : key === null ? 'bad' : gone.has(key) ? 'opt_out' : 'ok'
    const { id, company_id, order_no, customer_name, country, phase } = order
    return { id, company_id, order_no, customer_name, country, phase, phone, has_email: order.email !== null }
  })
}

type Draft = Omit<NewMessage, 'dedupe_key'> & { order_id: number }

interface Source extends MessageSource {
  template: StoredTemplate | null
  choices: readonly AnswerChoice[]
  /** The same template in other languages. */
  others: readonly StoredTemplate[]
}

async function sourceOf({ transaction, scope }: ExternalContext, body: Sending): Promise<Source> {
  if (body.index !== undefined) {
    const { index } = body
    const { template, others } = await transaction(async ({ db }) => ({
      template: await templateByIndex(db, scope.company_id, index),
      others: await templatesOf(db, scope.company_id),
    }))
    if (template.channel !== body.channel)
      throw unprocessable(
        'template_channel',
        'This template is for another channel',
        {},
        { fields: { index: 'This template is for another channel' } },
      )
    return { ...template, template, others }
  }
  const [text, subject, blocks] = [body.body ?? '', body.subject ?? '', body.blocks ?? []]
  const missing = body.channel === 'sms' ? text === '' : subject === '' || blocks.length === 0
  if (missing)
    throw unprocessable(
      'message_empty',
      'Write a message or choose a template',
      {},
      { fields: { body: 'Write a message or choose a template' } },
    )
  checkTemplateText(text, 'body')
  checkTemplateText(subject, 'subject')
  for (const [at, block] of blocks.entries()) if ('text' in block) checkTemplateText(block.text, `blocks.${at}.text`)
  const mistake = answerMistake({ body: text, subject, blocks }, body.choices)
  if (mistake !== null) throw unprocessable('answer_link_missing', mistake, {}, { fields: { choices: mistake } })
  const layout = body.channel === 'email' ? await layoutOf(blocks) : ''
  return { channel: body.channel, body: text, subject, blocks, layout, choices: body.choices, template: null, others: [] }
}

/** Every message of a sending, as it would be sent now. */
async function written(context: ExternalContext, body: Sending): Promise<{ quote: Quote; drafts: Draft[]; source: Source }> {
  const { transaction, scope, services, principal, now } = context
  const source = await sourceOf(context, body)
  const ids =
    body.orders ?? (body.filters ? await transaction(tools => filteredIds(tools, body.filters ?? {}, mostOrdersOfSending + 1)) : [])
  if (ids.length === 0) throw unprocessable('no_orders', 'Choose orders first', {}, { fields: { orders: 'Choose orders first' } })
  if (ids.length > mostOrdersOfSending)
    throw unprocessable('sending_too_large', 'A sending has at most {{count}} orders. Narrow the list first.', {
      count: mostOrdersOfSending,
    })
  const drafts: Draft[] = []
  const skipped: Quote['skipped'] = []
  let sample: Quote['sample'] = null
  let balance: number | null = null
  const currencies = new Set<string>()
  for (let from = 0; from < ids.length; from += batchSize) {
    context.signal.throwIfAborted()
    await transaction(async ({ db }) => {
      const orders = await messageOrders(db, services, ids.slice(from, from + batchSize))
      const keys = orders.flatMap(order => {
        const found = addressOf(order, source.channel)
        return 'skip' in found ? [] : [addressKey(services, { ...scope, company_id: order.company_id }, source.channel, found.address)]
      })
      const gone = await optedOut(db, keys)
      const companies = new Map<number, { price: Awaited<ReturnType<typeof smsPrice>>; hours: Awaited<ReturnType<typeof quietHoursOf>> }>()
      for (const order of orders) {
        const own = companies.get(order.company_id) ?? {
          price: await smsPrice(db, order.company_id),
          hours: await quietHoursOf(db, order.company_id),
        }
        companies.set(order.company_id, own)
        currencies.add(own.price.currency)
        if ('balance_micro' in own.price && own.price.balance_micro !== null) balance = own.price.balance_micro
        const text = source.template ? inLanguage(source.others, source.template, order.locale) : source
        const message = writeMessage(services, scope.operator_id, order, text, own.price.price_micro, gone)
        if ('skip' in message) skipped.push(skippedOf(order, message.skip))
        else sample ??= { order_no: order.order_no, to: message.address, subject: message.subject, text: message.text }
        const waits = source.channel === 'sms' && !body.urgent
        drafts.push({
          company_id: order.company_id,
          order_id: order.id,
          customer_id: order.customer_id,
          template_id: source.template?.id ?? null,
          channel: source.channel,
          trigger: 'manual',
          country: /^[A-Z]{2}$/.test(order.country) ? order.country : null,
          urgent: body.urgent,
          currency: source.channel === 'sms' ? own.price.currency : null,
          send_after: waits ? firstLoudMoment(now(), own.hours, zonesOf(order.country, own.hours.time_zone)) : now(),
          choices: text.choices,
          actor: principal.name.slice(0, 200),
          written: message,
        })
      }
    })
  }
  if (drafts.length === 0) throw notFound('order_not_found', 'Order not found')
  if (currencies.size > 1 && source.channel === 'sms')
    throw unprocessable(
      'mixed_currencies',
      'The messages of these companies are billed in different currencies. Send for one company at a time.',
    )
  return { quote: quoteOf(drafts, { skipped, sample, balance, currency: [...currencies][0] ?? 'XXX', now: now() }), drafts, source }
}

const skippedOf = ({ id, order_no }: MessageOrder, reason: SkipReason) => ({ order_id: id, order_no, reason })

function quoteOf(
  drafts: readonly Draft[],
  { skipped, sample, balance, currency, now }: Pick<Quote, 'skipped' | 'sample' | 'currency'> & { balance: number | null; now: Date },
): Quote {
  const sent = drafts.flatMap(draft => ('skip' in draft.written ? [] : [{ ...draft.written, send_after: draft.send_after }]))
  const price_micro = sent.reduce((sum, one) => sum + (one.price_micro ?? 0), 0)
  const later = sent.map(one => one.send_after.getTime()).filter(at => at > now.getTime())
  let left = balance
  const covered =
    left === null
      ? null
      : sent.filter(one => {
          left = (left ?? 0) - (one.price_micro ?? 0)
          return left >= 0
        }).length
  return {
    count: sent.length,
    parts: sent.reduce((sum, one) => sum + (one.parts ?? 0), 0),
    price_micro,
    currency,
    covered,
    skipped: skipped.slice(0, mostSkippedShown),
    skipped_count: skipped.length,
    sample,
    waits_until: later.length === 0 ? null : new Date(Math.max(...later)).toISOString(),
  }
}

const confirmAgain = (current: Quote) =>
  conflict(
    'confirm_changed',
    'Now {{count}} messages for {{price}}. Confirm again.',
    { count: current.count, price: `${priceText(current) ?? '0'} ${current.currency}` },
    { current },
  )
