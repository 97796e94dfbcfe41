/** Longer readings of a shop: old orders that a person asks for, and the nightly comparison of both sides. */
import { unprocessable } from '#contract/errors.ts'
import { doJob } from '#features/company/jobs/jobs.queries.ts'
import { ShopError } from '#integrations/shops/shop-connector.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { type TakenRow, takeRows } from './pull-orders.server.ts'
import { withUtc } from './pull-shops.task.ts'
import { type OpenedShop, openShop, readShopKeys, shopPlace } from './shop-access.server.ts'
import { noteSweep, writeLog } from './shop-connections.commands.ts'
import { type Connection, connectionById, openOrdersOf } from './shop-connections.queries.ts'

/** Days of orders that the sweep reads again, and open orders that it asks for one by one. */
const sweepDays = 3
const mostAsked = 300
const mostPages = 2_000

async function openConnection(context: ExternalContext, id: number): Promise<{ connection: Connection; shop: OpenedShop } | undefined> {
  const { services, scope } = context
  const found = await context.transaction(async ({ db }) => ({
    connection: await connectionById(db, scope.company_id, id),
    keys: await readShopKeys(db, services, scope, id),
    place: await shopPlace(db, scope.company_id),
  }))
  const { connection, keys, place } = found
  if (!connection || keys === null) return undefined
  return { connection, shop: openShop(services, connection, keys, place, context.signal) }
}

const takerOf = (connection: Connection, { connector }: OpenedShop) => ({
  id: connection.id,
  shop: connection.shop,
  title: connector.title,
  pull_from: connection.pull_from,
})

/** Reads the orders that were placed in a period, page by page. */
async function readCreated(
  context: ExternalContext,
  { connection, shop }: { connection: Connection; shop: OpenedShop },
  kind: 'backfill' | 'sweep',
  { from, to }: { from: string; to: string },
  each: (taken: readonly TakenRow[]) => Promise<void>,
): Promise<void> {
  let page: string | null = null
  for (let pages = 0; pages < mostPages; pages++) {
    const read: Awaited<ReturnType<OpenedShop['connector']['pull']>> = await shop.connector.pull(shop.access, {
      by: 'created',
      from,
      to,
      page,
    })
    const rows = read.rows.map(withUtc)
    if (rows.length > 0) await each(await takeRows(context, takerOf(connection, shop), kind, rows))
    if (read.next === null) return
    page = read.next
  }
}

/** The queue's task: orders of a period, by the day on which they were placed. What the shop has done with comes as closed. */
export const backfillOrders: Tasks['shops.backfill'] = async ({ job_id, connection_id, from, to }, context) =>
  doJob(context, job_id, async progress => {
    const opened = await openConnection(context, connection_id)
    if (!opened) throw unprocessable('shop_connection_gone', 'The connection was removed meanwhile')
    const counts: Record<string, number> = {}
    let done = 0
    try {
      await readCreated(context, opened, 'backfill', { from, to }, async taken => {
        for (const { outcome } of taken) counts[outcome] = (counts[outcome] ?? 0) + 1
        done += taken.length
        await progress(done)
      })
    } catch (error) {
      // In the shop's own words, for the person who asked.
      if (error instanceof ShopError) throw unprocessable('shop_says', 'The shop says: {{words}}', { words: error.message })
      throw error
    }
    return counts
  })

/** The queue's task: compares open orders on both sides, and takes what neither a reading nor a webhook brought. */
export const sweepShop: Tasks['shops.sweep'] = async ({ connection_id }, context) => {
  const opened = await openConnection(context, connection_id)
  if (!opened) {
    // Its keys cannot be opened: it is tried again the next night.
    await context.transaction(({ db }) => noteSweep(db, connection_id, context.now()))
    return
  }
  if (opened.connection.state !== 'active') return
  const { connection, shop } = opened
  const now = context.now()
  try {
    const met = new Set<string>()
    const period = {
      from: new Date(now.getTime() - sweepDays * 86_400_000).toISOString(),
      to: new Date(now.getTime() + 86_400_000).toISOString(),
    }
    await readCreated(context, opened, 'sweep', period, async taken => {
      for (const { external_id } of taken) met.add(external_id)
    })
    const open = await context.transaction(({ db }) => openOrdersOf(db, connection_id, connection.shop, mostAsked))
    for (const { external_id } of open) {
      if (met.has(external_id)) continue
      const row = await shop.connector.get(shop.access, external_id)
      if (row?.external_id === external_id) await takeRows(context, takerOf(connection, shop), 'sweep', [withUtc(row)])
    }
    await context.transaction(({ db }) => noteSweep(db, connection_id, now))
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    await context.transaction(async ({ db }) => {
      await writeLog(db, connection_id, [{ kind: 'sweep', outcome: 'failed', words: error.message }], now)
      // It is tried again the next night.
      await noteSweep(db, connection_id, now)
    })
  }
}
