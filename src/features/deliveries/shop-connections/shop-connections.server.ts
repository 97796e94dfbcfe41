/** Connections to shops: keys and settings, their health, and what a person asks of one. */
import { type AppError, badRequest, conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { elementAt, isOneOf } from '#domain/objects.ts'
import { formatIssue } from '#domain/order/canonical-order.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { dropDelivery, retryDelivery } from '#features/deliveries/outbox/outbox.commands.ts'
import { connectorOf, connectors } from '#integrations/shops/connectors.ts'
import { type ConnectorField, type PulledRow, type ShopConnector, ShopError } from '#integrations/shops/shop-connector.ts'
import { deleteSecret, storeSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { addressProblem } from '#platform/http/outside-request.ts'
import { takeRows } from './pull-orders.server.ts'
import { withUtc } from './pull-shops.task.ts'
import { keysName, type OpenedShop, openShop, readShopKeys, type ShopAddress, shopPlace } from './shop-access.server.ts'
import { mostConnections, pushMoments } from './shop-connections.codes.ts'
import {
  activateConnection,
  addConnection,
  changeConnection,
  dropPushes,
  removeConnection,
  reopenPushes,
  stopConnection,
  writeLog,
} from './shop-connections.commands.ts'
import { shopConnections } from './shop-connections.contract.ts'
import {
  connectionById,
  connectionsOf,
  deliveryOf,
  externalIdOf,
  logOfConnection,
  orderOfDelivery,
  waitingOf,
} from './shop-connections.queries.ts'
import { type ConnectionRow, shopConnectionsSchemas, type TestAnswer } from './shop-connections.schemas.ts'

const unknown = () => notFound('shop_connection_not_found', 'Connection not found')
const stale = (current: unknown): AppError =>
  conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })

/** Orders that a test reads. */
const sampleSize = 3
const sampleDays = 30
const longestBackfill = 366

