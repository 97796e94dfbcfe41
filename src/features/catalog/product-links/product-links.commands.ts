/** Writing product links. */
import { sql } from 'kysely'
import { conflict, unprocessable } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mostProductLinks, productLinkWords } from './product-links.codes.ts'
import { linksFor, ownLink } from './product-links.queries.ts'
import { isWebAddress, unknownPlace } from './product-links.rules.ts'
import type { ProductLink, ProductLinkFields } from './product-links.schemas.ts'

/** A shop's links stand at its own products, whatever was sent. */
async function checked({ db, principal }: Context, fields: ProductLinkFields): Promise<ProductLinkFields> {
  const name = unknownPlace(fields.url)
  if (name !== null) {
    const unknown = 'Unknown place {{name}}.'
    throw unprocessable('link_place', unknown, { name: name.slice(0, 60) }, { fields: { url: unknown } })
  }
  if (!isWebAddress(fields.url)) {
    throw unprocessable('link_scheme', productLinkWords.scheme, {}, { fields: { url: productLinkWords.scheme } })
  }
  if (!principal.company.is_main) return { ...fields, company_ids: [principal.company.id] }
  for (const id of fields.company_ids ?? []) {
    const known = await db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst()
    if (!known) throw unprocessable('company_unknown', 'There is no company {{company}} here', { company: id })
  }
  return fields
}

async function changed(context: Context, id: number): Promise<ProductLink> {
  const link = await ownLink(context.db, context.principal, id)
  await context.recordEvent({ kind: 'product_link.set', subject: 'product_link', subject_id: id, data: { title: link.title } })
  context.notify('product', undefined)
  return link
}

/** `restored` is the number of a link that comes back. */
export async function createLink(context: Context, fields: ProductLinkFields, restored?: number): Promise<ProductLink> {
  const { db, principal } = context
  const values = { ...(await checked(context, fields)), ...(restored !== undefined && { id: restored }) }
  await db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()
  if ((await linksFor(db, principal)).length >= mostProductLinks)
    throw conflict('product_links_full', 'There are {{count}} links already. Remove one first.', { count: mostProductLinks })
  const { id } = await db.insertInto('product_links').values(values).returning('id').executeTakeFirstOrThrow()
  return changed(context, id)
}

export async function updateLink(
  context: Context,
  id: number,
  { version, ...fields }: ProductLinkFields & { version: number },
): Promise<ProductLink> {
  const { db, principal } = context
  await db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()
  const current = await ownLink(db, principal, id)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  const values = await checked(context, fields)
  await db
    .updateTable('product_links')
    .set(eb => ({ ...values, version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
    .where('id', '=', id)
    .execute()
  return changed(context, id)
}

/** What is gone already stays gone. */
export async function removeLink({ db, principal, recordEvent, notify }: Context, id: number): Promise<void> {
  const links = await linksFor(db, principal)
  if (!links.some(link => link.id === id)) return
  const { title } = await ownLink(db, principal, id)
  await db.deleteFrom('product_links').where('id', '=', id).execute()
  await recordEvent({ kind: 'product_link.removed', subject: 'product_link', subject_id: id, data: { title } })
  notify('product')
}
