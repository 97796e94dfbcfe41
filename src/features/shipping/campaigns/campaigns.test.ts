/** Campaigns over HTTP: what is refused, what the tracking page shows for which order, and what is counted. */
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import type { Locale } from '#contract/limits.ts'
import { elementAt } from '#domain/objects.ts'
import { tracking } from '#features/shipping/tracking/tracking.contract.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { type OrderPlan, placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import type { CampaignVariant } from './campaigns.codes.ts'
import { campaigns } from './campaigns.contract.ts'
import type { Campaign, CampaignFields } from './campaigns.schemas.ts'
import { forgetCampaignViews } from './campaigns.task.ts'

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
let visitor: TestUser
let picture: Buffer
let address = 1

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  clerk = await operator.hire(['settings_admin'])
  visitor = testApp.visitor(operator.main)
  picture = await sharp({ create: { width: 2000, height: 1200, channels: 3, background: '#2a7' } })
    .png()
    .toBuffer()
})
afterAll(() => testApp.close())
// Campaigns of one test are nothing to the next.
beforeEach(async () => {
  testApp.setNow(undefined)
  for (const { id } of (await clerk.send(campaigns.search, { limit: 500 })).rows) await clerk.send(campaigns.remove, { id })
})

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const words = (locale: Locale) => ({ headline: `Sale ${locale}`, text: 'Half price', button: 'Look', alt: `A tent in ${locale}` })
const bodyOf = ({ contents, ...fields }: Partial<CampaignFields> = {}) => {
  const locales = fields.locales ?? ['da_DK' as const]
  return {
    title: 'Winter sale',
    from_at: day(-1),
    stages: ['ordered' as const, 'packed' as const],
    locales,
    link: 'https://shop.example/sale?utm_source=tracking',
    contents: contents ?? Object.fromEntries(locales.map(locale => [locale, { a: words(locale), b: { ...words(locale), headline: 'B' } }])),
    ...fields,
  }
}
const create = (fields: Partial<CampaignFields> = {}) => clerk.send(campaigns.create, { body: bodyOf(fields) })
const addPicture = (id: number, locale: Locale = 'da_DK', variant: CampaignVariant = 'a', upload: Buffer = picture) =>
  clerk.send(campaigns.setPicture, { id, locale, variant, upload: upload as unknown as Blob })
const activate = (id: number, active: 'true' | 'false' | '1' | '0' = 'true') => clerk.send(campaigns.setActive, { id, active })
async function publish(fields: Partial<CampaignFields> = {}): Promise<Campaign> {
  const { id, locales, ab_share } = await create(fields)
  for (const locale of locales)
    for (const variant of ab_share === null ? (['a'] as const) : (['a', 'b'] as const)) await addPicture(id, locale, variant)
  return activate(id)
}

interface Found {
  id: number
  link: { o: number; s: string }
}
async function order(plan: OrderPlan = {}): Promise<Found> {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    locale: 'da_DK',
    agent_code: 'own',
    shipping_method: 'van',
    ...plan,
  })
  const url = new URL(trackingUrl(testApp.services, operator.main, { order_id: id }))
  return { id, link: { o: Number(url.searchParams.get('o')), s: url.searchParams.get('s') ?? '' } }
}
const shownTo = async ({ link }: Found, lang?: Locale) => (await visitor.send(tracking.order, { ...link, ...(lang && { lang }) })).campaign
const from = () => ({ headers: { 'x-forwarded-for': `198.51.100.${address++}` } })

