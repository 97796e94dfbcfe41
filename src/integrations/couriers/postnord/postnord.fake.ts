/** PostNord's booking, labels, service points and tracking on the loopback, after its published descriptions. Holds its own books. */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const text = (longest: number) => z.string().min(1).max(longest)
const Country = z.string().regex(/^[A-Z]{2}$/)
const Weight = z.strictObject({ value: z.number(), unit: z.enum(['KGM', 'GRM', 'TON']) })
const Length = z.strictObject({ value: z.number(), unit: z.enum(['MTR', 'DTM', 'CMT']) })
const Amount = z.strictObject({ amount: z.number(), currency: z.string().length(3) })
const Identification = z.strictObject({ partyId: text(17), partyIdType: z.enum(['160', '167', '156', '229']) })
const Contact = z.strictObject({
  contactName: text(50).optional(),
  emailAddress: z.string().max(70).optional(),
  phoneNo: text(50).optional(),
  smsNo: text(50).optional(),
})
const Party = z.strictObject({
  nameIdentification: z.strictObject({ name: text(60), companyName: text(60).optional(), careOfName: text(60).optional() }),
  address: z.strictObject({
    streets: z.array(text(50)).optional(),
    postalCode: text(20),
    city: text(35),
    state: text(35).optional(),
    countryCode: Country,
  }),
  contact: Contact.optional(),
})
const Trader = z.strictObject({
  partyIdentification: Identification.optional(),
  vatNo: text(18).optional(),
  eoriNo: text(35).optional(),
  name: text(60),
  streets: z.array(z.string()),
  city: text(35),
  postalCode: text(20),
  countryCode: Country,
  contacts: z.strictObject({ name: text(60), phoneNo: text(50), emailAddress: z.string().max(70).optional(), smsNo: text(50).optional() }),
})
const CustomsInvoice = z.strictObject({
  type: z.enum(['COMMERCIAL', 'PROFORMA']),
  declarationType: z.literal('invoiceExportDeclaration').optional(),
  voec: z.string().optional(),
  ioss: z.string().optional(),
  seller: Trader.required({ partyIdentification: true, vatNo: true }),
  buyer: Trader,
  invoice: z.strictObject({
    invoiceNo: z.string().min(1),
    shippingDate: z.iso.date().optional(),
    reasonForExportation: z.string().regex(/^(1000|1040)(0000)?$/),
    termsOfSale: z.enum(['DDP', 'DAP', 'EXW', 'DAT']).optional(),
  }),
  detailedDescription: z
    .array(
      z.strictObject({
        quantity: z.number().int().positive(),
        hsTariffNumber: z.string().min(6),
        hsTariffNumberCountryCode: Country.optional(),
        content: text(1_025),
        countryOfOrigin: Country,
        netWeight: Weight,
        grossWeight: Weight.optional(),
        itemValue: Amount,
        articleNumber: z.string().max(50).optional(),
      }),
    )
    .min(1)
    .max(13),
  totalGrossWeight: Weight,
  invoiceTotal: Amount,
})
const Instruction = z.strictObject({
  messageDate: z.iso.datetime(),
  messageFunction: z.literal('Instruction').optional(),
  messageId: text(14),
  language: z.string().length(2).optional(),
  application: z.strictObject({ applicationId: z.number().int().optional(), name: text(35), version: text(35).optional() }).optional(),
  updateIndicator: z.enum(['Original', 'Update', 'Deletion']),
  testIndicator: z.boolean().optional(),
  shipment: z
    .array(
      z.strictObject({
        shipmentIdentification: z.strictObject({ shipmentId: text(35) }).optional(),
        dateAndTimes: z.strictObject({ loadingDate: z.iso.datetime() }).optional(),
        service: z.strictObject({ basicServiceCode: text(10), additionalServiceCode: z.array(text(10)).optional() }),
        freeText: z.array(z.strictObject({ usageCode: z.string().length(3), text: text(1_000) })).optional(),
        numberOfPackages: z.strictObject({ value: z.number().int() }),
        totalGrossWeight: Weight,
        references: z.array(z.strictObject({ referenceNo: text(35), referenceType: text(3) })).optional(),
        parties: z.strictObject({
          consignor: z.strictObject({
            issuerCode: z.enum(['Z11', 'Z12', 'Z13', 'Z14']),
            partyIdentification: Identification,
            party: Party,
          }),
          consignee: z.strictObject({ party: Party }),
          deliveryParty: z.strictObject({ partyIdentification: Identification, party: Party }).optional(),
          returnParty: z.strictObject({ party: Party }).optional(),
        }),
        goodsItem: z
          .array(
            z.strictObject({
              packageTypeCode: z.enum(['PC', 'PE', 'AF', 'OA', 'OF', 'CW', 'BX', 'EN']),
              goodsDescription: text(35).optional(),
              items: z
                .array(
                  z.strictObject({
                    itemIdentification: z.strictObject({
                      itemId: text(35),
                      itemIdType: z.enum(['SSCC', 'S10', 'DPD', 'OTHER', 'CUSTOMER']),
                    }),
                    grossWeight: Weight,
                    dimensions: z.strictObject({ height: Length, width: Length, length: Length }).optional(),
                  }),
                )
                .min(1)
                .max(200),
            }),
          )
          .min(1)
          .max(200),
        customsInvoice: CustomsInvoice.optional(),
      }),
    )
    .min(1)
    .max(200),
})
const Ids = z.array(z.strictObject({ id: text(35), labelType: z.enum(['standard', 'small', 'ste']).optional() })).min(1)

