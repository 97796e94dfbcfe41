/** Paperless codes over HTTP: no tote ever carries two orders, and none is freed while something lies in it. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { readLabel, readText } from '#test/label-reader.ts'
import { type BuiltList, buildPickList, type PlannedOrder } from '#test/pick-list.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { bindCode, reserveCodes } from './bind-codes.commands.ts'
import { paperless, paperlessOrders } from './paperless.contract.ts'
import type { CodeTools } from './paperless.queries.ts'
import type { MappedCode } from './paperless.schemas.ts'
import { freeCodesOfOrder } from './release-codes.commands.ts'

let testApp: TestApp
let operator: TestOperator
let picker: TestUser
let lead: TestUser
let packer: TestUser
let next = 1_000

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  picker = await operator.hire(['pick'], operator.main, 'Kim')
  lead = await operator.hire(['pick_admin', 'scan_admin', 'parcels_admin', 'settings_admin'], operator.main, 'Jonas')
  packer = await operator.hire(['scan'], operator.main, 'Mia')
})
afterAll(() => testApp.close())

const within = <T>(work: (tools: CodeTools) => Promise<T>): Promise<T> =>
  testApp.services.database.transaction(scopeOfCompany(operator), db => work({ db, recordEvent: async () => {}, notify: () => {} }))

/** New codes in the pool; their digits. */
async function make(count: number): Promise<string[]> {
  const first = next
  next += count
  await lead.send(paperless.download, { body: { count, first, size: 'sheet' } })
  return Array.from({ length: count }, (_, i) => `${first + i}`)
}
const one = (digits: string, by = picker): Promise<MappedCode> => by.send(paperless.one, { id: digits })
const barcode = () => `57${Math.floor(Math.random() * 1e11)}`

/** A list whose orders can be packed and sent, each in its own tote. */
async function pickedList(n: number, plan: Partial<PlannedOrder> = {}): Promise<BuiltList & { digits: string[]; barcodes: string[] }> {
  const barcodes = Array.from({ length: n }, barcode)
  const list = await buildPickList(
    testApp.services.database,
    operator,
    barcodes.map(one => ({ ...plan, lines: [{ bin: 'A-1', qty: 1, barcode: one }] })),
  )
  const digits = await make(n)
  await within(async tools => {
    for (const [i, order] of list.orders.entries())
      await bindCode(tools, digits[i]!, { ...order, pick_list_id: list.id, order_id: order.id })
    await sql`update pick_lines set state = 'picked', picked = asked, decided_at = now() where operator_id = current_operator_id() and pick_list_id = ${list.id}`.execute(
      tools.db,
    )
    await sql`update pick_slots set state = 'picked' where operator_id = current_operator_id() and pick_list_id = ${list.id}`.execute(
      tools.db,
    )
    await sql`update pick_wagons set state = 'picked' where operator_id = current_operator_id() and pick_list_id = ${list.id}`.execute(
      tools.db,
    )
    await sql`update order_lines set picked_qty = qty where operator_id = current_operator_id() and order_id = any (${list.orders.map(order => order.id)}::bigint[])`.execute(
      tools.db,
    )
    await sql`update orders set work_state = 'picked', phase = 'picked', agent_code = 'own', shipping_method = 'van' where operator_id = current_operator_id() and id = any (${list.orders.map(order => order.id)}::bigint[])`.execute(
      tools.db,
    )
  })
  return { ...list, digits, barcodes }
}
const wagonState = (list: BuiltList) =>
  within(
    async ({ db }) =>
      (await db.selectFrom('pick_wagons').select('state').where('pick_list_id', '=', list.id).executeTakeFirstOrThrow()).state,
  )
const listState = (list: BuiltList) =>
  within(async ({ db }) => (await db.selectFrom('pick_lists').select('state').where('id', '=', list.id).executeTakeFirstOrThrow()).state)