describe('a campaign', () => {
  it('is made as a draft, once for each client id, changed by its version, and found by both names', async () => {
    const client_id = randomUUID()
    const body = { ...bodyOf(), client_id }
    const made = await clerk.send(campaigns.create, { body })
    expect(made).toMatchObject({ title: 'Winter sale', state: 'draft', version: 1, shown: 0, ab_share: null, broken: false })
    expect(made.public_key).toMatch(/^[\w-]{22}$/)
    expect((await clerk.send(campaigns.create, { body })).id).toBe(made.id)
    const { id } = made
    expect(await clerk.send(campaigns.update, { id, body: { ...bodyOf({ title: 'Spring' }), version: 1 } })).toMatchObject({ version: 2 })
    await expect(clerk.send(campaigns.update, { id, body: { ...bodyOf(), version: 1 } })).rejects.toMatchObject({
      status: 409,
      code: 'settings_changed',
      current: expect.objectContaining({ version: 2, title: 'Spring' }),
    })
    expect(await clerk.send(campaigns.getCampaign, { id })).toEqual(await clerk.send(campaigns.get, { id }))
    await expect(clerk.send(campaigns.get, { id: id + 999_999 })).rejects.toMatchObject({ status: 404, code: 'campaign_not_found' })
  })

  it('is refused with a wrong period, a link that is none, and conditions that cannot be read', async () => {
    await expect(create({ from_at: day(2), to_at: day(1) })).rejects.toMatchObject({
      status: 422,
      code: 'campaign_dates',
      fields: { to_at: 'The end is before the start.' },
    })
    for (const link of ['javascript:alert(1)', 'ftp://shop.example', 'shop.example'])
      await expect(create({ link })).rejects.toMatchObject({ status: 422, code: 'link_scheme', fields: { link: expect.any(String) } })
    await expect(create({ conditions: { v: 1, all: [{ field: 'bill.country', op: 'eq', value: 'DK' }] } })).rejects.toMatchObject({
      status: 422,
      code: 'rule_invalid',
    })
    await expect(create({ locales: [] })).rejects.toMatchObject({ status: 400 })
    await expect(create({ stages: [] })).rejects.toMatchObject({ status: 400 })
  })

  it('is published with an image and alt text for each language and variant, and not before', async () => {
    const { id } = await create({ locales: ['da_DK', 'de_DE'], contents: { da_DK: { a: words('da_DK') } } })
    await addPicture(id)
    await expect(activate(id)).rejects.toMatchObject({
      status: 422,
      code: 'campaign_incomplete',
      message: 'Add an image and alt text for Deutsch.',
      fields: { 'contents.de_DE.a.picture': expect.any(String), 'contents.de_DE.a.alt': expect.any(String) },
    })
    await addPicture(id, 'de_DE')
    const { version } = await clerk.send(campaigns.update, { id, body: { ...bodyOf({ locales: ['da_DK', 'de_DE'] }), version: 1 } })
    expect(await activate(id, '1')).toMatchObject({ state: 'active', version: version + 1 })
    expect(await activate(id)).toMatchObject({ version: version + 1 })
    // What is published stays complete.
    await expect(clerk.send(campaigns.removePicture, { id, locale: 'de_DE', variant: 'a' })).rejects.toMatchObject({
      code: 'campaign_incomplete',
    })
    const wider = { ...bodyOf({ locales: ['da_DK', 'de_DE'], ab_share: 50 }), version: version + 1 }
    await expect(clerk.send(campaigns.update, { id, body: wider })).rejects.toMatchObject({ code: 'campaign_incomplete' })
    expect(await clerk.send(campaigns.get, { id })).toMatchObject({ ab_share: null, version: version + 1 })
  })

  it('is paused and goes on, waits for its start, and is over after its end', async () => {
    const { id } = await publish({ to_at: day(5 / 1_440) })
    expect(await activate(id, 'false')).toMatchObject({ state: 'paused' })
    expect(await activate(id, '0')).toMatchObject({ state: 'paused' })
    expect(await activate(id)).toMatchObject({ state: 'active' })
    const later = await publish({ title: 'Next week', from_at: day(7) })
    expect(later.state).toBe('scheduled')
    testApp.setNow(new Date(day(6 / 1_440)))
    expect(await clerk.send(campaigns.get, { id })).toMatchObject({ state: 'ended', is_final: false })
    await expect(clerk.send(campaigns.setActive, { id, active: 'true' })).rejects.toMatchObject({
      status: 409,
      code: 'campaign_end_passed',
    })
    expect((await clerk.send(campaigns.search, { state: 'ended', query: 'winter' })).rows.map(row => row.id)).toContain(id)
    expect((await clerk.send(campaigns.search, { state: 'scheduled' })).rows.map(row => row.id)).toEqual([later.id])
  })

  it('is removed as a draft, and ends with its figures where it was shown', async () => {
    const draft = await create()
    await clerk.send(campaigns.remove, { id: draft.id })
    await clerk.send(campaigns.remove, { id: draft.id })
    await expect(clerk.send(campaigns.get, { id: draft.id })).rejects.toMatchObject({ status: 404 })
    const { id } = await publish()
    const found = await order()
    const campaign = await shownTo(found)
    await visitor.send(campaigns.seen, { body: { campaign: campaign!.public_key, signed: campaign!.signed } }, from())
    await clerk.send(campaigns.remove, { id })
    expect(await clerk.send(campaigns.get, { id })).toMatchObject({ state: 'ended', is_final: true, shown: 1 })
    expect(await shownTo(found)).toBeNull()
    await expect(activate(id)).rejects.toMatchObject({ code: 'campaign_ended' })
    await expect(addPicture(id)).rejects.toMatchObject({ code: 'campaign_ended' })
  })

  it('is found by words, state and language, sorted, and exported', async () => {
    await create({ title: 'Tents', locales: ['de_DE'], priority: 3 })
    await create({ title: 'Boots', priority: 9 })
    const titles = async (asked: object) => (await clerk.send(campaigns.search, asked)).rows.map(row => row.title)
    expect(await titles({ query: 'ten', state: 'draft' })).toEqual(['Tents'])
    expect(await titles({ locale: 'de_DE', state: 'draft' })).toEqual(['Tents'])
    expect(await titles({ sort: '-priority', state: 'draft' })).toEqual(['Boots', 'Tents'])
    expect(await titles({ sort: 'title', state: 'draft' })).toEqual(['Boots', 'Tents'])
    const { body } = await clerk.ask(campaigns.export, { query: 'ten', state: 'draft' })
    expect(body).toContain('Tents')
  })

  it('belongs to its company, and is for those who change settings', async () => {
    const { id } = await create()
    const shop = await operator.hire(['settings_admin'], elementAt(operator.shops, 0))
    const packer = await operator.hire(['scan_admin', 'parcels_admin', 'settings'])
    await expect(shop.send(campaigns.get, { id })).rejects.toMatchObject({ status: 404 })
    expect((await shop.send(campaigns.search, {})).rows).toEqual([])
    await shop.send(campaigns.remove, { id })
    expect(await clerk.send(campaigns.get, { id })).toMatchObject({ id })
    await expect(packer.send(campaigns.search, {})).rejects.toMatchObject({ status: 403 })
  })
})