export const shopConnectionsServer = implement(shopConnections, shopConnectionsSchemas, {
  systems: async () => ({
    rows: [...connectors.values()].map(({ system, title, address_example, credentials, settings, capabilities }) => ({
      system,
      title,
      address_example,
      credentials: credentials.map(fieldRow),
      settings: settings.map(fieldRow),
      notifies_customer: capabilities.notifies_customer,
      cancels: capabilities.facts.includes('cancellation'),
      cancel_warning: capabilities.cancel_warning ?? null,
      backfill_limit: capabilities.backfill_limit ?? null,
    })),
  }),

  list: async (_, { db, scope, now }) => ({ rows: (await connectionsOf(db, scope.company_id, now())).map(withTitle) }),

  async try({ body }, outside) {
    const connector = mustBeConnector(body.system)
    const base_url = checkedAddress(body.base_url, outside.services.config.allowed_networks)
    const settings = checkedSettings(connector, body.settings)
    const credentials = checkedCredentials(connector, body.credentials)
    const place = await outside.transaction(({ db, scope }) => shopPlace(db, scope.company_id))
    const shop = openShop(
      outside.services,
      { id: null, system: body.system, shop: 'test', base_url, settings },
      credentials,
      place,
      outside.signal,
    )
    return testShop(shop, outside.now())
  },

  async create({ body }, context) {
    const { db, services, scope, now, recordEvent, notify } = context
    const connector = mustBeConnector(body.system)
    const base_url = checkedAddress(body.base_url, services.config.allowed_networks)
    const settings = checkedSettings(connector, body.settings)
    const credentials = checkedCredentials(connector, body.credentials)
    const made = await db
      .selectFrom('shop_connections')
      .select('id')
      .where('company_id', '=', scope.company_id)
      .where('client_id', '=', body.client_id)
      .executeTakeFirst()
    if (made) return rowOf(context, made.id)
    const rows = await connectionsOf(db, scope.company_id, now())
    if (rows.some(row => row.shop === body.shop))
      throw conflict(
        'shop_taken',
        'Another connection uses this shop code',
        {},
        { fields: { shop: 'Another connection uses this shop code' } },
      )
    if (rows.length >= mostConnections)
      throw conflict('too_many_shop_connections', 'There are {{count}} connections already: remove some first', { count: mostConnections })
    const { client_id, system, shop, name } = body
    const pull_from = new Date(body.pull_from).toISOString()
    const id = await addConnection(db, { client_id, system, shop, name, base_url, settings, pull_from }, now())
    await storeKeys(context, id, credentials)
    await recordEvent({ kind: 'shop_connection.created', subject: 'shop_connection', subject_id: id, data: { system, shop, name } })
    notify('shop_connection', id)
    return rowOf(context, id)
  },

  async change({ id, body }, context) {
    const { db, services, scope, recordEvent, notify } = context
    const known = await connectionOf(context, id)
    const connector = mustBeConnector(known.system)
    const base_url = checkedAddress(body.base_url, services.config.allowed_networks)
    const settings = checkedSettings(connector, body.settings)
    const given = Object.fromEntries(Object.entries(body.credentials).filter(([, value]) => value !== ''))
    const keys_replaced = Object.keys(given).length > 0
    // A key goes to the shop that it was entered for: another host gets none.
    if (!keys_replaced && new URL(base_url).host !== new URL(known.base_url).host)
      throw badRequest(
        'keys_needed',
        'Enter the keys again: the address is another one',
        {},
        {
          fields: Object.fromEntries(
            connector.credentials
              .filter(field => field.required)
              .map(field => [`credentials.${field.name}`, 'Enter the keys again: the address is another one']),
          ),
        },
      )
    const kept = keys_replaced && new URL(base_url).host === new URL(known.base_url).host ? await readShopKeys(db, services, scope, id) : {}
    const credentials = keys_replaced ? checkedCredentials(connector, { ...kept, ...given }) : undefined
    if (!(await changeConnection(db, id, body.version, { name: body.name, base_url, settings }))) throw stale(await rowOf(context, id))
    if (credentials) await storeKeys(context, id, credentials)
    await recordEvent({
      kind: 'shop_connection.changed',
      subject: 'shop_connection',
      subject_id: id,
      data: { name: body.name, keys_replaced },
    })
    notify('shop_connection', id)
    return rowOf(context, id)
  },

  async remove({ id }, context) {
    const { db, scope, recordEvent, notify } = context
    const { shop } = await connectionOf(context, id)
    const dropped = await removeConnection(db, id)
    await deleteSecret(db, { company_id: scope.company_id, name: keysName(id) })
    await recordEvent({ kind: 'shop_connection.removed', subject: 'shop_connection', subject_id: id, data: { shop, dropped } })
    notify('shop_connection', id)
    return { dropped }
  },

  async test({ id }, outside) {
    const shop = await openStored(outside, id)
    const answer = await testShop(shop, outside.now()).catch(async error => {
      await outside.transaction(({ db, now }) => writeLog(db, id, [{ kind: 'test', outcome: 'failed', words: wordsOf(error) }], now()))
      throw error
    })
    await outside.transaction(async context => {
      const { db, now, recordEvent, notify } = context
      await writeLog(db, id, [{ kind: 'test', outcome: 'done', words: answer.words }], now())
      const { state } = await connectionOf(context, id)
      if (state === 'broken') {
        await activateConnection(db, id, now())
        await recordEvent({ kind: 'shop_connection.resumed', subject: 'shop_connection', subject_id: id })
      }
      notify('shop_connection', id)
    })
    return answer
  },

  async pause({ id, body }, context) {
    const known = await connectionOf(context, id, body.version)
    if (known.state === 'paused') return rowOf(context, id)
    await stopConnection(context.db, id, 'paused')
    await context.recordEvent({ kind: 'shop_connection.paused', subject: 'shop_connection', subject_id: id })
    context.notify('shop_connection', id)
    return rowOf(context, id)
  },

  async resume({ id, body }, context) {
    await connectionOf(context, id, body.version)
    await activateConnection(context.db, id, context.now())
    await context.recordEvent({ kind: 'shop_connection.resumed', subject: 'shop_connection', subject_id: id })
    context.notify('shop_connection', id)
    return rowOf(context, id)
  },

  async backfill({ id, body }, context) {
    const { db, principal, enqueue } = context
    const { name } = await connectionOf(context, id)
    const from = new Date(body.from).toISOString()
    const to = new Date(body.to).toISOString()
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000
    if (days <= 0)
      throw badRequest('period_backwards', 'The end lies before the beginning', {}, { fields: { to: 'The end lies before the beginning' } })
    if (days > longestBackfill)
      throw badRequest('backfill_too_long', 'At most one year at once', {}, { fields: { from: 'At most one year at once' } })
    const job_id = await newJob(db, { kind: 'shops.backfill', title: name, created_by: principal.id || null })
    await enqueue('shops.backfill', { job_id, connection_id: id, from, to }, { queue: `shops:${id}` })
    return { job_id }
  },

  async fetch({ id, body }, outside) {
    const shop = await openStored(outside, id)
    const { connection, known } = await outside.transaction(async context => {
      const connection = await connectionOf(context, id)
      return { connection, known: await externalIdOf(context.db, connection.shop, body.order) }
    })
    const row = await asking(() => shop.connector.get(shop.access, known ?? body.order))
    if (!row) {
      const words = 'The shop has no such order'
      await outside.transaction(({ db, now }) => writeLog(db, id, [{ kind: 'fetch', outcome: 'ignored', words, ref: body.order }], now()))
      return { result: 'not_found' as const, words, order_id: null }
    }
    const taker = { id, shop: connection.shop, title: shop.connector.title, pull_from: connection.pull_from }
    const [taken] = await takeRows(outside, taker, 'fetch', [withUtc(row)])
    const { outcome, words, order_id } = orNotFound(taken, 'order_not_found', 'Order not found')
    const results = ['created', 'updated', 'refused', 'ignored'] as const
    return { result: results.find(one => one === outcome) ?? ('unchanged' as const), words, order_id }
  },

  async log({ id, ...query }, context) {
    await connectionOf(context, id)
    return logOfConnection(context.db, id, query)
  },

  async waiting({ id }, context) {
    await connectionOf(context, id)
    return { rows: await waitingOf(context.db, id, context.now()) }
  },

  async retry({ id, delivery }, context) {
    const { db, now, recordEvent, notify } = context
    await connectionOf(context, id)
    const order = await pushedOrder(db, id, delivery)
    if (!(await retryDelivery(db, id, delivery, now()))) throw notWaiting()
    if (order.id !== null) await reopenPushes(db, id, order.id)
    await recordEvent({
      kind: 'shop_connection.push_retried',
      subject: 'shop_connection',
      subject_id: id,
      data: { order_no: order.order_no },
    })
    notify('shop_connection', id)
  },

  async drop({ id, delivery, body }, context) {
    const { db, now, principal, recordEvent, notify } = context
    await connectionOf(context, id)
    const order = await pushedOrder(db, id, delivery)
    const words = `${principal.name}: ${body.reason}`
    if (!(await dropDelivery(db, id, delivery, words, now()))) throw notWaiting()
    if (order.id !== null) await dropPushes(db, id, order.id)
    await writeLog(db, id, [{ kind: 'push', outcome: 'ignored', words, ref: order.order_no, order_id: order.id }], now())
    await recordEvent({
      kind: 'shop_connection.push_dropped',
      subject: 'shop_connection',
      subject_id: id,
      data: { order_no: order.order_no, reason: body.reason },
    })
    notify('shop_connection', id)
  },
})

