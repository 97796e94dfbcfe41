/** The search of settings: the words of all languages, read once for each state of the catalogues. */
import { type Locale, locales } from '#contract/limits.ts'
import { settingsSearchSchemas } from '#contract/settings-search.schemas.ts'
import { settingsSearch } from '#contract/settings-search.ts'
import { createCache } from '#platform/caches/caches.ts'
import { implement } from '#platform/http/feature-module.ts'
import { translationBundle, translatorFor } from '#platform/http/translations.ts'
import { settingsIndex } from './settings-index.codes.ts'
import { findSettings, type SearchedField, searchedText } from './settings-search.rules.ts'

/** The browser leaves out what the person may not open. */
const most = 100

const known = createCache<string, readonly SearchedField[]>('languages', { most: 1 })

export const settingsSearchServer = implement(settingsSearch, settingsSearchSchemas, {
  find: async ({ query }) => findSettings(await searchedFields(), query, most),
})

export async function searchedFields(): Promise<readonly SearchedField[]> {
  const bundles = await Promise.all(locales.map(locale => translationBundle(locale)))
  const key = bundles.map(({ hash }) => hash).join()
  const before = known.get(key)
  if (before) return before
  const words = await Promise.all(locales.map((locale: Locale) => translatorFor(locale)))
  const texts = (label: string, beside: readonly string[]) =>
    words.map(t => searchedText(t(label), beside.map(sentence => t(sentence)).join(' ')))
  const fields = settingsIndex.flatMap(({ path, title, words: pageWords, fields: own }) => [
    { path, label: title, is_page: true, texts: texts(title, pageWords ? [pageWords] : []) },
    ...own.map(({ label, help }) => ({ path, label, is_page: false, texts: texts(label, help) })),
  ])
  known.set(key, fields)
  return fields
}
