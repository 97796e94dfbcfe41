/** What a courier's capabilities refuse before booking, with a code, a field and a sentence. */

import { describe, expect, it } from 'vitest'
import { interpolate } from '#contract/errors.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from './capabilities.ts'
import { type Capabilities, CourierRefused } from './courier.ts'
import { slowCourier } from './slow.fake.ts'

const wide: Partial<Capabilities> = {
  methods: [
    {
      code: 'shop',
      name: 'Parcel shop',
      service_point: 'required',
      max_weight_g: 20_000,
      countries: ['DK', 'NO'],
      services: [
        {
          code: 'cash',
          name: 'Cash on delivery',
          options: [
            { name: 'amount', type: 'number', required: true },
            { name: 'by', type: 'text', choices: ['card', 'cash'] },
          ],
        },
      ],
    },
  ],
  sizes: { pdf: [100, 150] },
  needs: ['phone', 'email', 'weight', 'size'],
  parties: ['importer'],
  documents: ['label', 'cn23'],
  customs: { numbers: ['voec'], max_lines: 2 },
  pickups: 'with_booking',
}
const courier = slowCourier({ recovery: 'none', offers: wide })
const never = new AbortController().signal

const point = { id: '1', name: 'Kiosk', address1: 'Torvet 1', postcode: '0150', city: 'Oslo', country: 'NO' }
const line = {
  order_line_id: null,
  sku: null,
  description: 'Cap',
  quantity: 1,
  hs_code: null,
  origin: null,
  value: null,
  net_weight_g: null,
}
const customs = { reason: 'sale', terms: 'DAP', numbers: [{ kind: 'voec', value: '2000000' }], documents: ['cn23'] } as const

/** A booking that the courier takes, with everything that it offers. */
const fitting = (given: SampleBooking = {}) =>
  sampleBooking({
    method: 'shop',
    service_point: point,
    services: [{ code: 'cash', options: { amount: 100, by: 'card' } }],
    customs: { ...customs, numbers: [...customs.numbers], documents: [...customs.documents] },
    pickup: { date: '2026-11-17', from: '08:00', to: '12:00' },
    ...given,
    parties: {
      recipient: sampleParty({ country: 'NO', phone: '+4740000000', email: 'a@b.no' }),
      importer: sampleParty(),
      ...given.parties,
    },
    parcel: { size_mm: [300, 200, 100], lines: [line], ...given.parcel },
  })

const codes = (given: SampleBooking) => capabilityFindings(courier.capabilities, fitting(given)).map(({ code, field }) => [code, field])

describe('capabilities', () => {
  it('take a request that uses all of them, and the courier returns each document by its kind', async () => {
    expect(codes({})).toEqual([])
    const booking = await courier.book(fitting(), never)
    expect(booking.parcels).toMatchObject([
      {
        ok: true,
        documents: [
          { kind: 'label', paper: 'label' },
          { kind: 'cn23', paper: 'a4' },
        ],
      },
    ])
  })

  const recipient = sampleParty({ country: 'NO', phone: '+4740000000', email: 'a@b.no' })
  it.each<[string, string, SampleBooking]>([
    ['shipping_method_not_offered', 'shipping_method', { method: 'rocket' }],
    ['label_format_not_offered', 'label.format', { label: { format: 'zpl' } }],
    ['party_not_carried', 'payer', { parties: { payer: sampleParty() } }],
    ['country_code_invalid', 'recipient.country', { parties: { recipient: { ...recipient, country: 'Norway' } } }],
    ['country_not_served', 'recipient.country', { parties: { recipient: { ...recipient, country: 'SE' } } }],
    ['phone_missing', 'recipient.phone', { parties: { recipient: { ...recipient, phone: ' ' } } }],
    ['email_missing', 'recipient.email', { parties: { recipient: { ...recipient, email: null } } }],
    ['service_point_missing', 'service_point', { service_point: null }],
    ['parcel_weight_invalid', 'parcels.0.weight_g', { parcel: { weight_g: 1.5 } }],
    ['parcel_too_heavy', 'parcels.0.weight_g', { parcel: { weight_g: 20_001 } }],
    ['weight_missing', 'parcels.0.weight_g', { parcel: { weight_g: 0 } }],
    ['size_missing', 'parcels.0.size_mm', { parcel: { size_mm: null } }],
    ['parcel_no_invalid', 'parcels.0.parcel_no', { parcel: { parcel_no: 4 } }],
    ['service_not_offered', 'services.0.code', { services: [{ code: 'drone', options: {} }] }],
    ['service_option_unknown', 'services.0.options.tip', { services: [{ code: 'cash', options: { amount: 1, tip: 5 } }] }],
    ['service_option_invalid', 'services.0.options.amount', { services: [{ code: 'cash', options: {} }] }],
    ['service_option_invalid', 'services.0.options.amount', { services: [{ code: 'cash', options: { amount: '100' } }] }],
    ['service_option_invalid', 'services.0.options.by', { services: [{ code: 'cash', options: { amount: 1, by: 'gold' } }] }],
    ['number_not_carried', 'customs.numbers.0.kind', { customs: { ...customs, numbers: [{ kind: 'ioss', value: 'IM1' }], documents: [] } }],
    ['document_not_offered', 'customs.documents.0', { customs: { ...customs, numbers: [], documents: ['invoice'] } }],
    ['too_many_customs_lines', 'parcels', { parcel: { lines: [line, line, line] } }],
  ])('refuse with %s at %s', async (code, field, given) => {
    expect(codes(given)).toContainEqual([code, field])
    await expect(courier.book(fitting(given), never)).rejects.toMatchObject({ code, field })
  })

  it('refuse operation, customs data, pickup and more parcels where a courier offers none of them', async () => {
    const narrow = slowCourier({
      recovery: 'none',
      offers: { ...wide, operations: ['outbound'], customs: null, pickups: 'none' },
    })
    const request = fitting({ operation: 'return' })
    const several = { ...request, parcels: [...request.parcels, ...request.parcels] }
    const found = capabilityFindings(narrow.capabilities, several)
    expect(found.map(finding => finding.code)).toEqual(
      expect.arrayContaining(['operation_not_offered', 'customs_not_offered', 'pickup_not_offered', 'too_many_parcels']),
    )
    for (const { text, values = {} } of found) expect(interpolate(text, values)).not.toContain('{{')
    await expect(narrow.book(several, never)).rejects.toBeInstanceOf(CourierRefused)
    expect(narrow.books).toEqual([])
  })
})
