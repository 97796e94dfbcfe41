/** Looking: what is known of the orders of a batch, and of the products on them, in one statement. */
import { createHash } from 'node:crypto'
import { elementAt } from '#domain/objects.ts'
import { type ActiveMethod, type MethodChooser, methodChooser, type StoredMethodRule } from '#domain/rules/method-choice.ts'
import type { CustomerHistory } from '#domain/rules/order-facts.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { tagsForRules } from '#features/company/tags/tags.queries.ts'
import { type KnownLookupRow, knownLookups, knownLookupsText } from '#features/customers/customers/customers.queries.ts'
import { isOwnLookup, type KnownLookup, type Lookup, lookupKey, lookupsOf } from '#features/customers/customers/customers.rules.ts'
import { compilePlan, planText } from '#features/orders/deadlines/deadline-plan.server.ts'
import type { PlannedDeadline } from '#features/orders/deadlines/pickup.rules.ts'
import { createCache } from '#platform/caches/caches.ts'
import type { Db } from '#platform/database/database.ts'
import { firstKnown } from '#platform/database/indexed-choice.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { type AskedHistory, customerHistories, noHistory } from './customer-history.queries.ts'
import { contactOf, type Draft, isGoods, type KnownOrder } from './order-upsert.rules.ts'
import { shipByOf } from './ship-by.server.ts'
import { isCombined, ofAnyCompany, onList, ours, run, type StoringOptions, type StoringTools } from './sql.queries.ts'
import type { Component } from './unfolded-orders.rules.ts'

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
  /** Ids of the products that it consists of where it is a bundle, and how many of each. */
  components: { id: number; qty: number }[]
}

interface KnownPart extends KnownProduct {
  name: string
  cost_price: number | null
  cost_currency: string | null
}

export interface Seen {
  settings: CompanySettings
  chooser: MethodChooser
  /** By the place of the draft; only where a rule asks. */
  histories: Map<number, CustomerHistory>
  known: Map<string, KnownOrder>
  products: Map<string, KnownProduct>
  /** What the company's bundles consist of, by their SKU. */
  bundles: Map<string, Component[]>
  shipBy: ReturnType<typeof shipByOf>
  /** The deadlines in force. */
  deadlines: readonly PlannedDeadline[]
  /** By what the customer of each order is recognized, by the order's place. */
  lookups: Map<number, Lookup[]>
  customers: Map<string, KnownLookup>
  /** By the order's place. */
  duplicates: Map<number, Duplicate>
  /** By the order's place, only for orders of files: the order that has its number already. */
  taken: Map<number, { id: number; external_id: string }>
  /** Whether rules may give the orders an additional product. */
  additions: boolean
  /** Whether alerts are set that may be about the orders. */
  alerts: boolean
  /** Whether a rule gives tags. */
  tag_rules: boolean
  /** Only where a rule asks for tags. */
  tags: SeenTags | undefined
}

/** Tags of orders that arrive, before they are stored. */
interface SeenTags {
  ofOrder(words: readonly string[], known_id: number | undefined): readonly string[]
  ofProduct(id: number): readonly string[]
  /** By the place of the order; null without a known customer. */
  ofCustomer(at: number): readonly string[] | null
}

/** An order of the same company that came in another way under the same number or id. */
export interface Duplicate {
  id: number
  order_no: string
  source: string
}

/** Most shops number an order by its id: one look instead of two. */
const numbers = 'case when k.external_id = k.order_no then array[k.order_no] else array[k.order_no, k.external_id] end'

/**
 * The first such order of each `k(shop, external_id, order_no, source, n)`. A file knows orders by their numbers, a shop by its ids: each of the two may stand
 * where the other has the other one. The same id of the same shop is the same order, and no duplicate.
 *
 * Every order finds what a file brought before it by the number alone. Only an order of a file has to look for its number among the ids of the shops.
 */
