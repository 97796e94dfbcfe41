/**
 * What couriers are sent on nine routes, and what their labels carry: stored files, which people read. `GOLDEN=write` writes them anew.
 * Net and gross grams of a piece: tee 200 and 210, cap 72 and 80, jacket 900 and 950, socks 95 and 102; packaging 120 a parcel.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Party } from '#domain/party.ts'
import { courierTable } from '#test/courier-table.ts'
import { sampleBooking, sampleParty } from '#test/label-samples.ts'
import { capabilityFindings } from './capabilities.ts'
import type { BookingRequest, CustomsData, ParcelLine } from './courier.ts'

const goods = {
  TEE: { description: 'T-shirt, knitted cotton', hs_code: '61091000', origin: 'PT', net: 200, gross: 210 },
  CAP: { description: 'Cap, knitted cotton', hs_code: '65050030', origin: 'CN', net: 72, gross: 80 },
  JKT: { description: 'Jacket, polyester', hs_code: '62014010', origin: 'VN', net: 900, gross: 950 },
  SOCK: { description: 'Socks, knitted cotton', hs_code: '61159400', origin: 'PT', net: 95, gross: 102 },
  LAMP: { description: 'Hand lamp with battery', hs_code: '85131000', origin: 'CN', net: 180, gross: 220 },
} as const

/** `amount` in minor units, of the whole line. */
function line(sku: keyof typeof goods, quantity: number, amount: number, currency: string, more: Partial<ParcelLine> = {}): ParcelLine {
  const { net, gross, ...one } = goods[sku]
  const weights = { net_weight_g: net * quantity, gross_weight_g: gross * quantity }
  return { order_line_id: null, sku, quantity, ...one, ...weights, value: { amount, currency }, ...more }
}
const gross = (lines: readonly ParcelLine[]): number => lines.reduce((sum, one) => sum + (one.gross_weight_g ?? 0), 120)

const inDenmark = sampleParty({
  name: 'Havnens Ting ApS',
  address1: 'Kajgade 4',
  postcode: '2100',
  city: 'København Ø',
  phone: '+45 70 10 20 30 00',
})
const at = (country: string, postcode: string, city: string, address1: string, more: Partial<Party> = {}): Party =>
  sampleParty({ name: 'Kari Nordmann', country, postcode, city, address1, phone: '+47 21 34 56 78', email: 'kari@example.com', ...more })
const oslo = at('NO', '0155', 'Oslo', 'Storgata 1')
const sale = (given: Partial<CustomsData> = {}): CustomsData => ({ reason: 'sale', terms: null, numbers: [], documents: [], ...given })

interface Route {
  courier: string
  from: Party
  to: Party
  /** A booking each. */
  parcels: readonly ParcelLine[][]
  method?: string
  customs?: CustomsData
  more?: Partial<BookingRequest>
  settings?: Record<string, string>
  /** Of the declared goods, in minor units. */
  total: number
}

