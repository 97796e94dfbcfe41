/** Tenants: nothing of one company or operator is seen, counted, changed or even noticed from another – by either fence alone. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type * as z from 'zod'
import { TenantFilterPlugin } from '#platform/database/tenant-filter.plugin.ts'
import type { ServedCall } from '#platform/http/served-calls.ts'
import { allCalls, callApi, each, namesIn } from './api-client.ts'
import { type CompanyFixture, dumpOf, fillCompany, fillTheRest, markPersonalText, spreadIds } from './fixtures.ts'
import { jsonOf, seedOf, valid } from './hostile-inputs.ts'
import { sender } from './sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from './test-app.ts'

/** The sabotage: with `down` every statement goes to the database without the words that name the tenant. */
const fence = { down: false }
const filtered = TenantFilterPlugin.prototype.transformQuery
vi.spyOn(TenantFilterPlugin.prototype, 'transformQuery').mockImplementation(function (this: TenantFilterPlugin, given) {
  return fence.down ? given.node : filtered.call(this, given)
})

const canary = 'Kanarie7Q'
let testApp: TestApp
let root: pg.Client
let home: TestOperator
let foreign: TestOperator
let main: CompanyFixture
let shop: CompanyFixture
let sister: CompanyFixture
/** Ids and words of rows that are not the asker's: of the other operator, and of the own operator's other companies. */
let strange: { ids: number[]; tables: string[]; words: string[] }
let near: { ids: number[]; words: string[] }

beforeAll(async () => {
  testApp = await openTestApp()
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  home = await testApp.operator({ shops: 2, settings: { sender } })
  main = await fillCompany(testApp, home, home.main, 'Home')
  shop = await fillCompany(testApp, home, home.shops[0]!, 'Shop')
  await spreadIds(root, 10_000_000)
  sister = await fillCompany(testApp, home, home.shops[1]!, 'Sister5X')
  await fillTheRest(root, home.operator_id, sister.company.id, 'Sister5X')
  near = await belongings(home.operator_id, sister.company.id)
  await spreadIds(root, 20_000_000)
  foreign = await testApp.operator({ shops: 1, settings: { sender } })
  for (const company of [foreign.main, foreign.shops[0]!]) {
    await fillCompany(testApp, foreign, company, canary)
    await fillTheRest(root, foreign.operator_id, company.id, canary)
  }
  await markPersonalText(root, foreign.operator_id, canary)
  strange = await belongings(foreign.operator_id)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await root.end()
  await testApp.close()
})

/**
 * Ids of every table and the words by which things are found. `spreadIds` makes all tables count from one number, so that the first rows of most
 * tables share their id: one number asks for a row of each of them.
 */
async function belongings(operator_id: number, company_id?: number) {
  const where = `operator_id = ${operator_id}${company_id === undefined ? '' : ` and company_id = ${company_id}`}`
  const { rows: tables } = await root.query<{ table: string }>(`
    select c.relname "table" from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and a.attidentity <> '' where c.relnamespace = 'public'::regnamespace and not c.relispartition
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'company_id')`)
  const ids = new Map<number, string[]>()
  for (const { table } of tables) {
    const { rows } = await root.query<{ id: string }>(`select id from ${table} where ${where} order by id limit 1`)
    for (const row of rows) ids.set(Number(row.id), [...(ids.get(Number(row.id)) ?? []), table])
  }
  const { rows } = await root.query<{ word: string }>(`
    select max(order_no) word from orders where ${where} union select max(tracking_no) from shipments where ${where} union select max(barcode) from shipments where ${where}
    union select max(sku) from products where ${where} union select max(name) from users where ${where} union select max(serial) from order_serials where ${where}
    union select max(code) from companies where operator_id = ${operator_id} and ${company_id === undefined ? 'true' : `id = ${company_id}`}`)
  return { ids: [...ids.keys()], tables: [...ids.values()].flat(), words: rows.map(row => row.word).filter(Boolean) }
}

