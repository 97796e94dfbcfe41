/** Tables partitioned by month: where rows go, that each partition keeps tenants apart, and partitions of coming months. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tenantScopeByTable } from '#platform/database/schema.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { renewMonthPartitions } from './month-partitions.task.ts'

const partitioned = ['access_log', 'events', 'label_log', 'outbox', 'outbox_deliveries', 'packing_scans']
let testApp: TestApp
let operator: TestOperator
let stranger: TestOperator
let root: pg.Client

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  stranger = await testApp.operator()
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})

const rows = async <T extends object>(text: string, values: unknown[] = []) => (await root.query<T>(text, values)).rows
const insertEvent = async (at: string, of = operator): Promise<string | undefined> =>
  (
    await rows<{ partition: string }>(
      "insert into events (operator_id, company_id, kind, at) values ($1, $2, 'order.pinned', $3) returning tableoid::regclass::text partition",
      [of.operator_id, of.main.id, at],
    )
  )[0]?.partition
/** Runs a statement as requests do, in the scope of an operator's main company. */
async function asRequest(of: TestOperator, text: string, values: unknown[] = []) {
  await root.query('begin')
  try {
    await root.query(`set local role pakhus_app; set local app.operator = ${of.operator_id}; set local app.company = ${of.main.id};
      set local app.companies = '{${of.main.id}}'`)
    return await rows(text, values)
  } finally {
    await root.query('rollback')
  }
}
const month = (ahead: number) => {
  const today = Temporal.Now.plainDateISO('UTC').with({ day: 1 }).add({ months: ahead })
  return { start: `${today}T00:00:00Z`, name: today.toString().slice(0, 7).replace('-', '_') }
}

describe('a partitioned table', () => {
  it('is each that grows without end, with the time in its key', async () => {
    const keys = await rows(`
      select p.partrelid::regclass::text "table", (select array_agg(a.attname::text order by a.attnum) from pg_index i join pg_attribute a
        on a.attrelid = i.indrelid and a.attnum = any (i.indkey) where i.indrelid = p.partrelid and i.indisprimary) key
      from pg_partitioned_table p order by 1`)
    const key = (time: string) => expect.arrayContaining(['operator_id', 'id', time])
    expect(keys).toEqual(partitioned.map(table => ({ table, key: key(table === 'label_log' ? 'created_at' : 'at') })))
  })

  it('is one table for the row types', () => {
    expect(Object.keys(tenantScopeByTable).filter(table => /_(first|default|\d{4}_\d\d)$/.test(table))).toEqual([])
  })

  it('takes the last instant of a month and the first of the next in two partitions', async () => {
    const edge = month(2)
    const before = new Date(Date.parse(edge.start) - 1).toISOString()
    expect(await insertEvent(edge.start)).toBe(`events_${edge.name}`)
    expect(await insertEvent(before)).not.toBe(`events_${edge.name}`)
  })

  it('takes a row of a month without a partition, which gets it when it is created', async () => {
    expect(await insertEvent('2041-05-31T23:59:59Z')).toBe('events_default')
    expect(await insertEvent('2041-06-01T00:00:00Z')).toBe('events_default')
    expect(await rows("select create_month_partition('events', '2041-05-01') made")).toEqual([{ made: true }])
    expect(await rows("select create_month_partition('events', '2041-05-01') made")).toEqual([{ made: false }])
    expect(await rows("select tableoid::regclass::text partition from events where at >= '2041-01-01' order by at")).toEqual([
      { partition: 'events_2041_05' },
      { partition: 'events_default' },
    ])
    expect(await insertEvent('2041-05-02T00:00:00Z')).toBe('events_2041_05')
  })

  it('has partitions for this month and the two after it, and gets those that come', async () => {
    await renewMonthPartitions(testApp.services)
    testApp.setNow(new Date(month(3).start))
    await renewMonthPartitions(testApp.services)
    testApp.setNow(undefined)
    for (const table of partitioned)
      for (const ahead of [1, 2, 3, 4, 5])
        expect(await rows('select to_regclass($1) is not null as exists', [`${table}_${month(ahead).name}`])).toEqual([{ exists: true }])
  })
})