describe('a picture', () => {
  const load = (parts: string, { by = visitor, accept = 'image/webp,*/*', v }: { by?: TestUser; accept?: string; v?: string } = {}) =>
    by.ask(campaigns.picture, { parts, ...(v && { v }) }, { headers: { accept } })

  it('is cropped to two sizes and drawn anew as WebP and JPEG, at most 150 kB each', async () => {
    const noise = Buffer.alloc(2400 * 1400 * 3)
    for (let i = 0; i < noise.length; i++) noise[i] = (i * 2654435761) >>> 24
    const { id, public_key } = await create()
    await addPicture(
      id,
      'da_DK',
      'a',
      await sharp(noise, { raw: { width: 2400, height: 1400, channels: 3 } })
        .png()
        .toBuffer(),
    )
    for (const [width, height] of [
      [1400, 600],
      [700, 300],
    ])
      for (const format of ['webp', 'jpeg']) {
        const { rawPayload, headers } = await load(`${public_key}_da_DK_a_${width}`, { accept: `image/${format}` })
        expect(headers['content-type']).toBe(`image/${format}`)
        expect(rawPayload.length).toBeLessThanOrEqual(150_000)
        expect(await sharp(rawPayload).metadata()).toMatchObject({ width, height, format })
      }
  })

  it('is anyone’s by the public key, and by number for those who may change campaigns', async () => {
    const { id, public_key } = await create()
    const { contents } = await addPicture(id)
    const v = contents.find(one => one.picture !== null)?.picture ?? ''
    const kept = await load(`${public_key}_da_DK`, { v })
    expect([kept.statusCode, kept.headers['cache-control'], kept.headers.vary]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      expect.stringContaining('accept'),
    ])
    expect((await load(`${public_key}/da_DK/a/1400`)).headers['cache-control']).toBe('no-cache')
    expect((await load(`${id}_da_DK`)).statusCode).toBe(404)
    expect((await load(`${id}_da_DK`, { by: clerk })).statusCode).toBe(200)
    expect((await load(`${id}_da_DK`, { by: await operator.hire(['scan']) })).statusCode).toBe(404)
    expect((await load(`${public_key}_sv_SE`)).statusCode).toBe(404)
    expect((await clerk.ask(campaigns.campaignPicture, { parts: `${id}_da_DK` })).statusCode).toBe(200)
    expect((await load(`${public_key}_da_DK`, { by: testApp.visitor(elementAt(operator.shops, 0)) })).statusCode).toBe(404)
  })

  it('is refused where it is none, and removed from a draft', async () => {
    const { id } = await create()
    await expect(addPicture(id, 'da_DK', 'a', Buffer.from('<script>1</script>'))).rejects.toMatchObject({ code: 'picture_unreadable' })
    const before = await addPicture(id)
    expect(before.version).toBe(1)
    const { contents } = await clerk.send(campaigns.removePicture, { id, locale: 'da_DK', variant: 'a' })
    expect(contents.find(one => one.variant === 'a')).toMatchObject({ picture: null, headline: 'Sale da_DK' })
  })
})