/** Calls that would end the asker's own session or are rationed by the minute, and the one that gives a new thing any name once. */
const leftOut = (call: ServedCall) =>
  call.rateLimit !== undefined ||
  ['DELETE session', 'GET live', 'DELETE user/my_sessions', 'POST res_user_group/create/{name}'].includes(call.line)

interface Try {
  call: ServedCall
  at: string
  input: { params: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
  put: string
}

const isId = (name: string, schema: z.ZodType) => {
  const { type } =
    (jsonOf(schema) as { properties?: Record<string, { type?: string | string[]; enum?: unknown }> }).properties?.[name] ?? {}
  return type === 'integer' || (Array.isArray(type) && type.includes('integer'))
}

/** Every place of every call where an id or a word can stand, with `id` and `word` put there one at a time. */
function triesWith(calls: readonly ServedCall[], ids: readonly number[], words: readonly string[]): Try[] {
  const tries: Try[] = []
  for (const call of calls) {
    const sample = (schema: z.ZodType | undefined) => (schema ? (valid(schema, seedOf(call), 1)[0] as Record<string, unknown>) : undefined)
    const params = sample(call.params) ?? {}
    const query = sample(call.query)
    const body = call.upload ? Buffer.from('x') : sample(call.body)
    const enums = new Set(
      Object.entries((jsonOf(call.params) as { properties?: Record<string, { enum?: unknown }> }).properties ?? {}).flatMap(
        ([name, one]) => (one.enum ? [name] : []),
      ),
    )
    for (const name of namesIn(call).filter(one => !enums.has(one)))
      for (const put of isId(name, call.params) ? ids : [...ids.slice(0, 1), ...words])
        tries.push({
          call,
          at: `{${name}}`,
          put: String(put),
          input: { params: { ...params, [name]: put }, ...(query && { query }), body },
        })
    if (call.query)
      for (const name of Object.keys((jsonOf(call.query) as { properties?: object }).properties ?? {}))
        for (const put of isId(name, call.query) ? ids : words)
          if (call.query.safeParse({ ...query, [name]: put }).success)
            tries.push({ call, at: `?${name}`, put: String(put), input: { params, query: { ...query, [name]: put }, body } })
    if (call.body && !call.upload)
      for (const name of Object.keys((jsonOf(call.body) as { properties?: object }).properties ?? {}))
        if (/(^|_)ids?$|^orders$/.test(name))
          for (const put of ids)
            for (const value of [put, [put], [String(put)]])
              if (call.body.safeParse({ ...(body as object), [name]: value }).success)
                tries.push({
                  call,
                  at: `.${name}`,
                  put: String(put),
                  input: { params, ...(query && { query }), body: { ...(body as object), [name]: value } },
                })
  }
  return tries
}

/** Something of the same shape that never was. */
const twin = (put: number | string, mark: string) =>
  typeof put === 'number'
    ? put + 5_000_000
    : put.includes(mark)
      ? put.replaceAll(mark, 'Nonesuch00'.slice(0, mark.length))
      : put.replace(/[0-9a-f]/g, 'z')

/** Sends ids of another tenant and ids that never existed: the answers must not differ. */
async function sweep(
  worker: TestUser,
  calls: readonly ServedCall[],
  theirs: { ids: number[]; words: string[] },
  mark: string,
  compare = true,
): Promise<{ asked: number; differ: string[]; leaks: string[] }> {
  const plain = (text: string, put: string) =>
    text
      .replaceAll(new RegExp(put.replace(/\W/g, '\\$&'), 'gi'), '§')
      .replaceAll(encodeURIComponent(put), '§')
      .replaceAll(/"?\d{4}-\d\d-\d\dT[\d:.]+Z"?/g, '@')
      .replaceAll(/Reference: \w+/g, 'Reference')
      .replaceAll(/"(took_ms|id|file_id|version)":\d+/g, '')
  const ask = async ({ call, input, put }: Try) => {
    const { statusCode, body } = await callApi(testApp.app, call, { company: worker.company.code, token: worker.token, ...input })
    return { body, answer: `${statusCode} ${plain(body, put)}` }
  }
  const tries = triesWith(calls, theirs.ids, theirs.words)
  const twins = triesWith(
    calls,
    theirs.ids.map(id => twin(id, mark) as number),
    theirs.words.map(word => twin(word, mark) as string),
  )
  expect(twins.length).toBe(tries.length)
  const differ = new Map<string, string>()
  const leaks: string[] = []
  const pairs = tries.map((one, i) => [one, twins[i] as Try] as const)
  // What one area's calls made, its next calls find: in order within an area, side by side between areas.
  const areas = [...Map.groupBy(pairs, ([one]) => one.call.path.split('/')[0]).values()]
  await each(areas, async area => {
    for (const [one, never] of area) {
      const nothing = compare ? await ask(never) : undefined
      const { body, answer } = await ask(one)
      const where = `${one.call.line} ${one.at}`
      if (body.replaceAll(one.put, '').includes(mark)) leaks.push(`${where} ${one.put}: ${body.slice(0, 200)}`)
      else if ((nothing && answer !== nothing.answer) || answer.startsWith('500'))
        differ.set(where, `${where} ${one.put}: ${answer.slice(0, 160)} – but nothing at all: ${nothing?.answer.slice(0, 160)}`)
    }
  })
  return { asked: tries.length, differ: [...differ.values()], leaks }
}

const all = allCalls.filter(call => !leftOut(call))
const reading = all.filter(call => call.method === 'GET')

async function untouched(work: () => Promise<void>): Promise<void> {
  const before = await dumpOf(root, foreign.operator_id)
  await work()
  expect(await dumpOf(root, foreign.operator_id)).toEqual(before)
}

describe('the filled world', () => {
  it('has something of the other operator in every table and a mark in every row that holds text', async () => {
    const dump = await dumpOf(root, foreign.operator_id)
    expect(Object.entries(dump).flatMap(([table, text]) => (text === '' ? [table] : []))).toEqual([])
    const { rows } = await root.query<{ table: string }>(
      `select distinct c.relname "table" from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relname = any ($1) and a.atttypid in ('text'::regtype, 'jsonb'::regtype) and not a.attisdropped`,
      [Object.keys(dump)],
    )
    const marked = rows.filter(({ table }) => dump[table]?.includes(canary)).length
    expect(marked).toBeGreaterThan(rows.length * 0.9)
    expect(strange.tables.length).toBeGreaterThan(40)
  })
})

describe('another operator', () => {
  it('is nowhere in what anybody may read without naming anything', async () => {
    const leaks: string[] = []
    await untouched(async () => {
      for (const worker of [main.admin, shop.admin])
        await each(reading, async call => {
          const { body } = await callApi(testApp.app, call, {
            company: worker.company.code,
            token: worker.token,
            params: valid(call.params, seedOf(call), 1)[0] as Record<string, unknown>,
            query: call.query ? (valid(call.query, seedOf(call), 1)[0] as Record<string, unknown>) : undefined,
          })
          if (body.includes(canary)) leaks.push(`${call.line}: ${body.slice(0, 200)}`)
        })
    })
    expect(leaks).toEqual([])
  })

  it('answers every call like something that never was, and stays as it is to the byte', async () => {
    await untouched(async () => {
      const { asked, differ, leaks } = await sweep(main.admin, all, strange, canary)
      expect(leaks).toEqual([])
      expect(differ).toEqual([])
      expect(asked).toBeGreaterThan(600)
    })
  })

  it('is kept out by the words in the statements alone, with row-level security switched off', async () => {
    const { rows } = await root.query<{ name: string }>(
      `select relname name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity`,
    )
    const turn = async (way: string) => {
      for (const { name } of rows) await root.query(`alter table ${name} ${way} row level security`)
    }
    await turn('disable')
    try {
      await untouched(async () => {
        const { differ, leaks } = await sweep(main.admin, all, strange, canary, false)
        expect(leaks).toEqual([])
        expect(differ).toEqual([])
      })
    } finally {
      await turn('enable')
    }
  })

  it('is kept out by row-level security alone, with the words in the statements left away', async () => {
    fence.down = true
    try {
      await untouched(async () => {
        const { differ, leaks } = await sweep(main.admin, all, strange, canary, false)
        expect(leaks).toEqual([])
        expect(differ).toEqual([])
      })
    } finally {
      fence.down = false
    }
  })

  // The proof that the proof can see: with both fences down the same questions must find something.
  it('is seen at once when both fences are down', async () => {
    const { rows } = await root.query<{ name: string }>(
      `select relname name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity`,
    )
    for (const { name } of rows) await root.query(`alter table ${name} disable row level security`)
    fence.down = true
    try {
      const { leaks } = await sweep(main.admin, reading, strange, canary, false)
      expect(leaks.length).toBeGreaterThan(12)
    } finally {
      fence.down = false
      for (const { name } of rows) await root.query(`alter table ${name} enable row level security`)
    }
  })
})

describe('the other companies of the own operator', () => {
  it('are nothing to the staff of a shop: neither its sister nor the main company', async () => {
    const mark = 'Sister5X'
    const before = await dumpOf(root, home.operator_id, sister.company.id)
    const { asked, differ, leaks } = await sweep(shop.admin, all, near, mark)
    expect(leaks).toEqual([])
    expect(differ).toEqual([])
    expect(asked).toBeGreaterThan(600)
    expect(await dumpOf(root, home.operator_id, sister.company.id)).toEqual(before)
  })

  it('are seen by main-company staff through the calls declared so, and written by no other', async () => {
    const narrow = all.filter(call => call.tenantScope === 'company')
    const before = await dumpOf(root, home.operator_id, sister.company.id)
    const { differ, leaks } = await sweep(main.admin, narrow, near, 'Sister5X')
    expect(leaks).toEqual([])
    expect(differ).toEqual([])
    expect(await dumpOf(root, home.operator_id, sister.company.id)).toEqual(before)
    const wide = await sweep(
      main.admin,
      all.filter(call => call.tenantScope === 'operator' && call.method === 'GET'),
      near,
      'Sister5X',
    )
    expect(wide.leaks.length).toBeGreaterThan(3)
  })

  it('cannot be written to from a shop even by a statement of its own', async () => {
    const scope = { operator_id: home.operator_id, company_id: shop.company.id, companies: [shop.company.id] }
    const { database } = testApp.services
    const insert = (company_id: number) =>
      database.transaction(scope, db =>
        db.insertInto('saved_views').values({ company_id, screen: 'x', name: 'x', query: '{}', user_id: 1 }).execute(),
      )
    await expect(insert(sister.company.id)).rejects.toThrow(/row-level security/)
    await expect(insert(foreign.main.id)).rejects.toThrow(/row-level security/)
    const { rows } = await root.query<{ n: number }>('select count(*)::int n from orders')
    const seen = await database.transaction(scope, db =>
      db.selectFrom('orders').select(db.fn.countAll<number>().as('n')).executeTakeFirstOrThrow(),
    )
    expect(Number(seen.n)).toBe(3)
    expect(rows[0]?.n).toBeGreaterThan(10)
    const moved = database.transaction(scope, db =>
      db
        .updateTable('orders')
        .set({ company_id: sister.company.id } as never)
        .where('id', '=', shop.orders.held)
        .execute(),
    )
    await expect(moved).rejects.toThrow(/row-level security/)
  })
})

it('a forgotten scope shows nothing instead of everything', async () => {
  await expect(testApp.services.database.pool.query('select * from orders')).rejects.toThrow(
    /app.operator|unrecognized|invalid input syntax/,
  )
})
