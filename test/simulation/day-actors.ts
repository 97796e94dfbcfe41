/** The people of a simulated warehouse day, and the programs beside them. Each does one thing at a time and asks again when no answer comes. */
import { countryId } from '#domain/countries.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { shopApi } from '#features/deliveries/shop-api/shop-api.contract.ts'
import { webhooks } from '#features/deliveries/webhooks/webhooks.contract.ts'
import { bulkInvoicing } from '#features/invoicing/bulk-invoicing/bulk-invoicing.contract.ts'
import { invoices } from '#features/invoicing/invoices/invoices.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { serialNumbers } from '#features/packing/serial-numbers/serial-numbers.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { shippingMethods } from '#features/shipping/shipping-methods/shipping-methods.contract.ts'
import { collectLists, collectListsOwn } from '#features/warehouse/collect-lists/collect-lists.contract.ts'
import { paperless } from '#features/warehouse/paperless/paperless.contract.ts'
import { pickLists } from '#features/warehouse/pick-lists/pick-lists.contract.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import { picking } from '#features/warehouse/picking/picking.contract.ts'
import type { Chance } from '#optimization/random/seeded-random.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import type { BuiltCompany } from '../../src/app/demo/builders.ts'
import type { Day, Person } from './day-server.ts'

export interface DayPlan {
  shops: number
  pickers: number
  stations: number
  /** Of all shops together. */
  orders: number
}

/** What people know of the day: judged at its end. */
export interface DayBooks {
  /** Orders that a shop was promised, with the pieces of each line. */
  placed: Map<string, { company_id: number; pieces: Map<string, number> }>
  /** Scans that a station was answered with a counted piece. */
  scans: Set<string>
  closed: Set<number>
  over: boolean
}

const goods = [
  { sku: 'TEE', barcode: '5701000000011', bin: 'A-01-1', weight_g: 200, serial: false },
  { sku: 'CAP', barcode: '5701000000028', bin: 'A-02-1', weight_g: 80, serial: false },
  { sku: 'MUG', barcode: '5701000000035', bin: 'B-01-1', weight_g: 310, serial: false },
  { sku: 'SOCK', barcode: '5701000000042', bin: 'B-03-1', weight_g: 95, serial: false },
  { sku: 'CAMERA', barcode: '5701000000059', bin: 'C-01-1', weight_g: 600, serial: true },
] as const
const ways = [
  ['own', 'van'],
  ['keyed', 'parcel'],
  ['lookup', 'parcel'],
] as const

