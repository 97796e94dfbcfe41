/** Product links: handlers. */
import { implement } from '#platform/http/feature-module.ts'
import { createLink, removeLink, updateLink } from './product-links.commands.ts'
import { productLinks } from './product-links.contract.ts'
import { linkedProduct, linksFor } from './product-links.queries.ts'
import { filledLink } from './product-links.rules.ts'
import { productLinksSchemas } from './product-links.schemas.ts'

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
  create: ({ body }, context) => createLink(context, body),
  update: ({ id, body }, context) => updateLink(context, id, body),
  remove: ({ id }, context) => removeLink(context, id),
})
