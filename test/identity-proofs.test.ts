/** Users who sign in without a password show by a passkey or at the provider who they are, and then do what asks for the password. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildUser, scopeOfCompany } from '#app/demo/builders.ts'
import { session } from '#contract/session.ts'
import { type FakeProvider, startProvider } from '#features/company/session/oidc-provider.fake.ts'
import { createPasskey, type FakePasskey } from '#features/company/session/passkey.fake.ts'
import { providerLogin } from '#features/company/session/provider-login.contract.ts'
import { secondFactorLogin } from '#features/company/session/second-factor-login.contract.ts'
import { identityProofs } from '#features/company/sign-in-provider/identity-proofs.contract.ts'
import { signInProvider } from '#features/company/sign-in-provider/sign-in-provider.contract.ts'
import { secondFactors } from '#features/company/users/second-factors.contract.ts'
import { companyClosing } from '#features/desk/company-closing/company-closing.contract.ts'
import { companyExports } from '#features/desk/company-exports/company-exports.contract.ts'
import { employees } from '#features/people/employees/employees.contract.ts'
import { staffData } from '#features/people/staff-data/staff-data.contract.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from './test-app.ts'

const password = 'six herons over a harbour'
/** Belongs to no one: it fails the check digit and is no birth on 1 January. */
const cpr = '170584-0102'
const fiveMinutes = 300_000
let testApp: TestApp
let root: pg.Client
let operator: TestOperator
let visitor: TestUser
let provider: FakeProvider
let n = 0

beforeAll(async () => {
  // The provider warns of what makes it one for tests.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  testApp = await openTestApp({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
})
afterAll(async () => {
  await root?.end()
  await testApp?.close()
})
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  visitor = testApp.visitor(operator.main)
  provider = await startProvider([`http://${operator.main.code}.localhost/login/company`], 'kim@example.test')
  const admin = await operator.hire(['admin'])
  const { issuer, client_id, client_secret } = provider
  await admin.send(signInProvider.save, {
    body: { name: 'Harbour ID', issuer, client_id, client_secret, active: true, second_factor: true, version: null },
  })
  return () => {
    testApp.setNow(undefined)
    return provider.close()
  }
})

const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )

/** An administrator with a session. Passkeys and accounts are added with the password, which then is taken away. */
interface Person {
  user_id: number
  send: TestUser['send']
}
const withToken = (user_id: number, token: string): Person => ({
  user_id,
  send: (call, input) => visitor.send(call, input, { headers: { authorization: token } }),
})
async function person(): Promise<Person> {
  const login = `person${++n}`
  const user_id = await buildUser(testApp.services.database, scopeOfCompany(operator), {
    name: login,
    user_name: login,
    password,
    permissions: ['admin', 'personal_admin'],
  })
  const { token } = await visitor.send(session.login, { body: { login, password } })
  return withToken(user_id, token)
}
const forgetPassword = ({ user_id }: Person) => root.query('update users set password_hash = null where id = $1', [user_id])

async function withPasskey(): Promise<Person & { passkey: FakePasskey }> {
  const someone = await person()
  const passkey = createPasskey(`http://${operator.main.code}.localhost`)
  const { challenge_id, options } = await someone.send(secondFactors.startPasskey, { body: { password } })
  await someone.send(secondFactors.addPasskey, { body: { challenge_id, name: 'Laptop', passkey: passkey.make(options) } })
  await forgetPassword(someone)
  const begun = await visitor.send(secondFactorLogin.passkeyOptions, {})
  const body = { challenge_id: begun.challenge_id, passkey: passkey.prove(begun.options) }
  const { token } = await visitor.send(secondFactorLogin.passkey, { body })
  return { ...withToken(someone.user_id, token), passkey }
}
async function proveByPasskey({ send, passkey }: { send: TestUser['send']; passkey: FakePasskey }) {
  const { challenge_id, options } = await send(identityProofs.passkeyOptions, {})
  return send(identityProofs.passkey, { body: { challenge_id, passkey: passkey.prove(options) } })
}

async function withProvider(subject: string): Promise<Person> {
  const someone = await person()
  const linked = await someone.send(signInProvider.startLink, { body: { password } })
  await someone.send(signInProvider.link, {
    body: { challenge_id: linked.challenge_id, query: await provider.visit(linked.url, subject) },
  })
  await forgetPassword(someone)
  const { challenge_id, url } = await visitor.send(providerLogin.start, { body: {} })
  const body = { challenge_id, query: await provider.visit(url, subject) }
  return withToken(someone.user_id, (await visitor.send(providerLogin.finish, { body })).token)
}
async function proveAtProvider({ send }: Person, subject: string, change: (url: URL) => void = () => undefined) {
  const { challenge_id, url } = await send(identityProofs.startProvider, {})
  const asked = new URL(url)
  change(asked)
  return send(identityProofs.provider, { body: { challenge_id, query: await provider.visit(asked.href, subject) } })
}

