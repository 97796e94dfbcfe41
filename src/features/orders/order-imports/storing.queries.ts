/**
 * Storing orders: the one way in for every order, whoever sent it – the hot path of the house.
 *
 * A batch is two statements however many orders it holds: one looks at what is known already, one writes all that is new.
 * Changed and cancelled orders take a few statements more, never some per order.
 */
import { createHash } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import type { Db } from '#server/database.ts'
import { type NewEvent, recordEvent } from '#server/events.ts'
import type { Context } from '#server/serve.ts'
import { CompanySettings } from '../../company/company/company.contract.ts'
import { addedGoods, changedGoods } from '../../warehouse/pick-lists/following.queries.ts'
import type { ImportResult, Problem } from './canonical.contract.ts'
import { type Badge, badges, fingerprint, type ImportedLine, type ImportedOrder, searchWords } from './canonical.rules.ts'
import { shipByOf } from './ship-by.server.ts'

export type StoringTools = Pick<Context, 'db' | 'tell' | 'now' | 'person' | 'scope' | 'station'>

export interface StoringOptions {
  /** The import that brings them: it alone may take back what it created. */
  import_id?: number
  /** Who did it, where it is neither the person nor the key that asks: `WooCommerce`. */
  actor?: string
}

export interface Stored {
  external_id: string
  order_no: string
  order_id: number | null
  result: ImportResult['result']
  problems: Problem[]
}

export const storingSentences = {
  picking: 'The order is already being picked: it was not changed',
  packing: 'The order is already being packed: it was not changed',
  packed: 'The order is packed already: it was not changed',
  gone: 'The parcel is on its way: the order can no longer be cancelled',
  cancelled: 'The order is cancelled: it was not changed',
  busy: 'Somebody else is changing this right now. Try again.',
} as const

/** Holds that a shop sets and lifts: the others belong to people. */
const shopHolds = ['payment', 'shop']
/** Between the parts of what is sent as one text; no stored text holds it. */
const unit = '\u001f'
const mostGrams = 2_147_483_647

/**
 * Stores orders of the company in scope and answers one result for each, in their order. The same content again changes nothing;
 * an older version than the stored one is passed over. Runs inside the caller's transaction: deadlocks are the caller's to try again.
 */
export async function storeOrders(tools: StoringTools, orders: readonly ImportedOrder[], options: StoringOptions = {}): Promise<Stored[]> {
  // Planning these statements anew costs more than running them, and the length of an array never changes how they should run.
  const planned = run(tools.db, 'set local plan_cache_mode = force_generic_plan', [])
  // Sent ahead without waiting: a failure shows in the statement after it.
  planned.catch(() => undefined)
  const results = new Array<Stored>(orders.length)
  let waiting: Draft[] = orders.map((order, at) => ({
    at,
    order,
    key: `${order.shop}\n${order.external_id}`,
    hash: createHash('sha256').update(fingerprint(order)).digest('hex'),
  }))
  const touched = new Set<number>()
  const done = ({ at, order }: Draft, result: Stored['result'], order_id: number | null, problem?: Problem) => {
    results[at] = { external_id: order.external_id, order_no: order.order_no, order_id, result, problems: problem ? [problem] : [] }
    if (order_id !== null && (result === 'created' || result === 'updated')) touched.add(order_id)
  }

  // Whoever loses a race looks again and finds what the winner stored; an order that stands twice in a batch waits for its first self.
  for (let round = 0; waiting.length > 0; round++) {
    if (round === 8) {
      for (const draft of waiting) done(draft, 'refused', null, { field: '', text: storingSentences.busy, values: {} })
      break
    }
    const batch = new Map<string, Draft>()
    const later: Draft[] = []
    for (const draft of waiting) {
      if (batch.has(draft.key)) later.push(draft)
      else batch.set(draft.key, draft)
    }
    const drafts = [...batch.values()]
    const seen = await look(tools, drafts)
    const fresh: Draft[] = []
    const changed: Known[] = []
    const cancelled: Known[] = []
    const noted: Known[] = []
    for (const draft of drafts) {
      const known = seen.known.get(draft.key)
      if (!known) {
        fresh.push(draft)
        continue
      }
      const step = stepFor(draft, known)
      if (typeof step === 'object') done(draft, 'refused', known.id, step)
      else if (step === 'update') changed.push({ ...draft, known })
      else if (step === 'cancel' || step === 'ask') cancelled.push({ ...draft, known })
      else {
        if (step === 'note') noted.push({ ...draft, known })
        const mine = options.import_id !== undefined && known.import_id === options.import_id && known.version === 1
        done(draft, mine ? 'created' : 'unchanged', known.id)
      }
    }
    const lost: Draft[] = []
    if (fresh.length > 0) {
      const made = await create(tools, fresh, seen, options)
      for (const draft of fresh) {
        const id = made.get(draft.at)
        if (id === undefined) lost.push(draft)
        else done(draft, 'created', id)
      }
    }
    if (noted.length > 0) await note(tools, noted)
    for (const [some, change] of [
      [changed, update],
      [cancelled, cancel],
    ] as const) {
      if (some.length === 0) continue
      const made = await change(tools, some, seen, options)
      for (const draft of some) {
        if (made.has(draft.known.id)) done(draft, 'updated', draft.known.id)
        else lost.push(draft)
      }
    }
    waiting = [...lost, ...later].sort((one, other) => one.at - other.at)
  }
  // A screen that lists orders asks once, however many came.
  if (touched.size > 20) tools.tell('order')
  else for (const id of touched) tools.tell('order', id)
  return results
}

interface Draft {
  at: number
  order: ImportedOrder
  key: string
  hash: string
}
interface KnownOrder {
  n: number
  id: number
  fingerprint: string
  source_version: number | null
  work_state: string
  cancelled: boolean
  put_back_due: boolean
  started: boolean
  /** It is picked at this moment, and its lines on the list can follow. */
  on_list: boolean
  import_id: number | null
  version: number
}
type Known = Draft & { known: KnownOrder }

