/** Builders of operators, companies and users, for the demo and for every test. */
import type * as z from 'zod'
import { type Permission, permissionId, permissions } from '#contract/access.ts'
import { readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import type { StoringTools } from '#features/orders/orders/upsert/sql.queries.ts'
import { pastWalks } from '#features/warehouse/map-results/past-walks.queries.ts'
import { activate, finishResult, insertResult } from '#features/warehouse/map-results/results.commands.ts'
import { qualityOf, walkable } from '#features/warehouse/map-results/walks.rules.ts'
import { measuredCells } from '#features/warehouse/warehouse-maps/drawing.rules.ts'
import type { Drawing } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { insertMap } from '#features/warehouse/warehouse-maps/maps.commands.ts'
import { mapById } from '#features/warehouse/warehouse-maps/maps.queries.ts'
import { encode, measure } from '#optimization/distances/distances.ts'
import { anonymous } from '#platform/auth/identity.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import type { Database, Db } from '#platform/database/database.ts'
import { actorOf, insertEvent, insertEvents, withActorName } from '#platform/database/events.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { createContext } from '#platform/http/context.ts'
import type { ExternalContext, FeatureModule, Services } from '#platform/http/feature-module.ts'

export interface BuiltCompany {
  id: number
  code: string
  name: string
}
export interface BuiltOperator {
  operator_id: number
  main: BuiltCompany
  shops: BuiltCompany[]
}

type CompanyPlan = { code: string; name: string; settings?: Partial<CompanySettings> }

/** Creates an operator with its main company and any number of shops. */
export async function buildOperator(
  database: Database,
  plan: { name: string; demo?: boolean; main: CompanyPlan; shops?: CompanyPlan[] },
): Promise<BuiltOperator> {
  return database.systemTransaction('an operator stands above its companies', async db => {
    const { id: operator_id } = await db
      .insertInto('operators')
      .values({ name: plan.name, demo: plan.demo ?? false })
      .returning('id')
      .executeTakeFirstOrThrow()
    const company = async ({ code, name, settings }: CompanyPlan, is_main: boolean): Promise<BuiltCompany> => {
      const { id } = await db
        .insertInto('companies')
        .values({ operator_id, code, name, is_main, settings: JSON.stringify(CompanySettings.parse(settings ?? {})) })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, code, name }
    }
    const main = await company(plan.main, true)
    const shops: BuiltCompany[] = []
    for (const shop of plan.shops ?? []) shops.push(await company(shop, false))
    return { operator_id, main, shops }
  })
}

export const scopeOfCompany = (operator: BuiltOperator, company: BuiltCompany = operator.main): TenantScope => ({
  operator_id: operator.operator_id,
  company_id: company.id,
  companies: company.id === operator.main.id ? [operator.main.id, ...operator.shops.map(shop => shop.id)] : [company.id],
})

