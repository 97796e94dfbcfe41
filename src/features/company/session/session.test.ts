/** Sessions: who signs in, for how long, and the initial data. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildUser, scopeOfCompany } from '#app/demo/builders.ts'
import { session } from '#contract/session.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
const password = 'a long enough password'
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  await buildUser(testApp.services.database, scopeOfCompany(operator), {
    name: 'Kim Lund',
    user_name: 'kim',
    email: 'Kim@example.test',
    employee_no: '1003',
    password,
    permissions: ['scan'],
  })
})
afterAll(() => testApp.close())

describe('a session', () => {
  it.each(['kim', 'KIM', 'kim@example.test', '1003'])('begins with the login %s', async login => {
    const answer = await testApp.visitor(operator.main).send(session.login, { body: { login, password } })
    expect(answer.user).toMatchObject({ name: 'Kim Lund', company: operator.main.code, is_main_company: true })
    expect(answer.token.length).toBeGreaterThan(40)
  })

  it('is refused with one sentence for a wrong password and for an unknown name', async () => {
    const visitor = testApp.visitor(operator.main)
    await expect(visitor.send(session.login, { body: { login: 'kim', password: 'wrong' } })).rejects.toMatchObject({
      status: 401,
      message: 'Wrong name or password.',
    })
    await expect(visitor.send(session.login, { body: { login: 'unknown', password } })).rejects.toMatchObject({ status: 401 })
  })

  it('is not opened at another company with the same name and password', async () => {
    const shop = operator.shops[0]!
    await expect(testApp.visitor(shop).send(session.login, { body: { login: 'kim', password } })).rejects.toMatchObject({ status: 401 })
  })

  it('has a new token, whatever token came with the login', async () => {
    const chosen = 'chosen-by-somebody-else-and-sent-to-the-victim'
    const login = () =>
      testApp.visitor(operator.main).send(session.login, { body: { login: 'kim', password } }, { headers: { authorization: chosen } })
    const [first, second] = [await login(), await login()]
    expect(new Set([first.token, second.token, chosen]).size).toBe(3)
    const answer = await testApp.visitor(operator.main).ask(session.current, {}, { headers: { authorization: chosen } })
    expect(answer.statusCode).toBe(401)
  })

  it('is refused after the same work for an unknown name as for a wrong password', async () => {
    const visitor = testApp.visitor(operator.main)
    // Other work on the machine changes how long a sign-in takes, but not what it costs.
    const costOf = async (login: string) => {
      const before = process.cpuUsage()
      const answer = await visitor.ask(session.login, { body: { login, password: 'wrong' } })
      expect(answer.statusCode).toBe(401)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const costs: { unknown: number; wrong: number }[] = []
    for (let i = 0; i < 4; i++) {
      const user_name = `known-${i}`
      await buildUser(testApp.services.database, scopeOfCompany(operator), { name: user_name, user_name, password, permissions: ['scan'] })
      costs.push({ unknown: await costOf(`unknown-${i}`), wrong: await costOf(user_name) })
    }
    const least = (kind: 'unknown' | 'wrong') => Math.min(...costs.map(cost => cost[kind]))
    expect(least('unknown') / least('wrong')).toBeGreaterThan(0.6)
  })

  it('ends with logout', async () => {
    const worker = await operator.hire(['scan'])
    await worker.send(session.current, {})
    await worker.send(session.logout, {})
    await expect(worker.send(session.current, {})).rejects.toMatchObject({ status: 401 })
  })

  it('ends after twelve idle hours', async () => {
    const worker = await operator.hire(['scan'])
    await worker.send(session.current, {})
    testApp.setNow(new Date(Date.now() + 12 * 3_600_000 + 60_000))
    await expect(worker.send(session.current, {})).rejects.toMatchObject({ status: 401 })
    testApp.setNow(undefined)
  })

  it('limits password guessing for one login without locking others out', async () => {
    const visitor = testApp.visitor(operator.main)
    const statuses: number[] = []
    for (let i = 0; i < 11; i++)
      statuses.push((await visitor.ask(session.login, { body: { login: 'guessed', password: `${i}` } })).statusCode)
    expect(statuses.at(-1)).toBe(429)
    await expect(visitor.send(session.login, { body: { login: '1003', password } })).resolves.toBeDefined()
  })
})

describe('the limits of signing in', () => {
  /** An operator of its own whose users Ana and Bo sign in from different addresses. */
  async function openWarehouse() {
    const proxied = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1/32' })
    const warehouse = await proxied.operator()
    for (const [user_name, employee_no] of [
      ['ana', '71'],
      ['bo', '72'],
    ] as const)
      await buildUser(proxied.services.database, scopeOfCompany(warehouse), {
        name: user_name,
        user_name,
        email: `${user_name}@example.test`,
        employee_no,
        password,
        permissions: ['scan'],
      })
    const signIn = (login: string, given: string, ip: string) =>
      proxied.visitor(warehouse.main).ask(session.login, { body: { login, password: given } }, { headers: { 'x-forwarded-for': ip } })
    return { proxied, signIn }
  }
  const statusesOf = async (answers: Promise<{ statusCode: number }>[]) => (await Promise.all(answers)).map(answer => answer.statusCode)
  const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))

  it('count an account once, whichever of its names is typed and whichever address asks', async () => {
    const { proxied, signIn } = await openWarehouse()
    const names = ['ana', 'ANA@example.test', '71']
    const statuses = await statusesOf(times(15, i => signIn(names[i % 3]!, 'wrong', `198.51.${i}.1`)))
    expect(statuses.filter(status => status === 401)).toHaveLength(10)
    expect(statuses.filter(status => status === 429)).toHaveLength(5)
    await proxied.close()
  })

  it('stop 150 names from one address, but no other address', async () => {
    const { proxied, signIn } = await openWarehouse()
    const one = await statusesOf(times(150, i => signIn(`name-${i}`, 'wrong', '198.51.100.7')))
    expect(one.filter(status => status === 401)).toHaveLength(30)
    expect((await signIn('bo', password, '192.0.2.1')).statusCode).toBe(200)
    await proxied.close()
  })

  it('lengthen the delay with each failure and end with a success', async () => {
    const { proxied, signIn } = await openWarehouse()
    let at = Date.now()
    proxied.setNow(new Date(at))
    for (const _ of times(10, i => i)) await signIn('ana', 'wrong', '198.51.100.7')
    const delays: number[] = []
    for (const _ of times(4, i => i)) {
      const refused = await signIn('ana', 'wrong', '198.51.100.7')
      const seconds = Number(refused.headers['retry-after'])
      delays.push(seconds)
      at += seconds * 1_000
      proxied.setNow(new Date(at))
      expect((await signIn('ana', 'wrong', '198.51.100.7')).statusCode).toBe(401)
    }
    expect(delays).toEqual([15, 30, 60, 120])
    at += 240_000
    proxied.setNow(new Date(at))
    expect((await signIn('ana', password, '198.51.100.7')).statusCode).toBe(200)
    expect((await signIn('ana', 'wrong', '198.51.100.7')).statusCode).toBe(401)
    await proxied.close()
  })

  it('let users in at the address where they signed in before, whatever is guessed there or elsewhere', async () => {
    const { proxied, signIn } = await openWarehouse()
    const at = Date.now()
    proxied.setNow(new Date(at))
    const warehouse = '198.51.100.7'
    expect((await signIn('ana', password, warehouse)).statusCode).toBe(200)
    await Promise.all(times(150, i => signIn(`name-${i}`, 'wrong', warehouse)))
    await Promise.all(times(150, i => signIn('ana', 'wrong', `203.0.${i}.1`)))
    expect((await signIn('ana', password, warehouse)).statusCode).toBe(200)
    // A new colleague waits seconds, not minutes.
    const refused = await signIn('bo', password, warehouse)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(5)
    proxied.setNow(new Date(at + 5_000))
    expect((await signIn('bo', password, warehouse)).statusCode).toBe(200)
    await proxied.close()
  })
})