describe('the tracking page', () => {
  it('shows the campaign of the highest priority, among equals the one that began last, and none that is paused', async () => {
    await publish({ title: 'First', priority: 5, from_at: day(-3) })
    const later = await publish({ title: 'Later', priority: 5, from_at: day(-1) })
    const paused = await publish({ title: 'Paused', priority: 7 })
    await activate(paused.id, 'false')
    const found = await order()
    expect(await shownTo(found)).toMatchObject({
      public_key: later.public_key,
      locale: 'da_DK',
      headline: 'Sale da_DK',
      alt: 'A tent in da_DK',
      has_link: true,
    })
    await activate(paused.id)
    expect((await shownTo(found))?.public_key).toBe(paused.public_key)
  })

  it('shows no campaign of another language: the next one that has it, or none', async () => {
    await publish({ title: 'Danish', priority: 9 })
    const swedish = await publish({ title: 'Swedish', priority: 1, locales: ['sv_SE', 'de_DE'] })
    expect(await shownTo(await order({ locale: 'sv_SE' }))).toMatchObject({ public_key: swedish.public_key, locale: 'sv_SE' })
    expect(await shownTo(await order({ locale: 'no_NO' }))).toBeNull()
    const danish = await order()
    expect((await shownTo(danish))?.locale).toBe('da_DK')
    // The language that the reader has chosen on the page.
    expect(await shownTo(danish, 'de_DE')).toMatchObject({ public_key: swedish.public_key, locale: 'de_DE' })
    const found = await visitor.send(
      tracking.find,
      { body: { order_no: (await visitor.send(tracking.order, danish.link)).order_no ?? '', postcode: '5000', lang: 'de_DE' } },
      from(),
    )
    expect(found.campaign?.locale).toBe('de_DE')
  })

  it.each<[string, Partial<CampaignFields>, OrderPlan, boolean]>([
    ['the period has not begun', { from_at: day(1) }, {}, false],
    ['the period is over', { from_at: day(-2), to_at: day(-1) }, {}, false],
    ['the stage is another', { stages: ['delivered'] }, {}, false],
    ['the country is listed', { countries: ['DK', 'SE'] }, {}, true],
    ['the country is not listed', { countries: ['SE'] }, {}, false],
    ['the courier is listed', { agent_codes: ['own'] }, {}, true],
    ['the courier is not listed', { agent_codes: ['gls'] }, {}, false],
    [
      'the conditions are met',
      { conditions: { v: 1, all: [{ field: 'order.tags', op: 'has_any', value: ['vip'] }] } },
      { tags: ['VIP'] },
      true,
    ],
    ['the conditions are not met', { conditions: { v: 1, all: [{ field: 'order.tags', op: 'has_any', value: ['vip'] }] } }, {}, false],
    [
      'a product is in the order',
      { conditions: { v: 1, all: [{ lines: 'some', match: { field: 'line.sku', op: 'eq', value: 'CAP-01' } }] } },
      {},
      true,
    ],
    [
      'the tracking stage meets a condition',
      {
        conditions: {
          v: 1,
          all: [
            { field: 'shipment.stage', op: 'eq', value: 'ordered' },
            { field: 'shipment.parcels', op: 'eq', value: 0 },
          ],
        },
      },
      {},
      true,
    ],
  ])('asks the audience: %s', async (_, fields, plan, expected) => {
    // A period that is over cannot be published, so that it is moved afterwards.
    const { id, version } = await publish(fields.to_at ? {} : fields)
    if (fields.to_at) await clerk.send(campaigns.update, { id, body: { ...bodyOf(fields), version } })
    expect((await shownTo(await order(plan))) !== null).toBe(expected)
  })

  it('shows the same variant to the same order, and both to their share', async () => {
    await publish({ ab_share: 50 })
    const variants: (string | undefined)[] = []
    for (let i = 0; i < 24; i++) {
      const found = await order()
      const first = await shownTo(found)
      expect((await shownTo(found))?.variant).toBe(first?.variant)
      expect(first?.headline).toBe(first?.variant === 'b' ? 'B' : 'Sale da_DK')
      variants.push(first?.variant)
    }
    expect(new Set(variants)).toEqual(new Set(['a', 'b']))
  })
})

