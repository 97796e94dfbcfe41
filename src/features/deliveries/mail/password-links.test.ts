/** Invitations and forgotten passwords over HTTP, mailed through a real SMTP server. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { session } from '#contract/session.ts'
import { passwordLinks } from '#features/company/users/password-links.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { mail } from './mail.contract.ts'
import { sendMail } from './mail-sender.server.ts'
import { startMailServer } from './mail-server.fake.ts'
import { writePasswordLinkMail } from './password-link-mail.server.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let visitor: TestUser
let server: Awaited<ReturnType<typeof startMailServer>>

beforeAll(async () => {
  testApp = await openTestApp()
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
  await testApp.startWorkers()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(undefined)
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'])
  visitor = testApp.visitor(operator.main)
  server = await startMailServer()
  return () => server.close()
})

const password = 'six herons over a harbour'
const saveAccount = (version: number | null = null, port = server.port) =>
  admin.send(mail.save, {
    body: {
      host: '127.0.0.1',
      port,
      security: 'none',
      user_name: server.signIn.user,
      password: server.signIn.password,
      from_name: 'Demo Logistics',
      from_address: 'warehouse@example.com',
      reply_to: null,
      version,
    },
  })
const create = async (fields: { user_name?: string; email?: string; locale?: 'de_DE' } = {}) => {
  const body = { name: 'Bo Lind', user_name: 'bo', email: 'bo@example.com', no_password: true, ...fields }
  const { user, password: made } = await admin.send(users.create, { body })
  expect(made).toBeNull()
  return user
}
const invite = (id: number) => admin.send(passwordLinks.invite, { id })
const tokenOf = (url: string) => url.slice(url.indexOf('#') + 1)
const set = (token: string, chosen = password) => visitor.send(passwordLinks.setPassword, { body: { token, password: chosen } })
const signIn = (login: string, typed = password) => visitor.send(session.login, { body: { login, password: typed } })
const deliver = () => sendDeliveries(testApp.services, { mail: sendMail({ 'user.password_link': writePasswordLinkMail }) })
const delivered = async () => {
  await deliver()
  return server.received
}
/** The schedule of the app may be sending it at the same time. */
const lastMailTried = async () => {
  await deliver()
  return lastMail()
}
const forget = (login: string) => visitor.ask(passwordLinks.forgotten, { body: { login } })
const later = (minutes: number) => testApp.setNow(new Date(testApp.services.now().getTime() + minutes * 60_000))
const lastMail = async () => (await admin.send(mail.account, {})).account?.last
/** The mail as it is read: quoted-printable undone. */
const readable = (source = '') =>
  Buffer.from(
    source.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )

