/** Invented parties, labels and bookings for the tests of labels and couriers. */

import * as fc from 'fast-check'
import type { Party } from '#domain/party.ts'
import type { BookingRequest, ParcelRequest } from '#integrations/couriers/courier.ts'
import type { Label } from '#integrations/labels/label-layout.ts'

export function sampleParty(given: Partial<Party> = {}): Party {
  return {
    name: 'Åse Bjørn Sørensen',
    company: null,
    attention: null,
    address1: 'Nørrebrogade 112, 3. tv',
    address2: null,
    postcode: '2200',
    city: 'København N',
    country: 'DK',
    phone: '+45 34 41 23 45',
    email: null,
    instruction: null,
    ...given,
  }
}

export function sampleLabel(given: Partial<Label> = {}): Label {
  return {
    title: 'Label 095287654321012346',
    from: 'From',
    sender: sampleParty({
      name: 'Havnens Ting',
      company: 'Havnens Ting ApS',
      address1: 'Kajgade 4',
      postcode: '2100',
      city: 'København Ø',
    }),
    to: 'To',
    receiver: sampleParty(),
    country: null,
    headline: { caption: 'Route', text: 'Nørrebro' },
    mark: { caption: 'Cage', text: 'B7' },
    order: { caption: 'Order', text: '100023' },
    reference: { caption: 'Ref.', text: 'PKH-100023-1' },
    facts: [
      { caption: 'Parcel', text: '1 / 3' },
      { caption: 'Weight', text: '2.4 kg' },
      { caption: 'Service', text: 'Own delivery' },
      { caption: 'Cut-off', text: '15:30' },
    ],
    tracking_url: 'https://demo.pakhus.example/tracking?t=Zm9yIHRyeWluZyB0aGUgcHJvZHVjdA',
    barcode: { data: '00095287654321012346', gs1: true, text: '(00) 095 287 654 321 012 346' },
    ...given,
  }
}

export interface SampleBooking extends Partial<Omit<BookingRequest, 'parties' | 'parcels'>> {
  parties?: Partial<BookingRequest['parties']>
  /** Of its one parcel. */
  parcel?: Partial<ParcelRequest>
}

export function sampleBooking({ parties: other, parcel, ...given }: SampleBooking = {}): BookingRequest {
  return {
    idempotency_key: 'b1b2c3',
    reference: 'PKH-100023-1',
    operation: 'outbound',
    method: 'van',
    services: [],
    order_no: '100023',
    ship_date: '2026-11-16',
    parties: { sender: sampleLabel().sender, recipient: sampleParty(), return_to: null, importer: null, payer: null, ...other },
    service_point: null,
    parcels: [
      {
        parcel_no: 1,
        parcel_count: 3,
        reserved_number: '095287654321012346',
        weight_g: 2400,
        size_mm: null,
        crate: null,
        lines: [],
        ...parcel,
      },
    ],
    customs: null,
    label: { format: 'pdf' },
    locale: 'da_DK',
    pickup: null,
    tracking_url: 'https://demo.pakhus.example/tracking?t=Zm9yIHRyeWluZyB0aGUgcHJvZHVjdA',
    settings: { routes: 'Nørrebro; 2100-2200, 2400; B7; 15:30' },
    ...given,
  }
}

/** What shops, customers and attackers write into an address. */
export const hostileTexts = [
  '^XA^FO0,0^GFA,1,1,1,FF^XZ',
  '~JA ~HS',
  '_5EXZ',
  '\\) Tj ET endstream endobj (',
  '((((((',
  '))))))',
  '\\',
  '%PDF-1.4\nstartxref\n0\n%%EOF',
  'Å'.repeat(300),
  'W'.repeat(300),
  'long words and '.repeat(40),
  'שלום עולם',
  'مرحبا بالعالم',
  '\u202eevil\u202c',
  '😀 Anna 👩‍👩‍👧‍👦',
  'Anna\u0000Berg',
  'Anna\r\nBerg\t\u0007',
  '\ud800',
  'Krzyżanowska-Łukaszewicz',
  'Žofie Dvořáková',
  'Straße',
  'Nguyễn Thị Ánh Tuyết',
  'Александр Щукин',
  '>;>8>0',
  '',
]

const ordinary = fc.constantFrom(
  'Åse',
  'Jørgen',
  'Müller-Lüdenscheidt',
  'Łucja',
  'Dvořák',
  'af',
  'von',
  'Hansen',
  'Vestergade',
  '12 B',
  '3. tv.',
  'c/o',
  '1/2',
  'Gamle',
  'Sankt',
  'Øster-Farimagsgade',
)
const written = fc.oneof(
  { weight: 6, arbitrary: fc.array(ordinary, { minLength: 1, maxLength: 5 }).map(words => words.join(' ')) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) },
)
const perhaps = fc.option(written, { nil: null })

export const parties: fc.Arbitrary<Party> = fc.record({
  name: written,
  company: perhaps,
  attention: perhaps,
  address1: written,
  address2: perhaps,
  postcode: fc.oneof(fc.stringMatching(/^\d{4}$/), fc.constantFrom('10623', '1071 AA', 'SW1A 1AA', '00-950', 'LV-1001')),
  city: written,
  country: fc.constantFrom('DK', 'SE', 'NO', 'DE', 'PL', 'GB'),
  phone: fc.option(fc.constantFrom('+45 34 41 23 45', '070-123 45 67'), { nil: null }),
  email: fc.constant(null),
  instruction: perhaps,
})