const notWaiting = () => conflict('push_not_waiting', 'This report has been sent meanwhile')

const fieldRow = ({ name, label, hint, secret, required, choices, status }: ConnectorField) => ({
  name,
  label,
  hint: hint ?? null,
  secret: secret === true,
  required: required === true,
  choices: [...(choices ?? [])],
  status: status === true,
})

const withTitle = (row: Omit<ConnectionRow, 'title'>): ConnectionRow => ({ ...row, title: connectorOf(row.system)?.title ?? row.system })

const rowOf = async ({ db, scope, now }: Context, id: number): Promise<ConnectionRow> => {
  const row = (await connectionsOf(db, scope.company_id, now())).find(one => one.id === id)
  if (!row) throw unknown()
  return withTitle(row)
}

async function connectionOf(context: Context, id: number, version?: number) {
  const known = await connectionById(context.db, context.scope.company_id, id)
  if (!known) throw unknown()
  if (version !== undefined && version !== known.version) throw stale(await rowOf(context, id))
  return known
}

async function pushedOrder(db: Db, id: number, delivery: number): Promise<{ id: number | null; order_no: string | null }> {
  const found = await deliveryOf(db, id, delivery)
  if (!found) throw notWaiting()
  const order_id = await orderOfDelivery(db, found.object_type, found.object_id)
  const order =
    order_id === null
      ? undefined
      : await db.selectFrom('orders').select(['id', 'split_of', 'order_no']).where('id', '=', order_id).executeTakeFirst()
  return { id: order ? (order.split_of ?? order.id) : null, order_no: order?.order_no ?? null }
}

async function storeKeys({ db, services, scope, principal, now }: Context, id: number, credentials: Record<string, string>): Promise<void> {
  const { operator_id, company_id } = scope
  await storeSecret(db, services.vault, { operator_id, company_id, name: keysName(id) }, JSON.stringify(credentials), {
    user_id: principal.id,
    at: now(),
  })
}

function mustBeConnector(system: string): ShopConnector {
  const connector = connectorOf(system)
  if (!connector)
    throw unprocessable(
      'shop_system_unknown',
      'This shop system cannot be connected',
      {},
      { fields: { system: 'This shop system cannot be connected' } },
    )
  return connector
}