describe('an invitation', () => {
  it('lets a new user choose a password once, and sign in with it', async () => {
    const user = await create()
    expect(user.has_password).toBe(false)
    const { url, mailed_to } = await invite(user.user_id)
    expect(mailed_to).toBeNull()
    expect(new URL(url).pathname).toBe('/login/password')
    const token = tokenOf(url)
    expect(await visitor.send(passwordLinks.find, { body: { token } })).toMatchObject({
      name: 'Bo Lind',
      login: 'bo',
      purpose: 'invitation',
    })
    expect(await set(token)).toEqual({ login: 'bo' })
    await signIn('bo')
    expect(await refused(set(token, 'another good long one'))).toMatchObject({ status: 404, code: 'password_link_ended' })
    expect(await refused(signIn('bo', 'another good long one'))).toMatchObject({ status: 401 })
  })

  it('is mailed in the language of the user, as HTML and as text, with the name of the company', async () => {
    await saveAccount()
    const user = await create({ locale: 'de_DE' })
    const { url, mailed_to } = await invite(user.user_id)
    expect(mailed_to).toBe('bo@example.com')
    await expect.poll(delivered).toHaveLength(1)
    const [{ source = '', to = [] } = {}] = server.received
    expect(to).toEqual(['bo@example.com'])
    const text = readable(source)
    expect(text).toContain(`Passwort wählen:\r\n${url}`)
    expect(text).toContain(`href="${url}"`)
    expect(text).toContain('<html lang="de">')
    expect(text.split('Guten Tag, Bo Lind,')).toHaveLength(3)
    expect(text).toMatch(/^Message-ID: <delivery\.\d+\.\d+@example\.com>/im)
    await expect.poll(lastMailTried).toMatchObject({ state: 'delivered', problem: null })
  })

  it('opens the same link under the same id when the mail is sent again', async () => {
    await saveAccount()
    const { user_id } = await create()
    server.setRefusal({ at: 'message', code: 451, text: '4.3.0 later' })
    const { url } = await invite(user_id)
    await expect.poll(lastMailTried).toMatchObject({ state: 'waiting', problem: 'try_later', attempts: 1 })
    server.setRefusal(null)
    later(2)
    await expect.poll(lastMailTried).toMatchObject({ state: 'delivered' })
    await deliver()
    expect(server.received).toHaveLength(1)
    expect(readable(server.received[0]?.source)).toContain(url)
  })

  it('is not tried again after a refusal for good, and never sent when it has ended', async () => {
    await saveAccount()
    const { user_id } = await create()
    server.setRefusal({ at: 'recipient', code: 550, text: '5.1.1 no mailbox bo@example.com' })
    await invite(user_id)
    await expect.poll(lastMailTried).toMatchObject({ state: 'failed', problem: 'recipient_refused', attempts: 1 })
    expect(JSON.stringify(await lastMail())).not.toContain('bo@example.com')
    server.setRefusal({ at: 'sign-in', code: 535, text: '5.7.8 no' })
    await invite(user_id)
    await expect.poll(lastMailTried).toMatchObject({ state: 'waiting', problem: 'sign_in_refused' })
    server.setRefusal(null)
    later(40)
    await expect.poll(lastMailTried).toMatchObject({ state: 'failed', problem: 'not_needed' })
    expect(server.received).toEqual([])
  })

  it('ends after 30 minutes, when a newer one is made, and when the address or the password changes', async () => {
    const user = await create()
    const open = (token: string) => refused(set(token))
    const ended = { code: 'password_link_ended' }
    const first = tokenOf((await invite(user.user_id)).url)
    const second = tokenOf((await invite(user.user_id)).url)
    expect(await open(first)).toMatchObject(ended)
    later(31)
    expect(await open(second)).toMatchObject(ended)
    testApp.setNow(undefined)
    const third = tokenOf((await invite(user.user_id)).url)
    await admin.send(users.update, { id: user.user_id, body: { version: user.version, email: 'new@example.com' } })
    expect(await open(third)).toMatchObject(ended)
    const fourth = tokenOf((await invite(user.user_id)).url)
    await admin.send(users.update, { id: user.user_id, body: { version: user.version + 1, new_password: true } })
    expect(await open(fourth)).toMatchObject(ended)
  })

  it('takes no weak password, and stays valid then', async () => {
    const token = tokenOf((await invite((await create()).user_id)).url)
    expect(await refused(set(token, 'short'))).toMatchObject({ status: 422, fields: { password: expect.stringContaining('15') } })
    await set(token)
  })

  it('is made only by somebody who could set the password', async () => {
    const helper = await operator.hire(['users_admin'])
    const other = await operator.hire(['admin'])
    expect(await refused(helper.send(passwordLinks.invite, { id: other.user_id }))).toMatchObject({
      status: 403,
      code: 'cannot_set_password',
    })
    const picker = await operator.hire(['pick'])
    expect(await refused(picker.send(passwordLinks.invite, { id: admin.user_id }))).toMatchObject({ status: 403 })
    const shop = await operator.hire(['admin'], operator.shops[0])
    expect(await refused(shop.send(passwordLinks.invite, { id: picker.user_id }))).toMatchObject({ status: 404 })
  })

  it('is stored as a hash, and works in its own company only', async () => {
    const token = tokenOf((await invite((await create()).user_id)).url)
    const row = await testApp.services.database.systemRead('the test looks for the token', db =>
      db.selectFrom('password_links').selectAll().where('company_id', '=', operator.main.id).executeTakeFirstOrThrow(),
    )
    expect(JSON.stringify(row)).not.toContain(token)
    const elsewhere = testApp.visitor(operator.shops[0]!)
    expect(await refused(elsewhere.send(passwordLinks.setPassword, { body: { token, password } }))).toMatchObject({
      code: 'password_link_ended',
    })
  })

  it('is used by one of two who open it at once', async () => {
    const token = tokenOf((await invite((await create()).user_id)).url)
    const ends = await Promise.allSettled([set(token), set(token, 'nine lamps behind a curtain')])
    expect(ends.map(end => end.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('a forgotten password', () => {
  const known = async () => {
    const user = await create()
    await set(tokenOf((await invite(user.user_id)).url))
    await saveAccount()
    return user
  }

  it('is replaced by a link that is mailed, and all sessions of the user end', async () => {
    const user = await known()
    const { token } = await signIn('bo')
    await forget('BO@example.com')
    await expect.poll(async () => (await delivered()).length).toBe(1)
    const link = tokenOf(/http\S+\/login\/password#[\w-]{22}/.exec(readable(server.received[0]?.source))?.[0] ?? '')
    await set(link, 'nine lamps behind a curtain')
    const headers = { authorization: token }
    expect((await visitor.ask(session.current, {}, { headers })).statusCode).toBe(401)
    expect(await refused(signIn('bo'))).toMatchObject({ status: 401 })
    await signIn('bo', 'nine lamps behind a curtain')
    expect((await admin.send(users.sessions, { id: user.user_id })).length).toBe(1)
  })

  it('is answered alike for known and unknown names, with one task each', async () => {
    await known()
    const answers = [await forget('bo'), await forget('unknown'), await forget('stranger@example.com')]
    expect(new Set(answers.map(answer => `${answer.statusCode} ${answer.body}`)).size).toBe(1)
    await expect.poll(async () => (await delivered()).length).toBe(1)
    expect(server.received[0]?.to).toEqual(['bo@example.com'])
  })

  it('is limited per user, without keeping the user from signing in', async () => {
    await known()
    const codes = []
    for (let i = 0; i < 12; i++) codes.push((await forget('bo')).statusCode)
    expect(codes.slice(0, 10)).toEqual(Array(10).fill(codes[0]))
    expect(codes.at(-1)).toBe(429)
    await signIn('bo')
  })

  it('gives no link to a user without a password: an admin invites them', async () => {
    await create()
    const other = await create({ user_name: 'kim', email: 'kim@example.com' })
    await set(tokenOf((await invite(other.user_id)).url))
    await saveAccount()
    await forget('bo')
    await forget('kim')
    await expect.poll(async () => (await delivered()).flatMap(one => one.to)).toEqual(['kim@example.com'])
  })
})
