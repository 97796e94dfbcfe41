/**
 * Matkahuolto's shipment, tracking and office interfaces on the loopback. Source: the fields, products and errors of the shipment
 * interface 2.24 as open-source clients name them. Holds its own books; the sentences of errors are invented.
 */
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'
import { allOf, childrenOf, readXml, wordsOf, writeXml, type XmlContent, type XmlNode } from '../xml.ts'

interface FakeParcel {
  number: string
  reference: string
  fields: Record<string, string>
  live: boolean
  /** Code, time, place. */
  events: [code: string, time: string, place: string][]
}

export interface FakeMatkahuolto {
  server: FakeCourierServer
  parcels: FakeParcel[]
  withoutLabels: boolean
  close(): Promise<void>
}

export const matkahuoltoAccount = { user_id: '9430023', password: 'matkahuolto-secret-4711', customer_no: '0009430023', mode: 'live' }

const known = new Set(
  (
    'ShipmentType MessageType ShipmentNumber ShipmentDate Weight Packages SenderId SenderName1 SenderAddress SenderPostal SenderCity SenderCountry ' +
    'SenderContactName SenderContactNumber SenderEmail SenderReference ReceiverName1 ReceiverAddress ReceiverPostal ReceiverCity ReceiverCountry ' +
    'ReceiverContactName ReceiverContactNumber ReceiverEmail ProductCode DestinationPlaceCode DestinationPlaceName PayerCode PayerId DocumentType ' +
    'SpecialHandling Pickup Goods ShipmentRow'
  ).split(' '),
)
const mandatory = [
  'ShipmentType',
  'MessageType',
  'Weight',
  'Packages',
  'SenderId',
  'ReceiverName1',
  'ReceiverPostal',
  'ReceiverCity',
  'ProductCode',
]
const products = ['30', '34', '37', '57', '58', '80', '81', '84', '91', '95', '96', '97']
const offices = [
  { id: '2205', name: 'R-kioski Kamppi', street: 'Urho Kekkosen katu 1', postcode: '00100', city: 'HELSINKI' },
  { id: '2311', name: 'K-Market Töölö', street: 'Museokatu 12', postcode: '00100', city: 'HELSINKI' },
  { id: '4410', name: 'S-market Tuusula', street: 'Hyryläntie 4', postcode: '04300', city: 'TUUSULA' },
]

const xml = (root: string, content: XmlContent): FakeReply => ({
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body: `<?xml version="1.0" encoding="UTF-8"?>${writeXml(root, content)}`,
})
const failed = (root: string, number: number | string, words: string): FakeReply =>
  xml(root, [
    ['ErrorNbr', String(number)],
    ['ErrorMsg', words],
  ])

