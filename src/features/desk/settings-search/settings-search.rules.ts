/** Finds fields by what was typed, in all languages at once. */

interface SearchedText {
  words: string
  /** Folded: the words, and with them the sentences beside the field. */
  small: string
  all: string
}

export interface SearchedField {
  path: string
  label: string
  is_page: boolean
  /** For each language the words of the field, and the sentences beside it; what is found in several counts once. */
  texts: readonly SearchedText[]
}

/** Small letters without accents: `Überschrift` is found by `uberschrift`. */
export const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

export const searchedText = (words: string, beside: string): SearchedText => ({
  words,
  small: folded(words),
  all: folded(`${words} ${beside}`),
})

/** How well a text fits: it begins with what was typed, a word of it does, it holds all words, or only a sentence beside it does. */
function rank({ small: words, all }: SearchedText, wanted: readonly string[]): number | null {
  const whole = wanted.join(' ')
  if (words === whole) return 0
  if (words.startsWith(whole)) return 1
  if (wanted.every(one => words.split(/[^\p{L}\p{N}]+/u).some(word => word.startsWith(one)))) return 2
  if (wanted.every(one => words.includes(one))) return 3
  return wanted.every(one => all.includes(one)) ? 4 : null
}

export interface Found {
  path: string
  label: string
  found: string
  is_page: boolean
}

export function findSettings(fields: readonly SearchedField[], typed: string, most: number): Found[] {
  const wanted = folded(typed).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  return fields
    .flatMap(field => {
      const ranked = field.texts.flatMap(text => {
        const at = rank(text, wanted)
        return at === null ? [] : [{ at, words: text.words }]
      })
      const [best] = ranked.toSorted((one, other) => one.at - other.at)
      return best ? [{ at: best.at, found: { path: field.path, label: field.label, found: best.words, is_page: field.is_page } }] : []
    })
    .toSorted((one, other) => one.at - other.at)
    .slice(0, most)
    .map(({ found }) => found)
}
