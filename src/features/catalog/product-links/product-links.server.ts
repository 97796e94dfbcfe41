/** Product links: handlers. */
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { implement } from '#platform/http/feature-module.ts'
import { createLink, removeLink, updateLink } from './product-links.commands.ts'
import { productLinks } from './product-links.contract.ts'
import { linkedProduct, linksFor } from './product-links.queries.ts'
import { filledLink } from './product-links.rules.ts'
import { productLinksSchemas } from './product-links.schemas.ts'
import { productLinkList } from './product-links-history.server.ts'

export const productLinksServer = implement(productLinks, productLinksSchemas, {
  async list({ sku, product_id }, { db, principal }) {
    const links = await linksFor(db, principal)
    if (sku === undefined && product_id === undefined) return links
    const product = await linkedProduct(db, principal, { sku, product_id })
    if (!product) return []
    return links.flatMap(link => {
      const offered = link.active && (link.company_ids === null || link.company_ids.includes(product.company_id))
      const url = offered ? filledLink(link.url, product) : null
      return url === null ? [] : [{ ...link, url }]
    })
  },
  create: ({ body }, context) =>
    addEntry(
      productLinkList,
      context,
      () => createLink(context, body),
      link => link.id,
    ),
  update: ({ id, body }, context) => changeEntry(productLinkList, context, id, () => updateLink(context, id, body)),
  remove: ({ id }, context) => changeEntry(productLinkList, context, id, () => removeLink(context, id)),
})