interface KnownProduct {
  sku: string
  id: number
  variant: string | null
  weight_g: number | null
  length_mm: number | null
  width_mm: number | null
  height_mm: number | null
  bin: string | null
  hs_code: string | null
  origin: string | null
  customs_text: string | null
  image_url: string | null
  serial_required: boolean
  barcodes: string[]
}
interface Seen {
  settings: CompanySettings
  methods: [agent_code: string, shipping_method: string, shop_codes: string[]][]
  known: Map<string, KnownOrder>
  products: Map<string, KnownProduct>
  shipBy: ReturnType<typeof shipByOf>
}

type Step = 'update' | 'cancel' | 'ask' | 'note' | 'nothing' | Problem

/** What an order that is known already asks for. */
function stepFor({ order, hash }: Draft, known: KnownOrder): Step {
  const refuse = (text: string, field = ''): Problem => ({ field, text, values: {} })
  const dated = order.version !== null && known.source_version !== null
  // Deliveries overtake one another: only what is newer counts.
  if (dated && order.version! < known.source_version!) return 'nothing'
  if (hash === known.fingerprint) return order.version !== null && order.version > (known.source_version ?? -1) ? 'note' : 'nothing'
  const sent = known.work_state === 'handed_over' || known.work_state === 'closed'
  if (order.status === 'cancelled') {
    if (known.cancelled) return 'note'
    if (sent) return refuse(storingSentences.gone, 'status')
    return known.work_state === 'packed' ? 'ask' : 'cancel'
  }
  if (known.cancelled) {
    // Only a shop that says it later than its cancellation takes it back.
    if (dated && order.version === known.source_version) return 'nothing'
    const undoes = dated && !known.put_back_due && !known.started && (known.work_state === 'new' || known.work_state === 'ready')
    return undoes ? 'update' : refuse(storingSentences.cancelled, 'status')
  }
  // Our own "done" coming back from the shop.
  if (order.status === 'closed' && (sent || known.work_state === 'packed')) return 'note'
  if (sent || known.work_state === 'packed') return refuse(storingSentences.packed)
  if (known.work_state === 'in_pack') return refuse(storingSentences.packing)
  if (known.on_list && order.status !== 'closed') return 'update'
  if (known.started || (known.work_state !== 'new' && known.work_state !== 'ready')) return refuse(storingSentences.picking)
  return 'update'
}

// ——— Statements whose text never changes, so that the database plans them once

type Cell = string | number | boolean | null
type Cells<T> = readonly (readonly [name: string, type: string, of: (row: T) => Cell])[]

/** `unnest($1::text[], …) as o(external_id, …)`: any number of rows under one text. */
function table<T>(name: string, cells: Cells<T>, first: number): string {
  return `unnest(${cells.map(([, type], at) => `$${first + at}::${type}[]`).join(', ')}) as ${name}(${cells.map(([column]) => column).join(', ')})`
}
/** A column is sent to its last value: `unnest` fills up with null, and most columns of most shops hold nothing else. */
const values = <T>(rows: readonly T[], cells: Cells<T>): Cell[][] =>
  cells.map(([, , of]) => {
    const column = rows.map(of)
    return column.slice(0, column.findLastIndex(cell => cell !== null) + 1)
  })

async function run<R>(db: Db, text: string, parameters: readonly unknown[]): Promise<R[]> {
  const { rows } = await db.executeQuery<R>(CompiledQuery.raw(text, parameters as unknown[]))
  return rows
}

const ours = (alias: string) => `${alias}.operator_id = scope_operator() and ${alias}.company_id = scope_company()`

/** An order that stands on a living pick list, and of which nothing is packed. */
const onList = (order: string) => `(${order}.work_state in ('in_pick', 'picked')
  and exists (select from pick_slots s where s.operator_id = ${order}.operator_id and s.order_id = ${order}.id and s.live)
  and not exists (select from order_lines l where l.operator_id = ${order}.operator_id and l.order_id = ${order}.id and l.packed_qty > 0))`

const lookText = `
select c.version, case when c.version = $1 then null else c.settings end as settings,
  (select coalesce(jsonb_agg(jsonb_build_array(m.agent_code, m.shipping_method, m.shop_codes)), '[]')
    from shipping_methods m where ${ours('m')} and m.active) as methods,
  (select coalesce(jsonb_agg(jsonb_build_object('n', k.n, 'id', o.id, 'fingerprint', encode(o.fingerprint, 'hex'), 'source_version', o.source_version,
      'work_state', o.work_state, 'cancelled', o.cancelled_at is not null, 'put_back_due', o.put_back_due, 'import_id', o.import_id, 'version', o.version,
      'on_list', ${onList('o')},
      'started', exists (select from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id and (l.picked_qty > 0 or l.packed_qty > 0)))), '[]')
    from unnest($2::text[], $3::text[]) with ordinality k(shop, external_id, n),
      -- One look into the index for each, however large the planner thinks the tables are.
      lateral (select * from orders o where ${ours('o')} and o.shop = k.shop and o.external_id = k.external_id limit 1) o) as known,
  (select coalesce(jsonb_agg(jsonb_build_object('sku', s.sku, 'id', p.id, 'variant', p.variant, 'weight_g', p.weight_g, 'length_mm', p.length_mm,
      'width_mm', p.width_mm, 'height_mm', p.height_mm, 'bin', p.bin, 'hs_code', p.hs_code, 'origin', p.origin, 'customs_text', p.customs_text,
      'image_url', p.image_url, 'serial_required', p.serial_required,
      'barcodes', (select coalesce(jsonb_agg(b.barcode), '[]') from product_barcodes b where b.operator_id = p.operator_id and b.product_id = p.id))), '[]')
    from unnest($4::text[]) s(sku), lateral (select * from products p where ${ours('p')} and p.sku_key = upper(s.sku) limit 1) p) as products
from companies c where c.operator_id = scope_operator() and c.id = scope_company()`

const remembered = new Map<number, { version: number; settings: CompanySettings; shipBy: Seen['shipBy'] }>()

