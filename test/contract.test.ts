/** The whole contract at once: what is declared, served, described and isolated by tenant agrees. */
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { migrate } from '#platform/database/migrate.ts'
import { tenantScopeByTable } from '#platform/database/schema.ts'
import { schemaFile, schemaText } from '../scripts/schema.ts'
import { allCalls, namesIn } from './api-client.ts'
import { specified } from './specified-calls.ts'
import { openTestApp, type TestApp } from './test-app.ts'

let testApp: TestApp
let root: pg.Client
beforeAll(async () => {
  testApp = await openTestApp()
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})
const rows = async <T extends object>(text: string): Promise<T[]> => (await root.query<T>(text)).rows

describe('the calls', () => {
  it('are those of the specification, spelt exactly so, and those that say that they are our own', () => {
    const lines = allCalls.filter(call => !call.internal).map(call => call.line)
    expect(lines.toSorted()).toEqual(specified.toSorted())
    expect(allCalls.filter(call => call.internal && specified.includes(call.line)).map(call => call.line)).toEqual([])
  })

  it('are each mounted once and never shadow one another', () => {
    const shapes = allCalls.map(call => `${call.method} ${call.path.replace(/\{\w+\*?\}/g, '{}')}`)
    expect(shapes.filter((shape, i) => shapes.indexOf(shape) !== i)).toEqual([])
  })

  it('declare who may make them', () => {
    for (const call of allCalls) expect(call.access.length, call.line).toBeGreaterThan(0)
  })

  // Who needs no right at all is a decision about each call; a new one is added here on purpose or not at all.
  it('need a login, except these', () => {
    const lines = allCalls.filter(call => call.access === 'anyone').map(call => call.line)
    expect(lines.toSorted()).toEqual([
      'GET board/deadlines',
      'GET board/stats',
      'GET c/{public_key}/{signed}',
      'GET campaign_on_tracking/campaign/img/{parts}',
      'GET campaign_on_tracking/frontend/{id}',
      'GET campaign_on_tracking/img/{parts}',
      'GET company/check_company',
      'GET company/img/company_logo',
      'GET dashboard/punch_clock',
      'GET res/client/public_ip',
      'GET res/server_time',
      'GET returns/portal',
      'GET returns/portal/form',
      'GET returns/portal/label',
      'GET returns/portal/order',
      'GET returns/portal/picture/{line_id}',
      'GET returns/portal/return',
      'GET returns/portal/tracked',
      'GET returns/shops',
      'GET rma/{language}/img/{target}',
      'GET schedule/calendar/{token}',
      'GET session/provider',
      'GET tracking/help',
      'GET tracking/order',
      'GET tracking/shop',
      'GET warehouse_map_draw/route',
      'POST board/open',
      'POST campaign_on_tracking/seen',
      'POST cms/webhook/shopify/{shop}',
      'POST cms/webhook/woocommerce/{shop}',
      'POST courier_webhooks/{agent_code}/receive',
      'POST decision_links/answer',
      'POST decision_links/open',
      'POST decision_links/shops',
      'POST dvr/shared',
      'POST email/template/preview',
      'POST message_callbacks/{account_id}/{key}',
      'POST returns/portal/cancel',
      'POST returns/portal/find',
      'POST returns/portal/form',
      'POST returns/portal/label',
      'POST returns/portal/own_label',
      'POST returns/portal/photo',
      'POST returns/portal/quote',
      'POST returns/portal/renew',
      'POST returns/portal/submit',
      'POST returns/portal/withdraw',
      'POST session',
      'POST session/forgotten_password',
      'POST session/oidc',
      'POST session/oidc/start',
      'POST session/passkey',
      'POST session/passkey/options',
      'POST session/password',
      'POST session/password_link',
      'POST session/second_factor',
      'POST session/second_factor/options',
      'POST session/totp_setup',
      'POST session/totp_setup/confirm',
      'POST tracking/find',
      'POST tracking/help',
    ])
  })

  it('let people of no right change their own things alone', () => {
    // The kind of a job decides which permission it needs, so the handler checks it instead of the route.
    const judged = 'POST jobs/{id}/cancel'
    const lines = allCalls
      .filter(call => (call.access === 'user' || call.access === 'person') && call.method !== 'GET' && call.line !== judged)
      .map(call => call.line)
    expect(lines.toSorted()).toEqual([
      'DELETE session',
      'DELETE user/img/{id}',
      'DELETE user/my_sessions',
      'DELETE user/my_sessions/{id}',
      'POST eula/agree_with/{id}',
      'POST user/img/{id}',
      'POST user/my_identities',
      'POST user/my_identities/start',
      'POST user/my_identities/{id}/remove',
      'POST user/my_passkeys',
      'POST user/my_passkeys/options',
      'POST user/my_passkeys/{id}/remove',
      'POST user/my_password',
      'POST user/my_proof/oidc',
      'POST user/my_proof/oidc/start',
      'POST user/my_proof/passkey',
      'POST user/my_proof/passkey/options',
      'POST user/my_setting/data',
      'POST user/my_totp',
      'POST user/my_totp/confirm',
      'POST user/my_totp/recovery_codes',
      'POST user/my_totp/remove',
      'PUT user/my_passkeys/{id}',
    ])
  })

  it('ask for the warehouse network where they print on a printer or scan', () => {
    const paper = allCalls.filter(call =>
      /\/on\/\{printer(_id)?\}|test_print|scanned_back|\/scan$|scan_event|\/events$|claim$|print_jobs\/\{id\}\/retry/.test(call.path),
    )
    expect(paper.length).toBeGreaterThan(15)
    expect(
      paper
        .filter(call => call.method !== 'GET' || /print/.test(call.path))
        .filter(call => !call.ipLock)
        .map(call => call.line),
    ).toEqual([])
  })

  it('limit guessing where a secret or a number can be guessed', () => {
    for (const line of [
      'POST session',
      'POST session/forgotten_password',
      'POST session/oidc',
      'POST session/oidc/start',
      'POST session/passkey',
      'POST session/passkey/options',
      'POST session/password',
      'POST session/password_link',
      'POST session/second_factor',
      'POST session/second_factor/options',
      'POST session/totp_setup',
      'POST session/totp_setup/confirm',
      'POST tracking/find',
      'POST tracking/help',
      'POST decision_links/open',
      'POST decision_links/shops',
      'POST decision_links/answer',
      'POST returns/portal/find',
      'POST returns/portal/withdraw',
      'POST dvr/shared',
    ])
      expect(allCalls.find(call => call.line === line)?.rateLimit, line).toBeDefined()
  })
})