async function keptCpr({ send }: Person): Promise<number> {
  const { user_id: id } = await operator.hire([])
  await send(employees.setCpr, { id, body: { cpr } })
  return id
}
const reveal = ({ send }: Person, id: number, own = '') =>
  send(employees.revealCpr, { id, body: { reason: 'Report to the tax office', password: own } })

describe('a passkey', () => {
  it('stands for the password where a number is read and a company is exported and closed', async () => {
    const kim = await withPasskey()
    const id = await keptCpr(kim)
    const [shop] = operator.shops
    const company_id = shop?.id ?? 0
    const close = { company_id, body: { code: shop?.code ?? '', reason: 'The contract ended', days: 30, password: '' } }
    for (const tried of [
      () => reveal(kim, id),
      () => kim.send(companyExports.start, { company_id, body: { password: '' } }),
      () => kim.send(companyClosing.close, close),
      () => kim.send(staffData.copy, { id, body: { password: '' } }),
    ])
      expect(await refused(tried())).toMatchObject({ status: 422, fields: { password: 'Fill this in' } })
    expect(await kim.send(identityProofs.get, {})).toEqual({ passkey: true, provider: null, proved_until: null })
    expect(await proveByPasskey(kim)).toMatchObject({ passkey: true, proved_until: expect.any(String) })
    expect(await reveal(kim, id)).toEqual({ cpr })
    await kim.send(staffData.copy, { id, body: { password: '' } })
    await kim.send(companyExports.start, { company_id, body: { password: '' } })
    expect(await kim.send(companyClosing.close, close)).toMatchObject({ closed_at: expect.any(String) })
  })

  it('does so for five minutes and for its session alone, and a wrong password stays wrong', async () => {
    const kim = await withPasskey()
    const id = await keptCpr(kim)
    const began = Date.now()
    testApp.setNow(new Date(began))
    await proveByPasskey(kim)
    const begun = await visitor.send(secondFactorLogin.passkeyOptions, {})
    const body = { challenge_id: begun.challenge_id, passkey: kim.passkey.prove(begun.options) }
    const other = withToken(kim.user_id, (await visitor.send(secondFactorLogin.passkey, { body })).token)
    expect(await refused(reveal(other, id))).toMatchObject({ status: 422 })
    expect(await refused(reveal(kim, id, 'guessed'))).toMatchObject({ fields: { password: 'This is not your present password' } })
    testApp.setNow(new Date(began + fiveMinutes - 1_000))
    expect(await reveal(kim, id)).toEqual({ cpr })
    testApp.setNow(new Date(began + fiveMinutes))
    expect(await refused(reveal(kim, id))).toMatchObject({ status: 422 })
    expect(await kim.send(identityProofs.get, {})).toMatchObject({ proved_until: null })
  })

  it('proves its own user, once for each challenge', async () => {
    const [kim, bo] = [await withPasskey(), await withPasskey()]
    const { challenge_id, options } = await kim.send(identityProofs.passkeyOptions, {})
    const foreign = { challenge_id, passkey: bo.passkey.prove(options) }
    expect(await refused(kim.send(identityProofs.passkey, { body: foreign }))).toMatchObject({ status: 403, code: 'passkey_unknown' })
    const own = { challenge_id, passkey: kim.passkey.prove(options) }
    expect(await refused(bo.send(identityProofs.passkey, { body: own }))).toMatchObject({ status: 404 })
    await kim.send(identityProofs.passkey, { body: own })
    expect(await refused(kim.send(identityProofs.passkey, { body: own }))).toMatchObject({ code: 'challenge_ended' })
    expect(await bo.send(identityProofs.get, {})).toMatchObject({ proved_until: null })
  })
})

describe('a sign-in at the provider', () => {
  it('is asked for anew and stands for the password', async () => {
    const kim = await withProvider('kim')
    const id = await keptCpr(kim)
    expect(await kim.send(identityProofs.get, {})).toEqual({ passkey: false, provider: 'Harbour ID', proved_until: null })
    expect(await refused(reveal(kim, id))).toMatchObject({ status: 422 })
    const asked = new URL((await kim.send(identityProofs.startProvider, {})).url).searchParams
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '300'])
    expect(await proveAtProvider(kim, 'kim')).toMatchObject({ proved_until: expect.any(String) })
    expect(await reveal(kim, id)).toEqual({ cpr })
  })

  it('proves nothing where the provider does not say when it was, and where somebody else signs in', async () => {
    const [kim, bo] = [await withProvider('kim'), await withProvider('bo')]
    // The person at the browser can change what the provider is asked. Unasked it names no time of the sign-in, which may be old.
    const unasked = (url: URL) => {
      for (const name of ['prompt', 'max_age']) url.searchParams.delete(name)
    }
    const old = await refused(proveAtProvider(kim, 'kim', unasked))
    expect(old).toMatchObject({ status: 502, code: 'provider_failed' })
    expect(await refused(proveAtProvider(kim, 'bo'))).toMatchObject({ status: 404, code: 'identity_not_found' })
    for (const one of [kim, bo]) expect(await one.send(identityProofs.get, {})).toMatchObject({ proved_until: null })
  })
})
