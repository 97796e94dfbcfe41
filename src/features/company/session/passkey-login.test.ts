/** Passkeys over HTTP: added, used, and every answer of a device or a page that must be refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildUser, scopeOfCompany } from '#app/demo/builders.ts'
import { session } from '#contract/session.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { secondFactors } from '#features/company/users/second-factors.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { createPasskey, type FakePasskey } from './passkey.fake.ts'
import { secondFactorLogin } from './second-factor-login.contract.ts'

const password = 'six herons over a harbour'
let testApp: TestApp
let operator: TestOperator
let visitor: TestUser
let origin: string
let n = 0
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  visitor = testApp.visitor(operator.main)
  origin = `http://${operator.main.code}.localhost`
})

const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )

async function person() {
  const login = `person${++n}`
  const user_id = await buildUser(testApp.services.database, scopeOfCompany(operator), {
    name: login,
    user_name: login,
    password,
    permissions: ['parcels'],
  })
  const { token } = await visitor.send(session.login, { body: { login, password } })
  const headers = { authorization: token }
  const send: TestUser['send'] = (call, input) => visitor.send(call, input, { headers })
  return { login, user_id, send }
}
type Person = Awaited<ReturnType<typeof person>>
async function add({ send }: Person, passkey: FakePasskey, name = 'Laptop') {
  const { challenge_id, options } = await send(secondFactors.startPasskey, { body: { password } })
  return send(secondFactors.addPasskey, { body: { challenge_id, name, passkey: passkey.make(options) } })
}
async function withPasskey() {
  const someone = await person()
  const passkey = createPasskey(origin)
  const { id } = await add(someone, passkey)
  return { ...someone, passkey, id }
}
async function signIn(passkey: FakePasskey, lies: Parameters<FakePasskey['prove']>[1] = {}) {
  const { challenge_id, options } = await visitor.send(secondFactorLogin.passkeyOptions, {})
  return visitor.send(secondFactorLogin.passkey, { body: { challenge_id, passkey: passkey.prove(options, lies) } })
}

describe('a passkey', () => {
  it('is added with the password, for the full host of the company', async () => {
    const someone = await person()
    expect(await refused(someone.send(secondFactors.startPasskey, { body: { password: 'wrong' } }))).toMatchObject({ status: 422 })
    const { options } = await someone.send(secondFactors.startPasskey, { body: { password } })
    expect(options).toMatchObject({
      rp: { id: `${operator.main.code}.localhost` },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(await add(someone, createPasskey(origin))).toMatchObject({ name: 'Laptop', last_used_at: null })
    expect((await someone.send(secondFactors.mine, {})).passkeys).toHaveLength(1)
  })

  it('signs in without a name, and counts as two factors', async () => {
    const { user_id, passkey, send } = await withPasskey()
    const { user } = await signIn(passkey)
    expect(user.user_id).toBe(user_id)
    expect((await send(secondFactors.mine, {})).passkeys).toMatchObject([{ last_used_at: expect.any(String) }])
  })

  it('is the second factor after the password, of its own user alone', async () => {
    const [kim, bo] = [await withPasskey(), await withPasskey()]
    const challengeOf = async (login: string) => {
      const answer = await visitor.ask(session.login, { body: { login, password } })
      expect(answer.json()).toMatchObject({ code: 'second_factor_needed', values: { methods: 'passkey' } })
      const { challenge_id } = answer.json().values
      const { options } = await visitor.send(secondFactorLogin.secondFactorOptions, { body: { challenge_id } })
      expect(options.allowCredentials).toHaveLength(1)
      return { challenge_id, options }
    }
    const first = await challengeOf(kim.login)
    const foreign = { challenge_id: first.challenge_id, passkey: bo.passkey.prove(first.options) }
    expect(await refused(visitor.send(secondFactorLogin.secondFactor, { body: foreign }))).toMatchObject({ code: 'passkey_unknown' })
    const { challenge_id, options } = await challengeOf(kim.login)
    const { user } = await visitor.send(secondFactorLogin.secondFactor, { body: { challenge_id, passkey: kim.passkey.prove(options) } })
    expect(user.user_id).toBe(kim.user_id)
  })

  it.each([
    ['the page of another company', { origin: 'http://elsewhere.localhost' }],
    ['the same host at another port', { origin: 'PORT' }],
    ['the domain of all companies', { rpId: 'localhost' }],
    ['a device that has not checked who holds it', { verified: false }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['another key', { forged: true }],
  ])('is refused with an answer of %s', async (_, lies) => {
    const { passkey } = await withPasskey()
    const said = 'origin' in lies && lies.origin === 'PORT' ? { origin: `${origin}:8443` } : lies
    expect(await refused(signIn(passkey, said))).toMatchObject({ status: 403, code: 'passkey_unknown' })
    await signIn(passkey)
  })

  it('is refused when its counter goes back, because then it is a copy', async () => {
    const { passkey } = await withPasskey()
    await signIn(passkey, { counter: 5 })
    expect(await refused(signIn(passkey, { counter: 5 }))).toMatchObject({ code: 'passkey_unknown' })
    await signIn(passkey, { counter: 6 })
  })

  it('answers a challenge once', async () => {
    const { passkey } = await withPasskey()
    const { challenge_id, options } = await visitor.send(secondFactorLogin.passkeyOptions, {})
    const body = { challenge_id, passkey: passkey.prove(options) }
    await visitor.send(secondFactorLogin.passkey, { body })
    expect(await refused(visitor.send(secondFactorLogin.passkey, { body }))).toMatchObject({ code: 'challenge_ended' })
  })

  it('is unknown at another company', async () => {
    const { passkey } = await withPasskey()
    const [shop] = operator.shops
    const elsewhere = testApp.visitor(shop!)
    const { challenge_id, options } = await elsewhere.send(secondFactorLogin.passkeyOptions, {})
    expect(options.rpId).toBe(`${shop?.code}.localhost`)
    const proof = passkey.prove(options, { origin: `http://${options.rpId}` })
    expect(await refused(elsewhere.send(secondFactorLogin.passkey, { body: { challenge_id, passkey: proof } }))).toMatchObject({
      code: 'passkey_unknown',
    })
  })

  it('is added once, and at most ten times by a user', async () => {
    const someone = await person()
    const passkey = createPasskey(origin)
    await add(someone, passkey)
    expect(await refused(add(someone, passkey))).toMatchObject({ code: 'passkey_known' })
    for (let i = 1; i < 10; i++) await add(someone, createPasskey(origin), `Key ${i}`)
    expect(await refused(add(someone, createPasskey(origin)))).toMatchObject({ code: 'passkeys_many' })
  })

  it('is not added by a page of somebody else', async () => {
    const someone = await person()
    expect(await refused(add(someone, createPasskey('https://elsewhere.example')))).toMatchObject({ code: 'passkey_invalid' })
  })

  it('is renamed and removed by its owner, and removed with its user', async () => {
    const [kim, bo] = [await withPasskey(), await withPasskey()]
    expect(await kim.send(secondFactors.renamePasskey, { id: kim.id, body: { name: 'Phone' } })).toMatchObject({ name: 'Phone' })
    expect(await refused(bo.send(secondFactors.renamePasskey, { id: kim.id, body: { name: 'Mine' } }))).toMatchObject({ status: 404 })
    expect(await refused(bo.send(secondFactors.removePasskey, { id: kim.id, body: { password } }))).toMatchObject({ status: 404 })
    await kim.send(secondFactors.removePasskey, { id: kim.id, body: { password } })
    expect(await refused(signIn(kim.passkey))).toMatchObject({ code: 'passkey_unknown' })
    const admin = await operator.hire(['admin'])
    await admin.send(users.remove, { id: bo.user_id })
    expect(await refused(signIn(bo.passkey))).toMatchObject({ code: 'passkey_unknown' })
  })

  it('stays while it is the only second factor that the company asks for', async () => {
    const someone = await withPasskey()
    const admin = await operator.hire(['admin'])
    const { version } = await admin.send(company.config, {})
    await admin.send(company.setConfig, { body: { version, second_factor: 'everyone' } })
    expect(await refused(someone.send(secondFactors.removePasskey, { id: someone.id, body: { password } }))).toMatchObject({
      code: 'last_factor',
    })
    await add(someone, createPasskey(origin), 'Phone')
    await someone.send(secondFactors.removePasskey, { id: someone.id, body: { password } })
  })
})