describe('rows of the outbox', () => {
  it('are dropped with their month after ninety days; other tables keep theirs', async () => {
    const { name } = month(2)
    const days = (n: number) => new Date(Date.parse(month(3).start) + n * 86_400_000)
    const exists = (table: string) => rows('select to_regclass($1) is not null as exists', [`${table}_${name}`])
    testApp.setNow(days(89))
    await renewMonthPartitions(testApp.services)
    expect(await exists('outbox')).toEqual([{ exists: true }])
    testApp.setNow(days(90))
    await renewMonthPartitions(testApp.services)
    testApp.setNow(undefined)
    for (const table of ['outbox', 'outbox_deliveries']) expect(await exists(table)).toEqual([{ exists: false }])
    expect(await exists('events')).toEqual([{ exists: true }])
  })
})

describe('a partition that is addressed directly', () => {
  const partitions = async () =>
    (
      await rows<{ name: string }>(
        "select inhrelid::regclass::text name from pg_inherits join pg_class c on c.oid = inhparent where c.relkind = 'p'",
      )
    ).map(({ name }) => name)

  it('shows and takes rows of the own company only', async () => {
    await insertEvent('2026-11-01T00:00:00Z', stranger)
    await insertEvent('2026-11-01T00:00:00Z')
    const seen = await asRequest(operator, 'select distinct operator_id::int from events_first')
    expect(seen).toEqual([{ operator_id: operator.operator_id }])
    const insert =
      "insert into events_first (operator_id, company_id, id, kind, at) overriding system value values ($1, $2, 1, 'x', '2026-11-01')"
    await expect(asRequest(operator, insert, [stranger.operator_id, stranger.main.id])).rejects.toThrow(/row-level security/)
  })

  it('has forced row-level security, whatever its table is', async () => {
    const open = await rows(
      "select relname from pg_class where relispartition and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)",
    )
    expect([open, (await partitions()).length > 15]).toEqual([[], true])
    await testApp.services.database.verifyRowLevelSecurity()
  })

  it('allows requests no more than its table does', async () => {
    const more = await rows(`
      select i.inhrelid::regclass::text as partition, way from pg_inherits i join pg_class p on p.oid = i.inhparent and p.relkind = 'p',
        unnest(array['insert', 'update', 'delete']) way
      where has_table_privilege('pakhus_app', i.inhrelid, way) and not has_table_privilege('pakhus_app', i.inhparent, way)`)
    expect(more).toEqual([])
    await expect(asRequest(operator, 'delete from events_first')).rejects.toThrow(/permission denied/)
  })
})

describe('a scan that a station sends twice at once', () => {
  it('is stored once in every partition', async () => {
    const [order] = await rows<{ id: string }>(
      `insert into orders (operator_id, company_id, order_no, external_id, currency, ordered_at, ship_to, ship_country, fingerprint)
       values ($1, $2, '1', '1', 'DKK', now(), '{}', 'DK', '') returning id`,
      [operator.operator_id, operator.main.id],
    )
    const [session] = await rows<{ id: string }>(
      `insert into packing_sessions (operator_id, company_id, order_id, user_id, user_name, station) values ($1, $2, $3, 1, 'Kim', 'A') returning id`,
      [operator.operator_id, operator.main.id, order?.id],
    )
    for (const at of ['2026-11-01T00:00:00Z', month(2).start, '2051-01-01T00:00:00Z']) {
      const id = randomUUID()
      const insert = (second: number) =>
        rows(
          `insert into packing_scans (operator_id, company_id, id, session_id, order_id, raw, result, station, at)
           values ($1, $2, $3, $4, $5, 'x', 'ok', 'A', $6::timestamptz + make_interval(secs => $7)) on conflict do nothing returning id`,
          [operator.operator_id, operator.main.id, id, session?.id, order?.id, at, second],
        )
      expect([(await insert(0)).length, (await insert(1)).length]).toEqual([1, 0])
    }
  })
})
