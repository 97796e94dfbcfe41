/** Returns: handlers, and what happens to parcels that changes them. */

import { conflict, notFound, orNotFound } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import { changeSettingGroup } from '#features/company/companies/companies.commands.ts'
import { companySettings, settingGroup } from '#features/company/companies/companies.queries.ts'
import { changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { changeOrder } from '#features/company/companies/setting-orders.server.ts'
import { alarmOf, labelOfCode } from '#features/packing/packing/scanned-labels.queries.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, implement, type RecordedEvent } from '#platform/http/feature-module.ts'
import { addItem, addReturnFile, arrive, decideItems, inspectItem, missItem, undoItem, weighParcel } from './desk.commands.ts'
import {
  fileOfReturn,
  likelyOrders,
  readScan,
  returnById,
  returnCounts,
  returnsOfCustomer,
  returnsOfOrder,
  returnsPage,
} from './desk.queries.ts'
import { queueExchange, setExchange } from './exchange-orders.commands.ts'
import { answerRefund, proposeAtFirstScan, proposeRefund, waiveMoney } from './money.commands.ts'
import { returnTerms } from './return-policy.queries.ts'
import { outcomesOfItem, wordsFor } from './return-policy.rules.ts'
import { orderReasons, resetReason, saveReason } from './return-reasons.commands.ts'
import { returnReasonList, returnReasonOrder } from './return-reasons-history.server.ts'
import { noReturn } from './return-rows.commands.ts'
import { returnOutcomes, trackingKey } from './returns.codes.ts'
import {
  addReturnLabel,
  approveReturn,
  cancelAtDesk,
  closeReopened,
  expectUndelivered,
  keepOrphan,
  linkReturn,
  markInTransit,
  rejectReturn,
  reopenReturn,
  requestReturn,
} from './returns.commands.ts'
import { returns } from './returns.contract.ts'
import { leftToReturn, returnReasons, returnWindows } from './returns.queries.ts'
import { returnsSchemas, type ScanAnswer } from './returns.schemas.ts'
import { shopReturn, shopReturnsPage } from './shop-returns.queries.ts'

const mostExported = 10_000
/** Longest side of a photo, in pixels. */
const photoSide = 1_600

const askerOf = ({ scope, now }: Pick<Context, 'scope' | 'now'>) => ({ scope, now: now() })

export const returnsServer = implement(
  returns,
  returnsSchemas,
  {
    search: ({ page, limit, ...question }, context) => returnsPage(context.db, question, { page, limit }, askerOf(context)),
    count: (_, { db, now }) => returnCounts(db, now()),

    async exportAll(question, context) {
      const { rows } = await returnsPage(context.db, question, { page: 1, limit: mostExported }, askerOf(context))
      const columns = [
        'rma_no',
        'order_no',
        'company',
        'shop',
        'customer',
        'source',
        'status',
        'money',
        'pieces',
        'requested_at',
        'arrived_at',
      ] as const
      return {
        bytes: csv(
          [...columns, 'withdrawal', 'refund_due_at'],
          rows.map(row => [...columns.map(column => row[column]), row.withdrawal ? 1 : 0, row.refund_due_at]),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `returns-${context.now().toISOString().slice(0, 10)}.csv`,
      }
    },

    reasons: ({ company_id }, { db, principal }) => returnReasons(db, company_id ?? principal.company.id),
    saveReason: ({ code, body }, context) => changeEntry(returnReasonList, context, code, () => saveReason(context, code, body)),
    resetReason: ({ code }, context) => changeEntry(returnReasonList, context, code, () => resetReason(context, code)),
    orderReasons: ({ body }, context) => changeOrder(returnReasonOrder, context, () => orderReasons(context, body.codes)),
    settings: (_, { db, principal }) => settingGroup(db, principal.company.id, 'returns'),

    async setSettings({ body }, { db, principal, recordEvent, notify, now }) {
      const by = { name: principal.name, at: now() }
      const saved = await changeSettingGroup(db, principal.company.id, 'returns', body, by)
      await recordEvent({
        kind: 'return_settings.set',
        subject: 'company',
        subject_id: principal.company.id,
        data: { review: saved.review, window_days: saved.window_days },
      })
      notify('company')
      return saved
    },

    async ofOrder({ order_id }, { db }) {
      const order = orNotFound(
        await db.selectFrom('orders').select(['company_id', 'currency']).where('id', '=', order_id).executeTakeFirst(),
        'order_not_found',
        'Order not found',
      )
      const lines = await leftToReturn(db, order_id)
      const { shop } = await returnWindows(db, order_id)
      return {
        returns: await returnsOfOrder(db, order_id),
        lines: lines.map(({ image_url: _url, free: _free, qty: _qty, ...line }) => line),
        company_id: order.company_id,
        currency: order.currency,
        last_day: shop?.last_day ?? null,
      }
    },

    ofCustomer: ({ customer_id }, { db }) => returnsOfCustomer(db, customer_id),

    async scan({ body: { code, return_id } }, context) {
      const read = await readScan(context.db, code, context)
      const chosen = read.choices.some(choice => choice.id === return_id) ? (return_id ?? null) : null
      const found = chosen === null ? read : { return_id: chosen, choices: [], order: null, orders: [] }
      const alarm = chosen === null ? await alarmAt(context, code) : null
      if (found.return_id === null) return { ...found, blocked: false, alarm }
      const row = await context.db.selectFrom('returns').select('approved_at').where('id', '=', found.return_id).executeTakeFirstOrThrow()
      if (row.approved_at === null) return { ...found, blocked: true, alarm }
      await arrive(context, found.return_id, { by: context.principal, tracking_key: await keyOfParcel(context, found.return_id, code) })
      return { ...found, blocked: false, alarm }
    },

    async terms({ order_id, body: { items } }, { db, now }) {
      const order = orNotFound(
        await db.selectFrom('orders').select(['company_id', 'currency']).where('id', '=', order_id).executeTakeFirst(),
        'order_not_found',
        'Order not found',
      )
      const { locale } = await companySettings(db, order.company_id)
      const terms = await returnTerms(db, { company_id: order.company_id, order_id, items, now: now() })
      return {
        items: terms.items.map(({ order_line_id, refusal, policy }) => ({
          order_line_id,
          refused: refusal?.why === 'rule' ? wordsFor(refusal.words, locale, locale) : null,
          outcomes: [...outcomesOfItem(policy, returnOutcomes)],
        })),
        currency: order.currency,
        fee: terms.fee,
        review: terms.review,
        applied: terms.applied,
      }
    },

    async create({ body: { order_id, ...body } }, context) {
      const order = orNotFound(
        await context.db
          .selectFrom('orders')
          .select(['company_id', 'locale', 'customer_name', 'customer_email', 'customer_phone'])
          .where('id', '=', order_id)
          .executeTakeFirst(),
        'order_not_found',
        'Order not found',
      )
      const { locale } = await companySettings(context.db, order.company_id)
      const { id } = await requestReturn(context, {
        ...body,
        order_id,
        company_id: order.company_id,
        source: 'desk',
        language: locale,
        contact: { name: order.customer_name, email: order.customer_email, phone: order.customer_phone },
        by: context.principal.name,
      })
      return returnById(context.db, id)
    },

    async createOrphan({ upload, client_id, code, shelf, note, company_id: asked }, { transaction, services, scope, principal }) {
      const company_id = asked ?? principal.company.id
      if (!scope.companies.includes(company_id)) throw notFound('company_not_found', 'Company not found')
      const picture = await sanitizeImage(upload.content, { longest: photoSide, as: 'webp' })
      const stored = await services.files.put(scope.operator_id, picture.bytes)
      return transaction(async context => {
        const known = await context.db
          .selectFrom('returns')
          .select('id')
          .where('company_id', '=', company_id)
          .where('client_id', '=', client_id)
          .executeTakeFirst()
        if (known) return returnById(context.db, known.id)
        const file_id = await recordFile(context.db, stored, { media_type: picture.media_type, name: 'return-parcel.webp', company_id })
        const { id } = await keepOrphan(context, {
          client_id,
          company_id,
          tracking_key: trackingKey(code) || null,
          shelf,
          note,
          file_id,
          by: principal.name,
        })
        return returnById(context.db, id)
      })
    },

    get: ({ id }, { db }) => returnById(db, id),
    likelyOrders: async ({ id }, { db, now }) => ({ rows: await likelyOrders(db, id, now()) }),

    link: async ({ id, order_id, body }, context) => returnById(context.db, await linkReturn(context, id, order_id, body)),
    approve: ({ id, body }, context) => after(context, id, approveReturn(context, id, body)),
    reject: ({ id, body }, context) => after(context, id, rejectReturn(context, id, body)),
    cancel: ({ id, body }, context) => after(context, id, cancelAtDesk(context, id, body)),
    reopen: ({ id, body }, context) => after(context, id, reopenReturn(context, id, body)),
    close: ({ id, body }, context) => after(context, id, closeReopened(context, id, body)),
    arrive: ({ id }, context) => after(context, id, arrive(context, id, { by: context.principal })),
    weigh: ({ id, body }, context) => after(context, id, weighParcel(context, id, { ...body, by: context.principal })),
    add: ({ id, body }, context) => after(context, id, addItem(context, id, { ...body, by: context.principal })),
    decide: ({ id, body }, context) => after(context, id, decideItems(context, id, { ...body, by: context.principal })),
    propose: ({ id, body }, context) => after(context, id, proposeRefund(context, id, { ...body, by: context.principal })),
    waive: ({ id, body }, context) => after(context, id, waiveMoney(context, id, body)),

    async addFile({ id, upload, kind, item_id }, { transaction, services, scope, principal }) {
      const { company_id, order_id } = await transaction(async ({ db }) =>
        orNotFound(
          await db.selectFrom('returns').select(['company_id', 'order_id']).where('id', '=', id).executeTakeFirst(),
          'return_not_found',
          noReturn,
        ),
      )
      const picture = await sanitizeImage(upload.content, { longest: photoSide, as: 'webp' })
      const stored = await services.files.put(scope.operator_id, picture.bytes)
      return transaction(async context => {
        const file_id = await recordFile(context.db, stored, {
          media_type: picture.media_type,
          name: `return-${id}.webp`,
          company_id,
          order_id,
        })
        await addReturnFile(context, id, { file_id, kind, item_id: item_id ?? null, by: principal })
        return returnById(context.db, id)
      })
    },

    async file({ id, file_id }, { transaction }) {
      const file = orNotFound(await transaction(({ db }) => fileOfReturn(db, id, file_id)), 'photo_not_found', 'There is no photo of this')
      return { bytes: file, media_type: file.media_type, name: file.name, inline: true }
    },

    inspect: ({ id, item_id, body }, context) => after(context, id, inspectItem(context, id, item_id, { ...body, by: context.principal })),
    missing: ({ id, item_id, body }, context) => after(context, id, missItem(context, id, item_id, { ...body, by: context.principal })),
    undo: ({ id, item_id, body }, context) => after(context, id, undoItem(context, id, item_id, { ...body, by: context.principal })),
    exchange: ({ id, item_id, body }, context) => after(context, id, setExchange(context, id, item_id, body)),
    confirm: ({ id, no, body }, context) =>
      after(context, id, answerRefund(context, id, no, { state: 'confirmed', ...body, by: context.principal.name })),
    deny: ({ id, no, body }, context) =>
      after(context, id, answerRefund(context, id, no, { state: 'denied', ...body, by: context.principal.name })),
    doubt: ({ id, no }, context) => after(context, id, answerRefund(context, id, no, { state: 'in_doubt', by: context.principal.name })),

    shopReturns: (question, { db, principal }) => shopReturnsPage(db, principal.shop ?? 'main', question),

    async shopMoney({ rma_no, body: { no, state, reference, amount, reason } }, context) {
      const { db, principal } = context
      const shop = principal.shop ?? 'main'
      const found = orNotFound(await shopReturn(db, shop, rma_no), 'return_not_found', noReturn)
      const { proposals } = found.shown
      const same = reference === undefined ? undefined : proposals.find(one => one.shop_ref === reference)
      const open = proposals.filter(one => one.state === 'proposed' || one.state === 'in_doubt')
      if (no === undefined && !same && open.length > 1)
        throw conflict('proposal_unclear', 'Several refunds are proposed. Say which one by its number.')
      const last = proposals.at(-1)
      const meant = no ?? same?.no ?? (open.length === 1 ? elementAt(open, 0).no : last?.no)
      if (meant === undefined) throw notFound('proposal_not_found', 'There is no such proposal.')
      await answerRefund(context, found.id, meant, { state, reference, paid: amount, reason, by: principal.name })
      return orNotFound(await shopReturn(db, shop, rma_no), 'return_not_found', noReturn).shown
    },
  },
  {
    async 'return.in_transit'(events, context) {
      for (const { subject_id } of events) if (subject_id !== null) await proposeAtFirstScan(context, subject_id)
    },
    async 'return.arrived'(events, context) {
      for (const { subject_id } of events) if (subject_id !== null) await queueExchange(context, subject_id, ['arrival'])
    },
    async 'return.decided'(events, context) {
      for (const { subject_id } of events) if (subject_id !== null) await queueExchange(context, subject_id)
    },
    async 'shipment.booked'(events, context) {
      for (const parcel of await parcelsOf(events, context)) if (parcel.operation_code === 'return') await addReturnLabel(context, parcel)
    },
    'shipment.in_transit': returnsMove,
    'shipment.out_for_delivery': returnsMove,
    'shipment.delivered': returnsMove,
    async 'shipment.returned_to_sender'(events, context) {
      for (const parcel of await parcelsOf(events, context))
        if (parcel.operation_code === 'outbound') await expectUndelivered(context, parcel)
    },
  },
)

/** The return as it is after a change. */
async function after({ db }: Context, id: number, change: Promise<unknown>) {
  await change
  return returnById(db, id)
}

/** The alarm for a cancelled label whose parcel went out all the same; null for every other code. */
async function alarmAt({ db, recordEvent }: Context, code: string): Promise<ScanAnswer['alarm']> {
  const label = await labelOfCode(db, code.trim())
  const alarm = label?.operation_code === 'outbound' ? await alarmOf(db, label) : undefined
  if (!label || !alarm) return null
  const { order_id, company_id, shipment_id } = label
  await recordEvent({ kind: 'shipment.blocked_scanned', order_id, company_id, subject: 'shipment', subject_id: shipment_id })
  return alarm
}

/** The key of the scanned parcel, where the scan was a label and no number of the return or of its order. */
async function keyOfParcel({ db }: Context, return_id: number, code: string): Promise<string | null> {
  const key = trackingKey(code)
  const parcel = await db
    .selectFrom('return_parcels')
    .select('tracking_key')
    .where('return_id', '=', return_id)
    .where('tracking_key', '=', key)
    .executeTakeFirst()
  return parcel?.tracking_key ?? null
}

/** The shipments of events that belong to an order. */
async function parcelsOf(events: readonly RecordedEvent[], { db }: Context) {
  const ids = events.flatMap(({ subject, subject_id, order_id }) =>
    subject === 'shipment' && subject_id !== null && order_id !== null ? [subject_id] : [],
  )
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('shipments')
    .select(['id as shipment_id', 'order_id', 'parcel_no', 'operation_code', 'tracking_no', 'agent_code'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.flatMap(row => (row.order_id === null ? [] : [{ ...row, order_id: row.order_id }]))
}

async function returnsMove(events: readonly RecordedEvent[], context: Context): Promise<void> {
  for (const { shipment_id, operation_code } of await parcelsOf(events, context))
    if (operation_code === 'return') await markInTransit(context, shipment_id)
}
