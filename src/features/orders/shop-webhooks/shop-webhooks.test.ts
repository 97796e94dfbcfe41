/** Deliveries of shops: signed, repeated, out of order, and what they leave behind. */
import type { Selectable } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { shopifyDelivery, shopifyOrder } from '#integrations/shops/shopify.fake.ts'
import { type SentDelivery, wooDelivery, wooOrder, wooPing } from '#integrations/shops/woocommerce.fake.ts'
import type { DB } from '#platform/database/schema.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { shopWebhooks } from './shop-webhooks.contract.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
const secret = 'the secret of this shop'
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
afterEach(() => testApp.setNow(undefined))
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['settings_admin'])
  await admin.send(cmsKeys.setHook, { source: 'woocommerce', shop: 'main', body: { secret } })
  await admin.send(cmsKeys.setHook, { source: 'shopify', shop: 'dk', body: { secret } })
})

const deliver = async (source: 'woocommerce' | 'shopify', { raw, headers }: SentDelivery, shop = source === 'shopify' ? 'dk' : 'main') =>
  (
    await testApp
      .visitor(operator.main)
      .ask(shopWebhooks[source], { shop, upload: raw }, { headers: { 'content-type': 'application/json', ...headers } })
  ).statusCode
const rows = <T extends 'orders' | 'order_lines' | 'events' | 'shop_deliveries'>(table: T) =>
  testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .selectFrom(table as 'orders')
      .selectAll()
      .execute(),
  ) as unknown as Promise<Selectable<DB[T]>[]>