const Pickups = z
  .array(z.strictObject({ itemId: text(35), earliestPickupDate: z.iso.datetime(), latestPickupDate: z.iso.datetime() }))
  .min(1)

const paperSizes = ['A4', 'A5', 'A6', 'LETTER', 'LABEL']
const sections = ['ALL', 'onlyLabels', 'onlyCustomsDeclarations', 'labelsAndCustomsDeclarations']
const services: Readonly<Record<string, readonly string[]>> = {
  Z11: ['17', '18', '19', '20', '24', '30'],
  Z12: ['17', '18', '19', '20', '24', '30'],
  Z13: ['17', '18', '19', '24', '30', '32'],
  Z14: ['17', '18', '19', '24'],
}
/** Services by issuer that take the notices A3 and A4. */
const noticed = ['Z11-17', 'Z11-18', 'Z11-19', 'Z11-30', 'Z12-18', 'Z12-19', 'Z13-18', 'Z13-19', 'Z13-32', 'Z14-19']

interface FakeParcel {
  reference: string
  number: string
  print_id: string
  service: string
  additional: readonly string[]
  point: string | null
  invoice: string | null
  test: boolean
}

export interface FakePostnord {
  server: FakeCourierServer
  parcels: FakeParcel[]
  pickups: z.infer<typeof Pickups>[]
  /** What becomes of papers: those inside the answer, and those that are asked for by number. */
  labels: 'all' | 'by_id' | 'none'
  customsPapers: boolean
  /** Whether tracking has taken up the bookings. */
  tracked: boolean
  /** Put in the place of the reference that was sent. */
  crossed: string | null
  close(): Promise<void>
}

export const postnordAccount = { apikey: '0123456789abcdef0123456789abcdef', customer_no: '1234567890', issuer: 'Z11' }