async function pack(order_id: number, code: string): Promise<void> {
  const { printers: known } = await lead.send(printers.list, {})
  const label_printer_id = known.find(one => one.paper === 'label')!.id
  await packer.send(packing.start, { id: order_id, body: { station: 'Table 1' } })
  await packer.send(packing.scan, { id: order_id, body: { scan_id: randomUUID(), code, method: 'scan' } as never })
  const closed = await packer.send(packing.close, { id: order_id, body: { label_printer_id } as never })
  expect(closed.outcome).toBe('labelled')
}

describe('the labels of new codes', () => {
  it('carry the code as QR, as Code 128 and as text, on a label of their own or small on A4', async () => {
    const first = next
    next += 3
    for (const size of ['label', 'sheet'] as const) {
      const { bytes } = (await lead.send(paperless.preview, { body: { first, count: 3, size, caption: 'North hall' } })) as unknown as {
        bytes: Buffer
      }
      const read = await readLabel(new Uint8Array(bytes), 300)
      expect(read.map(code => `${code.format} ${code.text}`).sort()).toEqual(
        [0, 1, 2].flatMap(i => [`Code128 PP${first + i}`, `QRCode PP${first + i}`]).sort(),
      )
      const words = (await readText(new Uint8Array(bytes))).join(' ')
      expect(words).toContain(`PP${first}`)
      expect(words).toContain('North hall')
    }
  })

  it('are only looked at in the preview: no code comes into being', async () => {
    const before = await picker.send(paperless.mapping, {})
    await picker.send(paperless.preview, { body: { count: 5 } })
    const after = await picker.send(paperless.mapping, {})
    expect(after.total).toBe(before.total)
    expect(after.next).toBe(before.next)
  })

  it('are numbered on from the highest, and two who ask at once get different numbers', async () => {
    const { next: from } = await picker.send(paperless.mapping, {})
    const { printers: known } = await lead.send(printers.list, {})
    const printer_id = known.find(printer => printer.paper === 'a4')!.id
    const made = await Promise.all(
      [1, 2, 3].map(() => lead.send(paperless.print, { printer_id, body: { count: 2, size: 'sheet', key: randomUUID() } })),
    )
    const digits = made.flatMap(job => job.digits).map(Number)
    expect(digits.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5].map(i => from + i))
    expect(made.every(job => job.state === 'done')).toBe(true)
    next = Math.max(next, from + 6)
  })

  it('are made and printed once for one key, however often it is sent', async () => {
    const { printers: known } = await lead.send(printers.list, {})
    const printer_id = known.find(printer => printer.paper === 'a4')!.id
    const body = { count: 2, size: 'sheet' as const, key: randomUUID() }
    const asked = await Promise.all([1, 2, 3].map(() => lead.send(paperless.print, { printer_id, body })))
    expect(new Set(asked.map(job => job.id)).size).toBe(1)
    expect(new Set(asked.map(job => job.digits.join())).size).toBe(1)
    next = Number(asked[0]!.digits[1]) + 1
  })

  it('are printed again for codes that exist, and refused for those that do not', async () => {
    const digits = await make(2)
    const total = (await picker.send(paperless.mapping, {})).total
    await lead.send(paperless.download, { body: { digits } })
    expect((await picker.send(paperless.mapping, {})).total).toBe(total)
    await expect(lead.send(paperless.download, { body: { digits: [digits[0]!, '99999999'] } })).rejects.toMatchObject({ status: 404 })
    await expect(lead.send(paperless.download, { body: { first: Number(digits[1]), count: 2 } })).rejects.toMatchObject({ status: 409 })
  })
})

