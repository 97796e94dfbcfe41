/** The words of the interface as they are handed out: only sentences that differ from their key, packed once. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import * as z from 'zod'
import { interpolate } from '#contract/errors.ts'
import type { Locale } from '#contract/limits.ts'
import { createCache } from '#platform/caches/caches.ts'

export interface TranslationBundle {
  /** Of the content: under it a browser may keep the file for ever. */
  hash: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

const catalogueFile = (locale: Locale): URL => new URL(`../../../translations/${locale}.json`, import.meta.url)
/** Sentence → its translation. */
const Catalogue = z.record(z.string(), z.string())
const packed = createCache<Locale, { changed: number; words: Promise<TranslationBundle>; bytes: number }>('languages', {
  most: 20,
  bytesOf: ({ bytes }) => bytes,
})

/** A changed file is read at the next request. */
export async function translationBundle(locale: Locale): Promise<TranslationBundle> {
  const changed = (await stat(catalogueFile(locale))).mtimeMs
  const known = packed.get(locale)
  if (known?.changed === changed) return known.words
  const words = pack(locale)
  const entry = { changed, words, bytes: 0 }
  packed.set(locale, entry)
  words.then(
    ({ plain, br, gzip: zip }) => {
      entry.bytes = plain.length + br.length + zip.length
    },
    () => packed.delete(locale),
  )
  return words
}

/** Says sentences in a language outside of the browser: those without plural forms. */
export async function translatorFor(locale: Locale): Promise<(sentence: string, values?: Values) => string> {
  const book = Catalogue.parse(JSON.parse((await translationBundle(locale)).plain.toString()))
  return (sentence, values = {}) => interpolate(book[sentence] ?? sentence, values)
}
type Values = Parameters<typeof interpolate>[1]

async function pack(locale: Locale): Promise<TranslationBundle> {
  const book = Catalogue.parse(JSON.parse(await readFile(catalogueFile(locale), 'utf8')))
  // A sentence without words is its own key, in every language.
  const plain = Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(book).filter(([key, text]) => key !== text))))
  const [br, zip] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    promisify(gzip)(plain),
  ])
  return { hash: createHash('sha256').update(plain).digest('hex').slice(0, 12), plain, br, gzip: zip }
}
