/** Bookings through every adapter and the whole booking engine while couriers fail; the books of the fakes say what really happened. */
import { scopeOfCompany } from '#app/demo/builders.ts'
import { bookShipment } from '#features/shipping/labels/booking.server.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import type { CourierFault } from '#integrations/couriers/courier-server.fake.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { anonymous } from '#platform/auth/identity.ts'
import { createContext } from '#platform/http/context.ts'
import { courierTable, type OpenCourier } from './courier-table.ts'
import { sender } from './sender.ts'
import { openTestApp, Refused, type TestApp } from './test-app.ts'

const mixed: readonly CourierFault[] = ['lost', 'mute', 'garbage', 'html_200', '500', 'html_503', '429', '401']

export interface FaultRow {
  courier: string
  parcels: number
  /** Requests that went wrong, and tokens that ran out. */
  faults: number
  booked: number
  /** The courier said no, or took nothing: booked anew by a person. */
  refused: number
  /** Listed for a person, who asks the courier. */
  unknown: number
  /** Booked twice by one reference. */
  doubled: number
  /** At the courier, and not known here. */
  lost: number
}

/** A small generator with a seed, so that a run can be repeated. */
function luck(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixedBits = Math.imul(state ^ (state >>> 15), 1 | state)
    mixedBits = (mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), 61 | mixedBits)) ^ mixedBits
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** As many parcels through each courier of the table as are asked for, `share` of the bookings with a fault. */
export async function runFaults({ parcels, share, seed }: { parcels: number; share: number; seed: number }): Promise<FaultRow[]> {
  const testApp = await openTestApp()
  try {
    const rows: FaultRow[] = []
    for (const [i, courier] of Object.keys(courierTable).entries())
      rows.push(await runCourier(testApp, courier, { parcels, share, random: luck(seed * 1_000 + i) }))
    return rows
  } finally {
    await testApp.close()
  }
}

async function runCourier(
  testApp: TestApp,
  name: string,
  { parcels: wanted, share, random }: { parcels: number; share: number; random: () => number },
): Promise<FaultRow> {
  const entry = courierTable[name]
  if (!entry) throw new Error(`There is no courier ${name}`)
  const used = await entry.open()
  const forget = withCourier(used.courier)
  try {
    const operator = await testApp.operator({ settings: { sender: { ...sender, phone: '+45 20 11 22 33 00' } } })
    const clerk = await operator.hire(['admin'], operator.main, 'Kim')
    await setUp(used, clerk.send)
    const { agent_code, parcels_per_call } = used.courier.capabilities
    const usual = { name: 'Mads Friis', address1: 'Torvet 2', postcode: '8000', city: 'Aarhus C', country: 'DK' }
    const recipient = { ...usual, phone: '+45 20 11 22 33', email: 'mads@example.com', ...entry.ends?.recipient }
    const from = entry.ends?.sender && { sender: { ...usual, name: 'Depot', phone: '+45 20 11 22 33 00', ...entry.ends.sender } }
    const row: FaultRow = { courier: name, parcels: 0, faults: 0, booked: 0, refused: 0, unknown: 0, doubled: 0, lost: 0 }
    while (row.parcels < wanted) {
      const count = random() < 0.2 && parcels_per_call > 1 ? Math.min(3, wanted - row.parcels) : 1
      row.parcels += count
      if (random() < share) {
        row.faults++
        if (used.expire && random() < 0.15) used.expire()
        else used.server.faults.push(mixed[Math.floor(random() * mixed.length)] ?? 'lost')
      }
      const body = { recipient, ...from, parcels: Array.from({ length: count }, () => ({ weight_g: 1_200, size_mm: [300, 200, 100] })) }
      const asked = { agent_code, shipping_method: used.method, operation_code: 'outbound' as const, body }
      await clerk.send(labels.create, asked as never).catch((error: unknown) => {
        if (!(error instanceof Refused) || error.code !== 'booking_failed') throw error
      })
      used.server.faults.length = 0
    }
    await lookUp(testApp, operator, agent_code)
    await judge(testApp, operator, used, row)
    return row
  } finally {
    testApp.setNow(undefined)
    forget()
    await used.close()
  }
}

type Send = Awaited<ReturnType<Awaited<ReturnType<TestApp['operator']>>['hire']>>['send']

async function setUp({ courier, account }: OpenCourier, send: Send): Promise<void> {
  const { agent_code, settings } = courier.capabilities
  const known = Object.fromEntries(settings.flatMap(({ name }) => (account[name] === undefined ? [] : [[name, account[name]]])))
  await send(parcelShops.setConfig, { agent_code, body: { version: 0, settings: known } })
  if (courier.accountMethods) await send(parcelShops.readMethods, { agent_code })
}

/** What the queue does when the leases have run out. */
async function lookUp(testApp: TestApp, operator: Awaited<ReturnType<TestApp['operator']>>, agent_code: string): Promise<void> {
  const { services } = testApp
  const scope = scopeOfCompany(operator)
  for (let turn = 1; turn <= 3; turn++) {
    testApp.setNow(new Date(Date.now() + turn * 300_000))
    const open = await services.database.transaction(scope, db =>
      db.selectFrom('shipments').select('id').where('agent_code', '=', agent_code).where('state', 'in', ['booking', 'unknown']).execute(),
    )
    const company = { operator_id: operator.operator_id, id: operator.main.id, code: '', name: '', is_main: true, packing_ip_pattern: '' }
    for (const { id } of open) {
      const outside = createContext(services, anonymous(company), scope, { ip: '', station: '', headers: {}, signal: services.closing })
      await bookShipment(outside, id)
    }
  }
}

async function judge(
  testApp: TestApp,
  operator: Awaited<ReturnType<TestApp['operator']>>,
  used: OpenCourier,
  row: FaultRow,
): Promise<void> {
  const shipments = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .selectFrom('shipments')
      .select(['id', 'state', 'reference', 'consignment_id'])
      .where('agent_code', '=', used.courier.capabilities.agent_code)
      .orderBy('id')
      .execute(),
  )
  const books = used.booked()
  for (const shipment of shipments) {
    if (shipment.state === 'booked') row.booked++
    else if (shipment.state === 'error') row.refused++
    else row.unknown++
    // Parcels of one booking go by the reference of the first.
    if (shipment.consignment_id !== null && shipment.consignment_id !== shipment.id) continue
    const together = shipments.filter(one => one.id === shipment.id || one.consignment_id === shipment.id)
    const there = books.filter(one => one === shipment.reference || one.startsWith(`${shipment.reference}-`)).length
    row.doubled += Math.max(0, there - together.length)
    const known = together.filter(one => one.state !== 'error').length
    if (there > known) row.lost += Math.min(there, together.length) - known
    if (together.every(one => one.state === 'booked') && there < together.length) row.lost += together.length - there
  }
}