async function look({ db, scope }: StoringTools, drafts: readonly Draft[]): Promise<Seen> {
  const before = remembered.get(scope.company_id)
  const skus = new Set<string>()
  for (const { order } of drafts) for (const line of order.lines) if (isGoods(line)) skus.add(line.sku!)
  const [row] = await run<{ version: number; settings: unknown; methods: Seen['methods']; known: KnownOrder[]; products: KnownProduct[] }>(
    db,
    lookText,
    [before?.version ?? 0, drafts.map(draft => draft.order.shop), drafts.map(draft => draft.order.external_id), [...skus]],
  )
  if (!row) throw new Error('The company in scope does not exist')
  let facts = before
  if (!facts || row.settings !== null) {
    const settings = CompanySettings.parse(row.settings ?? {})
    facts = { version: row.version, settings, shipBy: shipByOf(settings) }
    if (remembered.size > 1_000) remembered.clear()
    remembered.set(scope.company_id, facts)
  }
  return {
    settings: facts.settings,
    shipBy: facts.shipBy,
    methods: row.methods,
    known: new Map(row.known.map(known => [drafts[known.n - 1]!.key, known])),
    products: new Map(row.products.map(product => [product.sku, product])),
  }
}

/** Lines that stand for a product of the catalogue. */
const isGoods = (line: ImportedLine): boolean => line.type === 'item' && line.requires_shipping && line.sku !== null

const json = (value: unknown): string => JSON.stringify(value)

/** Everything of an order that is worked out here rather than told by the shop. */
interface Prepared extends Draft {
  badges: Badge[]
  holds: string[]
  ready: boolean
  release_at: string | null
  ship_by: string | null
  ordered_at: string
  agent_code: string | null
  shipping_method: string | null
  item_count: number
  weight_g: number
  words: string
  import_id: number | null
  created_at: string
}

function prepare<D extends Draft>(
  drafts: readonly D[],
  seen: Seen,
  { now, scope }: StoringTools,
  options: StoringOptions,
): (D & Prepared)[] {
  const at = now()
  const created_at = at.toISOString()
  const { settings } = seen
  const from = { country: settings.sender.country, postcode: settings.sender.postcode }
  return drafts.map(draft => {
    const { order } = draft
    const lines = order.lines.map(line => {
      const product = line.sku === null ? undefined : seen.products.get(line.sku)
      return product && isGoods(line)
        ? {
            ...line,
            weight_g: line.weight_g ?? product.weight_g,
            hs_code: line.hs_code ?? product.hs_code,
            origin: line.origin ?? product.origin,
          }
        : line
    })
    let item_count = 0
    let weight_g = 0
    for (const line of lines)
      if (line.type === 'item' && line.requires_shipping) {
        item_count += line.qty
        weight_g += line.qty * (line.weight_g ?? 0)
      }
    const holds: string[] = []
    if (order.payment_status === 'pending' || order.payment_status === 'voided') holds.push('payment')
    if (order.status === 'held') holds.push('shop')
    const live = order.status === 'ready' || order.status === 'held'
    const ready = live && holds.length === 0 && settings.release_delay_s === 0
    const ordered_at = order.ordered_at ?? created_at
    const method = methodOf(order.shipping?.code ?? null, seen.methods)
    return {
      ...draft,
      badges: badges({ ...order, lines }, { from }),
      holds: order.status === 'cancelled' || order.status === 'closed' ? [] : holds,
      ready,
      release_at: live && !ready ? new Date(at.getTime() + settings.release_delay_s * 1_000).toISOString() : null,
      ship_by: order.delivery.ship_by ?? seen.shipBy({ ordered_at, now: at, not_before: order.delivery.not_before }),
      ordered_at,
      agent_code: method?.[0] ?? null,
      shipping_method: method?.[1] ?? null,
      item_count,
      weight_g: Math.min(weight_g, mostGrams),
      words: searchWords(order)
        .map(word => `${scope.company_id}/${word}`)
        .join(unit),
      import_id: options.import_id ?? null,
      created_at,
    }
  })
}

/** By the codes that people gave the method, else by its own name; a company with one method sends everything by it. */
function methodOf(code: string | null, methods: Seen['methods']): Seen['methods'][number] | undefined {
  if (code !== null) {
    const asked = code.toLowerCase()
    const named =
      methods.find(([, , codes]) => codes.some(one => one.toLowerCase() === asked)) ??
      methods.find(
        ([agent, method]) =>
          asked === method.toLowerCase() || asked === `${agent}:${method}`.toLowerCase() || asked === `${agent}_${method}`.toLowerCase(),
      )
    if (named) return named
  }
  // `*` takes what no other method knows; where there is only one method it takes everything.
  return methods.find(([, , codes]) => codes.includes('*')) ?? (methods.length === 1 ? methods[0] : undefined)
}

const orderCells: Cells<Prepared> = [
  ['n', 'int', row => row.at],
  ['shop', 'text', row => row.order.shop],
  ['external_id', 'text', row => row.order.external_id],
  ['work_state', 'text', row => (row.order.status === 'closed' ? 'closed' : row.ready ? 'ready' : 'new')],
  ['cancelled_at', 'timestamptz', row => (row.order.status === 'cancelled' ? row.created_at : null)],
  ['held', 'boolean', row => row.holds.length > 0],
  ['release_at', 'timestamptz', row => row.release_at],
  ['import_id', 'bigint', row => row.import_id],
  ['created_at', 'timestamptz', row => row.created_at],
]
/** What an update writes too. */
const contentCells: Cells<Prepared> = [
  ['order_no', 'text', row => row.order.order_no],
  ['source', 'text', row => row.order.source],
  ['payment_state', 'text', row => row.order.payment_status ?? 'paid'],
  ['currency', 'text', row => row.order.currency],
  ['locale', 'text', row => row.order.locale],
  ['ordered_at', 'timestamptz', row => row.ordered_at],
  ['paid_at', 'timestamptz', row => row.order.paid_at],
  ['ship_by', 'timestamptz', row => row.ship_by],
  ['customer_external_id', 'text', row => row.order.customer.external_id],
  ['customer_name', 'text', ({ order }) => order.customer.name || order.ship_to.name || (order.ship_to.company ?? '')],
  ['customer_email', 'text', ({ order }) => order.customer.email ?? order.ship_to.email],
  ['customer_phone', 'text', ({ order }) => order.customer.phone ?? order.ship_to.phone],
  ['ship_to', 'jsonb', row => json(row.order.ship_to)],
  ['bill_to', 'jsonb', row => row.order.bill_to && json(row.order.bill_to)],
  ['ship_country', 'text', row => row.order.ship_to.country],
  ['service_point', 'jsonb', row => row.order.service_point && json(row.order.service_point)],
  ['shipping_title', 'text', row => row.order.shipping?.title ?? null],
  ['shipping_code', 'text', row => row.order.shipping?.code ?? null],
  ['agent_code', 'text', row => row.agent_code],
  ['shipping_method', 'text', row => row.shipping_method],
  ['delivery', 'jsonb', row => json(row.order.delivery)],
  ['customs', 'jsonb', row => json(row.order.customs ?? {})],
  ['attributes', 'jsonb', row => json(row.order.attributes)],
  ['total_excl_vat', 'bigint', row => row.order.totals.excl_vat],
  ['total_vat', 'bigint', row => row.order.totals.vat],
  ['total_incl_vat', 'bigint', row => row.order.totals.incl_vat],
  ['badges', 'jsonb', row => json(row.badges)],
  ['item_count', 'int', row => row.item_count],
  ['weight_g', 'int', row => row.weight_g],
  ['source_version', 'bigint', row => row.order.version],
]
/** Sent as text and turned into what the table holds. */
const packedCells: Cells<Prepared> = [
  ['tags', 'text', row => row.order.tags.join(unit)],
  ['fingerprint', 'text', row => row.hash],
  ['words', 'text', row => row.words],
]
const unpacked = (alias: string) => `string_to_array(${alias}.tags, '${unit}'), decode(${alias}.fingerprint, 'hex')`

