/** Hostile inputs: generated from the contract and taken from the books; refused in a sentence, harmless where taken, never a crash. */
import { randomUUID } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '#contract/endpoint.ts'
import { customers } from '#features/customers/customers/customers.contract.ts'
import { packingVideo } from '#features/packing/packing-video/packing-video.contract.ts'
import type { ServedCall } from '#platform/http/served-calls.ts'
import { schemaFile } from '../scripts/schema.ts'
import { scopeOfCompany } from '../src/app/demo/builders.ts'
import { products } from '../src/features/catalog/products/products.contract.ts'
import { cmsKeys } from '../src/features/company/api-keys/cms-keys.contract.ts'
import { company } from '../src/features/company/companies/companies.contract.ts'
import { users } from '../src/features/company/users/users.contract.ts'
import { orders } from '../src/features/orders/orders/orders.contract.ts'
import { packing } from '../src/features/packing/packing/packing.contract.ts'
import { serialNumbers } from '../src/features/packing/serial-numbers/serial-numbers.contract.ts'
import { allCalls, callApi, each, namesIn, pathOf } from './api-client.ts'
import { measureCpu } from './cpu-cost.ts'
import { dumpOf, fillCompany } from './fixtures.ts'
import { arbitraryOf, hostile, jsonOf, mutation, seedOf, valid } from './hostile-inputs.ts'
import { placeOrder } from './orders.ts'
import { sender } from './sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from './test-app.ts'

/** More than the usual number in a long run: `INPUTS_PER_CALL=300 npm test -- test/hostile`. */
const inputsPerCall = Number(process.env.INPUTS_PER_CALL ?? 90)

/** Nothing here may take longer, however busy the machine. */
const patience = 15_000

let testApp: TestApp
let root: pg.Client
let operator: TestOperator
let admin: TestUser
/** A second operator, whose settings no fuzzing has changed. */
let calm: TestOperator
let office: TestUser
let key: string
let agentKey: string
let recorderKey: string
beforeAll(async () => {
  // No service answers there: these tests call no outside service.
  testApp = await openTestApp({ PRINTNODE_URL: 'http://127.0.0.1:9', API_KEY_CALLS_PER_MINUTE: '1000000' })
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  ;({ admin } = await fillCompany(testApp, operator, operator.main, 'Filled'))
  ;({ key } = await admin.send(cmsKeys.create, { body: { name: 'Fuzz' } }))
  ;({ key: agentKey } = await admin.send(cmsKeys.create, { body: { name: 'Agent', purpose: 'print_agent' } }))
  ;({ key: recorderKey } = await admin.send(packingVideo.addRecorder, { body: { name: 'Recorder' } }))
  // The clock stands: what is written down of each use of a key or a session stays the same after the first.
  testApp.setNow(new Date())
  for (const [access, token] of [
    ['shop', key],
    ['print_agent', agentKey],
    ['recorder', recorderKey],
  ] as const)
    await callApi(testApp.app, fuzzed.find(one => one.access === access)!, { company: operator.main.code, token })
  calm = await testApp.operator({ settings: { sender } })
  ;({ admin: office } = await fillCompany(testApp, calm, calm.main, 'Calm'))
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})

/** `took` is elapsed time, `effort` is processor time. */
async function timed<T>(work: () => Promise<T>): Promise<{ took: number; effort: number; answer: T }> {
  const began = performance.now()
  const effort = measureCpu()
  const answer = await work()
  return { answer, took: performance.now() - began, effort: effort() }
}

/** Those would end the asker's session, never end, or are rationed by the minute. */
const fuzzed = allCalls
  .filter(
    call =>
      !call.rateLimit &&
      !['DELETE session', 'DELETE user/my_sessions', 'POST user/my_password', 'GET live', 'POST print_agent/poll'].includes(call.line),
  )
  // Calls that end the session come last.
  .toSorted((a, b) => Number(a.path.startsWith('company/')) - Number(b.path.startsWith('company/')))

interface Input {
  params: Record<string, unknown>
  query: Record<string, unknown> | undefined
  body: unknown
}
const propertiesOf = (call: ServedCall) => Object.keys((call.query && (jsonOf(call.query) as { properties?: object }).properties) ?? {})
const sample = (call: ServedCall): Input => ({
  params: (valid(call.params, seedOf(call), 1)[0] ?? {}) as Record<string, unknown>,
  query: call.query && (valid(call.query, seedOf(call), 1)[0] as Record<string, unknown>),
  body: call.upload ? Buffer.from('x') : call.body && valid(call.body, seedOf(call), 1)[0],
})
const tokenFor = (call: Call) =>
  call.access === 'shop' ? key : call.access === 'print_agent' ? agentKey : call.access === 'recorder' ? recorderKey : admin.token
const ask = (call: Call, input: Partial<Input>, token = tokenFor(call)) =>
  callApi(testApp.app, call, { company: operator.main.code, token, ...input })
