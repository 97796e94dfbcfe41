/** Codes and limits that screens and schemas of products share. */

/** Of one bundle. */
export const mostComponents = 20
/** Pieces of one component in a bundle. */
export const mostOfComponent = 1_000

/** Refusals of a product, as sentences. */
export const productWords = {
  sku: 'A product needs a SKU',
  name: 'A product needs a name',
  barcode: 'The barcode is empty',
  component: 'A part needs a SKU',
  hs_code: 'A tariff code has 6 to 11 digits',
  cost: 'A cost price needs its currency',
  net: 'Without its packaging it cannot weigh more than with it',
  flags: 'Only food, excise, alcohol, battery, textile and restricted',
  origin: 'A country code has two letters, such as DK',
  image_url: 'A picture address begins with https://',
} as const