describe('a tote', () => {
  it('is kept for a slot, lowest digits first, and two lists made at once share none', async () => {
    const digits = await make(8)
    const slots = (from: number) =>
      [1, 2, 3, 4].map(n => ({ wagon_no: 1, slot_no: n, order_id: from + n, company_id: operator.main.id, bind: 'first_scan' as const }))
    const taken = await Promise.all(
      [1, 2].map(n => within(tools => reserveCodes(tools, { pick_list_id: 900_000 + n, slots: slots(n * 10) }))),
    )
    const all = taken.flat().map(code => code.digits)
    expect(new Set(all).size).toBe(8)
    expect(taken[0]!.map(code => code.slot_no)).toEqual([1, 2, 3, 4])
    const sorted = all.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    expect(sorted[0]! <= digits[0]!).toBe(true)
    await within(({ db }) =>
      sql`update paperless_codes set pick_list_id = null, wagon_no = null, slot_no = null, reserved_at = null where pick_list_id > 900000`.execute(
        db,
      ),
    )
  })

  it('is bound by its first scan, and a free one takes the place of the one that was kept', async () => {
    const [kept, other] = (await make(2)) as [string, string]
    const list = await buildPickList(testApp.services.database, operator, [{ lines: [{ bin: 'A-1', qty: 1, barcode: barcode() }] }])
    const order = list.orders[0]!
    const place = { ...order, pick_list_id: list.id, order_id: order.id }
    await within(({ db }) =>
      sql`update paperless_codes set pick_list_id = ${list.id}, wagon_no = 1, slot_no = 1, reserved_at = now() where operator_id = current_operator_id() and digits = ${kept}`.execute(
        db,
      ),
    )
    expect(await one(kept)).toMatchObject({ state: 'reserved', order: { id: order.id }, slot_no: 1 })
    await expect(packer.send(paperlessOrders.orderOf, { id: kept })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('is kept for slot 1 of wagon 1'),
    })
    await within(tools => bindCode(tools, other, place))
    expect(await one(other)).toMatchObject({ state: 'bound', order: { id: order.id, order_no: order.order_no }, pick_list_id: list.id })
    expect(await one(kept)).toMatchObject({ state: 'free', order: null, pick_list_id: null })
    expect(await within(tools => bindCode(tools, other, place))).toMatchObject({ already: true })
    expect(await packer.send(paperlessOrders.orderOf, { id: other })).toMatchObject({ id: order.id })
    // A second one, when the first is full.
    await within(tools => bindCode(tools, kept, place))
    expect(await within(tools => freeCodesOfOrder(tools, order.id))).toHaveLength(2)
  })

  it('changes places with the one of another slot of its wagon, also when two pickers change them at once', async () => {
    const [a, b] = (await make(2)) as [string, string]
    const list = await buildPickList(
      testApp.services.database,
      operator,
      [1, 2].map(() => ({ lines: [{ bin: 'A-1', qty: 1, barcode: barcode() }] })),
    )
    const [first, second] = list.orders as [BuiltList['orders'][number], BuiltList['orders'][number]]
    await within(({ db }) =>
      sql`update paperless_codes set pick_list_id = ${list.id}, wagon_no = 1, slot_no = case when digits = ${a} then 1 else 2 end, reserved_at = now()
      where operator_id = current_operator_id() and digits in (${a}, ${b})`.execute(db),
    )
    await Promise.all([
      within(tools => bindCode(tools, b, { ...first, pick_list_id: list.id, order_id: first.id })),
      within(tools => bindCode(tools, a, { ...second, pick_list_id: list.id, order_id: second.id })),
    ])
    expect(await one(b)).toMatchObject({ state: 'bound', slot_no: 1, order: { id: first.id } })
    expect(await one(a)).toMatchObject({ state: 'bound', slot_no: 2, order: { id: second.id } })
  })

  it('is never bound twice: of many who bind it at once one succeeds, and the others learn where it is', async () => {
    const [digits] = (await make(1)) as [string]
    const list = await buildPickList(
      testApp.services.database,
      operator,
      Array.from({ length: 6 }, () => ({ lines: [{ bin: 'A-1', qty: 1, barcode: barcode() }] })),
    )
    const answers = await Promise.allSettled(
      list.orders.map(order => picker.send(paperless.bind, { id: digits, body: { order: `${order.company_id}:${order.id}` } })),
    )
    const won = answers.filter(answer => answer.status === 'fulfilled')
    expect(won).toHaveLength(1)
    const refused = answers.filter(answer => answer.status === 'rejected').map(answer => answer.reason.message as string)
    const owner = (won[0] as PromiseFulfilledResult<MappedCode>).value.order!
    expect(
      refused.every(
        text =>
          text ===
          `PP${digits} carries order ${owner.order_no} in slot ${(won[0] as PromiseFulfilledResult<MappedCode>).value.slot_no} of wagon 1, list ${list.id}`,
      ),
    ).toBe(true)
  })

  it('that is lost is not reserved, cannot be bound, and names its order at the station', async () => {
    const list = await pickedList(1)
    const [digits] = list.digits as [string]
    const order = list.orders[0]!
    expect((await picker.send(paperless.lost, { body: { codes: [`PP${digits}`, '88888888'] } })).results).toMatchObject([
      { digits, done: true },
      { digits: '88888888', done: false, message: 'There is no code PP88888888 here' },
    ])
    expect(await one(digits)).toMatchObject({ state: 'lost', pick_list_id: null, order: { id: order.id } })
    await expect(packer.send(packing.find, { code: `PP${digits}` })).rejects.toMatchObject({
      status: 409,
      message: `PP${digits} was reported lost with order ${order.order_no}. Open the order by its number, and mark the code as found.`,
    })
    await expect(picker.send(paperless.bind, { id: digits, body: { order: order.order_no } })).rejects.toMatchObject({ status: 409 })
    expect((await picker.send(paperless.foundAgain, { body: { codes: [digits] } })).results).toMatchObject([{ done: true }])
    expect(await one(digits)).toMatchObject({ state: 'bound', pick_list_id: list.id, slot_no: 1, order: { id: order.id } })
  })

  it('leaves the pool only while nothing depends on it', async () => {
    const list = await pickedList(1)
    const [free] = (await make(1)) as [string]
    await expect(picker.send(paperless.remove, { body: { codes: [free] } })).rejects.toMatchObject({ status: 403 })
    const { results } = await lead.send(paperless.remove, { body: { codes: [free, list.digits[0]!] } })
    expect(results.find(result => result.digits === free)).toMatchObject({ done: true })
    expect(results.find(result => result.digits !== free)).toMatchObject({ done: false, message: expect.stringContaining('is in use') })
    await expect(one(free)).rejects.toMatchObject({ status: 404 })
  })
})

