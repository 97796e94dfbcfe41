/** Second factors over HTTP: the code app, recovery codes, the policy of the company, and the reset. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildUser, scopeOfCompany } from '#app/demo/builders.ts'
import type { Permission } from '#contract/access.ts'
import { session } from '#contract/session.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { endLateSessions } from '#features/company/users/missing-factors.task.ts'
import { secondFactors } from '#features/company/users/second-factors.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { secondFactorLogin } from './second-factor-login.contract.ts'

let testApp: TestApp
let operator: TestOperator
let visitor: TestUser
let n = 0
const password = 'six herons over a harbour'
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(new Date('2026-11-25T09:00:00Z'))
  operator = await testApp.operator({ shops: 1 })
  visitor = testApp.visitor(operator.main)
})

const later = (seconds: number) => testApp.setNow(new Date(testApp.services.now().getTime() + seconds * 1_000))
const codeOf = (secret: string, seconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: testApp.services.now().getTime() + seconds * 1_000 })
const otherCode = (code: string) => code.replace(/./, digit => String((Number(digit) + 1) % 10))
const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )

const signIn = (login: string, at = visitor) => at.ask(session.login, { body: { login, password } })
/** The challenge after a right password. */
async function challengeOf(login: string) {
  const answer = await signIn(login)
  expect(answer.statusCode).toBe(401)
  const { code, values } = answer.json()
  return { code, ...values } as { code: string; challenge_id: string; methods?: string }
}
const step = (body: object) => visitor.ask(secondFactorLogin.secondFactor, { body })

/** A user with a password, signed in without any second factor. */
async function person(permissions: readonly Permission[] = ['parcels']) {
  const login = `user-${++n}x`
  const user_id = await buildUser(testApp.services.database, scopeOfCompany(operator), {
    name: login,
    user_name: login,
    email: `${login}@example.test`,
    password,
    permissions,
  })
  const { token } = (await signIn(login)).json()
  const headers = { authorization: token }
  const ask: TestUser['ask'] = (call, input) => visitor.ask(call, input, { headers })
  const send: TestUser['send'] = (call, input) => visitor.send(call, input, { headers })
  return { login, user_id, ask, send }
}
async function withApp(permissions?: readonly Permission[]) {
  const someone = await person(permissions)
  const { secret, challenge_id } = await someone.send(secondFactors.startTotp, { body: { password } })
  const { recovery_codes } = await someone.send(secondFactors.confirmTotp, { body: { challenge_id, code: codeOf(secret) } })
  // The code of the set-up counts once too.
  later(30)
  return { ...someone, secret, recovery_codes }
}