export async function openFakePostnord(): Promise<FakePostnord> {
  let next = 1
  const fake: FakePostnord = {
    server: await openFakeCourier(answer, request => isBooking(request) || isPickup(request)),
    parcels: [],
    pickups: [],
    labels: 'all',
    customsPapers: true,
    tracked: true,
    crossed: null,
    close: () => fake.server.close(),
  }

  const fault = (faultCode: string, explanationText: string, param = '') => ({
    message: 'The request was not accepted',
    compositeFault: { faults: [{ faultCode, explanationText, paramValues: param ? [{ param, value: '' }] : [] }] },
  })

  function answer(request: FakeRequest): FakeReply {
    const { path, query, method } = request
    if (query.get('apikey') !== postnordAccount.apikey)
      return { status: 403, body: { error: { status_code: 403, error_type: 'Forbidden', message: 'Invalid API Key' } } }
    if (isBooking(request)) return book(request)
    if (isPickup(request)) return collect(request)
    const print = /^\/rest\/shipment\/v3\/labels\/ids\/(pdf|zpl)$/.exec(path)
    if (print && method === 'POST') return labelsOf(request, print[1] === 'zpl' ? 'ZPL' : 'PDF')
    if (path === '/rest/shipment/v3/edi/labels/manage/health') return { body: { status: 'UP', detailChecks: [] } }
    if (path.startsWith('/rest/businesslocation/v5/servicepoints/')) return servicePoints(path.slice(40), query)
    if (path === '/rest/shipment/v5/trackandtrace/findByReference.json')
      return tracking(one => query.get('customerNumber') === postnordAccount.customer_no && one.reference === query.get('referenceValue'))
    if (path === '/rest/shipment/v5/trackandtrace/findByIdentifier.json') return tracking(one => one.number === query.get('id'))
    return { status: 404, body: fault('API-404', 'Not found') }
  }

  const failed = (explanation: object): FakeReply => ({
    body: { bookingResponse: { bookingId: 'B1', idInformation: [{ status: 'FAIL', ids: null, errorResponse: explanation }] } },
  })

  function book({ body, query, path }: FakeRequest): FakeReply {
    if (!paperSizes.includes(query.get('paperSize') ?? 'A4')) return { status: 400, body: fault('API-006', 'Wrong value', 'paperSize') }
    const section = query.get('definePrintout') ?? 'ALL'
    if (!sections.includes(section)) return { status: 400, body: fault('API-006', 'Wrong value', 'definePrintout') }
    const read = Instruction.safeParse(body)
    if (!read.success) return { status: 400, body: fault('MANDATORY_FIELDS_MISSING', z.prettifyError(read.error)) }
    const [shipment, ...more] = read.data.shipment
    if (!shipment || more.length > 0 || read.data.updateIndicator !== 'Original')
      return { status: 400, body: fault('API-007', 'Only new shipments, one at a time') }
    const { parties, service, goodsItem, references, customsInvoice } = shipment
    const { issuerCode, partyIdentification } = parties.consignor
    const { basicServiceCode: code, additionalServiceCode: additional = [] } = service
    if (partyIdentification.partyId !== postnordAccount.customer_no) return failed(fault('CUSTOMER', 'The customer number is not known'))
    if (!services[issuerCode]?.includes(code)) return failed(fault('SERVICE', 'The service is not offered', 'basicServiceCode'))
    if (path.includes('/returns/') !== (code === '24')) return failed(fault('SERVICE', 'The service is no return', 'basicServiceCode'))
    const { contact, address } = parties.consignee.party
    if (additional.includes('A3') && !contact?.smsNo) return failed(fault('CONTACT', 'SMS notification needs smsNo'))
    if (additional.includes('A4') && !contact?.emailAddress) return failed(fault('CONTACT', 'Email notification needs emailAddress'))
    const unnoticed = !noticed.includes(`${issuerCode}-${code}`) || ['FO', 'GL', 'IS'].includes(address.countryCode)
    if (additional.some(one => one === 'A3' || one === 'A4') && unnoticed)
      return failed(fault('ADNL', 'The additional service does not fit', 'additionalServiceCode'))
    if (additional.includes('A7') !== (parties.deliveryParty?.partyIdentification.partyIdType === '156'))
      return failed(fault('A7', 'A7 and the delivery party belong together', 'additionalServiceCode'))
    if (address.countryCode === 'DK' && !/^\d{4}$/.test(address.postalCode))
      return failed(fault('POSTCODE', `Postal code ${address.postalCode} is not valid`))
    if (address.countryCode === 'SE' && !/^\d{5}$/.test(address.postalCode)) return failed(fault('POSTCODE', 'Postal code is not valid'))
    const items = goodsItem.flatMap(one => one.items)
    if (items.some(one => one.itemIdentification.itemId !== '0')) return failed(fault('ITEM', 'Unable to determine the id'))
    if (shipment.numberOfPackages.value !== items.length) return failed(fault('ITEM', 'The number of packages is not that of the items'))
    if (items.some(one => one.grossWeight.value <= 0)) return failed(fault('WEIGHT', 'The weight is required', 'grossWeight'))
    if (customsInvoice) {
      const sum = customsInvoice.detailedDescription.reduce((total, one) => total + one.itemValue.amount, 0)
      if (Math.abs(sum - customsInvoice.invoiceTotal.amount) > 0.001) return failed(fault('INVOICE', 'The total is not that of the lines'))
    }
    const booked = items.map(
      (): FakeParcel => ({
        reference: references?.[0]?.referenceNo ?? '',
        number: `0037350045454${String(next).padStart(7, '0')}`,
        print_id: `p${String(next++).padStart(31, '0')}`,
        service: code,
        additional,
        point: parties.deliveryParty?.partyIdentification.partyId ?? null,
        invoice: customsInvoice?.type ?? null,
        test: read.data.testIndicator ?? false,
      }),
    )
    fake.parcels.push(...booked)
    const [parcel] = booked
    if (!parcel) return failed(fault('ITEM', 'There is no item'))
    return {
      body: {
        bookingResponse: {
          bookingId: `B${next}`,
          idInformation: [
            {
              status: 'OK',
              references: { shipment: [{ referenceNo: fake.crossed ?? parcel.reference, referenceType: 'CU' }] },
              ids: [
                ...booked.map(({ number, print_id }) => ({ idType: 'itemId', value: number, printId: print_id })),
                { idType: 'shipmentId', value: `70${parcel.number}`, printId: 'x' },
              ],
              urls: [{ type: 'TRACKING', url: `https://tracking.postnord.com/dk/?id=${parcel.number}` }],
            },
          ],
        },
        ...(fake.labels === 'all' && { labelPrintout: booked.map(one => printout(one, 'PDF', section)) }),
      },
    }
  }

  /** Answered for each parcel: one that is not booked here fails. */
  function collect({ body }: FakeRequest): FakeReply {
    const read = Pickups.safeParse(body)
    if (!read.success) return { status: 400, body: fault('MANDATORY_FIELDS_MISSING', z.prettifyError(read.error)) }
    const late = read.data.find(one => one.latestPickupDate <= one.earliestPickupDate)
    if (late) return { status: 400, body: fault('API-006', 'Wrong value', 'latestPickupDate') }
    const known = (id: string) => fake.parcels.some(one => one.number === id)
    const taken = read.data.filter(one => known(one.itemId))
    if (taken.length > 0) fake.pickups.push(taken)
    const bookingId = `PU${fake.pickups.length}`
    return {
      status: 201,
      body: {
        bookingId,
        idInformation: read.data.map(({ itemId }) =>
          known(itemId)
            ? { status: 'OK', ids: [{ idType: 'itemId', value: itemId }] }
            : { status: 'FAIL', ids: null, errorResponse: fault('API-404', `The item ${itemId} is not known`, 'itemId') },
        ),
      },
    }
  }

  function labelsOf({ body, query }: FakeRequest, format: 'PDF' | 'ZPL'): FakeReply {
    const read = Ids.safeParse(body)
    const section = query.get('definePrintout') ?? 'ALL'
    if (!read.success || !sections.includes(section)) return { status: 400, body: fault('API-005', 'Missing parameter', 'id') }
    const parcel = fake.parcels.find(one => read.data.some(({ id }) => id === one.number || id === one.print_id))
    if (!parcel) return { status: 404, body: fault('API-404', 'The id is not known', 'id') }
    if (fake.labels === 'none') return { status: 500 }
    if (section === 'onlyCustomsDeclarations' && (!fake.customsPapers || !parcel.invoice)) return { body: [] }
    return { body: [printout(parcel, format, section)] }
  }

  const printout = ({ number, print_id }: FakeParcel, format: 'PDF' | 'ZPL', section: string) => ({
    itemIds: [{ itemIds: number, printId: print_id, status: 'OK' }],
    printout:
      format === 'PDF'
        ? { type: 'LABEL', labelFormat: 'PDF', encoding: 'base64', data: Buffer.from(fakePdf(`${section} ${number}`)).toString('base64') }
        : { type: 'LABEL', labelFormat: 'ZPL', data: `^XA^FD${number} Ø^FS^XZ` },
  })

  function servicePoints(path: string, query: URLSearchParams): FakeReply {
    const wrong = (param: string) => ({
      status: 400,
      body: { servicePointInformationResponse: fault('API-005', 'Missing parameter', param) },
    })
    const country = query.get('countryCode') ?? ''
    const postcode = query.get('postalCode') ?? ''
    if (query.get('returnType') !== 'json') return wrong('returnType')
    if (!/^[A-Z]{2}$/.test(country)) return wrong('countryCode')
    if (!postcode || postcode.includes(' ')) return wrong('postalCode')
    if (path === 'bypostalcode' && !['SE', 'NO', 'FI'].includes(country)) return wrong('countryCode')
    if (!['DK', 'SE', 'NO', 'FI'].includes(country) && !query.get('agreementCountry')) return wrong('agreementCountry')
    const address = { countryCode: country, city: 'Solna', streetName: 'Torget', streetNumber: '1', postalCode: postcode }
    const hours = (openDay: string, openTime: string, closeTime: string) => ({ openDay, openTime, closeDay: openDay, closeTime })
    const point = {
      servicePointId: '020001',
      name: path === 'bypostalcode' ? 'Default point' : 'Kiosk',
      routeDistance: 1017,
      visitingAddress: address,
      deliveryAddress: { ...address, streetName: 'Terminalen' },
      openingHours: { postalServices: [hours('SATURDAY', '09:00', '14:00'), hours('MONDAY', '07:00', '22:00')] },
    }
    const unknown = path === 'nearest/byaddress' && query.get('streetName') === 'Nowhere'
    return { body: { servicePointInformationResponse: { servicePoints: unknown ? [] : [point] } } }
  }

  function tracking(asked: (parcel: FakeParcel) => boolean): FakeReply {
    const found = fake.tracked ? fake.parcels.filter(asked) : []
    const event = (status: string, eventTime: string, countryCode: string, city: string) => ({
      eventTime,
      eventCode: '1',
      status,
      eventDescription: `At ${city}`,
      location: { name: `${city} terminal`, city, countryCode, locationType: 'DEPOT' },
    })
    const events = [
      event('INFORMED', '2026-11-16T10:00:00Z', 'DK', 'Odense'),
      event('EN_ROUTE', '2026-11-16T18:00:00', 'DK', 'Odense'),
      event('AVAILABLE_FOR_DELIVERY', '2026-11-17T09:30:00', 'FI', 'Turku'),
      event('OTHER', '2026-11-17T12:00:00+02:00', 'FI', 'Turku'),
      event('DELIVERED', '2026-11-17T15:00:00+0200', 'FI', 'Turku'),
    ]
    return {
      body: {
        TrackingInformationResponse: {
          shipments: found.map(one => ({ shipmentId: `70${one.number}`, status: 'DELIVERED', items: [{ itemId: one.number, events }] })),
        },
      },
    }
  }

  return fake
}

const isPickup = ({ method, path }: FakeRequest) => method === 'POST' && path === '/rest/shipment/v3/pickups/ids'
const isBooking = ({ method, path }: FakeRequest) => method === 'POST' && path.endsWith('/edi/labels/pdf')
