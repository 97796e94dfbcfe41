/** Requests of every version are read from what is stored of them. */

import { describe, expect, it } from 'vitest'
import { parcelLine } from '#features/shipping/customs/parcel-lines.server.ts'
import { sampleParty } from '#test/label-samples.ts'
import { readStoredRequest, type StoredRequest } from './stored-request.server.ts'

const shipment = {
  idempotency_key: '7-1-outbound-1-1',
  reference: '7-1-outbound-1-1',
  reserved_number: 'OWN70000000001',
  operation_code: 'outbound',
  created_day: '2026-11-20',
} as const
const line = {
  order_line_id: 3,
  sku: 'TEE',
  description: 'T-shirt',
  quantity: 2,
  hs_code: '610910',
  origin: 'PT',
  value: null,
  net_weight_g: 400,
}

describe('a stored request', () => {
  const first = {
    idempotency_key: shipment.idempotency_key,
    reference: shipment.reference,
    reserved_number: shipment.reserved_number,
    order_no: '1001',
    shipping_method: 'van',
    sender: sampleParty({ name: 'Depot' }),
    receiver: sampleParty({ name: 'Lene' }),
    service_point_id: 'Counter 2',
    weight_g: 900,
    parcel_no: 1,
    parcel_count: 2,
    tracking_url: null,
  }

  it('of version 1 is read with its persons inside', () => {
    expect(readStoredRequest({ ...shipment, request: first }, [], [])).toMatchObject({
      reference: shipment.reference,
      operation: 'outbound',
      method: 'van',
      order_no: '1001',
      ship_date: '2026-11-20',
      parties: { sender: { name: 'Depot' }, recipient: { name: 'Lene' }, importer: null },
      service_point: { id: 'Counter 2' },
      parcels: [{ parcel_no: 1, parcel_count: 2, weight_g: 900, reserved_number: 'OWN70000000001', lines: [] }],
      customs: null,
    })
  })

  it('of version 1 is read after its persons have moved into rows', () => {
    const { sender, receiver, ...request } = first
    const parties = [
      { role: 'sender', party: sender },
      { role: 'recipient', party: receiver },
    ]
    expect(readStoredRequest({ ...shipment, request }, parties, [line])).toMatchObject({
      parties: { sender: { name: 'Depot' }, recipient: { name: 'Lene' } },
      parcels: [{ lines: [line] }],
    })
  })

  it('that was erased is read as an empty one', () => {
    expect(readStoredRequest({ ...shipment, request: {} }, [], [])).toMatchObject({ order_no: null, parties: { recipient: { name: '' } } })
  })

  it('of version 2 is read with rows for persons and goods, and without them where they were erased', () => {
    const request: StoredRequest = {
      version: 2,
      method: 'parcel',
      services: [{ code: 'cash', options: { amount: 100 } }],
      order_no: null,
      ship_date: '2026-11-22',
      service_point: null,
      parcel: { parcel_no: 1, parcel_count: 1, weight_g: 500, size_mm: [1, 2, 3], crate: 'A' },
      customs: { reason: 'gift', terms: null, numbers: [], documents: ['cn22'] },
      label: { format: 'zpl' },
      locale: 'da_DK',
      pickup: null,
    }
    const { version: _, parcel, ...kept } = request
    const asked = readStoredRequest({ ...shipment, request }, [{ role: 'importer', party: sampleParty({ name: 'Broker' }) }], [line])
    expect(asked).toMatchObject({
      ...kept,
      parcels: [{ ...parcel, lines: [line] }],
      parties: { sender: { name: '' }, recipient: { name: '', address1: '' }, importer: { name: 'Broker' }, payer: null },
    })
  })
})

describe('the goods of a parcel', () => {
  const packed = {
    order_line_id: 3,
    net_weight_g: null,
    sku: 'TEE',
    name: 'T-shirt, blue, M',
    customs_text: null,
    qty: 1,
    ordered: 3,
    hs_code: '6109.10 00',
    origin: 'PT',
    unit_price_excl_vat: 10_000,
    discount_excl_vat: 1_000,
    currency: 'DKK',
    weight_g: 200,
  }

  it('take their share of the discount, and their tariff number without signs', () => {
    expect(parcelLine(packed)).toEqual({
      order_line_id: 3,
      sku: 'TEE',
      description: 'T-shirt, blue, M',
      quantity: 1,
      hs_code: '61091000',
      origin: 'PT',
      value: { amount: 9_667, currency: 'DKK' },
      net_weight_g: 200,
    })
    expect(parcelLine({ ...packed, qty: 3 }).value).toEqual({ amount: 29_000, currency: 'DKK' })
  })

  it('have no value or weight where none is known, and prefer the text for customs', () => {
    expect(parcelLine({ ...packed, unit_price_excl_vat: null, weight_g: null, hs_code: null, customs_text: 'Cotton shirt' })).toMatchObject(
      {
        value: null,
        net_weight_g: null,
        hs_code: null,
        description: 'Cotton shirt',
      },
    )
  })
})
