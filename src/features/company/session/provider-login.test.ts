/** Signing in by an OpenID Connect provider, against a real one on this machine. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildUser, scopeOfCompany } from '#app/demo/builders.ts'
import { session } from '#contract/session.ts'
import { signInProvider } from '#features/company/sign-in-provider/sign-in-provider.contract.ts'
import { passwordLinks } from '#features/company/users/password-links.contract.ts'
import { secondFactors } from '#features/company/users/second-factors.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { type FakeProvider, startProvider } from './oidc-provider.fake.ts'
import { providerLogin } from './provider-login.contract.ts'

const password = 'six herons over a harbour'
const email = 'kim@example.test'
let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let visitor: TestUser
let provider: FakeProvider
let stranger: FakeProvider
let n = 0

beforeAll(async () => {
  // The provider warns of what makes it one for tests.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  testApp = await openTestApp({ ALLOWED_NETWORKS: '127.0.0.0/8' })
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'])
  visitor = testApp.visitor(operator.main)
  const pages = [operator.main, ...operator.shops].map(({ code }) => `http://${code}.localhost/login/company`)
  provider = await startProvider(pages, email)
  stranger = await startProvider(pages, email)
  await configure(admin, provider)
  return async () => {
    await provider.close()
    await stranger.close()
  }
})

const bodyOf = ({ issuer, client_id, client_secret }: FakeProvider) => ({
  name: 'Harbour ID',
  issuer,
  client_id,
  client_secret,
  active: true,
  second_factor: false,
})
async function configure(by: TestUser, to: FakeProvider, more: { second_factor?: boolean; active?: boolean } = {}) {
  const { provider: known } = await by.send(signInProvider.get, {})
  return by.send(signInProvider.save, { body: { ...bodyOf(to), ...more, version: known?.version ?? null } })
}
const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )

async function person(name = 'Kim Lund', own = email) {
  const login = `person${++n}`
  const user_id = await buildUser(testApp.services.database, scopeOfCompany(operator), {
    name,
    user_name: login,
    email: own,
    password,
    permissions: ['parcels'],
  })
  const { token } = await visitor.send(session.login, { body: { login, password } })
  const headers = { authorization: token }
  const send: TestUser['send'] = (call, input) => visitor.send(call, input, { headers })
  return { login, user_id, send }
}
type Person = Awaited<ReturnType<typeof person>>
async function connect(someone: Person, subject: string, at = provider) {
  const { challenge_id, url } = await someone.send(signInProvider.startLink, { body: { password } })
  return someone.send(signInProvider.link, { body: { challenge_id, query: await at.visit(url, subject) } })
}
async function begin(subject: string, { at = provider, by = visitor, invitation = undefined as string | undefined } = {}) {
  const { challenge_id, url } = await by.send(providerLogin.start, { body: invitation === undefined ? {} : { invitation } })
  return { challenge_id, query: await at.visit(url, subject) }
}
const signIn = async (subject: string, at = provider) => visitor.send(providerLogin.finish, { body: await begin(subject, { at }) })

describe('a sign-in by the provider', () => {
  it('is that of the user who has connected the account', async () => {
    const kim = await person()
    expect(await kim.send(signInProvider.mine, {})).toEqual({ provider: 'Harbour ID', identities: [] })
    const identity = await connect(kim, 'kim-at-harbour')
    expect(identity).toMatchObject({ issuer: provider.issuer, subject: 'kim-at-harbour', last_used_at: null })
    expect(await visitor.send(providerLogin.offered, {})).toEqual({ name: 'Harbour ID' })
    const { user, token } = await signIn('kim-at-harbour')
    expect(user.user_id).toBe(kim.user_id)
    expect((await visitor.ask(session.current, {}, { headers: { authorization: token } })).statusCode).toBe(200)
    expect((await kim.send(signInProvider.mine, {})).identities).toMatchObject([{ last_used_at: expect.any(String) }])
  })

  it('asks with PKCE, state and nonce, and for nothing but who it is', async () => {
    const { url } = await visitor.send(providerLogin.start, { body: {} })
    const asked = new URL(url).searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('scope')).toBe('openid')
    expect(asked.get('redirect_uri')).toBe(`http://${operator.main.code}.localhost/login/company`)
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)?.length, name).toBeGreaterThan(20)
  })

  it('finds no user by the e-mail address', async () => {
    await person()
    expect(await refused(signIn('somebody-else'))).toMatchObject({ status: 403, code: 'identity_unknown' })
  })

  it('finds no user by the same subject of another provider', async () => {
    await connect(await person(), 'kim')
    await configure(admin, stranger)
    expect(await refused(signIn('kim', stranger))).toMatchObject({ code: 'identity_unknown' })
  })

  it('takes an answer once', async () => {
    await connect(await person(), 'kim')
    const body = await begin('kim')
    await visitor.send(providerLogin.finish, { body })
    expect(await refused(visitor.send(providerLogin.finish, { body }))).toMatchObject({ status: 401, code: 'challenge_ended' })
  })

  it('takes no answer that another browser has begun', async () => {
    await connect(await person(), 'kim')
    const mine = await begin('kim')
    const { challenge_id } = await begin('kim')
    expect(await refused(visitor.send(providerLogin.finish, { body: { challenge_id, query: mine.query } }))).toMatchObject({
      status: 502,
      code: 'provider_failed',
    })
  })

  it('takes no answer with another nonce', async () => {
    await connect(await person(), 'kim')
    const { challenge_id, url } = await visitor.send(providerLogin.start, { body: {} })
    const changed = new URL(url)
    changed.searchParams.set('nonce', 'a nonce of somebody else')
    const query = await provider.visit(changed.href, 'kim')
    expect(await refused(visitor.send(providerLogin.finish, { body: { challenge_id, query } }))).toMatchObject({ code: 'provider_failed' })
  })

  it('takes no answer whose signature is not that of the provider', async () => {
    await connect(await person(), 'kim')
    provider.forgeSignatures()
    expect(await refused(signIn('kim'))).toMatchObject({ status: 502, code: 'provider_failed' })
  })

  it('ends after ten minutes', async () => {
    await connect(await person(), 'kim')
    const body = await begin('kim')
    testApp.setNow(new Date(Date.now() + 601_000))
    const answer = await refused(visitor.send(providerLogin.finish, { body }))
    testApp.setNow(undefined)
    expect(answer).toMatchObject({ code: 'challenge_ended' })
  })

  it('signs in users of its company alone', async () => {
    await connect(await person(), 'kim')
    const [shop] = operator.shops
    const owner = await operator.hire(['admin'], shop)
    await configure(owner, provider)
    const elsewhere = testApp.visitor(owner.company)
    const body = await begin('kim', { by: elsewhere })
    expect(await refused(visitor.send(providerLogin.finish, { body }))).toMatchObject({ code: 'challenge_ended' })
    expect(await refused(elsewhere.send(providerLogin.finish, { body }))).toMatchObject({ code: 'identity_unknown' })
  })

  it('goes on when the provider signs with a new key', async () => {
    await connect(await person(), 'kim')
    provider.rotateKeys()
    await signIn('kim')
  })

  it('is refused in one sentence while the provider is down, and the password still signs in', async () => {
    const kim = await person()
    await connect(kim, 'kim')
    const body = await begin('kim')
    await provider.close()
    expect(await refused(visitor.send(providerLogin.finish, { body }))).toMatchObject({ status: 502, code: 'provider_failed' })
    expect(await refused(visitor.send(providerLogin.start, { body: {} }))).toMatchObject({ status: 502 })
    await visitor.send(session.login, { body: { login: kim.login, password } })
  })

  it('is refused when the provider is switched off, when the account is disconnected, and when the user has left', async () => {
    const kim = await person()
    const { id } = await connect(kim, 'kim')
    const body = await begin('kim')
    await configure(admin, provider, { active: false })
    expect(await visitor.send(providerLogin.offered, {})).toEqual({ name: null })
    expect(await refused(visitor.send(providerLogin.finish, { body }))).toMatchObject({ code: 'provider_not_found' })
    await configure(admin, provider)
    await kim.send(signInProvider.unlink, { id, body: { password } })
    expect(await refused(signIn('kim'))).toMatchObject({ code: 'identity_unknown' })
    await connect(kim, 'kim')
    await admin.send(users.remove, { id: kim.user_id })
    expect(await refused(signIn('kim'))).toMatchObject({ code: 'identity_unknown' })
    await connect(await person('Bo Lind', 'bo@example.test'), 'kim')
  })

  it('is followed by the own second factor, unless the provider asks for one', async () => {
    const kim = await person()
    await connect(kim, 'kim')
    const { secret, challenge_id } = await kim.send(secondFactors.startTotp, { body: { password } })
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await kim.send(secondFactors.confirmTotp, { body: { challenge_id, code } })
    expect(await refused(signIn('kim'))).toMatchObject({ status: 401, code: 'second_factor_needed' })
    await configure(admin, provider, { second_factor: true })
    await signIn('kim')
  })
})

describe('an account', () => {
  it('belongs to one user of a company', async () => {
    await connect(await person(), 'kim')
    expect(await refused(connect(await person('Bo Lind', 'bo@example.test'), 'kim'))).toMatchObject({ status: 409, code: 'identity_taken' })
  })

  it('is connected with the password, by the person who began', async () => {
    const [kim, bo] = [await person(), await person('Bo Lind', 'bo@example.test')]
    expect(await refused(kim.send(signInProvider.startLink, { body: { password: 'wrong' } }))).toMatchObject({ status: 422 })
    const { challenge_id, url } = await kim.send(signInProvider.startLink, { body: { password } })
    const query = await provider.visit(url, 'kim')
    expect(await refused(bo.send(signInProvider.link, { body: { challenge_id, query } }))).toMatchObject({ status: 404 })
  })

  it('is connected by an invitation, which then is used', async () => {
    const { user } = await admin.send(users.create, { body: { name: 'Bo Lind', user_name: `bo${++n}`, no_password: true } })
    const { url } = await admin.send(passwordLinks.invite, { id: user.user_id })
    const invitation = url.slice(url.indexOf('#') + 1)
    const body = await begin('bo-at-harbour', { invitation })
    expect((await visitor.send(providerLogin.finish, { body })).user.user_id).toBe(user.user_id)
    expect(await refused(begin('another', { invitation }))).toMatchObject({ code: 'password_link_ended' })
    expect((await signIn('bo-at-harbour')).user.user_id).toBe(user.user_id)
  })
})

describe('the settings of the provider', () => {
  it('take the administrator, never show the secret, and ask for it again when issuer or client change', async () => {
    const clerk = await operator.hire(['settings_admin', 'users_admin'])
    expect(await refused(clerk.send(signInProvider.get, {}))).toMatchObject({ status: 403 })
    const answer = await admin.ask(signInProvider.get, {})
    expect(answer.body).not.toContain(provider.client_secret)
    const { version } = answer.json().provider
    const { client_secret: _, ...body } = bodyOf(stranger)
    expect(await refused(admin.send(signInProvider.save, { body: { ...body, version } }))).toMatchObject({
      code: 'client_secret_missing',
      fields: { client_secret: expect.any(String) },
    })
    const { client_secret: __, ...same } = bodyOf(provider)
    await admin.send(signInProvider.save, { body: { ...same, name: 'Other name', version } })
    expect(await refused(admin.send(signInProvider.save, { body: { ...same, version } }))).toMatchObject({ code: 'settings_changed' })
  })

  it('refuse an address that is not public', async () => {
    const { provider: known } = await admin.send(signInProvider.get, {})
    for (const issuer of ['http://10.0.0.1', 'https://localhost', 'ftp://id.example.com'])
      expect(
        (await admin.ask(signInProvider.save, { body: { ...bodyOf(provider), issuer, version: known?.version } })).statusCode,
        issuer,
      ).toBeOneOf([400, 422])
  })

  it('are tried by a question to the provider', async () => {
    expect(await admin.send(signInProvider.test, {})).toMatchObject({ problem: null, authorization_endpoint: `${provider.issuer}/auth` })
    await provider.close()
    expect(await admin.send(signInProvider.test, {})).toMatchObject({ problem: expect.any(String), authorization_endpoint: null })
  })

  it('are removed with the secret', async () => {
    await admin.send(signInProvider.remove, {})
    expect(await admin.send(signInProvider.get, {})).toMatchObject({ provider: null })
    expect(await refused(admin.send(signInProvider.remove, {}))).toMatchObject({ status: 404 })
    expect(await refused(visitor.send(providerLogin.start, { body: {} }))).toMatchObject({ code: 'provider_not_found' })
  })
})