/** A path without the names of its parameters, and without the slash at its end. */
const shape = (path: string): string =>
  path
    .replace(/\{\w+\*\}/g, '*')
    .replace(/\{\w+\}|:[\w|:]+/g, '{}')
    .replace(/(.)\/$/, '$1')

describe('the routes', () => {
  /** What is served beside the calls; named here on purpose or not at all. */
  const plain = [
    'GET /api_server',
    'GET /conf.json',
    'GET /docs',
    'GET /docs/js/scalar.js',
    'GET /healthz',
    'GET /metrics',
    'GET /openapi.json',
    'GET /readyz',
    'GET /setup/state',
    'GET /translations/{}',
    'POST /setup',
  ]
  it('are the declared calls and the plain ones named here', () => {
    const served = routesOf(testApp.app)
    const declared = allCalls.map(call => `${call.method} ${shape(`/api/{company}/${call.path}`)}`)
    for (const { method, path } of allCalls) {
      const url = `/api/:company/${path.replace(/\{\w+\*\}/g, '*').replace(/\{(\w+)\}/g, ':$1')}`.replace(/\/$/, '')
      expect(testApp.app.hasRoute({ method, url }), url).toBe(true)
    }
    // Files answer HEAD as well: clients learn their size before they ask for ranges.
    const heads = allCalls
      .filter(call => call.method === 'GET' && call.media && call.media !== 'text/event-stream')
      .map(call => `HEAD ${shape(`/api/{company}/${call.path}`)}`)
    expect(served).toEqual(expect.arrayContaining(heads))
    // A page of another origin, such as /docs, asks whether it may send a key.
    expect(testApp.app.hasRoute({ method: 'OPTIONS', url: '/api/*' })).toBe(true)
    // The built screens are served where they have been built.
    const beside = served.filter(one => !['GET *', 'OPTIONS *'].includes(one) && !declared.includes(one) && !heads.includes(one))
    expect(beside.toSorted()).toEqual(plain)
  })

  it('are all in the OpenAPI document, and nothing else is', async () => {
    const { body, statusCode } = await testApp.app.inject({ method: 'GET', url: '/openapi.json', headers: { host: 'localhost' } })
    expect(statusCode).toBe(200)
    const { paths, openapi } = JSON.parse(body) as {
      openapi: string
      paths: Record<string, Record<string, { operationId: string; parameters?: { in: string; name: string }[] }>>
    }
    expect(openapi).toMatch(/^3\.1/)
    const described = new Map(
      Object.entries(paths).flatMap(([path, ways]) =>
        Object.entries(ways).map(([method, way]) => [way.operationId, { ...way, address: `${method.toUpperCase()} ${path}` }] as const),
      ),
    )
    expect([...described.keys()].toSorted()).toEqual(allCalls.map(call => call.id).toSorted())
    for (const call of allCalls) {
      const way = described.get(call.id)
      // The document writes `{ids*}` as `{ids}` and leaves out the slash at the end, which the server does not need.
      expect(way?.address, call.line).toBe(`${call.method} /${call.path.replace('*}', '}').replace(/\/$/, '')}`)
      const names = (way?.parameters ?? []).filter(one => one.in === 'path').map(one => one.name)
      for (const name of namesIn(call)) expect(names, call.line).toContain(name)
    }
  })
})

