/** Writes the return portal's languages. */
import * as z from 'zod'
import { conflict, notFound } from '#contract/errors.ts'
import { Locale } from '#contract/fields.schemas.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import { inLine } from '#features/company/users/users.queries.ts'
import { languageNames } from '#features/shipping/campaigns/campaigns.rules.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { neededTexts, type RmaTarget } from './rma-languages.codes.ts'
import { languageOfShop, shopsOf } from './rma-languages.queries.ts'
import { type RmaLanguage, RmaTexts } from './rma-languages.schemas.ts'

interface Place {
  shop: string
  language: Locale
}

function mustHaveTexts(texts: RmaTexts, language: Locale): void {
  const missing = neededTexts.filter(name => texts[name] === '')
  if (missing.length === 0) return
  throw conflict(
    'rma_texts_missing',
    'Write the return address and the confirmation in {{language}} first.',
    { language: languageNames[language] },
    { fields: Object.fromEntries(missing.map(name => [`texts.${name}`, 'The open portal needs this text.'])) },
  )
}

export async function mustBeShop(db: Db, company_id: number, shop: string): Promise<void> {
  if (!(await shopsOf(db, company_id)).includes(shop)) throw notFound('shop_not_found', 'This shop is unknown')
}

/** As the history of settings keeps it; pictures are not kept. */
const historyOf = ({ enabled, texts }: RmaLanguage) => ({ enabled, ...texts })
const Stored = RmaTexts.extend({ enabled: z.boolean(), version: z.number() })

const placeOf = (place: string): Place => {
  const end = place.lastIndexOf('.')
  const language = Locale.safeParse(place.slice(end + 1))
  if (!language.success) throw notValid()
  return { shop: place.slice(0, end), language: language.data }
}

export const portalTextsOwner: SettingOwner = {
  name: 'return_texts',
  async read({ db, principal }, at) {
    const { shop, language } = placeOf(at)
    await inLine(db, principal.company.id)
    const current = await languageOfShop(db, principal.company.id, shop, language)
    return { ...historyOf(current), version: current.version }
  },
  async save(context, at, values) {
    const read = Stored.safeParse(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? ''])))
    if (!read.success) throw notValid()
    const { enabled, version, ...texts } = read.data
    const place = placeOf(at)
    const { db, principal } = context
    const current = await languageOfShop(db, principal.company.id, place.shop, place.language)
    if (current.enabled !== enabled) return setEnabled(context, place, enabled)
    return setTexts(context, place, { texts, version })
  },
}

type Change = Partial<Record<`${RmaTarget}_file_id`, number | null>> & { enabled?: boolean; texts?: string }

async function write(
  context: Context,
  place: Place,
  change: Change,
  event: 'enabled' | 'disabled' | 'texts_set' | 'image_set',
): Promise<RmaLanguage> {
  const { db, principal, now } = context
  const changed_at = now().toISOString()
  const before = await languageOfShop(db, principal.company.id, place.shop, place.language)
  await db
    .insertInto('rma_languages')
    .values({ ...place, ...change, changed_at })
    .onConflict(conflicting =>
      conflicting
        .columns(['operator_id', 'company_id', 'shop', 'language'])
        .doUpdateSet(eb => ({ ...change, changed_at, version: eb('rma_languages.version', '+', 1) })),
    )
    .execute()
  await context.recordEvent({ kind: `return_portal.${event}`, subject: 'company', subject_id: principal.company.id, data: place })
  context.notify('return_portal')
  const after = await languageOfShop(db, principal.company.id, place.shop, place.language)
  await recordOwnedChanges(context, `return_texts.${place.shop}.${place.language}`, historyOf(before), historyOf(after))
  return after
}

export async function setEnabled(context: Context, place: Place, enabled: boolean): Promise<RmaLanguage> {
  const { db, principal } = context
  await inLine(db, principal.company.id)
  await mustBeShop(db, principal.company.id, place.shop)
  const current = await languageOfShop(db, principal.company.id, place.shop, place.language)
  if (current.enabled === enabled) return current
  if (enabled) mustHaveTexts(current.texts, place.language)
  return write(context, place, { enabled }, enabled ? 'enabled' : 'disabled')
}

export async function setTexts(
  context: Context,
  place: Place,
  { texts, version }: { texts: RmaTexts; version: number },
): Promise<RmaLanguage> {
  const { db, principal } = context
  await inLine(db, principal.company.id)
  await mustBeShop(db, principal.company.id, place.shop)
  const current = await languageOfShop(db, principal.company.id, place.shop, place.language)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  if (current.enabled) mustHaveTexts(texts, place.language)
  return write(context, place, { texts: JSON.stringify(texts) }, 'texts_set')
}

export async function setPicture(context: Context, place: Place, target: RmaTarget, file_id: number | null): Promise<RmaLanguage> {
  await inLine(context.db, context.principal.company.id)
  return write(context, place, { [`${target}_file_id`]: file_id }, 'image_set')
}
