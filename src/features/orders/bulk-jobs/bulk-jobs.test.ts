/** Bulk jobs: what a preview fixes and foretells, what becomes of each order, and what an undo restores. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { tags } from '#features/company/tags/tags.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { prices } from '#features/shipping/prices/prices.contract.ts'
import { copyOrder, placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import type { BulkAction } from './bulk-jobs.codes.ts'
import { bulkJobs } from './bulk-jobs.contract.ts'
import { forgetOld } from './bulk-jobs.task.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let clerk: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['parcels_admin', 'settings_admin'])
  clerk = await operator.hire(['parcels'])
  await lead.send(tags.create, { body: { name: 'Bulk' } })
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .insertInto('shipping_methods')
      .values({ agent_code: 'own', shipping_method: 'bike', name: 'By bike', shop_codes: [], documents: ['label'] })
      .execute(),
  )
})
afterAll(() => testApp.close())

type Plan = Parameters<typeof placeOrder>[2]
const place = (plan: Plan = {}, company = operator.main) => placeOrder(testApp.services.database, scopeOfCompany(operator, company), plan)
const several = async (count: number, plan: Plan = {}) => {
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.push((await place(plan)).id)
  return ids
}
const args = { note: '', add: [], remove: [] }
const ended = async (job_id: number, who = lead) => {
  await vi.waitFor(async () => expect(['done', 'failed', 'cancelled']).toContain((await who.send(jobs.get, { id: job_id })).state), {
    timeout: 20_000,
    interval: 50,
  })
  return who.send(bulkJobs.get, { id: job_id })
}
const start = async (action: BulkAction, ids: number[], more: object = {}, who = lead) => {
  const preview = await who.send(bulkJobs.preview, { action, body: { ids, args: { ...args, ...more } } })
  const { job_id } = await who.send(bulkJobs.start, { id: preview.bulk_id })
  return { preview, job: await ended(job_id, who) }
}
const undone = async (job_id: number, who = lead) => ended((await who.send(bulkJobs.undo, { id: job_id })).job_id, who)
const reportOf = async (job_id: number) => {
  const file = await lead.send(bulkJobs.report, { id: job_id })
  const text = new TextDecoder().decode((file as unknown as { bytes: Uint8Array }).bytes)
  return parse(text.replace('\uFEFF', ''), { columns: true }) as { result: string; reason: string }[]
}
const order = (id: number) => clerk.send(orders.get, { id })

describe('a preview', () => {
  it('says how many orders would be changed, and why others would be left alone', async () => {
    const ready = await several(2)
    const packed = await several(1, { work_state: 'packed' })
    const preview = await lead.send(bulkJobs.preview, { action: 'cancel', body: { ids: [...ready, ...packed], args } })
    expect(preview).toMatchObject({
      asked: 3,
      would_do: 2,
      refused: [{ key: 'The order is packed: reopen it first, then cancel it', count: 1 }],
      undoable: false,
    })
    expect(preview.rows.map(row => row.state)).toEqual(['waiting', 'waiting', 'refused'])
    // Nothing has happened yet.
    expect((await order(elementAt(ready, 0))).phase).toBe('ready')
  })

  it('fixes the orders that filters find: one that comes later is not changed', async () => {
    const before = await several(3, { tags: ['frozen'] })
    const { bulk_id, asked } = await lead.send(bulkJobs.preview, {
      action: 'pin',
      body: { filters: { query: '', tag: 'frozen' }, except: [elementAt(before, 0)], args },
    })
    expect(asked).toBe(2)
    const later = await place({ tags: ['frozen'] })
    await ended((await lead.send(bulkJobs.start, { id: bulk_id })).job_id)
    const pinned = await Promise.all([...before, later.id].map(async id => (await order(id)).pinned))
    expect(pinned).toEqual([false, true, true, false])
  })

  it('is started once, by the person who made it, and within ten minutes', async () => {
    const ids = await several(1)
    const { bulk_id } = await lead.send(bulkJobs.preview, { action: 'pin', body: { ids, args } })
    await expect(clerk.send(bulkJobs.start, { id: bulk_id })).rejects.toMatchObject({ code: 'bulk_not_yours' })
    const [one, other] = await Promise.all([0, 1].map(() => lead.send(bulkJobs.start, { id: bulk_id })))
    expect(one).toEqual(other)
    const { bulk_id: old } = await lead.send(bulkJobs.preview, { action: 'unpin', body: { ids, args } })
    const now = testApp.services.now()
    testApp.setNow(new Date(now.getTime() + 11 * 60_000))
    await expect(lead.send(bulkJobs.start, { id: old })).rejects.toMatchObject({ code: 'bulk_stale' })
    testApp.setNow(new Date())
  })

  it('refuses what the action does not know', async () => {
    const ids = await several(1)
    const ask = (action: BulkAction, body: object) => lead.send(bulkJobs.preview, { action, body: { ids, ...body } })
    await expect(ask('hold', { args })).rejects.toMatchObject({ code: 'bulk_reason_missing', message: 'Choose a reason' })
    await expect(ask('method', { args })).rejects.toMatchObject({ message: 'Choose a shipping method' })
    await expect(ask('tag', { args })).rejects.toMatchObject({ message: 'Choose at least one tag' })
    await expect(ask('pin', { args, filters: { query: '' } })).rejects.toMatchObject({ code: 'bulk_orders_missing' })
  })
})

describe('a job', () => {
  it('leaves alone what changed since the preview, and says so for each order', async () => {
    const ids = await several(4)
    const preview = await lead.send(bulkJobs.preview, { action: 'cancel', body: { ids, args } })
    expect(preview.would_do).toBe(4)
    await lead.send(orders.setState, { id: elementAt(ids, 1), state: 'cancelled' })
    const { job_id } = await lead.send(bulkJobs.start, { id: preview.bulk_id })
    expect(await ended(job_id)).toMatchObject({ asked: 4, done: 3, refused: 1, waiting: 0, may_undo: false })
    const { rows, total } = await lead.send(bulkJobs.rows, { id: job_id, state: ['refused'] })
    expect(rows.map(row => [row.order_id, row.key])).toEqual([[ids[1], 'The order is cancelled']])
    expect(total).toBe(1)
    const lines = await reportOf(job_id)
    expect(lines.map(line => line.result)).toEqual(['done', 'refused', 'done', 'done'])
    expect(elementAt(lines, 1).reason).toBe('The order is cancelled')
  })

  it('that is undone restores what did not change meanwhile', async () => {
    const ids = await several(3)
    const { job } = await start('hold', ids, { reason: 'stock', note: 'Wait' })
    expect(job).toMatchObject({ done: 3, refused: 0, may_undo: true })
    expect((await order(elementAt(ids, 0))).locks).toMatchObject([{ kind: 'hold', reason: 'stock', note: 'Wait' }])
    await clerk.send(orders.pin, { id: elementAt(ids, 2) })
    expect(await undone(job.job_id)).toMatchObject({ asked: 3, done: 2, refused: 1, undo_of: job.job_id })
    expect(await Promise.all(ids.map(async id => (await order(id)).phase))).toEqual(['ready', 'ready', 'held'])
    const back = await lead.send(bulkJobs.get, { id: job.job_id })
    expect(back).toMatchObject({ done: 1, undone: 2, may_undo: false })
    // Again is the same undo.
    expect((await lead.send(bulkJobs.undo, { id: job.job_id })).job_id).toBe(back.undone_by)
    const { rows } = await lead.send(bulkJobs.rows, { id: back.undone_by ?? 0, state: ['refused'] })
    expect(rows.map(row => row.key)).toEqual(['Changed after the job. Not undone.'])
  })

  it('releases, locks, pins, tags and chooses methods, and takes back the last four', async () => {
    const waiting = await several(2, { work_state: 'new' })
    expect((await start('release', waiting)).job).toMatchObject({ done: 2, may_undo: false })
    const ids = await several(2, { agent_code: 'own', shipping_method: 'van' })
    const shown = async () =>
      Promise.all(
        ids.map(async id => {
          const { locks, pinned, tags: names, shipping_method } = await order(id)
          return { locks: locks.length, pinned, names, shipping_method }
        }),
      )
    const before = await shown()
    for (const [action, more] of [
      ['lock', { note: 'Stop' }],
      ['pin', {}],
      ['tag', { add: ['Bulk'] }],
      ['method', { method: 'own:bike' }],
    ] as const) {
      const { job } = await start(action, ids, more)
      expect([action, job.done]).toEqual([action, 2])
      expect(await shown()).not.toEqual(before)
      expect([action, (await undone(job.job_id)).done]).toEqual([action, 2])
      expect(await shown()).toEqual(before)
    }
    // What is so already is left alone.
    await start('tag', ids, { add: ['Bulk'] })
    expect((await start('tag', ids, { add: ['Bulk'] })).job).toMatchObject({ done: 0, refused: 2, may_undo: false })
  })

  it('stops where the right is taken away, and keeps what was done', async () => {
    const one = await operator.hire(['parcels'])
    const ids = await several(2)
    const { bulk_id } = await one.send(bulkJobs.preview, { action: 'pin', body: { ids, args } })
    expect((await ended((await one.send(bulkJobs.start, { id: bulk_id })).job_id)).done).toBe(2)
    const { bulk_id: second } = await one.send(bulkJobs.preview, { action: 'unpin', body: { ids, args } })
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      sql`update users set permission = '{}' where id = ${one.user_id}`.execute(db),
    )
    const next = await one.send(bulkJobs.start, { id: second })
    expect(await ended(next.job_id)).toMatchObject({ done: 0, refused: 2 })
    const { rows } = await lead.send(bulkJobs.rows, { id: next.job_id })
    expect(rows.map(row => row.key)).toEqual(Array(2).fill('You do not have permission for this. Ask an administrator.'))
  })

  it('of another company does not exist, and changes no order of another company', async () => {
    const ids = await several(1)
    const { job } = await start('pin', ids)
    const shop = await operator.hire(['parcels_admin'], elementAt(operator.shops, 0))
    expect((await shop.ask(bulkJobs.get, { id: job.job_id })).statusCode).toBe(404)
    expect((await shop.ask(bulkJobs.undo, { id: job.job_id })).statusCode).toBe(404)
    expect(await shop.send(bulkJobs.preview, { action: 'unpin', body: { ids, args } })).toMatchObject({ asked: 0, would_do: 0 })
  })

  it('of 1,200 orders does each once', async () => {
    const scope = scopeOfCompany(operator)
    const { id } = await place({ tags: ['many'] })
    await testApp.services.database.transaction(scope, db => copyOrder(db, id, 1_199))
    const preview = await lead.send(bulkJobs.preview, {
      action: 'hold',
      body: { filters: { tag: 'many' }, args: { ...args, reason: 'other' } },
    })
    expect(preview).toMatchObject({ asked: 1_200, would_do: 1_200 })
    const { job_id } = await lead.send(bulkJobs.start, { id: preview.bulk_id })
    expect(await ended(job_id)).toMatchObject({ done: 1_200, refused: 0 })
    const { rows } = await testApp.services.database.transaction(scope, db =>
      sql<{ locks: number; held: number }>`select count(*)::int as locks, count(*) filter (where o.held)::int as held from order_locks l
        join orders o on o.operator_id = l.operator_id and o.id = l.order_id where o.tags = '{many}' and l.released_at is null`.execute(db),
    )
    expect(rows).toEqual([{ locks: 1_200, held: 1_200 }])
    expect(await undone(job_id)).toMatchObject({ done: 1_200, refused: 0 })
  })

  it('is forgotten after 90 days, and a preview that no one started after a day', async () => {
    const ids = await several(1)
    const { job } = await start('pin', ids)
    const { bulk_id } = await lead.send(bulkJobs.preview, { action: 'unpin', body: { ids, args } })
    const later = (days: number) => testApp.setNow(new Date(Date.now() + days * 86_400_000))
    later(2)
    await forgetOld(testApp.services)
    testApp.setNow(new Date())
    await expect(lead.send(bulkJobs.start, { id: bulk_id })).rejects.toMatchObject({ status: 404 })
    expect((await lead.send(bulkJobs.rows, { id: job.job_id })).total).toBe(1)
    later(91)
    await forgetOld(testApp.services)
    testApp.setNow(new Date())
    expect((await lead.ask(bulkJobs.get, { id: job.job_id })).statusCode).toBe(404)
  })
})

it('a hold that protects money is undone by a lead only', async () => {
  const ids = await several(1)
  const { job } = await start('hold', ids, { reason: 'fraud' })
  expect(await undone(job.job_id, clerk)).toMatchObject({ done: 0, refused: 1 })
  expect((await order(elementAt(ids, 0))).phase).toBe('held')
})

describe('combining orders by recipient', () => {
  const to = (name: string) => ({ ship_to: { name }, agent_code: 'own', shipping_method: 'van' })
  const parcelOf = async (id: number) => (await order(id)).combined?.lead_no

  it('makes one parcel for each recipient, says what labels cost less, and takes them apart again', async () => {
    const [mette, ole] = [await several(3, to('Mette Friis')), await several(2, to('Ole Olsen'))]
    const alone = await several(1, to('Ida Holm'))
    const admin = await operator.hire(['admin'])
    for (const [max_g, amount] of [
      [1_000, 3_100],
      [5_000, 3_900],
    ] as const)
      await admin.send(prices.create, {
        body: { agent_code: 'own', shipping_method: 'van', max_g, amount, currency: 'DKK', valid_from: '2026-01-01' },
      })
    const ids = [mette[0]!, ole[0]!, alone[0]!, mette[1]!, ole[1]!, mette[2]!]
    const preview = await lead.send(bulkJobs.preview, { action: 'combine', body: { ids, args } })
    expect(preview).toMatchObject({
      asked: 6,
      would_do: 5,
      parcels: 2,
      undoable: true,
      refused: [{ key: 'None of the other orders goes to the same recipient in the same way', count: 1 }],
    })
    const leads = await Promise.all([mette[0]!, ole[0]!].map(async id => (await order(id)).order_no))
    expect(preview.rows.map(row => [row.order_id, row.lead_no])).toEqual([
      ...mette.map(id => [id, leads[0]]),
      ...ole.map(id => [id, leads[1]]),
      [alone[0], null],
    ])
    // Three of 480 g weigh 1,440 g together, two 960 g.
    expect(await lead.send(prices.savings, { bulk_id: preview.bulk_id })).toEqual({
      parcels: 2,
      saved: [{ currency: 'DKK', amount: 3 * 3_100 - 3_900 + 2 * 3_100 - 3_100 }],
      unpriced: 0,
    })
    expect(await lead.send(prices.savings, { orders: ole })).toMatchObject({ saved: [{ currency: 'DKK', amount: 3_100 }] })
    expect(await (await (await testApp.operator()).hire(['parcels'])).send(prices.savings, { bulk_id: preview.bulk_id })).toMatchObject({
      parcels: 0,
    })

    const { job_id } = await lead.send(bulkJobs.start, { id: preview.bulk_id })
    expect(await ended(job_id)).toMatchObject({ done: 5, refused: 1, may_undo: true })
    expect(await Promise.all([...mette, ...ole].map(parcelOf))).toEqual([null, leads[0], leads[0], null, leads[1]])
    const { rows } = await lead.send(bulkJobs.rows, { id: job_id })
    expect(rows.map(row => row.lead_no)).toEqual([leads[0], leads[0], leads[0], leads[1], leads[1], null])
    expect(await reportOf(job_id)).toMatchObject([{ reason: `In the parcel of ${leads[0]}` }, {}, {}, {}, {}, { result: 'refused' }])

    // A parcel of which one order changed since is left alone as a whole.
    await clerk.send(orders.pin, { id: ole[0]! })
    expect(await undone(job_id)).toMatchObject({ done: 3, refused: 2 })
    expect(await Promise.all([...mette, ...ole].map(parcelOf))).toEqual([undefined, undefined, undefined, null, leads[1]])
  })

  it('leaves out an order that changed after the preview, and combines the rest', async () => {
    const ids = await several(3, to('Karen Bro'))
    const { bulk_id } = await lead.send(bulkJobs.preview, { action: 'combine', body: { ids, args } })
    await clerk.send(orderLocks.hold, { id: ids[1]!, body: { reason: 'other', note: '' } })
    const { job_id } = await lead.send(bulkJobs.start, { id: bulk_id })
    expect(await ended(job_id)).toMatchObject({ done: 2, refused: 1 })
    expect(await Promise.all(ids.map(async id => (await order(id)).phase))).toEqual(['ready', 'held', 'combined'])
  })

  it('does whole parcels, however many there are', async () => {
    const parcels = 60
    const made: number[] = []
    for (let n = 0; n < parcels; n++) made.push(...(await several(2, to(`Person ${n} of many`))))
    const { preview, job } = await start('combine', made)
    expect(preview).toMatchObject({ parcels, would_do: 2 * parcels })
    expect(job).toMatchObject({ done: 2 * parcels, refused: 0 })
  })
})