const duplicatesText = (k: string, amongIds: boolean) => `
  select coalesce(jsonb_agg(jsonb_build_object('n', k.n, 'id', d.id, 'order_no', d.order_no, 'source', d.source)), '[]')
  from ${k} with ordinality k(shop, external_id, order_no, source, n),
    lateral (select d.id, d.order_no, d.source from (
        select o.* from unnest(${numbers}) x(number), lateral (select ${duplicateColumns} from orders o where ${ofAnyCompany('o')} and o.order_no = x.number limit 20) o${
          amongIds
            ? `
        union all
        select o.* from (select c.shop from cms_keys c where ${ours('c')} and c.removed_at is null union select 'main') s, unnest(${numbers}) x(id),
          lateral (select ${duplicateColumns} from orders o where ${ofAnyCompany('o')} and o.shop = s.shop and o.external_id = x.id limit 1) o`
            : ''
        }) d
      where d.source <> k.source and d.cancelled_at is null and not (d.shop = k.shop and d.external_id = k.external_id) order by d.id limit 1) d`

const duplicateColumns = 'o.id, o.order_no, o.source, o.shop, o.external_id, o.cancelled_at'

/** The duplicate of each order, by its place; only where there is one. */
export async function duplicatesOf(
  db: Db,
  orders: readonly Pick<Draft['order'], 'shop' | 'external_id' | 'order_no' | 'source'>[],
): Promise<Map<number, Duplicate>> {
  const [row] = await run<{ found: (Duplicate & { n: number })[] }>(
    db,
    `select (${duplicatesText('unnest($1::text[], $2::text[], $3::text[], $4::text[])', true)}) as found`,
    [
      orders.map(order => order.shop),
      orders.map(order => order.external_id),
      orders.map(order => order.order_no),
      orders.map(order => order.source),
    ],
  )
  return new Map((row?.found ?? []).map(({ n, ...duplicate }) => [n - 1, duplicate]))
}

/** The first order of each `k(shop, order_no, n)` with its number, and under which id of its shop it came. */
const takenText = (k: string) => `
  select coalesce(jsonb_agg(jsonb_build_object('n', k.n, 'id', o.id, 'external_id', o.external_id)), '[]')
  from ${k} with ordinality k(shop, order_no, n),
    lateral (select o.id, o.external_id from orders o where ${ofAnyCompany('o')} and o.order_no = k.order_no and o.shop = k.shop order by o.order_no, o.id limit 1) o`

/** Of a product `p`. */
const productFacts = `'id', p.id, 'variant', p.variant, 'weight_g', p.weight_g, 'length_mm', p.length_mm,
      'width_mm', p.width_mm, 'height_mm', p.height_mm, 'bin', p.bin, 'hs_code', p.hs_code, 'origin', p.origin, 'customs_text', p.customs_text,
      'image_url', p.image_url, 'serial_required', p.serial_required,
      'barcodes', (select coalesce(jsonb_agg(b.barcode), '[]') from product_barcodes b where b.operator_id = p.operator_id and b.product_id = p.id)`

/** Asked only where an order holds a bundle. A part is never a bundle itself. */
const partsText = `
select coalesce(jsonb_agg(jsonb_build_object('sku', p.sku, 'name', p.name, 'cost_price', p.cost_price, 'cost_currency', p.cost_currency,
    'components', '[]'::jsonb, ${productFacts})), '[]') as parts
from products p where ${ours('p')} and p.id = any ($1::bigint[])`

/** What bundles consist of, and the products in them beside those that the orders name. */
async function partsOf(db: Db, products: readonly KnownProduct[]): Promise<{ bundles: Map<string, Component[]>; parts: KnownProduct[] }> {
  const bundles = new Map<string, Component[]>()
  const ids = new Set(products.flatMap(product => product.components.map(({ id }) => id)))
  if (ids.size === 0) return { bundles, parts: [] }
  const [row] = await run<{ parts: KnownPart[] }>(db, partsText, [[...ids]])
  const parts = new Map((row?.parts ?? []).map(part => [part.id, part]))
  for (const { sku, components } of products) {
    const known = components.flatMap(({ id, qty }) => {
      const part = parts.get(id)
      return part ? [{ ...part, product_id: id, qty }] : []
    })
    if (known.length > 0) bundles.set(sku, known)
  }
  return { bundles, parts: [...parts.values()] }
}

