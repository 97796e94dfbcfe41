/** The words of the interface: the English sentence is the key, a file per locale holds the others. */
import i18next, { type TOptions } from 'i18next'
import { useCallback, useSyncExternalStore } from 'react'
import { Locale, locales } from '#contract/limits.ts'
import { device } from '#web/device.ts'

/** `da_DK` → `da-DK`, as `Intl` writes it. */
export const tagOf = (locale: Locale): string => locale.replace('_', '-')

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

const i18n = i18next.createInstance()
void i18n.init({
  lng: 'en-GB',
  fallbackLng: 'en-GB',
  // Sentences contain dots and colons, so neither separates anything.
  keySeparator: false,
  nsSeparator: false,
  // React escapes; a second escape would show `&amp;`.
  interpolation: { escapeValue: false },
  returnNull: false,
  showSupportNotice: false,
  resources: {},
} as Parameters<typeof i18n.init>[0])

/**
 * The sentence in the reader's language, its places filled with `values`. Unknown sentences stay English.
 * A `count` chooses the plural and is written with the reader's separators; other numbers are written as they are.
 */
export function t(sentence: string, values?: TOptions): string {
  if (typeof values?.count !== 'number') return i18n.t(sentence, values as TOptions) as string
  const count = values.count.toLocaleString(tagOf(current))
  return i18n.t(sentence, { ...values, replace: { ...values, count } }) as string
}

export const currentLocale = (): Locale => current
/** The current locale as `Intl` wants it. */
export const localeTag = (): string => tagOf(current)

/** The device's choice, else the person's, else the best of the browser's languages. */
export function preferredLocale(user: Locale | null | undefined, languages: readonly string[] = navigator.languages): Locale {
  const chosen = device.read('locale') ?? user
  if (chosen) return chosen
  for (const language of languages) {
    const wanted = language.toLowerCase().split('-')[0] ?? ''
    const short = ['nb', 'nn'].includes(wanted) ? 'no' : wanted
    const found = locales.find(locale => locale.startsWith(`${short}_`))
    if (found) return found
  }
  return 'en_GB'
}

const loaded = new Set<Locale>()

async function load(locale: Locale): Promise<void> {
  if (loaded.has(locale)) return
  const url = `/translations/${locale}.json?v=${__BUILD__}`
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) return
  void keep(url, response.clone())
  i18n.addResourceBundle(tagOf(locale), 'translation', (await response.json()) as Record<string, string>)
  loaded.add(locale)
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

/** Shows the interface in this language. When its file cannot be had, the English sentences stand in. */
export async function speak(locale: Locale): Promise<void> {
  await Promise.all([load(locale), load('en_GB')]).catch(() => undefined)
  await i18n.changeLanguage(tagOf(locale))
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

export const isLocale = (text: string): text is Locale => Locale.safeParse(text).success
