/** Passwords that were found in a data breach are refused wherever a password is set. Source: ASVS 5.0, 6.2.4 and 6.2.12. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { session } from '#contract/session.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { type FakeBreaches, openFakeBreaches } from '#integrations/breached-passwords/pwned-passwords.fake.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { passwordLinks } from './password-links.contract.ts'
import { users } from './users.contract.ts'

const breached = 'This password was found in a data breach. Choose another one.'
const leaked = 'nine otters under a pier'
const good = 'blue herons fly over Amager'

let breaches: FakeBreaches
let testApp: TestApp
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  breaches = await openFakeBreaches()
  testApp = await openTestApp({ BREACHED_PASSWORDS_URL: breaches.url })
})
afterAll(async () => {
  await testApp.close()
  await breaches.close()
})
beforeEach(async () => {
  breaches.known = new Map([[leaked, 3]])
  breaches.status = 200
  breaches.asked.length = 0
  operator = await testApp.operator()
  admin = await operator.hire(['admin'])
})

const hired = async () => {
  const { user } = await admin.send(users.create, { body: { name: 'Bo Lind', user_name: 'bo', password: good } })
  return user
}
/** The password that is wrong, of a refused call. */
const faultOf = (sent: Promise<unknown>) =>
  sent.then(
    () => null,
    (refused: Refused) => refused.fields.password ?? refused.fields['admin.password'] ?? refused.message,
  )

const places: Record<string, (password: string) => Promise<unknown>> = {
  'a new user whom an administrator gives it': password =>
    admin.send(users.create, { body: { name: 'Eva Holm', user_name: `eva-${breaches.asked.length}`, password } }),
  'a user whom an administrator gives another one': async password => {
    const { user_id, version } = await hired()
    return admin.send(users.update, { id: user_id, body: { version, password } })
  },
  'the own password': async password => {
    await hired()
    const visitor = testApp.visitor(operator.main)
    const given = await visitor.ask(session.login, { body: { login: 'bo', password: good } })
    await visitor.send(passwordLinks.setPassword, { body: { token: given.json().values.token, password: 'six herons over a harbour' } })
    const { token } = await visitor.send(session.login, { body: { login: 'bo', password: 'six herons over a harbour' } })
    const headers = { authorization: token }
    return visitor.send(users.setMyPassword, { body: { current: 'six herons over a harbour', password } }, { headers })
  },
  'the link of an invitation or for a forgotten password': async password => {
    const { user_id } = await hired()
    const { url } = await admin.send(passwordLinks.invite, { id: user_id })
    return testApp.visitor(operator.main).send(passwordLinks.setPassword, { body: { token: url.split('#')[1] ?? '', password } })
  },
  'the own password after a given one': async password => {
    await hired()
    const visitor = testApp.visitor(operator.main)
    const given = await visitor.ask(session.login, { body: { login: 'bo', password: good } })
    return visitor.send(passwordLinks.setPassword, { body: { token: given.json().values.token, password } })
  },
  'the first administrator of a new company': password =>
    admin.send(company.createCompany, {
      body: { code: `added-${operator.main.id}`, name: 'Fjord', admin: { name: 'Eva Holm', user_name: 'eva', password } },
    }),
}

describe.each(Object.entries(places))('%s', (_, set) => {
  it('is none of a data breach', async () => {
    expect(await faultOf(set(leaked))).toBe(breached)
  })
  it('is any other good one', async () => {
    expect(await faultOf(set('eleven rafts on the fjord'))).toBeNull()
  })
})

describe('the service for breached passwords', () => {
  const give = (password: string) => admin.send(users.create, { body: { name: 'Eva Holm', user_name: 'eva', password } })

  it('learns five digits of a hash and nothing else', async () => {
    await give('eleven rafts on the fjord')
    expect(breaches.asked).toEqual([expect.stringMatching(/^\/range\/[0-9A-F]{5}$/)])
  })

  it('is not asked about a password that is refused without it', async () => {
    expect(await faultOf(give('password password'))).not.toBeNull()
    expect(breaches.asked).toEqual([])
  })

  it('fills its answers up with endings that count nothing', async () => {
    breaches.known.set('eleven rafts on the fjord', 0)
    expect(await faultOf(give('eleven rafts on the fjord'))).toBeNull()
  })

  it('refuses nothing when it does not answer', async () => {
    breaches.status = 503
    expect(await faultOf(give(leaked))).toBeNull()
    expect(breaches.asked).toHaveLength(1)
  })
})