/** Creates a user; without a password they cannot sign in. */
export async function buildUser(
  database: Database,
  scope: TenantScope,
  user: {
    name: string
    user_name?: string
    email?: string
    employee_no?: string
    role?: string
    password?: string
    permissions: readonly Permission[]
    locale?: string
  },
): Promise<number> {
  const password_hash = user.password ? await hashPassword(user.password) : null
  return database.transaction(scope, async db => {
    const { id } = await db
      .insertInto('users')
      .values({
        name: user.name,
        user_name: user.user_name ?? null,
        email: user.email ?? null,
        employee_no: user.employee_no ?? null,
        role: user.role ?? null,
        locale: user.locale ?? null,
        permission: user.permissions.map(permissionId),
        password_hash,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/** The context that `storeOrders` and similar functions need outside of a request: no user, but with notifications. */
export function buildTools(services: Services, db: Db, scope: TenantScope): StoringTools {
  const company = { operator_id: scope.operator_id, id: scope.company_id, code: '', name: '', is_main: false, packing_ip_pattern: '' }
  const actor = actorOf(anonymous(company), '')
  return {
    db,
    scope,
    station: '',
    now: services.now,
    principal: anonymous(company),
    services,
    recordEvent: event => insertEvent(db, actor, event),
    recordEvents: (events, { actor: name } = {}) => insertEvents(db, withActorName(actor, name), events),
    runSubscribers: async () => {},
    notify: (topic, id, company_id = scope.company_id) =>
      services.notifier.publish([{ topic, ...(id === undefined ? {} : { id }), operator_id: scope.operator_id, company_id }]),
  }
}

/**
 * What a handler or a task of the queue receives when this person of the main company, with all rights, calls it at a time. What it queues is
 * left out: who builds data runs the task at once, and no other process may begin it meanwhile.
 */
export function actAs(
  services: Services,
  scope: TenantScope,
  { id, name }: { id: number; name: string },
  at: Date = services.now(),
): ExternalContext & { last_try: boolean } {
  const company = { operator_id: scope.operator_id, id: scope.company_id, code: 'demo', name: '', is_main: true, packing_ip_pattern: '' }
  const principal = { ...anonymous(company), kind: 'user' as const, id, name, permissions, operatorCompanies: scope.companies }
  const request = { ip: '', station: '', headers: {}, signal: services.closing }
  const context = createContext({ ...services, now: () => at }, principal, scope, request)
  return {
    ...context,
    last_try: true,
    transaction: step => context.transaction(inside => step({ ...inside, enqueue: () => Promise.resolve() })),
  }
}

/** What the handler of a call answers for an input as its schemas give it; `answer` reads what is needed of it. */
export async function answerOf<T>(module: FeatureModule, call: string, answer: z.ZodType<T>, input: object, context: object): Promise<T> {
  const handler = module.handlers[call]
  if (!handler) throw new Error(`There is no call ${call}`)
  return answer.parse(await handler(input, context))
}

/** Creates a product with its barcodes; returns its id. */
export async function buildProduct(
  services: Services,
  scope: TenantScope,
  {
    barcodes = [],
    ...product
  }: {
    sku: string
    name?: string
    weight_g?: number
    bin?: string
    serial_required?: boolean
    no_barcode?: boolean
    hs_code?: string
    origin?: string
    barcodes?: (string | { barcode: string; quantity: number })[]
  },
): Promise<number> {
  return services.database.transaction(scope, async db => {
    const { id } = await db
      .insertInto('products')
      .values({ name: product.sku, ...product })
      .returning('id')
      .executeTakeFirstOrThrow()
    const codes = barcodes.map(one => ({ product_id: id, ...(typeof one === 'string' ? { barcode: one, quantity: 1 } : one) }))
    if (codes.length > 0) await db.insertInto('product_barcodes').values(codes).execute()
    return id
  })
}

let built = 0

/** Stores a valid order of two products as an import does; `over` overrides fields. */
export async function buildOrder(
  services: Services,
  scope: TenantScope,
  over: Partial<WrittenOrder> = {},
): Promise<{ id: number; order_no: string; line_ids: number[] }> {
  const n = ++built
  const reading = readCanonical({
    external_id: `built-${n}`,
    order_no: `B${1_000 + n}`,
    currency: 'DKK',
    payment_status: 'paid',
    ordered_at: services.now().toISOString(),
    ship_to: {
      name: 'Lene Prøve',
      address1: 'Prøvevej 5',
      postcode: '5000',
      city: 'Odense C',
      country: 'DK',
      phone: '+4501234567',
      email: 'lene@example.test',
    },
    lines: [
      {
        external_id: '1',
        sku: 'TS-1',
        barcode: '2000000000015',
        name: 'T-shirt',
        qty: '2',
        unit_price_excl_vat: '80.00',
        vat_percent: '25',
        weight_g: 200,
      },
      {
        external_id: '2',
        sku: 'CAP-1',
        barcode: '2000000000022',
        name: 'Cap',
        qty: '1',
        unit_price_excl_vat: '40.00',
        vat_percent: '25',
        weight_g: 80,
      },
    ],
    ...over,
  } satisfies WrittenOrder)
  if (reading.problems) throw new Error(`This order cannot be built: ${JSON.stringify(reading.problems)}`)
  const order = toOrder(reading.order)
  return services.database.transaction(scope, async db => {
    const [stored] = await storeOrders(buildTools(services, db, scope), [order])
    if (!stored?.order_id) throw new Error(`This order was not stored: ${JSON.stringify(stored)}`)
    const lines = await db.selectFrom('order_lines').select('id').where('order_id', '=', stored.order_id).orderBy('line_no').execute()
    return { id: stored.order_id, order_no: order.order_no, line_ids: lines.map(line => line.id) }
  })
}

/** Creates a map of the operator, measured at once and, by default, active. */
export async function buildMap(
  services: Pick<Services, 'database' | 'files' | 'now'>,
  scope: TenantScope,
  { title, drawing, active = true }: { title: string; drawing: Drawing; active?: boolean },
): Promise<{ map_id: number; result_id: number }> {
  const at = services.now()
  const made = await services.database.transaction(scope, async db => {
    const map_id = await insertMap(db, { title, drawing, created_by: 'system', at })
    return {
      map: await mapById(db, map_id),
      past: await pastWalks(db, new Date(at.getTime() - 7 * 86_400_000), at),
    }
  })
  const distances = await measure(drawing, measuredCells(drawing))
  const bytes = encode(distances, made.map.hash)
  const quality = qualityOf(walkable({ result_id: 0, map_id: 0, drawing, bytes }), null, made.past)
  const stored = await services.files.put(scope.operator_id, bytes)
  return services.database.transaction(scope, async db => {
    const result_id = await insertResult(db, { map: made.map, title, job_id: null, created_by: 'system', at })
    const file_id = await recordFile(db, stored, { media_type: 'application/octet-stream', name: `distances-${result_id}` })
    await finishResult(db, result_id, { file_id, cells: distances.size, quality })
    if (active) await activate(db, result_id, at)
    return { map_id: made.map.map_id, result_id }
  })
}
