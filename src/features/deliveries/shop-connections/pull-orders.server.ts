/** Orders of a shop into this system: pages by the shop's own clock, one order that is asked for, and what comes back of our own writes. */
import { createHash } from 'node:crypto'
import { interpolate } from '#contract/errors.ts'
import { formatIssue } from '#domain/order/canonical-order.ts'
import { type ImportedOrder, toOrder } from '#domain/order/canonical-order-checks.ts'
import { cancelRemoved } from '#features/orders/orders/upsert/cancel-orders.commands.ts'
import { retryOrderConflict, storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import type { PulledRow } from '#integrations/shops/shop-connector.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import type { LogKind, LogOutcome } from './shop-connections.codes.ts'
import { addLateCancellation, type LogRow, storeKnown, writeLog } from './shop-connections.commands.ts'
import { knownOrders } from './shop-connections.queries.ts'

/** The order without what our own pushes change in the shop: status, quantities that are still open, sums, notes. */
function contentHash(order: ImportedOrder): string {
  const { version: _version, status: _status, payment_status: _payment, notes: _notes, totals: _totals, lines, ...content } = order
  const kept = { ...content, lines: lines.map(({ qty: _qty, discount_excl_vat: _discount, line_no: _line_no, ...line }) => line) }
  return createHash('sha256').update(JSON.stringify(kept)).digest('hex')
}

export interface TakenRow {
  external_id: string
  outcome: LogOutcome
  order_id: number | null
  words: string | null
}

interface Taker {
  id: number
  shop: string
  title: string
  pull_from: string
}

/** Minutes by which the clock of a shop may be behind ours. */
const clockTolerance = 15

/**
 * Stores rows of one page in one transaction and writes the log. `kind` says who asked: only a person's question takes an order that was
 * placed before the connection began.
 */
export const takeRows = (
  outside: Pick<ExternalContext, 'transaction'>,
  taker: Taker,
  kind: LogKind,
  rows: readonly PulledRow[],
  also: (context: Context, taken: readonly TakenRow[]) => Promise<void> = async () => undefined,
): Promise<TakenRow[]> =>
  retryOrderConflict(() =>
    outside.transaction(async context => {
      const { db, now } = context
      const known = await knownOrders(
        db,
        taker.id,
        taker.shop,
        rows.map(row => row.external_id),
      )
      const results = new Map<PulledRow, TakenRow>()
      const done = (row: PulledRow, outcome: LogOutcome, order_id: number | null, words: string | null) =>
        results.set(row, { external_id: row.external_id, outcome, order_id, words })
      const storing: { row: PulledRow; order: ImportedOrder; hash: string }[] = []
      for (const row of rows) {
        const here = known.get(row.external_id)
        if (row.kind === 'ignored') done(row, 'ignored', here?.order_id ?? null, row.words)
        else if (row.kind === 'refused')
          done(row, 'refused', here?.order_id ?? null, row.problems.map(problem => formatIssue(problem).message).join('; '))
        else if (row.kind === 'removed') {
          const [gone] = await cancelRemoved(context, { shop: taker.shop, external_ids: [row.external_id] }, { actor: taker.title })
          const problem = gone?.problems[0]
          done(
            row,
            problem ? 'refused' : gone?.result === 'updated' ? 'updated' : 'unchanged',
            gone?.order_id ?? null,
            problem ? interpolate(problem.text, problem.values) : 'The shop has deleted this order',
          )
        } else {
          const order = toOrder({ ...row.order, shop: taker.shop })
          const hash = contentHash(order)
          if (here && here.written_status === row.status && here.content_hash === hash) done(row, 'echo', here.order_id, row.status)
          else if (!here && kind !== 'fetch' && kind !== 'backfill' && isOver(order))
            done(row, 'ignored', null, 'The shop has finished this order already')
          else if (!here && kind !== 'fetch' && kind !== 'backfill' && isEarlier(order, taker.pull_from))
            done(row, 'ignored', null, 'It was placed before this connection began')
          else storing.push({ row, order, hash })
        }
      }
      const stored = await storeOrders(
        context,
        storing.map(({ order }) => order),
        { actor: taker.title },
      )
      const content: Parameters<typeof storeKnown>[2][number][] = []
      for (const [at, { row, order, hash }] of storing.entries()) {
        const result = stored[at]
        if (!result) continue
        const problem = result.problems.map(formatIssue)[0]
        done(row, result.result === 'refused' ? 'refused' : result.result, result.order_id, problem?.message ?? null)
        if (result.order_id === null) continue
        content.push({ order_id: result.order_id, external_id: row.external_id, fact: 'content', value: order.status, value_hash: hash })
        // The goods are on their way: a note tells the shop that it must take them back.
        if (result.result === 'refused' && order.status === 'cancelled')
          await addLateCancellation(db, taker.id, result.order_id, row.external_id, now())
      }
      await storeKnown(db, taker.id, uniqueOf(content), now())
      const taken = rows.flatMap(row => results.get(row) ?? [])
      await writeLog(db, taker.id, logOf(kind, rows, results), now())
      await also(context, taken)
      return taken
    }),
  )

const isOver = ({ status }: ImportedOrder): boolean => status === 'closed' || status === 'cancelled'

const isEarlier = ({ ordered_at }: ImportedOrder, pull_from: string): boolean =>
  ordered_at !== null && Date.parse(ordered_at) < Date.parse(pull_from) - clockTolerance * 60_000

/** The same order twice in one page: the last counts, as one statement cannot write a row twice. */
const uniqueOf = <R extends { order_id: number }>(rows: readonly R[]): R[] => [...new Map(rows.map(row => [row.order_id, row])).values()]

/** A row for each order that something became of, and one for all that stayed as they were. */
function logOf(kind: LogKind, rows: readonly PulledRow[], results: ReadonlyMap<PulledRow, TakenRow>): LogRow[] {
  const log: LogRow[] = []
  let unchanged = 0
  for (const row of rows) {
    const result = results.get(row)
    if (!result) continue
    if (result.outcome === 'unchanged' && kind !== 'fetch') unchanged++
    else
      log.push({
        kind,
        outcome: result.outcome,
        words: result.words,
        ref: row.kind === 'order' ? row.order.order_no : row.kind === 'refused' ? (row.order_no ?? row.external_id) : row.external_id,
        order_id: result.order_id,
      })
  }
  if (unchanged > 0) log.push({ kind, outcome: 'unchanged', count: unchanged })
  return log
}