/** The sets in `choice` are read once: without `offset 0` the planner writes them into both places. */
const lookText = (amongIds: boolean) => `
select md5(c.settings::text) as hash, case when md5(c.settings::text) = $1 then null else c.settings end as settings,
  (select case when md5(choice.text) = $7 then null else choice.text end from (select jsonb_build_object(
      'methods', (select coalesce(jsonb_agg(jsonb_build_object('agent_code', m.agent_code, 'shipping_method', m.shipping_method,
          'shop_codes', m.shop_codes) order by m.agent_code, m.shipping_method), '[]') from shipping_methods m where ${ours('m')} and m.active),
      'rules', (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'position', r.position, 'conditions', r.conditions,
          'agent_code', r.agent_code, 'shipping_method', r.shipping_method) order by r.position), '[]')
        from method_rules r where ${ours('r')} and r.active))::text offset 0) choice(text)) as choice,
  (select coalesce(jsonb_agg(jsonb_build_object('n', k.n, 'id', o.id, 'fingerprint', encode(o.fingerprint, 'hex'), 'source_version', o.source_version,
      'work_state', o.work_state, 'cancelled', o.cancelled_at is not null, 'put_back_due', o.put_back_due, 'edited', o.edited_at is not null or exists (select from orders q where q.operator_id = o.operator_id and q.split_of = o.id and q.cancelled_at is null), 'import_id', o.import_id, 'customer_id', o.customer_id, 'version', o.version, 'combined', ${isCombined('o')})), '[]')
    from unnest($2::text[], $3::text[]) with ordinality k(shop, external_id, n),
      -- One look into the index for each, however large the planner thinks the tables are.
      lateral (select * from orders o where ${ofAnyCompany('o')} and o.shop = k.shop and o.external_id = k.external_id limit 1) o) as known,
  (select coalesce(jsonb_agg(jsonb_build_object('sku', s.sku, ${productFacts},
      'components', (select coalesce(jsonb_agg(jsonb_build_object('id', c.component_id, 'qty', c.qty) order by c.position), '[]')
        from product_components c where c.operator_id = p.operator_id and c.product_id = p.id))), '[]')
    from unnest($4::text[]) s(sku), lateral (select * from products p where ${ofAnyCompany('p')} and p.sku_key = upper(s.sku) limit 1) p) as products,
  (${knownLookupsText('$5', '$6')}) as customers,
  (${duplicatesText('unnest($2::text[], $3::text[], $8::text[], $9::text[])', amongIds)}) as duplicates,
  ${amongIds ? `(${takenText('unnest($2::text[], $8::text[])')})` : `'[]'::jsonb`} as taken,
  exists (select from additional_products a where a.operator_id = current_operator_id() and a.active and a.removed_at is null
    and (a.company_ids is null or current_company_id() = any (a.company_ids))) as additions,
  exists (select from order_alerts a where a.operator_id = current_operator_id() and a.enabled
    and (a.company_ids is null or current_company_id() = any (a.company_ids))) as alerts,
  exists (select from tag_rules r where ${ours('r')} and r.active) as tag_rules,
  (select case when md5(plan.text) = $10 then null else plan.text end from (select ${planText} offset 0) plan(text)) as deadlines
from companies c where c.operator_id = current_operator_id() and c.id = current_company_id()`

const lookForShop = lookText(false)
const lookForFile = lookText(true)

/** Asked only of orders that would change: most of what comes is new. */
const progressText = `
select o.id, ${onList('o')} as on_list,
  exists (select from order_lines l where l.operator_id = o.operator_id and l.order_id = ${firstKnown('o.combined_into', 'o.id')} and (l.picked_qty > 0 or l.packed_qty > 0))
    or ${isCombined('o')} and (o.work_state not in ('new', 'ready') or exists (select from shipments s where s.operator_id = o.operator_id
      and s.order_id = ${firstKnown('o.combined_into', 'o.id')} and s.state not in ('cancelled', 'blocked', 'error', 'draft'))) as started
from orders o where ${ours('o')} and o.id = any ($1::bigint[])`

/** Settings of each company, under the hash of their text. */
const remembered = createCache<number, { operator_id: number; hash: string; settings: CompanySettings; shipBy: Seen['shipBy'] }>(
  'import_settings',
  { most: 1_000, operatorOf: ({ operator_id }) => operator_id, bytesOf: ({ settings }) => JSON.stringify(settings).length },
)
/** Compiled deadlines of each operator, under the hash of their text. */
const plans = createCache<number, { operator_id: number; hash: string; plan: readonly PlannedDeadline[]; bytes: number }>(
  'import_settings',
  {
    most: 1_000,
    operatorOf: ({ operator_id }) => operator_id,
    bytesOf: ({ bytes }) => bytes,
  },
)
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** `before` is what was known when the database was asked: the cache may be emptied meanwhile. */
function planOf(
  operator_id: number,
  text: string | null,
  before: { plan: readonly PlannedDeadline[] } | undefined,
): readonly PlannedDeadline[] {
  if (text === null) return before?.plan ?? []
  const plan = compilePlan(text)
  plans.set(operator_id, { operator_id, hash: md5(text), plan, bytes: text.length })
  return plan
}

