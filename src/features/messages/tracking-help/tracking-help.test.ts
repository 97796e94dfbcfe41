/** The help form of the tracking page over HTTP: what a recipient writes stands in the thread of the order, and names no one to strangers. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { messages } from '#features/messages/messages/messages.contract.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { trackingHelp } from './tracking-help.contract.ts'

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
let visitor: TestUser
let address = 1

beforeAll(async () => {
  testApp = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
  operator = await testApp.operator({ settings: { locale: 'de_DE' } })
  clerk = await operator.hire(['parcels'])
  visitor = testApp.visitor(operator.main)
})
afterAll(() => testApp.close())

const from = () => ({ headers: { 'x-forwarded-for': `198.51.100.${address++}` } })
async function linked(ship_to: { email?: string | null; phone?: string | null } = {}) {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), { ship_to })
  const url = new URL(trackingUrl(testApp.services, { id: operator.main.id, code: operator.main.code }, { order_id: id }))
  return { o: id, s: url.searchParams.get('s') ?? '' }
}
const write = (link: { o: number; s: string }, client_id: string = randomUUID()) =>
  visitor.ask(trackingHelp.ask, { body: { ...link, topic: 'missing', text: 'One of two cups', client_id } }, from())

describe('a question from the tracking page', () => {
  it('is a message in the thread of the order, with a subject in the company’s language, and can be answered', async () => {
    const link = await linked()
    expect((await visitor.ask(trackingHelp.ways, link, from())).json()).toEqual({ channel: 'email' })
    const reply = await write(link)
    expect(reply.json()).toEqual({ channel: 'email' })
    expect(reply.body).not.toContain('lene')
    const { rows } = await clerk.send(messages.thread, { id: link.o })
    expect(rows).toMatchObject([
      {
        direction: 'in',
        channel: 'email',
        address: 'lene@example.test',
        subject: 'Es fehlt etwas',
        text: 'One of two cups',
        handled_at: null,
      },
    ])
    expect((await clerk.send(messages.list, { view: 'unanswered' })).rows.map(row => row.order_id)).toContain(link.o)
    const [asked] = rows
    await clerk.send(messages.reply, { body: { message_id: asked?.id ?? 0, text: 'It follows tomorrow', client_id: randomUUID() } })
  })

  it('is stored once however often it arrives, and at most five times in a day', async () => {
    const link = await linked()
    const client_id = randomUUID()
    await write(link, client_id)
    await write(link, client_id)
    for (let i = 0; i < 4; i++) expect((await write(link)).statusCode).toBe(200)
    expect((await write(link)).json()).toMatchObject({ code: 'help_limit' })
    expect((await clerk.send(messages.thread, { id: link.o })).rows).toHaveLength(5)
  })

  it('goes by text message where there is no e-mail, and nowhere without a contact or a link', async () => {
    expect((await visitor.ask(trackingHelp.ways, await linked({ email: null }), from())).json()).toEqual({ channel: 'sms' })
    const silent = await linked({ email: null, phone: null })
    expect((await visitor.ask(trackingHelp.ways, silent, from())).json()).toEqual({ channel: null })
    expect((await write(silent)).json()).toMatchObject({ code: 'help_no_contact' })
    expect((await write({ ...silent, s: 'forged' })).statusCode).toBe(404)
    expect((await clerk.send(messages.thread, { id: silent.o })).rows).toEqual([])
  })
})
