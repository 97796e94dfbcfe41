/** Budbee's API on the loopback, after developer.budbee.com. Holds its own books. The sentences of errors are invented. */
import * as z from 'zod'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const text = z.string().trim().min(1)
const Order = z.strictObject({
  collectionId: z.number().int(),
  cart: z.strictObject({ cartId: text }),
  delivery: z.strictObject({
    name: text,
    referencePerson: text.optional(),
    telephoneNumber: text,
    email: z.email(),
    outsideDoor: z.boolean(),
    additionalInfo: text.optional(),
    address: z.strictObject({
      street: text,
      street2: text.optional(),
      postalCode: z.string().regex(/^[0-9A-Z]{4,7}$/),
      city: text,
      country: z.string().regex(/^[A-Z]{2}$/),
    }),
  }),
  productCodes: z.tuple([z.literal('DLVBOX')]).optional(),
  boxDelivery: z.strictObject({ selectedBox: text }).optional(),
  parcels: z
    .array(
      z.strictObject({
        shipmentId: z.string(),
        packageId: z.literal(''),
        dimensions: z
          .strictObject({
            width: z.number().int().positive().optional(),
            height: z.number().int().positive().optional(),
            length: z.number().int().positive().optional(),
            weight: z.number().int().positive().optional(),
          })
          .optional(),
      }),
    )
    .min(1),
  additionalServices: z
    .strictObject({
      identificationCheckRequired: z.boolean().optional(),
      recipientMinimumAge: z.number().int().optional(),
      recipientMustMatchEndCustomer: z.boolean().optional(),
    })
    .optional(),
  requireSignature: z.boolean(),
})

interface FakeParcel {
  reference: string
  order: string
  number: string
  body: z.infer<typeof Order>
  collected: boolean
  cancelled: boolean
}

export interface FakeBudbee {
  server: FakeCourierServer
  parcels: FakeParcel[]
  /** The label cannot be fetched. */
  withoutLabels: boolean
  /** Where labels lie; by default another path of this host. */
  storage: string | null
  /** The name of the label's link in an answer. */
  linkName: 'label' | 'labelUrl'
  /** Orders are booked without their parcels. */
  withoutParcels: boolean
  close(): Promise<void>
}

export const budbeeAccount = { key: 'key-of-a-shop', secret: 'secret-of-a-shop', collection_id: '4711' }

const authorization = `Basic ${Buffer.from(`${budbeeAccount.key}:${budbeeAccount.secret}`).toString('base64')}`
const boxes = ['BOX0001', 'BOX0002']
/** With letters that are not the same when they are encoded anew. */
const labelSignature = 'q+8/Zm9v%3D='
const refused = (status: number, message: string): FakeReply => ({ status, body: { message } })

