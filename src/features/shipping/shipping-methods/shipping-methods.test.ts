/** What a company may set for its ways of sending. */
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { shippingMethods } from './shipping-methods.contract.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['settings_admin'])
})
afterAll(() => testApp.close())

const van = { agent_code: 'own', method: 'van' }
const pickup = { agent_code: 'own', method: 'pickup' }
const get = (which = van, by = lead) => by.send(shippingMethods.get, which)

describe('shipping methods', () => {
  it('are what the couriers offer until the company sets something', async () => {
    const list = await lead.send(shippingMethods.list, {})
    expect(list.map(one => [one.agent_code, one.shipping_method, one.name, one.active, one.fallback, one.version])).toEqual([
      ['own', 'van', 'Own delivery', false, true, 0],
      ['own', 'pickup', 'Collect in shop', false, false, 0],
    ])
  })

  it('are switched on one by one, and then nothing is used that is not switched on', async () => {
    await lead.send(shippingMethods.setActive, { active: 'true', ...pickup })
    expect(await get(pickup)).toMatchObject({ active: true, version: 1 })
    expect(await get(van)).toMatchObject({ active: false, fallback: false })
    await lead.send(shippingMethods.setActive, { active: '0', ...pickup })
    expect(await get(pickup)).toMatchObject({ active: false, version: 2 })
  })

  it('keep name, shop codes, packing text and documents', async () => {
    const saved = await lead.send(shippingMethods.set, {
      ...van,
      type: 'parcel',
      body: {
        version: 0,
        name: 'Vognmand',
        shop_codes: ['local_delivery', 'van', 'van'],
        packing_text: 'Dobbelt karton',
        documents: ['slip'],
      },
    })
    expect(saved).toMatchObject({
      name: 'Vognmand',
      shop_codes: ['local_delivery', 'van'],
      packing_text: 'Dobbelt karton',
      documents: ['slip'],
      version: 1,
    })
    expect(await get()).toEqual(saved)
  })

  it('with an old version are refused with the current state', async () => {
    await lead.send(shippingMethods.set, { ...van, type: 'parcel', body: { version: 0, name: 'First' } })
    await expect(lead.send(shippingMethods.set, { ...van, type: 'parcel', body: { version: 0, name: 'Second' } })).rejects.toMatchObject({
      status: 409,
      current: { name: 'First', version: 1 },
    })
  })

  it('never share a shop code, whatever its capitals', async () => {
    await lead.send(shippingMethods.set, { ...van, type: 'parcel', body: { version: 0, shop_codes: ['Local'] } })
    await expect(
      lead.send(shippingMethods.set, { ...pickup, type: 'parcel', body: { version: 0, shop_codes: ['local'] } }),
    ).rejects.toMatchObject({
      status: 422,
      message: 'The shop code Local belongs to Own delivery already',
      fields: { shop_codes: expect.any(String) },
    })
  })

  it('ask for the label check, for documents and for texts one at a time', async () => {
    await lead.send(shippingMethods.setLabelCheck, { toggle: 'true', courier: 'own', method: 'van' })
    await lead.send(shippingMethods.setDocument, { active: 'true', ...van, attribute: 'slip' })
    await lead.send(shippingMethods.setText, { ...van, attribute: 'packing_text', body: { value: 'Fragile' } })
    expect(await get()).toMatchObject({ check_tracking_and_trace: true, documents: ['slip'], packing_text: 'Fragile', active: false })
    await lead.send(shippingMethods.setDocument, { active: 'false', ...van, attribute: 'slip' })
    await lead.send(shippingMethods.setText, { ...van, attribute: 'packing_text', body: { value: '' } })
    expect(await get()).toMatchObject({ documents: [], packing_text: null })
  })

  it('go back to what the courier offers', async () => {
    await lead.send(shippingMethods.setText, { ...van, attribute: 'name', body: { value: 'Vognmand' } })
    await lead.send(shippingMethods.remove, van)
    expect(await get()).toMatchObject({ name: 'Own delivery', version: 0 })
    await expect(lead.send(shippingMethods.remove, van)).rejects.toMatchObject({ status: 404 })
  })

  it('that no courier offers are not found', async () => {
    for (const which of [
      { agent_code: 'own', method: 'balloon' },
      { agent_code: 'unknown', method: 'van' },
    ]) {
      await expect(get(which)).rejects.toMatchObject({ status: 404 })
      await expect(lead.send(shippingMethods.setActive, { active: 'true', ...which })).rejects.toMatchObject({ status: 404 })
    }
  })

  it('are read at the bench and changed only with the settings’ rights', async () => {
    const packer = await operator.hire(['scan'])
    expect(await packer.send(shippingMethods.list, {})).toHaveLength(2)
    expect((await packer.ask(shippingMethods.setActive, { active: 'true', ...van })).statusCode).toBe(403)
  })

  it('are each company’s own', async () => {
    const shop = await operator.hire(['settings_admin'], operator.shops[0])
    await shop.send(shippingMethods.setActive, { active: 'true', ...van })
    expect(await get()).toMatchObject({ active: false })
  })
})

describe('the handling picture', () => {
  const upload = async (color: string) => ({
    upload: new Uint8Array(
      await sharp({ create: { width: 1600, height: 800, channels: 3, background: color } })
        .png()
        .toBuffer(),
    ),
  })
  const colourOf = async ({ bytes }: { bytes: Uint8Array }) =>
    [...(await sharp(bytes).resize(1, 1).removeAlpha().raw().toBuffer())].map(n => Math.round(n / 64))

  it('is the method’s own, else the company’s default, else none', async () => {
    await expect(lead.send(shippingMethods.image, van)).rejects.toMatchObject({ status: 404 })
    await lead.send(shippingMethods.setDefaultImage, (await upload('#0000ff')) as never)
    expect(await colourOf((await lead.send(shippingMethods.image, van)) as { bytes: Uint8Array })).toEqual([0, 0, 4])
    await lead.send(shippingMethods.setImage, { ...van, ...(await upload('#ff0000')) } as never)
    const own = (await lead.send(shippingMethods.image, van)) as { bytes: Uint8Array }
    expect(await colourOf(own)).toEqual([4, 0, 0])
    expect(await sharp(own.bytes).metadata()).toMatchObject({ width: 800, format: 'webp' })
    await lead.send(shippingMethods.removeImage, van)
    expect(await colourOf((await lead.send(shippingMethods.image, van)) as { bytes: Uint8Array })).toEqual([0, 0, 4])
    await lead.send(shippingMethods.removeDefaultImage, {})
    await expect(lead.send(shippingMethods.image, van)).rejects.toMatchObject({ status: 404 })
  })
})
