/** The return portal's languages: texts, pictures, and which of them customers see. */
import type { Permission } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { mostPictureUpload } from './rma-languages.codes.ts'
import type { rmaLanguagesSchemas } from './rma-languages.schemas.ts'

const settings: readonly Permission[] = ['admin', 'rma_admin', 'settings_admin']

export const rmaLanguages = contract<typeof rmaLanguagesSchemas>({ name: 'rma', area: 'returns', access: settings }).calls({
  enable: call('POST rma/{language}/enable'),
  disable: call('POST rma/{language}/disable'),
  picture: call('GET rma/{language}/img/{target}', { access: 'anyone', media: 'image/*', external: true }),
  setPicture: call('POST rma/{language}/img/{target}', { upload: mostPictureUpload, external: true }),
  list: call('GET rma/languages', { internal: true }),
  setTexts: call('POST rma/{language}/texts', { internal: true }),
  preview: call('POST rma/{language}/preview', { internal: true }),
})