const norway = countryId('NO')
const party = (country: string, vat_no: string) => ({
  name: 'Fjord AS',
  address1: 'Kaia 1',
  postcode: '0150',
  city: 'Oslo',
  country,
  vat_no,
})
const home = { address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK' }
const abroad = { address1: 'Prøveveien 5', postcode: '0155', city: 'Oslo', country: 'NO' }

const open = `cancelled_at is null and work_state not in ('packed', 'handed_over', 'delivered', 'cancelled', 'closed')`

export async function addActors(day: Day, plan: DayPlan): Promise<DayBooks> {
  const { stepper, operator } = day
  const books: DayBooks = { placed: new Map(), scans: new Set(), closed: new Set(), over: false }
  const lead = await day.hire('Lead', ['admin'])
  const known = (await day.ask(lead, printers.list, {})).body?.printers ?? []
  const label_printer_id = known.find(one => one.paper === 'label')?.id ?? null
  const a4_printer_id = known.find(one => one.paper === 'a4')?.id ?? null
  await day.ask(lead, paperless.download, { body: { count: 24, first: 1_000, size: 'sheet' } })
  const clerks: Person[] = []
  const keys: { company: BuiltCompany; key: Person }[] = []
  for (const company of operator.shops) {
    const admin = await day.hire(`Admin ${company.code}`, ['admin'], company)
    for (const [agent_code, method] of ways) {
      await day.ask(admin, shippingMethods.setActive, { active: 'true', agent_code, method })
      const { body } = await day.ask(admin, shippingMethods.get, { agent_code, method })
      await day.ask(admin, shippingMethods.set, {
        agent_code,
        type: 'parcel',
        method,
        body: { version: body?.version ?? 0, shop_codes: [agent_code] },
      })
    }
    await day.ask(lead, serialNumbers.update, { regex: '[A-Z0-9-]+', barcode: 'CAMERA', scope: 'product', company: company.code })
    await day.ask(admin, webhooks.save, {
      body: { name: 'Shop', url: 'https://shop.example.com/hook', events: ['order.packed', 'shipment.booked'] },
    })
    // Parcels to Norway go with one invoice for customs together.
    const { body: config } = await day.ask(admin, bulkInvoicing.create, {
      agent_code: 'own',
      country_id: norway,
      body: { currency: 'DKK', importer: party('NO', '974760673'), exporter: party('DK', 'DK12345678'), hs_digits: 8 },
    } as never)
    if (!config) throw new Error('Bulk invoicing could not be set up')
    await day.ask(admin, bulkInvoicing.setActive, { config_id: config.config_id, active: true } as never)
    clerks.push(admin)
    const { body } = await day.ask(admin, cmsKeys.create, { body: { name: 'Shop' } })
    keys.push({ company, key: { name: company.code, company, token: body?.key ?? '' } })
  }

  const sleep = (what: string, chance: Chance, most: number) => stepper.pause(what, 1 + chance.below(most))

  for (const { company, key } of keys)
    stepper.add(`shop ${company.code}`, async chance => {
      for (let n = 1; n <= Math.ceil(plan.orders / plan.shops); n++) {
        await sleep('waits for an order', chance, 150)
        const external_id = `${company.code}-${n}`
        const chosen = goods.filter(() => chance.next() < 0.45)
        const lines = (chosen.length > 0 ? chosen : [goods[0]]).map(({ serial, ...one }, i) => ({
          ...one,
          external_id: String(i + 1),
          name: one.sku,
          qty: serial ? 1 : 1 + chance.below(3),
          unit_price_excl_vat: '80.00',
          vat_percent: '25',
          serial_required: serial,
          hs_code: '61091000',
          origin: 'PT',
        }))
        const way = ways[chance.below(ways.length)]?.[0] ?? 'own'
        const order = {
          external_id,
          order_no: `${company.code}-${1_000 + n}`,
          currency: 'DKK',
          payment_status: 'paid' as const,
          ordered_at: stepper.now().toISOString(),
          ship_to: { name: 'Lene Prøve', phone: '+4520123456', ...(way === 'own' && chance.next() < 0.5 ? abroad : home) },
          shipping: { code: way },
          lines,
        }
        // Some shops send what they sent before once more.
        for (let times = chance.next() < 0.15 ? 2 : 1; times > 0; times--) {
          const { body } = await day.insist(key, shopApi.sendOrders, { body: { orders: [order] } })
          const result = body?.orders[0]?.result ?? 'refused'
          if (result === 'refused') throw new Error(`The order was refused: ${JSON.stringify(body)}`)
          books.placed.set(external_id, { company_id: company.id, pieces: new Map(lines.map(line => [line.sku, line.qty])) })
        }
      }
    })

  stepper.add('lead', async chance => {
    while (!books.over) {
      await sleep('looks at what waits', chance, 240)
      const [waiting] = await day.rows<{ n: number }>(
        `select count(*)::int n from orders where ${open} and work_state = 'ready' and not held`,
      )
      if ((waiting?.n ?? 0) > 0)
        await day.insist(lead, pickLists.create, { body: { max_orders: 10, seed: chance.below(1_000_000) } as never })
    }
  })

  const runner = await day.hire('Runner', ['pick_admin'])
  stepper.add('runner', async chance => {
    while (!books.over) {
      await sleep('looks for pieces that belong back', chance, 300)
      const { body } = await day.insist(runner, pickTasks.putBacks, {} as never)
      const ids = body?.rows.map(row => row.id) ?? []
      if (ids.length > 0) await day.insist(runner, pickTasks.putBackMany, { body: { ids } } as never)
    }
  })

  for (let no = 1; no <= plan.pickers; no++) {
    const picker = await day.hire(`Picker ${no}`, ['pick'])
    stepper.add(`picker ${no}`, async chance => {
      while (!books.over) {
        await sleep('is free', chance, 240)
        const { body } = await day.insist(picker, picking.wagons, {})
        const card = body?.mine[0] ?? body?.free[0]
        if (card) await walk(picker, chance, card)
      }
    })
  }

  async function walk(picker: Person, chance: Chance, key: { pick_list_id: number; wagon_no: number }): Promise<void> {
    const at = { pick_list_id: key.pick_list_id, wagon_no: key.wagon_no }
    const { body: wagon } = await day.insist(picker, picking.claim, { ...at, body: {} } as never)
    if (!wagon) return
    const send = async (event: object) =>
      (
        await day.insist(picker, picking.send, {
          ...at,
          body: { events: [{ id: day.uuid(), at: stepper.now().toISOString(), ...event }] },
        } as never)
      ).body?.answers[0]
    const bound = new Set<number>()
    for (const line of wagon.pick_lines) {
      if (line.state !== 'open' && line.state !== 'skipped') continue
      await sleep('walks', chance, 20)
      let code = ''
      if (!bound.has(line.order_id) && chance.next() < 0.6) {
        bound.add(line.order_id)
        const [free] = await day.rows<{ digits: string }>(`select digits from paperless_codes where state = 'free' order by digits limit 1`)
        if (free) code = `PP${free.digits}`
      }
      // Two pickers reach for the same tote: the later one takes the pieces without.
      const picked = await send({ kind: 'pick', line: line.id, quantity: line.asked - line.picked, code })
      if (picked && !picked.ok && code !== '') await send({ kind: 'pick', line: line.id, quantity: line.asked - line.picked })
    }
    const done = await send({ kind: 'done' })
    if (!done?.ok) await send({ kind: 'hand_over' })
  }

  let serials = 0
  for (let no = 1; no <= plan.stations; no++) {
    const packer = await day.hire(`Packer ${no}`, ['scan'])
    stepper.add(`station ${no}`, async chance => {
      while (!books.over) {
        await sleep('is free', chance, 240)
        // Two stations now and then reach for the same order.
        const mine = await day.rows<{ id: number }>(
          `select o.id::int from orders o where ${open} and not held and (work_state = 'picked' or (work_state = 'in_pack' and exists (
            select from packing_sessions s where s.order_id = o.id and s.ended_at is null and (s.station = $1 or $2)))) order by o.id`,
          [`S${no}`, chance.next() < 0.05],
        )
        const one = mine[chance.below(mine.length)]
        if (one) await pack(packer, `S${no}`, one.id, chance)
      }
    })
  }

  async function pack(packer: Person, station: string, id: number, chance: Chance): Promise<void> {
    const { body: order } = await day.insist(packer, packing.start, { id, body: { station } } as never)
    if (!order) return
    const scan = async (body: { code: string; serial_for?: number }) => {
      const scan_id = day.uuid()
      const { body: answer } = await day.insist(packer, packing.scan, { id, body: { scan_id, ...body } } as never)
      if (answer && answer.counted > 0) books.scans.add(scan_id)
      return answer
    }
    for (const line of order.lines)
      for (let n = line.packed_qty; n < line.qty; n++) {
        if (chance.next() < 0.03) await scan({ code: 'NOT-IN-ANY-ORDER' })
        const answer = await scan({ code: line.codes[0]?.code ?? '' })
        if (!answer || answer.result === 'stopped') return
        // A serial number that another piece may carry already is read again from the next piece.
        if (answer.result === 'serial_needed' || line.needs_serial)
          for (let tries = 0; tries < 20; tries++) {
            const serial = `CAM-${chance.next() < 0.2 && serials > 0 ? 1 + chance.below(serials) : ++serials}`
            const counted = await scan({ code: serial, serial_for: line.order_line_id })
            if (!counted || counted.result === 'stopped') return
            if (counted.result !== 'serial_refused') break
          }
      }
    await close(packer, id)
  }

  async function close(packer: Person, id: number): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      const { body } = await day.insist(packer, packing.close, { id, body: { label_printer_id, a4_printer_id } } as never)
      if (body?.outcome === 'labelled') books.closed.add(id)
      if (body?.outcome !== 'label_error') return
      await stepper.pause('tries the label again', 5)
    }
  }

  stepper.add('office', async chance => {
    while (!books.over) {
      await sleep('answers the phone', chance, 120)
      const all = await day.rows<{ id: number; held: boolean }>(`select id::int, held from orders where ${open} order by id`)
      const one = all[chance.below(all.length)]
      if (!one) continue
      const what = chance.next()
      if (one.held) {
        const locks = await day.rows<{ id: number }>(
          `select id::int from order_locks where order_id = $1 and released_at is null order by id`,
          [one.id],
        )
        for (const lock of locks) await day.insist(lead, orderLocks.releaseHold, { id: one.id, lock_id: lock.id } as never)
      } else if (what < 0.25)
        await day.insist(lead, orderLocks.hold, { id: one.id, body: { reason: 'address', note: 'She moves' } } as never)
      else if (what < 0.35) await day.insist(lead, orders.setState, { id: one.id, state: 'cancelled' } as never)
    }
  })

  const clerk = await day.hire('Gate', ['list_admin'])
  stepper.add('gate', async chance => {
    while (!books.over) {
      await sleep('waits for the driver', chance, 600)
      for (const [agent_code] of ways) {
        const waiting = await day.rows<{ barcode: string }>(
          `select s.barcode from shipments s join orders o on o.id = s.order_id where s.agent_code = $1 and s.state = 'booked' and o.work_state = 'packed' order by s.id`,
          [agent_code],
        )
        if (waiting.length === 0) continue
        const { body: list } = await day.insist(clerk, collectLists.create, { body: { agent_code } } as never)
        const [running] = await day.rows<{ id: number }>(
          `select id::int from collect_lists where agent_code = $1 and state in ('open', 'scanning', 'closed') order by id limit 1`,
          [agent_code],
        )
        const id = list?.id ?? running?.id
        if (id === undefined) continue
        for (const { barcode } of waiting)
          await day.insist(clerk, collectListsOwn.scan, { id, body: { scan_id: day.uuid(), code: barcode } } as never)
        const { body: now } = await day.insist(clerk, collectLists.get, { id })
        for (const parcel of now?.parcels ?? [])
          if (parcel.standing === 'take_out')
            await day.insist(clerk, collectListsOwn.takeOut, { id, body: { shipment_id: parcel.shipment_id } } as never)
        const reasons = (now?.parcels ?? [])
          .filter(parcel => parcel.standing === 'expected')
          .map(({ shipment_id }) => ({ shipment_id, reason: 'not_found' as const }))
        await day.insist(clerk, collectListsOwn.close, { id, body: { reasons } } as never)
        await day.insist(clerk, collectListsOwn.handOver, { id, body: { driver: 'Ole' } } as never)
      }
    }
  })

  stepper.add('invoices', async chance => {
    while (!books.over) {
      await sleep('waits for parcels to invoice', chance, 900)
      for (const clerk of clerks) {
        const waiting = await day.rows(`select from invoice_queue where company_id = $1 and complete limit 1`, [clerk.company.id])
        const body = { all: true, freeze: true, client_id: day.uuid() }
        if (waiting.length > 0) await day.insist(clerk, invoices.create, { courier: 'own', country: 'NO', body } as never)
      }
    }
  })

  for (const no of [1, 2])
    stepper.add(`queue ${no}`, async chance => {
      while (!books.over) if (!(await workOnce())) await sleep('has nothing to do', chance, 8)
    })
  async function workOnce(): Promise<boolean> {
    await stepper.pause('looks for a job')
    return day.workOnce().catch(() => true)
  }

  stepper.add('schedules', async chance => {
    const last = new Map<string, number>()
    const began = stepper.now().getTime() - 3_600_000
    while (!books.over) {
      await sleep('waits for the clock', chance, 6)
      // What is most overdue for its interval comes first, as far as chance has it.
      const now = stepper.now().getTime()
      const overdue = (schedule: ScheduledTask) => (now - (last.get(schedule.name) ?? began)) / schedule.seconds
      const due = day.schedules.toSorted((a, b) => overdue(b) - overdue(a)).slice(0, 4)
      const one = due[chance.below(due.length)]
      if (!one) continue
      last.set(one.name, stepper.now().getTime())
      stepper.note(`the schedule: ${one.name}`)
      await day.runSchedule(one)
    }
  })

  /** When all orders have come and half an hour has passed, nothing fails any more; the day ends when every order has. */
  stepper.add('evening', async () => {
    const total = plan.shops * Math.ceil(plan.orders / plan.shops)
    while (books.placed.size < total) await stepper.pause('waits for the evening', 60)
    await stepper.pause('waits for the evening', 300)
    day.calm()
    stepper.note('nothing fails any more')
    // What has not moved for half an hour stands still.
    for (let still = 0, before = ''; still < 30; ) {
      await stepper.pause('looks whether all is done', 60)
      const [left] = await day.rows<{
        orders: number
        jobs: number
        deliveries: number
        lists: number
        invoices: number
        prints: number
        bookings: number
      }>(
        `select (select count(*) from orders where ${open})::int orders,
          (select count(*) from graphile_worker._private_jobs)::int jobs,
          (select count(*) from outbox_deliveries where state in ('waiting', 'sending'))::int deliveries,
          (select count(*) from pick_lists where state not in ('completed', 'cancelled'))::int lists,
          (select count(*) from invoice_queue where complete)::int invoices,
          (select count(*) from print_jobs where state in ('queued', 'sending', 'accepted'))::int prints,
          (select count(*) from shipments where state in ('booking', 'unknown'))::int bookings`,
      )
      const now = JSON.stringify(left)
      still = now === before ? still + 1 : 0
      before = now
      stepper.note(`left: ${now}`)
      if (left && Object.values(left).every(n => n === 0)) break
    }
    books.over = true
  })
  return books
}
