/** Reads of the return portal's languages. */
import type { StoredContent } from '#contract/endpoint.ts'
import { Locale } from '#contract/fields.schemas.ts'
import { locales } from '#contract/limits.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import { mainShop, type RmaTarget } from './rma-languages.codes.ts'
import { type RmaLanguage, RmaTexts } from './rma-languages.schemas.ts'

const noTexts: RmaTexts = { greeting: '', return_address: '', confirmation: '', legal: '', support: '' }
const StoredTexts = RmaTexts.partial()
  .catch({})
  .transform(texts => ({ ...noTexts, ...texts }))

const emptyLanguage = (shop: string, language: Locale): RmaLanguage => ({
  shop,
  language,
  enabled: false,
  texts: noTexts,
  pictures: { logo: null, header: null, background: null },
  version: 0,
})

/** The beginning of a hash, by which a picture is asked for. */
const short = (sha256: string | null): string | null => sha256?.slice(0, 16) ?? null

const rows = (db: Db, company_id: number, shop: string) =>
  db
    .selectFrom('rma_languages as r')
    .leftJoin('files as l', 'l.id', 'r.logo_file_id')
    .leftJoin('files as h', 'h.id', 'r.header_file_id')
    .leftJoin('files as b', 'b.id', 'r.background_file_id')
    .select(['r.shop', 'r.language', 'r.enabled', 'r.texts', 'r.version'])
    .select(['l.sha256 as logo', 'h.sha256 as header', 'b.sha256 as background'])
    .where('r.company_id', '=', company_id)
    .where('r.shop', '=', shop)

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

const languageOf = ({ shop, language, enabled, texts, version, logo, header, background }: Row): RmaLanguage => ({
  shop,
  language: Locale.parse(language),
  enabled,
  texts: StoredTexts.parse(texts),
  pictures: { logo: short(logo), header: short(header), background: short(background) },
  version,
})

/** All languages of a shop, those without a row included. */
export async function languagesOf(db: Db, company_id: number, shop: string): Promise<RmaLanguage[]> {
  const found = (await rows(db, company_id, shop).execute()).map(languageOf)
  return locales.map(locale => found.find(one => one.language === locale) ?? emptyLanguage(shop, locale))
}

export async function languageOfShop(db: Db, company_id: number, shop: string, language: Locale): Promise<RmaLanguage> {
  const row = await rows(db, company_id, shop).where('r.language', '=', language).executeTakeFirst()
  return row ? languageOf(row) : emptyLanguage(shop, language)
}

/** The shops from which orders come by a key, and those that have a portal. */
export async function shopsOf(db: Db, company_id: number): Promise<string[]> {
  const [keys, portals] = await Promise.all([
    db
      .selectFrom('cms_keys')
      .select('shop')
      .distinct()
      .where('company_id', '=', company_id)
      .where('purpose', '=', 'shop')
      .where('removed_at', 'is', null)
      .execute(),
    db.selectFrom('rma_languages').select('shop').distinct().where('company_id', '=', company_id).execute(),
  ])
  return [
    ...new Set([
      mainShop,
      ...[...keys, ...portals]
        .map(({ shop }) => shop)
        .filter(Boolean)
        .toSorted(),
    ]),
  ]
}

/** The file of a picture; for the logo the company's where the language has none. */
export async function pictureFile(
  db: Db,
  company_id: number,
  { shop, language, target }: { shop: string; language: Locale; target: RmaTarget },
): Promise<(StoredContent & { media_type: string }) | undefined> {
  const columns = ['f.sha256', 'f.bytes', 'f.media_type'] as const
  const own = await db
    .selectFrom('rma_languages as r')
    .innerJoin('files as f', 'f.id', `r.${target}_file_id` as const)
    .select(columns)
    .where('r.company_id', '=', company_id)
    .where('r.shop', '=', shop)
    .where('r.language', '=', language)
    .executeTakeFirst()
  if (own || target !== 'logo') return own
  const { logo_file_id } = await companySettings(db, company_id)
  return logo_file_id === null ? undefined : db.selectFrom('files as f').select(columns).where('f.id', '=', logo_file_id).executeTakeFirst()
}

const previewPurpose = 'return portal preview'
const previewText = (company_id: number, shop: string, language: Locale, until: string): string =>
  JSON.stringify([company_id, shop, language, until])

export function previewToken(vault: Vault, of: { company_id: number; shop: string; language: Locale }, until: Date): string {
  const seconds = Math.floor(until.getTime() / 1_000).toString(36)
  return `${seconds}.${vault.sign(previewPurpose, previewText(of.company_id, of.shop, of.language, seconds))}`
}

export function isPreviewToken(
  vault: Vault,
  of: { company_id: number; shop: string; language: Locale },
  token: string,
  now: Date,
): boolean {
  const [until = '', signature = ''] = token.slice(0, 64).split('.')
  return (
    vault.verify(previewPurpose, previewText(of.company_id, of.shop, of.language, until), signature) &&
    Number.parseInt(until, 36) * 1_000 > now.getTime()
  )
}

/** The languages in which a shop's portal is open; those of `main` where the shop has none of its own. */
export async function openLanguages(db: Db, company_id: number, shop: string): Promise<RmaLanguage[]> {
  const open = (await languagesOf(db, company_id, shop)).filter(one => one.enabled)
  return open.length > 0 || shop === mainShop ? open : openLanguages(db, company_id, mainShop)
}
