/** The papers of an order: what is on them, where they are printed, and for whom. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import type { FileAnswer } from '#contract/endpoint.ts'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { readLabel, readText } from '#test/label-reader.ts'
import { type PlacedOrder, placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import type { OrderDocument } from './order-papers.codes.ts'
import { orderPapers } from './order-papers.contract.ts'

let testApp: TestApp
let operator: TestOperator
let worker: TestUser
let order: PlacedOrder

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  worker = await operator.hire(['parcels'])
  order = await placeOrder(testApp.services.database, scopeOfCompany(operator), { order_no: 'P-1001', locale: 'de_DE' })
  await worker.send(orderComments.add, { id: order.id, type: 'warning', body: { comment: 'Wrap it twice' } })
})
afterAll(() => testApp.close())

function bytesOf({ bytes }: FileAnswer): Uint8Array {
  if (!(bytes instanceof Uint8Array)) throw new Error('The file is no bytes')
  return new Uint8Array(bytes)
}

async function textOf(document: OrderDocument, locale?: string): Promise<string> {
  const file = await worker.send(orderPapers.download, { id: order.id, document, ...(locale && { locale }) })
  return (await readText(bytesOf(file))).join('\n')
}

it('the order sheet has number, address, notes and items in the language asked for, and the code to scan', async () => {
  const text = await textOf('sheet', 'da_DK')
  for (const word of ['P-1001', 'Lene Hansen', 'Skibhusvej 52', 'TS001-WH', 'T-shirt, White / L', 'Wrap it twice', 'Ordreark'])
    expect(text).toContain(word)
  const file = await worker.send(orderPapers.download, { id: order.id })
  const codes = await readLabel(bytesOf(file), 300)
  expect(codes.map(code => code.text)).toContain(`${operator.main.id}:${order.id}`)
})

it('the packing slip speaks the language of the customer and holds no note of the warehouse', async () => {
  const text = await textOf('slip', 'da_DK')
  expect(text).toContain('Lieferschein')
  expect(text).toContain('TS001-WH')
  expect(text).not.toContain('Wrap it twice')
})

it('both are one file', async () => {
  const text = await textOf('both', 'en_GB')
  expect(text).toContain('Order sheet')
  expect(text).toContain('Lieferschein')
})

it('are printed once, on A4 paper only', async () => {
  const known = (await worker.send(printers.list, {})).printers
  const printer = known.find(one => one.paper === 'a4')?.id ?? 0
  const client_id = randomUUID()
  const { print_jobs } = await worker.send(orderPapers.print, { id: order.id, printer, document: 'both', client_id })
  expect(print_jobs.map(job => [job.document, job.state])).toEqual([
    ['sheet', 'done'],
    ['slip', 'done'],
  ])
  const again = await worker.send(orderPapers.print, { id: order.id, printer, document: 'both', client_id })
  expect(again.print_jobs.map(job => job.id)).toEqual(print_jobs.map(job => job.id))
  const label = known.find(one => one.paper === 'label')?.id ?? 0
  await expect(worker.send(orderPapers.print, { id: order.id, printer: label })).rejects.toMatchObject({ code: 'printer_paper_differs' })
})

it('are not for strangers', async () => {
  const stranger = await (await testApp.operator()).hire(['parcels'])
  await expect(stranger.send(orderPapers.download, { id: order.id })).rejects.toMatchObject({ status: 404 })
  expect((await (await operator.hire(['statistics'])).ask(orderPapers.download, { id: order.id })).statusCode).toBe(403)
})