type LineRow = { at: number; line: ImportedLine; product_id: number | null; serial_required: boolean }
const lineCells: Cells<LineRow> = [
  ['n', 'int', row => row.at],
  ['line_no', 'int', row => row.line.line_no],
  ['external_id', 'text', row => row.line.external_id],
  ['type', 'text', row => row.line.type],
  ['sku', 'text', row => row.line.sku],
  ['product_id', 'bigint', row => row.product_id],
  ['name', 'text', row => row.line.name],
  ['variant', 'text', row => row.line.variant],
  ['barcode', 'text', row => row.line.barcode],
  ['qty', 'int', row => row.line.qty],
  ['unit_price_excl_vat', 'bigint', row => row.line.unit_price_excl_vat],
  ['unit_price_incl_vat', 'bigint', row => row.line.unit_price_incl_vat],
  ['discount_excl_vat', 'bigint', row => row.line.discount_excl_vat],
  ['cost_price', 'bigint', row => row.line.cost_price],
  ['vat_percent', 'text', row => row.line.vat_percent],
  ['weight_g', 'int', row => row.line.weight_g],
  ['bin', 'text', row => row.line.bin],
  ['image_url', 'text', row => row.line.image_url],
  ['hs_code', 'text', row => row.line.hs_code],
  ['origin', 'text', row => row.line.origin],
  ['customs_text', 'text', row => row.line.customs_text],
  ['serial_required', 'boolean', row => row.serial_required],
  ['requires_shipping', 'boolean', row => row.line.requires_shipping],
  ['bundle_of', 'text', row => row.line.bundle_of],
  ['custom', 'jsonb', row => json(row.line.custom)],
]
const lineColumns = lineCells.slice(1).map(([name]) => name)

type ProductRow = { line: ImportedLine }
const size = (mm: number | null): number | null => (mm && mm > 0 ? mm : null)
const productCells: Cells<ProductRow> = [
  ['sku', 'text', ({ line }) => line.sku],
  ['name', 'text', ({ line }) => line.name],
  ['variant', 'text', ({ line }) => line.variant],
  ['weight_g', 'int', ({ line }) => line.weight_g],
  ['length_mm', 'int', ({ line }) => size(line.length_mm)],
  ['width_mm', 'int', ({ line }) => size(line.width_mm)],
  ['height_mm', 'int', ({ line }) => size(line.height_mm)],
  ['bin', 'text', ({ line }) => line.bin],
  ['image_url', 'text', ({ line }) => line.image_url],
  ['hs_code', 'text', ({ line }) => line.hs_code],
  ['origin', 'text', ({ line }) => line.origin],
  ['customs_text', 'text', ({ line }) => line.customs_text],
  ['serial_required', 'boolean', ({ line }) => line.serial_required],
]
const productColumns = productCells.map(([name]) => name)
const barcodeCells: Cells<{ sku: string; product_id: number | null; barcode: string }> = [
  ['sku', 'text', row => row.sku],
  ['product_id', 'bigint', row => row.product_id],
  ['barcode', 'text', row => row.barcode],
]
const holdCells: Cells<{ at: number; reason: string }> = [
  ['n', 'int', row => row.at],
  ['reason', 'text', row => row.reason],
]
const commentCells: Cells<{ at: number; type: string; comment: string }> = [
  ['n', 'int', row => row.at],
  ['type', 'text', row => row.type],
  ['comment', 'text', row => row.comment],
]

interface Batch {
  rows: Prepared[]
  lines: LineRow[]
  products: ProductRow[]
  barcodes: { sku: string; product_id: number | null; barcode: string }[]
  holds: { at: number; reason: string }[]
  comments: { at: number; type: string; comment: string }[]
  actor: ReturnType<typeof actorOf>
}
interface Statement {
  text: string
  parameters(batch: Batch): unknown[]
}

