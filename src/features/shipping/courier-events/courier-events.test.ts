/** Events of couriers: who learns of them by the settings of a company, and who may set them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { tags } from '#features/company/tags/tags.contract.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { startWebhookReceiver } from '#features/deliveries/webhooks/webhook-receiver.fake.ts'
import { sendWebhooks } from '#features/deliveries/webhooks/webhook-sender.server.ts'
import { webhooks } from '#features/deliveries/webhooks/webhooks.contract.ts'
import { messages } from '#features/messages/messages/messages.contract.ts'
import { queueOccasion } from '#features/messages/messages/occasion-messages.server.ts'
import { templates } from '#features/messages/templates/templates.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { applyCourierEvents } from '#features/shipping/labels/courier-events.commands.ts'
import { shipmentExceptions } from '#features/shipping/shipment-exceptions/shipment-exceptions.contract.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { placeShipment } from '#test/shipments.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import type { CourierEvent } from './courier-events.codes.ts'
import { courierEventSettings } from './courier-events.contract.ts'
import type { CourierEventSetting } from './courier-events.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(new Date('2026-11-20T10:00:00Z'))
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'])
})

const settingsOf = (agent_code = 'gls', by = admin) => by.send(courierEventSettings.get, { agent_code })
async function set(event: CourierEvent, change: Partial<CourierEventSetting>, agent_code = 'gls') {
  const { version, events } = await settingsOf(agent_code)
  const { is_default: _, ...known } = events.find(one => one.event === event) ?? { event, to_shop: true, to_recipient: false, to_us: false }
  return admin.send(courierEventSettings.set, {
    agent_code,
    body: { version, events: [{ template_id: null, ...known, ...change }] },
  })
}
const ship = () => placeShipment(testApp.services.database, scopeOfCompany(operator), { agent_code: 'gls', state: 'handed_over' })
const report = (id: number, state: string, time: string, text = '') =>
  createSystemContext(testApp.services, scopeOfCompany(operator)).transaction(context =>
    applyCourierEvents(context, id, [{ state, at: `2026-11-20T${time}:00.000Z`, place: null, text }]),
  )

describe('an event that the warehouse learns of by a tag', () => {
  const tagsOf = async (order_id: number | null) => (await admin.send(orders.get, { id: order_id ?? 0 })).tags

  it('tags the order once, of any event, and follows the tag when that is merged or removed', async () => {
    const [late, old, kept] = await Promise.all(['Late', 'Old', 'Kept'].map(name => admin.send(tags.create, { body: { name } })))
    await set('delayed', { to_us: true, us_action: 'tag', tag_id: late?.id ?? 0 })
    await set('delivered', { to_us: true, us_action: 'tag', tag_id: old?.id ?? 0 })
    await admin.send(tags.merge, { id: old?.id ?? 0, body: { into: kept?.id ?? 0 } })
    const { id, order_id } = await ship()
    await report(id, 'in_transit', '10:00', 'The parcel is delayed')
    expect(await tagsOf(order_id)).toEqual(['Late'])
    expect((await admin.send(shipmentExceptions.list, {})).rows).toEqual([])
    await report(id, 'delivered', '11:00')
    expect(await tagsOf(order_id)).toEqual(['Kept', 'Late'])
    const { rows } = await admin.send(orders.timeline, { id: order_id ?? 0 })
    expect(rows.filter(row => row.actor === 'Courier event')).toHaveLength(2)
    await admin.send(tags.remove, { id: kept?.id ?? 0 })
    expect((await settingsOf()).events.find(one => one.event === 'delivered')).toMatchObject({ to_us: false, tag_id: null })
  })

  it('opens an exception where that is set, and no tag', async () => {
    const { id, order_id } = await ship()
    await report(id, 'delivery_failed', '10:00')
    expect((await admin.send(shipmentExceptions.list, {})).rows).toMatchObject([{ kind: 'delivery_failed' }])
    expect(await tagsOf(order_id)).toEqual([])
  })

  it('without a tag, or with one that is not the company’s, is refused beside the event', async () => {
    for (const [tag_id, words] of [
      [null, 'Choose a tag'],
      [999_999_999, 'This tag was removed.'],
    ] as const)
      await expect(set('delayed', { to_us: true, us_action: 'tag', tag_id })).rejects.toMatchObject({
        status: 422,
        code: 'courier_event_invalid',
        fields: { 'events.0.tag_id': words },
      })
  })
})

describe('the settings of a courier', () => {
  it('are as usual before the first change, and keep what is not named', async () => {
    const usual = await settingsOf()
    expect(usual).toMatchObject({ agent_code: 'gls', version: 0, templates: [] })
    expect(usual.events).toHaveLength(12)
    expect(usual.events.every(event => event.is_default && event.to_shop)).toBe(true)
    expect(usual.events.filter(event => event.to_us).map(event => event.event)).toEqual([
      'customs',
      'delivery_failed',
      'address_problem',
      'returning',
    ])
    const changed = await set('in_transit', { to_shop: false })
    expect(changed.version).toBe(1)
    expect(changed.events.filter(event => !event.to_shop).map(event => event.event)).toEqual(['in_transit'])
    expect((await settingsOf('bring')).version).toBe(0)
  })

  it('are refused with an old version, an unknown courier and a setting that cannot work', async () => {
    const events = [{ event: 'delivered', to_shop: true, to_recipient: true, to_us: false }] as const
    await admin.send(courierEventSettings.set, { agent_code: 'gls', body: { version: 0, events: [...events] } })
    await expect(
      admin.send(courierEventSettings.set, { agent_code: 'gls', body: { version: 0, events: [...events] } }),
    ).rejects.toMatchObject({ status: 409, code: 'settings_changed', current: expect.objectContaining({ version: 1 }) })
    await expect(settingsOf('unknown')).rejects.toMatchObject({ status: 404, code: 'unknown_courier' })
    await expect(set('customs', { to_recipient: true })).rejects.toMatchObject({
      code: 'courier_event_invalid',
      fields: { 'events.0.template_id': 'Choose a template.' },
    })
    await expect(set('delivered', { to_us: true })).rejects.toMatchObject({
      fields: { 'events.0.to_us': 'This event opens no exception.' },
    })
    await expect(set('customs', { to_recipient: true, template_id: 999_999 })).rejects.toMatchObject({
      fields: { 'events.0.template_id': 'This template was removed.' },
    })
  })

  it('belong to a company, and are for those who set things', async () => {
    await set('in_transit', { to_shop: false })
    const shop = await operator.hire(['settings_admin'], operator.shops[0])
    expect((await settingsOf('gls', shop)).version).toBe(0)
    const packer = await operator.hire(['scan'])
    await expect(settingsOf('gls', packer)).rejects.toMatchObject({ status: 403 })
  })
})

describe('an event', () => {
  it('reaches the shop by webhook, but where its courier is excepted', async () => {
    const receiver = await startWebhookReceiver(() => testApp.services.now())
    await admin.send(webhooks.save, {
      body: {
        name: 'Shop',
        url: receiver.url,
        events: ['shipment.in_transit', 'shipment.out_for_delivery', 'shipment.problem_reported', 'shipment.delivered'],
      },
    })
    await set('in_transit', { to_shop: false })
    await set('delayed', { to_shop: false })
    const { id } = await ship()
    await report(id, 'in_transit', '06:00')
    await report(id, 'in_transit', '07:00', 'The parcel is delayed')
    await report(id, 'in_transit', '07:30', 'Held in customs')
    await report(id, 'out_for_delivery', '08:00')
    await report(id, 'delivered', '09:00')
    for (let attempt = 0; attempt < 4; attempt++) await sendDeliveries(testApp.services, { webhook: sendWebhooks({}) })
    expect(receiver.received.map(({ body }) => [body.type, body.facts])).toEqual([
      ['shipment.problem_reported', { reason: 'customs' }],
      ['shipment.out_for_delivery', {}],
      ['shipment.delivered', {}],
    ])
    await receiver.close()
  })

  it('reaches the recipient by the template of the occasion, by one of its own, or not at all', async () => {
    const body = { channel: 'sms', locale: 'en_GB', body: 'About {{ order_no }}' } as const
    await admin.send(templates.create, { body: { ...body, trigger: 'out_for_delivery', name: 'Today', active: true } })
    const own = await admin.send(templates.create, { body: { ...body, trigger: 'manual', name: 'Customs' } })
    await set('customs', { to_recipient: true, template_id: own.id })
    const occasions = async () => {
      for (let attempt = 0; attempt < 4; attempt++) await sendDeliveries(testApp.services, { message: queueOccasion })
    }
    const { id, order_id } = await ship()
    await report(id, 'in_transit', '06:00', 'Held in customs')
    await report(id, 'out_for_delivery', '08:00')
    await occasions()
    const { rows } = await admin.send(messages.thread, { id: order_id })
    expect(rows.map(row => row.trigger).toSorted()).toEqual(['manual', 'out_for_delivery'])
    await set('out_for_delivery', { to_recipient: false })
    const other = await ship()
    await report(other.id, 'out_for_delivery', '08:00')
    await occasions()
    expect((await admin.send(messages.thread, { id: other.order_id })).rows).toEqual([])
  })
})
