/** The lengths of section 6 of the design system: what stands in a place of the screen fits it, in five languages. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rail } from '#app/rail.ts'
import { screens } from '#app/screens.ts'
import { locales } from '#contract/limits.ts'
import limits from '../translations/limits.json' with { type: 'json' }
import { type Kind, sentencesByPlace, type Use, usesIn } from './copy-kinds.ts'

type Locale = (typeof locales)[number]
const book = (locale: Locale): Map<string, string> =>
  new Map(Object.entries<string>(JSON.parse(readFileSync(new URL(`../translations/${locale}.json`, import.meta.url), 'utf8'))))
const books = new Map(locales.map(locale => [locale, book(locale)]))

/** Other languages need more letters for the same thing; the boxes are sized for it. */
const longest = (kind: Kind, locale: Locale): number => Math.ceil(limits.lengths[kind] * (locale === 'en_GB' ? 1 : 1.4))
/** A number or a name that is filled in counts as three letters. */
const lengthOf = (text: string): number => text.replaceAll(/\{\{\w+\}\}/g, '000').length

const titles = new Map(screens.map(screen => [screen.path, screen.title]))
const railUses: Use[] = rail.flatMap(group =>
  group.pages.flatMap(page => [
    { kind: 'rail item' as const, sentence: page.title ?? titles.get(page.path) ?? '', where: 'src/app/rail.ts' },
    ...(page.tabs ?? []).map(tab => ({
      kind: 'tab' as const,
      sentence: tab.title ?? titles.get(tab.path) ?? '',
      where: 'src/app/rail.ts',
    })),
  ]),
)
const uses = [...sentencesByPlace(), ...railUses]
const terms = new Set<string>(limits.terms)

describe.each(locales)('%s', locale => {
  const forms = ({ sentence }: Use) => [sentence, `${sentence}_one`, `${sentence}_other`].flatMap(key => books.get(locale)?.get(key) ?? [])

  it('keeps every sentence within the length of its place', () => {
    const tooLong = uses.flatMap(use =>
      terms.has(use.sentence.replace(/ …$/, ''))
        ? []
        : forms(use)
            .filter(text => lengthOf(text) > longest(use.kind, locale))
            .map(text => `${use.kind}, ${lengthOf(text)} of ${longest(use.kind, locale)}: “${text}” (${use.where})`),
    )
    expect([...new Set(tooLong)]).toEqual([])
  })

  it('ends no title, label, button or badge with a full stop', () => {
    const stopped = uses
      .filter(({ kind }) => /title|head|badge|button|label|tab|view|item|placeholder/.test(kind))
      .flatMap(use =>
        forms(use)
          .filter(text => /[^.…]\.$/.test(text) && !/\b(stk|nr|dgr|mva|idnr)\.$/i.test(text))
          .map(text => `${text} (${use.where})`),
      )
    expect([...new Set(stopped)]).toEqual([])
  })

  it('shouts and begs nowhere', () => {
    const loud = [...(books.get(locale)?.values() ?? [])].filter(
      text => /!(?!=)/.test(text.replace(/^(Hej|Hei) \{\{name\}\}!$/, '')) || (locale === 'en_GB' && /\bplease\b/i.test(text)),
    )
    expect(loud).toEqual([])
  })
})

describe('the place of a sentence', () => {
  it('is read from the source around it', () => {
    const source = `async function Screen() {
      const columns = useMemo(() => [{ key: 'a', title: t('Head'), cell: row => row.a }], [t])
      const save = useSend(call, { said: t('Toast') })
      const sure = await confirm({ title: t('Question?'), body: t('Text.'), action: busy ? t('One') : t('Two') })
      return <Page title={t('Title')}><Button onClick={save}>{open ? t('Close it') : <b>{t('Bold')}</b>}</Button>
        <TextInput label={t('Label')} description={t('Help.')} /></Page> }`
    expect(usesIn('src/x.tsx', source).map(({ kind, sentence }) => `${kind}: ${sentence}`)).toEqual([
      'column head: Head',
      'toast: Toast',
      'dialog title: Question?',
      'dialog text: Text.',
      'button: One',
      'button: Two',
      'page title: Title',
      'button: Close it',
      'field label: Label',
      'help: Help.',
    ])
  })

  it('is known of most sentences that a component shows', () => {
    expect(sentencesByPlace().length).toBeGreaterThan(2_000)
  })
})