const vat = { vat_no: 'DK12345678', eori: 'DK12345678' }
const routes: Readonly<Record<string, Route>> = {
  'dk-no-under-3000': {
    ...{ courier: 'PostNord', from: inDenmark, to: oslo, settings: vat, total: 53_928 },
    parcels: [[line('TEE', 2, 43_200, 'NOK'), line('CAP', 1, 10_728, 'NOK')]],
    customs: sale({ numbers: [{ kind: 'voec', value: '2000000' }] }),
    method: '17',
  },
  'dk-no-over-3000': {
    ...{ courier: 'PostNord', from: inDenmark, to: oslo, settings: vat, total: 335_840 },
    parcels: [[line('JKT', 1, 320_000, 'NOK'), line('SOCK', 2, 15_840, 'NOK')]],
    customs: sale({ terms: 'DAP' }),
    method: '17',
  },
  'dk-no-bulk': {
    ...{ courier: 'Bring', from: inDenmark, to: oslo, total: 160_873 },
    parcels: [
      [line('TEE', 2, 43_200, 'NOK'), line('CAP', 1, 10_728, 'NOK')],
      [line('TEE', 3, 75_603, 'NOK'), line('CAP', 1, 15_593, 'NOK')],
      [line('TEE', 1, 5_249, 'NOK'), line('CAP', 1, 5_250, 'NOK'), line('SOCK', 1, 5_250, 'NOK')],
    ],
  },
  'dk-de': {
    ...{
      courier: 'GLS ShipIT',
      from: inDenmark,
      to: at('DE', '10115', 'Berlin', 'Invalidenstraße 44'),
      method: 'parcel_shop',
      total: 3_650,
    },
    parcels: [[line('TEE', 1, 2_400, 'EUR'), line('CAP', 1, 1_250, 'EUR')]],
    more: {
      service_point: { id: 'GLS_DE-2761234567', name: 'Kiosk', address1: 'Holm 17', postcode: '10115', city: 'Berlin', country: 'DE' },
    },
  },
  'dk-gb': {
    ...{
      courier: 'UPS',
      from: inDenmark,
      to: at('GB', 'SW1A 1AA', 'London', '1 The Mall', { phone: '+44 20 7946 0000' }),
      settings: vat,
      total: 3_650,
    },
    parcels: [[line('TEE', 1, 2_400, 'GBP'), line('CAP', 1, 1_250, 'GBP')]],
    customs: sale(),
  },
  'dk-ch': {
    ...{
      courier: 'FedEx',
      from: inDenmark,
      to: at('CH', '8001', 'Zürich', 'Bahnhofstrasse 1', { phone: '+41 44 668 18 00' }),
      total: 5_800,
    },
    parcels: [[line('JKT', 1, 5_800, 'CHF')]],
    customs: sale({ terms: 'DAP' }),
  },
  'se-no-no': {
    ...{ courier: 'Bring', from: at('NO', '0150', 'Oslo', 'Skippergata 1', { name: 'Havnens Ting AS' }), method: '5800', total: 78_683 },
    to: at('NO', '9008', 'Tromsø', 'Storgata 70'),
    // Only Tromsø lies behind Sweden.
    parcels: [[line('LAMP', 4, 52_455, 'NOK', { transit_value: { amount: 65_569, currency: 'NOK' } })], [line('LAMP', 2, 26_228, 'NOK')]],
  },
  'dk-fo': {
    ...{
      courier: 'PostNord',
      from: inDenmark,
      to: at('FO', '100', 'Tórshavn', 'Niels Finsens gøta 10', { phone: '+298 20 11 22' }),
      settings: vat,
      total: 140_560,
    },
    parcels: [[line('SOCK', 2, 12_640, 'DKK'), line('JKT', 1, 127_920, 'DKK')]],
    customs: sale(),
    method: '18',
  },
  'gb-ie': {
    ...{
      courier: 'UPS',
      from: at('GB', 'SW1A 1AA', 'London', '1 The Mall', { name: 'Harbour Things Ltd', phone: '+44 20 7946 0000' }),
      total: 7_700,
    },
    to: at('IE', 'D02 X285', 'Dublin', '1 Grafton Street', { phone: '+353 1 679 0000' }),
    parcels: [[line('TEE', 2, 4_200, 'EUR'), line('TEE', 1, 2_100, 'EUR', { sku: 'TEE-RED' }), line('CAP', 1, 1_400, 'EUR')]],
    settings: { vat_no: 'GB123456789', eori: 'GB123456789000' },
    customs: sale(),
  },
  'de-us': {
    ...{
      courier: 'DHL',
      from: at('DE', '53113', 'Bonn', 'Sträßchensweg 10', { name: 'Havnens Ting GmbH', phone: null }),
      method: 'V53WPAK',
      total: 17_900,
    },
    to: at('US', '10001', 'New York', '350 5th Ave', { phone: '+1 212 555 0100' }),
    parcels: [[line('JKT', 1, 16_900, 'EUR', { hs_code: '6201401000' }), line('SOCK', 3, 1_000, 'EUR', { hs_code: '6115940000' })]],
    settings: { shipping_fee: '14.49 EUR' },
    customs: sale({ terms: 'DDP' }),
  },
}

const never = new AbortController().signal
const folder = fileURLToPath(new URL('golden/', import.meta.url))

/** Without the moment of the run. */
const steady = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (key, value) => (['messageDate', 'shipDate'].includes(key) ? 'the moment of the run' : value))

async function run(name: string, { courier: courierName, from, to, parcels, method, customs, more, settings }: Route) {
  const used = await courierTable[courierName]!.open()
  try {
    const made: object[] = []
    for (const [i, lines] of parcels.entries()) {
      const request = sampleBooking({
        method: method ?? used.method,
        settings: { ...used.account, ...settings },
        reference: `PKH-golden-${name}-${i + 1}`.slice(0, 35),
        idempotency_key: `golden-${name}-${i + 1}`,
        order_no: '100023',
        ship_date: courierName === 'DHL' ? new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) : '2026-11-23',
        parties: { sender: from, recipient: i === 1 && name === 'se-no-no' ? at('NO', '5003', 'Bergen', 'Torget 2') : to },
        customs: customs ?? null,
        ...(lines.some(one => one.transit_value) && { transit: true }),
        parcel: { reserved_number: null, weight_g: gross(lines), size_mm: [300, 200, 100], lines },
        ...more,
      })
      const findings = [...capabilityFindings(used.courier.capabilities, request), ...used.courier.validate(request)]
      const asked = used.server.requests.length
      const { parcels: outcome } = await used.courier.book(request, never)
      const sent = used.server.requests
        .slice(asked)
        .find(one => one.method === 'POST' && one.text.includes(request.parties.recipient.postcode.slice(0, 3)))
      made.push({
        request: steady(sent?.body ?? null),
        label: outcome.map(one =>
          one.ok
            ? {
                tracking_no: one.tracking_no,
                barcode: one.barcode,
                documents: one.documents.map(({ kind, format, paper }) => `${kind} ${format} ${paper}`),
              }
            : one,
        ),
        findings: findings.map(({ severity, field, text }) => `${severity} ${field}: ${text}`),
      })
    }
    return made
  } finally {
    await used.close()
  }
}

describe.each(Object.entries(routes))('the booking %s', (name, route) => {
  it('is sent as its stored file says', async () => {
    const made = `${JSON.stringify(await run(name, route), null, 2)}\n`
    const file = `${folder}${name}.json`
    if (process.env.GOLDEN === 'write') {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, made)
    }
    expect(JSON.parse(made)).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })

  it('declares goods that add up', () => {
    expect(route.parcels.flat().reduce((sum, one) => sum + (one.value?.amount ?? 0), 0)).toBe(route.total)
  })
})
