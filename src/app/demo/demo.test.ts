/** The demo: enough data to try the product with, made in less than a minute. */

import { BufferSource, Input, WEBM } from 'mediabunny'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { session } from '#contract/session.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { statistics } from '#features/insight/statistics/statistics.contract.ts'
import { checkDigit, inventProduct } from '#features/orders/order-imports/invent-missing-data.rules.ts'
import { suggestedWith } from '#features/orders/orders/combinations/combinations.queries.ts'
import { exceptionKinds } from '#features/packing/packing/packing.codes.ts'
import { packingVideo } from '#features/packing/packing-video/packing-video.contract.ts'
import { serialKey } from '#features/packing/serial-numbers/serial-numbers.rules.ts'
import { isUnder18 } from '#features/people/employees/employees.rules.ts'
import { Quality } from '#features/warehouse/map-results/map-results.schemas.ts'
import { measureCpu } from '#test/cpu-cost.ts'
import { openTestApp, type TestApp } from '#test/test-app.ts'
import { demoPassword, seedDemo } from './demo.ts'
import { demoFloor } from './floor.ts'

let testApp: TestApp
let cost = 0
beforeAll(async () => {
  testApp = await openTestApp()
  const effort = measureCpu()
  await seedDemo(testApp.services)
  cost = effort()
})
afterAll(() => testApp.close())

const all = <T>(work: Parameters<typeof testApp.services.database.systemTransaction<T>>[1]) =>
  testApp.services.database.systemTransaction('the test looks at everything', work)