/** Compiled rules of each company, under the hash of their text. */
const choosers = createCache<number, { operator_id: number; hash: string; chooser: MethodChooser; bytes: number }>('import_settings', {
  most: 1_000,
  operatorOf: ({ operator_id }) => operator_id,
  bytesOf: ({ bytes }) => bytes,
})

function chooserOf(
  { operator_id, company_id }: TenantScope,
  text: string | null,
  before: { chooser: MethodChooser } | undefined,
): MethodChooser {
  if (text === null && before) return before.chooser
  const { methods, rules }: { methods: ActiveMethod[]; rules: StoredMethodRule[] } = JSON.parse(text ?? '{"methods":[],"rules":[]}')
  const chooser = methodChooser(methods, rules)
  choosers.set(company_id, { operator_id, hash: md5(text ?? ''), chooser, bytes: text?.length ?? 0 })
  return chooser
}

export async function look({ db, scope, now }: StoringTools, drafts: readonly Draft[], options: StoringOptions): Promise<Seen> {
  const before = remembered.get(scope.company_id)
  const [chooserBefore, planBefore] = [choosers.get(scope.company_id), plans.get(scope.operator_id)]
  const skus = new Set<string>()
  for (const { order } of drafts) for (const line of order.lines) if (isGoods(line)) skus.add(line.sku!)
  const lookups = new Map(drafts.map(({ at, order }) => [at, lookupsOf(contactOf(order), scope.company_id)]))
  // Of one customer with many orders each once.
  const asked = [...new Map([...lookups.values()].flat().map(lookup => [lookupKey(lookup), lookup])).values()]
  const [row] = await run<{
    hash: string
    settings: unknown
    choice: string | null
    known: Omit<KnownOrder, 'started' | 'on_list'>[]
    products: KnownProduct[]
    customers: KnownLookupRow[]
    duplicates: (Duplicate & { n: number })[]
    taken: { n: number; id: number; external_id: string }[]
    additions: boolean
    alerts: boolean
    tag_rules: boolean
    deadlines: string | null
  }>(db, options.import_id === undefined ? lookForShop : lookForFile, [
    before?.hash ?? '',
    drafts.map(draft => draft.order.shop),
    drafts.map(draft => draft.order.external_id),
    [...skus],
    asked.map(lookup => lookup.type),
    asked.map(lookup => lookup.value),
    chooserBefore?.hash ?? '',
    drafts.map(draft => draft.order.order_no),
    drafts.map(draft => draft.order.source),
    planBefore?.hash ?? '',
  ])
  if (!row) throw new Error('The company in scope does not exist')
  let facts = before
  if (!facts || row.settings !== null) {
    const settings = CompanySettings.parse(row.settings ?? {})
    facts = { operator_id: scope.operator_id, hash: row.hash, settings, shipBy: shipByOf(settings) }
    remembered.set(scope.company_id, facts)
  }
  const { sender } = facts.settings
  const chooser = chooserOf(scope, row.choice, chooserBefore)
  const { bundles, parts } = await partsOf(db, row.products)
  const products = new Map([...parts, ...row.products].map(product => [product.sku, product]))
  const known = new Map((await withProgress(db, row.known, drafts)).map(known => [elementAt(drafts, known.n - 1).key, known]))
  const own = new Map([...lookups].map(([at, some]) => [at, some.filter(lookup => !isOwnLookup(lookup, sender))]))
  const customers = knownLookups(asked, row.customers)
  const histories = chooser.needsHistory
    ? await historiesOf(db, scope.company_id, drafts, { known, lookups: own, customers, now: now() })
    : undefined
  const tags = chooser.needsTags
    ? await tagsOf(
        db,
        [...products.values()].map(product => product.id),
        new Map(
          drafts.map(draft => [
            draft.at,
            customerOf(draft, { known, lookups: own, customers }) ?? ((own.get(draft.at) ?? []).length > 0 ? 'new' : null),
          ]),
        ),
        [...known.values()].map(order => order.id),
      )
    : undefined
  return {
    settings: facts.settings,
    shipBy: facts.shipBy,
    deadlines: planOf(scope.operator_id, row.deadlines, planBefore),
    chooser,
    known,
    products,
    bundles,
    lookups: own,
    customers,
    histories: histories ?? new Map(),
    duplicates: new Map(row.duplicates.map(({ n, ...duplicate }) => [drafts[n - 1]!.at, duplicate])),
    taken: new Map(row.taken.map(({ n, ...order }) => [elementAt(drafts, n - 1).at, order])),
    additions: row.additions,
    alerts: row.alerts,
    tag_rules: row.tag_rules,
    tags,
  }
}

