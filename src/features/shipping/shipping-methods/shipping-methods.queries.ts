/** Shipping methods in the database: what couriers offer, joined with what the company set. */
import { conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { methodsOffered } from '#features/shipping/parcel-shops/courier-methods.queries.ts'
import { offeredCouriers } from '#features/shipping/parcel-shops/courier-settings.queries.ts'
import type { Method } from '#integrations/couriers/courier.ts'
import { couriers } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import { documents, type ShippingMethod } from './shipping-methods.schemas.ts'

const rows = (db: Db, company_id: number) => db.selectFrom('shipping_methods').selectAll().where('company_id', '=', company_id)
type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

/** What stands when a company set nothing and its first order is to be sent. */
const first = { agent_code: 'own', shipping_method: 'van' }

function methodOf(
  agent_code: string,
  code: string,
  offered: Method | undefined,
  row: Row | undefined,
  { anyActive, has_default_image }: { anyActive: boolean; has_default_image: boolean },
): ShippingMethod {
  return {
    agent_code,
    courier: couriers.get(agent_code)?.capabilities.name ?? agent_code,
    shipping_method: code,
    type: row?.type ?? 'parcel',
    name: row?.name ?? offered?.name ?? code,
    active: row?.active ?? false,
    fallback: !anyActive && agent_code === first.agent_code && code === first.shipping_method,
    check_tracking_and_trace: row?.check_tracking_and_trace ?? false,
    shop_codes: row?.shop_codes ?? [],
    packing_text: row?.packing_text ?? null,
    has_image: (row?.image_file_id ?? null) !== null,
    has_default_image,
    documents: documents.filter(document => row?.documents.includes(document)),
    service_point: offered?.service_point ?? 'none',
    max_weight_g: offered?.max_weight_g ?? null,
    countries: !offered || offered.countries === 'all' ? [] : [...offered.countries],
    offered: offered !== undefined,
    version: row?.version ?? 0,
  }
}

/**
 * Of the couriers that the company may choose, in their own order, or of one courier whether or not it is set up. Methods for which
 * something is set stay, also when the courier gave them up.
 */
export async function methodsOf(db: Db, company_id: number, agent_code?: string): Promise<ShippingMethod[]> {
  const set = new Map((await rows(db, company_id).execute()).map(row => [`${row.agent_code} ${row.shipping_method}`, row]))
  const company = {
    anyActive: [...set.values()].some(row => row.active),
    has_default_image: (await companySettings(db, company_id)).handling_image_file_id !== null,
  }
  const methods: ShippingMethod[] = []
  const agents = new Set([...set.values()].map(row => row.agent_code))
  for (const { capabilities } of await offeredCouriers(db, company_id)) agents.add(capabilities.agent_code)
  if (agent_code !== undefined) agents.add(agent_code)
  for (const one of couriers.values()) {
    const code = one.capabilities.agent_code
    if (!agents.has(code)) continue
    for (const offered of await methodsOffered(db, company_id, one)) {
      const key = `${code} ${offered.code}`
      methods.push(methodOf(code, offered.code, offered, set.get(key), company))
      set.delete(key)
    }
  }
  for (const row of set.values()) methods.push(methodOf(row.agent_code, row.shipping_method, undefined, row, company))
  return agent_code === undefined ? methods : methods.filter(method => method.agent_code === agent_code)
}

export async function methodBy(db: Db, company_id: number, agent_code: string, code: string): Promise<ShippingMethod> {
  const methods = await methodsOf(db, company_id, agent_code)
  return orNotFound(
    methods.find(method => method.shipping_method === code),
    'shipping_method_not_found',
    'Shipping method not found',
  )
}

export type MethodRowChange = Partial<
  Pick<Row, 'type' | 'name' | 'active' | 'check_tracking_and_trace' | 'shop_codes' | 'packing_text' | 'image_file_id' | 'documents'>
>

/**
 * Writes what is set for a method; its row begins with the first change. `version` is a form's: an older state is refused
 * with the current one.
 */
export async function changeMethod(
  db: Db,
  company_id: number,
  { agent_code, method }: { agent_code: string; method: string },
  change: MethodRowChange | ((current: ShippingMethod) => MethodRowChange),
  version?: number,
): Promise<ShippingMethod> {
  // Methods of one company change one after the other: a shop's code must not come to mean two of them.
  await db.selectFrom('companies').select('id').where('id', '=', company_id).forUpdate().execute()
  const current = await methodBy(db, company_id, agent_code, method)
  if (version !== undefined && version !== current.version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  const next = typeof change === 'function' ? change(current) : change
  if (next.shop_codes) await refuseTakenCodes(db, company_id, current, next.shop_codes)
  if (current.version === 0)
    await db
      .insertInto('shipping_methods')
      .values({ company_id, agent_code, shipping_method: method, name: current.name, active: false, documents: ['label'], ...next })
      .execute()
  else
    await db
      .updateTable('shipping_methods')
      .set(eb => ({ ...next, version: eb('version', '+', 1) }))
      .where('company_id', '=', company_id)
      .where('agent_code', '=', agent_code)
      .where('shipping_method', '=', method)
      .execute()
  return methodBy(db, company_id, agent_code, method)
}

async function refuseTakenCodes(db: Db, company_id: number, current: ShippingMethod, codes: readonly string[]): Promise<void> {
  const wanted = new Set(codes.map(code => code.toLowerCase()))
  for (const other of await methodsOf(db, company_id)) {
    if (other.agent_code === current.agent_code && other.shipping_method === current.shipping_method) continue
    const code = other.shop_codes.find(one => wanted.has(one.toLowerCase()))
    if (code !== undefined) {
      const sentence = 'The shop code {{code}} belongs to {{method}} already'
      throw unprocessable('shop_code_taken', sentence, { code, method: other.name }, { fields: { shop_codes: sentence } })
    }
  }
}

export async function forgetMethod(db: Db, company_id: number, agent_code: string, method: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('shipping_methods')
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .where('shipping_method', '=', method)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('shipping_method_settings_not_found', 'Nothing is set for this shipping method')
}

/** The file of the handling picture: the method's own, else the company's default. */
export const handlingImage = (db: Db, company_id: number, agent_code: string, method: string) =>
  db
    .selectFrom('shipping_methods as m')
    .innerJoin('files as f', 'f.id', 'm.image_file_id')
    .select(['f.sha256', 'f.bytes', 'f.media_type'])
    .where('m.company_id', '=', company_id)
    .where('m.agent_code', '=', agent_code)
    .where('m.shipping_method', '=', method)
    .executeTakeFirst()

/** Whether this method asks for the slip beside the label, whatever the company prints otherwise. */
export async function methodPrintsSlip(db: Db, company_id: number, agent_code: string | null, method: string | null): Promise<boolean> {
  if (agent_code === null || method === null) return false
  const row = await rows(db, company_id).where('agent_code', '=', agent_code).where('shipping_method', '=', method).executeTakeFirst()
  return row?.documents.includes('slip') ?? false
}
