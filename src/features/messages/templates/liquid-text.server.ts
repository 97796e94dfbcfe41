/** The texts of templates: Liquid with conditions and fallbacks alone. Everything that repeats, assigns or includes is removed. */
import { Liquid } from 'liquidjs'
import { unprocessable } from '#contract/errors.ts'
import { isKeyOf, keysOf } from '#domain/objects.ts'
import { textIn } from '#domain/thrown.ts'
import { type TemplateWord, templateWords } from './templates.codes.ts'

const tags: readonly string[] = ['if', 'unless']
const filters: readonly string[] = ['default', 'truncate']

const engine = new Liquid({
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: 20_000,
  renderLimit: 500,
  memoryLimit: 1_000_000,
})
// An empty loop runs past the limit of rendering (CVE-2026-44645): what is not wanted does not exist.
for (const name of Object.keys(engine.tags)) if (!tags.includes(name)) delete engine.tags[name]
for (const name of Object.keys(engine.filters)) if (!filters.includes(name)) delete engine.filters[name]

export type WordValues = Readonly<Record<TemplateWord, string>>

/** @throws {AppError} 422 with the sentence of the first mistake at `field` */
export function checkTemplateText(text: string, field: string): void {
  const fields = (sentence: string) => ({ fields: { [field]: sentence } })
  const tag = [...text.matchAll(/\{%-?\s*(\w*)/g)]
    .map(([, name = '']) => name)
    .find(name => !['if', 'elsif', 'else', 'endif', 'unless', 'endunless'].includes(name))
  if (tag !== undefined) throw tagRefused(tag, field)
  let words: string[]
  try {
    words = engine.globalVariablesSync(text)
  } catch (error) {
    const filter = /undefined filter: (\w+)/.exec(textIn(error, 'message') ?? '')?.[1]
    if (filter !== undefined) throw tagRefused(filter, field)
    throw unprocessable(
      'template_unreadable',
      'The braces of a word are not closed, or a condition has no end.',
      {},
      fields('The braces of a word are not closed, or a condition has no end.'),
    )
  }
  const unknown = words.find(word => !isKeyOf(templateWords, word))
  if (unknown !== undefined)
    throw unprocessable('template_word', 'Unknown word {{name}}.', { name: unknown }, fields('Unknown word {{name}}.'))
}

const tagRefused = (tag: string, field: string) =>
  unprocessable('template_tag', '{{tag}} cannot be used here.', { tag }, { fields: { [field]: '{{tag}} cannot be used here.' } })

/** What a checked text becomes. Empty values count as missing, so that fallbacks take their place. */
export function fillTemplateText(text: string, values: WordValues): string {
  const known = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  return String(engine.parseAndRenderSync(text, known)).trim()
}

/** Words of the text that have no value and no fallback. */
export function missingWords(text: string, values: WordValues): TemplateWord[] {
  const used = new Set(engine.globalVariablesSync(text))
  const plain = (word: string) => new RegExp(`\\{\\{-?\\s*${word}\\s*(\\|\\s*truncate[^}]*)?-?\\}\\}`).test(text)
  return keysOf(templateWords).filter(word => used.has(word) && values[word] === '' && plain(word))
}
