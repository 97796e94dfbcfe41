/** Reads the connected shops: each at its time, a bounded piece at once, several shops side by side. */
import { setTimeout as wait } from 'node:timers/promises'
import { type PulledRow, ShopError } from '#integrations/shops/shop-connector.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { cursorAfter, PullCursor, requestOf, unseen } from './pull-cursor.rules.ts'
import { takeRows } from './pull-orders.server.ts'
import { noteDenial, pushOrder } from './push-orders.server.ts'
import { type OpenedShop, openShop, readShopKeys, shopPlace } from './shop-access.server.ts'
import {
  endFailedReading,
  endReading,
  forgetOldLog,
  stopConnection,
  storeCursor,
  takeConnection,
  writeLog,
} from './shop-connections.commands.ts'
import {
  type Connection,
  connectionById,
  dueConnections,
  lastWebhookAt,
  lateCancellationsOf,
  operatorsWithShops,
  unsweptConnections,
} from './shop-connections.queries.ts'

const why = 'the connected shops of every operator are read'
/** Seconds between two readings, and while the shop's webhooks arrive. */
const interval = 60
const intervalWithWebhooks = 300
/** Pages of one reading: a shop with a long backlog takes its turn again. */
const mostPages = 10
/** Seconds that one reading may take. */
const patience = 120
/** Readings at once: in all, and of one company. */
const most = { all: 8, company: 2 } as const
const longestPause = 900

/** 1, 2, 4, 8 and then 15 minutes. */
const pauseAfterFailures = (failures: number): number => Math.min(longestPause, interval * 2 ** (failures - 1))

interface Due {
  operator_id: number
  company_id: number
  id: number
}

/** Reads what is due until nothing is. */
export async function pullShops(services: Services): Promise<void> {
  const running = new Map<Due, Promise<void>>()
  while (!services.closing.aborted) {
    const due = await services.database.systemRead(why, db => dueConnections(db, services.now()))
    for (const one of due) {
      if (running.size >= most.all) break
      const ofCompany = [...running.keys()].filter(other => other.operator_id === one.operator_id && other.company_id === one.company_id)
      if (ofCompany.length >= most.company || ofCompany.some(other => other.id === one.id)) continue
      running.set(
        one,
        pullShop(services, one).finally(() => running.delete(one)),
      )
    }
    if (running.size === 0) return
    const ending = new AbortController()
    await Promise.race([...running.values(), wait(500, undefined, { signal: ending.signal }).catch(() => undefined)])
    ending.abort()
  }
  await Promise.all(running.values())
}

async function pullShop(services: Services, { operator_id, company_id, id }: Due): Promise<void> {
  const scope = { operator_id, company_id, companies: [company_id] }
  try {
    await readOnce(services, scope, id)
  } catch (error) {
    // Its lease ends, and the next reading begins.
    services.log.warn({ connection: id, error: String(error) }, 'the reading of a shop ended early')
  }
}

async function readOnce(services: Services, scope: TenantScope, id: number): Promise<void> {
  const outside = createSystemContext(services, scope)
  const opened = await outside.transaction(async ({ db, now }) => {
    const until = new Date(now().getTime() + (patience + 30) * 1_000)
    if (!(await takeConnection(db, id, until, now()))) return undefined
    const connection = await connectionById(db, scope.company_id, id)
    return (
      connection && {
        connection,
        keys: await readShopKeys(db, services, scope, id),
        place: await shopPlace(db, scope.company_id),
        webhook_at: await lastWebhookAt(db, connection.system, connection.shop),
      }
    )
  })
  if (!opened) return
  const { connection, keys, place, webhook_at } = opened
  const signal = AbortSignal.any([services.closing, AbortSignal.timeout(patience * 1_000)])
  try {
    if (keys === null) throw new ShopError('denied', 'The keys of this connection cannot be opened')
    const shop = openShop(services, connection, keys, place, signal)
    const caught_up = await readPages(outside, connection, shop)
    await outside.transaction(async ({ db, now, notify }) => {
      const listens = webhook_at !== null && now().getTime() - Date.parse(webhook_at) < 3_600_000
      const next = new Date(now().getTime() + (caught_up ? (listens ? intervalWithWebhooks : interval) : 1) * 1_000)
      await endReading(db, id, { caught_up, next, now: now() })
      notify('shop_connection', id)
    })
    await reportLateCancellations(services, scope, connection, signal)
  } catch (error) {
    if (services.closing.aborted) throw error
    await failReading(services, scope, connection, error)
  }
}