/** Collects a statement's tables and what fills them, counting its places. */
class Places {
  #next = 1
  readonly #takes: ((batch: Batch) => readonly unknown[])[] = []
  rows<T>(alias: string, cells: Cells<T>, of: (batch: Batch) => readonly T[]): string {
    const text = table(alias, cells, this.#next)
    this.#next += cells.length
    this.#takes.push(batch => values(of(batch), cells))
    return text
  }
  one(type: string, of: (batch: Batch) => unknown): string {
    this.#takes.push(batch => [of(batch)])
    return `$${this.#next++}::${type}`
  }
  statement(text: string): Statement {
    return { text, parameters: batch => this.#takes.flatMap(take => take(batch)) }
  }
}

const writeStatements = new Map<string, Statement>()

/** The one statement that writes new orders; parts that a batch does not need are left out of it. */
function writeStatement(batch: Batch): Statement {
  const with_ = {
    products: batch.products.length > 0,
    barcodes: batch.barcodes.length > 0,
    holds: batch.holds.length > 0,
    comments: batch.comments.length > 0,
  }
  const name = Object.values(with_).join()
  const known = writeStatements.get(name)
  if (known) return known
  const places = new Places()
  const allCells = [...orderCells, ...contentCells, ...packedCells]
  const columns = [...orderCells.slice(1), ...contentCells].map(([column]) => column)
  const steps = [
    `o as materialized (select * from ${places.rows('o', allCells, b => b.rows)})`,
    `made as (insert into orders (${columns.join(', ')}, tags, fingerprint)
      select ${columns.map(column => `o.${column}`).join(', ')}, ${unpacked('o')} from o order by o.shop, o.external_id
      on conflict (operator_id, company_id, shop, external_id) do nothing returning id, shop, external_id)`,
    'k as materialized (select made.id, o.n, o.words, o.source, o.item_count from made join o using (shop, external_id))',
  ]
  if (with_.products)
    // Updating nothing answers the row of whoever was faster; two batches take the same products in the same order.
    steps.push(`goods as (insert into products (${productColumns.join(', ')})
      select distinct on (upper(p.sku)) ${productColumns.map(column => `p.${column}`).join(', ')}
      from ${places.rows('p', productCells, b => b.products)} order by upper(p.sku)
      on conflict (operator_id, company_id, sku_key) do update set name = products.name returning id, sku_key)`)
  const productId = (alias: string) => (with_.products ? `coalesce(${alias}.product_id, goods.id)` : `${alias}.product_id`)
  const productJoin = (alias: string) =>
    with_.products ? ` left join goods on ${alias}.product_id is null and goods.sku_key = upper(${alias}.sku)` : ''
  if (with_.barcodes)
    steps.push(`codes as (insert into product_barcodes (product_id, barcode)
      select distinct ${productId('b')}, b.barcode from ${places.rows('b', barcodeCells, b => b.barcodes)}${productJoin('b')}
      where ${productId('b')} is not null order by b.barcode on conflict do nothing)`)
  steps.push(
    `lines as (insert into order_lines (order_id, ${lineColumns.join(', ')})
      select k.id, ${lineColumns.map(column => (column === 'product_id' ? productId('l') : `l.${column}`)).join(', ')}
      from ${places.rows('l', lineCells, b => b.lines)} join k on k.n = l.n${productJoin('l')} order by l.n, l.line_no)`,
    `found as (insert into order_words (order_id, words) select k.id, array_to_tsvector(string_to_array(k.words, '${unit}')) from k)`,
    `happened as (insert into events (kind, order_id, actor, user_id, actor_company_id, station, data)
      select 'order.imported', k.id, ${actorPlaces(places)}, jsonb_build_object('source', k.source, 'items', k.item_count) from k)`,
  )
  if (with_.holds)
    steps.push(`locks as (insert into order_locks (order_id, kind, reason, actor)
      select k.id, 'hold', h.reason, ${places.one('text', b => b.actor[0])} from ${places.rows('h', holdCells, b => b.holds)} join k on k.n = h.n)`)
  if (with_.comments)
    steps.push(`notes as (insert into order_comments (order_id, type, comment, user_id, actor)
      select k.id, c.type, c.comment, ${places.one('bigint', b => b.actor[1])}, ${places.one('text', b => b.actor[0])}
      from ${places.rows('c', commentCells, b => b.comments)} join k on k.n = c.n)`)
  const statement = places.statement(`with ${steps.join(',\n')}\nselect k.n, k.id from k`)
  writeStatements.set(name, statement)
  return statement
}

const actorPlaces = (places: Places): string =>
  [
    places.one('text', b => b.actor[0]),
    places.one('bigint', b => b.actor[1]),
    places.one('bigint', b => b.actor[2]),
    places.one('text', b => b.actor[3]),
  ].join(', ')

const actorOf = ({ person, station }: StoringTools, { actor }: StoringOptions): [string, number | null, number, string | null] => [
  actor ?? (person.kind === 'nobody' && person.id === 0 ? 'system' : person.name),
  person.id || null,
  person.company.id,
  station || null,
]

const batchOf = (rows: Prepared[], seen: Seen, tools: StoringTools, options: StoringOptions): Batch => ({
  rows,
  ...goodsOf(rows, seen),
  holds: rows.flatMap(row => row.holds.map(reason => ({ at: row.at, reason }))),
  comments: rows.flatMap(commentsOf),
  actor: actorOf(tools, options),
})

/** Answers the ids of the orders that were made, by their place; one that is missing was made by somebody else meanwhile. */
async function create(tools: StoringTools, drafts: readonly Draft[], seen: Seen, options: StoringOptions): Promise<Map<number, number>> {
  const rows = prepare(drafts, seen, tools, options)
  const batch = batchOf(rows, seen, tools, options)
  const { text, parameters } = writeStatement(batch)
  const made = await run<{ n: number; id: number }>(tools.db, text, parameters(batch))
  await fillProducts(tools, rows, seen)
  return new Map(made.map(({ n, id }) => [n, id]))
}

/** The lines of a batch, and what the catalogue learns from them. */
function goodsOf(rows: readonly Prepared[], seen: Seen): Pick<Batch, 'lines' | 'products' | 'barcodes'> {
  const lines: LineRow[] = []
  const products = new Map<string, ProductRow>()
  const barcodes = new Map<string, Batch['barcodes'][number]>()
  for (const { at, order } of rows)
    for (const line of order.lines) {
      const product = line.sku !== null && isGoods(line) ? seen.products.get(line.sku) : undefined
      lines.push({
        at,
        line,
        product_id: product?.id ?? null,
        serial_required: line.serial_required || (product?.serial_required ?? false),
      })
      if (!isGoods(line)) continue
      const sku = line.sku!
      if (!product && !products.has(sku)) products.set(sku, { line })
      if (line.barcode !== null && !product?.barcodes.includes(line.barcode))
        barcodes.set(`${sku}\n${line.barcode}`, { sku, product_id: product?.id ?? null, barcode: line.barcode })
    }
  return { lines, products: [...products.values()], barcodes: [...barcodes.values()] }
}

const commentTypes: Record<string, string> = { praise: 'praise', advice: 'advice', warning: 'warning', packing: 'warning', gift: 'advice' }
const commentsOf = ({ at, order }: Prepared): Batch['comments'] =>
  order.notes.filter(note => note.text !== '').map(note => ({ at, type: commentTypes[note.type] ?? 'info', comment: note.text }))

const fillable = [
  'variant',
  'weight_g',
  'length_mm',
  'width_mm',
  'height_mm',
  'bin',
  'hs_code',
  'origin',
  'customs_text',
  'image_url',
] as const
const fillCells: Cells<{ id: number; line: ImportedLine }> = [
  ['id', 'bigint', row => row.id],
  ...productCells.filter(([name]) => (fillable as readonly string[]).includes(name)),
]
const fillText = `update products p set ${fillable.map(name => `${name} = coalesce(p.${name}, r.${name})`).join(', ')}, version = p.version + 1, updated_at = now()
  from ${table('r', fillCells, 1)} where ${ours('p')} and p.id = r.id`

/** A shop may tell what nobody knew; what people set stays. */
async function fillProducts({ db }: StoringTools, rows: readonly Prepared[], seen: Seen): Promise<void> {
  const fills = new Map<number, { id: number; line: ImportedLine }>()
  for (const { order } of rows)
    for (const line of order.lines) {
      const product = line.sku !== null && isGoods(line) ? seen.products.get(line.sku) : undefined
      if (!product || fills.has(product.id)) continue
      const told = (name: (typeof fillable)[number]) => (name.endsWith('_mm') ? size(line[name] as number | null) : line[name])
      if (fillable.some(name => product[name] === null && told(name) !== null)) fills.set(product.id, { id: product.id, line })
    }
  const some = [...fills.values()].sort((one, other) => one.id - other.id)
  if (some.length > 0) await run(db, fillText, values(some, fillCells))
}

// ——— Orders that are known already: rare, so their statements are a few more

/** A newer version that says nothing new: remembered, so that an older one that comes later is passed over. */
async function note({ db }: StoringTools, drafts: readonly Known[]): Promise<void> {
  await run(
    db,
    `update orders o set source_version = greatest(o.source_version, r.version) from unnest($1::bigint[], $2::bigint[]) as r(id, version)
      where ${ours('o')} and o.id = r.id and r.version is not null`,
    [drafts.map(draft => draft.known.id), drafts.map(draft => draft.order.version)],
  )
}

const updateCells: Cells<Prepared & Known> = [
  ['id', 'bigint', row => row.known.id],
  ['was', 'text', row => row.known.fingerprint],
  ['was_cancelled', 'boolean', row => row.known.cancelled],
  ['closes', 'boolean', row => row.order.status === 'closed'],
  ['n', 'int', row => row.at],
  ...contentCells,
  ...packedCells,
]
const contentColumns = contentCells.map(([name]) => name)
const updateText = `update orders o set ${contentColumns.map(name => `${name} = r.${name}`).join(', ')},
    tags = string_to_array(r.tags, '${unit}'), fingerprint = decode(r.fingerprint, 'hex'), cancelled_at = null,
    work_state = case when r.closes then 'closed' else o.work_state end, version = o.version + 1
  from ${table('r', updateCells, 1)}
  where ${ours('o')} and o.id = r.id and o.fingerprint = decode(r.was, 'hex') and (o.cancelled_at is not null) = r.was_cancelled
    and (o.work_state in ('new', 'ready')
      and not exists (select from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id and (l.picked_qty > 0 or l.packed_qty > 0))
      or not r.closes and ${onList('o')})
  returning o.id`

/** Pieces that were cancelled here, and that the shop no longer orders either, are cancelled no more: they do not exist. */
const uncancelText = `update order_lines x set cancelled_qty = greatest(0, x.cancelled_qty - (x.qty - l.qty))
  from unnest($1::bigint[], $2::text[], $3::int[]) as l(order_id, external_id, qty)
  where ${ours('x')} and x.order_id = l.order_id and x.external_id = l.external_id and l.qty < x.qty and x.cancelled_qty > 0`

/** Lines keep their ids where the shop keeps its own: people may already look at them. */
const lineUpdateColumns = lineColumns.filter(name => name !== 'external_id')
const linesText = `with l as materialized (select * from ${table('l', [['order_id', 'bigint', (row: LineRow & { order_id: number }) => row.order_id], ...lineCells], 2)}),
  gone as (delete from order_lines x where ${ours('x')} and x.order_id = any ($1::bigint[])
    and not exists (select from l where l.order_id = x.order_id and l.external_id = x.external_id)),
  kept as (update order_lines x set ${lineUpdateColumns.map(name => `${name} = ${name === 'product_id' ? 'coalesce(l.product_id, g.id)' : `l.${name}`}`).join(', ')}
    from l left join products g on ${ours('g')} and l.product_id is null and l.type = 'item' and l.requires_shipping and g.sku_key = upper(l.sku)
    where ${ours('x')} and x.order_id = l.order_id and x.external_id = l.external_id returning x.order_id, x.external_id)
  insert into order_lines (order_id, ${lineColumns.join(', ')})
  select l.order_id, ${lineColumns.map(name => (name === 'product_id' ? 'coalesce(l.product_id, g.id)' : `l.${name}`)).join(', ')}
  from l left join products g on ${ours('g')} and l.product_id is null and l.type = 'item' and l.requires_shipping and g.sku_key = upper(l.sku)
  where not exists (select from kept where kept.order_id = l.order_id and kept.external_id = l.external_id)
    and not exists (select from order_lines x where ${ours('x')} and x.order_id = l.order_id and x.external_id = l.external_id)
  order by l.order_id, l.line_no`

/** Products that a changed order brings along. */
const goodsText = `insert into products (${productColumns.join(', ')})
  select distinct on (upper(p.sku)) ${productColumns.map(name => `p.${name}`).join(', ')} from ${table('p', productCells, 1)} order by upper(p.sku)
  on conflict (operator_id, company_id, sku_key) do nothing`
const codesText = `insert into product_barcodes (product_id, barcode)
  select distinct g.id, b.barcode from ${table('b', barcodeCells, 1)} join products g on ${ours('g')} and g.sku_key = upper(b.sku)
  order by b.barcode on conflict do nothing`

interface Before {
  id: number
  row: Record<string, unknown>
  lines: { external_id: string; name: string; sku: string | null; qty: number }[]
}
const beforeText = `select o.id, to_jsonb(o) as row,
    (select coalesce(jsonb_agg(jsonb_build_object('external_id', l.external_id, 'name', l.name, 'sku', l.sku, 'qty', l.qty)), '[]')
      from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id) as lines
  from orders o where ${ours('o')} and o.id = any ($1::bigint[]) order by o.id for update of o`

async function update(tools: StoringTools, drafts: readonly Known[], seen: Seen, options: StoringOptions): Promise<Set<number>> {
  const { db } = tools
  const before = await run<Before>(db, beforeText, [drafts.map(draft => draft.known.id)])
  const all = prepare(drafts, seen, tools, options)
  const changed = new Set((await run<{ id: number }>(db, updateText, values(all, updateCells))).map(({ id }) => id))
  const rows = all.filter(row => changed.has(row.known.id))
  if (rows.length === 0) return changed
  const batch = batchOf(rows, seen, tools, options)
  const ids = rows.map(row => row.known.id)
  const idOf = new Map(rows.map(row => [row.at, row.known.id]))
  if (batch.products.length > 0) await run(db, goodsText, values(batch.products, productCells))
  if (batch.barcodes.length > 0) await run(db, codesText, values(batch.barcodes, barcodeCells))
  const lines = batch.lines.map(line => ({ ...line, order_id: idOf.get(line.at)! }))
  const picking = rows.filter(row => row.known.on_list)
  if (picking.length > 0)
    await changedGoods(
      pickTools(tools),
      picking.map(row => ({
        order_id: row.known.id,
        lines: row.order.lines.filter(line => line.type === 'item' && line.requires_shipping),
      })),
    )
  await run(db, uncancelText, [
    lines.map(line => line.order_id),
    lines.map(line => line.line.external_id),
    lines.map(line => line.line.qty),
  ])
  await run(db, linesText, [ids, lines.map(line => line.order_id), ...values(lines, lineCells)])
  await fillProducts(tools, rows, seen)
  // A word that once found the order goes on finding it, as long as there are not too many.
  await run(
    db,
    `update order_words w set words = case when length(w.words) > 300 then r.words else w.words || r.words end
      from (select u.id, array_to_tsvector(string_to_array(u.words, '${unit}')) as words from unnest($1::bigint[], $2::text[]) as u(id, words)) r
      where ${ours('w')} and w.order_id = r.id`,
    [ids, rows.map(row => row.words)],
  )
  await run(
    db,
    `insert into order_comments (order_id, type, comment, user_id, actor)
      select c.id, c.type, c.comment, $4::bigint, $5::text from unnest($1::bigint[], $2::text[], $3::text[]) as c(id, type, comment)
      where not exists (select from order_comments x where ${ours('x')} and x.order_id = c.id and x.comment = c.comment)`,
    [
      batch.comments.map(note => idOf.get(note.at)),
      batch.comments.map(note => note.type),
      batch.comments.map(note => note.comment),
      batch.actor[1],
      batch.actor[0],
    ],
  )
  await run(
    db,
    `with wanted as materialized (select * from unnest($2::bigint[], $3::text[]) as w(order_id, reason)),
      lifted as (update order_locks x set released_at = $4::timestamptz where ${ours('x')} and x.order_id = any ($1::bigint[]) and x.kind = 'hold'
        and x.reason = any ($5::text[]) and x.released_at is null and not exists (select from wanted w where w.order_id = x.order_id and w.reason = x.reason))
      insert into order_locks (order_id, kind, reason, actor) select w.order_id, 'hold', w.reason, $6::text from wanted w
      where not exists (select from order_locks x where ${ours('x')} and x.order_id = w.order_id and x.kind = 'hold' and x.reason = w.reason and x.released_at is null)`,
    [ids, batch.holds.map(hold => idOf.get(hold.at)), batch.holds.map(hold => hold.reason), rows[0]!.created_at, shopHolds, batch.actor[0]],
  )
  await run(
    db,
    `update orders o set held = s.held, release_at = case when o.work_state = 'new' and (s.held or not r.ready) then r.release_at end,
        work_state = case when o.work_state = 'new' and r.ready and not s.held then 'ready' else o.work_state end
      from unnest($1::bigint[], $2::boolean[], $3::timestamptz[]) as r(id, ready, release_at),
        lateral (select exists (select from order_locks x where x.operator_id = scope_operator() and x.order_id = r.id and x.released_at is null) as held) s
      where ${ours('o')} and o.id = r.id`,
    // An order that only waits for somebody else's hold still wants to be released afterwards.
    [ids, rows.map(row => row.ready), rows.map(row => row.release_at ?? (row.ready ? row.created_at : null))],
  )
  if (picking.length > 0)
    await addedGoods(
      pickTools(tools),
      picking.map(row => row.known.id),
    )
  const was = new Map(before.map(one => [one.id, one]))
  await happened(
    tools,
    batch.actor,
    'order.changed',
    rows.map(row => ({ id: row.known.id, data: { source: row.order.source, changed: changesOf(row, was.get(row.known.id)) } })),
  )
  return changed
}

const pickTools = (tools: StoringTools) => ({
  ...tools,
  record: (event: NewEvent) => recordEvent(tools.db, tools.person, tools.station, event),
})

async function happened({ db }: StoringTools, actor: Batch['actor'], kind: string, events: { id: number; data: object }[]): Promise<void> {
  if (events.length === 0) return
  await run(
    db,
    `insert into events (kind, order_id, actor, user_id, actor_company_id, station, data)
      select $1::text, e.id, $4::text, $5::bigint, $6::bigint, $7::text, e.data from unnest($2::bigint[], $3::jsonb[]) as e(id, data)`,
    [kind, events.map(event => event.id), events.map(event => json(event.data)), ...actor],
  )
}

interface Change {
  field: string
  from: unknown
  to: unknown
}
const compared = [
  'order_no',
  'payment_state',
  'currency',
  'locale',
  'ordered_at',
  'ship_by',
  'customer_name',
  'customer_email',
  'customer_phone',
  'ship_to',
  'bill_to',
  'service_point',
  'shipping_title',
  'shipping_code',
  'delivery',
  'customs',
  'attributes',
  'total_incl_vat',
] as const
const mostChanges = 40

/** What a change changed, field by field: `ship_to.address1`, `lines[TS001-WH].qty`. */
function changesOf(row: Prepared & Known, before: Before | undefined): Change[] {
  if (!before) return []
  const changes: Change[] = []
  const cells = new Map(contentCells.map(([name, type, of]) => [name, { type, value: of(row) }]))
  const differ = (field: string, from: unknown, to: unknown) => {
    if (json(from ?? null) !== json(to ?? null)) changes.push({ field, from: short(from), to: short(to) })
  }
  for (const name of compared) {
    const { type, value } = cells.get(name)!
    const old = before.row[name]
    if (type === 'jsonb') {
      const [one, other] = [(old ?? {}) as Record<string, unknown>, JSON.parse((value as string | null) ?? '{}') as Record<string, unknown>]
      for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) differ(`${name}.${key}`, one[key], other[key])
    } else if (type === 'timestamptz') differ(name, old && new Date(old as string).toISOString(), value)
    else differ(name, old, value)
  }
  if (row.known.cancelled) changes.push({ field: 'cancelled', from: true, to: false })
  if (row.order.status === 'closed') changes.push({ field: 'status', from: row.known.work_state, to: 'closed' })
  const lines = new Map(before.lines.map(line => [line.external_id, line]))
  for (const line of row.order.lines) {
    const old = lines.get(line.external_id)
    const name = `lines[${line.sku ?? line.name}]`
    if (!old) changes.push({ field: name, from: null, to: line.qty })
    else {
      differ(`${name}.qty`, old.qty, line.qty)
      differ(`${name}.name`, old.name, line.name)
      differ(`${name}.sku`, old.sku, line.sku)
    }
    lines.delete(line.external_id)
  }
  for (const old of lines.values()) changes.push({ field: `lines[${old.sku ?? old.name}]`, from: old.qty, to: null })
  return changes.slice(0, mostChanges)
}
const short = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, 200) : (value ?? null))

