/** The first start of a production installation: one link, once. */
import { readFile, stat } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { session } from '#contract/session.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { type FakeBreaches, openFakeBreaches } from '#integrations/breached-passwords/pwned-passwords.fake.ts'
import { openTestApp, type TestApp } from '#test/test-app.ts'
import type { Founding } from './setup.schemas.ts'
import { linkFile, openSetup } from './setup.server.ts'

let breaches: FakeBreaches
let testApp: TestApp
let token: string
let link: string
beforeAll(async () => {
  breaches = await openFakeBreaches()
})
afterAll(() => breaches.close())
beforeEach(async () => {
  testApp = await openTestApp({ DEMO: '0', BREACHED_PASSWORDS_URL: breaches.url })
  link = (await (await openSetup(testApp.services))?.(8080)) ?? ''
  token = link.split('#')[1] ?? ''
})
afterEach(() => testApp.close())

const founding = (change: Partial<Founding> = {}) => ({
  token,
  operator: 'Havnens Lager',
  company: { code: 'havnen', name: 'Havnens Lager ApS' },
  admin: { name: 'Astrid Holm', user_name: 'astrid', email: 'astrid@havnen.example', password: 'blue herons fly over Amager' },
  locale: 'da_DK',
  time_zone: 'Europe/Copenhagen',
  packing_here: true,
  ...change,
})
const post = (payload: object, host = 'localhost', headers: Record<string, string> = {}) =>
  testApp.app.inject({ method: 'POST', url: '/setup', headers: { host, accept: 'application/json', ...headers }, payload })

describe('the link of the first start', () => {
  it('has its token in the fragment, and is written to a file that only its owner reads', async () => {
    expect(link).toMatch(/^http:\/\/localhost:8080\/setup#[\w-]{43}$/)
    expect((await readFile(linkFile(testApp.services.config), 'utf8')).trim()).toBe(link)
    expect((await stat(linkFile(testApp.services.config))).mode & 0o777).toBe(0o600)
    const kept = `${testApp.services.config.data_dir}/setup.json`
    expect((await stat(kept)).mode & 0o777).toBe(0o600)
    expect(await readFile(kept, 'utf8')).not.toContain(token)
  })

  it('creates operator, main company and first admin, who signs in at once', async () => {
    const answer = await post(founding())
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ code: 'havnen' })
    const visitor = testApp.visitor({ id: 0, code: 'havnen', name: '' })
    const { user, token: key } = await visitor.send(session.login, { body: { login: 'astrid', password: 'blue herons fly over Amager' } })
    expect(user).toMatchObject({ company: 'havnen', is_main_company: true, permission: [1] })
    const init = await visitor.send(session.init, {}, { headers: { authorization: key } })
    expect(init).toMatchObject({
      packing_ip_matches: true,
      PackingApiIpBind: '127\\.0\\.0\\.1',
      settings: { locale: 'da_DK', company_name: 'Havnens Lager ApS' },
    })
  })

  it('derives currency and country from the language, and reports that the sender has no address', async () => {
    await post(founding({ locale: 'de_DE' }))
    const visitor = testApp.visitor({ id: 0, code: 'havnen', name: '' })
    const { token: key } = await visitor.send(session.login, { body: { login: 'astrid', password: 'blue herons fly over Amager' } })
    const headers = { authorization: key }
    expect((await visitor.send(session.init, {}, { headers })).settings).toMatchObject({ currency: 'EUR', sender_missing: true })
    const config = await visitor.send(company.config, {}, { headers })
    expect(config.sender).toMatchObject({ name: 'Havnens Lager ApS', country: 'DE', address1: '' })
    const part = { ...config.sender, address1: 'Hafenweg 1' }
    const { version } = await visitor.send(company.setConfig, { body: { version: config.version, sender: part } }, { headers })
    expect((await visitor.send(session.init, {}, { headers })).settings.sender_missing).toBe(true)
    const whole = { ...part, postcode: '20457', city: 'Hamburg' }
    await visitor.send(company.setConfig, { body: { version, sender: whole } }, { headers })
    expect((await visitor.send(session.init, {}, { headers })).settings.sender_missing).toBe(false)
  })

  it('works once, even for two users at the same moment', async () => {
    const answers = await Promise.all([post(founding()), post(founding({ company: { code: 'second', name: 'Second' } }))])
    expect(answers.map(answer => answer.statusCode).sort()).toEqual([200, 409])
    expect((await post(founding({ company: { code: 'third', name: 'Third' } }))).statusCode).toBe(409)
    await expect(stat(linkFile(testApp.services.config))).rejects.toThrow()
    expect(await openSetup(testApp.services)).toBeNull()
  })

  it('is void with another token, after a day, and after a newer one was made', async () => {
    expect((await post(founding({ token: 'x'.repeat(43) }))).statusCode).toBe(403)
    testApp.setNow(new Date(Date.now() + 25 * 3_600_000))
    expect((await post(founding())).json().message).toContain('older than a day')
    testApp.setNow(undefined)
    await openSetup(testApp.services)
    expect((await post(founding())).statusCode).toBe(403)
  })

  it('is void where a company exists', async () => {
    await testApp.operator()
    expect((await post(founding())).statusCode).toBe(409)
    expect(await openSetup(testApp.services)).toBeNull()
    expect((await post(founding())).statusCode).toBe(409)
  })

  it('answers only under the bare base domain, and never to another page', async () => {
    expect((await post(founding(), 'demo.localhost')).statusCode).toBe(404)
    expect((await post(founding(), 'evil.example')).statusCode).toBe(421)
    expect((await post(founding(), 'localhost', { origin: 'http://evil.example' })).statusCode).toBe(403)
    expect((await testApp.app.inject({ url: '/setup/state', headers: { host: 'demo.localhost' } })).statusCode).toBe(404)
    expect((await testApp.app.inject({ url: '/setup/state', headers: { host: 'localhost' } })).json()).toEqual({
      open: true,
      ip: '127.0.0.1',
    })
  })

  it('rejects a password of a data breach', async () => {
    breaches.known.set('nine otters under a pier', 3)
    const leaked = await post(founding({ admin: { ...founding().admin, password: 'nine otters under a pier' } }))
    expect(leaked.json().fields).toEqual({ 'admin.password': 'This password was found in a data breach. Choose another one.' })
    expect((await post(founding())).statusCode).toBe(200)
  })

  it('rejects a weak password and a reserved code, and remains valid afterwards', async () => {
    const weak = await post(founding({ admin: { ...founding().admin, password: 'astridholm-havnen' } }))
    expect(weak.statusCode).toBe(422)
    expect(weak.json().fields).toHaveProperty(['admin.password'])
    expect((await post(founding({ company: { code: 'www', name: 'Any' } }))).statusCode).toBe(400)
    expect((await post({ ...founding(), demo: true })).statusCode).toBe(400)
    expect((await post(founding())).statusCode).toBe(200)
  })

  it('is rate limited against guessing', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 21; i++) statuses.push((await post(founding({ token: `guess${i}` }))).statusCode)
    expect(statuses.at(-1)).toBe(429)
  })
})
