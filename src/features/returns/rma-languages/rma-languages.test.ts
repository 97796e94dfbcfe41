/** The return portal's languages over HTTP: opened and closed, texts by their version, pictures drawn anew, previews that end. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { company } from '#features/company/companies/companies.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import type { RmaTarget } from './rma-languages.codes.ts'
import { rmaLanguages } from './rma-languages.contract.ts'
import { isPreviewToken } from './rma-languages.queries.ts'
import type { RmaTexts } from './rma-languages.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let clerk: TestUser
let visitor: TestUser
let picture: Buffer

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  clerk = await operator.hire(['rma_admin'])
  visitor = testApp.visitor(operator.main)
  picture = await sharp({ create: { width: 900, height: 500, channels: 3, background: '#2a7' } })
    .withExif({ IFD0: { Copyright: 'a secret' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => testApp.close())

const texts: RmaTexts = {
  greeting: 'Hej',
  return_address: 'Returvej 1, 5000 Odense',
  confirmation: 'Vi har modtaget din retur.',
  legal: '',
  support: '',
}
const upload = (given: Buffer) => ({ upload: given as unknown as Blob })
const language = 'da_DK' as const

describe('a language of the portal', () => {
  it('opens only with return address and confirmation, and opening or closing it again is no mistake', async () => {
    await expect(clerk.send(rmaLanguages.enable, { language })).rejects.toMatchObject({ status: 409, code: 'rma_texts_missing' })
    const saved = await clerk.send(rmaLanguages.setTexts, { language, body: { texts, version: 0 } })
    expect(saved).toMatchObject({ shop: 'main', language, enabled: false, texts, version: 1 })
    expect(await clerk.send(rmaLanguages.enable, { language })).toMatchObject({ enabled: true, version: 2 })
    expect(await clerk.send(rmaLanguages.enable, { language })).toMatchObject({ enabled: true, version: 2 })
    await expect(
      clerk.send(rmaLanguages.setTexts, { language, body: { texts: { ...texts, confirmation: ' ' }, version: 2 } }),
    ).rejects.toMatchObject({ code: 'rma_texts_missing', fields: { 'texts.confirmation': expect.any(String) } })
    expect(await clerk.send(rmaLanguages.disable, { language })).toMatchObject({ enabled: false, version: 3 })
    expect(await clerk.send(rmaLanguages.disable, { language })).toMatchObject({ enabled: false, version: 3 })
    await expect(clerk.send(rmaLanguages.setTexts, { language, body: { texts, version: 1 } })).rejects.toMatchObject({
      status: 409,
      code: 'settings_changed',
      current: expect.objectContaining({ version: 3 }),
    })
    expect((await clerk.send(rmaLanguages.list, {})).rows.map(row => row.language)).toEqual(['en_GB', 'da_DK', 'de_DE', 'no_NO', 'sv_SE'])
  })

  it('belongs to a known shop of the own company, and changing it needs the permission', async () => {
    await expect(clerk.send(rmaLanguages.disable, { language, shop: 'nowhere' })).rejects.toMatchObject({ code: 'shop_not_found' })
    const picker = await operator.hire(['pick'])
    await expect(picker.send(rmaLanguages.enable, { language })).rejects.toMatchObject({ status: 403 })
    await expect(picker.send(rmaLanguages.list, {})).rejects.toMatchObject({ status: 403 })
    const other = await operator.hire(['rma_admin'], operator.shops[0])
    expect((await other.send(rmaLanguages.list, {})).rows.every(row => row.version === 0)).toBe(true)
  })
})

describe('a picture of the portal', () => {
  const get = (target: RmaTarget, v?: string) => visitor.ask(rmaLanguages.picture, { language, target, ...(v && { v }) })

  it('is drawn anew without metadata, shown to anyone, and removed by an empty body', async () => {
    for (const target of ['logo', 'header', 'background'] as const) {
      await clerk.send(rmaLanguages.setPicture, { language, target, ...upload(picture) })
      const answer = await get(target)
      const { format, exif } = await sharp(answer.rawPayload).metadata()
      expect([format, exif]).toEqual([target === 'logo' ? 'png' : 'webp', undefined])
      expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', etag: expect.stringMatching(/^"[0-9a-f]{64}"$/) })
    }
    const { rows } = await clerk.send(rmaLanguages.list, {})
    const v = rows.find(row => row.language === language)?.pictures.header ?? ''
    expect((await get('header', v)).headers['cache-control']).toContain('immutable')
    await clerk.send(rmaLanguages.setPicture, { language, target: 'header', ...upload(Buffer.alloc(0)) })
    expect((await get('header')).statusCode).toBe(404)
  })

  it('is refused where it is none, or a bomb', async () => {
    for (const given of ['<html>', 'GIF89a', '<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>'])
      await expect(clerk.send(rmaLanguages.setPicture, { language, target: 'logo', ...upload(Buffer.from(given)) })).rejects.toMatchObject({
        status: 422,
        code: 'not_an_image',
      })
  })

  it('of the logo is the company’s where the language has none', async () => {
    const admin = await operator.hire(['admin'])
    await clerk.send(rmaLanguages.setPicture, { language, target: 'logo', ...upload(Buffer.alloc(0)) })
    expect((await get('logo')).statusCode).toBe(404)
    await admin.send(company.setLogo, upload(picture))
    expect((await get('logo')).statusCode).toBe(200)
  })
})

it('shows a draft by a token of half an hour, for this language alone', async () => {
  const { token } = await clerk.send(rmaLanguages.preview, { language })
  const of = { company_id: operator.main.id, shop: 'main', language }
  const { vault } = testApp.services
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  expect(isPreviewToken(vault, of, token, at(29))).toBe(true)
  expect(isPreviewToken(vault, of, token, at(31))).toBe(false)
  expect(isPreviewToken(vault, { ...of, language: 'de_DE' }, token, at(0))).toBe(false)
  expect(isPreviewToken(vault, { ...of, company_id: of.company_id + 1 }, token, at(0))).toBe(false)
  expect(isPreviewToken(vault, of, `z${token}`, at(0))).toBe(false)
})
