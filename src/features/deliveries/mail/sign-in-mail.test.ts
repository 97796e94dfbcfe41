/** Mails about signing in, sent through a real SMTP server. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildUser, scopeOfCompany } from '#app/demo/builders.ts'
import { session } from '#contract/session.ts'
import { secondFactors } from '#features/company/users/second-factors.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { mail } from './mail.contract.ts'
import { sendMail } from './mail-sender.server.ts'
import { startMailServer } from './mail-server.fake.ts'
import { writeFactorsResetMail, writeNewDeviceMail } from './sign-in-mail.server.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let user_id: number
let server: Awaited<ReturnType<typeof startMailServer>>
const password = 'six herons over a harbour'
const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'

beforeAll(async () => {
  testApp = await openTestApp()
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator()
  admin = await operator.hire(['admin'])
  server = await startMailServer()
  await admin.send(mail.save, {
    body: {
      host: '127.0.0.1',
      port: server.port,
      security: 'none',
      user_name: server.signIn.user,
      password: server.signIn.password,
      from_name: 'Demo Logistics',
      from_address: 'warehouse@example.com',
      reply_to: null,
      version: null,
    },
  })
  user_id = await buildUser(testApp.services.database, scopeOfCompany(operator), {
    name: 'Bo Lind',
    user_name: 'bo',
    email: 'bo@example.com',
    password,
    permissions: ['parcels'],
  })
  return () => server.close()
})

const signIn = (agent: string) =>
  testApp.visitor(operator.main).send(session.login, { body: { login: 'bo', password } }, { headers: { 'user-agent': agent } })
const deliver = () =>
  sendDeliveries(testApp.services, {
    mail: sendMail({ 'user.new_device': writeNewDeviceMail, 'user.second_factors_reset': writeFactorsResetMail }),
  })
/** The mail as it is read: quoted-printable undone. */
const readable = (source = '') =>
  Buffer.from(
    source.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

describe('a sign-in on a new device', () => {
  it('is mailed to the user, with browser and address, and the usual device is not', async () => {
    await signIn(firefox)
    await signIn(firefox)
    await deliver()
    expect(server.received).toEqual([])
    await signIn(chrome)
    await deliver()
    expect(server.received.map(one => one.to)).toEqual([['bo@example.com']])
    const text = readable(server.received[0]?.source)
    expect(text).toContain('Chrome, Linux')
    expect(text).toContain('127.0.0.1')
    expect(text).toContain('/settings/me')
  })

  it('is not mailed when the user has ended it meanwhile', async () => {
    await signIn(firefox)
    await signIn(chrome)
    const open = await admin.send(users.sessions, { id: user_id })
    for (const { id } of open) await admin.send(users.endSession, { id: user_id, session_id: id })
    await deliver()
    expect(server.received).toEqual([])
  })
})

it('a reset of the second factor is mailed to the user', async () => {
  await admin.send(secondFactors.reset, { id: user_id })
  await deliver()
  expect(server.received.map(one => one.to)).toEqual([['bo@example.com']])
  expect(readable(server.received[0]?.source)).toContain('An administrator has removed your code app')
})