describe('a code app', () => {
  it('is set up with the password and a first code, and gives ten recovery codes', async () => {
    const someone = await person()
    expect(await someone.send(secondFactors.mine, {})).toMatchObject({ totp_since: null, recovery_left: 0, required: false })
    expect(await refused(someone.send(secondFactors.startTotp, { body: { password: 'wrong' } }))).toMatchObject({
      status: 422,
      fields: { password: expect.any(String) },
    })
    const { secret, uri, challenge_id } = await someone.send(secondFactors.startTotp, { body: { password } })
    expect(uri).toContain(`secret=${secret}`)
    expect(uri).toMatch(/^otpauth:\/\/totp\//)
    const wrong = otherCode(codeOf(secret))
    expect(await refused(someone.send(secondFactors.confirmTotp, { body: { challenge_id, code: wrong } }))).toMatchObject({
      status: 403,
      code: 'code_wrong',
    })
    expect(await someone.send(secondFactors.mine, {})).toMatchObject({ totp_since: null })
    const { recovery_codes } = await someone.send(secondFactors.confirmTotp, { body: { challenge_id, code: codeOf(secret) } })
    expect(new Set(recovery_codes).size).toBe(10)
    expect(await someone.send(secondFactors.mine, {})).toMatchObject({ totp_since: expect.any(String), recovery_left: 10 })
  })

  it('keeps its secret sealed and its recovery codes as hashes', async () => {
    const { user_id, secret, recovery_codes } = await withApp()
    const row = await testApp.services.database.systemRead('the test looks for the secret', db =>
      db.selectFrom('user_totp').selectAll().where('user_id', '=', user_id).executeTakeFirstOrThrow(),
    )
    const stored = Buffer.concat([row.sealed, ...row.recovery]).toString('latin1')
    for (const plain of [secret, ...recovery_codes, ...recovery_codes.map(code => code.replace('-', ''))])
      expect(stored).not.toContain(plain)
  })

  it('is asked for after a right password, and not mentioned after a wrong one', async () => {
    const { login, secret } = await withApp()
    const wrong = await visitor.ask(session.login, { body: { login, password: 'wrong' } })
    expect(wrong.json()).toMatchObject({ code: 'login_rejected', values: {} })
    const { code, challenge_id, methods } = await challengeOf(login)
    expect({ code, methods }).toEqual({ code: 'second_factor_needed', methods: 'totp recovery_code' })
    const answer = await step({ challenge_id, code: codeOf(secret) })
    expect(answer.statusCode).toBe(200)
    const headers = { authorization: answer.json().token }
    expect((await visitor.ask(session.current, {}, { headers })).statusCode).toBe(200)
  })

  it.each([
    ['of this half minute', 0, 200],
    ['of the one before', -30, 200],
    ['of the next one', 30, 200],
    ['of a minute ago', -60, 403],
    ['of the one after the next', 60, 403],
  ])('takes a code %s: %d seconds', async (_, seconds, status) => {
    const { login, secret } = await withApp()
    later(120)
    const { challenge_id } = await challengeOf(login)
    expect((await step({ challenge_id, code: codeOf(secret, seconds) })).statusCode).toBe(status)
  })

  it('takes a code once, and none that is older than the last', async () => {
    const { login, secret } = await withApp()
    const code = codeOf(secret)
    const older = codeOf(secret, -30)
    expect((await step({ challenge_id: (await challengeOf(login)).challenge_id, code })).statusCode).toBe(200)
    for (const again of [code, older]) {
      const answer = await step({ challenge_id: (await challengeOf(login)).challenge_id, code: again })
      expect(answer.json()).toMatchObject({ code: 'code_used' })
    }
  })

  it('takes one of two sign-ins that bring the same code at once', async () => {
    const { login, secret } = await withApp()
    const { challenge_id } = await challengeOf(login)
    const code = codeOf(secret)
    const answers = await Promise.all([step({ challenge_id, code }), step({ challenge_id, code })])
    expect(answers.map(answer => answer.statusCode).filter(status => status === 200)).toHaveLength(1)
  })

  it('bears five tries of a challenge, and ever longer waits over all challenges of a user', async () => {
    const { login, secret } = await withApp()
    const wrong = otherCode(codeOf(secret))
    const { challenge_id } = await challengeOf(login)
    const codes: string[] = []
    for (let i = 0; i < 6; i++) codes.push((await step({ challenge_id, code: wrong })).json().code)
    expect(codes).toEqual([...Array(5).fill('code_wrong'), 'challenge_ended'])
    const next = await challengeOf(login)
    const answer = await step({ challenge_id: next.challenge_id, code: codeOf(secret) })
    expect(answer.statusCode).toBe(429)
    later(60)
    expect((await step({ challenge_id: (await challengeOf(login)).challenge_id, code: codeOf(secret) })).statusCode).toBe(200)
  })

  it('is asked for within five minutes, and a challenge works in its company alone', async () => {
    const { login, secret } = await withApp()
    const { challenge_id } = await challengeOf(login)
    const elsewhere = testApp.visitor(operator.shops[0]!)
    const foreign = await elsewhere.ask(secondFactorLogin.secondFactor, { body: { challenge_id, code: codeOf(secret) } })
    expect(foreign.json()).toMatchObject({ code: 'challenge_ended' })
    later(301)
    expect((await step({ challenge_id, code: codeOf(secret) })).json()).toMatchObject({ code: 'challenge_ended' })
  })

  it('is removed with the password, and then not asked for', async () => {
    const { login, send } = await withApp()
    expect(await refused(send(secondFactors.removeTotp, { body: { password: 'wrong' } }))).toMatchObject({ status: 422 })
    await send(secondFactors.removeTotp, { body: { password } })
    expect((await signIn(login)).statusCode).toBe(200)
  })

  it('replaces an earlier one only when the first code of the new one is confirmed', async () => {
    const { login, send, secret } = await withApp()
    const next = await send(secondFactors.startTotp, { body: { password } })
    expect((await step({ challenge_id: (await challengeOf(login)).challenge_id, code: codeOf(secret) })).statusCode).toBe(200)
    later(30)
    await send(secondFactors.confirmTotp, { body: { challenge_id: next.challenge_id, code: codeOf(next.secret) } })
    later(30)
    expect((await step({ challenge_id: (await challengeOf(login)).challenge_id, code: codeOf(secret) })).statusCode).toBe(403)
    expect((await step({ challenge_id: (await challengeOf(login)).challenge_id, code: codeOf(next.secret) })).statusCode).toBe(200)
  })
})

describe('a recovery code', () => {
  it('signs in once, however it is written', async () => {
    const { login, recovery_codes, send } = await withApp()
    const [code = '', other = ''] = recovery_codes
    const written = ` ${code.toUpperCase().replace('-', ' ')} `
    expect((await step({ challenge_id: (await challengeOf(login)).challenge_id, recovery_code: written })).statusCode).toBe(200)
    expect(await send(secondFactors.mine, {})).toMatchObject({ recovery_left: 9 })
    expect((await step({ challenge_id: (await challengeOf(login)).challenge_id, recovery_code: code })).json()).toMatchObject({
      code: 'code_wrong',
    })
    expect((await step({ challenge_id: (await challengeOf(login)).challenge_id, recovery_code: other })).statusCode).toBe(200)
  })

  it('is void when new ones are made, and never another user’s', async () => {
    const first = await withApp()
    const second = await withApp()
    const made = await first.send(secondFactors.newRecoveryCodes, { body: { password } })
    const tried = [first.recovery_codes[0], second.recovery_codes[0], made.recovery_codes[0]]
    const statuses: number[] = []
    for (const recovery_code of tried)
      statuses.push((await step({ challenge_id: (await challengeOf(first.login)).challenge_id, recovery_code })).statusCode)
    expect(statuses).toEqual([403, 403, 200])
  })
})

describe('a company that asks for a second factor', () => {
  const ask = async (second_factor: 'off' | 'admins' | 'everyone', second_factor_days = 0) => {
    const admin = await operator.hire(['admin'])
    const { version } = await admin.send(company.config, {})
    await admin.send(company.setConfig, { body: { version, second_factor, second_factor_days } })
  }

  it('lets a user in only after one is set up', async () => {
    const { login } = await person(['users_admin'])
    await ask('admins')
    const { code, challenge_id } = await challengeOf(login)
    expect(code).toBe('second_factor_setup_needed')
    expect((await step({ challenge_id, code: '123456' })).json()).toMatchObject({ code: 'challenge_ended' })
    const { secret } = await visitor.send(secondFactorLogin.setUp, { body: { challenge_id } })
    const wrong = await visitor.ask(secondFactorLogin.confirmSetUp, { body: { challenge_id, code: otherCode(codeOf(secret)) } })
    expect(wrong.statusCode).toBe(403)
    const { token, recovery_codes } = await visitor.send(secondFactorLogin.confirmSetUp, { body: { challenge_id, code: codeOf(secret) } })
    expect(recovery_codes).toHaveLength(10)
    const headers = { authorization: token }
    expect((await visitor.ask(session.current, {}, { headers })).statusCode).toBe(200)
    const again = await refused(visitor.send(secondFactors.removeTotp, { body: { password } }, { headers }))
    expect(again).toMatchObject({ status: 409, code: 'last_factor' })
    expect((await challengeOf(login)).code).toBe('second_factor_needed')
  })

  it('asks administrators alone, or everyone but accounts of shared devices', async () => {
    const people = { admin: await person(['admin']), office: await person(['parcels']), device: await person(['scan', 'punchclock']) }
    const asked = async () => {
      const found: string[] = []
      for (const [name, { login }] of Object.entries(people)) if ((await signIn(login)).statusCode === 401) found.push(name)
      return found
    }
    expect(await asked()).toEqual([])
    await ask('admins')
    expect(await asked()).toEqual(['admin'])
    await ask('everyone')
    expect(await asked()).toEqual(['admin', 'office'])
  })

  describe('with days of grace', () => {
    const days = (count: number) => later(count * 86_400)
    /** Someone who joined long ago: the days count from the change of the setting. */
    const veteran = async (permissions: readonly Permission[]) => {
      const someone = await person(permissions)
      await testApp.services.database.transaction({ ...scopeOfCompany(operator), companies: [operator.main.id] }, db =>
        db.updateTable('users').set({ created_at: '2026-01-01T00:00:00Z' }).where('id', '=', someone.user_id).execute(),
      )
      return someone
    }
    const begin = async ({ login }: { login: string }) => (await signIn(login)).json()

    it('shows each person how long is left, and after them lets no one in before one is set up, the last administrator neither out', async () => {
      const admin = await veteran(['admin'])
      expect((await begin(admin)).user.second_factor_by).toBeNull()
      await ask('admins', 7)
      days(6)
      const { user } = await begin(admin)
      expect(user.second_factor_by).toBe('2026-12-02T09:00:00.000Z')
      days(1)
      const { code, challenge_id } = await challengeOf(admin.login)
      expect(code).toBe('second_factor_setup_needed')
      const { secret } = await visitor.send(secondFactorLogin.setUp, { body: { challenge_id } })
      const { user: signedIn } = await visitor.send(secondFactorLogin.confirmSetUp, { body: { challenge_id, code: codeOf(secret) } })
      expect(signedIn.second_factor_by).toBeNull()
    })

    it('counts them anew when more people are asked, and not when fewer are', async () => {
      const boss = await veteran(['admin'])
      const until = async () => (await begin(boss)).user.second_factor_by
      await ask('admins', 7)
      later(3_600)
      await ask('everyone', 7)
      expect(await until()).toBe('2026-12-02T10:00:00.000Z')
      later(3_600)
      await ask('admins', 7)
      expect(await until()).toBe('2026-12-02T10:00:00.000Z')
      await ask('off', 7)
      expect(await until()).toBeNull()
    })

    it('ends the sessions that began within them once they are over and the person is away, and no other ones', async () => {
      const [office, busy, device, ready] = [
        await veteran(['parcels']),
        await veteran(['parcels']),
        await veteran(['scan']),
        await withApp(['parcels']),
      ]
      await ask('everyone', 7)
      const alive = () => Promise.all([office, busy, device, ready].map(async one => (await one.ask(session.current, {})).statusCode))
      // Sessions that this server's clock has seen just now are in use.
      const idle = (ids: readonly number[], at: string) =>
        testApp.services.database.systemTransaction('time passes', db =>
          db.updateTable('sessions').set({ last_used_at: at, created_at: '2026-11-25T09:00:00Z' }).where('user_id', 'in', ids).execute(),
        )
      days(7)
      const at = testApp.services.now().getTime()
      await idle([office.user_id, device.user_id, ready.user_id], new Date(at - 20 * 60_000).toISOString())
      await idle([busy.user_id], new Date(at - 60_000).toISOString())
      await endLateSessions(testApp.services)
      expect(await alive()).toEqual([401, 200, 200, 200])
    })
  })
})

describe('a second factor that is lost', () => {
  it('is reset by an administrator: the sessions end and the change stands in the log', async () => {
    const someone = await withApp()
    const helper = await operator.hire(['users_admin', 'parcels'])
    expect(await helper.send(secondFactors.of, { id: someone.user_id })).toMatchObject({ totp_since: expect.any(String) })
    await helper.send(secondFactors.reset, { id: someone.user_id })
    expect((await someone.ask(session.current, {})).statusCode).toBe(401)
    expect((await signIn(someone.login)).statusCode).toBe(200)
    const { rows } = await testApp.services.database.systemRead('the test reads the log', async db => ({
      rows: await db.selectFrom('events').select(['kind', 'actor_name']).where('kind', '=', 'user.second_factors_reset').execute(),
    }))
    expect(rows.map(row => row.actor_name)).toContain('users_admin')
  })

  it('is reset neither by its owner, nor by who has fewer permissions, nor from another company', async () => {
    const someone = await withApp(['admin'])
    const helper = await operator.hire(['users_admin'])
    const shop = await operator.hire(['admin'], operator.shops[0])
    expect(await refused(someone.send(secondFactors.reset, { id: someone.user_id }))).toMatchObject({ code: 'own_factors_elsewhere' })
    expect(await refused(helper.send(secondFactors.reset, { id: someone.user_id }))).toMatchObject({ code: 'cannot_reset_factors' })
    expect(await refused(shop.send(secondFactors.reset, { id: someone.user_id }))).toMatchObject({ status: 404 })
    const picker = await operator.hire(['pick'])
    expect(await refused(picker.send(secondFactors.of, { id: someone.user_id }))).toMatchObject({ status: 403 })
  })

  it('goes with its user', async () => {
    const someone = await withApp()
    const admin = await operator.hire(['admin'])
    await admin.send(users.remove, { id: someone.user_id })
    const left = await testApp.services.database.systemRead('the test counts factors', db =>
      db.selectFrom('user_totp').select('user_id').where('user_id', '=', someone.user_id).execute(),
    )
    expect(left).toEqual([])
  })
})

describe('the sessions of a user', () => {
  it('are ended one by one by an administrator', async () => {
    const someone = await person()
    await signIn(someone.login)
    const admin = await operator.hire(['admin'])
    const open = await admin.send(users.sessions, { id: someone.user_id })
    expect(open).toHaveLength(2)
    const other = await operator.hire(['parcels'])
    const [{ id: session_id } = { id: 0 }] = open
    expect(await refused(admin.send(users.endSession, { id: other.user_id, session_id }))).toMatchObject({ status: 404 })
    await admin.send(users.endSession, { id: someone.user_id, session_id })
    expect(await admin.send(users.sessions, { id: someone.user_id })).toHaveLength(1)
  })

  it('note the first on a new device', async () => {
    const someone = await person()
    const from = (agent: string) =>
      visitor.send(session.login, { body: { login: someone.login, password } }, { headers: { 'user-agent': agent } })
    const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'
    await from(firefox)
    await from(firefox.replaceAll('140', '141'))
    const { rows } = await testApp.services.database.systemRead('the test reads the log', async db => ({
      rows: await db
        .selectFrom('events')
        .select('data')
        .where('kind', '=', 'user.new_device')
        .where('subject_id', '=', someone.user_id)
        .execute(),
    }))
    expect(rows).toHaveLength(1)
  })
})
