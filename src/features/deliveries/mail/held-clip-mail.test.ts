/** The mail to a packer about a clip that is held, sent through a real SMTP server. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { users } from '#features/company/users/users.contract.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { packingVideo } from '#features/packing/packing-video/packing-video.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { writeHeldClipMail } from './held-clip-mail.server.ts'
import { mail } from './mail.contract.ts'
import { sendMail } from './mail-sender.server.ts'
import { startMailServer } from './mail-server.fake.ts'

let testApp: TestApp
let operator: TestOperator
let packer: TestUser
let lead: TestUser
let server: Awaited<ReturnType<typeof startMailServer>>
const until = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  testApp = await openTestApp()
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
})
afterAll(() => testApp.close())
beforeEach(async () => {
  server = await startMailServer()
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  const admin = await operator.hire(['admin'])
  packer = await operator.hire(['scan'], operator.main, 'Kim')
  lead = await operator.hire(['scan', 'parcels_admin'], operator.main, 'Astrid')
  const { version } = await admin.send(users.get, { id: packer.user_id })
  await admin.send(users.update, { id: packer.user_id, body: { version, email: 'kim@example.com' } })
  await admin.send(mail.save, {
    body: {
      ...{ host: '127.0.0.1', port: server.port, security: 'none', from_name: 'Demo', from_address: 'warehouse@example.com' },
      ...{ user_name: server.signIn.user, password: server.signIn.password, reply_to: null, version: null },
    },
  })
  const settings = { enabled: true, retention_days: 30, quality: '720p', storage_gb: 100, notices: {} } as const
  await admin.send(packingVideo.setSettings, { body: settings })
  return () => server.close()
})

/** A clip that shows this user with an order of the warehouse's only shop. */
async function filmed(who: TestUser): Promise<number> {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator, operator.shops[0]), {
    ...{ agent_code: 'own', shipping_method: 'van' },
  })
  const { session } = await who.send(packing.start, { id, body: { station: 'Bench 1' } })
  const made = await who.send(packingVideo.create, { order_overview_id: session?.id ?? 0, body: { media_type: 'video/webm' } })
  return made.video_id
}
const hold = (id: number) => lead.send(packingVideo.hold, { id, body: { until, reason: 'Claim 88' } })
const deliver = () => sendDeliveries(testApp.services, { mail: sendMail({ 'user.held_clip': writeHeldClipMail }) })
const received = () => server.received.map(one => one.source.replace(/=\r?\n/g, ''))

it('a packer learns which clip is kept, until when, by whom and why', async () => {
  await hold(await filmed(packer))
  await deliver()
  expect(server.received.map(one => one.to)).toEqual([['kim@example.com']])
  expect(received()[0]).toContain('Bench 1')
  expect(received()[0]).toContain('Decided by Astrid, for this reason: Claim 88')
})

it('nothing is said of a clip that was released meanwhile, or that the person who holds it has packed', async () => {
  const id = await filmed(packer)
  await hold(id)
  await lead.send(packingVideo.release, { id })
  await hold(await filmed(lead))
  await deliver()
  expect(received()).toEqual([])
})
