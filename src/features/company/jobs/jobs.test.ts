/** Jobs are visible to, and cancelled by, the users who may start them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { createContext } from '#platform/http/context.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { jobs } from './jobs.contract.ts'
import { doJob, newJob } from './jobs.queries.ts'
import type { JobKind } from './jobs.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let all: Record<JobKind, number>
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  const job = (kind: JobKind) =>
    testApp.services.database.transaction(scopeOfCompany(operator), db => newJob(db, { kind, title: `${kind}.csv`, created_by: 1 }))
  all = {
    'customers.erase': await job('customers.erase'),
    'customers.attach': await job('customers.attach'),
    'orders.import': await job('orders.import'),
    'orders.bulk': await job('orders.bulk'),
    'orders.export': await job('orders.export'),
    'products.import': await job('products.import'),
    'serials.import': await job('serials.import'),
    'pay.list': await job('pay.list'),
    'rules.preview': await job('rules.preview'),
    'returns.dry_run': await job('returns.dry_run'),
    'pick_lists.improve': await job('pick_lists.improve'),
    'shops.backfill': await job('shops.backfill'),
    'maps.measure': await job('maps.measure'),
    'company.export': await job('company.export'),
    'company.erase': await job('company.erase'),
  }
})
afterAll(() => testApp.close())

describe('a job', () => {
  it.each<[Parameters<TestOperator['hire']>[0], JobKind[]]>([
    [
      ['admin'],
      [
        'company.erase',
        'company.export',
        'maps.measure',
        'shops.backfill',
        'pick_lists.improve',
        'returns.dry_run',
        'rules.preview',
        'pay.list',
        'serials.import',
        'products.import',
        'orders.export',
        'orders.bulk',
        'orders.import',
        'customers.attach',
        'customers.erase',
      ],
    ],
    [['salary_admin'], ['pay.list']],
    [['sn_admin'], ['serials.import']],
    [['parcels_admin'], ['products.import', 'orders.export', 'orders.bulk', 'orders.import', 'customers.attach', 'customers.erase']],
    [['pick'], ['maps.measure', 'pick_lists.improve']],
    [['settings_admin'], ['maps.measure', 'shops.backfill', 'returns.dry_run', 'rules.preview']],
    [
      ['parcels', 'scan_admin'],
      ['orders.export', 'orders.bulk'],
    ],
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

  it('is cancelled only by users who may start it', async () => {
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

  describe('that is running', () => {
    const inScope = <T>(work: Parameters<typeof testApp.services.database.transaction<T>>[1]) =>
      testApp.services.database.transaction(scopeOfCompany(operator), work)
    const stateOf = (id: number) =>
      inScope(db => db.selectFrom('jobs').select(['state', 'interruptions', 'message']).where('id', '=', id).executeTakeFirstOrThrow())
    const newOne = () => inScope(db => newJob(db, { kind: 'products.import', title: 'x.csv', created_by: 1 }))
    const contextOf = (signal: AbortSignal = testApp.services.closing) => {
      const scope = scopeOfCompany(operator)
      const person = {
        kind: 'user' as const,
        id: 1,
        name: 'Office',
        permissions: [],
        company: { operator_id: scope.operator_id, id: scope.company_id, code: '', name: '', is_main: true, packing_ip_pattern: '' },
        operatorCompanies: [scope.company_id],
        session_id: 0,
        shop: null,
        key_id: 0,
      }
      return { ...createContext(testApp.services, person, scope, { ip: '', station: '', headers: {}, signal }), last_try: false }
    }
    /** Work that starts and never ends, as on a server that crashes. */
    const dieAtWork = (id: number) =>
      new Promise<void>(begun => {
        void doJob(contextOf(), id, () => {
          begun()
          return new Promise(() => undefined)
        })
      })

    it('is started again after the first crash of the server, and failed after the second', async () => {
      const id = await newOne()
      await dieAtWork(id)
      await dieAtWork(id)
      expect(await stateOf(id)).toMatchObject({ state: 'running', interruptions: 1 })
      let starts = 0
      await doJob(contextOf(), id, async () => starts++)
      expect(starts).toBe(0)
      expect(await stateOf(id)).toEqual({
        state: 'failed',
        interruptions: 2,
        message: 'The server stopped 2 times during this work, so it does not go on automatically: start it again',
      })
    })

    it('is retried after any number of errors, which are no crashes', async () => {
      const id = await newOne()
      for (let tries = 0; tries < 4; tries++)
        await expect(
          doJob(contextOf(), id, async () => {
            throw new Error('The disk is full')
          }),
        ).rejects.toThrow('The disk is full')
      expect(await stateOf(id)).toMatchObject({ state: 'queued', interruptions: 0 })
      await doJob(contextOf(), id, async () => 'finished')
      expect(await stateOf(id)).toMatchObject({ state: 'done', interruptions: 0 })
    })

    it('stops at its next step on a graceful shutdown, and waits to be started again', async () => {
      const id = await newOne()
      const steps: number[] = []
      const closing = doJob(contextOf(AbortSignal.abort()), id, async progress => {
        for (let step = 1; step <= 3; step++) {
          steps.push(step)
          await progress(step, 3)
        }
      })
      await expect(closing).rejects.toThrow()
      expect(steps).toEqual([1])
      expect(await stateOf(id)).toMatchObject({ state: 'queued', interruptions: 0 })
    })
  })
})
