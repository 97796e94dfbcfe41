/** Templates over HTTP: what is refused, and what they become. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { templates } from './templates.contract.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(undefined)
  operator = await testApp.operator()
  admin = await operator.hire(['admin'])
})

type Body = RequestInput<typeof templates.create>['body']
const create = (more: Partial<Body> = {}) =>
  admin.send(templates.create, {
    body: { channel: 'sms', locale: 'en_GB', trigger: 'shipped', name: 'Packed', body: 'Order {{ order_no }}', ...more },
  })
const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )
const preview = (body: string, order_id: number | null = null) => admin.send(templates.preview, { index: 0, body: { body, order_id } })

describe('a template', () => {
  it.each([
    ['{% for i in (1..1000000000) %}{% endfor %}', 'template_tag'],
    ['{% assign a = 1 %}', 'template_tag'],
    ['{% include "x" %}', 'template_tag'],
    ['{{ order_no | upcase }}', 'template_tag'],
    ['{{ password }}', 'template_word'],
    ['{{ order_no', 'template_unreadable'],
    ['{% if order_no %}', 'template_unreadable'],
  ])('with %j is refused beside its field', async (body, code) =>
    expect(await refused(create({ body }))).toMatchObject({ status: 422, code, fields: { body: expect.any(String) } }),
  )

  it('needs a text, an e-mail a subject of one line and a block', async () => {
    expect(await refused(create({ body: '' }))).toMatchObject({ fields: { body: 'Enter a text' } })
    expect(await refused(create({ channel: 'email' }))).toMatchObject({ fields: { subject: 'Enter a subject', blocks: 'Add a block' } })
    expect(await refused(create({ channel: 'email', subject: 'a\r\nBcc: x', blocks: [{ kind: 'items' }] }))).toMatchObject({
      fields: { subject: 'A subject is one line' },
    })
    expect(await refused(create({ body: 'x'.repeat(1_601) }))).toMatchObject({ fields: { body: expect.any(String) } })
  })

  it('is the only active one of its occasion, channel and language', async () => {
    await create()
    await create({ locale: 'da_DK' })
    await create({ active: false })
    expect(await refused(create())).toMatchObject({ status: 409, code: 'template_active', message: expect.stringContaining('Packed') })
    await create({ trigger: 'manual' })
    await create({ trigger: 'manual' })
  })

  it('keeps its number, is changed by version, and is gone once removed', async () => {
    const { id, version, index, updated_at: _, ...fields } = await create()
    const changed = await admin.send(templates.update, { id, body: { ...fields, name: 'Sent', version } })
    expect(changed).toMatchObject({ index, name: 'Sent', version: 2 })
    expect(await refused(admin.send(templates.update, { id, body: { ...fields, version } }))).toMatchObject({
      code: 'settings_changed',
      current: { name: 'Sent' },
    })
    await admin.send(templates.remove, { id })
    expect((await admin.send(templates.list, {})).rows).toEqual([])
    expect(await create()).toMatchObject({ index: index + 1 })
  })

  it('is read by the office and written by who may change settings', async () => {
    await create()
    const office = await operator.hire(['parcels'])
    expect((await office.send(templates.list, { trigger: 'shipped' })).rows).toHaveLength(1)
    const body = { channel: 'sms', locale: 'en_GB', trigger: 'manual', name: 'x', body: 'x' } as const
    expect(await refused(office.send(templates.create, { body }))).toMatchObject({ status: 403 })
  })
})

describe('a preview', () => {
  it('fills a real order, counts its parts, and names what has no value', async () => {
    const order = await placeOrder(testApp.services.database, scopeOfCompany(operator), { order_no: '24127' })
    expect(
      await preview('Hi {{ first_name | default: "there" }}: {{ order_no }} {{ tracking_no }}{{ pickup_shop | default: "–" }}', order.id),
    ).toMatchObject({
      text: 'Hi Lene: 24127 –',
      encoding: 'UCS-2',
      parts: 1,
      missing: ['tracking_no'],
      replaced: [{ from: '–', to: '-' }],
    })
    expect(await preview('{% if tracking_no %}yes{% else %}not yet{% endif %}', order.id)).toMatchObject({ text: 'not yet', missing: [] })
  })

  it('of no order is invented', async () =>
    expect(await preview('{{ order_no }} {{ items }}')).toMatchObject({ text: expect.stringContaining('24127') }))

  it('of an e-mail is a page that loads nothing from elsewhere, with its plain text', async () => {
    const { html, text, subject } = await admin.send(templates.preview, {
      index: 0,
      body: {
        channel: 'email',
        subject: 'Order {{ order_no }}',
        blocks: [
          { kind: 'text', text: 'Hi {{ first_name }},\nbye' },
          { kind: 'parcels' },
          { kind: 'button', text: 'Follow', target: 'tracking' },
        ],
      },
    })
    expect(subject).toBe('Order 24127')
    expect(text).toContain('Follow:\nhttps://demo.example/tracking')
    expect(html).toContain('Hi Lene,<br>bye')
    expect(html).not.toMatch(/\[\[|place\.invalid|fonts\.googleapis|<script|<link/)
  })

  it('opens for anyone by a link of 30 minutes, with invented data', async () => {
    const { id } = await create({
      channel: 'email',
      body: '',
      subject: 'Order {{ order_no }}',
      blocks: [{ kind: 'text', text: 'Hi {{ first_name }}' }],
    })
    const { path } = await admin.send(templates.link, { id })
    const token = path.split('#')[1] ?? ''
    const visitor = testApp.visitor(operator.main)
    expect(await visitor.send(templates.page, { body: { token } })).toMatchObject({ subject: 'Order 24127', name: 'Packed' })
    expect(await refused(visitor.send(templates.page, { body: { token: token.replace(/.$/, '_') } }))).toMatchObject({ status: 404 })
    testApp.setNow(new Date(Date.now() + 31 * 60_000))
    expect(await refused(visitor.send(templates.page, { body: { token } }))).toMatchObject({ code: 'preview_expired' })
  })
})