describe('at the station', () => {
  it('a code opens its order, which moves code, wagon and list; packing frees them all', async () => {
    const list = await pickedList(2)
    const [a, b] = list.digits as [string, string]
    const [first, second] = list.orders as [BuiltList['orders'][number], BuiltList['orders'][number]]
    expect(await packer.send(packing.find, { code: `PP${a}` })).toMatchObject({ orders: [{ order_id: first.id, found_by: 'paperless' }] })
    await packer.send(packing.start, { id: first.id, body: { station: 'Table 1' } })
    expect(await one(a)).toMatchObject({ state: 'at_packing', station: 'Table 1', order: { id: first.id } })
    expect(await packer.send(paperlessOrders.orderOf, { id: a })).toMatchObject({ id: first.id })
    expect([await wagonState(list), await listState(list)]).toEqual(['at_packing', 'packing'])
    await pack(first.id, list.barcodes[0]!)
    expect(await one(a)).toMatchObject({ state: 'free', order: null })
    expect([await wagonState(list), await listState(list)]).toEqual(['at_packing', 'packing'])
    await pack(second.id, list.barcodes[1]!)
    expect(await one(b)).toMatchObject({ state: 'free' })
    expect([await wagonState(list), await listState(list)]).toEqual(['released', 'completed'])
    const slots = await within(({ db }) =>
      db.selectFrom('pick_slots').select(['state', 'live']).where('pick_list_id', '=', list.id).execute(),
    )
    expect(slots).toEqual([
      { state: 'packed', live: false },
      { state: 'packed', live: false },
    ])
  })

  it('a packed order that is unpacked again has no tote until somebody names one: its old one may carry another by now', async () => {
    const list = await pickedList(1)
    const [order] = list.orders as [BuiltList['orders'][number]]
    const [old] = list.digits as [string]
    await pack(order.id, list.barcodes[0]!)
    await lead.send(orders.setState, { id: order.id, state: 'picked' })
    expect(await lead.send(orders.get, { id: order.id })).toMatchObject({ work_state: 'picked', paperless: [] })
    expect(await one(old)).toMatchObject({ state: 'free', order: null })
    const [another] = (await make(1)) as [string]
    expect(await picker.send(paperless.bind, { id: another, body: { order: order.order_no } })).toMatchObject({
      state: 'bound',
      pick_list_id: null,
      order: { id: order.id },
    })
    expect(await packer.send(packing.find, { code: `PP${another}` })).toMatchObject({ orders: [{ order_id: order.id }] })
    await pack(order.id, list.barcodes[0]!)
    expect(await one(another)).toMatchObject({ state: 'free', order: null })
  })

  it('an order that is set aside or given back takes its tote with it', async () => {
    const list = await pickedList(1)
    const [digits] = list.digits as [string]
    const id = list.orders[0]!.id
    await packer.send(packing.start, { id, body: { station: 'Table 1' } })
    await packer.send(packing.park, { id, body: { reason: 'Break' } } as never)
    expect(await one(digits)).toMatchObject({ state: 'bound' })
    await packer.send(packing.start, { id, body: { station: 'Table 1' } })
    expect(await one(digits)).toMatchObject({ state: 'at_packing' })
    await packer.send(packing.abort, { id, body: { empty: true } } as never)
    expect(await one(digits)).toMatchObject({ state: 'bound', order: { id } })
    expect(await wagonState(list)).toBe('picked')
  })

  it('a free code and an unknown one say so in their own words', async () => {
    const [digits] = (await make(1)) as [string]
    await expect(packer.send(packing.find, { code: `PP${digits}` })).rejects.toMatchObject({
      status: 409,
      message: `The code PP${digits} carries no order`,
    })
    await expect(packer.send(packing.find, { code: 'PP77777777' })).rejects.toMatchObject({
      status: 404,
      message: 'There is no code PP77777777 here',
    })
    await expect(packer.send(paperlessOrders.orderOf, { id: 'PPx' })).rejects.toMatchObject({ status: 404 })
  })
})