describe('what is counted', () => {
  it('shown and clicked once for each order and day, by variant, without an address', async () => {
    const { id, public_key } = await publish()
    const [one, other] = [await order(), await order()]
    const figures = async () => {
      const { shown, clicked } = await clerk.send(campaigns.get, { id })
      return [shown, clicked]
    }
    const see = async (found: Found) => {
      const { signed } = (await shownTo(found)) ?? { signed: '' }
      await visitor.send(campaigns.seen, { body: { campaign: public_key, signed } }, from())
      return signed
    }
    const signed = await see(one)
    await Promise.all([see(one), see(one), see(one)])
    expect(await figures()).toEqual([1, 0])
    const answer = await visitor.ask(campaigns.click, { public_key, signed }, from())
    expect([answer.statusCode, answer.headers.location, answer.headers['referrer-policy']]).toEqual([
      302,
      'https://shop.example/sale?utm_source=tracking',
      'no-referrer',
    ])
    await visitor.ask(campaigns.click, { public_key, signed }, from())
    expect(await figures()).toEqual([1, 1])
    // A click counts as shown as well.
    await visitor.ask(campaigns.click, { public_key, signed: (await shownTo(other))?.signed ?? '' }, from())
    expect(await figures()).toEqual([2, 2])
    testApp.setNow(new Date(day(1)))
    await see(one)
    testApp.setNow(undefined)
    expect(await figures()).toEqual([3, 2])
    expect((await clerk.send(campaigns.get, { id })).figures).toEqual([{ variant: 'a', shown: 3, clicked: 2, rate: 2 / 3 }])
    const [row] = (await clerk.send(campaigns.search, { query: 'winter', state: 'active' })).rows
    expect(row).toMatchObject({ shown: 3, clicked: 2, rate: 2 / 3 })
  })

  it('not for what was not signed, another campaign or one that is paused', async () => {
    const { id, public_key } = await publish()
    const second = await publish({ title: 'Second' })
    const found = await order()
    const { signed, public_key: shown } = (await shownTo(found)) ?? { signed: '', public_key: '' }
    const another = shown === public_key ? second.public_key : public_key
    const forged = `${signed.slice(0, 1)}${(found.id + 1).toString(36)}.${signed.split('.')[1]}`
    for (const body of [
      { campaign: another, signed },
      { campaign: shown, signed: forged },
      { campaign: shown, signed: `${signed.startsWith('a') ? 'b' : 'a'}${signed.slice(1)}` },
    ]) {
      await expect(visitor.send(campaigns.seen, { body }, from())).rejects.toMatchObject({ status: 404 })
      const answer = await visitor.ask(campaigns.click, { public_key: body.campaign, signed: body.signed }, from())
      expect([answer.statusCode, answer.headers.location]).toEqual([404, undefined])
    }
    for (const one of [id, second.id]) await activate(one, 'false')
    await visitor.send(campaigns.seen, { body: { campaign: shown, signed } }, from())
    // A page that is still open leads to the shop all the same.
    expect((await visitor.ask(campaigns.click, { public_key: shown, signed }, from())).statusCode).toBe(302)
    for (const one of [id, second.id]) expect(await clerk.send(campaigns.get, { id: one })).toMatchObject({ shown: 0, clicked: 0 })
  })

  it('by order for 60 days; the totals stay', async () => {
    const { id, public_key } = await publish()
    const { signed } = (await shownTo(await order())) ?? { signed: '' }
    await visitor.send(campaigns.seen, { body: { campaign: public_key, signed } }, from())
    const rows = () =>
      testApp.services.database.transaction(scopeOfCompany(operator), db =>
        db.selectFrom('campaign_views').select('order_id').where('campaign_id', '=', id).execute(),
      )
    testApp.setNow(new Date(day(59)))
    await forgetCampaignViews.run(testApp.services)
    expect(await rows()).toHaveLength(1)
    testApp.setNow(new Date(day(62)))
    await forgetCampaignViews.run(testApp.services)
    expect(await rows()).toEqual([])
    testApp.setNow(undefined)
    expect(await clerk.send(campaigns.get, { id })).toMatchObject({ shown: 1 })
  })
})