const json = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/** What the schemas refuse: good inputs with one thing wrong. */
function malformed(call: ServedCall, most: number): Input[] {
  const good = sample(call)
  const found: Input[] = []
  const values = call.body && !call.upload ? fc.sample(mutation(good.body), { numRuns: most * 3, seed: seedOf(call) }) : []
  for (const value of values) {
    const body = json(value)
    if (body !== undefined && typeof body === 'object' && body !== null && !call.body?.safeParse(body).success && found.length < most * 0.7)
      found.push({ ...good, body })
  }
  let turn = seedOf(call) >>> 0
  const pieces = hostile.filter(piece => typeof piece !== 'object' && piece !== '')
  const places = [...namesIn(call).map(name => ['params', name] as const), ...propertiesOf(call).map(name => ['query', name] as const)]
  for (let i = 0; i < most * 2 && places.length > 0 && found.length < most; i++) {
    const [part, name] = places[turn++ % places.length] as (typeof places)[number]
    // An address is UTF-8, in which half a surrogate pair cannot be written.
    const piece = String(pieces[turn % pieces.length]).toWellFormed()
    const schema = part === 'params' ? call.params : call.query
    const changed = { ...good[part], [name]: piece }
    if (!schema?.safeParse(changed).success) found.push({ ...good, [part]: changed })
  }
  return found
}