describe('releasing a wagon', () => {
  it('frees the codes of orders that are done with and names those that are open, with where they are', async () => {
    const list = await pickedList(3)
    const [a, b, c] = list.orders as [BuiltList['orders'][number], BuiltList['orders'][number], BuiltList['orders'][number]]
    await packer.send(packing.start, { id: a.id, body: { station: 'Table 7' } })
    await within(({ db }) =>
      sql`update orders set work_state = 'closed', phase = 'closed' where operator_id = current_operator_id() and id = ${c.id}`.execute(db),
    )
    const { freed, open } = await picker.send(paperless.release, { x: list.id, y: 1 })
    expect(freed).toEqual([list.digits[2]])
    expect(open).toMatchObject([
      { digits: list.digits[0], order_no: a.order_no, station: 'Table 7', phase: 'in_pack', wagon_no: 1, slot_no: 1 },
      { digits: list.digits[1], order_no: b.order_no, station: null, phase: 'picked' },
    ])
    expect(await one(list.digits[1]!)).toMatchObject({ state: 'bound' })
    await expect(picker.send(paperless.release, { x: list.id, y: 2 })).rejects.toMatchObject({ status: 404 })
  })

  it('by hand needs the right, and says for each code why not – unless it is to be freed all the same', async () => {
    const list = await pickedList(1)
    const [free] = (await make(1)) as [string]
    const codes = [list.digits[0]!, free]
    await expect(picker.send(paperless.free, { body: { codes } })).rejects.toMatchObject({ status: 403 })
    const { results } = await lead.send(paperless.free, { body: { codes } })
    const order_no = list.orders[0]!.order_no
    expect(results.map(result => [result.done, result.message])).toEqual([
      [false, `PP${codes[0]}: order ${order_no} is still open, in slot 1 of wagon 1, list ${list.id}`],
      [false, `PP${free} is free already`],
    ])
    expect((await lead.send(paperless.free, { body: { codes: [codes[0]!], even_open: true } })).results).toMatchObject([{ done: true }])
    expect(await one(codes[0]!)).toMatchObject({ state: 'free' })
  })
})

