/** The API's page: a reader can call what it describes, and knows what may come back. */
import { createHmac } from 'node:crypto'
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '#app/features.ts'
import { errorCodes } from '#contract/error-codes.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let key: string
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  admin = await operator.hire(['admin'])
  key = (await admin.send(cmsKeys.create, { body: { name: 'The shop’s program' } })).key
})
afterAll(() => testApp.close())

const read = async (host: string): Promise<OpenApi.Document> =>
  (await testApp.app.inject({ url: '/openapi.json', headers: { host } })).json()
const own = () => read(`${operator.main.code}.localhost:8080`)

const operations = ({ paths }: OpenApi.Document) =>
  Object.values(paths ?? {}).flatMap(path => Object.values(path ?? {}) as OpenApi.OperationObject[])

/** Sends the example of an operation as it stands in the document. */
async function paste({ servers, paths }: OpenApi.Document, method: 'get' | 'post', path: string, authorization: string) {
  const operation = paths?.[path]?.[method]
  if (!operation) throw new Error(`Nothing is written of ${method} ${path}`)
  const at = (operation.parameters ?? []).reduce((text, one) => {
    const { name, example } = one as OpenApi.ParameterObject
    return text.replace(`{${name}}`, String(example))
  }, path)
  const { host, pathname } = new URL(servers?.[0]?.url + at)
  const payload = (operation.requestBody as OpenApi.RequestBodyObject | undefined)?.content['application/json']?.example
  const answer = await testApp.app.inject({
    method: method === 'get' ? 'GET' : 'POST',
    url: pathname,
    headers: { host, accept: 'application/json', authorization },
    ...(payload !== undefined && { payload }),
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

describe('the page of the API', () => {
  it('is read from its own address with the script that it names, also where the slash is left out', async () => {
    const host = `${operator.main.code}.localhost`
    const short = await testApp.app.inject({ url: '/docs', headers: { host } })
    expect([short.statusCode, short.headers.location]).toEqual([301, '/docs/'])
    const page = await testApp.app.inject({ url: '/docs/', headers: { host } })
    const [, script] = /<script src="([^"]+)"/.exec(page.body) ?? []
    const code = await testApp.app.inject({ url: `/docs/${script}`, headers: { host } })
    expect([code.statusCode, code.headers['content-type']]).toEqual([200, 'application/javascript; charset=utf-8'])
    expect(code.body).toContain('createApiReference')
  })

  it('runs in a sandbox without an origin, from where only a key can change something', async () => {
    const host = `${operator.main.code}.localhost`
    const { headers } = await testApp.app.inject({ url: '/docs/', headers: { host } })
    expect(headers['content-security-policy']).toMatch(/^sandbox allow-scripts allow-forms allow-popups;/)
    const preflight = (origin: string) =>
      testApp.app.inject({ method: 'OPTIONS', url: `/api/${operator.main.code}/cms/orders`, headers: { host, origin } })
    expect((await preflight('null')).headers['access-control-allow-origin']).toBe('null')
    expect((await preflight('https://evil.example')).statusCode).toBe(404)
    const post = (url: string, authorization: string) =>
      testApp.app.inject({
        method: 'POST',
        url: `/api/${operator.main.code}/${url}`,
        headers: { host, origin: 'null', authorization },
        payload: [],
      })
    const byKey = await post('cms/orders', key)
    expect(byKey.statusCode).toBe(200)
    expect(byKey.headers['access-control-allow-origin']).toBe('null')
    expect((await post('user/my_setting/data', admin.token)).statusCode).toBe(403)
  })

  it('says of each call with a key that too many a minute are refused, and after how long to send again', async () => {
    const page = await own()
    const ofKeys = operations(page).filter(({ security }) => security?.some(one => 'cmsKey' in one))
    expect(ofKeys.length).toBeGreaterThan(2)
    for (const { responses, operationId } of ofKeys)
      expect(responses?.[429], operationId).toEqual({ $ref: '#/components/responses/Refusal429' })
    expect(page.components?.responses?.Refusal429).toHaveProperty('headers.retry-after')
  })

  it('says in a sentence what each call does', () => {
    const calls = features.flatMap(slice => Object.values(slice.calls))
    expect(calls.filter(call => !/^[A-Z0-9].*\.$/s.test(call.summary ?? '')).map(call => call.line)).toEqual([])
  })

  it('lists the machine codes of refusals', async () => {
    const { components } = await own()
    expect(components?.schemas?.ErrorCode).toMatchObject({ type: 'string', enum: [...errorCodes] })
    expect(components?.schemas?.Refusal).toMatchObject({ properties: { code: { $ref: '#/components/schemas/ErrorCode' } } })
  })

  it('names the address at which this company answers, and under the bare domain what to put in', async () => {
    expect((await own()).servers).toEqual([{ url: `http://${operator.main.code}.localhost:8080/api/${operator.main.code}` }])
    const [bare] = (await read('localhost:8080')).servers ?? []
    expect(bare).toMatchObject({ url: 'http://{company}.localhost:8080/api/{company}', variables: { company: { default: 'demo' } } })
  })

  it('has examples that work when they are sent: an order, its product, how far it is, and where its recipient sees it', async () => {
    const page = await own()
    expect(await paste(page, 'post', '/cms/products', key)).toMatchObject({ products: [{ result: 'created', problems: [] }] })
    expect(await paste(page, 'post', '/cms/orders', key)).toMatchObject({ orders: [{ result: 'created', problems: [] }] })
    expect(await paste(page, 'post', '/cms/orders', key)).toMatchObject({ orders: [{ result: 'unchanged' }] })
    expect(await paste(page, 'get', '/cms/orders/{external_id}', key)).toMatchObject({ order_no: '1001', parcels: [] })
    expect(await paste(page, 'post', '/tracking/find', '')).toMatchObject({ order_no: '1001' })
  })

  it('has examples for setting a shop up', async () => {
    const page = await own()
    expect(await paste(page, 'post', '/cms/authorization', admin.token)).toMatchObject({ key: expect.any(String) })
    expect(await paste(page, 'post', '/cms/webhooks/{source}/{shop}', admin.token)).toMatchObject({ source: 'woocommerce', shop: 'main' })
  })

  it('begins with an order that can be pasted into a shell', async () => {
    const { info } = await own()
    const [, server, path, body] = /PAKHUS=(\S+)\ncurl -sS \$PAKHUS(\S+) .*?--data '(.*?)'/s.exec(info.description ?? '') ?? []
    const { host, pathname } = new URL(`${server}${path}`)
    const payload = { ...JSON.parse(body ?? ''), order_no: '1002' }
    const answer = await testApp.app.inject({ method: 'POST', url: pathname, headers: { host, authorization: key }, payload })
    expect(answer.json()).toMatchObject({ orders: [{ result: 'created' }] })
  })

  it('shows a delivery of a web hook that is taken when it is signed as written', async () => {
    const { info, servers } = await own()
    const [, body = '', path, topic = ''] =
      /BODY='(.*?)'\n.*?curl -sS \$PAKHUS(\S+) .*?x-wc-webhook-topic: (\S+)'/s.exec(info.description ?? '') ?? []
    const secret = 'a long secret that only the shop knows'
    await admin.send(cmsKeys.setHook, { source: 'woocommerce', shop: 'main', body: { secret } })
    const { host, pathname } = new URL(`${servers?.[0]?.url}${path}`)
    const signature = createHmac('sha256', secret).update(body).digest('base64')
    const headers = { host, 'content-type': 'application/json', 'x-wc-webhook-topic': topic, 'x-wc-webhook-signature': signature }
    const answer = await testApp.app.inject({ method: 'POST', url: pathname, headers, payload: body })
    expect(answer.statusCode, answer.body).toBe(204)
    expect((await admin.send(cmsKeys.hooks, {})).rows).toMatchObject([{ last_outcome: 'created' }])
  })

  it('shows what an order is made of, and every refusal that a call may meet', async () => {
    const { paths, components } = await own()
    const send = paths?.['/cms/orders']?.post
    const body = send?.requestBody as OpenApi.RequestBodyObject
    expect(body.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/CanonicalOrder' })
    expect(components?.schemas?.CanonicalOrder).toMatchObject({ required: ['order_no', 'currency', 'ship_to', 'lines'] })
    expect(Object.keys(send?.responses ?? {})).toEqual(['200', '400', '401', '404', '409', '413', '422', '429', '502', '503'])
    for (const { operationId, responses } of operations(await own())) expect(Object.keys(responses ?? {}), operationId).toContain('503')
  })
})

describe('the OpenAPI document', () => {
  it('gives each call an operation id of its own, made of its feature and its name', async () => {
    const ids = operations(await own()).map(({ operationId }) => operationId ?? '')
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
    expect(ids.filter(id => !/^[a-z][A-Za-z0-9]*_[a-z][A-Za-z0-9]*$/.test(id))).toEqual([])
    expect(ids).toContain('orders_setState')
  })

  it('describes every call in a sentence and files it under one area that has a description', async () => {
    const page = await own()
    const areas = new Map(page.tags?.map(({ name, description }) => [name, description]))
    for (const { operationId, tags, summary } of operations(page)) {
      expect(summary, operationId).toMatch(/^[A-Z0-9].*\.$/s)
      expect(tags, operationId).toHaveLength(1)
      expect(areas.get(tags?.[0] ?? ''), operationId).toMatch(/\.$/)
    }
  })

  it('names the schemas of the contracts, refers only to what it defines and defines nothing that is not used', async () => {
    const page = await own()
    expect(page.components?.schemas).toMatchObject({
      Order: { type: 'object' },
      OrderRow: { type: 'object' },
      CanonicalOrder: { type: 'object' },
      Refusal: { type: 'object' },
    })
    const text = JSON.stringify(page)
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(schemas|responses)\/(\w+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
    )
    const defined = (['schemas', 'responses'] as const).flatMap(kind =>
      Object.keys(page.components?.[kind] ?? {}).map(name => `${kind}/${name}`),
    )
    expect([...references].toSorted()).toEqual(defined.toSorted())
    expect(text).not.toContain('$defs')
  })

  it('lists each schema under one name only', () => {
    const named = new Map<string, unknown>()
    for (const { components } of features.flatMap(feature => Object.values(feature.calls)))
      for (const [name, schema] of Object.entries(components)) {
        expect(named.get(name) ?? schema, `two schemas are named ${name}`).toBe(schema)
        named.set(name, schema)
      }
  })

  it('takes no two addresses that differ only by the names of their parameters', async () => {
    const templates = Object.keys((await own()).paths ?? {}).map(path => path.replace(/\{\w+\}/g, '{}'))
    expect(templates.filter((template, i) => templates.indexOf(template) !== i)).toEqual([])
  })

  it('has patterns that every language reads the same way', async () => {
    const patterns: string[] = []
    JSON.stringify(await own(), (key, value) => {
      if (key === 'pattern' && typeof value === 'string') patterns.push(value)
      return value
    })
    expect(patterns.length).toBeGreaterThan(10)
    for (const pattern of patterns) {
      expect(pattern).not.toMatch(/\\p\{|\\u\{|\(\?<[=!]/)
      expect(new RegExp(pattern).source).toBe(new RegExp(pattern, 'u').source)
    }
  })

  it('leaves answers open for fields that are added later', async () => {
    const { paths } = await own()
    expect(JSON.stringify(Object.values(paths ?? {}).map(path => path?.get?.responses))).not.toContain('"additionalProperties":false')
  })
})