describe('a WooCommerce delivery', () => {
  it('becomes an order of its shop', async () => {
    expect(await deliver('woocommerce', wooDelivery(wooOrder({ id: 7, number: '10007' }), { secret }))).toBe(204)
    expect(await rows('orders')).toMatchObject([
      { external_id: '7', order_no: '10007', shop: 'main', source: 'woocommerce', work_state: 'ready' },
    ])
    expect((await rows('events')).filter(event => event.order_id)).toMatchObject([
      { kind: 'order.imported', actor_name: 'WooCommerce', actor_kind: 'api_key' },
    ])
  })

  it('without any address makes an order that is held until the shop sends one', async () => {
    const nowhere = {
      first_name: 'Lene',
      last_name: 'Hansen',
      company: '',
      address_1: '',
      address_2: '',
      city: '',
      postcode: '',
      country: 'DK',
    }
    const bare = wooOrder({ id: 8, billing: nowhere as never, shipping: nowhere as never })
    expect(await deliver('woocommerce', wooDelivery(bare, { secret }))).toBe(204)
    expect(await rows('orders')).toMatchObject([{ held: true, phase: 'held' }])
    const whole = wooOrder({ id: 8, date_modified_gmt: '2036-11-10T10:00:00' } as never)
    expect(await deliver('woocommerce', wooDelivery(whole, { secret }))).toBe(204)
    expect(await rows('orders')).toMatchObject([{ held: false, phase: 'ready' }])
  })

  it('that comes five times, all at once, makes one change', async () => {
    const delivery = wooDelivery(wooOrder(), { secret })
    const statuses = await Promise.all(Array.from({ length: 5 }, () => deliver('woocommerce', delivery)))
    expect(statuses).toEqual([204, 204, 204, 204, 204])
    expect(await rows('orders')).toHaveLength(1)
    expect(await rows('shop_deliveries')).toHaveLength(1)
    expect((await rows('events')).filter(event => event.order_id)).toHaveLength(1)
  })

  it('that holds no good order and comes five times is reported once', async () => {
    const delivery = wooDelivery(wooOrder({ currency: 'nothing' }), { secret })
    await Promise.all(Array.from({ length: 5 }, () => deliver('woocommerce', delivery)))
    expect((await rows('events')).filter(event => event.kind === 'webhook.refused')).toHaveLength(1)
  })

  it('with a wrong signature is refused with the same words as one for a shop without a secret', async () => {
    const forged = wooDelivery(wooOrder(), { secret: 'another secret' })
    const unsigned = { ...forged, headers: { ...forged.headers, 'x-wc-webhook-signature': '' } }
    const asked = async ({ raw, headers }: SentDelivery, shop: string) => {
      const answer = await testApp
        .visitor(operator.main)
        .ask(shopWebhooks.woocommerce, { shop, upload: raw }, { headers: { 'content-type': 'application/json', ...headers } })
      return [answer.statusCode, (answer.json() as { message: string }).message]
    }
    const expected = [401, 'This delivery is not signed with the secret of this shop']
    expect(await asked(forged, 'main')).toEqual(expected)
    expect(await asked(unsigned, 'main')).toEqual(expected)
    expect(await asked(wooDelivery(wooOrder(), { secret }), 'nowhere')).toEqual(expected)
    expect(await asked(wooDelivery(wooOrder(), { secret: '' }), 'nowhere')).toEqual(expected)
    expect(await rows('orders')).toHaveLength(0)
    expect(await rows('shop_deliveries')).toHaveLength(0)
  })

  it('whose body was changed on the way is refused', async () => {
    const { raw, headers } = wooDelivery(wooOrder({ id: 7 }), { secret })
    const changed = Buffer.from(Buffer.from(raw).toString().replace('"id":7', '"id":8'))
    expect(await deliver('woocommerce', { raw: changed, headers })).toBe(401)
  })

  it('signed for one company opens no other', async () => {
    const { raw, headers } = wooDelivery(wooOrder(), { secret })
    const answer = await testApp
      .visitor(operator.shops[0]!)
      .ask(shopWebhooks.woocommerce, { shop: 'main', upload: raw }, { headers: { 'content-type': 'application/json', ...headers } })
    expect(answer.statusCode).toBe(401)
  })

  it('that only introduces the web hook is answered well and stores nothing', async () => {
    const { raw, headers } = wooPing()
    expect(
      (await testApp.visitor(operator.main).ask(shopWebhooks.woocommerce, { shop: 'main', upload: raw }, { headers })).statusCode,
    ).toBe(204)
    expect(await rows('orders')).toHaveLength(0)
  })

  it('that holds no good order is answered well, and reported on the screen', async () => {
    expect(await deliver('woocommerce', wooDelivery(wooOrder({ currency: 'nothing' }), { secret }))).toBe(204)
    expect(await rows('orders')).toHaveLength(0)
    expect((await rows('events')).map(event => event.kind)).toContain('webhook.refused')
    const { rows: hooks } = await admin.send(cmsKeys.hooks, {})
    expect(hooks.find(hook => hook.source === 'woocommerce')).toMatchObject({
      shop: 'main',
      last4: 'shop',
      last_outcome: expect.stringContaining('refused'),
    })
  })

  it('larger than five megabytes is refused', async () => {
    expect(await deliver('woocommerce', { raw: Buffer.alloc(6_000_000, 32), headers: {} })).toBe(413)
  })

  const at = (second: number) => `2026-11-10T10:30:${String(second).padStart(2, '0')}`
  const history = (id: number) => [
    wooOrder({ id, number: `N${id}`, date_modified_gmt: at(1) }),
    wooOrder({ id, number: `N${id}`, date_modified_gmt: at(2), customer_note: 'Second' }),
    wooOrder({ id, number: `N${id}`, date_modified_gmt: at(3), customer_note: 'Third' }),
  ]
  it('leaves the same order whatever the order in which deliveries come, each one to five times', async () => {
    let seed = 7
    const roll = (sides: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * sides)
    }
    for (let trial = 0; trial < 6; trial++) {
      const id = 9_000 + trial
      const deliveries = history(id)
        .map(order => wooDelivery(order, { secret }))
        .flatMap(delivery => Array.from({ length: 1 + roll(5) }, () => delivery))
        .map(delivery => ({ delivery, rank: roll(1_000) }))
        .sort((one, other) => one.rank - other.rank)
      await Promise.all(deliveries.map(({ delivery }) => deliver('woocommerce', delivery)))
      const comments = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
        db.selectFrom('orders as o').select(['o.source_version', 'o.work_state']).where('o.external_id', '=', String(id)).execute(),
      )
      expect(comments).toEqual([{ source_version: Date.parse(`${at(3)}Z`), work_state: 'ready' }])
    }
  })

  it('that cancels wins over an older one that comes after it', async () => {
    await deliver('woocommerce', wooDelivery(wooOrder({ id: 5, status: 'cancelled', date_modified_gmt: at(9) }), { secret }))
    await deliver('woocommerce', wooDelivery(wooOrder({ id: 5, date_modified_gmt: at(1) }), { secret }))
    expect(await rows('orders')).toMatchObject([{ phase: 'cancelled' }])
  })

  it('that deletes an order ends it, and the order does not come back with a late delivery', async () => {
    await deliver('woocommerce', wooDelivery(wooOrder({ id: 5, date_modified_gmt: at(1) }), { secret }))
    await deliver('woocommerce', wooDelivery({ id: 5 }, { secret, topic: 'order.deleted' }))
    await deliver('woocommerce', wooDelivery({ id: 6 }, { secret, topic: 'order.deleted' }))
    await deliver('woocommerce', wooDelivery(wooOrder({ id: 5, date_modified_gmt: at(2) }), { secret }))
    await deliver('woocommerce', wooDelivery(wooOrder({ id: 6, date_modified_gmt: at(2) }), { secret }))
    expect(await rows('orders')).toMatchObject([{ external_id: '5', phase: 'cancelled' }])
  })
})