describe('the tables', () => {
  it('of tenants have forced row-level security with both policies, a key that begins with the operator, and no trigger but those named here', async () => {
    const tables = await rows<{ name: string; forced: boolean; policies: string[]; key: string[]; triggers: number }>(`
      select c.relname name, c.relrowsecurity and c.relforcerowsecurity forced,
        coalesce((select array_agg(p.polname || ' to ' || p.polroles[1]::regrole::text order by p.polname) from pg_policy p where p.polrelid = c.oid), '{}') policies,
        coalesce((select array_agg(a.attname::text order by array_position(i.indkey::int[], a.attnum::int)) from pg_index i
          join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey) where i.indrelid = c.oid and i.indisprimary), '{}') key,
        (select count(*)::int from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) triggers
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'operator_id' and not a.attisdropped)`)
    expect(tables.length).toBeGreaterThan(30)
    // What must hold whatever role or statement changes the row: no orders at a closed company, keys of orders that go together, no frozen invoice deleted before
    // its time, bytes of files counted for their company, and parcels that wait for an invoice counted and completed by what customs learns of their goods.
    const ruled: Readonly<Record<string, number>> = {
      orders: 4,
      trade_invoices: 1,
      files: 3,
      invoice_queue: 3,
      order_lines: 2,
      products: 1,
    }
    for (const table of tables) {
      expect(table, table.name).toMatchObject({
        forced: true,
        policies: ['system_access to pakhus_system', 'tenant_isolation to pakhus_app'],
        triggers: ruled[table.name] ?? 0,
      })
      expect(table.key[0], table.name).toBe('operator_id')
    }
  })

  it('without a tenant are these few, and requests cannot write to them', async () => {
    expect(Object.entries(tenantScopeByTable).flatMap(([table, scope]) => (scope === 'none' ? [table] : []))).toEqual(['operators'])
    const open = await rows<{ name: string }>(`
      select c.relname name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relrowsecurity
        and (has_table_privilege('pakhus_app', c.oid, 'select') or has_table_privilege('pakhus_app', c.oid, 'insert')
          or has_table_privilege('pakhus_app', c.oid, 'update') or has_table_privilege('pakhus_app', c.oid, 'delete'))`)
    expect(open).toEqual([])
  })

  it('refer to one another with the operator in the key, so that no row can point into another tenant', async () => {
    const loose = await rows<{ name: string }>(`
      select conrelid::regclass || '.' || conname name from pg_constraint k where contype = 'f' and connamespace = 'public'::regnamespace
        and exists (select from pg_attribute a where a.attrelid = k.confrelid and a.attname = 'operator_id')
        and not exists (select from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any (k.conkey) and a.attname = 'operator_id')`)
    expect(loose).toEqual([])
  })

  it('have no index of tenant rows that is unique beyond one operator, but for the names of companies', async () => {
    const wide = await rows<{ name: string }>(`
      select i.indexrelid::regclass::text name from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace and i.indisunique
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'operator_id')
        and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'operator_id' and a.attnum = i.indkey[0])`)
    expect(wide.map(one => one.name)).toEqual(['companies_code'])
  })

  it('belong to none of the roles that serve requests, and all are plain roles', async () => {
    expect(
      await rows(
        `select rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb from pg_roles where rolname like 'pakhus\\_%' order by 1`,
      ),
    ).toEqual(
      ['pakhus_app', 'pakhus_login', 'pakhus_system'].map(rolname => ({
        rolname,
        rolsuper: false,
        rolbypassrls: false,
        rolcanlogin: rolname === 'pakhus_login',
        rolcreaterole: false,
        rolcreatedb: false,
      })),
    )
    expect(
      await rows(
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relowner::regrole::text like 'pakhus%'`,
      ),
    ).toEqual([])
    expect(await rows(`select 1 where pg_has_role('pakhus_app', 'pakhus_system', 'member')`)).toEqual([])
  })

  it('are reached past row-level security only by functions whose search path is fixed', async () => {
    const loose = await rows<{ name: string }>(`
      select oid::regprocedure::text name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
        and not coalesce(proconfig::text like '%search_path%', false)`)
    expect(loose).toEqual([])
    const known = await rows<{ name: string }>(
      `select proname name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef and has_function_privilege('pakhus_app', oid, 'execute') order by 1`,
    )
    expect(known.map(one => one.name)).toEqual([
      'applied_migrations',
      'dequeue',
      'enqueue',
      'find_customers',
      'find_orders',
      'find_orders_by_code',
      'next_sscc_serial',
      'pick_wagon_facts',
      'queue_length',
    ])
  })

  it('keep what happened for ever: requests can add events and neither change nor delete them', async () => {
    const may = (role: string) =>
      rows(
        `select ${['select', 'insert', 'update', 'delete', 'truncate'].map(way => `has_table_privilege('${role}', 'events', '${way}') "${way}"`).join(', ')}`,
      )
    expect(await may('pakhus_app')).toEqual([{ select: true, insert: true, update: false, delete: false, truncate: false }])
    const operator = await testApp.operator()
    const scope = { operator_id: operator.operator_id, company_id: operator.main.id, companies: [operator.main.id] }
    await testApp.services.database.transaction(scope, db => db.insertInto('events').values({ kind: 'test.happened' }).execute())
    await expect(testApp.services.database.transaction(scope, db => db.deleteFrom('events').execute())).rejects.toThrow(/permission denied/)
    await expect(testApp.services.database.transaction(scope, db => db.updateTable('events').set({ kind: 'x' }).execute())).rejects.toThrow(
      /permission denied/,
    )
  })

  it('are what schema.ts says', async () => {
    const plain = (text: string) => text.replace(/\s+/g, '').replaceAll(/[<:]\|/g, bar => bar[0] as string)
    expect(plain(await readFile(schemaFile, 'utf8'))).toBe(plain(await schemaText(testApp.url)))
  })
})

describe('the migrations', () => {
  it('apply to an empty database and leave one with data as it is', async () => {
    const name = `migrated_${process.pid}`
    await root.query(`create database ${name}`)
    const url = testApp.url.replace(/\/[^/]*$/, `/${name}`)
    try {
      expect((await migrate(url)).length).toBeGreaterThan(3)
      expect(await schemaText(url)).toBe(await schemaText(testApp.url))
      expect(await migrate(url)).toEqual([])
    } finally {
      // The queue's own migrator lets its connection go a moment later.
      await vi.waitFor(() => root.query(`drop database ${name}`), 30_000)
    }
    await testApp.operator()
    const companies = 'select * from companies order by id'
    const before = await rows(companies)
    expect(before).not.toEqual([])
    expect(await migrate(testApp.url)).toEqual([])
    expect(await rows(companies)).toEqual(before)
  })
})

describe('a database with incomplete row-level security', () => {
  const broken: [string, string, string][] = [
    [
      'a table without row-level security',
      'alter table products disable row level security',
      'alter table products enable row level security',
    ],
    ['a table whose owner passes', 'alter table products no force row level security', 'alter table products force row level security'],
    [
      'a table without its policy',
      'alter policy tenant_isolation on products rename to other',
      'alter policy other on products rename to tenant_isolation',
    ],
    ['a role that bypasses row-level security', 'alter role pakhus_app bypassrls', 'alter role pakhus_app nobypassrls'],
    ['a role that owns a table', 'alter table saved_views owner to pakhus_app', 'alter table saved_views owner to current_user'],
  ]
  it.each(broken)('does not open: %s', async (_, breakIt, mendIt) => {
    await testApp.services.database.verifyRowLevelSecurity()
    await root.query(breakIt)
    try {
      await expect(testApp.services.database.verifyRowLevelSecurity()).rejects.toThrow(/Row-level security is incomplete/)
    } finally {
      await root.query(mendIt)
    }
    await testApp.services.database.verifyRowLevelSecurity()
  })
})

/** `GET /api/{}/user/{}` of every route, out of the router's own tree, which knows parameters by their place alone. */
function routesOf(app: TestApp['app']): string[] {
  const found: string[] = []
  const stack: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false, includeHooks: false }).split('\n')) {
    const match = /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line)
    if (!match) continue
    stack.length = (match[1] as string).length / 4
    stack.push(match[2] as string)
    for (const method of match[3]?.split(', ') ?? []) found.push(`${method} ${shape(stack.join(''))}`)
  }
  return [...new Set(found)]
}
