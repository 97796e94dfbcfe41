/** Reads of product links. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import type { Principal } from '#platform/auth/identity.ts'
import type { Db } from '#platform/database/database.ts'
import type { LinkedProduct } from './product-links.rules.ts'
import type { ProductLink } from './product-links.schemas.ts'

type Reader = Pick<Principal, 'company'>

/** The main company sees all links, a shop those that stand at its products. */
export async function linksFor(db: Db, { company }: Reader): Promise<ProductLink[]> {
  let from = db
    .selectFrom('product_links')
    .select(['id', 'title', 'url', 'icon', 'position', 'company_ids', 'active', 'version'])
    .orderBy('position')
    .orderBy('id')
  if (!company.is_main) from = from.where(sql<boolean>`(company_ids is null or ${company.id}::bigint = any(company_ids))`)
  return from.execute()
}

/** A shop writes what is its own alone. */
export async function ownLink(db: Db, reader: Reader, id: number): Promise<ProductLink> {
  const { company } = reader
  const links = await linksFor(db, reader)
  const own = links.find(
    link => link.id === id && (company.is_main || (link.company_ids?.length === 1 && link.company_ids[0] === company.id)),
  )
  return orNotFound(own, 'product_link_not_found', 'Link not found')
}

/** What the places of an address are filled with. The shop's id of a product is not known beside its orders. */
export async function linkedProduct(
  db: Db,
  { company }: Reader,
  asked: { sku?: string | undefined; product_id?: number | undefined },
): Promise<(LinkedProduct & { company_id: number }) | null> {
  let from = db
    .selectFrom('products as p')
    .select(['p.company_id', 'p.sku'])
    .select(eb =>
      eb
        .selectFrom('product_barcodes as b')
        .select('b.barcode')
        .whereRef('b.operator_id', '=', 'p.operator_id')
        .whereRef('b.product_id', '=', 'p.id')
        .orderBy('b.quantity')
        .orderBy('b.barcode')
        .limit(1)
        .as('barcode'),
    )
  if (asked.product_id !== undefined) from = from.where('p.id', '=', asked.product_id)
  else from = from.where('p.sku_key', '=', (asked.sku ?? '').toUpperCase()).where('p.company_id', '=', company.id)
  const found = await from.limit(1).executeTakeFirst()
  return found ?? (asked.sku === undefined ? null : { company_id: company.id, sku: asked.sku })
}