/** Adds how far each order is. An order whose content is the same is left as it is, however far it is. */
async function withProgress(
  db: Db,
  known: readonly Omit<KnownOrder, 'started' | 'on_list'>[],
  drafts: readonly Draft[],
): Promise<KnownOrder[]> {
  const changed = known.filter(({ n, fingerprint }) => elementAt(drafts, n - 1).hash !== fingerprint).map(({ id }) => id)
  const rows = changed.length === 0 ? [] : await run<{ id: number; on_list: boolean; started: boolean }>(db, progressText, [changed])
  const progress = new Map(rows.map(row => [row.id, row]))
  return known.map(one => ({ ...one, started: progress.get(one.id)?.started ?? false, on_list: progress.get(one.id)?.on_list ?? false }))
}

const customerOf = (
  { at, key }: Pick<Draft, 'at' | 'key'>,
  { known, lookups, customers }: Pick<Seen, 'known' | 'lookups' | 'customers'>,
): number | null =>
  known.get(key)?.customer_id ??
  (lookups.get(at) ?? []).map(lookup => customers.get(lookupKey(lookup))?.customer_id).find(id => id !== undefined) ??
  null

async function tagsOf(
  db: Db,
  products: readonly number[],
  /** By the place of the order; a new one has no tags yet. */
  customers: ReadonlyMap<number, number | 'new' | null>,
  orders: readonly number[],
): Promise<SeenTags> {
  const found = await tagsForRules(db, {
    orders,
    products,
    customers: [...new Set([...customers.values()].filter(id => typeof id === 'number'))],
  })
  const nameOf = new Map(found.tags.flatMap(({ name, words }) => words.map(word => [word, name] as const)))
  const byId = (rows: readonly { id: number; names: string[] }[]) => new Map(rows.map(row => [row.id, row.names]))
  const [ofOrders, ofProducts, ofCustomers] = [byId(found.orders), byId(found.products), byId(found.customers)]
  return {
    ofOrder: (words, id) => [
      ...new Set([...words.map(word => nameOf.get(word.toLowerCase()) ?? word), ...((id !== undefined && ofOrders.get(id)) || [])]),
    ],
    ofProduct: id => ofProducts.get(id) ?? [],
    ofCustomer(at) {
      const id = customers.get(at) ?? null
      return id === null ? null : id === 'new' ? [] : (ofCustomers.get(id) ?? [])
    },
  }
}

/** The earlier orders of each draft's customer; a draft without a customer has none. */
async function historiesOf(
  db: Db,
  company_id: number,
  drafts: readonly Draft[],
  { known, lookups, customers, now }: Pick<Seen, 'known' | 'lookups' | 'customers'> & { now: Date },
): Promise<Seen['histories']> {
  const histories: Seen['histories'] = new Map()
  const asked: { at: number; history: AskedHistory }[] = []
  for (const { at, key, order } of drafts) {
    const stored = known.get(key)
    const customer_id = customerOf({ at, key }, { known, lookups, customers })
    if (customer_id !== null) {
      const skus = order.lines.flatMap(line => line.sku ?? [])
      const ordered_at = order.ordered_at ?? now.toISOString()
      asked.push({ at, history: { order_id: stored?.id ?? null, company_id, customer_id, ordered_at, currency: order.currency, skus } })
    } else if ((lookups.get(at) ?? []).length > 0) histories.set(at, noHistory)
  }
  const read = await customerHistories(
    db,
    asked.map(one => one.history),
  )
  for (const [place, { at }] of asked.entries()) histories.set(at, read[place] ?? noHistory)
  return histories
}