export async function openFakeBudbee(): Promise<FakeBudbee> {
  let next = 1
  const fake: FakeBudbee = {
    server: await openFakeCourier(answer, changes),
    parcels: [],
    withoutLabels: false,
    storage: null,
    linkName: 'label',
    withoutParcels: false,
    close: () => fake.server.close(),
  }

  function answer(request: FakeRequest, server: FakeCourierServer): FakeReply {
    const { method, path, query, headers } = request
    if (path.startsWith('/labels/')) {
      if (fake.withoutLabels) return { status: 500 }
      if (query.get('signature') !== labelSignature) return refused(403, 'The signature is wrong')
      return { headers: { 'content-type': 'application/pdf' }, body: fakePdf(path) }
    }
    if (headers.authorization !== authorization) return { status: 401 }
    const [, postcodes, country = '', postcode = ''] =
      /^\/(postalcodes|boxes\/postalcodes)\/validate\/([A-Z]{2})\/([^/]+)$/.exec(path) ?? []
    const order = /^\/multiple\/orders\/([^/]+)$/.exec(path)?.[1]
    const called =
      method === 'GET' && postcodes === 'postalcodes'
        ? { resource: 'postalcodes-v2', reply: () => covered(postcode) }
        : method === 'GET' && postcodes
          ? { resource: 'boxes-v1', reply: () => lockers(country, postcode) }
          : method === 'POST' && path === '/multiple/orders'
            ? { resource: 'multiple.orders-v2', reply: () => book(request, server) }
            : method === 'DELETE' && order
              ? { resource: 'multiple.orders-v1', reply: () => cancel(decodeURIComponent(order)) }
              : null
    if (!called) return { status: 404 }
    const mediaType = `application/vnd.budbee.${called.resource}+json`
    if (headers['content-type'] !== mediaType || headers.accept !== mediaType) return refused(400, `The version ${mediaType} is missing`)
    return called.reply()
  }

  function covered(postcode: string): FakeReply {
    if (postcode === '99999') return refused(403, 'The postal code is not allowed')
    return /^(11453|11247|22\d\d|1012AB)$/.test(postcode) ? { body: [{ id: 4711 }] } : refused(404, 'Postal code is not covered')
  }

  function book({ body }: FakeRequest, server: FakeCourierServer): FakeReply {
    const read = Order.safeParse(body)
    if (!read.success) return refused(400, `Unreadable request: ${z.prettifyError(read.error)}`)
    const { collectionId, delivery, productCodes, boxDelivery, parcels } = read.data
    if (String(collectionId) !== budbeeAccount.collection_id) return refused(403, 'Unknown collection point')
    if (Boolean(productCodes) !== Boolean(boxDelivery)) return refused(403, 'DLVBOX needs a selected box')
    if (boxDelivery && !boxes.includes(boxDelivery.selectedBox)) return refused(403, 'The selected box is not available')
    if (!/^\+\d{8,15}$/.test(delivery.telephoneNumber)) return refused(422, 'telephoneNumber cannot be parsed')
    const order = `9f0c${next}`
    const booked = parcels.map(({ shipmentId }) => {
      const number = `BUDBEE${String(next++).padStart(9, '0')}`
      fake.parcels.push({ reference: shipmentId, order, number, body: read.data, collected: false, cancelled: false })
      const link = fake.storage ?? `${server.url}/labels/${number}.pdf?expires=1764192000&signature=${encodeURIComponent(labelSignature)}`
      return { id: next, shipmentId, packageId: number, [fake.linkName]: link }
    })
    return { body: { id: order, token: `t${order}`, cart: read.data.cart, parcels: fake.withoutParcels ? [] : booked } }
  }

  function cancel(order: string): FakeReply {
    const parcel = fake.parcels.find(one => one.order === order && !one.cancelled)
    if (!parcel) return refused(404, 'No such order')
    if (parcel.collected) return refused(403, 'The order is under way')
    parcel.cancelled = true
    return { status: 204 }
  }

  function lockers(country: string, postcode: string): FakeReply {
    if (postcode === '99999') return refused(403, 'The postal code is not allowed')
    if (postcode !== '11247') return refused(404, 'No lockers')
    const hour = (day: string, time: string) => ({ day, time })
    const locker = (id: string, name: string, distance: number, periods: object[] | null) => ({
      id,
      name,
      address: {
        street: 'Alströmergatan 39',
        postalCode: postcode,
        city: 'Stockholm',
        country,
        coordinate: { latitude: 59.336125, longitude: 18.02859 },
      },
      estimatedDelivery: '2026-11-26T14:00:00Z',
      cutoff: '2026-11-26T09:00:00Z',
      distance,
      directions: '',
      label: name,
      openingHours: periods && { periods, weekdayText: [] },
    })
    return {
      body: {
        lockers: [
          locker('BOX0001', 'Budbee Kontorsbox', 50, [
            { open: hour('FRIDAY', '00:00'), close: null },
            { open: hour('MONDAY', '08:00'), close: hour('MONDAY', '19:00') },
          ]),
          locker('BOX0002', 'Livs', 420, null),
        ],
      },
    }
  }

  return fake
}

const changes = ({ method }: FakeRequest) => method !== 'GET'
