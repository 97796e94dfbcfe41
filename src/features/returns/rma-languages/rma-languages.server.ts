/** The return portal's languages: handlers. */

import { AppError, orNotFound, unprocessable } from '#contract/errors.ts'
import { accountForSending } from '#features/deliveries/mail/mail.queries.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { implement } from '#platform/http/feature-module.ts'
import { allowUpload } from '#platform/limits/company-limits.ts'
import { pictureSides, previewMinutes, type RmaTarget } from './rma-languages.codes.ts'
import { mustBeShop, setEnabled, setPicture, setTexts } from './rma-languages.commands.ts'
import { rmaLanguages } from './rma-languages.contract.ts'
import { languagesOf, pictureFile, previewToken, shopsOf } from './rma-languages.queries.ts'
import { rmaLanguagesSchemas } from './rma-languages.schemas.ts'

export const rmaLanguagesServer = implement(rmaLanguages, rmaLanguagesSchemas, {
  enable: ({ language, shop }, context) => setEnabled(context, { language, shop }, true),
  disable: ({ language, shop }, context) => setEnabled(context, { language, shop }, false),

  async picture({ language, target, shop, v }, { transaction, principal, setHeader }) {
    const file = await transaction(async ({ db }) => pictureFile(db, principal.company.id, { shop, language, target }))
    const { media_type, ...bytes } = orNotFound(file, 'picture_not_found', 'There is no picture')
    setHeader('cache-control', v === bytes.sha256.slice(0, 16) ? 'public, max-age=31536000, immutable' : 'no-cache')
    return { bytes, media_type, inline: true }
  },

  async setPicture({ language, target, shop, upload }, { services, transaction, scope }) {
    await transaction(({ db, principal }) => mustBeShop(db, principal.company.id, shop))
    const given = await upload.bytes()
    const place = { language, shop }
    if (given.length === 0) return transaction(context => setPicture(context, place, target, null))
    await transaction(({ db }) => allowUpload(db, scope.company_id))
    const { bytes, media_type } = await redrawn(given, target)
    const content = await services.files.put(scope.operator_id, bytes)
    return transaction(async context => {
      const file_id = await recordFile(context.db, content, { media_type, name: `return-portal-${language}-${target}` })
      return setPicture(context, place, target, file_id)
    })
  },

  async list({ shop }, { db, principal }) {
    const company_id = principal.company.id
    const [rows, shops, account] = await Promise.all([
      languagesOf(db, company_id, shop),
      shopsOf(db, company_id),
      accountForSending(db, company_id),
    ])
    return { rows, shops, sends_mail: account !== undefined }
  },

  setTexts: ({ language, shop, body }, context) => setTexts(context, { language, shop }, body),

  async preview({ language, shop }, { db, services, principal, now }) {
    await mustBeShop(db, principal.company.id, shop)
    const until = new Date(now().getTime() + previewMinutes * 60_000)
    return {
      token: previewToken(services.vault, { company_id: principal.company.id, shop, language }, until),
      expires_at: until.toISOString(),
    }
  },
})

async function redrawn(given: Uint8Array, target: RmaTarget) {
  try {
    return await sanitizeImage(given, { longest: pictureSides[target], as: target === 'logo' ? 'png' : 'webp' })
  } catch (error) {
    if (error instanceof AppError) throw unprocessable('not_an_image', 'This file is not a picture.')
    throw error
  }
}
