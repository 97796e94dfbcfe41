/** The parcel shop finder of GLS Denmark, which needs no login. Known from open-source clients that call `wsShopFinder.asmx`. */
import { decode } from 'html-entities'
import { type Courier, CourierUnavailable } from '../courier.ts'
import { askCourier, type CourierHost } from '../courier-http.ts'
import { plainPostcode } from '../postcodes.ts'
import { name } from './gls-group.ts'

interface XmlNode {
  name: string
  text: string
  children: XmlNode[]
}

const deepest = 30
const mostNodes = 100_000

/** The root of an XML text, in one pass. Undefined where it is none, is too large or declares entities. */
export function readXml(xml: string): XmlNode | undefined {
  const top: XmlNode = { name: '', text: '', children: [] }
  const open = [top]
  let nodes = 0
  for (let at = 0; ; ) {
    const node = open.at(-1)
    const start = xml.indexOf('<', at)
    if (!node || start < 0) break
    node.text += decode(xml.slice(at, start), { level: 'xml' })
    const [opening, ending] = pairs.find(([one]) => xml.startsWith(one, start)) ?? ['<', '>']
    const end = xml.indexOf(ending, start + opening.length)
    if (end < 0 || xml.startsWith('<!D', start)) return undefined
    at = end + ending.length
    const inner = xml.slice(start + opening.length, end)
    if (opening === '<![CDATA[') node.text += inner
    else if (opening === '</') {
      if (open.length === 1 || nameIn(inner) !== node.name) return undefined
      open.pop()
    } else if (opening === '<') {
      const child = { name: nameIn(inner), text: '', children: [] }
      if (++nodes > mostNodes || open.length > deepest) return undefined
      node.children.push(child)
      if (!inner.endsWith('/')) open.push(child)
    }
  }
  return open.length === 1 && top.children.length === 1 ? top.children[0] : undefined
}

const pairs = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['</', '>'],
] as const

/** Without prefix and attributes. The finder writes no `>` into an attribute. */
function nameIn(inner: string): string {
  const end = inner.search(/[\s/]/)
  const whole = end < 0 ? inner : inner.slice(0, end)
  return whole.slice(whole.indexOf(':') + 1)
}

const childrenOf = (node: XmlNode, called: string): XmlNode[] =>
  node.children.filter(one => one.name.toLowerCase() === called.toLowerCase())
const wordsOf = (node: XmlNode, called: string): string => childrenOf(node, called)[0]?.text.trim() ?? ''
const allOf = (node: XmlNode, called: string): XmlNode[] =>
  node.name === called ? [node] : node.children.flatMap(child => allOf(child, called))

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