describe('the demo', () => {
  it('is made in less than a minute, and only in an empty database', async () => {
    expect(cost).toBeLessThan(40_000)
    await expect(seedDemo(testApp.services)).rejects.toThrow('companies already')
  })

  it('has three companies with about forty products, each with a picture and valid barcodes', async () => {
    const rows = await all(db => db.selectFrom('products').select(['sku', 'image_file_id', 'serial_required', 'no_barcode']).execute())
    expect(rows.length).toBeGreaterThanOrEqual(38)
    expect(rows.every(row => row.image_file_id !== null)).toBe(true)
    expect(rows.filter(row => row.serial_required).length).toBeGreaterThanOrEqual(2)
    expect(rows.filter(row => row.no_barcode)).toHaveLength(1)
    const codes = await all(db => db.selectFrom('product_barcodes').select(['barcode', 'quantity']).execute())
    expect(new Set(codes.map(code => code.barcode)).size).toBe(codes.length)
    for (const { barcode } of codes) expect(barcode).toBe(barcode.slice(0, 12) + checkDigit(barcode.slice(0, 12)))
    expect(codes.some(code => code.quantity > 1)).toBe(true)
  })

  it('has three bundles, and orders whose parts are to be picked', async () => {
    const parts = await all(db => db.selectFrom('product_components').select(['product_id', 'qty']).execute())
    expect([new Set(parts.map(part => part.product_id)).size, parts.length]).toEqual([3, 8])
    const lines = await all(db =>
      db
        .selectFrom('order_lines as l')
        .innerJoin('order_lines as b', j => j.onRef('b.order_id', '=', 'l.order_id').onRef('b.external_id', '=', 'l.bundle_of'))
        .select(['b.sku', 'b.requires_shipping as bundle_sent', 'l.requires_shipping as part_sent', 'l.product_id'])
        .execute(),
    )
    expect([...new Set(lines.map(line => line.sku))].toSorted()).toEqual(['HH-SET-GIFT', 'NO-SET-CAMP', 'NO-SET-DAY'])
    expect(lines.every(line => line.part_sent && !line.bundle_sent && line.product_id !== null)).toBe(true)
  })

  it('has eight boxes with pictures, one of them off and one running low, and rules about products that exist', async () => {
    const crates = await all(db => db.selectFrom('crate_types').select(['active', 'stock', 'low_stock', 'image_sha256']).execute())
    expect(crates).toHaveLength(8)
    expect(crates.every(crate => crate.image_sha256 !== null)).toBe(true)
    expect(crates.filter(crate => !crate.active)).toHaveLength(1)
    expect(crates.filter(({ stock, low_stock }) => stock !== null && low_stock !== null && stock <= low_stock)).toHaveLength(1)
    const rules = await all(db => db.selectFrom('crate_rules').select(['sku_key', 'company_id']).execute())
    const skus = await all(db => db.selectFrom('products').select(['sku_key', 'company_id']).execute())
    const known = new Set(skus.map(({ sku_key, company_id }) => `${company_id} ${sku_key}`))
    expect(rules.length).toBeGreaterThan(20)
    expect(rules.filter(({ sku_key, company_id }) => !known.has(`${company_id} ${sku_key}`))).toEqual([])
  })

  it('has photos of open boxes that are kept still, each with a picture and one held by hand', async () => {
    const photos = await all(db => db.selectFrom('packing_photos').select(['file_id', 'delete_after', 'held_reason']).execute())
    expect(photos.length).toBeGreaterThan(20)
    expect(photos.every(photo => photo.file_id !== null && Date.parse(photo.delete_after) > Date.now())).toBe(true)
    expect(photos.filter(photo => photo.held_reason !== null)).toHaveLength(1)
  })

  it('has clips of packing whose pictures a player finds, with a mark at each piece, one of them kept and one shared', async () => {
    const clips = await all(db =>
      db.selectFrom('packing_videos').select(['id', 'order_id', 'company_id', 'state', 'bytes', 'duration_ms', 'held_reason']).execute(),
    )
    expect(clips.length).toBeGreaterThanOrEqual(6)
    expect(clips.every(clip => clip.state === 'available' && (clip.bytes ?? 0) < 1_000_000)).toBe(true)
    expect(clips.filter(clip => clip.held_reason !== null)).toHaveLength(1)
    expect(await all(db => db.selectFrom('video_shares').select('id').where('revoked_at', 'is', null).execute())).toHaveLength(1)
    const company = { id: 0, code: 'demo', name: '' }
    const { token } = await testApp.visitor(company).send(session.login, { body: { login: 'admin', password: demoPassword('admin') } })
    const headers = { authorization: token }
    for (const { id, order_id, duration_ms } of clips) {
      const { rows } = await testApp.visitor(company).send(packingVideo.list, { id: order_id }, { headers })
      expect(rows[0]?.marks.filter(mark => mark.kind === 'item').length).toBeGreaterThan(0)
      const { rawPayload } = await testApp.visitor(company).ask(packingVideo.get, { id }, { headers })
      const input = new Input({ source: new BufferSource(rawPayload), formats: [WEBM] })
      const track = await input.getPrimaryVideoTrack()
      expect((await input.computeDuration()) * 1_000).toBeCloseTo(duration_ms ?? 0, -2)
      expect(await track?.getCodec()).toBe('vp8')
      input.dispose()
    }
  })

  it('has exceptions of every kind in the weeks before, also cancelled ones, and four that wait', async () => {
    const rows = await all(db => db.selectFrom('packing_exceptions').select(['kind', 'state']).execute())
    const done = rows.filter(row => row.state === 'resolved')
    expect([...new Set(done.map(row => row.kind))].toSorted()).toEqual(exceptionKinds.toSorted())
    expect(rows.filter(row => row.state === 'cancelled')).toHaveLength(3)
    expect([...new Set(rows.map(row => row.state))].toSorted()).toEqual(['cancelled', 'in_work', 'open', 'resolved'])
    const waiting = rows.filter(row => row.state === 'open' || row.state === 'in_work')
    expect(waiting).toHaveLength(4)
  })

  it('has parcels weighed at the station with a scale, some asked about, and some taken by a lead', async () => {
    const rows = await all(db => db.selectFrom('parcel_weights').select(['station', 'outcome', 'overridden_by']).execute())
    expect(rows.length).toBeGreaterThan(100)
    expect([...new Set(rows.map(row => row.station))]).toEqual(['Packing 2'])
    expect([...new Set(rows.map(row => row.outcome))].toSorted()).toEqual(['asked', 'ok', 'overridden'])
  })

  it('has weeks of questions to a lead, answered within the minute, refused and too late, and rules that its orders seldom meet', async () => {
    const requests = await all(db =>
      db.selectFrom('approval_requests').select(['state', 'asked_at', 'decided_at', 'asked_by_id', 'decided_by_id']).execute(),
    )
    expect(requests.length).toBeGreaterThan(100)
    expect(new Set(requests.map(({ state }) => state))).toEqual(new Set(['approved', 'refused', 'expired']))
    const waits = requests.flatMap(one => (one.decided_at ? [Date.parse(one.decided_at) - Date.parse(one.asked_at)] : []))
    expect(Math.max(...waits)).toBeLessThan(60_000)
    expect(requests.filter(one => one.decided_by_id === one.asked_by_id)).toEqual([])
    expect(await all(db => db.selectFrom('approval_rules').select('id').where('active', '=', true).execute())).toHaveLength(6)
  })

  it('has imported serial numbers in stock, in multipacks, out with orders, and two in each company that are recalled', async () => {
    const units = await all(db => db.selectFrom('serial_units').select(['state', 'pack_code']).execute())
    const count = (state: string) => units.filter(unit => unit.state === state).length
    expect(units.length).toBeGreaterThan(250)
    expect(count('recalled')).toBe(6)
    expect(count('in_stock')).toBeGreaterThan(90)
    expect(count('sent')).toBeGreaterThan(50)
    expect(units.filter(unit => unit.pack_code !== null).length).toBeGreaterThan(70)
  })

  it('has a pattern for each product with serial numbers, which those that went out fit', async () => {
    const rules = await all(db => db.selectFrom('serial_rules').select('regex').execute())
    expect(rules).toHaveLength(3)
    const serials = await all(db => db.selectFrom('order_serials').select(['serial', 'serial_key']).execute())
    // As the desk compares them when they come back.
    expect(serials.filter(({ serial, serial_key }) => serial_key !== serialKey(serial, 'keep'))).toEqual([])
    expect(serials.length).toBeGreaterThan(100)
    expect(serials.filter(({ serial }) => !new RegExp(`^${rules[0]?.regex}$`).test(serial))).toEqual([])
  })

  it('has returns in every state that waits, and weeks of finished ones', async () => {
    const apart = await all(db =>
      db
        .selectFrom('return_parcels as p')
        .innerJoin('returns as r', 'r.id', 'p.return_id')
        .select('r.rma_no')
        .where('p.arrived_at', 'is not', null)
        .whereRef('p.arrived_at', '!=', 'r.arrived_at')
        .execute(),
    )
    expect(apart).toEqual([])
    const rows = await all(db => db.selectFrom('returns').select(['status', 'source', 'requested_at']).execute())
    expect(rows.length).toBeGreaterThan(120)
    const finished = rows.filter(({ status }) => status === 'resolved')
    expect(finished.filter(row => Date.parse(row.requested_at) > Date.now() - 86_400_000).length).toBeLessThan(10)
    expect(new Set(finished.map(row => row.requested_at.slice(0, 10))).size).toBeGreaterThan(10)
    expect([...new Set(rows.map(({ status }) => status))].toSorted()).toEqual([
      ...['approved', 'arrived', 'awaiting_review', 'decided', 'rejected', 'requested', 'resolved'],
    ])
    const items = await all(db => db.selectFrom('return_items').select(['question', 'answer', 'destination']).execute())
    expect(items.filter(({ question, answer }) => question !== null && answer !== null).length).toBeGreaterThan(5)
    expect(items.filter(({ destination }) => destination === 'R-OUTLET').length).toBeGreaterThan(0)
    const prints = await all(db => db.selectFrom('print_jobs').select('state').where('document', '=', 'put_back').execute())
    expect(prints).toHaveLength(4)
    expect(rows.filter(({ source }) => source === 'orphan')).toHaveLength(3)
    const byNumber = await all(db =>
      db.selectFrom('returns').select(['company_id', 'requested_at']).orderBy('company_id').orderBy('rma_no').execute(),
    )
    for (const [, ones] of Map.groupBy(byNumber, one => one.company_id)) {
      const times = ones.map(one => Date.parse(one.requested_at))
      expect(times).toEqual(times.toSorted((one, other) => one - other))
    }
  })

  it('has three additional products, one of them used up, and orders that wait for them', async () => {
    const products = await all(db =>
      db.selectFrom('additional_products').select(['id', 'name', 'stock_left']).orderBy('position').execute(),
    )
    expect(products).toHaveLength(3)
    const additions = await all(db => db.selectFrom('order_additions').select(['additional_product_id', 'state']).execute())
    const counts = products.map(({ id }) => additions.filter(one => one.additional_product_id === id && one.state === 'planned').length)
    expect(counts[0]).toBeGreaterThan(3)
    expect(counts[1]).toBeGreaterThan(20)
    expect(counts[2]).toBe(0)
    const given = products.map(({ id }) => additions.filter(one => one.additional_product_id === id && one.state === 'packed').length)
    expect(given.every(count => count > 20)).toBe(true)
    expect(additions.filter(one => one.state === 'skipped').length).toBeGreaterThan(1)
    expect(products.filter(product => product.stock_left === 0).map(product => product.name)).toEqual(['Autumn catalogue'])
  })

  it('has alerts that were met in the weeks before: kept, released, and of orders that were cancelled', async () => {
    const hits = await all(db =>
      db
        .selectFrom('order_alert_hits as h')
        .innerJoin('orders as o', 'o.id', 'h.order_id')
        .select(['h.state', 'h.mode', 'h.decided_by', 'h.decided_at', 'h.created_at', 'o.packed_at', 'o.cancelled_at'])
        .execute(),
    )
    const past = hits.filter(hit => hit.packed_at !== null || hit.cancelled_at !== null)
    const count = (state: string, mode?: string) => past.filter(one => one.state === state && (!mode || one.mode === mode)).length
    expect(count('kept')).toBeGreaterThan(100)
    expect(count('released', 'hold')).toBeGreaterThan(30)
    expect(past.filter(one => one.cancelled_at !== null && one.mode === 'hold').length).toBeGreaterThan(3)
    for (const { state, decided_at, created_at, packed_at } of past) {
      expect(decided_at === null).toBe(state === 'open')
      if (decided_at === null || packed_at === null) continue
      expect(Date.parse(decided_at)).toBeGreaterThan(Date.parse(created_at))
      expect(Date.parse(decided_at)).toBeLessThanOrEqual(Date.parse(packed_at))
    }
    expect(new Set(past.map(hit => hit.created_at.slice(0, 10))).size).toBeGreaterThan(20)
  })

  it('has tag rules, totes, registration numbers and orders of which a scan was let pass', async () => {
    expect(await all(db => db.selectFrom('tag_rules').select('id').where('active', '=', true).execute())).toHaveLength(2)
    expect(await all(db => db.selectFrom('paperless_codes').select('id').execute())).toHaveLength(24)
    expect(await all(db => db.selectFrom('customs_numbers').select('kind').execute())).not.toHaveLength(0)
    const let_pass = await all(db => db.selectFrom('packing_scans').select(['raw', 'order_id']).where('method', '=', 'bypass').execute())
    expect(let_pass.length).toBeGreaterThan(5)
    expect(let_pass.every(scan => scan.raw === 'Barcode cannot be read')).toBe(true)
  })

  it('has messages to its shops, numbered without gaps in each company', async () => {
    const said = await all(db => db.selectFrom('order_status_histories').select(['company_id', 'seq']).orderBy('seq').execute())
    expect(said.length).toBeGreaterThan(10)
    for (const [, ones] of Map.groupBy(said, one => one.company_id)) expect(ones.map(one => one.seq)).toEqual(ones.map((_, at) => at + 1))
  })

  it('has a measured map with a location for every product and every invented bin', async () => {
    const floor = demoFloor()
    const codes = new Set(floor.locations.map(one => one.code))
    expect(codes.size).toBe(800)
    // A bundle lies in the bins of its parts.
    const bins = await all(db =>
      db
        .selectFrom('products as p')
        .select('p.bin')
        .where(eb => eb.not(eb.exists(eb.selectFrom('product_components as c').select('c.qty').whereRef('c.product_id', '=', 'p.id'))))
        .execute(),
    )
    expect(bins.filter(({ bin }) => !codes.has(bin ?? ''))).toEqual([])
    for (let i = 0; i < 200; i++) expect(codes).toContain(inventProduct(`SKU-${i}`).bin)
    const results = await all(db => db.selectFrom('warehouse_map_results').select(['state', 'cells', 'quality']).execute())
    expect(results).toMatchObject([{ state: 'active', cells: 83 }])
    const { metres, bin_order_metres, off_map, no_way } = Quality.parse(results[0]?.quality)
    expect({ off_map, no_way }).toEqual({ off_map: 0, no_way: 0 })
    expect(metres).toBeGreaterThan(0)
    expect(metres).toBeLessThan(bin_order_metres)
  })

  it('has a week of orders from five countries, some of them with problems', async () => {
    const week_ago = new Date(Date.now() - 6.4 * 86_400_000).toISOString()
    const orders = await all(db =>
      db
        .selectFrom('orders')
        .select(['id', 'company_id', 'ship_country', 'phase', 'badges', 'agent_code', 'ship_by', 'created_at'])
        .where('created_at', '>', week_ago)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    )
    expect(orders.map(order => order.id)).toEqual(orders.map(order => order.id).sort((a, b) => a - b))
    const [first, last] = [orders[0], orders.at(-1)].map(order => Date.parse(order?.created_at ?? ''))
    expect((last! - first!) / 86_400_000).toBeGreaterThan(5)
    expect(orders.length).toBeGreaterThanOrEqual(110)
    expect(new Set(orders.map(order => order.company_id)).size).toBe(3)
    expect([...new Set(orders.map(order => order.ship_country))].sort()).toEqual(['DE', 'DK', 'GB', 'NO', 'SE'])
    const states = new Set(orders.map(order => order.phase))
    for (const state of ['ready', 'in_pick', 'held', 'cancelled', 'packed', 'handed_over', 'delivered'] as const)
      expect(states).toContain(state)
    // On Sunday there are 110, on Monday evening 60.
    expect(orders.filter(order => order.phase === 'ready').length).toBeGreaterThan(40)
    expect(await all(db => db.selectFrom('orders').select('id').where('pinned_at', 'is not', null).execute())).toHaveLength(6)
    expect(orders.every(order => order.agent_code === 'own' && order.ship_by !== null)).toBe(true)
    const open = await all(db =>
      db
        .selectFrom('orders')
        .select(['deadline_id', 'held'])
        .where('phase', 'in', ['new', 'ready', 'in_pick', 'picked', 'in_pack'])
        .execute(),
    )
    expect(open.every(order => order.deadline_id !== null)).toBe(true)
    expect(new Set(open.map(order => order.deadline_id)).size).toBe(3)
    const badges = orders.flatMap(order => order.badges as { kind: string; severity: string }[]).filter(badge => badge.severity !== 'ok')
    expect(new Set(badges.map(badge => badge.kind))).toEqual(new Set(['address', 'postcode', 'phone']))
    expect(await all(db => db.selectFrom('order_comments').select('id').execute())).not.toHaveLength(0)
  })

  it('has packed parcels with labels in several cages', async () => {
    const parcels = await all(db =>
      db
        .selectFrom('shipments')
        .select(['state', 'cage', 'tracking_no', 'label_pdf_file_id'])
        .where('state', '=', 'booked')
        .orderBy('id')
        .execute(),
    )
    expect(parcels.length).toBeGreaterThanOrEqual(14)
    expect(parcels.every(parcel => parcel.label_pdf_file_id !== null)).toBe(true)
    expect(new Set(parcels.map(parcel => parcel.cage)).size).toBeGreaterThanOrEqual(4)
    expect(new Set(parcels.map(parcel => parcel.tracking_no)).size).toBe(parcels.length)
  })

  it('has eight weeks of orders that were picked, packed, sent and mostly delivered', async () => {
    const orders = await all(db => db.selectFrom('orders').select(['id', 'phase', 'created_at', 'packed_at', 'delivered_at']).execute())
    const done = orders.filter(order => order.packed_at !== null)
    expect(done.length).toBeGreaterThan(1_000)
    const days = done.map(({ created_at }) => Date.now() - Date.parse(created_at)).sort((a, b) => b - a)
    expect((days[0] ?? 0) / 86_400_000).toBeGreaterThan(54)
    for (const { created_at, packed_at, delivered_at } of done) {
      expect(Date.parse(packed_at ?? '')).toBeGreaterThan(Date.parse(created_at))
      expect(Date.parse(packed_at ?? '')).toBeLessThan(Date.now())
      if (delivered_at !== null) expect(Date.parse(delivered_at)).toBeGreaterThan(Date.parse(packed_at ?? ''))
    }
    const states = new Set((await all(db => db.selectFrom('shipments').select('state').distinct().execute())).map(({ state }) => state))
    for (const state of ['booked', 'delivered', 'returned_to_sender', 'lost'] as const) expect(states).toContain(state)
    const lists = await all(db => db.selectFrom('pick_lists').select(['state', 'order_count']).execute())
    expect(lists.filter(list => list.state === 'completed').length).toBeGreaterThan(30)
    expect(
      lists
        .filter(list => list.state !== 'completed')
        .map(list => list.state)
        .sort(),
    ).toEqual(['open', 'picking'])
    expect(await all(db => db.selectFrom('collect_lists').select('id').where('state', '=', 'handed_over').execute())).not.toHaveLength(0)
  })

  it('has figures of every working day of the weeks before', async () => {
    const company = { id: 0, code: 'demo', name: '' }
    const { token } = await testApp.visitor(company).send(session.login, { body: { login: 'admin', password: demoPassword('admin') } })
    const headers = { authorization: token }
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    const asked = { start: day(30), end: day(2) }
    const picks = await testApp.visitor(company).send(statistics.picks, asked, { headers })
    expect(new Set(picks.rows.map(row => row.day)).size).toBeGreaterThanOrEqual(19)
    expect(picks.rows.every(row => row.pieces > 0 && row.active_s > 0)).toBe(true)
    const packs = await testApp.visitor(company).send(statistics.packs, asked, { headers })
    expect(new Set(packs.rows.map(row => row.user_name))).toEqual(new Set(['Kim Lund', 'Jonas Krogh']))
  })

  it('has eight weeks of shifts and clock-ins, leave in all its states, a minor with a guardian, one who left, and five groups', async () => {
    const entries = await all(db => db.selectFrom('schedule_entries').select(['kind', 'state', 'unpublished']).execute())
    expect(entries.filter(one => one.kind === 'shift').length).toBeGreaterThan(300)
    expect(entries.filter(one => one.unpublished).length).toBeGreaterThan(20)
    const states = new Set(entries.filter(one => one.kind === 'leave').map(one => one.state))
    expect([...states].toSorted()).toEqual([
      'approved',
      'cancel_requested',
      'cancelled',
      'registered',
      'rejected',
      'requested',
      'seen',
      'withdrawn',
    ])
    const punches = await all(db => db.selectFrom('punches').select('state').execute())
    expect(punches.length).toBeGreaterThan(250)
    for (const state of ['missing_out', 'correction_requested', 'time_unverified'])
      expect(punches.filter(one => one.state === state)).toHaveLength(1)
    const days = await all(db => db.selectFrom('timesheet_days').select('state').execute())
    expect(new Set(days.map(day => day.state))).toEqual(new Set(['approved', 'locked']))
    const periods = await all(db => db.selectFrom('pay_periods').select('state').orderBy('from_day').execute())
    expect(periods.map(one => one.state)).toEqual(['exported', 'open'])
    const [made] = await all(db => db.selectFrom('pay_exports').select(['rows', 'total']).execute())
    expect(made?.rows).toBeGreaterThan(10)
    const members = await all(db => db.selectFrom('user_group_members').select('group_id').execute())
    expect(new Set(members.map(one => one.group_id)).size).toBe(5)
    const acts = await all(db => db.selectFrom('user_groups').select(['name', 'acts', 'stations']).orderBy('name').execute())
    expect(acts.filter(group => group.acts.length > 0)).toEqual([
      { name: 'Packing team', acts: ['take_over', 'reprint'], stations: null },
      { name: 'Senior packers', acts: ['bypass', 'weight', 'unpack'], stations: ['Packing 1'] },
    ])
    const devices = await all(db => db.selectFrom('users').select('name').where('kind', '=', 'device').execute())
    expect(devices).toHaveLength(3)
    const employed = await all(db => db.selectFrom('employees').select(['birth_date', 'guardian_name', 'employed_to']).execute())
    expect(
      employed.filter(one => one.guardian_name !== null).map(one => isUnder18(one.birth_date, new Date().toISOString().slice(0, 10))),
    ).toEqual([true])
    expect(employed.filter(one => one.employed_to !== null)).toHaveLength(1)
    expect(await all(db => db.selectFrom('users').select('name').where('removed_at', 'is not', null).execute())).toEqual([
      { name: 'Ida Skov' },
    ])
  })

  it('has finished, refused and stopped background work, an imported file with two refused rows, and its columns kept', async () => {
    const jobs = await all(db => db.selectFrom('jobs').select(['kind', 'state']).where('kind', 'like', 'orders.%').orderBy('id').execute())
    expect(jobs.map(job => `${job.kind} ${job.state}`)).toEqual([
      'orders.export done',
      'orders.import done',
      'orders.bulk done',
      'orders.bulk cancelled',
    ])
    const rows = await all(db => db.selectFrom('bulk_job_rows').select('state').execute())
    expect(Map.groupBy(rows, row => row.state).get('done')).toHaveLength(4)
    expect(Map.groupBy(rows, row => row.state).get('refused')).toHaveLength(3)
    const [file] = await all(db => db.selectFrom('order_imports').select(['created', 'rows_refused', 'error_file_id']).execute())
    expect(file).toMatchObject({ created: 3, rows_refused: 2 })
    expect(file?.error_file_id).not.toBeNull()
    expect(await all(db => db.selectFrom('import_mappings').select('shop').execute())).toEqual([{ shop: 'fair' }])
  })

  it('has a paused webhook with deliveries of every state, whose address belongs to no machine, and a key that reads', async () => {
    const hooks = await all(db =>
      db
        .selectFrom('webhooks as w')
        .innerJoin('outbox_destinations as d', 'd.id', 'w.id')
        .select(['w.url', 'd.state', 'd.paused_at'])
        .execute(),
    )
    expect(hooks).toHaveLength(1)
    expect(hooks[0]?.state).toBe('paused')
    expect(hooks[0]?.paused_at).not.toBeNull()
    expect(new URL(hooks[0]?.url ?? '').hostname).toMatch(/\.example$/)
    const deliveries = await all(db =>
      db.selectFrom('outbox_deliveries').select(['state', 'attempts']).where('destination_kind', '=', 'webhook').execute(),
    )
    const count = (state: string) => deliveries.filter(one => one.state === state).length
    expect([count('delivered'), count('failed'), count('waiting'), deliveries.length]).toEqual([9, 1, 2, 12])
    expect(deliveries.find(one => one.state === 'failed')?.attempts).toBe(9)
    const written = await all(db =>
      db.selectFrom('order_comments').select('created_at').where('comment', '=', 'The box was wet on one side').execute(),
    )
    expect(Date.parse(written[0]?.created_at ?? '')).toBeLessThan(Date.now() - 8 * 86_400_000)
    const keys = await all(db => db.selectFrom('cms_keys').select(['purpose', 'read_only']).execute())
    expect(keys).toEqual([{ purpose: 'api', read_only: true }])
  })

  it('has orders in two parcels, each parcel with a label of its own', async () => {
    const second = await all(db =>
      db
        .selectFrom('shipments')
        .select(['company_id', 'order_id'])
        .where('operation_code', '=', 'outbound')
        .where('parcel_no', '=', 2)
        .where('state', '=', 'booked')
        .execute(),
    )
    expect(new Set(second.map(row => row.company_id)).size).toBeGreaterThanOrEqual(2)
    const ids = second.flatMap(row => row.order_id ?? [])
    const labels = await all(db => db.selectFrom('shipments').select(['tracking_no', 'weight_g']).where('order_id', 'in', ids).execute())
    expect(new Set(labels.map(label => label.tracking_no)).size).toBe(2 * ids.length)
    const lines = await all(db => db.selectFrom('parcel_lines').select(['order_id', 'parcel_no']).where('order_id', 'in', ids).execute())
    expect(new Set(lines.map(line => `${line.order_id} ${line.parcel_no}`)).size).toBe(2 * ids.length)
  })

  it('gives its owner hours of its own', async () => {
    const hours = await all(db =>
      db
        .selectFrom('punches as p')
        .innerJoin('users as u', 'u.id', 'p.user_id')
        .select('p.id')
        .where('u.user_name', '=', 'admin')
        .execute(),
    )
    expect(hours.length).toBeGreaterThan(30)
  })

  it('has two shortages of picking to decide', async () => {
    const shorts = await all(db => db.selectFrom('pick_shorts').select('reason').where('decided_at', 'is', null).orderBy('id').execute())
    expect(shorts.map(one => one.reason)).toEqual(['not_there', 'damaged'])
  })

  it('has two orders that may go in one parcel', async () => {
    const { id: company_id, operator_id } = await all(db =>
      db.selectFrom('companies').select(['id', 'operator_id']).where('code', '=', 'demo').executeTakeFirstOrThrow(),
    )
    const together = await testApp.services.database.transaction({ operator_id, company_id, companies: [company_id] }, async db => {
      const ready = await db.selectFrom('orders').select('id').where('company_id', '=', company_id).where('phase', '=', 'ready').execute()
      const found: number[] = []
      for (const { id } of ready) if ((await suggestedWith(db, id)).length > 0) found.push(id)
      return found
    })
    expect(together).toHaveLength(2)
  })

  it('signs its users in and shows them the pictures', async () => {
    const company = { id: 0, code: 'demo-north', name: '' }
    const { token } = await testApp.visitor(company).send(session.login, { body: { login: 'north', password: demoPassword('north') } })
    const headers = { authorization: token }
    const found = await testApp.visitor(company).send(products.search, { query: 'tent' }, { headers })
    expect(found.rows[0]).toMatchObject({ sku: 'NO-TENT-2', has_image: true })
    const { bytes, media_type } = await testApp.visitor(company).send(products.picture, { id: found.rows[0]!.product_id }, { headers })
    expect(media_type).toBe('image/webp')
    expect((await sharp(bytes as Uint8Array).metadata()).width).toBe(400)
  })
})
