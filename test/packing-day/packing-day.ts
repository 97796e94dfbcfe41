/**
 * A day of packing stations at the whole program, which is killed again and again: wrong scans, requests sent twice, take-overs, holds, cancels,
 * partial shipments, several parcels, serial numbers, and a courier that refuses, answers nonsense or nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import type { CourierFault } from '#integrations/couriers/courier-server.fake.ts'
import { openFakeShipmondo, shipmondoAccount } from '#integrations/couriers/shipmondo/shipmondo.fake.ts'
import { type Chance, newChance } from '#optimization/random/seeded-random.ts'
import { endWaits, rows } from '../actors.ts'
import { placeOrder } from '../orders.ts'
import { sender } from '../sender.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { openTestApp, type TestApp, type TestOperator } from '../test-app.ts'
import { type Fate, planFates } from './fates.ts'
import { createStations, newBooks, type PlannedOrder } from './stations.ts'
import { type TotalRow, totalsOfDay, wrongRows } from './totals.ts'

export interface PackingDayPlan {
  orders: number
  stations: number
  seed: number
  /** Waits for the moment of the next kill; `answers` counts those that the stations got, and is endless when the day is over. */
  untilKill(answers: () => number, chance: Chance): Promise<void>
}

export interface PackingDay {
  totals: TotalRow[]
  /** Rows that must not be there. */
  wrong: Record<string, object[]>
  kills: number
  repeated: number
  labelErrors: number
  courierFaults: number
  /** Milliseconds of scans that were answered at once, and from a kill to the next server, the shortest first. */
  took: number[]
  startTook: number[]
}

const shareOfSerials = 0.3
const shareOfCourier = 0.4
/** Of the bookings at the courier. */
const refusedShare = 0.06
const brokenShare = 0.06
const faults: readonly CourierFault[] = ['mute', 'garbage', 'html_200', '500', 'html_503', '429']
/** Milliseconds in which what is under way at the end of the day ends. */
const evening = 300_000

async function plan(testApp: TestApp, operator: TestOperator, count: number, chance: Chance): Promise<PlannedOrder[]> {
  const line = (fate: Fate) => (sku: string, qty: number, serial_required: boolean) => ({
    ...{ sku, barcode: sku, name: sku, qty, serial_required, unit_price_excl_vat: '80.00', vat_percent: '25' },
    weight_g: fate === 'label_error' ? 40_000 : 200,
  })
  const planned: PlannedOrder[] = []
  for (const fate of planFates(count, chance)) {
    const of = line(fate)
    const withSerial = chance.next() < shareOfSerials
    const byCourier = fate !== 'label_error' && chance.next() < shareOfCourier
    // The first product is wanted at least twice.
    const lines = [of('SIM-A', 2 + chance.below(3), false), ...(withSerial ? [of('SIM-S', 1 + chance.below(2), true)] : [])]
    const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
      ...(byCourier ? { agent_code: 'shipmondo', shipping_method: 'GLSDK_HD' } : { agent_code: 'own', shipping_method: 'van' }),
      lines: [...lines, of('SIM-B', 1 + chance.below(2), false)],
    })
    planned.push({ id, fate, serials: new Set(withSerial ? ['SIM-S'] : []) })
  }
  return planned
}

export async function runPackingDay({ orders, stations, seed, untilKill }: PackingDayPlan): Promise<PackingDay> {
  const chance = newChance(seed)
  const courier = await openFakeShipmondo()
  // Only its database is used, and its ways to fill it.
  const testApp = await openTestApp()
  const data_dir = await mkdtemp(join(tmpdir(), 'pakhus-packing-day-'))
  const pool = new pg.Pool({ connectionString: testApp.url, max: 2 })
  let server: ServerProcess | undefined
  const start = async () => {
    server = await startServer({
      DATA_DIR: data_dir,
      DATABASE_URL: testApp.url,
      WORKERS: '1',
      NODE_OPTIONS: `--import=${new URL('./shipmondo-at-fake.ts', import.meta.url).href}`,
      SHIPMONDO_FAKE_URL: courier.server.url,
    })
  }
  try {
    await start()
    const operator = await testApp.operator({ settings: { sender, print_slip: true } })
    const lead = await operator.hire(['admin'], operator.main, 'Jonas')
    const books = newBooks()
    const at = { label_printer_id: 0, a4_printer_id: 0 }
    const crew = createStations({ lead, server: () => server as ServerProcess, books, printers: at })
    for (const { id, paper } of (await crew.ask(lead, printers.list, {}))?.printers ?? [])
      at[paper === 'label' ? 'label_printer_id' : 'a4_printer_id'] = id
    await crew.ask(lead, parcelShops.setConfig, { agent_code: 'shipmondo', body: { version: 0, settings: shipmondoAccount } })
    await crew.ask(lead, parcelShops.readMethods, { agent_code: 'shipmondo' })
    const planned = await plan(testApp, operator, orders, chance)
    const packers = await Promise.all(Array.from({ length: stations }, (_, i) => operator.hire(['scan'], operator.main, `Packer ${i}`)))

    let courierFaults = 0
    const queue = [...planned]
    let over = false
    const packed = Promise.all(
      packers.map(async (packer, i) => {
        for (let next = queue.shift(); next && !over; next = queue.shift()) {
          const drawn = chance.next()
          if (drawn < shareOfCourier * refusedShare) courier.refusals.push('Receiver address is not known')
          else if (drawn < shareOfCourier * (refusedShare + brokenShare)) {
            courierFaults++
            courier.server.faults.push(faults[chance.below(faults.length)] ?? 'mute')
          }
          await crew.pack(packer, `S${i}`, next, chance)
        }
      }),
    ).finally(() => (over = true))
    packed.catch(() => undefined)
    const startTook: number[] = []
    for (;;) {
      await Promise.race([untilKill(() => (over ? Number.POSITIVE_INFINITY : books.answers), chance), packed])
      if (over) break
      const began = performance.now()
      await server?.kill('SIGKILL')
      await start()
      startTook.push(performance.now() - began)
    }
    await packed

    courier.server.faults.length = 0
    courier.refusals.length = 0
    for (const until = Date.now() + evening; Date.now() < until; ) {
      await crew.closeAgain()
      // What is being booked at this moment keeps its lease.
      const [busy] = await rows<{ n: number }>(
        pool,
        'select count(*)::int n from graphile_worker._private_jobs where locked_at is not null',
      )
      if (busy?.n === 0) {
        await endWaits(pool)
        // A courier that does not know a reference yet is believed after a while.
        await pool.query(`update shipments set created_at = created_at - interval '3 minutes' where state in ('booking', 'unknown')
          and created_at > now() - interval '3 minutes'`)
      }
      if (Object.keys(await wrongRows(pool)).length === 0) break
      await pause(300)
    }
    const totals = await totalsOfDay({ pool, planned, books, courier, data_dir, company: operator.main.code })
    const sorted = (list: number[]) => list.toSorted((a, b) => a - b)
    return {
      totals,
      wrong: await wrongRows(pool),
      kills: startTook.length,
      ...{ repeated: books.repeated, labelErrors: books.labelErrors, courierFaults },
      ...{ took: sorted(books.took), startTook: sorted(startTook) },
    }
  } finally {
    await server?.kill('SIGKILL')
    await pool.end()
    await courier.close()
    await testApp.close()
    await rm(data_dir, { recursive: true, force: true })
  }
}
