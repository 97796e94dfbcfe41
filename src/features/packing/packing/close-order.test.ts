/** Closing an order: how often it asks the database, and what it does while a service outside hangs. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { watchPrints } from '#features/printing/print-jobs/send-prints.task.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { printNodeSecret } from '#features/printing/printers/providers.server.ts'
import { type FakePrintNode, fakePrintNode } from '#integrations/printers/printnode.fake.ts'
import { storeSecret } from '#platform/crypto/secret-store.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let node: FakePrintNode
let testApp: TestApp
let operator: TestOperator
beforeAll(async () => {
  node = await fakePrintNode({ perSecond: 1_000 })
  testApp = await openTestApp({ PRINTNODE_URL: node.url })
  operator = await testApp.operator({ settings: { sender } })
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    storeSecret(
      db,
      testApp.services.vault,
      { operator_id: operator.operator_id, company_id: operator.main.id, name: printNodeSecret },
      node.apiKey,
      {
        user_id: 0,
        at: new Date(),
      },
    ),
  )
})
afterAll(async () => {
  await testApp.close()
  await node.stop()
})

async function packedOrder(packer: Awaited<ReturnType<TestOperator['hire']>>): Promise<number> {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [
      { sku: 'TS001', barcode: '5701234567890', name: 'T-shirt', qty: 1, weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' },
    ],
  })
  await packer.send(packing.start, { id, body: { station: 'Bench 1' } })
  await packer.send(packing.scan, { id, body: { scan_id: randomUUID(), code: '5701234567890' } })
  return id
}

it('is answered within seconds though the printing service hangs, and the label comes out once', async () => {
  const printer = node.addPrinter({ computer: { id: 1, name: 'PACK-1', state: 'connected' } })
  const packer = await operator.hire(['scan'])
  const known = await packer.send(printers.list, { refresh: true })
  const label_printer_id = known.printers.find(one => one.remote_id === String(printer.id))!.id
  const id = await packedOrder(packer)
  node.behave({ on: 'POST /printjobs', slow: 12_000 })
  const began = performance.now()
  const closed = await packer.send(packing.close, { id, body: { label_printer_id } })
  expect(performance.now() - began).toBeLessThan(9_000)
  expect(closed).toMatchObject({ outcome: 'labelled', print_jobs: [{ state: 'sending' }] })

  testApp.setNow(new Date(Date.now() + 60_000))
  await expect
    .poll(
      async () => {
        await watchPrints(testApp.services)
        return (await packer.send(packing.close, { id, body: { label_printer_id } })).print_jobs
      },
      { timeout: 60_000, interval: 500 },
    )
    .toMatchObject([{ state: expect.stringMatching(/^(accepted|done)$/) }])
  expect(node.printed()).toHaveLength(1)
})

it('takes six transactions: intent, label, waiting prints, claim, printed, answer', async () => {
  const printer = node.addPrinter({ computer: { id: 2, name: 'PACK-2', state: 'connected' } })
  const packer = await operator.hire(['scan'])
  const known = await packer.send(printers.list, { refresh: true })
  const label_printer_id = known.printers.find(one => one.remote_id === String(printer.id))!.id
  const id = await packedOrder(packer)
  const transactions = vi.spyOn(testApp.services.database, 'transaction')
  const closed = await packer.send(packing.close, { id, body: { label_printer_id } })
  expect(transactions).toHaveBeenCalledTimes(6)
  transactions.mockRestore()
  expect(closed).toMatchObject({ outcome: 'labelled', print_jobs: [{ state: 'accepted' }] })
})