describe('inputs generated from the contract', () => {
  it(
    'that are malformed are refused in a sentence and change nothing',
    async () => {
      const before = await dumpOf(root, operator.operator_id)
      const wrong: string[] = []
      let asked = 0
      const cases = fuzzed.flatMap(call => malformed(call, inputsPerCall).map(input => ({ call, input })))
      await each(cases, async ({ call, input }) => {
        asked++
        const { answer, took } = await timed(() => ask(call, input))
        const { message } =
          answer.statusCode >= 400 && answer.body.startsWith('{') ? (answer.json() as { message: string }) : { message: '' }
        if (
          answer.statusCode < 400 ||
          answer.statusCode >= 500 ||
          !/^.{3,}/.test(message) ||
          /at .*\.ts:\d|node_modules|select |insert /.test(answer.body)
        )
          wrong.push(
            `${pathOf(call, { company: 'x', ...input } as never).slice(0, 150)} ${JSON.stringify(input.body)?.slice(0, 150)}: ${answer.statusCode} ${answer.body.slice(0, 150)}`,
          )
        if (took > patience) wrong.push(`${call.line} took ${Math.round(took)} ms`)
      })
      // A call without a check fails thousands of times; the first forty are enough.
      expect(wrong.slice(0, 40)).toEqual([])
      expect(asked).toBeGreaterThan(10_000)
      expect(await dumpOf(root, operator.operator_id)).toEqual(before)
    },
    600_000 * Math.max(1, inputsPerCall / 90),
  )

  it('that are no JSON, no UTF-8, endless or of another kind are refused and change nothing', async () => {
    const before = await dumpOf(root, operator.operator_id)
    const bodies: [string, Buffer | string][] = [
      ['application/json', '{'],
      ['application/json', '{"a":1'],
      ['application/json', 'null'],
      ['application/json', '"x"'],
      ['application/json', '[]'],
      ['application/json', 'undefined'],
      ['application/json', '{"a":1}{"b":2}'],
      ['application/json', "{'a':1}"],
      ['application/json', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
      ['application/json', Buffer.from([0xef, 0xbb, 0xbf, 0x5b, 0x5d])],
      ['application/json', '['.repeat(50_000)],
      ['application/json', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
      ['application/json', '{"__proto__":{"polluted":1}}'],
      ['application/json', '{"constructor":{"prototype":{"polluted":1}}}'],
      ['application/json', '{"a":{"__proto__":{"polluted":1}}}'],
      ['application/json', `{"a":"${'x'.repeat(25_000_000)}"}`],
      ['text/plain', 'x'],
      ['text/xml', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
      ['application/x-www-form-urlencoded', 'name=x&permission[]=1'],
      ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--'],
      ['multipart/form-data', 'x'],
      ['image/png', 'x'],
    ]
    const wrong: string[] = []
    const writing = fuzzed.filter(call => call.body)
    // Long ones at a few calls, short ones at every call.
    for (const [i, [type, payload]] of bodies.entries())
      for (const call of String(payload).replace('\uFEFF', '') === '[]'
        ? writing.filter(one => !one.body?.safeParse([]).success)
        : payload.length > 1_000
          ? writing.filter((_, n) => n % 12 === i % 12)
          : writing) {
        const { answer, took } = await timed(() =>
          testApp.app.inject({
            method: call.method,
            url: pathOf(call, { company: operator.main.code, ...sample(call) } as never),
            headers: {
              host: `${operator.main.code}.localhost`,
              authorization: tokenFor(call),
              'content-type': type,
              accept: 'application/json',
            },
            payload,
          }),
        )
        if (![400, 404, 413, 415].includes(answer.statusCode))
          wrong.push(`${call.line} ${type} ${String(payload).slice(0, 40)}: ${answer.statusCode} ${answer.body.slice(0, 120)}`)
        if (took > patience) wrong.push(`${call.line} took ${Math.round(took)} ms`)
      }
    expect(wrong).toEqual([])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(await dumpOf(root, operator.operator_id)).toEqual(before)
  })

  it('that are broken forms are refused at every upload and web hook, with and without a login', async () => {
    const part = (head: string, content: string | Buffer = 'a,b\r\n1,2\r\n') =>
      Buffer.concat([Buffer.from(`--x\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n--x--\r\n')])
    const whole = part('Content-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv')
    const names = ['\ud800', '\udc00\ud800', '%ED%A0%80', '%', '\0', '../../x', 'x'.repeat(20_000), "UTF-8''%ff", '', '"', '\u2028']
    const form = 'multipart/form-data; boundary=x'
    const bodies: [type: string, body: Buffer][] = [
      ...[
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'multipart/form-data; boundary="',
        'multipart/mixed; boundary=x',
        'multipart/form-data; boundary=y',
      ].map((type): [string, Buffer] => [type, whole]),
      ...Array.from({ length: 40 }, (_, i): [string, Buffer] => [form, whole.subarray(0, Math.floor((whole.length * i) / 40))]),
      ...names.flatMap((name): [string, Buffer][] => [
        [form, part(`Content-Disposition: form-data; name="file"; filename="${name}"`)],
        [form, part(`Content-Disposition: form-data; name="file"; filename*=UTF-8''${name}`)],
        [form, part(`Content-Disposition: form-data; name="${name}"`, 'x')],
      ]),
      [form, part('Content-Disposition: form-data; name="__proto__"; filename="a"')],
      [form, part('Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Transfer-Encoding: base64', '=====')],
      [form, part('Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: text/csv; charset=x-none', '\xff')],
      [form, part(`Content-Disposition: form-data${'; a=b'.repeat(5_000)}`)],
      [form, Buffer.concat(Array.from({ length: 200 }, (_, i) => part(`Content-Disposition: form-data; name="f${i}"`)))],
      [form, Buffer.concat([part('Content-Disposition: form-data; name="a"; filename="a"'), whole])],
      [
        form,
        fc.sample(fc.uint8Array({ minLength: 500, maxLength: 500 }), { numRuns: 1, seed: 7 }).map(bytes => Buffer.from(bytes))[0] ?? whole,
      ],
    ]
    const wrong: string[] = []
    const uploads = allCalls.filter(call => call.upload)
    expect(uploads.length).toBeGreaterThan(5)
    await each(
      uploads.flatMap(call => bodies.flatMap(body => [tokenFor(call), undefined].map(token => ({ call, body, token })))),
      async ({ call, body: [type, payload], token }) => {
        const { statusCode, body } = await testApp.app.inject({
          method: call.method,
          url: pathOf(call, { company: operator.main.code, ...sample(call) } as never),
          headers: {
            host: `${operator.main.code}.localhost`,
            'content-type': type,
            accept: 'application/json',
            ...(token && { authorization: token }),
          },
          payload,
        })
        if (statusCode >= 500)
          wrong.push(`${call.line} ${type} ${payload.toString('latin1').slice(0, 90)}: ${statusCode} ${body.slice(0, 120)}`)
      },
    )
    expect(wrong.slice(0, 20)).toEqual([])
  }, 300_000)

  it('with half a surrogate pair in any text or name are never an internal error', async () => {
    const wrong: string[] = []
    const poisoned = (value: unknown): unknown =>
      typeof value === 'string'
        ? `${value.slice(0, -1)}\ud83d`
        : Array.isArray(value)
          ? value.map(poisoned)
          : value && typeof value === 'object'
            ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poisoned(one)]))
            : value
    const cases = fuzzed
      .filter(call => call.body)
      .flatMap(call => {
        const good = sample(call)
        const body = json(good.body)
        const single = Object.keys(body && typeof body === 'object' ? body : {}).map(name => ({
          ...(body as object),
          [name]: poisoned((body as Record<string, unknown>)[name]),
        }))
        return [poisoned(body), { ...(body as object), '\ud800': 1 }, ...single].map(body => ({ call, input: { ...good, body } }))
      })
    await each(cases, async ({ call, input }) => {
      const { statusCode, body } = await ask(call, input)
      if (statusCode >= 500 && statusCode !== 502 && statusCode !== 503)
        wrong.push(`${call.line} ${JSON.stringify(input.body)?.slice(0, 120)}: ${statusCode} ${body.slice(0, 120)}`)
    })
    expect(wrong.slice(0, 20)).toEqual([])
    expect(cases.length).toBeGreaterThan(300)
  }, 300_000)

  it('that carry every column’s name beside what is asked for set none of them', async () => {
    const columns = new Set(
      [...(await import('node:fs')).readFileSync(schemaFile, 'utf8').matchAll(/^ {2}(\w+): (?!'(?:company|operator|none)')/gm)].map(
        match => match[1] as string,
      ),
    )
    expect(columns.size).toBeGreaterThan(150)
    const wrong: string[] = []
    await each(
      fuzzed.filter(call => call.body && !call.upload),
      async call => {
        const { body, ...rest } = sample(call)
        const own = Object.keys((jsonOf(call.body!) as { properties?: object }).properties ?? {})
        const strange = [...columns].filter(name => !own.includes(name))
        const extra = Object.fromEntries(strange.flatMap((name, i) => [[name, i % 2 ? 987_654_321 : 'MassAssigned']]))
        for (const value of [
          { ...(body as object), ...extra },
          { ...(body as object), operator_id: 987_654_321, company_id: 987_654_321, is_main: true, user_id: 987_654_321 },
        ]) {
          const { statusCode, body: text } = await ask(call, { ...rest, body: value })
          if (statusCode >= 500 || text.includes('MassAssigned":')) wrong.push(`${call.line}: ${statusCode} ${text.slice(0, 200)}`)
        }
      },
    )
    expect(wrong).toEqual([])
    const dump = Object.entries(await dumpOf(root, operator.operator_id)).filter(([, text]) => /MassAssigned|987654321/.test(text))
    expect(dump.map(([table]) => table)).toEqual([])
  })

  it('that are well formed but senseless never cause a server error', async () => {
    const stumbles: string[] = []
    let asked = 0
    const cases = fuzzed.flatMap(call => {
      const most = 24
      const seed = seedOf(call) + 1
      const some = <T>(schema: ServedCall['body']) => (schema ? (fc.sample(arbitraryOf(schema), { numRuns: most, seed }) as T[]) : [])
      const params = some<Record<string, unknown>>(call.params)
      const query = some<Record<string, unknown>>(call.query)
      const body = call.upload
        ? fc.sample(fc.uint8Array({ maxLength: 2_000 }), { numRuns: most, seed })
        : some<unknown>(call.body).map(json)
      return Array.from({ length: most }, (_, i) => ({ call, input: { params: params[i] ?? {}, query: query[i], body: body[i] } }))
    })
    await each(cases, async ({ call, input }) => {
      asked++
      const { answer, took } = await timed(() => ask(call, input))
      // 502 and 503 are what an outside service that does not answer makes of a good request.
      if (answer.statusCode === 500 || answer.statusCode === 504)
        stumbles.push(`${pathOf(call, { company: 'x', ...input } as never).slice(0, 200)} ${JSON.stringify(input.body)?.slice(0, 200)}`)
      if (took > patience) stumbles.push(`${call.line} took ${Math.round(took)} ms`)
    })
    expect(stumbles).toEqual([])
    expect(asked).toBeGreaterThan(4_000)
  }, 600_000)
})

describe('patterns that a tenant writes', () => {
  const endless = [
    '^(a+)+$',
    '^([a-zA-Z0-9]+\\s?)*$',
    '(x+x+)+y',
    '^(\\d+|\\d+\\d)+:$',
    '([a-z]|[a-z0-9])*@',
    '(a|aa)+$',
    '(.*)*=(.*)*',
    '(a?){60}a{60}',
    '(?:(?:a{0,9}){0,9}){0,9}b',
    '[\\s\\S]*'.repeat(12),
  ]
  const bait = ['a'.repeat(250), `${'1'.repeat(250)}`, 'x'.repeat(250), `${'a'.repeat(200)}!`]

  it('for the warehouse’s network are answered within a second, or refused with a reason', async () => {
    const boss = await calm.hire(['settings_admin'])
    for (const pattern of endless) {
      const { effort, answer } = await timed(() => boss.ask(company.checkIpPattern, { body: { pattern } }))
      expect(answer.statusCode, pattern).toBeLessThan(500)
      expect(effort, pattern).toBeLessThan(1_000)
      const other = await testApp.operator({ settings: { packing_ip_pattern: pattern } })
      const packer = await other.hire(['scan'])
      const asked = await timed(() => packer.ask(packing.pinRequired, {}))
      expect(asked.effort, pattern).toBeLessThan(1_000)
      expect([200, 403]).toContain(asked.answer.statusCode)
    }
    // Whole, never in part: an address that only contains the right one stays outside, and so does everybody where it is empty.
    for (const pattern of ['', '27\\.0\\.0\\.1', '127\\.0\\.0', '(', '(?=127)', '127.0.0.1|(?!x)'])
      expect(
        (await (await (await testApp.operator({ settings: { packing_ip_pattern: pattern } })).hire(['scan'])).ask(packing.pinRequired, {}))
          .statusCode,
        pattern,
      ).toBe(403)
  })

  it('for serial numbers hold up no scan', async () => {
    const serials = await calm.hire(['sn_admin', 'scan', 'scan_admin', 'parcels_admin'])
    const scope = scopeOfCompany(calm)
    const { id } = await placeOrder(testApp.services.database, scope, {})
    await testApp.services.database.transaction(scope, async db => {
      const product = await db
        .insertInto('products')
        .values({ sku: 'SERIAL-1', name: 'Serial thing', serial_required: true })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.updateTable('order_lines').set({ product_id: product.id, serial_required: true }).where('order_id', '=', id).execute()
    })
    await serials.send(packing.start, { id, body: { station: 'Serials' } })
    for (const regex of endless) {
      const set = await serials.ask(serialNumbers.update, { regex, barcode: 'SERIAL-1' })
      expect([200, 400, 422], regex).toContain(set.statusCode)
      for (const code of bait) {
        const { effort, answer } = await timed(() => serials.ask(packing.scan, { id, body: { scan_id: randomUUID(), code } }))
        expect(answer.statusCode, regex).toBeLessThan(500)
        expect(effort, `${regex} on ${code.slice(0, 5)}`).toBeLessThan(1_000)
      }
    }
  })
})

describe('texts that mean something elsewhere', () => {
  const formulas = [
    '=HYPERLINK("http://evil.example","x")',
    "+1+cmd|' /C calc'!A0",
    '-2+3+cmd|x',
    '@SUM(1+1)',
    '\t=1+1',
    '\r=1+1',
    '=1+1"; rm -rf',
    '＝1+1',
    ';=1+1',
    '",=1+1',
  ]
  const pages = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg/onload=alert(1)>',
    'javascript:alert(1)',
    '<iframe srcdoc="<script>alert(1)</script>">',
    '{{constructor.constructor("alert(1)")()}}',
    '</title><script>1</script>',
    '<!--<img src="--><img src=x onerror=alert(1)//">',
    '&lt;script&gt;',
    '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    'x`alert(1)`',
    '<a href="data:text/html,x">',
  ]

  it('leave in no export as a formula', async () => {
    const scope = scopeOfCompany(calm)
    for (const [i, text] of formulas.entries()) {
      const { id: order_id, lines } = await placeOrder(testApp.services.database, scope, {
        order_no: `${text}${i}`,
        tags: [text.slice(0, 30)],
        ship_to: { name: text, company: text, city: text, address1: text } as never,
      })
      const piece = { order_id, order_line_id: lines[0] as number, name: text, bin: text, quantity: 1 }
      await testApp.services.database.transaction(scope, async db => {
        await db
          .insertInto('paperless_codes')
          .values({ digits: `${90_000 + i}`, order_id, order_company_id: calm.main.id })
          .execute()
        await db
          .insertInto('products')
          .values({ sku: `FORMULA-${i}`, name: text.slice(0, 300) })
          .execute()
        const at = new Date().toISOString()
        await db
          .insertInto('pick_shorts')
          .values({ ...piece, reason: 'other', note: text, reported_by: text })
          .execute()
        const { id: session_id } = await db
          .insertInto('packing_sessions')
          .values({ order_id, user_id: 1, user_name: text, station: text, state: 'aborted', opened_at: at, last_scan_at: at, ended_at: at })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db
          .insertInto('approval_requests')
          .values({
            order_id,
            session_id,
            rule_id: 1,
            rule_name: text,
            reason: text.slice(0, 500),
            approver_codes: ['admin'],
            asked_by_id: 1,
            asked_by_name: text,
            station: text,
          })
          .execute()
        await db
          .insertInto('packing_exceptions')
          .values({ order_id, kind: 'other', item: text, note: text, reported_by: text, reported_at: at, due_at: at })
          .execute()
        const { id: shipment_id } = await db
          .insertInto('shipments')
          .values({
            order_id,
            agent_code: 'own',
            shipping_method: text,
            idempotency_key: `hostile ${i}`,
            reference: text,
            tracking_no: text,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db
          .insertInto('shipment_exceptions')
          .values({ shipment_id, order_id, kind: 'problem', opened_at: at, next_step: text, note: text })
          .execute()
        await db
          .insertInto('claims')
          .values({
            ...{ shipment_id, order_id, kind: 'damage', amount: 100, currency: 'DKK', noticed_on: '2026-01-01' },
            ...{ reference: text, note: text, created_by: text },
          })
          .execute()
        await db
          .insertInto('pickups')
          .values({
            ...{ client_id: randomUUID(), agent_code: text.slice(0, 40), day: `2099-01-${10 + i}`, from_time: '14:00', to_time: '16:00' },
            ...{ parcels: 1, weight_g: 1, note: text.slice(0, 200), state: 'ordered', words: text, created_by: text },
          })
          .execute()
        await db
          .insertInto('setting_changes')
          .values({ name: 'support_phone', before: JSON.stringify(text), after: JSON.stringify(text), changed_by: text, at })
          .execute()
        await db
          .insertInto('order_serials')
          .values({ order_id, order_line_id: lines[0] as number, sku_key: text, serial: text, serial_key: `${i}`, scope_key: null })
          .execute()
        await db
          .insertInto('serial_units')
          .values({ sku_key: text.slice(0, 64), serial: text.slice(0, 60), serial_key: `${i}`, lot: text.slice(0, 20) })
          .execute()
        await db
          .insertInto('parcel_weights')
          .values({
            ...{ order_id, session_id, parcel_no: 1, contents: '', source: 'typed', outcome: 'ok', weighed_by: text, station: text },
            ...{ weight_g: 1, expected_g: 1, tolerance_g: 1, weighed_at: at },
          })
          .execute()
        await db
          .insertInto('courier_prices')
          .values({
            ...{ agent_code: text, shipping_method: text, max_g: 1, amount: 1, currency: 'DKK', valid_from: '2026-01-01' },
          })
          .execute()
        await db
          .insertInto('predefined_addresses')
          .values({ kind: 'recipient', title: text, name: text, address1: text, postcode: '5000', city: text, country: 'DK' })
          .execute()
        await db
          .insertInto('order_alerts')
          .values({
            owner_company_id: calm.main.id,
            email: `formula${i}@example.test`,
            mode: 'note',
            currency: 'DKK',
            note: text,
            order_value_min: 1,
          })
          .execute()
        const { id: tag_id } = await db
          .insertInto('tags')
          .values({ name: `${text}${i}`.slice(0, 40), code: `${text}${i}`.slice(0, 40).toLowerCase(), words: [`formula${i}`], color: 'c1' })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db
          .insertInto('tag_rules')
          .values({ tag_id, conditions: JSON.stringify({ v: 1, all: [{ field: 'order.note', op: 'eq', value: text }] }) })
          .execute()
        await db
          .insertInto('campaigns')
          .values({ public_key: `formula${i}`, title: text, from_at: at })
          .execute()
        await db.insertInto('announcements').values({ title: text, texts: '{}', mode: 'info', everyone: true, from_at: at }).execute()
        const sent = { order_id, channel: 'sms', state: 'sent', send_after: at, valid_until: at, created_at: at } as const
        const { id: message_id } = await db
          .insertInto('messages')
          .values({ ...sent, dedupe_key: `formula ${i}`, actor: text })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db
          .insertInto('message_bodies')
          .values({ message_id, address: text, name: text, subject: text, text, created_at: at })
          .execute()
        await db
          .insertInto('put_backs')
          .values({ ...piece, reason: 'order_cancelled' })
          .execute()
        const { id: used_id } = await db
          .insertInto('crate_types')
          .values({
            name: text,
            code: `H${i}`,
            inner_mm: [100, 100, 100],
            outer_mm: [100, 100, 100],
            tare_g: 10,
            max_g: 1_000,
            cost: 100,
            currency: 'DKK',
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db
          .insertInto('crate_choices')
          .values({ order_id, parcel_no: 1, used_id, used_cost: 100, currency: 'DKK', source: 'scanned', closed_at: at })
          .execute()
        await db
          .insertInto('crate_rules')
          .values({ sku: text.slice(0, 64), kind: 'alone' })
          .onConflict(conflict => conflict.doNothing())
          .execute()
        await db
          .insertInto('additional_products')
          .values({
            name: text,
            barcode: `${text}${i}`,
            bin: text,
            conditions: '{"v":1,"all":[]}',
            per: 'order',
            handling: 'show',
            active: false,
          })
          .execute()
        await db.insertInto('bin_counts').values({ bin: text, name: text, note: text, reason: 'asked', asked_by: text }).execute()
      })
    }
    for (const [i, text] of formulas.filter(one => !/[\t\r]/.test(one)).entries()) {
      await calm.hire([], calm.main, text)
      const lookups = [{ check_type: 'email' as const, check_value: `formula${i}@example.test` }]
      await office.send(customers.create, { body: { name: text, lookups } })
    }
    await testApp.services.database.transaction(scope, db =>
      db
        .insertInto('events')
        .values(
          formulas.map(name => ({
            kind: 'user.created' as const,
            subject: 'user',
            subject_id: office.user_id,
            actor_company_id: calm.main.id,
            actor_name: name,
            actor_kind: 'user' as const,
            data: JSON.stringify({ name, permission: [] }),
          })),
        )
        .execute(),
    )
    await testApp.services.database.transaction(scope, db =>
      db
        .insertInto('collect_lists')
        .values(formulas.map(text => ({ agent_code: 'own', cage_name: text, handed_to: text, state: 'handed_over' as const })))
        .execute(),
    )
    await testApp.services.database.transaction(scope, db =>
      db
        .insertInto('trade_invoices')
        .values(
          formulas.map(text => ({ agent_code: text, country: 'NO', state: 'draft' as const, issued_on: '2026-01-01', currency: 'NOK' })),
        )
        .execute(),
    )
    await testApp.services.database.transaction(scope, db =>
      db
        .insertInto('returns')
        .values(
          formulas.map((text, place) => ({
            rma_no: `R${place}`,
            source: 'portal' as const,
            status: 'requested' as const,
            method: 'none' as const,
            currency: 'NOK',
            contact_name: text,
          })),
        )
        .execute(),
    )
    const name = formulas.find(one => one.startsWith('=') && one.includes('HYPERLINK'))?.slice(0, 80) ?? ''
    const hash = '0'.repeat(64)
    await testApp.services.database.transaction(scope, db =>
      db
        .insertInto('return_rule_sets')
        .values({
          ...{ state: 'draft', hash },
          rules: JSON.stringify([
            { id: '00000000-0000-4000-8000-000000000001', name, conditions: { v: 1, all: [] }, effects: { photo: true } },
          ]),
        })
        .execute(),
    )
    const exports = allCalls.filter(call => call.media === 'text/csv' && namesIn(call).length === 0)
    expect(exports.length).toBeGreaterThanOrEqual(2)
    // The report of a bulk job is asked for by its job.
    const job_id = await testApp.services.database.transaction(scope, async db => {
      const job = await db.insertInto('jobs').values({ kind: 'orders.bulk', title: 'pin' }).returning('id').executeTakeFirstOrThrow()
      const { id: bulk_job_id } = await db
        .insertInto('bulk_jobs')
        .values({ action: 'pin', asked: 1, actor: 'Clerk', job_id: job.id })
        .returning('id')
        .executeTakeFirstOrThrow()
      const some = await db.selectFrom('orders').select('id').limit(formulas.length).execute()
      await db
        .insertInto('bulk_job_rows')
        .values(some.map((order, n) => ({ bulk_job_id, order_id: order.id, n, state: 'refused' as const, reason: formulas[n] ?? '' })))
        .execute()
      return job.id
    })
    const report = allCalls.filter(call => call.line === 'GET bulk/{id}/report')
    for (const call of [...exports, ...report]) {
      const params = report.includes(call) ? { params: { id: job_id } } : {}
      const { statusCode, rawPayload, headers } = await callApi(testApp.app, call, {
        company: calm.main.code,
        token: office.token,
        ...params,
      })
      expect(statusCode, call.line).toBe(200)
      expect(headers['content-disposition']).toMatch(/^attachment/)
      const text = rawPayload.toString('utf8').replace(/^\uFEFF/, '')
      const rows = parse(text, {
        delimiter: [';', ',', '\t'].find(mark => (text.split('\n')[0] ?? '').includes(mark)) ?? ';',
        relax_column_count: true,
      }) as string[][]
      const cells = rows.flat()
      expect(
        cells.some(cell => cell.includes('HYPERLINK')),
        call.line,
      ).toBe(true)
      // A plain number or a telephone number is no formula, whatever its sign.
      expect(
        cells.filter(cell => /^\s*[=+\-@\t\r＝＋－＠]/.test(cell) && !/^[+-]?[\d ().,]+$/.test(cell)),
        call.line,
      ).toEqual([])
    }
  })

  it('are searched as they are written: signs by which the database means any text find nothing that has none of them', async () => {
    const searches = allCalls.filter(
      call => call.method === 'GET' && namesIn(call).length === 0 && ['query', 'page'].every(name => propertiesOf(call).includes(name)),
    )
    expect(searches.length).toBeGreaterThan(8)
    const totalOf = async (call: ServedCall, query: string) => {
      const answer = await callApi(testApp.app, call, { company: calm.main.code, token: office.token, query: { query } })
      expect(answer.statusCode, call.line).toBe(200)
      return (answer.json() as { total: number }).total
    }
    const found: string[] = []
    let full = 0
    for (const call of searches) {
      if ((await totalOf(call, '')) > 0) full++
      for (const signs of ['%', '___', '\\']) if ((await totalOf(call, signs)) > 0) found.push(`${call.line} by ${signs}`)
    }
    expect(found).toEqual([])
    expect(full).toBeGreaterThan(5)
  })

  it('come back as the data that they are, and no answer can be taken for a page', async () => {
    const scope = scopeOfCompany(calm)
    for (const text of pages) {
      const { id } = await placeOrder(testApp.services.database, scope, {
        order_no: text.slice(0, 60),
        ship_to: { name: text, city: text },
      })
      const answer = await office.ask(orders.get, { id })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      // A shop's entities are read as the signs that they stand for.
      const stored = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
      expect(JSON.stringify(answer.json())).toContain(JSON.stringify(stored).slice(1, -1))
    }
    // What was asked for comes back in a refusal at most as plain text.
    for (const accept of ['text/html', '*/*', 'application/json']) {
      const { headers } = await testApp.app.inject({
        method: 'GET',
        url: `/api/${calm.main.code}/orders/paperless/${encodeURIComponent(pages[0] as string)}`,
        headers: { host: `${calm.main.code}.localhost`, authorization: office.token, accept },
      })
      expect(headers['content-type']).toMatch(/^(text\/plain|application\/json)/)
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })
})

describe('files with false types', () => {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const body = Buffer.concat([Buffer.from(type), data])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc(body))
    return Buffer.concat([length, body, sum])
  }
  const crc = (bytes: Buffer): number => {
    let sum = ~0
    for (const byte of bytes) {
      sum ^= byte
      for (let i = 0; i < 8; i++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
    }
    return ~sum >>> 0
  }
  /** A black picture of one bit a pixel: huge when unpacked, tiny on the wire. */
  function flood(side: number): Buffer {
    const head = Buffer.alloc(13)
    head.writeUInt32BE(side, 0)
    head.writeUInt32BE(side, 4)
    head.set([1, 0, 0, 0, 0], 8)
    const rows = Buffer.alloc((Math.ceil(side / 8) + 1) * side)
    return Buffer.concat([
      Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
      chunk('IHDR', head),
      chunk('IDAT', deflateSync(rows, { level: 9 })),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }
  const svg = (inside: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40">${inside}</svg>`)
  let product_id: number
  beforeAll(async () => {
    product_id = (await office.send(products.search, {})).rows[0]!.product_id
  })
  const upload = (bytes: Buffer) => timed(() => office.ask(products.setPicture, { id: product_id, upload: bytes }))
  const uploadFace = (bytes: Buffer) => timed(() => office.ask(users.setImage, { id: office.user_id, upload: bytes }))

  it('are refused when they are no picture, broken, or far larger than they look', async () => {
    const png = await sharp({ create: { width: 50, height: 50, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const bad: [string, Buffer][] = [
      ['a flood of 400 megapixels', flood(20_000)],
      ['a flood of 64 megapixels', flood(8_000)],
      ['half a picture', png.subarray(0, png.length - 30)],
      ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
      ['a program', Buffer.from('MZ\u0090\u0000')],
      ['an archive', Buffer.from('PK\u0003\u0004xxxx')],
      ['a document', Buffer.from('%PDF-1.7\n%%EOF')],
      ['a page that begins like a GIF', Buffer.from('GIF89a/*<script>alert(1)</script>*/=1;')],
      ['nothing', Buffer.alloc(0)],
      [
        'endless entities',
        Buffer.from(
          `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "xxxxxxxxxx">${Array.from({ length: 12 }, (_, i) => `<!ENTITY ${String.fromCharCode(98 + i)} "${`&${String.fromCharCode(97 + i)};`.repeat(10)}">`).join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&m;</text></svg>`,
        ),
      ],
      ['a huge drawing', svg('').toString().replace('width="40" height="40"', 'width="90000" height="90000"') as never],
    ]
    for (const [name, bytes, uploadTo] of bad.flatMap(([name, bytes]) =>
      [upload, uploadFace].map(uploadTo => [name, bytes, uploadTo] as const),
    )) {
      const memory = process.memoryUsage().rss
      const { answer, took } = await uploadTo(Buffer.from(bytes))
      expect([400, 413, 415, 422], `${name}: ${answer.body.slice(0, 100)}`).toContain(answer.statusCode)
      expect(took, name).toBeLessThan(patience)
      expect(process.memoryUsage().rss - memory, name).toBeLessThan(200_000_000)
    }
    for (const call of allCalls.filter(one => one.upload)) {
      // Earlier tests may have changed the address pattern of the first company.
      const asker = tokenFor(call) === admin.token ? { company: calm.main.code, token: office.token } : { token: tokenFor(call) }
      const input = { ...sample(call), body: Buffer.alloc((call.upload ?? 0) + 1) }
      const { statusCode, body } = await callApi(testApp.app, call, { company: operator.main.code, ...asker, ...input })
      // A call that everyone may make is limited too: earlier tests may have used its requests up.
      expect(call.rateLimit ? [413, 429] : [413], `${call.line}: ${body.slice(0, 200)}`).toContain(statusCode)
    }
  })

  it('are stripped of everything but their pixels', async () => {
    const secret = 'Hidden7Z'
    const kept = [
      svg(
        `<script>alert('${secret}')</script><image xlink:href="file:///etc/hostname" width="9" height="9"/><foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)">${secret}</body></foreignObject><rect width="9" height="9" onclick="alert('${secret}')"/>`,
      ),
      await sharp({ create: { width: 60, height: 40, channels: 3, background: 'blue' } })
        .withExif({ IFD0: { Copyright: secret, Artist: secret } })
        .jpeg()
        .toBuffer(),
      Buffer.concat([
        await sharp({ create: { width: 50, height: 50, channels: 3, background: 'green' } })
          .png()
          .toBuffer(),
        Buffer.from(`<script>alert('${secret}')</script>PK\u0003\u0004`),
      ]),
    ]
    for (const bytes of kept) {
      const { answer } = await upload(bytes)
      expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200)
      const picture = await office.ask(products.picture, { id: product_id })
      expect(picture.statusCode).toBe(200)
      expect(picture.headers['content-type']).toMatch(/^image\/(png|webp)$/)
      expect(picture.headers['x-content-type-options']).toBe('nosniff')
      expect(picture.headers['content-security-policy']).toContain("default-src 'none'")
      expect(picture.rawPayload.includes(secret)).toBe(false)
      expect((await sharp(picture.rawPayload).metadata()).exif).toBeUndefined()
    }
  })
})

it('many requests to one call at once are all answered', async () => {
  const { took, answer } = await timed(() =>
    Promise.all(Array.from({ length: 300 }, () => ask(orders.search, { query: { query: 'Filled' } }))),
  )
  expect(answer.every(one => one.statusCode === 200 || one.statusCode === 503)).toBe(true)
  expect(took).toBeLessThan(30_000)
})
