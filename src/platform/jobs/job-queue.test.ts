/** The queue when the database goes away under it, and when a server dies at work. */
import pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { anonymous } from '#platform/auth/identity.ts'
import { createContext } from '#platform/http/context.ts'
import { openTestApp, type TestApp } from '#test/test-app.ts'
import { type JobQueue, openJobQueue, type Task } from './job-queue.ts'

let testApp: TestApp
let root: pg.Client
let queue: JobQueue
beforeEach(async () => {
  testApp = await openTestApp()
  root = new pg.Client({ connectionString: testApp.url.replace(/\/[^/]*$/, '/postgres') })
  await root.connect()
  queue = openJobQueue(testApp.url)
})
afterEach(async () => {
  await queue.stop()
  await root.end()
  await testApp.close()
})

const name = () => new URL(testApp.url).pathname.slice(1)
const carried = { operator_id: 1, company_id: 1, companies: [1], user_id: 0, user_name: 'x', station: '' }
const start = (tasks: Record<string, Task<never>>) =>
  queue.start(testApp.services, tasks, given => {
    const company = { operator_id: given.operator_id, id: given.company_id, code: '', name: '', is_main: false, packing_ip_pattern: '' }
    return createContext(testApp.services, anonymous(company), given, {
      ip: '',
      station: '',
      headers: {},
      signal: testApp.services.closing,
    })
  })
async function add(task: string, lockedBy?: string): Promise<void> {
  const client = new pg.Client({ connectionString: testApp.url })
  // The task may begin, and break all connections, before this one has ended.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('select graphile_worker.add_job($1, $2::json)', [task, JSON.stringify({ carried })])
  if (lockedBy)
    await client.query(`update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '10 seconds'`, [lockedBy])
  await client.end()
}

it('keeps a job of later under its key without waking a worker, and replaces and removes it like any other', async () => {
  const client = new pg.Client({ connectionString: testApp.url })
  await client.connect()
  const woken: string[] = []
  client.on('notification', ({ payload }) => void woken.push(payload ?? ''))
  await client.query('listen "jobs:insert"')
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const put = (n: number, run_at: string | null) =>
    client.query("select enqueue('test.later', $1::jsonb, 'test.later:1', $2)", [JSON.stringify({ n }), run_at])
  const jobs = async () =>
    (
      await client.query<{ n: number; key: string | null; attempts: number; max_attempts: number; minutes: number }>(
        `select (payload ->> 'n')::integer n, key, attempts, max_attempts, round(extract(epoch from run_at - now()) / 60)::integer minutes
         from graphile_worker._private_jobs order by id`,
      )
    ).rows
  try {
    await put(1, later(5))
    // The queue learns a task's name with its first job.
    woken.length = 0
    await put(2, later(7))
    expect(await jobs(), 'the same key is the same job').toEqual([{ n: 2, key: 'test.later:1', attempts: 0, max_attempts: 12, minutes: 7 }])
    await client.query("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'test', attempts = 1")
    await put(3, later(9))
    expect(await jobs(), 'one that runs stays beside the new one').toEqual([
      { n: 2, key: null, attempts: 12, max_attempts: 12, minutes: 7 },
      { n: 3, key: 'test.later:1', attempts: 0, max_attempts: 12, minutes: 9 },
    ])
    await client.query("select dequeue('test.later:1')")
    expect(await jobs()).toMatchObject([{ n: 2 }])
    expect(woken).toEqual([])
    await put(4, null)
    expect(await jobs()).toMatchObject([{ n: 2 }, { n: 4, minutes: 0 }])
    expect(woken, 'a job of now').toHaveLength(1)
    await client.query("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'test' where key is not null")
    await client.query("select dequeue('test.later:1')")
    expect(await jobs(), 'one that runs is not tried again').toMatchObject([{ n: 2 }, { n: 4, key: null, attempts: 12 }])
  } finally {
    await client.end()
  }
})

// Without its connections that can be lost, the queue ends the whole process here.
it('notes the end of a job when the database is back, and does the work again', async () => {
  let times = 0
  await start({
    'test.break': async () => {
      if (++times > 1) return
      await root.query(`alter database ${name()} allow_connections false`)
      await root.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name()])
      // Longer than the queue waits before it tries again: its next connection is refused as well.
      setTimeout(() => void root.query(`alter database ${name()} allow_connections true`), 6_000)
      throw new Error('It breaks')
    },
  })
  await add('test.break')
  await vi.waitFor(() => expect(times).toBe(2), { timeout: 60_000, interval: 100 })
})

it('runs short tasks while bulk tasks wait for each other', async () => {
  const held: (() => void)[] = []
  let printed = 0
  await start({
    'orders.import': () => new Promise(resolve => held.push(resolve)),
    'print.send': async () => void printed++,
  })
  for (let n = 0; n < 6; n++) await add('orders.import')
  await vi.waitFor(() => expect(held).toHaveLength(4), { timeout: 60_000 })
  await add('print.send')
  await vi.waitFor(() => expect(printed).toBe(1), { timeout: 60_000 })
  for (const go of held.splice(0)) go()
  await vi.waitFor(() => expect(held).toHaveLength(2), { timeout: 60_000 })
  for (const go of held) go()
})

it('takes up the job of a server that died, and leaves that of a living one alone', async () => {
  let done = 0
  const alive = new pg.Client({ connectionString: testApp.url })
  await alive.connect()
  try {
    // As a living server shows its workers.
    await alive.query(`select pg_advisory_lock(732421, hashtext('pool-alive'))`)
    await add('test.count', 'pool-alive')
    await start({ 'test.count': async () => void done++ })
    await new Promise(resolve => setTimeout(resolve, 2_000))
    expect(done).toBe(0)
  } finally {
    await alive.end()
  }
  await vi.waitFor(() => expect(done).toBe(1), { timeout: 60_000, interval: 100 })
})
