/** Addresses of product links: checked as templates, and filled with what a product has. */
import { isOneOf } from '#domain/objects.ts'
import { productLinkPlaces } from './product-links.codes.ts'

export interface LinkedProduct {
  sku: string | null
  barcode?: string | null
  shop_product_id?: string | null
}

const place = /\{([^{}]*)\}/g

/** The first name in braces that is no place of a link. */
export function unknownPlace(url: string): string | null {
  for (const [, name = ''] of url.matchAll(place)) if (!isOneOf(productLinkPlaces, name)) return name
  return null
}

/** Whether the template is an address of the web, whatever stands in its places. */
export function isWebAddress(url: string): boolean {
  const filled = url.replace(place, 'x')
  // Backslashes and blanks are read as parts of the host by browsers.
  if (!/^https?:\/\/[^\s\\]+$/i.test(filled)) return false
  const parsed = URL.parse(filled)
  return parsed !== null && parsed.username === '' && parsed.password === ''
}

/** The address for a product; null where it lacks something that the address needs. */
export function filledLink(url: string, product: LinkedProduct): string | null {
  let missing = false
  const filled = url.replace(place, (_, name: string) => {
    const value = isOneOf(productLinkPlaces, name) ? product[name] : null
    if (!value) missing = true
    return encodeURIComponent(value ?? '')
  })
  return missing || !isWebAddress(filled) ? null : filled
}
