/** The migrations: an empty database, a database of release 0.1.0, and files that changed. */
import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { migrate } from './migrate.ts'

const folder = new URL('../../../migrations/', import.meta.url)
const releaseFiles = (await readdir(folder)).filter(name => name < '0047').sort()
const database = `migrations_${randomUUID().slice(0, 8)}`
const url = inject('database').replace(/\/[^/]*$/, `/${database}`)
const root = new pg.Client({ connectionString: inject('database') })
let client: pg.Client

beforeAll(async () => {
  await root.connect()
  await root.query(`create database ${database}`)
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  // A pool has ended before its connections are gone.
  await vi.waitFor(() => root.query(`drop database ${database}`), 30_000)
  await root.end()
})

const recorded = async () =>
  (
    await client.query<{ name: string; sha256: string | null; timestamp: string; applied_at: Date }>(
      'select * from migrations order by name',
    )
  ).rows

/** The tables as the migrator of release 0.1.0 left them: its own table without the Migrator's column, one row for each file. */
async function installRelease() {
  await client.query('create table migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())')
  await runMigrations({ connectionString: url })
  for (const name of releaseFiles) {
    const text = await readFile(new URL(name, folder), 'utf8')
    await client.query('begin')
    await client.query(text)
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, createHash('sha256').update(text).digest('hex')])
    await client.query('commit')
  }
}

/** Rows of release 0.1.0 that newer migrations fill: more events than one batch takes. */
async function insertReleaseRows() {
  await client.query(`
    insert into operators (name) values ('Old operator');
    insert into companies (operator_id, code, name, is_main) values (1, 'old', 'Old company', true);
    set app.operator = 1; set app.company = 1; set app.companies = '{1}';
    insert into users (name) values ('Kim Lund');
    insert into orders (order_no, external_id, currency, ordered_at, ship_to, ship_country, fingerprint) values ('1', '1', 'DKK', now(), '{}', 'DK', '');
    insert into packing_sessions (order_id, user_id, user_name, station) values (1, 1, 'Kim Lund', 'A');
    insert into packing_scans (id, session_id, order_id, raw, result, user_id, station) values (gen_random_uuid(), 1, 1, 'x', 'ok', 1, 'A');
    insert into order_lines (order_id, line_no, sku, name, qty, unit_price_excl_vat, discount_excl_vat, weight_g, hs_code)
      values (1, 1, 'TEE', 'T-shirt', 3, 10000, 1000, 200, '6109.10 00');
    insert into parcel_lines (order_id, parcel_no, order_line_id, qty) values (1, 1, 1, 1);
    insert into shipments (order_id, agent_code, shipping_method, operation_code, idempotency_key, reference, state, request)
      select 1, 'own', 'van', operation, operation, operation, 'booked',
        '{"order_no": "1", "weight_g": 900, "sender": {"name": "Depot"}, "receiver": {"name": "Lene Hansen"}}'
      from (values ('outbound'), ('return')) o (operation);
    insert into shipments (order_id, agent_code, shipping_method, idempotency_key, reference, state)
      select 1, 'own', 'van', 'old' || n, 'old' || n, 'error' from generate_series(1, 10001) n;
    insert into events (kind) select 'order.released' from generate_series(1, 20001);
    insert into events (kind, actor, user_id) values ('order.pinned', 'Kim Lund', 1), ('order.imported', 'Shopify', null);
    reset app.operator; reset app.company; reset app.companies`)
}