describe('the initial data of a client', () => {
  it("contains countries, couriers, permissions and the user's companies", async () => {
    const main = await operator.hire(['scan'])
    const init = await main.send(session.init, {})
    expect(init.CompanyLookup.map(company => company.code).sort()).toEqual([operator.main.code, operator.shops[0]!.code].sort())
    expect(init.PermissionLookup).toHaveLength(26)
    expect(init.packing_ip_matches).toBe(true)
    const shop = await operator.hire(['admin'], operator.shops[0])
    expect((await shop.send(session.init, {})).CompanyLookup.map(company => company.code)).toEqual([operator.shops[0]!.code])
    expect([init.MainCompanyId, (await shop.send(session.init, {})).MainCompanyId]).toEqual([operator.main.id, operator.main.id])
  })

  it('names up to three administrators of the own company, and no other', async () => {
    const other = await testApp.operator({ shops: 1 })
    const [shop] = other.shops
    if (!shop) throw new Error('There is no shop')
    for (const name of ['Astrid', 'Bo', 'Carl', 'Dina']) await other.hire(['admin'], other.main, name)
    const packer = await other.hire(['scan'], other.main, 'Kim')
    expect(await packer.send(session.admins, {})).toEqual({ names: ['Astrid', 'Bo', 'Carl'] })
    const owner = await other.hire(['parcels'], shop, 'Owner')
    expect(await owner.send(session.admins, {})).toEqual({ names: [] })
    await other.hire(['users_admin'], shop, 'Sanne')
    expect(await owner.send(session.admins, {})).toEqual({ names: ['Sanne'] })
  })

  it('answers 204 for a company that exists and 404 for one that does not', async () => {
    await testApp.visitor(operator.main).send(session.checkCompany, {})
    const stranger = testApp.visitor({ id: 0, code: 'nowhere', name: '' })
    await expect(stranger.send(session.checkCompany, {})).rejects.toMatchObject({ status: 404 })
  })

  it('refuses a token at another company of the same operator', async () => {
    const main = await operator.hire(['admin'])
    const elsewhere = await testApp.app.inject({
      url: `/api/${operator.shops[0]!.code}/session`,
      headers: { host: `${operator.shops[0]!.code}.localhost`, authorization: main.token },
    })
    expect(elsewhere.statusCode).toBe(404)
  })
})