export async function openFakeMatkahuolto(): Promise<FakeMatkahuolto> {
  let next = 1
  const fake: FakeMatkahuolto = {
    server: await openFakeCourier(answer, ({ path }) => path === '/mpaketti/mhshipmentxml'),
    parcels: [],
    withoutLabels: false,
    close: () => fake.server.close(),
  }

  function answer({ method, path, query, text, headers }: FakeRequest): FakeReply {
    if (method === 'POST' && !/^(text|application)\/xml/.test(headers['content-type'] ?? '')) return { status: 415 }
    const root = method === 'POST' ? readXml(text) : undefined
    if (path === '/noutopistehaku/public/v2/searchoffices' && root) return search(root)
    if (!mayEnter(headers.authorization)) return { status: 401 }
    if (path === '/mpaketti/mhshipmentxml' && root) return shipment(root)
    if (method === 'GET' && path === '/mpaketti/public/tracking') return tracking((query.get('ids') ?? '').split(','))
    return { status: 404 }
  }

  const mayEnter = (authorization = ''): boolean =>
    authorization === `Basic ${Buffer.from(`${matkahuoltoAccount.user_id}:${matkahuoltoAccount.password}`).toString('base64')}`

  function shipment(root: XmlNode): FakeReply {
    const reply = 'MHShipmentReply'
    if (root.name !== 'MHShipmentRequest') return failed(reply, 1002, 'Invalid message')
    const login = wordsOf(root, 'UserId') === matkahuoltoAccount.user_id && wordsOf(root, 'Password') === matkahuoltoAccount.password
    if (!login) return failed(reply, 1001, 'Login failed')
    if (wordsOf(root, 'Version') !== '2.0') return failed(reply, 1003, 'Version is mandatory')
    const [given, second] = childrenOf(root, 'Shipment')
    if (!given || second) return failed(reply, 1003, 'Shipment is mandatory')
    const strange = given.children.find(one => !known.has(one.name))
    if (strange) return failed(reply, 1002, `Unknown field ${strange.name}`)
    const missing = mandatory.find(one => wordsOf(given, one) === '')
    if (missing) return failed(reply, 1003, `Mandatory field ${missing} is missing`)
    const weight = wordsOf(given, 'Weight')
    if (weight.includes(',')) return failed(reply, 1018, 'Wrong decimal separator')
    if (!(Number(weight) > 0)) return failed(reply, 1006, 'Weight is not valid')
    if (!products.includes(wordsOf(given, 'ProductCode'))) return failed(reply, 1012, 'Unknown product')
    if (!/^(\d{2}\.\d{2}\.\d{4})?$/.test(wordsOf(given, 'ShipmentDate'))) return failed(reply, 1003, 'ShipmentDate is not valid')
    const place = wordsOf(given, 'DestinationPlaceCode')
    if (wordsOf(given, 'ProductCode') === '80' && !offices.some(one => one.id === place))
      return failed(reply, 1013, `Unknown destination ${place}`)
    if (wordsOf(given, 'MessageType') === 'D') return remove(wordsOf(given, 'ShipmentNumber'))
    if (wordsOf(given, 'MessageType') !== 'N' || wordsOf(given, 'ShipmentNumber') !== '')
      return failed(reply, 1003, 'MessageType is not valid')
    const number = `MH${String(40_000_000 + next++)}`
    const reference = wordsOf(given, 'SenderReference')
    const fields = Object.fromEntries(given.children.map(one => [one.name, one.text]))
    fake.parcels.push({ number, reference, fields, live: true, events: [['02', '2026-11-16T10:00:00', 'Helsinki']] })
    return xml(reply, [
      [
        'Shipment',
        [
          ['ShipmentNumber', number],
          ['SenderReference', reference],
        ],
      ],
      ['ShipmentPdf', fake.withoutLabels ? '' : Buffer.from(fakePdf(number)).toString('base64')],
      ['PdfName', `${number}.pdf`],
    ])
  }

  /** A successful deletion has the form of an error. */
  function remove(number: string): FakeReply {
    const parcel = fake.parcels.find(one => one.number === number)
    if (!parcel?.live || parcel.events.length > 1) return failed('MHShipmentReply', 1019, 'The shipment cannot be deleted')
    parcel.live = false
    return failed('MHShipmentReply', 0, 'Shipment deleted')
  }

  function tracking(ids: string[]): FakeReply {
    if (ids.length > 10) return { status: 400 }
    return xml(
      'MHTrackingEvents',
      fake.parcels
        .filter(one => ids.includes(one.number))
        .flatMap(({ number, reference, events }) =>
          events.map(([code, time, place], i): [string, XmlContent] => [
            'Event',
            [
              ['EventId', i + 1],
              ['ShipmentNumber', number],
              ['ParcelNumber', `${number}001`],
              ['SenderReference', reference],
              ['EventCode', code],
              ['EventTime', time],
              ['EventPlace', place],
            ],
          ]),
        ),
    )
  }

  function search(root: XmlNode): FakeReply {
    const reply = 'MHSearchOfficesReply'
    if (root.name !== 'MHSearchOfficesRequest' || wordsOf(root, 'Login') !== matkahuoltoAccount.customer_no)
      return failed(reply, 1001, 'Login failed')
    const postcode = wordsOf(root, 'PostalCode')
    if (postcode === '' && allOf(root, 'City').length === 0) return failed(reply, 1002, 'Location is missing')
    const found = offices.filter(one => one.postcode === postcode)
    if (found.length === 0) return failed(reply, 1004, 'Offices not found')
    return xml(
      reply,
      found.map(({ id, name, street, postcode: code, city }): [string, XmlContent] => [
        'Office',
        [
          ['Id', id],
          ['Name', name],
          ['StreetAddress', street],
          ['PostalCode', code],
          ['City', city],
          ['Country', 'FI'],
        ],
      ]),
    )
  }
  return fake
}