/** Without a slash at its end, and an address that may be asked; names are resolved at each request. */
function checkedAddress(base_url: string, allowedNetworks: readonly string[]): string {
  const problem = addressProblem(base_url, allowedNetworks)
  const words = problem === 'not_https' ? 'The address begins with https://' : 'This is not a public address'
  if (problem !== undefined)
    throw unprocessable(problem === 'not_https' ? 'url_not_https' : 'url_not_public', words, {}, { fields: { base_url: words } })
  const { origin, pathname } = new URL(base_url)
  return `${origin}${pathname}`.replace(/\/+$/, '')
}

const commonSettings: Readonly<Record<string, readonly string[]>> = {
  push_at: pushMoments,
  notify_customer: ['true', 'false'],
  cancel_in_shop: ['true', 'false'],
}

function checkedSettings(connector: ShopConnector, given: Readonly<Record<string, string>>): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const [name, values] of Object.entries(commonSettings)) {
    const value = given[name] ?? ''
    settings[name] = isOneOf(values, value) ? value : name === 'push_at' ? 'packed' : 'false'
  }
  return { ...settings, ...checkedFields(connector.settings, given, 'settings') }
}

const checkedCredentials = (connector: ShopConnector, given: Readonly<Record<string, string>>): Record<string, string> =>
  checkedFields(connector.credentials, given, 'credentials')

/** The declared fields only; what does not fit is refused beside its field. */
function checkedFields(fields: readonly ConnectorField[], given: Readonly<Record<string, string>>, place: string): Record<string, string> {
  const values: Record<string, string> = {}
  const problems: Record<string, string> = {}
  for (const { name, required, choices, pattern, refusal } of fields) {
    const value = given[name]?.trim() ?? ''
    values[name] = value === '' && choices?.[0] ? choices[0].value : value
    if (value === '') {
      if (required) problems[`${place}.${name}`] = 'Fill this in'
    } else if (choices && !choices.some(choice => choice.value === value))
      problems[`${place}.${name}`] = refusal ?? 'Choose one of the list'
    else if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(value))
      problems[`${place}.${name}`] = refusal ?? 'This does not look right'
  }
  if (Object.keys(problems).length > 0) throw unprocessable('connection_fields', 'Check what you entered', {}, { fields: problems })
  return values
}

async function openStored({ services, scope, signal, transaction }: ExternalContext, id: number): Promise<OpenedShop> {
  const { connection, keys, place } = await transaction(async context => ({
    connection: await connectionOf(context, id),
    keys: await readShopKeys(context.db, services, scope, id),
    place: await shopPlace(context.db, scope.company_id),
  }))
  if (keys === null) throw unprocessable('shop_keys_unreadable', 'The keys of this connection cannot be opened: enter them again')
  const address: ShopAddress = connection
  return openShop(services, address, keys, place, signal)
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A shop that refuses is no fault of ours: the person reads its words. */
async function asking<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    const values = { words: error.message }
    if (error.failure === 'denied') throw unprocessable('shop_denies', 'The shop refuses these keys: {{words}}', values)
    if (error.failure === 'unreadable')
      throw unprocessable('shop_unreadable', 'This does not answer like the shop system: {{words}}', values)
    throw unprocessable('shop_says', 'The shop says: {{words}}', values)
  }
}

const testShop = ({ connector, access }: OpenedShop, now: Date): Promise<TestAnswer> =>
  asking(async () => {
    const { words, warnings } = await connector.test(access)
    const statuses = (await connector.statuses?.(access)) ?? []
    const from = new Date(now.getTime() - sampleDays * 86_400_000).toISOString()
    const { rows } = await connector.pull(access, { by: 'changed', from, to: null, page: null })
    return { words, warnings: [...warnings], statuses: statuses.slice(0, 200), sample: rows.slice(-sampleSize).map(sampleOf) }
  })

const sampleOf = (row: PulledRow): TestAnswer['sample'][number] => ({
  order_no: row.kind === 'order' ? row.order.order_no : row.kind === 'refused' ? (row.order_no ?? row.external_id) : row.external_id,
  status: row.kind === 'order' ? row.order.status : row.kind,
  shop_status: row.status,
  customer: row.kind === 'order' ? row.order.ship_to.name || (row.order.ship_to.company ?? '') : '',
  items: row.kind === 'order' ? row.order.lines.filter(line => line.type === 'item').length : 0,
  problem:
    row.kind === 'refused' && row.problems[0] ? formatIssue(elementAt(row.problems, 0)).message : row.kind === 'ignored' ? row.words : null,
})
