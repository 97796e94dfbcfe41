/** Icons, places and words of product links. */

export const productLinkIcons = ['link', 'shop', 'picture', 'manual', 'supplier', 'search'] as const
export type ProductLinkIcon = (typeof productLinkIcons)[number]

/** What may stand in braces in the address of a link. */
export const productLinkPlaces = ['sku', 'barcode', 'shop_product_id'] as const

export const mostProductLinks = 50

export const productLinkWords = {
  title: 'Enter a name',
  scheme: 'Write the address with https:// or http://.',
} as const