/**
 * A shop cancels: before packing the order ends, and what was taken from the shelf has to go back; a packed one gets a hold, because
 * a person decides whether it is unpacked.
 */
const cancel = (tools: StoringTools, drafts: readonly Known[], _seen: Seen, options: StoringOptions): Promise<Set<number>> =>
  cancelAll(
    tools,
    drafts.map(draft => ({ id: draft.known.id, hash: draft.hash, version: draft.order.version })),
    options,
  )

async function cancelAll(
  tools: StoringTools,
  asked: readonly { id: number; hash: string | null; version: number | null }[],
  options: StoringOptions,
): Promise<Set<number>> {
  const actor = actorOf(tools, options)
  const cells = (some: typeof asked) => [some.map(one => one.id), some.map(one => one.hash), some.map(one => one.version)]
  const said = `source_version = coalesce(r.version, o.source_version), fingerprint = coalesce(decode(r.fingerprint, 'hex'), o.fingerprint), version = o.version + 1
    from unnest($1::bigint[], $2::text[], $3::bigint[]) as r(id, fingerprint, version) where ${ours('o')} and o.id = r.id and o.cancelled_at is null`
  const ended = await run<{ id: number; put_back_due: boolean }>(
    tools.db,
    `update orders o set cancelled_at = $4::timestamptz,
        put_back_due = o.work_state in ('in_pick', 'picked', 'in_pack')
          or exists (select from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id and (l.picked_qty > 0 or l.packed_qty > 0)),
        ${said} and o.work_state in ('new', 'ready', 'in_pick', 'picked', 'in_pack') returning o.id, o.put_back_due`,
    [...cells(asked), tools.now().toISOString()],
  )
  await happened(
    tools,
    actor,
    'order.cancelled',
    ended.map(({ id, put_back_due }) => ({ id, data: { by: 'shop', put_back_due } })),
  )
  const done = new Set(ended.map(({ id }) => id))
  const packed = asked.filter(one => !done.has(one.id))
  if (packed.length > 0) {
    const held = await run<{ id: number }>(
      tools.db,
      `update orders o set held = true, ${said} and o.work_state = 'packed' returning o.id`,
      cells(packed),
    )
    await run(
      tools.db,
      `insert into order_locks (order_id, kind, reason, actor) select r.id, 'hold', 'cancel_requested', $2::text from unnest($1::bigint[]) as r(id)
        where not exists (select from order_locks x where ${ours('x')} and x.order_id = r.id and x.kind = 'hold' and x.reason = 'cancel_requested' and x.released_at is null)`,
      [held.map(({ id }) => id), actor[0]],
    )
    await happened(
      tools,
      actor,
      'order.held',
      held.map(({ id }) => ({ id, data: { reason: 'cancel_requested', by: 'shop' } })),
    )
    for (const { id } of held) done.add(id)
  }
  // Whoever has it on the bench hears it at once.
  for (const id of done) {
    tools.tell('order', id)
    tools.tell('packing', id)
    tools.tell('picking', id)
  }
  return done
}

/** The shop has deleted these orders: the same as cancelling them. Unknown ones are passed over. */
export async function cancelRemoved(
  tools: StoringTools,
  { shop, external_ids }: { shop: string; external_ids: readonly string[] },
  options: StoringOptions = {},
): Promise<Stored[]> {
  const known = await run<{ id: number; external_id: string; order_no: string; work_state: string; cancelled: boolean }>(
    tools.db,
    `select o.id, o.external_id, o.order_no, o.work_state, o.cancelled_at is not null as cancelled from orders o
      where ${ours('o')} and o.shop = $1::text and o.external_id = any ($2::text[]) order by o.id for no key update`,
    [shop, external_ids],
  )
  const open = known.filter(one => !one.cancelled)
  const done =
    open.length > 0
      ? await cancelAll(
          tools,
          open.map(({ id }) => ({ id, hash: null, version: null })),
          options,
        )
      : new Set<number>()
  return known.map(({ id, external_id, order_no, cancelled }) => ({
    external_id,
    order_no,
    order_id: id,
    result: done.has(id) ? 'updated' : cancelled ? 'unchanged' : 'refused',
    problems: done.has(id) || cancelled ? [] : [{ field: 'status', text: storingSentences.gone, values: {} }],
  }))
}
