/** Parcel shops as people read them. */

interface ParcelShopAddress {
  id: string
  name: string
  address1: string
  postcode: string
  city: string
}

/** A parcel shop in one line: its name, else its number, and its address. */
export const parcelShopLine = ({ id, name, address1, postcode, city }: ParcelShopAddress): string =>
  [name || id, address1, `${postcode} ${city}`.trim()].filter(Boolean).join(', ')
