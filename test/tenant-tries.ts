/** Two operators full of rows, and every place of every call where an id or a word of the other one can stand. */
import type pg from 'pg'
import { expect, vi } from 'vitest'
import type * as z from 'zod'
import { TenantFilterPlugin } from '#platform/database/tenant-filter.plugin.ts'
import type { ServedCall } from '#platform/http/served-calls.ts'
import { allCalls, callApi, each, namesIn } from './api-client.ts'
import { type CompanyFixture, fillCompany, fillTheRest, markPersonalText, spreadIds } from './fixtures.ts'
import { jsonOf, seedOf, valid } from './hostile-inputs.ts'
import { sender } from './sender.ts'
import type { TestApp, TestOperator, TestUser } from './test-app.ts'

/** Stands in every text of the other operator. */
export const canary = 'Kanarie7Q'
/** Stands in every text of the own operator's other shop. */
export const sisterMark = 'Sister5X'

/** The sabotage: with `down` every statement goes to the database without the words that name the tenant. */
export function breakableFilter(): { down: boolean } {
  const fence = { down: false }
  const filtered = TenantFilterPlugin.prototype.transformQuery
  vi.spyOn(TenantFilterPlugin.prototype, 'transformQuery').mockImplementation(function (this: TenantFilterPlugin, given) {
    return fence.down ? given.node : filtered.call(this, given)
  })
  return fence
}

/** Switches row-level security of every table off while `work` runs. */
export async function withoutRowSecurity(root: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await root.query<{ name: string }>(
    `select relname name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity`,
  )
  for (const { name } of rows) await root.query(`alter table ${name} disable row level security`)
  try {
    await work()
  } finally {
    for (const { name } of rows) await root.query(`alter table ${name} enable row level security`)
  }
}

export interface Belongings {
  ids: number[]
  tables: string[]
  words: string[]
}

export interface Tenants {
  home: TestOperator
  foreign: TestOperator
  main: CompanyFixture
  shop: CompanyFixture
  sister: CompanyFixture
  /** Ids and words of rows that are not the asker's: of the other operator, and of the own operator's other companies. */
  strange: Belongings
  near: Belongings
}

export async function fillTenants(testApp: TestApp, root: pg.Client): Promise<Tenants> {
  const home = await testApp.operator({ shops: 2, settings: { sender } })
  const main = await fillCompany(testApp, home, home.main, 'Home')
  const shop = await fillCompany(testApp, home, home.shops[0]!, 'Shop')
  await spreadIds(root, 10_000_000)
  const sister = await fillCompany(testApp, home, home.shops[1]!, sisterMark)
  await fillTheRest(root, home.operator_id, sister.company.id, sisterMark)
  const near = await belongings(root, home.operator_id, sister.company.id)
  await spreadIds(root, 20_000_000)
  const foreign = await testApp.operator({ shops: 1, settings: { sender } })
  for (const company of [foreign.main, foreign.shops[0]!]) {
    await fillCompany(testApp, foreign, company, canary)
    await fillTheRest(root, foreign.operator_id, company.id, canary)
  }
  await markPersonalText(root, foreign.operator_id, canary)
  const strange = await belongings(root, foreign.operator_id)
  // What the tries themselves make gets ids that are no one else's.
  await spreadIds(root, 30_000_000)
  return { home, foreign, main, shop, sister, strange, near }
}

/**
 * Ids of every table and the words by which things are found. `spreadIds` makes all tables count from one number, so that the first rows of most
 * tables share their id: one number asks for a row of each of them.
 */
async function belongings(root: pg.Client, operator_id: number, company_id?: number): Promise<Belongings> {
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

/** Every place of every call where an id or a word can stand, with `id` and `word` put there one at a time; the rest of the input is drawn anew for each `draw`. */
function triesWith(calls: readonly ServedCall[], ids: readonly number[], words: readonly string[], draw: number): Try[] {
  const tries: Try[] = []
  for (const call of calls) {
    const sample = (schema: z.ZodType | undefined) =>
      schema ? (valid(schema, seedOf(call) + draw * 7_919, 1)[0] as Record<string, unknown>) : undefined
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

/** Their answers say what was sent under the same name before: the scanner of a station, wrong tries with a number. They are not compared. */
const remembering: ReadonlySet<string> = new Set(['POST stations/{name}/use', 'POST punch_clock/punch_out/{x}'])

/** Sends ids of another tenant and ids that never existed: the answers must not differ. */
export async function sweep(
  testApp: TestApp,
  worker: TestUser,
  calls: readonly ServedCall[],
  theirs: { ids: number[]; words: string[] },
  mark: string,
  { compare = true, draw = 0, most = Number.POSITIVE_INFINITY }: { compare?: boolean; draw?: number; most?: number } = {},
): Promise<{ asked: number; differ: string[]; leaks: string[] }> {
  const plain = (text: string, put: string) =>
    text
      .replaceAll(new RegExp(put.replace(/\W/g, '\\$&'), 'gi'), '§')
      .replaceAll(encodeURIComponent(put), '§')
      .replaceAll(/"?\d{4}-\d\d-\d\dT[\d:.]+Z"?/g, '@')
      .replaceAll(/Reference: \w+/g, 'Reference')
      .replaceAll(/"(took_ms|id|file_id|bulk_id|job_id|order_serial_id|version)":\d+/g, '')
  const ask = async ({ call, input, put }: Try) => {
    const { statusCode, body } = await callApi(testApp.app, call, { company: worker.company.code, token: worker.token, ...input })
    return { body, answer: `${statusCode} ${plain(body, put)}` }
  }
  const tries = triesWith(calls, theirs.ids, theirs.words, draw).slice(0, most)
  const twins = triesWith(
    calls,
    theirs.ids.map(id => twin(id, mark) as number),
    theirs.words.map(word => twin(word, mark) as string),
    draw,
  ).slice(0, most)
  expect(twins.length).toBe(tries.length)
  const differ = new Map<string, string>()
  const leaks: string[] = []
  const pairs = tries.map((one, i) => [one, twins[i] as Try] as const)
  // What one area's calls made, its next calls find: in order within an area, side by side between areas.
  const areas = [...Map.groupBy(pairs, ([one]) => one.call.path.split('/')[0]).values()]
  await each(areas, async area => {
    for (const [one, never] of area) {
      const compares = compare && !remembering.has(one.call.line)
      let nothing = compares ? await ask(never) : undefined
      let { body, answer } = await ask(one)
      // A clock went on, or another area's call came between the two: what differs for a reason differs again.
      if (nothing && nothing.answer !== answer) {
        nothing = await ask(never)
        ;({ body, answer } = await ask(one))
      }
      const where = `${one.call.line} ${one.at}`
      if (body.replaceAll(one.put, '').includes(mark)) leaks.push(`${where} ${one.put}: ${body.slice(0, 200)}`)
      else if ((nothing && answer !== nothing.answer) || answer.startsWith('500'))
        differ.set(where, `${where} ${one.put}: ${answer.slice(0, 160)} – but nothing at all: ${nothing?.answer.slice(0, 160)}`)
    }
  })
  return { asked: tries.length, differ: [...differ.values()], leaks }
}

/** Every call that may be asked at will. */
export const askableCalls = allCalls.filter(call => !leftOut(call))
