/** The parcel shop finder of GLS Denmark, which needs no login. Known from open-source clients that call `wsShopFinder.asmx`. */

import { plainPostcode } from '#domain/order/postcodes.ts'
import { type Courier, CourierUnavailable } from '../courier.ts'
import { askCourier, type CourierHost } from '../courier-http.ts'
import { allOf, childrenOf, readXml, wordsOf, type XmlNode } from '../xml.ts'
import { name } from './gls-group.ts'

const nearest = '25'

/** The shops around an address. A street that the finder does not know is asked for without its number, and then left out. */
export async function shopsByDenmark(
  host: CourierHost,
  { country, postcode, address }: { country: string; postcode: string; address: string | null },
  signal: AbortSignal,
): ReturnType<Courier['parcelShops']> {
  const place = { zipcode: plainPostcode(postcode, country).postcode, countryIso3166A2: country }
  const written = address?.split(',')[0]?.trim().slice(0, 100) ?? ''
  const short = written.replace(/\s*\d.*$/, '')
  for (const street of new Set([written, short].filter(Boolean))) {
    const found = await ask(host, 'SearchNearestParcelShops', { street, ...place, Amount: nearest }, signal)
    const shops = found && !/^unknown$/i.test(wordsOf(found, 'accuracylevel')) ? allOf(found, 'PakkeshopData') : []
    if (shops.length > 0) return shops.map(one => shopOf(one, country))
  }
  const found = await ask(host, 'GetParcelShopsInZipcode', place, signal)
  return found ? allOf(found, 'PakkeshopData').map(one => shopOf(one, country)) : []
}

/** Null where the finder answers with a fault. */
async function ask(host: CourierHost, operation: string, values: Record<string, string>, signal: AbortSignal): Promise<XmlNode | null> {
  const answer = await askCourier({
    courier: name,
    purpose: 'read',
    url: `${host.url}/webservices_v4/wsShopFinder.asmx/${operation}?${new URLSearchParams(values)}`,
    headers: { accept: 'text/xml' },
    signal,
    fetch: host.fetch,
    reads: ({ status }) => status === 500,
  })
  if (!answer.ok) return null
  const root = readXml(answer.text)
  if (!root) throw new CourierUnavailable('The answer of GLS makes no sense')
  return root
}

function shopOf(shop: XmlNode, country: string): Awaited<ReturnType<Courier['parcelShops']>>[number] {
  const distance = Number.parseFloat(wordsOf(shop, 'DistanceMetersAsTheCrowFlies'))
  return {
    id: wordsOf(shop, 'Number'),
    name: wordsOf(shop, 'CompanyName'),
    address1: wordsOf(shop, 'Streetname'),
    postcode: wordsOf(shop, 'ZipCode'),
    city: wordsOf(shop, 'CityName'),
    country,
    distance_m: Number.isFinite(distance) ? Math.round(distance) : null,
    opening_hours: allOf(shop, 'Weekday').flatMap(day => {
      const [open] = childrenOf(day, 'openAt')
      const from = open ? wordsOf(open, 'From') : ''
      const to = open ? wordsOf(open, 'To') : ''
      return from && to ? [`${wordsOf(day, 'day').slice(0, 3)} ${from.slice(0, 5)}–${to.slice(0, 5)}`] : []
    }),
  }
}
