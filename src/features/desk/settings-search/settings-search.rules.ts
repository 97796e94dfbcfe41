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

const letter = /[\p{L}\p{N}]/u

/** Whether a word of the text begins with the letters. */
function begins(text: string, letters: string): boolean {
  for (let at = text.indexOf(letters); at !== -1; at = text.indexOf(letters, at + 1))
    if (at === 0 || !letter.test(text.charAt(at - 1))) return true
  return false
}

/** How well a text fits: what was typed is its beginning or that of its words, of words beside it, or stands inside its words or theirs. */
function rank({ small: words, all }: SearchedText, wanted: readonly string[]): number | null {
  const whole = wanted.join(' ')
  if (words === whole) return 0
  if (words.startsWith(whole)) return 1
  if (wanted.every(one => begins(words, one))) return 2
  if (wanted.every(one => begins(all, one))) return insideWords - 1
  if (wanted.every(one => words.includes(one))) return insideWords
  return wanted.every(one => all.includes(one)) ? insideWords + 1 : null
}

/** The rank from which on letters stand inside words only. */
const insideWords = 4

export interface Found {
  path: string
  label: string
  found: string
  is_page: boolean
}

export function findSettings(fields: readonly SearchedField[], typed: string, most: number): Found[] {
  const wanted = folded(typed).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  const found = fields
    .flatMap(field => {
      const ranked = field.texts.flatMap(text => {
        const at = rank(text, wanted)
        return at === null ? [] : [{ at, words: text.words }]
      })
      const [best] = ranked.toSorted((one, other) => one.at - other.at)
      return best ? [{ at: best.at, found: { path: field.path, label: field.label, found: best.words, is_page: field.is_page } }] : []
    })
    .toSorted((one, other) => one.at - other.at)
  // In five languages, nearly any letters stand inside some word: they count where no word begins with them.
  const begun = found.filter(({ at }) => at < insideWords)
  return (begun.length > 0 ? begun : found).slice(0, most).map(one => one.found)
}
