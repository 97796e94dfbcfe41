/** Schemas of the calls in product-links.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { productLinkIcons, productLinkWords } from './product-links.codes.ts'

const Fields = z.strictObject({
  title: text(40).min(1, productLinkWords.title),
  /** An address with `{sku}`, `{barcode}` and `{shop_product_id}` in their places. */
  url: text(500).min(1, productLinkWords.scheme),
  icon: z.enum(productLinkIcons).default('link'),
  position: z.number().int().min(0).max(10_000).default(0),
  /** Companies whose products show it; null stands for all. A shop's links are its own. */
  company_ids: z.array(z.number().int().positive()).min(1).max(200).nullable().default(null),
  active: z.boolean().default(true),
})
export const ProductLinkFields = Fields
export type ProductLinkFields = z.output<typeof Fields>

export const ProductLink = z.object({ id: z.number().int(), ...Fields.shape, version: z.number().int() })
export type ProductLink = z.output<typeof ProductLink>

export const productLinksSchemas = {
  components: { ProductLink, ProductLinkFields },
  calls: {
    list: {
      query: z.object({
        /** Fills the places of the addresses; links that need more than is known are left out, and so are those that are off. */
        sku: text(limits.code).optional(),
        product_id: z.coerce.number<unknown>().int().positive().optional(),
      }),
      reply: z.array(ProductLink),
      summary: 'Links at the names of products; with a SKU or a product their addresses are filled.',
    },
    create: { body: Fields, reply: ProductLink, summary: 'Adds a link. A shop adds it for its own products.' },
    update: {
      body: Fields.extend({ version: z.number().int().min(1) }),
      reply: ProductLink,
      summary: 'Changes a link; 409 with the current state when the version is old.',
    },
    remove: { summary: 'Removes a link; again is no mistake.' },
  },
} satisfies ContractSchemas