describe('a database of release 0.1.0', () => {
  it('keeps its recorded migrations and gets only the newer ones, in the order of their names', async () => {
    await installRelease()
    await insertReleaseRows()
    const before = await recorded()
    expect(before.map(({ name }) => name)).toEqual(releaseFiles)
    expect(releaseFiles).toHaveLength(21)

    const applied = await migrate(url)

    expect(applied).toEqual((await readdir(folder)).filter(name => name >= '0047').sort())
    const after = await recorded()
    expect(after.slice(0, 21)).toMatchObject(before)
    expect(after.slice(0, 21).map(row => row.timestamp)).toEqual(before.map(row => row.applied_at.toISOString()))
    expect(after.map(({ name }) => name)).toEqual([...releaseFiles, ...applied])
    expect(await migrate(url)).toEqual([])
  })

  it('fills the kind of who acted on every old event, in batches, and the names on old scans', async () => {
    const { rows } = await client.query<{ actor_name: string; actor_kind: string; n: number }>(
      'select actor_name, actor_kind, count(*)::int n from events group by 1, 2 order by 1',
    )
    expect(rows).toEqual([
      { actor_name: 'Kim Lund', actor_kind: 'user', n: 1 },
      { actor_name: 'Shopify', actor_kind: 'api_key', n: 1 },
      { actor_name: 'system', actor_kind: 'system', n: 20_001 },
    ])
    const { rows: scans } = await client.query('select user_name from packing_scans')
    expect(scans).toEqual([{ user_name: 'Kim Lund' }])
  })

  it('moves the persons of stored requests into rows of their own, and what was packed onto its shipment', async () => {
    const { rows: shipments } = await client.query(
      `select s.idempotency_key, s.kind, s.request ?| array['sender', 'receiver'] persons,
         (select array_agg(role || ' ' || (party->>'name') order by role) from shipment_parties where shipment_id = s.id) parties
       from shipments s where s.state = 'booked' order by s.id`,
    )
    const parties = ['recipient Lene Hansen', 'sender Depot']
    expect(shipments).toEqual([
      { idempotency_key: 'outbound', kind: 'order', persons: false, parties },
      { idempotency_key: 'return', kind: 'return', persons: false, parties },
    ])
    const { rows: lines } = await client.query(
      `select s.idempotency_key, l.sku, l.quantity, l.hs_code, l.value, l.currency, l.net_weight_g
       from shipment_lines l join shipments s on s.operator_id = l.operator_id and s.id = l.shipment_id where s.state = 'booked'`,
    )
    expect(lines).toEqual([
      { idempotency_key: 'outbound', sku: 'TEE', quantity: 1, hs_code: '61091000', value: '9667', currency: 'DKK', net_weight_g: '200' },
    ])
    const { rows: kinds } = await client.query('select count(*)::int n from shipments where kind is null')
    expect(kinds).toEqual([{ n: 0 }])
  })

  it('keeps old rows in the first partition of tables that grow, and counts ids on', async () => {
    const { rows } = await client.query('select tableoid::regclass::text partition, count(*)::int n from events group by 1')
    expect(rows).toEqual([{ partition: 'events_first', n: 20_003 }])
    const { rows: scans } = await client.query('select tableoid::regclass::text partition from packing_scans')
    expect(scans).toEqual([{ partition: 'packing_scans_first' }])
    const { rows: added } = await client.query(
      "insert into events (operator_id, company_id, kind) values (1, 1, 'order.pinned') returning id::int, tableoid::regclass::text partition",
    )
    expect(added).toEqual([{ id: 20_004, partition: 'events_first' }])
    await expect(
      client.query(
        "insert into packing_scans (operator_id, company_id, id, session_id, order_id, raw, result, station) values (1, 1, gen_random_uuid(), 99, 1, 'x', 'ok', 'A')",
      ),
    ).rejects.toThrow(/foreign key/)
    await client.query('delete from packing_sessions where operator_id = 1')
    expect((await client.query('select from packing_scans')).rows).toEqual([])
  })

  it('has the policies and functions under their present names', async () => {
    const { rows } = await client.query<{ name: string }>('select distinct polname name from pg_policy order by 1')
    expect(rows.map(({ name }) => name)).toEqual(['system_access', 'tenant_isolation'])
    const { rows: bodies } = await client.query(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and (prosrc ~ 'scope_(operator|compan)' or proname ~ 'wall|scope_')`,
    )
    expect(bodies).toEqual([])
  })

  it('refuses a file that was changed after it had been applied', async () => {
    await client.query(`update migrations set sha256 = 'changed' where name = $1`, [releaseFiles[3]])
    await expect(migrate(url)).rejects.toThrow(`Migration ${releaseFiles[3]} was changed after it had been applied`)
    await client.query('update migrations set sha256 = null where name = $1', [releaseFiles[3]])
    expect(await migrate(url)).toEqual([])
    expect((await recorded()).every(row => row.sha256?.length === 64)).toBe(true)
  })

  it('does not let readers queue behind a lock that is not free: it gives up and tries again', async () => {
    await client.query("delete from migrations where name = '0062_bound_label_log.sql'")
    await client.query('begin')
    await client.query('select from label_log')
    const migrating = migrate(url)
    const reader = new pg.Client({ connectionString: url })
    await reader.connect()
    const waits: number[] = []
    for (const until = Date.now() + 2_500; Date.now() < until; ) {
      const began = Date.now()
      await reader.query('select from label_log')
      waits.push(Date.now() - began)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    await reader.end()
    await client.query('commit')
    expect(await migrating).toEqual(['0062_bound_label_log.sql'])
    // One wait ends with the lock's time-out; without it the reader waits for the whole transaction.
    expect(Math.max(...waits)).toBeGreaterThan(100)
    expect(Math.max(...waits)).toBeLessThan(1_800)
    await client.query('alter table label_log drop constraint label_log_first_bound')
  })

  it('is not ended by a time-out for idle transactions while batches take long', async () => {
    await client.query("delete from migrations where name = '0059_fill_event_actors.sql'")
    await client.query('update events set actor_kind = null where id = 1')
    await client.query(`alter database ${database} set idle_in_transaction_session_timeout = '1s'`)
    await client.query('begin')
    await client.query('select from events where id = 1 for update')
    const migrating = migrate(url)
    await new Promise(resolve => setTimeout(resolve, 2_500))
    await client.query('commit')
    expect(await migrating).toEqual(['0059_fill_event_actors.sql'])
    expect((await client.query('select actor_kind from events where id = 1')).rows).toEqual([{ actor_kind: 'system' }])
  })

  it('is left alone by an older server when a newer one has migrated it', async () => {
    await client.query(`insert into migrations (name, sha256) values ('9999_add_later.sql', 'of a newer release')`)
    expect(await migrate(url)).toEqual([])
  })
})
