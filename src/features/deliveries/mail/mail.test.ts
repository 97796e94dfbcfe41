/** The mail account of a company over HTTP, with a real SMTP server. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RequestInput } from '#contract/endpoint.ts'
import { users } from '#features/company/users/users.contract.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { mail } from './mail.contract.ts'
import { startMailServer } from './mail-server.fake.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let server: Awaited<ReturnType<typeof startMailServer>>

beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'])
  server = await startMailServer()
  return () => server.close()
})

type Body = RequestInput<typeof mail.save>['body']
const body = (fields: Partial<Body> = {}): Body => ({
  host: '127.0.0.1',
  port: server.port,
  security: 'none',
  user_name: server.signIn.user,
  password: server.signIn.password,
  from_name: 'Demo <Logistics>',
  from_address: 'warehouse@example.com',
  reply_to: null,
  version: null,
  ...fields,
})
const save = (fields: Partial<Body> = {}) => admin.send(mail.save, { body: body(fields) })
const test = () => admin.send(mail.test, {})
const giveAddress = async (email = 'ada@example.com') => {
  const { version } = await admin.send(users.get, { id: admin.user_id })
  // The own address asks for the password.
  const colleague = await operator.hire(['admin'])
  await colleague.send(users.update, { id: admin.user_id, body: { version, email } })
}
const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )

describe('a mail account', () => {
  it('is kept without showing its password, per company', async () => {
    expect(await admin.send(mail.account, {})).toEqual({ account: null })
    const { account } = await save()
    expect(account).toMatchObject({ host: '127.0.0.1', state: 'active', waiting: 0, last: null, has_password: true, version: 1 })
    expect(JSON.stringify(account)).not.toContain(server.signIn.password)
    const other = await operator.hire(['admin'], operator.shops[0])
    expect(await other.send(mail.account, {})).toEqual({ account: null })
  })

  it('keeps its password when nothing is sent for it, but asks for it when the server or the user changes', async () => {
    await save()
    const { password: _, ...kept } = body({ version: 1, from_name: 'Demo' })
    await admin.send(mail.save, { body: kept })
    await giveAddress()
    expect(await test()).toMatchObject({ problem: null })
    const moved = await refused(admin.send(mail.save, { body: { ...kept, host: 'mail.example.com', version: 2 } }))
    expect(moved).toMatchObject({ status: 422, code: 'password_missing', fields: { password: 'Enter the password of this mail account' } })
    expect(await refused(admin.send(mail.save, { body: { ...kept, user_name: 'other', version: 2 } }))).toMatchObject({
      code: 'password_missing',
    })
  })

  it('is not overwritten by somebody who has seen an older one', async () => {
    await save()
    expect(await refused(save())).toMatchObject({ status: 409, code: 'settings_changed', current: { version: 1 } })
    expect(await refused(save({ version: 9 }))).toMatchObject({ status: 409 })
  })

  it('is removed with its password', async () => {
    await save()
    await admin.send(mail.remove, {})
    expect(await admin.send(mail.account, {})).toEqual({ account: null })
    expect(await refused(test())).toMatchObject({ status: 404, code: 'no_mail_account' })
    const { password: _, ...without } = body()
    expect(await refused(admin.send(mail.save, { body: without }))).toMatchObject({ code: 'password_missing' })
  })

  it('reaches private networks only where the deployment lists them', async () => {
    testApp.services.config.allowed_networks = []
    for (const host of ['127.0.0.1', '10.0.0.7', '::1', '169.254.169.254', 'mailserver'])
      expect(await refused(save({ host, port: 587 }))).toMatchObject({
        code: 'host_not_public',
        fields: { host: 'This is not a public mail server' },
      })
    expect(await refused(save({ host: 'smtp.example.com', port: 6379 }))).toMatchObject({ code: 'port_not_allowed' })
    await save({ host: 'smtp.example.com', port: 587 })
  })
})

describe('a test mail', () => {
  it('goes to the caller’s own address, in the caller’s language, as text and as HTML', async () => {
    await save()
    await giveAddress()
    expect(await test()).toMatchObject({ to: 'ada@example.com', problem: null })
    expect(server.received).toMatchObject([{ from: 'warehouse@example.com', to: ['ada@example.com'] }])
    const [{ source = '' } = {}] = server.received
    expect(source).toContain('Content-Type: text/plain')
    expect(source).toContain('Content-Type: text/html')
    expect(source).toMatch(/^Auto-Submitted: auto-generated/m)
    expect(source).toMatch(/^Message-ID: <test\.\d+\.\d+\.\d+@example\.com>/im)
  })

  it('needs an address of the caller', async () => {
    await save()
    expect(await refused(test())).toMatchObject({ status: 422, code: 'no_own_address' })
  })

  it.each([
    ['sign-in', 535, 'sign_in_refused'],
    ['sign-in', 454, 'try_later'],
    ['sender', 553, 'sender_refused'],
    ['sender', 530, 'sign_in_refused'],
    ['recipient', 550, 'recipient_refused'],
    ['recipient', 450, 'try_later'],
    ['message', 554, 'message_refused'],
  ] as const)('says at the %s, refused with %i, that the problem is %s', async (at, code, problem) => {
    await save()
    await giveAddress()
    server.setRefusal({ at, code, text: '5.1.0 not for <ada@example.com>' })
    const answer = await test()
    expect(answer).toMatchObject({ problem })
    expect(answer.answer).toContain(String(code))
    expect(answer.answer).not.toContain('ada@example.com')
  })

  it('says that the password is wrong', async () => {
    await save({ password: 'another password' })
    await giveAddress()
    expect(await test()).toMatchObject({ problem: 'sign_in_refused' })
  })

  it('names an unknown host, a port that is closed, and a private address behind a name', async () => {
    await giveAddress()
    await save({ host: 'mail.invalid' })
    expect(await test()).toEqual({ to: 'ada@example.com', problem: 'unknown_host', answer: '' })
    await server.close()
    await save({ version: 1 })
    expect(await test()).toMatchObject({ problem: 'no_connection' })
    testApp.services.config.allowed_networks = ['10.0.0.0/8']
    await save({ version: 2, host: 'localhost', port: 587 })
    expect(await test()).toMatchObject({ problem: 'private_host' })
  })

  it('refuses a server without encryption, and an untrusted certificate', async () => {
    await giveAddress()
    await save({ security: 'starttls' })
    expect(await test()).toMatchObject({ problem: 'no_encryption' })
    const encrypted = await startMailServer({ disabledCommands: [] })
    await save({ security: 'starttls', port: encrypted.port, version: 1 })
    expect(await test()).toMatchObject({ problem: 'certificate' })
    await encrypted.close()
    const fromTheStart = await startMailServer({ secure: true })
    await save({ security: 'tls', port: fromTheStart.port, version: 2 })
    expect(await test()).toMatchObject({ problem: 'certificate' })
    await fromTheStart.close()
    expect(server.received).toEqual([])
  })
})
