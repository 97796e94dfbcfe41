/** Texts of announcements by language, and the period in which they are shown. */
import { type Locale, locales } from '#contract/limits.ts'
import { isRecord } from '#domain/objects.ts'
import type { AnnouncementPhase } from './announcements.codes.ts'

export interface AnnouncementText {
  title: string
  body: string
}
export type AnnouncementTexts = { [L in Locale]?: AnnouncementText | undefined }

/** The texts of a stored announcement, without languages that hold nothing, always in the same order. */
export function textsOf(stored: unknown): AnnouncementTexts {
  const texts: AnnouncementTexts = {}
  if (!isRecord(stored)) return texts
  for (const locale of locales) {
    const text = stored[locale]
    if (!isRecord(text)) continue
    const { title, body } = text
    if (typeof title === 'string' && typeof body === 'string' && title !== '' && body !== '') texts[locale] = { title, body }
  }
  return texts
}

/** The text for a reader: in the own language, else in that of the company, else in English, else in any. */
export function textFor(texts: AnnouncementTexts, own: Locale | null, company: Locale): AnnouncementText & { locale: Locale } {
  for (const locale of [own, company, ...locales]) {
    const text = locale === null ? undefined : texts[locale]
    if (locale !== null && text) return { locale, ...text }
  }
  return { locale: company, title: '', body: '' }
}

export function phaseOf({ state, from_at, to_at }: { state: string; from_at: string; to_at: string | null }, now: Date): AnnouncementPhase {
  if (state === 'draft' || state === 'withdrawn') return state
  const at = now.getTime()
  if (at < Date.parse(from_at)) return 'planned'
  return to_at !== null && at >= Date.parse(to_at) ? 'ended' : 'shown'
}
