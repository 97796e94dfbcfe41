/** The return portal of a demo company: open in Danish, German and English, with a drawn header – all invented. */

import type { Locale } from '#contract/limits.ts'
import { recordOf } from '#domain/objects.ts'
import type { RmaTexts } from '#features/returns/rma-languages/rma-languages.schemas.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import type { Services } from '#platform/http/feature-module.ts'

/** Of the own courier. */
const ownMethod = 'van'

const address = 'Nordhavn Retur\nSundkaj 9\n2150 Nordhavn\nDanmark'

const portals: Partial<Record<Locale, Omit<RmaTexts, 'return_address'>>> = {
  da_DK: {
    greeting: 'Passer det ikke? Send det gratis tilbage inden 30 dage.',
    confirmation: 'Tak. Læg varerne i en kasse, helst den de kom i, og send den til os.',
    legal: 'Du kan fortryde købet i 14 dage uden at give en grund. Varerne skal være ubrugte.',
    support: 'Skriv til retur@nordlys.example, så svarer vi samme dag.',
  },
  de_DE: {
    greeting: 'Etwas passt nicht? Senden Sie es innerhalb von 30 Tagen zurück.',
    confirmation: 'Danke. Legen Sie die Artikel in einen Karton, am besten den ursprünglichen, und senden Sie ihn uns.',
    legal: 'Sie können den Vertrag binnen 14 Tagen ohne Angabe von Gründen widerrufen.',
    support: 'Schreiben Sie an retour@nordlys.example, wir antworten am selben Tag.',
  },
  en_GB: {
    greeting: 'Something does not fit? Send it back within 30 days.',
    confirmation: 'Thank you. Put the items into a box, ideally the one that they came in, and send it to us.',
    legal: 'You may withdraw from the contract within 14 days without giving a reason.',
    support: 'Write to returns@nordlys.example, we answer the same day.',
  },
}

const header =
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 400" width="1600" height="400"><rect width="1600" height="400" fill="#d9e4ea"/>
  <path d="M0 300 320 120l220 150 260-190 340 220 220-130 240 160v170H0z" fill="#fff" opacity="0.7"/>
  <g transform="translate(700 150)"><path d="M0 40 100 0l100 40v110l-100 40L0 150z" fill="#c79a5b"/><path d="M0 40l100 40 100-40-100-40z" fill="#dcb67d"/><path d="M100 80v110" stroke="#8a5a1c" stroke-width="4"/></g>
  <path d="M640 260a180 120 0 1 1 60 90" fill="none" stroke="#14597a" stroke-width="14" stroke-linecap="round"/><path d="M740 330l-52 26 10-58z" fill="#14597a"/></svg>`)

export async function buildReturnPortal(services: Services, scope: TenantScope): Promise<void> {
  const { bytes, media_type } = await sanitizeImage(header, { longest: 1_600, as: 'webp' })
  const content = await services.files.put(scope.operator_id, bytes)
  await services.database.transaction(scope, async db => {
    const header_file_id = await recordFile(db, content, { media_type, name: 'return-portal-header' })
    const texts = recordOf(['da_DK', 'de_DE', 'en_GB'] as const, language =>
      JSON.stringify({ ...portals[language], return_address: address }),
    )
    await db
      .insertInto('rma_languages')
      .values(Object.entries(texts).map(([language, written]) => ({ language, enabled: true, texts: written, header_file_id })))
      .execute()
    await db
      .insertInto('return_portal_offers')
      .values({
        ...{ outcomes: ['refund', 'exchange', 'repair'], methods: ['label', 'own_label', 'bring'] },
        ...{ label_agent_code: 'own', label_method: ownMethod, label_price: 3_900 },
        label_countries: JSON.stringify([{ country: 'DE', price: 5_900 }]),
      })
      .execute()
  })
}
