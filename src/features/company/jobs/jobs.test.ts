/** Jobs are seen and stopped by those whose work they do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestOperator, type World } from '#test/world.ts'
import { scopeOfCompany } from '../../../demo/builders.ts'
import { type JobKind, jobs } from './jobs.contract.ts'
import { newJob } from './jobs.queries.ts'

let world: World
let operator: TestOperator
let all: Record<JobKind, number>
beforeAll(async () => {
  world = await openWorld()
  operator = await world.operator({ shops: 1 })
  const job = (kind: JobKind) =>
    world.house.database.within(scopeOfCompany(operator), db => newJob(db, { kind, title: `${kind}.csv`, created_by: 1 }))
  all = {
    'orders.import': await job('orders.import'),
    'products.import': await job('products.import'),
    'pick_lists.improve': await job('pick_lists.improve'),
    'maps.measure': await job('maps.measure'),
  }
})
afterAll(() => world.close())

describe('a job', () => {
  it.each<[Parameters<TestOperator['hire']>[0], JobKind[]]>([
    [['admin'], ['maps.measure', 'pick_lists.improve', 'products.import', 'orders.import']],
    [['parcels_admin'], ['products.import', 'orders.import']],
    [['pick'], ['maps.measure', 'pick_lists.improve']],
    [['settings_admin'], ['maps.measure']],
    [['parcels', 'scan_admin'], []],
    [[], []],
  ])('is listed for %j where its kind is their work: %j', async (permissions, kinds) => {
    const worker = await operator.hire(permissions)
    const { rows, total } = await worker.send(jobs.list, {})
    expect(rows.map(row => row.kind)).toEqual(kinds)
    expect(total).toBe(kinds.length)
    for (const [kind, id] of Object.entries(all)) {
      const { statusCode } = await worker.ask(jobs.get, { id })
      expect(statusCode, kind).toBe(kinds.includes(kind as JobKind) ? 200 : 404)
    }
  })

  it('of another company does not exist', async () => {
    const elsewhere = await operator.hire(['admin'], operator.shops[0])
    expect((await elsewhere.send(jobs.list, {})).rows).toEqual([])
    expect((await elsewhere.ask(jobs.cancel, { id: all['orders.import'] })).statusCode).toBe(404)
  })

  it('is stopped by who may begin it, and by nobody else', async () => {
    const picker = await operator.hire(['list'])
    const office = await operator.hire(['parcels_admin'])
    await expect(picker.send(jobs.cancel, { id: all['maps.measure'] })).rejects.toMatchObject({
      status: 403,
      message: 'You may see this job but not stop it',
    })
    expect((await picker.ask(jobs.cancel, { id: all['orders.import'] })).statusCode).toBe(404)
    expect((await office.ask(jobs.cancel, { id: all['maps.measure'] })).statusCode).toBe(404)
    await office.send(jobs.cancel, { id: all['orders.import'] })
    expect((await office.send(jobs.get, { id: all['orders.import'] })).cancel_asked_at).not.toBeNull()
  })
})
