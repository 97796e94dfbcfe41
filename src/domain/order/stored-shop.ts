/** The chosen parcel shop as orders keep it. */
import * as z from 'zod'

const word = z.string().catch('')
export const ShopAddress = z.object({ id: z.string(), name: word, address1: word, postcode: word, city: word, country: word })
/** Null where none is chosen. */
export const StoredShop = ShopAddress.nullable().catch(null)
