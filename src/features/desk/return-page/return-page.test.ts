/** The page of a return over HTTP: its history, and the label that its customer got. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { pickTasks } from '#features/warehouse/pick-tasks/pick-tasks.contract.ts'
import type { Db } from '#platform/database/database.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { returnPage } from './return-page.contract.ts'

let testApp: TestApp
let operator: TestOperator
let mette: TestUser
let office: TestUser
let printer_id: number

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  mette = await operator.hire(['rma_admin', 'pick', 'parcels_admin'], operator.main, 'Mette Friis')
  office = await operator.hire(['parcels'], operator.main, 'Astrid Holm')
  const admin = await operator.hire(['admin'])
  printer_id = (await admin.send(printers.list, {})).printers.find(one => one.paper === 'label')!.id
})
afterAll(() => testApp.close())

const inDatabase = <T>(work: (db: Db) => Promise<T>, company = operator.main) =>
  testApp.services.database.transaction({ ...scopeOfCompany(operator, company), companies: [company.id] }, work)

/** A return of one T-shirt of an order that was delivered two days ago. */
async function announced(company = operator.main) {
  const order = await placeOrder(testApp.services.database, scopeOfCompany(operator, company), { work_state: 'handed_over' })
  const at = new Date(Date.now() - 2 * 86_400_000).toISOString()
  await inDatabase(async db => {
    await db
      .updateTable('order_lines')
      .set(eb => ({ packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
      .where('order_id', '=', order.id)
      .execute()
    await db
      .insertInto('shipments')
      .values({
        ...{ order_id: order.id, company_id: company.id, agent_code: 'own', shipping_method: 'van', state: 'delivered' },
        ...{ idempotency_key: randomUUID(), reference: order.order_no, handed_over_at: at, delivered_at: at },
      })
      .execute()
  }, company)
  const items = [{ order_line_id: order.lines[0]!, qty: 1, reason: 'changed_mind', outcome: 'refund' as const }]
  const made = await mette.send(returns.create, { body: { client_id: randomUUID(), order_id: order.id, items } })
  return { order, ...made }
}

/** The same with a courier label, as the customer asks for one. */
async function labelled() {
  const made = await announced()
  const { shipments } = await mette.send(labels.makeReturn, {
    ...{ order_id: made.order.id, agent_code: 'own', operation_code: 'return', packing_station: 'Office' },
    body: { parcels: [{ lines: [{ order_line_id: made.order.lines[0]!, quantity: 1 }] }] },
  })
  const shipment = shipments.find(one => one.operation_code === 'return')!
  const client_id = randomUUID()
  await inDatabase(async db => {
    await db.updateTable('shipments').set({ client_id }).where('id', '=', shipment.shipment_id).execute()
    await db.updateTable('returns').set({ label_client_id: client_id, method: 'label' }).where('id', '=', made.id).execute()
  })
  return { ...made, shipment }
}

describe('the label of a return', () => {
  it('is saved as PDF and printed, again as a marked copy, and once for each client id', async () => {
    const { id, shipment } = await labelled()
    expect(await office.send(returnPage.labelState, { id })).toEqual({ state: 'ready', tracking_no: shipment.tracking_no, is_open: true })
    const pdf = await office.ask(returnPage.label, { id })
    expect([pdf.statusCode, pdf.headers['content-type'], pdf.body.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
    const client_id = randomUUID()
    const print = (body = { client_id }) => mette.send(returnPage.printLabel, { id, printer_id, body })
    const first = await print()
    expect(first.state).toBe('done')
    expect(await print()).toEqual(first)
    const copy = await print({ client_id: randomUUID() })
    expect(copy.print_job_id).not.toBe(first.print_job_id)
    const jobs = await inDatabase(db =>
      db.selectFrom('print_jobs').select('copy_no').where('id', 'in', [first.print_job_id, copy.print_job_id]).orderBy('id').execute(),
    )
    expect(jobs.map(job => job.copy_no)).toEqual([0, 1])
  })

  it('is gone once its parcel has arrived, once it was cancelled, or once its file was removed', async () => {
    const arrived = await labelled()
    await mette.send(returns.scan, { body: { code: arrived.rma_no } })
    expect(await mette.send(returnPage.labelState, { id: arrived.id })).toMatchObject({ is_open: false })
    const cancelled = await labelled()
    await mette.send(labels.cancel, { agent_code: 'own', barcode: cancelled.shipment.barcode! })
    const removed = await labelled()
    await inDatabase(async db => {
      const { label_a4_file_id, label_pdf_file_id } = await db
        .selectFrom('shipments')
        .select(['label_a4_file_id', 'label_pdf_file_id'])
        .where('id', '=', removed.shipment.shipment_id)
        .executeTakeFirstOrThrow()
      await db
        .updateTable('files')
        .set({ erased_at: new Date().toISOString() })
        .where('id', 'in', [label_a4_file_id ?? 0, label_pdf_file_id ?? 0])
        .execute()
    })
    for (const { id } of [arrived, cancelled, removed]) {
      await expect(mette.send(returnPage.label, { id })).rejects.toMatchObject({ status: 409, code: 'label_gone' })
      const print = mette.send(returnPage.printLabel, { id, printer_id, body: { client_id: randomUUID() } })
      await expect(print).rejects.toMatchObject({ status: 409, code: 'label_gone' })
    }
  })

  it('is none where the customer has none, and is printed by the desk alone', async () => {
    const { id } = await announced()
    expect(await mette.send(returnPage.labelState, { id })).toEqual({ state: 'none', tracking_no: null, is_open: false })
    await expect(mette.send(returnPage.label, { id })).rejects.toMatchObject({ status: 409, code: 'return_label_not_offered' })
    const { id: open } = await labelled()
    expect((await office.ask(returnPage.printLabel, { id: open, printer_id, body: { client_id: randomUUID() } })).statusCode).toBe(403)
    const shop = await operator.hire(['rma_admin', 'parcels'], operator.shops[0])
    for (const call of [returnPage.label, returnPage.labelState, returnPage.timeline])
      expect((await shop.ask(call, { id: open })).statusCode).toBe(404)
  })
})

describe('the history of a return', () => {
  it('says what happened, who did it and where its piece was put back, the newest first', async () => {
    const { id, rma_no, items } = await announced()
    await mette.send(returns.scan, { body: { code: rma_no } })
    const item_id = items[0]!.id
    await mette.send(returns.inspect, { id, item_id, body: { condition: 'A', version: items[0]!.version + 1 } })
    await mette.send(returns.decide, { id, body: { items: [{ item_id, decision: 'restock', bin: 'A-01-1' }] } })
    const [task] = (await mette.send(pickTasks.putBacks, {})).rows
    await mette.send(pickTasks.putBack, { id: task!.id, body: { quantity: 1, version: task!.version } })
    const { rows, total } = await office.send(returnPage.timeline, { id })
    expect(rows.map(row => row.text)).toEqual([
      'Put back: {{quantity}} × {{name}} into {{bin}}',
      'Return {{rma_no}}: items were decided',
      'Return {{rma_no}}: {{name}} was inspected, condition {{condition}}',
      'Return {{rma_no}} arrived',
      'Customer written to about the return',
      'Return {{rma_no}} was approved',
      'Return {{rma_no}} was requested: {{items}} items',
    ])
    expect(rows.every(row => row.actor === 'Mette Friis' || row.actor === 'system')).toBe(true)
    expect(total).toBe(7)
    // What was put back stays in the history when the return is linked to another order, or to none.
    await inDatabase(db => db.updateTable('returns').set({ order_id: null }).where('id', '=', id).execute())
    expect((await office.send(returnPage.timeline, { id })).rows[0]?.text).toBe('Put back: {{quantity}} × {{name}} into {{bin}}')
    const second = await office.send(returnPage.timeline, { id, page: 2, limit: 4 })
    expect(second.rows.map(row => row.key)).toEqual(rows.slice(4).map(row => row.key))
    // Of another return nothing stands here.
    const other = await announced()
    expect((await office.send(returnPage.timeline, { id: other.id })).rows).toHaveLength(3)
  })

  it('does not name staff of the warehouse to a shop', async () => {
    const shop = operator.shops[0]!
    const { id } = await announced(shop)
    const clerk = await operator.hire(['parcels'], shop)
    const { rows } = await clerk.send(returnPage.timeline, { id })
    expect(new Set(rows.map(row => row.actor))).toEqual(new Set(['Warehouse']))
  })
})

describe('the put-back label', () => {
  it('is printed for a restocked item with its bin, once for each client id, and for no other item', async () => {
    const { id, items } = await announced()
    const item_id = items[0]!.id
    const body = { client_id: randomUUID() }
    const print = (user = mette) => user.ask(returnPage.printPutBack, { id, item_id, printer_id, body })
    expect((await print()).json()).toMatchObject({ code: 'put_back_none' })
    await mette.send(returns.inspect, { id, item_id, body: { condition: 'A' } })
    await mette.send(returns.decide, { id, body: { items: [{ item_id, decision: 'restock', bin: 'A-01-1' }] } })
    const first = (await print()).json()
    expect(first).toMatchObject({ state: 'done' })
    expect((await print()).json()).toEqual(first)
    const [job, ...others] = await inDatabase(db =>
      db.selectFrom('print_jobs').select(['id', 'paper', 'company_id']).where('document', '=', 'put_back').execute(),
    )
    expect([job, others]).toEqual([{ id: first.print_job_id, paper: 'label', company_id: operator.main.id }, []])
    expect((await print(office)).statusCode).toBe(403)
    const other = await announced()
    expect((await mette.ask(returnPage.printPutBack, { id: other.id, item_id, printer_id, body })).statusCode).toBe(404)
  })
})
