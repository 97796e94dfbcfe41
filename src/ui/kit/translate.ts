/** The words of the interface: the English sentence is the key, a file per locale holds the others. */
import { useCallback, useSyncExternalStore } from 'react'
import { type Locale, locales } from '#contract/limits.ts'
import { isOneOf } from '#domain/objects.ts'
import { device } from '#ui/device/device-storage.ts'

/** `da_DK` → `da-DK`, as `Intl` writes it. */
const tagOf = (locale: Locale): string => locale.replace('_', '-')

let current: Locale = 'en_GB'
let version = 0
const watchers = new Set<() => void>()

/** How each locale calls itself. */
export const localeNames: Readonly<Record<Locale, string>> = {
  en_GB: 'English',
  da_DK: 'Dansk',
  de_DE: 'Deutsch',
  no_NO: 'Norsk',
  sv_SE: 'Svenska',
}

export type Values = Readonly<Record<string, string | number | null | undefined>>

const books = new Map<Locale, Readonly<Record<string, string>>>()
let book: Readonly<Record<string, string>> = {}
let plurals = new Intl.PluralRules('en-GB')

/**
 * The sentence in the reader's language, its places filled with `values`. Unknown sentences stay English.
 * A `count` chooses the plural and is written with the reader's separators; other numbers are written as they are.
 */
export function t(sentence: string, values?: Values): string {
  const count = values?.count
  const text =
    typeof count === 'number'
      ? (book[`${sentence}_${plurals.select(count)}`] ?? book[`${sentence}_other`] ?? book[sentence] ?? sentence)
      : (book[sentence] ?? sentence)
  if (!values) return text
  return text.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => {
    const value = values[name]
    return name === 'count' && typeof value === 'number' ? value.toLocaleString(tagOf(current)) : String(value ?? '')
  })
}

export const currentLocale = (): Locale => current
/** The current locale as `Intl` wants it. */
export const localeTag = (): string => tagOf(current)

interface Person {
  user: { locale: Locale | null } | undefined
  init: { settings: { locale: Locale; languages?: readonly Locale[] } } | undefined
}

/** The device's choice, else the person's, else their company's, else the best of the browser's languages. */
export function preferredLocale({ user, init }: Person, languages: readonly string[] = navigator.languages): Locale {
  const offered = init?.settings.languages ?? locales
  const chosen = [device.read('locale'), user?.locale].find(one => one && offered.includes(one)) ?? init?.settings.locale
  if (chosen) return chosen
  for (const language of languages) {
    const wanted = language.toLowerCase().split('-')[0] ?? ''
    const short = ['nb', 'nn'].includes(wanted) ? 'no' : wanted
    const found = locales.find(locale => locale.startsWith(`${short}_`))
    if (found) return found
  }
  return 'en_GB'
}

/** The file of a language under the hash of its content: a kept copy is never stale, and a new build keeps those that did not change. */
const addressOf = (locale: Locale): string => `/translations/${locale}.json?v=${__WORDS__[locale]}`

async function load(locale: Locale): Promise<void> {
  if (books.has(locale)) return
  const url = addressOf(locale)
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) return
  void keep(url, response.clone())
  books.set(locale, (await response.json()) as Record<string, string>)
}

/** A device's first visit has no service worker yet that would keep the words: without them a phone in a dead spot would speak English. */
async function keep(url: string, response: Response): Promise<void> {
  if (!('caches' in globalThis) || navigator.serviceWorker?.controller) return
  try {
    // The name under which the service worker looks for them.
    await (await caches.open('translations')).put(url, response)
  } catch {
    // A private window, or no space: the next visit asks again.
  }
}

/** The language of what this device remembers, before the session is resumed. */
export const rememberedLocale = (): Locale => preferredLocale({ user: device.read('user'), init: device.read('init') })

/** Shows the interface in this language. When its file cannot be had, the English sentences stand in. */
export async function speak(locale: Locale): Promise<void> {
  await load(locale).catch(() => undefined)
  book = books.get(locale) ?? {}
  plurals = new Intl.PluralRules(tagOf(locale))
  current = locale
  version += 1
  document.documentElement.lang = tagOf(locale)
  for (const watcher of watchers) watcher()
}

/** Chooses a language for this device and speaks it. */
export async function chooseLocale(locale: Locale): Promise<void> {
  device.write('locale', locale)
  await speak(locale)
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** `t`, in a component that renders again when the language changes; a new function then, so that `[t]` is enough for what is kept. */
export function useT(): typeof t {
  const spoken = useSyncExternalStore(watch, () => version)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the language
  return useCallback<typeof t>((sentence, values) => t(sentence, values), [spoken])
}

export const useLocale = (): Locale => useSyncExternalStore(watch, () => current)

export const isLocale = (text: string): text is Locale => isOneOf(locales, text)
