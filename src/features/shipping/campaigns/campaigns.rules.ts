/** When a campaign is shown, what it still lacks, and the addresses of its pictures. */
import type { Locale } from '#contract/limits.ts'
import type { TrackingStage } from '#domain/tracking-stages.ts'
import { type CampaignState, type CampaignVariant, campaignVariants } from './campaigns.codes.ts'

/** Languages by their own names, which readers of all languages know. */
export const languageNames: Readonly<Record<Locale, string>> = {
  en_GB: 'English',
  da_DK: 'Dansk',
  de_DE: 'Deutsch',
  no_NO: 'Norsk',
  sv_SE: 'Svenska',
}

interface Period {
  from_at: string
  to_at: string | null
}

/** The state as people read it: a published campaign is scheduled, active or ended by its period. */
export function stateOf({ state, from_at, to_at }: Period & { state: string }, now: Date): CampaignState {
  if (state === 'draft' || state === 'ended') return state
  if (to_at !== null && now.getTime() >= Date.parse(to_at)) return 'ended'
  if (state === 'paused') return 'paused'
  return now.getTime() < Date.parse(from_at) ? 'scheduled' : 'active'
}

interface Content {
  locale: Locale
  variant: CampaignVariant
  alt: string
  picture: string | null
}

const variantsOf = (ab_share: number | null): readonly CampaignVariant[] => (ab_share === null ? ['a'] : campaignVariants)

/** The languages and variants that are not ready to be shown. */
export const missingContents = (
  { locales, ab_share }: { locales: readonly Locale[]; ab_share: number | null },
  contents: readonly Content[],
): { locale: Locale; variant: CampaignVariant; picture: boolean; alt: boolean }[] =>
  locales.flatMap(locale =>
    variantsOf(ab_share).flatMap(variant => {
      const content = contents.find(one => one.locale === locale && one.variant === variant)
      const [picture, alt] = [(content?.picture ?? null) === null, (content?.alt ?? '') === '']
      return picture || alt ? [{ locale, variant, picture, alt }] : []
    }),
  )

interface Candidate {
  priority: number
  from_at: string
  id: number
}
/** The highest priority first; among equals the one that began last. */
export const byRank = (one: Candidate, other: Candidate): number =>
  other.priority - one.priority || Date.parse(other.from_at) - Date.parse(one.from_at) || other.id - one.id

/** Where an order stands, as campaigns name it; null where no campaign is shown. */
export function campaignStage({
  stage,
  trouble,
  parcels,
}: {
  stage: string
  trouble: string | null
  parcels: readonly string[]
}): TrackingStage | null {
  if (trouble === 'cancelled') return null
  if (trouble !== null) return 'problem'
  if (parcels.includes('ready_for_pickup')) return 'ready_for_pickup'
  if (parcels.includes('out_for_delivery')) return 'out_for_delivery'
  return stage === 'packed' || stage === 'on_its_way' || stage === 'delivered' ? stage : 'ordered'
}

/** The same order always sees the same variant: `digest` is an HMAC of campaign and order. */
export const variantOf = (ab_share: number | null, digest: Uint8Array): CampaignVariant =>
  ab_share !== null && new DataView(digest.buffer, digest.byteOffset).getUint32(0) % 100 < ab_share ? 'b' : 'a'

/** `12_de_DE`, `KEY_de_DE_b_700`, `12/de_DE/a/1400`. A locale holds `_` itself, and a key may. */
export function pictureParts(
  parts: string,
): { id: number | null; public_key: string | null; locale: string; variant: CampaignVariant; width: 700 | 1400 } | null {
  const found = /^(?:(\d{1,15})|([\w-]{22}))[_/]([a-z]{2}_[A-Z]{2})(?:[_/]([ab]))?(?:[_/](700|1400))?$/.exec(parts)
  if (!found) return null
  const [, id, public_key = null, locale = '', variant, width] = found
  return {
    id: id === undefined ? null : Number(id),
    public_key,
    locale,
    variant: variant === 'b' ? 'b' : 'a',
    width: width === '1400' ? 1400 : 700,
  }
}

/** Only addresses that a shop may lead to: never a script. */
export function isWebAddress(link: string): boolean {
  const { protocol } = URL.parse(link) ?? {}
  return protocol === 'https:' || protocol === 'http:'
}

export const rateOf = ({ shown, clicked }: { shown: number; clicked: number }): number => (shown === 0 ? 0 : clicked / shown)
