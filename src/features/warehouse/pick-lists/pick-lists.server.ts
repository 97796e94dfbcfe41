/** Pick lists: planning, making, following and ending them. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { activeMap } from '#features/warehouse/map-results/measured-maps.queries.ts'
import { reserveCodes } from '#features/warehouse/paperless/bind-codes.commands.ts'
import { implement } from '#platform/http/feature-module.ts'
import { previewOf, takeWave, writeList } from './create-pick-list.commands.ts'
import { listPaper, overviewPaper, printPaper } from './documents.server.ts'
import { queueImprovement } from './optimize.task.ts'
import { companiesOf } from './order-selection.queries.ts'
import { pickListSubscriptions } from './order-subscriptions.server.ts'
import { pickLists } from './pick-lists.contract.ts'
import { leaveList, mustNotBePacked, settleList } from './pick-lists.queries.ts'
import { pickListsSchemas } from './pick-lists.schemas.ts'
import { endList, liveOrders, takeList } from './remove-orders.commands.ts'
import { availableOrders, choicesOf, listById, listRow, listsBy, listsOfOrders, ordersMeant } from './views.queries.ts'
import { takeWagonBack } from './wagon-pickers.commands.ts'
import { createWagonType, deleteWagonType, updateWagonType } from './wagon-types.commands.ts'
import { wagonTypes } from './wagon-types.queries.ts'
import { wagonTypeList } from './wagon-types-history.server.ts'
import { mustSeeWagon } from './wagon-views.queries.ts'

const noList = 'Pick list not found'

export const pickListsServer = implement(
  pickLists,
  pickListsSchemas,
  {
    search: (query, { db, scope }) => listsBy(db, scope, query),

    async searchOrder({ query }, { db, scope }) {
      return listsOfOrders(db, await ordersMeant(db, scope, query))
    },

    preview: ({ body }, context) => previewOf(context, body),

    async create({ body }, context) {
      const plan = await takeWave(context, body)
      const id = await writeList(context, plan, body)
      // Singles lie together: no tote belongs to one of them.
      if (body.type !== 'singles')
        await reserveCodes(context, {
          pick_list_id: id,
          slots: plan.wagons.flatMap(wagon =>
            wagon.orders.map(({ order, slot_no }) => ({
              wagon_no: wagon.wagon_no,
              slot_no,
              order_id: order.id,
              company_id: order.company_id,
              bind: body.bind,
            })),
          ),
        })
      // A tote that belongs to its order stays where it was put.
      const movable = plan.wagons.length > 1 && (body.bind === 'first_scan' || body.type === 'singles')
      const job_id = movable ? await queueImprovement(context, id) : null
      const row = orNotFound(await listRow(context.db, id), 'pick_list_not_found', noList)
      return { ...row, job_id, left_out_count: plan.excluded.length }
    },

    async config(_, { db, services }) {
      const types = await wagonTypes(db)
      const map = await activeMap(db, services)
      const companies = await companiesOf(db)
      return {
        wagon_types: types,
        default_wagon_type_id: types.find(type => type.active)?.id ?? null,
        map: map && { result_id: map.result_id, map_id: map.map_id },
        companies: [...companies].map(([id, { code, name }]) => ({ id, code, name })),
        ...(await choicesOf(db)),
      }
    },

    available: ({ x }, { db }) => availableOrders(db, x),

    get: async ({ id }, { db }) => orNotFound(await listById(db, id), 'pick_list_not_found', noList),

    wagon: ({ id, wagon_no }, { db }) => mustSeeWagon(db, id, wagon_no),

    takeBack: ({ pick_list_id, wagon_no }, context) => takeWagonBack(context, { pick_list_id, wagon_no }),

    async cancel({ id, body }, context) {
      const { db, recordEvent, notify } = context
      await mustNotBePacked(db, id)
      const orders = await liveOrders(db, id)
      const put_backs = await leaveList(context, id, orders, 'list_cancelled')
      const list = orNotFound(await takeList(db, id), 'pick_list_not_found', noList)
      if (list.state === 'completed') throw conflict('pick_list_completed', 'This list is completed already')
      if (list.state === 'cancelled') throw conflict('pick_list_cancelled', 'This list is cancelled already')
      await settleList(context, id)
      await endList(db, id)
      await recordEvent({
        kind: 'pick_list.cancelled',
        subject: 'pick_list',
        subject_id: id,
        data: { note: body.note, orders: orders.length, put_backs },
      })
      notify('pick_list', id)
      return { orders: orders.length, put_backs }
    },

    async takeOff({ id, order_id }, context) {
      orNotFound(await listRow(context.db, id), 'pick_list_not_found', noList)
      await mustNotBePacked(context.db, id, [order_id])
      if (!(await liveOrders(context.db, id)).includes(order_id))
        throw conflict('order_not_in_list', 'This order is not on the list, or no longer')
      const put_backs = await leaveList(context, id, [order_id], 'order_removed')
      await settleList(context, id)
      return { put_backs }
    },

    async improve({ id }, context) {
      const list = orNotFound(await takeList(context.db, id), 'pick_list_not_found', noList)
      if (list.state !== 'open' && list.state !== 'picking')
        throw conflict('pick_list_claimed', 'Only lists with wagons that no one has claimed can be improved')
      return { job_id: await queueImprovement(context, id) }
    },

    download: ({ id, pictures, wagon_no, locale }, context) => listPaper(context, id, { pictures, wagon_no, locale }),

    downloadOverview: ({ id, locale }, context) => overviewPaper(context, id, { locale }),

    print: ({ id, printer, key, ...paper }, context) => printPaper(context, { id, printer, key, document: 'pick_list', paper }),

    printOverview: ({ id, printer, key, ...paper }, context) => printPaper(context, { id, printer, key, document: 'pick_overview', paper }),

    createWagonType: ({ body }, context) =>
      addEntry(
        wagonTypeList,
        context,
        () => createWagonType(context, body),
        type => type.id ?? 0,
      ),
    updateWagonType: ({ id, body }, context) => changeEntry(wagonTypeList, context, id, () => updateWagonType(context, id, body)),
    deleteWagonType: ({ id }, context) => changeEntry(wagonTypeList, context, id, () => deleteWagonType(context, id)),
  },
  pickListSubscriptions,
)