describe('the front end', () => {
  const read = (id: string, { by = visitor, token = '', locale }: { by?: TestUser; token?: string; locale?: Locale } = {}) =>
    by.ask(
      campaigns.frontend,
      { id, ...(locale && { locale }) },
      { headers: { ...from().headers, ...(token && { 'x-preview-token': token }) } },
    )

  it('is anyone’s by the public key while the campaign is active', async () => {
    const { id, public_key } = await publish({ locales: ['da_DK', 'de_DE'] })
    expect((await read(public_key)).json()).toMatchObject({ public_key, locale: 'da_DK', variant: 'a', headline: 'Sale da_DK' })
    expect((await read(public_key, { locale: 'de_DE' })).json()).toMatchObject({ locale: 'de_DE' })
    expect((await read(public_key, { locale: 'sv_SE' })).statusCode).toBe(404)
    expect((await read(String(id))).statusCode).toBe(404)
    await activate(id, 'false')
    expect((await read(public_key)).statusCode).toBe(404)
    expect((await read('x'.repeat(22))).statusCode).toBe(404)
  })

  it('shows a draft by number to those who may change it, and by a token of 30 minutes', async () => {
    const { id } = await create()
    const other = await create({ title: 'Other' })
    expect((await read(String(id), { by: clerk })).json()).toMatchObject({ headline: 'Sale da_DK', picture: null })
    expect((await read(String(id), { by: await operator.hire(['parcels']) })).statusCode).toBe(404)
    const { token } = await clerk.send(campaigns.preview, { id })
    expect((await read(String(id), { token })).statusCode).toBe(200)
    expect((await read(String(other.id), { token })).statusCode).toBe(404)
    expect((await read(String(id), { token: token.replace(/^./, 'z') })).statusCode).toBe(404)
    testApp.setNow(new Date(Date.now() + 31 * 60_000))
    expect((await read(String(id), { token })).statusCode).toBe(404)
  })
})
