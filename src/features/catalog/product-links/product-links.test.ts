/** Product links: which addresses are allowed, how they are filled, and who writes them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { elementAt } from '#domain/objects.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { productLinks } from './product-links.contract.ts'
import { filledLink, isWebAddress, unknownPlace } from './product-links.rules.ts'

describe('the address of a link', () => {
  it('is one of the web', () => {
    expect(['https://shop.example/p/{sku}', 'http://x.example', 'HTTPS://shop.example/?q={barcode}'].map(isWebAddress)).toEqual([
      true,
      true,
      true,
    ])
    for (const bad of [
      'javascript:alert(1)',
      'ftp://x.example',
      '//x.example',
      'https://',
      'https://a b',
      'https://u:p@x.example',
      'data:,x',
      'https:\\\\x',
    ])
      expect([bad, isWebAddress(bad)]).toEqual([bad, false])
  })

  it('has the known places only', () => {
    expect(unknownPlace('https://x.example/{sku}/{barcode}/{shop_product_id}')).toBeNull()
    expect(unknownPlace('https://x.example/{name}')).toBe('name')
    expect(unknownPlace('https://x.example/{}')).toBe('')
  })

  it('is filled as a part of a path, and there is none where something is missing', () => {
    expect(filledLink('https://x.example/{sku}', { sku: 'A/B ?#&Æ' })).toBe('https://x.example/A%2FB%20%3F%23%26%C3%86')
    expect(filledLink('https://x.example/{barcode}', { sku: 'A' })).toBeNull()
    expect(filledLink('https://x.example/all', { sku: null })).toBe('https://x.example/all')
    expect(filledLink('https://{sku}/', { sku: 'evil.example/@' })).toBeNull()
  })
})

describe('the calls', () => {
  let testApp: TestApp
  let operator: TestOperator
  let main: TestUser
  let shop: TestUser
  beforeAll(async () => {
    testApp = await openTestApp()
    operator = await testApp.operator({ shops: 2 })
    main = await operator.hire(['admin'])
    shop = await operator.hire(['settings_admin', 'parcels_admin'], elementAt(operator.shops, 0))
  })
  afterAll(() => testApp.close())

  it('keep links that the main company writes for all and a shop for itself', async () => {
    const all = await main.send(productLinks.create, { body: { title: 'Data sheet', url: 'https://docs.example/{sku}', position: 2 } })
    const own = await shop.send(productLinks.create, { body: { title: 'Shop', url: 'https://shop.example/{barcode}', icon: 'shop' } })
    expect(own.company_ids).toEqual([elementAt(operator.shops, 0).id])
    const packer = await operator.hire(['scan'], elementAt(operator.shops, 1))
    expect((await packer.send(productLinks.list, {})).map(link => link.title)).toEqual(['Data sheet'])
    expect((await shop.send(productLinks.list, {})).map(link => link.title)).toEqual(['Shop', 'Data sheet'])
    await expect(
      shop.send(productLinks.update, { id: all.id, body: { title: 'X', url: 'https://x.example', version: all.version } }),
    ).rejects.toMatchObject({ code: 'product_link_not_found' })
    expect((await packer.ask(productLinks.create, { body: { title: 'X', url: 'https://x.example' } })).statusCode).toBe(403)

    await shop.send(products.create, {
      body: {
        ...{ sku: 'MUG-1', name: 'Mug', variant: null, weight_g: null, length_mm: null, width_mm: null, height_mm: null, bin: null },
        ...{ hs_code: null, origin: null, customs_text: null, serial_required: false, no_barcode: false },
        barcodes: [{ barcode: '5701234567899', quantity: 1 }],
      },
    })
    expect((await shop.send(productLinks.list, { sku: 'mug-1' })).map(link => link.url)).toEqual([
      'https://shop.example/5701234567899',
      'https://docs.example/MUG-1',
    ])
    expect((await shop.send(productLinks.list, { sku: 'UNKNOWN' })).map(link => link.url)).toEqual(['https://docs.example/UNKNOWN'])

    const off = await main.send(productLinks.update, {
      id: all.id,
      body: { title: 'Data sheet', url: 'https://docs.example/{sku}', active: false, version: all.version },
    })
    expect(await packer.send(productLinks.list, { sku: 'A' })).toEqual([])
    await expect(
      main.send(productLinks.update, { id: all.id, body: { title: 'Y', url: 'https://y.example', version: all.version } }),
    ).rejects.toMatchObject({ code: 'settings_changed', current: expect.objectContaining({ version: off.version }) })
    await main.send(productLinks.remove, { id: all.id })
    await main.send(productLinks.remove, { id: all.id })
    expect((await main.send(productLinks.list, {})).map(link => link.title)).toEqual(['Shop'])
  })

  it('refuse addresses that lead elsewhere than to the web', async () => {
    const ask = (url: string) => main.send(productLinks.create, { body: { title: 'X', url } })
    await expect(ask('javascript:alert(1)')).rejects.toMatchObject({ code: 'link_scheme', fields: { url: expect.any(String) } })
    await expect(ask('https://x.example/{price}')).rejects.toMatchObject({ code: 'link_place' })
    await expect(
      main.send(productLinks.create, { body: { title: 'X', url: 'https://x.example', company_ids: [999_999] } }),
    ).rejects.toMatchObject({ code: 'company_unknown' })
  })
})
