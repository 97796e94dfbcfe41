/** The words of the interface are sent compressed, and are kept for as long as they say the same. */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#test/test-app.ts'
import { translationBundle } from './translations.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())

const ask = (url: string, headers: Record<string, string> = {}) =>
  testApp.app.inject({ method: 'GET', url, headers: { host: 'localhost', ...headers } })
const book = JSON.parse(readFileSync(new URL('../../../translations/de_DE.json', import.meta.url), 'utf8')) as Record<string, string>

describe('the words of a language', () => {
  it('are those that do not read like their key, which says the same by itself', async () => {
    const words = (await ask('/translations/de_DE.json')).json() as Record<string, string>
    expect(Object.fromEntries(Object.keys(book).map(key => [key, words[key] ?? key]))).toEqual(book)
    const english = (await ask('/translations/en_GB.json')).json() as Record<string, string>
    expect(english['{{count}} orders_one']).toBe('{{count}} order')
    expect(english.Save).toBeUndefined()
  })

  it('are packed as the asker can unpack them', async () => {
    const plain = (await ask('/translations/de_DE.json')).rawPayload
    const br = await ask('/translations/de_DE.json', { 'accept-encoding': 'gzip, deflate, br, zstd' })
    const zip = await ask('/translations/de_DE.json', { 'accept-encoding': 'gzip' })
    expect([br.headers['content-encoding'], zip.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(br.rawPayload)).toEqual(plain)
    expect(gunzipSync(zip.rawPayload)).toEqual(plain)
    expect(br.headers.vary).toBe('accept-encoding')
  })

  it('are kept for ever under the hash of what they say, and asked about again under any other name', async () => {
    const { hash } = await translationBundle('de_DE')
    const kept = await ask(`/translations/de_DE.json?v=${hash}`)
    expect(kept.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const url of ['/translations/de_DE.json', '/translations/de_DE.json?v=older'])
      expect((await ask(url)).headers['cache-control'], url).toBe('no-cache')
    const again = await ask('/translations/de_DE.json', { 'if-none-match': String(kept.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('exist for the five languages only', async () => {
    expect((await ask('/translations/fr_FR.json')).statusCode).toBe(404)
  })
})
