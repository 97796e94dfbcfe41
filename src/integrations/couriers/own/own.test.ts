/** The built-in courier, through the courier interface. */

import { describe, expect, it } from 'vitest'
import { isSscc } from '#domain/gs1.ts'
import { readLabel, readText } from '#test/label-reader.ts'
import { type SampleBooking, sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from '../capabilities.ts'
import { type Booking, CourierRefused } from '../courier.ts'
import { courier, couriers } from '../couriers.ts'
import { own, ownNumber } from './own.ts'

const never = new AbortController().signal
/** The one parcel of a booking with its three labels. */
const bookedParcel = ({ parcels: [parcel] }: Booking) => {
  if (!parcel?.ok) throw new Error('The parcel was refused')
  const label = (format: 'pdf' | 'zpl', paper: 'label' | 'a4') =>
    parcel.documents.find(one => one.kind === 'label' && one.format === format && one.paper === paper)!.bytes
  return { ...parcel, labels: { pdf: label('pdf', 'label'), a4: label('pdf', 'a4'), zpl: label('zpl', 'label') } }
}
const book = (given: SampleBooking = {}) => own.book(sampleBooking(given), never)
const wordsOf = async (given: SampleBooking = {}) => (await readText(bookedParcel(await book(given)).labels.pdf)).join('\n')
const findingsOf = (given: SampleBooking) => {
  const request = sampleBooking(given)
  return [...capabilityFindings(own.capabilities, request), ...own.validate(request)]
}
const sentences = (given: SampleBooking) => findingsOf(given).map(({ severity, field, text }) => `${severity} ${field}: ${text}`)

describe('the list of couriers', () => {
  it('finds own by its agent code, and no unknown code', () => {
    expect(courier('own')).toBe(own)
    expect(courier('__proto__')).toBeUndefined()
    expect(couriers.keys().next().value).toBe('own')
  })
})

describe('an own parcel number', () => {
  it('is an SSCC under the company’s prefix, or OWN and ten digits without one', () => {
    expect(ownNumber({ gs1_prefix: '9528765', company_id: 7, serial: 432101234 })).toBe('095287654321012346')
    expect(ownNumber({ gs1_prefix: null, company_id: 7, serial: 123 })).toBe('OWN70000000123')
    expect(isSscc(ownNumber({ gs1_prefix: '5712345678', company_id: 7, serial: 999_999 }))).toBe(true)
  })

  it('increments the extension digit when the serials are used up, and never repeats', () => {
    expect(ownNumber({ gs1_prefix: '5712345678', company_id: 7, serial: 1_000_000 })).toMatch(/^15712345678000000\d$/)
    const seen = new Set(Array.from({ length: 50 }, (_, i) => ownNumber({ gs1_prefix: '5712345678', company_id: 7, serial: 999_975 + i })))
    expect(seen.size).toBe(50)
  })

  it('rejects a used-up series and a missing prefix', () => {
    expect(() => ownNumber({ gs1_prefix: '5712345678', company_id: 7, serial: 10_000_000 })).toThrow(
      'The number series under the GS1 prefix 5712345678 is used up',
    )
    expect(() => ownNumber({ gs1_prefix: '12', company_id: 7, serial: 1 })).toThrow('7 to 10 digits')
    expect(() => ownNumber({ gs1_prefix: null, company_id: 7, serial: -1 })).toThrow('whole number')
  })
})

describe('booking', () => {
  it('returns number, barcode and three labels whose codes decode', async () => {
    const booking = bookedParcel(await book())
    expect(booking).toMatchObject({ tracking_no: '095287654321012346', barcode: '00095287654321012346' })
    for (const format of ['pdf', 'a4'] as const) {
      const codes = await readLabel(booking.labels[format])
      expect(codes).toContainEqual({ text: booking.barcode, format: 'Code128', symbology: ']C1' })
      expect(codes.map(code => code.text)).toContain(sampleBooking().tracking_url)
    }
    expect(Buffer.from(booking.labels.zpl).toString()).toContain('^FD(00)095287654321012346^FS')
  })

  it('prints a plain number as Code 128', async () => {
    const booking = bookedParcel(await book({ parcel: { reserved_number: 'OWN0000000123' }, tracking_url: null }))
    expect(booking).toMatchObject({ tracking_no: 'OWN0000000123', barcode: 'OWN0000000123' })
    expect(await readLabel(booking.labels.pdf)).toEqual([{ text: 'OWN0000000123', format: 'Code128', symbology: ']C0' }])
  })

  it('prints route, cage and cut-off for the postcode', async () => {
    const words = await wordsOf()
    for (const word of ['Nørrebro', 'B7', '15:30', 'Own delivery', '1 / 3', '2.4 kg', '100023', 'PKH-100023-1', 'Åse Bjørn Sørensen'])
      expect(words).toContain(word)
  })

  it('prints the shipping method large where no route covers the postcode', async () => {
    expect(await wordsOf({ parties: { recipient: sampleParty({ postcode: '9000', city: 'Aalborg' }) } })).not.toContain('Nørrebro\n')
    const words = await wordsOf({
      method: 'pickup',
      service_point: { id: 'Counter 2', name: '', address1: '', postcode: '', city: '', country: 'DK' },
    })
    expect(words).toContain('Collect in shop')
    expect(words).toContain('Counter 2')
    expect(words).not.toContain('B7')
  })

  it('uses the language of the settings and names a foreign country', async () => {
    const words = await wordsOf({
      settings: { label_language: 'de' },
      parties: { recipient: sampleParty({ country: 'SE', postcode: '211 22', city: 'Malmö' }) },
      parcel: { weight_g: 12_345 },
    })
    for (const word of ['Eigene Zustellung', 'Gewicht', '12,345 kg', 'Schweden', '211 22']) expect(words).toContain(word)
    expect(await wordsOf({ settings: { label_language: 'constructor' } })).toContain('Own delivery')
  })

  it('is the same for the same request, and when looked up by reference', async () => {
    const first = await book()
    expect(await book()).toEqual(first)
    expect(await own.find(sampleBooking(), never)).toEqual(first)
  })

  it('keeps settings and the tracking link out of the exchange', async () => {
    const { exchange } = await book({ settings: { key: 'hidden' } })
    expect(JSON.stringify(exchange)).not.toMatch(/hidden|tracking\?t=/)
    expect(exchange).toMatchObject({ request: { order_no: '100023' }, response: { tracking_no: '095287654321012346' } })
  })

  it.each<[SampleBooking, string, string | null]>([
    [{ parcel: { reserved_number: null } }, 'No parcel number was reserved', null],
    [{ parcel: { reserved_number: '095287654321012345' } }, '095287654321012345 is not a parcel number of ours', null],
    [{ method: 'rocket' }, 'Own delivery has no shipping method rocket', 'shipping_method'],
    [{ parties: { recipient: sampleParty({ name: ' ' }) } }, 'The recipient has no name', 'recipient.name'],
    [{ parcel: { weight_g: 100_001 } }, 'The parcel weighs 100.001 kg; Own delivery takes 100 kg at most', 'parcels.0.weight_g'],
  ])('refuses %j in a sentence', async (given, sentence, field) => {
    const refusal = await book(given).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(CourierRefused)
    expect(refusal).toMatchObject({ message: sentence, field })
  })
})

describe('validation', () => {
  it('finds nothing wrong with an ordinary parcel', () => {
    expect(sentences({})).toEqual([])
    expect(sentences({ settings: {}, parties: { recipient: sampleParty({ postcode: '9000' }) } })).toEqual([])
  })

  it.each<[SampleBooking, string]>([
    [{ parties: { recipient: sampleParty({ address1: '' }) } }, 'error recipient.address1: The recipient has no address'],
    [{ parties: { recipient: sampleParty({ city: '' }) } }, 'error recipient.city: The recipient has no city'],
    [
      { parties: { recipient: sampleParty({ country: 'Denmark' }) } },
      'error recipient.country: The country {{country}} is not a code of two letters',
    ],
    [{ parties: { sender: sampleParty({ name: '', company: '' }) } }, 'error sender.name: The sender has no name'],
    [{ parties: { sender: sampleParty({ address1: '' }) } }, 'error sender.address1: The sender has no address'],
    [{ parcel: { weight_g: -1 } }, 'error parcels.0.weight_g: The weight must be a whole number of grams'],
    [{ parcel: { weight_g: Number.NaN } }, 'error parcels.0.weight_g: The weight must be a whole number of grams'],
    [{ parcel: { parcel_no: 4 } }, 'error parcels.0.parcel_no: There is no parcel {{parcel_no}} of {{parcel_count}}'],
    [
      { parties: { recipient: sampleParty({ postcode: '22000' }) } },
      'warning recipient.postcode: The postcode {{postcode}} does not look like one of {{country}}',
    ],
    [{ parties: { recipient: sampleParty({ postcode: '' }) } }, 'warning recipient.postcode: The postcode is missing'],
    [
      { parties: { recipient: sampleParty({ postcode: '9000' }) } },
      'warning recipient.postcode: No route covers the postcode {{postcode}}',
    ],
    [
      { parties: { recipient: sampleParty({ name: 'Anna שלום' }) } },
      'warning recipient.name: The label cannot show these letters: {{letters}}',
    ],
    [{ settings: { routes: 'x' } }, 'warning routes: Line {{line}}: write name; postcodes; cage; cut-off'],
  ])('finds %j', (given, sentence) => {
    expect(sentences(given)).toContain(sentence)
  })

  it('has a value for every placeholder of every sentence', () => {
    const findings = findingsOf({
      method: 'x',
      parcel: { weight_g: 1e9, parcel_no: 0 },
      parties: { recipient: sampleParty({ name: 'ש', postcode: '1', country: 'dk' }) },
      settings: { routes: 'x' },
    })
    for (const { text, values = {} } of findings) {
      for (const [, place] of text.matchAll(/\{(\w+)\}/g)) expect(values, text).toHaveProperty(place!)
    }
  })

  it('requires no address for a parcel that is collected', () => {
    expect(sentences({ method: 'pickup', parties: { recipient: sampleParty({ address1: '', city: '', postcode: '' }) } })).toEqual([])
  })

  it('checks the routes before they are saved', () => {
    expect(own.checkSettings!({ routes: 'a;2100;B7;15:30' })).toEqual([])
    expect(own.checkSettings!({ routes: 'a;2100' })).toMatchObject([{ field: 'routes', severity: 'error', values: { line: 1 } }])
  })
})

describe('the limits of the built-in courier', () => {
  it('cancels at once, and has no events and no parcel shops', async () => {
    expect(await own.cancel({ tracking_no: 'OWN0000000123', settings: {} }, never)).toEqual({
      cancelled: true,
      cancelled_at_carrier: true,
      refunded: true,
    })
    expect(await own.track({ tracking_no: 'OWN0000000123', settings: {} }, never)).toEqual([])
    expect(await own.parcelShops({ country: 'DK', postcode: '2200', address: null, settings: {} }, never)).toEqual([])
  })
})
