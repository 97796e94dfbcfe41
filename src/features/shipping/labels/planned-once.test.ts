/** What is asked with each label and each event of a courier is planned once a connection: planning takes longer than asking. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTools, scopeOfCompany } from '#app/demo/builders.ts'
import { enqueueParcels } from '#features/invoicing/invoices/queue.commands.ts'
import { reportsToUs } from '#features/shipping/courier-events/courier-events.queries.ts'
import { parcelOf } from '#features/shipping/pushed-events/pushed-events.queries.ts'
import { readSecrets } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import { plannedAnew, textsOf } from '#test/statement-plans.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { shipmentsById, shipmentsOfOrders } from './labels.queries.ts'

let testApp: TestApp
let operator: TestOperator
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
})
afterAll(() => testApp.close())

const asked: [name: string, ask: (db: Db, n: number) => Promise<unknown>][] = [
  ['shipments by their ids', (db, n) => shipmentsById(db, testApp.services, [n, n + 1])],
  ['shipments of orders', (db, n) => shipmentsOfOrders(db, testApp.services, [n, n + 1])],
  ['the parcel that an event names', (db, n) => parcelOf(db, operator.main.id, 'bring', `T${n}`)],
  ['who learns of an event', (db, n) => reportsToUs(db, [{ shipment_id: n, event: 'delivered' }])],
  [
    'the secrets that may sign',
    (db, n) =>
      readSecrets(
        db,
        testApp.services.vault,
        { operator_id: operator.operator_id, company_id: operator.main.id, name: `s${n}` },
        new Date(),
      ),
  ],
  ['which parcels wait for an invoice', (db, n) => enqueueParcels(buildTools(testApp.services, db, scopeOfCompany(operator)), [n])],
]

it.each(asked)('%s', async (_, ask) => {
  await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
    const texts = textsOf(db)
    for (const n of [1, 2, 3]) await ask(db, n)
    expect(new Set(texts).size).toBe(1)
    expect(await plannedAnew(db, [...texts])).toEqual([])
  })
})
