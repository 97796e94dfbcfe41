/** Collect lists: reading them, scanning parcels out, closing, handing over, and the cages they come from. */

import { stringify } from 'csv-stringify/sync'
import { access, isAllowed } from '#contract/access.ts'
import { orNotFound } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { safeCell } from '#features/orders/orders/export.server.ts'
import { mustBeCourier } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { cagesOf, changeCage, dropCage, makeCage } from './cages.queries.ts'
import { collectLists, collectListsOwn } from './collect-lists.contract.ts'
import {
  type CollectFilters,
  type CollectList,
  type CollectRow,
  collectListsOwnSchemas,
  collectListsSchemas,
} from './collect-lists.schemas.ts'
import { collectPaper, printCollectPaper } from './documents.server.ts'
import { closeList, handOver, reopenList } from './handover.commands.ts'
import { createList, scanParcel, takeOutParcel, undoScan } from './scan-out.commands.ts'
import { type Clockwork, countWaiting, exportRows, listInFull, listRow, overviewOf, searchLists } from './views.queries.ts'

const unknown = 'Collect list not found'

const clockwork = async (db: Db, company_id: number): Promise<Clockwork> => {
  const { time_zone, cut_off } = await companySettings(db, company_id)
  return { time_zone, cut_off }
}

const inFull = async ({ db, scope, principal, now }: Context, id: number): Promise<CollectList> =>
  orNotFound(
    await listInFull(db, id, await clockwork(db, scope.company_id), {
      now: now(),
      may_reopen: isAllowed(principal.permissions, access.listsAdmin),
    }),
    'collect_list_not_found',
    unknown,
  )

export const collectListsServer = implement(collectLists, collectListsSchemas, {
  search: async (query, { db, scope }) => searchLists(db, query, await clockwork(db, scope.company_id)),
  get: ({ id }, context) => inFull(context, id),

  async count({ x }, { db }) {
    mustBeCourier(x)
    const cages = await countWaiting(db, x)
    return { agent_code: x, count: cages.reduce((sum, cage) => sum + cage.count, 0), cages }
  },

  async create({ body }, context) {
    mustBeCourier(body.agent_code)
    const id = await createList(context, body, await clockwork(context.db, context.scope.company_id))
    return orNotFound(await listRow(context.db, id), 'collect_list_not_found', unknown)
  },

  print: ({ id, printer, request_id, locale }, outside) => printCollectPaper(outside, { id, printer, request_id, locale }),
  pdf: ({ id, locale }, outside) => collectPaper(outside, id, locale),
})

export const collectListsOwnServer = implement(collectListsOwn, collectListsOwnSchemas, {
  overview: async (_, { db, scope, now }) => overviewOf(db, await clockwork(db, scope.company_id), now()),

  async export({ locale, ...filters }, outside) {
    const spoken = locale ?? (await outside.transaction(({ db, scope }) => companySettings(db, scope.company_id))).locale
    const name = `collect-lists-${outside.now().toISOString().slice(0, 10)}.csv`
    return { bytes: listsAsCsv(outside, filters, spoken), media_type: 'text/csv; charset=utf-8', name }
  },

  scan: ({ id, body }, context) => scanParcel(context, id, body),
  undo: ({ id, body }, context) => undoScan(context, id, body),

  async takeOut({ id, body }, context) {
    await takeOutParcel(context, id, body.shipment_id)
    return inFull(context, id)
  },
  async close({ id, body }, context) {
    await closeList(context, id, body.reasons)
    return inFull(context, id)
  },
  async handOver({ id, body }, context) {
    await handOver(context, id, body)
    return inFull(context, id)
  },
  async reopen({ id, body }, context) {
    await reopenList(context, id, body.note, await clockwork(context.db, context.scope.company_id))
    return inFull(context, id)
  },

  cages: (_, { db }) => cagesOf(db),
  createCage({ body }, context) {
    mustBeCourier(body.agent_code)
    return makeCage(context, body)
  },
  updateCage: ({ id, body }, context) => changeCage(context, id, body),
  removeCage: ({ id }, context) => dropCage(context, id),
})

const columns = [
  'code',
  'state',
  'agent_code',
  'cage',
  'expected',
  'scanned',
  'missing',
  'weight_g',
  'cut_off_at',
  'created_at',
  'created_by',
  'closed_at',
  'closed_by',
  'handed_to',
  'handed_over_at',
  'handed_over_by',
  'reopened_at',
  'reopen_note',
] as const satisfies readonly (keyof CollectRow)[]

const mostExported = 10_000
const step = 500

/** As the orders' own export writes it: a byte order mark, and semicolons where people write decimal commas. */
async function* listsAsCsv(
  { transaction, signal }: Pick<ExternalContext, 'transaction' | 'signal'>,
  filters: CollectFilters,
  locale: string,
): AsyncGenerator<string> {
  const write = (rows: string[][]) =>
    stringify(rows, { delimiter: locale.startsWith('en') ? ',' : ';', record_delimiter: '\r\n', quoted_match: /^\s|\s$/ })
  yield `\uFEFF${write([[...columns]])}`
  let before = Number.MAX_SAFE_INTEGER
  for (let sent = 0; sent < mostExported && !signal.aborted; sent += step) {
    const from = before
    const rows = await transaction(async ({ db, scope }) => exportRows(db, filters, await clockwork(db, scope.company_id), from, step))
    if (rows.length > 0) yield write(rows.map(row => columns.map(name => safeCell(String(row[name] ?? '')))))
    before = rows.at(-1)?.id ?? 0
    if (rows.length < step) return
  }
}