describe('the pool', () => {
  it('is searched by code, order and list, and filtered by state', async () => {
    const list = await pickedList(2)
    const find = async (query: string) => (await picker.send(paperless.mapping, { query })).rows.map(row => row.digits)
    expect(await find(`PP${list.digits[0]}`)).toEqual([list.digits[0]])
    expect(await find(list.orders[1]!.order_no)).toEqual([list.digits[1]])
    expect(await find(`${list.orders[0]!.company_id}:${list.orders[0]!.id}`)).toEqual([list.digits[0]])
    expect(await find(`${list.id}`)).toEqual(expect.arrayContaining(list.digits))
    const bound = await picker.send(paperless.mapping, { state: ['bound'], limit: 500 })
    expect(bound.rows.every(row => row.state === 'bound')).toBe(true)
    expect(bound.total).toBe(bound.counts.bound)
    const { bytes } = (await picker.send(paperless.export, { query: `PP${list.digits[0]}` })) as unknown as { bytes: Buffer }
    expect(bytes.toString()).toContain(`PP${list.digits[0]},bound,${list.id},1,1,${list.orders[0]!.order_no}`)
  })

  it('belongs to one operator, and only its main company’s pickers see it', async () => {
    const [digits] = (await make(1)) as [string]
    const stranger = await (await testApp.operator()).hire(['pick_admin'])
    await expect(one(digits, stranger)).rejects.toMatchObject({ status: 404 })
    expect((await stranger.send(paperless.mapping, {})).total).toBe(0)
    const shop = await operator.hire(['pick_admin'], operator.shops[0])
    for (const [call, input] of [
      [paperless.mapping, {}],
      [paperless.one, { id: digits }],
      [paperless.lost, { body: { codes: [digits] } }],
      [paperless.release, { x: 1, y: 1 }],
    ] as const)
      expect((await shop.ask(call, input)).statusCode).toBe(403)
    expect((await (await operator.hire(['statistics'])).ask(paperless.mapping, {})).statusCode).toBe(403)
  })

  it('tells a shop nothing of codes but those that carry its own orders', async () => {
    const shop = await operator.hire(['scan', 'parcels'], operator.shops[0])
    const own = await pickedList(1, { company: operator.shops[0]! })
    const foreign = await pickedList(1)
    const [free, lost] = (await make(2)) as [string, string]
    await lead.send(paperless.lost, { body: { codes: [lost] } })
    expect(await shop.send(paperlessOrders.orderOf, { id: own.digits[0]! })).toMatchObject({ id: own.orders[0]!.id })
    const unknown = '99999999999'
    for (const digits of [foreign.digits[0]!, free, lost, unknown])
      for (const answer of [
        await shop.ask(paperlessOrders.orderOf, { id: digits }),
        await shop.ask(packing.find, { code: `PP${digits}` }),
        await shop.ask(paperlessOrders.orderOf, { id: `PP${digits}` }),
      ])
        expect([answer.statusCode, answer.json().code, answer.json().message]).toEqual([
          404,
          'tote_code_not_found',
          `There is no code PP${digits} here`,
        ])
    expect((await packer.ask(paperlessOrders.orderOf, { id: free })).statusCode).toBe(409)
  })
})