describe('a Shopify delivery', () => {
  it('becomes an order of its shop, once', async () => {
    const delivery = shopifyDelivery(shopifyOrder({ id: 42, name: '#1042' }), { secret })
    await Promise.all([1, 2, 3, 4, 5].map(() => deliver('shopify', delivery)))
    expect(await rows('orders')).toMatchObject([{ external_id: '42', order_no: '#1042', shop: 'dk', source: 'shopify' }])
  })

  it('with a wrong signature is refused', async () => {
    expect(await deliver('shopify', shopifyDelivery(shopifyOrder(), { secret: 'another secret' }))).toBe(401)
    expect(await rows('orders')).toHaveLength(0)
  })
})

describe('the secret of a web hook', () => {
  const place = { source: 'woocommerce', shop: 'main' } as const
  const replace = (newer: string, keep_old_hours?: 0 | 1 | 24 | 168) =>
    admin.send(cmsKeys.setHook, { ...place, body: { secret: newer, ...(keep_old_hours !== undefined && { keep_old_hours }) } })
  const signed = (by: string) => deliver('woocommerce', wooDelivery(wooOrder(), { secret: by }))
  const retired = async () => (await admin.send(cmsKeys.hooks, {})).rows.find(hook => hook.source === 'woocommerce')!.retired

  it('is never shown, and forgotten with what came before it when the web hook is removed', async () => {
    expect(JSON.stringify((await admin.ask(cmsKeys.hooks, {})).json())).not.toContain(secret)
    await replace('a newer secret')
    const shown = JSON.stringify((await admin.ask(cmsKeys.hooks, {})).json())
    for (const one of [secret, 'a newer secret']) expect(shown).not.toContain(one)
    expect(await signed('a newer secret')).toBe(204)
    await admin.send(cmsKeys.removeHook, place)
    for (const one of [secret, 'a newer secret']) expect(await signed(one)).toBe(401)
  })

  it('that is replaced goes on signing for a day where nothing else is said', async () => {
    const { retired } = await replace('a newer secret')
    expect((Date.parse(retired[0]!.valid_until) - Date.now()) / 3_600_000).toBeCloseTo(24, 1)
  })

  it('that is replaced goes on signing for as long as was said, and no longer', async () => {
    const hook = await replace('a newer secret', 1)
    expect(hook).toMatchObject({ last4: 'cret', retired: [{ last4: 'shop', last_used_at: null }] })
    const until = Date.parse(hook.retired[0]!.valid_until)
    expect([await signed(secret), await signed('a newer secret')]).toEqual([204, 204])
    expect((await retired())[0]!.last_used_at).not.toBeNull()
    testApp.setNow(new Date(until + 1_000))
    expect([await signed(secret), await signed('a newer secret')]).toEqual([401, 204])
    expect(await retired()).toEqual([])
  })

  it('that has leaked ends at once, with all before it', async () => {
    await replace('a newer secret')
    expect((await replace('the newest secret', 0)).retired).toEqual([])
    for (const one of [secret, 'a newer secret']) expect(await signed(one)).toBe(401)
    expect(await signed('the newest secret')).toBe(204)
  })

  it('that was replaced can be ended before its time, in its own place only', async () => {
    const [old] = (await replace('a newer secret')).retired
    const id = old!.retired_id
    await expect(admin.send(cmsKeys.removeRetired, { source: 'shopify', shop: 'dk', id })).rejects.toMatchObject({ status: 404 })
    const stranger = await operator.hire(['settings_admin'], operator.shops[0])
    await expect(stranger.send(cmsKeys.removeRetired, { ...place, id })).rejects.toMatchObject({ status: 404 })
    expect(await signed(secret)).toBe(204)
    await admin.send(cmsKeys.removeRetired, { ...place, id })
    expect(await signed(secret)).toBe(401)
    await expect(admin.send(cmsKeys.removeRetired, { ...place, id })).rejects.toMatchObject({
      status: 404,
      message: 'This secret does not sign any more',
    })
  })

  it('survives a slip: a wrong one in between takes nothing away, and going back is possible', async () => {
    await replace('a mistyped secret')
    await replace('a mistyped secret')
    expect(await retired()).toHaveLength(1)
    await replace(secret)
    expect((await retired()).map(one => one.last4)).toEqual(['cret'])
    expect(await signed(secret)).toBe(204)
    for (const n of [1, 2, 3, 4]) await replace(`secret number ${n}`)
    await expect(replace('one too many')).rejects.toMatchObject({
      status: 409,
      message: '5 replaced secrets still sign: end one of them first',
    })
    expect(await signed(secret)).toBe(204)
  })

  it('lies sealed in the database', async () => {
    const sealed = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('secrets').select('sealed').execute(),
    )
    expect(sealed).toHaveLength(2)
    await replace('a newer secret')
    const kept = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('retired_secrets').select('sealed').execute(),
    )
    for (const row of [...sealed, ...kept]) expect(Buffer.from(row.sealed).toString('latin1')).not.toContain('secret')
  })
})
