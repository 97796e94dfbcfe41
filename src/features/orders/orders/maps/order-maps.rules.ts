/** Addresses as maps take them. */

interface Place {
  address1: string
  postcode: string
  city: string
  country: string
}

const queryOf = ({ address1, postcode, city, country }: Place): string =>
  [address1, `${postcode} ${city}`.trim(), country].filter(Boolean).join(', ')

/** Maps Embed API, place mode: https://developers.google.com/maps/documentation/embed/embedding-map */
export function googleMapUrl(place: Place, key: string): string {
  const url = new URL('https://www.google.com/maps/embed/v1/place')
  url.searchParams.set('key', key)
  url.searchParams.set('q', queryOf(place))
  return url.href
}

/** Holds the street only, not who lives there. */
export function mapPageUrl(place: Place): string {
  const url = new URL('https://www.openstreetmap.org/search')
  url.searchParams.set('query', queryOf(place))
  return url.href
}
