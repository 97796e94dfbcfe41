/** The settings of a company, and who adds companies. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { session } from '#contract/session.ts'
import { passwordLinks } from '#features/company/users/password-links.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { company } from './companies.contract.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1, settings: { gs1_prefix: '5790001' } })
  admin = await operator.hire(['admin'], operator.main, 'Astrid Holm')
})
afterAll(() => testApp.close())

const save = async (change: object, by = admin) => {
  const { version } = await by.send(company.config, {})
  return by.send(company.setConfig, { body: { version, ...change } })
}

describe('the company’s settings', () => {
  it('keep what a change does not name', async () => {
    const before = await admin.send(company.config, {})
    const after = await save({ cut_off: '14:30' })
    expect(after).toMatchObject({ cut_off: '14:30', gs1_prefix: '5790001', version: before.version + 1, changed_by: 'Astrid Holm' })
    expect(after.changed_at).not.toBeNull()
    expect(await admin.send(company.config, {})).toEqual(after)
  })

  it('include the name, which every session shows at once', async () => {
    await save({ name: 'Renamed' })
    expect((await admin.send(session.init, {})).settings.company_name).toBe('Renamed')
  })

  it('with an old version are refused with the current state', async () => {
    const { version } = await admin.send(company.config, {})
    await admin.send(company.setConfig, { body: { version, print_slip: true } })
    await expect(admin.send(company.setConfig, { body: { version, print_slip: false } })).rejects.toMatchObject({
      status: 409,
      current: { print_slip: true, version: version + 1 },
    })
  })

  it('return to their default one by one', async () => {
    await save({ packaging_weight_g: 900, color: '#112233' })
    expect(await admin.send(company.resetConfig, { name: 'packaging_weight_g' })).toMatchObject({
      packaging_weight_g: 200,
      color: '#112233',
    })
  })

  it.each([
    ['time_zone', 'Europe/Nowhere'],
    ['time_zone', '+02:00'],
    ['currency', 'XYZ'],
    ['packing_ip_pattern', '10.0.0.(7'],
    ['packing_ip_pattern', '(a)\\1'],
  ])('refuse %s %s at the field', async (field, value) => {
    await expect(save({ [field]: value })).rejects.toMatchObject({ status: 422, fields: { [field]: expect.any(String) } })
  })

  it.each([
    ['gs1_prefix', '123'],
    ['color', 'red'],
    ['cut_off', '25:00'],
    ['homepage', 'javascript:alert(1)'],
    ['locale', 'xx_XX'],
    ['release_delay_s', -1],
    ['logo_file_id', 1],
    ['is_main', true],
    ['code', 'mine'],
  ])('do not take %s = %s', async (field, value) => {
    await expect(save({ [field]: value })).rejects.toMatchObject({ status: 400 })
  })

  it('reject an invalid e-mail address, and name the field', async () => {
    const { sender, version } = await admin.send(company.config, {})
    for (const [change, field] of [
      [{ sender: { ...sender, email: 'depot at quay' } }, 'sender.email'],
      [{ support_email: 'help@' }, 'support_email'],
    ] as const) {
      const refused = await admin.send(company.setConfig, { body: { version, ...change } }).catch(error => error)
      expect(refused).toMatchObject({ status: 400, fields: { [field]: 'This is not an e-mail address' } })
      expect((await admin.ask(company.setData, { body: { version, ...change } })).statusCode).toBe(400)
    }
    const saved = await save({ sender: { ...sender, email: 'depot@quay.example' }, support_email: '' })
    expect(saved).toMatchObject({ sender: { email: 'depot@quay.example' }, support_email: '' })
  })

  it('are not available without the permission', async () => {
    const packer = await operator.hire(['scan', 'parcels_admin'])
    for (const call of [company.config, company.setConfig, company.resetConfig, company.setHomepage])
      expect((await packer.ask(call, { body: { version: 1, homepage: '' }, name: 'cut_off' })).statusCode).toBe(403)
  })

  it('are visible to the own company only', async () => {
    const shop = await operator.hire(['admin'], operator.shops[0])
    await save({ cut_off: '11:11' }, shop)
    expect((await admin.send(company.config, {})).cut_off).not.toBe('11:11')
  })

  it('are recorded with their values before and after', async () => {
    await save({ cut_off: '12:00' })
    await save({ cut_off: '12:30' })
    const event = await testApp.services.database.transaction(
      { operator_id: operator.operator_id, company_id: operator.main.id, companies: [operator.main.id] },
      db => db.selectFrom('events').select('data').where('kind', '=', 'company.changed').orderBy('id', 'desc').executeTakeFirstOrThrow(),
    )
    expect(event.data).toEqual({ cut_off: { from: '12:00', to: '12:30' } })
  })
})

describe('the packing pattern', () => {
  it('shows whether it allows the own address before it is saved', async () => {
    const check = (pattern: string) => admin.send(company.checkIpPattern, { body: { pattern } })
    expect(await check('127\\.0\\.0\\.\\d+')).toEqual({ valid: true, matches: true, ip: '127.0.0.1' })
    expect(await check('27\\.0\\.0\\.1')).toEqual({ valid: true, matches: false, ip: '127.0.0.1' })
    expect(await check('(')).toEqual({ valid: false, matches: false, ip: '127.0.0.1' })
    expect(await check('(a+)+$')).toMatchObject({ valid: true, matches: false })
  })

  it('that excludes the user is saved only when that is confirmed', async () => {
    await expect(save({ packing_ip_pattern: '10\\.0\\.0\\.7' })).rejects.toMatchObject({
      status: 422,
      fields: { packing_ip_pattern: expect.stringContaining('Your own address') },
    })
    const after = await save({ packing_ip_pattern: '10\\.0\\.0\\.7', packing_ip_confirmed: true })
    expect(after).toMatchObject({ packing_ip_matches: false, your_ip: '127.0.0.1' })
    // A saved pattern needs no new confirmation.
    await save({ cut_off: '15:00', packing_ip_pattern: '10\\.0\\.0\\.7' })
    expect((await admin.send(session.init, {})).packing_ip_matches).toBe(false)
    expect(await save({ packing_ip_pattern: '127\\.0\\.0\\.1' })).toMatchObject({ packing_ip_matches: true })
  })
})

describe('the parts of the settings', () => {
  it('for stations are readable by all users and changed by few', async () => {
    const packer = await operator.hire(['scan'])
    expect(await packer.send(company.settings, {})).toMatchObject({ print_slip: expect.any(Boolean), time_zone: 'Europe/Copenhagen' })
    expect(await packer.send(company.settings, {})).not.toHaveProperty('packing_ip_pattern')
    expect((await packer.ask(company.setSettings, { body: { print_slip: true } })).statusCode).toBe(403)
    expect(await admin.send(company.setSettings, { body: { default_weight_g: 750 } })).toMatchObject({ default_weight_g: 750 })
    expect(await admin.send(company.resetSettings, { name: 'default_weight_g' })).toMatchObject({ default_weight_g: 500 })
  })

  it('about the sender contain name, address, contact and VAT number', async () => {
    const { version } = await admin.send(company.data, {})
    const sender = { name: 'Nordlys', address1: 'Havnegade 1', postcode: '1058', city: 'København', country: 'DK' }
    const saved = await admin.send(company.setData, { body: { version, name: 'Nordlys ApS', vat_no: 'DK12345678', sender } as never })
    expect(saved).toMatchObject({ name: 'Nordlys ApS', vat_no: 'DK12345678', sender: { city: 'København' } })
    await expect(admin.send(company.setData, { body: { version, vat_no: '' } })).rejects.toMatchObject({
      status: 409,
      current: { vat_no: 'DK12345678' },
    })
  })

  it('by language fall back to the general one', async () => {
    await admin.send(company.setHomepage, { body: { homepage: 'https://shop.example' } })
    await admin.send(company.setHomepageIn, { locale: 'de_DE', body: { homepage: 'https://shop.example/de' } })
    expect(await admin.send(company.homepageIn, { locale: 'de_DE' })).toEqual({ homepage: 'https://shop.example/de' })
    expect(await admin.send(company.homepageIn, { locale: 'sv_SE' })).toEqual({ homepage: 'https://shop.example' })
    await admin.send(company.setFooter, { locale: 'da_DK', body: { text: 'Betal senest om 8 dage' } })
    await admin.send(company.setFooter, { locale: 'sv_SE', body: { text: 'Betala inom 8 dagar' } })
    expect(await admin.send(company.footer, { locale: 'da_DK' })).toEqual({ text: 'Betal senest om 8 dage' })
    expect((await admin.ask(company.footer, { locale: 'xx_XX' })).statusCode).toBe(400)
  })

  it("include the domestic country, which defaults to the sender's", async () => {
    expect(await admin.send(company.homeCountry, {})).toEqual({ country: 'DK', chosen: false })
    await admin.send(company.setHomeCountry, { body: { country: 'NO' } })
    expect(await admin.send(company.homeCountry, {})).toEqual({ country: 'NO', chosen: true })
    await admin.send(company.resetHomeCountry, {})
    expect(await admin.send(company.homeCountry, {})).toEqual({ country: 'DK', chosen: false })
  })
})

describe('the logo', () => {
  const upload = (text: string | Buffer) => ({ upload: new Uint8Array(Buffer.from(text)) }) as never

  it('is re-encoded from any image, and shown to visitors', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="500"><script>alert(1)</script><rect width="2000" height="500" fill="#14597a"/></svg>'
    await admin.send(company.setLogo, upload(svg))
    const { bytes, media_type } = (await testApp.visitor(operator.main).send(company.logo, {})) as { bytes: Buffer; media_type: string }
    expect(media_type).toBe('image/png')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 400, height: 100 })
    expect(bytes.toString('latin1')).not.toContain('script')
    expect((await admin.send(session.init, {})).settings.has_logo).toBe(true)
    await admin.send(company.removeLogo, {})
    await expect(testApp.visitor(operator.main).send(company.logo, {})).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    ['no picture', 'GIF89a but not really'],
    ['nothing', ''],
    [
      'a picture made to fill the memory',
      '<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"><rect width="9" height="9"/></svg>',
    ],
  ])('is refused when it is %s', async (_, text) => {
    await expect(admin.send(company.setLogo, upload(text))).rejects.toMatchObject({ status: 400 })
  })
})

describe('a further company', () => {
  const admin1 = { name: 'Ingrid Solberg', user_name: 'ingrid' }

  it('is added by the main company’s admin and starts with one admin of its own', async () => {
    const code = `fjord-${operator.operator_id}`
    const made = await admin.send(company.createCompany, { body: { code, name: 'Fjord & Fjell', admin: admin1 } })
    expect(made.password).toMatch(/^[a-z2-9-]{19}$/)
    const visitor = testApp.visitor({ id: made.id, code, name: '' })
    const first = await visitor.ask(session.login, { body: { login: 'ingrid', password: made.password ?? '' } })
    const own = 'six herons over a harbour'
    await visitor.send(passwordLinks.setPassword, { body: { token: first.json().values.token, password: own } })
    const { user } = await visitor.send(session.login, { body: { login: 'ingrid', password: own } })
    expect(user).toMatchObject({ company: code, is_main_company: false, permission: [1] })
    expect((await admin.send(company.companies, {})).map(one => one.code)).toContain(code)
    // Main-company staff can use it at once.
    expect((await admin.send(session.init, {})).CompanyLookup.map(one => one.code)).toContain(code)
  })

  it('needs a code that is free, not reserved, and valid in a host name', async () => {
    const body = (code: string) => ({ body: { code, name: 'Any', admin: admin1 } })
    await expect(admin.send(company.createCompany, body(operator.main.code))).rejects.toMatchObject({
      status: 422,
      fields: { code: 'This code is taken' },
    })
    for (const code of ['www', 'api', 'Capital', '1shop', 'a', 'under_score', 'x'.repeat(32)])
      expect((await admin.ask(company.createCompany, body(code))).statusCode).toBe(400)
  })

  it('starts with a password that is hard to guess', async () => {
    await expect(
      admin.send(company.createCompany, {
        body: { code: 'weak-one', name: 'Weak one', admin: { ...admin1, password: 'ingridsolberg2026' } },
      }),
    ).rejects.toMatchObject({ status: 422, fields: { 'admin.password': expect.any(String) } })
  })

  it('is not added by other companies, nor by users without admin rights', async () => {
    const shop = await operator.hire(['admin'], operator.shops[0])
    const clerk = await operator.hire(['settings_admin', 'users_admin'])
    const body = { code: 'stranger', name: 'Stranger', admin: admin1 }
    await expect(shop.send(company.createCompany, { body })).rejects.toMatchObject({ status: 403 })
    await expect(shop.send(company.companies, {})).rejects.toMatchObject({ status: 403 })
    await expect(clerk.send(company.createCompany, { body })).rejects.toMatchObject({ status: 403 })
  })
})

describe('the list of companies', () => {
  it('counts the orders of the last 30 days of each', async () => {
    const [shop] = operator.shops
    const before = await admin.send(company.companies, {})
    const count = (rows: typeof before, id: number | undefined) => rows.find(one => one.id === id)?.recent_orders
    const scope = { operator_id: operator.operator_id, company_id: operator.main.id, companies: [operator.main.id] }
    const [recent, old] = [await placeOrder(testApp.services.database, scope), await placeOrder(testApp.services.database, scope)]
    await testApp.services.database.transaction(scope, db =>
      db
        .updateTable('orders')
        .set({ created_at: new Date(testApp.services.now().getTime() - 31 * 86_400_000).toISOString() })
        .where('id', '=', old.id)
        .execute(),
    )
    expect(recent.id).not.toBe(old.id)
    const after = await admin.send(company.companies, {})
    expect(count(after, operator.main.id)).toBe((count(before, operator.main.id) ?? 0) + 1)
    expect(count(after, shop?.id)).toBe(count(before, shop?.id))
  })
})

describe('the languages on offer', () => {
  it('always hold the company’s own', async () => {
    await save({ locale: 'da_DK', languages: ['da_DK', 'en_GB'] })
    await expect(save({ languages: ['en_GB'] })).rejects.toMatchObject({ status: 422, fields: { languages: expect.any(String) } })
    await expect(save({ locale: 'de_DE' })).rejects.toMatchObject({ status: 422, fields: { locale: expect.any(String) } })
    await expect(save({ languages: ['da_DK', 'da_DK'] })).rejects.toMatchObject({ status: 400 })
    await expect(save({ languages: [] })).rejects.toMatchObject({ status: 400 })
  })

  it('reach every form with the session, as do home country and phone prefixes', async () => {
    await save({ home_country: 'SE', phone_countries: ['SE', 'NO'] })
    expect((await admin.send(session.init, {})).settings).toMatchObject({
      languages: ['da_DK', 'en_GB'],
      home_country: 'SE',
      phone_countries: ['SE', 'NO'],
    })
  })
})
