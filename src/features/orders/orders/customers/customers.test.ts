/** Customers of orders: one person is one customer, seen by the companies that the person bought from. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltCompany, buildOrder, buildTools, scopeOfCompany } from '#app/demo/builders.ts'
import { readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { customerById } from '#features/customers/customers/customers.queries.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { retryOrderConflict, storeOrders } from '../upsert/order-upsert.commands.ts'
import { attachNextOrders } from './attach-customers.commands.ts'
import { startBackfills } from './customer-backfill.task.ts'

let testApp: TestApp
let root: pg.Pool
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  root = new pg.Pool({ connectionString: testApp.url })
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})

let numbers = 0
const email = () => `person-${++numbers}@example.test`
const scopeOf = (operator: TestOperator, company: BuiltCompany = operator.main) => ({
  ...scopeOfCompany(operator, company),
  companies: [company.id],
})

/** An order of a person without a phone number, except for what `over` says. */
const place = (operator: TestOperator, over: Partial<WrittenOrder>, company: BuiltCompany = operator.main) =>
  buildOrder(testApp.services, scopeOf(operator, company), {
    ship_to: { name: 'Åse Holm', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK' },
    ...over,
  })

async function customerOf(order: { id: number }): Promise<number | null> {
  const { rows } = await root.query<{ customer_id: string | null }>('select customer_id from orders where id = $1', [order.id])
  const id = rows[0]?.customer_id
  return id == null ? null : Number(id)
}
const countOf = async (operator: TestOperator, table: string) =>
  Number((await root.query(`select count(*) from ${table} where operator_id = ${operator.operator_id}`)).rows[0].count)

describe('a new order', () => {
  it('makes a customer, and the next order of the same e-mail address finds it', async () => {
    const operator = await testApp.operator()
    const address = email()
    const first = await place(operator, { customer: { name: 'Åse Holm', email: address } })
    const second = await place(operator, { customer: { name: 'Å. Holm', email: address.toUpperCase() } })
    expect(await customerOf(first)).not.toBeNull()
    expect(await customerOf(second)).toBe(await customerOf(first))
    expect(await countOf(operator, 'customers')).toBe(1)
  })

  it('of the same person with another e-mail address and the same phone number finds the customer', async () => {
    const operator = await testApp.operator()
    const [one, other] = [email(), email()]
    const first = await place(operator, { customer: { name: 'Åse Holm', email: one, phone: '20 12 34 56' } })
    const second = await place(operator, { customer: { name: 'Åse Holm', email: other, phone: '+4520123456' } })
    const third = await place(operator, { customer: { name: 'Åse Holm', email: other } })
    const all = await Promise.all([first, second, third].map(customerOf))
    expect(new Set(all).size).toBe(1)
  })

  it('without any contact data has no customer', async () => {
    const operator = await testApp.operator()
    const order = await place(operator, {})
    expect(await customerOf(order)).toBeNull()
    expect(await countOf(operator, 'customers')).toBe(0)
  })

  it('of another operator makes a customer of its own', async () => {
    const [one, other] = [await testApp.operator(), await testApp.operator()]
    const address = email()
    const first = await place(one, { customer: { name: 'Åse Holm', email: address } })
    const second = await place(other, { customer: { name: 'Åse Holm', email: address } })
    expect(await customerOf(second)).not.toBe(await customerOf(first))
  })

  it('that the shop changes keeps its customer, who is then also found by the new address', async () => {
    const operator = await testApp.operator()
    const [before, after] = [email(), email()]
    const external = { external_id: `changed-${before}`, order_no: `C${before}` }
    const order = await place(operator, { ...external, customer: { name: 'Åse Holm', email: before } })
    const customer = await customerOf(order)
    await place(operator, { ...external, customer: { name: 'Åse Holm', email: after } })
    expect(await customerOf(order)).toBe(customer)
    expect(await customerOf(await place(operator, { customer: { name: 'Åse Holm', email: after } }))).toBe(customer)
    expect(await countOf(operator, 'customers')).toBe(1)
  })

  it('that the shop changes gets a customer once it names one', async () => {
    const operator = await testApp.operator()
    const external = { external_id: `late-${++numbers}`, order_no: `L${numbers}` }
    const order = await place(operator, external)
    expect(await customerOf(order)).toBeNull()
    await place(operator, { ...external, customer: { name: 'Åse Holm', email: email() } })
    expect(await customerOf(order)).not.toBeNull()
  })
})

describe('many orders', () => {
  /** Stores the orders in one transaction, as an import does. */
  const store = (operator: TestOperator, plans: readonly { email: string; phone?: string }[]) =>
    retryOrderConflict(() =>
      testApp.services.database.transaction(scopeOf(operator), db => {
        const orders = plans.map(plan => {
          const n = ++numbers
          const reading = readCanonical({
            external_id: `many-${n}`,
            order_no: `M${n}`,
            currency: 'DKK',
            customer: { name: `Person ${plan.email}`, email: plan.email, phone: plan.phone ?? null },
            ship_to: { name: 'Åse', address1: 'Vej 1', postcode: '5000', city: 'Odense', country: 'DK' },
            lines: [{ sku: 'TS-1', name: 'T-shirt', qty: '1' }],
          })
          if (reading.problems) throw new Error(JSON.stringify(reading.problems))
          return toOrder(reading.order)
        })
        return storeOrders(buildTools(testApp.services, db, scopeOf(operator)), orders, { ends: true })
      }),
    )

  it('of one batch share the customer of their person', async () => {
    const operator = await testApp.operator()
    const [one, other] = [email(), email()]
    const stored = await store(operator, [{ email: one }, { email: other }, { email: one }])
    const [a, b, c] = await Promise.all(stored.map(row => customerOf({ id: row.order_id! })))
    expect(a).toBe(c)
    expect(b).not.toBe(a)
    expect(await countOf(operator, 'customers')).toBe(2)
  })

  it('of one person that come at the same time make one customer', async () => {
    const operator = await testApp.operator()
    for (let attempt = 0; attempt < 5; attempt++) {
      const people = Array.from({ length: 8 }, () => ({ email: email(), phone: `+45201${10_000 + ++numbers}` }))
      const all = await Promise.all([store(operator, people), store(operator, people.toReversed()), store(operator, people)])
      const customers = await Promise.all(all.flat().map(row => customerOf({ id: row.order_id! })))
      expect(new Set(customers).size).toBe(8)
      expect(await countOf(operator, 'customers')).toBe(8 * (attempt + 1))
    }
  })
})

describe('a company', () => {
  it('sees a customer under its own name and values, and nothing of a customer of another shop', async () => {
    const operator = await testApp.operator({ shops: 2 })
    const [shop, other] = [operator.shops[0]!, operator.shops[1]!]
    const address = email()
    const order = await place(operator, { customer: { name: 'Åse Holm', email: address } }, shop)
    const id = (await customerOf(order))!
    const asSeenBy = async (company: BuiltCompany) => {
      const customer = await testApp.services.database.readOnly(scopeOf(operator, company), db => customerById(db, id))
      return (
        customer && {
          id: customer.customer_id,
          companies: customer.companies.map(({ company_id, name }) => ({ company_id, name })),
          lookups: customer.lookups.map(({ check_type, check_value }) => ({ check_type, check_value })),
        }
      )
    }
    expect(await asSeenBy(shop)).toEqual({
      id,
      companies: [{ company_id: shop.id, name: 'Åse Holm' }],
      lookups: [{ check_type: 'email', check_value: address }],
    })
    expect(await asSeenBy(other)).toBeUndefined()

    const phone = '+4520998877'
    await place(operator, { customer: { name: 'Aase', email: address, phone } }, other)
    expect(await asSeenBy(other)).toEqual({
      id,
      companies: [{ company_id: other.id, name: 'Aase' }],
      lookups: [
        { check_type: 'email', check_value: address },
        { check_type: 'phone', check_value: phone },
      ],
    })
    expect((await asSeenBy(shop))?.lookups).toEqual([{ check_type: 'email', check_value: address }])
    const all = await testApp.services.database.readOnly(scopeOfCompany(operator), db => customerById(db, id))
    expect(all?.companies.map(one => one.name).toSorted()).toEqual(['Aase', 'Åse Holm'])
  })
})

describe('the back-fill', () => {
  /** Makes orders as they were before there were customers. */
  async function oldOrders(operator: TestOperator, count: number, people: number): Promise<void> {
    const addresses = Array.from({ length: people }, email)
    for (let n = 0; n < count; n++) await place(operator, { customer: { name: 'Åse', email: addresses[n % people]! } })
    await root.query(`update orders set customer_id = null where operator_id = ${operator.operator_id}`)
    for (const table of ['customer_lookups', 'customer_companies', 'customers'])
      await root.query(`delete from ${table} where operator_id = ${operator.operator_id}`)
    await root.query(`insert into customer_backfills (operator_id, company_id, before_order_id, total)
      select operator_id, company_id, max(id) + 1, count(*) from orders where operator_id = ${operator.operator_id} group by 1, 2`)
  }
  const stateOf = async (operator: TestOperator) =>
    (await root.query(`select * from customer_backfills where operator_id = ${operator.operator_id}`)).rows[0]
  const untilEnded = (operator: TestOperator) =>
    expect.poll(async () => (await stateOf(operator)).finished_at, { timeout: 20_000 }).not.toBeNull()

  it('attaches old orders to one customer for each person, shows its progress, and changes nothing when it starts again', async () => {
    const operator = await testApp.operator()
    await oldOrders(operator, 12, 4)
    await startBackfills(testApp.services)
    await untilEnded(operator)
    const shown = () => root.query(`select id, customer_id from orders where operator_id = ${operator.operator_id} order by id`)
    const { rows } = await shown()
    expect(new Set(rows.map(row => row.customer_id)).size).toBe(4)
    expect(rows.every(row => row.customer_id !== null)).toBe(true)
    const office = await operator.hire(['parcels_admin'])
    const { job_id } = await stateOf(operator)
    await expect
      .poll(() => office.send(jobs.get, { id: Number(job_id) }))
      .toMatchObject({ kind: 'customers.attach', state: 'done', done: 12, total: 12 })

    await root.query(`update customer_backfills set finished_at = null, started_at = null, done = 0, job_id = null,
      before_order_id = (select max(id) + 1 from orders) where operator_id = ${operator.operator_id}`)
    await startBackfills(testApp.services)
    await untilEnded(operator)
    expect((await shown()).rows).toEqual(rows)
    expect(await countOf(operator, 'customers')).toBe(4)
  })

  it('goes on after the last batch that was committed', async () => {
    const operator = await testApp.operator()
    await oldOrders(operator, 5, 5)
    const company = { id: operator.main.id, sender: { email: '', phone: '', country: 'DK' } }
    const next = (crash = false) =>
      testApp.services.database.transaction(scopeOf(operator), async db => {
        const state = await attachNextOrders(db, company, 2)
        if (crash) throw new Error('The server stops')
        return state
      })
    expect(await next()).toEqual({ done: 2, finished: false })
    await expect(next(true)).rejects.toThrow('The server stops')
    expect(await next()).toEqual({ done: 4, finished: false })
    expect(await next()).toEqual({ done: 5, finished: true })
    expect(await next()).toEqual({ done: 5, finished: true })
    expect(await countOf(operator, 'customers')).toBe(5)
  })

  it('goes on twelve hours after it was cancelled, and does not start twice before', async () => {
    const operator = await testApp.operator()
    await oldOrders(operator, 3, 3)
    const { rows } = await root.query(
      `insert into jobs (operator_id, company_id, kind, title, state) values ($1, $2, 'customers.attach', 'customers', 'cancelled') returning id`,
      [operator.operator_id, operator.main.id],
    )
    await root.query(`update customer_backfills set job_id = $2, started_at = now() where operator_id = $1`, [
      operator.operator_id,
      rows[0].id,
    ])
    await startBackfills(testApp.services)
    expect((await stateOf(operator)).job_id).toBe(rows[0].id)
    testApp.setNow(new Date(Date.now() + 13 * 3_600_000))
    await startBackfills(testApp.services)
    testApp.setNow(undefined)
    await untilEnded(operator)
    expect((await stateOf(operator)).done).toBe(3)
  })
})
