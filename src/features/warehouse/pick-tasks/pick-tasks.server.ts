/** Pick tasks: deciding about shorts, counting bins, putting goods back. */
import { orNotFound } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { changeEach } from '#platform/http/change-each.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { askCount, countBin } from './counts.commands.ts'
import { pickTasks } from './pick-tasks.contract.ts'
import { pickTasksSchemas } from './pick-tasks.schemas.ts'
import { putBack } from './put-backs.commands.ts'
import { decideShort } from './shorts.commands.ts'
import {
  companyOfBin,
  countById,
  countsPage,
  openCountsOf,
  openTasks,
  ordersNeeding,
  photoOf,
  productMeant,
  putBackById,
  putBacksPage,
  shortById,
  shortsOfBin,
  shortsPage,
} from './views.queries.ts'

const mostExported = 10_000

export const pickTasksServer = implement(pickTasks, pickTasksSchemas, {
  count: (_, { db }) => openTasks(db),

  async shorts({ page, limit, ...question }, { db }) {
    const offset = pageOffset({ page, limit })
    return { ...(await shortsPage(db, question, { offset, limit })), offset, limit }
  },

  async short({ id }, { db }) {
    const short = await shortById(db, id)
    const needing = await ordersNeeding(db, short)
    const open_counts = await openCountsOf(db, short)
    return { ...short, needing, open_counts }
  },

  async photo({ id }, { transaction }) {
    const file = orNotFound(await transaction(({ db }) => photoOf(db, id)), 'photo_not_found', 'There is no photo of this')
    return { bytes: file, media_type: file.media_type, inline: true }
  },

  async decide({ id, body: { decision, note, version } }, context) {
    await decideShort(context, id, { decision, note, version, by: context.principal })
    return shortById(context.db, id)
  },

  decideMany: ({ body: { ids, decision, note } }, outside) =>
    changeEach(outside, 'task', ids, async (context, id) => {
      // Deciding about one short of an order may have decided the others of it as well.
      if ((await shortById(context.db, id)).decision !== decision) await decideShort(context, id, { decision, note, by: context.principal })
    }),

  async exportShorts(question, { db, now }) {
    const { rows } = await shortsPage(db, question, { offset: 0, limit: mostExported })
    return file(
      'shorts',
      now(),
      [
        'order_no',
        'company',
        'sku',
        'name',
        'bin',
        'quantity',
        'reason',
        'note',
        'pick_list',
        'wagon',
        'reported_by',
        'reported_at',
      ].concat('counted', 'decision', 'decided_by', 'decided_at'),
      rows.map(row => [
        ...[row.order_no, row.company, row.sku, row.name, row.bin, row.quantity, row.reason, row.note, row.pick_list_id, row.wagon_no],
        ...[row.reported_by, row.reported_at, row.counted, row.decision, row.decided_by, row.decided_at],
      ]),
    )
  },

  async counts({ page, limit, ...question }, { db }) {
    const offset = pageOffset({ page, limit })
    return { ...(await countsPage(db, question, { offset, limit })), offset, limit }
  },

  async ask({ body }, context) {
    const { db, principal } = context
    const product =
      body.product === ''
        ? undefined
        : orNotFound(
            await productMeant(db, body.product, body),
            'product_not_found_by_code',
            'There is no product with this SKU or barcode',
          )
    if (body.company_id !== undefined)
      orNotFound(
        await db.selectFrom('companies').select('id').where('id', '=', body.company_id).executeTakeFirst(),
        'company_not_found',
        'Company not found',
      )
    const company_id = body.company_id ?? product?.company_id ?? (await companyOfBin(db, body.bin))?.company_id ?? principal.company.id
    const id = await askCount(context, {
      company_id,
      bin: body.bin,
      product_id: product?.id ?? null,
      sku: product?.sku ?? null,
      name: product?.name ?? '',
      reason: 'asked',
      blocks: body.blocks,
      note: body.note,
      by: principal,
    })
    return countById(db, id)
  },

  async counted({ id, body }, context) {
    await countBin(context, id, { ...body, by: context.principal })
    const count = await countById(context.db, id)
    return { count, shorts: await shortsOfBin(context.db, count) }
  },

  async exportCounts(question, { db, now }) {
    const { rows } = await countsPage(db, question, { offset: 0, limit: mostExported })
    return file(
      'counts',
      now(),
      ['bin', 'company', 'sku', 'name', 'reason', 'blocks', 'asked_by', 'asked_at', 'counted', 'note', 'done_by', 'done_at'],
      rows.map(row => [
        ...[row.bin, row.company, row.sku, row.name, row.reason, row.blocks ? 1 : 0, row.asked_by, row.asked_at],
        ...[row.counted, row.note, row.done_by, row.done_at],
      ]),
    )
  },

  async putBacks({ page, limit, ...question }, { db }) {
    const offset = pageOffset({ page, limit })
    return { ...(await putBacksPage(db, question, { offset, limit })), offset, limit }
  },

  async putBack({ id, body: { quantity, bin, version } }, context) {
    await putBack(context, id, { quantity, bin, version, by: context.principal })
    return putBackById(context.db, id)
  },

  putBackMany: ({ body: { ids } }, outside) =>
    changeEach(outside, 'task', ids, async (context, id) => {
      const { quantity, done, version } = await putBackById(context.db, id)
      await putBack(context, id, { quantity: Math.max(1, quantity - done), version, by: context.principal })
    }),

  async exportPutBacks(question, { db, now }) {
    const { rows } = await putBacksPage(db, question, { offset: 0, limit: mostExported })
    return file(
      'put-backs',
      now(),
      [
        'bin',
        'sku',
        'name',
        'quantity',
        'done',
        'order_no',
        'company',
        'totes',
        'reason',
        'pick_list',
        'wagon',
        'slot',
        'created_at',
      ].concat('done_by', 'done_at'),
      rows.map(row => [
        ...[row.bin, row.sku, row.name, row.quantity, row.done, row.order_no, row.company, row.codes.map(one => `PP${one}`).join(' ')],
        ...[row.reason, row.pick_list_id, row.wagon_no, row.slot_no, row.created_at, row.done_by, row.done_at],
      ]),
    )
  },
})

const file = (name: string, at: Date, columns: readonly string[], rows: Parameters<typeof csv>[1]) => ({
  bytes: csv(columns, rows),
  media_type: 'text/csv; charset=utf-8',
  name: `${name}-${at.toISOString().slice(0, 10)}.csv`,
})
