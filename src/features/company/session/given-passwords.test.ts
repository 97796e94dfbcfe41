/** A password that an administrator gives opens no session: its user chooses an own one with it. Source: ASVS 5.0, 6.4.1. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { session } from '#contract/session.ts'
import { passwordLinks } from '#features/company/users/password-links.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let visitor: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(undefined)
  operator = await testApp.operator()
  admin = await operator.hire(['admin'])
  visitor = testApp.visitor(operator.main)
})

const given = 'blue herons fly over Amager'
const own = 'six herons over a harbour'
const add = async (more: object = {}) => {
  const { user, password } = await admin.send(users.create, { body: { name: 'Bo Lind', user_name: 'bo', ...more } })
  return { user, password: password ?? given }
}
const signIn = (password: string) => visitor.send(session.login, { body: { login: 'bo', password } })
/** The way to an own password, which the sign-in answers. */
async function tokenOf(password: string): Promise<string> {
  const answer = await visitor.ask(session.login, { body: { login: 'bo', password } })
  expect(answer.statusCode).toBe(401)
  expect(answer.json()).toMatchObject({ code: 'own_password_needed', values: { token: expect.any(String) } })
  return answer.json().values.token
}
const choose = (token: string, password: string) => visitor.send(passwordLinks.setPassword, { body: { token, password } })

describe.each([
  ['that an administrator writes', { password: given }],
  ['that an administrator lets be made', {}],
])('a password %s', (_, body) => {
  it('opens no session, leads to an own one, and ends with that', async () => {
    const { password } = await add(body)
    const token = await tokenOf(password)
    expect(await visitor.send(passwordLinks.find, { body: { token } })).toMatchObject({ purpose: 'given', login: 'bo', name: 'Bo Lind' })
    await choose(token, own)
    expect((await signIn(own)).user).toMatchObject({ name: 'Bo Lind' })
    await expect(signIn(password)).rejects.toMatchObject({ status: 401, code: 'login_rejected' })
    await expect(choose(token, 'eleven rafts on the fjord')).rejects.toMatchObject({ status: 404 })
  })

  it('is not chosen again', async () => {
    const { password } = await add(body)
    await expect(choose(await tokenOf(password), password)).rejects.toMatchObject({
      fields: { password: 'Choose another password than the one you were given' },
    })
    await choose(await tokenOf(password), own)
  })

  it('still leads there after a way that was left, by the newest token alone', async () => {
    const { password } = await add(body)
    const left = await tokenOf(password)
    const token = await tokenOf(password)
    await expect(choose(left, own)).rejects.toMatchObject({ status: 404 })
    testApp.setNow(new Date(Date.now() + 31 * 60_000))
    await expect(choose(token, own)).rejects.toMatchObject({ status: 404 })
    await choose(await tokenOf(password), own)
  })
})

it('is asked for again after an administrator sets another password for a user who had an own one', async () => {
  const { user, password } = await add()
  await choose(await tokenOf(password), own)
  const { version } = await admin.send(users.get, { id: user.user_id })
  await admin.send(users.update, { id: user.user_id, body: { version, password: given } })
  await expect(signIn(own)).rejects.toMatchObject({ code: 'login_rejected' })
  await choose(await tokenOf(given), own)
  expect((await signIn(own)).token).toEqual(expect.any(String))
})

it('is not named to who types a wrong password', async () => {
  await add({ password: given })
  await expect(signIn('not the one that was given')).rejects.toMatchObject({ code: 'login_rejected' })
})

it('sends no mail, for its user is there already', async () => {
  const { user, password } = await add({ email: 'bo@example.test' })
  await tokenOf(password)
  const { rows } = await testApp.services.database.systemRead('the test looks at the outbox', async db => ({
    rows: await db.selectFrom('events').select('kind').where('subject_id', '=', user.user_id).where('subject', '=', 'user').execute(),
  }))
  expect(rows.map(row => row.kind)).not.toContain('user.password_link_made')
})
