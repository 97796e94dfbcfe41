/** Components of bundles: checked and stored, several products at once. */
import { sql } from 'kysely'
import { unprocessable } from '#contract/errors.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import type { Db } from '#platform/database/database.ts'
import {
  type Component,
  componentFieldWords,
  faultOfComponents,
  type KnownProduct,
  keyOfSku,
  withComponents,
} from './product-components.rules.ts'

interface Bundle {
  sku: string
  components?: readonly Component[] | undefined
}

/**
 * The products of the company in scope that bundles and their parts are, locked until this change ends: two changes at once could
 * make a bundle of what has just become a part.
 */
async function lockProducts(db: Db, skus: readonly string[]): Promise<Map<string, KnownProduct>> {
  const keys = [...new Set(skus.map(keyOfSku))]
  const { rows: locked } = await sql<{ id: number }>`
    select p.id from products p where p.operator_id = current_operator_id() and p.company_id = current_company_id()
      and p.sku_key = any (${keys}::text[]) order by p.id for no key update of p`.execute(db)
  // What was committed while the locks were waited for is seen by a statement of its own.
  const { rows } = await sql<{ sku_key: string; parts: string[]; bundles: string[] }>`
    select p.sku_key,
      array(select q.sku_key from product_components c join products q on q.operator_id = c.operator_id and q.id = c.component_id
        where c.operator_id = p.operator_id and c.product_id = p.id) as parts,
      array(select q.sku_key from product_components c join products q on q.operator_id = c.operator_id and q.id = c.product_id
        where c.operator_id = p.operator_id and c.component_id = p.id) as bundles
    from products p where p.operator_id = current_operator_id() and p.company_id = current_company_id()
      and p.id = any (${locked.map(({ id }) => id)}::bigint[])`.execute(db)
  return new Map(rows.map(({ sku_key, parts, bundles }) => [sku_key, { parts: new Set(parts), bundles: new Set(bundles) }]))
}

/** Why the parts of some products cannot be stored; of what a batch brings itself, later products may consist. */
export async function faultsOfBundles<Sent extends Bundle>(db: Db, sent: readonly Sent[]): Promise<Map<Sent, Problem>> {
  const faults = new Map<Sent, Problem>()
  const bundles = sent.filter(one => one.components !== undefined)
  if (bundles.length === 0) return faults
  let known: ReadonlyMap<string, KnownProduct> = await lockProducts(db, [
    ...sent.map(one => one.sku),
    ...bundles.flatMap(one => one.components?.map(part => part.sku) ?? []),
  ])
  const fresh = sent.filter(one => !known.has(keyOfSku(one.sku)))
  known = new Map([...fresh.map(one => [keyOfSku(one.sku), { parts: new Set<string>(), bundles: new Set<string>() }] as const), ...known])
  for (const one of bundles) {
    const components = one.components ?? []
    const fault = faultOfComponents(one.sku, components, known)
    if (fault) faults.set(one, fault)
    else known = withComponents(known, one.sku, components)
  }
  return faults
}

/** Refuses the parts of one product, at the field of the part. */
export async function mustBeBundle(db: Db, bundle: Bundle): Promise<void> {
  const [fault] = (await faultsOfBundles(db, [bundle])).values()
  if (fault)
    throw unprocessable('components_invalid', fault.text, fault.values, {
      fields: { [fault.field]: componentFieldWords[fault.text] ?? '' },
    })
}

/** Sets the parts of products of the company in scope; a part whose product was refused is left out. */
export async function setComponents(db: Db, bundles: readonly Bundle[]): Promise<void> {
  const set = bundles.filter(one => one.components !== undefined)
  if (set.length === 0) return
  await sql`delete from product_components c using products p
    where c.operator_id = current_operator_id() and c.company_id = current_company_id() and p.operator_id = c.operator_id and p.id = c.product_id
      and p.company_id = c.company_id and p.sku_key = any (${set.map(one => keyOfSku(one.sku))}::text[])`.execute(db)
  const parts = set.flatMap(({ sku, components = [] }) =>
    components.map((part, at) => ({ bundle: keyOfSku(sku), part: keyOfSku(part.sku), qty: part.quantity, position: at + 1 })),
  )
  if (parts.length === 0) return
  await sql`insert into product_components (product_id, component_id, qty, position)
    select b.id, p.id, c.qty, c.position
    from unnest(${parts.map(one => one.bundle)}::text[], ${parts.map(one => one.part)}::text[], ${parts.map(one => one.qty)}::int[],
      ${parts.map(one => one.position)}::smallint[]) as c(bundle, part, qty, position)
    join products b on b.operator_id = current_operator_id() and b.company_id = current_company_id() and b.sku_key = c.bundle
    join products p on p.operator_id = current_operator_id() and p.company_id = current_company_id() and p.sku_key = c.part`.execute(db)
}