/** Answers whether the last page was read. */
async function readPages(
  outside: ReturnType<typeof createSystemContext>,
  connection: Connection,
  { connector, access }: OpenedShop,
): Promise<boolean> {
  const taker = { id: connection.id, shop: connection.shop, title: connector.title, pull_from: connection.pull_from }
  let cursor = PullCursor.catch({ watermark: connection.pull_from, from: null, page: null, seen: [] }).parse(connection.cursor)
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await connector.pull(access, { by: 'changed', to: null, ...requestOf(cursor) })
    const rows = page.rows.map(withUtc)
    const after = cursorAfter(cursor, rows, page.next, outside.services.now())
    const fresh = unseen(cursor, rows)
    const keep = (context: Parameters<NonNullable<Parameters<typeof takeRows>[4]>>[0], created: boolean) =>
      storeCursor(context.db, connection.id, after, { new_order_at: created ? context.now().toISOString() : null })
    // The cursor moves with the orders: what was stored is not read twice, what was not is read again.
    if (fresh.length === 0) await outside.transaction(context => keep(context, false))
    else
      await takeRows(outside, taker, 'pull', fresh, (context, taken) =>
        keep(
          context,
          taken.some(({ outcome }) => outcome === 'created'),
        ),
      )
    cursor = after
    if (page.next === null) return true
  }
  return false
}

export const withUtc = <R extends PulledRow>(row: R): R => ({ ...row, changed_at: new Date(row.changed_at).toISOString() })

async function failReading(services: Services, scope: TenantScope, { id, failures }: Connection, error: unknown): Promise<void> {
  const shopError = error instanceof ShopError ? error : undefined
  const { retry_after_s } = shopError ?? {}
  const words = shopError?.message ?? 'The orders could not be stored. They are read again.'
  if (!shopError) services.log.warn({ connection: id, error: String(error) }, 'orders of a shop could not be stored')
  await createSystemContext(services, scope).transaction(async ({ db, now, notify, recordEvent }) => {
    await endFailedReading(db, id, count => Math.max(retry_after_s ?? 0, pauseAfterFailures(count)), now())
    await writeLog(db, id, [{ kind: 'pull', outcome: 'failed', words }], now())
    // Another program answers there, twice in a row: a person has to look.
    if (shopError?.failure === 'unreadable' && failures >= 1) {
      await stopConnection(db, id, 'broken')
      await recordEvent({ kind: 'shop_connection.broken', subject: 'shop_connection', subject_id: id })
    }
    notify('shop_connection', id)
  })
  if (shopError?.failure === 'denied') await noteDenial(services, scope, id)
}

/** A shop whose cancellation came too late gets a note. What fails is tried at the next reading. */
async function reportLateCancellations(services: Services, scope: TenantScope, connection: Connection, signal: AbortSignal): Promise<void> {
  const late = await services.database.readOnly(scope, db => lateCancellationsOf(db, connection.id))
  for (const { order_id } of late) await pushOrder(services, scope, connection, order_id, null, signal)
}

export const pullConnectedShops: ScheduledTask = { name: 'pull shops', seconds: 5, run: pullShops }

/** Once a night, at three o'clock of the company, both sides are compared. */
const sweepHour = 3

const hourIn = (zone: string, at: Date): number => {
  try {
    return Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: zone }).format(at))
  } catch {
    return at.getUTCHours()
  }
}

async function startSweeps(services: Services): Promise<void> {
  const now = services.now()
  const due = await services.database.systemRead(why, db => unsweptConnections(db, now))
  for (const { operator_id, company_id, id, time_zone } of due) {
    if (hourIn(time_zone ?? 'UTC', now) !== sweepHour) continue
    await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(({ enqueue }) =>
      enqueue('shops.sweep', { connection_id: id }, { key: `shops.sweep:${id}` }),
    )
  }
  // One transaction for each operator, by its own index.
  const operators = await services.database.systemRead(why, operatorsWithShops)
  for (const operator_id of operators)
    await services.database.systemTransaction('old rows of the log are removed', db => forgetOldLog(db, operator_id, now))
}

export const sweepConnectedShops: ScheduledTask = { name: 'sweep shops', seconds: 600, run: startSweeps }
