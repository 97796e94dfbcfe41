/** The language of a public page: its words are packed with it, one small chunk a language. */
import type { Locale } from '#contract/limits.ts'

export const languages: Readonly<Record<Locale, string>> = {
  en_GB: 'English',
  da_DK: 'Dansk',
  de_DE: 'Deutsch',
  no_NO: 'Norsk',
  sv_SE: 'Svenska',
}

/** English needs none: its sentences are the keys. */
type Chunks = Readonly<Record<Exclude<Locale, 'en_GB'>, () => Promise<{ words: Record<string, string> }>>>

export function pageLanguage(chunks: Chunks) {
  let words: Record<string, string> = {}
  let spoken: Locale = 'en_GB'
  return {
    /** Changes the language; when its words cannot be had, English stands in. */
    async speak(locale: Locale): Promise<void> {
      if (locale !== spoken) {
        try {
          words = locale === 'en_GB' ? {} : (await chunks[locale]()).words
          spoken = locale
        } catch {
          words = {}
          spoken = 'en_GB'
        }
      }
      document.documentElement.lang = spoken.slice(0, 2)
    },
    locale: (): Locale => spoken,
    /** As `Intl` wants it. */
    tag: (): string => spoken.replace('_', '-'),
    /** A sentence of the answer in the reader's language, its places filled. */
    translate: (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
      (words[text] ?? text).replace(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place)),
  }
}

export const isLocale = (text: string | null): text is Locale => text !== null && Object.hasOwn(languages, text)

/** The best of the browser's languages, for when no one has answered yet. */
export function ownLocale(): Locale {
  for (const language of navigator.languages) {
    const short = language
      .toLowerCase()
      .slice(0, 2)
      .replace(/^n[bn]$/, 'no')
    const known = Object.keys(languages).find(one => one.startsWith(`${short}_`)) ?? null
    if (isLocale(known)) return known
  }
  return 'en_GB'
}
