/** Every field of the settings is found by its words in each language, whichever language the interface has. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { locales } from '#contract/limits.ts'
import { settingsSearch } from '#contract/settings-search.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { openTestApp, type TestApp, type TestUser } from '#test/test-app.ts'
import { settingsIndex as written } from '../../../../scripts/settings-index.ts'
import { settingsIndex } from './settings-index.codes.ts'
import { findSettings, folded, searchedText } from './settings-search.rules.ts'
import { searchedFields } from './settings-search.server.ts'

let testApp: TestApp
let user: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  user = await (await testApp.operator({})).hire(['settings_admin'])
})
afterAll(() => testApp.close())

it('has the fields that the screens have: `node scripts/settings-index.ts` writes them', () => {
  expect(settingsIndex).toEqual(written())
})

it('knows the fields of every settings page that has a form', () => {
  const pages = settingsIndex.filter(page => page.fields.length === 0).map(page => page.path)
  // Lists without a field.
  expect(pages.toSorted()).toEqual(['/settings/cache', '/settings/changes'])
})

it.each(locales)('finds every label of every page in %s', async locale => {
  const [t, fields] = [await translatorFor(locale), await searchedFields()]
  const lost = settingsIndex.flatMap(({ path, title, fields: own }) =>
    [title, ...own.map(field => field.label)].filter(
      label => !findSettings(fields, t(label), 100).some(found => found.path === path && found.label === label),
    ),
  )
  expect(lost).toEqual([])
})

it.each([
  ['Bestellschluss', '/settings/company-config', 'Cut-off'],
  ['bestellschl', '/settings/company-config', 'Cut-off'],
  ['senest', '/settings/company-config', 'Cut-off'],
  ['cut-off', '/settings/company-config', 'Cut-off'],
])('finds by %s', async (query, path, label) => {
  const t = await translatorFor('da_DK')
  const asked = query === 'senest' ? t('Cut-off') : query
  expect(await user.send(settingsSearch.find, { query: asked })).toContainEqual(expect.objectContaining({ path, label }))
})

it('puts what begins with the words first, and finds without accents', () => {
  const field = (label: string, beside = '') => ({ path: '/x', label, is_page: false, texts: [searchedText(label, beside)] })
  const fields = [field('Other', 'weight'), field('Own weight'), field('Weight'), field('Überschrift')]
  expect(findSettings(fields, 'weight', 9).map(found => found.label)).toEqual(['Weight', 'Own weight', 'Other'])
  expect(findSettings(fields, 'uberschrift', 9).map(found => found.label)).toEqual(['Überschrift'])
  expect(folded('Ærø')).toBe('ærø')
})

it('finds letters inside a word only where no word begins with them', () => {
  const field = (label: string) => ({ path: '/x', label, is_page: false, texts: [searchedText(label, '')] })
  const fields = [field('Threshold'), field('Beholdning'), field('Reason of holds')]
  expect(findSettings(fields, 'hold', 9).map(found => found.label)).toEqual(['Reason of holds'])
  expect(findSettings(fields, 'holdn', 9).map(found => found.label)).toEqual(['Beholdning'])
})

it('answers nothing where nothing fits', async () => {
  expect(await user.send(settingsSearch.find, { query: 'qqqqzz' })).toEqual([])
})
